//! What every game looks like from outside, with its own types left behind.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use plywood::{Limits, Progress, Report, Seat, Settings, Trace, TraceOptions, Turn};

use super::entry::GameInfo;
use super::random::Random;
use super::specialist::Resources;
use crate::text::{Style, TextError};

/// What a search has found, with moves as text.
pub type AnyReport = Report<String>;

/// What is known of a running search, with moves as text.
pub type AnyProgress<'a> = Progress<'a, String>;

/// A position of some game. It belongs to the game that made it, and to every other one
/// opened with the same options. A copy is cheap: to take a move back, keep the position
/// from before.
#[derive(Clone)]
pub struct Position {
    /// The game it is of, as [`AnyGame::spec`] writes it.
    spec: Arc<str>,
    state: Arc<dyn Any + Send + Sync>,
}

impl Position {
    pub(super) fn new<S: Any + Send + Sync>(spec: &Arc<str>, state: S) -> Self {
        Position {
            spec: Arc::clone(spec),
            state: Arc::new(state),
        }
    }

    /// The state inside, for the game it is of.
    ///
    /// # Panics
    /// If the position is of another game.
    pub(super) fn state<S: Any>(&self, spec: &Arc<str>) -> &S {
        assert!(
            Arc::ptr_eq(&self.spec, spec) || self.spec == *spec,
            "a position of {} was given to {spec}",
            self.spec
        );
        self.state
            .downcast_ref()
            .expect("games of one name have one type of state")
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Position").field(&self.spec).finish()
    }
}

/// A game with its options chosen, whichever it is.
///
/// # Panics
/// Every function that takes a [`Position`] panics if it is of another game.
pub trait AnyGame: Send + Sync {
    /// What there is to know about it.
    fn info(&self) -> &'static GameInfo;

    /// Its name and the options that are not the default ones, as [`open`](super::open)
    /// reads them.
    fn spec(&self) -> &str;

    /// The position at the start. It may be chance that acts there.
    fn start(&self) -> Position;

    /// The position in which a player first has to act, after what chance has done.
    fn new_game(&self, random: &mut Random) -> Position;

    /// Reads a position.
    fn read_position(&self, text: &str) -> Result<Position, TextError>;

    /// A position as one line of text.
    fn write_position(&self, position: &Position) -> String;

    /// Who acts next.
    fn turn(&self, position: &Position) -> Turn;

    /// All moves of the player whose turn it is, or all that chance can do; none if the
    /// game is over.
    fn moves(&self, position: &Position) -> Vec<String>;

    /// The position after a move of the player whose turn it is, or after an event of
    /// chance.
    fn play(&self, position: &Position, mv: &str) -> Result<Position, TextError>;

    /// Something that chance does, as likely as it is; `None` if it is not chance's turn.
    fn random_chance(&self, position: &Position, random: &mut Random) -> Option<String>;

    /// Any move, each as likely as the others; `None` if no player is to move.
    fn random_move(&self, position: &Position, random: &mut Random) -> Option<String>;

    /// The board over several lines, ending in a line break.
    fn draw(&self, position: &Position, style: Style) -> String;

    /// What the player in a seat is called. There are as many as
    /// [`players`](GameInfo::players).
    fn seat_name(&self, seat: Seat) -> String;

    /// Final score and winner for people to read; `None` while the game goes on.
    fn result(&self, position: &Position) -> Option<String>;

    /// The final score of every player; `None` while the game goes on.
    fn final_scores(&self, position: &Position) -> Option<Vec<i32>>;

    /// The number of lines of play of this length; see [`plywood::perft`].
    fn perft(&self, position: &Position, depth: u32) -> u64;

    /// Something that searches positions of this game with the evaluation of this name.
    fn searcher(
        &self,
        evaluation: &str,
        settings: Settings,
    ) -> Result<Box<dyn AnySearcher>, TextError>;

    /// The game's own engine of this name, one of [`engines`](GameInfo::engines).
    fn engine(&self, name: &str, resources: Resources) -> Result<Box<dyn AnySearcher>, TextError>;
}

/// Searches positions of the game that made it.
pub trait AnySearcher: Send {
    /// How it searches; nothing for a game's own engine, which knows best.
    fn settings(&self) -> Option<&Settings>;

    /// Searches a position until a limit is reached, and tells what is known after every
    /// completed depth.
    ///
    /// # Panics
    /// If the position is of another game.
    fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        on_depth: &mut (dyn FnMut(&AnyProgress<'_>) + Send),
    ) -> AnyReport;

    /// As [`search`](AnySearcher::search), and records what every worker does when. Children
    /// in the trace are counted as [`AnyGame::moves`] lists them. A game's own engine records
    /// nothing.
    ///
    /// # Panics
    /// If the position is of another game.
    fn search_traced(
        &mut self,
        position: &Position,
        limits: &Limits,
        options: &TraceOptions,
        on_depth: &mut (dyn FnMut(&AnyProgress<'_>) + Send),
    ) -> (AnyReport, Trace) {
        let _ = options;
        (self.search(position, limits, on_depth), Trace::default())
    }

    /// Forgets all that earlier searches have found.
    fn forget(&mut self);
}
