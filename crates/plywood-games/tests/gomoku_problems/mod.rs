//! Positions for the tests of threats: written out, or from collections that are not part of
//! this repository.
#![allow(dead_code)]

use std::path::PathBuf;

use plywood_games::gomoku::patterns::{Class, PatternBoard};
use plywood_games::gomoku::{Colour, Point, Rule};
use serde_json::Value;

pub fn points(text: &str) -> Vec<Point> {
    text.split_whitespace()
        .map(|word| Point::parse(word).expect("a point"))
        .collect()
}

/// A 15x15 board with these stones.
pub fn board(rule: Rule, black: &str, white: &str, to_move: Colour) -> PatternBoard {
    with_stones(rule, 15, &points(black), &points(white), to_move)
}

fn with_stones(
    rule: Rule,
    size: u8,
    black: &[Point],
    white: &[Point],
    to_move: Colour,
) -> PatternBoard {
    let mut board = PatternBoard::new(rule, size);
    for &point in black {
        board.set(point, Colour::Black);
    }
    for &point in white {
        board.set(point, Colour::White);
    }
    board.set_to_move(to_move);
    board
}

/// A board with stones of both colours in turn on these columns and rows, those left out where
/// there is one already, where it would be five or where renju forbids it.
pub fn scattered(rule: Rule, size: u8, stones: &[(u8, u8)], black: bool) -> PatternBoard {
    let mut board = PatternBoard::new(rule, size);
    let mut colour = Colour::Black;
    for &(column, row) in stones {
        let point = Point::new(column % size, row % size);
        if board.stone(point).is_none()
            && board.class(colour, point) != Class::Five
            && board.is_allowed(colour, point)
        {
            board.set(point, colour);
            colour = colour.other();
        }
    }
    board.set_to_move(if black { Colour::Black } else { Colour::White });
    board
}

/// A collection in the folder that PLYWOOD_ORACLE names.
pub fn collection(name: &str) -> Value {
    let folder = std::env::var_os("PLYWOOD_ORACLE")
        .expect("PLYWOOD_ORACLE must name the folder with the problem collections");
    let path = PathBuf::from(folder).join(name);
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{} cannot be read: {error}", path.display()));
    serde_json::from_str(&text).expect("a collection in JSON")
}

pub fn listed(case: &Value, key: &str) -> Vec<Point> {
    case[key]
        .as_array()
        .unwrap_or_else(|| panic!("{key} is missing in {case}"))
        .iter()
        .map(|point| Point::parse(point.as_str().expect("a text")).expect("a point"))
        .collect()
}

pub fn side_to_move(case: &Value) -> Colour {
    match case["side_to_move"].as_str().expect("a colour") {
        "black" => Colour::Black,
        "white" => Colour::White,
        other => panic!("{other} is no colour"),
    }
}

pub fn rule_named(name: &str) -> Rule {
    match name {
        "freestyle" => Rule::Freestyle,
        "standard" => Rule::ExactlyFive,
        "renju" => Rule::Renju,
        other => panic!("{other} is no rule"),
    }
}

/// The board of a problem.
pub fn set_up(rule: Rule, case: &Value, to_move: Colour) -> PatternBoard {
    let size = case["size"].as_u64().expect("a size") as u8;
    with_stones(
        rule,
        size,
        &listed(case, "black"),
        &listed(case, "white"),
        to_move,
    )
}
