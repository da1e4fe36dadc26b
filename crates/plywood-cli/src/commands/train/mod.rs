//! `plywood train`: evaluations that are learnt. One file a game.

use clap::{Args, Subcommand};

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
