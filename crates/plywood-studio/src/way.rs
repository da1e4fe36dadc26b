//! A way to choose a move: a level, one of the game's own engines or a search with everything
//! about it; and how much of everything it may use.

use std::time::Duration;

use plywood::parallel::Plan;
use plywood::{Limits, MAX_DEPTH, Search, Settings, Strategy};
use plywood_games::registry::{AnyGame, AnySearcher, Resources, fitting_strategy};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::level;

/// The longest time of a search that was told one, in milliseconds.
pub(crate) const MOST_MS: u64 = 600_000;

/// The longest time of an analysis that goes on until it is stopped.
pub(crate) const LONGEST_ANALYSIS: Duration = Duration::from_secs(3600);

/// The most nodes a search can be told.
pub(crate) const MOST_NODES: u64 = 1_000_000_000_000;

/// A search that takes no longer is waited for.
pub(crate) const SHORT: Duration = Duration::from_secs(30);

/// The memory of a search if nothing is said, in mebibytes.
const DEFAULT_MB: usize = 64;

/// The time of a search if nothing limits it, in milliseconds.
const DEFAULT_MS: u64 = 1000;

/// A way to choose a move, as it is written. Level, engine and search exclude each other.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Way {
    /// From 1, which a beginner beats, to 9.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) level: Option<u8>,
    /// One of the game's own engines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) engine: Option<String>,
    /// A general search, with options behind a colon.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) search: Option<String>,
    /// How the search runs in parallel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) strategy: Option<String>,
    /// What the search looks at in the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) evaluation: Option<String>,
    /// Whether it evaluates after the chance that follows the last move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) after_chance: Option<bool>,
    /// The depth to reach.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) depth: Option<u32>,
    /// How long it may take.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) time_ms: Option<u64>,
    /// About how many nodes it may search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) nodes: Option<u64>,
    /// Threads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) threads: Option<usize>,
    /// Memory for what it wants to keep, in mebibytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) memory_mb: Option<usize>,
}

/// The most that a search may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bounds {
    /// Threads.
    pub(crate) threads: usize,
    /// Memory in mebibytes.
    pub(crate) memory_mb: usize,
}

/// A way that was understood.
#[derive(Clone, Debug)]
pub(crate) struct Chosen {
    /// What searches.
    pub(crate) maker: Maker,
    /// What searches instead if that cannot be had for the game.
    pub(crate) stand_in: Option<Maker>,
    pub(crate) threads: usize,
    /// Bytes.
    pub(crate) memory: usize,
    pub(crate) depth: Option<u32>,
    pub(crate) time: Option<Duration>,
    pub(crate) nodes: Option<u64>,
    /// How much the better moves are preferred; nothing means that the best is played.
    pub(crate) preference: Option<f64>,
}

/// What a searcher is made by.
#[derive(Clone, Debug)]
pub(crate) enum Maker {
    /// The game's own engine of this name.
    Engine(String),
    /// A general search.
    Search {
        search: Search,
        strategy: Strategy,
        evaluation: String,
        after_chance: bool,
    },
}

impl Chosen {
    /// Something that searches so.
    pub(crate) fn searcher(&self, game: &dyn AnyGame) -> Result<Box<dyn AnySearcher>, Failure> {
        let made = self.made_by(&self.maker, game);
        match &self.stand_in {
            Some(stand_in) => made.or_else(|_| self.made_by(stand_in, game)),
            None => made,
        }
    }

    fn made_by(&self, maker: &Maker, game: &dyn AnyGame) -> Result<Box<dyn AnySearcher>, Failure> {
        Ok(match maker {
            Maker::Engine(name) => game.engine(
                name,
                Resources {
                    threads: self.threads,
                    memory: self.memory,
                },
            )?,
            Maker::Search {
                search,
                strategy,
                evaluation,
                after_chance,
            } => game.searcher(
                evaluation,
                Settings {
                    search: *search,
                    strategy: strategy.clone(),
                    threads: self.threads,
                    table_bytes: self.memory,
                    after_chance: *after_chance,
                },
            )?,
        })
    }

    /// Checks what can be checked without making a searcher, which may take long.
    pub(crate) fn check(&self, game: &dyn AnyGame) -> Result<(), Failure> {
        match &self.maker {
            Maker::Engine(name) => {
                if game.info().engine(name).is_some() {
                    return Ok(());
                }
                let engines = game.info().engines();
                let names: Vec<&str> = engines.iter().map(|engine| engine.name).collect();
                let accepted = match names.is_empty() {
                    true => "it has none of its own, choose a search".to_owned(),
                    false => format!("use one of {}", names.join(", ")),
                };
                let game = game.info().name;
                Err(bad_way(format!(
                    "{game} has no engine '{name}': {accepted}"
                )))
            }
            // The smallest table: it is only looked whether everything goes together.
            Maker::Search { .. } => {
                let small = Chosen {
                    memory: 1 << 20,
                    threads: 1,
                    ..self.clone()
                };
                small.searcher(game).map(drop)
            }
        }
    }

    /// What tells searchers apart that are made differently, for the same game.
    pub(crate) fn key(&self) -> String {
        format!("{:?} {} {}", self.maker, self.threads, self.memory)
    }

    /// Whether it may take long: nobody should have to wait for it.
    pub(crate) fn is_long(&self) -> bool {
        match self.time {
            Some(time) => time > SHORT,
            // The depths of levels are small.
            None => self.preference.is_none(),
        }
    }

