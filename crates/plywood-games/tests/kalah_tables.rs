//! Kalah against published and independently computed figures.

mod kalah_common;

use std::collections::HashMap;

use kalah_common::{capture, lines, number, numbers};
use plywood::evaluate::leaf_scores;
use plywood::{Game, Moves, Seat, Turn, perft};
use plywood_games::Notation;
use plywood_games::kalah::{Capture, End, Kalah, Pit, Position, Rules, StoreDifference, Sweep};

/// `pit:value,pit:value,...`
fn pit_values(list: &str) -> Vec<(Pit, i32)> {
    kalah_common::pit_values(list, |pit, value| (Pit::new(pit), value))
}

fn moves(game: &Kalah, position: &Position) -> Vec<Pit> {
    let mut list = Vec::new();
    game.moves(position, &mut Moves::new(&mut list));
    list
}

/// South's values of all moves.
fn each_move(
    game: &Kalah,
    position: &Position,
    mut value: impl FnMut(&mut Position) -> i32,
) -> Vec<(Pit, i32)> {
    moves(game, position)
        .into_iter()
        .map(|pit| {
            let mut child = *position;
            game.play(&mut child, pit);
            (pit, value(&mut child))
        })
        .collect()
}

fn best(mover: Seat, values: impl Iterator<Item = i32>) -> i32 {
    if mover == Seat::FIRST {
        values.max().expect("a move")
    } else {
        values.min().expect("a move")
    }
}

/// Solves positions exactly: alpha-beta to the end of the game, remembering bounds.
struct Solver {
    game: Kalah,
    /// Bounds of what the rest of the game adds to South's margin, by rows and mover: the
    /// stores have no part in it.
    bounds: HashMap<(u64, u64, usize), (i32, i32)>,
}

impl Solver {
    fn new(game: Kalah) -> Self {
        Solver {
            game,
            bounds: HashMap::new(),
        }
    }

    /// South's final margin.
    fn margin(&mut self, position: &Position) -> i32 {
        self.search(position, -1000, 1000)
    }

    /// South's final margin if it is between the two, else a bound beyond the one it is
    /// not within.
    fn search(&mut self, position: &Position, mut alpha: i32, mut beta: i32) -> i32 {
        let game = self.game;
        let Turn::Player(mover) = game.turn(position) else {
            return game.outcome(position)[0];
        };
        let [south, north] =
            [Seat::FIRST, Seat::SECOND].map(|seat| u64::from_le_bytes(position.row(seat)));
        let key = (south, north, mover.index());
        let now = position.store_margin();
        let (low, high) = *self.bounds.get(&key).unwrap_or(&(-1000, 1000));
        if low == high || now + low >= beta {
            return now + low;
        }
        if now + high <= alpha {
            return now + high;
        }
        let (asked_alpha, asked_beta) = (alpha, beta);
        let mut list = moves(&game, position);
        list.sort_by_key(|&pit| -game.priority(position, pit));
        let mut values = Vec::new();
        for pit in list {
            let mut child = *position;
            game.play(&mut child, pit);
            let value = self.search(&child, alpha, beta);
            values.push(value);
            if mover == Seat::FIRST {
                alpha = alpha.max(value);
            } else {
                beta = beta.min(value);
            }
            if alpha >= beta {
                break;
            }
        }
        let value = best(mover, values.into_iter());
        let future = value - now;
        let bounds = self.bounds.entry(key).or_insert((-1000, 1000));
        if value > asked_alpha {
            bounds.0 = bounds.0.max(future);
        }
        if value < asked_beta {
            bounds.1 = bounds.1.min(future);
        }
        value
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
        // Searching to the end gets long beyond these.
        let feasible = [6, 6, 6, 4, 3, 2][usize::from(rules.pits) - 1];
        if rules.stones > feasible {
            continue;
        }
        let game = Kalah::new(rules).expect("valid rules");
        let mut solver = Solver::new(game);
        let start = game.start();
        assert_eq!(solver.margin(&start), number::<i32>(line[5]), "{rules:?}");
        let openings: Vec<i32> = each_move(&game, &start, |child| solver.margin(child))
            .into_iter()
            .map(|(_, value)| value)
            .collect();
        assert_eq!(openings, numbers::<i32>(line[6]), "{rules:?}");
        checked += 1;
    }
    assert_eq!(checked, 162);
}

