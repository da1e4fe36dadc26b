//! Learning what positions promise, from how the games ended and what the search expected.

use std::collections::VecDeque;

use plywood::{Game, Random};

use super::Thought;
use super::descent::Descent;
use super::network::MADE;
use super::prospects::{POINTS_SPREAD, Prospects, Sight, scaled_points, win_share};
use super::train::add_newest;
use crate::blokus::{Blokus, State};

/// The most positions that are kept to learn from, the newest: half a gigabyte.
const MOST_POSITIONS: usize = 1_000_000;
/// With fewer positions nothing is said.
const FEWEST_POSITIONS: usize = 2_000;
/// How often a position is learnt from, on average.
const LOOKS: usize = 16;
/// How many positions are learnt from at once.
const BATCH: usize = 256;
/// In so many parts, which threads share: more would wait for each other longer than they learn.
const PARTS: usize = 4;
/// How far a weight moves at first; at the end of a course it stands still.
const STEP: f64 = 0.004;
/// After so many steps they are as long as that.
const FIRST_STEPS: usize = 100;
/// How much the end of a game counts. The rest is what the search expected, which is nearer to
/// what comes of good moves only.
const OF_END: f32 = 0.6;
/// So many positions beside the game are learnt from, after moves that were looked at most
/// often but not made: a search has to tell positions from each other that differ by a move.
const BESIDE: usize = 3;
/// Such a move has had this part of the playouts at least.
const PART_OF_BESIDE: u64 = 25;

/// A position while the game goes on, and what the search expects of it.
pub(super) struct Expected<const COLOURS: usize> {
    state: State<COLOURS>,
    points: [f64; COLOURS],
    win_share: [f64; COLOURS],
    /// How much the end of the game will count.
    of_end: f32,
}

impl<const COLOURS: usize> Expected<COLOURS> {
    /// A position of a game.
    pub fn new(state: &State<COLOURS>, thought: &Thought<COLOURS>) -> Self {
        Expected {
            state: state.clone(),
            points: thought.points,
            win_share: thought.win_share,
            of_end: OF_END,
        }
    }

    /// Positions that the game could have come to, of which only the search can tell.
    pub fn beside(
        game: &Blokus<COLOURS>,
        state: &State<COLOURS>,
        thought: &Thought<COLOURS>,
    ) -> impl Iterator<Item = Self> {
        let playouts: u64 = thought.moves.iter().map(|mv| mv.visits).sum();
        let others = thought
            .moves
            .iter()
            .filter(|other| Some(other.mv) != thought.best);
        let often = others.filter(move |other| other.visits * PART_OF_BESIDE >= playouts);
        let after = often.take(BESIDE).map(|other| {
            let mut state = state.clone();
            game.play(&mut state, other.mv);
            Expected {
                state,
                points: other.points,
                win_share: other.win_share,
                of_end: 0.0,
            }
        });
        // What the game has come to at its end is no question.
        after.filter(|expected| expected.state.mover().is_some())
    }
}

/// A position of a game, and what became of it.
pub(super) struct Seen<const COLOURS: usize> {
    sight: Sight<COLOURS>,
    /// For each colour, the one to move first; the points as the network makes them.
    points: [f32; COLOURS],
    win_share: [f32; COLOURS],
}

impl<const COLOURS: usize> Seen<COLOURS> {
    /// A position of a game that ended like this.
    pub fn new(game: &Blokus<COLOURS>, expected: &Expected<COLOURS>, end: &State<COLOURS>) -> Self {
        let state = &expected.state;
        let most = (0..COLOURS).map(|colour| end.score(colour)).max();
        let won = |colour: usize| Some(end.score(colour)) == most;
        let winners = (0..COLOURS).filter(|&colour| won(colour)).count() as f32;
        let of_end = expected.of_end;
        let mixed = |end: f32, expected: f64| of_end * end + (1.0 - of_end) * expected as f32;
        let colour = |seat: usize| (state.turn() + seat) % COLOURS;
        Seen {
            sight: Sight::new(game, state),
            points: std::array::from_fn(|seat| {
                let colour = colour(seat);
                scaled_points(mixed(end.score(colour) as f32, expected.points[colour]))
            }),
            win_share: std::array::from_fn(|seat| {
                let colour = colour(seat);
                let end = if won(colour) { 1.0 / winners } else { 0.0 };
                mixed(end, expected.win_share[colour])
            }),
        }
    }

