//! Connect Four: what a node costs in the library, with a game that costs next to nothing.
//!
//! `cargo bench -p plywood --bench connect_four`

#[path = "../examples/connect_four/game.rs"]
mod game;

use std::time::{Duration, Instant};

use game::{Central, ConnectFour, Position};
use plywood::{Engine, Limits, Settings, perft};

/// The shortest of several runs: on a shared machine the one least disturbed.
fn best_of<T>(runs: usize, mut run: impl FnMut() -> T) -> (Duration, T) {
    let mut timed = || {
        let start = Instant::now();
        let result = run();
        (start.elapsed(), result)
    };
    let mut best = timed();
    for _ in 1..runs {
        let next = timed();
        if next.0 < best.0 {
            best = next;
        }
    }
    best
}

fn main() {
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let start = Position::EMPTY;
    let (time, lines) = best_of(5, || perft(&ConnectFour, &start, 9));
    println!(
        "connect four perft 9: {lines} lines, {:.0} M/s",
        lines as f64 / time.as_secs_f64() / 1e6
    );
    for (name, search, depth) in [
        ("plain alpha-beta", "alphabeta:plain", 12),
        ("alpha-beta with a 64 MiB table", "alphabeta", 16),
    ] {
        let settings = Settings::new(search).expect("a search of this name exists");
        let (_, report) = best_of(5, || {
            let mut engine = Engine::new(ConnectFour, Central, settings.clone())
                .expect("the settings fit the game");
            engine.search(&start, &Limits::depth(depth))
        });
        println!(
            "connect four {name}, depth {depth}: {} nodes, {:.3} s, {:.1} M nodes/s",
            report.nodes.total(),
            report.elapsed.as_secs_f64(),
            report.nodes_per_second() / 1e6
        );
    }
}
