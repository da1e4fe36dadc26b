//! What searches find, as JSON.

use std::time::Duration;

use plywood::trace::Activity;
use plywood::{Certainty, NodeCounts, Reading, TaskCounts, WorkerCounts};
use plywood_games::registry::AnyReport;
use plywood_lab::record::Tasks;
use serde_json::{Value, json};

use crate::way::Chosen;

/// What the workers of a search did, added up over its parts.
#[derive(Clone, Default)]
pub(crate) struct Lanes {
    workers: Vec<WorkerCounts>,
    tasks: TaskCounts,
    nodes: NodeCounts,
}

impl Lanes {
    /// Adds what the workers did in one part.
    pub(crate) fn add(&mut self, report: &AnyReport) {
        self.add_workers(report.workers.iter());
        self.tasks += report.tasks;
        self.nodes += report.nodes;
    }

    fn add_workers<'c>(&mut self, workers: impl ExactSizeIterator<Item = &'c WorkerCounts>) {
        if self.workers.len() < workers.len() {
            let workers = workers.len();
            self.workers.resize(workers, WorkerCounts::default());
        }
        for (sum, counts) in self.workers.iter_mut().zip(workers) {
            *sum += *counts;
        }
    }

    /// All nodes.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.total()
    }

    pub(crate) fn json(&self) -> Value {
        let workers: Vec<Value> = self.workers.iter().map(worker_json).collect();
        json!({ "workers": workers, "tasks": Tasks::from(self.tasks) })
    }

    /// How they stand while another part is searched, and what each of them is doing; nothing
    /// if those who search do not show it.
    pub(crate) fn live_json(&self, readings: &[Reading]) -> Option<Value> {
        if readings.iter().all(|reading| reading.activity.is_none()) {
            return None;
        }
        let mut sum = self.clone();
        sum.add_workers(readings.iter().map(|reading| &reading.counts));
        for reading in readings {
            sum.tasks += reading.counts.tasks;
        }
        let mut json = sum.json();
        for (worker, reading) in readings.iter().enumerate() {
            if let Some(activity) = reading.activity {
                json["workers"][worker]["now"] = json!(activity_word(activity));
            }
        }
        Some(json)
    }
}

fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

fn worker_json(worker: &WorkerCounts) -> Value {
    json!({
        "nodes": worker.nodes.total(),
        "tasks": Tasks::from(worker.tasks),
        "busy_ms": milliseconds(worker.busy),
        "stealing_ms": milliseconds(worker.stealing),
        "joining_ms": milliseconds(worker.joining),
        "idle_ms": milliseconds(worker.idle),
    })
}

/// Called as the times of a worker are.
fn activity_word(activity: Activity) -> &'static str {
    match activity {
        Activity::Searching => "busy",
        Activity::Stealing => "stealing",
        Activity::Joining => "joining",
        Activity::Sleeping => "idle",
    }
}

/// One word for what a value says about the end of the game.
pub(crate) fn certainty(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Estimate => "estimate",
        Certainty::AtLeast => "at-least",
        Certainty::AtMost => "at-most",
        Certainty::Exact => "exact",
    }
}

/// A value without a sign before zero.
pub(crate) fn value(value: f64) -> f64 {
    value + 0.0
}

/// The root moves, the best first; the move that would be played before its equals.
fn moves_json(report: &AnyReport, in_words: &dyn Fn(f64) -> Option<String>) -> Vec<Value> {
    let mut moves: Vec<_> = report.root.iter().collect();
    let is_best = |mv: &str| report.best.as_deref() == Some(mv);
    moves.sort_by(|a, b| {
        let values = b.value.total_cmp(&a.value);
        values.then_with(|| is_best(&b.mv).cmp(&is_best(&a.mv)))
    });
    let json = moves.into_iter().map(|root| {
        let mut json = json!({
            "move": root.mv,
            "value": value(root.value),
            "certainty": certainty(root.certainty),
        });
        if root.certainty == Certainty::Exact
            && let Some(words) = in_words(root.value)
        {
            json["words"] = json!(words);
        }
        if is_best(&root.mv) {
            json["line"] = json!(report.line);
        }
        json
    });
    json.collect()
}

/// How a search stands after a depth. `in_words` says what a proven value means.
pub(crate) fn progress_json(
    report: &AnyReport,
    words: Option<&str>,
    in_words: &dyn Fn(f64) -> Option<String>,
    nodes: u64,
    elapsed: Duration,
) -> Value {
    let values: Vec<f64> = report.values.iter().copied().map(value).collect();
    json!({
        "depth": report.depth,
        "nodes": nodes,
        "nodes_per_second": (nodes as f64 / elapsed.as_secs_f64().max(1e-6)).round(),
        "time_ms": elapsed.as_millis() as u64,
        "values": values,
        "certainty": certainty(report.certainty),
        "words": words,
        "line": report.line,
        "moves": moves_json(report, in_words),
    })
}

/// Everything that came out of a search.
pub(crate) fn report_json(
    report: &AnyReport,
    words: Option<&str>,
    in_words: &dyn Fn(f64) -> Option<String>,
    lanes: &Lanes,
    chosen: &Chosen,
) -> Value {
    let mut json = progress_json(report, words, in_words, lanes.nodes(), report.elapsed);
    json["best"] = json!(report.best);
    json["stopped"] = json!(report.stopped);
    json["lanes"] = lanes.json();
    json["by"] = chosen.describe();
    json
}
