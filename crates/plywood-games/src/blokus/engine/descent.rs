//! How the weights of networks move downhill: Adam, with weights that decay.

/// How much of a weight is lost in a step of length 1.
const DECAY: f64 = 1e-2;
/// How much of the mean slope stays in a step.
const KEPT_OF_MEAN: f32 = 0.9;
/// The same of the mean of the squares.
const KEPT_OF_SQUARE: f32 = 0.999;
/// So that nothing is divided by zero.
const LITTLE: f32 = 1e-8;

/// What earlier steps have left behind.
pub(super) struct Descent {
    /// The mean slope of every weight.
    means: Vec<f32>,
    /// The mean square of its slopes.
    squares: Vec<f32>,
    /// How many there were.
    pub steps: usize,
}

impl Descent {
    /// For so many weights.
    pub fn new(size: usize) -> Self {
        Descent {
            means: vec![0.0; size],
            squares: vec![0.0; size],
            steps: 0,
        }
    }

    /// Moves every weight by about this length, against slopes that are multiplied with a factor
    /// before. Both come in parts, always the same ones.
    pub fn step<'a>(
        &mut self,
        weights: impl Iterator<Item = &'a mut [f32]>,
        slopes: impl Iterator<Item = &'a [f32]>,
        factor: f32,
        length: f64,
    ) {
        self.steps += 1;
        // The means began with zeros: that is made up for.
        let share = |kept: f32| 1.0 - f64::from(kept).powf(self.steps as f64);
        let by = (length / share(KEPT_OF_MEAN)) as f32;
        let of_root = (1.0 / share(KEPT_OF_SQUARE).sqrt()) as f32;
        let stays = (1.0 - length * DECAY) as f32;
        let (mut means, mut squares) = (&mut self.means[..], &mut self.squares[..]);
        for (weights, slopes) in weights.zip(slopes) {
            let (here, rest) = means.split_at_mut(weights.len());
            let (squares_here, rest_of_squares) = squares.split_at_mut(weights.len());
            (means, squares) = (rest, rest_of_squares);
            let past = here.iter_mut().zip(squares_here);
            for ((weight, slope), (mean, square)) in weights.iter_mut().zip(slopes).zip(past) {
                let slope = slope * factor;
                *mean += (1.0 - KEPT_OF_MEAN) * (slope - *mean);
                *square += (1.0 - KEPT_OF_SQUARE) * (slope * slope - *square);
                *weight = *weight * stays - by * *mean / (square.sqrt() * of_root + LITTLE);
            }
        }
    }
}
