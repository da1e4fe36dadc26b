//! Every search, by every strategy, on any number of threads, with every option on or off,
//! finds what the plain definition finds: value, best move, line, value of every root move.

mod common;

use common::*;
use plywood::{Chances, Engine, Evaluate, Game, Limits, Moves, Seat, Settings, Turn};
use proptest::prelude::*;

const THREADS: &[usize] = &[1, 2, 3, 7];

const FOLDS: &[&str] = &[
    "seq",
    "every-node",
    "every-node,spawn=rest",
    "budget:1",
    "budget:3,spawn=rest",
    "root",
];

const BOUNDED: &[&str] = &[
    "seq",
    "every-node",
    "budget:2",
    "root,spawn=rest",
    "ybwc:1",
    "ybwc:2",
    "ybwc:3",
    "top-then-prune:1",
    "top-then-prune:2,spawn=rest",
    "lazy-smp",
];

const OPTIONS: &[&str] = &[
    "",
    ":plain",
    ":no-table",
    ":no-pvs",
    ":no-pvs,no-table",
    ":no-deepening,no-table",
    ":no-aspiration,no-killers,no-history",
    ":no-priority,no-table,no-aspiration",
];

/// The scores of [`Drawn`], as if they took long to find.
#[derive(Clone, Copy)]
struct Slow(Drawn);

const SLOW: Slow = Slow(Drawn { bounded: false });

impl<const N: usize> Evaluate<RandomGame<N, true>> for Slow {
    fn evaluate(&self, game: &RandomGame<N, true>, node: &Node) -> [i32; N] {
        self.0.evaluate(game, node)
    }

    fn is_slow(&self) -> bool {
        true
    }
}

/// Settings with a table so small that it overflows.
fn settings(search: &str, strategy: &str, threads: usize, after_chance: bool) -> Settings {
    Settings {
        table_bytes: 1 << 14,
        after_chance,
        ..Settings::new(search)
            .unwrap()
            .parallel(strategy, threads)
            .unwrap()
    }
}

fn threads_for(strategy: &str) -> &'static [usize] {
    if strategy == "seq" { &[1] } else { THREADS }
}

/// What the engine is expected to say of a player's value.
fn expect_value<const N: usize>(values: &[f64], view: Seat, expected: f64, what: &str) {
    assert_eq!(values.len(), N, "{what}");
    assert_eq!(values[view.index()], expected, "{what}");
}

fn check_bounded<const N: usize, const C: bool>(
    game: RandomGame<N, C>,
    search: &str,
    depth: u32,
    after_chance: bool,
    choice: usize,
) {
    let eval = Drawn { bounded: false };
    let state = game.start();
    let view = match search {
        "alphabeta" => Seat::FIRST,
        _ => root_seat(&game, &state),
    };
    let expected = plain_minimax(&game, &eval, &state, depth, after_chance, view);
    // Too many combinations for every tree: each tree takes its share of them.
    for (index, option) in OPTIONS.iter().enumerate() {
        for (other, strategy) in BOUNDED.iter().enumerate() {
            if !(index * 7 + other * 3 + choice).is_multiple_of(6) {
                continue;
            }
            let name = format!("{search}{option}");
            let threads = threads_for(strategy);
            let threads = threads[choice % threads.len()];
            let what = format!("{name} {strategy} x{threads} depth {depth} of {game:?}");
            let mut engine =
                Engine::new(game, eval, settings(&name, strategy, threads, after_chance)).unwrap();
            for round in 0..2 {
                let report = engine.search(&state, &Limits::depth(depth));
                let what = format!("{what}, round {round}");
                if game.turn(&state) == Turn::Over {
                    assert_eq!(report.best, None);
                    continue;
                }
                expect_value::<N>(&report.values, view, f64::from(expected.value), &what);
                assert_eq!(report.depth, depth, "{what}");
                if game.turn(&state) != Turn::Chance {
                    assert_eq!(report.best.as_ref(), expected.line.first(), "{what}");
                }
                // Without principal-variation search the table may cut the line short.
                if option.contains("no-table") || option.is_empty() || *option == ":plain" {
                    assert_eq!(report.line, expected.line, "{what}");
                } else {
                    assert!(expected.line.starts_with(&report.line[..1]), "{what}");
                }
                assert_eq!(
                    report.tasks.offered,
                    report.tasks.converted + report.tasks.fizzled + report.tasks.cancelled,
                    "{what}"
                );
            }
            let report = engine.search(&state, &Limits::depth(depth).with_all_moves());
            if let Turn::Player(mover) = game.turn(&state) {
                let sign = if mover == view { 1 } else { -1 };
                let values: Vec<_> = report.root.iter().map(|r| r.value as i32 * sign).collect();
                assert_eq!(values, expected.root, "all moves of {what}");
                assert_eq!(report.best.as_ref(), expected.line.first(), "{what}");
            }
        }
    }
}

