//! Players against each other, with error bars.
//!
//! A match is a folder: `match.json` says what was asked for, `games.jsonl` has a line for
//! every finished game, and `games/` has every game as a record that other programs read
//! where there is such a format. A match that was stopped, in whatever way, goes on where it
//! was: a game that was not finished is played again from its opening.

mod file;
mod finished;
mod folder;
mod game_spec;
mod live;
mod many;
mod opening;
mod plan;
mod play;
mod player;
pub mod records;
mod replay;
mod run;
mod seat;
mod seating;
pub mod solo;
pub mod stats;
mod summary;

pub use finished::{Cost, End, Fault, FaultKind, Finished};
pub use folder::Folder;
pub use live::Live;
pub use opening::{Opening, Openings};
pub use plan::{GamePlan, Plan, PlayerRequest, Request};
pub use player::{EnginePlayer, PlayerKind, PlayerSpec, ProgramPlayer, SearchLimits, SearchPlayer};
pub use replay::{Replayed, replay, verify};
pub use run::{Outcome, run};
pub use seating::Seatings;
pub use summary::summary;
