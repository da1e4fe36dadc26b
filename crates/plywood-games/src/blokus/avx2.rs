//! Sets of cells in two 256-bit registers.

use std::arch::x86_64::*;

use super::board::Board;
use super::movegen::{Bits, Tally};

/// A set of cells: the low and the high half. A value exists only where AVX2 does.
#[derive(Clone, Copy)]
pub(super) struct Halves(__m256i, __m256i);

// SAFETY of every block below: `Halves` and `Bytes` values come from `load` and what is made
// of its result, and the caller of `load` has vouched that the processor has AVX2.
impl Bits for Halves {
    type Tally = Bytes;

    #[inline(always)]
    unsafe fn load(board: &Board) -> Self {
        let words = board.0.as_ptr().cast::<__m256i>();
        // SAFETY: a board is 64 bytes, aligned to 64.
        unsafe { Halves(_mm256_load_si256(words), _mm256_load_si256(words.add(1))) }
    }

    #[inline(always)]
    fn store(self, board: &mut Board) {
        let words = board.0.as_mut_ptr().cast::<__m256i>();
        // SAFETY: a board is 64 bytes, aligned to 64.
        unsafe {
            _mm256_store_si256(words, self.0);
            _mm256_store_si256(words.add(1), self.1);
        }
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        unsafe {
            Halves(
                _mm256_and_si256(self.0, other.0),
                _mm256_and_si256(self.1, other.1),
            )
        }
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        unsafe {
            Halves(
                _mm256_or_si256(self.0, other.0),
                _mm256_or_si256(self.1, other.1),
            )
        }
    }

    #[inline(always)]
    fn nor(self, other: Self) -> Self {
        let either = self.or(other);
        unsafe {
            let ones = _mm256_set1_epi64x(-1);
            Halves(
                _mm256_xor_si256(either.0, ones),
                _mm256_xor_si256(either.1, ones),
            )
        }
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        unsafe {
            let both = _mm256_or_si256(self.0, self.1);
            _mm256_testz_si256(both, both) != 0
        }
    }

    #[inline(always)]
    fn shift_down(self, by: usize) -> Self {
        let from = if by >= 64 { self.next_words() } else { self };
        let bits = (by % 64) as i64;
        if bits == 0 {
            return from;
        }
        let carry = from.next_words();
        unsafe {
            let down = _mm_cvtsi64_si128(bits);
            let up = _mm_cvtsi64_si128(64 - bits);
            let half = |low, high| {
                _mm256_or_si256(_mm256_srl_epi64(low, down), _mm256_sll_epi64(high, up))
            };
            Halves(half(from.0, carry.0), half(from.1, carry.1))
        }
    }
}

impl Halves {
    /// The set moved down by a whole word.
    #[inline(always)]
    fn next_words(self) -> Self {
        const ROTATE: i32 = 0b00_11_10_01;
        const LAST: i32 = 0b1100_0000;
        unsafe {
            let low = _mm256_permute4x64_epi64::<ROTATE>(self.0);
            let high = _mm256_permute4x64_epi64::<ROTATE>(self.1);
            Halves(
                _mm256_blend_epi32::<LAST>(low, high),
                _mm256_blend_epi32::<LAST>(high, _mm256_setzero_si256()),
            )
        }
    }
}

/// A sum for every byte of the registers, so that a set costs no sum across lanes; eight
/// sets in two halves add at most 128 to a byte.
pub(super) struct Bytes {
    bytes: __m256i,
    sums: __m256i,
}

impl Tally<Halves> for Bytes {
    #[inline(always)]
    fn new(_: Halves) -> Self {
        unsafe {
            Bytes {
                bytes: _mm256_setzero_si256(),
                sums: _mm256_setzero_si256(),
            }
        }
    }

    #[inline(always)]
    fn add(&mut self, set: Halves) {
        unsafe {
            #[rustfmt::skip]
            let ones_of_nibble = _mm256_setr_epi8(
                0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
                0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
            );
            let nibble = _mm256_set1_epi8(15);
            for half in [set.0, set.1] {
                let low = _mm256_and_si256(half, nibble);
                let high = _mm256_and_si256(_mm256_srli_epi16::<4>(half), nibble);
                self.bytes = _mm256_add_epi8(self.bytes, _mm256_shuffle_epi8(ones_of_nibble, low));
                self.bytes = _mm256_add_epi8(self.bytes, _mm256_shuffle_epi8(ones_of_nibble, high));
            }
        }
    }

    #[inline(always)]
    fn settle(&mut self) {
        unsafe {
            let zero = _mm256_setzero_si256();
            self.sums = _mm256_add_epi64(self.sums, _mm256_sad_epu8(self.bytes, zero));
            self.bytes = zero;
        }
    }

    #[inline(always)]
    fn total(&self) -> usize {
        unsafe {
            let pair = _mm_add_epi64(
                _mm256_castsi256_si128(self.sums),
                _mm256_extracti128_si256::<1>(self.sums),
            );
            (_mm_cvtsi128_si64(pair) + _mm_extract_epi64::<1>(pair)) as usize
        }
    }
}
