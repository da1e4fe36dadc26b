//! Where nodes and time of a recorded search were lost, and what its tasks were like.

use plywood::trace::Activity;

use crate::trace::chrome::busy_workers;
use crate::trace::graph::{Graph, Origin, Step, Stretch};

/// Nodes that were searched for nothing, by cause.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NodeLosses {
    /// All nodes of the search.
    pub all: u64,
    /// In tasks that were given up after a cut-off, or at the end of the search.
    pub aborted: u64,
    /// In tasks that were complete before a sibling that comes before them cut them off.
    pub speculative: u64,
    /// In second searches of a child with another window.
    pub again: u64,
}

impl NodeLosses {
    /// What the events of a search tell.
    pub fn new(graph: &Graph) -> Self {
        let mut losses = NodeLosses {
            all: graph.other_nodes + graph.tasks.iter().map(|task| task.own_nodes()).sum::<u64>(),
            again: graph.nodes_again(),
            ..NodeLosses::default()
        };
        let mut fates = vec![Fate::Needed; graph.tasks.len()];
        for place in graph.top_down() {
            let task = &graph.tasks[place];
            if let Origin::Split { split, turn, .. } = task.origin {
                let split = &graph.splits[split];
                let above = fates[split.parent];
                let cut_turn = split.cut.map(|cut| match graph.tasks[cut.task].origin {
                    Origin::Split { turn, .. } => turn,
                    Origin::Iteration { .. } => u32::MAX,
                });
                fates[place] = match above {
                    _ if task.aborted => Fate::Aborted,
                    Fate::Needed if cut_turn.is_some_and(|cut| turn > cut) => Fate::Speculative,
                    above => above,
                };
            }
            match fates[place] {
                Fate::Needed => {}
                Fate::Aborted => losses.aborted += task.own_nodes(),
                Fate::Speculative => losses.speculative += task.own_nodes(),
            }
        }
        losses
    }
}

#[derive(Clone, Copy)]
enum Fate {
    Needed,
    Aborted,
    Speculative,
}

/// What the threads did with their time, in nanoseconds.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct TimeLosses {
    /// Threads times the length of the search.
    pub all: u64,
    /// Searching, without `abort_latency`.
    pub searching: u64,
    /// Waiting for helpers at a join.
    pub joining: u64,
    /// Looking for a task while there was one to be had.
    pub stealing: u64,
    /// Looking for a task or asleep while there was none.
    pub no_work: u64,
    /// Still searching after a cut-off made it useless.
    pub abort_latency: u64,
    /// Before a worker began and after it ended.
    pub outside: u64,
}

impl TimeLosses {
    /// What the events of a search tell.
    pub fn new(graph: &Graph) -> Self {
        let all = graph.duration() * graph.lanes.len() as u64;
        let inside: u64 = graph.lanes.iter().flatten().map(|s| s.end - s.begin).sum();
        let abort_latency = abort_latency(graph);
        let offered = offered(graph);
        let looked = |lane: &Vec<Stretch>| within(&offered, lane, Activity::Stealing);
        let stealing = graph.lanes.iter().map(looked).sum();
        let looking = graph.time(Activity::Stealing) + graph.time(Activity::Sleeping);
        TimeLosses {
            all,
            searching: graph.time(Activity::Searching) - abort_latency,
            joining: graph.time(Activity::Joining),
            stealing,
            no_work: looking - stealing,
            abort_latency,
            outside: all.saturating_sub(inside),
        }
    }

    /// The share of all time, from 0 to 1.
    pub fn share(&self, part: u64) -> f64 {
        part as f64 / self.all.max(1) as f64
    }

    /// The time in which nobody searched, all causes together.
    pub fn waiting(&self) -> u64 {
        self.joining + self.stealing + self.no_work + self.outside
    }
}

/// How long workers searched after a cut-off above them.
fn abort_latency(graph: &Graph) -> u64 {
    // The first cut-off above each task.
    let mut cut_above: Vec<Option<u64>> = vec![None; graph.tasks.len()];
    let mut late: Vec<Vec<(u64, u64)>> = vec![Vec::new(); graph.lanes.len()];
    for place in graph.top_down() {
        let task = &graph.tasks[place];
        let Origin::Split { split, .. } = task.origin else {
            continue;
        };
        let split = &graph.splits[split];
        let own = split.cut.filter(|cut| cut.task != place).map(|cut| cut.at);
        let cut = [own, cut_above[split.parent]].into_iter().flatten().min();
        cut_above[place] = cut;
        if let Some(cut) = cut
            && task.aborted
            && cut < task.end
        {
            late[task.worker].push((cut.max(task.begin), task.end));
        }
    }
    let lanes = late.iter_mut().zip(&graph.lanes);
    lanes
        .map(|(late, lane)| {
            late.sort_unstable();
            within(late, lane, Activity::Searching)
        })
        .sum()
}

/// When there were tasks that nobody had taken, sorted.
fn offered(graph: &Graph) -> Vec<(u64, u64)> {
    let mut times: Vec<(u64, u64)> = Vec::new();
    for split in &graph.splits {
        let taken = split.tasks.iter().map(|&task| graph.tasks[task].begin);
        let until = match split.cut {
            Some(cut) if split.cancelled > 0 => cut.at,
            _ => taken.max().unwrap_or(split.opens),
        };
        times.push((split.opens, until.max(split.opens)));
    }
    times.sort_unstable();
    times
}

