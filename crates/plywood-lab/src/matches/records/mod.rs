//! Games as records: SGF for Gomoku, Pentobi's `.blksgf` for Blokus, one line for the rest.
//!
//! A record holds all that is needed to check the game: who played, where it began, every
//! move and how it ended.

mod blokus;
mod gomoku;
mod line;
mod sgf;

use plywood::Seat;
use plywood_games::registry::AnyGame;

use super::finished::{End, FaultKind, Finished};
use super::plan::Plan;

/// A game as a record tells it.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// The game with its options.
    pub game: String,
    /// The player in every seat; empty where the record does not say.
    pub players: Vec<String>,
    /// The position at the start as text; empty for the start of the game.
    pub start: String,
    /// The moves, and what chance did.
    pub moves: Vec<String>,
    /// How it ended; `None` where the record does not say.
    pub end: Option<RecordEnd>,
}

/// How a game ended, as far as a record tells.
#[derive(Clone, PartialEq, Debug)]
pub enum RecordEnd {
    /// With these scores by seat.
    Scores(Vec<i32>),
    /// By the rules: the seat that won, or a draw.
    Winner(Option<usize>),
    /// By the rules, a game for two: the seat that won, and by how many points.
    Margin(usize, i32),
    /// A player could not go on.
    Fault(usize, FaultKind),
}

/// How records of a game are written: the ending of the file's name.
pub(super) fn extension(game: &str) -> &'static str {
    match game.split(':').next() {
        Some("gomoku") => "sgf",
        Some("blokus" | "blokus-duo") => "blksgf",
        _ => "txt",
    }
}

/// The record of a finished game as a text.
pub fn write(plan: &Plan, game: &dyn AnyGame, finished: &Finished) -> String {
    let names: Vec<&str> = finished
        .seats
        .iter()
        .map(|&number| plan.players[number].name.as_str())
        .collect();
    match extension(&plan.game) {
        "sgf" => gomoku::write(game, &names, finished, true),
        "blksgf" => blokus::write(game, &names, finished, true),
        _ => line::write(game, &names, finished),
    }
}

/// The record of a game that need not be over, in SGF or `.blksgf`; `None` for a game that
/// has no such format. The moves are those of `start`, as text and empty for the start of the
/// game; there is a name for every seat.
pub fn write_sgf(
    game: &dyn AnyGame,
    names: &[&str],
    start: &str,
    moves: &[String],
) -> Option<String> {
    let scores = scores_after(game, start, moves)?;
    let ended = scores.is_some();
    let finished = Finished {
        game: 0,
        block: 0,
        seats: Vec::new(),
        start: start.to_owned(),
        opening: 0,
        moves: moves.to_vec(),
        end: End::Scores(scores.unwrap_or_default()),
        costs: Vec::new(),
    };
    match extension(game.info().name) {
        "sgf" => Some(gomoku::write(game, names, &finished, ended)),
        "blksgf" => Some(blokus::write(game, names, &finished, ended)),
        _ => None,
    }
}

/// The scores after some moves if the game is over then; `None` if a move is not legal.
fn scores_after(game: &dyn AnyGame, start: &str, moves: &[String]) -> Option<Option<Vec<i32>>> {
    let mut position = match start {
        "" => game.start(),
        text => game.read_position(text).ok()?,
    };
    for mv in moves {
        position = game.play(&position, mv).ok()?;
    }
    Some(game.final_scores(&position))
}

/// Reads a record; the error says in which line what is wrong.
pub fn read(text: &str) -> Result<Record, String> {
    let text = text.trim_start_matches('\u{feff}').trim();
    if !text.starts_with('(') {
        return line::read(text);
    }
    let nodes = sgf::parse(text)?;
    let game = nodes
        .first()
        .and_then(|node| node.value("GM"))
        .unwrap_or("");
    match game {
        "4" => gomoku::read(&nodes),
        "Blokus" | "Blokus Duo" => blokus::read(&nodes),
        _ => Err(format!(
            "GM[{}] is not known: use records of Gomoku (GM[4]), Blokus or Blokus Duo",
            game.escape_debug()
        )),
    }
}

/// The seats that made the moves of a game, from the start on; `None` for chance.
fn seats_of_moves(game: &dyn AnyGame, finished: &Finished) -> Vec<Option<Seat>> {
    let start = match finished.start.as_str() {
        "" => Ok(game.start()),
        text => game.read_position(text),
    };
    let mut position = start.expect("a finished game began somewhere");
    let mut seats = Vec::new();
    for mv in &finished.moves {
        seats.push(match game.turn(&position) {
            plywood::Turn::Player(seat) => Some(seat),
            plywood::Turn::Chance | plywood::Turn::Over => None,
        });
        position = game
            .play(&position, mv)
            .expect("the moves of a finished game are legal");
    }
    seats
}

/// Why a game ended early, for people.
fn comment(finished: &Finished) -> Option<String> {
    match &finished.end {
        End::Scores(_) => None,
        End::Fault(fault) => Some(format!("{}: {}", fault.kind.name(), fault.note)),
    }
}
