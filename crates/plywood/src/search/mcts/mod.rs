//! Monte-Carlo tree search: the tree grows where games played out at random promise most.
//!
//! For any number of players, with or without chance. A playout walks down the tree, from
//! node to node, adds a node's children where it leaves the tree, plays the game out from
//! there (see [`Playout`](crate::Playout)) and adds the reward of every player to every
//! node it came through.
//!
//! * At a node of a player it goes to the child with the largest upper bound for that
//!   player's reward: by UCB1-tuned, or with `select=puct` by the weights that the playout
//!   policy gives the moves. Rewards are scaled to between 0 and 1 by the least and largest
//!   that were seen. With `backup=paranoid` all others minimise the reward of the player at
//!   the root.
//! * At a node of chance the events are visited as often as they are likely.
//! * A node being visited by other workers counts as visited, with its average unchanged, so
//!   that workers spread out.
//! * **Proven results.** A finished game has its scores for certain. A node whose children
//!   are all proven has the value of the best for its player, the first among equals; a node
//!   of chance has their expectation. In a game of one or two players one child with the
//!   largest score there is ([`Evaluate::range`](crate::Evaluate::range)) is enough. A proven
//!   node is never searched again, and once the root is proven the search ends:
//!   [`Certainty::Exact`](crate::Certainty).
//! * `rave=K`: moves are also judged by all playouts in which the same player made them
//!   later; after K visits that counts as much as a node's own average.
//! * `history=W`: moves are also judged by how all playouts went in which the same player made
//!   them, anywhere in the game (progressive history): a bonus of W times that average, which
//!   fades as the move is tried, the sooner the less came of it.
//! * `widen=K`: a node starts with its K moves of largest weight; whenever its visits have
//!   become four times as many, it gets as many moves again.
//! * A playout policy may take a second look
//!   ([`Playout::second_look`](crate::Playout::second_look)) at the moves of a node that has
//!   been visited often enough to be worth it: they get new weights, and those that should have
//!   been among the first are added.
//!
//! A node, as [`Limits`](crate::Limits) and [`Report`](crate::Report) count them, is one
//! playout. The depth is the longest line in the tree; a search with no other limit than a
//! depth ends when a line is that long, or nothing can be added to the tree any more. The
//! answer is the move with the most visits, unless a proven one is better. Extra turns and
//! passes make no difference. Of equal moves the first is the best.
//!
//! The tree takes at most [`table_bytes`](crate::Settings::table_bytes), and what is still of
//! use stays for the next search. One thread and a seed give the same answer for the same
//! number of playouts.

mod forest;
mod history;
mod report;
mod run;
mod select;
mod tree;
mod worker;

use std::fmt;

use super::{ChanceNeed, Family, Search, SearchInfo};
use crate::game::Game;
use crate::settings::{Options, SettingsError};

pub(crate) use forest::Forest;
pub use report::RootStatistics;
pub use run::Mcts;
pub(crate) use run::Task;

pub(super) const INFO: SearchInfo = SearchInfo {
    name: "mcts",
    summary: "games played out at random, and a tree of where they promise most",
    players: (1, usize::MAX),
    chance: ChanceNeed::Either,
    family: Family::Playouts,
    parse: |options| Ok(Search::Mcts(MctsOptions::parse(options)?)),
};

/// How a child is chosen on the way down.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Select {
    /// By an upper confidence bound that takes the spread of the rewards into account.
    #[default]
    Ucb,
    /// By the average and the weight that the playout policy gives the move.
    Puct,
}

/// Whose reward a player goes for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Backup {
    /// Everybody for its own.
    #[default]
    MaxN,
    /// The root player for its own, all others against it.
    Paranoid,
}

/// The options of Monte-Carlo tree search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MctsOptions {
    /// How a child is chosen.
    pub select: Select,
    /// Whose reward a player goes for.
    pub backup: Backup,
    /// How much weight is on moves that were rarely tried.
    pub exploration: f64,
    /// After how many visits all moves as first counts as much as a node's own average; 0
    /// switches it off.
    pub rave: u32,
    /// The weight of how a move did in all other places (progressive history); 0 switches it
    /// off.
    pub history: f64,
    /// With how many moves a node starts; 0 for all.
    pub widen: u32,
    /// How often a node is visited before it gets children.
    pub expand: u32,
    /// The most moves of a playout, if there is such a limit.
    pub cut: Option<u32>,
    /// The seed of all random numbers.
    pub seed: u64,
    /// Whether the tree is kept from one search to the next.
    pub reuse: bool,
    /// Whether proven results are used.
    pub solver: bool,
}

