//! Sets of cells in plain words: for every processor.

use super::board::{Board, USED_WORDS};
use super::movegen::{Bits, Tally};

/// A set of cells as words.
#[derive(Clone, Copy)]
pub(super) struct Plain([u64; USED_WORDS]);

impl Bits for Plain {
    type Tally = Sum;

    #[inline(always)]
    unsafe fn load(board: &Board) -> Self {
        let (used, _) = board.0.split_first_chunk().expect("a board has more words");
        Plain(*used)
    }

    #[inline(always)]
    fn store(self, board: &mut Board) {
        board.0[..USED_WORDS].copy_from_slice(&self.0);
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Plain(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Plain(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    #[inline(always)]
    fn nor(self, other: Self) -> Self {
        Plain(std::array::from_fn(|i| !(self.0[i] | other.0[i])))
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    #[inline(always)]
    fn shift_down(self, by: usize) -> Self {
        let word = |i: usize| if i < USED_WORDS { self.0[i] } else { 0 };
        let (words, bits) = (by / 64, by % 64);
        Plain(std::array::from_fn(|i| {
            if bits == 0 {
                word(i + words)
            } else {
                (word(i + words) >> bits) | (word(i + words + 1) << (64 - bits))
            }
        }))
    }
}

/// A plain sum.
pub(super) struct Sum(u32);

impl Tally<Plain> for Sum {
    #[inline(always)]
    fn new(_: Plain) -> Self {
        Sum(0)
    }

    #[inline(always)]
    fn add(&mut self, set: Plain) {
        self.0 += set.0.iter().map(|word| word.count_ones()).sum::<u32>();
    }

    #[inline(always)]
    fn settle(&mut self) {}

    #[inline(always)]
    fn total(&self) -> usize {
        self.0 as usize
    }
}
