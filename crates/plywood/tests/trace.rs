//! What a traced search records adds up: with itself, and with what the report says.

mod common;

use std::collections::HashMap;
use std::time::Duration;

use common::*;
use plywood::trace::{Activity, Event, SplitId, What};
use plywood::{
    Engine, Evaluate, Game, Limits, Report, Settings, TaskCounts, Trace, TraceOptions, perft,
};
use proptest::prelude::*;

const EXHAUSTIVE: &[&str] = &[
    "seq",
    "every-node",
    "every-node,spawn=rest",
    "budget:1",
    "budget:3,spawn=rest",
    "root",
];

const VECTOR: &[&str] = &["seq", "every-node", "budget:2", "root", "ybwc:1", "ybwc:2"];

const BOUNDED: &[&str] = &[
    "seq",
    "every-node",
    "budget:2,spawn=rest",
    "root",
    "ybwc:1",
    "ybwc:2",
    "top-then-prune:2",
    "lazy-smp",
];

const THREADS: &[usize] = &[1, 2, 3, 7];

fn traced<G: Game, E: Evaluate<G>>(
    game: G,
    eval: E,
    state: &G::State,
    settings: Settings,
    limits: &Limits,
    options: &TraceOptions,
) -> (Report<G::Move>, Trace) {
    let mut engine = Engine::new(game, eval, settings).unwrap();
    engine.search_traced(state, limits, options, |_| {})
}

fn settings(search: &str, strategy: &str, threads: usize) -> Settings {
    let threads = if strategy == "seq" { 1 } else { threads };
    Settings {
        table_bytes: 1 << 14,
        ..Settings::new(search)
            .unwrap()
            .parallel(strategy, threads)
            .unwrap()
    }
}

/// What a pair is, to be compared when it ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Open {
    Worker,
    Activity { before: Activity },
    Iteration,
    Eldest,
    Split(SplitId),
    Task { split: SplitId, offered: bool },
}

#[derive(Default)]
struct Split {
    offered: std::ops::Range<u32>,
    cancelled: Option<u32>,
    /// Turn, and whether it was offered.
    taken: Vec<(u32, bool)>,
    depth: u32,
}

/// What the events of all workers amount to.
#[derive(Default)]
struct Sums {
    splits: HashMap<SplitId, Split>,
    /// Tasks as the report counts them, by worker.
    tasks: Vec<TaskCounts>,
    /// Nodes in tasks, and outside of all.
    task_nodes: u64,
    other_nodes: u64,
    completed: Option<u32>,
}

