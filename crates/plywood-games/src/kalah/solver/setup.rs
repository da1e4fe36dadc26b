//! A solver within the memory it is given.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::kalah::Kalah;

use super::database::{Database, MAX_DATABASE_STONES, NoDatabase};
use super::driver::Solver;
use super::monitor::Monitor;
use super::ranking::Ranking;
use super::search::Marks;
use super::table::Table;

/// What a solver may use.
#[derive(Clone, Debug)]
pub struct Options {
    /// The most stones in the pits of positions to be solved.
    pub stones: usize,
    /// Threads, at least 1.
    pub threads: usize,
    /// Bytes for database and table together.
    pub memory: usize,
    /// The most stones in the pits of positions in the database; as many as fit into half
    /// of the memory if nothing is said.
    pub database_stones: Option<usize>,
    /// A folder to keep databases in.
    pub cache: Option<PathBuf>,
}

/// Why there is no solver.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SetupError {
    /// So many positions have no numbers of 63 bits.
    TooManyPositions,
    /// Database and table do not fit into the memory: this much would do.
    Memory {
        /// Bytes that are needed.
        needed: u64,
    },
    /// The system does not give the memory.
    Refused(String),
    /// It was stopped.
    Stopped,
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupError::TooManyPositions => f.write_str(
                "too many stones in too many pits: only positions that can be numbered with \
                 63 bits are solved",
            ),
            SetupError::Memory { needed } => write!(
                f,
                "too little memory: this takes at least {}M",
                needed.div_ceil(1 << 20)
            ),
            SetupError::Refused(why) => write!(f, "the system gives no more memory: {why}"),
            SetupError::Stopped => f.write_str("stopped"),
        }
    }
}

impl std::error::Error for SetupError {}

impl Solver {
    /// The most stones that a database of at most this many bytes can go up to, for positions
    /// with at most `stones` stones; nothing if they are too many to be numbered.
    pub fn database_stones_within(game: &Kalah, stones: usize, bytes: usize) -> Option<usize> {
        let ranking = Ranking::new(game.rules().pits, stones)?;
        Some(largest_database(&ranking, bytes as u64))
    }

    /// A solver for a game. Filling in the database may take long; `monitor` shows how far
    /// it is.
    pub fn new(game: &Kalah, options: &Options, monitor: Arc<Monitor>) -> Result<Self, SetupError> {
        let pits = game.rules().pits;
        let ranking = Ranking::new(pits, options.stones).ok_or(SetupError::TooManyPositions)?;
        let refused = |error: std::io::Error| SetupError::Refused(error.to_string());
        let most = options.stones.min(MAX_DATABASE_STONES);
        let database_stones = match options.database_stones {
            Some(stones) => stones.min(most),
            None => largest_database(&ranking, options.memory as u64 / 2),
        };
        let least = Table::least_bytes(ranking.positions(options.stones)) as u64;
        let needed = ranking.positions(database_stones) + least;
        if needed > options.memory as u64 {
            return Err(SetupError::Memory { needed });
        }
        let positions = ranking.positions(database_stones);
        let database = Database::complete(
            game,
            database_stones,
            options.threads,
            options.cache.as_deref(),
            &monitor,
        )
        .map_err(|error| match error {
            NoDatabase::Memory(error) => refused(error),
            NoDatabase::Stopped => SetupError::Stopped,
        })?;
        let rest = options.memory - positions as usize;
        let table = Table::new(ranking.positions(options.stones), rest).map_err(refused)?;
        monitor.capacity.store(table.capacity(), Ordering::Relaxed);
        Ok(Solver {
            game: *game,
            ranking,
            database,
            table,
            marks: Marks::new(),
            threads: options.threads,
            monitor,
        })
    }
}

/// The most stones that a database of at most this many bytes can go up to.
fn largest_database(ranking: &Ranking, bytes: u64) -> usize {
    (0..=ranking.stones().min(MAX_DATABASE_STONES))
        .rev()
        .find(|&stones| ranking.positions(stones) <= bytes)
        .unwrap_or(0)
}
