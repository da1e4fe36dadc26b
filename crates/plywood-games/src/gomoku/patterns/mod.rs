//! What every empty point is good for, kept up to date move by move.
//!
//! - [`Pattern`]: what a stone makes in one line.
//! - [`Class`]: what it makes in the four lines through its point together.
//! - [`PatternBoard`]: a position with the patterns and classes of both colours at every
//!   empty point, and with the points of every class at hand.

mod board;
mod class;
mod line;
mod points;
mod weights;

pub use board::PatternBoard;
pub use class::Class;
pub use line::Pattern;
pub use points::Points;