fn game<const N: usize, const C: bool>(
    seed: u64,
    width: u64,
    positions: u64,
    spread: u64,
) -> RandomGame<N, C> {
    RandomGame {
        seed,
        width,
        positions,
        spread,
    }
}

/// The value of a state for one seat: so much depth is left, it is come to with this
/// probability, and below that one the next move is the last.
fn plain_cut<G: Game, E: Evaluate<G>>(
    game: &G,
    eval: &E,
    state: &G::State,
    (depth, probability, cut): (u32, f64, f64),
    after_chance: bool,
    view: Seat,
) -> f64 {
    let child = |mv, depth, probability| {
        let mut state = state.clone();
        game.play(&mut state, mv);
        let left = (depth, probability, cut);
        plain_cut(game, eval, &state, left, after_chance, view)
    };
    let (mut moves, mut weights) = (Vec::new(), Vec::new());
    match game.turn(state) {
        Turn::Over => f64::from(eval.finished(game, state)[view.index()]),
        Turn::Chance if depth > 0 || after_chance => {
            game.chances(state, &mut Chances::new(&mut moves, &mut weights));
            let events = moves.into_iter().zip(weights);
            events.fold(0.0, |sum, (mv, weight)| {
                sum + weight * child(mv, depth, probability * weight)
            })
        }
        Turn::Player(seat) if depth > 0 => {
            let left = if probability < cut { 0 } else { depth - 1 };
            game.moves(state, &mut Moves::new(&mut moves));
            let values = moves.into_iter().map(|mv| child(mv, left, probability));
            let better = if seat == view { f64::max } else { f64::min };
            values.reduce(better).expect("a move")
        }
        _ => f64::from(eval.evaluate(game, state)[view.index()]),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn alphabeta_is_minimax(
        seed: u64, width in 1u64..6, positions in 3u64..400, spread in 1u64..40,
        depth in 1u32..7, choice in 0usize..1000,
    ) {
        check_bounded(
            game::<2, false>(seed, width, positions, spread), "alphabeta", depth, false, choice,
        );
    }

    #[test]
    fn paranoid_is_everybody_against_the_root(
        seed: u64, width in 1u64..6, positions in 3u64..400, spread in 1u64..40,
        depth in 1u32..6, choice in 0usize..1000,
    ) {
        check_bounded(
            game::<3, false>(seed, width, positions, spread), "paranoid", depth, false, choice,
        );
        check_bounded(
            game::<4, true>(seed, width, positions, spread), "paranoid", depth.min(4), false, choice,
        );
    }

    #[test]
    fn worst_case_takes_chance_for_an_adversary(
        seed: u64, width in 1u64..5, positions in 3u64..400, spread in 1u64..40,
        depth in 1u32..5, after_chance: bool, choice in 0usize..1000,
    ) {
        check_bounded(
            game::<1, true>(seed, width, positions, spread),
            "worst-case", depth, after_chance, choice,
        );
        check_bounded(
            game::<2, true>(seed, width, positions, spread),
            "worst-case", depth, after_chance, choice,
        );
    }

    #[test]
    fn minimax_is_its_definition(
        seed: u64, width in 1u64..5, positions in 3u64..400, spread in 1u64..40,
        depth in 1u32..5, after_chance: bool, choice in 0usize..1000,
    ) {
        let random = game::<2, true>(seed, width, positions, spread);
        let eval = Drawn { bounded: false };
        let state = random.start();
        let view = root_seat(&random, &state);
        let expected = plain_minimax(&random, &eval, &state, depth, after_chance, view);
        for strategy in FOLDS {
            let threads = threads_for(strategy);
            let threads = threads[choice % threads.len()];
            let what = format!("{strategy} x{threads}");
            let settings = settings("minimax", strategy, threads, after_chance);
            let mut engine = Engine::new(random, eval, settings).unwrap();
            let report = engine.search(&state, &Limits::depth(depth));
            expect_value::<2>(&report.values, view, f64::from(expected.value), &what);
            prop_assert_eq!(&report.line, &expected.line, "{}", what);
            let report = engine.search(&state, &Limits::depth(depth).with_all_moves());
            if let Turn::Player(_) = random.turn(&state) {
                let values: Vec<_> = report.root.iter().map(|r| r.value as i32).collect();
                prop_assert_eq!(&values, &expected.root, "{}", what);
            }
        }
    }

    #[test]
    fn maxn_is_its_definition_with_and_without_pruning(
        seed: u64, width in 1u64..6, positions in 3u64..400, spread in 1u64..12,
        depth in 1u32..6, choice in 0usize..1000,
    ) {
        let random = game::<3, false>(seed, width, positions, spread);
        let state = random.start();
        for bounded in [false, true] {
            let eval = Drawn { bounded };
            let expected = plain_maxn(&random, &eval, &state, depth);
            for strategy in FOLDS.iter().chain(&["ybwc:1", "ybwc:2"]) {
                let threads = threads_for(strategy);
                let threads = threads[choice % threads.len()];
                let what = format!("{strategy} x{threads} {bounded} {random:?} {depth}");
                let settings = settings("maxn", strategy, threads, false);
                let mut engine = Engine::new(random, eval, settings).unwrap();
                let report = engine.search(&state, &Limits::depth(depth));
                let values: Vec<_> = report.values.iter().map(|v| *v as i32).collect();
                prop_assert_eq!(&values[..], &expected.value[..], "{}", what);
                prop_assert_eq!(&report.line, &expected.line, "{}", what);
                let report = engine.search(&state, &Limits::depth(depth).with_all_moves());
                if let Turn::Player(seat) = random.turn(&state) {
                    let values: Vec<_> = report.root.iter().map(|r| r.value as i32).collect();
                    let own: Vec<_> = expected.root.iter().map(|r| r[seat.index()]).collect();
                    prop_assert_eq!(values, own, "{}", what);
                }
            }
        }
    }

    #[test]
    fn expectimax_is_its_definition_to_the_last_bit(
        seed: u64, width in 1u64..5, positions in 3u64..400, spread in 1u64..40,
        depth in 1u32..5, after_chance: bool, table: bool, choice in 0usize..1000,
    ) {
        let random = game::<2, true>(seed, width, positions, spread);
        let eval = Drawn { bounded: false };
        let state = random.start();
        let view = root_seat(&random, &state);
        let expected = plain_expectimax(&random, &eval, &state, depth, after_chance, view);
        let search = if table { "expectimax" } else { "expectimax:no-table" };
        for strategy in FOLDS {
            let threads = threads_for(strategy);
            let threads = threads[choice % threads.len()];
            let settings = settings(search, strategy, threads, after_chance);
            let mut engine = Engine::new(random, eval, settings).unwrap();
            let report = engine.search(&state, &Limits::depth(depth));
            let what = format!("{strategy} x{threads}");
            expect_value::<2>(&report.values, view, expected.value, &what);
            if table {
                prop_assert_eq!(report.line.first(), expected.line.first(), "{}", what);
            } else {
                prop_assert_eq!(&report.line, &expected.line, "{}", what);
            }
        }
    }

    #[test]
    fn a_probability_cut_is_its_definition_on_any_number_of_threads(
        seed: u64, width in 2u64..6, positions in 3u64..400, depth in 1u32..5, after_chance: bool,
    ) {
        let random = game::<2, true>(seed, width, positions, 30);
        let eval = Drawn { bounded: false };
        let start = random.start();
        let view = root_seat(&random, &start);
        let expected = plain_cut(&random, &eval, &start, (depth, 1.0, 0.05), after_chance, view);
        for (strategy, threads) in [("seq", 1), ("budget:2", 3), ("every-node", 2)] {
            let settings = settings("expectimax:cut=0.05", strategy, threads, after_chance);
            let mut engine = Engine::new(random, eval, settings).unwrap();
            let report = engine.search(&start, &Limits::depth(depth));
            expect_value::<2>(&report.values, view, expected, strategy);
        }
    }

    #[test]
    fn what_a_slow_evaluation_is_spared_changes_no_value(
        seed: u64, width in 2u64..5, positions in 3u64..400, choice in 0usize..1000,
    ) {
        let random = game::<2, true>(seed, width, positions, 30);
        for search in ["expectimax", "expectimax:cut=0.05", "expectimax:likely=0.25"] {
            let strategy = FOLDS[choice % FOLDS.len()];
            let threads = threads_for(strategy);
            let threads = threads[choice % threads.len()];
            let mut spared = Engine::new(random, SLOW, settings(search, strategy, threads, false)).unwrap();
            let mut plain = Engine::new(random, SLOW.0, settings(search, "seq", 1, false)).unwrap();
            // What is kept from one search is there in the next.
            for depth in 1..if search.contains("likely") { 3 } else { 4 } {
                let report = spared.search(&random.start(), &Limits::depth(depth));
                let expected = plain.search(&random.start(), &Limits::depth(depth));
                prop_assert_eq!(&report.values, &expected.values, "{} {}", search, strategy);
                prop_assert_eq!(report.line.first(), expected.line.first());
            }
        }
    }

    #[test]
    fn likely_lines_are_those_above_a_cut_that_falls_with_the_depth(
        seed: u64, width in 2u64..5, positions in 3u64..400, depth in 1u32..4, no_table: bool,
    ) {
        // A power of two, so that both ways to say it compare the same numbers.
        let random = game::<1, true>(seed, width, positions, 30);
        let eval = Drawn { bounded: false };
        let search = |text: &str, strategy, threads, depth| {
            let table = if no_table { ",no-table" } else { "" };
            let settings = settings(&format!("{text}{table}"), strategy, threads, false);
            let mut engine = Engine::new(random, eval, settings).unwrap();
            engine.search(&random.start(), &Limits::depth(depth))
        };
        // A cut at 1 is not accepted; just below it is the same.
        let cut = 0.25f64.powi(depth as i32 - 1).min(1.0 - f64::EPSILON);
        let moves = 3 * depth;
        let expected = search(&format!("expectimax:cut={cut}"), "seq", 1, moves);
        for (strategy, threads) in [("seq", 1), ("budget:2", 3), ("every-node", 2)] {
            let report = search("expectimax:likely=0.25", strategy, threads, depth);
            prop_assert_eq!(&report.values, &expected.values);
            prop_assert_eq!(report.line.first(), expected.line.first());
            prop_assert_eq!(report.depth, depth);
        }
    }
}

#[test]
fn a_slow_evaluation_is_asked_less() {
    // Few positions, so that lines meet.
    let random = game::<1, true>(5, 4, 60, 30);
    for search in ["expectimax", "expectimax:likely=0.25"] {
        let settings = || settings(search, "seq", 1, false);
        let limits = Limits::depth(4);
        let mut slow = Engine::new(random, SLOW, settings()).unwrap();
        let mut quick = Engine::new(random, SLOW.0, settings()).unwrap();
        let [slow, quick] = [
            slow.search(&random.start(), &limits).nodes.leaf,
            quick.search(&random.start(), &limits).nodes.leaf,
        ];
        assert!(slow < quick, "{search}: {slow} instead of {quick}");
    }
}
