//! What the measurements of a run amount to.

use std::collections::BTreeMap;

use super::stats::{Estimate, median};
use crate::record::{Measurement, Setting, Tasks};
use crate::sweep::Run;

/// All repetitions of one setting.
#[derive(Clone, Debug)]
pub struct Cell {
    /// What was measured.
    pub setting: Setting,
    /// How often.
    pub count: usize,
    /// Wall time in seconds.
    pub seconds: Estimate,
    /// Processor time of all workers in seconds, the median.
    pub cpu_seconds: f64,
    /// All nodes, the median.
    pub nodes: u64,
    /// The fewest and the most nodes of a repetition.
    pub node_range: (u64, u64),
    /// Tasks by fate, the median of each.
    pub tasks: Tasks,
    /// How many of a hundred tasks another worker ran; `None` if there were no tasks.
    pub converted: Option<Estimate>,
    /// The most memory of any repetition in bytes, where known.
    pub peak_memory: Option<u64>,
    /// Whether there were more threads than cores.
    pub oversubscribed: bool,
    /// How much faster than one thread; `None` for one thread itself, or if it was not
    /// measured.
    pub speed_up: Option<SpeedUp>,
    /// The moves found, one text for every different answer.
    pub answers: Vec<String>,
    /// The value of the position for every player, as the first repetition found it.
    pub values: Vec<f64>,
    /// How many searches a repetition is made of.
    pub searches: u32,
}

/// How much faster than one thread.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SpeedUp {
    /// The ratio of the times.
    pub estimate: Estimate,
    /// Whether it is compared with `seq`; otherwise with the same strategy on one thread.
    pub against_sequential: bool,
}

/// What the noise leaves of a difference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The interval is above 1.
    Faster,
    /// The interval is below 1.
    Slower,
    /// The interval is wider than the effect.
    NoDifference,
    /// There is no interval after a single repetition.
    OneRepeat,
}

impl SpeedUp {
    /// What the noise leaves of it.
    pub fn verdict(&self) -> Verdict {
        match self.estimate.interval {
            None => Verdict::OneRepeat,
            Some(interval) if interval.contains(1.0) => Verdict::NoDifference,
            Some(interval) if interval.low > 1.0 => Verdict::Faster,
            Some(_) => Verdict::Slower,
        }
    }
}

impl Verdict {
    /// For people.
    pub fn text(self) -> &'static str {
        match self {
            Verdict::Faster => "faster",
            Verdict::Slower => "slower",
            Verdict::NoDifference => "no difference shown",
            Verdict::OneRepeat => "one repeat: no interval",
        }
    }
}

/// The settings that differ in depth, strategy and threads only.
#[derive(Clone, Debug)]
pub struct Group {
    /// One of the settings.
    pub like: Setting,
    /// All that were measured, by depth, strategy and threads.
    pub cells: Vec<Cell>,
}

impl Group {
    /// The depths measured, from the least.
    pub fn depths(&self) -> Vec<u32> {
        let mut depths: Vec<u32> = self.cells.iter().map(|cell| cell.setting.depth).collect();
        depths.sort_unstable();
        depths.dedup();
        depths
    }

    /// The numbers of threads of parallel strategies, from the least.
    pub fn threads(&self) -> Vec<usize> {
        let parallel = self.cells.iter().filter(|c| !c.setting.is_sequential());
        let mut threads: Vec<usize> = parallel.map(|cell| cell.setting.threads).collect();
        threads.sort_unstable();
        threads.dedup();
        threads
    }

    /// The strategies in the order they were asked for.
    pub fn strategies(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for cell in &self.cells {
            if !names.contains(&cell.setting.strategy.as_str()) {
                names.push(&cell.setting.strategy);
            }
        }
        names
    }

    /// One cell.
    pub fn cell(&self, depth: u32, strategy: &str, threads: usize) -> Option<&Cell> {
        self.cells.iter().find(|cell| {
            let s = &cell.setting;
            s.depth == depth && s.strategy == strategy && s.threads == threads
        })
    }
}