    /// The limits, without a way to stop.
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            depth: self.depth,
            time: self.time,
            nodes: self.nodes,
            ..Limits::default()
        }
    }

    /// What searches, for people and programs.
    pub(crate) fn describe(&self) -> serde_json::Value {
        match &self.maker {
            Maker::Engine(name) => serde_json::json!({
                "engine": name, "threads": self.threads, "memory_mb": self.memory >> 20,
            }),
            Maker::Search {
                search,
                strategy,
                evaluation,
                ..
            } => serde_json::json!({
                "search": search.to_string(), "strategy": strategy.to_string(),
                "evaluation": evaluation, "threads": self.threads,
                "memory_mb": self.memory >> 20,
            }),
        }
    }
}

impl Way {
    /// Understands it for a game. Without any limit it gets a second, or no end at all if
    /// `open_ended`.
    pub(crate) fn choose(
        &self,
        game: &dyn AnyGame,
        bounds: Bounds,
        open_ended: bool,
    ) -> Result<Chosen, Failure> {
        self.check(bounds)?;
        let kinds = [
            self.level.is_some(),
            self.engine.is_some(),
            self.search.is_some(),
        ];
        if kinds.iter().filter(|&&given| given).count() > 1 {
            return Err(bad_way(
                "level, engine and search exclude each other: use one",
            ));
        }
        if let Some(level) = self.level {
            if self.has_details() {
                return Err(bad_way(
                    "a level decides everything else: leave out strategy, evaluation, depth, \
                     time_ms, nodes, threads and memory_mb",
                ));
            }
            return level::choose(game, level, bounds);
        }
        let threads = self.threads.unwrap_or(1);
        let own = |name: &String| game.info().engine(name).map(|engine| engine.memory >> 20);
        let default = self.engine.as_ref().and_then(own).unwrap_or(DEFAULT_MB);
        let memory = self.memory_mb.unwrap_or(default.min(bounds.memory_mb)) << 20;
        let maker = match &self.engine {
            Some(name) => {
                let details = [
                    self.strategy.is_some(),
                    self.evaluation.is_some(),
                    self.after_chance.is_some(),
                ];
                if details.contains(&true) {
                    return Err(bad_way(
                        "an engine has its own strategy and evaluation: leave out strategy, \
                         evaluation and after_chance",
                    ));
                }
                Maker::Engine(name.clone())
            }
            None => self.general(game, threads)?,
        };
        // Some searches run on one thread only: that is no mistake of who asked for more.
        let threads = match &maker {
            Maker::Search { strategy, .. } if strategy.plan() == Plan::Sequential => 1,
            _ => threads,
        };
        let unlimited = self.depth.is_none() && self.time_ms.is_none() && self.nodes.is_none();
        let time_ms = match self.time_ms {
            None if unlimited && !open_ended => Some(DEFAULT_MS),
            given => given,
        };
        let chosen = Chosen {
            maker,
            stand_in: None,
            threads,
            memory,
            depth: self.depth,
            time: time_ms.map(Duration::from_millis),
            nodes: self.nodes,
            preference: None,
        };
        Ok(chosen)
    }

    /// The general search it names, or the game's default.
    fn general(&self, game: &dyn AnyGame, threads: usize) -> Result<Maker, Failure> {
        let info = game.info();
        let settings = |error: plywood::SettingsError| bad_way(error.to_string());
        let search = self.search.as_deref().unwrap_or(info.search);
        let search: Search = search.parse().map_err(settings)?;
        let strategy: Strategy = match &self.strategy {
            Some(text) => text.parse().map_err(settings)?,
            None if threads == 1 => Strategy::sequential(),
            None => fitting_strategy(&search).parse().map_err(settings)?,
        };
        let asked_for = self.strategy.is_some();
        if asked_for && strategy.plan() == Plan::Sequential && threads > 1 {
            return Err(bad_way(format!(
                "the strategy {strategy} runs on one thread, not {threads}: choose another, or \
                 leave out threads"
            )));
        }
        let evaluation = self.evaluation.as_deref().unwrap_or(info.evaluation());
        check_evaluation(evaluation)?;
        Ok(Maker::Search {
            search,
            strategy,
            evaluation: evaluation.to_owned(),
            after_chance: self.after_chance.unwrap_or(false),
        })
    }

    fn has_details(&self) -> bool {
        let level_alone = Way {
            level: self.level,
            ..Way::default()
        };
        *self != level_alone
    }

    fn check(&self, bounds: Bounds) -> Result<(), Failure> {
        let within = |name: &str, value: Option<u64>, most: u64| match value {
            Some(value) if !(1..=most).contains(&value) => Err(bad_way(format!(
                "{name} is {value}: use a number from 1 to {most}"
            ))),
            _ => Ok(()),
        };
        within("level", self.level.map(u64::from), u64::from(level::MOST))?;
        within("depth", self.depth.map(u64::from), u64::from(MAX_DEPTH))?;
        within("time_ms", self.time_ms, MOST_MS)?;
        within("nodes", self.nodes, MOST_NODES)?;
        let threads = self.threads.map(|threads| threads as u64);
        within("threads", threads, bounds.threads as u64)?;
        let memory = self.memory_mb.map(|memory| memory as u64);
        within("memory_mb", memory, bounds.memory_mb as u64)
    }
}

/// Evaluations that read a file are for the command line: a request does not name files.
pub(crate) fn check_evaluation(evaluation: &str) -> Result<(), Failure> {
    match evaluation.split_once(':') {
        Some((name, _)) => Err(bad_way(format!(
            "an evaluation takes nothing behind a colon here: use {name} alone"
        ))),
        None => Ok(()),
    }
}

fn bad_way(message: impl Into<String>) -> Failure {
    Failure::bad("bad-way", message)
}
