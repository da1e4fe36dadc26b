//! The keys of a player and what they make of it.

use std::path::Path;

use plywood::parallel::Plan as Parallel;
use plywood::{Search, Strategy};
use plywood_games::registry::{AnyGame, fitting_strategy};

use super::{EnginePlayer, PlayerKind, ProgramPlayer, SearchLimits, SearchPlayer};
use crate::values;

/// Every key of a player, for error messages.
const KEYS: &str = "name, search, eval, parallel, threads, depth, nodes, time, memory, \
     after-chance, engine, random, gomocup, gtp, match-time";

/// The size of a searching player's table if nothing is said.
const TABLE_BYTES: usize = 64 << 20;

/// The most that an engine grows to if nothing is said, on every machine and however many games
/// are played at once: enough for some eight seconds a move.
const ENGINE_BYTES: usize = 512 << 20;

/// Whether a word is a key of a player.
pub(super) fn is_key(word: &str) -> bool {
    KEYS.split(", ").any(|key| key == word)
}

/// The keys of a player that nobody has looked at yet.
pub(super) struct Fields {
    left: Vec<(String, String)>,
}

impl Fields {
    pub fn new(fields: &[(String, String)]) -> Result<Self, String> {
        for (at, (key, _)) in fields.iter().enumerate() {
            if !is_key(key) {
                return Err(format!("a player has no key {key:?}: use {KEYS}"));
            }
            if fields[..at].iter().any(|(other, _)| other == key) {
                return Err(format!(
                    "a player's {key} is given twice: use each key once"
                ));
            }
        }
        Ok(Fields {
            left: fields.to_vec(),
        })
    }

    pub fn take(&mut self, key: &str) -> Option<String> {
        let at = self.left.iter().position(|(other, _)| other == key)?;
        Some(self.left.remove(at).1)
    }

