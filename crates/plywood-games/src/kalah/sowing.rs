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
struct Sowing {
    /// Added to the mover's row; the stones taken out of the pit are already subtracted.
    own: u64,
    /// Added to the other row.
    other: u64,
    /// Added to the mover's store.
    store: u8,
    /// Bits to the right of the byte where the last stone lands, if that is an own pit.
    landing_shift: u8,
    /// The same for the pit opposite, in the other row.
    opposite_shift: u8,
    landing: u8,
}

const LANDS_IN_OWN_PIT: u8 = 1;
const LANDS_IN_STORE: u8 = 2;

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

    /// Sows the stones of an own pit that is not empty. `bank_alone`: a last stone in an
    /// empty own pit is captured even if there is nothing opposite.
    ///
    /// Without branches: whether a move captures is too irregular to be predicted.
    #[inline(always)]
    pub(super) fn sow(&self, own: u64, other: u64, pit: Pit, bank_alone: bool) -> Sown {
        let pit = usize::from(pit.index()) % PITS;
        let stones = (own >> (8 * pit)) as u8;
        let sowing = &self.sowings[pit << 8 | usize::from(stones)];
        let own = own.wrapping_add(sowing.own);
        let other = other.wrapping_add(sowing.other);
        // A pit that holds one stone after the last stone fell into it was empty before:
        // also the origin after exactly one lap.
        let alone =
            ((own >> sowing.landing_shift) as u8 == 1) & (sowing.landing & LANDS_IN_OWN_PIT != 0);
        let opposite = (other >> sowing.opposite_shift) as u8;
        let captures = u8::from(alone & (bank_alone | (opposite != 0)));
        let captured = opposite & captures.wrapping_neg();
        Sown {
            own: own.wrapping_sub(u64::from(captures) << sowing.landing_shift),
            other: other.wrapping_sub(u64::from(captured) << sowing.opposite_shift),
            banked: sowing.store.wrapping_add(captures).wrapping_add(captured),
            again: sowing.landing & LANDS_IN_STORE != 0,
        }
    }
}

impl Sowing {
    fn of(pits: usize, pit: usize, stones: usize) -> Sowing {
        // The mover's pits, the mover's store, the other pits: one circle.
        let circle = 2 * pits + 1;
        let mut sowing = Sowing {
            own: ((stones as u64) << (8 * pit)).wrapping_neg(),
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
            sowing.landing = LANDS_IN_OWN_PIT;
            sowing.landing_shift = 8 * last as u8;
            sowing.opposite_shift = 8 * (pits - 1 - last) as u8;
        } else if last == pits {
            sowing.landing = LANDS_IN_STORE;
        }
        sowing
    }
}
