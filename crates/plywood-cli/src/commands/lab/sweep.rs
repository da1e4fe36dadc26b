//! `plywood lab sweep`: measures every combination of settings in a file.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use plywood_lab::record::{Workload, cores};
use plywood_lab::report;
use plywood_lab::sweep::{self, Overrides, Plan, Run, Spec};

use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::output::{Output, grouped};
use crate::values;

#[derive(Args, Debug)]
pub struct SweepArgs {
    /// The sweep file; docs/sweeps/example.toml explains every line of one
    pub file: PathBuf,
    /// The folder of the run; named after the file if not given
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

/// Axes that the command line replaces.
#[derive(Args, Debug)]
#[command(next_help_heading = "Instead of what the file says")]
pub struct AxisArgs {
    /// Games, like kalah,gomoku:size=19
    #[arg(long, value_name = "GAME,…")]
    pub games: Vec<String>,
    /// One position: start, example or a text; can be given several times
    #[arg(long, value_name = "TEXT")]
    pub positions: Vec<String>,
    /// Searches, like minimax,alphabeta:no-table
    #[arg(long, value_name = "NAME,…")]
    pub searches: Vec<String>,
    /// Strategies, like seq,ybwc:3,budget:B
    #[arg(long, value_name = "STRATEGY,…")]
    pub strategies: Vec<String>,
    /// What B stands for in strategies
    #[arg(long, value_name = "B,…", value_delimiter = ',', value_parser = values::depth)]
    pub budgets: Option<Vec<u32>>,
    /// Depths
    #[arg(long, value_name = "D,…", value_delimiter = ',', value_parser = values::depth)]
    pub depths: Option<Vec<u32>>,
    /// Threads; cores stands for as many as there are
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = threads_or_cores)]
    pub threads: Option<Vec<u32>>,
    /// How often each setting is measured
    #[arg(long, value_name = "N", value_parser = repeats)]
    pub repeats: Option<u32>,
    /// How often each setting runs before it counts
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=100))]
    pub warmup: Option<u32>,
    /// Decides the order, and what chance does
    #[arg(long, value_name = "N", value_parser = seed)]
    pub seed: Option<u64>,
    /// Keep the cores loaded that a setting leaves free
    #[arg(long)]
    pub fill_cores: bool,
    /// Run each setting once more with its events recorded
    #[arg(long)]
    pub trace: bool,
}

fn threads_or_cores(text: &str) -> Result<u32, String> {
    match text {
        "cores" => Ok(cores() as u32),
        _ => values::threads(text)
            .map(|threads| threads as u32)
            .map_err(|accepted| format!("{accepted}, or cores")),
    }
}

fn repeats(text: &str) -> Result<u32, String> {
    let count = values::count(text).ok();
    count
        .filter(|&count| count <= 10_000)
        .ok_or_else(|| "use a number from 1 to 10000".to_owned())
}

/// A seed that a sweep file can hold.
fn seed(text: &str) -> Result<u64, String> {
    let seed = values::seed(text).ok();
    seed.filter(|&seed| seed <= i64::MAX as u64)
        .ok_or_else(|| format!("use a number from 0 to {}", i64::MAX))
}

impl AxisArgs {
    /// What replaces the file's axes.
    pub fn overrides(&self) -> Overrides {
        let games: Vec<&str> = plywood_games::registry::games()
            .iter()
            .map(|g| g.name)
            .collect();
        let searches: Vec<&str> = plywood::search::SEARCHES.iter().map(|s| s.name).collect();
        let strategies: Vec<&str> = plywood::parallel::STRATEGIES
            .iter()
            .map(|s| s.name)
            .collect();
        Overrides {
            games: names(&self.games, &games),
            positions: (!self.positions.is_empty()).then(|| self.positions.clone()),
            searches: names(&self.searches, &searches),
            strategies: names(&self.strategies, &strategies),
            budgets: self.budgets.clone(),
            depths: self.depths.clone(),
            threads: self.threads.clone(),
            repeats: self.repeats,
            warmup: self.warmup,
            seed: self.seed,
            fill_cores: self.fill_cores,
            trace: self.trace,
        }
    }
}

