//! The speed-up that other numbers of cores would give, from one recorded task graph.
//!
//! A discrete-event simulation of the team's own way to find work, in which handing out a
//! task, joining another worker's split and noticing an abort cost a given time. What it
//! cannot know is said: see [`Simulation::prunes`].

mod machine;
mod model;

use std::collections::BTreeMap;
use std::path::Path;

use crate::LabError;
use crate::record::{Measurement, Setting};
use crate::trace::Recording;
use crate::trace::graph::Graph;
use machine::Machine;
pub use model::Measure;
use model::Program;

/// The most cores to simulate.
pub const MAX_CORES: usize = 1024;

/// What scheduling costs, in nanoseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Costs {
    /// To open a split, and to take a task of it.
    pub spawn_ns: u64,
    /// To find another worker's split and to join it.
    pub steal_ns: u64,
    /// To notice that the present task is aborted.
    pub abort_ns: u64,
}

impl Costs {
    /// What joining another worker's split costs if nothing is said.
    pub const STEAL_NS: u64 = 2_000;
    /// What noticing an abort costs if nothing is said.
    pub const ABORT_NS: u64 = 2_000;
}

/// A recorded search that can be run by any number of simulated cores.
#[derive(Clone, Debug)]
pub struct Simulation {
    program: Program,
    /// What one thread without any strategy needs, in nanoseconds.
    baseline_ns: f64,
}

/// What a simulation says.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Simulated {
    /// The cores.
    pub cores: usize,
    /// The time of the search in nanoseconds.
    pub time_ns: u64,
    /// The speed-up over one thread without any strategy.
    pub speedup: f64,
    /// The share of the cores' time spent in tasks.
    pub busy: f64,
    /// The share of the work that was in tasks that were aborted.
    pub aborted: f64,
    /// How often a worker joined another's split.
    pub steals: u64,
}

impl Simulation {
    /// A simulation of a recorded search, with speed-ups over what it needs on one core if
    /// scheduling is for free.
    pub fn new(graph: &Graph, measure: Measure) -> Result<Self, String> {
        if graph.dropped > 0 {
            return Err(format!(
                "{} events were dropped while recording: record again with room for more",
                graph.dropped
            ));
        }
        let program = Program::new(graph, measure)?;
        Ok(Simulation {
            baseline_ns: program.needed as f64,
            program,
        })
    }

    /// A simulation of a recording; the error names the recording. With a measurement of one
    /// thread without any strategy, speed-ups are over that.
    pub fn of(
        recording: &Recording,
        measure: Measure,
        sequential: Option<&Measurement>,
    ) -> Result<Self, LabError> {
        let setting = &recording.measurement.setting;
        let simulation = Simulation::new(&recording.graph()?, measure);
        let mut simulation = simulation.map_err(|why| {
            LabError::Input(format!(
                "{} with {} on {} cannot be simulated: {why}",
                setting.game, setting.strategy, setting.threads
            ))
        })?;
        if let Some(sequential) = sequential {
            let cpu = sequential.cpu_ns as f64;
            simulation.baseline_ns = if setting.threads == 1 {
                // Both are processor times of one thread: what else the machine did meanwhile
                // stretched the recorded times, but not these.
                let recorded = recording.measurement.cpu_ns.max(1) as f64;
                simulation.program.needed as f64 * cpu / recorded
            } else {
                cpu
            };
        }
        Ok(simulation)
    }

    /// What opening a split and taking a task cost when it was recorded, in nanoseconds.
    pub fn recorded_spawn_ns(&self) -> u64 {
        self.program.handling.round() as u64
    }

    /// Whether cut-offs were recorded. Then a part of the work is assumed: tasks that were
    /// cancelled or aborted in the recording are taken to be as long as their siblings are on
    /// average, and a bound that comes earlier or later makes no other difference.
    pub fn prunes(&self) -> bool {
        self.program.prunes
    }

    /// Runs it.
    pub fn run(&self, costs: Costs, cores: usize) -> Simulated {
        let ran = Machine::new(&self.program, costs, cores.max(1)).run();
        Simulated {
            cores: cores.max(1),
            time_ns: ran.time,
            speedup: self.baseline_ns / ran.time.max(1) as f64,
            busy: ran.worked as f64 / (ran.time.max(1) as f64 * cores.max(1) as f64),
            aborted: ran.aborted as f64 / ran.worked.max(1) as f64,
            steals: ran.steals,
        }
    }
}

/// What to simulate.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// Numbers of cores.
    pub cores: Vec<usize>,
    /// What opening a split and taking a task cost; as recorded if not given.
    pub spawn_ns: Option<u64>,
    /// What joining another worker's split costs.
    pub steal_ns: u64,
    /// What noticing an abort costs.
    pub abort_ns: u64,
    /// What the length of work is taken from.
    pub measure: Measure,
}

