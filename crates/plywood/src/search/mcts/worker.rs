//! One playout after the other: down the tree, out of it, and back up.

use std::collections::HashSet;
use std::sync::atomic::Ordering;

use super::Select;
use super::select::Choice;
use super::tree::{Children, Entry, Node, Order, SQUARE, Tally, Tree};
use crate::game::{Game, Seat, Turn};
use crate::playout::{Lists, Played, Playout};
use crate::random::Random;

/// No line of the tree is longer, so that walking it takes little stack.
const LONGEST_LINE: usize = 2000;

/// How often each of the first moves is tried before a node gets more.
const VISITS_BEFORE_MORE: u64 = 8;

/// A worker of one search.
pub(super) struct Walker<'t, 's, G: Game, P: Playout<G>> {
    game: &'t G,
    playout: &'t P,
    choice: Choice<'t>,
    root: &'t G::State,
    tree: &'t Tree<G::Move>,
    random: Random,
    scratch: &'s mut P::Scratch,
    /// The nodes on the way down, the root first, each with who has chosen it.
    path: Vec<Step<'t, G::Move>>,
    lists: Lists<G::Move>,
    weights: Vec<f32>,
    order: Vec<u32>,
    played: Played<G::Move>,
    reward: Vec<i32>,
    /// The reward as it goes up.
    value: Vec<f64>,
    /// The same as it is added to sums.
    rounded: Vec<i64>,
    later: Later,
    /// After so many visits the moves of a node are weighed once more.
    second_look: Option<u32>,
    /// No line gets longer.
    deepest: usize,
    /// The longest line so far.
    pub longest: usize,
}

/// A node on the way down.
struct Step<'t, M> {
    entry: Entry<'t, M>,
    /// Who has chosen it; nobody chose the root, or what chance did.
    chooser: Option<Seat>,
    /// The children it is among; none for the root.
    among: Option<&'t Children<M>>,
    /// What its parent gets instead of the reward from below: the chooser has a proven child
    /// that it likes better, and only looks at this one to learn more.
    instead: Option<&'t [f64]>,
}

impl<'t, 's, G: Game, P: Playout<G>> Walker<'t, 's, G, P> {
    pub fn new(
        (game, playout): (&'t G, &'t P),
        choice: Choice<'t>,
        root: &'t G::State,
        tree: &'t Tree<G::Move>,
        (random, scratch): (Random, &'s mut P::Scratch),
        depth: Option<u32>,
    ) -> Self {
        let rave = choice.options.rave > 0;
        let history = choice.options.history > 0.0;
        Walker {
            game,
            playout,
            root,
            tree,
            random,
            scratch,
            path: Vec::new(),
            lists: Lists::default(),
            weights: Vec::new(),
            order: Vec::new(),
            played: Played::new(rave || history),
            reward: vec![0; choice.components],
            value: Vec::new(),
            rounded: Vec::new(),
            later: Later::new(if rave { choice.players } else { 0 }),
            second_look: playout.second_look(),
            deepest: depth.map_or(LONGEST_LINE, |depth| LONGEST_LINE.min(depth as usize)),
            longest: 0,
            choice,
        }
    }

    /// One playout.
    pub fn play(&mut self) {
        let mut state = self.root.clone();
        self.played.clear();
        self.path.clear();
        let proven = self.walk_down(&mut state);
        self.longest = self.longest.max(self.path.len() - 1);
        self.tree.rewards.see(&self.reward);
        self.back_up();
        if proven {
            self.back_up_proof();
        }
    }

    /// Goes down the tree and leaves the reward; whether it is for certain.
    fn walk_down(&mut self, state: &mut G::State) -> bool {
        let mut here = self.tree.root();
        self.enter(here, None, None, None);
        loop {
            if self.choice.options.solver
                && let Some(proof) = here.proof()
            {
                for (reward, proof) in self.reward.iter_mut().zip(proof) {
                    *reward = proof.round() as i32;
                }
                return true;
            }
            let Some(children) = self.children(here, state) else {
                return self.leave(here, state);
            };
            let (child, instead) = self.choice.next(children, self.tree);
            let chooser = match children.turn {
                Turn::Player(seat) => Some(seat),
                Turn::Chance | Turn::Over => None,
            };
            self.enter(child, chooser, Some(children), instead);
            let mv = child.node.mv.expect("only the root has no move");
            self.game.play(state, mv);
            here = child;
        }
    }

    fn enter(
        &mut self,
        entry: Entry<'t, G::Move>,
        chooser: Option<Seat>,
        among: Option<&'t Children<G::Move>>,
        instead: Option<&'t [f64]>,
    ) {
        // Nobody chooses the root, so nobody asks how many are below it.
        if among.is_some() {
            entry.tally.in_flight.fetch_add(1, Ordering::Relaxed);
        }
        self.path.push(Step {
            entry,
            chooser,
            among,
            instead,
        });
    }

    /// Plays the game out; whether the reward is for certain, because it is over already.
    fn leave(&mut self, entry: Entry<'t, G::Move>, state: &mut G::State) -> bool {
        if self.game.turn(state) == Turn::Over {
            self.playout.finished(self.game, state, &mut self.reward);
            if self.choice.options.solver {
                entry.prove(self.reward.iter().map(|&r| f64::from(r)).collect());
            }
            return self.choice.options.solver;
        }
        self.playout.play_out(
            self.game,
            state,
            &mut self.random,
            self.scratch,
            &mut self.played,
            &mut self.reward,
        );
        false
    }

    /// The children of a node, which it may get now; none where the tree ends.
    fn children(
        &mut self,
        entry: Entry<'t, G::Move>,
        state: &G::State,
    ) -> Option<&'t Children<G::Move>> {
        let Some(first) = entry.node.children.get() else {
            return self.first_children(entry, state);
        };
        let last = first.last();
        let visits = u64::from(entry.visits());
        let second_look = self.is_due_for_second_look(first, visits);
        if (second_look || self.is_due_for_more(first, last, visits)) && last.claim() {
            let more = if second_look {
                self.look_again(first, last, state)
            } else {
                self.make(last.turn, state, Some(first), last.known, entry.node)
            };
            match more {
                Some(more) => _ = last.more.set(more),
                None => last.release(),
            }
        }
        Some(first)
    }

