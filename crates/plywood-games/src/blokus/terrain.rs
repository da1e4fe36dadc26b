//! How much of a placement, and of what lies diagonally next to it, falls into certain sets.

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
    pub(super) fn new(under: &[Board; 4], beside: &[Board; 4]) -> Self {
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
