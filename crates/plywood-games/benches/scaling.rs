//! Speed-up against threads:
//! `cargo bench -p plywood-games --bench scaling -- [--threads 1,2,4] [--fill N] [--repeat N] [NAME …]`.
//!
//! Every line is one search from one position to one depth, run by one strategy on each
//! number of threads; times are compared with the sequential search with the same table.
//! With `--fill N` the cores of N that a search does not use are kept busy meanwhile: cores
//! are faster when their neighbours sleep, and that should not flatter one thread. With
//! `--repeat N` every figure is the shortest of N runs. A name may be that of a strategy.

#[path = "../../plywood/examples/connect_four/game.rs"]
mod connect_four;

use std::sync::atomic::{AtomicBool, Ordering};

use connect_four::{Central, ConnectFour};
use plywood::{Engine, Evaluate, Game, Limits, Moves, Settings};
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
const STRATEGIES: [&str; 4] = ["budget:3", "budget:4", "ybwc:5", "lazy-smp"];
const FOLDS: [&str; 4] = ["budget:2", "budget:3", "budget:4", "root"];
const BOUNDED: [&str; 4] = ["ybwc:3", "ybwc:5", "ybwc:7", "lazy-smp"];
const OTHERS: [&str; 5] = [
    "ybwc:1",
    "every-node",
    "root",
    "budget:3",
    "top-then-prune:1",
];

/// Does something while this many other threads compute.
fn with_busy_cores<R>(spare: usize, work: impl FnOnce() -> R) -> R {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..spare {
            scope.spawn(|| {
                let mut number = 1u64;
                while !done.load(Ordering::Relaxed) {
                    for _ in 0..1000 {
                        number = std::hint::black_box(number.wrapping_mul(6_364_136_223) ^ 1);
                    }
                }
            });
        }
        let result = work();
        done.store(true, Ordering::Relaxed);
        result
    })
}

#[allow(clippy::too_many_arguments)]
fn run<G: Game, E: Evaluate<G> + Copy>(
    wanted: &Wanted,
    name: &str,
    game: impl Fn() -> G,
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
    let measure = |settings: Settings| {
        let spare = wanted.fill.saturating_sub(settings.threads);
        let once = || {
            let mut engine = Engine::new(game(), eval, settings.clone()).expect("the settings fit");
            with_busy_cores(spare, || engine.search(state, &Limits::depth(depth)))
        };
        (0..wanted.repeat.max(1))
            .map(|_| once())
            .min_by_key(|report| report.elapsed)
            .expect("at least one run")
    };
    let alone = measure(settings.clone());
    println!(
        "{name} {search} depth {depth} seq: {:.3} s, {} nodes",
        alone.elapsed.as_secs_f64(),
        alone.nodes.total()
    );
    for strategy in strategies.iter().filter(|s| chosen(&STRATEGIES, s)) {
        for &threads in &wanted.threads {
            let settings = settings
                .clone()
                .parallel(strategy, threads)
                .expect("a strategy of this name exists");
            let report = measure(settings);
            assert_eq!(report.values, alone.values, "the same value");
            let busy: f64 = report.workers.iter().map(|w| w.busy.as_secs_f64()).sum();
            let join: f64 = report.workers.iter().map(|w| w.joining.as_secs_f64()).sum();
            let wall = report.elapsed.as_secs_f64();
            println!(
                "{name} {search} {strategy} x{threads}: {wall:.3} s, speed-up {:.2}, nodes x{:.3}, \
                 busy {:.1} %, joining {:.1} %, tasks {} converted {:.2} %, aborted {}",
                alone.elapsed.as_secs_f64() / wall,
                report.nodes.total() as f64 / alone.nodes.total() as f64,
                100.0 * busy / (wall * threads as f64),
                100.0 * join / (wall * threads as f64),
                report.tasks.offered,
                100.0 * report.tasks.converted as f64 / report.tasks.offered.max(1) as f64,
                report.tasks.aborted,
            );
        }
    }
}
