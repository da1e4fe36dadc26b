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
    ("quiet", "H8 H9 F8 G7 F10 I9 G9 F9"),
    ("middle", "H8 G9 G7 I9 I7 H7 J8 H10 J6 F8 K9 G11"),
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

fn speed() {
    for rule in [Rule::Freestyle, Rule::ExactlyFive, Rule::Renju] {
        for (name, text) in QUIET {
            let board = board(rule, 15, text);
            let mut engine = engine(1, Parallel::LazySmp);
            let limits = Limits::time(Duration::from_secs(2));
            let mut sixteen = None;
            let thought = engine.think(&board, &limits, None, &mut |thought| {
                if thought.depth == 16 {
                    sixteen = Some(thought.elapsed);
                }
            });
            println!(
                "{rule:?} {name}: depth {} in {:.2?}, depth 16 in {:.2?}, {:.2} M nodes/s, value {}, {:?}",
                thought.depth,
                thought.elapsed,
                sixteen,
                thought.nodes() as f64 / thought.elapsed.as_secs_f64() / 1e6,
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
