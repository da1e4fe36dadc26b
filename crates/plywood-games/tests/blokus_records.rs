//! Recorded games: at every ply the number and the set of legal placements, who drops out
//! when, and the scores.

mod blokus_common;

use blokus_common::{games, list};
use plywood::{Game, Turn};
use plywood_games::Notation;
use plywood_games::blokus::{Blokus, Move};
use serde::Deserialize;
use serde_json::Value;

/// A ply: colour, number of legal placements, hash of their set, cells played.
type Ply = (usize, usize, String, Vec<(usize, usize)>);

#[derive(Deserialize)]
struct Record {
    id: u32,
    score: Value,
    squares: Vec<i32>,
    out: Vec<usize>,
    moves: Vec<Ply>,
}

fn splitmix(value: u64) -> u64 {
    let z = value.wrapping_add(0x9E3779B97F4A7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58476D1CE4E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D049BB133111EB);
    z ^ (z >> 31)
}

/// A hash of a set of placements that does not depend on their order.
fn set_hash(moves: &[Move], size: usize) -> u64 {
    moves.iter().fold(0, |sum: u64, mv| {
        let cells = mv.cells().map(|(x, y)| splitmix((y * size + x) as u64));
        sum.wrapping_add(splitmix(cells.fold(0, u64::wrapping_add)))
    })
}

fn replay<const COLOURS: usize>(game: &Blokus<COLOURS>, record: &Record) {
    let id = record.id;
    let mut state = game.start();
    let mut out = [None; COLOURS];
    for (ply, (colour, count, hash, cells)) in record.moves.iter().enumerate() {
        assert_eq!(state.mover(), Some(*colour), "game {id} ply {ply}");
        let moves = list(game, &state);
        assert_eq!(moves.len(), *count, "game {id} ply {ply}");
        assert_eq!(game.count_moves(&state, &mut Vec::new()), *count);
        let set = set_hash(&moves, Blokus::<COLOURS>::SIZE);
        assert_eq!(format!("{set:016x}"), *hash, "game {id} ply {ply}");
        let played = moves.iter().find(|mv| {
            mv.cells().len() == cells.len() && mv.cells().all(|cell| cells.contains(&cell))
        });
        game.play(&mut state, *played.expect("the move played is legal"));
        for (colour, first) in out.iter_mut().enumerate() {
            if state.is_out(colour) {
                first.get_or_insert(ply + 1);
            }
        }
    }
    assert_eq!(game.turn(&state), Turn::Over, "game {id}");
    let out: Vec<_> = out.into_iter().flatten().collect();
    assert_eq!(out, record.out, "game {id}");
    let squares: Vec<_> = (0..COLOURS).map(|c| i32::from(state.squares(c))).collect();
    assert_eq!(squares, record.squares, "game {id}");
    let scores = game.outcome(&state);
    let text = game.write_state(&state);
    assert_eq!(game.read_state(&text), Ok(state.clone()), "game {id}");
    if let Some((others, _)) = text.split_once(" single=") {
        let later = game.read_state(others).expect("a position");
        assert_ne!(game.hash(&later), game.hash(&state));
        let gap = scores.iter().sum::<i32>() - game.outcome(&later).iter().sum::<i32>();
        assert_eq!(gap, 5, "the single square was not last");
    }
    match &record.score {
        Value::String(margin) => {
            let expected = match scores[0] - scores[1] {
                0 => String::from("0"),
                lead if lead > 0 => format!("B+{lead}"),
                lead => format!("W+{}", -lead),
            };
            assert_eq!(*margin, expected, "game {id}");
        }
        points => assert_eq!(*points, serde_json::json!(scores.to_vec()), "game {id}"),
    }
}

fn replay_all<const COLOURS: usize>(text: &str, number: usize) {
    let records: Vec<Record> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("a record"))
        .collect();
    assert_eq!(records.len(), number);
    for game in games::<COLOURS>() {
        for record in &records {
            replay(&game, record);
        }
    }
}

#[test]
fn classic_games_are_as_recorded_on_every_path() {
    replay_all::<4>(include_str!("data/blokus_classic.jsonl"), 100);
}

#[test]
fn duo_games_are_as_recorded_on_every_path() {
    replay_all::<2>(include_str!("data/blokus_duo.jsonl"), 25);
}
