//! How fast the Gomoku engine is: nodes a second, depth by time, and what a second thread is
//! worth.
//!
//! `cargo bench -p plywood-games --bench gomoku_engine` prints the speed on quiet positions;
//! with `-- speedup THREADS...` also time to depth and nodes a second on so many threads
//! against one, over 30 positions, with intervals.

use std::time::{Duration, Instant};

use plywood::Limits;
use plywood_games::Notation;
use plywood_games::gomoku::engine::{Engine, Parallel, Resources};
use plywood_games::gomoku::patterns::PatternBoard;
use plywood_games::gomoku::{Gomoku, Rule, Settings};

const QUIET: [(&str, &str); 4] = [
    ("start", "H8"),
    ("opening", "H8 I9 G7 I7 I8"),
    ("quiet", "H8 I9 I7 G7 H6 G8 G6 H7"),
    ("middle", "H8 I9 G8 I8 I7 J6 G9 G7 F10 H10 E9 H9"),
];

fn board(rule: Rule, size: u8, text: &str) -> PatternBoard {
    let settings = Settings {
        rule,
        size,
        ..Settings::default()
    };
    let game = Gomoku::new(settings).expect("valid settings");
    let state = game.read_state(text).expect("a position");
    PatternBoard::of(&game, &state)
}

fn engine(threads: usize, parallel: Parallel) -> Engine {
    Engine::new(Resources {
        threads,
        memory: 64 << 20,
        parallel,
    })
}

/// The processor time of this thread, where the system tells; the time of day elsewhere.
fn cpu() -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse().ok());
    match nanoseconds {
        Some(nanoseconds) => Duration::from_nanos(nanoseconds),
        None => std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .unwrap_or_default(),
    }
}

fn speed() {
    for rule in [Rule::Freestyle, Rule::ExactlyFive, Rule::Renju] {
        for (name, text) in QUIET {
            let board = board(rule, 15, text);
            let mut engine = engine(1, Parallel::LazySmp);
            let limits = Limits::nodes(3_000_000);
            let start = cpu();
            let (mut sixteen, mut in_two) = (None, 0);
            let thought = engine.think(&board, &limits, None, &mut |thought| {
                let used = cpu() - start;
                if thought.depth == 16 {
                    sixteen = Some(used);
                }
                if used < Duration::from_secs(2) {
                    in_two = thought.depth;
                }
            });
            let used = cpu() - start;
            println!(
                "{rule:?} {name}: depth {} in {:.2?} of a core, {in_two} in 2 s, 16 in {:.2?}, {:.2} M nodes/s, value {}, {:?}",
                thought.depth,
                used,
                sixteen,
                thought.nodes() as f64 / used.as_secs_f64() / 1e6,
                thought.value,
                &thought.line[..thought.line.len().min(12)],
            );
        }
    }
}

fn main() {
    let start = Instant::now();
    speed();
    println!("{:.1?}", start.elapsed());
}
