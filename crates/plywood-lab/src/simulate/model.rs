//! A recorded task graph as a program to be run by any number of simulated cores.

use super::lengths::{Lengths, turn};
use crate::trace::graph::{Graph, Origin, Step};

/// What the length of work is taken from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Measure {
    /// The time it took.
    #[default]
    Time,
    /// Its nodes, each at the average cost: the same in every recording of one search, and
    /// untouched by whatever else the machine did meanwhile.
    Nodes,
}

/// A search as a program.
#[derive(Clone, Debug)]
pub(super) struct Program {
    /// What each task does.
    pub(super) bodies: Vec<Vec<Item>>,
    pub(super) splits: Vec<SplitModel>,
    /// The searches to one depth after the other.
    pub(super) roots: Vec<usize>,
    /// All work that the recorded search needed, in nanoseconds.
    pub(super) needed: u64,
    /// Handing out work, in nanoseconds for each split and each task.
    pub(super) handling: f64,
    /// Whether any split was cut off: then a part of the work is assumed.
    pub(super) prunes: bool,
}

/// A part of a task.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item {
    Work(u64),
    Split(usize),
}

/// A split.
#[derive(Clone, Debug)]
pub(super) struct SplitModel {
    pub(super) depth: u32,
    /// The split that its task is of.
    pub(super) parent: Option<usize>,
    /// Its children by turns, as places of bodies.
    pub(super) turns: Vec<usize>,
    /// How many of them the owner keeps for itself.
    pub(super) own: usize,
    /// The turn that cuts it off.
    pub(super) cut: Option<usize>,
}

impl Program {
    /// The program of a graph. The error says why there is none.
    pub(super) fn new(graph: &Graph, measure: Measure) -> Result<Self, String> {
        let mut roots = graph.iterations.iter().filter(|list| !list.is_empty());
        let (Some(first), None, false) = (roots.next(), roots.next(), graph.splits.is_empty())
        else {
            return Err("there are no tasks, every worker searched by itself".into());
        };
        let work = graph.work();
        let nodes: u64 = graph.tasks.iter().map(|task| task.own_nodes()).sum();
        let cost = work as f64 / nodes.max(1) as f64;
        let length = |ns: u64, nodes: u64| match measure {
            Measure::Time => ns,
            Measure::Nodes => (nodes as f64 * cost).round() as u64,
        };
        let mut bodies: Vec<Vec<Item>> = Vec::with_capacity(graph.tasks.len());
        for task in &graph.tasks {
            let items = task.steps.iter().map(|step| match *step {
                Step::Work { ns, nodes } => Item::Work(length(ns, nodes)),
                Step::Split(split) => Item::Split(split),
            });
            bodies.push(items.collect());
        }
        let own: Vec<u64> = bodies.iter().map(|body| work_of(body)).collect();
        let totals = totals(graph, &own);
        let taken = graph.taken().count();
        let handled: u64 = graph.splits.iter().map(|split| split.handling_ns).sum();
        let mut program = Program {
            bodies,
            splits: Vec::with_capacity(graph.splits.len()),
            roots: first.clone(),
            needed: own.iter().sum(),
            handling: handled as f64 / (graph.splits.len() + taken).max(1) as f64,
            prunes: graph.splits.iter().any(|split| split.cut.is_some()),
        };
        let lengths = Lengths::new(graph, &totals);
        for split in &graph.splits {
            let kept = |&&task: &&usize| !graph.tasks[task].is_offered();
            let mut children: Vec<usize> = split.tasks.clone();
            for &task in &children {
                if graph.tasks[task].aborted {
                    let assumed = lengths.assumed(split, turn(graph, task));
                    let left = assumed.saturating_sub(totals[task]);
                    program.bodies[task].push(Item::Work(left));
                }
            }
            let first = split.tasks.first().map_or(0, |&task| turn(graph, task));
            for _ in 0..split.cancelled {
                let assumed = lengths.assumed(split, first + children.len());
                children.push(program.bodies.len());
                program.bodies.push(vec![Item::Work(assumed)]);
            }
            let parent = match graph.tasks[split.parent].origin {
                Origin::Split { split, .. } => Some(split),
                Origin::Iteration { .. } => None,
            };
            program.splits.push(SplitModel {
                depth: split.depth,
                parent,
                own: split.tasks.iter().filter(kept).count(),
                cut: split
                    .cut
                    .map(|cut| turn(graph, cut.task).saturating_sub(first)),
                turns: children,
            });
        }
        Ok(program)
    }
}

pub(super) fn work_of(body: &[Item]) -> u64 {
    let work = |item: &Item| match item {
        Item::Work(ns) => *ns,
        Item::Split(_) => 0,
    };
    body.iter().map(work).sum()
}

/// The work of every task with all below it.
fn totals(graph: &Graph, own: &[u64]) -> Vec<u64> {
    let mut totals = own.to_vec();
    for task in graph.top_down().into_iter().rev() {
        if let Origin::Split { split, .. } = graph.tasks[task].origin {
            let parent = graph.splits[split].parent;
            totals[parent] += totals[task];
        }
    }
    totals
}
