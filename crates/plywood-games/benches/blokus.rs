//! Speed of Blokus: counting, listing and testing for moves, playing, evaluating all
//! children, random games, and a plain MaxN of depth 4 from the start.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use plywood::{Engine, Evaluate, Game, Limits, Moves, Settings, perft};
use plywood_games::Notation;
use plywood_games::blokus::{
    Blokus, Classic, LiveCorners, Move, Path, ReportCorners, SquaresPlaced, State,
};

/// The shortest of several runs.
fn best_of(runs: u32, mut run: impl FnMut()) -> Duration {
    let times = (0..runs).map(|_| {
        let start = Instant::now();
        run();
        start.elapsed()
    });
    times.min().unwrap_or_default()
}

fn print_each(what: &str, path: Path, time: Duration, number: usize) {
    let each = time.as_secs_f64() * 1e9 / number as f64;
    println!("blokus {what} ({}): {each:.1} ns", path.name());
}

/// A generator of numbers that costs next to nothing.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((u128::from(self.0) * limit as u128) >> 64) as usize
    }
}

fn list<const COLOURS: usize>(
    game: &Blokus<COLOURS>,
    state: &State<COLOURS>,
    moves: &mut Vec<Move>,
) {
    moves.clear();
    game.moves(state, &mut Moves::new(moves));
}

/// Positions from the middle of random games in which every colour prefers its largest
/// pieces.
fn middle_game(game: &Classic) -> Vec<State<4>> {
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    let mut positions = Vec::new();
    let mut moves = Vec::new();
    for _ in 0..60 {
        let mut state = game.start();
        for ply in 0.. {
            if state.mover().is_none() {
                break;
            }
            if (16..48).contains(&ply) {
                positions.push(state.clone());
            }
            list(game, &state, &mut moves);
            let largest = moves.iter().map(|mv| mv.piece().size()).max();
            moves.retain(|mv| Some(mv.piece().size()) == largest);
            game.play(&mut state, moves[numbers.below(moves.len())]);
        }
    }
    positions
}

/// One game of uniformly random moves; its length.
fn playout(game: &Classic, numbers: &mut Numbers) -> usize {
    let mut state = game.start();
    let mut plies = 0;
    while state.mover().is_some() {
        let count = game.count_moves(&state, &mut Vec::new());
        let mv = game.nth_move(&state, numbers.below(count));
        game.play(&mut state, mv.expect("a move below the count"));
        plies += 1;
    }
    plies
}

/// MaxN that makes every move but those of the last ply.
fn maxn<E: Evaluate<Classic>>(
    game: &Classic,
    eval: &E,
    state: &mut State<4>,
    depth: u32,
    moves: &mut Vec<Move>,
    leaves: &mut u64,
) -> [i32; 4] {
    let Some(mover) = state.mover() else {
        return eval.finished(game, state);
    };
    let mut best = [i32::MIN; 4];
    if depth == 1 {
        let mut visited = 0;
        eval.children(game, state, moves, |_, scores| {
            visited += 1;
            if scores[mover] > best[mover] {
                best = scores;
            }
            ControlFlow::Continue(())
        });
        *leaves += visited;
        return best;
    }
    let start = moves.len();
    game.moves(state, &mut Moves::new(moves));
    for index in start..moves.len() {
        let mv = moves[index];
        let undo = game.play(state, mv);
        let scores = maxn(game, eval, state, depth - 1, moves, leaves);
        game.undo(state, mv, undo);
        if scores[mover] > best[mover] {
            best = scores;
        }
    }
    moves.truncate(start);
    best
}

/// The positions after three plies.
fn after_three_plies(game: &Classic) -> Vec<State<4>> {
    let mut numbers = Numbers(3);
    let mut moves = Vec::new();
    let positions = (0..500).map(|_| {
        let mut state = game.start();
        for _ in 0..3 {
            list(game, &state, &mut moves);
            game.play(&mut state, moves[numbers.below(moves.len())]);
        }
        state
    });
    positions.collect()
}

fn children_per_leaf<E: Evaluate<Classic>>(
    what: &str,
    game: &Classic,
    eval: &E,
    positions: &mut [State<4>],
) {
    let mut moves = Vec::new();
    let mut leaves = 0;
    let time = best_of(20, || {
        leaves = 0;
        let mut sum = 0;
        for state in positions.iter_mut() {
            eval.children(game, state, &mut moves, |_, scores| {
                leaves += 1;
                sum += scores[0] + scores[1] + scores[2] + scores[3];
                ControlFlow::Continue(())
            });
        }
        black_box(sum);
    });
    print_each(what, game.path(), time, leaves);
}

