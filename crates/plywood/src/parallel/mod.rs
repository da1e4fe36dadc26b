//! The ways to run a search on many cores, one file each; none of them knows a game.
//!
//! A task strategy is a [`SplitPolicy`]: it says at which nodes the children become tasks.
//! What a task is and how its result counts is the search's business; how workers find
//! tasks, wait for each other and stop is the same for all, in `team` and `split_point`.

use std::fmt;
use std::str::FromStr;

use crate::search::Family;
use crate::settings::SettingsError;

mod budget;
pub(crate) mod crew;
mod every_node;
pub(crate) mod lazy_smp;
mod own_trees;
mod policy;
mod root;
mod seq;
mod shared_tree;
pub(crate) mod split_point;
pub(crate) mod team;
mod top_then_prune;
mod ybwc;

pub use policy::{Plan, Spawn, SplitPolicy};

/// All strategies. A new one is a file and a line here.
pub const STRATEGIES: &[StrategyInfo] = &[
    seq::INFO,
    every_node::INFO,
    budget::INFO,
    root::INFO,
    ybwc::INFO,
    top_then_prune::INFO,
    lazy_smp::INFO,
    shared_tree::INFO,
    own_trees::INFO,
];

/// What there is to know about a strategy.
#[derive(Debug)]
pub struct StrategyInfo {
    /// Its name.
    pub name: &'static str,
    /// Its name with the form of its argument.
    pub usage: &'static str,
    /// What it does, in a few words.
    pub summary: &'static str,
    /// Whether it makes sense for a family of searches.
    pub fits: fn(Family) -> bool,
    /// The plan for an argument, as it is written behind the colon.
    pub plan: fn(Option<&str>, Spawn) -> Result<Plan, SettingsError>,
}

/// A strategy with its argument, as it is written: `ybwc:4`, `budget:2,spawn=rest`.
///
/// Two are equal if they do the same, however they are written: `budget:2` is `budget:02`.
#[derive(Clone, Debug)]
pub struct Strategy {
    text: String,
    name: &'static str,
    plan: Plan,
}

impl Strategy {
    /// One worker.
    pub fn sequential() -> Self {
        "seq".parse().expect("a strategy of this name exists")
    }

    /// The name of the strategy, without its argument.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// How it runs a search.
    pub fn plan(&self) -> Plan {
        self.plan
    }

    /// Checks that the strategy makes sense for a family of searches; the error lists
    /// those that do.
    pub(crate) fn check(&self, family: Family, search: &str) -> Result<(), SettingsError> {
        let fits = |info: &&StrategyInfo| (info.fits)(family);
        if STRATEGIES
            .iter()
            .filter(fits)
            .any(|info| info.name == self.name)
        {
            return Ok(());
        }
        let fitting: Vec<_> = STRATEGIES.iter().filter(fits).map(|i| i.usage).collect();
        Err(SettingsError::new(format!(
            "{search} cannot be run by {}: use one of {}",
            self.name,
            fitting.join(", ")
        )))
    }
}

impl PartialEq for Strategy {
    fn eq(&self, other: &Self) -> bool {
        (self.name, self.plan) == (other.name, other.plan)
    }
}

impl Eq for Strategy {}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Strategy {
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<Self, SettingsError> {
        let (head, spawn) = match text.split_once(",spawn=") {
            None => (text, None),
            Some((head, "all")) => (head, Some(Spawn::All)),
            Some((head, "rest")) => (head, Some(Spawn::Rest)),
            Some((_, other)) => {
                return Err(SettingsError::new(format!(
                    "unknown spawn order '{other}': use spawn=all or spawn=rest"
                )));
            }
        };
        let (name, argument) = match head.split_once(':') {
            None => (head, None),
            Some((name, argument)) => (name, Some(argument)),
        };
        let Some(info) = STRATEGIES.iter().find(|info| info.name == name) else {
            let usages: Vec<_> = STRATEGIES.iter().map(|info| info.usage).collect();
            return Err(SettingsError::new(format!(
                "unknown parallel strategy '{text}': use one of {}",
                usages.join(", ")
            )));
        };
        let plan = (info.plan)(argument, spawn.unwrap_or_default())?;
        let chooses = matches!(plan, Plan::Split(policy) if !policy.eldest_first);
        if spawn.is_some() && !chooses {
            return Err(SettingsError::new(format!(
                "{name} has no spawn order: spawn= goes with every-node, budget, root and top-then-prune"
            )));
        }
        Ok(Strategy {
            text: text.to_owned(),
            name: info.name,
            plan,
        })
    }
}

/// For strategies that take no argument.
fn no_argument(name: &str, argument: Option<&str>) -> Result<(), SettingsError> {
    match argument {
        None => Ok(()),
        Some(argument) => Err(SettingsError::new(format!(
            "{name} takes no argument, but got '{argument}'"
        ))),
    }
}

/// For strategies whose argument is a number of levels.
fn number(
    name: &str,
    argument: Option<&str>,
    default: u32,
    least: u32,
) -> Result<u32, SettingsError> {
    let Some(argument) = argument else {
        return Ok(default);
    };
    match argument.parse() {
        Ok(number) if (least..=crate::MAX_DEPTH).contains(&number) => Ok(number),
        _ => Err(SettingsError::new(format!(
            "'{argument}' is no number of levels for {name}: use {least} to {}",
            crate::MAX_DEPTH
        ))),
    }
}
