//! How many corner cells the colours have after each move, without making the moves.

use super::board::{Board, WORDS, shift, window_start};
use super::movegen::{Bits, View};
use super::moves::Move;

/// One entry for each word of a set, with room for a window that begins in the last one.
pub(super) type Padded<T> = [T; WORDS + 4];

/// What decides the numbers of corner cells after a move of a colour.
#[repr(C, align(64))]
pub(super) struct Outlook {
    /// Its corner cells now.
    pub(super) corner: Padded<u64>,
    /// The cells open to it now.
    pub(super) open: Padded<u64>,
    /// The corner cells of the other colours, side by side.
    pub(super) rivals: Padded<[u64; 4]>,
    /// How many corner cells it has outside the three words that begin with each word.
    pub(super) elsewhere: [i32; WORDS],
}

/// The corner cells after a move.
pub(super) struct After {
    /// How many the mover has.
    pub(super) corners: i32,
    /// How many each other colour has lost.
    pub(super) lost: [i32; 4],
}

impl Outlook {
    /// What the colour with this view sees. `rivals` has the corner cells of all colours,
    /// none for the mover.
    ///
    /// # Safety
    /// As [`Bits::load`].
    #[inline(always)]
    pub(super) unsafe fn new<B: Bits>(view: &View<'_>, rivals: &[Board]) -> Self {
        // SAFETY: the caller vouches for the processor.
        let (open, corner) = unsafe { view.open_and_corner::<B>() };
        let pad = |set: B| {
            let mut board = Board::EMPTY;
            set.store(&mut board);
            let mut padded = [0; WORDS + 4];
            padded[..WORDS].copy_from_slice(&board.0);
            padded
        };
        let corner: Padded<u64> = pad(corner);
        let sizes = corner.map(|word| word.count_ones() as i32);
        let total: i32 = sizes.iter().sum();
        let mut outlook = Outlook {
            elsewhere: std::array::from_fn(|i| total - sizes[i] - sizes[i + 1] - sizes[i + 2]),
            corner,
            open: pad(open),
            rivals: [[0; 4]; WORDS + 4],
        };
        for (colour, board) in rivals.iter().enumerate().take(4) {
            for (row, word) in outlook.rivals.iter_mut().zip(board.0) {
                row[colour] = word;
            }
        }
        outlook
    }

    /// The corner cells after a move; what the others lose only if `RIVALS`.
    #[inline(always)]
    pub(super) fn after<const RIVALS: bool>(&self, mv: Move) -> After {
        let shape = mv.shape();
        let (word, by) = window_start(mv.anchor());
        let blocked = shift(shape.blocked(), by);
        let diagonal = shift(shape.diagonal(), by);
        let mut corners = self.elsewhere[word];
        for i in 0..3 {
            let gained = diagonal[i] & self.open[word + i];
            corners += ((self.corner[word + i] | gained) & !blocked[i]).count_ones() as i32;
        }
        let mut lost = [0; 4];
        if RIVALS {
            let cells = shift(shape.cells(), by);
            for (row, cells) in self.rivals[word..].iter().zip(cells) {
                // Most words of a window hold no cell of the piece.
                if cells != 0 {
                    for (lost, corners) in lost.iter_mut().zip(row) {
                        *lost += (corners & cells).count_ones() as i32;
                    }
                }
            }
        }
        After { corners, lost }
    }
}
