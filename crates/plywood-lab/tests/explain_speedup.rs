//! Where a speed-up went: the factors, the causes, the words.

mod traced;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use plywood_lab::explain::{
    Explanation, Factors, NodeLosses, Shape, TimeLosses, one_search, page, run,
};
use plywood_lab::record::{Lane, Measurement};
use plywood_lab::trace::graph::Graph;
use plywood_lab::trace::{Recording, measure};
use traced::*;

fn measured(strategy: &str, threads: usize, repeat: u32) -> Measurement {
    let stop = Arc::new(AtomicBool::new(false));
    let setting = setting("kalah", "alphabeta", strategy, threads, 9);
    measure(&setting, 1, repeat, &stop)
        .expect("it is possible")
        .expect("nobody stops it")
}

/// A measurement with these figures: time, nodes, and the busy time of each worker.
fn figures(strategy: &str, elapsed: u64, nodes: u64, busy: &[u64]) -> Measurement {
    let mut m = measured("seq", 1, 0);
    m.setting.strategy = strategy.into();
    m.setting.threads = busy.len();
    m.elapsed_ns = elapsed;
    m.nodes.interior = 0;
    m.nodes.table_hits = 0;
    m.nodes.leaf = nodes;
    m.cpu_ns = busy.iter().sum();
    let lane = |&busy_ns: &u64| Lane {
        busy_ns,
        cpu_ns: busy_ns,
        ..Lane::default()
    };
    m.workers = busy.iter().map(lane).collect();
    m.host.cores = 64;
    m
}

#[test]
fn the_factors_of_known_figures() {
    // 1000 nodes in 1 ms against 1250 nodes in 0.5 ms of 4 threads that search half of it.
    let one = figures("seq", 1_000_000, 1000, &[1_000_000]);
    let all = figures("ybwc:2", 500_000, 1250, &[250_000; 4]);
    let factors = Factors::new(&[&one], &[&all], 4).expect("both are there");
    assert_eq!(factors.speedup.value, 2.0);
    assert_eq!(factors.nodes.value, 0.8);
    assert_eq!(factors.busy.value, 0.5);
    // A node took 1000 ns and takes 800.
    assert_eq!(factors.cost.value, 1.25);
    assert!((factors.product() - 2.0).abs() < 1e-12);
    assert_eq!(factors.speedup.interval, None, "measured once");
    assert!(Factors::new(&[], &[&all], 4).is_none());
}

#[test]
fn factors_multiply_to_the_measured_speedup() {
    for (strategy, threads) in [("ybwc:3", 2), ("lazy-smp", 2), ("budget:2", 3), ("root", 1)] {
        let one: Vec<_> = (0..3).map(|repeat| measured("seq", 1, repeat)).collect();
        let all: Vec<_> = (0..3)
            .map(|repeat| measured(strategy, threads, repeat))
            .collect();
        let (one, all): (Vec<_>, Vec<_>) = (one.iter().collect(), all.iter().collect());
        let e = Explanation::new(&one, &all, None, None).expect("both are there");
        let middle = |list: &[&Measurement]| {
            let mut times: Vec<_> = list.iter().map(|m| m.elapsed_ns).collect();
            times.sort_unstable();
            times[1] as f64
        };
        let measured = middle(&one) / middle(&all);
        let product = e.factors.product();
        assert!(
            (product / measured - 1.0).abs() < 0.02,
            "{product} {measured}"
        );
        let (low, high) = e.factors.speedup.interval.expect("measured several times");
        assert!(low <= measured && measured <= high);
    }
}

#[test]
fn what_is_not_sure_is_said() {
    let one: Vec<_> = [900_000, 1_000_000, 1_100_000]
        .map(|elapsed| figures("seq", elapsed, 1000, &[elapsed]))
        .into();
    let same: Vec<_> = [920_000, 980_000, 1_090_000]
        .map(|elapsed| figures("ybwc:2", elapsed, 1000, &[elapsed / 2; 2]))
        .into();
    let fast: Vec<_> = [510_000, 520_000, 530_000]
        .map(|elapsed| figures("ybwc:2", elapsed, 1000, &[elapsed; 2]))
        .into();
    let explained = |all: &[Measurement]| {
        let (one, all): (Vec<_>, Vec<_>) = (one.iter().collect(), all.iter().collect());
        Explanation::new(&one, &all, None, None).expect("both are there")
    };
    let text = explained(&same).text();
    let headline = text.lines().nth(1).expect("a headline");
    assert!(headline.contains("no difference shown"), "{headline}");
    let text = explained(&fast).text();
    let headline = text.lines().nth(1).expect("a headline");
    assert!(!headline.contains("no difference shown"), "{headline}");
    assert!(headline.contains("speed-up 1.92"), "{headline}");
    // Fewer cores than threads.
    let mut crowded = fast.clone();
    for m in &mut crowded {
        m.host.cores = 1;
    }
    let e = explained(&crowded);
    assert!(e.oversubscribed && e.text().contains("oversubscribed"));
    assert!(e.advice[0].contains("Use 1 thread"), "{:?}", e.advice);
    assert!(!explained(&fast).text().contains("oversubscribed"));
}

