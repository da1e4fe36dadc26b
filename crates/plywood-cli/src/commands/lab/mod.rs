//! `plywood lab`: experiments. One file a command.

use std::io::Write;

use clap::{Args, Subcommand};
use plywood_lab::Remainder;

use crate::failure::{Failure, printable};
use crate::output::Output;

mod explain;
mod matches;
mod report;
mod reproduce;
mod simulate;
mod sweep;
mod trace;
mod work;

#[derive(Args, Debug)]
pub struct LabArgs {
    #[command(subcommand)]
    command: LabCommand,
}

#[derive(Subcommand, Debug)]
enum LabCommand {
    /// Measure every combination of settings in a file
    Sweep(sweep::SweepArgs),
    /// Make an HTML and a Markdown report of a run
    Report(report::ReportArgs),
    /// Record what every worker does when
    Trace(trace::TraceArgs),
    /// Say where the speed-up went
    Explain(explain::ExplainArgs),
    /// Say what speed-up other numbers of cores would give
    Simulate(simulate::SimulateArgs),
    /// Repeat the experiments of one of the five reports
    Reproduce(reproduce::ReproduceArgs),
    /// Let players play against each other
    Match(Box<matches::MatchArgs>),
}

pub fn run(args: &LabArgs, out: &mut Output) -> Result<(), Failure> {
    match &args.command {
        LabCommand::Sweep(args) => sweep::run(args, out),
        LabCommand::Report(args) => report::run(args, out),
        LabCommand::Trace(args) => trace::run(args, out),
        LabCommand::Explain(args) => explain::run(args, out),
        LabCommand::Simulate(args) => simulate::run(args, out),
        LabCommand::Reproduce(args) => reproduce::run(args, out),
        LabCommand::Match(args) => matches::run(args, out),
    }
}

/// Tells of a last line that cannot be read, and so does not count.
fn tell(remainder: Option<&Remainder>) {
    if let Some(remainder) = remainder {
        let line = remainder.to_string();
        let _ = writeln!(std::io::stderr(), "plywood: {}", printable(&line));
    }
}
