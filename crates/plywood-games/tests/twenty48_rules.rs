//! 2048's fast paths against a slow referee written without looking at them.

use std::ops::ControlFlow;

use plywood::evaluate::leaf_scores;
use plywood::{Chances, Evaluate, Game, Moves, Seat, Turn};
use plywood_games::twenty48::{
    Board, BoardOnly, Cell, Direction, EmptyCells, Heuristic, Move, NewTile, Position,
    RandomSpawner, Report, Smooth, Twenty48, WithScore, Zero,
};
use plywood_games::{Notation, Style};
use proptest::prelude::*;

type Grid = [[u32; 4]; 4];

fn grid_of(board: Board) -> Grid {
    let tiles = board
        .exponents()
        .map(|e| if e == 0 { 0 } else { 1u32 << e });
    std::array::from_fn(|row| std::array::from_fn(|column| tiles[4 * row + column]))
}

/// Turned by a quarter, so that what was the top row is the last column.
fn turned(grid: Grid) -> Grid {
    std::array::from_fn(|row| std::array::from_fn(|column| grid[3 - column][row]))
}

fn slid_left(grid: Grid) -> (Grid, u32) {
    let mut gained = 0;
    let rows = grid.map(|row| {
        let mut tiles: Vec<u32> = row.into_iter().filter(|&tile| tile > 0).collect();
        let mut at = 0;
        while at + 1 < tiles.len() {
            if tiles[at] == tiles[at + 1] && tiles[at] < 131_072 {
                tiles[at] *= 2;
                gained += tiles[at];
                tiles.remove(at + 1);
            }
            at += 1;
        }
        tiles.resize(4, 0);
        [tiles[0], tiles[1], tiles[2], tiles[3]]
    });
    (rows, gained)
}

fn slid(grid: Grid, direction: Direction) -> (Grid, u32) {
    let quarters = match direction {
        Direction::Left => 0,
        Direction::Down => 1,
        Direction::Right => 2,
        Direction::Up => 3,
    };
    let towards_left = (0..quarters).fold(grid, |grid, _| turned(grid));
    let (after, gained) = slid_left(towards_left);
    let back = (0..(4 - quarters) % 4).fold(after, |grid, _| turned(grid));
    (back, gained)
}

/// Exponents of all sizes, the rare large ones and boards full of equals among them.
fn boards() -> impl Strategy<Value = Board> {
    let cell = prop_oneof![Just(0u8), 1u8..=3, 1u8..=15, 14u8..=17];
    let few = prop_oneof![Just(0u8), 1u8..=2];
    let full = 1u8..=17;
    prop_oneof![
        prop::array::uniform16(cell),
        prop::array::uniform16(few),
        prop::array::uniform16(full),
        prop::array::uniform16(0u8..=15),
    ]
    .prop_map(|exponents| Board::from_exponents(exponents).expect("small exponents"))
}

fn legal_moves(game: &Twenty48, position: &Position) -> Vec<Move> {
    let mut list = Vec::new();
    game.moves(position, &mut Moves::new(&mut list));
    list
}

fn check_children<E: Evaluate<Twenty48>>(game: &Twenty48, position: &Position, eval: &E) {
    let mut found = Vec::new();
    let mut state = *position;
    eval.children(game, &mut state, &mut Vec::new(), |mv, scores| {
        found.push((mv, scores));
        ControlFlow::Continue(())
    });
    assert_eq!(&state, position);
    let expected: Vec<_> = legal_moves(game, position)
        .into_iter()
        .map(|mv| {
            let mut child = *position;
            game.play(&mut child, mv);
            (mv, leaf_scores(eval, game, &child))
        })
        .collect();
    assert_eq!(found, expected);
    let mut visited = 0;
    eval.children(game, &mut state, &mut Vec::new(), |_, _| {
        visited += 1;
        ControlFlow::Break(())
    });
    assert_eq!(visited, 1);
}

