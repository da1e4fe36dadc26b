//! Every search by every strategy on random positions of every game finds what its plain
//! definition finds.

#[path = "../../plywood/tests/common/mod.rs"]
mod common;

use common::{Plain, mix, plain_expectimax, plain_maxn, plain_minimax, root_seat};
use plywood::{Chances, Engine, Evaluate, Game, Limits, Moves, Report, Seat, Settings, Turn};
use plywood_games::Notation;
use plywood_games::blokus::{Classic, Duo, Lead, LiveCorners, ReportCorners, SquaresPlaced};
use plywood_games::gomoku::{self, Candidates, Gomoku, Rule};
use plywood_games::kalah::{Kalah, StoreDifference};
use plywood_games::twenty48::{BoardOnly, Smooth, Twenty48};
use proptest::prelude::*;

const BOUNDED: [(&str, usize); 6] = [
    ("seq", 1),
    ("ybwc:1", 3),
    ("ybwc:2", 2),
    ("root", 2),
    ("top-then-prune:1", 2),
    ("lazy-smp", 2),
];
const FOLDS: [(&str, usize); 4] = [
    ("seq", 1),
    ("budget:2", 2),
    ("every-node", 3),
    ("root,spawn=rest", 2),
];

/// The position after this many random moves, or at the end of the game.
fn wander<G: Notation>(game: &G, seed: u64, plies: usize) -> G::State {
    let mut state = game.start();
    for ply in 0..plies {
        let mut moves = Vec::new();
        match game.turn(&state) {
            Turn::Over => break,
            Turn::Player(_) => game.moves(&state, &mut Moves::new(&mut moves)),
            Turn::Chance => {
                game.chances(&state, &mut Chances::new(&mut moves, &mut Vec::new()));
            }
        }
        let mv = moves[mix(seed, ply as u64) as usize % moves.len()];
        game.play(&mut state, mv);
    }
    state
}

fn search<G: Notation, E: Evaluate<G>>(
    game: G,
    eval: E,
    state: &G::State,
    depth: u32,
    search: &str,
    (strategy, threads): (&str, usize),
) -> Report<G::Move> {
    let settings = Settings {
        table_bytes: 1 << 16,
        ..Settings::new(search)
            .unwrap()
            .parallel(strategy, threads)
            .unwrap()
    };
    let mut engine = Engine::new(game, eval, settings).unwrap();
    engine.search(state, &Limits::depth(depth))
}

/// Holds a search on scalars to minimax from one player's point of view.
fn hold_bounded<G: Notation + Clone, E: Evaluate<G> + Copy>(
    game: &G,
    eval: E,
    state: &G::State,
    depth: u32,
    name: &str,
    view: Seat,
) {
    if !matches!(game.turn(state), Turn::Player(_)) {
        return;
    }
    let expected: Plain<i32, _> = plain_minimax(game, &eval, state, depth, false, view);
    for how in BOUNDED {
        for options in ["", ":no-table", ":plain"] {
            let name = format!("{name}{options}");
            let report = search(game.clone(), eval, state, depth, &name, how);
            let what = format!("{name} {how:?} of {}", game.write_state(state));
            assert_eq!(
                report.values[view.index()],
                f64::from(expected.value),
                "{what}"
            );
            assert_eq!(report.line, expected.line, "{what}");
        }
    }
    if name == "alphabeta" {
        for how in FOLDS {
            let report = search(game.clone(), eval, state, depth, "minimax", how);
            assert_eq!(report.values[0], f64::from(expected.value));
            assert_eq!(report.line, expected.line);
        }
    }
}

fn hold_maxn<G: Notation + Clone, E: Evaluate<G> + Copy>(
    game: &G,
    eval: E,
    state: &G::State,
    depth: u32,
) {
    if !matches!(game.turn(state), Turn::Player(_)) {
        return;
    }
    let expected = plain_maxn(game, &eval, state, depth);
    for how in FOLDS.into_iter().chain([("ybwc:1", 2)]) {
        let report = search(game.clone(), eval, state, depth, "maxn", how);
        let what = format!("{how:?} of {}", game.write_state(state));
        let values: Vec<_> = report.values.iter().map(|value| *value as i32).collect();
        assert_eq!(values, expected.value.as_ref(), "{what}");
        assert_eq!(report.line, expected.line, "{what}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn kalah(seed: u64, plies in 0usize..40, stones in 1u8..7, depth in 1u32..6) {
        let game = Kalah::standard(6, stones).unwrap();
        let state = wander(&game, seed, plies);
        hold_bounded(&game, StoreDifference, &state, depth, "alphabeta", Seat::FIRST);
        hold_bounded(&game, StoreDifference, &state, depth, "paranoid", root_seat(&game, &state));
        hold_maxn(&game, StoreDifference, &state, depth);
    }

    #[test]
    fn gomoku(seed: u64, plies in 0usize..30, depth in 1u32..3, rule in 0usize..3) {
        let rule = [Rule::Freestyle, Rule::ExactlyFive, Rule::Renju][rule];
        let settings = gomoku::Settings {
            size: 7,
            rule,
            candidates: Candidates::Near(1),
            ..gomoku::Settings::default()
        };
        let game = Gomoku::new(settings).unwrap();
        let state = wander(&game, seed, plies);
        hold_bounded(&game, gomoku::Report, &state, depth, "alphabeta", Seat::FIRST);
        hold_bounded(&game, gomoku::Threats, &state, depth, "alphabeta", Seat::FIRST);
    }

    #[test]
    fn blokus(seed: u64, plies in 44usize..70, depth in 1u32..3) {
        let game = Classic::new();
        let state = wander(&game, seed, plies);
        hold_maxn(&game, ReportCorners, &state, depth);
        hold_maxn(&game, SquaresPlaced, &state, depth);
        hold_bounded(&game, LiveCorners, &state, depth, "paranoid", root_seat(&game, &state));
    }

    #[test]
    fn blokus_duo(seed: u64, plies in 18usize..34, depth in 1u32..3) {
        let game = Duo::new();
        let state = wander(&game, seed, plies);
        let eval = Lead(LiveCorners);
        hold_bounded(&game, eval, &state, depth, "alphabeta", Seat::FIRST);
        hold_maxn(&game, SquaresPlaced, &state, depth);
    }

    #[test]
    fn twenty48(seed: u64, plies in 2usize..150, depth in 1u32..3) {
        let game = Twenty48::new();
        let mut state = wander(&game, seed, plies);
        if game.turn(&state) == Turn::Chance {
            state = wander(&game, seed, plies + 1);
        }
        let eval = BoardOnly(Smooth::default());
        hold_bounded(&game, eval, &state, depth, "worst-case", Seat::FIRST);
        if game.turn(&state) != Turn::Over {
            let expected = plain_expectimax(&game, &eval, &state, depth, false, Seat::FIRST);
            for how in FOLDS {
                let report = search(game, eval, &state, depth, "expectimax", how);
                prop_assert_eq!(report.values[0], expected.value);
                prop_assert_eq!(report.best, expected.line.first().copied());
            }
        }
    }
}
