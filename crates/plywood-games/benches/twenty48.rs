//! Speed of 2048: one line per figure, the best of several runs.
//! `cargo bench -p plywood-games --bench twenty48 -- expectimax` prints only those of expectimax.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use plywood::evaluate::leaf_scores;
use plywood::{Chances, Engine, Evaluate, Game, Limits, Moves, Settings, Turn};
use plywood_games::twenty48::{
    BoardOnly, Direction, Heuristic, Move, Position, RandomSpawner, Report, Smooth, Twenty48,
    WithScore,
};

fn main() {
    // `cargo bench` says so; `cargo test --benches` only wants to see that they start.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let game = Twenty48::new();
    if !std::env::args().any(|argument| argument == "expectimax") {
        small_steps(&game);
    }
    expectimax_game("report", BoardOnly(Report::new()), &game);
    expectimax_game("report+score", WithScore(Report::new()), &game);
    expectimax_game("smooth", BoardOnly(Smooth::new()), &game);
}

fn small_steps(game: &Twenty48) {
    let positions = middle_game(game);
    slides(game, &positions);
    legal_slides(game, &positions);
    list_chances(game, &positions);
    evaluate("report", &Report::new(), &positions);
    evaluate("smooth", &Smooth::new(), &positions);
    score_children("report", &BoardOnly(Report::new()), game, &positions);
    score_children("smooth", &BoardOnly(Smooth::new()), game, &positions);
    playouts(game);
    worst_case_game(game);
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

/// The slide whose board is worth most before its new tile.
fn greedy(game: &Twenty48, eval: &impl Evaluate<Twenty48>, position: &Position) -> Move {
    let mut choice = None;
    let mut state = *position;
    eval.children(game, &mut state, &mut Vec::new(), |mv, [value]| {
        if choice.is_none_or(|(_, best)| value > best) {
            choice = Some((mv, value));
        }
        ControlFlow::Continue(())
    });
    choice.expect("a legal slide").0
}

/// Positions with the player to slide, from a few games played greedily.
fn middle_game(game: &Twenty48) -> Vec<Position> {
    let eval = BoardOnly(Report::new());
    let mut positions = Vec::new();
    for seed in 0..20 {
        let mut spawner = RandomSpawner::new(seed);
        let mut position = game.new_game(&mut spawner);
        while game.turn(&position) != Turn::Over {
            positions.push(position);
            let slide = greedy(game, &eval, &position);
            game.play(&mut position, slide);
            let spawn = spawner.spawn(&position).expect("room after a slide");
            game.play(&mut position, spawn);
        }
    }
    positions
}

fn slides(game: &Twenty48, positions: &[Position]) {
    for direction in Direction::ALL {
        let (time, _) = best(50, || {
            let (mut boards, mut scores) = (0, 0);
            for position in positions {
                let (board, gained) = game.slide(position.board(), direction);
                // Adding up keeps the results in registers.
                boards += u32::from(board.rows().is_some_and(|rows| rows[0] == rows[3]));
                scores += gained;
            }
            black_box((boards, scores))
        });
        println!(
            "2048 slide {}: {:.2} ns",
            direction.name(),
            nanoseconds(time, positions.len())
        );
    }
}

fn legal_slides(game: &Twenty48, positions: &[Position]) {
    let mut list = Vec::with_capacity(16);
    let (time, _) = best(50, || {
        for position in positions {
            list.clear();
            game.moves(position, &mut Moves::new(&mut list));
            black_box(&list);
        }
    });
    println!(
        "2048 list slides: {:.2} ns",
        nanoseconds(time, positions.len())
    );
}

fn list_chances(game: &Twenty48, positions: &[Position]) {
    let mut events = Vec::with_capacity(64);
    let mut probabilities = Vec::with_capacity(64);
    let positions: Vec<Position> = positions
        .iter()
        .map(|position| {
            let mut after = *position;
            let eval = BoardOnly(Report::new());
            game.play(&mut after, greedy(game, &eval, position));
            after
        })
        .collect();
    let (time, count) = best(50, || {
        let mut count = 0;
        for position in &positions {
            events.clear();
            probabilities.clear();
            game.chances(position, &mut Chances::new(&mut events, &mut probabilities));
            black_box((&events, &probabilities));
            count += events.len();
        }
        count
    });
    println!(
        "2048 list chances: {:.1} ns, {:.2} ns an event",
        nanoseconds(time, positions.len()),
        nanoseconds(time, count)
    );
}

fn evaluate(name: &str, heuristic: &impl Heuristic, positions: &[Position]) {
    let (time, _) = best(50, || {
        let sum: i64 = positions
            .iter()
            .map(|position| i64::from(heuristic.value(position.board())))
            .sum();
        black_box(sum)
    });
    println!(
        "2048 evaluate ({name}): {:.2} ns",
        nanoseconds(time, positions.len())
    );
}

fn score_children(
    name: &str,
    eval: &impl Evaluate<Twenty48>,
    game: &Twenty48,
    positions: &[Position],
) {
    let mut scratch = Vec::new();
    let (time, (_, count)) = best(50, || {
        let (mut sum, mut count) = (0i64, 0);
        for position in positions {
            let mut position = *position;
            eval.children(game, &mut position, &mut scratch, |_, [value]| {
                sum += i64::from(value);
                count += 1;
                ControlFlow::Continue(())
            });
        }
        black_box((sum, count))
    });
    println!(
        "2048 children ({name}): {:.2} ns a leaf",
        nanoseconds(time, count)
    );
}

fn playouts(game: &Twenty48) {
    let (time, (games, moves)) = best(5, || {
        let mut moves = 0usize;
        let mut list = Vec::with_capacity(4);
        let mut spawner = RandomSpawner::new(1);
        let mut choice = 0u64;
        let games = 500;
        for _ in 0..games {
            let mut position = game.new_game(&mut spawner);
            while game.turn(&position) != Turn::Over {
                list.clear();
                game.moves(&position, &mut Moves::new(&mut list));
                choice = choice
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                let index = ((choice >> 32) * list.len() as u64) >> 32;
                game.play(&mut position, list[index as usize]);
                let spawn = spawner.spawn(&position).expect("room after a slide");
                game.play(&mut position, spawn);
                moves += 1;
            }
        }
        (games, moves)
    });
    println!(
        "2048 random playouts: {:.0} a second, {:.1} ns a move and its tile",
        f64::from(games) / time.as_secs_f64(),
        nanoseconds(time, moves)
    );
}

/// The buffers of a search.
struct Search<'a, E> {
    eval: &'a E,
    game: Twenty48,
    moves: Vec<Move>,
    probabilities: Vec<f64>,
    nodes: usize,
}