#[test]
fn losses_of_known_events() {
    let graph = Graph::new(&by_hand()).expect("it fits together");
    let nodes = NodeLosses::new(&graph);
    assert_eq!((nodes.all, nodes.aborted, nodes.speculative), (66, 30, 0));
    let time = TimeLosses::new(&graph);
    assert_eq!(time.all, 600);
    // Nobody looked for a task while there was one to be had, from 50 to 250.
    assert_eq!((time.joining, time.stealing, time.no_work), (10, 0, 70));
    // Cut off at 250, searched on until 270.
    assert_eq!(time.abort_latency, 20);
    assert_eq!(time.searching, 500 - 20);
    assert_eq!(time.outside, 20);
    let shape = Shape::new(&graph);
    assert_eq!((shape.work, shape.span, shape.tasks), (490, 270, 3));
    let sizes: Vec<_> = shape
        .sizes
        .iter()
        .map(|s| (s.from, s.to, s.tasks, s.time))
        .collect();
    assert_eq!(sizes, [(100, 1000, 3, 420)]);
}

/// A task that is complete when an earlier sibling cuts it off was speculative.
#[test]
fn speculative_work_is_what_comes_behind_the_cut() {
    let mut trace = by_hand();
    // The third task is complete before the second cuts.
    let events = &mut trace.lanes[0].events;
    events[6].what = plywood::trace::What::TaskEnds { aborted: false };
    let graph = Graph::new(&trace).expect("it fits together");
    let nodes = NodeLosses::new(&graph);
    assert_eq!((nodes.aborted, nodes.speculative), (0, 30));
}

#[test]
fn one_search_is_explained_with_everything() {
    let stop = Arc::new(AtomicBool::new(false));
    for (game, search, strategy, depth) in [
        ("kalah", "alphabeta", "ybwc:3", 9),
        ("kalah", "alphabeta", "lazy-smp", 9),
        ("2048", "expectimax", "budget:2", 2),
    ] {
        let setting = setting(game, search, strategy, 2, depth);
        let e = one_search(&setting, 1, 2, None, &stop)
            .expect("it is possible")
            .expect("nobody stops it");
        let text = e.text();
        for part in ["speed-up", "threads x", "Nodes:", "A node:", "Time:", "-> "] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let facts = e.trace.as_ref().expect("it was recorded");
        if strategy == "lazy-smp" {
            assert!(text.contains("no tasks"), "{text}");
        } else {
            assert!(
                text.contains("parallelism") && text.contains("splits"),
                "{text}"
            );
            assert!(facts.moves_below.is_some_and(|moves| moves >= 1.0));
            // One figure for each cause, and all of them together are all the time.
            let t = &facts.time;
            let sum = t.searching + t.abort_latency + t.waiting();
            assert_eq!(sum, t.all);
        }
        let page = page(std::slice::from_ref(&e));
        assert!(page.contains("<svg") && page.contains("From 2 threads"));
        for outside in [
            "http://", "https://", "<script", "src=", "url(", "NaN", "inf",
        ] {
            assert!(!page.contains(outside), "{outside}");
        }
        assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());
    }
}

#[test]
fn more_splitting_is_advised_where_work_is_short() {
    let setting = setting("blokus-duo", "minimax", "root", 2, 2);
    let recording = recorded(&setting);
    let (one, all) = (
        figures("seq", 1_000_000, 1000, &[1_000_000]),
        figures("root", 800_000, 1000, &[500_000; 2]),
    );
    let mut recording = Recording { ..recording };
    // Stretch the recorded times, so that tasks are worth splitting on any machine, and let
    // the second worker sleep for as long again.
    for lane in &mut recording.trace.lanes {
        for event in &mut lane.events {
            event.at *= 1000;
        }
    }
    let e = Explanation::new(&[&one], &[&all], Some(&recording), None).expect("both are there");
    let facts = e.trace.as_ref().expect("it was recorded");
    let waits = facts.time.share(facts.time.waiting()) > 0.05;
    let advised = e
        .advice
        .iter()
        .any(|a| a.contains("budget:2 instead of root"));
    let few = facts.shape.parallelism() < 8.0 || facts.shape.tasks < 32;
    assert_eq!(advised, waits && few, "{:?} {:?}", e.advice, facts.time);
}

#[test]
fn a_run_is_explained_setting_by_setting() {
    let folder = tempfile::tempdir().expect("a folder");
    let ybwc = recorded(&setting("kalah", "alphabeta", "ybwc:3", 2, 9));
    let path = folder
        .path()
        .join(format!("{}.jsonl", ybwc.measurement.setting.slug()));
    ybwc.save(&path).expect("it can be written");
    let mut measurements: Vec<_> = (0..2).map(|repeat| measured("seq", 1, repeat)).collect();
    measurements.extend((0..2).map(|repeat| measured("ybwc:3", 2, repeat)));
    measurements.extend((0..2).map(|repeat| measured("root", 2, repeat)));
    measurements.push(ybwc.measurement.clone());
    let account = run(&measurements, folder.path()).expect("it can be explained");
    let explained: Vec<_> = account
        .explanations
        .iter()
        .map(|e| (e.setting.strategy.as_str(), e.all.runs, e.trace.is_some()))
        .collect();
    // What was recorded does not count as a time.
    assert_eq!(explained, [("root", 2, false), ("ybwc:3", 2, true)]);
    assert!(account.without_baseline.is_empty());
    let only_parallel = &measurements[2..];
    let account = run(only_parallel, folder.path()).expect("it can be read");
    assert!(account.explanations.is_empty());
    assert_eq!(account.without_baseline.len(), 2);
    std::fs::write(&path, "nonsense").expect("it can be written");
    assert!(run(&measurements, folder.path()).is_err());
}
