//! Which child a playout goes to, and what is proven.

use std::sync::atomic::Ordering;

use super::tree::{Children, Entry, Node, Rewards, SQUARE, Tally, Tree};
use super::{Backup, MctsOptions, Select};
use crate::game::{Seat, Turn};

/// A child, and the proven rewards that its parent gets instead of the child's.
type Next<'t, M> = (Entry<'t, M>, Option<&'t [f64]>);

/// How the players choose in one search.
#[derive(Clone, Copy)]
pub(super) struct Choice<'a> {
    pub options: &'a MctsOptions,
    /// Whose reward counts if all are against one.
    pub root_seat: Seat,
    /// The numbers of a reward, and how many of them are players'.
    pub components: usize,
    pub players: usize,
}

/// What a player goes for: a component of the reward, up or down.
#[derive(Clone, Copy)]
pub(super) struct Goal {
    pub component: usize,
    pub up: bool,
}

impl Goal {
    /// How much a reward is worth to whoever has this goal: the larger the better.
    pub fn worth(&self, reward: f64) -> f64 {
        if self.up { reward } else { -reward }
    }

    /// The same between 0 and 1, with what [`Rewards::scale`] gives for the component.
    pub fn scaled(&self, reward: f64, (low, factor): (f64, f64)) -> f64 {
        let scaled = ((reward - low) * factor).clamp(0.0, 1.0);
        if self.up { scaled } else { 1.0 - scaled }
    }
}

/// Who chooses among children: its goal, and the scale of its rewards.
#[derive(Clone, Copy)]
struct Chooser {
    goal: Goal,
    scale: (f64, f64),
}

/// Which child is the last to look at.
#[derive(Clone, Copy, PartialEq)]
enum Last {
    OfAll,
    FirstUntried,
}

