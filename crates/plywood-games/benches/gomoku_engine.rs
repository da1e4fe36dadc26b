//! How fast the Gomoku engine is: nodes a second, depth by time, and what a second thread is
//! worth.
//!
//! `cargo bench -p plywood-games --bench gomoku_engine` prints the speed on quiet positions;
//! with `-- speedup THREADS...` time to depth and nodes a second on so many threads against
//! one instead, for both strategies, over 30 positions, with 95 % intervals. The environment
//! variable `DEPTH` says how deep, 13 if it does not. Where other programs run too, what it says
//! of processor time is what counts: the same with as many seconds of processor time as
//! threads for one of the time of day.

use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use plywood::Limits;
use plywood_games::Notation;
use plywood_games::gomoku::engine::{Engine, Parallel, Resources};
use plywood_games::gomoku::patterns::PatternBoard;
use plywood_games::gomoku::{Gomoku, Point, Rule, Settings};

const QUIET: [(&str, &str); 3] = [
    ("start", "H8"),
    ("opening", "H8 I9 G7 I7 I8"),
    ("middle", "H8 I9 G8 G9 I7 F9 J7 H7"),
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

/// Thirty positions: openings of four moves around the centre, continued by the engine itself,
/// in which no win is in sight.
fn positions() -> Vec<PatternBoard> {
    let mut boards = Vec::new();
    let mut seed = 7u64;
    let mut random = move |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) % below
    };
    let mut engine = engine(1, Parallel::LazySmp);
    while boards.len() < 30 {
        let mut board = PatternBoard::new(Rule::Freestyle, 15);
        while board.stones() < 4 {
            let point = Point::new(5 + random(5) as u8, 5 + random(5) as u8);
            if board.stone(point).is_none() {
                board.play(point);
            }
        }
        let mut even = true;
        for _ in 0..6 {
            let thought = engine.think(&board, &Limits::depth(6), None, &mut |_| {});
            even &= thought.end.is_none() && thought.value.abs() < 250;
            match thought.best {
                Some(point) if even => board.play(point),
                _ => break,
            }
        }
        if even {
            boards.push(board);
        }
    }
    boards
}

/// A search of a position to a depth.
#[derive(Clone, Copy)]
struct Run {
    time: f64,
    /// Processor time of all threads.
    processor: f64,
    nodes: f64,
    threads: f64,
}

impl Run {
    /// Nodes a second, how many times as many as another run.
    fn speed(self, one: Run) -> f64 {
        (self.nodes / self.time) / (one.nodes / one.time)
    }

    /// The same if all threads had a processor of their own.
    fn undisturbed_speed(self, one: Run) -> f64 {
        self.threads * (self.nodes / self.processor) / (one.nodes / one.processor)
    }
}

/// A search of every position to a depth.
fn measure(boards: &[PatternBoard], threads: usize, parallel: Parallel, depth: u32) -> Vec<Run> {
    let mut results = Vec::new();
    for board in boards {
        let mut engine = engine(threads, parallel);
        let (start, processor) = (Instant::now(), ProcessTime::now());
        let thought = engine.think(board, &Limits::depth(depth), None, &mut |_| {});
        results.push(Run {
            time: start.elapsed().as_secs_f64(),
            processor: processor.elapsed().as_secs_f64(),
            nodes: thought.nodes() as f64,
            threads: threads as f64,
        });
    }
    results
}

/// The geometric mean of ratios, with the 95 % interval of a bootstrap over the positions.
fn interval(ratios: &[f64]) -> (f64, f64, f64) {
    let mean = |logs: &[f64]| (logs.iter().sum::<f64>() / logs.len() as f64).exp();
    let logs: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
    let mut seed = 1u64;
    let mut means: Vec<f64> = (0..2000)
        .map(|_| {
            let sample: Vec<f64> = (0..logs.len())
                .map(|_| {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    logs[(seed >> 33) as usize % logs.len()]
                })
                .collect();
            mean(&sample)
        })
        .collect();
    means.sort_by(f64::total_cmp);
    (mean(&logs), means[50], means[1950])
}

fn speed_up(threads: &[usize], depth: u32) {
    let boards = positions();
    println!(
        "{} positions to depth {depth}, against one thread:",
        boards.len()
    );
    let one = measure(&boards, 1, Parallel::LazySmp, depth);
    for parallel in [Parallel::LazySmp, Parallel::YoungBrothersWait] {
        for &threads in threads {
            let many = measure(&boards, threads, parallel, depth);
            let mean = |of: fn(Run, Run) -> f64| {
                let pairs = many.iter().zip(&one);
                let (mean, low, high) =
                    interval(&pairs.map(|(&many, &one)| of(many, one)).collect::<Vec<_>>());
                format!("x {mean:.2} [{low:.2}, {high:.2}]")
            };
            println!(
                "{parallel:?} on {threads}: nodes/s {}, time to depth {}; by processor time \
                 nodes/s {}, time to depth {}",
                mean(Run::speed),
                mean(|many, one| one.time / many.time),
                mean(Run::undisturbed_speed),
                mean(|many, one| many.threads * one.processor / many.processor),
            );
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let numbers: Vec<usize> = arguments
        .iter()
        .filter_map(|text| text.parse().ok())
        .collect();
    let start = Instant::now();
    if arguments.iter().any(|text| text == "speedup") {
        let threads = if numbers.is_empty() { vec![2] } else { numbers };
        let depth = std::env::var("DEPTH")
            .ok()
            .and_then(|text| text.parse().ok());
        speed_up(&threads, depth.unwrap_or(13));
    } else {
        speed();
    }
    println!("{:.1?}", start.elapsed());
}
