//! Positions as the page draws them.

mod blokus;
mod gomoku;
mod kalah;
mod twenty48;

use plywood::{Seat, Turn};
use plywood_games::registry::{AnyGame, Position};
use serde_json::{Value, json};

use crate::failure::Failure;

pub(crate) use blokus::pieces;

/// A position and the move that led to it, if that is known.
pub(crate) struct Scene<'a> {
    pub(crate) game: &'a dyn AnyGame,
    pub(crate) position: &'a Position,
    /// The last move, and the position before it.
    pub(crate) last: Option<(&'a str, &'a Position)>,
}

impl Scene<'_> {
    /// The position with everything there is to show.
    pub(crate) fn view(&self) -> Result<Value, Failure> {
        let (game, position) = (self.game, self.position);
        let text = game.write_position(position);
        let turn = match game.turn(position) {
            Turn::Player(seat) => json!({ "kind": "player", "seat": seat.index() }),
            Turn::Chance => json!({ "kind": "chance" }),
            Turn::Over => json!({ "kind": "over" }),
        };
        let mut view = json!({
            "game": game.spec(),
            "position": text,
            "turn": turn,
            "players": players(game),
            "moves": game.moves(position),
            "board": board(game, &text)?,
            "last": self.last.map(|(mv, _)| mv),
            "result": game.result(position),
            "scores": game.final_scores(position),
        });
        if let Some((mv, before)) = self.last
            && game.info().name == "kalah"
        {
            view["steps"] = kalah::steps(game, &game.write_position(before), mv)?;
        }
        Ok(view)
    }
}

/// The names of all players.
pub(crate) fn players(game: &dyn AnyGame) -> Vec<String> {
    (0..game.info().players)
        .map(|seat| game.seat_name(Seat::new(seat as u8)))
        .collect()
}

fn board(game: &dyn AnyGame, position: &str) -> Result<Value, Failure> {
    Ok(match game.info().name {
        "kalah" => kalah::board(game, position)?,
        "gomoku" => gomoku::board(game, position)?,
        "blokus" => blokus::board::<4>(position)?,
        "blokus-duo" => blokus::board::<2>(position)?,
        "2048" => twenty48::board(position)?,
        // A game that was added since: it can be played, drawn as text.
        _ => {
            let position = game.read_position(position)?;
            let drawing = game.draw(&position, plywood_games::Style::Plain);
            json!({ "kind": "text", "text": drawing })
        }
    })
}

/// The value of one of the game's options.
fn option(game: &dyn AnyGame, name: &str) -> String {
    let options = game
        .spec()
        .split_once(':')
        .map_or("", |(_, options)| options);
    let chosen = options.split(',').find_map(|option| {
        let (key, value) = option.split_once('=')?;
        (key == name).then(|| value.to_owned())
    });
    let default = || {
        let option = game
            .info()
            .options
            .iter()
            .find(|option| option.name == name);
        option.map_or("", |option| option.default).to_owned()
    };
    chosen.unwrap_or_else(default)
}
