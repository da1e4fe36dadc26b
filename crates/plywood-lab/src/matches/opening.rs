//! Where the games of a match begin.

use std::fs;
use std::path::Path;

use plywood::Turn;
use plywood_games::registry::{AnyGame, Position, Random};
use serde::{Deserialize, Serialize};

use crate::LabError;

/// How often random moves are drawn anew if they end the game.
const TRIES: usize = 100;

/// The beginning of a game: a position, and moves from there.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Opening {
    /// The position as text; empty for the start of the game.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub start: String,
    /// The moves, and what chance did.
    pub moves: Vec<String>,
}

/// The openings of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Openings {
    /// So many moves at random, other ones for every block.
    Random {
        /// The moves.
        plies: u32,
    },
    /// These, one after the other.
    List(Vec<Opening>),
}

impl Opening {
    /// Reads a line: the moves from the start of the game, or a position.
    pub fn read(line: &str, game: &dyn AnyGame) -> Result<Self, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let start = game.start();
        let moves = words.first().is_some_and(|w| game.play(&start, w).is_ok());
        let opening = if moves {
            Opening {
                start: String::new(),
                moves: words.iter().map(|word| (*word).to_owned()).collect(),
            }
        } else {
            let position = game.read_position(line).map_err(|e| e.to_string())?;
            Opening {
                start: game.write_position(&position),
                moves: Vec::new(),
            }
        };
        match game.turn(&opening.replay(game)?.0) {
            Turn::Over => Err("the game is over after this opening: use a shorter one".to_owned()),
            Turn::Player(_) | Turn::Chance => Ok(opening),
        }
    }

    /// The position at the start and after the moves, with the moves as the game writes
    /// them.
    pub fn replay(&self, game: &dyn AnyGame) -> Result<(Position, Position), String> {
        let start = if self.start.is_empty() {
            game.start()
        } else {
            let read = game.read_position(&self.start);
            read.map_err(|error| error.to_string())?
        };
        let mut position = start.clone();
        for (index, mv) in self.moves.iter().enumerate() {
            position = game
                .play(&position, mv)
                .map_err(|error| format!("move {}: {error}", index + 1))?;
        }
        Ok((position, start))
    }

    /// An opening of so many moves at random.
    pub fn random(game: &dyn AnyGame, plies: u32, random: &mut Random) -> Result<Self, String> {
        for _ in 0..TRIES {
            let mut position = game.start();
            let mut moves = Vec::new();
            let mut left = plies;
            while left > 0 {
                let mv = match game.turn(&position) {
                    Turn::Player(_) => {
                        left -= 1;
                        game.random_move(&position, random)
                    }
                    Turn::Chance => game.random_chance(&position, random),
                    Turn::Over => None,
                };
                let Some(mv) = mv else {
                    break;
                };
                position = game.play(&position, &mv).map_err(|e| e.to_string())?;
                moves.push(mv);
            }
            if left == 0 && game.turn(&position) != Turn::Over {
                return Ok(Opening {
                    start: String::new(),
                    moves,
                });
            }
        }
        Err(format!(
            "{plies} moves at random end {} nearly always: use fewer",
            game.spec()
        ))
    }
}

impl Openings {
    /// Reads a file: one opening a line; what follows `#` is a comment.
    pub fn read(path: &Path, game: &dyn AnyGame) -> Result<Self, LabError> {
        let shown = path.display();
        let text = fs::read_to_string(path).map_err(|error| {
            LabError::Input(format!(
                "{shown}: {error}: use a text file with an opening in every line"
            ))
        })?;
        let mut list = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or("").trim();
            if line.is_empty() {
                continue;
            }
            let opening = Opening::read(line, game);
            let number = index + 1;
            list.push(opening.map_err(|e| LabError::Input(format!("{shown}:{number}: {e}")))?);
        }
        if list.is_empty() {
            return Err(LabError::Input(format!(
                "{shown}: there is no opening: use one in every line, moves or a position"
            )));
        }
        Ok(Openings::List(list))
    }

    /// The opening of a block; `random` is the block's own.
    pub fn of_block(
        &self,
        block: u32,
        game: &dyn AnyGame,
        random: &mut Random,
    ) -> Result<Opening, String> {
        match self {
            Openings::Random { plies } => Opening::random(game, *plies, random),
            Openings::List(list) => Ok(list[block as usize % list.len()].clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plywood_games::registry;

    #[test]
    fn openings_are_moves_or_positions() {
        let game = registry::open("gomoku").expect("a game");
        let moves = Opening::read("H8 I9", &*game).expect("moves");
        assert_eq!((moves.moves.len(), moves.start.as_str()), (2, ""));
        let game = registry::open("kalah").expect("a game");
        let text = game.info().example;
        let position = Opening::read(text, &*game).expect("a position");
        assert!(position.moves.is_empty() && !position.start.is_empty());
        assert!(
            Opening::read("A A", &*game)
                .expect_err("empty")
                .contains("move 2")
        );
        assert!(Opening::read("hello", &*game).is_err());
    }

    #[test]
    fn random_openings_depend_on_the_seed_alone() {
        for name in ["kalah", "gomoku", "blokus", "blokus-duo", "2048"] {
            let game = registry::open(name).expect("a game");
            let draw = |seed| Opening::random(&*game, 6, &mut Random::new(seed));
            assert_eq!(draw(1), draw(1), "{name}");
            assert_ne!(draw(1), draw(2), "{name}");
        }
        let tiny = registry::open("kalah:pits=1,stones=1").expect("a game");
        let error = Opening::random(&*tiny, 9, &mut Random::new(1)).expect_err("over");
        assert!(error.contains("use fewer"), "{error}");
    }
}
