//! Kalah, the sowing game with two rows of pits and two stores.
//!
//! Two players, South (the first seat) and North, each own a row of pits and a store. A
//! move takes all stones out of one of the mover's pits and sows them one by one
//! counter-clockwise: the mover's own store is included, the opponent's is skipped, the
//! pit the stones came from is not skipped on a long lap.
//!
//! - A last stone in the own store: the same player moves again.
//! - A last stone in an own pit that was empty (also the emptied origin, which a lap of
//!   2m+1 stones comes back to): it is captured together with the stones opposite, see
//!   [`Capture`].
//! - The game ends as [`End`] says, and the stones still in the pits are counted as
//!   [`Sweep`] says. They stay in the pits of the final position; only
//!   [`outcome`](plywood::Game::outcome) adds them.
//!
//! Pits are counted from 0, the pit farthest from the player's own store, to m-1, the one
//! next to it; moves are listed in that order.

mod draw;
#[cfg(feature = "registry")]
mod entry;
mod evaluation;
mod notation;
#[cfg(feature = "registry")]
mod perfect;
mod position;
mod rules;
pub mod solver;
mod sowing;

pub use evaluation::StoreDifference;
pub use position::{Pit, Position, Undo};
pub use rules::{Capture, End, MAX_PITS, MAX_STONES, MAX_STONES_PER_PIT, Rules, RulesError, Sweep};

use plywood::{Game, Moves, Seat, Turn};

use position::{MOVER_SHIFT, byte_sum, full_bytes};
use sowing::{SowTable, Sown};

/// Kalah under one set of [`Rules`].
#[derive(Clone, Copy, Debug)]
pub struct Kalah {
    rules: Rules,
    table: &'static SowTable,
}

impl Default for Kalah {
    /// Six pits of four stones, standard rules.
    fn default() -> Self {
        Kalah::new(Rules::default()).expect("the default rules are valid")
    }
}

impl Kalah {
    /// The game with these rules, or why there is no such game.
    pub fn new(rules: Rules) -> Result<Self, RulesError> {
        rules.validate()?;
        Ok(Kalah {
            rules,
            table: SowTable::for_pits(rules.pits),
        })
    }

    /// The game with `pits` a side and `stones` a pit at the start, standard rules.
    pub fn standard(pits: u8, stones: u8) -> Result<Self, RulesError> {
        Kalah::new(Rules {
            pits,
            stones,
            ..Rules::default()
        })
    }

    /// The rules of this game.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// A position with these stones: the pits of South and of North, each from the pit
    /// farthest from the owner's store to the one next to it, and the stores.
    pub fn position(
        &self,
        pits: [&[u8]; 2],
        stores: [u8; 2],
        mover: Seat,
    ) -> Result<Position, RulesError> {
        Position::new(self.rules.pits, pits, stores, mover)
    }

    /// The second board of the published timings of plain minimax on six pits of six
    /// stones: South is far ahead and to move. `None` unless the game has six pits.
    pub fn far_ahead(&self) -> Option<Position> {
        let south = [1, 2, 7, 4, 0, 1];
        let north = [1, 0, 2, 1, 1, 2];
        self.position([&south, &north], [32, 18], Seat::FIRST).ok()
    }

    /// What the mover's row, the other row and the mover's store become, and who is next.
    #[inline(always)]
    fn sow(&self, own: u64, other: u64, pit: Pit) -> Sown {
        let bank_alone = self.rules.capture == Capture::Always;
        self.table.sow(own, other, pit, bank_alone)
    }

    /// Whether a game with these rows, seen by the player to move, is over.
    #[inline(always)]
    fn is_over(&self, own: u64, other: u64) -> bool {
        match self.rules.end {
            End::EitherRowEmpty => (own == 0) | (other == 0),
            End::MoverRowEmpty => own == 0,
        }
    }

    /// What sweeping these rows adds to the first row's owner's margin.
    #[inline(always)]
    fn swept_margin(&self, row: u64, other: u64) -> i32 {
        let kept = byte_sum(row) - byte_sum(other);
        match self.rules.sweep {
            Sweep::ToOwner => kept,
            Sweep::ToOther => -kept,
        }
    }

    /// South's stones minus North's after sweeping.
    #[inline]
    fn final_margin(&self, position: &Position) -> i32 {
        position.store_margin() + self.swept_margin(position.rows[0], position.rows[1])
    }
}