/// What the measurements of a run amount to, in the order its sweep was written.
pub fn summarise(run: &Run) -> Vec<Group> {
    let mut samples: BTreeMap<&Setting, Vec<&Measurement>> = BTreeMap::new();
    for measurement in run.measurements.iter().filter(|m| !m.traced) {
        samples
            .entry(&measurement.setting)
            .or_default()
            .push(measurement);
    }
    let mut groups: Vec<Group> = Vec::new();
    for planned in &run.plan.settings {
        let Some(sample) = samples.get(&planned.setting) else {
            continue;
        };
        let mut cell = Cell::new(sample);
        cell.speed_up = speed_up(&planned.setting, &samples);
        let like = like(&planned.setting);
        match groups.iter_mut().find(|group| group.like == like) {
            Some(group) => group.cells.push(cell),
            None => groups.push(Group {
                like,
                cells: vec![cell],
            }),
        }
    }
    for group in &mut groups {
        let strategies: Vec<String> = group.strategies().into_iter().map(str::to_owned).collect();
        let place = |cell: &Cell| {
            let strategy = strategies.iter().position(|s| *s == cell.setting.strategy);
            (cell.setting.depth, strategy, cell.setting.threads)
        };
        group.cells.sort_by_key(place);
    }
    groups
}

/// What all settings of a group have in common.
fn like(setting: &Setting) -> Setting {
    Setting {
        depth: 0,
        ..setting.sequential()
    }
}

fn seconds(sample: &[&Measurement]) -> Vec<f64> {
    sample.iter().map(|m| m.seconds()).collect()
}

fn speed_up(setting: &Setting, samples: &BTreeMap<&Setting, Vec<&Measurement>>) -> Option<SpeedUp> {
    if setting.is_sequential() {
        return None;
    }
    let one_thread = Setting {
        threads: 1,
        ..setting.clone()
    };
    let (base, against_sequential) = match samples.get(&setting.sequential()) {
        Some(base) => (base, true),
        None if setting.threads == 1 => return None,
        None => (samples.get(&one_thread)?, false),
    };
    let own = samples.get(setting)?;
    Some(SpeedUp {
        estimate: Estimate::ratio_of_medians(&seconds(base), &seconds(own)),
        against_sequential,
    })
}

impl Cell {
    fn new(sample: &[&Measurement]) -> Self {
        let each = |of: &dyn Fn(&Measurement) -> f64| -> Vec<f64> {
            sample.iter().map(|m| of(m)).collect()
        };
        let middle = |of: &dyn Fn(&Measurement) -> u64| -> u64 {
            median(&each(&|m| of(m) as f64)).round() as u64
        };
        let nodes = each(&|m| m.nodes.total() as f64);
        let converted: Vec<f64> = sample
            .iter()
            .filter_map(|m| m.tasks.converted_percent())
            .collect();
        let mut answers: Vec<String> = sample.iter().map(|m| m.best.clone()).collect();
        answers.sort_unstable();
        answers.dedup();
        Cell {
            setting: sample[0].setting.clone(),
            count: sample.len(),
            seconds: Estimate::median(&seconds(sample)),
            cpu_seconds: median(&each(&|m| m.cpu_seconds())),
            nodes: median(&nodes).round() as u64,
            node_range: (
                nodes.iter().copied().fold(f64::INFINITY, f64::min) as u64,
                nodes.iter().copied().fold(0.0, f64::max) as u64,
            ),
            tasks: Tasks {
                offered: middle(&|m| m.tasks.offered),
                converted: middle(&|m| m.tasks.converted),
                fizzled: middle(&|m| m.tasks.fizzled),
                cancelled: middle(&|m| m.tasks.cancelled),
                aborted: middle(&|m| m.tasks.aborted),
            },
            converted: (!converted.is_empty()).then(|| Estimate::median(&converted)),
            peak_memory: sample.iter().filter_map(|m| m.peak_memory).max(),
            oversubscribed: sample.iter().any(|m| m.is_oversubscribed()),
            speed_up: None,
            answers,
            values: sample[0].values.clone(),
            searches: sample[0].searches,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::stats::Interval;

    fn speed_up(low: f64, high: f64) -> SpeedUp {
        SpeedUp {
            estimate: Estimate {
                value: (low + high) / 2.0,
                interval: Some(Interval { low, high }),
            },
            against_sequential: true,
        }
    }

    #[test]
    fn an_interval_around_one_shows_no_difference() {
        assert_eq!(speed_up(1.1, 1.9).verdict(), Verdict::Faster);
        assert_eq!(speed_up(0.5, 0.9).verdict(), Verdict::Slower);
        assert_eq!(speed_up(0.9, 1.4).verdict(), Verdict::NoDifference);
        let single = SpeedUp {
            estimate: Estimate {
                value: 3.0,
                interval: None,
            },
            against_sequential: true,
        };
        assert_eq!(single.verdict(), Verdict::OneRepeat);
    }
}
