//! Parallel game-tree search.
#![forbid(unsafe_code)]

mod counters;
mod engine;
pub mod evaluate;
pub mod game;
mod limits;
mod line;
pub mod parallel;
mod perft;
mod report;
pub mod search;
mod settings;
mod sync;
mod table;

pub use counters::{NodeCounts, TaskCounts, WorkerCounts};
pub use engine::{Engine, Progress};
pub use evaluate::{Evaluate, OutcomeOnly};
pub use game::{Chances, Game, MAX_SCORE, Moves, Scores, Seat, Turn};
pub use limits::{Limits, MAX_DEPTH};
pub use parallel::{Spawn, Strategy};
pub use perft::perft;
pub use report::{Memory, Report, RootMove};
pub use search::Search;
pub use settings::{MAX_THREADS, Settings, SettingsError};
pub use table::Table;
