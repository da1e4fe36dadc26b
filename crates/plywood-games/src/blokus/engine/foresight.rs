//! Learning what positions promise, from how the games ended: least squares.

use std::collections::VecDeque;

use super::prospects::{
    NUMBERS, Numbers, Prospects, STAGES, describe, stage_of, stage_of_all, win_share,
};
use crate::blokus::{Blokus, State};

/// The most positions that are kept to learn from, the newest.
const MOST_POSITIONS: usize = 300_000;
/// With fewer examples nothing is said; a stage with fewer takes those of the stages beside it
/// too.
const FEWEST_EXAMPLES: usize = 4_000;
/// By how much of itself each number is made to look less useful, so that numbers that say
/// nearly the same share the weight.
const RIDGE: f64 = 1e-4;

/// A position of a game, and how the game ended.
pub(super) struct Seen<const COLOURS: usize> {
    stage: u8,
    colours: [Chance; COLOURS],
}

/// A colour in a position.
#[derive(Clone, Copy)]
struct Chance {
    /// Its stage and its numbers; nothing if it was out.
    numbers: Option<(u8, Numbers)>,
    /// The points it ended with.
    end: f32,
}

impl<const COLOURS: usize> Seen<COLOURS> {
    /// A position of a game that ended like this.
    pub fn new(game: &Blokus<COLOURS>, state: &State<COLOURS>, end: &State<COLOURS>) -> Self {
        let numbers = describe(game, state);
        Seen {
            stage: stage_of_all(state) as u8,
            colours: std::array::from_fn(|colour| Chance {
                numbers: (!state.is_out(colour))
                    .then(|| (stage_of(state, colour) as u8, numbers[colour])),
                end: end.score(colour) as f32,
            }),
        }
    }
}

/// What is learnt from.
pub(super) struct Foresight<const COLOURS: usize> {
    seen: VecDeque<Seen<COLOURS>>,
}

impl<const COLOURS: usize> Foresight<COLOURS> {
    pub fn new() -> Self {
        Foresight {
            seen: VecDeque::new(),
        }
    }

    /// What all positions so far, these included, say of others; nothing as long as there are
    /// too few.
    pub fn learn(&mut self, seen: impl Iterator<Item = Seen<COLOURS>>) -> Option<Prospects> {
        self.seen.extend(seen);
        let surplus = self.seen.len().saturating_sub(MOST_POSITIONS);
        self.seen.drain(..surplus);
        let points = self.points()?;
        let prospects = Prospects {
            points,
            sharpness: [0.0; STAGES],
        };
        Some(Prospects {
            sharpness: self.sharpness(&prospects),
            ..prospects
        })
    }

    /// The weights with the least squares of errors.
    fn points(&self) -> Option<[[f32; NUMBERS]; STAGES]> {
        let mut sums = vec![Sums::default(); STAGES];
        for chance in self.seen.iter().flat_map(|seen| &seen.colours) {
            if let Some((stage, numbers)) = &chance.numbers {
                sums[usize::from(*stage)].add(numbers, chance.end);
            }
        }
        let all: usize = sums.iter().map(|sums| sums.examples).sum();
        if all < FEWEST_EXAMPLES {
            return None;
        }
        Some(std::array::from_fn(|stage| {
            let mut near = sums[stage].clone();
            for away in 1..STAGES {
                if near.examples >= FEWEST_EXAMPLES {
                    break;
                }
                for beside in [stage.checked_sub(away), Some(stage + away)] {
                    if let Some(sums) = beside.and_then(|stage| sums.get(stage)) {
                        near.join(sums);
                    }
                }
            }
            near.solve()
        }))
    }

    /// How much a point ahead makes winning more likely: what fits best with who has won.
    fn sharpness(&self, prospects: &Prospects) -> [f32; STAGES] {
        // Each about a tenth more than the one before, from 0.02 to 1.6.
        let tried: [f32; 48] = std::array::from_fn(|step| 0.02 * 1.1f32.powi(step as i32));
        let mut losses = [[0.0; 48]; STAGES];
        for seen in &self.seen {
            let points: [f32; COLOURS] = std::array::from_fn(|colour| {
                let chance = &seen.colours[colour];
                chance
                    .numbers
                    .as_ref()
                    .map_or(chance.end, |(stage, numbers)| {
                        prospects.points(usize::from(*stage), numbers)
                    })
            });
            let ends = seen.colours.map(|chance| chance.end);
            let most = ends.iter().copied().fold(0.0, f32::max);
            let winners = ends.iter().filter(|&&end| end == most).count() as f64;
            for (loss, &sharpness) in losses[usize::from(seen.stage)].iter_mut().zip(&tried) {
                let shares = win_share(&points, sharpness);
                let won = shares.iter().zip(&ends).filter(|(_, end)| **end == most);
                *loss -= won
                    .map(|(share, _)| f64::from(share.max(1e-6)).ln())
                    .sum::<f64>()
                    / winners;
            }
        }
        losses.map(|losses| {
            let least = losses.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1));
            tried[least.map_or(0, |(index, _)| index)]
        })
    }
}

/// The sums that least squares need.
#[derive(Clone)]
struct Sums {
    examples: usize,
    /// Of the products of any two numbers.
    products: [[f64; NUMBERS]; NUMBERS],
    /// Of the products of the numbers and what is to be foretold.
    ends: [f64; NUMBERS],
}