#[test]
fn solved_positions() {
    let mut solvers = [Capture::IfOppositeFull, Capture::Always].map(|capture| {
        Solver::new(
            Kalah::new(Rules {
                capture,
                ..Rules::default()
            })
            .expect("valid rules"),
        )
    });
    let mut checked = 0;
    for line in lines(include_str!("data/kalah_positions.txt")) {
        let solver = &mut solvers[usize::from(capture(line[0]) == Capture::Always)];
        let game = solver.game;
        let own: Vec<u8> = numbers(line[2]);
        let other: Vec<u8> = numbers(line[3]);
        let stores = [number(line[4]), number(line[5])];
        // The lines are written for the mover, solved for South.
        let (position, sign) = match line[1] {
            "south" => (game.position([&own, &other], stores, Seat::FIRST), 1),
            "north" => (
                game.position([&other, &own], [stores[1], stores[0]], Seat::SECOND),
                -1,
            ),
            seat => panic!("unknown player {seat}"),
        };
        let position = position.expect("a valid board");
        assert_eq!(
            sign * solver.margin(&position),
            number::<i32>(line[6]),
            "{line:?}"
        );
        let values: Vec<_> = each_move(&game, &position, |child| sign * solver.margin(child));
        assert_eq!(values, pit_values(line[7]), "{line:?}");
        checked += 1;
    }
    assert_eq!(checked, 170);
}

#[test]
fn numbers_of_sequences() {
    for line in lines(include_str!("data/kalah_perft.txt")) {
        let game = Kalah::new(Rules {
            pits: number(line[0]),
            stones: number(line[1]),
            capture: capture(line[2]),
            ..Rules::default()
        })
        .expect("valid rules");
        let ended: Vec<u64> = numbers(line[4]);
        for (depth, expected) in (1..).zip(numbers::<u64>(line[3])) {
            assert_eq!(
                perft(&game, &game.start(), depth),
                expected,
                "{line:?} {depth}"
            );
        }
        // Counting the ends plays every move, so it stops a little earlier.
        for (depth, expected) in (1..).zip(ended).take(8) {
            assert_eq!(
                ends(&game, game.start(), depth),
                expected,
                "{line:?} {depth}"
            );
        }
    }
}

/// How many sequences of exactly this length end the game.
fn ends(game: &Kalah, position: Position, depth: u32) -> u64 {
    match (game.turn(&position), depth) {
        (Turn::Over, 0) => 1,
        (Turn::Over, _) | (_, 0) => 0,
        _ => moves(game, &position)
            .into_iter()
            .map(|pit| {
                let mut child = position;
                game.play(&mut child, pit);
                ends(game, child, depth - 1)
            })
            .sum(),
    }
}

#[derive(Default)]
struct Tree {
    nodes: u64,
    leaves: u64,
}

impl Tree {
    fn minimax(&mut self, game: &Kalah, position: &Position, depth: u32) -> i32 {
        self.nodes += 1;
        match game.turn(position) {
            Turn::Player(mover) if depth > 0 => {
                let values =
                    each_move(game, position, |child| self.minimax(game, child, depth - 1));
                best(mover, values.into_iter().map(|(_, value)| value))
            }
            _ => {
                self.leaves += 1;
                leaf_scores(&StoreDifference, game, position)[0]
            }
        }
    }
}

/// Minimax with alpha-beta pruning for South, moves ordered by priority.
fn alpha_beta(game: &Kalah, position: &Position, depth: u32, mut alpha: i32, mut beta: i32) -> i32 {
    let Turn::Player(mover) = game.turn(position) else {
        return game.outcome(position)[0];
    };
    if depth == 0 {
        return position.store_margin();
    }
    let mut list = moves(game, position);
    list.sort_by_key(|&pit| -game.priority(position, pit));
    let mut values = Vec::new();
    for pit in list {
        let mut child = *position;
        game.play(&mut child, pit);
        let value = alpha_beta(game, &child, depth - 1, alpha, beta);
        values.push(value);
        if mover == Seat::FIRST {
            alpha = alpha.max(value);
        } else {
            beta = beta.min(value);
        }
        if alpha >= beta {
            break;
        }
    }
    best(mover, values.into_iter())
}

#[test]
fn depth_limited_minimax() {
    for line in lines(include_str!("data/kalah_minimax.txt")) {
        let (stones, far_ahead) = match line[0] {
            "start-4" => (4, false),
            "start-6" => (6, false),
            "far-ahead" => (6, true),
            board => panic!("unknown board {board}"),
        };
        let game = Kalah::standard(6, stones).expect("valid rules");
        let position = if far_ahead {
            game.far_ahead().expect("six pits")
        } else {
            game.start()
        };
        let depth: u32 = number(line[1]);
        let value: i32 = number(line[2]);
        let root = pit_values(line[3]);
        if depth <= 8 {
            let mut tree = Tree::default();
            assert_eq!(tree.minimax(&game, &position, depth), value, "{line:?}");
            assert_eq!(tree.nodes, number::<u64>(line[4]), "{line:?}");
            assert_eq!(tree.leaves, number::<u64>(line[5]), "{line:?}");
        }
        if depth <= 11 {
            let values = each_move(&game, &position, |child| {
                alpha_beta(&game, child, depth - 1, -1000, 1000)
            });
            assert_eq!(values, root, "{line:?}");
            assert_eq!(
                best(Seat::FIRST, values.into_iter().map(|(_, value)| value)),
                value
            );
        } else {
            let found = alpha_beta(&game, &position, depth, -1000, 1000);
            assert_eq!(found, value, "{line:?}");
        }
    }
}
