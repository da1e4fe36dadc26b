//! The tree of splits and tasks of a search, rebuilt from its events.

use std::collections::HashMap;

use plywood::trace::{Activity, Event, SplitId, Trace, What};

/// A task, or the search to one depth, which is nobody's task.
#[derive(Clone, PartialEq, Debug)]
pub struct Task {
    /// What it is.
    pub origin: Origin,
    /// The worker that ran it.
    pub worker: usize,
    /// When it began, in nanoseconds since the start of the search.
    pub begin: u64,
    /// When it ended.
    pub end: u64,
    /// Whether it was given up: because of a cut-off, or because the search had to end.
    pub aborted: bool,
    /// What it did, in order. Work in tasks of its splits is theirs.
    pub steps: Vec<Step>,
    /// The step from which on everything is searched once more, with another window.
    pub again: Option<usize>,
}

/// Where a task comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The search to this depth.
    Iteration {
        /// The depth.
        depth: u32,
    },
    /// A child of a split.
    Split {
        /// Which, in [`Graph::splits`].
        split: usize,
        /// Its turn among the children.
        turn: u32,
        /// Which child it is, in the game's order.
        child: u32,
        /// Whether any worker could have taken it.
        offered: bool,
    },
}

/// A part of a task.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Searching without splitting.
    Work {
        /// How long, in nanoseconds.
        ns: u64,
        /// How many nodes.
        nodes: u64,
    },
    /// A split, by its place in [`Graph::splits`]: the task goes on when all of it is done.
    Split(usize),
}

/// A node whose children are tasks.
#[derive(Clone, PartialEq, Debug)]
pub struct Split {
    /// Its name.
    pub id: SplitId,
    /// The task it is part of, in [`Graph::tasks`].
    pub parent: usize,
    /// The children that lead from that task's position to the node.
    pub path: Vec<u32>,
    /// The depth left.
    pub depth: u32,
    /// How many tasks were offered.
    pub offered: u32,
    /// How many of them nobody took.
    pub cancelled: u32,
    /// When they were offered.
    pub opens: u64,
    /// When all were done.
    pub closes: u64,
    /// The time its owner needed to open it and to hand out tasks, in nanoseconds.
    pub handling_ns: u64,
    /// The tasks that were run, by their turns; places in [`Graph::tasks`].
    pub tasks: Vec<usize>,
    /// Who cut it off, if anybody did.
    pub cut: Option<Cut>,
}

/// A cut-off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cut {
    /// When.
    pub at: u64,
    /// The task whose value was good enough.
    pub task: usize,
}

/// What a worker did during some time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stretch {
    /// From when.
    pub begin: u64,
    /// To when.
    pub end: u64,
    /// What.
    pub activity: Activity,
}

/// The tree of splits and tasks, and what the workers did meanwhile.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Graph {
    /// All tasks that were begun.
    pub tasks: Vec<Task>,
    /// All splits.
    pub splits: Vec<Split>,
    /// The searches to one depth after the other, by worker; places in `tasks`.
    pub iterations: Vec<Vec<usize>>,
    /// What each worker did when, without gaps.
    pub lanes: Vec<Vec<Stretch>>,
    /// The nodes that belong to no task and no iteration.
    pub other_nodes: u64,
    /// Events that were left out while recording: if there are any, tasks are missing.
    pub dropped: u64,
}

/// A pair of events that has begun.
enum Frame {
    Worker,
    Activity { before: Activity },
    Task(usize),
    Eldest(u32),
    Split(usize),
}

