//! The board: sixteen tiles in 64 bits, and the few that do not fit.

use std::fmt;

use super::slide::{Direction, LegalSlides, slide_slowly};

/// The exponent of the largest tile, 131072: with 4 as the largest new tile no larger one
/// can ever be made. Two of them on a made-up board do not merge.
pub const MAX_EXPONENT: u8 = 17;

/// What a nibble can hold.
pub(super) const MAX_NIBBLE: u8 = 15;

/// The lowest bit of every nibble.
const ONES: u64 = 0x1111_1111_1111_1111;

/// A cell of the board, counted row by row from the top left.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Cell(u8);

impl Cell {
    /// The cell with this number, 0 to 15.
    pub const fn new(index: u8) -> Option<Self> {
        if index < 16 { Some(Cell(index)) } else { None }
    }

    /// The number of this cell, 0 to 15.
    #[inline]
    pub const fn index(self) -> u8 {
        self.0
    }
}

/// Sixteen tiles, each by its exponent: 0 is an empty cell, 1 is a 2, up to
/// [`MAX_EXPONENT`].
///
/// A nibble per cell, the top left cell lowest, holds exponents to 15 (32768). What a
/// tile's exponent has above 15 is in a second word, two bits per cell: 0 in nearly every
/// game ever played, so the fast paths are those of a plain 64-bit board and one test.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Board {
    pub(super) nibbles: u64,
    /// Not 0 only where the nibble is 15.
    pub(super) above: u32,
}

impl Board {
    /// The board with no tile.
    pub const EMPTY: Board = Board {
        nibbles: 0,
        above: 0,
    };

    /// A board with these exponents, row by row from the top left. `None` if one is
    /// larger than [`MAX_EXPONENT`].
    pub fn from_exponents(exponents: [u8; 16]) -> Option<Self> {
        let mut board = Board::EMPTY;
        for (cell, &exponent) in exponents.iter().enumerate() {
            if exponent > MAX_EXPONENT {
                return None;
            }
            let above = exponent.saturating_sub(MAX_NIBBLE);
            board.nibbles |= u64::from(exponent - above) << (4 * cell);
            board.above |= u32::from(above) << (2 * cell);
        }
        Some(board)
    }

    /// The exponents of all cells, row by row from the top left.
    pub fn exponents(self) -> [u8; 16] {
        std::array::from_fn(|cell| self.exponent_at(cell))
    }

    /// The exponent of the tile on a cell, 0 if it is empty.
    pub fn exponent(self, cell: Cell) -> u8 {
        self.exponent_at(usize::from(cell.0))
    }

    fn exponent_at(self, cell: usize) -> u8 {
        let nibble = (self.nibbles >> (4 * cell)) as u8 & 0xf;
        let above = (self.above >> (2 * cell)) as u8 & 3;
        nibble + above
    }

