//! Which moves are likely to be good, by what they do at once: for playouts, and for the
//! first look at the moves of a node.

use std::ops::ControlFlow;

use plywood::Moves;

use super::super::board::{Board, COLUMNS, cell_at};
use super::super::movegen::View;
use super::super::moves::Move;
use super::super::pieces::{ORIENTATIONS, SHAPES};
use super::super::{Blokus, State};

/// How many numbers describe a move.
pub const FEATURES: usize = 9;

/// How much each of the numbers that describe a move counts, in logarithms of how likely the
/// move is. The numbers are: whether the piece has five squares, four, three or two; the
/// corner cells that the mover has more afterwards; the corner cells that its rivals lose;
/// how close to the centre the piece comes, in the first moves; corner cells and rivals'
/// losses once more, towards the end.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Weights(pub [f32; FEATURES]);

/// In how many of its own moves a colour looks to the centre.
const OPENING: u32 = 5;
/// From how many squares on it is late.
const LATE: u8 = 55;

/// By number of a move: how many steps closer to the centre than a corner of the board the
/// piece comes.
pub(super) struct Centre {
    steps: Box<[i8]>,
}

impl Centre {
    pub fn new(size: usize) -> Self {
        let mut steps = vec![0; ORIENTATIONS << 9].into_boxed_slice();
        for (orientation, shape) in SHAPES.iter().enumerate() {
            for anchor in COLUMNS + 1..COLUMNS * (size + 1) {
                let (left, top) = cell_at(anchor);
                let cells = shape.offsets().iter();
                let closest = cells.map(|offset| {
                    let away = |at: usize| (2 * at as i32 + 1 - size as i32).abs();
                    let x = away(left + usize::from(offset.x));
                    let y = away(top + usize::from(offset.y));
                    x.max(y)
                });
                let closest = closest.min().unwrap_or(0);
                let mv = Move::new(orientation, anchor);
                steps[usize::from(mv.number())] = ((size as i32 - closest) / 2) as i8;
            }
        }
        Centre { steps }
    }

    fn of(&self, mv: Move) -> f32 {
        f32::from(self.steps[usize::from(mv.number())])
    }
}

/// The parts of a position that its moves are judged by.
pub(super) struct Judge<'a, const COLOURS: usize> {
    game: &'a Blokus<COLOURS>,
    centre: &'a Centre,
    view: View<'a>,
    rivals: [Board; COLOURS],
    corners: i32,
    opening: bool,
    late: bool,
}

impl<'a, const COLOURS: usize> Judge<'a, COLOURS> {
    /// For the colour to move.
    #[inline]
    pub fn new(game: &'a Blokus<COLOURS>, centre: &'a Centre, state: &'a State<COLOURS>) -> Self {
        let mover = state.turn();
        let mut rivals: [Board; COLOURS] = std::array::from_fn(|colour| {
            if colour == mover || state.is_out(colour) {
                Board::EMPTY
            } else {
                state.corner(colour)
            }
        });
        rivals[mover] = Board::EMPTY;
        let view = state.view(mover);
        Judge {
            game,
            centre,
            view,
            rivals,
            corners: state.corner_cells(mover) as i32,
            opening: 21 - view.hand.count_ones() < OPENING,
            late: state.squares(mover) >= LATE,
        }
    }

    /// What describes each of these moves.
    #[inline]
    pub fn describe(&self, moves: &[Move], mut visit: impl FnMut(Move, [f32; FEATURES])) {
        let (opening, late) = (self.opening as u8 as f32, self.late as u8 as f32);
        self.game
            .path
            .children::<true>(&self.view, &self.rivals, moves, |mv, after| {
                let size = mv.shape().size;
                let is = |wanted: u8| f32::from(u8::from(size == wanted));
                let corners = (after.corners - self.corners) as f32;
                let taken = after.lost.iter().sum::<i32>() as f32;
                let centre = self.centre.of(mv) * opening;
                visit(
                    mv,
                    [
                        is(5),
                        is(4),
                        is(3),
                        is(2),
                        corners,
                        taken,
                        centre,
                        corners * late,
                        taken * late,
                    ],
                );
                ControlFlow::Continue(())
            });
    }

    /// How likely each of these moves is, as a logarithm.
    #[inline]
    pub fn weigh(&self, weights: &Weights, moves: &[Move], mut visit: impl FnMut(Move, f32)) {
        self.describe(moves, |mv, numbers| {
            let sum = numbers.iter().zip(&weights.0).map(|(n, w)| n * w).sum();
            visit(mv, sum);
        });
    }
}

/// Lists the moves of the colour to move with pieces of a certain size.
#[inline]
pub(super) fn list_of_size<const COLOURS: usize>(
    game: &Blokus<COLOURS>,
    state: &State<COLOURS>,
    sizes: u32,
    moves: &mut Vec<Move>,
) {
    moves.clear();
    let mut view = state.view(state.turn());
    view.hand &= sizes;
    if view.hand != 0 {
        game.path.list(&view, &mut Moves::new(moves));
    }
}
