//! All games by name, for programs that let a person choose one.
//!
//! [`games`] lists them with their options and evaluations, [`open`] makes one from a text
//! like `kalah:stones=6`. What it gives is an [`AnyGame`]: the same for every game, with
//! moves as text. The types of the game are left behind here, outside everything that has to
//! be fast: a search runs with them, and only its report is translated.
//!
//! A new game is its folder, where it implements [`Entry`], and a line in the list here.

mod adversary;
mod any_game;
mod entry;
mod erased;
mod options;
mod random;
mod specialist;

pub use adversary::worst_event;
pub use any_game::{AnyGame, AnyProgress, AnyReport, AnySearcher, Position};
pub use entry::{
    Entry, Evaluation, EvaluationInfo, GameInfo, MakeSearcher, MakeSearcherFrom, fitting_strategy,
};
pub use erased::Erased;
pub use options::{Accepted, Choices, OptionInfo};
pub use random::Random;
pub use specialist::{EngineInfo, MakeSpecialist, OwnEngine, Resources, Specialist};

use crate::text::TextError;
#[cfg(not(test))]
use crate::{blokus, gomoku, kalah, twenty48};

/// Every game there is. The unit tests need none, and compiling all searches for all games
/// once more takes minutes.
#[cfg(test)]
static GAMES: &[GameInfo] = &[];
/// Every game there is.
#[cfg(not(test))]
static GAMES: &[GameInfo] = &[
    GameInfo::of::<kalah::Kalah>(),
    GameInfo::of::<gomoku::Gomoku>(),
    GameInfo::of::<blokus::Classic>(),
    GameInfo::of::<blokus::Duo>(),
    GameInfo::of::<twenty48::Twenty48>(),
];

/// All games.
pub fn games() -> &'static [GameInfo] {
    GAMES
}

/// The game that a text names: the name alone, or with options as in
/// `gomoku:size=19,rule=renju`.
pub fn open(spec: &str) -> Result<Box<dyn AnyGame>, TextError> {
    let spec = spec.trim();
    let (name, options) = match spec.split_once(':') {
        Some((name, options)) => (name, Some(options)),
        None => (spec, None),
    };
    let Some(info) = GAMES.iter().find(|info| info.name == name) else {
        let names: Vec<_> = GAMES.iter().map(|info| info.name).collect();
        return Err(TextError::new(format!(
            "unknown game {}: use one of {}",
            quoted(name),
            names.join(", ")
        )));
    };
    info.open(options)
}

/// A text from outside, short and on one line.
fn quoted(text: &str) -> String {
    let start: String = text.chars().take(40).collect();
    let dots = if start.len() < text.len() { "…" } else { "" };
    format!("'{}{dots}'", start.escape_debug())
}

impl From<plywood::SettingsError> for TextError {
    fn from(error: plywood::SettingsError) -> Self {
        TextError::new(error.to_string())
    }
}
