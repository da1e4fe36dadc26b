//! Checks games that were kept: every move and every result.

use std::fs;
use std::path::Path;

use plywood::Turn;
use plywood_games::registry;

use super::folder::Folder;
use super::records::{self, Record, RecordEnd};
use crate::{LabError, Remainder};

/// What was checked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Replayed {
    /// Games.
    pub games: usize,
    /// Their moves, and what chance did.
    pub moves: usize,
    /// Games that ended because a player could not go on.
    pub faults: usize,
    /// Games whose record has no result.
    pub without_result: usize,
    /// A last line of the games of a match that cannot be read.
    pub remainder: Option<Remainder>,
}

/// Replays the games of a match, or the record in a file, and checks every move and every
/// result.
pub fn replay(path: &Path) -> Result<Replayed, LabError> {
    let mut total = Replayed::default();
    if !path.is_dir() {
        let text = fs::read_to_string(path).map_err(|error| {
            LabError::Input(format!(
                "{}: {error}: use the folder of a match, or a record",
                path.display()
            ))
        })?;
        check(&text, path, &mut total)?;
        return Ok(total);
    }
    let (folder, plan, games) = Folder::read(path)?;
    if games.is_empty() {
        return Err(LabError::Input(format!(
            "{}: no game of this match is finished, so there is nothing to check",
            path.display()
        )));
    }
    total.remainder = folder.remainder().cloned();
    let game = plan.open_game()?;
    for finished in &games {
        let path = folder.record_path(finished.game, &plan);
        let text = fs::read_to_string(&path).map_err(|error| LabError::file(&path, &error))?;
        let record = check(&text, &path, &mut total)?;
        // The record must be that of the line in games.jsonl, move for move.
        let written = records::write(&plan, &*game, finished);
        if records::read(&written).as_ref() != Ok(&record) {
            return Err(LabError::Input(format!(
                "{}: this is not game {} of games.jsonl",
                path.display(),
                finished.game
            )));
        }
    }
    Ok(total)
}

fn check(text: &str, path: &Path, total: &mut Replayed) -> Result<Record, LabError> {
    let wrong = |error: String| LabError::Input(format!("{}: {error}", path.display()));
    let record = records::read(text).map_err(wrong)?;
    verify(&record).map_err(wrong)?;
    total.games += 1;
    total.moves += record.moves.len();
    total.without_result += usize::from(record.end.is_none());
    total.faults += usize::from(matches!(record.end, Some(RecordEnd::Fault(..))));
    Ok(record)
}

/// Plays a record from its start, and compares its end.
pub fn verify(record: &Record) -> Result<(), String> {
    let game = registry::open(&record.game).map_err(|error| error.to_string())?;
    let start = match record.start.as_str() {
        "" => Ok(game.start()),
        text => game.read_position(text),
    };
    let mut position = start.map_err(|error| format!("the position at the start: {error}"))?;
    for (index, mv) in record.moves.iter().enumerate() {
        position = game
            .play(&position, mv)
            .map_err(|error| format!("move {}: {error}", index + 1))?;
    }
    let scores = game.final_scores(&position);
    let over = game.turn(&position) == Turn::Over;
    let wrong = |recorded: &dyn std::fmt::Display| match &scores {
        Some(scores) => format!("the result is recorded as {recorded}, but it is {scores:?}"),
        None => format!("the result is recorded as {recorded}, but the game is not over"),
    };
    let winner = |scores: &[i32]| match scores {
        [a, b] if a == b => None,
        scores => (0..scores.len()).max_by_key(|&seat| scores[seat]),
    };
    match &record.end {
        None => Ok(()),
        Some(RecordEnd::Fault(seat, kind)) => {
            if *seat >= game.info().players {
                return Err(format!("there is no seat {}", seat + 1));
            }
            if over {
                return Err(wrong(&format!("a fault ({})", kind.name())));
            }
            match game.turn(&position) {
                // A program that did not even start has no turn yet.
                Turn::Player(turn) if turn.index() != *seat && kind.needs_turn() => Err(format!(
                    "a fault ({}) of seat {}, but it was not its turn",
                    kind.name(),
                    seat + 1
                )),
                _ => Ok(()),
            }
        }
        Some(RecordEnd::Scores(recorded)) => match scores.as_ref() == Some(recorded) {
            true => Ok(()),
            false => Err(wrong(&format!("{recorded:?}"))),
        },
        Some(RecordEnd::Winner(recorded)) => match &scores {
            Some(scores) if winner(scores) == *recorded => Ok(()),
            _ => Err(wrong(&match recorded {
                Some(seat) => game.seat_name(plywood::Seat::new(*seat as u8)),
                None => "a draw".to_owned(),
            })),
        },
        Some(RecordEnd::Margin(seat, margin)) => match scores.as_deref() {
            Some([a, b]) if [a - b, b - a][*seat] == *margin => Ok(()),
            _ => Err(wrong(&format!("a win by {margin}"))),
        },
    }
}
