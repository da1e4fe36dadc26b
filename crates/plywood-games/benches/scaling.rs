//! Speed-up against threads: `cargo bench -p plywood-games --bench scaling -- [--threads 1,2,4] [NAME …]`.
//!
//! Every line is one search from one position to one depth, run by one strategy on each
//! number of threads; times are compared with the sequential search with the same table.

#[path = "../../plywood/examples/connect_four/game.rs"]
mod connect_four;

use connect_four::{Central, ConnectFour};
use plywood::{Engine, Evaluate, Game, Limits, Moves, Settings};
use plywood_games::Notation;
use plywood_games::blokus::{Classic, ReportCorners};
use plywood_games::gomoku::{self, Gomoku};
use plywood_games::kalah::{Kalah, StoreDifference};
use plywood_games::twenty48::{BoardOnly, Smooth, Twenty48};

struct Wanted {
    threads: Vec<usize>,
    names: Vec<String>,
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut wanted = Wanted {
        threads: vec![1, 2],
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
    // After the first round, where every colour has about 170 moves.
    let mut start = Classic::new().start();
    for _ in 0..4 {
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
        4,
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

const FOLDS: [&str; 3] = ["budget:2", "budget:3", "root"];
const BOUNDED: [&str; 4] = ["ybwc:3", "ybwc:5", "ybwc:7", "lazy-smp"];
const OTHERS: [&str; 5] = [
    "ybwc:1",
    "every-node",
    "root",
    "budget:3",
    "top-then-prune:1",
];

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
    if !wanted.names.is_empty() && !wanted.names.iter().any(|w| name.contains(w.as_str())) {
        return;
    }
    let settings = Settings {
        table_bytes: 256 << 20,
        ..Settings::new(search).expect("a search of this name exists")
    };
    let measure = |settings: Settings| {
        let mut engine = Engine::new(game(), eval, settings).expect("the settings fit");
        engine.search(state, &Limits::depth(depth))
    };
    let alone = measure(settings.clone());
    println!(
        "{name} {search} depth {depth} seq: {:.3} s, {} nodes",
        alone.elapsed.as_secs_f64(),
        alone.nodes.total()
    );
    for strategy in strategies {
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
