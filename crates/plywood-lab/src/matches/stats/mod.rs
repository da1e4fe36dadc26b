//! What the results of a match show, and how sure they are.

mod bootstrap;
mod elo;
mod sprt;

pub use bootstrap::{FEWEST_BLOCKS, RESAMPLES, bootstrap_ratio};
pub use elo::{elo_interval, elo_of_score, score_interval, score_of_elo};
pub use sprt::{PAIR_SCORES, Sprt, Verdict};

/// A number with the interval that covers the true one in 95 of 100 matches.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// The number itself.
    pub estimate: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Interval {
    /// Whether the interval holds this value: then the match has not shown that the true
    /// number is another.
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }
}
