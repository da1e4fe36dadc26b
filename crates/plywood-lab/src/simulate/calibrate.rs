//! What one recorded task graph cannot tell, taken from measurements: how many nodes more
//! several cores search together, and what a node costs them.
//!
//! A worker that begins a task while others are at work does not know yet what they are
//! about to find out: a better bound, an entry of the table, a move that refutes. What it
//! would have been spared it has to search. In the recording everything was known in its
//! order, so these nodes are not there. They are counted, though, in every measurement on
//! several threads: more threads than cores will do, since it is nodes that are counted and
//! not time. Measured on 2 to 32 threads they grow as a power of the threads, so one number,
//! fitted to all counts, says how many more nodes are searched while so many cores are at work.

use crate::record::Measurement;
use crate::report::stats::median;

/// The powers that are tried.
const POWERS: (f64, f64) = (-0.5, 1.0);

/// How much slower a task gets while others are at work, from measurements.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Calibration {
    /// While `n` cores are at work, they search `n` to this power times the nodes.
    pub growth: f64,
    /// The numbers of threads whose nodes say so; none if it was given or assumed.
    pub counted: Vec<usize>,
    /// What a node costs on so many threads, compared with the recorded number of threads,
    /// with the threads ascending. Between them it is interpolated, beyond them it stays.
    pub node_costs: Vec<(usize, f64)>,
}

impl Calibration {
    /// How many times as long a task takes while so many cores are at work.
    pub(super) fn slowdown(&self, at_work: usize) -> f64 {
        self.more_nodes(at_work) * self.node_cost(at_work)
    }

    /// How many times the nodes are searched while so many cores are at work.
    pub(super) fn more_nodes(&self, at_work: usize) -> f64 {
        more_nodes(at_work, self.growth)
    }

    fn node_cost(&self, at_work: usize) -> f64 {
        let above = self.node_costs.partition_point(|&(n, _)| n < at_work);
        match (self.node_costs[..above].last(), self.node_costs.get(above)) {
            (None, None) => 1.0,
            (None, Some(&(_, cost))) | (Some(&(_, cost)), None) => cost,
            (Some(&(few, low)), Some(&(many, high))) => {
                let logs = [few, at_work, many].map(|n| (n as f64).ln());
                let share = (logs[1] - logs[0]) / (logs[2] - logs[0]);
                low * (high / low).powf(share)
            }
        }
    }
}

fn more_nodes(at_work: usize, growth: f64) -> f64 {
    (at_work.max(1) as f64).powf(growth)
}

/// The work that is done under a load, in nodes of the recording.
pub(super) fn nodes(load: &[u64], growth: f64) -> f64 {
    let part = |(n, &ns): (usize, &u64)| ns as f64 * n as f64 * more_nodes(n, growth);
    load.iter().enumerate().map(part).sum()
}

/// The power with which nodes grow: `counts` are loads with the nodes that were counted,
/// compared with those of the load of the recording.
pub(super) fn fit_growth(recorded: &[u64], counts: &[(&[u64], f64)]) -> f64 {
    let error = |growth: f64| -> f64 {
        let base = nodes(recorded, growth);
        let of = |&(load, ratio): &(&[u64], f64)| {
            let error = (nodes(load, growth) / base / ratio).ln();
            error * error
        };
        counts.iter().map(of).sum()
    };
    // The error has one valley: halving by thirds finds its ground.
    let (mut low, mut high) = POWERS;
    while high - low > 1e-6 {
        let third = (high - low) / 3.0;
        if error(low + third) < error(high - third) {
            high -= third;
        } else {
            low += third;
        }
    }
    let found = (low + high) / 2.0;
    // What grows by less than a hundredth on a thousand cores does not grow.
    if found.abs() < 1e-3 { 0.0 } else { found }
}

/// The processor time of a node, in nanoseconds, as the median of several runs.
pub(super) fn node_cost(runs: &[&Measurement]) -> Option<f64> {
    let costs: Vec<f64> = runs
        .iter()
        .filter(|run| run.nodes.total() > 0)
        .map(|run| {
            // Who looks for work or waits uses the processor too; who searches may be kept
            // from it by others. So a worker has searched for the shorter of the two times.
            let searched = run.workers.iter().map(|lane| lane.cpu_ns.min(lane.busy_ns));
            searched.sum::<u64>() as f64 / run.nodes.total() as f64
        })
        .filter(|&cost| cost > 0.0)
        .collect();
    (!costs.is_empty()).then(|| median(&costs))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_growth_of_nodes_is_found_again() {
        let recorded = [0, 800];
        let two = [10, 20, 390];
        let four = [5, 0, 100, 40, 120];
        for growth in [-0.2, 0.0, 0.1, 0.4] {
            let ratio = |load: &[u64]| nodes(load, growth) / nodes(&recorded, growth);
            let counts = [(&two[..], ratio(&two)), (&four[..], ratio(&four))];
            let found = fit_growth(&recorded, &counts);
            assert!((found - growth).abs() < 1e-4, "{found} {growth}");
        }
        // Nothing but noise is no growth.
        assert_eq!(fit_growth(&recorded, &[(&[0, 0, 400], 1.0001)]), 0.0);
    }

    #[test]
    fn costs_are_interpolated_and_stay_beyond() {
        let calibration = Calibration {
            growth: 0.5,
            counted: Vec::new(),
            node_costs: vec![(1, 1.0), (4, 1.44)],
        };
        assert_eq!(calibration.node_cost(1), 1.0);
        assert!((calibration.node_cost(2) - 1.2).abs() < 1e-9);
        assert_eq!(calibration.node_cost(1024), 1.44);
        assert!((calibration.slowdown(4) - 2.88).abs() < 1e-9);
        assert_eq!(Calibration::default().slowdown(77), 1.0);
        assert_eq!(calibration.slowdown(0), 1.0, "nobody is at work");
    }
}
