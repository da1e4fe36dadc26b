//! A move: which piece, how turned, and where.

use std::fmt;

use super::board::{cell_at, cell_bit};
use super::pieces::{Piece, SHAPES, Shape};

/// A placement of a piece: the number of its orientation, and the cell at the top left
/// corner of the box around it (which need not be a cell of the piece).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Move(u16);

impl Move {
    /// The move whose number is 0; not a placement.
    pub(super) const NONE: Move = Move(0);

    #[inline(always)]
    pub(super) const fn new(orientation: usize, anchor: usize) -> Self {
        Move((orientation << 9 | anchor) as u16)
    }

    #[inline(always)]
    pub(super) const fn from_number(number: u16) -> Self {
        Move(number)
    }

    #[inline(always)]
    pub(super) const fn number(self) -> u16 {
        self.0
    }

    #[inline(always)]
    pub(super) const fn orientation(self) -> usize {
        (self.0 >> 9) as usize
    }

    /// The bit of the top left cell of the box.
    #[inline(always)]
    pub(super) const fn anchor(self) -> usize {
        (self.0 & 511) as usize
    }

    #[inline(always)]
    pub(super) fn shape(self) -> &'static Shape {
        &SHAPES[self.orientation()]
    }

    /// The piece that is placed.
    #[inline]
    pub fn piece(self) -> Piece {
        Piece::new(self.shape().piece as usize)
    }

    /// The cells it takes as (column from the left, row from the top), row by row.
    pub fn cells(self) -> impl ExactSizeIterator<Item = (usize, usize)> {
        let (left, top) = cell_at(self.anchor());
        let offsets = self.shape().offsets().iter();
        offsets.map(move |cell| (left + cell.x as usize, top + cell.y as usize))
    }

    /// The placement that takes exactly these cells, if they have the form of a piece; all
    /// must be on a board of at most 20 columns and rows.
    pub(super) fn from_cells(cells: &[(usize, usize)]) -> Option<Self> {
        let left = cells.iter().map(|cell| cell.0).min()?;
        let top = cells.iter().map(|cell| cell.1).min()?;
        let orientation = SHAPES.iter().position(|shape| {
            let offsets = shape.offsets();
            offsets.len() == cells.len()
                && offsets
                    .iter()
                    .all(|at| cells.contains(&(left + at.x as usize, top + at.y as usize)))
        })?;
        Some(Move::new(orientation, cell_bit(left, top)))
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Move::NONE {
            return f.write_str("no move");
        }
        let cells: Vec<_> = self.cells().collect();
        write!(f, "{} on {cells:?}", self.piece().name())
    }
}