    /// Whether there is no tile.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.nibbles == 0
    }

    /// The rows from the top as numbers of four nibbles, the left cell lowest; `None` if
    /// a tile does not fit into a nibble.
    #[inline(always)]
    pub fn rows(self) -> Option<[u16; 4]> {
        (self.above == 0).then(|| split(self.nibbles))
    }

    /// The columns from the left, the top cell lowest, as [`rows`](Board::rows).
    #[inline(always)]
    pub fn columns(self) -> Option<[u16; 4]> {
        (self.above == 0).then(|| split(transpose(self.nibbles)))
    }

    /// One bit, the lowest, for every nibble that is a tile.
    #[inline(always)]
    fn tiles(self) -> u64 {
        let pairs = self.nibbles | self.nibbles >> 2;
        (pairs | pairs >> 1) & ONES
    }

    /// The empty cells in ascending order.
    #[inline(always)]
    pub fn empty_cells(self) -> impl Iterator<Item = Cell> {
        let mut rest = self.tiles() ^ ONES;
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let cell = Cell((rest.trailing_zeros() / 4) as u8);
            rest &= rest - 1;
            Some(cell)
        })
    }

    /// How many cells are empty.
    #[inline(always)]
    pub fn count_empty(self) -> u32 {
        // The multiplication adds up the nibbles in the highest one, which holds 15 at most.
        let tiles = self.tiles();
        if tiles == 0 {
            return 16;
        }
        ((tiles ^ ONES).wrapping_mul(ONES) >> 60) as u32
    }

    /// Whether any slide is legal.
    #[inline]
    pub fn can_slide(self) -> bool {
        // A tile beside an empty cell can move; one of these there always is on a board
        // that is neither full nor empty.
        let tiles = self.tiles();
        if tiles != ONES {
            return tiles != 0;
        }
        !self.legal_slides().is_empty()
    }

    /// Which slides are legal.
    #[inline]
    pub fn legal_slides(self) -> LegalSlides {
        if self.above != 0 {
            return self.legal_slides_slowly();
        }
        // Cells with a neighbour to the right, and with one below.
        const LEFT_OF_ONE: u64 = 0x0111_0111_0111_0111;
        const ABOVE_ONE: u64 = 0x0000_1111_1111_1111;
        let tiles = self.tiles();
        let empty = tiles ^ ONES;
        let same = |shift: u32| {
            let differs = self.nibbles ^ self.nibbles >> shift;
            let pairs = differs | differs >> 2;
            tiles & !(pairs | pairs >> 1)
        };
        let merge_in_row = same(4);
        let merge_in_column = same(16);
        LegalSlides::new(
            (merge_in_column | (empty & tiles >> 16)) & ABOVE_ONE != 0,
            (merge_in_column | (tiles & empty >> 16)) & ABOVE_ONE != 0,
            (merge_in_row | (empty & tiles >> 4)) & LEFT_OF_ONE != 0,
            (merge_in_row | (tiles & empty >> 4)) & LEFT_OF_ONE != 0,
        )
    }

    #[cold]
    fn legal_slides_slowly(self) -> LegalSlides {
        let [up, down, left, right] =
            Direction::ALL.map(|direction| slide_slowly(self, direction).0 != self);
        LegalSlides::new(up, down, left, right)
    }

    #[inline]
    pub(super) fn hash(self, chance: bool) -> u64 {
        // A mix that loses nothing: boards without tiles above 32768 never collide.
        let rest = u64::from(self.above) << 1 | u64::from(chance);
        let mut hash = self.nibbles ^ rest.wrapping_mul(0x9e6c_63d0_876a_68de | 1);
        hash = (hash ^ hash >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        hash = (hash ^ hash >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        hash ^ hash >> 32
    }
}

/// Swaps rows and columns.
#[inline(always)]
pub(super) const fn transpose(nibbles: u64) -> u64 {
    // First inside each 2x2 block, then the two blocks off the diagonal.
    let swap = (nibbles ^ nibbles >> 12) & 0x0000_f0f0_0000_f0f0;
    let blocks = nibbles ^ swap ^ swap << 12;
    let swap = (blocks ^ blocks >> 24) & 0x0000_0000_ff00_ff00;
    blocks ^ swap ^ swap << 24
}

#[inline(always)]
pub(super) const fn split(nibbles: u64) -> [u16; 4] {
    [
        nibbles as u16,
        (nibbles >> 16) as u16,
        (nibbles >> 32) as u16,
        (nibbles >> 48) as u16,
    ]
}

/// A position: the board, the score so far, and whether chance is to act. 16 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    nibbles: u64,
    /// What the board has above its nibbles in the low half, then 31 bits of score, then
    /// one for chance: one word, because a load just after narrower stores has to wait.
    rest: u64,
}

/// What a move changes, to take it back.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    rest: u64,
    nibbles: u64,
}

const SCORE_SHIFT: u32 = 32;
const CHANCE: u64 = 1 << 63;

