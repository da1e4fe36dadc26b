//! A small network that makes a few numbers of many: two hidden layers. Every processor finds
//! the same numbers.

use plywood::Random;

/// Numbers of the first hidden layer.
const FIRST: usize = 64;
/// Numbers of the second.
const SECOND: usize = 32;
/// Numbers that are made; a user may need fewer.
pub(super) const MADE: usize = 8;
/// Weights of the layers after the first.
const OTHERS: usize = (FIRST + 1) * SECOND + (SECOND + 1) * MADE;

/// The weights: layer by layer a row for each number that goes in, and one for what is always
/// added.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Network {
    weights: Vec<f32>,
}

/// What goes in: some numbers with their places. All others are 0.
pub(super) type Inputs = [(u16, f32)];

/// What the layers make.
pub(super) struct Layers {
    first: [f32; FIRST],
    second: [f32; SECOND],
    /// What comes out.
    pub made: [f32; MADE],
}

/// The three layers in a slice of weights, each by row.
type Rows<'a> = (&'a [[f32; FIRST]], &'a [[f32; SECOND]], &'a [[f32; MADE]]);

impl Network {
    /// How many weights one for so many numbers has.
    pub const fn size(inputs: usize) -> usize {
        (inputs + 1) * FIRST + OTHERS
    }

    /// One that has learnt nothing: small weights at random.
    pub fn random(inputs: usize, random: &mut Random) -> Self {
        let mut weights = Vec::with_capacity(Self::size(inputs));
        for (rows, columns) in [(inputs, FIRST), (FIRST, SECOND), (SECOND, MADE)] {
            let spread = (6.0 / rows as f64).sqrt();
            let draw = || ((2.0 * random.unit() - 1.0) * spread) as f32;
            weights.extend(std::iter::repeat_with(draw).take(rows * columns));
            weights.extend([0.0; FIRST].iter().take(columns));
        }
        Network { weights }
    }

    /// One with these weights, for any number of inputs that makes so many.
    pub fn new(weights: Vec<f32>) -> Self {
        assert!(weights.len() > OTHERS && (weights.len() - OTHERS).is_multiple_of(FIRST));
        Network { weights }
    }

    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    pub fn weights_mut(&mut self) -> &mut [f32] {
        &mut self.weights
    }

    /// What the layers make of this.
    #[inline]
    pub fn apply(&self, inputs: &Inputs) -> Layers {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has it.
            return unsafe { self.apply_with_avx2(inputs) };
        }
        self.apply_plainly(inputs)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn apply_with_avx2(&self, inputs: &Inputs) -> Layers {
        self.apply_plainly(inputs)
    }

    #[inline(always)]
    fn apply_plainly(&self, inputs: &Inputs) -> Layers {
        let (first, second, third) = rows(&self.weights);
        let mut layers = Layers {
            first: sum_of_rows(first, inputs.iter().map(|&(row, n)| (usize::from(row), n))),
            second: [0.0; SECOND],
            made: [0.0; MADE],
        };
        layers.first = layers.first.map(|n| n.max(0.0));
        layers.second = sum_of_rows(second, layers.first.into_iter().enumerate());
        layers.second = layers.second.map(|n| n.max(0.0));
        layers.made = sum_of_rows(third, layers.second.into_iter().enumerate());
        layers
    }

    /// Adds to the slopes of all weights, where what comes out has these.
    pub fn add_slopes(
        &self,
        inputs: &Inputs,
        layers: &Layers,
        of_made: &[f32; MADE],
        slopes: &mut [f32],
    ) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has it.
            return unsafe { self.add_slopes_with_avx2(inputs, layers, of_made, slopes) };
        }
        self.add_slopes_plainly(inputs, layers, of_made, slopes);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn add_slopes_with_avx2(
        &self,
        inputs: &Inputs,
        layers: &Layers,
        of_made: &[f32; MADE],
        slopes: &mut [f32],
    ) {
        self.add_slopes_plainly(inputs, layers, of_made, slopes);
    }

    #[inline(always)]
    fn add_slopes_plainly(
        &self,
        inputs: &Inputs,
        layers: &Layers,
        of_made: &[f32; MADE],
        slopes: &mut [f32],
    ) {
        let (_, second, third) = rows(&self.weights);
        let (of_first, others) = slopes.split_at_mut(slopes.len() - OTHERS);
        let (of_second, of_third) = others.split_at_mut((FIRST + 1) * SECOND);
        let numbers = layers.second.into_iter().enumerate();
        add_to_rows(of_third, numbers, of_made);
        let behind = slopes_before(third, &layers.second, of_made);
        let numbers = layers.first.into_iter().enumerate();
        add_to_rows(of_second, numbers, &behind);
        let behind = slopes_before(second, &layers.first, &behind);
        let numbers = inputs.iter().map(|&(row, n)| (usize::from(row), n));
        add_to_rows(of_first, numbers, &behind);
    }
}

/// The layers in a slice of weights.
#[inline(always)]
fn rows(weights: &[f32]) -> Rows<'_> {
    let (first, others) = weights.split_at(weights.len() - OTHERS);
    let (second, third) = others.split_at((FIRST + 1) * SECOND);
    (
        first.as_chunks().0,
        second.as_chunks().0,
        third.as_chunks().0,
    )
}

