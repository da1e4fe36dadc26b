//! Paranoid: all the others against the root player.
//!
//! For two or more players, with or without chance. The root player maximises its own
//! score and everybody else, chance included, minimises it: alpha-beta on one number, with
//! the options, depth units, tie rule and exactness of [`alphabeta`](super::alphabeta). A
//! player who moves twice, or is skipped because it has to pass, makes no difference: what
//! counts at a node is only whether the root player moves.
//!
//! The values reported for all players are those at the end of the line; only the root
//! player's is what was searched for.

use super::{AlphaBetaOptions, ChanceNeed, Family, Search, SearchInfo};

pub(super) const INFO: SearchInfo = SearchInfo {
    name: "paranoid",
    summary: "all others against the root player, with pruning",
    players: (2, usize::MAX),
    chance: ChanceNeed::Either,
    family: Family::Bounded,
    parse: |options| Ok(Search::Paranoid(AlphaBetaOptions::parse(options))),
};
