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

/// The children up to the first that was never tried.
#[inline(always)]
fn until_untried<'t, M: 't>(
    places: impl Iterator<Item = (&'t Children<M>, usize)>,
) -> impl Iterator<Item = (&'t Children<M>, usize)> {
    let mut over = false;
    places.take_while(move |&(link, index)| {
        let before = over;
        over = over || link.tallies[index].tried() == 0.0;
        !before
    })
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
                let (event, _) = self.largest(first.places(), None, |tally, _| {
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

    /// Whether those of the children that were never tried differ by their priors only, so that
    /// they are tried in the order of these.
    pub fn tries_in_order(&self) -> bool {
        let options = self.options;
        options.select == Select::Puct && options.rave == 0 && options.history == 0.0
    }

    /// The first child with the largest value among those that are not proven; and, for a
    /// player with a goal, the proven one that is worth more.
    #[inline(always)]
    fn largest<'t, M>(
        &self,
        places: impl Iterator<Item = (&'t Children<M>, usize)>,
        chooser: Option<Chooser>,
        value: impl Fn(&'t Tally, &'t Node<M>) -> f64,
    ) -> Next<'t, M> {
        let mut open: Option<((&Children<M>, usize), f64)> = None;
        let mut proven: Option<(&[f64], f64)> = None;
        let mut any = None;
        for (link, index) in places {
            let (tally, node) = (&link.tallies[index], &link.nodes[index]);
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
        self.largest(first.places(), Some(chooser), |tally, node| {
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
        // All that were never tried have the same average, unless it comes from elsewhere: then
        // the first of these in the order of their priors has the largest bound of them, and
        // none behind it was ever tried.
        if !self.tries_in_order() {
            self.by_puct_among(|| first.places(), chooser, more)
        } else if !first.is_weighed_twice() {
            self.by_puct_among(|| until_untried(first.places()), chooser, more)
        } else if let Some(order) = first.last().order.get() {
            let places = || until_untried(order.places(first));
            self.by_puct_among(places, chooser, more)
        } else {
            self.by_puct_among(|| first.places(), chooser, more)
        }
    }

    #[inline(always)]
    fn by_puct_among<'t, M: 't, I: Iterator<Item = (&'t Children<M>, usize)>>(
        &self,
        places: impl Fn() -> I,
        chooser: Chooser,
        more: impl Fn(&'t Tally, &'t Node<M>, f64) -> f64,
    ) -> Next<'t, M> {
        let Chooser { goal, scale } = chooser;
        let (mut tried, mut visits, mut sum) = (0.0, 0.0, 0.0);
        for (link, index) in places() {
            let tally = &link.tallies[index];
            tried += tally.tried();
            visits += f64::from(tally.visits.load(Ordering::Relaxed));
            sum += tally.own.load(Ordering::Relaxed) as f64;
        }
        let common = if visits > 0.0 {
            goal.scaled(sum / visits, scale)
        } else {
            0.5
        };
        let bonus = self.options.exploration * f64::sqrt(tried + 1.0);
        self.largest(places(), Some(chooser), |tally, node| {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::search::mcts::tree::Order;

    fn link(count: usize, known: usize, random: &mut Random) -> Children<u8> {
        let nodes = (0..count).map(|place| {
            // Few priors, so that some are equal.
            let prior = (1 + random.below(6)) as f64 / 100.0;
            (Node::new(Some((place as u8, 0)), known + place), prior)
        });
        let turn = Turn::Player(Seat::new(0));
        let nodes: Vec<_> = nodes.collect();
        Children::new(turn, nodes.into_iter(), (known + count, 1000), 1)
    }

    #[test]
    fn an_order_finds_what_a_look_at_all_children_finds() {
        let options = MctsOptions {
            select: Select::Puct,
            ..MctsOptions::default()
        };
        let mut random = Random::new(7);
        for _ in 0..50 {
            let first = link(1 + random.below(12), 0, &mut random);
            let choice = Choice {
                options: &options,
                root_seat: Seat::new(0),
                components: 1,
                players: 1,
            };
            let chooser = Chooser {
                goal: choice.goal(Seat::new(0)),
                scale: (0.0, 1e-3),
            };
            let mut visit = |entry: Entry<'_, u8>| {
                entry.tally.visits.fetch_add(1, Ordering::Relaxed);
                let reward = random.below(1000) as i64;
                entry.tally.own.fetch_add(reward, Ordering::Relaxed);
            };
            // Visits before the second look, to children that then have any prior.
            for index in (0..first.nodes.len()).step_by(2) {
                visit(first.entry(index, 1));
            }
            first.set_weighed_twice();
            for round in 0..3 {
                let last = first.last();
                let order = Order::new(first.links()).expect("few children");
                assert!(last.order.set(order).is_ok());
                for _ in 0..40 {
                    let (found, _) = choice.by_puct(&first, chooser, |_, _, _| 0.0);
                    let all = || first.places();
                    let (wanted, _) = choice.by_puct_among(all, chooser, |_, _, _| 0.0);
                    assert_eq!(found.node.place, wanted.node.place);
                    visit(found);
                }
                let more = link(1 + round * 5, last.known, &mut Random::new(round as u64));
                assert!(last.more.set(Box::new(more)).is_ok());
            }
        }
    }
}
