//! `lazy-smp`: every worker searches the whole tree by itself, deepening step by step; they
//! help each other only through the shared table.
//!
//! A worker puts off a move that another worker is just searching, so that they spread out;
//! when it comes back to it, the table mostly knows the answer. Still two workers may search
//! the same node, so the number of nodes differs from run to run, and at a time limit the
//! move may. The value of a completed depth does not: each worker's search is exact whatever
//! the order of moves, and so is what it finds in the table.

use std::sync::atomic::{AtomicU64, Ordering};

use super::{Plan, StrategyInfo, no_argument};
use crate::search::Family;

pub(super) const INFO: StrategyInfo = StrategyInfo {
    name: "lazy-smp",
    usage: "lazy-smp",
    summary: "every worker searches it all; they share the table",
    fits: |family| matches!(family, Family::Bounded),
    plan: |argument, _| no_argument("lazy-smp", argument).map(|()| Plan::Replicate),
};

/// Moves that some worker is searching right now.
///
/// Only a hint to the others: a move may be missing because two share a slot.
pub(crate) struct InFlight {
    slots: Box<[AtomicU64]>,
}

/// A move being searched; to be handed back when it is done.
#[derive(Clone, Copy)]
pub(crate) struct Flight {
    tag: u64,
}

impl InFlight {
    /// Moves with less depth below them are done before anybody could look.
    pub(crate) const MIN_DEPTH: u32 = 3;

    const SLOTS: usize = 1 << 14;

    pub(crate) fn new() -> Self {
        InFlight {
            slots: (0..Self::SLOTS).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// The move at this place of the position with this key.
    #[inline]
    pub(crate) fn flight(key: u64, index: usize) -> Flight {
        let tag = (key ^ (index as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15))
            .wrapping_mul(0xD6E8_FEB8_6659_FD93);
        Flight { tag: tag | 1 }
    }

    #[inline]
    fn slot(&self, flight: Flight) -> &AtomicU64 {
        &self.slots[(flight.tag >> 32) as usize % Self::SLOTS]
    }

    #[inline]
    pub(crate) fn is_under_way(&self, flight: Flight) -> bool {
        self.slot(flight).load(Ordering::Relaxed) == flight.tag
    }

    #[inline]
    pub(crate) fn take_off(&self, flight: Flight) {
        self.slot(flight).store(flight.tag, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn land(&self, flight: Flight) {
        let slot = self.slot(flight);
        if slot.load(Ordering::Relaxed) == flight.tag {
            slot.store(0, Ordering::Relaxed);
        }
    }
}
