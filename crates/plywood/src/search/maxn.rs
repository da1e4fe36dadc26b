//! MaxN: every player goes for its own score.
//!
//! For any number of players without chance. The value of a node is the vector of scores of
//! the child that is best for the player to move.
//!
//! * A depth unit is one move of a player; a player who moves twice uses two, a player who
//!   has to pass is skipped by the game and uses none.
//! * A finished game has its final scores, at any depth.
//! * Among children that are equal for the player to move, the first in the order of the
//!   game is the best: its vector goes up, whatever it means for the others.
//!
//! **Shallow pruning** (Korf). Where the evaluation declares that all scores are at least 0
//! and add up to at most S ([`Evaluate::bounded_sum`](crate::Evaluate::bounded_sum)), a
//! node of player p stops when its best score for p and the best score that its parent's
//! player q has already found elsewhere add up to S: then q cannot get more here. If q found
//! it in a later child (possible only in parallel), it must get strictly less here, so that
//! ties still go to the first child. A single child worth S to its mover ends a node too.
//! The result is that of the whole tree, line included.

use super::fold::Fold;
use super::{ChanceNeed, Family, RootValue, Search, SearchInfo};
use crate::game::{Game, Seat, Turn};

pub(super) const INFO: SearchInfo = SearchInfo {
    name: "maxn",
    summary: "every player for itself; prunes where the scores have a bounded sum",
    players: (1, usize::MAX),
    chance: ChanceNeed::Without,
    family: Family::Vector,
    parse: |options| {
        Ok(Search::MaxN(MaxNOptions {
            prune: !options.flag("no-prune"),
        }))
    },
};

/// What can be switched off in MaxN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MaxNOptions {
    /// Shallow pruning, where the evaluation allows it.
    pub prune: bool,
}

impl Default for MaxNOptions {
    fn default() -> Self {
        MaxNOptions { prune: true }
    }
}

/// Folds children by the best for the player to move.
pub(crate) struct MaxN {
    /// The sum that the scores never exceed, if there is one and pruning is on.
    pub(crate) sum: Option<i32>,
}

/// The best child so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Best<S> {
    seat: Seat,
    found: Option<(S, usize)>,
}

/// What the parent's player can get elsewhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elsewhere {
    seat: Seat,
    score: i32,
}

impl<G: Game> Fold<G> for MaxN {
    type Value = G::Scores;
    type Acc = Best<G::Scores>;
    type Bound = Option<Elsewhere>;
    const ROOT_BOUND: Option<Elsewhere> = None;

    #[inline]
    fn leaf(&self, scores: G::Scores) -> G::Scores {
        scores
    }

    #[inline]
    fn start(&self, turn: Turn) -> Self::Acc {
        let Turn::Player(seat) = turn else {
            unreachable!("MaxN is for games without chance");
        };
        Best { seat, found: None }
    }

    #[inline]
    fn add(&self, acc: &mut Self::Acc, index: usize, _: f64, value: G::Scores) -> bool {
        let seat = acc.seat.index();
        let better = match acc.found {
            None => true,
            Some((best, first)) => {
                value[seat] > best[seat] || value[seat] == best[seat] && index < first
            }
        };
        if better {
            acc.found = Some((value, index));
        }
        better
    }

    #[inline]
    fn add_next(&self, acc: &mut Self::Acc, index: usize, _: f64, value: G::Scores) -> bool {
        let seat = acc.seat.index();
        let better = acc.found.is_none_or(|(best, _)| value[seat] > best[seat]);
        if better {
            acc.found = Some((value, index));
        }
        better
    }

    #[inline]
    fn value(&self, acc: &Self::Acc) -> G::Scores {
        acc.found.expect("a node has at least one child").0
    }

    #[inline]
    fn child_bound(&self, acc: &Self::Acc, index: usize, _: f64, _: Self::Bound) -> Self::Bound {
        self.sum?;
        acc.found.map(|(best, first)| Elsewhere {
            seat: acc.seat,
            score: best[acc.seat.index()] - i32::from(index < first),
        })
    }

    #[inline]
    fn cuts(&self, acc: &Self::Acc, bound: &Self::Bound, in_order: bool) -> bool {
        let (Some(sum), Some((best, first))) = (self.sum, acc.found) else {
            return false;
        };
        let own = best[acc.seat.index()];
        // Nothing can be worth more to the mover; but an earlier child may be worth as much.
        if own >= sum && (in_order || first == 0) {
            return true;
        }
        bound.is_some_and(|elsewhere| elsewhere.seat != acc.seat && own + elsewhere.score >= sum)
    }

    fn root_value(&self, value: G::Scores) -> RootValue {
        RootValue::All(value.as_ref().to_vec())
    }
}
