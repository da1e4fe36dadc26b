//! Simulated cores: what is known must come out, and always the same.

mod traced;

use plywood::trace::{Lane, Trace, What};
use plywood_lab::simulate::{Costs, Measure, Options, Simulation, curve, run};
use plywood_lab::trace::graph::Graph;
use traced::*;

const FREE: Costs = Costs {
    spawn_ns: 0,
    steal_ns: 0,
    abort_ns: 0,
};

/// One worker runs tasks of these lengths one after the other; one of them may cut off.
fn tasks(lengths: &[u64], cancelled: u32, cut: Option<usize>) -> Trace {
    let id = split(0, 1);
    let mut events = vec![
        event(0, 0, What::WorkerBegins),
        event(0, 0, What::IterationBegins { depth: 3 }),
        event(
            0,
            0,
            What::SplitOpens {
                split: id,
                depth: 3,
                first: 0,
                end: lengths.len() as u32 + cancelled,
            },
        ),
    ];
    let mut now = 0;
    for (turn, length) in lengths.iter().enumerate() {
        events.push(event(now, now, task(id, turn as u32)));
        now += length;
        if cut == Some(turn) {
            events.push(event(now, now, What::Cut { split: id }));
        }
        events.push(event(now, now, What::TaskEnds { aborted: false }));
    }
    events.push(event(now, now, What::SplitCloses { cancelled }));
    events.push(event(now, now, What::IterationEnds { complete: true }));
    events.push(event(now, now, What::WorkerEnds));
    Trace {
        lanes: vec![Lane { events, dropped: 0 }],
    }
}

fn simulation(trace: &Trace) -> Simulation {
    let graph = Graph::new(trace).expect("it fits together");
    Simulation::new(&graph, Measure::Time).expect("it has tasks")
}

#[test]
fn independent_tasks_spread_over_cores() {
    let equal = simulation(&tasks(&[100; 8], 0, None));
    for (cores, time) in [
        (1, 800),
        (2, 400),
        (4, 200),
        (8, 100),
        (16, 100),
        (1024, 100),
    ] {
        let simulated = equal.run(FREE, cores);
        assert_eq!(simulated.time_ns, time, "{cores} cores");
        assert_eq!(simulated.speedup, 800.0 / time as f64);
    }
    assert_eq!(equal.run(FREE, 4).busy, 1.0);
    assert!(!equal.prunes());
    // Taken in order: 100 and 100, then 400 while the other has nothing left.
    let uneven = simulation(&tasks(&[100, 100, 400], 0, None));
    assert_eq!(uneven.run(FREE, 2).time_ns, 500);
    assert_eq!(uneven.run(FREE, 3).time_ns, 400);
}

#[test]
fn scheduling_costs_what_it_costs() {
    let simulation = simulation(&tasks(&[100; 4], 0, None));
    let spawn = Costs {
        spawn_ns: 10,
        ..FREE
    };
    // The split, and every task.
    assert_eq!(simulation.run(spawn, 1).time_ns, 10 + 4 * 110);
    let steal = Costs {
        steal_ns: 50,
        ..FREE
    };
    // 50 to join, then two tasks, while the owner has done one and a half.
    assert_eq!(simulation.run(steal, 2).time_ns, 250);
    let dear = Costs {
        steal_ns: 1000,
        ..FREE
    };
    // By the time the helper has joined, everything is taken: but it has to leave.
    assert_eq!(simulation.run(dear, 2).time_ns, 1000);
}

#[test]
fn cut_offs_come_earlier_and_later() {
    // The second of four tasks cuts; two were never started.
    let late = simulation(&tasks(&[300, 100], 2, Some(1)));
    assert!(late.prunes());
    assert_eq!(late.run(FREE, 1).time_ns, 400, "as recorded");
    // With two cores the cut comes after 100, while the first is still at work: it is aborted.
    let two = late.run(FREE, 2);
    assert_eq!(two.time_ns, 100);
    assert_eq!(two.speedup, 4.0, "more than cores: work was saved");
    // A later task is begun in vain: taken to be as long as its siblings, and aborted.
    let wasted = simulation(&tasks(&[100, 100], 2, Some(1)));
    let four = wasted.run(FREE, 4);
    assert_eq!(four.time_ns, 100);
    let slow = simulation(&tasks(&[100, 300], 2, Some(1)));
    let four = slow.run(FREE, 4);
    assert_eq!(four.time_ns, 300);
    // What cuts off is no measure of what was never begun: three cores are through with the
    // others after 100, and wait for the one that takes 300.
    let three = simulation(&tasks(&[100, 300], 4, Some(1))).run(FREE, 3);
    assert_eq!(three.time_ns, 300);
    assert_eq!(three.nodes, (100.0 + 300.0 + 4.0 * 100.0) / 400.0);
    // Noticing takes its time.
    let notice = Costs {
        abort_ns: 40,
        ..FREE
    };
    assert_eq!(late.run(notice, 2).time_ns, 140);
}

