//! The solver against published and independently computed values, and against minimax.

mod kalah_common;

use std::collections::HashMap;
use std::sync::Arc;

use kalah_common::{capture, lines, number, numbers};
use plywood::{Game, Moves, Seat, Turn};
use plywood_games::Notation;
use plywood_games::kalah::solver::{Bounds, Monitor, MoveBounds, Options, SetupError, Solver};
use plywood_games::kalah::{Capture, End, Kalah, Pit, Position, Rules, Sweep};
use proptest::prelude::*;

fn solver(game: &Kalah, stones: usize, database_stones: usize, threads: usize) -> Solver {
    let options = Options {
        stones,
        threads,
        memory: 64 << 20,
        database_stones: Some(database_stones),
        cache: None,
    };
    Solver::new(game, &options, Arc::new(Monitor::default())).expect("little memory is needed")
}

fn exactly(value: i32) -> Bounds {
    Bounds {
        least: value,
        most: value,
    }
}

/// `pit:value,pit:value,...`
fn pit_values(list: &str) -> Vec<MoveBounds> {
    kalah_common::pit_values(list, |pit, value| MoveBounds {
        pit: Pit::new(pit),
        bounds: exactly(value),
    })
}

/// The final margin of the mover after the line that the solver gives.
fn replayed(solver: &mut Solver, position: &Position, margin: i32) -> i32 {
    let line = solver.line(position, margin);
    let game = *solver.game();
    let mut last = *position;
    for pit in line {
        assert!(moves(&game, &last).contains(&pit), "{pit:?} is no move");
        game.play(&mut last, pit);
    }
    assert_eq!(game.turn(&last), Turn::Over, "the line goes to the end");
    game.outcome(&last)[position.mover().index()]
}

fn moves(game: &Kalah, position: &Position) -> Vec<Pit> {
    let mut list = Vec::new();
    if game.turn(position) != Turn::Over {
        game.moves(position, &mut Moves::new(&mut list));
    }
    list
}

/// The final margin of South by plain minimax, which remembers what it has seen.
fn minimax(game: &Kalah, position: &Position, seen: &mut HashMap<Position, i32>) -> i32 {
    let Turn::Player(mover) = game.turn(position) else {
        return game.outcome(position)[0];
    };
    if let Some(&value) = seen.get(position) {
        return value;
    }
    let values = moves(game, position).into_iter().map(|pit| {
        let mut child = *position;
        game.play(&mut child, pit);
        minimax(game, &child, seen)
    });
    let value = if mover == Seat::FIRST {
        values.max()
    } else {
        values.min()
    }
    .expect("a move");
    seen.insert(*position, value);
    value
}

prop_compose! {
    fn any_rules()(
        pits in 1u8..=6,
        capture in prop_oneof![Just(Capture::IfOppositeFull), Just(Capture::Always)],
        end in prop_oneof![Just(End::EitherRowEmpty), Just(End::MoverRowEmpty)],
        sweep in prop_oneof![Just(Sweep::ToOwner), Just(Sweep::ToOther)],
    ) -> Rules {
        Rules { pits, stones: 1, capture, end, sweep }
    }
}

