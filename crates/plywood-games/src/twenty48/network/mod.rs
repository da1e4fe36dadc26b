//! An evaluation that was learnt: a network of n-tuples.
//!
//! A tuple is a handful of cells. The tiles on them make a number, the number has a weight,
//! and a board is worth the sum of the weights of all tuples on the board and on its seven
//! mirrored and turned images. What the sum stands for is the rest of the score that a game
//! brings on average from here on, with a new tile to come.
//!
//! * [`Tuples`]: which cells, and the numbers they make.
//! * [`Stages`]: parts of a game with weights of their own, if there are any.
//! * [`Learner`]: the weights while they learn, [`train`]: the games they learn from.
//! * [`Network`]: the weights as they are played with, half as large.
//!
//! One network comes with the library: [`Network::built_in`].
//!
//! Tiles above 32768 count as 32768.

#[cfg(feature = "cuda")]
mod cuda;
mod curve;
mod file;
mod late;
mod memory;
mod playing;
mod stages;
mod train;
mod tuples;
mod weights;

#[cfg(feature = "cuda")]
pub use cuda::{check_cuda, train_on_cuda};
pub use curve::{Curve, GameEnd, Point};
pub use file::{State, replace_file};
pub use late::Restarts;
pub use stages::Stages;
pub use train::{Course, Ended, seed_of_game, train};
pub use tuples::Tuples;
pub use weights::{Learner, Learning};

use std::fmt;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use plywood::{Evaluate, Game};

use super::board::Position;
use super::{Direction, Move, Twenty48};
use crate::text::TextError;
use tuples::{Shape, WithShape, symmetric};

/// A network to play with: weights of 16 bits in steps of a fixed size.
///
/// As an evaluation it gives the score so far and the expected rest. Copies share the
/// weights.
#[derive(Clone)]
pub struct Network {
    tuples: Tuples,
    stages: Stages,
    step: f32,
    weights: Arc<Box<[i16]>>,
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network")
            .field("tuples", &self.tuples)
            .field("stages", &self.stages)
            .field("step", &self.step)
            .finish_non_exhaustive()
    }
}

impl Network {
    /// What a learner knows by now, every weight rounded to a multiple of `step`. Without a
    /// step the smallest power of two is taken with which all weights fit.
    pub fn of(learner: &Learner, step: Option<f32>) -> Self {
        let count = learner.weights();
        let most = f32::from(i16::MAX);
        let step = step.unwrap_or_else(|| {
            let largest = (0..count).map(|index| learner.weight(index).abs());
            let largest = largest.fold(0.0, f32::max);
            let mut step = 1.0 / 16.0;
            while step * most < largest && step < 1e6 {
                step *= 2.0;
            }
            step
        });
        let round = |weight: f32| (weight / step).round().clamp(-most, most) as i16;
        Network {
            tuples: learner.tuples().clone(),
            stages: learner.stages().clone(),
            step,
            weights: kept((0..count).map(|index| round(learner.weight(index)))),
        }
    }

    /// The network that comes with the library: six tuples of five cells. The first use
    /// unpacks its 12 MiB of weights.
    pub fn built_in() -> Self {
        static BUILT_IN: LazyLock<Network> = LazyLock::new(|| {
            let network = Network::from_bytes(include_bytes!("built-in.net"));
            network.expect("a test reads the same bytes")
        });
        BUILT_IN.clone()
    }

    /// Reads a network from a file: one to play with, or the state of a learner.
    pub fn load(path: &Path) -> Result<Self, TextError> {
        file::load_network(path)
    }

    /// The tuples.
    pub fn tuples(&self) -> &Tuples {
        &self.tuples
    }

    /// The stages of a game, each with weights of its own.
    pub fn stages(&self) -> &Stages {
        &self.stages
    }

    /// What weights are multiples of.
    pub fn step(&self) -> f32 {
        self.step
    }

    /// The expected rest of the score, with a new tile to come on a board of these nibbles.
    pub fn value(&self, nibbles: u64) -> f32 {
        struct Value<'a>(&'a Network, u64);
        impl WithShape for Value<'_> {
            type Output = i32;
            #[inline(always)]
            fn with<const N: usize>(self, shape: impl Shape<N>) -> i32 {
                let part = self.0.stages.part(self.1, shape.weights());
                let weights = &self.0.weights[part];
                let mut sums = [0; N];
                for board in symmetric(self.1) {
                    let places = shape.places(board);
                    for tuple in 0..N {
                        sums[tuple] += i32::from(weights[places[tuple]]);
                    }
                }
                sums.iter().sum()
            }
        }
        self.tuples.with_shape(Value(self, nibbles)) as f32 * self.step
    }

    /// The value of a position as a score: so far, and the rest.
    #[inline(always)]
    fn with_score(&self, nibbles: u64, score: u32) -> i32 {
        // A rest is less than 4 million, a score less than 2 thousand million.
        (score as i32).saturating_add(self.value(nibbles) as i32)
    }
}

/// Keeps the weights of a network to play with where they are found fast.
fn kept(mut weights: impl ExactSizeIterator<Item = i16>) -> Arc<Box<[i16]>> {
    let count = weights.len();
    let next = || weights.next().expect("as many as it says");
    Arc::new(memory::in_large_pages(count, next))
}

impl Evaluate<Twenty48> for Network {
    #[inline]
    fn evaluate(&self, game: &Twenty48, position: &Position) -> [i32; 1] {
        let (board, score) = (position.board(), position.score());
        if position.is_chance() {
            return [self.with_score(board.nibbles, score)];
        }
        // The network knows boards on which a tile is to come: those after the best slide.
        let best = Direction::ALL
            .into_iter()
            .map(|direction| game.slide(board, direction))
            .filter(|(slid, _)| *slid != board)
            .map(|(slid, gained)| self.with_score(slid.nibbles, score.wrapping_add(gained)))
            .max();
        [best.unwrap_or(score as i32)]
    }

    /// The same board with another score has another value.
    #[inline]
    fn key(&self, game: &Twenty48, position: &Position) -> u64 {
        game.hash(position) ^ u64::from(position.score()).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// Four boards are some hundred lookups.
    #[inline]
    fn is_slow(&self) -> bool {
        true
    }

    #[inline]
    fn children(
        &self,
        game: &Twenty48,
        position: &mut Position,
        _: &mut Vec<Move>,
        mut visit: impl FnMut(Move, [i32; 1]) -> ControlFlow<()>,
    ) {
        let (board, score) = (position.board(), position.score());
        // All are looked up before the first is visited, the illegal ones too: lookups wait
        // for memory, and together they wait once.
        let slid = Direction::ALL.map(|direction| game.slide(board, direction));
        let values =
            slid.map(|(slid, gained)| self.with_score(slid.nibbles, score.wrapping_add(gained)));
        for ((direction, (slid, _)), value) in Direction::ALL.into_iter().zip(slid).zip(values) {
            if slid != board && visit(Move::Slide(direction), [value]).is_break() {
                return;
            }
        }
    }
}
