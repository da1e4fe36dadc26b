//! How long tasks would have been that nobody ran to their end.
//!
//! A task that was cancelled or aborted in a node with a cut-off is taken to be like its
//! siblings, with two things kept in mind. The one that cuts off is no measure: it has to
//! stand against every reply, while one reply is enough to refute the others, and so is
//! several times as long. And moves are tried in the order of their promise, so that later
//! ones are refuted faster: how much faster is seen in the nodes without a cut-off.

use crate::trace::graph::{Graph, Origin, Split};

/// Turns are told apart by powers of two: 0, 1 and 2, 3 to 6, and so on.
const BINS: usize = 8;

fn bin(turn: usize) -> usize {
    ((turn + 1).ilog2() as usize).min(BINS - 1)
}

pub(super) struct Lengths<'g> {
    graph: &'g Graph,
    /// The work of every task with all below it.
    totals: &'g [u64],
    by_depth: Vec<Depth>,
    /// The mean of all tasks.
    anywhere: f64,
}

#[derive(Clone, Copy, Default)]
struct Mean {
    sum: f64,
    count: f64,
}

impl Mean {
    fn add(&mut self, value: f64, weight: f64) {
        self.sum += value;
        self.count += weight;
    }

    fn get(self) -> Option<f64> {
        (self.sum > 0.0 && self.count > 0.0).then(|| self.sum / self.count)
    }
}

/// What is known of the tasks of all splits of one depth.
#[derive(Clone, Copy, Default)]
struct Depth {
    /// Without a cut-off, by turns.
    by_turn: [Mean; BINS],
    /// Without a cut-off, all.
    uncut: Mean,
    /// With a cut-off, compared with those without, turn for turn.
    cut: Mean,
}

impl Depth {
    /// The length that a task with this turn has where nothing is cut off.
    fn weight(&self, turn: usize) -> f64 {
        self.by_turn[bin(turn)]
            .get()
            .or_else(|| self.uncut.get())
            .unwrap_or(1.0)
    }
}

impl<'g> Lengths<'g> {
    pub(super) fn new(graph: &'g Graph, totals: &'g [u64]) -> Self {
        let depths = graph.splits.iter().map(|split| split.depth as usize + 1);
        let mut lengths = Lengths {
            graph,
            totals,
            by_depth: vec![Depth::default(); depths.max().unwrap_or(0)],
            anywhere: 0.0,
        };
        let mut all = Mean::default();
        for split in graph.splits.iter().filter(|split| split.cut.is_none()) {
            for (turn, length) in lengths.complete(split) {
                let depth = &mut lengths.by_depth[split.depth as usize];
                for mean in [&mut depth.by_turn[bin(turn)], &mut depth.uncut, &mut all] {
                    mean.add(length, 1.0);
                }
            }
        }
        for split in graph.splits.iter().filter(|split| split.cut.is_some()) {
            for (turn, length) in lengths.complete(split) {
                let depth = &mut lengths.by_depth[split.depth as usize];
                let weight = depth.weight(turn);
                depth.cut.add(length, weight);
                all.add(length, 1.0);
            }
        }
        lengths.anywhere = all.get().unwrap_or(0.0);
        lengths
    }

    /// The tasks of a split that are complete and did not cut it off: turns and lengths.
    fn complete(&self, split: &Split) -> Vec<(usize, f64)> {
        let cut = split.cut.map(|cut| cut.task);
        let tasks = split.tasks.iter();
        tasks
            .filter(|&&task| !self.graph.tasks[task].aborted && Some(task) != cut)
            .map(|&task| (turn(self.graph, task), self.totals[task] as f64))
            .collect()
    }

    /// How long the task of a split with this turn would have been.
    pub(super) fn assumed(&self, split: &Split, turn: usize) -> u64 {
        let depth = &self.by_depth[split.depth as usize];
        let mut siblings = Mean::default();
        for (turn, length) in self.complete(split) {
            siblings.add(length, depth.weight(turn));
        }
        let usual = || match (depth.cut.get(), depth.uncut.get()) {
            (Some(compared), _) => Some(compared),
            (None, Some(_)) => Some(1.0),
            (None, None) => None,
        };
        let length = match siblings.get().or_else(usual) {
            Some(compared) => compared * depth.weight(turn),
            None => self.anywhere,
        };
        length.round() as u64
    }
}

/// The turn of a task among its siblings.
pub(super) fn turn(graph: &Graph, task: usize) -> usize {
    match graph.tasks[task].origin {
        Origin::Split { turn, .. } => turn as usize,
        Origin::Iteration { .. } => 0,
    }
}
