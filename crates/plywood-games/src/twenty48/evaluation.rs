//! What a board is worth, with or without the score already made.

use std::ops::ControlFlow;

use plywood::{Evaluate, Game, Reply};

use super::board::{Board, Position};
use super::{Direction, Move, Twenty48};

/// Judges a board, whoever is to act on it. Made into an evaluation by [`BoardOnly`] or
/// [`WithScore`].
pub trait Heuristic: Sync {
    /// What the board is worth.
    fn value(&self, board: Board) -> i32;

    /// What a board is worth on which no tile can move any more.
    #[inline]
    fn stuck(&self, board: Board) -> i32 {
        self.value(board)
    }

    /// Visits every new tile that a board can get, in the order of the game, with its
    /// probability and what the best slide after it is worth; if the score so far is given,
    /// the score counts. `false` where the slides have to be made, as in
    /// [`Evaluate::replies`].
    #[inline]
    fn replies(
        &self,
        game: &Twenty48,
        board: Board,
        score: Option<u32>,
        visit: impl FnMut(f64, Reply<[i32; 1]>) -> ControlFlow<()>,
    ) -> bool
    where
        Self: Sized,
    {
        let _ = (game, board, score, visit);
        false
    }
}

/// Every board is worth nothing: with [`WithScore`] this is playing for points alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct Zero;

impl Heuristic for Zero {
    #[inline]
    fn value(&self, _: Board) -> i32 {
        0
    }
}

/// The number of empty cells.
#[derive(Clone, Copy, Debug, Default)]
pub struct EmptyCells;

impl Heuristic for EmptyCells {
    #[inline]
    fn value(&self, board: Board) -> i32 {
        board.count_empty() as i32
    }
}

/// The value of the board alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct BoardOnly<H>(pub H);

/// The value of the board and the score so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct WithScore<H>(pub H);

/// Slides in all directions without making a position.
#[inline(always)]
fn visit_slides(
    game: &Twenty48,
    board: Board,
    value: impl Fn(Board, u32) -> i32,
    mut visit: impl FnMut(Move, [i32; 1]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    // Four calls rather than a loop: each is compiled for its direction, and the board is
    // transposed once for two of them.
    visit_slide(game, board, Direction::Up, &value, &mut visit)?;
    visit_slide(game, board, Direction::Down, &value, &mut visit)?;
    visit_slide(game, board, Direction::Left, &value, &mut visit)?;
    visit_slide(game, board, Direction::Right, &value, &mut visit)
}

#[inline(always)]
fn visit_slide(
    game: &Twenty48,
    board: Board,
    direction: Direction,
    value: &impl Fn(Board, u32) -> i32,
    visit: &mut impl FnMut(Move, [i32; 1]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let (slid, gained) = game.slide(board, direction);
    if slid == board {
        return ControlFlow::Continue(());
    }
    visit(Move::Slide(direction), [value(slid, gained)])
}

impl<H: Heuristic> Evaluate<Twenty48> for BoardOnly<H> {
    #[inline]
    fn evaluate(&self, _: &Twenty48, position: &Position) -> [i32; 1] {
        [self.0.value(position.board())]
    }

    #[inline]
    fn finished(&self, _: &Twenty48, position: &Position) -> [i32; 1] {
        [self.0.stuck(position.board())]
    }

    #[inline]
    fn children(
        &self,
        game: &Twenty48,
        position: &mut Position,
        _: &mut Vec<Move>,
        visit: impl FnMut(Move, [i32; 1]) -> ControlFlow<()>,
    ) {
        let value = |slid, _| self.0.value(slid);
        let _ = visit_slides(game, position.board(), value, visit);
    }

    #[inline]
    fn replies(
        &self,
        game: &Twenty48,
        position: &Position,
        visit: impl FnMut(f64, Reply<[i32; 1]>) -> ControlFlow<()>,
    ) -> bool {
        self.0.replies(game, position.board(), None, visit)
    }
}

impl<H: Heuristic> Evaluate<Twenty48> for WithScore<H> {
    #[inline]
    fn evaluate(&self, _: &Twenty48, position: &Position) -> [i32; 1] {
        [self.0.value(position.board()) + position.score() as i32]
    }

    #[inline]
    fn finished(&self, _: &Twenty48, position: &Position) -> [i32; 1] {
        [self.0.stuck(position.board()) + position.score() as i32]
    }

    /// The same board with another score has another value.
    #[inline]
    fn key(&self, game: &Twenty48, position: &Position) -> u64 {
        game.hash(position) ^ u64::from(position.score()).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    #[inline]
    fn children(
        &self,
        game: &Twenty48,
        position: &mut Position,
        _: &mut Vec<Move>,
        visit: impl FnMut(Move, [i32; 1]) -> ControlFlow<()>,
    ) {
        let score = position.score();
        let value = |slid, gained| self.0.value(slid) + score.wrapping_add(gained) as i32;
        let _ = visit_slides(game, position.board(), value, visit);
    }

    #[inline]
    fn replies(
        &self,
        game: &Twenty48,
        position: &Position,
        visit: impl FnMut(f64, Reply<[i32; 1]>) -> ControlFlow<()>,
    ) -> bool {
        let score = Some(position.score());
        self.0.replies(game, position.board(), score, visit)
    }
}
