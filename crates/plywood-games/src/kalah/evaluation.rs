//! What an unfinished position is worth.

use std::ops::ControlFlow;

use plywood::{Evaluate, Game};

use super::{Kalah, Pit, Position};

/// The own store minus the other one; for a finished game the final margin, with what is
/// swept.
#[derive(Clone, Copy, Debug, Default)]
pub struct StoreDifference;

impl Evaluate<Kalah> for StoreDifference {
    const BULK: bool = true;

    #[inline]
    fn evaluate(&self, _: &Kalah, position: &Position) -> [i32; 2] {
        let margin = position.store_margin();
        [margin, -margin]
    }

    #[inline]
    fn finished(&self, game: &Kalah, position: &Position) -> [i32; 2] {
        game.outcome(position)
    }

    /// Works out the rows of each child, which say whether it ends the game, but never
    /// writes a position.
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
        let sign = 1 - 2 * i32::from(position.mover & 1);
        let margin = sign * position.store_margin();
        for pit in Pit::non_empty(own) {
            let sown = game.sow(own, other, pit);
            let mut child = margin + i32::from(sown.banked);
            let (next, waiting) = if sown.again {
                (sown.own, sown.other)
            } else {
                (sown.other, sown.own)
            };
            if game.is_over(next, waiting) {
                child += game.swept_margin(sown.own, sown.other);
            }
            let south = sign * child;
            if visit(pit, [south, -south]).is_break() {
                return;
            }
        }
    }
}
