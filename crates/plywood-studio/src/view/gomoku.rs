//! A board of Gomoku: stones, what renju forbids and why, and the row that won.

use plywood_games::gomoku::{Candidates, Colour, Gomoku, Point, Position, Rule, Settings};
use plywood_games::registry::AnyGame;
use plywood_games::{Notation, TextError};
use serde_json::{Value, json};

use super::option;

fn game_of(game: &dyn AnyGame) -> Result<Gomoku, TextError> {
    let settings = Settings {
        size: option(game, "size").parse().unwrap_or_default(),
        rule: match option(game, "rule").as_str() {
            "exactly-five" => Rule::ExactlyFive,
            "renju" => Rule::Renju,
            _ => Rule::Freestyle,
        },
        candidates: Candidates::WholeBoard,
        corner: option(game, "corner").parse().ok(),
    };
    Gomoku::new(settings).map_err(|error| TextError::new(error.to_string()))
}

pub(super) fn board(game: &dyn AnyGame, position: &str) -> Result<Value, TextError> {
    let gomoku = game_of(game)?;
    let position = gomoku.read_state(position)?;
    let size = gomoku.settings().size;
    let sign = |point| match position.stone(point) {
        None => '.',
        Some(Colour::Black) => 'x',
        Some(Colour::White) => 'o',
    };
    let cells: String = points(size).map(sign).collect();
    let playing = position.winner().is_none() && position.to_move() == Colour::Black;
    let forbidden: Vec<Value> = points(size)
        .filter(|&point| playing && position.stone(point).is_none())
        .filter_map(|point| {
            let why = gomoku.forbidden(&position, point)?;
            Some(json!({ "at": point.to_string(), "why": why.to_string() }))
        })
        .collect();
    Ok(json!({
        "kind": "gomoku",
        "size": size,
        "cells": cells,
        "rule": option(game, "rule"),
        "corner": gomoku.settings().corner,
        "forbidden": forbidden,
        "five": five(&position, size, gomoku.settings().rule),
    }))
}

/// All points row by row from the top.
fn points(size: u8) -> impl Iterator<Item = Point> {
    let rows = (0..size).rev();
    rows.flat_map(move |row| (0..size).map(move |column| Point::new(column, row)))
}

/// The points of the row that won, if one did.
fn five(position: &Position, size: u8, rule: Rule) -> Option<Vec<String>> {
    let winner = position.winner()?;
    let exactly = match rule {
        Rule::Freestyle => false,
        Rule::ExactlyFive => true,
        Rule::Renju => winner == Colour::Black,
    };
    let at = |column: i16, row: i16| {
        let on_board = |number: i16| (0..i16::from(size)).contains(&number);
        let point = || Point::new(column as u8, row as u8);
        (on_board(column) && on_board(row)).then(point)
    };
    let own = |point: &Point| position.stone(*point) == Some(winner);
    for start in points(size).filter(own) {
        let (column, row) = (i16::from(start.column()), i16::from(start.row()));
        for (across, up) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            if at(column - across, row - up).is_some_and(|point| own(&point)) {
                continue;
            }
            let run: Vec<Point> = (0..)
                .map_while(|step| at(column + step * across, row + step * up).filter(own))
                .collect();
            if run.len() == 5 || (run.len() > 5 && !exactly) {
                return Some(run.iter().map(Point::to_string).collect());
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use plywood_games::registry::open;

    use super::*;

    fn board_of(spec: &str, position: &str) -> Value {
        let game = open(spec).expect("a game");
        let position = game.read_position(position).expect("a position");
        board(&*game, &game.write_position(&position)).expect("a board")
    }

    #[test]
    fn a_row_of_five_is_found_in_every_direction() {
        for (moves, five) in [
            ("A1 A2 B1 B2 C1 C2 D1 D2 E1", "A1 B1 C1 D1 E1"),
            ("O15 A2 O14 B2 O13 C2 O12 D3 O11", "O11 O12 O13 O14 O15"),
            ("C3 A2 D4 B2 E5 C2 F6 D3 G7", "C3 D4 E5 F6 G7"),
            ("C7 A2 D6 B2 E5 C2 F4 D2 G3", "C7 D6 E5 F4 G3"),
        ] {
            let board = board_of("gomoku", moves);
            let points: Vec<&str> = five.split(' ').collect();
            assert_eq!(board["five"], json!(points), "{moves}");
        }
        assert_eq!(board_of("gomoku", "H8")["five"], Value::Null);
    }

    #[test]
    fn cells_are_listed_from_the_top_and_forbidden_points_say_why() {
        let board = board_of("gomoku:size=5", "A5 E1");
        assert_eq!(board["cells"], json!("x.......................o"));
        // Two open threes would cross at H8.
        let board = board_of("gomoku:rule=renju", "H6 A1 H7 C1 F8 E1 G8 G1");
        let why = json!([{ "at": "H8", "why": "double three" }]);
        assert_eq!(board["forbidden"], why);
        assert_eq!(
            board_of("gomoku", "H6 A1 H7 C1 F8 E1 G8 G1")["forbidden"],
            json!([])
        );
    }
}
