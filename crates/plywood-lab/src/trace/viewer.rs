//! A recorded search as a page that shows it by itself: one file, no network, plain script.

use std::io::{self, Write};

use plywood::trace::Activity;
use serde::Serialize;

use super::Recording;
use super::chrome::busy_workers;
use super::graph::{Graph, Origin};
use super::spans::{Kind, MarkKind, spans};

/// The page; the data go where the mark is.
const PAGE: &str = include_str!("viewer.html");

const TITLE_MARK: &str = "{{title}}";
const DATA_MARK: &str = "{{data}}";

/// How a file of this kind begins.
pub(super) const SIGNATURE: &str =
    "<!doctype html>\n<html lang=\"en\">\n<meta name=\"generator\" content=\"plywood lab trace\">";

/// What the page's script reads.
#[derive(Serialize)]
struct Data<'a> {
    facts: Vec<(&'static str, String)>,
    duration: u64,
    cores: usize,
    dropped: u64,
    /// For every worker, one after the other: begin, end, state.
    states: Vec<Vec<u64>>,
    /// For every worker, one after the other: begin, end, row, place in `tasks`.
    boxes: Vec<Vec<u64>>,
    /// For every worker, one after the other: time, 0 for a cut-off and 1 for an abort, task.
    marks: Vec<Vec<u64>>,
    tasks: Tasks<'a>,
    /// Time and number of workers that search from then on, one after the other.
    busy: Vec<u64>,
}

/// What there is to say about every task, in columns.
#[derive(Serialize)]
struct Tasks<'a> {
    /// The moves that lead to it, or nothing.
    path: Vec<&'a str>,
    /// 0 an iteration, 1 a task, 2 a child the owner kept for itself; 4 more if it was
    /// aborted, 8 more if it cut its split off.
    kind: Vec<u8>,
    /// The depth that was left, or that of the iteration.
    depth: Vec<u32>,
    nodes: Vec<u64>,
    own: Vec<u64>,
    turn: Vec<u32>,
    /// Who offered it.
    owner: Vec<usize>,
    /// When it was offered.
    offered: Vec<u64>,
}

/// Writes a recording as a page; `paths` are the moves to every task of its graph.
pub fn write(
    recording: &Recording,
    graph: &Graph,
    paths: &[String],
    out: &mut dyn Write,
) -> io::Result<()> {
    let setting = &recording.measurement.setting;
    let threads = setting.threads;
    let title = format!(
        "{}: {} with {} on {threads} thread{}",
        setting.game,
        setting.search,
        setting.strategy,
        if threads == 1 { "" } else { "s" }
    );
    // No text may end the script it stands in.
    let data = serde_json::to_string(&data(recording, graph, paths))?.replace('<', "\\u003c");
    let page = PAGE.replace(TITLE_MARK, &escaped(&title));
    let (before, after) = page
        .split_once(DATA_MARK)
        .expect("the page has a place for data");
    out.write_all(before.as_bytes())?;
    out.write_all(data.as_bytes())?;
    out.write_all(after.as_bytes())
}

/// A text for HTML.
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            other => safe.push(other),
        }
    }
    safe
}

fn data<'a>(recording: &Recording, graph: &Graph, paths: &'a [String]) -> Data<'a> {
    let measurement = &recording.measurement;
    let setting = &measurement.setting;
    let workers = graph.lanes.len();
    let position = if setting.position.is_empty() {
        setting.position_name.clone()
    } else {
        setting.position.clone()
    };
    let mut facts = vec![
        ("position", position),
        ("depth", setting.depth.to_string()),
        ("evaluation", setting.evaluation.clone()),
        ("best", measurement.best.clone()),
        ("nodes", measurement.nodes.total().to_string()),
        ("tasks offered", measurement.tasks.offered.to_string()),
        (
            "run by another worker",
            measurement.tasks.converted.to_string(),
        ),
        ("cancelled", measurement.tasks.cancelled.to_string()),
        ("aborted", measurement.tasks.aborted.to_string()),
        ("machine", measurement.host.cpu.clone()),
    ];
    facts.retain(|(_, text)| !text.is_empty());
    let (spans, all_marks) = spans(&recording.trace);
    let mut boxes = vec![Vec::new(); workers];
    // Rows count the tasks around a task; the spans of a worker come outer ones first.
    let mut around: Vec<Vec<u64>> = vec![Vec::new(); workers];
    for span in &spans {
        let Kind::Task(task) = span.kind else {
            continue;
        };
        let ends = &mut around[span.worker];
        while ends.last().is_some_and(|&end| end <= span.begin) {
            ends.pop();
        }
        boxes[span.worker].extend([span.begin, span.end, ends.len() as u64, task as u64]);
        ends.push(span.end);
    }
    let mut marks = vec![Vec::new(); workers];
    for mark in all_marks {
        let kind = match mark.kind {
            MarkKind::Cut => 0,
            MarkKind::Abort => 1,
        };
        marks[mark.worker].extend([mark.at, kind, mark.task as u64]);
    }
    let state = |activity| match activity {
        Activity::Searching => 0,
        Activity::Stealing => 1,
        Activity::Joining => 2,
        Activity::Sleeping => 3,
    };
    let states = graph.lanes.iter().map(|lane| {
        let each = lane.iter().filter(|stretch| stretch.end > stretch.begin);
        each.flat_map(|s| [s.begin, s.end, state(s.activity)])
            .collect()
    });
    Data {
        facts,
        duration: graph.duration(),
        cores: measurement.host.cores,
        dropped: graph.dropped,
        states: states.collect(),
        boxes,
        marks,
        tasks: tasks(graph, paths),
        busy: busy_workers(graph)
            .into_iter()
            .flat_map(|(at, busy)| [at, u64::from(busy)])
            .collect(),
    }
}

fn tasks<'a>(graph: &Graph, paths: &'a [String]) -> Tasks<'a> {
    let mut cuts = vec![false; graph.tasks.len()];
    for cut in graph.splits.iter().filter_map(|split| split.cut) {
        cuts[cut.task] = true;
    }
    let mut columns = Tasks {
        path: paths.iter().map(String::as_str).collect(),
        kind: Vec::new(),
        depth: Vec::new(),
        nodes: graph.subtree_nodes(),
        own: graph.tasks.iter().map(|task| task.own_nodes()).collect(),
        turn: Vec::new(),
        owner: Vec::new(),
        offered: Vec::new(),
    };
    for (task, cuts) in graph.tasks.iter().zip(cuts) {
        let (kind, depth, turn, owner, offered) = match task.origin {
            Origin::Iteration { depth } => (0, depth, 0, task.worker, task.begin),
            Origin::Split {
                split,
                turn,
                offered,
                ..
            } => {
                let split = &graph.splits[split];
                let kind = if offered { 1 } else { 2 };
                (kind, split.depth, turn, split.id.owner(), split.opens)
            }
        };
        columns
            .kind
            .push(kind + 4 * u8::from(task.aborted) + 8 * u8::from(cuts));
        columns.depth.push(depth);
        columns.turn.push(turn);
        columns.owner.push(owner);
        columns.offered.push(offered);
    }
    columns
}
