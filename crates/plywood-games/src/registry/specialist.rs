//! Engines made for one game, where a general search is not the best there is.

use plywood::{Limits, Progress, Report};

use super::any_game::{AnyProgress, AnyReport, AnySearcher, Position};
use super::entry::Entry;
use super::erased::Erased;
use super::quoted;
use crate::text::TextError;

/// An engine made for one game.
pub trait Specialist<G: Entry>: Send {
    /// Thinks about a position until a limit is reached, and tells what it knows whenever
    /// that has become more. As every search it answers at any moment, and a stop takes a
    /// few milliseconds.
    fn think(
        &mut self,
        state: &G::State,
        limits: &Limits,
        on_progress: &mut (dyn FnMut(&Progress<'_, G::Move>) + Send),
    ) -> Report<G::Move>;

    /// What a proven value for the player to move says in words, if that is more than its
    /// number.
    fn in_words(&self, value: f64) -> Option<String> {
        let _ = value;
        None
    }

    /// Forgets all that earlier searches have found.
    fn forget(&mut self);
}

/// What an engine may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Resources {
    /// Threads, at least one.
    pub threads: usize,
    /// Bytes of memory for what it wants to keep.
    pub memory: usize,
}

/// Makes an engine for a game with its options.
pub type MakeSpecialist<G> =
    fn(game: &G, resources: Resources) -> Result<Box<dyn Specialist<G>>, TextError>;

/// An engine made for one game, by name.
pub struct OwnEngine<G: Entry> {
    info: EngineInfo,
    make: MakeSpecialist<G>,
}

/// What there is to know about an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EngineInfo {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a few words.
    pub summary: &'static str,
    /// Bytes of memory that it may use if nothing is said.
    pub memory: usize,
}

impl EngineInfo {
    /// Whether it takes memory only as it needs it, rather than all before it begins.
    pub fn grows(&self) -> bool {
        self.memory > MEMORY
    }
}

/// What an engine may use if neither it nor anybody else says how much.
const MEMORY: usize = 64 << 20;

impl<G: Entry> OwnEngine<G> {
    /// The engine that a function makes.
    pub const fn made_by(
        name: &'static str,
        summary: &'static str,
        make: MakeSpecialist<G>,
    ) -> Self {
        OwnEngine {
            info: EngineInfo {
                name,
                summary,
                memory: MEMORY,
            },
            make,
        }
    }

    /// The same for an engine that may use so many bytes if nothing is said, but takes them only
    /// as it needs them.
    pub const fn growing_to(self, memory: usize) -> Self {
        OwnEngine {
            info: EngineInfo {
                memory,
                ..self.info
            },
            make: self.make,
        }
    }

    /// What there is to know about it.
    pub fn info(&self) -> EngineInfo {
        self.info
    }

    /// The engine of this name.
    pub(super) fn searcher(
        game: &Erased<G>,
        name: &str,
        resources: Resources,
    ) -> Result<Box<dyn AnySearcher>, TextError> {
        let names: Vec<_> = G::ENGINES.iter().map(|engine| engine.info.name).collect();
        let Some(engine) = G::ENGINES.iter().find(|engine| engine.info.name == name) else {
            return Err(TextError::new(match names.as_slice() {
                [] => format!(
                    "{} has no engine of its own, so no {}: choose a search instead",
                    G::NAME,
                    quoted(name)
                ),
                _ => format!(
                    "{} has no engine {}: use one of {}",
                    G::NAME,
                    quoted(name),
                    names.join(", ")
                ),
            }));
        };
        Ok(Box::new(OwnSearcher {
            specialist: (engine.make)(game.game(), resources)?,
            game: game.clone(),
        }))
    }
}

/// A game's own engine behind [`AnySearcher`].
struct OwnSearcher<G: Entry> {
    game: Erased<G>,
    specialist: Box<dyn Specialist<G>>,
}

impl<G: Entry> AnySearcher for OwnSearcher<G> {
    fn settings(&self) -> Option<&plywood::Settings> {
        None
    }

    fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        on_depth: &mut (dyn FnMut(&AnyProgress<'_>) + Send),
    ) -> AnyReport {
        let game = &self.game;
        let state = game.state(position);
        let report = self.specialist.think(state, limits, &mut |progress| {
            game.tell(state, progress, on_depth);
        });
        game.write_report(state, report)
    }

    fn in_words(&self, value: f64) -> Option<String> {
        self.specialist.in_words(value)
    }

    fn forget(&mut self) {
        self.specialist.forget();
    }
}
