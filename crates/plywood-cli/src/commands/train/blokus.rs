//! `plywood train blokus`: the engine learns from its own games which moves to look at first.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use clap::Args;
use plywood_games::blokus::engine::{Course, Policy, Round, title_of_records, train};
use plywood_games::blokus::{Classic, Duo};
use plywood_games::twenty48::network::replace_file;

use super::{progress_bar, threads, wrong};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::output::{Output, grouped};
use crate::values;

#[derive(Args, Debug)]
pub struct BlokusArgs {
    /// The file of the weights, written after every 96 games, later after an eighth of those so far
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// How many games
    #[arg(long, value_name = "N", value_parser = values::nodes, allow_hyphen_values = true)]
    games: u64,
    /// Playouts for a move
    #[arg(long, value_name = "N", value_parser = values::nodes, default_value = "400", allow_hyphen_values = true)]
    playouts: u64,
    /// Games at the same time; as many as there are cores if not given
    #[arg(long, value_name = "N", value_parser = values::threads, allow_hyphen_values = true)]
    threads: Option<usize>,
    /// Weights to begin with; those that know only that large pieces are better if not given
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Learn from games of Duo
    #[arg(long)]
    duo: bool,
    /// A new file for the positions of the classic game, to learn a second look at moves from
    /// with plywood train blokus-look
    #[arg(long, value_name = "FILE", conflicts_with = "duo")]
    record: Option<PathBuf>,
    /// Decides all random numbers
    #[arg(long, value_name = "N", value_parser = values::seed, default_value = "1", allow_hyphen_values = true)]
    seed: u64,
}

/// The weights in a file.
pub fn load(path: &Path, colours: usize) -> Result<Policy, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| wrong(path, &error))?;
    Policy::read(&text, colours).map_err(|error| wrong(path, &error))
}

pub fn run(args: &BlokusArgs, out: &mut Output) -> Result<(), Failure> {
    let path = args.out.display();
    let policy = match &args.from {
        Some(file) => load(file, if args.duo { 2 } else { 4 })?,
        None => Policy::SIMPLE,
    };
    let save = |policy: &Policy| {
        replace_file(&args.out, |file| file.write_all(policy.write().as_bytes()))
            .map_err(|error| Failure::Failed(format!("{path} cannot be written: {error}")))
    };
    // Whether the file can be written is known before hours are spent on it.
    save(&policy)?;
    let mut record = args.record.as_deref().map(Record::create).transpose()?;
    let course = Course {
        games: args.games,
        playouts: args.playouts,
        threads: threads(args.threads),
        seed: args.seed,
        record: record.is_some(),
    };
    let bar = progress_bar();
    let interrupt = Interrupt::install();
    let stop = interrupt.flag();
    let mut failed = None;
    let mut last = None;
    let on_round = |round: &Round, policy: &Policy, records: &[u8]| {
        bar.set_message(figures(round));
        last = Some(*round);
        let recorded = record.as_mut().map_or(Ok(()), |file| file.add(records));
        failed = save(policy).and(recorded).err();
        failed.is_none() && !stop.load(Ordering::Relaxed)
    };
    let learnt = interrupt.during(|| {
        if args.duo {
            train(&Duo::new(), policy, &course, on_round)
        } else {
            train(&Classic::new(), policy, &course, on_round)
        }
    });
    bar.finish_and_clear();
    learnt.map_err(|error| Failure::Failed(error.to_string()))?;
    if let Some(failure) = failed {
        return Err(failure);
    }
    if let Some(round) = last {
        writeln!(out, "{}", figures(&round))?;
        if round.games < args.games {
            writeln!(out, "interrupted: --from {path} goes on")?;
        }
    }
    writeln!(out, "{path} written")?;
    Ok(())
}

/// A file of positions.
struct Record<'a> {
    path: &'a Path,
    file: File,
}

impl<'a> Record<'a> {
    /// A file that is not there yet: what was recorded is never lost.
    fn create(path: &'a Path) -> Result<Self, Failure> {
        let file = File::create_new(path).map_err(|error| wrong(path, &error))?;
        let mut record = Record { path, file };
        record.add(title_of_records().as_bytes())?;
        Ok(record)
    }

    fn add(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let path = self.path.display();
        self.file
            .write_all(bytes)
            .map_err(|error| Failure::Failed(format!("{path} cannot be written: {error}")))
    }
}

/// How it goes, on one line.
fn figures(round: &Round) -> String {
    let foretold = round.foretold.map_or(String::new(), |foretold| {
        let (points, wins) = (foretold.points, foretold.win_share);
        format!("; ends foretold to {points:.2} points, wins to {wins:.3}")
    });
    format!(
        "{} games; {} positions of the latest misjudged by {:.3}, now {:.3}{foretold}",
        grouped(round.games),
        grouped(round.positions as u64),
        round.error.0,
        round.error.1
    )
}
