//! Sets of cells in one 512-bit register.

use std::arch::x86_64::*;
use std::mem::MaybeUninit;

use plywood::Moves;

use super::board::{Board, USED_WORDS, WORDS, window_start};
use super::movegen::{Bits, Tally, View, ViewMut, Visitor, visit};
use super::moves::Move;
use super::outlook::{After, Outlook, Padded};
use super::pieces::{ORIENTATIONS, Window};
use super::terrain::{Overlap, Terrain};

/// A set of cells. A value exists only where the features of [`super::Path::Avx512`] do.
#[derive(Clone, Copy)]
pub(super) struct Register(__m512i);

// SAFETY of every block below that says no more: `Register` and `Lanes` values come from
// `load` and what is made of its result, and the caller of `load` has vouched that the
// processor has the instructions.
impl Bits for Register {
    type Tally = Lanes;

    #[inline(always)]
    unsafe fn load(board: &Board) -> Self {
        // SAFETY: a board is 64 bytes, aligned to 64.
        unsafe { Register(_mm512_load_si512(board.0.as_ptr().cast())) }
    }

    #[inline(always)]
    fn store(self, board: &mut Board) {
        // SAFETY: a board is 64 bytes, aligned to 64.
        unsafe { _mm512_store_si512(board.0.as_mut_ptr().cast(), self.0) };
    }

    #[inline(always)]
    unsafe fn copy(from: &Board, to: &mut Board) {
        // SAFETY: the caller vouches for the processor.
        unsafe { Register::load(from) }.store(to);
    }

    /// In whole registers, because the test for moves that follows loads whole registers,
    /// and would have to wait for narrower stores.
    #[inline(always)]
    unsafe fn place(view: ViewMut<'_>, mv: Move) -> u32 {
        let shape = mv.shape();
        let (word, by) = window_start(mv.anchor());
        // SAFETY: the caller vouches for the processor.
        unsafe {
            let by = _mm256_set1_epi64x(i64::from(by));
            let lanes = _mm512_sub_epi64(
                _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7),
                _mm512_set1_epi64(word as i64),
            );
            let used = (0b111_u32 << word) as u8;
            let moved = |window: &Window| {
                let words = _mm512_zextsi256_si512(shifted(window, by));
                Register(_mm512_maskz_permutexvar_epi64(used, lanes, words))
            };
            let occupied = Register::load(view.occupied).or(moved(shape.cells()));
            let forbidden = Register::load(view.forbidden).or(moved(shape.blocked()));
            let diagonal = Register::load(view.diagonal).or(moved(shape.diagonal()));
            occupied.store(view.occupied);
            forbidden.store(view.forbidden);
            diagonal.store(view.diagonal);
            let corner = diagonal.and(occupied.nor(forbidden));
            _mm512_reduce_add_epi64(_mm512_popcnt_epi64(corner.0)) as u32
        }
    }

    #[inline(always)]
    unsafe fn list(view: &View<'_>, moves: &mut Moves<'_, Move>) {
        // SAFETY: the caller vouches for the processor.
        unsafe { list(view, moves) }
    }

    #[inline(always)]
    unsafe fn corners_after<const RIVALS: bool>(outlook: &Outlook, mv: Move) -> After {
        // SAFETY: the caller vouches for the processor.
        unsafe { corners_after::<RIVALS>(outlook, mv) }
    }

    #[inline(always)]
    unsafe fn overlap(terrain: &Terrain, mv: Move) -> Overlap {
        // SAFETY: the caller vouches for the processor.
        unsafe { overlap(terrain, mv) }
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        unsafe { Register(_mm512_and_si512(self.0, other.0)) }
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        unsafe { Register(_mm512_or_si512(self.0, other.0)) }
    }

    #[inline(always)]
    fn nor(self, other: Self) -> Self {
        unsafe { Register(_mm512_ternarylogic_epi64::<0x03>(self.0, other.0, other.0)) }
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        unsafe { _mm512_test_epi64_mask(self.0, self.0) == 0 }
    }

    #[inline(always)]
    fn shift_down(self, by: usize) -> Self {
        unsafe {
            let zero = _mm512_setzero_si512();
            let next = _mm512_alignr_epi64::<1>(zero, self.0);
            let after = _mm512_alignr_epi64::<2>(zero, self.0);
            let bits = _mm512_set1_epi64((by % 64) as i64);
            if by < 64 {
                Register(_mm512_shrdv_epi64(self.0, next, bits))
            } else {
                Register(_mm512_shrdv_epi64(next, after, bits))
            }
        }
    }
}

