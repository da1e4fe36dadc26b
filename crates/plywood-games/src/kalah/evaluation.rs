//! What an unfinished position is worth.

use std::ops::ControlFlow;

use plywood::{Evaluate, Game};

use super::position::full_bytes;
use super::rules::{Capture, MAX_PITS};
use super::{Kalah, Pit, Position};

/// The own store minus the other one; for a finished game the final margin, with what is
/// swept.
#[derive(Clone, Copy, Debug, Default)]
pub struct StoreDifference;

impl Evaluate<Kalah> for StoreDifference {
    #[inline]
    fn evaluate(&self, _: &Kalah, position: &Position) -> [i32; 2] {
        let margin = position.store_margin();
        [margin, -margin]
    }

    #[inline]
    fn finished(&self, game: &Kalah, position: &Position) -> [i32; 2] {
        game.outcome(position)
    }

    /// Never writes a position, and works out what becomes of the rows only where that
    /// matters: for a lap, or where a move could end the game.
    #[inline]
    fn children(
        &self,
        game: &Kalah,
        position: &mut Position,
        _: &mut Vec<Pit>,
        mut visit: impl FnMut(Pit, [i32; 2]) -> ControlFlow<()>,
    ) {
        let (own, other) = (position.own(), position.other());
        // Everything is reckoned for the mover: North's margins are South's negated.
        let sign = 1 - 2 * position.mover_index() as i32;
        let margin = sign * position.store_margin();
        let mut visit = |pit, margin| {
            let south = sign * margin;
            visit(pit, [south, -south])
        };
        // A move takes from one own pit and from one pit opposite, so that two of each
        // outlast it.
        if !(holds_two(own) && holds_two(other)) {
            for pit in Pit::non_empty(own) {
                if visit(pit, margin + game.gain(own, other, pit)).is_break() {
                    return;
                }
            }
            return;
        }
        let pits = game.rules.pits;
        let stones = own.to_le_bytes();
        let banked = Banked::new(own, other, pits, game.rules.capture);
        for pit in Pit::non_empty(own) {
            let landing = usize::from(pit.index()) + usize::from(stones[usize::from(pit.index())]);
            let gain = match banked.at(landing) {
                Some(gain) => gain,
                None => game.gain(own, other, pit),
            };
            if visit(pit, margin + gain).is_break() {
                return;
            }
        }
    }
}

/// Whether at least two pits of a row hold stones.
#[inline(always)]
fn holds_two(row: u64) -> bool {
    let full = full_bytes(row);
    full & full.wrapping_sub(1) != 0
}

impl Kalah {
    /// What a move adds to the mover's margin, with what is swept if it ends the game.
    #[inline]
    fn gain(&self, own: u64, other: u64, pit: Pit) -> i32 {
        let sown = self.sow(own, other, pit);
        let (next, waiting) = if sown.again {
            (sown.own, sown.other)
        } else {
            (sown.other, sown.own)
        };
        let swept = if self.is_over(next, waiting) {
            self.swept_margin(sown.own, sown.other)
        } else {
            0
        };
        i32::from(sown.banked) + swept
    }
}

/// What a move that does not come round to the mover's pits again banks, by the place
/// where it ends: the mover's pits, the store, the other pits.
struct Banked {
    /// A capture for an own pit, 1 for the store and beyond.
    by_landing: [u8; 3 * PITS],
    places: usize,
}

const PITS: usize = MAX_PITS as usize;

impl Banked {
    #[inline(always)]
    fn new(own: u64, other: u64, pits: u8, capture: Capture) -> Self {
        const ONES: u64 = 0x0101_0101_0101_0101;
        let unused = 8 * (u32::from(MAX_PITS) - u32::from(pits));
        // Each byte opposite the pit it can be captured from, where the row has pits.
        let opposite = other.swap_bytes() >> unused;
        let board = u64::MAX >> unused;
        let takeable = match capture {
            Capture::IfOppositeFull => full_bytes(opposite),
            Capture::Always => ONES << 7,
        };
        let captures = (takeable & !full_bytes(own)) >> 7;
        // Every 1 becomes a full byte; opposite stones are too few to carry.
        let captured = (opposite + (ONES & board)) & captures.wrapping_mul(0xff);
        let first = (captured & board) | (ONES & !board);
        let mut by_landing = [1; 3 * PITS];
        by_landing[..PITS].copy_from_slice(&first.to_le_bytes());
        Banked {
            by_landing,
            places: 2 * usize::from(pits) + 1,
        }
    }

    /// `None` if the last stone goes past the other player's pits.
    #[inline(always)]
    fn at(&self, landing: usize) -> Option<i32> {
        if landing < self.places {
            self.by_landing.get(landing).copied().map(i32::from)
        } else {
            None
        }
    }
}
