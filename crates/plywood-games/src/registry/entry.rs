//! What a game says of itself to be listed, and the list's entry made of it.

use std::fmt;

use plywood::search::{Family, SEARCHES, SearchInfo};
use plywood::{Evaluate, Scores, Search, Settings};

use super::any_game::{AnyGame, AnySearcher};
use super::erased::Erased;
use super::options::{Choices, OptionInfo};
use super::quoted;
use super::specialist::{EngineInfo, OwnEngine};
use crate::text::{Notation, TextError};

/// A game that can be chosen by name.
pub trait Entry: Notation<State: 'static> + Clone + Send + 'static {
    /// What it is called: one word.
    const NAME: &'static str;
    /// What it is, in a few words.
    const SUMMARY: &'static str;
    /// What can be chosen about it.
    const OPTIONS: &'static [OptionInfo] = &[];
    /// Its evaluations, at least one; the first is the one to use if nothing is said.
    const EVALUATIONS: &'static [Evaluation<Self>];
    /// The search to use if nothing is said.
    const SEARCH: &'static str;
    /// Engines made for this game, the best first.
    const ENGINES: &'static [OwnEngine<Self>] = &[];
    /// A position in the middle of a game with the default options, as text.
    const EXAMPLE: &'static str;

    /// The game with these options, each of them an accepted value.
    fn choose(choices: &Choices) -> Result<Self, TextError>;
}

/// Makes a searcher for a game.
pub type MakeSearcher<G> =
    fn(game: &Erased<G>, settings: Settings) -> Result<Box<dyn AnySearcher>, TextError>;

/// Makes a searcher for a game from what stands behind the colon of `name:argument`.
pub type MakeSearcherFrom<G> = fn(
    game: &Erased<G>,
    argument: &str,
    settings: Settings,
) -> Result<Box<dyn AnySearcher>, TextError>;

/// An evaluation of a game, by name.
pub struct Evaluation<G: Entry> {
    info: EvaluationInfo,
    make: MakeSearcher<G>,
    make_from: Option<MakeSearcherFrom<G>>,
}

impl<G: Entry> Evaluation<G> {
    /// The evaluation `E` under this name.
    ///
    /// Every such `E` has all the game's searches compiled for it, which takes a compiler
    /// many seconds. Evaluations that are not for speed better share a type: see
    /// [`made_by`](Evaluation::made_by).
    pub const fn of<E>(name: &'static str, summary: &'static str) -> Self
    where
        E: Evaluate<G> + Default + Send + 'static,
    {
        Evaluation::made_by(name, summary, |game, settings| {
            game.searcher_with(E::default(), settings)
        })
    }

    /// The evaluation that a function hands to [`Erased::searcher_with`].
    pub const fn made_by(name: &'static str, summary: &'static str, make: MakeSearcher<G>) -> Self {
        Evaluation {
            info: EvaluationInfo { name, summary },
            make,
            make_from: None,
        }
    }

    /// The same evaluation, which also takes an argument behind a colon.
    pub const fn or_from(self, make_from: MakeSearcherFrom<G>) -> Self {
        Evaluation {
            make_from: Some(make_from),
            ..self
        }
    }

    /// A searcher that uses the evaluation of this name, with or without an argument.
    pub(super) fn searcher(
        game: &Erased<G>,
        name: &str,
        settings: Settings,
    ) -> Result<Box<dyn AnySearcher>, TextError> {
        let (plain, argument) = match name.split_once(':') {
            Some((plain, argument)) => (plain, Some(argument)),
            None => (name, None),
        };
        let Some(evaluation) = G::EVALUATIONS.iter().find(|e| e.info.name == plain) else {
            let names: Vec<_> = G::EVALUATIONS.iter().map(|e| e.info.name).collect();
            return Err(TextError::new(format!(
                "{} has no evaluation {}: use one of {}",
                G::NAME,
                quoted(name),
                names.join(", ")
            )));
        };
        match (argument, evaluation.make_from) {
            (None, _) => (evaluation.make)(game, settings),
            (Some(argument), Some(make_from)) => make_from(game, argument, settings),
            (Some(argument), None) => Err(TextError::new(format!(
                "the evaluation {plain} takes nothing behind a colon, not {}: use {plain} alone",
                quoted(argument)
            ))),
        }
    }
}

