//! Experiments with parallel game-tree search: sweeps over settings, speed-ups, task
//! statistics, timelines, matches, and reports that say where the speed-up went.

mod error;
pub mod explain;
pub mod matches;
pub mod record;
mod remainder;
pub mod report;
pub mod reproduce;
pub mod simulate;
pub mod sweep;
pub mod trace;
pub mod values;

pub use error::LabError;
pub use remainder::Remainder;
