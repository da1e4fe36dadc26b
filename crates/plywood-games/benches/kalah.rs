//! Speed of Kalah: one line per figure, the best of several runs.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use plywood::{Evaluate, Game, Moves, Turn, perft};
use plywood_games::Notation;
use plywood_games::kalah::{Kalah, Pit, Position, StoreDifference};

fn main() {
    // `cargo bench` says so; `cargo test --benches` only wants to see that they start.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    count_sequences(4, 9);
    count_sequences(6, 8);
    let game = Kalah::standard(6, 6).expect("valid rules");
    plain_minimax("start", &game, &game.start(), 8);
    plain_minimax("far ahead", &game, &game.far_ahead().expect("six pits"), 8);
    let positions = middle_game(&game);
    play_and_undo(&game, &positions);
    score_children(&game, &positions);
    hash(&game, &positions);
}

/// The fastest of some runs.
fn best<T>(runs: u32, mut run: impl FnMut() -> T) -> (Duration, T) {
    let timed = |run: &mut dyn FnMut() -> T| {
        let start = Instant::now();
        let result = run();
        (start.elapsed(), result)
    };
    let mut fastest = timed(&mut run);
    for _ in 1..runs {
        let next = timed(&mut run);
        if next.0 < fastest.0 {
            fastest = next;
        }
    }
    fastest
}

fn nanoseconds(time: Duration, operations: usize) -> f64 {
    time.as_secs_f64() * 1e9 / operations as f64
}

fn count_sequences(stones: u8, depth: u32) {
    let game = Kalah::standard(6, stones).expect("valid rules");
    let (time, lines) = best(50, || perft(&game, &game.start(), black_box(depth)));
    println!(
        "kalah(6,{stones}) perft {depth}: {lines} in {:.1} ms, {:.0} M/s",
        time.as_secs_f64() * 1e3,
        lines as f64 / time.as_secs_f64() / 1e6
    );
}

/// South's value; the last ply is scored in bulk. Counts every node of the tree.
fn minimax(
    game: &Kalah,
    position: &mut Position,
    depth: u32,
    buffer: &mut Vec<Pit>,
    nodes: &mut u64,
) -> i32 {
    *nodes += 1;
    let Turn::Player(mover) = game.turn(position) else {
        return StoreDifference.finished(game, position)[0];
    };
    let south = mover.index() == 0;
    let mut value = if south { i32::MIN } else { i32::MAX };
    let mut take = |child: i32| {
        value = if south {
            value.max(child)
        } else {
            value.min(child)
        };
    };
    if depth == 1 {
        let mut leaves = 0;
        StoreDifference.children(game, position, buffer, |_, scores| {
            leaves += 1;
            take(scores[0]);
            ControlFlow::Continue(())
        });
        *nodes += leaves;
        return value;
    }
    let start = buffer.len();
    game.moves(position, &mut Moves::new(buffer));
    for index in start..buffer.len() {
        let pit = buffer[index];
        let undo = game.play(position, pit);
        take(minimax(game, position, depth - 1, buffer, nodes));
        game.undo(position, pit, undo);
    }
    buffer.truncate(start);
    value
}

fn plain_minimax(name: &str, game: &Kalah, position: &Position, depth: u32) {
    let mut buffer = Vec::with_capacity(256);
    let (time, (value, nodes)) = best(20, || {
        let mut nodes = 0;
        let mut position = black_box(*position);
        let value = minimax(game, &mut position, depth, &mut buffer, &mut nodes);
        (value, nodes)
    });
    println!(
        "kalah(6,6) {name}, plain minimax depth {depth}: value {value}, {nodes} nodes in {:.2} ms, {:.1} ns a node",
        time.as_secs_f64() * 1e3,
        nanoseconds(time, nodes as usize)
    );
}

/// All positions five sowings from the start that go on.
fn middle_game(game: &Kalah) -> Vec<Position> {
    let mut positions = vec![game.start()];
    for _ in 0..5 {
        let mut next = Vec::new();
        for position in &positions {
            let mut list = Vec::new();
            game.moves(position, &mut Moves::new(&mut list));
            for pit in list {
                let mut child = *position;
                game.play(&mut child, pit);
                if game.turn(&child) != Turn::Over {
                    next.push(child);
                }
            }
        }
        positions = next;
    }
    positions
}

fn play_and_undo(game: &Kalah, positions: &[Position]) {
    let moves: Vec<Vec<Pit>> = positions
        .iter()
        .map(|position| {
            let mut list = Vec::new();
            game.moves(position, &mut Moves::new(&mut list));
            list
        })
        .collect();
    let count = moves.iter().map(Vec::len).sum();
    let (time, _) = best(50, || {
        for (position, moves) in positions.iter().zip(&moves) {
            let mut position = *position;
            for &pit in moves {
                let undo = game.play(&mut position, pit);
                black_box(&position);
                game.undo(&mut position, pit, undo);
            }
        }
    });
    println!(
        "kalah(6,6) play and undo: {:.2} ns",
        nanoseconds(time, count)
    );
}

fn score_children(game: &Kalah, positions: &[Position]) {
    let mut scratch = Vec::new();
    let (time, (_, leaves)) = best(50, || {
        let (mut sum, mut leaves) = (0, 0);
        for position in positions {
            let mut position = *position;
            StoreDifference.children(game, &mut position, &mut scratch, |_, scores| {
                sum += scores[0];
                leaves += 1;
                ControlFlow::Continue(())
            });
        }
        black_box((sum, leaves))
    });
    println!(
        "kalah(6,6) children: {:.2} ns a leaf",
        nanoseconds(time, leaves)
    );
}

fn hash(game: &Kalah, positions: &[Position]) {
    let (time, _) = best(50, || {
        let sum = positions.iter().fold(0, |sum: u64, position| {
            sum.wrapping_add(game.hash(position))
        });
        black_box(sum)
    });
    println!(
        "kalah(6,6) hash: {:.2} ns",
        nanoseconds(time, positions.len())
    );
}
