//! `plywood lab trace`: records what every worker does when.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use plywood::TraceOptions;
use plywood::trace::Activity;
use plywood_lab::explain;
use plywood_lab::trace::{Format, Recording, record};

use super::work::WorkArgs;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::output::{self, Output, grouped};
use crate::values;

/// Where a trace goes if nothing is said.
const DEFAULT_FILES: [&str; 2] = ["plywood-trace.html", "plywood-trace.json"];

#[derive(Args, Debug)]
pub struct TraceArgs {
    /// The game
    game: String,
    /// A file to write: .html to look at, .json for Perfetto, .jsonl for explain and
    /// simulate; may be given several times. plywood-trace.html and .json if not given
    #[arg(long, value_name = "FILE")]
    out: Vec<PathBuf>,
    /// The most events to keep; what comes later is counted only
    #[arg(long, value_name = "N", value_parser = values::events, default_value = "200000", allow_hyphen_values = true)]
    max_events: usize,
    /// Search on one thread too, and say where the speed-up went
    #[arg(long)]
    explain: bool,
    #[command(flatten)]
    work: WorkArgs,
}

pub fn run(args: &TraceArgs, out: &mut Output) -> Result<(), Failure> {
    let setting = args.work.setting(&args.game)?;
    let files: Vec<PathBuf> = match args.out.as_slice() {
        [] => DEFAULT_FILES.map(PathBuf::from).into(),
        files => files.to_vec(),
    };
    for path in &files {
        Format::of(path)?.may_write(path)?;
    }
    let options = TraceOptions {
        max_events: args.max_events,
    };
    let interrupt = Interrupt::install();
    let stop = interrupt.flag();
    let seed = args.work.seed;
    let recording = interrupt.during(|| record(&setting, seed, &options, &stop))?;
    let Some(recording) = recording else {
        return Err(stopped());
    };
    for path in &files {
        recording.save(path)?;
    }
    show(&recording, out)?;
    for path in &files {
        writeln!(out, "written   {}", path.display())?;
    }
    if args.explain {
        let explanation = interrupt.during(|| {
            explain::one_search(&setting, seed, explain::REPEATS, Some(recording), &stop)
        })?;
        let Some(explanation) = explanation else {
            return Err(stopped());
        };
        write!(out, "\n{}", explanation.text())?;
    }
    Ok(())
}

pub(super) fn stopped() -> Failure {
    Failure::Failed("stopped before the search was complete: nothing is written".into())
}

fn show(recording: &Recording, out: &mut Output) -> Result<(), Failure> {
    let measurement = &recording.measurement;
    let setting = &measurement.setting;
    let graph = recording.graph()?;
    writeln!(
        out,
        "search    {}, {} with {} on {} thread{}, depth {}",
        setting.game,
        setting.search,
        setting.strategy,
        setting.threads,
        if setting.threads == 1 { "" } else { "s" },
        setting.depth,
    )?;
    if !measurement.best.is_empty() {
        writeln!(out, "best      {}", measurement.best)?;
    }
    writeln!(
        out,
        "nodes     {} in {}",
        grouped(measurement.nodes.total()),
        output::time(Duration::from_nanos(measurement.elapsed_ns)),
    )?;
    let tasks = &measurement.tasks;
    writeln!(
        out,
        "tasks     {} offered, {} run by another worker, {} by their own, {} cancelled, {} aborted",
        grouped(tasks.offered),
        grouped(tasks.converted),
        grouped(tasks.fizzled),
        grouped(tasks.cancelled),
        grouped(tasks.aborted),
    )?;
    let cuts = graph.splits.iter().filter(|split| split.cut.is_some());
    writeln!(
        out,
        "splits    {}, {} of them cut off",
        grouped(graph.splits.len() as u64),
        grouped(cuts.count() as u64),
    )?;
    let all: u64 = graph.lanes.iter().flatten().map(|s| s.end - s.begin).sum();
    let share = |activity| 100.0 * graph.time(activity) as f64 / all.max(1) as f64;
    writeln!(
        out,
        "time      searching {:.1} %, stealing {:.1} %, waiting at a join {:.1} %, idle {:.1} %",
        share(Activity::Searching),
        share(Activity::Stealing),
        share(Activity::Joining),
        share(Activity::Sleeping),
    )?;
    if graph.dropped > 0 {
        writeln!(
            out,
            "dropped   {} events: tasks are missing; --max-events keeps more",
            grouped(graph.dropped),
        )?;
    }
    if measurement.is_oversubscribed() {
        writeln!(
            out,
            "note      {} threads on {} cores: a worker that searches may be waiting for a core",
            setting.threads, measurement.host.cores,
        )?;
    }
    Ok(())
}
