//! The incremental board: always what it would be from nothing, and what the rules say.

use plywood::{Game, Moves, Turn};
use plywood_games::Notation;
use plywood_games::gomoku::patterns::{Class, Pattern, PatternBoard, Points};
use plywood_games::gomoku::{Candidates, Colour, Gomoku, Point, Rule, Settings};
use proptest::prelude::*;

mod gomoku_reference;
use gomoku_reference::Grid;

const COLOURS: [Colour; 2] = [Colour::Black, Colour::White];
const CLASSES: [Class; 8] = [
    Class::Quiet,
    Class::Three,
    Class::DoubleThree,
    Class::Four,
    Class::FourThree,
    Class::OpenFour,
    Class::Five,
    Class::PerhapsForbidden,
];

fn game(rule: Rule, size: u8) -> Gomoku {
    Gomoku::new(Settings {
        rule,
        size,
        candidates: Candidates::WholeBoard,
        corner: None,
    })
    .expect("valid settings")
}

/// Everything that can be seen of a board.
fn assert_same(a: &PatternBoard, b: &PatternBoard) {
    assert_eq!(a.to_move(), b.to_move());
    assert_eq!(a.hash(), b.hash());
    assert_eq!(a.stones(), b.stones());
    for colour in COLOURS {
        assert_eq!(a.value(colour), b.value(colour));
        for class in CLASSES {
            assert_eq!(
                a.points(colour, class),
                b.points(colour, class),
                "{class:?}"
            );
            assert_eq!(a.count(colour, class), b.count(colour, class), "{class:?}");
            assert_eq!(
                usize::from(a.count(colour, class)),
                a.points(colour, class).len()
            );
        }
        for point in a.empty_points().iter() {
            assert_eq!(a.patterns(colour, point), b.patterns(colour, point));
            assert_eq!(a.class(colour, point), b.class(colour, point));
            assert!(a.points(colour, a.class(colour, point)).contains(point));
        }
    }
}

fn rules() -> impl Strategy<Value = Rule> {
    prop_oneof![
        Just(Rule::Freestyle),
        Just(Rule::ExactlyFive),
        Just(Rule::Renju)
    ]
}

fn sizes() -> impl Strategy<Value = u8> {
    prop_oneof![Just(15u8), Just(20), 5u8..=20]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Along a random game, with moves near each other so that patterns arise.
    #[test]
    fn a_board_kept_up_to_date_is_the_board_made_anew(
        rule in rules(),
        size in sizes(),
        choices in proptest::collection::vec(any::<u32>(), 1..60),
    ) {
        let game = game(rule, size);
        let mut state = game.start();
        let mut board = PatternBoard::of(&game, &state);
        let mut before = Vec::new();
        for choice in choices {
            if game.turn(&state) == Turn::Over {
                break;
            }
            let mut moves = Vec::new();
            game.moves(&state, &mut Moves::new(&mut moves));
            let near = board.near_points();
            let close: Vec<Point> = moves.iter().copied().filter(|&p| near.contains(p)).collect();
            let list = if close.is_empty() { &moves } else { &close };
            let point = list[choice as usize % list.len()];
            before.push(board.clone());
            game.play(&mut state, point);
            board.play(point);
            let anew = PatternBoard::of(&game, &state);
            assert_same(&board, &anew);
        }
        while let Some(before) = before.pop() {
            board.undo();
            assert_same(&board, &before);
        }
    }

    /// Against rules written down a second time: what wins, what is forbidden, and what a
    /// four is.
    #[test]
    fn classes_are_what_the_rules_say(
        rule in rules(),
        size in sizes(),
        stones in proptest::collection::vec((0u8..9, 0u8..9, any::<bool>()), 0..40),
    ) {
        let game = game(rule, size);
        let mut board = PatternBoard::new(rule, size);
        let mut grid = Grid::empty(game.settings());
        for (column, row, black) in stones {
            let (column, row) = (column % size, row % size);
            let colour = if black { Colour::Black } else { Colour::White };
            let point = Point::new(column, row);
            if board.stone(point).is_none() && board.class(colour, point) != Class::Five {
                board.set(point, colour);
                grid.put(column.into(), row.into(), Some(colour));
            }
        }
        for colour in COLOURS {
            // Overlines that were there before win nothing for the stone just put down.
            let had = grid.has_won(colour);
            for point in board.empty_points().iter() {
                let (x, y) = (i32::from(point.column()), i32::from(point.row()));
                grid.put(x, y, Some(colour));
                let wins = grid.has_won(colour);
                grid.put(x, y, None);
                if !had {
                    prop_assert_eq!(board.class(colour, point) == Class::Five, wins, "{}", point);
                }
                if rule == Rule::Renju && colour == Colour::Black {
                    let forbidden = grid.forbidden(x, y);
                    prop_assert_eq!(board.forbidden(point).is_some(), forbidden, "{}", point);
                    prop_assert_eq!(board.is_allowed(colour, point), !forbidden);
                }
                prop_assert!(board.is_allowed(Colour::White, point));
            }
            let fours = board.fours(colour);
            for point in board.empty_points().iter() {
                board.set_to_move(colour);
                let five = board.class(colour, point) == Class::Five;
                let known = *board.points(colour, Class::Five);
                board.play(point);
                let more = board.points(colour, Class::Five).iter().any(|p| !known.contains(p));
                board.undo();
                if !board.is_allowed(colour, point) {
                    prop_assert!(!fours.contains(point), "{} is forbidden", point);
                } else if more || five {
                    prop_assert!(fours.contains(point), "{} makes a four", point);
                } else {
                    // A four that shares its point with another is one all the same.
                    let patterns = board.patterns(colour, point);
                    let four = patterns.iter().any(|&pattern| pattern >= Pattern::Four);
                    prop_assert_eq!(fours.contains(point), four, "{}", point);
                }
            }
        }
    }
}

#[test]
fn points_near_stones() {
    let mut board = PatternBoard::new(Rule::Freestyle, 15);
    assert!(board.near_points().is_empty());
    assert_eq!(board.empty_points().len(), 225);
    board.play(Point::new(0, 14));
    assert_eq!(board.near_points().len(), 8);
    board.play(Point::new(7, 7));
    assert_eq!(board.near_points().len(), 8 + 24);
    assert_eq!(board.last(), Some(Point::new(7, 7)));
    board.pass();
    assert_eq!(board.last(), None);
    assert_eq!(board.to_move(), Colour::White);
    board.undo();
    assert_eq!(board.played().count(), 2);
    let far: Points = board.near_points().iter().filter(|p| p.row() > 9).collect();
    assert_eq!(far.len(), 8);
}

#[test]
fn a_full_board_is_full() {
    let mut board = PatternBoard::new(Rule::Renju, 5);
    for slot in 0..25u8 {
        assert!(!board.is_full());
        board.play(Point::new(slot % 5, slot / 5));
    }
    assert!(board.is_full());
    assert!(board.empty_points().is_empty());
}
