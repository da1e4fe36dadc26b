//! New tiles at random, the same ones for the same seed.

use super::board::Position;
use super::{Move, NewTile, Twenty48};
use crate::Notation;

use plywood::Game;

/// Puts new tiles as chance does: any empty cell, a 2 nine times out of ten.
#[derive(Clone, Debug)]
pub struct RandomSpawner {
    state: u64,
}

impl RandomSpawner {
    /// A spawner that always gives the same tiles for the same seed and boards.
    pub fn new(seed: u64) -> Self {
        RandomSpawner { state: seed }
    }

    /// The next new tile, `None` if the board is full.
    pub fn spawn(&mut self, position: &Position) -> Option<Move> {
        let count = u64::from(position.board().count_empty());
        let random = self.next();
        // The high half chooses the cell, the low half the tile.
        let choice = ((random >> 32) * count) >> 32;
        let cell = position.board().empty_cells().nth(choice as usize)?;
        let tile = if ((random & 0xffff_ffff) * 10) >> 32 == 0 {
            NewTile::Four
        } else {
            NewTile::Two
        };
        Some(Move::Spawn { cell, tile })
    }

    /// A random number: a counter run through a mixing function of 64 bits.
    pub(super) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }
}

impl Twenty48 {
    /// The start of a game with its two tiles, put by this spawner: the player is to
    /// slide.
    pub fn new_game(&self, spawner: &mut RandomSpawner) -> Position {
        let mut position = self.start();
        while position.is_chance() {
            let spawn = spawner.spawn(&position).expect("the board is not full");
            self.play(&mut position, spawn);
        }
        position
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_come_as_often_as_they_should() {
        let game = Twenty48::new();
        let position = game
            .read_state("2,4,2,4/.,.,.,./2,4,2,4/4,2,4,2 chance")
            .expect("a board");
        let mut spawner = RandomSpawner::new(7);
        let mut fours = 0;
        let mut cells = [0; 16];
        for _ in 0..40_000 {
            let Some(Move::Spawn { cell, tile }) = spawner.spawn(&position) else {
                panic!("there is room");
            };
            fours += usize::from(tile == NewTile::Four);
            cells[usize::from(cell.index())] += 1;
        }
        assert!((3_800..4_200).contains(&fours), "{fours}");
        for (cell, &count) in cells.iter().enumerate() {
            if (4..8).contains(&cell) {
                assert!((9_700..10_300).contains(&count), "{cells:?}");
            } else {
                assert_eq!(count, 0);
            }
        }
    }

    #[test]
    fn a_seed_gives_the_same_game() {
        let game = Twenty48::new();
        let start = |seed| game.new_game(&mut RandomSpawner::new(seed));
        assert_eq!(start(1), start(1));
        assert_eq!(start(1).board().count_empty(), 14);
        assert!((2..20).any(|seed| start(seed) != start(1)));
    }
}
