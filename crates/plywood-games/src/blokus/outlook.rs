//! How many corner cells a colour has after each of its moves, without making them.

use super::board::{Board, WORDS, shift, window_start};
use super::moves::Move;

/// Words of a set with room for a window that begins in the last one.
pub(super) type Padded = [u64; WORDS + 4];

/// What decides the number of corner cells of a colour after a move.
#[repr(C, align(64))]
pub(super) struct Outlook {
    /// Its corner cells now.
    pub(super) corner: Padded,
    /// The cells open to it now.
    pub(super) open: Padded,
    /// The corner cells of all other colours.
    pub(super) rivals: Padded,
    /// How many corner cells it has outside the three words that begin with each word.
    pub(super) elsewhere: [u32; WORDS],
}

impl Outlook {
    pub(super) fn new(open: &Board, corner: &Board, rivals: &Board) -> Self {
        let pad = |board: &Board| {
            let mut padded = [0; WORDS + 4];
            padded[..WORDS].copy_from_slice(&board.0);
            padded
        };
        let corner = pad(corner);
        let total: u32 = corner.iter().map(|word| word.count_ones()).sum();
        Outlook {
            elsewhere: std::array::from_fn(|first| {
                let window = &corner[first..first + 3];
                total - window.iter().map(|word| word.count_ones()).sum::<u32>()
            }),
            corner,
            open: pad(open),
            rivals: pad(rivals),
        }
    }

    /// The number of corner cells after the move, and, if `RIVALS`, whether it takes corner
    /// cells of another colour.
    #[inline(always)]
    pub(super) fn after<const RIVALS: bool>(&self, mv: Move) -> (u32, bool) {
        let shape = mv.shape();
        let (word, by) = window_start(mv.anchor());
        let blocked = shift(shape.blocked(), by);
        let diagonal = shift(shape.diagonal(), by);
        let mut corners = self.elsewhere[word];
        for i in 0..3 {
            let gained = diagonal[i] & self.open[word + i];
            corners += ((self.corner[word + i] | gained) & !blocked[i]).count_ones();
        }
        let touches = RIVALS && {
            let cells = shift(shape.cells(), by);
            (0..3).any(|i| cells[i] & self.rivals[word + i] != 0)
        };
        (corners, touches)
    }
}
