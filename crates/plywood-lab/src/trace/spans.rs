//! What to draw on the lane of a worker: the pairs of its events, as stretches that lie inside
//! each other.

use std::collections::HashMap;

use plywood::trace::{Activity, SplitId, Trace, What};

/// Something with a beginning and an end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Span {
    pub(super) worker: usize,
    pub(super) begin: u64,
    pub(super) end: u64,
    /// How many tasks, waits and so on it lies inside.
    pub(super) level: u32,
    pub(super) kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A task or an iteration, by its place in the graph.
    Task(usize),
    /// A split, by its place in the graph: its owner hands out its tasks and waits for them.
    Split(usize),
    /// The eldest child of a node.
    Eldest,
    /// Looking for tasks, waiting, sleeping.
    Wait(Activity),
}

/// Something at a point of time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Mark {
    pub(super) worker: usize,
    pub(super) at: u64,
    /// The task in which it happened, by its place in the graph.
    pub(super) task: usize,
    pub(super) kind: MarkKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MarkKind {
    Cut,
    Abort,
}

/// All spans, by worker and beginning, outer ones first; and all marks, by worker and time.
/// The trace has to be one that a graph could be made of.
pub(super) fn spans(trace: &Trace) -> (Vec<Span>, Vec<Mark>) {
    let (mut spans, mut marks) = (Vec::new(), Vec::new());
    let mut splits: HashMap<SplitId, usize> = HashMap::new();
    for event in trace.lanes.iter().flat_map(|lane| &lane.events) {
        if let What::SplitOpens { split, .. } = event.what {
            let next = splits.len();
            splits.insert(split, next);
        }
    }
    let mut tasks = 0;
    for (worker, lane) in trace.lanes.iter().enumerate() {
        // Spans that have begun, by their places; pairs that are not drawn have none.
        let mut open: Vec<Option<usize>> = Vec::new();
        for event in &lane.events {
            let kind = match event.what {
                What::WorkerBegins | What::Begins(Activity::Searching) => None,
                What::Begins(activity) => Some(Kind::Wait(activity)),
                What::IterationBegins { .. } | What::TaskBegins { .. } => {
                    tasks += 1;
                    Some(Kind::Task(tasks - 1))
                }
                What::EldestBegins { .. } => Some(Kind::Eldest),
                What::SplitOpens { split, .. } => Some(Kind::Split(splits[&split])),
                What::WorkerEnds
                | What::Resumes(_)
                | What::IterationEnds { .. }
                | What::EldestEnds
                | What::SplitCloses { .. }
                | What::TaskEnds { .. } => {
                    let Some(Some(place)) = open.pop() else {
                        continue;
                    };
                    let span: &mut Span = &mut spans[place];
                    span.end = event.at;
                    if let (Kind::Task(task), What::TaskEnds { aborted: true }) =
                        (span.kind, event.what)
                    {
                        marks.push(Mark {
                            worker,
                            at: event.at,
                            task,
                            kind: MarkKind::Abort,
                        });
                    }
                    continue;
                }
                What::Cut { .. } => {
                    let top = open.iter().rev().flatten().next();
                    if let Some(Kind::Task(task)) = top.map(|&place| spans[place].kind) {
                        marks.push(Mark {
                            worker,
                            at: event.at,
                            task,
                            kind: MarkKind::Cut,
                        });
                    }
                    continue;
                }
                What::Again => continue,
            };
            let place = kind.map(|kind| {
                spans.push(Span {
                    worker,
                    begin: event.at,
                    end: event.at,
                    level: open.iter().flatten().count() as u32,
                    kind,
                });
                spans.len() - 1
            });
            open.push(place);
        }
    }
    (spans, marks)
}
