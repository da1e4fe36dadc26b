//! Points of the board and how they are written.

use std::fmt;

/// The largest board.
pub const MAX_SIZE: u8 = 20;

/// The smallest board: a shorter one has no room for five stones.
pub const MIN_SIZE: u8 = 5;

/// A point of the board, which is also a move: the stone goes there.
///
/// Written as a letter for the column and a number for the row, `A1` bottom left; the letter
/// I is used.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(u16);

impl Point {
    /// How many points there are room for, whatever the size of the board.
    pub(super) const SLOTS: usize = (MAX_SIZE as usize) << 5;

    /// The point in this column and row, both counted from 0 at the bottom left.
    ///
    /// # Panics
    /// If the point is on no board, that is beyond column or row 19.
    #[inline]
    pub const fn new(column: u8, row: u8) -> Self {
        assert!(column < MAX_SIZE && row < MAX_SIZE);
        Point((row as u16) << 5 | column as u16)
    }

    /// As [`new`](Point::new), for coordinates known to be on the board.
    #[inline]
    pub(super) const fn at(column: u32, row: u32) -> Self {
        debug_assert!(column < MAX_SIZE as u32 && row < MAX_SIZE as u32);
        Point((row << 5 | column) as u16)
    }

    /// The column, counted from 0 at the left.
    #[inline]
    pub const fn column(self) -> u8 {
        (self.0 & 31) as u8
    }

    /// The row, counted from 0 at the bottom.
    #[inline]
    pub const fn row(self) -> u8 {
        (self.0 >> 5) as u8
    }

    /// A number below [`SLOTS`](Point::SLOTS) that no other point has.
    #[inline]
    pub(super) const fn slot(self) -> usize {
        self.0 as usize
    }

    /// The point with this number.
    #[inline]
    pub(super) const fn from_slot(slot: usize) -> Self {
        debug_assert!(slot < Point::SLOTS && slot & 31 < MAX_SIZE as usize);
        Point(slot as u16)
    }

    /// The point that a text names, on a board of any size; `None` if it names none.
    pub fn parse(text: &str) -> Option<Point> {
        let mut characters = text.chars();
        let letter = characters.next()?.to_ascii_uppercase();
        let digits = characters.as_str();
        let last = (b'A' + MAX_SIZE - 1) as char;
        if !('A'..=last).contains(&letter)
            || digits.starts_with('0')
            || digits.len() > 2
            || !digits.bytes().all(|byte| byte.is_ascii_digit())
        {
            return None;
        }
        let row: u8 = digits.parse().ok()?;
        (row <= MAX_SIZE).then(|| Point::new(letter as u8 - b'A', row - 1))
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'A' + self.column()) as char, self.row() + 1)
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_is_read_back() {
        for row in 0..MAX_SIZE {
            for column in 0..MAX_SIZE {
                let point = Point::new(column, row);
                assert_eq!(Point::parse(&point.to_string()), Some(point));
                assert_eq!((point.column(), point.row()), (column, row));
                assert!(point.slot() < Point::SLOTS);
            }
        }
        assert_eq!(Point::new(8, 14).to_string(), "I15");
        assert_eq!(Point::parse("t20"), Some(Point::new(19, 19)));
    }

    #[test]
    fn other_texts_are_no_points() {
        for text in [
            "", "A", "A0", "A01", "A21", "U1", "1A", "Ä1", "A1 ", "A-1", "A+1", "A٣", "H888",
        ] {
            assert_eq!(Point::parse(text), None, "{text:?}");
        }
    }
}
