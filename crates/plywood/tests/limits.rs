//! Limits: whatever ends a search, there is an answer, and it comes soon.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use common::*;
use plywood::{Engine, Game, Limits, Moves, Report, Settings, Turn};

/// A tree that no search gets through.
const ENDLESS: RandomGame<2, false> = RandomGame {
    seed: 7,
    width: 40,
    positions: u64::MAX,
    spread: 1000,
};

const HOW: [(&str, &str, usize); 12] = [
    ("minimax", "seq", 1),
    ("minimax", "budget:2", 2),
    ("minimax", "every-node", 3),
    ("alphabeta", "seq", 1),
    ("alphabeta", "ybwc:2", 1),
    ("alphabeta", "ybwc:2", 3),
    ("alphabeta", "top-then-prune:2", 2),
    ("alphabeta", "lazy-smp", 3),
    ("maxn", "root", 2),
    ("minimax", "budget:2", 256),
    ("alphabeta", "ybwc:2", 256),
    ("alphabeta", "lazy-smp", 256),
];

fn engine(search: &str, strategy: &str, threads: usize) -> Engine<RandomGame<2, false>, Drawn> {
    let settings = Settings {
        table_bytes: 1 << 20,
        ..Settings::new(search)
            .unwrap()
            .parallel(strategy, threads)
            .unwrap()
    };
    Engine::new(ENDLESS, Drawn { bounded: false }, settings).unwrap()
}

/// What must be right about every answer: a legal move, and the value of its depth.
fn check(report: &Report<u8>, what: &str) {
    let mut moves = Vec::new();
    ENDLESS.moves(&ENDLESS.start(), &mut Moves::new(&mut moves));
    assert!(moves.contains(&report.best.expect(what)), "{what}");
    assert_eq!(report.line.first(), report.best.as_ref(), "{what}");
    assert!(report.stopped, "{what}");
    if report.depth > 0 && report.depth < 4 {
        let plain = plain_minimax(
            &ENDLESS,
            &Drawn { bounded: false },
            &ENDLESS.start(),
            report.depth,
            false,
            plywood::Seat::FIRST,
        );
        assert_eq!(report.values[0], f64::from(plain.value), "{what}");
        assert_eq!(report.best, plain.line.first().copied(), "{what}");
    }
}

#[test]
fn a_time_limit_ends_every_search_with_an_answer() {
    for (search, strategy, threads) in HOW {
        let what = format!("{search} {strategy} x{threads}");
        let mut engine = engine(search, strategy, threads);
        let report = engine.search(&ENDLESS.start(), &Limits::time(Duration::from_millis(30)));
        check(&report, &what);
        assert!(report.depth >= 1, "{what}");
    }
}

#[test]
fn a_node_limit_ends_every_search_and_repeats_on_one_thread() {
    for (search, strategy, threads) in HOW {
        let what = format!("{search} {strategy} x{threads}");
        let mut engine = engine(search, strategy, threads);
        let report = engine.search(&ENDLESS.start(), &Limits::nodes(20_000));
        check(&report, &what);
        if threads == 1 {
            engine.forget();
            let again = engine.search(&ENDLESS.start(), &Limits::nodes(20_000));
            assert_eq!(report.nodes, again.nodes, "{what}");
        }
    }
}

#[test]
fn a_flag_from_outside_ends_every_search() {
    for (search, strategy, threads) in HOW {
        let what = format!("{search} {strategy} x{threads}");
        let stop = Arc::new(AtomicBool::new(false));
        let set = Arc::clone(&stop);
        let setter = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(150));
            set.store(true, Ordering::Relaxed);
            Instant::now()
        });
        let mut engine = engine(search, strategy, threads);
        let report = engine.search(&ENDLESS.start(), &Limits::default().with_stop(stop));
        let returned = Instant::now();
        check(&report, &what);
        // How long it takes depends on the machine; it is printed, not asserted.
        println!(
            "{what}: stopped {:?} after the flag",
            returned - setter.join().unwrap()
        );
    }
}

