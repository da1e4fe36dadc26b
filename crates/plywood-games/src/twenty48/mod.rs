//! 2048: slide the tiles of a 4x4 board, equal ones merge, a new tile appears.
//!
//! One player and chance take turns. A slide moves all tiles as far as they go; each tile
//! merges at most once, pairs nearest the wall first; the merged tiles are scored. A slide
//! that changes nothing is not legal. Then chance puts a new tile on an empty cell, each
//! equally likely: a 2 in nine cases out of ten, a 4 in one.
//!
//! A game starts with an empty board and two new tiles: chance moves on an empty board,
//! and once more after that. It is over when the player has no legal slide.
//!
//! Slides are listed in the order up, down, left, right, new tiles row by row from the top
//! left, the 2 before the 4.

mod board;
mod draw;
#[cfg(feature = "registry")]
mod entry;
mod evaluation;
pub mod network;
mod notation;
mod replies;
mod report;
mod slide;
mod smooth;
mod spawner;

pub use board::{Board, Cell, MAX_EXPONENT, Position, Undo};
pub use evaluation::{BoardOnly, EmptyCells, Heuristic, WithScore, Zero};
pub use report::Report;
pub use slide::{Direction, LegalSlides};
pub use smooth::Smooth;
pub use spawner::RandomSpawner;

use plywood::{Chances, Game, Moves, Seat, Turn};

use slide::RowTables;

/// How likely a new tile is a 2.
const TWO: f64 = 0.9;
/// How likely a new tile is a 4.
const FOUR: f64 = 0.1;

/// A tile that chance can put on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NewTile {
    /// A 2.
    Two,
    /// A 4.
    Four,
}

impl NewTile {
    /// The power of two that this tile is.
    #[inline]
    const fn exponent(self) -> u8 {
        match self {
            NewTile::Two => 1,
            NewTile::Four => 2,
        }
    }
}

/// How likely a 2 comes on a certain one of so many empty cells, and how likely a 4.
#[inline(always)]
fn spawn_probabilities(empty: u32) -> [f64; 2] {
    let share = 1.0 / f64::from(empty);
    [TWO * share, FOUR * share]
}

/// What happens on the board: the player slides, chance puts a tile.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// All tiles move this way.
    Slide(Direction),
    /// A new tile appears.
    Spawn {
        /// Where.
        cell: Cell,
        /// Which.
        tile: NewTile,
    },
}

/// The game of 2048.
#[derive(Clone, Copy, Debug)]
pub struct Twenty48 {
    rows: RowTables,
}

impl Default for Twenty48 {
    fn default() -> Self {
        Twenty48::new()
    }
}

impl Twenty48 {
    /// The game. The first one builds the row tables.
    pub fn new() -> Self {
        Twenty48 {
            rows: RowTables::get(),
        }
    }

    /// The board after a slide, and the sum of the merged tiles. The board is the same if
    /// the slide is not legal.
    #[inline(always)]
    pub fn slide(&self, board: Board, direction: Direction) -> (Board, u32) {
        self.rows.slide(board, direction)
    }
}

impl Game for Twenty48 {
    type State = Position;
    type Move = Move;
    type Undo = Undo;
    type Scores = [i32; 1];

    const HASHED: bool = true;
    const CHANCE: bool = true;

    #[inline]
    fn turn(&self, position: &Position) -> Turn {
        if position.is_chance() {
            Turn::Chance
        } else if position.board().can_slide() {
            Turn::Player(Seat::FIRST)
        } else {
            Turn::Over
        }
    }

    #[inline]
    fn moves(&self, position: &Position, list: &mut Moves<'_, Move>) {
        let legal = position.board().legal_slides();
        list.reserve(Direction::ALL.len());
        for direction in Direction::ALL {
            if legal.contains(direction) {
                list.push(Move::Slide(direction));
            }
        }
    }

    #[inline]
    fn chances(&self, position: &Position, list: &mut Chances<'_, Move>) {
        let empty = position.board().empty_cells();
        let [two, four] = spawn_probabilities(position.board().count_empty());
        for cell in empty {
            let spawn = |tile| Move::Spawn { cell, tile };
            list.push(spawn(NewTile::Two), two);
            list.push(spawn(NewTile::Four), four);
        }
    }

    #[inline]
    fn play(&self, position: &mut Position, mv: Move) -> Undo {
        match mv {
            Move::Slide(direction) => {
                let (board, gained) = self.slide(position.board(), direction);
                position.slide_to(board, gained)
            }
            Move::Spawn { cell, tile } => position.put_new(cell, tile.exponent()),
        }
    }

    #[inline]
    fn undo(&self, position: &mut Position, _: Move, undo: Undo) {
        position.take_back(undo);
    }

    /// The score: the sum of all merged tiles.
    #[inline]
    fn outcome(&self, position: &Position) -> [i32; 1] {
        [position.score() as i32]
    }

    /// Covers the board and whose turn it is, not the score: an evaluation that looks at
    /// the score adds it in [`Evaluate::key`](plywood::Evaluate::key).
    #[inline]
    fn hash(&self, position: &Position) -> u64 {
        position.board().hash(position.is_chance())
    }

    #[inline]
    fn count_moves(&self, position: &Position, _: &mut Vec<Move>) -> usize {
        position.board().legal_slides().len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Notation;

    #[test]
    fn a_position_is_small() {
        assert_eq!(size_of::<Position>(), 16);
        assert_eq!(size_of::<Move>(), 2);
    }

    #[test]
    fn a_game_starts_with_two_new_tiles() {
        let game = Twenty48::new();
        let mut position = game.start();
        assert_eq!(game.turn(&position), Turn::Chance);
        let spawn = |index, tile| Move::Spawn {
            cell: Cell::new(index).expect("a cell"),
            tile,
        };
        game.play(&mut position, spawn(5, NewTile::Four));
        assert_eq!(game.turn(&position), Turn::Chance);
        game.play(&mut position, spawn(6, NewTile::Four));
        assert_eq!(game.turn(&position), Turn::Player(Seat::FIRST));
        game.play(&mut position, Move::Slide(Direction::Left));
        assert_eq!(
            game.write_state(&position),
            ".,.,.,./8,.,.,./.,.,.,./.,.,.,. score=8 chance"
        );
    }

    #[test]
    fn chances_add_up_to_one() {
        let game = Twenty48::new();
        for text in [
            "",
            ".,.,.,./.,.,.,./.,.,.,./.,.,.,2 chance",
            "2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,. chance",
        ] {
            let position = if text.is_empty() {
                game.start()
            } else {
                game.read_state(text).expect("a board")
            };
            let (mut events, mut probabilities) = (Vec::new(), Vec::new());
            game.chances(
                &position,
                &mut Chances::new(&mut events, &mut probabilities),
            );
            let sum: f64 = probabilities.iter().sum();
            assert!((sum - 1.0).abs() < 1e-12, "{text}: {sum}");
            assert_eq!(events.len(), 2 * position.board().count_empty() as usize);
        }
    }
}
