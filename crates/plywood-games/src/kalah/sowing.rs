//! Sowing by table: what every number of stones from every pit adds to every byte.

use std::fmt;
use std::sync::OnceLock;

use super::position::Pit;
use super::rules::MAX_PITS;

/// What a move makes of the rows, as the mover sees them.
#[derive(Clone, Copy)]
pub(super) struct Sown {
    pub own: u64,
    pub other: u64,
    /// Stones that go into the mover's store.
    pub banked: u8,
    /// Whether the mover moves again.
    pub again: bool,
}

/// What sowing a number of stones from a pit adds, and where the last stone lands.
#[derive(Clone, Copy, Default)]
pub(super) struct Sowing {
    /// Added to the mover's row; the stones taken out of the pit are already subtracted.
    pub own: u64,
    /// Added to the other row.
    pub other: u64,
    /// The byte of the mover's row where the last stone lands; 0 if it lands elsewhere.
    pub landing: u64,
    /// One stone in that byte; if the last stone lands elsewhere something `landing` can
    /// never leave of a row.
    pub alone: u64,
    /// Added to the mover's store.
    pub store: u8,
    /// Bits to the right of the landing pit's opposite, in the other row.
    pub opposite_shift: u8,
    /// Whether the last stone lands in the mover's store.
    pub again: bool,
}

const PITS: usize = MAX_PITS as usize;

/// The sowings of a board, by pit and number of stones.
pub(super) struct SowTable {
    sowings: [Sowing; PITS << 8],
}

impl fmt::Debug for SowTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SowTable")
    }
}

impl SowTable {
    /// The table for this many pits a side, 1 to 8, built when it is first asked for.
    pub(super) fn for_pits(pits: u8) -> &'static SowTable {
        static TABLES: [OnceLock<Box<SowTable>>; PITS] = [const { OnceLock::new() }; PITS];
        TABLES[usize::from(pits) - 1].get_or_init(|| Box::new(SowTable::build(usize::from(pits))))
    }

    fn build(pits: usize) -> SowTable {
        let mut sowings = [Sowing::default(); PITS << 8];
        for pit in 0..pits {
            for stones in 1..=255 {
                sowings[pit << 8 | stones] = Sowing::of(pits, pit, stones);
            }
        }
        SowTable { sowings }
    }

    /// What sowing the stones of a pit of this row adds, before any capture.
    #[inline(always)]
    pub(super) fn sowing(&self, own: u64, pit: Pit) -> &Sowing {
        let pit = usize::from(pit.index()) % PITS;
        let stones = (own >> (8 * pit)) as u8;
        &self.sowings[pit << 8 | usize::from(stones)]
    }

    /// Sows the stones of an own pit that is not empty. `bank_alone`: a last stone in an
    /// empty own pit is captured even if there is nothing opposite.
    #[inline(always)]
    pub(super) fn sow(&self, own: u64, other: u64, pit: Pit, bank_alone: bool) -> Sown {
        let sowing = self.sowing(own, pit);
        let mut sown = Sown {
            own: own.wrapping_add(sowing.own),
            other: other.wrapping_add(sowing.other),
            banked: sowing.store,
            again: sowing.again,
        };
        // A pit that holds one stone after the last stone fell into it was empty before:
        // also the origin after exactly one lap.
        if sown.own & sowing.landing == sowing.alone {
            let opposite = (sown.other >> sowing.opposite_shift) & 0xff;
            if bank_alone || opposite != 0 {
                sown.own ^= sowing.alone;
                sown.other ^= opposite << sowing.opposite_shift;
                sown.banked = sown.banked.wrapping_add(opposite as u8).wrapping_add(1);
            }
        }
        sown
    }
}

impl Sowing {
    fn of(pits: usize, pit: usize, stones: usize) -> Sowing {
        // The mover's pits, the mover's store, the other pits: one circle.
        let circle = 2 * pits + 1;
        let mut sowing = Sowing {
            own: ((stones as u64) << (8 * pit)).wrapping_neg(),
            alone: 1,
            ..Sowing::default()
        };
        for step in 1..=stones {
            let place = (pit + step) % circle;
            if place < pits {
                sowing.own = sowing.own.wrapping_add(1 << (8 * place));
            } else if place == pits {
                sowing.store += 1;
            } else {
                sowing.other = sowing.other.wrapping_add(1 << (8 * (place - pits - 1)));
            }
        }
        let last = (pit + stones) % circle;
        if last < pits {
            sowing.landing = 0xff << (8 * last);
            sowing.alone = 1 << (8 * last);
            sowing.opposite_shift = 8 * (pits - 1 - last) as u8;
        }
        sowing.again = last == pits;
        sowing
    }
}