/// The report's evaluation as its text has it, on tile values.
fn report_value(grid: Grid) -> i32 {
    const WEIGHTS: [[i32; 4]; 4] = [[10, 8, 6, 4], [8, 8, 6, 2], [6, 6, 4, 1], [4, 2, 1, 1]];
    let mut value = 0;
    for (row, weights) in grid.iter().zip(WEIGHTS) {
        for column in 0..4 {
            value += row[column] as i32 * weights[column];
            if row[column] == 0 {
                value += 100;
            }
            if column > 0 {
                value -= 10 * row[column].abs_diff(row[column - 1]) as i32;
            }
        }
    }
    if grid.iter().any(|row| row.iter().max() == Some(&2048)) {
        value += 1000;
    }
    value
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn boards_slide_as_the_referee_says(board in boards()) {
        let game = Twenty48::new();
        let grid = grid_of(board);
        let mut legal = Vec::new();
        for direction in Direction::ALL {
            let (expected, expected_gain) = slid(grid, direction);
            let (after, gained) = game.slide(board, direction);
            prop_assert_eq!(grid_of(after), expected, "{:?}", direction);
            prop_assert_eq!(gained, expected_gain, "{:?}", direction);
            if expected != grid {
                legal.push(Move::Slide(direction));
            }
        }
        let empty: Vec<usize> = (0..16).filter(|&cell| grid[cell / 4][cell % 4] == 0).collect();
        let found: Vec<usize> = board.empty_cells().map(|cell| cell.index().into()).collect();
        prop_assert_eq!(&found, &empty);
        prop_assert_eq!(board.count_empty() as usize, empty.len());
        prop_assert_eq!(Report::new().value(board), report_value(grid));
        prop_assert_eq!(EmptyCells.value(board) as usize, empty.len());

        let position = Position::player_to_slide(board, 123).expect("a small score");
        let expected_turn = match (board.is_empty(), legal.is_empty()) {
            (true, _) => Turn::Chance,
            (_, true) => Turn::Over,
            _ => Turn::Player(Seat::FIRST),
        };
        prop_assert_eq!(game.turn(&position), expected_turn);
        match expected_turn {
            Turn::Player(_) => {
                prop_assert_eq!(game.count_moves(&position, &mut Vec::new()), legal.len());
                prop_assert_eq!(legal_moves(&game, &position), legal);
                check_children(&game, &position, &BoardOnly(Report::new()));
                check_children(&game, &position, &WithScore(Report::new()));
                check_children(&game, &position, &WithScore(Zero));
                check_children(&game, &position, &WithScore(Smooth::new()));
            }
            Turn::Over => prop_assert_eq!(game.outcome(&position), [123]),
            Turn::Chance => {}
        }
    }

    #[test]
    fn smooth_sees_no_difference_between_mirrored_boards(board in boards()) {
        let grid = grid_of(board);
        let as_board = |grid: Grid| {
            let exponents = grid.as_flattened().iter().map(|&tile| {
                if tile == 0 { 0 } else { tile.ilog2() as u8 }
            });
            let exponents: Vec<u8> = exponents.collect();
            Board::from_exponents(exponents.try_into().expect("16 cells")).expect("a board")
        };
        let value = Smooth::new().value(board);
        let mirrored = grid.map(|mut row| { row.reverse(); row });
        for mut grid in [grid, mirrored] {
            for _ in 0..4 {
                grid = turned(grid);
                prop_assert_eq!(Smooth::new().value(as_board(grid)), value);
            }
        }
    }

    #[test]
    fn random_games(seed in any::<u64>(), choices in prop::collection::vec(any::<u8>(), 0..120), given in prop::option::of(boards())) {
        let game = Twenty48::new();
        let mut spawner = RandomSpawner::new(seed);
        let start = match given {
            Some(board) => Position::player_to_slide(board, 0).expect("a small score"),
            None => game.start(),
        };
        let mut position = start;
        let mut played = Vec::new();
        for choice in choices {
            let text = game.write_state(&position);
            prop_assert_eq!(game.read_state(&text), Ok(position));
            let mv = match game.turn(&position) {
                Turn::Player(_) => {
                    let legal = legal_moves(&game, &position);
                    legal[usize::from(choice) % legal.len()]
                }
                Turn::Chance => {
                    let (mut events, mut probabilities) = (Vec::new(), Vec::new());
                    game.chances(&position, &mut Chances::new(&mut events, &mut probabilities));
                    let empty: Vec<Cell> = position.board().empty_cells().collect();
                    let expected: Vec<Move> = empty
                        .iter()
                        .flat_map(|&cell| {
                            [NewTile::Two, NewTile::Four].map(|tile| Move::Spawn { cell, tile })
                        })
                        .collect();
                    prop_assert_eq!(&events, &expected);
                    for (event, probability) in events.iter().zip(&probabilities) {
                        let Move::Spawn { tile, .. } = event else { panic!("chance spawns") };
                        let share = if *tile == NewTile::Two { 0.9 } else { 0.1 };
                        prop_assert!((probability * empty.len() as f64 - share).abs() < 1e-12);
                    }
                    let spawn = spawner.spawn(&position).expect("room");
                    prop_assert!(events.contains(&spawn));
                    spawn
                }
                Turn::Over => break,
            };
            let text = game.write_move(&position, mv);
            prop_assert_eq!(game.read_move(&position, &text), Ok(mv));
            let before = position;
            let undo = game.play(&mut position, mv);
            if let Move::Slide(direction) = mv {
                let (grid, gained) = slid(grid_of(before.board()), direction);
                prop_assert_eq!(grid_of(position.board()), grid);
                prop_assert_eq!(position.score(), before.score() + gained);
            }
            prop_assert_ne!(game.hash(&before), game.hash(&position));
            played.push((mv, undo, before));
        }
        while let Some((mv, undo, before)) = played.pop() {
            game.undo(&mut position, mv, undo);
            prop_assert_eq!(position, before);
        }
        prop_assert_eq!(position, start);
    }

    #[test]
    fn the_score_is_in_the_key_only_if_it_counts(board in boards(), score in 1u32..4_000_000) {
        let game = Twenty48::new();
        let poor = Position::player_to_slide(board, 0).expect("a small score");
        let rich = Position::player_to_slide(board, score).expect("a small score");
        prop_assert_eq!(BoardOnly(Zero).key(&game, &poor), BoardOnly(Zero).key(&game, &rich));
        prop_assert_ne!(WithScore(Zero).key(&game, &poor), WithScore(Zero).key(&game, &rich));
    }

    #[test]
    fn any_text_is_read_without_panic(text in any::<String>(), junk in "[/,.0-9 a-d=schaner+-]{0,60}") {
        let game = Twenty48::new();
        let start = game.start();
        let slide = Position::player_to_slide(
            Board::from_exponents([1; 16]).expect("a board"), 0
        ).expect("a small score");
        for text in [text, junk.clone(), format!("2,.,.,./.,.,.,./.,.,.,./.,.,.,. {junk}")] {
            for error in [
                game.read_state(&text).err(),
                game.read_move(&start, &text).err(),
                game.read_move(&slide, &text).err(),
            ].into_iter().flatten() {
                prop_assert_eq!(error.to_string().lines().count(), 1);
            }
        }
    }

    #[test]
    fn drawings_have_no_escapes_unless_asked(board in boards()) {
        let game = Twenty48::new();
        let position = Position::player_to_slide(board, 0).expect("a small score");
        let plain = game.draw(&position, Style::Plain);
        prop_assert!(!plain.contains('\x1b'));
        let colour = game.draw(&position, Style::Colour);
        // Apart from the escapes the two are the same picture.
        let mut pieces = colour.split('\x1b');
        let mut bare = pieces.next().unwrap_or("").to_owned();
        for piece in pieces {
            bare.push_str(piece.split_once('m').expect("a complete escape").1);
        }
        prop_assert_eq!(bare, plain);
    }
}

#[test]
fn hashes_of_near_boards_differ() {
    let game = Twenty48::new();
    let mut hashes = Vec::new();
    // Every pair of tiles on every pair of cells, tiles beyond the nibble included.
    for first in 0..16 {
        for second in 0..first {
            for tiles in 0..17 * 17 {
                let mut exponents = [0; 16];
                exponents[first] = tiles / 17 + 1;
                exponents[second] = tiles % 17 + 1;
                let board = Board::from_exponents(exponents.map(|e| e as u8)).expect("a board");
                hashes.push(game.hash(&Position::player_to_slide(board, 0).expect("small")));
                hashes.push(game.hash(&Position::tile_to_come(board, 0).expect("small")));
            }
        }
    }
    let all = hashes.len();
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), all);
}
