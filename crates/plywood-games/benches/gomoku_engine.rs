//! How fast the Gomoku engine is: nodes a second, depth by time, and what a second thread is
//! worth.
//!
//! `cargo bench -p plywood-games --bench gomoku_engine` prints the speed on quiet positions;
//! with `-- speedup THREADS...` time to depth and nodes a second on so many threads against
//! one instead, for both strategies, over 30 positions, with 95 % intervals, and first what as
//! many searches on one thread each give at once: more than that the machine has not. The
//! environment variable `DEPTH` says how deep, 13 if it does not. Where other programs run too, what
//! it says of undisturbed time is what counts: the clock stands still while a thread that could go
//! on has no processor, but not while it sleeps.

use std::time::{Duration, Instant};

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

/// Positions, one after the other without end: openings of four moves around the centre,
/// continued by the engine itself, in which no win is in sight.
struct Positions {
    seed: u64,
    engine: Engine,
}

impl Positions {
    fn new() -> Self {
        Positions {
            seed: 7,
            engine: engine(1, Parallel::LazySmp),
        }
    }

    fn random(&mut self, below: u64) -> u64 {
        self.seed = self
            .seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.seed >> 33) % below
    }

    /// The next position, if it is an even one.
    fn next(&mut self) -> Option<PatternBoard> {
        let mut board = PatternBoard::new(Rule::Freestyle, 15);
        while board.stones() < 4 {
            let point = Point::new(5 + self.random(5) as u8, 5 + self.random(5) as u8);
            if board.stone(point).is_none() {
                board.play(point);
            }
        }
        for _ in 0..6 {
            let limits = Limits::depth(6);
            let thought = self.engine.think(&board, &limits, None, &mut |_| {});
            if thought.end.is_some() || thought.value.abs() >= 250 {
                return None;
            }
            board.play(thought.best?);
        }
        Some(board)
    }
}

/// A search of a position to a depth.
#[derive(Clone, Copy)]
struct Run {
    time: f64,
    /// The time without that for which the thread that searches, or the first of them, was ready
    /// to go on but had no processor. Time for which it slept counts.
    undisturbed: f64,
    nodes: f64,
    /// Whether a win was found: then it ended before its depth.
    decided: bool,
}

impl Run {
    /// Nodes a second, how many times as many as another run.
    fn speed(self, one: Run) -> f64 {
        (self.nodes / self.time) / (one.nodes / one.time)
    }

    /// The same without the time for which there was no processor.
    fn undisturbed_speed(self, one: Run) -> f64 {
        (self.nodes / self.undisturbed) / (one.nodes / one.undisturbed)
    }
}

/// How long this thread has waited for a processor; nothing where the system does not tell.
fn kept_waiting() -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').nth(1)?.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}

/// A search of a position to a depth, on some threads.
fn measure(engine: &mut Engine, board: &PatternBoard, depth: u32) -> Run {
    let (start, waited) = (Instant::now(), kept_waiting());
    let thought = engine.think(board, &Limits::depth(depth), None, &mut |_| {});
    let time = start.elapsed();
    let waited = kept_waiting().saturating_sub(waited);
    Run {
        time: time.as_secs_f64(),
        undisturbed: time.saturating_sub(waited).as_secs_f64(),
        nodes: thought.nodes() as f64,
        decided: thought.end.is_some(),
    }
}

/// The same search on one thread, so many times at once: what the machine has to give.
fn side_by_side(board: &PatternBoard, threads: usize, depth: u32) -> Run {
    let mut engines: Vec<Engine> = (0..threads).map(|_| engine(1, Parallel::LazySmp)).collect();
    let runs: Vec<Run> = std::thread::scope(|scope| {
        let searches: Vec<_> = engines
            .iter_mut()
            .map(|engine| scope.spawn(move || measure(engine, board, depth)))
            .collect();
        let runs = searches.into_iter().map(|search| search.join());
        runs.map(|run| run.expect("no panic")).collect()
    });
    let longest = |of: fn(&Run) -> f64| runs.iter().map(of).fold(0.0, f64::max);
    Run {
        time: longest(|run| run.time),
        undisturbed: longest(|run| run.undisturbed),
        nodes: runs.iter().map(|run| run.nodes).sum(),
        decided: false,
    }
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
    let mut positions = Positions::new();
    let mut one: Vec<Run> = Vec::new();
    let mut many = vec![Vec::new(); 3 * threads.len()];
    // One position after the other, so that whatever else the machine does disturbs all alike.
    while one.len() < 30 {
        let Some(board) = &positions.next() else {
            continue;
        };
        let alone = measure(&mut engine(1, Parallel::LazySmp), board, depth);
        if alone.decided {
            continue;
        }
        one.push(alone);
        for (&threads, many) in threads.iter().zip(many.chunks_exact_mut(3)) {
            many[0].push(side_by_side(board, threads, depth));
            let strategies = [Parallel::LazySmp, Parallel::YoungBrothersWait];
            for (parallel, many) in strategies.into_iter().zip(&mut many[1..]) {
                many.push(measure(&mut engine(threads, parallel), board, depth));
            }
        }
    }
    let mut times: Vec<f64> = one.iter().map(|run| run.time).collect();
    times.sort_by(f64::total_cmp);
    println!(
        "{} positions to depth {depth}, {:.2} s to {:.2} s on one thread, median {:.2} s:",
        one.len(),
        times[0],
        times[times.len() - 1],
        times[times.len() / 2],
    );
    let mean = |many: &[Run], of: fn(Run, Run) -> f64| {
        let ratios: Vec<f64> = many.iter().zip(&one).map(|(&m, &o)| of(m, o)).collect();
        let (mean, low, high) = interval(&ratios);
        format!("x {mean:.2} [{low:.2}, {high:.2}]")
    };
    for (&threads, many) in threads.iter().zip(many.chunks_exact(3)) {
        println!(
            "{threads} searches on one thread each, at once: nodes/s {}; undisturbed {}",
            mean(&many[0], Run::speed),
            mean(&many[0], Run::undisturbed_speed),
        );
        for (parallel, many) in [Parallel::LazySmp, Parallel::YoungBrothersWait]
            .iter()
            .zip(&many[1..])
        {
            println!(
                "{parallel:?} on {threads}: nodes/s {}, time to depth {}; undisturbed nodes/s \
                 {}, time to depth {}",
                mean(many, Run::speed),
                mean(many, |many, one| one.time / many.time),
                mean(many, Run::undisturbed_speed),
                mean(many, |many, one| one.undisturbed / many.undisturbed),
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