impl Choice<'_> {
    /// What the player in a seat goes for.
    pub fn goal(&self, seat: Seat) -> Goal {
        match self.options.backup {
            Backup::MaxN => Goal {
                component: seat.index(),
                up: true,
            },
            Backup::Paranoid => Goal {
                component: self.root_seat.index(),
                up: seat == self.root_seat,
            },
        }
    }

    /// The child to visit next. Where the best is proven there is nothing to learn about it:
    /// then the best of the others, and the proven rewards that the node itself gets.
    pub fn next<'t, M>(&self, first: &'t Children<M>, tree: &Tree<M>) -> Next<'t, M> {
        match first.turn {
            Turn::Player(seat) => {
                let goal = self.goal(seat);
                let scale = tree.rewards.scale(goal.component);
                let chooser = Chooser { goal, scale };
                if self.options.history == 0.0 {
                    return self.by_bound(first, chooser, |_, _, _| 0.0);
                }
                self.by_bound(first, chooser, |tally, node, own| {
                    let past = tree.history.average(seat, node.id);
                    let past = past.map_or(0.5, |past| goal.scaled(past, scale));
                    let lost = (1.0 - own) * tally.tried();
                    self.options.history * past / (lost + 1.0)
                })
            }
            // The event that is furthest behind its probability: the visits are those that
            // chance would give in the long run, with less luck in them.
            Turn::Chance | Turn::Over => {
                let (event, _) = self.largest(first, None, Last::OfAll, |tally, _| {
                    tally.prior() / (tally.tried() + 1.0)
                });
                (event, None)
            }
        }
    }

    /// Of the reward that came from one of the events that are not proven, makes that of the
    /// node of chance, with what is proven of the others.
    pub fn mix_proven_events<M>(&self, first: &Children<M>, value: &mut [f64]) {
        let proven = || {
            first
                .entries(self.components)
                .filter_map(|entry| Some((entry.tally.prior(), entry.proof()?)))
        };
        let share: f64 = proven().map(|(probability, _)| probability).sum();
        if share == 0.0 {
            return;
        }
        value
            .iter_mut()
            .for_each(|value| *value *= (1.0 - share).max(0.0));
        for (probability, proof) in proven() {
            for (value, proof) in value.iter_mut().zip(proof) {
                *value += probability * proof;
            }
        }
    }

    /// The first child with the largest value among those that are not proven; and, for a
    /// player with a goal, the proven one that is worth more. If the first that was never
    /// tried is the `last` to look at, it must have the largest value of all these.
    #[inline(always)]
    fn largest<'t, M>(
        &self,
        first: &'t Children<M>,
        chooser: Option<Chooser>,
        last: Last,
        value: impl Fn(&'t Tally, &'t Node<M>) -> f64,
    ) -> Next<'t, M> {
        let mut open: Option<((&Children<M>, usize), f64)> = None;
        let mut proven: Option<(&[f64], f64)> = None;
        let mut any = None;
        'all: for link in first.links() {
            for (index, (tally, node)) in link.tallies.iter().zip(&link.nodes).enumerate() {
                if self.options.solver && tally.is_proven() {
                    let entry = link.entry(index, self.components);
                    let proof = entry.proof().expect("there is one");
                    let worth = chooser.map_or(0.0, |Chooser { goal, scale }| {
                        goal.scaled(proof[goal.component], scale)
                    });
                    if proven.is_none_or(|(_, most)| worth > most) {
                        proven = Some((proof, worth));
                        any = Some(entry);
                    }
                    continue;
                }
                let value = value(tally, node);
                if open.is_none_or(|(_, most)| value > most) {
                    open = Some(((link, index), value));
                }
                if last == Last::FirstUntried && tally.tried() == 0.0 {
                    break 'all;
                }
            }
        }
        let open = open.map(|((link, index), value)| (link.entry(index, self.components), value));
        match (open, proven) {
            (Some((entry, value)), Some((proof, worth))) if chooser.is_some() && worth > value => {
                (entry, Some(proof))
            }
            (Some((entry, _)), _) => (entry, None),
            (None, _) => (any.expect("a node has at least one child"), None),
        }
    }

    /// A child's average together with that of all playouts in which its move was made later.
    #[inline(always)]
    fn average<M>(&self, tally: &Tally, node: &Node<M>, chooser: Chooser) -> Option<f64> {
        let Chooser { goal, scale } = chooser;
        let visits = tally.visits.load(Ordering::Relaxed);
        let own = (visits > 0).then(|| goal.scaled(tally.mean(), scale));
        let rave = self.options.rave;
        if rave == 0 {
            return own;
        }
        let rave_visits = node.rave_visits.load(Ordering::Relaxed);
        if rave_visits == 0 {
            return own;
        }
        let sum = node.rave_sum.load(Ordering::Relaxed) as f64;
        let later = goal.scaled(sum / f64::from(rave_visits), scale);
        let Some(own) = own else {
            return Some(later);
        };
        let share = (f64::from(rave) / (3.0 * f64::from(visits) + f64::from(rave))).sqrt();
        Some(own + share * (later - own))
    }

    /// The child with the largest upper bound. `more` comes on top of it, by how good the
    /// child is so far.
    fn by_bound<'t, M>(
        &self,
        first: &'t Children<M>,
        chooser: Chooser,
        more: impl Fn(&'t Tally, &'t Node<M>, f64) -> f64,
    ) -> Next<'t, M> {
        match self.options.select {
            Select::Ucb => self.by_ucb(first, chooser, more),
            Select::Puct => self.by_puct(first, chooser, more),
        }
    }

    /// UCB1-tuned: the bound is wider where rewards differ more.
    fn by_ucb<'t, M>(
        &self,
        first: &'t Children<M>,
        chooser: Chooser,
        more: impl Fn(&'t Tally, &'t Node<M>, f64) -> f64,
    ) -> Next<'t, M> {
        let Chooser { goal, scale } = chooser;
        let all: f64 = first.tallies().map(Tally::tried).sum();
        let log = (all + 1.0).ln();
        self.largest(first, Some(chooser), Last::OfAll, |tally, node| {
            let tried = tally.tried();
            if tried == 0.0 {
                return f64::INFINITY;
            }
            let own = self.average(tally, node, chooser).unwrap_or(0.5);
            let visits = f64::from(tally.visits.load(Ordering::Relaxed).max(1));
            let squares = node.squares.load(Ordering::Relaxed) as f64 / SQUARE;
            let mean = goal.scaled(tally.mean(), scale);
            let spread = (squares / visits - mean * mean).max(0.0) + (2.0 * log / tried).sqrt();
            let bound = own + self.options.exploration * (log / tried * spread.min(0.25)).sqrt();
            bound + more(tally, node, own)
        })
    }

    /// The average, and the more on top the more the policy likes the move and the less it
    /// was tried.
    fn by_puct<'t, M>(
        &self,
        first: &'t Children<M>,
        chooser: Chooser,
        more: impl Fn(&'t Tally, &'t Node<M>, f64) -> f64,
    ) -> Next<'t, M> {
        let Chooser { goal, scale } = chooser;
        let (mut tried, mut visits, mut sum) = (0.0, 0.0, 0.0);
        // Children are ordered by their priors, and all that were never tried have the same
        // average, unless it comes from elsewhere: then the first of these has the largest
        // bound of them, and none behind it was ever tried.
        let ordered =
            self.options.rave == 0 && self.options.history == 0.0 && !first.is_weighed_twice();
        let last = if ordered {
            Last::FirstUntried
        } else {
            Last::OfAll
        };
        'all: for link in first.links() {
            for tally in &link.tallies {
                let now = tally.tried();
                if ordered && now == 0.0 {
                    break 'all;
                }
                tried += now;
                visits += f64::from(tally.visits.load(Ordering::Relaxed));
                sum += tally.own.load(Ordering::Relaxed) as f64;
            }
        }
        let common = if visits > 0.0 {
            goal.scaled(sum / visits, scale)
        } else {
            0.5
        };
        let bonus = self.options.exploration * f64::sqrt(tried + 1.0);
        self.largest(first, Some(chooser), last, |tally, node| {
            let own = self.average(tally, node, chooser).unwrap_or(common);
            let bound = own + bonus * tally.prior() / (1.0 + tally.tried());
            bound + more(tally, node, own)
        })
    }

    /// The proven rewards of a node with these children, if they follow.
    pub fn prove<M>(&self, first: &Children<M>, rewards: &Rewards) -> Option<Box<[f64]>> {
        let complete = first.last().known == first.total;
        let Turn::Player(seat) = first.turn else {
            let mut sum = vec![0.0; self.components];
            for entry in first.entries(self.components) {
                let proof = entry.proof()?;
                for (sum, value) in sum.iter_mut().zip(proof) {
                    *sum += entry.tally.prior() * value;
                }
            }
            return complete.then(|| sum.into());
        };
        let goal = self.goal(seat);
        let (best, all) = self.best_proven(first, goal);
        let best = best?;
        // With more than two players the others may care which of two best moves it is.
        let enough = self.players <= 2
            && rewards.extreme(goal.component, goal.up) == Some(best[goal.component]);
        (all && complete || enough).then(|| best.into())
    }

    /// The best proven rewards among children, the first of equals, and whether all of them
    /// are proven.
    fn best_proven<'t, M>(&self, first: &'t Children<M>, goal: Goal) -> (Option<&'t [f64]>, bool) {
        let mut best: Option<(&[f64], u32)> = None;
        let mut all = true;
        for entry in first.entries(self.components) {
            let Some(proof) = entry.proof() else {
                all = false;
                continue;
            };
            let own = goal.worth(proof[goal.component]);
            let better = best.is_none_or(|(other, place)| {
                let other = goal.worth(other[goal.component]);
                own > other || own == other && entry.node.place < place
            });
            if better {
                best = Some((proof, entry.node.place));
            }
        }
        (best.map(|(proof, _)| proof), all)
    }
}
