//! The four games that Plywood plays to win: Blokus, Kalah, Gomoku and 2048.
//!
//! Each game is one folder: its rules, its notation and its evaluations. Programs that offer
//! all of them by name find them in the `registry`, which is a feature of this crate: it takes
//! a compiler minutes, for every search is compiled for every game and evaluation.

pub mod blokus;
pub mod gomoku;
pub mod kalah;
mod prefetch;
#[cfg(feature = "registry")]
#[cfg_attr(test, allow(dead_code))]
pub mod registry;
pub mod sgf;
pub mod text;
pub mod twenty48;

pub use text::{Notation, Style, TextError};
