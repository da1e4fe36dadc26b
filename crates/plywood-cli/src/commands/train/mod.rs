//! `plywood train`: evaluations that are learnt. One file a game.

use std::io::{self, IsTerminal};
use std::path::Path;

use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use plywood_lab::record::cores;

use crate::failure::Failure;
use crate::output::Output;

pub mod blokus;
pub mod blokus_look;
mod twenty48;

#[derive(Args, Debug)]
pub struct TrainArgs {
    #[command(subcommand)]
    game: TrainGame,
}

#[derive(Subcommand, Debug)]
enum TrainGame {
    /// A network that learns from its own games
    #[command(name = "2048")]
    Twenty48(twenty48::Twenty48Args),
    /// Weights of moves, from the engine's own games
    Blokus(blokus::BlokusArgs),
    /// The network that takes a second look at moves, from recorded positions
    BlokusLook(blokus_look::BlokusLookArgs),
}

pub fn run(args: &TrainArgs, out: &mut Output) -> Result<(), Failure> {
    match &args.game {
        TrainGame::Twenty48(args) => twenty48::run(args, out),
        TrainGame::Blokus(args) => blokus::run(args, out),
        TrainGame::BlokusLook(args) => blokus_look::run(args, out),
    }
}

/// A line that changes, on a terminal; nothing in a pipe.
fn progress_bar() -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}");
    ProgressBar::new_spinner().with_style(style.expect("a template that makes sense"))
}

/// As many threads as were asked for, or as there are cores.
fn threads(asked: Option<usize>) -> usize {
    asked.unwrap_or_else(|| cores().min(plywood::MAX_THREADS))
}

/// What is wrong with a file.
fn wrong(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::Input(format!("{}: {error}", path.display()))
}
