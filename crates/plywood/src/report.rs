//! What a search has found, and what it cost.

use std::time::Duration;

use crate::counters::{NodeCounts, TaskCounts, WorkerCounts};

/// The answer of a search.
#[derive(Clone, Debug)]
pub struct Report<M> {
    /// The best move; `None` if the game is over or chance acts at the root.
    pub best: Option<M>,
    /// The value of the position for every player, by seat.
    pub values: Vec<f64>,
    /// The share of the win that every player is expected to have, by seat, if the search
    /// reckons with that and not only with values.
    pub win_shares: Option<Vec<f64>>,
    /// What the value says about the end of the game.
    pub certainty: Certainty,
    /// The principal variation, beginning with the best move.
    pub line: Vec<M>,
    /// Every root move with its value for the player to move (every event with its value for
    /// the player whose view the search takes, if chance is to act), in the order of the
    /// game, if that was asked for.
    pub root: Vec<RootMove<M>>,
    /// The depth that was completed: the answer is that of a search to this depth. At least
    /// 1, unless the game is over; a search that is stopped earlier still looks one ply ahead.
    pub depth: u32,
    /// Whether a limit other than depth ended the search.
    pub stopped: bool,
    /// The nodes that all workers searched, in all depths.
    pub nodes: NodeCounts,
    /// What became of the tasks of all workers.
    pub tasks: TaskCounts,
    /// What each worker did.
    pub workers: Vec<WorkerCounts>,
    /// The time from start to answer.
    pub elapsed: Duration,
    /// The processor time of all workers together.
    pub cpu: Duration,
    /// What the search used.
    pub memory: Memory,
}

/// A move of the root position and its value.
#[derive(Clone, PartialEq, Debug)]
pub struct RootMove<M> {
    /// The move.
    pub mv: M,
    /// Its value for the player to move.
    pub value: f64,
    /// What the value says about the end of the game.
    pub certainty: Certainty,
    /// How many playouts began with it, in a search by playouts.
    pub visits: Option<u64>,
    /// The share of the win that the player to move is expected to have after it, if the
    /// search reckons with that.
    pub win_share: Option<f64>,
}

/// What a value says about the end of the game if nobody errs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Certainty {
    /// Nothing for certain: it is the evaluation of a position some moves ahead.
    #[default]
    Estimate,
    /// The player to move gets at least this much.
    AtLeast,
    /// The player to move gets at most this much.
    AtMost,
    /// The game ends with this value.
    Exact,
}

/// The memory of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Memory {
    /// The bytes of the transposition table; 0 if none is used.
    pub table: usize,
    /// The most memory the process has used at any time, in bytes, where the system tells
    /// and the search took longer than asking for it.
    pub peak: Option<usize>,
}

impl<M> Report<M> {
    /// Nodes per second of elapsed time.
    pub fn nodes_per_second(&self) -> f64 {
        self.nodes.total() as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }
}

/// The most memory the process has used at any time, in bytes.
pub(crate) fn peak_memory() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kibibytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes * 1024)
}
