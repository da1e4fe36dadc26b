//! Speed-ups on several numbers of cores beside those that were measured.

use std::collections::BTreeMap;
use std::path::Path;

use super::calibrate::{fit_growth, node_cost};
use super::{Calibration, Costs, Measure, Simulated, Simulation};
use crate::LabError;
use crate::record::{Measurement, Setting};
use crate::report::stats::{Estimate, median};
use crate::trace::Recording;

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
    /// See [`Calibration::growth`]; from measurements if not given.
    pub growth: Option<f64>,
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
    /// What was taken from measurements.
    pub calibration: Calibration,
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
    /// The speed-up that the recorded graph alone gives, without any calibration.
    pub graph_alone: f64,
    /// The speed-up that was measured with as many threads, if it was.
    pub measured: Option<Estimate>,
    /// The nodes that were measured, compared with those of the recording.
    pub measured_nodes: Option<f64>,
}

impl Point {
    /// How far the simulated speed-up is above the measured one, as a share of that.
    pub fn difference(&self) -> Option<f64> {
        let measured = self.measured?.value;
        Some(self.simulated.speedup / measured - 1.0)
    }
}

/// Measurements of the same work by the same strategy, by threads.
struct Runs<'m> {
    sequential: Vec<&'m Measurement>,
    by_threads: BTreeMap<usize, Vec<&'m Measurement>>,
}

impl<'m> Runs<'m> {
    fn of(setting: &Setting, measurements: &[&'m Measurement]) -> Self {
        let alone = setting.sequential();
        let mut runs = Runs {
            sequential: Vec::new(),
            by_threads: BTreeMap::new(),
        };
        for &run in measurements {
            let same = Setting {
                threads: setting.threads,
                ..run.setting.clone()
            };
            if run.setting == alone {
                runs.sequential.push(run);
            } else if same == *setting {
                let threads = run.setting.threads;
                runs.by_threads.entry(threads).or_default().push(run);
            }
        }
        runs
    }

    /// The sequential run in the middle, by time.
    fn middle_sequential(&self) -> Option<&'m Measurement> {
        let mut runs = self.sequential.clone();
        runs.sort_by_key(|run| run.elapsed_ns);
        runs.get(runs.len().saturating_sub(1) / 2).copied()
    }

    /// The runs with so many threads, if there were as many cores: more threads than cores
    /// show nothing about the time on cores.
    fn on_cores(&self, threads: usize) -> Option<&[&'m Measurement]> {
        let runs = self.by_threads.get(&threads)?;
        (!runs.iter().any(|run| run.is_oversubscribed())).then_some(runs)
    }

    fn speedup(&self, threads: usize) -> Option<Estimate> {
        let seconds = |runs: &[&Measurement]| -> Vec<f64> {
            runs.iter().map(|run| run.seconds().max(1e-9)).collect()
        };
        let parallel = self.on_cores(threads)?;
        (!self.sequential.is_empty())
            .then(|| Estimate::ratio_of_medians(&seconds(&self.sequential), &seconds(parallel)))
    }

    /// The median of the nodes with so many threads.
    fn nodes(&self, threads: usize) -> Option<f64> {
        let runs = self.by_threads.get(&threads)?;
        let nodes: Vec<f64> = runs.iter().map(|run| run.nodes.total() as f64).collect();
        Some(median(&nodes))
    }

    /// What a node costs, by threads, compared with the recorded number of threads.
    fn node_costs(&self, recorded: usize) -> Vec<(usize, f64)> {
        let of = |threads| self.on_cores(threads).and_then(node_cost);
        let Some(base) = of(recorded) else {
            return Vec::new();
        };
        let threads = self.by_threads.keys();
        threads
            .filter_map(|&threads| Some((threads, of(threads)? / base)))
            .collect()
    }
}

/// Simulates a recording. Measurements of the same work by one thread without a strategy, and
/// by several threads with the same strategy, are what it is calibrated with and what
/// speed-ups are compared with: nodes and the processor time of a node go in, the time that
/// the search took does not, but for the recorded number of threads.
pub fn curve(
    recording: &Recording,
    measurements: &[&Measurement],
    options: &Options,
) -> Result<Curve, LabError> {
    let setting = &recording.measurement.setting;
    let runs = Runs::of(setting, measurements);
    let sequential = runs.middle_sequential();
    let mut plain = Simulation::of(recording, options.measure, sequential)?;
    let graph = recording.graph()?;
    let costs = Costs {
        spawn_ns: options.spawn_ns.unwrap_or(plain.recorded_spawn_ns()),
        steal_ns: options.steal_ns,
        abort_ns: options.abort_ns,
    };
    let recorded = plain.machine(costs, setting.threads);
    let recorded_nodes = recording.measurement.nodes.total().max(1) as f64;
    let nodes = |threads| Some(runs.nodes(threads)? / recorded_nodes);

    let others = runs.by_threads.keys().filter(|&&n| n != setting.threads);
    let others: Vec<usize> = others.copied().collect();
    let loads: Vec<_> = others
        .iter()
        .filter(|_| options.growth.is_none())
        .filter_map(|&n| Some((plain.machine(costs, n).load, nodes(n)?)))
        .collect();
    let counts: Vec<(&[u64], f64)> = loads.iter().map(|(load, n)| (&load[..], *n)).collect();
    let calibration = Calibration {
        growth: match options.growth {
            Some(growth) => growth,
            None if counts.is_empty() => 0.0,
            None => fit_growth(&recorded.load, &counts),
        },
        counted: if options.growth.is_none() {
            others
        } else {
            Vec::new()
        },
        node_costs: runs.node_costs(setting.threads),
    };

    // One recording is as fast or slow as that run happened to be; the median of the same
    // setting without recording is not. The shape of the curve is simulated, its level measured.
    let level = runs.speedup(setting.threads).map(|level| level.value);
    if let Some(level) = level {
        let found = plain.tell(&recorded, setting.threads).speedup;
        plain.baseline_ns *= level / found.max(1e-9);
    }
    let simulation = plain.clone().calibrated(calibration, &recorded);
    let point = |&cores: &usize| {
        let ran = plain.machine(costs, cores);
        Point {
            simulated: simulation.tell(&ran, cores),
            graph_alone: plain.tell(&ran, cores).speedup,
            measured: runs.speedup(cores),
            measured_nodes: nodes(cores),
        }
    };
    Ok(Curve {
        setting: setting.clone(),
        costs,
        tasks: graph.taken().count(),
        work_ns: graph.work(),
        span_ns: graph.span(),
        prunes: plain.prunes(),
        relative_to: match (sequential, level) {
            (Some(_), Some(_)) => RelativeTo::Measured,
            (Some(_), None) => RelativeTo::Sequential,
            (None, _) => RelativeTo::Work,
        },
        points: options.cores.iter().map(point).collect(),
        calibration: simulation.calibration,
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