impl<'a, E: Evaluate<Twenty48>> Search<'a, E> {
    fn new(game: &Twenty48, eval: &'a E) -> Self {
        Search {
            eval,
            game: *game,
            moves: Vec::with_capacity(1024),
            probabilities: Vec::with_capacity(1024),
            nodes: 0,
        }
    }

    /// The expected value with this many slides to come, the last judged before its tile.
    fn expected_slide(&mut self, position: &mut Position, slides: u32) -> (f64, Option<Move>) {
        self.nodes += 1;
        if self.game.turn(position) == Turn::Over {
            return (f64::from(self.eval.finished(&self.game, position)[0]), None);
        }
        let mut best = (f64::NEG_INFINITY, None);
        let start = self.moves.len();
        if slides == 1 {
            let mut leaves = 0;
            let visit = |mv, [value]: [i32; 1]| {
                leaves += 1;
                if f64::from(value) > best.0 {
                    best = (f64::from(value), Some(mv));
                }
                ControlFlow::Continue(())
            };
            self.eval
                .children(&self.game, position, &mut self.moves, visit);
            self.nodes += leaves;
            return best;
        }
        self.game.moves(position, &mut Moves::new(&mut self.moves));
        for index in start..self.moves.len() {
            let mv = self.moves[index];
            let undo = self.game.play(position, mv);
            let value = self.expected_spawn(position, slides - 1);
            self.game.undo(position, mv, undo);
            if value > best.0 {
                best = (value, Some(mv));
            }
        }
        self.moves.truncate(start);
        best
    }

    fn expected_spawn(&mut self, position: &mut Position, slides: u32) -> f64 {
        self.nodes += 1;
        let (start, first) = self.list_spawns(position);
        let mut sum = 0.0;
        for index in start..self.moves.len() {
            let mv = self.moves[index];
            let probability = self.probabilities[first + index - start];
            let undo = self.game.play(position, mv);
            sum += probability * self.expected_slide(position, slides).0;
            self.game.undo(position, mv, undo);
        }
        self.moves.truncate(start);
        self.probabilities.truncate(first);
        sum
    }

    fn list_spawns(&mut self, position: &Position) -> (usize, usize) {
        let (start, first) = (self.moves.len(), self.probabilities.len());
        self.game.chances(
            position,
            &mut Chances::new(&mut self.moves, &mut self.probabilities),
        );
        (start, first)
    }

