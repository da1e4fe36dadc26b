//! `plywood lab simulate`: says what speed-up other numbers of cores would give.

use std::io::Write;
use std::path::Path;

use clap::Args;
use plywood::TraceOptions;
use plywood_games::registry;
use plywood_lab::simulate::{self, Calibration, Costs, Curve, Measure, RelativeTo};
use plywood_lab::sweep::Run;
use plywood_lab::trace::{Recording, measure, record};

use super::trace::stopped;
use super::work::WorkArgs;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::output::Output;
use crate::values;

/// The numbers of threads on which a game is searched once to calibrate its simulation.
const MEASURED_THREADS: [usize; 4] = [1, 2, 4, 8];

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
    /// While n cores are at work they search n to this power times the nodes: 0 for no more
    /// than recorded; from the measured nodes if not given
    #[arg(long, value_name = "POWER", value_parser = values::power, allow_hyphen_values = true)]
    node_growth: Option<f64>,
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
        growth: args.node_growth,
        measure: if args.by_nodes {
            Measure::Nodes
        } else {
            Measure::Time
        },
    };
    let (curves, left_out) = if path.is_dir() {
        let run = Run::open(path)?;
        super::tell(run.remainder.as_ref());
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
    explain(&curves, out)
}

/// Says how far it can be trusted, and what was simulated, calibrated and assumed.
fn explain(curves: &[Curve], out: &mut Output) -> Result<(), Failure> {
    let checked = curves.iter().flat_map(|curve| {
        let recorded = curve.setting.threads;
        let others = curve.points.iter();
        others.filter(move |point| point.simulated.cores != recorded)
    });
    let differences: Vec<f64> = checked.filter_map(|point| point.difference()).collect();
    if !differences.is_empty() {
        let worst = differences
            .iter()
            .copied()
            .max_by(|a, b| a.abs().total_cmp(&b.abs()));
        let within = differences.iter().filter(|d| d.abs() <= 0.1).count();
        writeln!(
            out,
            "Checked against {} measured speed-up{} on other numbers of threads than the recorded \
             one: {within} within 10 %, the farthest {:+.1} %.",
            differences.len(),
            if differences.len() == 1 { "" } else { "s" },
            100.0 * worst.unwrap_or(0.0),
        )?;
    }
    writeln!(
        out,
        "Simulated, not measured: the recorded tasks, run by cores that find work as the workers \
         of a search do, with what scheduling costs."
    )?;
    let calibrated = |curve: &Curve| {
        let calibration = &curve.calibration;
        !calibration.counted.is_empty() || calibration.node_costs.len() > 1
    };
    if curves.iter().any(calibrated) {
        writeln!(
            out,
            "Calibrated, from measurements on several threads: how many more nodes are searched \
             while others are at work, who have not yet found the bounds and table entries that \
             the recorded search had, as one power for all numbers of cores; and the processor \
             time of a node. The measured times of the searches are not used, but for the \
             recorded number of threads. 'graph' is the speed-up without calibration."
        )?;
    }
    if curves.iter().any(|curve| curve.prunes) {
        writeln!(
            out,
            "Assumed, where a search prunes: cut-offs come when the task that made them in the \
             recording is done, earlier or later than recorded; tasks that were cancelled or \
             aborted in the recording are like their siblings that did not cut off, and the \
             later in turn the shorter, as seen where nothing is cut off."
        )?;
    }
    Ok(())
}

/// Records a search of a game on one thread, and measures what it is to be compared with:
/// the sequential search, and as many nodes as 2, 4, 8 threads search, whether there are so
/// many cores or not.
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
        let Some(recording) = record(&setting, seed, &TraceOptions::default(), &stop)? else {
            return Ok(None);
        };
        let mut settings = vec![setting.sequential()];
        settings.extend(
            MEASURED_THREADS.map(|threads| plywood_lab::record::Setting {
                threads,
                ..setting.clone()
            }),
        );
        let mut measurements = Vec::new();
        for setting in &settings {
            let Some(measurement) = measure(setting, seed, 0, &stop)? else {
                return Ok(None);
            };
            measurements.push(measurement);
        }
        Ok(Some((recording, measurements)))
    })?;
    let Some((recording, measurements)) = made else {
        return Err(stopped());
    };
    let measurements: Vec<_> = measurements.iter().collect();
    Ok(simulate::curve(&recording, &measurements, options)?)
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
    writeln!(out, "{}", calibration_line(&curve.calibration))?;
    writeln!(
        out,
        "{:>6} {:>9} {:>8} {:>8} {:>8} {:>8} {:>9} {:>17} {:>11} {:>7}",
        "cores",
        "speed-up",
        "graph",
        "busy",
        "aborted",
        "nodes",
        "measured",
        "95 % interval",
        "difference",
        "nodes"
    )?;
    for point in &curve.points {
        let simulated = &point.simulated;
        let mut line = format!(
            "{:>6} {:>9.2} {:>8.2} {:>6.1} % {:>6.1} % {:>8.3}",
            simulated.cores,
            simulated.speedup,
            point.graph_alone,
            100.0 * simulated.busy,
            100.0 * simulated.aborted,
            simulated.nodes,
        );
        if let (Some(measured), Some(difference)) = (point.measured, point.difference()) {
            let interval = measured.interval.map_or(String::new(), |interval| {
                format!("{:.2} to {:.2}", interval.low, interval.high)
            });
            line += &format!(
                " {:>9.2} {interval:>17} {:>+9.1} %",
                measured.value,
                100.0 * difference
            );
        } else if point.measured_nodes.is_some() {
            line += &" ".repeat(40);
        }
        if let Some(nodes) = point.measured_nodes {
            line += &format!(" {nodes:>7.3}");
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(writeln!(out)?)
}

/// What was taken from measurements, in a line.
fn calibration_line(calibration: &Calibration) -> String {
    let growth = calibration.growth;
    let nodes = match calibration.counted.as_slice() {
        [] if growth == 0.0 => "not calibrated: nodes as recorded".to_owned(),
        [] => format!("given: n cores at work search n^{growth:.3} times the nodes"),
        threads if growth == 0.0 => format!(
            "calibrated: no more nodes than recorded (counted on {} threads)",
            list(threads.iter().map(usize::to_string))
        ),
        threads => format!(
            "calibrated: n cores at work search n^{growth:.3} times the nodes (counted on {} \
             threads)",
            list(threads.iter().map(usize::to_string))
        ),
    };
    if calibration.node_costs.len() < 2 {
        return nodes;
    }
    let costs = calibration.node_costs.iter();
    let costs = list(costs.map(|(threads, cost)| format!("{cost:.2} on {threads}")));
    format!("{nodes}; a node costs {costs}")
}

fn list(words: impl Iterator<Item = String>) -> String {
    words.collect::<Vec<_>>().join(", ")
}