    /// By how much prospects misjudge this, and the slopes of that.
    fn misjudged(&self, made: &[f32; MADE]) -> (Misjudged, [f32; MADE]) {
        let mut misjudged = Misjudged::default();
        let mut slopes = [0.0; MADE];
        let shares: [f32; COLOURS] = win_share(made);
        for seat in 0..COLOURS {
            if self.sight.is_in(seat) {
                slopes[seat] = made[seat] - self.points[seat];
                misjudged.colours += 1.0;
                misjudged.squares += f64::from(slopes[seat]).powi(2);
            }
            let share = self.win_share[seat];
            slopes[COLOURS + seat] = shares[seat] - share;
            misjudged.win_share -= f64::from(share) * f64::from(shares[seat].max(1e-6)).ln();
        }
        misjudged.positions = 1.0;
        (misjudged, slopes)
    }
}

/// By how much positions are misjudged: sums over some.
#[derive(Clone, Copy, Default)]
struct Misjudged {
    positions: f64,
    /// Colours that were in the game.
    colours: f64,
    /// Of what their points were wrong by.
    squares: f64,
    /// The logarithms of how likely the shares of the win were taken for.
    win_share: f64,
}

/// How well the ends of games are foretold.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Foretold {
    /// By how many points it is wrong: the root of the mean square.
    pub points: f64,
    /// By how much it misjudges who wins: the mean logarithm.
    pub win_share: f64,
}

/// What is learnt from, and what has been learnt.
pub(super) struct Foresight<const COLOURS: usize> {
    seen: VecDeque<Seen<COLOURS>>,
    prospects: Option<Prospects>,
    descent: Descent,
    random: Random,
    threads: usize,
}

impl<const COLOURS: usize> Foresight<COLOURS> {
    /// Goes on from what was known before. The number of threads makes no difference to what
    /// is learnt.
    pub fn new(prospects: Option<Prospects>, seed: u64, threads: usize) -> Self {
        Foresight {
            seen: VecDeque::new(),
            prospects,
            descent: Descent::new(Prospects::size(COLOURS)),
            random: Random::new(seed),
            threads,
        }
    }

    /// What positions promise, as far as it is known; rounded, as files have it.
    pub fn prospects(&self) -> Option<Prospects> {
        self.prospects.as_ref().map(Prospects::rounded)
    }

    /// Learns from all positions so far, these included, as soon as there are enough; `gone` is
    /// the part of the course that is behind. Tells how well these were foretold before.
    pub fn learn(&mut self, new: Vec<Seen<COLOURS>>, gone: f64) -> Option<Foretold> {
        let count = new.len();
        let foretold = self.prospects.as_ref().map(|known| foretold(known, &new));
        add_newest(&mut self.seen, new, MOST_POSITIONS);
        if self.seen.len() < FEWEST_POSITIONS {
            return foretold;
        }
        let mut prospects = self.prospects.take().unwrap_or_else(|| {
            let sights = self.seen.iter().map(|seen| seen.sight);
            Prospects::random(sights, &mut self.random)
        });
        let seen = self.seen.make_contiguous();
        for _ in 0..(count * LOOKS).div_ceil(BATCH) {
            let drawn: Vec<&Seen<COLOURS>> = (0..BATCH)
                .map(|_| &seen[self.random.below(seen.len())])
                .collect();
            let slopes = slopes(&prospects, &drawn, self.threads);
            let grown = (self.descent.steps + 1) as f64 / FIRST_STEPS as f64;
            let length = STEP * (1.0 - gone).max(0.02) * grown.min(1.0);
            let weights = [prospects.network.weights_mut()].into_iter();
            let factor = 1.0 / BATCH as f32;
            self.descent
                .step(weights, [&slopes[..]].into_iter(), factor, length);
        }
        self.prospects = Some(prospects);
        foretold
    }
}

/// The slopes of all weights for these positions together, part by part, so that the sums are
/// the same however many threads find them.
fn slopes<const COLOURS: usize>(
    prospects: &Prospects,
    seen: &[&Seen<COLOURS>],
    threads: usize,
) -> Vec<f32> {
    let parts: Vec<_> = seen.chunks(BATCH / PARTS).collect();
    let of_parts = |parts: &[&[&Seen<COLOURS>]]| -> Vec<Vec<f32>> {
        let slopes = parts.iter().map(|part| {
            let mut slopes = vec![0.0; Prospects::size(COLOURS)];
            for seen in *part {
                let inputs = prospects.inputs(&seen.sight);
                let layers = prospects.network.apply(&inputs);
                let (_, of_made) = seen.misjudged(&layers.made);
                let network = &prospects.network;
                network.add_slopes(&inputs, &layers, &of_made, &mut slopes);
            }
            slopes
        });
        slopes.collect()
    };
    let of_parts = &of_parts;
    std::thread::scope(|scope| {
        let mut shares = parts.chunks(parts.len().div_ceil(threads));
        let own = shares.next().unwrap_or(&[]);
        let others: Vec<_> = shares
            .map(|share| scope.spawn(move || of_parts(share)))
            .collect();
        let mut all = of_parts(own).into_iter();
        let mut sums = all.next().unwrap_or_default();
        let more = others
            .into_iter()
            .flat_map(|other| other.join().expect("no thread panics"));
        for slopes in all.chain(more) {
            for (sum, slope) in sums.iter_mut().zip(slopes) {
                *sum += slope;
            }
        }
        sums
    })
}

