//! The solver against published and independently computed values.

use std::sync::Arc;

use plywood::Seat;
use plywood_games::Notation;
use plywood_games::kalah::solver::{Bounds, Monitor, Options, Solver};
use plywood_games::kalah::{Capture, End, Kalah, Position, Rules, Sweep};

fn lines(data: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    data.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split(' ').collect())
}

fn number<T: std::str::FromStr>(text: &str) -> T {
    text.parse().ok().expect("a number")
}

fn numbers<T: std::str::FromStr>(list: &str) -> Vec<T> {
    list.split(',').map(number).collect()
}

fn capture(name: &str) -> Capture {
    match name {
        "standard" => Capture::IfOppositeFull,
        "always" => Capture::Always,
        _ => panic!("unknown capture rule {name}"),
    }
}

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
        assert_eq!(
            solver.solve(&position),
            exactly(number(line[6])),
            "{line:?}"
        );
        checked += 1;
    }
    assert_eq!(checked, 170);
}
