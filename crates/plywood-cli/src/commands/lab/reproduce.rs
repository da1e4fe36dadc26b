//! `plywood lab reproduce`: the experiments of one of the five reports.

use std::path::PathBuf;

use clap::Args;
use plywood_lab::reproduce::Report;

use super::sweep::{self, AxisArgs};
use crate::failure::Failure;
use crate::output::Output;

#[derive(Args, Debug)]
pub struct ReproduceArgs {
    /// blokus-maxn, mancala-ybwc, gomoku, 2048 or mancala-minimax
    pub report: String,
    /// The folder of the run; reproduce-REPORT if not given
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Go on where this run was stopped
    #[arg(long)]
    pub resume: bool,
    /// Only list what would be measured
    #[arg(long)]
    pub list: bool,
    /// Also write all measurements to a CSV file
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    #[command(flatten)]
    pub axes: AxisArgs,
}

pub fn run(args: &ReproduceArgs, out: &mut Output) -> Result<(), Failure> {
    let report = Report::named(&args.report)?;
    let plan = report.plan(&args.axes.overrides())?;
    if args.list {
        return sweep::list(&plan, out);
    }
    let folder = match &args.out {
        Some(folder) => folder.clone(),
        None => PathBuf::from(format!("reproduce-{}", report.name())),
    };
    sweep::measure(&plan, &folder, args.resume, args.csv.as_deref(), out)
}
