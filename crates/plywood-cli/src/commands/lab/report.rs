//! `plywood lab report`: pages that show what a run measured.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use plywood_lab::report;
use plywood_lab::sweep::Run;

use crate::failure::Failure;
use crate::output::Output;

#[derive(Args, Debug)]
pub struct ReportArgs {
    /// The folder of the run, which gets report.html and report.md
    pub run: PathBuf,
    /// Also write all measurements to a CSV file
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
}

pub fn run(args: &ReportArgs, out: &mut Output) -> Result<(), Failure> {
    let run = Run::open(&args.run)?;
    super::tell(run.remainder.as_ref());
    let pages = report::write(&run)?;
    if let Some(csv) = &args.csv {
        report::write_csv(&run, csv)?;
    }
    for page in pages {
        writeln!(out, "{}", page.display())?;
    }
    Ok(())
}