/// The speed-up of one strategy on several numbers of cores.
#[derive(Clone, Debug)]
pub struct Curve {
    /// What was recorded.
    pub setting: Setting,
    /// What scheduling was taken to cost.
    pub costs: Costs,
    /// How many tasks were recorded.
    pub tasks: usize,
    /// The work of all of them, in nanoseconds.
    pub work_ns: u64,
    /// The longest chain of them, in nanoseconds.
    pub span_ns: u64,
    /// See [`Simulation::prunes`].
    pub prunes: bool,
    /// What speed-ups are relative to.
    pub relative_to: RelativeTo,
    /// For each number of cores.
    pub points: Vec<Point>,
}

/// What simulated speed-ups are relative to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RelativeTo {
    /// One thread without any strategy, as measured; on the recorded number of threads the
    /// speed-up is that of the measurements.
    Measured,
    /// One thread without any strategy, as measured, and the speed of the recorded run.
    Sequential,
    /// The recorded work on one core, if scheduling were for free.
    Work,
}

/// A number of cores.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    /// What the simulation says.
    pub simulated: Simulated,
    /// The speed-up that was measured with as many threads, if it was.
    pub measured: Option<f64>,
}

/// Simulates a recording. Measurements of the same work by one thread without a strategy, and
/// by several threads with the same strategy, are what speed-ups are compared with.
pub fn curve(
    recording: &Recording,
    measurements: &[&Measurement],
    options: &Options,
) -> Result<Curve, LabError> {
    let setting = &recording.measurement.setting;
    let of = |setting: &Setting| {
        let mut runs: Vec<&Measurement> = measurements
            .iter()
            .copied()
            .filter(|m| m.setting == *setting)
            .collect();
        runs.sort_by_key(|m| m.elapsed_ns);
        runs.get(runs.len().saturating_sub(1) / 2).copied()
    };
    let sequential = of(&setting.sequential());
    let mut simulation = Simulation::of(recording, options.measure, sequential)?;
    let graph = recording.graph()?;
    let costs = Costs {
        spawn_ns: options.spawn_ns.unwrap_or(simulation.recorded_spawn_ns()),
        steal_ns: options.steal_ns,
        abort_ns: options.abort_ns,
    };
    // One recording is as fast or slow as that run happened to be; the median of the same
    // setting without recording is not. The shape of the curve is simulated, its level measured.
    let level = sequential
        .zip(of(setting).filter(|m| !m.is_oversubscribed()))
        .map(|(one, all)| one.seconds() / all.seconds().max(1e-9));
    if let Some(level) = level {
        let recorded = simulation.run(costs, setting.threads).speedup;
        simulation.baseline_ns *= level / recorded.max(1e-9);
    }
    let point = |&cores: &usize| {
        let parallel = of(&Setting {
            threads: cores,
            ..setting.clone()
        });
        // More threads than cores show nothing about cores.
        let parallel = parallel.filter(|m| !m.is_oversubscribed());
        let measured = sequential.zip(parallel);
        Point {
            simulated: simulation.run(costs, cores),
            measured: measured.map(|(one, all)| one.seconds() / all.seconds().max(1e-9)),
        }
    };
    Ok(Curve {
        setting: setting.clone(),
        costs,
        tasks: graph.taken().count(),
        work_ns: graph.work(),
        span_ns: graph.span(),
        prunes: simulation.prunes(),
        relative_to: match (sequential, level) {
            (Some(_), Some(_)) => RelativeTo::Measured,
            (Some(_), None) => RelativeTo::Sequential,
            (None, _) => RelativeTo::Work,
        },
        points: options.cores.iter().map(point).collect(),
    })
}

/// Simulates every strategy of a run of which there is a trace: the one with the fewest
/// threads, which has the fewest guesses. The second list says what could not be simulated.
pub fn run(
    measurements: &[Measurement],
    traces: &Path,
    options: &Options,
) -> Result<(Vec<Curve>, Vec<String>), LabError> {
    let untraced: Vec<&Measurement> = measurements.iter().filter(|m| !m.traced).collect();
    // Settings that differ in threads only belong together.
    let mut settings: BTreeMap<Setting, Vec<&Setting>> = BTreeMap::new();
    for measurement in measurements {
        let setting = &measurement.setting;
        let alone = Setting {
            threads: 1,
            ..setting.clone()
        };
        let list = settings.entry(alone).or_default();
        if !setting.is_sequential() && !list.contains(&setting) {
            list.push(setting);
        }
    }
    let (mut curves, mut left_out) = (Vec::new(), Vec::new());
    for mut settings in settings.into_values() {
        settings.sort_by_key(|setting| setting.threads);
        let paths = settings
            .iter()
            .map(|setting| traces.join(format!("{}.jsonl", setting.slug())));
        let Some(path) = paths.into_iter().find(|path| path.exists()) else {
            continue;
        };
        match curve(&Recording::read(&path)?, &untraced, options) {
            Ok(curve) => curves.push(curve),
            Err(error) => left_out.push(error.to_string()),
        }
    }
    Ok((curves, left_out))
}
