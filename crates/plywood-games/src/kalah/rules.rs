//! The rules that differ from place to place, and which of them make a game.

use std::error::Error;
use std::fmt;

/// The largest number of pits a side.
pub const MAX_PITS: u8 = 8;

/// The largest number of stones a pit at the start.
pub const MAX_STONES_PER_PIT: u8 = 24;

/// The largest number of stones on the board: each pit and store is one byte.
pub const MAX_STONES: u32 = 255;

/// When a last stone in an own empty pit is captured.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Capture {
    /// Only if the opposite pit holds a stone, together with what is there.
    #[default]
    IfOppositeFull,
    /// Always: the last stone is banked even if the opposite pit is empty.
    Always,
}

/// When the game ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum End {
    /// As soon as either row is empty.
    #[default]
    EitherRowEmpty,
    /// When the player to move has no stone in the pits.
    MoverRowEmpty,
}

/// Who gets the stones left in a row when the game ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Sweep {
    /// The owner of the row.
    #[default]
    ToOwner,
    /// The other player.
    ToOther,
}

/// The rules of a game of Kalah. The default is six pits of four stones with the usual
/// rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    /// Pits a side, 1 to [`MAX_PITS`].
    pub pits: u8,
    /// Stones a pit at the start, 0 to [`MAX_STONES_PER_PIT`].
    pub stones: u8,
    /// When a last stone in an own empty pit is captured.
    pub capture: Capture,
    /// When the game ends.
    pub end: End,
    /// Who gets what is left in the pits.
    pub sweep: Sweep,
}

impl Default for Rules {
    fn default() -> Self {
        Rules {
            pits: 6,
            stones: 4,
            capture: Capture::default(),
            end: End::default(),
            sweep: Sweep::default(),
        }
    }
}

impl Rules {
    pub(super) fn validate(&self) -> Result<(), RulesError> {
        if !(1..=MAX_PITS).contains(&self.pits) {
            return Err(RulesError::Pits(self.pits));
        }
        if self.stones > MAX_STONES_PER_PIT {
            return Err(RulesError::StonesPerPit(self.stones));
        }
        let total = 2 * u32::from(self.pits) * u32::from(self.stones);
        if total > MAX_STONES {
            return Err(RulesError::TotalStones(total));
        }
        Ok(())
    }
}

/// Why there is no such game or position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RulesError {
    /// This number of pits a side is not playable.
    Pits(u8),
    /// This number of stones a pit is not playable.
    StonesPerPit(u8),
    /// This many stones do not fit on the board.
    TotalStones(u32),
    /// A row of a position does not have the game's number of pits.
    RowLength {
        /// What the game has.
        expected: u8,
        /// What the row has.
        found: usize,
    },
    /// There is no such player.
    Mover(usize),
}

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            RulesError::Pits(pits) => {
                write!(
                    f,
                    "{pits} pits a side: Kalah is played with 1 to {MAX_PITS}"
                )
            }
            RulesError::StonesPerPit(stones) => write!(
                f,
                "{stones} stones a pit: a game starts with 0 to {MAX_STONES_PER_PIT}"
            ),
            RulesError::TotalStones(total) => write!(
                f,
                "{total} stones in all: a board holds at most {MAX_STONES}"
            ),
            RulesError::RowLength { expected, found } => write!(
                f,
                "a row of {found} pits: this game has {expected} pits a side"
            ),
            RulesError::Mover(seat) => {
                write!(f, "player {seat} to move: Kalah has players 0 and 1")
            }
        }
    }
}

impl Error for RulesError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kalah::Kalah;

    #[test]
    fn unplayable_rules_are_named() {
        let error = |pits, stones| Kalah::standard(pits, stones).expect_err("not playable");
        assert_eq!(error(0, 4), RulesError::Pits(0));
        assert_eq!(error(9, 4), RulesError::Pits(9));
        assert_eq!(error(6, 25), RulesError::StonesPerPit(25));
        assert_eq!(error(6, 24), RulesError::TotalStones(288));
        assert_eq!(
            error(6, 24).to_string(),
            "288 stones in all: a board holds at most 255"
        );
        assert!(Kalah::standard(8, 15).is_ok());
        assert!(Kalah::standard(5, 24).is_ok());
        assert!(Kalah::standard(1, 0).is_ok());
    }
}
