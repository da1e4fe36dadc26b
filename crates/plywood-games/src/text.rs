//! How a game is written down: what every front end needs of it, whatever the game.

use std::error::Error;
use std::fmt;

use plywood::{Game, Seat};

/// Why a text is not a position or a move: one line that says what was wrong and what is
/// accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextError(String);

impl TextError {
    /// An error with this message: one line, no full stop at the end.
    pub fn new(message: impl Into<String>) -> Self {
        TextError(message.into())
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for TextError {}

/// How to draw a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Characters only: for pipes and files.
    Plain,
    /// With ANSI colours: for a terminal.
    Colour,
}

/// A game that can be written, read and drawn.
///
/// Texts round-trip: reading what was written gives the same position or move back.
pub trait Notation: Game {
    /// The position at the start of a game.
    fn start(&self) -> Self::State;

    /// A position as one line of text without line breaks.
    fn write_state(&self, state: &Self::State) -> String;

    /// Reads a position. Never panics, whatever the text.
    fn read_state(&self, text: &str) -> Result<Self::State, TextError>;

    /// A move as a short word, as it would be typed in this position.
    fn write_move(&self, state: &Self::State, mv: Self::Move) -> String;

    /// Reads a move and checks that it is legal in this position. Never panics, whatever
    /// the text; an illegal move is an error that says why.
    fn read_move(&self, state: &Self::State, text: &str) -> Result<Self::Move, TextError>;

    /// The board over several lines, ending in a line break.
    fn draw(&self, state: &Self::State, style: Style) -> String;

    /// What the player in this seat is called ("Black", "South", "Blue").
    fn seat_name(&self, seat: Seat) -> String;

    /// The game's own result, for the players to read: final score and winner.
    fn result_text(&self, state: &Self::State) -> String;
}