/// How long a worker did something within some stretches of time, which may overlap and are
/// sorted.
fn within(times: &[(u64, u64)], lane: &[Stretch], activity: Activity) -> u64 {
    let mut total = 0;
    let mut done = 0;
    for &(begin, end) in times {
        let begin = begin.max(done);
        if begin >= end {
            continue;
        }
        done = end;
        let first = lane.partition_point(|stretch| stretch.end <= begin);
        for stretch in lane[first..].iter().take_while(|s| s.begin < end) {
            if stretch.activity == activity {
                total += stretch.end.min(end) - stretch.begin.max(begin);
            }
        }
    }
    total
}

/// The end of a search, if most of the waiting was there.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tail {
    /// How long it was, in nanoseconds.
    pub length: u64,
    /// How many workers searched meanwhile, on average.
    pub searching: f64,
    /// The share of all waiting that was there, from 0 to 1.
    pub share: f64,
}

/// The shortest end of the search that has half of the waiting, if that is a small part of it.
pub fn tail(graph: &Graph) -> Option<Tail> {
    /// More than this share of the time is no end.
    const LONGEST: f64 = 0.3;
    let duration = graph.duration();
    let workers = graph.lanes.len() as f64;
    let mut pieces: Vec<(u64, u64, u32)> = Vec::new();
    let mut last = (0, 0);
    for (at, busy) in busy_workers(graph) {
        pieces.push((last.0, at, last.1));
        last = (at, busy);
    }
    pieces.push((last.0, duration, last.1));
    let waiting = |piece: &(u64, u64, u32)| (piece.1 - piece.0) as f64 * (workers - piece.2 as f64);
    let all: f64 = pieces.iter().map(waiting).sum();
    let (mut waited, mut searched) = (0.0, 0.0);
    for piece in pieces.iter().rev() {
        waited += waiting(piece);
        searched += (piece.1 - piece.0) as f64 * f64::from(piece.2);
        if waited * 2.0 >= all && all > 0.0 {
            let length = duration - piece.0;
            let short = (length as f64) < LONGEST * duration as f64;
            return short.then(|| Tail {
                length,
                searching: searched / (length as f64).max(1.0),
                share: waited / all,
            });
        }
    }
    None
}

/// A search as a graph of tasks.
#[derive(Clone, PartialEq, Debug)]
pub struct Shape {
    /// The time of all tasks together, in nanoseconds.
    pub work: u64,
    /// The time of the longest chain of tasks that wait for each other, in nanoseconds.
    pub span: u64,
    /// How many tasks were taken.
    pub tasks: u64,
    /// How many splits there were.
    pub splits: u64,
    /// The own time of a task, on average, in nanoseconds.
    pub mean_task: f64,
    /// How many tasks there are of each size.
    pub sizes: Vec<SizeClass>,
}

/// Tasks of about the same size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SizeClass {
    /// Tasks of at least this own time, in nanoseconds…
    pub from: u64,
    /// …and less than this.
    pub to: u64,
    /// How many there are.
    pub tasks: u64,
    /// Their own time together, in nanoseconds.
    pub time: u64,
}

impl Shape {
    /// What the events of a search tell.
    pub fn new(graph: &Graph) -> Self {
        let tasks = graph.taken().count() as u64;
        let time: u64 = graph.taken().map(|task| task.own_ns()).sum();
        Shape {
            work: graph.work(),
            span: graph.span(),
            tasks,
            splits: graph.splits.len() as u64,
            mean_task: time as f64 / tasks.max(1) as f64,
            sizes: sizes(graph),
        }
    }

    /// How many cores could be kept busy, on average.
    pub fn parallelism(&self) -> f64 {
        self.work as f64 / self.span.max(1) as f64
    }
}

/// The tasks by decades of their own time, from the smallest there is to the largest.
fn sizes(graph: &Graph) -> Vec<SizeClass> {
    let mut classes: Vec<SizeClass> = Vec::new();
    for exponent in 0..20u32 {
        let to = 10u64.saturating_pow(exponent);
        classes.push(SizeClass {
            from: if exponent == 0 { 0 } else { to / 10 },
            to,
            tasks: 0,
            time: 0,
        });
    }
    for task in graph.taken() {
        let ns = task.own_ns();
        let class = classes.partition_point(|class| class.to <= ns);
        if let Some(class) = classes.get_mut(class) {
            class.tasks += 1;
            class.time += ns;
        }
    }
    let some = |class: &SizeClass| class.tasks > 0;
    let first = classes.iter().position(some);
    let last = classes.iter().rposition(some);
    match (first, last) {
        (Some(first), Some(last)) => classes[first..=last].to_vec(),
        _ => Vec::new(),
    }
}

/// The tasks below which nothing was split and that were taken, for samples of positions.
pub fn undivided(graph: &Graph) -> Vec<usize> {
    let taken = |&place: &usize| {
        let task = &graph.tasks[place];
        let splits = |step: &Step| matches!(step, Step::Split(_));
        task.is_offered() && !task.aborted && !task.steps.iter().any(splits)
    };
    (0..graph.tasks.len()).filter(taken).collect()
}
