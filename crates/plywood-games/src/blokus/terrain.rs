//! How much of a placement, and of what lies diagonally next to it, falls into certain sets.

use super::State;
use super::board::{Board, WORDS, shift, window_start};
use super::moves::Move;
use super::outlook::Padded;

/// The sets that placements are compared with: four for their cells, four for the cells
/// diagonally next to them, each four side by side.
#[repr(C, align(64))]
pub(super) struct Terrain {
    pub(super) under: Padded<[u64; 4]>,
    pub(super) beside: Padded<[u64; 4]>,
}

/// How many cells of a placement are in each of the four sets for cells, and how many
/// diagonally next to it in each of the other four.
pub(super) type Overlap = [i32; 8];

impl Terrain {
    /// What tells the moves of the colour to move apart: for their cells, those one and two
    /// steps from a corner cell of a rival, those that rivals can not take, and those near
    /// where a rival has played last; for the cells diagonally next to them, if they are not
    /// corner cells already, those that a rival can get to, those that rivals can not take,
    /// those that the colour could not get to before, and those with room on all four sides.
    ///
    /// The sets are the corner cells of every rival; for the mover those that rivals have
    /// just got.
    #[inline(always)]
    pub(super) fn of<const COLOURS: usize>(state: &State<COLOURS>, sets: &[Board; 4]) -> Self {
        let mover = state.turn();
        let empty = Board::EMPTY;
        let (mut corners, mut one_step, mut two_steps) = (empty, empty, empty);
        let (mut taken_by_rivals, mut anywhere) = (empty, empty);
        for colour in state.rivals() {
            let open = state.open(colour);
            let first = sets[colour].grown_within(&open);
            let second = first.grown_within(&open);
            corners = corners.or(&sets[colour]);
            one_step = one_step.or(&first);
            two_steps = two_steps.or(&second);
            taken_by_rivals = taken_by_rivals.or(state.surroundings(colour).0);
            anywhere = anywhere.or(&open);
        }
        let own_open = state.open(mover);
        let own_corner = state.corner(mover);
        let near_fresh = sets[mover].grown_within(&anywhere);
        let near_fresh = near_fresh.grown_within(&anywhere);
        let own_reach = own_corner.grown_within(&own_open).grown_within(&own_open);
        let new = own_open.without(&own_corner);
        Terrain::new(
            &[
                one_step.without(&corners),
                two_steps.without(&one_step),
                taken_by_rivals,
                near_fresh,
            ],
            &[
                new.and(&two_steps),
                new.and(&taken_by_rivals),
                new.without(&own_reach),
                new.and(&own_open.inner()),
            ],
        )
    }

    #[inline(always)]
    fn new(under: &[Board; 4], beside: &[Board; 4]) -> Self {
        let side_by_side = |boards: &[Board; 4]| {
            let mut rows = [[0; 4]; WORDS + 4];
            for (row, words) in rows.iter_mut().take(WORDS).enumerate() {
                for (lane, board) in words.iter_mut().zip(boards) {
                    *lane = board.0[row];
                }
            }
            rows
        };
        Terrain {
            under: side_by_side(under),
            beside: side_by_side(beside),
        }
    }

    /// Compares a placement.
    #[inline(always)]
    pub(super) fn overlap(&self, mv: Move) -> Overlap {
        let shape = mv.shape();
        let (word, by) = window_start(mv.anchor());
        let mut counts = [0; 8];
        let (under, beside) = counts.split_at_mut(4);
        for (counts, window, sets) in [
            (under, shift(shape.cells(), by), &self.under),
            (beside, shift(shape.diagonal(), by), &self.beside),
        ] {
            for (row, cells) in sets[word..].iter().zip(window) {
                // Most words of a window hold no cell of the piece.
                if cells != 0 {
                    for (count, set) in counts.iter_mut().zip(row) {
                        *count += (set & cells).count_ones() as i32;
                    }
                }
            }
        }
        counts
    }
}