    fn is_due_for_second_look(&self, first: &Children<G::Move>, visits: u64) -> bool {
        let due = self.second_look.is_some_and(|after| visits >= after.into());
        due && matches!(first.turn, Turn::Player(_)) && !first.is_weighed_twice()
    }

    /// Whether a node has been visited so often that it gets moves it does not know yet, or
    /// all that it knows are proven.
    fn is_due_for_more(
        &self,
        first: &Children<G::Move>,
        last: &Children<G::Move>,
        visits: u64,
    ) -> bool {
        if last.known >= last.total {
            return false;
        }
        let start = u64::from(self.choice.options.widen);
        // Known moves double whenever visits have become four times as many.
        let doublings = (last.known as u64 / start.max(1)).max(1);
        let due = visits >= VISITS_BEFORE_MORE * start * doublings * doublings;
        due || self.choice.options.solver && first.tallies().all(Tally::is_proven)
    }

    fn first_children(
        &mut self,
        entry: Entry<'t, G::Move>,
        state: &G::State,
    ) -> Option<&'t Children<G::Move>> {
        let (options, node) = (self.choice.options, entry.node);
        let is_root = std::ptr::eq(node, &*self.tree.root);
        if !is_root && (entry.visits() < options.expand || self.path.len() > self.deepest) {
            return None;
        }
        let turn = self.game.turn(state);
        if turn == Turn::Over || !node.claim() {
            // The game is over here, or another worker is just adding them.
            return None;
        }
        let most = match (turn, options.widen) {
            (Turn::Player(_), widen) if widen > 0 => widen as usize,
            _ => usize::MAX,
        };
        match self.make(turn, state, None, most, node) {
            Some(first) => Some(node.children.get_or_init(|| first)),
            None => {
                node.release();
                None
            }
        }
    }

    /// Makes at most `most` children, those with most weight that are not known yet, if there
    /// is memory.
    fn make(
        &mut self,
        turn: Turn,
        state: &G::State,
        first: Option<&Children<G::Move>>,
        most: usize,
        of: &Node<G::Move>,
    ) -> Option<Box<Children<G::Move>>> {
        self.lists.fill(self.game, state, turn);
        let total = self.lists.moves.len();
        let known = first.map_or(0, |first| first.last().known);
        let count = most.min(total - known);
        let is_root = std::ptr::eq(of, &*self.tree.root);
        let bytes = Children::<G::Move>::bytes(count, self.choice.components);
        if !self.tree.grant(bytes, is_root && known == 0) {
            return None;
        }
        self.weigh(turn, state, first.is_some_and(Children::is_weighed_twice));
        self.order.clear();
        self.order.extend(0..total as u32);
        if let Some(first) = first {
            self.leave_out_known(first);
        }
        if turn != Turn::Chance {
            self.put_heaviest_first(count);
        }
        self.order.truncate(count);
        let more = self.link(turn, known + count);
        if let Some(first) = first.filter(|first| first.is_weighed_twice()) {
            self.put_in_order(first, &more);
        }
        Some(more)
    }

    /// Weighs the moves of a node with more care: those that are known get other priors, and
    /// those that should have been among the first are made now, if there is memory.
    fn look_again(
        &mut self,
        first: &Children<G::Move>,
        last: &Children<G::Move>,
        state: &G::State,
    ) -> Option<Box<Children<G::Move>>> {
        first.set_weighed_twice();
        self.lists.fill(self.game, state, first.turn);
        self.weigh(first.turn, state, true);
        let sum: f64 = self.weights.iter().map(|&weight| f64::from(weight)).sum();
        for link in first.links() {
            for (tally, node) in link.tallies.iter().zip(&link.nodes) {
                tally.set_prior(f64::from(self.weights[node.place as usize]) / sum);
            }
        }
        let total = self.lists.moves.len();
        let start = match self.choice.options.widen {
            0 => total,
            widen => total.min(widen as usize),
        };
        self.order.clear();
        self.order.extend(0..total as u32);
        self.put_heaviest_first(start);
        self.order.truncate(start);
        self.leave_out_known(first);
        let count = self.order.len();
        let bytes = Children::<G::Move>::bytes(count, self.choice.components);
        if count == 0 || !self.tree.grant(bytes, false) {
            self.put_in_order(first, last);
            return None;
        }
        let more = self.link(first.turn, last.known + count);
        self.put_in_order(first, &more);
        Some(more)
    }

    /// Lets playouts look at children in the order of their new priors: `last` is the last link,
    /// or will be.
    fn put_in_order(&self, first: &Children<G::Move>, last: &Children<G::Move>) {
        if !self.choice.tries_in_order() || !self.tree.grant(Order::bytes(last.known), false) {
            return;
        }
        let others = first.links().filter(|link| !std::ptr::eq(*link, last));
        if let Some(order) = Order::new(others.chain([last])) {
            let _ = last.order.set(order);
        }
    }

    /// Weighs the moves that are listed, at first sight or carefully. Chance has
    /// probabilities instead.
    fn weigh(&mut self, turn: Turn, state: &G::State, carefully: bool) {
        let (moves, weights) = (&self.lists.moves, &mut self.weights);
        weights.clear();
        if turn == Turn::Chance {
            return;
        }
        if carefully {
            let scratch = &mut *self.scratch;
            self.playout
                .weigh_again(self.game, state, moves, scratch, weights);
        } else {
            self.playout.weigh(self.game, state, moves, weights);
        }
    }

    /// Leaves the moves out of the order that are children already.
    fn leave_out_known(&mut self, first: &Children<G::Move>) {
        let nodes = || first.links().flat_map(|link| &link.nodes);
        let known: HashSet<u32> = nodes().map(|node| node.place).collect();
        self.order.retain(|place| !known.contains(place));
    }

    /// Puts so many of the heaviest moves first, in order. Equal weights stay in the order of
    /// the game.
    fn put_heaviest_first(&mut self, wanted: usize) {
        let weights = &self.weights;
        let heavier = |&a: &u32, &b: &u32| {
            let (one, other) = (weights[a as usize], weights[b as usize]);
            other.total_cmp(&one).then(a.cmp(&b))
        };
        if wanted < self.order.len() {
            // Only those that are wanted have to be sorted.
            self.order.select_nth_unstable_by(wanted, heavier);
        }
        self.order[..wanted].sort_unstable_by(heavier);
    }

    /// The moves of the order as children, so that so many are known.
    fn link(&self, turn: Turn, known: usize) -> Box<Children<G::Move>> {
        let (moves, weights) = (&self.lists.moves, &self.weights);
        let sum: f64 = weights.iter().map(|&weight| f64::from(weight)).sum();
        let nodes = self.order.iter().map(|&place| {
            let place = place as usize;
            let prior = match turn {
                Turn::Chance => self.lists.probabilities[place],
                Turn::Player(_) | Turn::Over => f64::from(weights[place]) / sum,
            };
            let mv = moves[place];
            (Node::new(Some((mv, self.game.move_id(mv))), place), prior)
        });
        let sizes = (known, moves.len());
        Box::new(Children::new(turn, nodes, sizes, self.choice.components))
    }

    /// Adds the reward to every node on the way, from the last one up.
    fn back_up(&mut self) {
        let rave = self.choice.options.rave > 0;
        let mut later = rave;
        if rave {
            self.later.begin();
            for &(seat, mv) in self.played.moves() {
                self.later.add(seat, self.game.move_id(mv));
            }
        }
        let history = self.choice.options.history > 0.0;
        if history {
            for &(seat, mv) in self.played.moves() {
                let reward = self.reward[self.choice.goal(seat).component];
                let mv = self.game.move_id(mv);
                self.tree.history.add(seat, mv, reward.into());
            }
        }
        self.value.clear();
        self.value.extend(self.reward.iter().map(|&r| f64::from(r)));
        self.rounded.clear();
        self.rounded
            .extend(self.reward.iter().map(|&r| i64::from(r)));
        for step in self.path.iter().rev() {
            let Entry { tally, node, sums } = step.entry;
            // All workers write to the root: not what nobody reads.
            if step.among.is_some() || self.tree.sums_of_root_count() {
                for (sum, &value) in sums.iter().zip(&self.rounded) {
                    sum.fetch_add(value, Ordering::Relaxed);
                }
            }
            if let Some(seat) = step.chooser {
                let goal = self.choice.goal(seat);
                if self.choice.options.select == Select::Ucb {
                    let scale = self.tree.rewards.scale(goal.component);
                    let scaled = goal.scaled(self.value[goal.component], scale);
                    let square = (scaled * scaled * SQUARE) as u64;
                    node.squares.fetch_add(square, Ordering::Relaxed);
                }
                let reward = self.rounded[goal.component];
                tally.own.fetch_add(reward, Ordering::Relaxed);
                if later {
                    add_later(&mut self.later, step, seat, reward);
                }
                if history {
                    self.tree.history.add(seat, node.id, reward);
                }
            }
            tally.visits.fetch_add(1, Ordering::Relaxed);
            if step.among.is_some() {
                tally.in_flight.fetch_sub(1, Ordering::Relaxed);
            }
            if let Some(instead) = step.instead {
                self.value.copy_from_slice(instead);
                // The moves made below have nothing to do with that.
                later = false;
            } else if let Some(children) = step.among
                && step.chooser.is_none()
                && self.choice.options.solver
            {
                self.choice.mix_proven_events(children, &mut self.value);
            } else {
                continue;
            }
            for (rounded, value) in self.rounded.iter_mut().zip(&self.value) {
                *rounded = value.round() as i64;
            }
        }
    }

    /// Marks nodes from the end of the way upward as proven, as far as it follows. Tried
    /// whenever a proven node is met, so that nothing is lost if two workers prove the last
    /// two children of a node at once.
    fn back_up_proof(&mut self) {
        for pair in self.path.windows(2).rev() {
            let [parent, child] = pair else {
                return;
            };
            let children = child.among.expect("only the root is nobody's child");
            if parent.entry.proof().is_some() {
                continue;
            }
            match self.choice.prove(children, &self.tree.rewards) {
                Some(proof) => parent.entry.prove(proof),
                None => return,
            }
        }
    }
}

