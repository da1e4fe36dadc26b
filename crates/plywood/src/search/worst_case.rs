//! Worst case: chance is an adversary.
//!
//! For games with chance. The root player maximises its own score; chance picks the event
//! that is worst for it, whatever its probability, and so does every other player:
//! alpha-beta on one number, with the options, tie rule and exactness of
//! [`alphabeta`](super::alphabeta).
//!
//! A depth unit is one move of a player; chance uses none. Where the depth is used up the
//! position is evaluated before chance acts, or after it, at its worst, with
//! [`Settings::after_chance`](crate::Settings::after_chance).

use super::{AlphaBetaOptions, ChanceNeed, Family, Search, SearchInfo};

pub(super) const INFO: SearchInfo = SearchInfo {
    name: "worst-case",
    summary: "chance as an adversary, with pruning",
    players: (1, usize::MAX),
    chance: ChanceNeed::With,
    family: Family::Bounded,
    parse: |options| Ok(Search::WorstCase(AlphaBetaOptions::parse(options))),
};
