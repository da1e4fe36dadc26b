//! The players at the table: whatever chooses moves, behind one trait.

mod gomocup;
mod gtp;
mod process;
mod random;
mod search;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use plywood::{Seat, Turn};
use plywood_games::registry::{AnyGame, AnySearcher, Position};

use super::finished::FaultKind;
use super::player::{PlayerKind, PlayerSpec, SearchLimits};

/// What everybody at the table may know.
pub(super) struct Table<'g> {
    /// The game.
    pub game: &'g dyn AnyGame,
    /// The position at the start; `None` if that is the start of the game.
    pub set_up: Option<Position>,
    /// The moves since, each with who made it; `None` for chance.
    pub moves: Vec<(Option<Seat>, String)>,
    /// The position now.
    pub now: Position,
}

impl Table<'_> {
    /// Plays a move or an event of chance.
    pub fn play(&mut self, mv: &str) -> Result<(), plywood_games::TextError> {
        let by = match self.game.turn(&self.now) {
            Turn::Player(seat) => Some(seat),
            Turn::Chance | Turn::Over => None,
        };
        self.now = self.game.play(&self.now, mv)?;
        self.moves.push((by, mv.to_owned()));
        Ok(())
    }
}

/// A move that was chosen, and what it cost besides wall time.
pub(super) struct Choice {
    pub mv: String,
    pub nodes: u64,
    /// The depth that was completed, where known.
    pub depth: Option<u32>,
    pub cpu: Option<Duration>,
    /// The wall time, where the player knows it better than whoever waits for it.
    pub wall: Option<Duration>,
}

/// Why there is no move.
#[derive(Debug)]
pub(super) enum NoMove {
    /// The player cannot go on.
    Fault(FaultKind, String),
    /// The match is being stopped.
    Stopped,
}

/// Somebody who plays one game in one seat.
pub(super) trait Player: Send {
    /// Chooses a move in the position on the table.
    fn choose(&mut self, table: &Table<'_>) -> Result<Choice, NoMove>;

    /// The game is over. Returns what was odd about the player, if anything.
    fn end(&mut self) -> Vec<String> {
        Vec::new()
    }
}

/// What players need besides their own settings.
#[derive(Clone)]
pub(super) struct House {
    /// How long a program may take more than its time.
    pub grace: Duration,
    /// How long a program may take to start.
    pub start_time: Duration,
    /// Ends everything.
    pub stop: Arc<AtomicBool>,
}

impl House {
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Seats players for one game after the other, and keeps what is worth keeping.
pub(super) struct Chairs {
    house: House,
    /// Searchers by player, one for every seat the player can take at once.
    searchers: Vec<Vec<search::SearchPlayer>>,
}

impl Chairs {
    pub fn new(house: House, players: usize) -> Self {
        Chairs {
            house,
            searchers: (0..players).map(|_| Vec::new()).collect(),
        }
    }

    /// Somebody for a seat: the player of this number, for a game with this seed.
    pub fn take(
        &mut self,
        number: usize,
        spec: &PlayerSpec,
        game: &dyn AnyGame,
        seat: Seat,
        seed: u64,
    ) -> Result<Seated, NoMove> {
        Ok(match &spec.kind {
            PlayerKind::Search(player) => {
                let make = || player.searcher(game);
                self.searcher(number, make, &player.limits)?
            }
            PlayerKind::Engine(player) => {
                let make = || player.searcher(game);
                self.searcher(number, make, &player.limits)?
            }
            PlayerKind::Random => Seated::Other(Box::new(random::RandomPlayer::new(seed))),
            PlayerKind::Gomocup(program) => {
                let player = gomocup::GomocupPlayer::start(program, game, seat, &self.house)?;
                Seated::Other(Box::new(player))
            }
            PlayerKind::Gtp(program) => {
                let player = gtp::GtpPlayer::start(program, game, seat, seed, &self.house)?;
                Seated::Other(Box::new(player))
            }
        })
    }

    /// A searcher that was kept, or else a new one.
    fn searcher(
        &mut self,
        number: usize,
        make: impl FnOnce() -> Result<Box<dyn AnySearcher>, String>,
        limits: &SearchLimits,
    ) -> Result<Seated, NoMove> {
        let mut searcher = match self.searchers[number].pop() {
            Some(searcher) => searcher,
            None => {
                let made = make().map_err(|error| NoMove::Fault(FaultKind::Crash, error))?;
                search::SearchPlayer::new(made, limits, &self.house)
            }
        };
        // A game must not depend on those before.
        searcher.forget();
        Ok(Seated::Search(number, searcher))
    }

    /// The player gets up.
    pub fn leave(&mut self, seated: Seated) {
        if let Seated::Search(number, searcher) = seated {
            self.searchers[number].push(searcher);
        }
    }
}

/// Somebody in a seat.
pub(super) enum Seated {
    /// A searcher of the player with this number.
    Search(usize, search::SearchPlayer),
    /// Somebody who is there for one game.
    Other(Box<dyn Player>),
}

impl Seated {
    pub fn player(&mut self) -> &mut dyn Player {
        match self {
            Seated::Search(_, searcher) => searcher,
            Seated::Other(player) => &mut **player,
        }
    }
}