/// Splits `budget:2,spawn=rest,seq` at the commas in front of names: the others belong to
/// options.
fn names(texts: &[String], known: &[&str]) -> Option<Vec<String>> {
    let mut list: Vec<String> = Vec::new();
    for text in texts {
        let mut first = true;
        for part in text.split(',') {
            let name = part.split(':').next().unwrap_or(part);
            match list.last_mut() {
                Some(last) if !first && !known.contains(&name) => {
                    last.push(',');
                    last.push_str(part);
                }
                _ => list.push(part.to_owned()),
            }
            first = false;
        }
    }
    (!list.is_empty()).then_some(list)
}

pub fn run(args: &SweepArgs, out: &mut Output) -> Result<(), Failure> {
    let plan = Spec::read_file(&args.file)?
        .with(&args.axes.overrides())
        .plan()?;
    if args.list {
        return list(&plan, out);
    }
    let folder = match &args.out {
        Some(folder) => folder.clone(),
        None => {
            let stem = args.file.file_stem().unwrap_or(args.file.as_os_str());
            let mut name = stem.to_owned();
            name.push(".run");
            PathBuf::from(name)
        }
    };
    measure(&plan, &folder, args.resume, args.csv.as_deref(), out)
}

/// Makes the measurements of a plan, and a report of them.
pub fn measure(
    plan: &Plan,
    folder: &Path,
    resume: bool,
    csv: Option<&Path>,
    out: &mut Output,
) -> Result<(), Failure> {
    let interrupt = Interrupt::install();
    let stop = interrupt.flag();
    let outcome = interrupt.during(|| sweep::execute(plan, folder, resume, &stop))?;
    super::tell(outcome.remainder.as_ref());
    if outcome.stopped {
        return Err(Failure::Failed(format!(
            "stopped with {} of {} measurements made; the same command with --resume goes on",
            outcome.kept + outcome.made,
            plan.measurements()
        )));
    }
    for skipped in &plan.skipped {
        writeln!(out, "left out: {skipped}")?;
    }
    let run = Run::open(folder)?;
    let pages = report::write(&run)?;
    if let Some(csv) = csv {
        report::write_csv(&run, csv)?;
    }
    writeln!(
        out,
        "{} measurements of {} settings in {}",
        grouped(outcome.kept + outcome.made),
        plan.settings.len(),
        folder.display()
    )?;
    for page in pages {
        writeln!(out, "{}", page.display())?;
    }
    Ok(())
}

pub fn list(plan: &Plan, out: &mut Output) -> Result<(), Failure> {
    for planned in &plan.settings {
        let setting = &planned.setting;
        let workload = match setting.workload {
            Workload::Search => String::new(),
            Workload::Selfplay { moves: None } => ", a whole game".into(),
            Workload::Selfplay { moves: Some(moves) } => format!(", {moves} moves of a game"),
        };
        writeln!(
            out,
            "{} x {} ({}{workload}), {} depth {}, {} on {}",
            planned.repeats,
            setting.game,
            setting.position_name,
            setting.search,
            setting.depth,
            setting.strategy,
            setting.threads
        )?;
    }
    for skipped in &plan.skipped {
        writeln!(out, "left out: {skipped}")?;
    }
    writeln!(
        out,
        "{} settings, {} measurements",
        plan.settings.len(),
        grouped(plan.measurements())
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_of_options_do_not_split_names() {
        let split = |text: &str| names(&[text.to_owned()], &["seq", "budget", "ybwc"]);
        let expect = |list: &[&str]| Some(list.iter().map(|s| (*s).to_owned()).collect());
        assert_eq!(
            split("budget:2,spawn=rest,seq,ybwc:3"),
            expect(&["budget:2,spawn=rest", "seq", "ybwc:3"])
        );
        assert_eq!(split("what,seq"), expect(&["what", "seq"]));
        assert_eq!(names(&[], &["seq"]), None);
    }
}