/// A sum for every word.
pub(super) struct Lanes(__m512i);

impl Tally<Register> for Lanes {
    #[inline(always)]
    fn new(_: Register) -> Self {
        unsafe { Lanes(_mm512_setzero_si512()) }
    }

    #[inline(always)]
    fn add(&mut self, set: Register) {
        unsafe { self.0 = _mm512_add_epi64(self.0, _mm512_popcnt_epi64(set.0)) }
    }

    #[inline(always)]
    fn settle(&mut self) {}

    #[inline(always)]
    fn total(&self) -> usize {
        unsafe { _mm512_reduce_add_epi64(self.0) as usize }
    }
}

/// The half words of the legal sets that are not zero, in order, each with the move its
/// lowest bit stands for. Finding them first makes the listing free of branches that depend
/// on where the moves are.
struct Found {
    halves: *mut u32,
    moves: *mut u16,
    len: usize,
}

impl Found {
    /// Every store writes a whole register of half words, whatever of it counts.
    const ROOM: usize = ORIENTATIONS * 2 * USED_WORDS + 2 * WORDS;
}

impl Visitor<Register> for Found {
    #[inline(always)]
    fn places(&mut self, orientation: usize, places: Register) {
        // SAFETY: both pointers have room for ROOM. `visit` names every orientation at most
        // once, and each has at most 2 * USED_WORDS half words that are not zero: `len` is
        // at most ROOM - 2 * WORDS when the 2 * WORDS behind it are written.
        unsafe {
            #[rustfmt::skip]
            let first = _mm256_setr_epi16(
                0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448, 480,
            );
            let first = _mm256_add_epi16(first, _mm256_set1_epi16((orientation << 9) as i16));
            let used = _mm512_test_epi32_mask(places.0, places.0);
            let halves = _mm512_maskz_compress_epi32(used, places.0);
            _mm512_storeu_si512(self.halves.add(self.len).cast(), halves);
            let moves = _mm256_maskz_compress_epi16(used, first);
            _mm256_storeu_si256(self.moves.add(self.len).cast(), moves);
            self.len += used.count_ones() as usize;
        }
    }

    #[inline(always)]
    fn piece_done(&mut self) -> bool {
        false
    }
}

/// Lists the legal placements.
///
/// # Safety
/// The processor must have the features of [`super::Path::Avx512`].
#[inline(always)]
unsafe fn list(view: &View<'_>, list: &mut Moves<'_, Move>) {
    /// Moves written before they are handed over.
    const BATCH: usize = 1024;
    let mut halves = MaybeUninit::<[u32; Found::ROOM]>::uninit();
    let mut moves = MaybeUninit::<[u16; Found::ROOM]>::uninit();
    let mut batch = MaybeUninit::<[Move; BATCH + 32]>::uninit();
    let mut found = Found {
        halves: halves.as_mut_ptr().cast(),
        moves: moves.as_mut_ptr().cast(),
        len: 0,
    };
    let start = batch.as_mut_ptr().cast::<Move>();
    let mut len = 0;
    // SAFETY: the caller vouches for the processor. The first `found.len` entries were
    // written by `places`. A half word writes 32 moves from `len <= BATCH` on, so within the
    // batch; the moves below `len` have been written. `Move` is a transparent u16.
    unsafe {
        let (open, corner) = view.open_and_corner::<Register>();
        visit(open, corner, view.hand, &mut found);
        #[rustfmt::skip]
        let steps = _mm512_set_epi16(
            31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16,
            15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0,
        );
        for index in 0..found.len {
            let half = *found.halves.add(index);
            let first = _mm512_set1_epi16(*found.moves.add(index) as i16);
            let moves = _mm512_maskz_compress_epi16(half, _mm512_add_epi16(first, steps));
            _mm512_storeu_si512(start.add(len).cast(), moves);
            len += half.count_ones() as usize;
            if len > BATCH {
                list.extend(std::slice::from_raw_parts(start, len).iter().copied());
                len = 0;
            }
        }
        list.extend(std::slice::from_raw_parts(start, len).iter().copied());
    }
}