impl Graph {
    /// Rebuilds the tree. The error names a worker and the event that does not fit.
    pub fn new(trace: &Trace) -> Result<Self, String> {
        let mut graph = Graph {
            dropped: trace.dropped(),
            ..Graph::default()
        };
        let mut places = HashMap::new();
        for lane in &trace.lanes {
            for event in &lane.events {
                if let What::SplitOpens { split, .. } = event.what {
                    if places.insert(split, graph.splits.len()).is_some() {
                        return Err(format!("split {split} is opened twice"));
                    }
                    graph.splits.push(opened(event));
                }
            }
        }
        for (worker, lane) in trace.lanes.iter().enumerate() {
            let mut walk = Walk {
                graph: &mut graph,
                places: &places,
                worker,
                frames: Vec::new(),
                activity: Activity::Searching,
                stretches: Vec::new(),
                iterations: Vec::new(),
                last: None,
            };
            for (index, event) in lane.events.iter().enumerate() {
                walk.event(event)
                    .map_err(|why| format!("worker {worker}, event {index}: {why}"))?;
            }
            if !walk.frames.is_empty() {
                return Err(format!("worker {worker}: the events end too early"));
            }
            let (stretches, iterations) = (walk.stretches, walk.iterations);
            graph.lanes.push(stretches);
            graph.iterations.push(iterations);
        }
        let turn = |task: &Task| match task.origin {
            Origin::Split { turn, .. } => turn,
            Origin::Iteration { .. } => 0,
        };
        let Graph { tasks, splits, .. } = &mut graph;
        for split in splits {
            split.tasks.sort_by_key(|&task| turn(&tasks[task]));
        }
        Ok(graph)
    }

    /// The time from the first event to the last, in nanoseconds.
    pub fn duration(&self) -> u64 {
        let ends = self.lanes.iter().flatten().map(|stretch| stretch.end);
        ends.max().unwrap_or(0)
    }

    /// How long the workers together did this, in nanoseconds.
    pub fn time(&self, activity: Activity) -> u64 {
        let all = self.lanes.iter().flatten();
        all.filter(|stretch| stretch.activity == activity)
            .map(|stretch| stretch.end - stretch.begin)
            .sum()
    }

    /// The nodes of a task with everything below it, for every task. Own nodes come first
    /// in a task that others below have added to.
    pub fn subtree_nodes(&self) -> Vec<u64> {
        self.fold(|task| task.own_nodes(), |tasks| tasks.iter().sum())
    }

    /// The time that a task takes if nobody ever waits for a core, for every task.
    pub fn spans(&self) -> Vec<u64> {
        self.fold(
            |task| task.own_ns(),
            |tasks| tasks.iter().copied().max().unwrap_or(0),
        )
    }

    /// A figure for every task: its own, plus what is made of the tasks of each of its splits.
    fn fold(&self, own: impl Fn(&Task) -> u64, join: impl Fn(&[u64]) -> u64) -> Vec<u64> {
        let mut figures = vec![0; self.tasks.len()];
        let mut below = Vec::new();
        // Children come after their parents in this order, so they are done first from behind.
        for task in self.top_down().into_iter().rev() {
            let mut figure = own(&self.tasks[task]);
            for step in &self.tasks[task].steps {
                if let Step::Split(split) = *step {
                    below.clear();
                    below.extend(self.splits[split].tasks.iter().map(|&task| figures[task]));
                    figure += join(&below);
                }
            }
            figures[task] = figure;
        }
        figures
    }

    /// All tasks, each after the one it is a part of.
    pub fn top_down(&self) -> Vec<usize> {
        let mut order: Vec<usize> = self.iterations.iter().flatten().copied().collect();
        let mut next = 0;
        while next < order.len() {
            for step in &self.tasks[order[next]].steps {
                if let Step::Split(split) = *step {
                    order.extend(&self.splits[split].tasks);
                }
            }
            next += 1;
        }
        order
    }

    /// The time of all searching in tasks and iterations, in nanoseconds.
    pub fn work(&self) -> u64 {
        self.tasks.iter().map(Task::own_ns).sum()
    }

    /// The time the search takes if nobody ever waits for a core. Where every worker searches
    /// by itself there is no such thing, and this is the longest of them.
    pub fn span(&self) -> u64 {
        let spans = self.spans();
        let of = |tasks: &Vec<usize>| tasks.iter().map(|&task| spans[task]).sum();
        self.iterations.iter().map(of).max().unwrap_or(0)
    }

    /// The nodes that were searched once more, with another window.
    pub fn nodes_again(&self) -> u64 {
        let subtrees = self.subtree_nodes();
        let mut inside = vec![false; self.tasks.len()];
        let mut again = 0;
        for place in self.top_down() {
            let task = &self.tasks[place];
            let from = if inside[place] { Some(0) } else { task.again };
            let Some(from) = from else { continue };
            for step in &task.steps[from..] {
                match *step {
                    Step::Work { .. } if inside[place] => {}
                    Step::Work { nodes, .. } => again += nodes,
                    Step::Split(split) => {
                        for &below in &self.splits[split].tasks {
                            if !inside[place] {
                                again += subtrees[below];
                            }
                            inside[below] = true;
                        }
                    }
                }
            }
        }
        again
    }

