//! `plywood lab simulate`: says what speed-up other numbers of cores would give.

use std::io::Write;
use std::path::Path;

use clap::Args;
use plywood::TraceOptions;
use plywood_games::registry;
use plywood_lab::simulate::{self, Costs, Curve, Measure, RelativeTo};
use plywood_lab::sweep::Run;
use plywood_lab::trace::{Recording, measure, record};

use super::trace::stopped;
use super::work::WorkArgs;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::output::Output;
use crate::values;

#[derive(Args, Debug)]
pub struct SimulateArgs {
    /// The folder of a run with traces, a .jsonl file of plywood lab trace, or a game
    #[arg(value_name = "RUN|FILE|GAME")]
    subject: String,
    /// Numbers of cores
    #[arg(long, value_name = "N,…", value_parser = values::cores, default_value = "1,2,4,8,16,32,64,128,256,512,1024", allow_hyphen_values = true)]
    cores: values::Cores,
    /// What opening a split or taking a task costs, in nanoseconds; as recorded if not given
    #[arg(long, value_name = "NS", value_parser = values::nanoseconds, allow_hyphen_values = true)]
    spawn_cost: Option<u64>,
    /// What joining another worker's split costs, in nanoseconds
    #[arg(long, value_name = "NS", value_parser = values::nanoseconds, default_value = "2000", allow_hyphen_values = true)]
    steal_cost: u64,
    /// Take the length of work from its nodes, not from its time
    #[arg(long)]
    by_nodes: bool,
    #[command(flatten)]
    work: WorkArgs,
}

pub fn run(args: &SimulateArgs, out: &mut Output) -> Result<(), Failure> {
    let path = Path::new(&args.subject);
    if (path.is_dir() || path.is_file()) && args.work.is_given() {
        return Err(Failure::Input(format!(
            "what was recorded has its settings: leave out the other arguments, or use a game \
             instead of {}",
            args.subject
        )));
    }
    let options = simulate::Options {
        cores: args.cores.0.clone(),
        spawn_ns: args.spawn_cost,
        steal_ns: args.steal_cost,
        abort_ns: Costs::ABORT_NS,
        measure: if args.by_nodes {
            Measure::Nodes
        } else {
            Measure::Time
        },
    };
    let (curves, left_out) = if path.is_dir() {
        let run = Run::open(path)?;
        simulate::run(&run.measurements, &path.join("traces"), &options)?
    } else if path.is_file() {
        let curve = simulate::curve(&Recording::read(path)?, &[], &options)?;
        (vec![curve], Vec::new())
    } else if args.subject.contains(std::path::MAIN_SEPARATOR) || args.subject.ends_with(".jsonl") {
        return Err(Failure::Input(format!(
            "there is no {}: use the folder of a run, a .jsonl file of plywood lab trace, or a game",
            args.subject
        )));
    } else {
        (vec![one_search(args, &options)?], Vec::new())
    };
    if curves.is_empty() {
        return Err(Failure::Input(format!(
            "{} has no traces to simulate: make a run with plywood lab sweep --trace",
            args.subject
        )));
    }
    for curve in &curves {
        show(curve, out)?;
    }
    for line in left_out {
        writeln!(out, "left out: {line}")?;
    }
    let prunes = curves.iter().any(|curve| curve.prunes);
    let assumed = if prunes {
        " Where a search prunes, cut-offs come when the task that made them in the recording is \
         done, earlier or later than recorded; tasks that were cancelled or aborted in the \
         recording are taken to be as long as their siblings on average; that other bounds \
         would change the tasks themselves is not simulated."
    } else {
        ""
    };
    writeln!(
        out,
        "Simulated, not measured: the recorded tasks, run by cores that find work as the workers \
         of a search do.{assumed}"
    )?;
    Ok(())
}

/// Records a search of a game on one thread, and what its sequential search needs.
fn one_search(args: &SimulateArgs, options: &simulate::Options) -> Result<Curve, Failure> {
    // A game with options has a colon behind its name; anything else may be a run that is not there.
    let name = args.subject.split(':').next().unwrap_or_default();
    if !registry::games().iter().any(|game| game.name == name) {
        return Err(Failure::Input(format!(
            "there is no run, recording or game '{}': use the folder of a run, a .jsonl file of \
             plywood lab trace, or a game ({})",
            plywood_lab::values::short(&args.subject),
            registry::games()
                .iter()
                .map(|game| game.name)
                .collect::<Vec<_>>()
                .join(", ")
        )));
    }
    let asked = args.work.setting(&args.subject)?;
    if asked.is_sequential() {
        return Err(Failure::Input(
            "seq has no tasks to simulate: use --parallel with a strategy".to_owned(),
        ));
    }
    let setting = plywood_lab::record::Setting {
        threads: 1,
        ..asked.clone()
    };
    let interrupt = Interrupt::install();
    let stop = interrupt.flag();
    let seed = args.work.seed;
    let made = interrupt.during(|| -> Result<_, Failure> {
        let sequential = measure(&setting.sequential(), seed, 0, &stop)?;
        let recording = record(&setting, seed, &TraceOptions::default(), &stop)?;
        Ok(sequential.zip(recording))
    })?;
    let Some((sequential, recording)) = made else {
        return Err(stopped());
    };
    Ok(simulate::curve(&recording, &[&sequential], options)?)
}

fn show(curve: &Curve, out: &mut Output) -> Result<(), Failure> {
    let setting = &curve.setting;
    writeln!(
        out,
        "{} ({}), {} with {}, depth {}: recorded on {} thread{}",
        setting.game,
        setting.position_name,
        setting.search,
        setting.strategy,
        setting.depth,
        setting.threads,
        if setting.threads == 1 { "" } else { "s" },
    )?;
    writeln!(
        out,
        "{} tasks, work {:.3} ms, span {:.3} ms; a split or a task costs {} ns, joining another's {} ns",
        curve.tasks,
        curve.work_ns as f64 / 1e6,
        curve.span_ns as f64 / 1e6,
        curve.costs.spawn_ns,
        curve.costs.steal_ns,
    )?;
    let relative_to = match curve.relative_to {
        RelativeTo::Measured => format!(
            "speed-ups over seq on one thread; as measured on {} thread{}, simulated from there",
            setting.threads,
            if setting.threads == 1 { "" } else { "s" },
        ),
        RelativeTo::Sequential => "speed-ups over seq on one thread, measured once".to_owned(),
        RelativeTo::Work => "speed-ups over the recorded work, with scheduling for free".to_owned(),
    };
    writeln!(out, "{relative_to}")?;
    let task_ns = curve.work_ns / curve.tasks.max(1) as u64;
    if task_ns < 10 * curve.costs.spawn_ns {
        writeln!(
            out,
            "a task is {:.1} us long on average, little more than it costs to hand it out: \
             a strategy that splits less would gain more",
            task_ns as f64 / 1e3
        )?;
    }
    writeln!(
        out,
        "{:>6} {:>10} {:>7} {:>9} {:>9} {:>10}",
        "cores", "speed-up", "busy", "aborted", "measured", "difference"
    )?;
    for point in &curve.points {
        let simulated = &point.simulated;
        let measured = point.measured.map_or(String::new(), |measured| {
            let difference = 100.0 * (simulated.speedup / measured - 1.0);
            format!(" {measured:>9.2} {difference:>+8.1} %")
        });
        writeln!(
            out,
            "{:>6} {:>10.2} {:>5.1} % {:>7.1} %{measured}",
            simulated.cores,
            simulated.speedup,
            100.0 * simulated.busy,
            100.0 * simulated.aborted,
        )?;
    }
    Ok(writeln!(out)?)
}
