//! The engine: legal moves always, wins and stops where there are any, limits kept.

mod gomoku_problems;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use gomoku_problems::board;
use plywood::{Game, Limits, Turn};
use plywood_games::Notation;
use plywood_games::gomoku::engine::{Engine, Parallel, Resources};
use plywood_games::gomoku::patterns::PatternBoard;
use plywood_games::gomoku::{Colour, Gomoku, Point, Rule, Settings};

const RULES: [Rule; 3] = [Rule::Freestyle, Rule::ExactlyFive, Rule::Renju];

fn engine(threads: usize, parallel: Parallel) -> Engine {
    Engine::new(Resources {
        threads,
        memory: 1 << 20,
        parallel,
    })
}

fn game(rule: Rule, size: u8) -> Gomoku {
    Gomoku::new(Settings {
        rule,
        size,
        ..Settings::default()
    })
    .expect("valid settings")
}

fn best(board: &PatternBoard, depth: u32) -> (Point, Option<i32>) {
    let mut engine = engine(1, Parallel::LazySmp);
    let thought = engine.think(board, &Limits::depth(depth), None, &mut |_| {});
    (thought.best.expect("a move"), thought.end)
}

/// Whole games against moves at random, in all rules and sizes, on one and two threads.
#[test]
fn every_move_is_legal_to_the_end_of_the_game() {
    let mut seed = 1u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize
    };
    for rule in RULES {
        for size in [5, 6, 9, 15, 20] {
            let game = game(rule, size);
            let strategy = if size == 9 {
                Parallel::YoungBrothersWait
            } else {
                Parallel::LazySmp
            };
            let mut engine = engine(1 + usize::from(size < 10), strategy);
            let mut state = game.start();
            while game.turn(&state) != Turn::Over {
                let point = if state.to_move() == Colour::Black || random() % 4 == 0 {
                    let board = PatternBoard::of(&game, &state);
                    let limits = Limits {
                        depth: Some(3),
                        nodes: Some(2000),
                        ..Limits::default()
                    };
                    let thought = engine.think(&board, &limits, None, &mut |_| {});
                    thought.best.expect("there is a move")
                } else {
                    // White plays at random, so that the games last.
                    let mut legal = Vec::new();
                    game.moves(&state, &mut plywood::Moves::new(&mut legal));
                    legal[random() % legal.len()]
                };
                let text = game.write_move(&state, point);
                game.read_move(&state, &text).expect("a legal move");
                game.play(&mut state, point);
            }
        }
    }
}

#[test]
fn it_wins_and_stops_wins() {
    for rule in RULES {
        // Five at once.
        let position = board(rule, "H8 H9 H10 H11", "G8 G9 G10 G11", Colour::Black);
        let (point, end) = best(&position, 2);
        assert!(["H7", "H12"].contains(&point.to_string().as_str()));
        assert_eq!(end, Some(1));
        // White has to stop a four at the one point that is left.
        let position = board(rule, "H8 H9 H10 H11", "H7 A1 C3", Colour::White);
        assert_eq!(best(&position, 2).0.to_string(), "H12");
        // An open three has to be stopped.
        let position = board(rule, "H8 H9 H10", "A1 C3", Colour::White);
        let (point, end) = best(&position, 4);
        let stops = ["H6", "H7", "H11", "H12"];
        assert!(stops.contains(&point.to_string().as_str()), "{point}");
        assert_eq!(end, None);
        // A four and a three.
        let position = board(rule, "E8 F8 G8 H9 H10", "D8 A1 A3 A5", Colour::Black);
        assert_eq!(
            best(&position, 1),
            (Point::parse("H8").expect("a point"), Some(5))
        );
        // Two open fours at once: lost, but there is a move.
        let position = board(rule, "C3 C4 C5 C6 L3 L4 L5 L6", "A1 A9 O1", Colour::White);
        let (_, end) = best(&position, 2);
        assert!(end.is_some_and(|end| end < 0), "{end:?}");
    }
}

#[test]
fn limits_are_kept() {
    let position = board(Rule::Freestyle, "H8 G9 I10", "I9 H7 G8", Colour::Black);
    let mut engine = engine(1, Parallel::LazySmp);
    let thought = engine.think(&position, &Limits::depth(5), None, &mut |_| {});
    assert_eq!((thought.depth, thought.stopped), (5, false));
    let thought = engine.think(&position, &Limits::nodes(20_000), None, &mut |_| {});
    assert!(thought.stopped);
    assert!(thought.nodes() < 40_000, "{}", thought.nodes());
    // A search that is told to stop before it begins has an answer all the same.
    let stop = Arc::new(AtomicBool::new(true));
    let limits = Limits::default().with_stop(stop);
    let thought = engine.think(&position, &limits, None, &mut |_| {});
    assert!(thought.best.is_some() && thought.stopped);
    let thought = engine.think(&position, &Limits::time(Duration::ZERO), None, &mut |_| {});
    assert!(thought.best.is_some());
}

#[test]
fn one_thread_repeats_itself() {
    let position = board(Rule::Renju, "H8 G9 I10", "I9 H7 G8", Colour::Black);
    let thoughts = [0, 1].map(|_| {
        let mut engine = engine(1, Parallel::LazySmp);
        engine.think(&position, &Limits::depth(7), None, &mut |_| {})
    });
    assert_eq!(thoughts[0].best, thoughts[1].best);
    assert_eq!(thoughts[0].value, thoughts[1].value);
    assert_eq!(thoughts[0].nodes(), thoughts[1].nodes());
}

#[test]
fn all_moves_have_values_if_asked_for() {
    let position = board(Rule::Freestyle, "H8 G9", "I9 H7", Colour::Black);
    for threads in [1, 2] {
        let mut engine = engine(threads, Parallel::LazySmp);
        let limits = Limits::depth(3).with_all_moves();
        let thought = engine.think(&position, &limits, None, &mut |_| {});
        assert!(thought.root.len() > 20);
        assert!(thought.root.is_sorted_by(|a, b| a.1 >= b.1));
        assert_eq!(Some(thought.root[0].0), thought.best);
    }
}

#[test]
fn threads_that_share_nodes_find_what_one_finds() {
    // A win that takes a search: many threads on few cores, so that all interleavings occur.
    let position = board(
        Rule::Freestyle,
        "H8 G9 I10 J8",
        "I9 H7 G8 J11",
        Colour::White,
    );
    for parallel in [Parallel::LazySmp, Parallel::YoungBrothersWait] {
        for threads in [2, 4, 8] {
            let mut engine = engine(threads, parallel);
            let limits = Limits::depth(9);
            let thought = engine.think(&position, &limits, None, &mut |_| {});
            assert_eq!(thought.workers.len(), threads);
            for worker in &thought.workers {
                // What a worker did adds up to how long it was there.
                let there = worker.busy + worker.stealing + worker.joining + worker.idle;
                assert!(worker.busy > Duration::ZERO && there <= thought.elapsed);
            }
            assert_eq!(thought.depth, 9, "{parallel:?} on {threads}");
            assert!(thought.best.is_some());
            let mut after = position.clone();
            for &point in &thought.line {
                assert!(after.stone(point).is_none(), "{:?}", thought.line);
                after.play(point);
            }
        }
    }
}