impl Default for MctsOptions {
    fn default() -> Self {
        MctsOptions {
            select: Select::Ucb,
            backup: Backup::MaxN,
            exploration: 1.0,
            rave: 0,
            history: 0.0,
            widen: 0,
            expand: 1,
            cut: None,
            seed: 1,
            reuse: true,
            solver: true,
        }
    }
}

impl MctsOptions {
    fn parse(options: &mut Options<'_>) -> Result<Self, SettingsError> {
        let default = MctsOptions::default();
        let select = one_of(
            options,
            "select",
            &[("ucb", Select::Ucb), ("puct", Select::Puct)],
        )?;
        let backup = one_of(
            options,
            "backup",
            &[("maxn", Backup::MaxN), ("paranoid", Backup::Paranoid)],
        )?;
        let exploration = real(options, "c", "1.0", default.exploration)?;
        let history = real(options, "history", "W", default.history)?;
        const MOST: u64 = 1_000_000_000;
        let rave = number(options, "rave", 0, 0, MOST)? as u32;
        let widen = number(options, "widen", 0, 0, MOST)? as u32;
        let expand = number(options, "expand", default.expand.into(), 0, MOST)? as u32;
        let cut = match number(options, "cut", u64::MAX, 0, MOST)? {
            u64::MAX => None,
            cut => Some(cut as u32),
        };
        let seed = number(options, "seed", default.seed, 0, u64::MAX)?;
        Ok(MctsOptions {
            select: select.unwrap_or_default(),
            backup: backup.unwrap_or_default(),
            exploration,
            rave,
            history,
            widen,
            expand,
            cut,
            seed,
            reuse: !options.flag("no-reuse"),
            solver: !options.flag("no-solver"),
        })
    }

    /// The options that are not the default ones, as they are written.
    pub(super) fn texts(&self) -> impl Iterator<Item = String> + use<> {
        let default = MctsOptions::default();
        let mut texts = Vec::new();
        let mut number = |name: &str, value: &dyn fmt::Display, differs: bool| {
            if differs {
                texts.push(format!("{name}={value}"));
            }
        };
        number("select", &"puct", self.select == Select::Puct);
        number("backup", &"paranoid", self.backup == Backup::Paranoid);
        let c = self.exploration;
        number("c", &c, c != default.exploration);
        number("rave", &self.rave, self.rave != default.rave);
        let history = self.history;
        number("history", &history, history != default.history);
        number("widen", &self.widen, self.widen != default.widen);
        number("expand", &self.expand, self.expand != default.expand);
        number("cut", &self.cut.unwrap_or(0), self.cut.is_some());
        number("seed", &self.seed, self.seed != default.seed);
        let flags = [(self.reuse, "no-reuse"), (self.solver, "no-solver")];
        let flags = flags.into_iter().filter(|(on, _)| !on);
        texts.extend(flags.map(|(_, name)| name.to_owned()));
        texts.into_iter()
    }
}

fn wrong(name: &str, text: &str, accepted: &str) -> SettingsError {
    SettingsError::new(format!("{name}={text} is not possible: use {accepted}"))
}

fn real(
    options: &mut Options<'_>,
    name: &str,
    example: &str,
    default: f64,
) -> Result<f64, SettingsError> {
    let Some(text) = options.value(name, example) else {
        return Ok(default);
    };
    text.parse()
        .ok()
        .filter(|number| (0.0..=100.0).contains(number))
        .ok_or_else(|| wrong(name, text, "a number from 0 to 100"))
}

fn one_of<T: Copy>(
    options: &mut Options<'_>,
    name: &str,
    all: &[(&str, T)],
) -> Result<Option<T>, SettingsError> {
    let words: Vec<&str> = all.iter().map(|(word, _)| *word).collect();
    let Some(text) = options.value(name, &words.join("|")) else {
        return Ok(None);
    };
    match all.iter().find(|(word, _)| *word == text) {
        Some((_, value)) => Ok(Some(*value)),
        None => Err(wrong(name, text, &words.join(" or "))),
    }
}

fn number(
    options: &mut Options<'_>,
    name: &str,
    default: u64,
    least: u64,
    most: u64,
) -> Result<u64, SettingsError> {
    let Some(text) = options.value(name, "N") else {
        return Ok(default);
    };
    text.parse()
        .ok()
        .filter(|number| (least..=most).contains(number))
        .ok_or_else(|| {
            wrong(
                name,
                text,
                &format!("a whole number from {least} to {most}"),
            )
        })
}

/// The number of players of a game.
fn players<G: Game>() -> usize {
    <G::Scores as crate::game::Scores>::PLAYERS
}
