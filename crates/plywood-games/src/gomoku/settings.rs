//! What can be chosen about the game.

use std::error::Error;
use std::fmt;

use super::point::{MAX_SIZE, MIN_SIZE};

/// Which rows of stones win.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rule {
    /// Five or more in a row win.
    Freestyle,
    /// Exactly five in a row win; an overline, six or more, is nothing.
    ExactlyFive,
    /// Black wins with exactly five and may not make an overline, a double four or a double
    /// three; white wins with five or more and may do anything.
    Renju,
}

/// Which points the searches look at.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Candidates {
    /// Points at most this many steps from a stone (a diagonal step is one step). On an
    /// empty board the centre alone; if no such point can be played, all points.
    Near(u8),
    /// All points.
    WholeBoard,
}

/// A choice of board and rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Settings {
    /// Rows and columns of the board, 5 to 20.
    pub size: u8,
    /// Which rows of stones win.
    pub rule: Rule,
    /// Which points the searches look at.
    pub candidates: Candidates,
    /// With `Some(n)`, only the first n rows and columns (`A1` is in the corner) are played
    /// on; stones of a position that was set up can lie outside.
    pub corner: Option<u8>,
}

impl Default for Settings {
    /// Freestyle on the whole of a 15x15 board, moves at most two steps from a stone.
    fn default() -> Self {
        Settings {
            size: 15,
            rule: Rule::Freestyle,
            candidates: Candidates::Near(2),
            corner: None,
        }
    }
}

impl Settings {
    pub(super) fn check(&self) -> Result<(), SettingsError> {
        if !(MIN_SIZE..=MAX_SIZE).contains(&self.size) {
            return Err(SettingsError::Size(self.size));
        }
        if self.candidates == Candidates::Near(0) {
            return Err(SettingsError::Distance);
        }
        match self.corner {
            Some(corner) if corner == 0 || corner > self.size => Err(SettingsError::Corner {
                corner,
                size: self.size,
            }),
            _ => Ok(()),
        }
    }
}

/// Why settings make no game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SettingsError {
    /// There is no board of this size.
    Size(u8),
    /// Candidates at distance 0 are no candidates.
    Distance,
    /// The corner does not fit the board.
    Corner {
        /// The corner asked for.
        corner: u8,
        /// The size of the board.
        size: u8,
    },
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingsError::Size(size) => write!(
                f,
                "a Gomoku board has {MIN_SIZE} to {MAX_SIZE} rows and columns, not {size}"
            ),
            SettingsError::Distance => {
                f.write_str("the distance of candidate moves from stones must be at least 1, not 0")
            }
            SettingsError::Corner { corner, size } => write!(
                f,
                "the corner that is played on has 1 to {size} rows and columns on this board, not {corner}"
            ),
        }
    }
}

impl Error for SettingsError {}
