//! A board of Blokus: who has which cell, what is left in each hand, where corners are; and
//! the pieces in all their orientations.

use std::collections::BTreeSet;

use plywood::{Game, Moves};
use plywood_games::blokus::{Blokus, Duo, Piece, State};
use plywood_games::{Notation, TextError};
use serde_json::{Value, json};

/// A cell as (column from the left, row from the top).
type Cell = (usize, usize);

pub(super) fn board<const COLOURS: usize>(position: &str) -> Result<Value, TextError> {
    let state = Blokus::<COLOURS>::new().read_state(position)?;
    let size = Blokus::<COLOURS>::SIZE;
    let mut cells = vec![None; size * size];
    for colour in 0..COLOURS {
        for (x, y) in state.placements(colour).flat_map(|mv| mv.cells()) {
            cells[y * size + x] = Some(colour);
        }
    }
    let sign = |cell: &Option<usize>| match cell {
        Some(colour) => char::from(b'0' + *colour as u8),
        None => '.',
    };
    let text: String = cells.iter().map(sign).collect();
    let left = |colour: usize| -> Vec<&str> {
        let hand = Piece::all().filter(|&piece| state.has_in_hand(colour, piece));
        hand.map(Piece::name).collect()
    };
    let names = |colour| -> Vec<String> {
        let corners = corners::<COLOURS>(&cells, colour);
        corners.into_iter().map(cell_name::<COLOURS>).collect()
    };
    Ok(json!({
        "kind": "blokus",
        "size": size,
        "cells": text,
        "left": each::<COLOURS, _>(left),
        "out": each::<COLOURS, _>(|colour| state.is_out(colour)),
        "points": each::<COLOURS, _>(|colour| state.score(colour)),
        "start": each::<COLOURS, _>(|colour| cell_name::<COLOURS>(Blokus::<COLOURS>::start_cell(colour))),
        "corners": each::<COLOURS, _>(names),
    }))
}

fn each<const COLOURS: usize, T>(of: impl Fn(usize) -> T) -> Vec<T> {
    (0..COLOURS).map(of).collect()
}

fn cell_name<const COLOURS: usize>((x, y): Cell) -> String {
    let column = char::from(b'a' + x as u8);
    format!("{column}{}", Blokus::<COLOURS>::SIZE - y)
}

/// The empty cells where a colour may touch its own at a corner; its start cell at first.
fn corners<const COLOURS: usize>(cells: &[Option<usize>], colour: usize) -> Vec<Cell> {
    let size = Blokus::<COLOURS>::SIZE;
    let at = |x: Option<usize>, y: Option<usize>| -> Option<usize> {
        let (x, y) = (x?, y?);
        (x < size && y < size)
            .then(|| cells[y * size + x])
            .flatten()
    };
    let own = |x, y| at(x, y) == Some(colour);
    let first = !cells.contains(&Some(colour));
    let all = (0..size).flat_map(|y| (0..size).map(move |x| (x, y)));
    let may_touch = |&(x, y): &Cell| {
        let (left, right) = (x.checked_sub(1), Some(x + 1));
        let (above, below) = (y.checked_sub(1), Some(y + 1));
        let beside = [
            (left, Some(y)),
            (right, Some(y)),
            (Some(x), above),
            (Some(x), below),
        ];
        let diagonal = [(left, above), (right, above), (left, below), (right, below)];
        let touches = match first {
            true => (x, y) == Blokus::<COLOURS>::start_cell(colour),
            false => diagonal.iter().any(|&(x, y)| own(x, y)),
        };
        cells[y * size + x].is_none() && touches && !beside.iter().any(|&(x, y)| own(x, y))
    };
    all.filter(may_touch).collect()
}

/// All pieces with their orientations, each as steps from the top left corner of its box.
pub(crate) fn pieces() -> Value {
    // In Duo the first piece covers a cell away from the edges: every orientation can.
    let duo = Duo::new();
    let state: State<2> = duo.start();
    let mut moves = Vec::new();
    duo.moves(&state, &mut Moves::new(&mut moves));
    let pieces = Piece::all().map(|piece| {
        let of_piece = moves.iter().filter(|mv| mv.piece() == piece);
        let orientations: BTreeSet<Vec<Cell>> = of_piece
            .map(|mv| {
                let cells: Vec<Cell> = mv.cells().collect();
                let left = cells.iter().map(|cell| cell.0).min().unwrap_or(0);
                let top = cells.iter().map(|cell| cell.1).min().unwrap_or(0);
                let mut steps: Vec<Cell> = cells
                    .iter()
                    .map(|cell| (cell.0 - left, cell.1 - top))
                    .collect();
                steps.sort_by_key(|&(x, y)| (y, x));
                steps
            })
            .collect();
        json!({ "name": piece.name(), "size": piece.size(), "orientations": orientations })
    });
    Value::Array(pieces.collect())
}

#[cfg(test)]
mod tests {
    use plywood_games::blokus::{Classic, ORIENTATIONS, PIECES};
    use plywood_games::registry::{Random, open};

    use super::*;

    #[test]
    fn there_are_all_pieces_in_all_orientations() {
        let pieces = pieces();
        let pieces = pieces.as_array().expect("a list");
        assert_eq!(pieces.len(), PIECES);
        let count: usize = pieces
            .iter()
            .map(|piece| piece["orientations"].as_array().expect("a list").len())
            .sum();
        assert_eq!(count, ORIENTATIONS);
    }

    #[test]
    fn corners_are_those_of_the_game() {
        let game = open("blokus").expect("a game");
        let classic = Classic::new();
        let mut random = Random::new(5);
        let mut position = game.start();
        while let Some(mv) = game.random_move(&position, &mut random) {
            position = game.play(&position, &mv).expect("legal");
            let text = game.write_position(&position);
            let state = classic.read_state(&text).expect("a position");
            let board = board::<4>(&text).expect("a board");
            for colour in 0..4 {
                let count = board["corners"][colour].as_array().expect("a list").len();
                assert_eq!(count as u32, state.corner_cells(colour), "{colour}: {text}");
            }
        }
    }
}