fn measure(game: &Classic) {
    let path = game.path();
    let mut positions = middle_game(game);
    let number = positions.len();
    let mut moves = Vec::new();
    let mut total = 0;
    let time = best_of(20, || {
        let counts = positions
            .iter()
            .map(|state| game.count_moves(state, &mut moves));
        total = black_box(counts.sum::<usize>());
    });
    print_each("count moves", path, time, number);
    println!(
        "blokus moves of a middle-game position: {:.0} on average of {number}",
        total as f64 / number as f64
    );
    let time = best_of(20, || {
        for state in &positions {
            list(game, state, &mut moves);
            black_box(&moves);
        }
    });
    print_each("list moves", path, time, number);
    let time = best_of(20, || {
        for state in &positions {
            black_box(
                (0..4)
                    .filter(|&colour| game.can_move(state, colour))
                    .count(),
            );
        }
    });
    print_each("has a move", path, time, 4 * number);
    let lists: Vec<_> = positions
        .iter()
        .map(|state| {
            list(game, state, &mut moves);
            moves.clone()
        })
        .collect();
    let played: usize = lists.iter().map(Vec::len).sum();
    let time = best_of(5, || {
        for (state, moves) in positions.iter_mut().zip(&lists) {
            for &mv in moves {
                let undo = game.play(state, mv);
                black_box(&*state);
                game.undo(state, mv, undo);
            }
        }
    });
    print_each("play and undo", path, time, played);

    let mut early = after_three_plies(game);
    children_per_leaf("child at ply 3, report", game, &ReportCorners, &mut early);
    children_per_leaf("child at ply 3, live", game, &LiveCorners, &mut early);
    children_per_leaf(
        "child in the middle, report",
        game,
        &ReportCorners,
        &mut positions,
    );
    children_per_leaf(
        "child in the middle, live",
        game,
        &LiveCorners,
        &mut positions,
    );
    children_per_leaf(
        "child in the middle, squares",
        game,
        &SquaresPlaced,
        &mut positions,
    );

    let mut numbers = Numbers(1);
    let mut plies = 0;
    let time = best_of(30, || {
        numbers = Numbers(1);
        plies = (0..100).map(|_| playout(game, &mut numbers)).sum();
    });
    println!(
        "blokus uniform random games ({}): {:.1} k/s of {:.1} plies",
        path.name(),
        0.1 / time.as_secs_f64(),
        plies as f64 / 100.0
    );
    let middle = &positions[12];
    let mut lines = 0;
    let time = best_of(3, || lines = perft(game, middle, 3));
    println!(
        "blokus perft(3) in the middle ({}): {:.0} M/s of {lines}",
        path.name(),
        lines as f64 / time.as_secs_f64() / 1e6
    );
}

fn measure_maxn(game: &Classic) {
    let mut leaves = 0;
    let mut value = [0; 4];
    let mut moves = Vec::new();
    let time = best_of(10, || {
        leaves = 0;
        value = maxn(
            game,
            &ReportCorners,
            &mut game.start(),
            4,
            &mut moves,
            &mut leaves,
        );
    });
    println!(
        "blokus MaxN depth 4 from the start ({}): {:.3} s, {leaves} leaves, value {value:?}",
        game.path().name(),
        time.as_secs_f64()
    );
}

/// The same by the library, to see what its generality costs.
fn measure_library(game: Classic) {
    let settings = Settings::new("maxn").expect("a search of this name exists");
    let path = game.path();
    let mut engine = Engine::new(game, ReportCorners, settings).expect("MaxN fits Blokus");
    let start = engine.game().start();
    let mut nodes = 0;
    let time = best_of(10, || {
        nodes = engine.search(&start, &Limits::depth(4)).nodes.total();
    });
    println!(
        "blokus MaxN depth 4 by the library ({}): {:.3} s, {nodes} nodes",
        path.name(),
        time.as_secs_f64()
    );
}

fn main() {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--test") {
        return;
    }
    // Names of paths select them; without any, all are measured.
    let is_named = |path: &Path| arguments.iter().any(|argument| argument == path.name());
    let all = !Path::ALL.iter().any(is_named);
    for path in Path::ALL
        .into_iter()
        .rev()
        .filter(|path| all || is_named(path))
    {
        if let Some(game) = Classic::with_path(path) {
            measure(&game);
            measure_maxn(&game);
            measure_library(game);
        }
    }
}