impl Default for Sums {
    fn default() -> Self {
        Sums {
            examples: 0,
            products: [[0.0; NUMBERS]; NUMBERS],
            ends: [0.0; NUMBERS],
        }
    }
}

impl Sums {
    fn add(&mut self, numbers: &Numbers, end: f32) {
        self.examples += 1;
        for (row, &one) in numbers.iter().enumerate() {
            for (sum, &other) in self.products[row].iter_mut().zip(numbers) {
                *sum += f64::from(one) * f64::from(other);
            }
            self.ends[row] += f64::from(one) * f64::from(end);
        }
    }

    fn join(&mut self, other: &Sums) {
        self.examples += other.examples;
        for (row, other) in self.products.iter_mut().zip(&other.products) {
            for (sum, other) in row.iter_mut().zip(other) {
                *sum += other;
            }
        }
        for (sum, other) in self.ends.iter_mut().zip(&other.ends) {
            *sum += other;
        }
    }

    /// The weights: Gauss's elimination, whose divisors are positive because of the ridge.
    fn solve(mut self) -> [f32; NUMBERS] {
        for (index, row) in self.products.iter_mut().enumerate() {
            row[index] += RIDGE * row[index] + 1e-6;
        }
        for pivot in 0..NUMBERS {
            let (above, below) = self.products.split_at_mut(pivot + 1);
            let row = &above[pivot];
            for (offset, other) in below.iter_mut().enumerate() {
                let factor = other[pivot] / row[pivot];
                for (other, own) in other[pivot..].iter_mut().zip(&row[pivot..]) {
                    *other -= factor * own;
                }
                self.ends[pivot + 1 + offset] -= factor * self.ends[pivot];
            }
        }
        let mut weights = [0.0; NUMBERS];
        for index in (0..NUMBERS).rev() {
            let known = self.products[index].iter().zip(&weights).skip(index + 1);
            let known: f64 = known.map(|(product, weight)| product * weight).sum();
            weights[index] = (self.ends[index] - known) / self.products[index][index];
        }
        weights.map(|weight| weight as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blokus::Duo;
    use crate::blokus::engine::{Playouts, Scratch, Style};
    use crate::text::Notation;
    use plywood::{Game, Random};

    /// The positions of a game at random, and its end.
    fn game_at_random(game: &Duo, random: &mut Random) -> (Vec<State<2>>, State<2>) {
        let mut moves = Vec::new();
        let mut end = game.start();
        let playouts = Playouts::new::<2>(Style::Uniform);
        let tell = |_, mv| moves.push(mv);
        playouts.play(game, &mut end, random, &mut Scratch::default(), tell);
        let mut state = game.start();
        let mut positions = Vec::new();
        for mv in moves {
            positions.push(state.clone());
            game.play(&mut state, mv);
        }
        (positions, end)
    }

    #[test]
    fn ends_of_games_are_foretold_better_than_by_their_average() {
        let game = Duo::new();
        let mut random = Random::new(9);
        let mut foresight = Foresight::new();
        let few = game_at_random(&game, &mut random);
        let seen = few.0.iter().map(|state| Seen::new(&game, state, &few.1));
        assert_eq!(foresight.learn(seen), None, "one game says too little");
        let mut seen = Vec::new();
        let mut sum = 0.0;
        for _ in 0..400 {
            let (positions, end) = game_at_random(&game, &mut random);
            sum += f64::from(end.score(0) + end.score(1)) / 800.0;
            seen.extend(positions.iter().map(|state| Seen::new(&game, state, &end)));
        }
        let prospects = foresight.learn(seen.into_iter()).expect("many games");
        let (mut error, mut of_average, mut loss, mut count) = (0.0, 0.0, 0.0, 0.0);
        for _ in 0..100 {
            let (positions, end) = game_at_random(&game, &mut random);
            let state = &positions[3 * positions.len() / 4];
            let promise = prospects.of(&game, state);
            assert!((promise.win_share.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            for colour in 0..2 {
                let end = f64::from(end.score(colour));
                error += (f64::from(promise.points[colour]) - end).powi(2);
                of_average += (sum - end).powi(2);
            }
            if end.score(0) != end.score(1) {
                let winner = usize::from(end.score(1) > end.score(0));
                loss -= f64::from(promise.win_share[winner]).ln();
                count += 1.0;
            }
        }
        assert!(error < 0.7 * of_average, "{error} {of_average}");
        assert!(loss / count < 0.95 * 2f64.ln(), "{}", loss / count);
    }

    #[test]
    fn least_squares_find_the_weights_that_made_the_ends() {
        let mut random = Random::new(5);
        let weights: [f32; NUMBERS] = std::array::from_fn(|i| (i as f32 - 11.0) / 4.0);
        let mut sums = Sums::default();
        for _ in 0..2000 {
            let numbers: Numbers = std::array::from_fn(|i| match i {
                0 => 1.0,
                _ => (random.unit() * 20.0) as f32,
            });
            let end = numbers.iter().zip(&weights).map(|(n, w)| n * w).sum();
            sums.add(&numbers, end);
        }
        // The ridge takes most from the constant.
        for (index, (found, made)) in sums.solve().iter().zip(&weights).enumerate() {
            let near = if index == 0 { 0.3 } else { 0.02 };
            assert!((found - made).abs() < near, "{index}: {found} {made}");
        }
    }
}
