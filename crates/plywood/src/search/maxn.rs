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
use crate::game::{Game, Scores, Seat, Turn};

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

/// The best child so far. Its score for the mover stands apart from its scores, so that a
/// child that is no better costs one comparison and no copy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Best<S> {
    seat: Seat,
    /// The score of the best child for the mover; below every score before the first.
    own: i32,
    /// Its place in the order of the game.
    first: usize,
    scores: S,
}

/// Below every score there is: see [`MAX_SCORE`](crate::game::MAX_SCORE).
const NOTHING_YET: i32 = i32::MIN;

impl<S: Copy> Best<S> {
    #[inline]
    fn set(&mut self, index: usize, own: i32, scores: S) {
        self.own = own;
        self.first = index;
        self.scores = scores;
    }
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

    #[inline]
    fn leaf(&self, scores: G::Scores) -> G::Scores {
        scores
    }

    #[inline]
    fn start(&self, turn: Turn) -> Self::Acc {
        let Turn::Player(seat) = turn else {
            unreachable!("MaxN is for games without chance");
        };
        Best {
            seat,
            own: NOTHING_YET,
            first: 0,
            scores: G::Scores::from_fn(|_| NOTHING_YET),
        }
    }

    #[inline]
    fn add(&self, acc: &mut Self::Acc, index: usize, _: f64, value: G::Scores) -> bool {
        let own = value[acc.seat.index()];
        let better = own > acc.own || own == acc.own && index < acc.first;
        if better {
            acc.set(index, own, value);
        }
        better
    }

    #[inline]
    fn add_next(&self, acc: &mut Self::Acc, index: usize, _: f64, value: G::Scores) -> bool {
        let own = value[acc.seat.index()];
        let better = own > acc.own;
        if better {
            acc.set(index, own, value);
        }
        better
    }

    #[inline]
    fn value(&self, acc: &Self::Acc) -> G::Scores {
        debug_assert_ne!(acc.own, NOTHING_YET, "a node has at least one child");
        acc.scores
    }

    #[inline]
    fn child_bound(&self, acc: &Self::Acc, index: usize, _: f64, _: Self::Bound) -> Self::Bound {
        self.sum?;
        (acc.own != NOTHING_YET).then(|| Elsewhere {
            seat: acc.seat,
            score: acc.own - i32::from(index < acc.first),
        })
    }

    #[inline]
    fn cuts(&self, acc: &Self::Acc, bound: &Self::Bound, in_order: bool) -> bool {
        let Some(sum) = self.sum else {
            return false;
        };
        if acc.own == NOTHING_YET {
            return false;
        }
        // Nothing can be worth more to the mover; but an earlier child may be worth as much.
        if acc.own >= sum && (in_order || acc.first == 0) {
            return true;
        }
        bound
            .is_some_and(|elsewhere| elsewhere.seat != acc.seat && acc.own + elsewhere.score >= sum)
    }

    fn root_value(&self, value: G::Scores) -> RootValue {
        RootValue::All(value.as_ref().to_vec())
    }
}