/// Walks through the brackets of every worker.
fn check<M>(report: &Report<M>, trace: &Trace, what: &str) -> Sums {
    let mut sums = Sums::default();
    assert_eq!(trace.lanes.len(), report.workers.len(), "{what}");
    for (index, (lane, counts)) in trace.lanes.iter().zip(&report.workers).enumerate() {
        sums.tasks.push(TaskCounts::default());
        let mut open: Vec<Open> = Vec::new();
        let mut activity = Activity::Searching;
        let mut spent = HashMap::new();
        let mut last: Option<Event> = None;
        let mut depth = 0;
        for event in &lane.events {
            if let Some(last) = last {
                assert!(event.at >= last.at, "{what}: the clock goes back");
                assert!(event.nodes >= last.nodes || open.is_empty(), "{what}");
                if !open.is_empty() {
                    *spent.entry(activity).or_insert(0) += event.at - last.at;
                    let nodes = event.nodes - last.nodes;
                    if open.iter().any(|open| matches!(open, Open::Task { .. })) {
                        sums.task_nodes += nodes;
                    } else {
                        sums.other_nodes += nodes;
                    }
                }
            }
            last = Some(*event);
            let tasks = &mut sums.tasks[index];
            match event.what {
                What::WorkerBegins => {
                    assert!(open.is_empty(), "{what}");
                    open.push(Open::Worker);
                }
                What::WorkerEnds => assert_eq!(open.pop(), Some(Open::Worker), "{what}"),
                What::Begins(next) => {
                    assert_ne!(next, activity, "{what}");
                    open.push(Open::Activity { before: activity });
                    activity = next;
                }
                What::Resumes(before) => {
                    assert_eq!(open.pop(), Some(Open::Activity { before }), "{what}");
                    activity = before;
                }
                What::IterationBegins { depth: begun } => {
                    open.push(Open::Iteration);
                    depth = begun;
                }
                What::IterationEnds { complete } => {
                    assert_eq!(open.pop(), Some(Open::Iteration), "{what}");
                    if complete {
                        sums.completed = sums.completed.max(Some(depth));
                    }
                }
                What::EldestBegins { .. } => open.push(Open::Eldest),
                What::EldestEnds => assert_eq!(open.pop(), Some(Open::Eldest), "{what}"),
                What::SplitOpens {
                    split,
                    depth,
                    first,
                    end,
                } => {
                    assert_eq!(split.owner(), index, "{what}");
                    assert_eq!(SplitId::from_number(split.number()), Some(split));
                    let entry = sums.splits.entry(split).or_default();
                    assert_eq!(entry.offered, 0..0, "{what}: {split} opens twice");
                    entry.offered = first..end;
                    entry.depth = depth;
                    tasks.offered += u64::from(end - first);
                    open.push(Open::Split(split));
                }
                What::SplitCloses { cancelled } => {
                    let Some(Open::Split(split)) = open.pop() else {
                        panic!("{what}: no split to close")
                    };
                    let entry = sums.splits.entry(split).or_default();
                    assert_eq!(entry.cancelled.replace(cancelled), None, "{what}");
                    tasks.cancelled += u64::from(cancelled);
                }
                What::TaskBegins {
                    split,
                    turn,
                    offered,
                    ..
                } => {
                    assert_eq!(activity, Activity::Searching, "{what}");
                    let own = split.owner() == index;
                    assert!(offered || own && turn == 0, "{what}: a helper takes offers");
                    if own {
                        assert_eq!(open.last(), Some(&Open::Split(split)), "{what}");
                    }
                    tasks.fizzled += u64::from(own && offered);
                    tasks.converted += u64::from(!own);
                    let entry = sums.splits.entry(split).or_default();
                    entry.taken.push((turn, offered));
                    open.push(Open::Task { split, offered });
                }
                What::TaskEnds { aborted } => {
                    let Some(Open::Task { offered, .. }) = open.pop() else {
                        panic!("{what}: no task to end")
                    };
                    tasks.aborted += u64::from(aborted && offered);
                }
                What::Again => {}
                What::Cut { split } => {
                    let Some(Open::Task { split: at, .. }) = open.last() else {
                        panic!("{what}: a cut-off outside of a task")
                    };
                    assert_eq!(*at, split, "{what}");
                }
            }
        }
        assert_eq!(open, [], "{what}: everything has ended");
        // The lane is covered by what the worker did, which is what the report says.
        let time = |activity| Duration::from_nanos(spent.get(&activity).copied().unwrap_or(0));
        assert_eq!(time(Activity::Searching), counts.busy, "{what}");
        assert_eq!(time(Activity::Stealing), counts.stealing, "{what}");
        assert_eq!(time(Activity::Joining), counts.joining, "{what}");
        assert_eq!(time(Activity::Sleeping), counts.idle, "{what}");
    }
    let nodes = sums.task_nodes + sums.other_nodes;
    assert_eq!(nodes, report.nodes.total(), "{what}: nodes");
    sums
}