impl Game for Kalah {
    type State = Position;
    type Move = Pit;
    type Undo = Undo;
    type Scores = [i32; 2];

    const HASHED: bool = true;

    #[inline]
    fn turn(&self, position: &Position) -> Turn {
        if self.is_over(position.own(), position.other()) {
            Turn::Over
        } else {
            Turn::Player(position.mover())
        }
    }

    #[inline]
    fn moves(&self, position: &Position, list: &mut Moves<'_, Pit>) {
        list.reserve(MAX_PITS as usize);
        for pit in Pit::non_empty(position.own()) {
            list.push(pit);
        }
    }

    #[inline]
    fn play(&self, position: &mut Position, pit: Pit) -> Undo {
        let mover = position.mover_index();
        let undo = Undo {
            own: position.rows[mover],
            other: position.rows[1 - mover],
            rest: position.rest,
        };
        let sown = self.sow(undo.own, undo.other, pit);
        position.rows[mover] = sown.own;
        position.rows[1 - mover] = sown.other;
        // No store overflows into the next: all stones together fit into one byte.
        let banked = u32::from(sown.banked) << (8 * mover);
        position.rest = (undo.rest + banked) ^ u32::from(!sown.again) << MOVER_SHIFT;
        undo
    }

    #[inline]
    fn undo(&self, position: &mut Position, _: Pit, undo: Undo) {
        position.rest = undo.rest;
        let mover = position.mover_index();
        position.rows[mover] = undo.own;
        position.rows[1 - mover] = undo.other;
    }

    #[inline]
    fn outcome(&self, position: &Position) -> [i32; 2] {
        let margin = self.final_margin(position);
        [margin, -margin]
    }

    /// Covers rows, stores and mover: a value by store difference depends on them all.
    #[inline]
    fn hash(&self, position: &Position) -> u64 {
        position.hash()
    }

    /// Extra turns first, then captures and what else is banked by the number of stones;
    /// among equals the pit nearest the store, which spoils the least of what comes after.
    #[inline]
    fn priority(&self, position: &Position, pit: Pit) -> i32 {
        let sown = self.sow(position.own(), position.other(), pit);
        let banked = if sown.again {
            MAX_STONES as i32 + 1
        } else {
            i32::from(sown.banked)
        };
        i32::from(MAX_PITS) * banked + i32::from(pit.index())
    }

    #[inline]
    fn move_id(&self, pit: Pit) -> u16 {
        u16::from(pit.index())
    }

