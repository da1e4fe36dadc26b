//! The Go Text Protocol in Pentobi's dialect, so that either program can sit at the other's
//! table.
//!
//! A line is a command, with a number in front if the answer shall have it too. An answer is
//! `=` and a text, or `?` and what was wrong, and an empty line. Cells are written as
//! everywhere (a1 is at the bottom left), a move is its cells with commas between them.
//! Colours are 1 to 4 or blue, yellow, red and green in the classic game; b and w, blue and
//! green, or 1 and 2 in Duo.
//!
//! A colour may play when it is not its turn: the turn goes on from there. So any program can
//! own any colours. A pass is answered by `genmove`, and never has to be told; `play COLOUR pass`
//! changes nothing.

mod record;
mod table;

use std::io::{self, BufRead, Write};
use std::time::Duration;

use super::engine::EngineSettings;
use super::{Classic, Duo};
use table::Table;

/// Which game is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    /// Four colours on 20 x 20 cells.
    Classic,
    /// Two colours on 14 x 14 cells.
    Duo,
}

impl Variant {
    /// What the game is called in `set_game` and in records.
    fn named(name: &str) -> Option<Self> {
        match name {
            "Blokus" => Some(Variant::Classic),
            "Blokus Duo" => Some(Variant::Duo),
            _ => None,
        }
    }
}

/// How to play.
#[derive(Clone, PartialEq, Debug)]
pub struct GtpSettings {
    /// The game at first; `set_game` changes it.
    pub variant: Variant,
    /// The engine.
    pub engine: EngineSettings,
    /// The time for a move. `time_settings` can make it shorter, or longer if this is `None`.
    pub time: Option<Duration>,
    /// The most playouts for a move.
    pub playouts: Option<u64>,
}

/// The time for a move if nothing is said.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// What a command comes to: the text of an answer, or what was wrong.
type Answer = Result<String, String>;

/// Every command.
const COMMANDS: &[&str] = &[
    "all_legal",
    "clear_board",
    "cputime",
    "final_score",
    "g",
    "genmove",
    "get_value",
    "known_command",
    "list_commands",
    "loadsgf",
    "move_values",
    "name",
    "play",
    "protocol_version",
    "quit",
    "reg_genmove",
    "savesgf",
    "set_game",
    "set_random_seed",
    "showboard",
    "time_settings",
    "undo",
    "version",
];

/// The game on the table.
enum Tables {
    Classic(Box<Table<4>>),
    Duo(Box<Table<2>>),
}

impl Tables {
    fn new(settings: &GtpSettings) -> Result<Self, String> {
        Ok(match settings.variant {
            Variant::Classic => Tables::Classic(Box::new(Table::new(
                Classic::new(),
                settings.engine.clone(),
            )?)),
            Variant::Duo => Tables::Duo(Box::new(Table::new(Duo::new(), settings.engine.clone())?)),
        })
    }
}

/// What is the same for both games.
struct Conversation {
    settings: GtpSettings,
    /// What `time_settings` says.
    asked: Option<Duration>,
    tables: Tables,
}

/// Answers commands until `quit` or the end of the input. An error is one of reading or
/// writing, or why there can be no engine at all.
pub fn serve(settings: GtpSettings, input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let tables = Tables::new(&settings).map_err(io::Error::other)?;
    let mut conversation = Conversation {
        settings,
        asked: None,
        tables,
    };
    for line in input.split(b'\n') {
        let line = line?;
        let text = String::from_utf8_lossy(&line);
        let text: String = text
            .chars()
            .filter(|c| !c.is_control() || *c == '\t')
            .collect();
        let text = text.split('#').next().unwrap_or_default().trim();
        if text.is_empty() {
            continue;
        }
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let (number, command) = text.split_at(digits);
        let (name, rest) = command
            .trim()
            .split_once(char::is_whitespace)
            .unwrap_or((command.trim(), ""));
        let quit = name == "quit";
        match conversation.answer(name, rest.trim()) {
            Ok(text) if text.is_empty() => write!(output, "={number}\n\n")?,
            Ok(text) => write!(output, "={number} {text}\n\n")?,
            Err(text) => write!(output, "?{number} {text}\n\n")?,
        }
        output.flush()?;
        if quit {
            break;
        }
    }
    Ok(())
}

