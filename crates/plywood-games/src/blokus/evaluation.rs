//! What a position is worth to each colour.

use std::ops::ControlFlow;

use plywood::{Evaluate, Game, Moves};

use super::board::Board;
use super::moves::Move;
use super::pieces::SQUARES;
use super::state::{MOST_POINTS, State, mix};
use super::{Blokus, Duo};

/// Ten points for every square placed, three for every corner cell, less one for every
/// square in hand.
fn worth(squares: i32, corners: i32) -> i32 {
    10 * squares + 3 * corners - (i32::from(SQUARES) - squares)
}

/// The scores with another one for one colour. Selected rather than stored: a wide load
/// right after a narrow store would have to wait for it.
#[inline(always)]
fn with<const COLOURS: usize>(scores: [i32; COLOURS], colour: usize, own: i32) -> [i32; COLOURS] {
    std::array::from_fn(|index| if index == colour { own } else { scores[index] })
}

/// Ten points for every square placed, three for every corner cell, less one for every
/// square in hand; bonuses do not count.
///
/// A corner cell is one the colour may take that touches one of its own at a corner; before
/// its first move its start cell is the only one.
#[derive(Clone, Copy, Debug, Default)]
pub struct LiveCorners;

/// As [`LiveCorners`], but the corner cells of a colour are counted right after its own
/// last move: what the others take since then does not lower its worth until it moves
/// again.
///
/// This is the evaluation of the course project whose MaxN figures Plywood is compared
/// with. It is not a function of the board alone, which [`key`](Evaluate::key) accounts for.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReportCorners;

/// The points so far: squares placed, and the bonus of a colour that has placed all pieces.
#[derive(Clone, Copy, Debug, Default)]
pub struct SquaresPlaced;

/// Another evaluation for two players, turned into how far each is ahead of the other: what
/// one wins the other loses, as searches for two players want it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lead<E>(pub E);

impl<const COLOURS: usize> Evaluate<Blokus<COLOURS>> for LiveCorners {
    #[inline]
    fn evaluate(&self, _: &Blokus<COLOURS>, state: &State<COLOURS>) -> [i32; COLOURS] {
        std::array::from_fn(|colour| {
            worth(
                i32::from(state.squares(colour)),
                state.corner_cells(colour) as i32,
            )
        })
    }

    #[inline]
    fn finished(&self, game: &Blokus<COLOURS>, state: &State<COLOURS>) -> [i32; COLOURS] {
        self.evaluate(game, state)
    }

    #[inline]
    fn children(
        &self,
        game: &Blokus<COLOURS>,
        state: &mut State<COLOURS>,
        scratch: &mut Vec<Move>,
        mut visit: impl FnMut(Move, [i32; COLOURS]) -> ControlFlow<()>,
    ) {
        let mover = state.turn();
        let before: [i32; COLOURS] = self.evaluate(game, state);
        let mut rivals: [Board; COLOURS] = std::array::from_fn(|colour| state.corner(colour));
        rivals[mover] = Board::EMPTY;
        let squares = i32::from(state.squares(mover));
        let start = scratch.len();
        game.moves(state, &mut Moves::new(scratch));
        let (view, moves) = (state.view(mover), &scratch[start..]);
        game.path
            .children::<true>(&view, &rivals, moves, |mv, after| {
                let own = worth(squares + i32::from(mv.shape().size), after.corners);
                let scores = std::array::from_fn(|colour| before[colour] - 3 * after.lost[colour]);
                visit(mv, with(scores, mover, own))
            });
        scratch.truncate(start);
    }
}

impl<const COLOURS: usize> Evaluate<Blokus<COLOURS>> for ReportCorners {
    #[inline]
    fn evaluate(&self, _: &Blokus<COLOURS>, state: &State<COLOURS>) -> [i32; COLOURS] {
        std::array::from_fn(|colour| {
            worth(
                i32::from(state.squares(colour)),
                state.corner_cells_then(colour) as i32,
            )
        })
    }

    #[inline]
    fn finished(&self, game: &Blokus<COLOURS>, state: &State<COLOURS>) -> [i32; COLOURS] {
        self.evaluate(game, state)
    }

    #[inline]
    fn key(&self, game: &Blokus<COLOURS>, state: &State<COLOURS>) -> u64 {
        let counts = (0..COLOURS).fold(0, |all, colour| {
            all << 8 | u64::from(state.corner_cells_then(colour))
        });
        // The high bit keeps these apart from the numbers that the hash itself mixes.
        game.hash(state) ^ mix(1 << 63 | counts)
    }

    #[inline]
    fn children(
        &self,
        game: &Blokus<COLOURS>,
        state: &mut State<COLOURS>,
        scratch: &mut Vec<Move>,
        mut visit: impl FnMut(Move, [i32; COLOURS]) -> ControlFlow<()>,
    ) {
        let mover = state.turn();
        let before: [i32; COLOURS] = self.evaluate(game, state);
        let squares = i32::from(state.squares(mover));
        let start = scratch.len();
        game.moves(state, &mut Moves::new(scratch));
        let (view, moves) = (state.view(mover), &scratch[start..]);
        game.path.children::<false>(&view, &[], moves, |mv, after| {
            let own = worth(squares + i32::from(mv.shape().size), after.corners);
            visit(mv, with(before, mover, own))
        });
        scratch.truncate(start);
    }
}

impl<const COLOURS: usize> Evaluate<Blokus<COLOURS>> for SquaresPlaced {
    #[inline]
    fn evaluate(&self, game: &Blokus<COLOURS>, state: &State<COLOURS>) -> [i32; COLOURS] {
        game.outcome(state)
    }

    /// Every colour can place all its squares (they are fewer than the cells of the board)
    /// and have its bonus.
    fn bounded_sum(&self, _: &Blokus<COLOURS>) -> Option<i32> {
        Some(COLOURS as i32 * MOST_POINTS)
    }

    #[inline]
    fn children(
        &self,
        game: &Blokus<COLOURS>,
        state: &mut State<COLOURS>,
        scratch: &mut Vec<Move>,
        mut visit: impl FnMut(Move, [i32; COLOURS]) -> ControlFlow<()>,
    ) {
        let mover = state.turn();
        let before: [i32; COLOURS] = self.evaluate(game, state);
        let start = scratch.len();
        game.moves(state, &mut Moves::new(scratch));
        for &mv in &scratch[start..] {
            let scores = with(before, mover, state.score_after(mover, mv));
            if visit(mv, scores).is_break() {
                break;
            }
        }
        scratch.truncate(start);
    }
}

fn lead([first, second]: [i32; 2]) -> [i32; 2] {
    [first - second, second - first]
}

impl<E: Evaluate<Duo>> Evaluate<Duo> for Lead<E> {
    #[inline]
    fn evaluate(&self, game: &Duo, state: &State<2>) -> [i32; 2] {
        lead(self.0.evaluate(game, state))
    }

    #[inline]
    fn finished(&self, game: &Duo, state: &State<2>) -> [i32; 2] {
        lead(self.0.finished(game, state))
    }

    #[inline]
    fn key(&self, game: &Duo, state: &State<2>) -> u64 {
        self.0.key(game, state)
    }

    #[inline]
    fn children(
        &self,
        game: &Duo,
        state: &mut State<2>,
        scratch: &mut Vec<Move>,
        mut visit: impl FnMut(Move, [i32; 2]) -> ControlFlow<()>,
    ) {
        let visit = |mv, scores| visit(mv, lead(scores));
        self.0.children(game, state, scratch, visit);
    }
}
