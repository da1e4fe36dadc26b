//! How to search: which search, on how many threads, with how much memory.

use std::error::Error;
use std::fmt;

use crate::game::Game;
use crate::parallel::Strategy;
use crate::parallel::split_point::MAX_WORKERS;
use crate::search::{AlphaBetaOptions, Search};
use crate::table::Table;

/// The most threads a search can use.
pub const MAX_THREADS: usize = MAX_WORKERS;

/// How to search. Everything that decides the result and how it is reached, but not when
/// the search ends: see [`Limits`](crate::Limits).
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// The search and its options.
    pub search: Search,
    /// How to run it in parallel.
    pub strategy: Strategy,
    /// The number of threads, from 1 to [`MAX_THREADS`].
    pub threads: usize,
    /// The size of the transposition table in bytes, for searches that use one.
    pub table_bytes: usize,
    /// Where the depth is used up and chance acts next, whether to look at every event of
    /// chance and evaluate after it, rather than to evaluate before it.
    pub after_chance: bool,
}

impl Default for Settings {
    /// Alpha-beta on one thread with a table of 64 MiB.
    fn default() -> Self {
        Settings {
            search: Search::AlphaBeta(AlphaBetaOptions::default()),
            strategy: Strategy::sequential(),
            threads: 1,
            table_bytes: 64 << 20,
            after_chance: false,
        }
    }
}

impl Settings {
    /// The default settings with this search: `Settings::new("maxn")?`.
    pub fn new(search: &str) -> Result<Self, SettingsError> {
        Ok(Settings {
            search: search.parse()?,
            ..Settings::default()
        })
    }

    /// The same with this strategy on this many threads.
    pub fn parallel(self, strategy: &str, threads: usize) -> Result<Self, SettingsError> {
        Ok(Settings {
            strategy: strategy.parse()?,
            threads,
            ..self
        })
    }

    /// The same with all the threads that this machine runs at once.
    pub fn on_all_cores(self, strategy: &str) -> Result<Self, SettingsError> {
        let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
        self.parallel(strategy, threads.min(MAX_THREADS))
    }

    /// Checks that search, strategy and game go together.
    pub fn check<G: Game>(&self) -> Result<(), SettingsError> {
        self.search.check::<G>()?;
        let info = self.search.info();
        self.strategy.check(info.family, info.name)?;
        if !(1..=MAX_THREADS).contains(&self.threads) {
            return Err(SettingsError::new(format!(
                "{} threads are not possible: use 1 to {MAX_THREADS}",
                self.threads
            )));
        }
        if self.table_bytes < Table::MIN_BYTES {
            return Err(SettingsError::new(format!(
                "a table of {} bytes is too small: use at least {}",
                self.table_bytes,
                Table::MIN_BYTES
            )));
        }
        Ok(())
    }
}

/// Why settings make no sense: one line that says what was wrong and what is accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SettingsError(String);

impl SettingsError {
    /// The message may quote what came from outside: it stays on one line of sensible length.
    pub(crate) fn new(message: impl AsRef<str>) -> Self {
        const LONGEST: usize = 400;
        let mut line = String::new();
        for character in message.as_ref().chars() {
            if line.len() >= LONGEST {
                line.push('…');
                break;
            }
            if character.is_control() {
                line.extend(character.escape_default());
            } else {
                line.push(character);
            }
        }
        SettingsError(line)
    }
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for SettingsError {}

/// The options behind a search's name, taken one by one.
pub(crate) struct Options<'a> {
    search: &'a str,
    left: Vec<&'a str>,
    accepted: Vec<String>,
}

impl<'a> Options<'a> {
    pub(crate) fn new(search: &'a str, text: &'a str) -> Self {
        Options {
            search,
            left: text
                .split(',')
                .filter(|option| !option.is_empty())
                .collect(),
            accepted: Vec::new(),
        }
    }

    /// Whether this option is given.
    pub(crate) fn flag(&mut self, name: &str) -> bool {
        self.accepted.push(name.to_owned());
        let before = self.left.len();
        self.left.retain(|option| *option != name);
        self.left.len() < before
    }

    /// The text given as `name=text`.
    pub(crate) fn value(&mut self, name: &str, form: &str) -> Option<&'a str> {
        self.accepted.push(format!("{name}={form}"));
        let at = self.left.iter().position(|option| {
            option
                .strip_prefix(name)
                .is_some_and(|rest| rest.starts_with('='))
        })?;
        let option = self.left.remove(at);
        Some(&option[name.len() + 1..])
    }

    /// Complains about options nobody took.
    pub(crate) fn finish(self) -> Result<(), SettingsError> {
        let Some(option) = self.left.first() else {
            return Ok(());
        };
        let known = |name: &str| {
            self.accepted
                .iter()
                .any(|a| a.split('=').next() == Some(name))
        };
        if let Some((name, _)) = option.split_once('=')
            && known(name)
        {
            let search = self.search;
            return Err(SettingsError::new(format!(
                "{search} is given more than one {name}=: use one"
            )));
        }
        let accepted = if self.accepted.is_empty() {
            "it has none".to_owned()
        } else {
            format!("use {}", self.accepted.join(", "))
        };
        Err(SettingsError::new(format!(
            "unknown option '{option}' of {}: {accepted}",
            self.search
        )))
    }
}