fn foretold<const COLOURS: usize>(prospects: &Prospects, seen: &[Seen<COLOURS>]) -> Foretold {
    let mut all = Misjudged::default();
    for seen in seen {
        let inputs = prospects.inputs(&seen.sight);
        let (one, _) = seen.misjudged(&prospects.network.apply(&inputs).made);
        all.positions += one.positions;
        all.colours += one.colours;
        all.squares += one.squares;
        all.win_share += one.win_share;
    }
    Foretold {
        points: f64::from(POINTS_SPREAD) * (all.squares / all.colours.max(1.0)).sqrt(),
        win_share: all.win_share / all.positions.max(1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blokus::engine::{Playouts, Scratch, Style};
    use crate::blokus::{Duo, PIECES};
    use crate::text::Notation;

    /// The positions of a game at random, of which the search knows the end.
    fn game_at_random(game: &Duo, random: &mut Random) -> Vec<Seen<2>> {
        let mut moves = Vec::new();
        let mut end = game.start();
        let playouts = Playouts::new::<2>(Style::Uniform);
        let tell = |_, mv| moves.push(mv);
        playouts.play(game, &mut end, random, &mut Scratch::default(), tell);
        let points = game.outcome(&end).map(f64::from);
        let won = |own: f64, other: f64| (own - other).signum() / 2.0 + 0.5;
        let mut state = game.start();
        let mut seen = Vec::new();
        for mv in moves {
            let expected = Expected {
                state: state.clone(),
                points,
                win_share: [won(points[0], points[1]), won(points[1], points[0])],
                of_end: OF_END,
            };
            seen.push(Seen::new(game, &expected, &end));
            game.play(&mut state, mv);
        }
        seen
    }

    #[test]
    fn ends_of_games_are_foretold_better_than_by_their_average() {
        let game = Duo::new();
        let mut random = Random::new(9);
        let mut foresight = Foresight::new(None, 1, 2);
        let few = game_at_random(&game, &mut random);
        assert_eq!(foresight.learn(few, 0.0), None);
        assert_eq!(foresight.prospects(), None, "one game says too little");
        let mut games = |count| -> Vec<_> {
            let games = (0..count).map(|_| game_at_random(&game, &mut random));
            games.flatten().collect()
        };
        foresight.learn(games(300), 0.5);
        let prospects = foresight.prospects().expect("many games");
        // The first half of a game at random says little of its end.
        let mut others = games(80);
        others.retain(|seen| seen.sight.in_hand() < PIECES as u32);
        let foretold = foretold(&prospects, &others);
        let points: Vec<f64> = others
            .iter()
            .flat_map(|seen| seen.points)
            .map(f64::from)
            .collect();
        let mean = points.iter().sum::<f64>() / points.len() as f64;
        let squares = points.iter().map(|own| (own - mean).powi(2)).sum::<f64>();
        let of_mean = f64::from(POINTS_SPREAD) * (squares / points.len() as f64).sqrt();
        assert!(foretold.points < 0.85 * of_mean, "{foretold:?} {of_mean}");
        assert!(foretold.win_share < 0.95 * 2f64.ln(), "{foretold:?}");
    }

    #[test]
    fn threads_make_no_difference() {
        let game = Duo::new();
        let learnt = |threads| {
            let mut random = Random::new(3);
            let mut foresight = Foresight::new(None, 1, threads);
            let games = (0..80).map(|_| game_at_random(&game, &mut random));
            let mut seen: Vec<_> = games.flatten().collect();
            let rest = seen.split_off(FEWEST_POSITIONS);
            foresight.learn(rest, 0.0);
            foresight.learn(seen.split_off(FEWEST_POSITIONS - 100), 0.9);
            foresight.prospects()
        };
        assert_eq!(learnt(1), learnt(3));
    }
}
