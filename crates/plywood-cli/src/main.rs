//! The `plywood` command: play, analyse and measure parallel game-tree search.

mod args;
mod commands;
mod engine;
mod failure;
mod interrupt;
mod json;
mod output;
mod values;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

use args::{Arguments, Command};
use failure::Failure;
use output::Output;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run() -> Result<(), Failure> {
    let mut out = Output::standard();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) if !error.use_stderr() => {
            // Help or version, with colours where clap finds a terminal.
            error.print()?;
            return Ok(io::stdout().flush()?);
        }
        Err(error) => return Err(args::one_line(&error).into()),
    };
    match arguments.command {
        Command::Studio(args) => commands::studio::run(&args, &mut out)?,
        Command::Games(args) => commands::games::run(&args, &mut out)?,
        Command::Search(args) => commands::search::run(&args, &mut out)?,
        Command::Play(args) => commands::play::run(&args, &mut out)?,
        Command::Selfplay(args) => commands::selfplay::run(&args, &mut out)?,
        Command::Perft(args) => commands::perft::run(&args, &mut out)?,
        Command::Bench(args) => commands::bench::run(&args, &mut out)?,
        Command::Lab(args) => commands::lab::run(&args, &mut out)?,
        Command::Solve(args) => commands::solve::run(&args, &mut out)?,
        Command::Train(args) => commands::train::run(&args, &mut out)?,
    }
    Ok(out.flush()?)
}
