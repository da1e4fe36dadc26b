//! A recorded search in the trace event format of Chrome, which Perfetto
//! (<https://ui.perfetto.dev>) and `chrome://tracing` open.
//!
//! One thread for each worker, with its tasks, splits and waits as slices inside each other;
//! cut-offs and aborts as instants; an arrow from a split to every task of it that another
//! worker ran; and a counter of the workers that search.

use std::io::{self, Write};

use plywood::trace::Activity;
use serde_json::{Value, json};

use super::Recording;
use super::graph::{Graph, Origin};
use super::spans::{Kind, MarkKind, spans};

/// Everything is one process.
const PROCESS: u32 = 1;

/// How a file of this kind begins.
pub(super) const SIGNATURE: &str = "{\"otherData\":{\"generator\":\"plywood\"";

/// Writes a recording; `paths` are the moves to every task of its graph.
pub fn write(
    recording: &Recording,
    graph: &Graph,
    paths: &[String],
    out: &mut dyn Write,
) -> io::Result<()> {
    let setting = &recording.measurement.setting;
    let about = json!({
        "game": setting.game, "position": setting.position, "search": setting.search,
        "strategy": setting.strategy, "threads": setting.threads, "depth": setting.depth,
        "dropped events": graph.dropped,
    });
    // The generator comes first: it is how files of ours are known.
    write!(
        out,
        "{SIGNATURE},\"about\":{about}}},\"displayTimeUnit\":\"ns\",\"traceEvents\":["
    )?;
    for (index, event) in events(recording, graph, paths).iter().enumerate() {
        let separator = if index == 0 { "" } else { "," };
        write!(out, "{separator}\n{event}")?;
    }
    writeln!(out, "\n]}}")
}

/// All events as texts, in the order of their times: there may be many.
fn events(recording: &Recording, graph: &Graph, paths: &[String]) -> Vec<String> {
    let setting = &recording.measurement.setting;
    let name = format!(
        "plywood {} {} {} on {}",
        setting.game, setting.search, setting.strategy, setting.threads
    );
    let mut events = vec![named("process_name", 0, json!({ "name": name }))];
    for worker in 0..recording.trace.lanes.len() {
        let name = format!("worker {worker}");
        events.push(named("thread_name", worker, json!({ "name": name })));
        events.push(named(
            "thread_sort_index",
            worker,
            json!({ "sort_index": worker }),
        ));
    }
    let (spans, marks) = spans(&recording.trace);
    let subtrees = graph.subtree_nodes();
    let mut timed: Vec<(u64, String)> = Vec::new();
    for span in &spans {
        let (name, category, args) = match span.kind {
            Kind::Task(task) => task_texts(graph, task, paths, subtrees[task]),
            Kind::Split(split) => {
                let split = &graph.splits[split];
                let args = json!({
                    "split": split.id.to_string(), "depth": split.depth,
                    "offered": split.offered, "cancelled": split.cancelled,
                    "cut off": split.cut.is_some(),
                });
                (format!("split depth {}", split.depth), "split", args)
            }
            Kind::Eldest => ("eldest".to_owned(), "eldest", json!({})),
            Kind::Wait(activity) => (wait_name(activity).to_owned(), "wait", json!({})),
        };
        timed.push((
            span.begin,
            json!({
                "ph": "X", "pid": PROCESS, "tid": span.worker, "name": name, "cat": category,
                "ts": micros(span.begin), "dur": micros(span.end - span.begin), "args": args,
            })
            .to_string(),
        ));
        if let Kind::Task(task) = span.kind
            && let Origin::Split { split, .. } = graph.tasks[task].origin
            && graph.splits[split].id.owner() != span.worker
        {
            let split = &graph.splits[split];
            let from = json!({
                "ph": "s", "pid": PROCESS, "tid": split.id.owner(), "name": "taken",
                "cat": "task", "id": task, "ts": micros(split.opens),
            });
            let to = json!({
                "ph": "f", "bp": "e", "pid": PROCESS, "tid": span.worker, "name": "taken",
                "cat": "task", "id": task, "ts": micros(span.begin),
            });
            timed.push((split.opens, from.to_string()));
            timed.push((span.begin, to.to_string()));
        }
    }
    for mark in marks {
        let name = match mark.kind {
            MarkKind::Cut => "cut-off",
            MarkKind::Abort => "aborted",
        };
        timed.push((
            mark.at,
            json!({
                "ph": "i", "s": "t", "pid": PROCESS, "tid": mark.worker, "name": name,
                "cat": "instant", "ts": micros(mark.at), "args": { "task": paths[mark.task] },
            })
            .to_string(),
        ));
    }
    for (at, busy) in busy_workers(graph) {
        timed.push((
            at,
            json!({
                "ph": "C", "pid": PROCESS, "name": "searching", "ts": micros(at),
                "args": { "workers": busy },
            })
            .to_string(),
        ));
    }
    // Stable: at the same time outer slices stay before inner ones.
    timed.sort_by_key(|(at, _)| *at);
    events.extend(timed.into_iter().map(|(_, event)| event));
    events
}

fn named(what: &str, worker: usize, args: Value) -> String {
    json!({ "ph": "M", "pid": PROCESS, "tid": worker, "name": what, "args": args }).to_string()
}

fn task_texts(
    graph: &Graph,
    task: usize,
    paths: &[String],
    nodes: u64,
) -> (String, &'static str, Value) {
    let path = &paths[task];
    let task = &graph.tasks[task];
    match task.origin {
        Origin::Iteration { depth } => (
            format!("depth {depth}"),
            "iteration",
            json!({ "nodes": nodes, "complete": !task.aborted }),
        ),
        Origin::Split {
            split,
            turn,
            offered,
            ..
        } => {
            let split = &graph.splits[split];
            let args = json!({
                "moves": path, "split": split.id.to_string(), "turn": turn,
                "offered by": split.id.owner(), "ran by": task.worker, "offered": offered,
                "depth": split.depth.saturating_sub(1), "nodes": nodes,
                "own nodes": task.own_nodes(), "aborted": task.aborted,
                "waited us": micros(task.begin.saturating_sub(split.opens)),
            });
            (path.clone(), "task", args)
        }
    }
}

pub(super) fn wait_name(activity: Activity) -> &'static str {
    match activity {
        Activity::Searching => "searching",
        Activity::Stealing => "stealing",
        Activity::Joining => "waiting at a join",
        Activity::Sleeping => "idle",
    }
}

fn micros(ns: u64) -> f64 {
    ns as f64 / 1000.0
}

/// How many workers search, from every time on at which that changes.
pub fn busy_workers(graph: &Graph) -> Vec<(u64, u32)> {
    let mut changes: Vec<(u64, i32)> = Vec::new();
    for stretch in graph.lanes.iter().flatten() {
        if stretch.activity == Activity::Searching && stretch.end > stretch.begin {
            changes.push((stretch.begin, 1));
            changes.push((stretch.end, -1));
        }
    }
    changes.sort_unstable();
    let mut curve: Vec<(u64, u32)> = Vec::new();
    let mut busy = 0i32;
    for (at, change) in changes {
        busy += change;
        match curve.last_mut() {
            Some(last) if last.0 == at => last.1 = busy as u32,
            _ => curve.push((at, busy as u32)),
        }
    }
    curve.dedup_by_key(|(_, busy)| *busy);
    curve
}
