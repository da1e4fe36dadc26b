//! Wins by threats: proofs that a player wins by force.
//!
//! - [`vcf`](prove_by_fours): every move of the attacker makes a four, which leaves the
//!   defender one answer. The shortest win is found, or that there is none.
//! - [`vct`](prove_by_threats): every move makes a four or an open three, or else threatens a
//!   win by fours. All defences that do not lose at once are searched.
//!
//! What is found is a [`Proof`]: a tree with a move of the attacker for every defence, that
//! [`Proof::check`] holds against every legal move of the defender.

mod budget;
mod proof;
mod stops;
mod vcf;
mod vct;

pub use budget::Limits;
pub use proof::{Attack, Defence, Proof};
pub use vcf::prove_by_fours;
pub use vct::{MAX_MOVES, prove_by_threats};

pub(crate) use stops::{stopping, stopping_open_fours};

/// What the search for a win by threats has come to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The player to move wins, and this is how.
    Wins {
        /// A move for every defence.
        proof: Proof,
        /// Whether it is known that no win of this kind takes fewer moves.
        shortest: bool,
    },
    /// There is no win of this kind.
    None,
    /// A limit was reached before either was known.
    Unknown,
}

/// What the search for a win by threats has found, and what it took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// Whether there is a win.
    pub answer: Answer,
    /// The positions that were looked at.
    pub nodes: u64,
}