/// What there is to know about an evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EvaluationInfo {
    /// Its name.
    pub name: &'static str,
    /// What it looks at, in a few words.
    pub summary: &'static str,
}

type OpenGame = fn(&'static GameInfo, &Choices) -> Result<Box<dyn AnyGame>, TextError>;

/// What there is to know about a game before it is opened.
pub struct GameInfo {
    /// Its name.
    pub name: &'static str,
    /// What it is, in a few words.
    pub summary: &'static str,
    /// The number of players.
    pub players: usize,
    /// Whether chance takes part.
    pub chance: bool,
    /// What can be chosen about it.
    pub options: &'static [OptionInfo],
    /// The search to use if nothing is said.
    pub search: &'static str,
    /// A position in the middle of a game with the default options, as text.
    pub example: &'static str,
    evaluations: fn() -> Vec<EvaluationInfo>,
    engines: fn() -> Vec<EngineInfo>,
    searches: fn() -> Vec<&'static SearchInfo>,
    open: OpenGame,
}

impl GameInfo {
    pub(super) const fn of<G: Entry>() -> Self {
        GameInfo {
            name: G::NAME,
            summary: G::SUMMARY,
            players: G::Scores::PLAYERS,
            chance: G::CHANCE,
            options: G::OPTIONS,
            search: G::SEARCH,
            example: G::EXAMPLE,
            evaluations: || G::EVALUATIONS.iter().map(|e| e.info).collect(),
            engines: || G::ENGINES.iter().map(OwnEngine::info).collect(),
            searches: || SEARCHES.iter().filter(|info| info.fits::<G>()).collect(),
            open: |info, choices| {
                let spec = match choices.write() {
                    options if options.is_empty() => info.name.to_owned(),
                    options => format!("{}:{options}", info.name),
                };
                Ok(Box::new(Erased::new(info, &spec, G::choose(choices)?)))
            },
        }
    }

    /// The evaluations; the first is the one to use if nothing is said.
    pub fn evaluations(&self) -> Vec<EvaluationInfo> {
        (self.evaluations)()
    }

    /// The evaluation to use if nothing is said.
    pub fn evaluation(&self) -> &'static str {
        self.evaluations()[0].name
    }

    /// The engines made for this game, the best first; there may be none.
    pub fn engines(&self) -> Vec<EngineInfo> {
        (self.engines)()
    }

    /// The engine of this name, if there is one.
    pub fn engine(&self, name: &str) -> Option<EngineInfo> {
        self.engines().into_iter().find(|info| info.name == name)
    }

    /// The searches that are made for this game.
    pub fn searches(&self) -> Vec<&'static SearchInfo> {
        (self.searches)()
    }

    /// The game with these options, as they are written behind the colon.
    pub fn open(&'static self, options: Option<&str>) -> Result<Box<dyn AnyGame>, TextError> {
        let choices = Choices::read(self.name, self.options, options)?;
        (self.open)(self, &choices)
    }
}

impl fmt::Debug for GameInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("GameInfo").field(&self.name).finish()
    }
}

/// The strategy to run a search on several threads if nothing is said.
pub fn fitting_strategy(search: &Search) -> &'static str {
    match search.info().family {
        // Bounds come from the eldest child, so its siblings have to wait for it.
        Family::Bounded => "ybwc",
        // Nothing to wait for: tasks near the root, few and large.
        Family::Exhaustive | Family::Vector => "budget:2",
        // Every playout of every worker counts for all.
        Family::Playouts => "shared-tree",
        Family::Alone => "seq",
    }
}
