//! Which points a player may play on, and which of them the searches look at.

use std::ops::ControlFlow;

use super::board::{Colour, EVEN, Lines, cell_of, shift};
use super::point::{MAX_SIZE, Point};
use super::position::Position;
use super::{Candidates, Gomoku, Rule};

impl Gomoku {
    /// The number of rows that are played on.
    #[inline]
    fn playable_rows(&self) -> usize {
        usize::from(self.settings.corner.unwrap_or(self.settings.size))
    }

    /// The empty points of a row that can be played on, forbidden ones included, in the even
    /// bits.
    #[inline]
    fn empty_in(&self, lines: &Lines, row: usize) -> u64 {
        let line = lines.rows()[row];
        self.playable[row] & !(line | line >> 1)
    }

    /// How many empty points can be played on, forbidden ones included.
    pub(super) fn empty_points(&self, lines: &Lines) -> u16 {
        (0..self.playable_rows())
            .map(|row| self.empty_in(lines, row).count_ones() as u16)
            .sum()
    }

    /// Whether the player to move has to ask for every point whether it is forbidden.
    #[inline]
    fn is_restricted(&self, state: &Position) -> bool {
        self.settings.rule == Rule::Renju && state.to_move == Colour::Black
    }

    /// Whether the opponent has no legal move after this one, which does not win: the board
    /// is full then, or in renju all that black has left is forbidden.
    #[inline]
    pub(super) fn leaves_no_move(&self, state: &Position, point: Point) -> bool {
        if self.settings.rule == Rule::Renju && state.to_move == Colour::White {
            let mut after = state.clone();
            after.lines.place(point, Colour::White);
            after.to_move = Colour::Black;
            return !self.has_legal_point(&after);
        }
        state.empty == 1
    }

    /// Whether there is a point where the player to move may play, near stones or not.
    pub(super) fn has_legal_point(&self, state: &Position) -> bool {
        let mut found = false;
        self.each_empty_row(state, |row, mask| {
            self.each_legal(state, row, mask, |_| {
                found = true;
                ControlFlow::Break(())
            })
        });
        found
    }

    /// Visits the rows with their empty points, near stones or not.
    #[inline]
    fn each_empty_row(
        &self,
        state: &Position,
        mut visit: impl FnMut(usize, u64) -> ControlFlow<()>,
    ) {
        for row in 0..self.playable_rows() {
            if visit(row, self.empty_in(&state.lines, row)).is_break() {
                return;
            }
        }
    }

    /// Visits the rows with those of their empty points that are at most so many steps from
    /// a stone.
    #[inline]
    fn each_near_row<const DISTANCE: usize>(
        &self,
        state: &Position,
        mut visit: impl FnMut(usize, u64) -> ControlFlow<()>,
    ) {
        const { assert!(DISTANCE == 1 || DISTANCE == 2) };
        let size = usize::from(self.settings.size);
        let lines = state.lines.rows();
        // The points near the stones of a row, within the row.
        let widened = |row: usize| {
            if row >= size {
                return 0;
            }
            let stones = stones_of(lines[row]);
            (1..=DISTANCE).fold(stones, |near, step| {
                near | stones << (2 * step) | stones >> (2 * step)
            })
        };
        // The two rows before, the row itself and the row after; one more is fetched.
        let (mut before, mut last, mut this, mut next) = (0, 0, widened(0), widened(1));
        for row in 0..self.playable_rows() {
            let after = widened(row + 2);
            let near = match DISTANCE {
                1 => last | this | next,
                _ => before | last | this | next | after,
            };
            if visit(row, near & self.empty_in(&state.lines, row)).is_break() {
                return;
            }
            (before, last, this, next) = (last, this, next, after);
        }
    }

    /// As [`each_near_row`](Gomoku::each_near_row), for any distance.
    fn each_row_within(
        &self,
        state: &Position,
        distance: u8,
        mut visit: impl FnMut(usize, u64) -> ControlFlow<()>,
    ) {
        let size = usize::from(self.settings.size);
        let distance = usize::from(distance.min(MAX_SIZE));
        for row in 0..self.playable_rows() {
            let from = row.saturating_sub(distance);
            let to = (row + distance + 1).min(size);
            let stones = state.lines.rows()[from..to]
                .iter()
                .fold(0, |stones, &line| stones | stones_of(line));
            let near = (1..=distance).fold(stones, |near, step| {
                near | stones << (2 * step) | stones >> (2 * step)
            });
            if visit(row, near & self.empty_in(&state.lines, row)).is_break() {
                return;
            }
        }
    }