    #[inline]
    fn count_moves(&self, position: &Position, _: &mut Vec<Pit>) -> usize {
        // One bit per pit that is not empty, added up by a multiplication.
        let occupied = full_bytes(position.own()) >> 7;
        (occupied.wrapping_mul(0x0101_0101_0101_0101) >> 56) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(game: &Kalah, south: &[u8], north: &[u8], pit: u8) -> Position {
        let mut position = game
            .position([south, north], [0, 0], Seat::FIRST)
            .expect("a valid board");
        game.play(&mut position, Pit::new(pit));
        position
    }

    fn kalah(pits: u8) -> Kalah {
        Kalah::standard(pits, 4).expect("valid rules")
    }

    #[test]
    fn a_last_stone_in_the_own_store_keeps_the_mover() {
        let game = kalah(6);
        let after = play(&game, &[4; 6], &[4; 6], 2);
        assert_eq!(after.mover(), Seat::FIRST);
        assert_eq!(after.store(Seat::FIRST), 1);
        assert_eq!(after.row(Seat::FIRST), [4, 4, 0, 5, 5, 5, 0, 0]);
    }

    #[test]
    fn sowing_skips_the_other_store_but_not_the_origin() {
        let game = kalah(3);
        // 8 stones from pit 1: 2, store, 0' 1' 2', 0, 1 (the origin), 2.
        let after = play(&game, &[1, 8, 1], &[1, 1, 1], 1);
        assert_eq!(after.row(Seat::FIRST)[..3], [2, 1, 3]);
        assert_eq!(after.row(Seat::SECOND)[..3], [2, 2, 2]);
        assert_eq!(after.store(Seat::FIRST), 1);
        assert_eq!(after.store(Seat::SECOND), 0);
        assert_eq!(after.mover(), Seat::SECOND);
    }

    #[test]
    fn a_lap_ends_in_the_emptied_origin_and_captures() {
        let game = kalah(3);
        // 7 stones from pit 1 reach every pit once and come back to pit 1.
        let after = play(&game, &[1, 7, 1], &[0, 5, 0], 1);
        assert_eq!(after.row(Seat::FIRST)[..3], [2, 0, 2]);
        assert_eq!(after.row(Seat::SECOND)[..3], [1, 0, 1]);
        assert_eq!(after.store(Seat::FIRST), 1 + 1 + 6);
    }

    #[test]
    fn more_than_a_lap_adds_up() {
        let game = kalah(1);
        // 250 stones, a lap is 3: 83 laps and one stone over, which lands in the store.
        let after = play(&game, &[250], &[5], 0);
        assert_eq!(after.row(Seat::FIRST)[0], 83);
        assert_eq!(after.row(Seat::SECOND)[0], 88);
        assert_eq!(after.store(Seat::FIRST), 84);
        assert_eq!(after.mover(), Seat::FIRST);
    }

    #[test]
    fn capture_from_an_empty_pit_depends_on_the_rule() {
        let standard = kalah(3);
        let always = Kalah::new(Rules {
            pits: 3,
            capture: Capture::Always,
            ..Rules::default()
        })
        .expect("valid rules");
        // Pit 0 sows into the empty pit 1, opposite North's pit 1.
        let south = [1, 0, 2];
        let empty_opposite = [3, 0, 3];
        let full_opposite = [3, 4, 3];
        let left = play(&standard, &south, &empty_opposite, 0);
        assert_eq!((left.row(Seat::FIRST)[1], left.store(Seat::FIRST)), (1, 0));
        let banked = play(&always, &south, &empty_opposite, 0);
        assert_eq!(
            (banked.row(Seat::FIRST)[1], banked.store(Seat::FIRST)),
            (0, 1)
        );
        for game in [standard, always] {
            let taken = play(&game, &south, &full_opposite, 0);
            assert_eq!(taken.row(Seat::FIRST)[1], 0);
            assert_eq!(taken.row(Seat::SECOND)[1], 0);
            assert_eq!(taken.store(Seat::FIRST), 5);
        }
    }

    #[test]
    fn end_and_sweep_rules() {
        let with = |end, sweep| {
            Kalah::new(Rules {
                pits: 2,
                end,
                sweep,
                ..Rules::default()
            })
            .expect("valid rules")
        };
        // South's last stone goes into the store: South moves again but has nothing.
        for end in [End::EitherRowEmpty, End::MoverRowEmpty] {
            let game = with(end, Sweep::ToOwner);
            let after = play(&game, &[0, 1], &[2, 3], 1);
            assert_eq!(game.turn(&after), Turn::Over);
            assert_eq!(game.outcome(&after), [1 - 5, 5 - 1]);
            let game = with(end, Sweep::ToOther);
            assert_eq!(game.outcome(&after), [1 + 5, -6]);
        }
        // South's last stone goes over to North, who has stones: only one rule ends here.
        let rest = |game: &Kalah| play(game, &[0, 2], &[2, 3], 1);
        let game = with(End::EitherRowEmpty, Sweep::ToOwner);
        assert_eq!(game.turn(&rest(&game)), Turn::Over);
        let game = with(End::MoverRowEmpty, Sweep::ToOwner);
        assert_eq!(game.turn(&rest(&game)), Turn::Player(Seat::SECOND));
    }

    #[test]
    fn a_position_is_small() {
        assert_eq!(size_of::<Position>(), 24);
    }

    #[test]
    fn extra_turns_come_before_captures_before_the_rest() {
        let game = kalah(6);
        let position = game
            .position(
                [&[1, 0, 1, 3, 2, 4], &[1, 1, 1, 1, 5, 1]],
                [0, 0],
                Seat::FIRST,
            )
            .expect("a valid board");
        let priority = |pit| game.priority(&position, Pit::new(pit));
        assert!(priority(4) > priority(3), "both move again, 4 is nearer");
        assert!(priority(3) > priority(0), "0 captures five");
        assert!(priority(0) > priority(5), "5 banks one stone");
        assert!(priority(5) > priority(2), "2 does nothing");
    }
}
