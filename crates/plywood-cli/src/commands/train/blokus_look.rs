//! `plywood train blokus-look`: the network of the second look learns from recorded positions.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Instant;

use clap::Args;
use plywood_games::blokus::engine::{LookCourse, LookLearner, Positions, Score, SecondLook};
use plywood_games::twenty48::network::replace_file;

use super::{progress_bar, threads, wrong};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::output::{Output, grouped};
use crate::values;

#[derive(Args, Debug)]
pub struct BlokusLookArgs {
    /// Files that plywood train blokus --record has written
    #[arg(value_name = "POSITIONS", required = true)]
    positions: Vec<PathBuf>,
    /// The file of the network, written after every pass
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// How often it goes through all positions
    #[arg(long, value_name = "N", value_parser = values::count, default_value = "12", allow_hyphen_values = true)]
    passes: u32,
    /// Threads; all cores if not given
    #[arg(long, value_name = "N", value_parser = values::threads, allow_hyphen_values = true)]
    threads: Option<usize>,
    /// Decides the first weights and the order of the positions
    #[arg(long, value_name = "N", value_parser = values::seed, default_value = "1", allow_hyphen_values = true)]
    seed: u64,
}

/// The network in a file.
pub fn load(path: &Path) -> Result<SecondLook, Failure> {
    let file = std::fs::read(path).map_err(|error| wrong(path, &error))?;
    SecondLook::read(&file).map_err(|error| wrong(path, &error))
}

pub fn run(args: &BlokusLookArgs, out: &mut Output) -> Result<(), Failure> {
    let mut positions = Positions::default();
    for path in &args.positions {
        let same = |path: &Path| std::fs::canonicalize(path).ok();
        if same(path).is_some_and(|file| same(&args.out) == Some(file)) {
            let error = "these are positions: --out would replace them, use another file";
            return Err(wrong(path, &error));
        }
        let file = std::fs::read(path).map_err(|error| wrong(path, &error))?;
        positions.add(&file).map_err(|error| wrong(path, &error))?;
    }
    let course = LookCourse {
        passes: args.passes,
        threads: threads(args.threads),
        seed: args.seed,
    };
    let mut learner = LookLearner::new(&positions, course)?;
    let path = args.out.display();
    let save = |file: &[u8]| {
        replace_file(&args.out, |to| to.write_all(file))
            .map_err(|error| Failure::Failed(format!("{path} cannot be written: {error}")))
    };
    // Whether the file can be written is known before hours are spent on it; what is there stays
    // until something was learnt.
    save(&std::fs::read(&args.out).unwrap_or_else(|_| learner.rounded()))?;
    let (learnt, test) = learner.counts();
    let (threads, instructions) = learner.equipment();
    writeln!(
        out,
        "{} positions of {} games to learn from, {} to test with; threads {threads}, instructions {instructions}",
        grouped(learnt as u64),
        grouped(positions.games() as u64),
        grouped(test as u64),
    )?;
    out.flush()?;
    let bar = progress_bar();
    let interrupt = Interrupt::install();
    let stop = interrupt.flag();
    let started = Instant::now();
    let mut done = 0.0;
    let learnt: Result<(), Failure> = interrupt.during(|| {
        let mut recent = None;
        for _ in 0..args.passes {
            let whole = learner.learn(|passes, error| {
                done = passes;
                let before = recent.unwrap_or(error);
                recent = Some(before + (error - before) / 50.0);
                let now = recent.unwrap_or(error);
                bar.set_message(format!(
                    "{passes:.2} of {} passes; misjudges the search by {now:.3}",
                    args.passes
                ));
                !stop.load(Ordering::Relaxed)
            });
            save(&learner.rounded())?;
            if !whole {
                break;
            }
        }
        Ok(())
    });
    bar.finish_and_clear();
    learnt?;
    let seconds = started.elapsed().as_secs_f64();
    let exact = learner.test();
    let rounded = learner.test_rounded(&load(&args.out)?);
    writeln!(out, "{done:.2} passes in {seconds:.1} s")?;
    writeln!(out, "in floating point: {}", figures(&exact))?;
    writeln!(out, "in whole numbers: {}", figures(&rounded))?;
    if interrupt.was_used() {
        writeln!(out, "interrupted: what was learnt so far is kept")?;
    }
    writeln!(out, "{path} written")?;
    Ok(())
}

/// How good it is, on one line.
fn figures(score: &Score) -> String {
    format!(
        "misjudges the search by {:.3}, has its favourite in {:.1} % of the positions",
        score.error,
        100.0 * score.favourite
    )
}
