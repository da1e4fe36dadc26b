//! MP-Mix: MaxN, Paranoid or an attack on the leader, by who is ahead.
//!
//! For two or more players without chance. The evaluation of the root position says who is
//! ahead, and of how much: the best score less the second best.
//!
//! * If the root player is ahead by at least `defence`, it is [`paranoid`](super::paranoid).
//! * If another player is ahead of all by at least `offence`, the root player attacks it: as
//!   in MaxN, but at its own nodes the root player takes the child that is worst for the
//!   leader, the first of equals.
//! * Otherwise it is [`maxn`](super::maxn).
//!
//! Depth units, ties, passes and the end of the game are those of the search it becomes.
//! Both thresholds are in units of the evaluation.

use super::fold::Fold;
use super::{ChanceNeed, Family, RootValue, Search, SearchInfo};
use crate::game::{Game, Scores, Seat, Turn};
use crate::settings::{Options, SettingsError};

pub(super) const INFO: SearchInfo = SearchInfo {
    name: "mp-mix",
    summary: "MaxN, Paranoid when ahead, against the leader when behind",
    players: (2, usize::MAX),
    chance: ChanceNeed::Without,
    family: Family::Vector,
    parse: |options| Ok(Search::MpMix(MpMixOptions::parse(options)?)),
};

/// From which leads on MP-Mix does not play MaxN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MpMixOptions {
    /// How far ahead the root player has to be to defend itself against all.
    pub defence: i32,
    /// How far ahead another player has to be to be attacked.
    pub offence: i32,
}

impl Default for MpMixOptions {
    fn default() -> Self {
        MpMixOptions {
            defence: 30,
            offence: 30,
        }
    }
}

/// What MP-Mix becomes in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    MaxN,
    Paranoid,
    /// Against the player in this seat.
    Attack(usize),
}

impl MpMixOptions {
    fn parse(options: &mut Options<'_>) -> Result<Self, SettingsError> {
        let default = MpMixOptions::default();
        let mut lead = |name: &str, default: i32| match options.value(name, "N") {
            None => Ok(default),
            Some(text) => match text.parse() {
                Ok(lead) if lead >= 0 => Ok(lead),
                _ => Err(SettingsError::new(format!(
                    "{name}={text} is not possible: use a whole number from 0"
                ))),
            },
        };
        Ok(MpMixOptions {
            defence: lead("defence", default.defence)?,
            offence: lead("offence", default.offence)?,
        })
    }

    /// What to become where the players have these scores.
    pub(crate) fn mode(&self, root: Seat, scores: &[i32]) -> Mode {
        let leader = (0..scores.len()).rev().max_by_key(|&seat| scores[seat]);
        let leader = leader.unwrap_or(0);
        let others = scores
            .iter()
            .enumerate()
            .filter(|(seat, _)| *seat != leader);
        let second = others.map(|(_, score)| *score).max();
        let ahead = scores[leader].saturating_sub(second.unwrap_or(scores[leader]));
        if leader == root.index() {
            if ahead >= self.defence {
                return Mode::Paranoid;
            }
        } else if ahead >= self.offence {
            return Mode::Attack(leader);
        }
        Mode::MaxN
    }
}

/// MaxN, but for the root player, which wants another player to have little.
pub(crate) struct Attack {
    pub(crate) root: Seat,
    pub(crate) target: usize,
}

/// The best child so far, and what it is worth to whoever moves.
#[derive(Clone, Copy)]
pub(crate) struct Best<S> {
    seat: Seat,
    best: Option<(S, usize)>,
}

impl Attack {
    /// What scores are worth to the player in a seat.
    fn worth<S: Scores>(&self, seat: Seat, scores: &S) -> i32 {
        if seat == self.root {
            -scores[self.target]
        } else {
            scores[seat.index()]
        }
    }
}

impl<G: Game> Fold<G> for Attack {
    type Value = G::Scores;
    type Acc = Best<G::Scores>;
    type Bound = ();

    fn leaf(&self, scores: G::Scores) -> G::Scores {
        scores
    }

    fn start(&self, turn: Turn) -> Self::Acc {
        let Turn::Player(seat) = turn else {
            unreachable!("MP-Mix is for games without chance");
        };
        Best { seat, best: None }
    }

    fn add(&self, acc: &mut Self::Acc, index: usize, _: f64, value: G::Scores) -> bool {
        let worth = |scores: &G::Scores| self.worth(acc.seat, scores);
        let better = acc.best.is_none_or(|(best, first)| {
            let (new, old) = (worth(&value), worth(&best));
            new > old || new == old && index < first
        });
        if better {
            acc.best = Some((value, index));
        }
        better
    }

    fn add_next(&self, acc: &mut Self::Acc, index: usize, weight: f64, value: G::Scores) -> bool {
        <Self as Fold<G>>::add(self, acc, index, weight, value)
    }

    fn value(&self, acc: &Self::Acc) -> G::Scores {
        acc.best.expect("a node has at least one child").0
    }

    fn child_bound(&self, _: &Self::Acc, _: usize, _: f64, (): ()) {}

    fn cuts(&self, _: &Self::Acc, (): &(), _: bool) -> bool {
        false
    }

    fn root_value(&self, value: G::Scores) -> RootValue {
        RootValue::All(value.as_ref().to_vec())
    }
}