impl Position {
    /// The largest score a position with this board may be given: 1,000,000,000 and what
    /// the board's tiles scored when they were merged from 2s. Room is left for what is
    /// scored later.
    ///
    /// A slide adds to a board just what it scores, and a new tile takes nothing away: what
    /// play makes of a position that may be given may be given too.
    pub fn max_score(board: Board) -> u32 {
        let merged = board.exponents().map(|exponent| {
            // Every merge that went into a tile scored it once: one for each doubling.
            u32::from(exponent.saturating_sub(1)) << exponent
        });
        1_000_000_000 + merged.iter().sum::<u32>()
    }

    /// A position in which the player is to slide. On an empty board chance is to act.
    /// `None` if the score is larger than [`max_score`](Position::max_score).
    pub fn player_to_slide(board: Board, score: u32) -> Option<Self> {
        Self::new(board, score, board.is_empty())
    }

    /// A position in which chance is to put a tile. `None` if the board is full or the
    /// score larger than [`max_score`](Position::max_score).
    pub fn tile_to_come(board: Board, score: u32) -> Option<Self> {
        if board.count_empty() == 0 {
            return None;
        }
        Self::new(board, score, true)
    }

    fn new(board: Board, score: u32, chance: bool) -> Option<Self> {
        (score <= Self::max_score(board)).then_some(Position {
            nibbles: board.nibbles,
            rest: u64::from(board.above)
                | u64::from(score) << SCORE_SHIFT
                | if chance { CHANCE } else { 0 },
        })
    }

    /// The board.
    #[inline(always)]
    pub const fn board(&self) -> Board {
        Board {
            nibbles: self.nibbles,
            above: self.rest as u32,
        }
    }

    /// The sum of all tiles merged so far.
    #[inline(always)]
    pub const fn score(&self) -> u32 {
        ((self.rest & !CHANCE) >> SCORE_SHIFT) as u32
    }

    /// Whether a new tile is to come.
    #[inline(always)]
    pub const fn is_chance(&self) -> bool {
        self.rest & CHANCE != 0
    }

    /// Puts the board that a slide made, and what it scored; a tile is to come.
    #[inline(always)]
    pub(super) fn slide_to(&mut self, board: Board, gained: u32) -> Undo {
        let undo = self.remember();
        let score = u64::from(self.score().wrapping_add(gained));
        self.nibbles = board.nibbles;
        self.rest = u64::from(board.above) | score << SCORE_SHIFT | CHANCE;
        undo
    }

    /// Puts a tile that fits into a nibble on an empty cell. The first tile of a game is
    /// followed by the second.
    #[inline(always)]
    pub(super) fn put_new(&mut self, cell: Cell, exponent: u8) -> Undo {
        let undo = self.remember();
        self.nibbles |= u64::from(exponent) << (4 * u32::from(cell.0));
        if undo.nibbles != 0 {
            self.rest &= !CHANCE;
        }
        undo
    }

    #[inline(always)]
    fn remember(&self) -> Undo {
        Undo {
            rest: self.rest,
            nibbles: self.nibbles,
        }
    }

    #[inline(always)]
    pub(super) fn take_back(&mut self, undo: Undo) {
        self.nibbles = undo.nibbles;
        self.rest = undo.rest;
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Position")
            .field("board", &self.board())
            .field("score", &self.score())
            .field("chance", &self.is_chance())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_columns() {
        let board = Board::from_exponents(std::array::from_fn(|cell| cell as u8)).expect("fits");
        let rows = board.rows().expect("fits");
        assert_eq!(rows, [0x3210, 0x7654, 0xba98, 0xfedc]);
        let columns = board.columns().expect("fits");
        assert_eq!(columns, [0xc840, 0xd951, 0xea62, 0xfb73]);
    }

    #[test]
    fn exponents_that_do_not_exist() {
        let mut exponents = [0; 16];
        exponents[3] = MAX_EXPONENT;
        let board = Board::from_exponents(exponents).expect("131072 exists");
        assert_eq!(board.exponents(), exponents);
        assert_eq!(board.rows(), None);
        exponents[3] += 1;
        assert_eq!(Board::from_exponents(exponents), None);
    }
}
