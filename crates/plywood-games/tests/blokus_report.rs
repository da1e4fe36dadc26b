//! Known counts, and the figures of the MaxN report: its values from the start to depth 4,
//! and a game in which every colour takes the move that is best for its own evaluation.

mod blokus_common;

use std::ops::ControlFlow;

use blokus_common::{games, list};
use plywood::{Evaluate, Game, perft};
use plywood_games::Notation;
use plywood_games::blokus::{Classic, LiveCorners, Move, ReportCorners, State};
use serde::Deserialize;

#[derive(Deserialize)]
struct Report {
    perft: Vec<u64>,
    maxn_from_start: Vec<[i32; 4]>,
    greedy_game: Vec<Ply>,
}

#[derive(Deserialize)]
struct Ply {
    colour: usize,
    moves: usize,
    corners: u32,
    scores: [i32; 4],
    cells: Vec<(usize, usize)>,
}

fn report() -> Report {
    serde_json::from_str(include_str!("data/blokus_report.json")).expect("the report")
}

/// MaxN with the bulk evaluation at the last ply: the value, and the number of leaves.
fn maxn<E: Evaluate<Classic>>(
    game: &Classic,
    eval: &E,
    state: &mut State<4>,
    depth: u32,
) -> ([i32; 4], u64) {
    if depth == 0 {
        return (eval.evaluate(game, state), 1);
    }
    let mover = state.mover().expect("nobody is out so early");
    let mut best: Option<[i32; 4]> = None;
    let mut better = |scores: [i32; 4]| {
        if best.is_none_or(|best| scores[mover] > best[mover]) {
            best = Some(scores);
        }
    };
    let mut leaves = 0;
    if depth == 1 {
        eval.children(game, state, &mut Vec::new(), |_, scores| {
            leaves += 1;
            better(scores);
            ControlFlow::Continue(())
        });
    } else {
        for mv in list(game, state) {
            let undo = game.play(state, mv);
            let (scores, below) = maxn(game, eval, state, depth - 1);
            game.undo(state, mv, undo);
            leaves += below;
            better(scores);
        }
    }
    (best.expect("a move"), leaves)
}

#[test]
fn perft_from_the_start() {
    let known = report().perft;
    for game in games::<4>() {
        for depth in 1..=4 {
            let lines = perft(&game, &game.start(), depth);
            assert_eq!(lines, known[depth as usize - 1], "{:?}", game.path());
        }
    }
    for game in games::<2>() {
        assert_eq!(perft(&game, &game.start(), 1), 414);
    }
}

#[test]
fn second_moves_of_each_colour() {
    // Colours in opposite corners cannot meet in the first two rounds, so the lines of five
    // to eight plies are products of these.
    let game = Classic::new();
    let known = report().perft;
    let mut sums = [0; 4];
    for (colour, sum) in sums.iter_mut().enumerate() {
        let mut state = game.start();
        for _ in 0..colour {
            let mv = list(&game, &state)[0];
            game.play(&mut state, mv);
        }
        for mv in list(&game, &state) {
            let mut state = state.clone();
            game.play(&mut state, mv);
            while state.mover() != Some(colour) {
                let mv = list(&game, &state)[0];
                game.play(&mut state, mv);
            }
            *sum += game.count_moves(&state, &mut Vec::new()) as u64;
        }
    }
    assert_eq!(sums, [9729; 4]);
    assert_eq!(known[4], 58_u64.pow(3) * 9729);
}

#[test]
fn maxn_values_from_the_start() {
    let report = report();
    for game in games::<4>() {
        for (depth, known) in report.maxn_from_start.iter().enumerate().take(4) {
            let mut state = game.start();
            let (value, leaves) = maxn(&game, &ReportCorners, &mut state, depth as u32);
            assert_eq!(value, *known, "depth {depth}");
            assert_eq!(leaves, 58_u64.pow(depth as u32));
            assert_eq!(
                maxn(&game, &LiveCorners, &mut state, depth as u32).0,
                *known
            );
        }
    }
    let game = Classic::new();
    let (value, leaves) = maxn(&game, &ReportCorners, &mut game.start(), 4);
    assert_eq!((value, leaves), (report.maxn_from_start[4], 11_316_496));
}

#[test]
fn the_greedy_game_has_the_printed_scores() {
    let game = Classic::new();
    let mut state = game.start();
    let mut stale = 0;
    for (number, ply) in report().greedy_game.iter().enumerate() {
        assert_eq!(state.mover(), Some(ply.colour), "ply {number}");
        let moves = list(&game, &state);
        assert_eq!(moves.len(), ply.moves, "ply {number}");
        let is_it = |mv: &&Move| mv.cells().all(|cell| ply.cells.contains(&cell));
        let mv = *moves
            .iter()
            .find(|mv| mv.cells().len() == ply.cells.len() && is_it(mv))
            .expect("a legal move");
        let mut children = Vec::new();
        ReportCorners.children(&game, &mut state, &mut Vec::new(), |mv, scores| {
            children.push((mv, scores));
            ControlFlow::Continue(())
        });
        let best = children.iter().map(|child| child.1[ply.colour]).max();
        assert_eq!(best, Some(ply.scores[ply.colour]), "greedy at ply {number}");
        assert!(children.contains(&(mv, ply.scores)), "ply {number}");

        game.play(&mut state, mv);
        assert_eq!(state.corner_cells(ply.colour), ply.corners, "ply {number}");
        assert_eq!(
            ReportCorners.evaluate(&game, &state),
            ply.scores,
            "ply {number}"
        );
        let live = LiveCorners.evaluate(&game, &state);
        assert_eq!(live[ply.colour], ply.scores[ply.colour]);
        stale += usize::from(live != ply.scores);
    }
    assert_eq!(state.mover(), None);
    assert!(stale > 0, "the two evaluations differ where colours meet");
}
