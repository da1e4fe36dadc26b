//! A position: two rows of bytes, two stores and the mover.

use plywood::Seat;

use super::rules::{MAX_PITS, MAX_STONES, RulesError};

/// A pit of the player to move, counted from 0, the pit farthest from the player's store.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Pit(u8);

impl Pit {
    /// The pit with this number, counted from 0.
    #[inline]
    pub const fn new(index: u8) -> Self {
        Pit(index)
    }

    /// The number of this pit, counted from 0.
    #[inline]
    pub const fn index(self) -> u8 {
        self.0
    }

    /// The pits of a row that hold stones, in ascending order.
    #[inline(always)]
    pub(super) fn non_empty(row: u64) -> impl Iterator<Item = Pit> {
        let mut rest = full_bytes(row);
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let pit = Pit((rest.trailing_zeros() / 8) as u8);
            rest &= rest - 1;
            Some(pit)
        })
    }
}

/// The top bit of every byte that is not 0.
#[inline(always)]
pub(super) fn full_bytes(row: u64) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    (((row & LOW) + LOW) | row) & !LOW
}

/// The sum of the bytes, which must be at most 255: a multiplication adds them all up in
/// the top byte.
#[inline(always)]
pub(super) fn byte_sum(row: u64) -> i32 {
    (row.wrapping_mul(0x0101_0101_0101_0101) >> 56) as i32
}

/// A position of Kalah.
///
/// A row is one `u64`, pit 0 in the lowest byte; bytes beyond the number of pits are 0.
/// All stones together are at most [`MAX_STONES`], so no byte ever overflows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    pub(super) rows: [u64; 2],
    /// South's store in the lowest byte, North's in the next, the mover in the lowest bit
    /// of the third: one word, because a load just after narrower stores has to wait.
    pub(super) rest: u32,
}

/// What a move changes, to take it back.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    pub(super) other: u64,
    pub(super) own: u64,
    pub(super) rest: u32,
}

/// Where the mover is in [`Position::rest`].
pub(super) const MOVER_SHIFT: u32 = 16;

impl Position {
    pub(super) fn new(
        pits: u8,
        rows: [&[u8]; 2],
        stores: [u8; 2],
        mover: Seat,
    ) -> Result<Self, RulesError> {
        if let Some(row) = rows.iter().find(|row| row.len() != usize::from(pits)) {
            return Err(RulesError::RowLength {
                expected: pits,
                found: row.len(),
            });
        }
        if mover.index() > 1 {
            return Err(RulesError::Mover(mover.index()));
        }
        let total: u32 = rows
            .into_iter()
            .flatten()
            .chain(&stores)
            .map(|&stones| u32::from(stones))
            .sum();
        if total > MAX_STONES {
            return Err(RulesError::TotalStones(total));
        }
        let pack = |row: &[u8]| {
            let mut bytes = [0; MAX_PITS as usize];
            bytes[..row.len()].copy_from_slice(row);
            u64::from_le_bytes(bytes)
        };
        Ok(Position {
            rows: rows.map(pack),
            rest: u32::from(u16::from_le_bytes(stores)) | (mover.index() as u32) << MOVER_SHIFT,
        })
    }

    /// The player whose turn it is, unless the game is over.
    #[inline]
    pub fn mover(&self) -> Seat {
        Seat::new((self.rest >> MOVER_SHIFT) as u8)
    }

    /// The stones in a player's store.
    #[inline]
    pub fn store(&self, seat: Seat) -> u8 {
        (self.rest >> (8 * (seat.index() & 1))) as u8
    }

    /// The stones in a player's pits, the pit farthest from the own store first; 0 for
    /// pits that the game does not have.
    #[inline]
    pub fn row(&self, seat: Seat) -> [u8; MAX_PITS as usize] {
        self.rows[seat.index() & 1].to_le_bytes()
    }

    /// South's store minus North's.
    #[inline]
    pub fn store_margin(&self) -> i32 {
        i32::from(self.rest as u8) - i32::from((self.rest >> 8) as u8)
    }

    #[inline(always)]
    pub(super) fn mover_index(&self) -> usize {
        // The mask is what lets the compiler drop bounds checks.
        (self.rest >> MOVER_SHIFT & 1) as usize
    }

    #[inline(always)]
    pub(super) fn own(&self) -> u64 {
        self.rows[self.mover_index()]
    }

    #[inline(always)]
    pub(super) fn other(&self) -> u64 {
        self.rows[1 - self.mover_index()]
    }

    #[inline]
    pub(super) fn hash(&self) -> u64 {
        let rows = folded_product(
            self.rows[0] ^ 0x9e37_79b9_7f4a_7c15,
            self.rows[1] ^ 0xd1b5_4a32_d192_ed03,
        );
        folded_product(
            rows ^ u64::from(self.rest).wrapping_mul(0xa24b_aed4_963e_e407),
            0x9fb2_1c65_1e98_df25,
        )
    }
}

/// Both halves of the 128-bit product: every input bit reaches every output bit.
#[inline(always)]
fn folded_product(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_counted_and_added() {
        for row in [
            0u64,
            1,
            0x80,
            0xff,
            0x0100_0000_0000_00ff,
            0x0102_0304_0506_0708,
        ] {
            let bytes = row.to_le_bytes();
            let full = bytes.iter().filter(|&&byte| byte != 0).count();
            assert_eq!(full_bytes(row).count_ones() as usize, full, "{row:x}");
            let pits: Vec<u8> = Pit::non_empty(row).map(Pit::index).collect();
            let expected: Vec<u8> = (0..8).filter(|&pit| bytes[usize::from(pit)] != 0).collect();
            assert_eq!(pits, expected, "{row:x}");
        }
        assert_eq!(byte_sum(0x0102_0304_0506_0708), 36);
        assert_eq!(byte_sum(0xff00), 255);
    }
}
