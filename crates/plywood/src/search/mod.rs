//! The searches, one file each; none of them knows a game.
//!
//! Searches that fold the values of all children (minimax, MaxN, expectimax) share the
//! recursion in `fold`; searches on a window (alpha-beta, Paranoid, worst case) share the
//! one in `alphabeta`; Best-Reply Search and BRS+ that in `best_reply`; Monte-Carlo tree search has a tree. The documentation of each says exactly what it computes.

pub mod alphabeta;
pub(crate) mod best_reply;
pub mod brs;
pub mod brs_plus;
pub mod expectimax;
pub(crate) mod fold;
pub mod maxn;
pub mod mcts;
pub mod minimax;
pub mod mp_mix;
pub(crate) mod ordering;
pub mod paranoid;
pub mod worst_case;

use std::fmt;
use std::str::FromStr;

use crate::game::{Game, Scores};
use crate::limits::Stopped;
use crate::parallel::team::{Kernel, Worker};
use crate::settings::{Options, SettingsError};

pub use alphabeta::AlphaBetaOptions;
pub use expectimax::ExpectimaxOptions;
pub use maxn::MaxNOptions;
pub use mcts::MctsOptions;
pub use mp_mix::MpMixOptions;

/// What kind of result a search passes up the tree, which decides how it can be run in
/// parallel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// A number from every child; nothing is pruned.
    Exhaustive,
    /// A vector from every child, with or without pruning.
    Vector,
    /// A number within a window, which prunes.
    Bounded,
    /// Rewards of games played out at random.
    Playouts,
    /// A number within a window, on one thread.
    Alone,
}

/// A search with its options, as it is written: `alphabeta`, `alphabeta:no-pvs,no-table`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Search {
    /// See [`minimax`].
    Minimax,
    /// See [`alphabeta`].
    AlphaBeta(AlphaBetaOptions),
    /// See [`maxn`].
    MaxN(MaxNOptions),
    /// See [`paranoid`].
    Paranoid(AlphaBetaOptions),
    /// See [`expectimax`].
    Expectimax(ExpectimaxOptions),
    /// See [`worst_case`].
    WorstCase(AlphaBetaOptions),
    /// See [`mcts`].
    Mcts(MctsOptions),
    /// See [`brs`].
    Brs,
    /// See [`brs_plus`].
    BrsPlus,
    /// See [`mp_mix`].
    MpMix(MpMixOptions),
}

/// What there is to know about a search.
#[derive(Debug)]
pub struct SearchInfo {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a few words.
    pub summary: &'static str,
    /// For which games: the fewest and most players, and whether there may or must be chance.
    pub players: (usize, usize),
    /// Whether it takes games with chance, games without, or both.
    pub chance: ChanceNeed,
    /// How it runs in parallel.
    pub family: Family,
    /// Reads its options.
    parse: fn(&mut Options<'_>) -> Result<Search, SettingsError>,
}

/// Whether a search is for games with chance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChanceNeed {
    /// Only for games without chance.
    Without,
    /// Only for games with chance.
    With,
    /// For both.
    Either,
}

/// All searches. A new one is a file, a line here and an arm where the engine runs it.
pub const SEARCHES: &[SearchInfo] = &[
    minimax::INFO,
    alphabeta::INFO,
    maxn::INFO,
    paranoid::INFO,
    expectimax::INFO,
    worst_case::INFO,
    mcts::INFO,
    brs::INFO,
    brs_plus::INFO,
    mp_mix::INFO,
];