prop_compose! {
    /// A game, and a position of it with a few stones anywhere.
    fn any_position()(rules in any_rules())(
        rules in Just(rules),
        places in prop::collection::vec(0..2 * usize::from(rules.pits), 0..13),
        stores in [0u8..20, 0u8..20],
        north in any::<bool>(),
    ) -> (Kalah, Position) {
        let pits = usize::from(rules.pits);
        let mut stones = vec![0; 2 * pits];
        places.into_iter().for_each(|place| stones[place] += 1);
        let game = Kalah::new(rules).expect("valid rules");
        let (south, north_row) = stones.split_at(pits);
        let mover = if north { Seat::SECOND } else { Seat::FIRST };
        let position = game.position([south, north_row], stores, mover).expect("valid");
        (game, position)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Any position under any rules, with any database and any number of threads.
    #[test]
    fn values_moves_and_lines_are_those_of_minimax(
        (game, position) in any_position(),
        database in 0usize..9,
        threads in 1usize..=4,
    ) {
        let stones = 14;
        let mut solver = solver(&game, stones, database, threads);
        let sign = if position.mover() == Seat::FIRST { 1 } else { -1 };
        let mut seen = HashMap::new();
        let margin = sign * minimax(&game, &position, &mut seen);
        prop_assert_eq!(solver.solve(&position), exactly(margin));
        let proved = solver.proved(&position);
        prop_assert!(proved.least <= margin && margin <= proved.most);
        let expected: Vec<MoveBounds> = moves(&game, &position)
            .into_iter()
            .map(|pit| {
                let mut child = position;
                game.play(&mut child, pit);
                let value = sign * minimax(&game, &child, &mut seen);
                MoveBounds { pit, bounds: exactly(value) }
            })
            .collect();
        prop_assert_eq!(solver.solve_moves(&position, Some(margin)), expected);
        prop_assert_eq!(replayed(&mut solver, &position, margin), margin);
        // Nothing is left of it after forgetting, and it is found again.
        solver.forget();
        prop_assert_eq!(solver.solve(&position), exactly(margin));
    }
}

#[test]
fn one_to_four_threads_prove_the_same() {
    let game = Kalah::standard(5, 3).expect("valid rules");
    for threads in 1..=4 {
        let mut solver = solver(&game, 30, 8, threads);
        let start = game.start();
        assert_eq!(solver.solve(&start), exactly(6), "{threads} threads");
        assert_eq!(replayed(&mut solver, &start, 6), 6);
    }
}

#[test]
fn a_tiny_table_only_takes_longer() {
    let game = Kalah::standard(4, 3).expect("valid rules");
    let options = Options {
        stones: 24,
        threads: 2,
        memory: 20_000,
        database_stones: Some(5),
        cache: None,
    };
    let mut solver = Solver::new(&game, &options, Arc::default()).expect("enough");
    assert!(solver.table_bytes() + solver.database_bytes() <= 20_000);
    assert_eq!(solver.solve(&game.start()), exactly(6));
}

#[test]
fn what_cannot_be_is_refused() {
    let game = Kalah::standard(8, 15).expect("valid rules");
    let refused = |stones, memory, database_stones| {
        let options = Options {
            stones,
            threads: 1,
            memory,
            database_stones,
            cache: None,
        };
        Solver::new(&game, &options, Arc::default()).err()
    };
    assert_eq!(
        refused(240, 1 << 20, None),
        Some(SetupError::TooManyPositions)
    );
    assert!(matches!(
        refused(20, 1 << 20, Some(20)),
        Some(SetupError::Memory { needed }) if needed > 1 << 20
    ));
    assert!(refused(20, 1 << 20, None).is_none());
}

#[test]
fn a_stopped_solver_tells_what_it_has_proved() {
    let game = Kalah::standard(6, 6).expect("valid rules");
    let monitor = Arc::new(Monitor::default());
    let options = Options {
        stones: 72,
        threads: 2,
        memory: 16 << 20,
        database_stones: Some(6),
        cache: None,
    };
    let mut solver = Solver::new(&game, &options, Arc::clone(&monitor)).expect("enough");
    monitor.stop();
    let bounds = solver.solve(&game.start());
    assert!(bounds.least <= 4 && 4 <= bounds.most && bounds.exact().is_none());
}

/// The larger set-ups of the table, which take minutes: `cargo test --release -p
/// plywood-games --test kalah_solver -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn larger_set_ups() {
    for (pits, stones, full, empty) in [(5, 4, 10, 12), (6, 4, 8, 10), (5, 5, 2, 2)] {
        for (capture, margin) in [(Capture::IfOppositeFull, full), (Capture::Always, empty)] {
            let game = Kalah::new(Rules {
                pits,
                stones,
                capture,
                ..Rules::default()
            })
            .expect("valid rules");
            let options = Options {
                stones: 2 * usize::from(pits) * usize::from(stones),
                threads: 2,
                memory: 2 << 30,
                database_stones: Some(20),
                cache: None,
            };
            let mut solver = Solver::new(&game, &options, Arc::default()).expect("enough");
            assert_eq!(
                solver.solve(&game.start()),
                exactly(margin),
                "{pits} {stones}"
            );
        }
    }
}

#[test]
fn solved_set_ups() {
    let mut checked = 0;
    for line in lines(include_str!("data/kalah_values.txt")) {
        let rules = Rules {
            pits: number(line[0]),
            stones: number(line[1]),
            capture: capture(line[2]),
            end: match line[3] {
                "either" => End::EitherRowEmpty,
                "mover" => End::MoverRowEmpty,
                other => panic!("unknown end rule {other}"),
            },
            sweep: match line[4] {
                "owner" => Sweep::ToOwner,
                "other" => Sweep::ToOther,
                other => panic!("unknown sweep rule {other}"),
            },
        };
        let game = Kalah::new(rules).expect("valid rules");
        let stones = 2 * usize::from(rules.pits) * usize::from(rules.stones);
        // Databases of all sizes are used, and often none at all.
        let database = stones * (checked % 4) / 6;
        let mut solver = solver(&game, stones, database.min(12), 1 + checked % 3);
        let found = solver.solve(&game.start());
        assert_eq!(found, exactly(number(line[5])), "{rules:?}");
        let openings: Vec<Bounds> = solver
            .solve_moves(&game.start(), found.exact())
            .iter()
            .map(|mv| mv.bounds)
            .collect();
        let expected: Vec<Bounds> = numbers(line[6]).into_iter().map(exactly).collect();
        assert_eq!(openings, expected, "{rules:?}");
        checked += 1;
    }
    assert_eq!(checked, 168);
}

#[test]
fn solved_positions() {
    let mut solvers = [Capture::IfOppositeFull, Capture::Always].map(|capture| {
        let game = Kalah::new(Rules {
            capture,
            ..Rules::default()
        });
        solver(&game.expect("valid rules"), 48, 6, 2)
    });
    let mut checked = 0;
    for line in lines(include_str!("data/kalah_positions.txt")) {
        let solver = &mut solvers[usize::from(capture(line[0]) == Capture::Always)];
        let own: Vec<u8> = numbers(line[2]);
        let other: Vec<u8> = numbers(line[3]);
        let stores: [u8; 2] = [number(line[4]), number(line[5])];
        let position: Position = match line[1] {
            "south" => solver.game().position([&own, &other], stores, Seat::FIRST),
            "north" => {
                let stores = [stores[1], stores[0]];
                solver.game().position([&other, &own], stores, Seat::SECOND)
            }
            seat => panic!("unknown player {seat}"),
        }
        .expect("a valid board");
        let margin = number(line[6]);
        assert_eq!(solver.solve(&position), exactly(margin), "{line:?}");
        let found = solver.solve_moves(&position, Some(margin));
        assert_eq!(found, pit_values(line[7]), "{line:?}");
        // Also without knowing the best.
        assert_eq!(solver.solve_moves(&position, None), found, "{line:?}");
        assert_eq!(replayed(solver, &position, margin), margin, "{line:?}");
        checked += 1;
    }
    assert_eq!(checked, 170);
}
