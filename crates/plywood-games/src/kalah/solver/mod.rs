//! Exact values of Kalah positions.

mod database;
mod driver;
mod memory;
mod monitor;
mod ranking;
mod search;
mod setup;
mod table;

pub use database::MAX_DATABASE_STONES;
pub use driver::{Bounds, MoveBounds, Solver};
pub use monitor::{Monitor, Stage};
pub use setup::{Options, SetupError};