    /// The value of a key, read.
    fn read<T>(
        &mut self,
        key: &str,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Result<Option<T>, String> {
        let Some(text) = self.take(key) else {
            return Ok(None);
        };
        let value = read(&text).map_err(|accepted| format!("{key}={text}: {accepted}"))?;
        Ok(Some(value))
    }

    /// Whether a key without a value is given.
    fn flag(&mut self, key: &str) -> Result<bool, String> {
        match self.take(key).as_deref() {
            None | Some("false") => Ok(false),
            Some("" | "true") => Ok(true),
            Some(text) => Err(format!("{key}={text}: write {key} alone")),
        }
    }

    fn has(&self, key: &str) -> bool {
        self.left.iter().any(|(other, _)| other == key)
    }

    pub fn kind(&mut self, game: &dyn AnyGame) -> Result<PlayerKind, String> {
        let given: Vec<&str> = ["search", "engine", "random", "gomocup", "gtp"]
            .into_iter()
            .filter(|key| self.has(key))
            .collect();
        match given.as_slice() {
            [] | ["search"] => Ok(PlayerKind::Search(self.search(game)?)),
            ["engine"] => Ok(PlayerKind::Engine(self.engine(game)?)),
            ["random"] => match self.flag("random")? {
                true => Ok(PlayerKind::Random),
                false => Ok(PlayerKind::Search(self.search(game)?)),
            },
            ["gomocup"] => {
                check_gomocup(game)?;
                Ok(PlayerKind::Gomocup(self.program("gomocup")?))
            }
            [one, other, ..] => Err(format!("{one} and {other} exclude each other: use one")),
            [_] => {
                check_gtp(game)?;
                Ok(PlayerKind::Gtp(self.program("gtp")?))
            }
        }
    }

    fn search(&mut self, game: &dyn AnyGame) -> Result<SearchPlayer, String> {
        let info = game.info();
        let search = self.take("search").unwrap_or(info.search.to_owned());
        let parsed: Search = search.parse().map_err(|error| format!("{error}"))?;
        let strategy = self.take("parallel");
        let threads = self.read("threads", values::threads)?;
        let strategy: Strategy = match (&strategy, threads) {
            (Some(text), _) => text.parse().map_err(|error| format!("{error}"))?,
            (None, None | Some(1)) => Strategy::sequential(),
            (None, Some(_)) => {
                let fitting = fitting_strategy(&parsed);
                fitting.parse().map_err(|error| format!("{error}"))?
            }
        };
        let sequential = strategy.plan() == Parallel::Sequential;
        let threads = match threads {
            Some(threads) if sequential && threads > 1 => {
                return Err(format!(
                    "parallel={strategy} runs on one thread, not {threads}: choose another \
                     strategy, or leave out threads"
                ));
            }
            Some(threads) => threads,
            None if sequential => 1,
            // Unlike a single search, a match is to give the same games on any machine.
            None => {
                return Err(format!(
                    "parallel={strategy} has no number of threads: use threads=, as in threads=2"
                ));
            }
        };
        let player = SearchPlayer {
            search: parsed.to_string(),
            evaluation: self.take("eval").unwrap_or(info.evaluation().to_owned()),
            parallel: strategy.to_string(),
            threads,
            table_bytes: self.read("memory", values::memory)?.unwrap_or(TABLE_BYTES),
            after_chance: self.flag("after-chance")?,
            limits: self.limits()?,
        };
        if player.after_chance && !info.chance {
            return Err(format!(
                "after-chance is for games with chance, and {} has none",
                info.name
            ));
        }
        // The smallest table will do to learn whether search and evaluation fit the game.
        let small = SearchPlayer {
            table_bytes: plywood::Table::MIN_BYTES,
            ..player.clone()
        };
        small.searcher(game)?;
        Ok(player)
    }

    fn engine(&mut self, game: &dyn AnyGame) -> Result<EnginePlayer, String> {
        let engine = self.take("engine").unwrap_or_default();
        // Before anything else is missed: a name that does not exist has no limits either.
        let Some(info) = game.info().engine(&engine) else {
            let engines = game.info().engines();
            let names: Vec<&str> = engines.iter().map(|engine| engine.name).collect();
            let accepted = match names.as_slice() {
                [] => "it has none: use search= with a search".to_owned(),
                names => format!("use {}", names.join(", ")),
            };
            return Err(format!(
                "{} has no engine '{}': {accepted}",
                game.info().name,
                values::short(&engine)
            ));
        };
        let memory = self.read("memory", values::memory)?;
        let player = EnginePlayer {
            engine,
            threads: self.read("threads", values::threads)?.unwrap_or(1),
            memory: memory.unwrap_or(info.memory.min(ENGINE_BYTES)),
            limits: self.limits()?,
        };
        player.searcher(game)?;
        Ok(player)
    }

    fn limits(&mut self) -> Result<SearchLimits, String> {
        let limits = SearchLimits {
            depth: self.read("depth", values::depth)?,
            nodes: self.read("nodes", values::nodes)?,
            time_ms: self.time("time")?,
        };
        if limits.depth.is_none() && limits.nodes.is_none() && limits.time_ms.is_none() {
            return Err("no limit: use depth=, nodes= or time=".to_owned());
        }
        Ok(limits)
    }

    fn time(&mut self, key: &str) -> Result<Option<u64>, String> {
        let time = self.read(key, values::time)?;
        Ok(time.map(|time| time.as_millis() as u64))
    }

    fn program(&mut self, key: &str) -> Result<ProgramPlayer, String> {
        let text = self.take(key).unwrap_or_default();
        let command = words(&text).map_err(|error| format!("{key}={text}: {error}"))?;
        let Some(program) = command.first() else {
            return Err(format!(
                "{key} names no program: use {key}= with a program and its arguments"
            ));
        };
        if !can_be_started(program) {
            return Err(format!(
                "{key}={program}: there is no such program: use a path, or the name of a program \
                 that the shell finds"
            ));
        }
        let Some(time_ms) = self.time("time")? else {
            return Err("no limit: use time=, how long a move may take".to_owned());
        };
        Ok(ProgramPlayer {
            command,
            time_ms,
            match_time_ms: self.time("match-time")?,
            memory: self
                .read("memory", values::memory)?
                .map(|bytes| bytes as u64),
        })
    }

    /// Complains about a key that says nothing about this kind of player.
    pub fn finish(&self, kind: &PlayerKind) -> Result<(), String> {
        let Some((key, _)) = self.left.first() else {
            return Ok(());
        };
        let (what, accepted) = match kind {
            PlayerKind::Search(_) => (
                "a search",
                "search, eval, parallel, threads, depth, nodes, time, memory, after-chance",
            ),
            PlayerKind::Engine(_) => (
                "a game's own engine",
                "engine, threads, depth, nodes, time, memory",
            ),
            PlayerKind::Random => ("a player at random", "name alone"),
            PlayerKind::Gomocup(_) | PlayerKind::Gtp(_) => {
                ("a program", "time, match-time, memory")
            }
        };
        Err(format!("{what} has no {key}: use {accepted}"))
    }
}

/// Only what the protocol can say can be played over it.
fn check_gomocup(game: &dyn AnyGame) -> Result<(), String> {
    if game.info().name != "gomoku" {
        return Err(format!(
            "a program over gomocup= plays gomoku, not {}",
            game.info().name
        ));
    }
    if game.spec().contains("corner=") {
        return Err(
            "a program over gomocup= knows no corner: use gomoku without corner=".to_owned(),
        );
    }
    Ok(())
}

fn check_gtp(game: &dyn AnyGame) -> Result<(), String> {
    match game.info().name {
        "blokus" | "blokus-duo" => Ok(()),
        name => Err(format!(
            "a program over gtp= plays blokus or blokus-duo, not {name}"
        )),
    }
}

/// A command line as words; quotes, single or double, keep words with spaces together.
fn words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for character in text.chars() {
        match quote {
            Some(open) if character == open => quote = None,
            Some(_) => word.get_or_insert_default().push(character),
            None if character == '\'' || character == '"' => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            None if character.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(character),
        }
    }
    if let Some(open) = quote {
        return Err(format!("a quote {open} is not closed: use two of them"));
    }
    words.extend(word);
    Ok(words)
}

fn can_be_started(program: &str) -> bool {
    if program.contains(std::path::MAIN_SEPARATOR) {
        return is_program(Path::new(program));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| is_program(&folder.join(program)))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata()
        .is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file() || path.with_extension("exe").is_file()
}