/// What holds where nothing was left out.
fn check_all<M>(report: &Report<M>, trace: &Trace, what: &str) -> Sums {
    assert_eq!(trace.dropped(), 0, "{what}");
    let mut sums = check(report, trace, what);
    for (tasks, worker) in sums.tasks.iter().zip(&report.workers) {
        assert_eq!(*tasks, worker.tasks, "{what}");
    }
    for (name, split) in &mut sums.splits {
        let cancelled = split.cancelled.expect("it was closed") as usize;
        let offered = split.taken.iter().filter(|taken| taken.1).count();
        assert_eq!(offered + cancelled, split.offered.len(), "{what}: {name}");
        assert!(split.depth > 0, "{what}");
        split.taken.sort_unstable();
        // Turns are taken in order, each once.
        for (place, &(turn, offered)) in split.taken.iter().enumerate() {
            let first = split.offered.start as usize;
            let own = split.taken.len() - offered_of(split);
            let expected = if offered { first + place - own } else { 0 };
            assert_eq!(turn as usize, expected, "{what}: {name}");
        }
    }
    if report.depth > 0 {
        assert_eq!(sums.completed, Some(report.depth), "{what}");
    }
    sums
}

fn offered_of(split: &Split) -> usize {
    split.taken.iter().filter(|taken| taken.1).count()
}

