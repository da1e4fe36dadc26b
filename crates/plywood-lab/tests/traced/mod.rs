//! Recorded searches to test with, real ones and ones made by hand.

#![allow(dead_code, reason = "every test file uses its own part")]

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use plywood::TraceOptions;
use plywood::trace::{Activity, Event, Lane, SplitId, Trace, What};
use plywood_lab::record::{Setting, Workload};
use plywood_lab::trace::{Recording, record};

pub fn setting(game: &str, search: &str, strategy: &str, threads: usize, depth: u32) -> Setting {
    let evaluation = match game.split(':').next() {
        Some("kalah") => "stores",
        Some("gomoku") => "threats",
        Some("blokus" | "blokus-duo") => "squares",
        _ => "smooth",
    };
    Setting {
        game: game.into(),
        position_name: "start".into(),
        position: String::new(),
        workload: Workload::Search,
        search: search.into(),
        evaluation: evaluation.into(),
        after_chance: false,
        depth,
        table_bytes: 1 << 20,
        strategy: strategy.into(),
        threads,
    }
}

/// Searches of every family by every strategy that fits, with their depths.
pub const SEARCHES: &[(&str, &str, u32, &[&str])] = &[
    (
        "kalah",
        "minimax",
        5,
        &[
            "seq",
            "every-node",
            "budget:2",
            "budget:1,spawn=rest",
            "root",
        ],
    ),
    (
        "kalah",
        "alphabeta",
        9,
        &[
            "seq",
            "ybwc:3",
            "budget:2",
            "top-then-prune:2",
            "root",
            "lazy-smp",
        ],
    ),
    ("blokus-duo", "alphabeta:no-table", 2, &["ybwc:1", "root"]),
    ("kalah", "maxn", 5, &["ybwc:2", "budget:2"]),
    ("2048", "expectimax", 2, &["budget:2", "every-node"]),
];

pub fn recorded(setting: &Setting) -> Recording {
    let stop = Arc::new(AtomicBool::new(false));
    record(setting, 1, &TraceOptions::default(), &stop)
        .expect("the setting is possible")
        .expect("nobody stops it")
}

/// Every recording of [`SEARCHES`] on some threads.
pub fn all_recorded(threads: usize) -> impl Iterator<Item = Recording> {
    SEARCHES
        .iter()
        .flat_map(move |(game, search, depth, strategies)| {
            strategies.iter().map(move |strategy| {
                let threads = if *strategy == "seq" { 1 } else { threads };
                recorded(&setting(game, search, strategy, threads, *depth))
            })
        })
}

pub fn split(worker: u64, number: u64) -> SplitId {
    SplitId::from_number((worker + 1) << 40 | number).expect("a name")
}

pub fn event(at: u64, nodes: u64, what: What) -> Event {
    Event { at, nodes, what }
}

pub fn task(split: SplitId, turn: u32) -> What {
    What::TaskBegins {
        split,
        turn,
        child: turn,
        offered: true,
    }
}

/// Two workers share three tasks of 100, 200 and 300 ns after 50 ns of the first worker's own
/// work; the third task is aborted 20 ns after the second has cut it off.
pub fn by_hand() -> Trace {
    let id = split(0, 1);
    let opens = What::SplitOpens {
        split: id,
        depth: 4,
        first: 0,
        end: 4,
    };
    let done = What::TaskEnds { aborted: false };
    let first = vec![
        event(0, 0, What::WorkerBegins),
        event(0, 0, What::IterationBegins { depth: 5 }),
        event(50, 5, opens),
        event(50, 5, task(id, 0)),
        event(150, 15, done),
        event(150, 15, task(id, 2)),
        event(270, 45, What::TaskEnds { aborted: true }),
        event(270, 45, What::Begins(Activity::Joining)),
        event(280, 45, What::Resumes(Activity::Searching)),
        event(280, 45, What::SplitCloses { cancelled: 1 }),
        event(300, 46, What::IterationEnds { complete: true }),
        event(300, 46, What::WorkerEnds),
    ];
    let second = vec![
        event(10, 0, What::WorkerBegins),
        event(10, 0, What::Begins(Activity::Stealing)),
        event(50, 0, What::Begins(Activity::Searching)),
        event(50, 0, task(id, 1)),
        event(250, 20, What::Cut { split: id }),
        event(250, 20, done),
        event(260, 20, What::Resumes(Activity::Stealing)),
        event(290, 20, What::Resumes(Activity::Searching)),
        event(290, 20, What::WorkerEnds),
    ];
    let lane = |events| Lane { events, dropped: 0 };
    Trace {
        lanes: vec![lane(first), lane(second)],
    }
}
