//! Parallel game-tree search.
#![forbid(unsafe_code)]

pub mod evaluate;
pub mod game;
mod perft;

pub use evaluate::{Evaluate, OutcomeOnly};
pub use game::{Chances, Game, MAX_SCORE, Moves, Scores, Seat, Turn};
pub use perft::perft;
