//! `plywood solve`: proofs. One file a game.

use clap::{Args, Subcommand};

use crate::failure::Failure;
use crate::output::Output;

mod gomoku;
mod kalah;

#[derive(Args, Debug)]
pub struct SolveArgs {
    #[command(subcommand)]
    command: SolveCommand,
}

#[derive(Subcommand, Debug)]
enum SolveCommand {
    /// The exact margin of a Kalah position
    Kalah(kalah::KalahArgs),
    /// A win by threats in Gomoku
    Gomoku(gomoku::GomokuArgs),
}

pub fn run(args: &SolveArgs, out: &mut Output) -> Result<(), Failure> {
    match &args.command {
        SolveCommand::Kalah(args) => kalah::run(args, out),
        SolveCommand::Gomoku(args) => gomoku::run(args, out),
    }
}