    /// The tasks that were offered and taken.
    pub fn taken(&self) -> impl Iterator<Item = &Task> {
        self.tasks.iter().filter(|task| task.is_offered())
    }
}

impl Task {
    /// Whether any worker could have taken it.
    pub fn is_offered(&self) -> bool {
        matches!(self.origin, Origin::Split { offered: true, .. })
    }

    /// The time of its own work, in nanoseconds.
    pub fn own_ns(&self) -> u64 {
        let ns = |step: &Step| match step {
            Step::Work { ns, .. } => *ns,
            Step::Split(_) => 0,
        };
        self.steps.iter().map(ns).sum()
    }

    /// The nodes of its own work.
    pub fn own_nodes(&self) -> u64 {
        let nodes = |step: &Step| match step {
            Step::Work { nodes, .. } => *nodes,
            Step::Split(_) => 0,
        };
        self.steps.iter().map(nodes).sum()
    }

    /// Whether it was searched without splitting further.
    pub fn is_leaf(&self) -> bool {
        !self.steps.iter().any(|step| matches!(step, Step::Split(_)))
    }

    fn work(&mut self, more_ns: u64, more_nodes: u64) {
        let begun = self.again.is_none_or(|step| step < self.steps.len());
        if let Some(Step::Work { ns, nodes }) = self.steps.last_mut().filter(|_| begun) {
            *ns += more_ns;
            *nodes += more_nodes;
        } else {
            self.steps.push(Step::Work {
                ns: more_ns,
                nodes: more_nodes,
            });
        }
    }
}

fn opened(event: &Event) -> Split {
    let What::SplitOpens {
        split,
        depth,
        first,
        end,
    } = event.what
    else {
        unreachable!("asked before")
    };
    Split {
        id: split,
        parent: usize::MAX,
        path: Vec::new(),
        depth,
        offered: end.saturating_sub(first),
        cancelled: 0,
        opens: event.at,
        closes: event.at,
        handling_ns: 0,
        tasks: Vec::new(),
        cut: None,
    }
}

/// A walk along the events of one worker.
struct Walk<'g> {
    graph: &'g mut Graph,
    places: &'g HashMap<SplitId, usize>,
    worker: usize,
    frames: Vec<Frame>,
    activity: Activity,
    stretches: Vec<Stretch>,
    iterations: Vec<usize>,
    last: Option<Event>,
}

