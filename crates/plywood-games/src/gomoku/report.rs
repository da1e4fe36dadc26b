//! The evaluation of the report, by runs of touching stones.

use std::ops::ControlFlow;

use plywood::Evaluate;

use super::board::Colour;
use super::position::{Position, Status};
use super::runs::WIN;
use super::{Gomoku, Point};

/// The line evaluation of a published course report on parallel Gomoku search, from its
/// figures.
///
/// Every run of touching stones of one colour, in each of the four directions, short diagonals
/// included, and as long as it can be made, counts by its length and by how many of the two cells at its ends are
/// empty (the edge of the board is not):
///
/// | stones | both ends open | one end open |
/// |---|---|---|
/// | 2 | 100 | 50, and 0 if the open end is the one of the larger column (in a column: row) |
/// | 3 | 500 | 250 |
/// | 4 | 1,000,000 | 500,000 |
/// | other | 0 | 0 |
///
/// Black's runs count double and for black, white's single and for white. This gives all of
/// the report's twenty evaluations of its two games of self-play. Only the one-sidedness of
/// the half-open two is plainly a slip (its pattern of three cells never matches); it is
/// kept, for without it the figures differ.
///
/// A finished game is worth 2,000,000,000 if black has won and -1,000,000,000 if white has,
/// the report's values of a five; the other runs do not count then, so that a search can cut
/// off as soon as a win is found. A draw is worth 0. What wins is up to the rule of the game,
/// and an overline that wins nothing is worth nothing, at the edge as anywhere else; the
/// report's program took some overlines at the edge for fives, and played on after a win.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Report;

const BLACK_WINS: i32 = 2_000_000_000;
const WHITE_WINS: i32 = -1_000_000_000;

const fn won(colour: Colour) -> i32 {
    match colour {
        Colour::Black => BLACK_WINS,
        Colour::White => WHITE_WINS,
    }
}

#[inline]
const fn scores(black: i32) -> [i32; 2] {
    [black, -black]
}

impl Evaluate<Gomoku> for Report {
    #[inline]
    fn evaluate(&self, _: &Gomoku, state: &Position) -> [i32; 2] {
        scores(state.report)
    }

    #[inline]
    fn finished(&self, _: &Gomoku, state: &Position) -> [i32; 2] {
        scores(match state.status {
            Status::Won(colour) => won(colour),
            Status::Drawn | Status::Playing => 0,
        })
    }

    #[inline]
    fn children(
        &self,
        game: &Gomoku,
        state: &mut Position,
        _scratch: &mut Vec<Point>,
        mut visit: impl FnMut(Point, [i32; 2]) -> ControlFlow<()>,
    ) {
        let colour = state.to_move;
        let won = won(colour);
        game.each_candidate(state, |point| {
            let change = game.runs.change(&state.lines, point, colour);
            let black = if change >= WIN / 2 {
                won
            } else if game.leaves_no_move(state, point) {
                0
            } else {
                state.report + change
            };
            visit(point, scores(black))
        });
    }
}