/// Adds a reward to every sibling of a node whose move the same player made from there on.
fn add_later<M>(later: &mut Later, step: &Step<'_, M>, seat: Seat, reward: i64) {
    let Some(children) = step.among else {
        return;
    };
    later.add(seat, step.entry.node.id);
    for node in children.links().flat_map(|link| link.nodes.iter()) {
        if later.contains(seat, node.id) {
            node.rave_visits.fetch_add(1, Ordering::Relaxed);
            node.rave_sum.fetch_add(reward, Ordering::Relaxed);
        }
    }
}

/// The moves of every player that were made from some point on.
struct Later {
    /// By seat and move: in which playout it was made last.
    stamps: Vec<u32>,
    now: u32,
}

impl Later {
    const MOVES: usize = 1 << 16;

    fn new(players: usize) -> Self {
        Later {
            stamps: vec![0; players * Self::MOVES],
            now: 0,
        }
    }

    fn begin(&mut self) {
        self.now = self.now.wrapping_add(1);
        if self.now == 0 {
            self.stamps.fill(0);
            self.now = 1;
        }
    }

    fn add(&mut self, seat: Seat, mv: u16) {
        self.stamps[seat.index() * Self::MOVES + usize::from(mv)] = self.now;
    }

    fn contains(&self, seat: Seat, mv: u16) -> bool {
        self.stamps[seat.index() * Self::MOVES + usize::from(mv)] == self.now
    }
}
