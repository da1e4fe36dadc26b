//! Speed-up against threads:
//! `cargo bench -p plywood-games --bench scaling -- [--threads 1,2,4] [--fill N] [--repeat N] [NAME …]`.
//!
//! Every line is one search from one position to one depth, run by one strategy on each
//! number of threads, compared with the sequential search with the same table. With
//! `--repeat N` there are N rounds, each with one run of everything, so that a machine that
//! changes its speed changes it for all; a speed-up is the median over the rounds of the
//! sequential time by the time in the same round, with the lowest and the highest. With
//! `--fill N` the cores of N that a search does not use run the same search, each for itself:
//! a core is slower when its neighbours work, and that should not flatter one thread. A name
//! may be that of a strategy.

#[path = "../../plywood/examples/connect_four/game.rs"]
mod connect_four;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use connect_four::{Central, ConnectFour};
use plywood::{Engine, Evaluate, Game, Limits, Moves, Report, Settings, WorkerCounts};
use plywood_games::Notation;
use plywood_games::blokus::{Classic, ReportCorners};
use plywood_games::gomoku::{self, Gomoku};
use plywood_games::kalah::{Kalah, StoreDifference};
use plywood_games::twenty48::{BoardOnly, Smooth, Twenty48};

struct Wanted {
    threads: Vec<usize>,
    fill: usize,
    repeat: usize,
    names: Vec<String>,
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut wanted = Wanted {
        threads: vec![1, 2],
        fill: 0,
        repeat: 1,
        names: Vec::new(),
    };
    let mut asked = false;
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--bench" => asked = true,
            "--threads" => {
                let list = arguments.next().unwrap_or_default();
                wanted.threads = list.split(',').filter_map(|n| n.parse().ok()).collect();
            }
            "--fill" => {
                wanted.fill = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(0);
            }
            "--repeat" => {
                wanted.repeat = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(1);
            }
            _ => wanted.names.push(argument),
        }
    }
    if !asked {
        return;
    }
    let kalah = || Kalah::standard(6, 6).expect("these rules are allowed");
    let start = kalah().start();
    run(
        &wanted,
        "kalah",
        kalah,
        StoreDifference,
        &start,
        "minimax",
        11,
        &FOLDS,
    );
    run(
        &wanted,
        "kalah-small",
        kalah,
        StoreDifference,
        &start,
        "minimax",
        9,
        &["every-node"],
    );
    // After two rounds, where every colour has some hundreds of moves.
    let mut start = Classic::new().start();
    for _ in 0..8 {
        let mut moves = Vec::new();
        Classic::new().moves(&start, &mut Moves::new(&mut moves));
        Classic::new().play(&mut start, moves[0]);
    }
    run(
        &wanted,
        "blokus",
        Classic::new,
        ReportCorners,
        &start,
        "maxn",
        3,
        &FOLDS,
    );
    let board = "2,4,8,./.,2,.,./.,.,4,./.,.,.,2";
    let start = Twenty48::new().read_state(board).expect("a position");
    let smooth = || BoardOnly(Smooth::default());
    run(
        &wanted,
        "2048",
        Twenty48::new,
        smooth(),
        &start,
        "expectimax:no-table",
        5,
        &FOLDS,
    );
    let start = connect_four::Position::EMPTY;
    run(
        &wanted,
        "connect4",
        || ConnectFour,
        Central,
        &start,
        "alphabeta",
        20,
        &BOUNDED,
    );
    let gomoku = || Gomoku::new(gomoku::Settings::default()).expect("the default is allowed");
    let opening = "H8 I9 J8 H10 G9 I7";
    let start = gomoku().read_state(opening).expect("a position");
    run(
        &wanted,
        "gomoku",
        gomoku,
        gomoku::Report,
        &start,
        "alphabeta",
        9,
        &BOUNDED,
    );
    run(
        &wanted,
        "gomoku-small",
        gomoku,
        gomoku::Report,
        &start,
        "alphabeta",
        8,
        &OTHERS,
    );
}

const GAMES: [&str; 7] = [
    "kalah",
    "kalah-small",
    "blokus",
    "2048",
    "connect4",
    "gomoku",
    "gomoku-small",
];
const STRATEGIES: [&str; 12] = [
    "budget:2",
    "budget:3",
    "budget:4",
    "budget:5",
    "root",
    "every-node",
    "ybwc:1",
    "ybwc:3",
    "ybwc:5",
    "ybwc:7",
    "lazy-smp",
    "top-then-prune:1",
];
const FOLDS: [&str; 5] = ["budget:2", "budget:3", "budget:4", "budget:5", "root"];
const BOUNDED: [&str; 4] = ["ybwc:3", "ybwc:5", "ybwc:7", "lazy-smp"];
const OTHERS: [&str; 5] = [
    "ybwc:1",
    "every-node",
    "root",
    "budget:3",
    "top-then-prune:1",
];

