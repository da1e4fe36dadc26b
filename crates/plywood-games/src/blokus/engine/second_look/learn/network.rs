//! The network in floating point: what it makes of a position, and the slopes of all weights.

use plywood::Random;

use super::super::layer::{CHANNELS, TAPS};
use super::super::{Grids, LAYERS, PLANES, TRAITS};
use super::convolution::{Cells, Instructions, Taps, turn};
use super::positions::{Placement, Position, place_of};
use crate::blokus::pieces::ORIENTATIONS;

/// What makes the numbers of a cell of those around it.
#[derive(Clone)]
pub(super) struct Convolution<const IN: usize> {
    pub weights: Box<Taps<IN>>,
    pub bias: [f32; CHANNELS],
}

impl<const IN: usize> Convolution<IN> {
    fn zero() -> Self {
        Convolution {
            weights: Box::new([[[0.0; CHANNELS]; IN]; TAPS]),
            bias: [0.0; CHANNELS],
        }
    }

    fn numbers(&self) -> [&[f32]; 2] {
        let weights = self.weights.as_flattened().as_flattened();
        [weights, &self.bias]
    }

    fn numbers_mut(&mut self) -> [&mut [f32]; 2] {
        let weights = self.weights.as_flattened_mut().as_flattened_mut();
        [weights, &mut self.bias]
    }

    /// Adds the slopes of one position.
    fn add_slopes(
        &mut self,
        instructions: Instructions,
        from: &Cells<IN>,
        of_made: &Cells<CHANNELS>,
    ) {
        instructions.add_slopes(from, of_made, &mut self.weights);
        add(&mut self.bias, &of_made.sums());
    }
}

fn add(numbers: &mut [f32], more: &[f32]) {
    add_times(numbers, 1.0, more);
}

fn add_times(numbers: &mut [f32], factor: f32, more: &[f32]) {
    let parts = numbers.iter_mut().zip(more);
    parts.for_each(|(number, more)| *number += factor * more);
}

/// All weights; or the slopes of all weights.
#[derive(Clone)]
pub(super) struct Network {
    pub first: Convolution<PLANES>,
    /// By trait: what is added where the first layer makes its numbers.
    pub of_traits: Vec<[f32; CHANNELS]>,
    pub others: Vec<Convolution<CHANNELS>>,
    /// By orientation: the weights of the numbers of the cell at the top left of the box around
    /// a piece.
    pub heads: Vec<[f32; CHANNELS]>,
    /// By orientation: what is added to that.
    pub biases: [f32; ORIENTATIONS],
    /// By trait and orientation: what is added too.
    pub heads_of_traits: Vec<[f32; ORIENTATIONS]>,
}

/// What it makes of a position, layer by layer, and slopes of that.
pub(super) struct Scratch {
    pub instructions: Instructions,
    planes: Cells<PLANES>,
    /// What each layer makes.
    pub made: Vec<Cells<CHANNELS>>,
    slopes: Cells<CHANNELS>,
    between: Cells<CHANNELS>,
    /// The same in whole numbers.
    pub grids: Grids,
    pub view: View,
}

/// The placements of a position: how likely the network thinks them, and the search.
#[derive(Default)]
pub(super) struct View {
    pub placements: Vec<Placement>,
    /// Logarithms, then shares of the whole.
    pub likely: Vec<f32>,
    shares: Vec<f32>,
}

impl View {
    pub fn new_position(&mut self, position: Position<'_>) {
        position.placements(&mut self.placements);
        self.likely.clear();
        self.shares.clear();
        self.shares.resize(self.placements.len(), 0.0);
        let sum: u32 = position.moves().map(|(_, share)| u32::from(share)).sum();
        for (placement, share) in position.moves() {
            let place = self.placements.binary_search(&placement);
            let place = place.expect("recorded moves are placements that the rules allow");
            self.shares[place] = f32::from(share) / sum as f32;
        }
    }

    /// Makes shares of logarithms; the logarithm by which the search was misjudged, and whether
    /// the favourite was the search's.
    pub fn judge(&mut self) -> (f64, bool) {
        let most = self.likely.iter().copied().fold(f32::MIN, f32::max);
        let largest = |numbers: &[f32]| {
            let largest = numbers.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
            largest.map(|(place, _)| place)
        };
        let favourite = largest(&self.likely).is_some_and(|place| {
            let best = self.shares.iter().copied().fold(0.0, f32::max);
            self.shares[place] == best
        });
        let sum: f64 = self
            .likely
            .iter()
            .map(|log| f64::from(log - most).exp())
            .sum();
        let whole = f64::from(most) + sum.ln();
        let error = self.likely.iter().zip(&self.shares);
        let error = error.filter(|(_, share)| **share > 0.0);
        let error = error.map(|(log, share)| f64::from(*share) * (whole - f64::from(*log)));
        let error = error.sum();
        for likely in &mut self.likely {
            *likely = (f64::from(*likely) - whole).exp() as f32;
        }
        (error, favourite)
    }
}