impl Conversation {
    fn answer(&mut self, name: &str, rest: &str) -> Answer {
        match name {
            "name" => Ok("Plywood".to_owned()),
            "version" => Ok(env!("CARGO_PKG_VERSION").to_owned()),
            "protocol_version" => Ok("2".to_owned()),
            "list_commands" => Ok(COMMANDS.join("\n")),
            "known_command" => Ok(COMMANDS.contains(&rest).to_string()),
            "quit" => Ok(String::new()),
            "set_game" => self.set_game(rest),
            "set_random_seed" => {
                let wrong =
                    |_: std::num::ParseIntError| format!("'{rest}' is no seed: use a whole number");
                let seed = rest.parse().map_err(wrong)?;
                self.settings.engine.seed = seed;
                match &mut self.tables {
                    Tables::Classic(table) => table.set_seed(seed),
                    Tables::Duo(table) => table.set_seed(seed),
                }
                Ok(String::new())
            }
            "time_settings" => self.set_time(rest),
            "loadsgf" => self.load(rest),
            _ => {
                let (time, playouts) = (self.time(), self.settings.playouts);
                match &mut self.tables {
                    Tables::Classic(table) => table.answer(name, rest, time, playouts),
                    Tables::Duo(table) => table.answer(name, rest, time, playouts),
                }
            }
        }
    }

    /// The time for a move; none if playouts are the limit.
    fn time(&self) -> Option<Duration> {
        match (self.settings.time, self.asked) {
            (Some(own), Some(asked)) => Some(own.min(asked)),
            (own, asked) => {
                own.or(asked)
                    .or(self.settings.playouts.is_none().then_some(DEFAULT_TIME))
            }
        }
    }

    fn set_game(&mut self, name: &str) -> Answer {
        let Some(variant) = Variant::named(name) else {
            return Err(format!(
                "there is no game '{name}': use Blokus or Blokus Duo"
            ));
        };
        self.settings.variant = variant;
        self.tables = Tables::new(&self.settings)?;
        Ok(String::new())
    }

    /// `time_settings MAIN EXTRA MOVES`, in seconds: so many moves in each piece of extra time.
    fn set_time(&mut self, rest: &str) -> Answer {
        /// Moves that the main time is shared by.
        const MOVES_OF_A_GAME: f64 = 21.0;
        let numbers: Option<Vec<f64>> = rest
            .split_whitespace()
            .map(|word| word.parse().ok())
            .collect();
        match numbers.as_deref() {
            Some(&[main, extra, moves])
                if [main, extra, moves]
                    .iter()
                    .all(|number| (0.0..1e9).contains(number)) =>
            {
                let seconds = main / MOVES_OF_A_GAME + extra / moves.max(1.0);
                // Extra time without moves means that there is no limit.
                let limited = moves > 0.0 || extra == 0.0;
                self.asked = (limited && seconds > 0.0).then(|| Duration::from_secs_f64(seconds));
                Ok(String::new())
            }
            _ => Err(format!(
                "'{rest}' are no time settings: use main time, extra time and moves, in seconds"
            )),
        }
    }

    /// `loadsgf FILE [NUMBER]`: the position before the move of this number, or at the end.
    fn load(&mut self, rest: &str) -> Answer {
        let (file, number) = match rest.rsplit_once(char::is_whitespace) {
            Some((file, number)) if number.parse::<usize>().is_ok() => {
                (file.trim(), number.parse().ok())
            }
            _ => (rest, None),
        };
        let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
        let record = record::Record::read(&text).map_err(|error| format!("{file}: {error}"))?;
        let mut settings = self.settings.clone();
        settings.variant = record.variant;
        let mut tables = Tables::new(&settings)?;
        match &mut tables {
            Tables::Classic(table) => table.set_up(&record, number),
            Tables::Duo(table) => table.set_up(&record, number),
        }
        .map_err(|error| format!("{file}: {error}"))?;
        (self.settings, self.tables) = (settings, tables);
        Ok(String::new())
    }
}