/// Does something while this many other threads search, each for itself.
fn with_busy_cores<R>(
    spare: usize,
    search: impl Fn(Arc<AtomicBool>) + Sync,
    work: impl FnOnce() -> R,
) -> R {
    let done = Arc::new(AtomicBool::new(false));
    std::thread::scope(|scope| {
        for _ in 0..spare {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    search(Arc::clone(&done));
                }
            });
        }
        let result = work();
        done.store(true, Ordering::Relaxed);
        result
    })
}

/// Lowest, median and highest.
fn spread(mut values: Vec<f64>) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    let last = values.len() - 1;
    let median = (values[last / 2] + values[last.div_ceil(2)]) / 2.0;
    [values[0], median, values[last]]
}

#[allow(clippy::too_many_arguments)]
fn run<G: Game<State: Sync>, E: Evaluate<G> + Copy + Sync>(
    wanted: &Wanted,
    name: &str,
    game: impl Fn() -> G + Sync,
    eval: E,
    state: &G::State,
    search: &str,
    depth: u32,
    strategies: &[&str],
) {
    // Names of games choose games, names of strategies choose strategies; none chooses all.
    let chosen = |candidates: &[&str], candidate: &str| {
        let mut names = wanted
            .names
            .iter()
            .filter(|n| candidates.contains(&n.as_str()));
        names.clone().next().is_none() || names.any(|n| n == candidate)
    };
    if !chosen(&GAMES, name) {
        return;
    }
    let settings = Settings {
        table_bytes: 256 << 20,
        ..Settings::new(search).expect("a search of this name exists")
    };
    let measure = |settings: &Settings| {
        let spare = wanted.fill.saturating_sub(settings.threads);
        let mut engine = Engine::new(game(), eval, settings.clone()).expect("the settings fit");
        let fill = |done| {
            let settings = Settings {
                table_bytes: 64 << 20,
                ..Settings::new(search).expect("a search of this name exists")
            };
            let mut engine = Engine::new(game(), eval, settings).expect("the settings fit");
            engine.search(state, &Limits::depth(depth).with_stop(done));
        };
        with_busy_cores(spare, fill, || engine.search(state, &Limits::depth(depth)))
    };
    let mut lines: Vec<(String, Settings)> = vec![("seq".to_owned(), settings.clone())];
    for strategy in strategies.iter().filter(|s| chosen(&STRATEGIES, s)) {
        for &threads in &wanted.threads {
            let settings = settings.clone().parallel(strategy, threads);
            let settings = settings.expect("a strategy of this name exists");
            lines.push((format!("{strategy} x{threads}"), settings));
        }
    }
    let mut reports: Vec<Vec<_>> = lines.iter().map(|_| Vec::new()).collect();
    for _ in 0..wanted.repeat.max(1) {
        for ((_, settings), reports) in lines.iter().zip(&mut reports) {
            reports.push(measure(settings));
        }
    }
    let seconds = |report: &Report<G::Move>| report.elapsed.as_secs_f64();
    let alone = &reports[0];
    for ((line, settings), reports) in lines.iter().zip(&reports) {
        let median = |figure: &dyn Fn(&Report<G::Move>) -> f64| {
            spread(reports.iter().map(figure).collect())[1]
        };
        let share = |time: &dyn Fn(&WorkerCounts) -> Duration| {
            let threads = settings.threads as f64;
            median(&|report| {
                let all: f64 = report.workers.iter().map(|w| time(w).as_secs_f64()).sum();
                100.0 * all / (seconds(report) * threads)
            })
        };
        for (report, alone) in reports.iter().zip(alone) {
            assert_eq!(report.values, alone.values, "the same value");
        }
        let speed_ups = alone
            .iter()
            .zip(reports)
            .map(|(a, b)| seconds(a) / seconds(b));
        let [low, speed_up, high] = spread(speed_ups.collect());
        let nodes = alone[0].nodes.total() as f64;
        println!(
            "{name} {search} depth {depth} {line}: {:.3} s, speed-up {speed_up:.2} ({low:.2} to {high:.2}), \
             nodes x{:.3}, busy {:.1} %, joining {:.1} %, tasks {}, converted {}, aborted {}",
            median(&seconds),
            median(&|report| report.nodes.total() as f64) / nodes,
            share(&|worker| worker.busy),
            share(&|worker| worker.joining),
            median(&|report| report.tasks.offered as f64),
            median(&|report| report.tasks.converted as f64),
            median(&|report| report.tasks.aborted as f64),
        );
    }
}