    /// Visits the rows with their candidates, forbidden ones included, as far as there are
    /// any near the stones.
    #[inline]
    fn each_candidate_row(
        &self,
        state: &Position,
        visit: impl FnMut(usize, u64) -> ControlFlow<()>,
    ) {
        match self.settings.candidates {
            Candidates::Near(1) => self.each_near_row::<1>(state, visit),
            Candidates::Near(2) => self.each_near_row::<2>(state, visit),
            Candidates::Near(distance) => self.each_row_within(state, distance, visit),
            Candidates::WholeBoard => self.each_empty_row(state, visit),
        }
    }

    /// Visits the moves in the order of the list, until the visitor breaks.
    #[inline]
    pub(super) fn each_candidate(
        &self,
        state: &Position,
        mut visit: impl FnMut(Point) -> ControlFlow<()>,
    ) {
        let mut any = false;
        if self.is_restricted(state) {
            self.each_candidate_row(state, |row, mask| {
                self.each_legal(state, row, mask, |point| {
                    any = true;
                    visit(point)
                })
            });
        } else {
            self.each_candidate_row(state, |row, mask| {
                any |= mask != 0;
                each_point(row, mask, &mut visit)
            });
        }
        if !any {
            self.each_far_candidate(state, visit);
        }
    }

    /// Visits the moves where none is near a stone: the centre of an empty board, otherwise
    /// every legal point.
    #[cold]
    fn each_far_candidate(
        &self,
        state: &Position,
        mut visit: impl FnMut(Point) -> ControlFlow<()>,
    ) {
        let centre = u32::from(self.settings.size / 2);
        let rows = &state.lines.rows()[..usize::from(self.settings.size)];
        let empty = self.playable[centre as usize] & 1 << shift(centre);
        if empty != 0 && rows.iter().all(|&line| stones_of(line) == 0) {
            let _ = visit(Point::at(centre, centre));
            return;
        }
        self.each_empty_row(state, |row, mask| {
            self.each_legal(state, row, mask, &mut visit)
        });
    }

    /// Visits those of the points of a row that the player to move may play on.
    fn each_legal(
        &self,
        state: &Position,
        row: usize,
        mask: u64,
        mut visit: impl FnMut(Point) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let restricted = self.is_restricted(state);
        each_point(row, mask, |point| {
            if restricted && self.forbidden(state, point).is_some() {
                ControlFlow::Continue(())
            } else {
                visit(point)
            }
        })
    }

    /// How many moves there are.
    #[inline]
    pub(super) fn count_candidates(&self, state: &Position) -> usize {
        let mut count = 0;
        if !self.is_restricted(state) {
            // The odd bits are free: two rows are counted at once.
            let mut even_row = 0;
            self.each_candidate_row(state, |row, mask| {
                if row % 2 == 0 {
                    even_row = mask;
                } else {
                    count += (even_row | mask << 1).count_ones() as usize;
                    even_row = 0;
                }
                ControlFlow::Continue(())
            });
            count += even_row.count_ones() as usize;
        }
        if count == 0 {
            self.each_candidate(state, |_| {
                count += 1;
                ControlFlow::Continue(())
            });
        }
        count
    }
}

/// The stones of a row, in the even bits.
#[inline]
fn stones_of(row: u64) -> u64 {
    (row ^ row >> 1) & EVEN
}

/// Visits the points of a row from the left.
#[inline]
fn each_point(
    row: usize,
    mut mask: u64,
    mut visit: impl FnMut(Point) -> ControlFlow<()>,
) -> ControlFlow<()> {
    while mask != 0 {
        let point = Point::at(cell_of(mask.trailing_zeros()), row as u32);
        mask &= mask - 1;
        visit(point)?;
    }
    ControlFlow::Continue(())
}