impl Scratch {
    pub fn new(instructions: Instructions) -> Self {
        Scratch {
            instructions,
            planes: Cells::default(),
            made: vec![Cells::default(); LAYERS + 1],
            slopes: Cells::default(),
            between: Cells::default(),
            grids: Grids::default(),
            view: View::default(),
        }
    }
}

/// The weights of the layers after the first, as slopes go back through them.
pub(super) struct Turned(Vec<Box<Taps<CHANNELS>>>);

impl Network {
    pub fn zero() -> Self {
        Network {
            first: Convolution::zero(),
            of_traits: vec![[0.0; CHANNELS]; TRAITS],
            others: vec![Convolution::zero(); LAYERS],
            heads: vec![[0.0; CHANNELS]; ORIENTATIONS],
            biases: [0.0; ORIENTATIONS],
            heads_of_traits: vec![[0.0; ORIENTATIONS]; TRAITS],
        }
    }

    /// One that knows nothing: any small weights, so that sums are as large as what they are
    /// made of.
    pub fn any(random: &mut Random) -> Self {
        let mut network = Network::zero();
        let mut fill = |numbers: [&mut [f32]; 2], inputs: usize| {
            let most = 1.0 / (inputs as f64).sqrt();
            for number in numbers.into_iter().flatten() {
                *number = ((2.0 * random.unit() - 1.0) * most) as f32;
            }
        };
        fill(network.first.numbers_mut(), TAPS * PLANES);
        fill([network.of_traits.as_flattened_mut(), &mut []], TRAITS);
        for layer in &mut network.others {
            fill(layer.numbers_mut(), TAPS * CHANNELS);
        }
        let heads = network.heads.as_flattened_mut();
        fill([heads, &mut network.biases], CHANNELS);
        fill(
            [network.heads_of_traits.as_flattened_mut(), &mut []],
            TRAITS,
        );
        network
    }

    /// All numbers, always in the same order.
    pub fn numbers(&self) -> impl Iterator<Item = &[f32]> {
        let layers = self.others.iter().flat_map(Convolution::numbers);
        let layers = self.first.numbers().into_iter().chain(layers);
        layers.chain([
            self.of_traits.as_flattened(),
            self.heads.as_flattened(),
            &self.biases,
            self.heads_of_traits.as_flattened(),
        ])
    }

    /// The same to change them.
    pub fn numbers_mut(&mut self) -> impl Iterator<Item = &mut [f32]> {
        let layers = self.others.iter_mut().flat_map(Convolution::numbers_mut);
        let layers = self.first.numbers_mut().into_iter().chain(layers);
        layers.chain([
            self.of_traits.as_flattened_mut(),
            self.heads.as_flattened_mut(),
            &mut self.biases,
            self.heads_of_traits.as_flattened_mut(),
        ])
    }

    pub fn clear(&mut self) {
        self.numbers_mut().for_each(|numbers| numbers.fill(0.0));
    }

    pub fn add(&mut self, other: &Self) {
        let parts = self.numbers_mut().zip(other.numbers());
        parts.for_each(|(numbers, more)| add(numbers, more));
    }

    pub fn turned(&self) -> Turned {
        let turned = self.others.iter().map(|layer| {
            let mut turned = layer.weights.clone();
            turn(&layer.weights, &mut turned);
            turned
        });
        Turned(turned.collect())
    }

    /// What each layer makes of a position.
    pub fn look(&self, position: Position<'_>, scratch: &mut Scratch) {
        let instructions = scratch.instructions;
        scratch.planes.clear();
        position.see(|at, plane| scratch.planes.cell_mut(at)[plane] = 1.0);
        let mut bias = self.first.bias;
        for of_trait in of(&position.traits(), &self.of_traits) {
            add(&mut bias, of_trait);
        }
        scratch.made[0].fill(&bias);
        instructions.convolve(&scratch.planes, &self.first.weights, &mut scratch.made[0]);
        scratch.made[0].cut();
        for (place, layer) in self.others.iter().enumerate() {
            let (before, after) = scratch.made.split_at_mut(place + 1);
            let made = &mut after[0];
            made.fill(&layer.bias);
            if place % 2 == 1 {
                made.add(&before[place - 1]);
            }
            instructions.convolve(&before[place], &layer.weights, made);
            made.cut();
        }
    }

    /// How likely each placement is, compared with the others, as a logarithm.
    pub fn weigh(&self, position: Position<'_>, scratch: &mut Scratch) {
        self.look(position, scratch);
        let view = &mut scratch.view;
        view.new_position(position);
        let mut of_hand = self.biases;
        for of_trait in of(&position.traits(), &self.heads_of_traits) {
            add(&mut of_hand, of_trait);
        }
        let last = &scratch.made[LAYERS];
        view.likely.extend(view.placements.iter().map(|&placement| {
            let (orientation, at) = place_of(placement);
            let parts = last.cell(at).iter().zip(&self.heads[orientation]);
            parts.map(|(number, weight)| number * weight).sum::<f32>() + of_hand[orientation]
        }));
    }