fn every_strategy<const N: usize, const C: bool>(
    game: RandomGame<N, C>,
    search: &str,
    strategies: &[&str],
    depth: u32,
    choice: usize,
) {
    let eval = Drawn { bounded: true };
    for (index, strategy) in strategies.iter().enumerate() {
        let threads = THREADS[(index + choice) % THREADS.len()];
        let settings = settings(search, strategy, threads);
        let what = format!("{search} {strategy} x{threads} depth {depth} of {game:?}");
        let limits = Limits::depth(depth);
        let options = TraceOptions::default();
        let (report, trace) = traced(game, eval, &game.start(), settings, &limits, &options);
        let sums = check_all(&report, &trace, &what);
        let tasks: usize = sums.splits.values().map(|split| split.taken.len()).sum();
        if matches!(*strategy, "seq" | "lazy-smp") {
            assert_eq!(tasks, 0, "{what}");
            let iterates = |what: &What| matches!(what, What::IterationBegins { .. });
            let mut events = trace.lanes[0].events.iter().map(|event| event.what);
            assert!(events.any(|what| iterates(&what)), "{what}");
        } else if !strategy.starts_with("ybwc") {
            // The root is split. With young brothers waiting it may have none, or be too low.
            assert!(tasks >= 1, "{what}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn events_add_up_for_exhaustive_searches(
        seed: u64, width in 2..6u64, depth in 1..6u32, choice: usize,
    ) {
        let choice = choice % 60;
        let game = RandomGame::<2, false> { seed, width, positions: 50, spread: 5 };
        every_strategy(game, "minimax", EXHAUSTIVE, depth, choice);
        // Chance uses no depth, so its trees grow faster.
        let (width, short) = (width.min(3), depth.min(3));
        let chance = RandomGame::<1, true> { seed, width, positions: 50, spread: 5 };
        every_strategy(chance, "expectimax", EXHAUSTIVE, short, choice);
        let game = RandomGame::<3, false> { seed, width, positions: 50, spread: 5 };
        every_strategy(game, "maxn", VECTOR, depth, choice);
    }

    #[test]
    fn events_add_up_for_searches_that_prune(
        seed: u64, width in 2..7u64, depth in 1..7u32, choice: usize,
    ) {
        let choice = choice % 60;
        let game = RandomGame::<2, false> { seed, width, positions: 50, spread: 5 };
        for search in ["alphabeta", "alphabeta:plain", "alphabeta:no-table,null-move"] {
            every_strategy(game, search, BOUNDED, depth, choice);
        }
        let game = RandomGame::<4, false> { seed, width, positions: 50, spread: 5 };
        every_strategy(game, "paranoid", BOUNDED, depth, choice);
    }

    /// Too little room: what is left out is counted, and the rest still adds up.
    #[test]
    fn memory_is_bounded(seed: u64, room in 0..200usize, choice in 0..60usize) {
        let game = RandomGame::<2, false> { seed, width: 5, positions: 50, spread: 5 };
        let eval = Drawn { bounded: false };
        let options = TraceOptions { max_events: room };
        for strategy in ["every-node", "ybwc:1", "lazy-smp"] {
            let threads = THREADS[choice % THREADS.len()];
            let what = format!("{strategy} x{threads} in {room} of {game:?}");
            let settings = settings("alphabeta", strategy, threads);
            let mut engine = Engine::new(game, eval, settings).unwrap();
            let (report, trace) =
                engine.search_traced(&game.start(), &Limits::depth(6), &options, |_| {});
            for lane in &trace.lanes {
                prop_assert!(lane.events.len() <= (room / threads).max(2), "{}", what);
            }
            // Time may be booked elsewhere, nodes are all there.
            let mut nodes = 0;
            for lane in &trace.lanes {
                nodes += lane.events.last().unwrap().nodes;
                let begins = |e: &&Event| !matches!(e.what, What::Again | What::Cut { .. });
                prop_assert!(lane.events.iter().filter(begins).count().is_multiple_of(2));
            }
            prop_assert_eq!(nodes, report.nodes.total());
            if room < 2 * threads {
                prop_assert!(trace.dropped() > 0, "{}", what);
            }
        }
    }
}

/// A search that is ended has ended pairs, and its answer of depth 1 has nodes too.
#[test]
fn a_stopped_search_adds_up() {
    let game = RandomGame::<2, false> {
        seed: 5,
        width: 9,
        positions: 1000,
        spread: 50,
    };
    for strategy in BOUNDED {
        for nodes in [1, 100, 5000] {
            let settings = settings("alphabeta:no-deepening,no-table", strategy, 3);
            let limits = Limits {
                depth: Some(30),
                ..Limits::nodes(nodes)
            };
            let options = TraceOptions::default();
            let eval = Drawn { bounded: false };
            let (report, trace) = traced(game, eval, &game.start(), settings, &limits, &options);
            assert!(report.stopped, "{strategy}");
            check_all(&report, &trace, &format!("{strategy} {nodes}"));
        }
    }
}

/// Recording changes nothing about the search itself.
#[test]
fn a_traced_search_is_the_same_search() {
    let game = RandomGame::<2, false> {
        seed: 11,
        width: 6,
        positions: 300,
        spread: 20,
    };
    let eval = Drawn { bounded: false };
    for strategy in ["seq", "every-node", "ybwc:2", "lazy-smp"] {
        let settings = settings("alphabeta", strategy, 1);
        let mut engine = Engine::new(game, eval, settings.clone()).unwrap();
        let plain = engine.search(&game.start(), &Limits::depth(8));
        let (limits, options) = (Limits::depth(8), TraceOptions::default());
        let (report, _) = traced(game, eval, &game.start(), settings, &limits, &options);
        assert_eq!(report.nodes, plain.nodes, "{strategy}");
        assert_eq!(report.tasks, plain.tasks, "{strategy}");
        assert_eq!(report.line, plain.line, "{strategy}");
    }
}

/// The tree of splits and tasks is the top of the game's tree.
#[test]
fn tasks_are_the_children_of_split_nodes() {
    let game = RandomGame::<2, false> {
        seed: 3,
        width: 5,
        positions: 1 << 40,
        spread: 20,
    };
    let eval = Drawn { bounded: false };
    let children = |depth| perft(&game, &game.start(), depth) as usize;
    for threads in [1, 2, 4] {
        let settings = settings("minimax", "budget:1", threads);
        let (limits, options) = (Limits::depth(4), TraceOptions::default());
        let (report, trace) = traced(game, eval, &game.start(), settings, &limits, &options);
        let sums = check_all(&report, &trace, "budget:1");
        assert_eq!(sums.splits.len(), 1);
        assert_eq!(report.tasks.offered as usize, children(1));
        // The root is searched by nobody's task, all the rest by some.
        assert_eq!(sums.other_nodes, 1);
        assert_eq!(sums.task_nodes, report.nodes.total() - 1);
    }
}