#[test]
fn recorded_searches_take_as_long_on_one_core_as_they_did() {
    for recording in all_recorded(1) {
        let setting = &recording.measurement.setting;
        let graph = recording.graph().expect("it fits together");
        for measure in [Measure::Time, Measure::Nodes] {
            let simulation = match Simulation::new(&graph, measure) {
                Ok(simulation) => simulation,
                Err(why) => {
                    assert!(why.contains("by itself"), "{why}");
                    continue;
                }
            };
            let one = simulation.run(FREE, 1);
            let work = graph.work() as f64;
            // Nodes are rounded to nanoseconds, task by task.
            let slack = graph.tasks.len() as f64 * 4.0;
            assert!((one.time_ns as f64 - work).abs() <= slack, "{setting:?}");
            assert!((one.busy - 1.0).abs() < 0.01, "{setting:?}");
            for cores in [2, 3, 8, 64, 1024] {
                let many = simulation.run(FREE, cores);
                assert_eq!(many, simulation.run(FREE, cores), "the same again");
                assert!(many.busy <= 1.0 + 1e-9, "{setting:?}");
                if !simulation.prunes() {
                    let (time, slack) = (many.time_ns as f64, slack);
                    assert!(time * cores as f64 + slack >= work, "{setting:?} {cores}");
                    assert!(many.time_ns <= one.time_ns, "{setting:?} {cores}");
                    if measure == Measure::Time {
                        assert!(many.time_ns >= graph.span(), "{setting:?} {cores}");
                    }
                }
            }
            // With cores without end, a search that does not prune takes its span.
            if !simulation.prunes() && measure == Measure::Time {
                let all = simulation.run(FREE, 1024).time_ns;
                assert!(all <= graph.span() + graph.span() / 2, "{setting:?}: {all}");
            }
        }
    }
}

/// Recordings of several threads can be simulated too.
#[test]
fn recordings_of_several_threads_are_programs() {
    for recording in all_recorded(3) {
        let graph = recording.graph().expect("it fits together");
        let Ok(simulation) = Simulation::new(&graph, Measure::Nodes) else {
            let strategy = &recording.measurement.setting.strategy;
            assert!(
                ["seq", "lazy-smp"].contains(&strategy.as_str()),
                "{strategy}"
            );
            continue;
        };
        for cores in [1, 2, 16] {
            let simulated = simulation.run(FREE, cores);
            assert!(simulated.time_ns > 0 && simulated.busy <= 1.0 + 1e-9);
        }
    }
}

#[test]
fn nothing_is_simulated_from_half_a_trace() {
    let mut trace = tasks(&[100; 4], 0, None);
    trace.lanes[0].dropped = 7;
    let graph = Graph::new(&trace).expect("it fits together");
    let error = Simulation::new(&graph, Measure::Time).expect_err("tasks are missing");
    assert!(error.contains("7 events"), "{error}");
}

fn options() -> Options {
    Options {
        cores: vec![1, 2, 1024],
        spawn_ns: None,
        steal_ns: 2000,
        abort_ns: 2000,
        growth: None,
        measure: Measure::Nodes,
    }
}

