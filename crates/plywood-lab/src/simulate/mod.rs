//! The speed-up that other numbers of cores would give, from one recorded task graph.
//!
//! A discrete-event simulation of the team's own way to find work, in which handing out a
//! task, joining another worker's split and noticing an abort cost a given time. What one
//! recording cannot tell is taken from measurements, see [`Calibration`], or assumed, see
//! [`Simulation::prunes`].

mod calibrate;
mod curve;
mod lengths;
mod machine;
mod model;

use crate::LabError;
use crate::record::Measurement;
use crate::trace::Recording;
use crate::trace::graph::Graph;
pub use calibrate::Calibration;
pub use curve::{Curve, Options, Point, RelativeTo, curve, run};
use machine::{Machine, Ran};
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
    calibration: Calibration,
    /// What every time is multiplied by, so that the recorded search takes as long as it did.
    scale: f64,
    /// The nodes of the recorded search, in the unit that a load gives.
    recorded_nodes: f64,
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
    /// How many times the nodes of the recording are searched.
    pub nodes: f64,
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
            recorded_nodes: program.needed.max(1) as f64,
            program,
            calibration: Calibration::default(),
            scale: 1.0,
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
    /// cancelled or aborted in the recording are taken to be like their siblings. What bounds
    /// that come later cost beyond that is a [`Calibration`]'s business.
    pub fn prunes(&self) -> bool {
        self.program.prunes
    }

    /// Runs it.
    pub fn run(&self, costs: Costs, cores: usize) -> Simulated {
        self.tell(&self.machine(costs, cores), cores)
    }

    /// The same with what was measured; as recorded on the number of threads it was recorded
    /// with, whose load is given.
    fn calibrated(mut self, calibration: Calibration, recorded: &Ran) -> Self {
        let plain: u64 = recorded.load.iter().sum();
        self.recorded_nodes = calibrate::nodes(&recorded.load, calibration.growth).max(1.0);
        self.calibration = calibration;
        self.scale = 1.0;
        self.scale = plain as f64 / self.time_ns(recorded).max(1.0);
        self
    }

    fn machine(&self, costs: Costs, cores: usize) -> Ran {
        Machine::new(&self.program, costs, cores.max(1)).run()
    }

    fn time_ns(&self, ran: &Ran) -> f64 {
        self.each_load(ran, |_| 1.0)
    }

    /// The time of a run, each part of it weighted by what is made of the cores at work then.
    fn each_load(&self, ran: &Ran, weight: impl Fn(usize) -> f64) -> f64 {
        let part = |(n, &ns): (usize, &u64)| ns as f64 * self.calibration.slowdown(n) * weight(n);
        self.scale * ran.load.iter().enumerate().map(part).sum::<f64>()
    }

    /// What a run of the machine means, with everything that takes longer while others work.
    fn tell(&self, ran: &Ran, cores: usize) -> Simulated {
        let time = self.time_ns(ran);
        let worked = self.each_load(ran, |n| n as f64);
        let nodes = calibrate::nodes(&ran.load, self.calibration.growth);
        Simulated {
            cores: cores.max(1),
            time_ns: time.round() as u64,
            speedup: self.baseline_ns / time.max(1.0),
            busy: worked / (time.max(1.0) * cores.max(1) as f64),
            aborted: ran.aborted as f64 / ran.worked.max(1) as f64,
            nodes: nodes / self.recorded_nodes,
            steals: ran.steals,
        }
    }
}
