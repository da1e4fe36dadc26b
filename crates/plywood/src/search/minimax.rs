//! Minimax: the plain search of the whole tree.
//!
//! For two players whose scores are each other's negatives, or one player. The value of a
//! node is the largest value of its children where the player whose view is taken moves,
//! and the smallest where anybody else does; that view is the first player's, or with
//! chance in the game the root player's.
//!
//! * A depth unit is one move of a player. The search ends where the depth is used up and
//!   there takes the evaluation.
//! * A player who moves twice in a row uses two units; nothing flips in between. A player
//!   who has to pass is skipped by the game and uses none.
//! * Chance, where there is any, is taken for an adversary who picks the worst event. It
//!   uses no depth; where the depth is used up before chance acts, the position is
//!   evaluated before it acts, or after it with
//!   [`Settings::after_chance`](crate::Settings::after_chance).
//! * A finished game has its final score, at any depth.
//! * Among equal moves the first in the order of the game is the best.

use super::fold::Fold;
use super::{ChanceNeed, Family, RootValue, Search, SearchInfo};
use crate::game::{Game, Seat, Turn};

pub(super) const INFO: SearchInfo = SearchInfo {
    name: "minimax",
    summary: "the whole tree, two players; chance as an adversary",
    players: (1, 2),
    chance: ChanceNeed::Either,
    family: Family::Exhaustive,
    parse: |_| Ok(Search::Minimax),
};

/// Folds children by the best for the player to move.
pub(crate) struct Minimax {
    pub(crate) view: Seat,
}

/// The best child so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Best {
    /// 1 where the largest value is the best, -1 where the smallest is.
    sign: i32,
    /// The value times the sign.
    value: i32,
    index: usize,
}

impl<G: Game> Fold<G> for Minimax {
    type Value = i32;
    type Acc = Best;
    type Bound = ();

    #[inline]
    fn leaf(&self, scores: G::Scores) -> i32 {
        scores[self.view.index()]
    }

    #[inline]
    fn start(&self, turn: Turn) -> Best {
        Best {
            sign: if turn == Turn::Player(self.view) {
                1
            } else {
                -1
            },
            value: i32::MIN,
            index: usize::MAX,
        }
    }

    #[inline]
    fn add(&self, acc: &mut Best, index: usize, _: f64, value: i32) -> bool {
        let value = acc.sign * value;
        let better = value > acc.value || value == acc.value && index < acc.index;
        if better {
            acc.value = value;
            acc.index = index;
        }
        better
    }

    #[inline]
    fn add_next(&self, acc: &mut Best, index: usize, _: f64, value: i32) -> bool {
        let value = acc.sign * value;
        let better = value > acc.value;
        if better {
            acc.value = value;
            acc.index = index;
        }
        better
    }

    #[inline]
    fn value(&self, acc: &Best) -> i32 {
        acc.sign * acc.value
    }

    #[inline]
    fn child_bound(&self, _: &Best, _: usize, _: f64, (): ()) {}

    fn root_value(&self, value: i32) -> RootValue {
        RootValue::One(f64::from(value))
    }
}
