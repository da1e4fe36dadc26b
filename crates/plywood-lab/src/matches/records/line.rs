//! A game on one line, for games that have no common format:
//!
//! ```text
//! plywood-record 1; game kalah; players a b; start <6,0,0,…> s; moves C F A; result 26 22
//! ```
//!
//! `start` is missing where the game begins at its start. A player who could not go on makes
//! the result `fault 1 time`: the seat, from 1, and what it did.

use plywood_games::registry::AnyGame;

use super::{Record, RecordEnd};
use crate::matches::finished::{End, FaultKind, Finished};

const HEADER: &str = "plywood-record 1";

pub(super) fn write(game: &dyn AnyGame, names: &[&str], finished: &Finished) -> String {
    let mut text = format!(
        "{HEADER}; game {}; players {}",
        game.spec(),
        names.join(" ")
    );
    if !finished.start.is_empty() {
        text += &format!("; start {}", finished.start);
    }
    text += &format!("; moves {}", finished.moves.join(" "));
    match &finished.end {
        End::Scores(scores) => {
            let scores: Vec<String> = scores.iter().map(i32::to_string).collect();
            text += &format!("; result {}", scores.join(" "));
        }
        End::Fault(fault) => {
            text += &format!("; result fault {} {}", fault.seat + 1, fault.kind.name());
        }
    }
    text.push('\n');
    text
}

pub(super) fn read(text: &str) -> Result<Record, String> {
    let mut fields = text.split("; ");
    if fields.next() != Some(HEADER) {
        return Err(format!(
            "line 1: this is no record: a record begins with '{HEADER};' or, in SGF, with '(;'"
        ));
    }
    if text.lines().count() > 1 {
        return Err("line 2: a record is one line".to_owned());
    }
    let mut record = Record {
        game: String::new(),
        players: Vec::new(),
        start: String::new(),
        moves: Vec::new(),
        end: None,
    };
    for field in fields {
        let (name, value) = field.split_once(' ').unwrap_or((field, ""));
        let words = || value.split_whitespace().map(str::to_owned).collect();
        match name {
            "game" => record.game = value.to_owned(),
            "players" => record.players = words(),
            "start" => record.start = value.to_owned(),
            "moves" => record.moves = words(),
            "result" => record.end = Some(read_result(value)?),
            _ => {
                return Err(format!(
                    "line 1: {name:?} is no part of a record: game, players, start, moves and \
                     result are"
                ));
            }
        }
    }
    Ok(record)
}

fn read_result(text: &str) -> Result<RecordEnd, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let fault = || {
        let ["fault", seat, kind] = words.as_slice() else {
            return None;
        };
        let seat = seat.parse::<usize>().ok()?.checked_sub(1)?;
        Some(RecordEnd::Fault(seat, FaultKind::named(kind)?))
    };
    let scores = || {
        let scores: Option<Vec<i32>> = words.iter().map(|word| word.parse().ok()).collect();
        scores.filter(|s| !s.is_empty()).map(RecordEnd::Scores)
    };
    fault().or_else(scores).ok_or_else(|| {
        format!("line 1: {text:?} is no result: use scores, or fault with a seat and its kind")
    })
}
