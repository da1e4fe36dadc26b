//! How weights move downhill: Adam, with weights that decay.

use super::network::Network;

/// How much of a weight is lost in a step of length 1.
const DECAY: f64 = 1e-2;
/// The slopes of all weights together are not steeper than this.
const STEEPEST: f64 = 1.0;
/// How much of the mean slope stays in a step.
const KEPT_OF_MEAN: f32 = 0.9;
/// The same of the mean of the squares.
const KEPT_OF_SQUARE: f32 = 0.999;
/// So that nothing is divided by zero.
const LITTLE: f32 = 1e-8;

/// What earlier steps have left behind.
pub(super) struct Descent {
    /// The mean slope of every weight.
    means: Network,
    /// The mean square of its slopes.
    squares: Network,
    /// How many there were.
    pub steps: usize,
}

impl Descent {
    pub fn new() -> Self {
        Descent {
            means: Network::zero(),
            squares: Network::zero(),
            steps: 0,
        }
    }

    /// Moves every weight by about this length, against the mean of so many slopes that were
    /// added up.
    pub fn step(&mut self, network: &mut Network, sums: &Network, count: usize, length: f64) {
        let squares = sums.numbers().flatten();
        let steep = squares.map(|slope| f64::from(*slope).powi(2)).sum::<f64>();
        let steep = steep.sqrt() / count as f64;
        let factor = ((STEEPEST / steep.max(STEEPEST)) / count as f64) as f32;
        self.steps += 1;
        // The means began with zeros: that is made up for.
        let share = |kept: f32| 1.0 - f64::from(kept).powf(self.steps as f64);
        let by = (length / share(KEPT_OF_MEAN)) as f32;
        let of_root = (1.0 / share(KEPT_OF_SQUARE).sqrt()) as f32;
        let stays = (1.0 - length * DECAY) as f32;
        let past = self.means.numbers_mut().zip(self.squares.numbers_mut());
        let weights = network.numbers_mut().zip(sums.numbers());
        for ((weights, slopes), (means, squares)) in weights.zip(past) {
            let past = means.iter_mut().zip(squares);
            for ((weight, slope), (mean, square)) in weights.iter_mut().zip(slopes).zip(past) {
                let slope = slope * factor;
                *mean += (1.0 - KEPT_OF_MEAN) * (slope - *mean);
                *square += (1.0 - KEPT_OF_SQUARE) * (slope * slope - *square);
                *weight = *weight * stays - by * *mean / (square.sqrt() * of_root + LITTLE);
            }
        }
    }
}
