//! Speed of Gomoku: moves, evaluations, and ten moves of self-play as in the report.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use plywood::evaluate::leaf_scores;
use plywood::{Evaluate, Game, Moves, Turn, perft};
use plywood_games::Notation;
use plywood_games::gomoku::{Candidates, Gomoku, Point, Position, Report, Rule, Settings, Threats};

/// How often everything is measured; the best counts.
const RUNS: usize = 100;

fn main() {
    // `cargo bench` says so; `cargo test --benches` only wants to know that this starts.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    for rule in [Rule::Freestyle, Rule::ExactlyFive, Rule::Renju] {
        basics(rule);
    }
    count_games();
    self_play();
}

fn best(mut run: impl FnMut()) -> Duration {
    (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed()
        })
        .min()
        .unwrap_or_default()
}

fn report(what: &str, time: Duration, times: usize) {
    println!(
        "gomoku {what}: {:.1} ns",
        time.as_nanos() as f64 / times as f64
    );
}

/// Positions of a few games in which both sides play promising moves.
fn positions(game: &Gomoku) -> Vec<Position> {
    let mut positions = Vec::new();
    let mut random = 1u64;
    while positions.len() < 200 {
        let mut state = game.start();
        for _ in 0..40 {
            let mut list = moves_of(game, &state);
            list.sort_by_key(|&point| -game.priority(&state, point));
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let choice = (random >> 33) as usize % list.len().min(4);
            game.play(&mut state, list[choice]);
            if game.turn(&state) == Turn::Over {
                break;
            }
            positions.push(state.clone());
        }
    }
    positions
}

fn moves_of(game: &Gomoku, state: &Position) -> Vec<Point> {
    let mut list = Vec::new();
    game.moves(state, &mut Moves::new(&mut list));
    list
}

fn basics(rule: Rule) {
    let game = Gomoku::new(Settings {
        rule,
        ..Settings::default()
    })
    .expect("valid settings");
    let name = format!("{rule:?}").to_lowercase();
    let mut positions = positions(&game);
    let lists: Vec<_> = positions
        .iter()
        .map(|state| moves_of(&game, state))
        .collect();
    let moves: usize = lists.iter().map(Vec::len).sum();

    let time = best(|| {
        for (state, list) in positions.iter_mut().zip(&lists) {
            for &point in list {
                let undo = game.play(state, black_box(point));
                game.undo(state, point, undo);
            }
        }
    });
    report(&format!("play and undo ({name})"), time, moves);

    let mut list = Vec::with_capacity(400);
    let time = best(|| {
        for state in &positions {
            list.clear();
            game.moves(black_box(state), &mut Moves::new(&mut list));
            black_box(&list);
        }
    });
    report(
        &format!(
            "list moves ({name}, {} on average)",
            moves / positions.len()
        ),
        time,
        positions.len(),
    );

    let time = best(|| {
        for (state, list) in positions.iter().zip(&lists) {
            for &point in list {
                black_box(game.priority(state, black_box(point)));
            }
        }
    });
    report(&format!("priority of a move ({name})"), time, moves);

    evaluation(&game, &name, "report", &Report, &mut positions, moves);
    evaluation(&game, &name, "threats", &Threats, &mut positions, moves);
}

fn evaluation<E: Evaluate<Gomoku>>(
    game: &Gomoku,
    rule: &str,
    name: &str,
    eval: &E,
    positions: &mut [Position],
    moves: usize,
) {
    let time = best(|| {
        for state in positions.iter() {
            black_box(eval.evaluate(game, black_box(state)));
        }
    });
    report(&format!("evaluate {name} ({rule})"), time, positions.len());
    let mut scratch = Vec::with_capacity(400);
    let time = best(|| {
        for state in positions.iter_mut() {
            let mut best = i32::MIN;
            eval.children(game, state, &mut scratch, |_, scores| {
                best = best.max(scores[0]);
                ControlFlow::Continue(())
            });
            black_box(best);
        }
    });
    report(&format!("children {name}, a leaf ({rule})"), time, moves);
}

fn count_games() {
    let game = Gomoku::new(Settings {
        candidates: Candidates::Near(1),
        ..Settings::default()
    })
    .expect("valid settings");
    let start = game.start();
    let mut leaves = 0;
    let time = best(|| leaves = perft(&game, black_box(&start), 6));
    let speed = leaves as f64 / time.as_secs_f64() / 1e6;
    println!("gomoku perft 6, 15x15, distance 1: {leaves} leaves, {speed:.0} M/s");
}

/// A plain alpha-beta search: fail-soft, moves ordered by priority, no table.
struct Search<'a> {
    game: &'a Gomoku,
    nodes: u64,
    lists: Vec<Vec<(i32, Point)>>,
    scratch: Vec<Point>,
}

impl Search<'_> {
    /// The value for the player to move, and the best move.
    fn search(
        &mut self,
        state: &mut Position,
        depth: usize,
        mut alpha: i32,
        beta: i32,
    ) -> (i32, Option<Point>) {
        let seat = match self.game.turn(state) {
            Turn::Player(seat) if depth > 0 => seat.index(),
            _ => {
                self.nodes += 1;
                let seat = state.to_move() as usize;
                return (leaf_scores(&Report, self.game, state)[seat], None);
            }
        };
        self.nodes += 1;
        let mut best = (-i32::MAX, None);
        if depth == 1 {
            let nodes = &mut self.nodes;
            Report.children(self.game, state, &mut self.scratch, |point, scores| {
                *nodes += 1;
                if scores[seat] > best.0 {
                    best = (scores[seat], Some(point));
                }
                if best.0 >= beta {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            });
            return best;
        }
        self.game.moves(state, &mut Moves::new(&mut self.scratch));
        let mut list = std::mem::take(&mut self.lists[depth]);
        list.clear();
        for point in self.scratch.drain(..) {
            list.push((-self.game.priority(state, point), point));
        }
        list.sort_unstable();
        for &(_, point) in &list {
            let undo = self.game.play(state, point);
            let value = -self.search(state, depth - 1, -beta, -alpha).0;
            self.game.undo(state, point, undo);
            if value > best.0 {
                best = (value, Some(point));
                alpha = alpha.max(value);
                if alpha >= beta {
                    break;
                }
            }
        }
        self.lists[depth] = list;
        best
    }
}

fn self_play() {
    let game = Gomoku::report();
    let mut line = String::new();
    let mut nodes = 0;
    let time = best(|| {
        let mut search = Search {
            game: &game,
            nodes: 0,
            lists: vec![Vec::new(); 6],
            scratch: Vec::new(),
        };
        line.clear();
        let mut state = game.start();
        game.play(&mut state, Point::new(7, 7));
        for _ in 0..10 {
            if game.turn(&state) == Turn::Over {
                break;
            }
            let (_, best) = search.search(&mut state, 5, -i32::MAX, i32::MAX);
            let point = best.expect("a move");
            game.play(&mut state, point);
            line.push_str(&format!(" {point}"));
        }
        nodes = search.nodes;
    });
    println!(
        "gomoku ten moves of self-play, depth 5, no table: {:.2} ms, {nodes} nodes, {:.1} ns a node:{line}",
        time.as_secs_f64() * 1e3,
        time.as_nanos() as f64 / nodes as f64
    );
}
