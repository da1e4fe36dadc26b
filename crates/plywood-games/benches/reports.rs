//! The workloads of five course projects in Haskell, and what their own programs take for
//! them (compiled with ghc -O2, one core): `cargo bench -p plywood-games --bench reports`.

use std::time::{Duration, Instant};

use plywood::{Engine, Evaluate, Game, Limits, Settings, Turn, perft};
use plywood_games::Notation;
use plywood_games::blokus::{Classic, ReportCorners};
use plywood_games::gomoku::{self, Gomoku};
use plywood_games::kalah::{Kalah, StoreDifference};
use plywood_games::twenty48::{self, BoardOnly, RandomSpawner, Twenty48};

/// The shortest of several runs: on a shared machine the one least disturbed.
fn best_of(runs: usize, mut run: impl FnMut() -> u64) -> (Duration, u64) {
    (0..runs)
        .map(|_| {
            let start = Instant::now();
            let nodes = run();
            (start.elapsed(), nodes)
        })
        .min()
        .expect("at least one run")
}

/// Computes until the core has come up to speed.
fn warm_up() {
    let start = Instant::now();
    let mut number = 1u64;
    while start.elapsed() < Duration::from_millis(500) {
        for _ in 0..1000 {
            number = std::hint::black_box(number.wrapping_mul(6_364_136_223) ^ 1);
        }
    }
}

/// Whether the command line asks for this figure: for all, or for names it is part of.
fn wanted(what: &str) -> bool {
    let mut asked = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with('-'))
        .peekable();
    asked.peek().is_none() || asked.any(|name| what.contains(&name))
}

fn show(what: &str, runs: usize, haskell: f64, target: f64, run: impl FnMut() -> u64) {
    if !wanted(what) {
        return;
    }
    let (time, nodes) = best_of(runs, run);
    let seconds = time.as_secs_f64();
    println!(
        "{what}: {nodes} nodes, {seconds:.4} s (aim {target} s; Haskell {haskell} s: {:.0} times as fast), {:.1} ns a node",
        haskell / seconds,
        seconds * 1e9 / nodes as f64
    );
}

fn engine<G: Game, E: Evaluate<G>>(game: G, eval: E, search: &str) -> Engine<G, E> {
    let settings = Settings {
        // Small enough to stay in the cache: these searches are short.
        table_bytes: 1 << 20,
        after_chance: true,
        ..Settings::new(search).expect("a search of this name exists")
    };
    Engine::new(game, eval, settings).expect("the settings fit the game")
}

/// Plays a game out with one engine for all sides; returns moves played and nodes searched.
fn self_play<G: Notation, E: Evaluate<G>>(
    engine: &mut Engine<G, E>,
    depth: u32,
    moves: usize,
) -> (usize, u64) {
    let mut state = engine.game().start();
    let mut nodes = 0;
    for played in 0..moves {
        if engine.game().turn(&state) == Turn::Over {
            return (played, nodes);
        }
        let report = engine.search(&state, &Limits::depth(depth));
        nodes += report.nodes.total();
        let best = report.best.expect("the game is not over");
        engine.game().play(&mut state, best);
    }
    (moves, nodes)
}

/// Plays 2048 against random tiles until so many moves are made, game after game.
fn play_2048<E: Evaluate<Twenty48>>(engine: &mut Engine<Twenty48, E>, moves: usize) -> u64 {
    let mut spawner = RandomSpawner::new(1);
    let mut position = engine.game().new_game(&mut spawner);
    let mut nodes = 0;
    for _ in 0..moves {
        if engine.game().turn(&position) == Turn::Over {
            position = engine.game().new_game(&mut spawner);
        }
        let report = engine.search(&position, &Limits::depth(2));
        nodes += report.nodes.total();
        let best = report.best.expect("the game is not over");
        engine.game().play(&mut position, best);
        if let Some(spawn) = spawner.spawn(&position) {
            engine.game().play(&mut position, spawn);
        }
    }
    nodes
}

fn main() {
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    warm_up();
    let mut maxn = engine(Classic::new(), ReportCorners, "maxn");
    let start = maxn.game().start();
    show("blokus maxn depth 4", 10, 135.5, 0.14, || {
        maxn.search(&start, &Limits::depth(4)).nodes.total()
    });

    let kalah = || Kalah::standard(6, 4).expect("these rules are allowed");
    show("kalah(6,4) self-play depth 12", 5, 26.95, 0.09, || {
        self_play(&mut engine(kalah(), StoreDifference, "alphabeta"), 12, 500).1
    });

    show("2048 worst case, 1145 moves", 5, 6.83, 0.025, || {
        let eval = BoardOnly(twenty48::Report::default());
        let search = "worst-case:plain";
        play_2048(&mut engine(Twenty48::new(), eval, search), 1145)
    });

    show("gomoku ten moves depth 5", 20, 2.10, 0.01, || {
        self_play(
            &mut engine(Gomoku::report(), gomoku::Report, "alphabeta"),
            5,
            10,
        )
        .1
    });

    let six = || Kalah::standard(6, 6).expect("these rules are allowed");
    let mut minimax = engine(six(), StoreDifference, "minimax");
    let start = minimax.game().start();
    show("kalah(6,6) minimax depth 8", 20, 0.96, 0.012, || {
        minimax.search(&start, &Limits::depth(8)).nodes.total()
    });

    if !wanted("perft") {
        return;
    }
    let start = kalah().start();
    let (time, lines) = best_of(5, || perft(&kalah(), &start, 10));
    println!(
        "kalah(6,4) perft 10: {lines} lines, {:.0} M/s (aim 100 M/s)",
        lines as f64 / time.as_secs_f64() / 1e6
    );
}
