//! Gauges: what workers are doing can be read while they do it.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use common::*;
use plywood::trace::Activity;
use plywood::{Engine, Gauges, Limits, Settings};

/// A tree that no search gets through.
const ENDLESS: RandomGame<2, false> = RandomGame {
    seed: 11,
    width: 40,
    positions: u64::MAX,
    spread: 1000,
};

#[test]
fn every_worker_shows_what_it_does_while_it_searches_and_what_it_did() {
    let how = [
        ("minimax", "seq", 1),
        ("minimax", "budget:2", 2),
        ("alphabeta", "ybwc:2", 3),
        ("alphabeta", "lazy-smp", 2),
        ("mcts", "shared-tree", 2),
        ("mcts", "own-trees", 2),
    ];
    for (search, strategy, threads) in how {
        let what = format!("{search} {strategy} {threads}");
        let settings = Settings::new(search).unwrap();
        let settings = settings.parallel(strategy, threads).unwrap();
        let mut engine = Engine::new(ENDLESS, Drawn { bounded: false }, settings).unwrap();
        let gauges = Gauges::new(threads);
        let stop = Arc::new(AtomicBool::new(false));
        let limits = Limits {
            gauges: Some(Arc::clone(&gauges)),
            ..Limits::default().with_stop(Arc::clone(&stop))
        };
        let report = std::thread::scope(|scope| {
            let search = scope.spawn(|| engine.search(&ENDLESS.start(), &limits));
            // All of them, and not only once.
            let mut shown = vec![0; threads];
            let mut risen = vec![0; threads];
            let mut searching = vec![false; threads];
            let began = Instant::now();
            while searching.contains(&false) || risen.iter().any(|&times| times < 3) {
                assert!(began.elapsed() < Duration::from_secs(60), "{what}");
                for (worker, reading) in gauges.read().iter().enumerate() {
                    searching[worker] |= reading.activity == Some(Activity::Searching);
                    let nodes = reading.counts.nodes.total();
                    if nodes > shown[worker] {
                        shown[worker] = nodes;
                        risen[worker] += 1;
                    }
                }
                std::thread::yield_now();
            }
            stop.store(true, Ordering::Relaxed);
            search.join().expect("a report")
        });
        for (reading, counts) in gauges.read().iter().zip(&report.workers) {
            assert_eq!(reading.activity, None, "{what}");
            assert_eq!(reading.counts.nodes, counts.nodes, "{what}");
            assert_eq!(reading.counts.tasks, counts.tasks, "{what}");
            assert_eq!(reading.counts.busy, counts.busy, "{what}");
        }
    }
}