    /// Adds the slopes of all weights for a position, and gives the logarithm by which it was
    /// misjudged.
    pub fn add_slopes(
        &self,
        turned: &Turned,
        position: Position<'_>,
        scratch: &mut Scratch,
        slopes: &mut Network,
    ) -> f64 {
        self.weigh(position, scratch);
        let (error, _) = scratch.view.judge();
        let Scratch {
            instructions,
            planes,
            made,
            slopes: now,
            between,
            view,
            ..
        } = scratch;
        let traits = position.traits();
        now.clear();
        let mut of_hand = [0.0; ORIENTATIONS];
        let likely = view.likely.iter().zip(&view.shares);
        for (&placement, (likely, share)) in view.placements.iter().zip(likely) {
            let surplus = likely - share;
            let (orientation, at) = place_of(placement);
            let (cell, head) = (made[LAYERS].cell(at), &mut slopes.heads[orientation]);
            add_times(head, surplus, cell);
            add_times(now.cell_mut(at), surplus, &self.heads[orientation]);
            of_hand[orientation] += surplus;
        }
        add(&mut slopes.biases, &of_hand);
        for slopes in of_mut(&traits, &mut slopes.heads_of_traits) {
            add(slopes, &of_hand);
        }
        for place in (0..LAYERS).step_by(2).rev() {
            let layers = &mut slopes.others[place..][..2];
            now.cut_where(&made[place + 2]);
            layers[1].add_slopes(*instructions, &made[place + 1], now);
            between.clear();
            instructions.convolve(now, &turned.0[place + 1], between);
            between.cut_where(&made[place + 1]);
            layers[0].add_slopes(*instructions, &made[place], between);
            // What went around both layers has the slopes that are there already.
            instructions.convolve(between, &turned.0[place], now);
        }
        now.cut_where(&made[0]);
        slopes.first.add_slopes(*instructions, planes, now);
        let sums = now.sums();
        for slopes in of_mut(&traits, &mut slopes.of_traits) {
            add(slopes, &sums);
        }
        error
    }
}

/// What belongs to the traits that there are.
fn of<'a, T>(traits: &'a [bool; TRAITS], all: &'a [T]) -> impl Iterator<Item = &'a T> {
    let all = traits.iter().zip(all).filter(|(has, _)| **has);
    all.map(|(_, one)| one)
}

/// The same to change it.
fn of_mut<'a, T>(traits: &'a [bool; TRAITS], all: &'a mut [T]) -> impl Iterator<Item = &'a mut T> {
    let all = traits.iter().zip(all).filter(|(has, _)| **has);
    all.map(|(_, one)| one)
}

#[cfg(test)]
mod tests {
    use super::super::positions::Positions;
    use super::super::positions::tests::recorded;
    use super::*;

    #[test]
    fn slopes_say_how_the_error_changes() {
        const STEP: f32 = 4e-3;
        let mut positions = Positions::default();
        positions.add(&recorded(2, 4).0).expect("positions");
        let mut network = Network::any(&mut Random::new(2));
        let scratch = &mut Scratch::new(Instructions::best());
        let mut slopes = Network::zero();
        let places = || 0..8;
        let turned = network.turned();
        for at in places() {
            network.add_slopes(&turned, positions.get(at), scratch, &mut slopes);
        }
        let error = |network: &Network, scratch: &mut Scratch| -> f64 {
            let errors = places().map(|at| {
                network.weigh(positions.get(at), scratch);
                scratch.view.judge().0
            });
            errors.sum()
        };
        let mut random = Random::new(3);
        for (part, slopes) in slopes.numbers().enumerate() {
            // The steepest weight, and some others.
            let steepest = slopes.iter().enumerate();
            let steepest = steepest.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
            let steepest = steepest.expect("there are weights");
            assert!(steepest.1.abs() > 0.01, "part {part} is flat");
            let others = [(); 2].map(|()| random.below(slopes.len()));
            for place in [steepest.0].into_iter().chain(others) {
                let mut moved = |by: f32, scratch: &mut Scratch| {
                    let mut change = |by: f32| {
                        let numbers = network.numbers_mut().nth(part).expect("a part");
                        let before = numbers[place];
                        numbers[place] += by;
                        before
                    };
                    let before = change(by);
                    let error = error(&network, scratch);
                    network.numbers_mut().nth(part).expect("a part")[place] = before;
                    error
                };
                let difference = moved(STEP, scratch) - moved(-STEP, scratch);
                let found = difference / f64::from(2.0 * STEP);
                let slope = f64::from(slopes[place]);
                // A step may reach to where a number is cut off, and the slope is another.
                let near = 0.02 * slope.abs() + 0.01 * f64::from(steepest.1.abs());
                assert!(
                    (found - slope).abs() < near,
                    "part {part}, weight {place}: {found}, not {slope}"
                );
            }
        }
    }
}
