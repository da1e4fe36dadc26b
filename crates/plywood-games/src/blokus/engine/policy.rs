//! Which moves are likely to be good, by what they do at once: for playouts, and for the
//! first look at the moves of a node.

use std::ops::ControlFlow;

use plywood::Moves;

use super::super::board::{Board, COLUMNS, cell_at, shift, window_start};
use super::super::movegen::View;
use super::super::moves::Move;
use super::super::pieces::{ORIENTATIONS, SHAPES};
use super::super::{Blokus, PIECES, Piece, State};

/// How many numbers describe a move, beside its piece.
pub const FEATURES: usize = 12;
/// How many of them, the first ones, are quick enough for playouts.
pub const QUICK: usize = 4;
/// Every phase of a game has weights of its own: the first two moves of a colour, the next
/// three, the next six, the others.
pub const PHASES: usize = 4;

/// How much each of the numbers that describe a move counts, in logarithms of how likely the
/// move is.
///
/// The numbers are the corner cells
///
/// 0. that the mover has more afterwards,
/// 1. that its rivals lose,
/// 2. among these those that a rival has got by its last move,
/// 3. and how close to the centre the piece comes;
///
/// the cells of the piece
///
/// 4. that are a step away from a corner cell of a rival,
/// 5. that are two steps away,
/// 6. that lie beside pieces of a rival, so that it can not take them,
/// 7. that are at most two steps from where a rival has played last;
///
/// and the new corner cells
///
/// 8. that a rival can get to,
/// 9. that lie beside pieces of a rival,
/// 10. that the mover could not get to before,
/// 11. that have room on all four sides.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Weights {
    /// By phase and piece.
    pub pieces: [[f32; PIECES]; PHASES],
    /// By phase, of the numbers.
    pub numbers: [[f32; FEATURES]; PHASES],
}

impl Weights {
    /// The same in all phases, pieces by size.
    pub(super) const fn by_size(sizes: [f32; 5], first: [f32; QUICK]) -> Self {
        let mut pieces = [0.0; PIECES];
        let mut piece = 0;
        while piece < PIECES {
            pieces[piece] = sizes[Piece::new(piece).size() as usize - 1];
            piece += 1;
        }
        let mut numbers = [0.0; FEATURES];
        let mut number = 0;
        while number < QUICK {
            numbers[number] = first[number];
            number += 1;
        }
        Weights {
            pieces: [pieces; PHASES],
            numbers: [numbers; PHASES],
        }
    }
}

/// The phase for a colour that has placed so many pieces.
const fn phase(placed: u32) -> usize {
    match placed {
        0..2 => 0,
        2..5 => 1,
        5..11 => 2,
        _ => 3,
    }
}

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
    state: &'a State<COLOURS>,
    centre: &'a Centre,
    view: View<'a>,
    /// The corner cells of the rivals; for the mover those that rivals have just got.
    sets: [Board; 4],
    mover: usize,
    corners: i32,
    phase: usize,
}

impl<'a, const COLOURS: usize> Judge<'a, COLOURS> {
    /// For the colour to move.
    #[inline]
    pub fn new(game: &'a Blokus<COLOURS>, centre: &'a Centre, state: &'a State<COLOURS>) -> Self {
        let mover = state.turn();
        let mut sets = [Board::EMPTY; 4];
        let mut fresh = Board::EMPTY;
        for colour in state.rivals() {
            let corner = state.corner(colour);
            if let Some(mv) = state.recent(colour) {
                let (word, by) = window_start(mv.anchor());
                let beside = shift(mv.shape().diagonal(), by);
                let words = fresh.0[word..].iter_mut().zip(&corner.0[word..]);
                for ((fresh, corner), beside) in words.zip(beside) {
                    *fresh |= corner & beside;
                }
            }
            sets[colour] = corner;
        }
        sets[mover] = fresh;
        let view = state.view(mover);
        Judge {
            game,
            state,
            centre,
            view,
            sets,
            mover,
            corners: state.corner_cells(mover) as i32,
            phase: phase(PIECES as u32 - view.hand.count_ones()),
        }
    }

    /// The phase of the game for the mover.
    pub fn phase(&self) -> usize {
        self.phase
    }

    /// What describes each of these moves, as far as it is quickly found.
    #[inline]
    pub fn describe_quickly(&self, moves: &[Move], mut visit: impl FnMut(Move, [f32; QUICK])) {
        let path = self.game.path;
        path.children::<true>(&self.view, &self.sets, moves, |mv, after| {
            let fresh = after.lost[self.mover];
            let taken = after.lost.iter().sum::<i32>() - fresh;
            visit(
                mv,
                [
                    (after.corners - self.corners) as f32,
                    taken as f32,
                    fresh as f32,
                    self.centre.of(mv),
                ],
            );
            ControlFlow::Continue(())
        });
    }

    /// What describes each of these moves.
    pub fn describe(&self, moves: &[Move], mut visit: impl FnMut(Move, [f32; FEATURES])) {
        let mut overlaps = Vec::with_capacity(moves.len());
        let path = self.game.path;
        let terrain = path.terrain(self.state, &self.sets);
        path.overlaps(&terrain, moves, &mut overlaps);
        let mut overlaps = overlaps.into_iter();
        self.describe_quickly(moves, |mv, quick| {
            let overlap = overlaps.next().expect("one for every move");
            let mut numbers = [0.0; FEATURES];
            numbers[..QUICK].copy_from_slice(&quick);
            for (number, count) in numbers[QUICK..].iter_mut().zip(overlap) {
                *number = count as f32;
            }
            visit(mv, numbers);
        });
    }

    /// How likely each of these moves is, as a logarithm.
    pub fn weigh(&self, weights: &Weights, moves: &[Move], mut visit: impl FnMut(Move, f32)) {
        let pieces = &weights.pieces[self.phase];
        let of_numbers = &weights.numbers[self.phase];
        self.describe(moves, |mv, numbers| {
            let sum: f32 = numbers.iter().zip(of_numbers).map(|(n, w)| n * w).sum();
            visit(mv, sum + pieces[mv.shape().piece as usize]);
        });
    }

    /// The same by what is quickly found.
    #[inline]
    pub fn weigh_quickly(
        &self,
        weights: &Weights,
        moves: &[Move],
        mut visit: impl FnMut(Move, f32),
    ) {
        let pieces = &weights.pieces[self.phase];
        let of_numbers = &weights.numbers[self.phase];
        self.describe_quickly(moves, |mv, numbers| {
            let sum: f32 = numbers.iter().zip(of_numbers).map(|(n, w)| n * w).sum();
            visit(mv, sum + pieces[mv.shape().piece as usize]);
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