    /// The value against the worst new tiles, within the window; `plies` slides and tiles.
    fn worst_slide(
        &mut self,
        position: &mut Position,
        plies: u32,
        mut alpha: i32,
        beta: i32,
    ) -> (i32, Option<Move>) {
        self.nodes += 1;
        if plies == 0 {
            return (leaf_scores(self.eval, &self.game, position)[0], None);
        }
        if self.game.turn(position) == Turn::Over {
            return (self.eval.finished(&self.game, position)[0], None);
        }
        let start = self.moves.len();
        self.game.moves(position, &mut Moves::new(&mut self.moves));
        let mut best = (i32::MIN, None);
        for index in start..self.moves.len() {
            let mv = self.moves[index];
            let undo = self.game.play(position, mv);
            let value = self.worst_spawn(position, plies - 1, alpha, beta);
            self.game.undo(position, mv, undo);
            if value > best.0 {
                best = (value, Some(mv));
                alpha = alpha.max(value);
                if alpha >= beta {
                    break;
                }
            }
        }
        self.moves.truncate(start);
        best
    }

    fn worst_spawn(
        &mut self,
        position: &mut Position,
        plies: u32,
        alpha: i32,
        mut beta: i32,
    ) -> i32 {
        self.nodes += 1;
        let (start, first) = self.list_spawns(position);
        self.probabilities.truncate(first);
        let mut worst = i32::MAX;
        for index in start..self.moves.len() {
            let mv = self.moves[index];
            let undo = self.game.play(position, mv);
            let value = self.worst_slide(position, plies - 1, alpha, beta).0;
            self.game.undo(position, mv, undo);
            if value < worst {
                worst = value;
                beta = beta.min(value);
                if alpha >= beta {
                    break;
                }
            }
        }
        self.moves.truncate(start);
        worst
    }
}

/// Plays this many moves, of as many games as that takes, with random new tiles; the sum
/// of the scores of the games that ended, and how many did.
fn play_moves(
    game: &Twenty48,
    moves: u32,
    mut choose: impl FnMut(&mut Position) -> Option<Move>,
) -> (u64, u32) {
    let mut spawner = RandomSpawner::new(2048);
    let mut position = game.new_game(&mut spawner);
    let (mut scores, mut games) = (0, 0);
    for _ in 0..moves {
        let mv = choose(&mut position).expect("a legal slide");
        game.play(&mut position, mv);
        let spawn = spawner.spawn(&position).expect("room after a slide");
        game.play(&mut position, spawn);
        if game.turn(&position) == Turn::Over {
            scores += u64::from(position.score());
            games += 1;
            position = game.new_game(&mut spawner);
        }
    }
    (scores, games)
}

/// Games by expectimax of three slides, without table and cuts: as it is written down above,
/// board by board, and by the library's engine on one thread. Both see the same nodes.
fn expectimax_game(name: &str, eval: impl Evaluate<Twenty48>, game: &Twenty48) {
    let moves = 2_000;
    let tell = |how: &str, time: Duration, nodes: usize| {
        println!(
            "2048 expectimax of 3 slides ({name}), {how}: {:.0} M nodes/s, {:.1} us a move, {} nodes a move",
            nodes as f64 / time.as_secs_f64() / 1e6,
            time.as_secs_f64() * 1e6 / f64::from(moves),
            nodes / moves as usize
        );
    };
    let (time, by_hand) = best(5, || {
        let mut search = Search::new(game, &eval);
        play_moves(game, moves, |position| search.expected_slide(position, 3).1);
        search.nodes
    });
    tell("board by board", time, by_hand);
    let settings = Settings::new("expectimax:no-table").expect("a search of the library");
    let mut engine = Engine::new(*game, eval, settings).expect("a search for this game");
    let (time, nodes) = best(5, || {
        let mut nodes = 0;
        play_moves(game, moves, |position| {
            let report = engine.search(position, &Limits::depth(3));
            nodes += report.nodes.total() as usize;
            report.best
        });
        nodes
    });
    tell("by the library", time, nodes);
    assert_eq!(nodes, by_hand, "both count every position they judge");
}

fn worst_case_game(game: &Twenty48) {
    let moves = 1_145;
    let eval = BoardOnly(Report::new());
    let (time, (nodes, games)) = best(5, || {
        let mut search = Search::new(game, &eval);
        let (_, games) = play_moves(game, moves, |position| {
            search.worst_slide(position, 4, i32::MIN, i32::MAX).1
        });
        (search.nodes, games)
    });
    println!(
        "2048 worst case of 2 slides and 2 tiles (report), {moves} moves in {} games: {:.1} ms, {:.1} us a move, {} nodes a move, {:.1} ns a node",
        games + 1,
        time.as_secs_f64() * 1e3,
        time.as_secs_f64() * 1e6 / f64::from(moves),
        nodes / moves as usize,
        nanoseconds(time, nodes)
    );
}
