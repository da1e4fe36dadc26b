//! The top of the tree of a search, by nodes: which moves were split off as tasks, who
//! searched them, and what was cut off.

use std::collections::BinaryHeap;

use plywood::Trace;
use plywood_games::registry::{AnyGame, Position};
use plywood_lab::trace::graph::{Graph, Origin, Split, Step};
use serde_json::{Value, json};

/// How many tasks are shown.
const MOST_SHOWN: usize = 400;

/// How many tasks of one node are shown; the others are added up.
const MOST_BESIDE: usize = 24;

/// A task that is shown.
struct Shown {
    mv: String,
    nodes: u64,
    worker: Option<usize>,
    aborted: bool,
    /// How many of its nodes were cut off, of those that were split.
    cuts: usize,
    splits: usize,
    children: Vec<usize>,
}

/// A task that can be opened, the largest first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Closed {
    nodes: u64,
    task: usize,
    shown: usize,
}

/// The top of the tree of the deepest search in a trace; nothing if the trace has none, or
/// does not fit together.
pub(crate) fn of(trace: &Trace, game: &dyn AnyGame, root: &Position) -> Option<Value> {
    let graph = Graph::new(trace).ok()?;
    let depth_of = |task: usize| match graph.tasks[task].origin {
        Origin::Iteration { depth } => depth,
        Origin::Split { .. } => 0,
    };
    let nodes = graph.subtree_nodes();
    let deepest = graph.iterations.iter().flatten().copied();
    let top = deepest.max_by_key(|&task| (depth_of(task), nodes[task]))?;
    let mut tree = Tree {
        graph: &graph,
        nodes: &nodes,
        game,
        shown: Vec::new(),
        closed: BinaryHeap::new(),
        positions: Vec::new(),
    };
    tree.show(top, String::new(), root.clone());
    while let Some(closed) = tree.closed.pop() {
        if tree.shown.len() >= MOST_SHOWN {
            break;
        }
        tree.open(&closed)?;
    }
    Some(json!({
        "depth": depth_of(top),
        "nodes": nodes[top],
        "tasks": graph.tasks.len(),
        "splits": graph.splits.len(),
        "dropped": graph.dropped,
        "root": tree.json(0),
    }))
}

struct Tree<'a> {
    graph: &'a Graph,
    nodes: &'a [u64],
    game: &'a dyn AnyGame,
    shown: Vec<Shown>,
    closed: BinaryHeap<Closed>,
    /// Where the tasks that are shown begin.
    positions: Vec<Position>,
}

impl Tree<'_> {
    fn show(&mut self, task: usize, mv: String, position: Position) -> usize {
        let shown = self.shown.len();
        let origin = &self.graph.tasks[task];
        self.shown.push(Shown {
            mv,
            nodes: self.nodes[task],
            worker: Some(origin.worker),
            aborted: origin.aborted,
            cuts: 0,
            splits: 0,
            children: Vec::new(),
        });
        self.positions.push(position);
        if !origin.is_leaf() {
            self.closed.push(Closed {
                nodes: self.nodes[task],
                task,
                shown,
            });
        }
        shown
    }

    /// Shows the tasks of the nodes that a task has split.
    fn open(&mut self, closed: &Closed) -> Option<()> {
        let graph = self.graph;
        let mut splits: Vec<&Split> = Vec::new();
        for step in &graph.tasks[closed.task].steps {
            if let Step::Split(split) = *step {
                splits.push(&graph.splits[split]);
            }
        }
        let nodes = self.nodes;
        let all = splits
            .iter()
            .flat_map(|split| split.tasks.iter().map(move |&task| (*split, task)));
        let mut tasks: Vec<(&Split, usize)> = all.collect();
        tasks.sort_by_key(|&(_, task)| std::cmp::Reverse(nodes[task]));
        let rest = tasks.split_off(tasks.len().min(MOST_BESIDE));
        for (split, task) in tasks {
            let (mv, position) = self.walk(closed.shown, split, task)?;
            let child = self.show(task, mv, position);
            self.shown[closed.shown].children.push(child);
        }
        if !rest.is_empty() {
            let child = self.shown.len();
            self.shown.push(Shown {
                mv: format!("{} more", rest.len()),
                nodes: rest.iter().map(|&(_, task)| nodes[task]).sum(),
                worker: None,
                aborted: false,
                cuts: 0,
                splits: 0,
                children: Vec::new(),
            });
            self.positions.push(self.positions[closed.shown].clone());
            self.shown[closed.shown].children.push(child);
        }
        let shown = &mut self.shown[closed.shown];
        shown.splits = splits.len();
        shown.cuts = splits.iter().filter(|split| split.cut.is_some()).count();
        Some(())
    }

    /// The moves from a shown task to one of its tasks, and the position there; nothing if
    /// the trace is not of this game.
    fn walk(&self, from: usize, split: &Split, task: usize) -> Option<(String, Position)> {
        let Origin::Split { child, .. } = self.graph.tasks[task].origin else {
            return None;
        };
        let mut position = self.positions[from].clone();
        let mut text = Vec::new();
        for &child in split.path.iter().chain([&child]) {
            let moves = self.game.moves(&position);
            let mv = moves.get(child as usize)?;
            position = self.game.play(&position, mv).ok()?;
            text.push(mv.clone());
        }
        Some((text.join(" "), position))
    }

    fn json(&self, shown: usize) -> Value {
        let task = &self.shown[shown];
        let children: Vec<Value> = task
            .children
            .iter()
            .map(|&child| self.json(child))
            .collect();
        json!({
            "move": task.mv,
            "nodes": task.nodes,
            "worker": task.worker,
            "aborted": task.aborted,
            "splits": task.splits,
            "cuts": task.cuts,
            "children": children,
        })
    }
}
