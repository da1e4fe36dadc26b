//! The stones on the board, kept as lines in four directions.
//!
//! A line is one `u64` with two bits for each cell: `00` empty, `01` black, `10` white and
//! `11` off the board. Twenty cells and six cells beyond either end just fit, so that a
//! window around any cell is one shift, and a test that must treat the edge like a stone in
//! the way does so by itself. Both colours are in one word: what is worked out with shifts
//! by whole cells is worked out for black in the even bits and for white in the odd ones.

use super::point::{MAX_SIZE, Point};

/// The colour of a stone; black plays first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Colour {
    /// Plays first, in seat 0.
    Black = 0,
    /// Plays second, in seat 1.
    White = 1,
}

impl Colour {
    /// The other colour.
    #[inline]
    pub const fn other(self) -> Colour {
        match self {
            Colour::Black => Colour::White,
            Colour::White => Colour::Black,
        }
    }

    /// The two bits of a cell with a stone of this colour.
    #[inline]
    pub(super) const fn bits(self) -> u64 {
        self as u64 + 1
    }
}

/// The first bit of every cell: the bits of black.
pub(super) const EVEN: u64 = 0x5555_5555_5555_5555;

/// How many cells lie before the first cell of the board in a line.
const MARGIN: u32 = 6;

/// The four directions, in the order in which [`Lines::through`] gives the lines.
pub(super) const DIRECTIONS: usize = 4;

const MAX: usize = MAX_SIZE as usize;
const COLUMNS: usize = MAX;
const RISING: usize = COLUMNS + MAX;
const FALLING: usize = RISING + 2 * MAX - 1;

/// How many lines a board of the largest size has.
pub(super) const LINES: usize = FALLING + 2 * MAX - 1;

/// The bit where the two bits of a cell begin.
#[inline]
pub(super) const fn shift(cell: u32) -> u32 {
    2 * (cell + MARGIN)
}

/// The cell whose bits these are.
#[inline]
pub(super) const fn cell_of(bit: u32) -> u32 {
    bit / 2 - MARGIN
}

/// All lines of a board: rows, columns, diagonals that rise to the right and diagonals that
/// fall to the right. Cells of a column are numbered by row, all others by column.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Lines([u64; LINES]);

impl Lines {
    /// The empty board.
    pub(super) fn empty(size: u8) -> Self {
        let mut lines = Lines([u64::MAX; LINES]);
        for row in 0..u32::from(size) {
            for column in 0..u32::from(size) {
                lines.remove(Point::at(column, row));
            }
        }
        lines
    }

    /// Where the four lines through a point are, and the cell of the point in each.
    #[inline]
    fn places(point: Point) -> [(usize, u32); DIRECTIONS] {
        let (x, y) = (u32::from(point.column()), u32::from(point.row()));
        let (column, row) = (x as usize, y as usize);
        [
            (row, x),
            (COLUMNS + column, y),
            (RISING + column + MAX - 1 - row, x),
            (FALLING + column + row, x),
        ]
    }

    /// The four lines through a point with the cell of the point in each.
    #[inline]
    pub(super) fn through(&self, point: Point) -> [(u64, u32); DIRECTIONS] {
        Lines::places(point).map(|(line, cell)| (self.0[line], cell))
    }

    /// The indices of the four lines through a point with the cell of the point in each.
    #[inline]
    pub(super) fn indices(point: Point) -> [(usize, u32); DIRECTIONS] {
        Lines::places(point)
    }

    /// All lines, those that the board does not have included: they have no cell on it.
    #[inline]
    pub(super) fn all(&self) -> &[u64; LINES] {
        &self.0
    }

    /// The rows from the bottom up.
    #[inline]
    pub(super) fn rows(&self) -> &[u64; MAX] {
        self.0
            .first_chunk()
            .expect("there are more lines than rows")
    }

    /// Puts a stone on an empty point.
    #[inline]
    pub(super) fn place(&mut self, point: Point, colour: Colour) {
        for (line, cell) in Lines::places(point) {
            self.0[line] |= colour.bits() << shift(cell);
        }
    }

    /// Makes a point empty.
    #[inline]
    pub(super) fn remove(&mut self, point: Point) {
        for (line, cell) in Lines::places(point) {
            self.0[line] &= !(3 << shift(cell));
        }
    }

    /// The stone on a point of the board.
    #[inline]
    pub(super) fn stone(&self, point: Point) -> Option<Colour> {
        match self.0[point.row() as usize] >> shift(u32::from(point.column())) & 3 {
            1 => Some(Colour::Black),
            2 => Some(Colour::White),
            _ => None,
        }
    }
}

/// A line with the colours of all stones exchanged.
#[inline]
pub(super) const fn exchanged(line: u64) -> u64 {
    (line >> 1 & EVEN) | (line & EVEN) << 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stone_is_in_the_four_lines_through_its_point_and_in_no_other() {
        for size in [5, 6, 15, 20] {
            let empty = Lines::empty(size);
            for row in 0..size {
                for column in 0..size {
                    let point = Point::new(column, row);
                    for colour in [Colour::Black, Colour::White] {
                        let mut lines = empty.clone();
                        lines.place(point, colour);
                        assert_eq!(lines.stone(point), Some(colour));
                        for (line, cell) in lines.through(point) {
                            assert_eq!(line >> shift(cell) & 3, colour.bits());
                        }
                        let changed = empty.0.iter().zip(&lines.0).filter(|(a, b)| a != b);
                        assert_eq!(changed.count(), DIRECTIONS);
                        lines.remove(point);
                        assert_eq!(lines, empty);
                    }
                }
            }
        }
    }

    #[test]
    fn neighbours_on_a_diagonal_are_neighbours_in_a_line() {
        let lines = Lines::empty(15);
        let (a, rising, falling) = (Point::new(3, 7), Point::new(4, 8), Point::new(4, 6));
        assert_eq!(Lines::indices(a)[2].0, Lines::indices(rising)[2].0);
        assert_eq!(Lines::indices(a)[2].1 + 1, Lines::indices(rising)[2].1);
        assert_eq!(Lines::indices(a)[3].0, Lines::indices(falling)[3].0);
        assert_eq!(Lines::indices(a)[3].1 + 1, Lines::indices(falling)[3].1);
        // The line of a corner's falling diagonal has that one cell.
        assert_eq!(lines.through(Point::new(0, 0))[3].0.count_zeros(), 2);
        assert_eq!(lines.through(Point::new(0, 0))[2].0.count_zeros(), 30);
    }
}
