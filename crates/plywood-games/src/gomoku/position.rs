//! A position: the stones, whose turn it is, and what follows from them.

use super::board::{Colour, Lines};
use super::point::{MAX_SIZE, Point};
use super::{Gomoku, runs};
use crate::TextError;

/// How the game stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Status {
    Playing,
    Won(Colour),
    Drawn,
}

/// A position of [`Gomoku`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    pub(super) lines: Lines,
    pub(super) hash: u64,
    /// The report's evaluation for black; a five counts nothing in it.
    pub(super) report: i32,
    /// How many empty points can be played on, forbidden ones included.
    pub(super) empty: u16,
    pub(super) last: Option<Point>,
    pub(super) to_move: Colour,
    pub(super) status: Status,
}

impl Position {
    /// The stone on a point of the board.
    pub fn stone(&self, point: Point) -> Option<Colour> {
        self.lines.stone(point)
    }

    /// The colour to move, also when the game is over.
    pub fn to_move(&self) -> Colour {
        self.to_move
    }

    /// The point of the last move, if known.
    pub fn last_move(&self) -> Option<Point> {
        self.last
    }

    /// Who has won.
    pub fn winner(&self) -> Option<Colour> {
        match self.status {
            Status::Won(colour) => Some(colour),
            Status::Playing | Status::Drawn => None,
        }
    }
}

/// What takes back a move.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    pub(super) report: i32,
    pub(super) last: Option<Point>,
}

impl Gomoku {
    /// The position with these stones and this colour to move.
    ///
    /// The numbers of stones need not be those of a game, and rows of five are allowed: the
    /// game is then over. Not allowed are points off the board, two stones on one point and
    /// winning rows of both colours.
    pub fn set_up(
        &self,
        black: &[Point],
        white: &[Point],
        to_move: Colour,
    ) -> Result<Position, TextError> {
        let size = self.settings.size;
        let mut lines = Lines::empty(size);
        let mut hash = match to_move {
            Colour::Black => 0,
            Colour::White => SIDE_KEY,
        };
        let stones = black.iter().map(|&point| (point, Colour::Black));
        for (point, colour) in stones.chain(white.iter().map(|&point| (point, Colour::White))) {
            if point.column() >= size || point.row() >= size {
                return Err(self.off_board(point));
            }
            if lines.stone(point).is_some() {
                return Err(TextError::new(format!("there are two stones on {point}")));
            }
            lines.place(point, colour);
            hash ^= STONE_KEYS[colour as usize][point.slot()] ^ SIDE_KEY;
        }
        let (won, report) = runs::judge(&lines, self.settings.rule);
        let mut position = Position {
            empty: self.empty_points(&lines),
            lines,
            hash,
            report,
            last: None,
            to_move,
            status: Status::Playing,
        };
        position.status = match won {
            [true, true] => {
                return Err(TextError::new(
                    "both colours have a winning row, which no game reaches",
                ));
            }
            [true, false] => Status::Won(Colour::Black),
            [false, true] => Status::Won(Colour::White),
            [false, false] if self.nothing_left(&position) => Status::Drawn,
            [false, false] => Status::Playing,
        };
        Ok(position)
    }

    pub(super) fn off_board(&self, point: Point) -> TextError {
        let size = self.settings.size;
        TextError::new(format!(
            "{point} is not on the board, which goes from A1 to {}",
            Point::new(size - 1, size - 1)
        ))
    }
}

/// The key of white being to move.
pub(super) const SIDE_KEY: u64 = mix(0);

/// The key of every stone, with the turn passing to the other colour.
pub(super) static STONE_KEYS: [[u64; Point::SLOTS]; 2] = {
    let mut keys = [[0; Point::SLOTS]; 2];
    let mut slot = 0;
    while slot < Point::SLOTS {
        keys[0][slot] = mix(2 * slot as u64 + 1) ^ SIDE_KEY;
        keys[1][slot] = mix(2 * slot as u64 + 2) ^ SIDE_KEY;
        slot += 1;
    }
    keys
};

/// The splitmix64 generator's output with this number.
const fn mix(number: u64) -> u64 {
    let mut bits = (number.wrapping_add(1)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ bits >> 31
}

const _: () = assert!(std::mem::size_of::<Position>() <= 1024);
const _: () = assert!(MAX_SIZE as usize * 32 == Point::SLOTS);
