//! Which points a player may play on, and which of them the searches look at.

use std::ops::ControlFlow;

use super::board::{Colour, EVEN, Lines, cell_of};
use super::point::{MAX_SIZE, Point};
use super::position::Position;
use super::{Candidates, Gomoku, Rule};

/// A set of points: by row, in the even bits.
type Points = [u64; MAX_SIZE as usize];

impl Gomoku {
    /// How many empty points can be played on, forbidden ones included.
    pub(super) fn empty_points(&self, lines: &Lines) -> u16 {
        let rows = self.empty_rows(lines);
        rows.iter().map(|row| row.count_ones() as u16).sum()
    }

    /// The empty points that can be played on, forbidden ones included.
    #[inline]
    fn empty_rows(&self, lines: &Lines) -> Points {
        let mut points = self.playable;
        for (mask, row) in points.iter_mut().zip(lines.rows()) {
            *mask &= !(row | row >> 1);
        }
        points
    }

    /// Whether the player to move has to ask for every point whether it is forbidden.
    #[inline]
    fn is_restricted(&self, state: &Position) -> bool {
        self.settings.rule == Rule::Renju && state.to_move == Colour::Black
    }

    /// All points where the player to move may play, near stones or not.
    pub(super) fn legal_points(&self, state: &Position) -> impl Iterator<Item = Point> {
        let restricted = self.is_restricted(state);
        points_of(self.empty_rows(&state.lines))
            .filter(move |&point| !restricted || self.forbidden(state, point).is_none())
    }

    /// Whether the opponent has no legal move after this one, which does not win: the board
    /// is full then, or in renju all that black has left is forbidden.
    #[inline]
    pub(super) fn leaves_no_move(&self, state: &Position, point: Point) -> bool {
        if self.settings.rule == Rule::Renju && state.to_move == Colour::White {
            let mut after = state.clone();
            after.lines.place(point, Colour::White);
            after.to_move = Colour::Black;
            return self.legal_points(&after).next().is_none();
        }
        state.empty == 1
    }

    /// The candidates among the empty points, forbidden ones included: at least one if there
    /// is an empty point.
    #[inline]
    fn candidate_rows(&self, state: &Position) -> Points {
        let empty = self.empty_rows(&state.lines);
        let near = match self.settings.candidates {
            Candidates::WholeBoard => return empty,
            Candidates::Near(1) => self.near::<1>(&state.lines),
            Candidates::Near(2) => self.near::<2>(&state.lines),
            Candidates::Near(distance) => self.near_any(&state.lines, distance),
        };
        let mut points = empty;
        let mut any = 0;
        for (row, near) in points.iter_mut().zip(near) {
            *row &= near;
            any |= *row;
        }
        if any == 0 {
            self.nothing_near(state, empty)
        } else {
            points
        }
    }

    /// The candidates where no empty point is near a stone: the centre of an empty board,
    /// otherwise all empty points.
    #[cold]
    fn nothing_near(&self, state: &Position, empty: Points) -> Points {
        let size = usize::from(self.settings.size);
        let stones = state.lines.rows()[..size]
            .iter()
            .any(|row| stones_of(*row) != 0);
        let centre = size / 2;
        let mut points = [0; MAX_SIZE as usize];
        points[centre] = empty[centre] & 1 << super::board::shift(centre as u32);
        if stones || points[centre] == 0 {
            empty
        } else {
            points
        }
    }

    /// All points at most so many steps from a stone, points off the board included.
    #[inline]
    fn near<const DISTANCE: usize>(&self, lines: &Lines) -> Points {
        let mut wide = [0u64; MAX_SIZE as usize + 4];
        const { assert!(DISTANCE <= 2) };
        for (wide, row) in wide[2..].iter_mut().zip(lines.rows()) {
            let stones = stones_of(*row);
            *wide = stones;
            for step in 1..=DISTANCE {
                *wide |= stones << (2 * step) | stones >> (2 * step);
            }
        }
        let mut near = [0; MAX_SIZE as usize];
        for (row, near) in near.iter_mut().enumerate() {
            for step in 2 - DISTANCE..=2 + DISTANCE {
                *near |= wide[row + step];
            }
        }
        near
    }

    /// As [`near`](Gomoku::near), for any distance.
    fn near_any(&self, lines: &Lines, distance: u8) -> Points {
        let distance = usize::from(distance.min(MAX_SIZE));
        let wide = lines.rows().map(|row| {
            let stones = stones_of(row);
            (1..=distance).fold(stones, |wide, step| {
                wide | stones << (2 * step) | stones >> (2 * step)
            })
        });
        std::array::from_fn(|row| {
            let from = row.saturating_sub(distance);
            let to = (row + distance).min(MAX_SIZE as usize - 1);
            wide[from..=to].iter().fold(0, |near, row| near | row)
        })
    }

    /// Visits the moves in the order of the list, until the visitor breaks.
    #[inline]
    pub(super) fn each_candidate(
        &self,
        state: &Position,
        mut visit: impl FnMut(Point) -> ControlFlow<()>,
    ) {
        let rows = self.candidate_rows(state);
        if self.is_restricted(state) {
            return self.each_allowed(state, rows, visit);
        }
        for (row, &mask) in rows.iter().enumerate() {
            let mut mask = mask;
            while mask != 0 {
                let point = Point::at(cell_of(mask.trailing_zeros()), row as u32);
                mask &= mask - 1;
                if visit(point).is_break() {
                    return;
                }
            }
        }
    }

    /// Visits those of the candidates that are not forbidden, or if all are, all points that
    /// are not.
    fn each_allowed(
        &self,
        state: &Position,
        rows: Points,
        mut visit: impl FnMut(Point) -> ControlFlow<()>,
    ) {
        let mut any = false;
        for point in points_of(rows) {
            if self.forbidden(state, point).is_none() {
                any = true;
                if visit(point).is_break() {
                    return;
                }
            }
        }
        if !any {
            for point in self.legal_points(state) {
                if visit(point).is_break() {
                    return;
                }
            }
        }
    }

    /// How many moves there are.
    #[inline]
    pub(super) fn count_candidates(&self, state: &Position) -> usize {
        if self.is_restricted(state) {
            let mut count = 0;
            self.each_candidate(state, |_| {
                count += 1;
                ControlFlow::Continue(())
            });
            return count;
        }
        // The odd bits are free: two rows are counted at once.
        let rows = self.candidate_rows(state);
        rows.chunks_exact(2)
            .map(|pair| (pair[0] | pair[1] << 1).count_ones() as usize)
            .sum()
    }
}

/// The stones of a row, in the even bits.
#[inline]
fn stones_of(row: u64) -> u64 {
    (row ^ row >> 1) & EVEN
}

/// The points of a set, row by row from the bottom, each row from the left.
fn points_of(rows: Points) -> impl Iterator<Item = Point> {
    rows.into_iter().enumerate().flat_map(|(row, mut mask)| {
        std::iter::from_fn(move || {
            (mask != 0).then(|| {
                let point = Point::at(cell_of(mask.trailing_zeros()), row as u32);
                mask &= mask - 1;
                point
            })
        })
    })
}
