//! A match as a TOML file.
//!
//! ```toml
//! game = "gomoku:size=15"
//! games = 100
//! random-plies = 4
//!
//! [[player]]
//! name = "a"
//! search = "alphabeta:no-table"
//! depth = 4
//!
//! [[player]]
//! name = "b"
//! gomocup = "./pbrain-b"
//! time = "1s"
//! ```

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use toml::{Spanned, Value};

use super::plan::{PlayerRequest, Request};
use super::seating::Seatings;
use super::stats::Sprt;
use crate::LabError;
use crate::values;

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct MatchFile {
    game: String,
    games: Option<u32>,
    openings: Option<PathBuf>,
    random_plies: Option<u32>,
    seed: Option<u64>,
    seatings: Option<Spanned<String>>,
    sprt: Option<Spanned<String>>,
    grace: Option<Spanned<String>>,
    start_time: Option<Spanned<String>>,
    #[serde(default)]
    player: Vec<Spanned<BTreeMap<String, Value>>>,
}

impl Request {
    /// Reads a match from a TOML file.
    pub fn read_file(path: &Path) -> Result<Self, LabError> {
        let shown = path.display();
        let text = fs::read_to_string(path).map_err(|error| {
            LabError::Input(format!("{shown}: {error}: use a TOML file with a match"))
        })?;
        Self::read(&shown.to_string(), &text)
    }

    /// Reads a match from the text of a TOML file with this name.
    pub fn read(shown: &str, text: &str) -> Result<Self, LabError> {
        let line =
            |span: Range<usize>| text[..span.start.min(text.len())].matches('\n').count() + 1;
        let file: MatchFile = toml::from_str(text).map_err(|error| {
            let place = error.span().map_or(1, line);
            LabError::Input(format!("{shown}:{place}: {}", error.message()))
        })?;
        let at = |span: Range<usize>| format!("{shown}:{}", line(span));
        let time = |field: &Option<Spanned<String>>| -> Result<Option<Duration>, LabError> {
            read_field(field, values::time, at)
        };
        let mut players = Vec::new();
        for player in &file.player {
            let place = at(player.span());
            let mut fields = Vec::new();
            for (key, value) in player.get_ref() {
                let value = match value {
                    Value::String(text) => text.clone(),
                    Value::Integer(_) | Value::Float(_) | Value::Boolean(_) => value.to_string(),
                    _ => {
                        return Err(LabError::Input(format!(
                            "{place}: {key} of a player: use a text, a number or true"
                        )));
                    }
                };
                fields.push((key.clone(), value));
            }
            players.push(PlayerRequest::Fields { place, fields });
        }
        Ok(Request {
            game: file.game,
            players,
            games: file.games,
            openings: file.openings,
            random_plies: file.random_plies,
            seed: file.seed,
            seatings: read_field(&file.seatings, Seatings::parse, at)?,
            sprt: read_field(&file.sprt, Sprt::parse, at)?,
            grace: time(&file.grace)?,
            start_time: time(&file.start_time)?,
        })
    }
}

fn read_field<T>(
    field: &Option<Spanned<String>>,
    read: impl Fn(&str) -> Result<T, String>,
    at: impl Fn(Range<usize>) -> String,
) -> Result<Option<T>, LabError> {
    let Some(text) = field else {
        return Ok(None);
    };
    let value = read(text.get_ref());
    let value = value.map_err(|error| LabError::Input(format!("{}: {error}", at(text.span()))))?;
    Ok(Some(value))
}
