//! A player who takes any move.

use plywood_games::registry::Random;

use super::{Choice, NoMove, Player, Table};

pub(super) struct RandomPlayer {
    random: Random,
}

impl RandomPlayer {
    pub fn new(seed: u64) -> Self {
        RandomPlayer {
            random: Random::new(seed),
        }
    }
}

impl Player for RandomPlayer {
    fn choose(&mut self, table: &Table<'_>) -> Result<Choice, NoMove> {
        let mv = table.game.random_move(&table.now, &mut self.random);
        Ok(Choice {
            mv: mv.expect("whoever is to move has a move"),
            nodes: 0,
            depth: None,
            cpu: None,
            wall: None,
        })
    }
}