#[test]
fn a_flag_that_is_set_before_the_start_still_gives_a_move() {
    let stop = Arc::new(AtomicBool::new(true));
    for (search, strategy, threads) in HOW {
        let what = format!("{search} {strategy} x{threads}");
        let mut engine = engine(search, strategy, threads);
        let limits = Limits::default().with_stop(Arc::clone(&stop));
        let mut told = Vec::new();
        let report = engine.search_with(&ENDLESS.start(), &limits, |progress| {
            told.push(progress.depth);
        });
        check(&report, &what);
        assert_eq!(told.last(), Some(&report.depth), "{what}: it is told, too");
    }
}

#[test]
fn a_finished_game_has_its_score_and_no_move() {
    let game = RandomGame::<2, false> {
        seed: 1,
        width: 3,
        positions: 50,
        spread: 9,
    };
    let over = (0..50)
        .map(|id| Node { ply: 3, id })
        .find(|node| game.turn(node) == Turn::Over)
        .unwrap();
    for (search, strategy, threads) in HOW {
        let settings = Settings::new(search)
            .unwrap()
            .parallel(strategy, threads)
            .unwrap();
        let mut engine = Engine::new(game, Drawn { bounded: false }, settings).unwrap();
        let report = engine.search(&over, &Limits::depth(5));
        assert_eq!(report.best, None);
        assert_eq!(report.values[0], f64::from(game.outcome(&over)[0]));
    }
}

#[test]
fn settings_that_make_no_sense_are_refused_with_what_does() {
    let refuse = |search: &str, strategy: &str, threads| {
        let settings = Settings::new(search)?.parallel(strategy, threads)?;
        Engine::new(ENDLESS, Drawn { bounded: false }, settings).map(|_| ())
    };
    for (search, strategy, threads, expected) in [
        (
            "minmax",
            "seq",
            1,
            "unknown search 'minmax': use one of minimax, alphabeta",
        ),
        (
            "alphabeta:fast",
            "seq",
            1,
            "unknown option 'fast' of alphabeta: use plain, no-pvs",
        ),
        (
            "minimax:plain",
            "seq",
            1,
            "unknown option 'plain' of minimax: it has none",
        ),
        (
            "minimax",
            "ybwc:3",
            2,
            "minimax cannot be run by ybwc: use one of seq, every-node",
        ),
        ("maxn", "lazy-smp", 2, "maxn cannot be run by lazy-smp"),
        (
            "expectimax",
            "seq",
            1,
            "not for a game of 2 players without chance: use one of minimax",
        ),
        (
            "minimax",
            "budget:x",
            2,
            "'x' is no number of levels for budget: use 1 to 250",
        ),
        ("minimax", "budget:0", 2, "use 1 to 250"),
        (
            "minimax",
            "root:3",
            2,
            "root takes no argument, but got '3'",
        ),
        (
            "minimax",
            "root,spawn=some",
            2,
            "unknown spawn order 'some'",
        ),
        (
            "alphabeta",
            "ybwc:3,spawn=rest",
            2,
            "ybwc has no spawn order",
        ),
        (
            "minimax",
            "fork",
            2,
            "unknown parallel strategy 'fork': use one of seq, every-node",
        ),
        (
            "minimax",
            "seq",
            0,
            "0 threads are not possible: use 1 to 256",
        ),
        ("minimax", "root", 257, "257 threads are not possible"),
        (
            "expectimax:cut=0.1,cut=0.2",
            "seq",
            1,
            "given more than one cut=",
        ),
        ("expectimax:cut=0.1,likely=0.2", "seq", 1, "use one of them"),
        ("expectimax:likely=1", "seq", 1, "between 0 and 1"),
    ] {
        let message = refuse(search, strategy, threads).unwrap_err().to_string();
        assert!(message.contains(expected), "{search} {strategy}: {message}");
        assert_eq!(message.lines().count(), 1);
    }
}

#[test]
fn as_many_threads_as_there_can_be() {
    let mut engine = engine("alphabeta", "ybwc:1", 256);
    let report = engine.search(&ENDLESS.start(), &Limits::depth(3));
    assert_eq!(report.workers.len(), 256);
    let alone = self::engine("alphabeta", "seq", 1).search(&ENDLESS.start(), &Limits::depth(3));
    assert_eq!(report.values, alone.values);
    assert_eq!(report.line, alone.line);
}