/// The last row, and these times those at their places.
#[inline(always)]
fn sum_of_rows<const WIDTH: usize>(
    rows: &[[f32; WIDTH]],
    numbers: impl Iterator<Item = (usize, f32)>,
) -> [f32; WIDTH] {
    let mut sums = rows[rows.len() - 1];
    for (row, number) in numbers {
        for (sum, weight) in sums.iter_mut().zip(&rows[row]) {
            *sum += number * weight;
        }
    }
    sums
}

/// The slopes of the numbers that have gone into a layer; none of those that were cut off.
#[inline(always)]
fn slopes_before<const ROWS: usize, const WIDTH: usize>(
    rows: &[[f32; WIDTH]],
    numbers: &[f32; ROWS],
    slopes: &[f32; WIDTH],
) -> [f32; ROWS] {
    std::array::from_fn(|row| {
        if numbers[row] <= 0.0 {
            return 0.0;
        }
        // Side by side, so that eight are added at once.
        let mut sums = [0.0; 8];
        let parts = rows[row].as_chunks::<8>().0.iter();
        for (weights, slopes) in parts.zip(slopes.as_chunks::<8>().0) {
            for (sum, (weight, slope)) in sums.iter_mut().zip(weights.iter().zip(slopes)) {
                *sum += weight * slope;
            }
        }
        sums.iter().sum()
    })
}

/// Adds to the slopes of the weights of a layer.
#[inline(always)]
fn add_to_rows<const WIDTH: usize>(
    rows: &mut [f32],
    numbers: impl Iterator<Item = (usize, f32)>,
    slopes: &[f32; WIDTH],
) {
    let rows = rows.as_chunks_mut::<WIDTH>().0;
    let last = rows.len() - 1;
    for (row, number) in numbers.chain([(last, 1.0)]) {
        for (sum, slope) in rows[row].iter_mut().zip(slopes) {
            *sum += number * slope;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blokus::engine::descent::Descent;

    const INPUTS: usize = 20;

    fn some_inputs(random: &mut Random) -> Vec<(u16, f32)> {
        let number = |row| (row as u16, random.unit() as f32 - 0.3);
        (0..INPUTS).step_by(3).map(number).collect()
    }

    #[test]
    fn slopes_are_those_of_what_comes_out() {
        let mut random = Random::new(4);
        let mut network = Network::random(INPUTS, &mut random);
        network
            .weights_mut()
            .iter_mut()
            .for_each(|w| *w += 0.02 * (random.unit() as f32 - 0.4));
        let inputs = some_inputs(&mut random);
        let of_made: [f32; MADE] = std::array::from_fn(|i| i as f32 - 3.5);
        let height = |network: &Network| -> f32 {
            let made = network.apply(&inputs).made;
            made.iter().zip(&of_made).map(|(m, s)| m * s).sum()
        };
        let mut slopes = vec![0.0; Network::size(INPUTS)];
        network.add_slopes(&inputs, &network.apply(&inputs), &of_made, &mut slopes);
        assert!(slopes.iter().filter(|slope| **slope != 0.0).count() > 500);
        for place in (0..slopes.len()).step_by(7) {
            let mut by = |much: f32| {
                network.weights_mut()[place] += much;
                let height = height(&network);
                network.weights_mut()[place] -= much;
                height
            };
            let slope = (by(0.002) - by(-0.002)) / 0.004;
            let near = 0.02 * slope.abs().max(1.0);
            assert!((slope - slopes[place]).abs() < near, "{place}: {slope}");
        }
    }

    #[test]
    fn all_instructions_find_the_same() {
        let mut random = Random::new(6);
        let network = Network::random(INPUTS, &mut random);
        for _ in 0..20 {
            let inputs = some_inputs(&mut random);
            let (one, other) = (network.apply(&inputs), network.apply_plainly(&inputs));
            assert_eq!(one.made, other.made);
            let mut slopes = [(); 2].map(|()| vec![0.0; Network::size(INPUTS)]);
            network.add_slopes(&inputs, &one, &one.made, &mut slopes[0]);
            network.add_slopes_plainly(&inputs, &one, &one.made, &mut slopes[1]);
            assert_eq!(slopes[0], slopes[1]);
        }
    }

    #[test]
    fn steps_lead_to_what_is_wanted() {
        let mut random = Random::new(8);
        let mut network = Network::random(INPUTS, &mut random);
        let lessons: Vec<_> = (0..4).map(|_| some_inputs(&mut random)).collect();
        let mut descent = Descent::new(Network::size(INPUTS));
        let mut distance = 0.0;
        for _ in 0..300 {
            let mut slopes = vec![0.0; Network::size(INPUTS)];
            distance = 0.0;
            for (number, inputs) in lessons.iter().enumerate() {
                let layers = network.apply(inputs);
                let mut of_made = layers.made;
                of_made[number] -= 1.0;
                distance += of_made.iter().map(|slope| slope * slope).sum::<f32>();
                network.add_slopes(inputs, &layers, &of_made, &mut slopes);
            }
            let weights = [network.weights_mut()].into_iter();
            descent.step(weights, [&slopes[..]].into_iter(), 1.0, 0.01);
        }
        assert!(distance < 0.01, "{distance}");
    }
}