/// A window of a shape moved up by a number of bits.
///
/// # Safety
/// The processor must have the features of [`super::Path::Avx512`].
#[inline(always)]
unsafe fn shifted(window: &Window, by: __m256i) -> __m256i {
    let words = window.as_ptr();
    // SAFETY: a window has five words, of which four are loaded from the first and from the
    // second on.
    unsafe {
        let low = _mm256_loadu_si256(words.cast());
        let high = _mm256_loadu_si256(words.add(1).cast());
        _mm256_shldv_epi64(high, low, by)
    }
}

/// How many cells of a window that begins in a word are in each of four sets, a lane for
/// each: no sums across lanes are needed.
///
/// # Safety
/// The processor must have the features of [`super::Path::Avx512`]. `word` is below
/// [`WORDS`]: the sets have four words behind the last that a window can begin with.
#[inline(always)]
unsafe fn shared(window: __m256i, sets: &Padded<[u64; 4]>, word: usize) -> __m128i {
    // SAFETY: as above.
    unsafe {
        let rows = sets.as_ptr().add(word).cast::<__m256i>();
        let counts = |cells, at| {
            let row = _mm256_loadu_si256(rows.add(at));
            _mm256_popcnt_epi64(_mm256_and_si256(row, cells))
        };
        let lanes = _mm256_add_epi64(
            _mm256_add_epi64(
                counts(_mm256_permute4x64_epi64::<0b00_00_00_00>(window), 0),
                counts(_mm256_permute4x64_epi64::<0b01_01_01_01>(window), 1),
            ),
            counts(_mm256_permute4x64_epi64::<0b10_10_10_10>(window), 2),
        );
        _mm256_cvtepi64_epi32(lanes)
    }
}

/// [`Terrain::overlap`] in a few instructions.
///
/// # Safety
/// The processor must have the features of [`super::Path::Avx512`].
#[inline(always)]
unsafe fn overlap(terrain: &Terrain, mv: Move) -> Overlap {
    let shape = mv.shape();
    let (word, by) = window_start(mv.anchor());
    // Any number below WORDS keeps the loads in bounds.
    let word = word % WORDS;
    let mut counts = [0; 8];
    // SAFETY: the caller vouches for the processor, and two times four counts have room.
    unsafe {
        let by = _mm256_set1_epi64x(i64::from(by));
        let under = shared(shifted(shape.cells(), by), &terrain.under, word);
        let beside = shared(shifted(shape.diagonal(), by), &terrain.beside, word);
        let both = _mm256_set_m128i(beside, under);
        _mm256_storeu_si256(counts.as_mut_ptr().cast(), both);
    }
    counts
}

/// [`Outlook::after`] in a few instructions.
///
/// # Safety
/// The processor must have the features of [`super::Path::Avx512`].
#[inline(always)]
unsafe fn corners_after<const RIVALS: bool>(outlook: &Outlook, mv: Move) -> After {
    /// Of three sets: the first, and what the other two share.
    const OR_BOTH: i32 = 0xF8;
    let shape = mv.shape();
    let (word, by) = window_start(mv.anchor());
    // Any number below WORDS keeps the loads in bounds.
    let word = word % WORDS;
    // SAFETY: the caller vouches for the processor. The sets of an outlook have four words
    // behind the last that a window can begin with.
    unsafe {
        let by = _mm256_set1_epi64x(i64::from(by));
        let board = |set: &Padded<u64>| _mm256_loadu_si256(set.as_ptr().add(word).cast());
        let corner = _mm256_maskz_mov_epi64(0b0111, board(&outlook.corner));
        let diagonal = shifted(shape.diagonal(), by);
        let gained = _mm256_ternarylogic_epi64::<OR_BOTH>(corner, diagonal, board(&outlook.open));
        let left = _mm256_andnot_si256(shifted(shape.blocked(), by), gained);
        let counts = _mm256_popcnt_epi64(left);
        let pair = _mm_add_epi64(
            _mm256_castsi256_si128(counts),
            _mm256_extracti128_si256::<1>(counts),
        );
        let sum = _mm_add_epi64(pair, _mm_unpackhi_epi64(pair, pair));
        let mut lost = [0; 4];
        if RIVALS {
            let taken = shared(shifted(shape.cells(), by), &outlook.rivals, word);
            _mm_storeu_si128(lost.as_mut_ptr().cast(), taken);
        }
        After {
            corners: outlook.elsewhere[word] + _mm_cvtsi128_si32(sum),
            lost,
        }
    }
}