#[test]
fn a_run_is_simulated_strategy_by_strategy() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut measurements = Vec::new();
    for (strategy, threads) in [
        ("seq", 1),
        ("ybwc:3", 1),
        ("ybwc:3", 2),
        ("lazy-smp", 2),
        ("root", 2),
    ] {
        let recording = recorded(&setting("kalah", "alphabeta", strategy, threads, 9));
        let mut measurement = recording.measurement.clone();
        measurement.traced = false;
        measurement.host.cores = 2;
        if strategy != "root" {
            let name = format!("{}.jsonl", measurement.setting.slug());
            recording
                .save(&folder.path().join(name))
                .expect("it can be written");
        }
        measurements.push(measurement);
    }
    let (curves, left_out) = run(&measurements, folder.path(), &options()).expect("readable");
    assert_eq!(curves.len(), 1, "root has no trace");
    assert_eq!(
        curves[0].setting.threads, 1,
        "the one with the fewest threads"
    );
    let measured: Vec<_> = curves[0]
        .points
        .iter()
        .map(|p| p.measured.is_some())
        .collect();
    assert_eq!(measured, [true, true, false]);
    assert_eq!(left_out.len(), 1, "{left_out:?}");
    assert!(left_out[0].contains("lazy-smp") && left_out[0].contains("by itself"));
    // Speed-ups are over the sequential search.
    let recording = recorded(&setting("kalah", "alphabeta", "ybwc:3", 1, 9));
    let free = Options {
        spawn_ns: Some(0),
        ..options()
    };
    let alone = curve(&recording, &[&measurements[0]], &free).expect("it has tasks");
    let expected = measurements[0].cpu_ns as f64 / recording.measurement.cpu_ns as f64;
    let found = alone.points[0].simulated.speedup;
    assert!((found / expected - 1.0).abs() < 0.05, "{found} {expected}");
}

/// Nodes and their cost come from measurements, the times of the searches do not.
#[test]
fn more_nodes_and_dearer_nodes_are_taken_from_measurements() {
    let recording = recorded(&setting("kalah", "alphabeta", "ybwc:3", 1, 9));
    let recorded_nodes = recording.measurement.nodes.total();
    // On two threads a quarter more nodes, half as dear again; on four only nodes count,
    // because there are but two cores.
    let measured = |strategy: &str, threads: usize, nodes: f64, cost: f64| {
        let mut run = recording.measurement.clone();
        run.traced = false;
        run.host.cores = 2;
        run.setting.strategy = strategy.into();
        run.setting.threads = threads;
        run.nodes.interior = (recorded_nodes as f64 * nodes) as u64;
        (run.nodes.leaf, run.nodes.table_hits) = (0, 0);
        let busy = recorded_nodes as f64 * nodes * cost * 100.0 / threads as f64;
        run.elapsed_ns = 1_000_000_000;
        let mut lane = run.workers[0];
        (lane.busy_ns, lane.cpu_ns) = (busy as u64, busy as u64 + 77);
        run.workers = vec![lane; threads];
        run
    };
    let runs = [
        measured("seq", 1, 1.0, 1.0),
        measured("ybwc:3", 1, 1.0, 1.0),
        measured("ybwc:3", 2, 1.25, 1.5),
        measured("ybwc:3", 4, 1.5625, 9.0),
    ];
    let runs: Vec<_> = runs.iter().collect();
    let options = Options {
        cores: vec![1, 2, 4, 1024],
        ..options()
    };
    let found = curve(&recording, &runs, &options).expect("it has tasks");
    let calibration = &found.calibration;
    assert_eq!(calibration.counted, [2, 4]);
    assert!(calibration.growth > 0.1, "{calibration:?}");
    let costs = &calibration.node_costs;
    assert_eq!(costs.len(), 2, "four threads on two cores show no cost");
    assert!((costs[1].1 - 1.5).abs() < 0.01, "{costs:?}");
    for (place, nodes) in [(0, 1.0), (1, 1.25), (2, 1.5625)] {
        let point = &found.points[place];
        let difference = point.simulated.nodes / nodes - 1.0;
        assert!(difference.abs() < 0.1, "{point:?}");
        assert!((point.measured_nodes.expect("counted") - nodes).abs() < 1e-3);
    }
    // As measured where it was recorded; slower than the graph alone where it was not.
    assert!((found.points[0].simulated.speedup - 1.0).abs() < 1e-6);
    for point in &found.points[1..] {
        assert!(point.simulated.speedup < point.graph_alone, "{point:?}");
        assert!(point.simulated.busy <= 1.0 + 1e-9, "{point:?}");
    }
    let checked: Vec<bool> = found.points.iter().map(|p| p.measured.is_some()).collect();
    assert_eq!(checked, [true, true, false, false]);
    // What is given is not looked for.
    let none = Options {
        growth: Some(0.0),
        ..options.clone()
    };
    let given = curve(&recording, &runs[..2], &none).expect("it has tasks");
    for point in &given.points {
        assert!((point.simulated.speedup / point.graph_alone - 1.0).abs() < 1e-6);
    }
    assert!(given.calibration.counted.is_empty());
}