impl Search {
    /// What there is to know about this search.
    pub fn info(&self) -> &'static SearchInfo {
        match self {
            Search::Minimax => &minimax::INFO,
            Search::AlphaBeta(_) => &alphabeta::INFO,
            Search::MaxN(_) => &maxn::INFO,
            Search::Paranoid(_) => &paranoid::INFO,
            Search::Expectimax(_) => &expectimax::INFO,
            Search::WorstCase(_) => &worst_case::INFO,
            Search::Mcts(_) => &mcts::INFO,
            Search::Brs => &brs::INFO,
            Search::BrsPlus => &brs_plus::INFO,
            Search::MpMix(_) => &mp_mix::INFO,
        }
    }

    /// Checks that the search is made for this game; the error lists those that are.
    pub fn check<G: Game>(&self) -> Result<(), SettingsError> {
        if self.info().fits::<G>() {
            return Ok(());
        }
        let fitting: Vec<_> = SEARCHES
            .iter()
            .filter(|info| info.fits::<G>())
            .map(|info| info.name)
            .collect();
        let players = G::Scores::PLAYERS;
        Err(SettingsError::new(format!(
            "{} is not for a game of {players} player{} {} chance: use one of {}",
            self.info().name,
            if players == 1 { "" } else { "s" },
            if G::CHANCE { "and" } else { "without" },
            fitting.join(", ")
        )))
    }
}

impl SearchInfo {
    /// Whether the search is made for this game.
    pub fn fits<G: Game>(&self) -> bool {
        let players = self.players.0 <= G::Scores::PLAYERS && G::Scores::PLAYERS <= self.players.1;
        let chance = match self.chance {
            ChanceNeed::Either => true,
            ChanceNeed::With => G::CHANCE,
            ChanceNeed::Without => !G::CHANCE,
        };
        players && chance
    }
}

impl FromStr for Search {
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<Self, SettingsError> {
        let (name, options) = text.split_once(':').unwrap_or((text, ""));
        let Some(info) = SEARCHES.iter().find(|info| info.name == name) else {
            let names: Vec<_> = SEARCHES.iter().map(|info| info.name).collect();
            return Err(SettingsError::new(format!(
                "unknown search '{name}': use one of {}",
                names.join(", ")
            )));
        };
        let mut options = Options::new(name, options);
        let search = (info.parse)(&mut options)?;
        options.finish()?;
        Ok(search)
    }
}

impl fmt::Display for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = ':';
        let mut option = |f: &mut fmt::Formatter<'_>, text: &str| {
            let result = write!(f, "{separator}{text}");
            separator = ',';
            result
        };
        f.write_str(self.info().name)?;
        match self {
            Search::Minimax | Search::Brs | Search::BrsPlus => Ok(()),
            Search::MpMix(options) => {
                let default = MpMixOptions::default();
                if options.defence != default.defence {
                    option(f, &format!("defence={}", options.defence))?;
                }
                if options.offence != default.offence {
                    option(f, &format!("offence={}", options.offence))?;
                }
                Ok(())
            }
            Search::AlphaBeta(options) | Search::Paranoid(options) | Search::WorstCase(options) => {
                options.texts().try_for_each(|text| option(f, text))
            }
            Search::MaxN(options) if !options.prune => option(f, "no-prune"),
            Search::MaxN(_) => Ok(()),
            Search::Mcts(options) => options.texts().try_for_each(|text| option(f, &text)),
            Search::Expectimax(options) => {
                if let Some(cut) = options.cut {
                    option(f, &format!("cut={cut}"))?;
                }
                if let Some(likely) = options.likely {
                    option(f, &format!("likely={likely}"))?;
                }
                if !options.table {
                    option(f, "no-table")?;
                }
                Ok(())
            }
        }
    }
}

/// What one complete search to a fixed depth has found.
#[derive(Clone, Debug)]
pub(crate) struct Iteration<M> {
    pub(crate) depth: u32,
    /// The value, from the point of view the search has.
    pub(crate) value: RootValue,
    pub(crate) line: Vec<M>,
    /// Every root move with its value, in the order the game lists them; empty unless
    /// asked for.
    pub(crate) root: Vec<(M, RootValue)>,
}

/// The value of a root move or of the root.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum RootValue {
    /// For the player whose view the search takes.
    One(f64),
    /// For every player.
    All(Vec<i32>),
}

/// A search that can be run from a root position to one depth after the other.
pub(crate) trait RootSearch: Kernel {
    /// Searches to this depth. `previous` is the result of the depth before, if any.
    fn iterate(
        &self,
        worker: &mut Worker<'_, Self>,
        state: &<Self::Game as Game>::State,
        depth: u32,
        previous: Option<&Iteration<<Self::Game as Game>::Move>>,
    ) -> Result<Iteration<<Self::Game as Game>::Move>, Stopped>;
}
