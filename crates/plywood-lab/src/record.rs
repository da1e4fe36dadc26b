//! What is kept of one measurement: one JSON line.

use plywood::{NodeCounts, TaskCounts, WorkerCounts};
use serde::{Deserialize, Serialize};

/// What was measured: everything that decides how much work there is and who does it.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Setting {
    /// The game with its options, as the registry reads it.
    pub game: String,
    /// What the position is called, and the position as text; an empty text is the start.
    pub position_name: String,
    /// The position as text.
    pub position: String,
    /// One search, or a game the engine plays against itself.
    pub workload: Workload,
    /// The search with its options.
    pub search: String,
    /// The evaluation.
    pub evaluation: String,
    /// The parallel strategy with its argument.
    pub strategy: String,
    /// The depth to search to.
    pub depth: u32,
    /// The threads.
    pub threads: usize,
    /// The size of the transposition table.
    pub table_bytes: usize,
}

/// What is done with a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Workload {
    /// One search.
    Search,
    /// A game from there, of at most so many moves if given; times and counts add up.
    Selfplay {
        /// The most moves.
        moves: Option<u32>,
    },
}

/// One measurement.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Measurement {
    /// What was measured.
    pub setting: Setting,
    /// Which repetition, from 0.
    pub repeat: u32,
    /// The seed of everything random in it.
    pub seed: u64,
    /// Whether events were recorded meanwhile; such a measurement does not count as a time.
    pub traced: bool,
    /// Whether spare cores were kept loaded.
    pub filled: bool,
    /// Wall time in nanoseconds.
    pub elapsed_ns: u64,
    /// Processor time of all workers in nanoseconds.
    pub cpu_ns: u64,
    /// The best move, or the moves of a game.
    pub best: String,
    /// The value of the position for every player.
    pub values: Vec<f64>,
    /// Nodes of all workers.
    pub nodes: Nodes,
    /// What became of the tasks.
    pub tasks: Tasks,
    /// What each worker did.
    pub workers: Vec<Lane>,
    /// The most memory the process has used so far, in bytes, where known.
    pub peak_memory: Option<u64>,
    /// The machine.
    pub host: Host,
    /// The version of the program.
    pub version: String,
    /// When it was made, in milliseconds since 1970.
    pub unix_ms: u64,
}

/// Nodes by kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Nodes {
    /// Positions whose moves were searched.
    pub interior: u64,
    /// Positions that were evaluated.
    pub leaf: u64,
    /// Positions the table knew.
    pub table_hits: u64,
}

impl Nodes {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.interior + self.leaf + self.table_hits
    }
}

impl From<NodeCounts> for Nodes {
    fn from(n: NodeCounts) -> Self {
        Nodes {
            interior: n.interior,
            leaf: n.leaf,
            table_hits: n.table_hits,
        }
    }
}

/// Tasks by fate, as [`TaskCounts`] defines them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Tasks {
    /// Offered to all workers.
    pub offered: u64,
    /// Run by another worker.
    pub converted: u64,
    /// Run by the worker that offered them.
    pub fizzled: u64,
    /// Never started.
    pub cancelled: u64,
    /// Given up while running.
    pub aborted: u64,
}

impl From<TaskCounts> for Tasks {
    fn from(t: TaskCounts) -> Self {
        Tasks {
            offered: t.offered,
            converted: t.converted,
            fizzled: t.fizzled,
            cancelled: t.cancelled,
            aborted: t.aborted,
        }
    }
}

/// What one worker did; times in nanoseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Lane {
    /// Its nodes.
    pub nodes: u64,
    /// Searching.
    pub busy_ns: u64,
    /// Looking for a task.
    pub stealing_ns: u64,
    /// Waiting for helpers.
    pub joining_ns: u64,
    /// Asleep.
    pub idle_ns: u64,
    /// Processor time.
    pub cpu_ns: u64,
}

impl From<&WorkerCounts> for Lane {
    fn from(w: &WorkerCounts) -> Self {
        Lane {
            nodes: w.nodes.total(),
            busy_ns: w.busy.as_nanos() as u64,
            stealing_ns: w.stealing.as_nanos() as u64,
            joining_ns: w.joining.as_nanos() as u64,
            idle_ns: w.idle.as_nanos() as u64,
            cpu_ns: w.cpu.as_nanos() as u64,
        }
    }
}

/// The machine a measurement was made on.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Host {
    /// What the processor calls itself.
    pub cpu: String,
    /// Its logical cores.
    pub cores: usize,
    /// Operating system and architecture.
    pub system: String,
}