impl Walk<'_> {
    fn event(&mut self, event: &Event) -> Result<(), String> {
        self.book(event)?;
        match event.what {
            What::WorkerBegins if self.frames.is_empty() => {
                self.activity = Activity::Searching;
                self.frames.push(Frame::Worker);
            }
            _ if self.frames.is_empty() => return Err("the worker has not begun".into()),
            What::WorkerBegins => return Err("the worker begins twice".into()),
            What::WorkerEnds => match self.frames.pop() {
                Some(Frame::Worker) => {}
                _ => return Err("the worker ends within something else".into()),
            },
            What::Begins(activity) => {
                self.frames.push(Frame::Activity {
                    before: self.activity,
                });
                self.activity = activity;
            }
            What::Resumes(activity) => match self.frames.pop() {
                Some(Frame::Activity { before }) if before == activity => self.activity = before,
                _ => return Err("the worker resumes what it did not do".into()),
            },
            What::IterationBegins { depth } => {
                let task = self.begin(Origin::Iteration { depth }, event.at);
                self.iterations.push(task);
            }
            What::IterationEnds { complete } => self.end(event.at, !complete, true)?,
            What::EldestBegins { child } => self.frames.push(Frame::Eldest(child)),
            What::EldestEnds => match self.frames.pop() {
                Some(Frame::Eldest(_)) => {}
                _ => return Err("no eldest child was begun".into()),
            },
            What::SplitOpens { split, .. } => self.open(split)?,
            What::SplitCloses { cancelled } => match self.frames.pop() {
                Some(Frame::Split(place)) => {
                    let split = &mut self.graph.splits[place];
                    split.cancelled = cancelled;
                    split.closes = event.at;
                }
                _ => return Err("no split was opened".into()),
            },
            What::TaskBegins {
                split,
                turn,
                child,
                offered,
            } => {
                let Some(&place) = self.places.get(&split) else {
                    return Err(format!("split {split} is not known"));
                };
                let origin = Origin::Split {
                    split: place,
                    turn,
                    child,
                    offered,
                };
                let task = self.begin(origin, event.at);
                self.graph.splits[place].tasks.push(task);
            }
            What::TaskEnds { aborted } => self.end(event.at, aborted, false)?,
            What::Again => {
                let Some(&Frame::Task(task)) = self.frames.last() else {
                    return Err("nothing to search again".into());
                };
                let task = &mut self.graph.tasks[task];
                task.again = task.again.or(Some(task.steps.len()));
            }
            What::Cut { split } => {
                let Some(&Frame::Task(task)) = self.frames.last() else {
                    return Err("a cut-off outside of a task".into());
                };
                let Some(&place) = self.places.get(&split) else {
                    return Err(format!("split {split} is not known"));
                };
                self.graph.splits[place].cut = Some(Cut { at: event.at, task });
            }
        }
        Ok(())
    }

    /// Gives the time and the nodes since the last event to whom they belong.
    fn book(&mut self, event: &Event) -> Result<(), String> {
        let last = self.last.replace(*event);
        let Some(last) = last else { return Ok(()) };
        if event.at < last.at {
            return Err("the clock goes back".into());
        }
        if self.frames.is_empty() {
            // A worker that begins once more begins to count once more.
            return Ok(());
        }
        if event.nodes < last.nodes {
            return Err("there are fewer nodes than before".into());
        }
        let (ns, nodes) = (event.at - last.at, event.nodes - last.nodes);
        match self.stretches.last_mut() {
            Some(stretch) if stretch.activity == self.activity && stretch.end == last.at => {
                stretch.end = event.at;
            }
            _ => self.stretches.push(Stretch {
                begin: last.at,
                end: event.at,
                activity: self.activity,
            }),
        }
        let mut place = None;
        for frame in self.frames.iter().rev() {
            match *frame {
                Frame::Task(task) => {
                    place = Some(task);
                    break;
                }
                Frame::Eldest(_) => {}
                Frame::Split(split) => {
                    self.graph.splits[split].handling_ns += ns;
                    self.graph.other_nodes += nodes;
                    return Ok(());
                }
                Frame::Worker | Frame::Activity { .. } => break,
            }
        }
        match place {
            Some(task) => {
                self.graph.tasks[task].work(ns, nodes);
            }
            None => self.graph.other_nodes += nodes,
        }
        Ok(())
    }

    fn begin(&mut self, origin: Origin, at: u64) -> usize {
        let task = self.graph.tasks.len();
        self.graph.tasks.push(Task {
            origin,
            worker: self.worker,
            begin: at,
            end: at,
            aborted: false,
            steps: Vec::new(),
            again: None,
        });
        self.frames.push(Frame::Task(task));
        task
    }

    fn end(&mut self, at: u64, aborted: bool, iteration: bool) -> Result<(), String> {
        let Some(Frame::Task(task)) = self.frames.pop() else {
            return Err("no task was begun".into());
        };
        let task = &mut self.graph.tasks[task];
        if matches!(task.origin, Origin::Iteration { .. }) != iteration {
            return Err("a task ends as something else".into());
        }
        task.end = at;
        task.aborted = aborted;
        Ok(())
    }

    fn open(&mut self, split: SplitId) -> Result<(), String> {
        let place = self.places[&split];
        let mut path = Vec::new();
        let parent = self.frames.iter().rev().find_map(|frame| match *frame {
            Frame::Eldest(child) => {
                path.push(child);
                None
            }
            Frame::Task(task) => Some(Some(task)),
            _ => Some(None),
        });
        let Some(parent) = parent.flatten() else {
            return Err("a split outside of a task".into());
        };
        path.reverse();
        let split = &mut self.graph.splits[place];
        split.parent = parent;
        split.path = path;
        self.graph.tasks[parent].steps.push(Step::Split(place));
        self.frames.push(Frame::Split(place));
        Ok(())
    }
}
