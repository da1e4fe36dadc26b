//! Makes one measurement.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use plywood::{Limits, NodeCounts, TaskCounts, Turn};
use plywood_games::registry::{AnyGame, AnyReport, AnySearcher, Position, Random};

use crate::LabError;
use crate::record::{Lane, Setting, Workload};

/// What a measurement has shown.
#[derive(Clone, Debug, Default)]
pub(super) struct Sample {
    pub(super) elapsed: Duration,
    pub(super) cpu: Duration,
    pub(super) best: Vec<String>,
    pub(super) values: Vec<f64>,
    pub(super) result: Option<String>,
    pub(super) nodes: NodeCounts,
    pub(super) tasks: TaskCounts,
    pub(super) workers: Vec<Lane>,
    pub(super) peak_memory: Option<u64>,
}

/// A game and a fresh engine for it, ready to be timed.
pub(super) struct Bench<'a> {
    setting: &'a Setting,
    game: Box<dyn AnyGame>,
    searcher: Box<dyn AnySearcher>,
    random: Random,
    start: Position,
}

impl<'a> Bench<'a> {
    /// Starts threads and allocates the table: nothing of this is timed.
    pub(super) fn new(setting: &'a Setting, seed: u64) -> Result<Self, LabError> {
        let game = setting.open_game()?;
        let mut random = Random::new(seed);
        let start = setting.open_position(game.as_ref(), &mut random)?;
        let mut searcher = game.searcher(&setting.evaluation, setting.engine_settings()?)?;
        // A new table is memory the system has only promised: writing to it here keeps the
        // page faults out of the measurement.
        searcher.forget();
        Ok(Bench {
            setting,
            game,
            searcher,
            random,
            start,
        })
    }

    /// Does the work once; `None` if it was stopped before its end.
    pub(super) fn run(mut self, stop: &Arc<AtomicBool>) -> Result<Option<Sample>, LabError> {
        let limits = Limits::depth(self.setting.depth).with_stop(Arc::clone(stop));
        let forgotten = forget_peak_memory();
        let mut sample = self.work(|_| limits.clone())?;
        sample.peak_memory = forgotten.then(peak_memory).flatten();
        Ok((!stop.load(Ordering::Relaxed)).then_some(sample))
    }

    /// Does the work for a while, so that processor and system are in the state they stay in.
    pub(super) fn warm_up(
        mut self,
        most: Duration,
        stop: &Arc<AtomicBool>,
    ) -> Result<(), LabError> {
        let deadline = Instant::now() + most;
        let depth = self.setting.depth;
        self.work(|_| Limits {
            depth: Some(depth),
            time: Some(deadline.saturating_duration_since(Instant::now())),
            stop: Some(Arc::clone(stop)),
            ..Limits::default()
        })?;
        Ok(())
    }

    fn work(&mut self, mut limits: impl FnMut(u32) -> Limits) -> Result<Sample, LabError> {
        let mut sample = Sample::default();
        let most = match self.setting.workload {
            Workload::Search => {
                let report = self.searcher.search(&self.start, &limits(0), &mut |_| {});
                sample.add(report);
                return Ok(sample);
            }
            Workload::Selfplay { moves } => moves.unwrap_or(u32::MAX),
        };
        let mut position = self.start.clone();
        let mut moves = 0;
        while moves < most {
            let mv = match self.game.turn(&position) {
                Turn::Over => break,
                Turn::Chance => self.game.random_chance(&position, &mut self.random),
                Turn::Player(_) => {
                    let limits = limits(moves);
                    let report = self.searcher.search(&position, &limits, &mut |_| {});
                    let out_of_time = limits.time == Some(Duration::ZERO);
                    let stopped = limits.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
                    if stopped || out_of_time {
                        break;
                    }
                    moves += 1;
                    let best = report.best.clone();
                    sample.add(report);
                    best
                }
            };
            let mv = mv.expect("whoever is to act can do something");
            position = self.game.play(&position, &mv)?;
        }
        sample.result = self.game.result(&position);
        Ok(sample)
    }
}

impl Sample {
    fn add(&mut self, report: AnyReport) {
        self.elapsed += report.elapsed;
        self.cpu += report.cpu;
        self.best.extend(report.best);
        self.values = report.values;
        self.nodes += report.nodes;
        self.tasks += report.tasks;
        self.workers.resize(
            self.workers.len().max(report.workers.len()),
            Lane::default(),
        );
        for (lane, worker) in self.workers.iter_mut().zip(&report.workers) {
            *lane += Lane::from(worker);
        }
    }
}

/// Makes the system forget how much memory the process has used at most; whether it did.
fn forget_peak_memory() -> bool {
    std::fs::write("/proc/self/clear_refs", "5").is_ok()
}

/// The most memory the process has used since the system was made to forget it, in bytes.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes * 1024)
}
