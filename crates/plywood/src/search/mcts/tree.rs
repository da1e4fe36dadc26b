//! The tree that all workers share: atomics, and places that are filled once. Nobody waits.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, AtomicU64, AtomicUsize, Ordering};

use crossbeam_utils::CachePadded;

use super::history::History;
use crate::game::Turn;

/// What is known of a position of the tree that whoever chooses it looks at, again and again:
/// side by side with that of its siblings, so that choosing reads few lines of memory.
#[repr(align(32))]
pub(super) struct Tally {
    pub visits: AtomicU32,
    /// Workers that are below this node.
    pub in_flight: AtomicU32,
    /// The sum of the rewards of whoever chooses this node.
    pub own: AtomicI64,
    /// The share of the weight that the playout policy gives the move, or the probability of
    /// the event: a number as its bits, because a second look changes it.
    prior: AtomicU64,
    /// Whether the node has a proof.
    proven: AtomicBool,
}

impl Tally {
    fn new(prior: f64) -> Self {
        Tally {
            visits: AtomicU32::new(0),
            in_flight: AtomicU32::new(0),
            own: AtomicI64::new(0),
            prior: AtomicU64::new(prior.to_bits()),
            proven: AtomicBool::new(false),
        }
    }

    /// The visits, and those that are on their way.
    pub fn tried(&self) -> f64 {
        let visits = self.visits.load(Ordering::Relaxed);
        f64::from(visits + self.in_flight.load(Ordering::Relaxed))
    }

    /// The average reward of whoever chooses the node; 0 before the first visit.
    pub fn mean(&self) -> f64 {
        let visits = self.visits.load(Ordering::Relaxed);
        self.own.load(Ordering::Relaxed) as f64 / f64::from(visits.max(1))
    }

    /// The share of the weight that the playout policy gives the move, or the probability of
    /// the event.
    pub fn prior(&self) -> f64 {
        f64::from_bits(self.prior.load(Ordering::Relaxed))
    }

    /// Gives the move another share of the weight.
    pub fn set_prior(&self, prior: f64) {
        self.prior.store(prior.to_bits(), Ordering::Relaxed);
    }

    /// Whether the node has a proof.
    pub fn is_proven(&self) -> bool {
        self.proven.load(Ordering::Acquire)
    }
}

/// What else is known of a position of the tree.
pub(super) struct Node<M> {
    /// The move that leads here; none for the root.
    pub mv: Option<M>,
    /// The move's number in the game, for statistics of a move wherever it is made.
    pub id: u16,
    /// The place of the move in the order of the game.
    pub place: u32,
    /// The sum of the squares of the scaled rewards of whoever chooses this node, in units
    /// of [`SQUARE`].
    pub squares: AtomicU64,
    /// Playouts in which the move was made later, and the sum of their rewards for whoever
    /// makes it.
    pub rave_visits: AtomicU32,
    pub rave_sum: AtomicI64,
    /// The rewards for certain, once they are.
    proof: OnceLock<Box<[f64]>>,
    /// Whether a worker is about to add children.
    growing: AtomicBool,
    pub children: OnceLock<Box<Children<M>>>,
}

/// One in a sum of squares.
pub(super) const SQUARE: f64 = (1u64 << 32) as f64;

/// Children of a node: all of them, or those with the largest weights and a link to more.
pub(super) struct Children<M> {
    /// Who chooses among them.
    pub turn: Turn,
    /// How many children the node has in all.
    pub total: usize,
    /// How many are here and in the links before.
    pub known: usize,
    pub nodes: Box<[Node<M>]>,
    pub tallies: Box<[Tally]>,
    /// The sums of rewards, those of each node side by side.
    sums: Box<[AtomicI64]>,
    growing: AtomicBool,
    /// Whether moves were weighed once more; of the first link only.
    weighed_twice: AtomicBool,
    /// How to look at the children here and in the links before, where they are not in the
    /// order of their priors.
    pub order: OnceLock<Order>,
    pub more: OnceLock<Box<Children<M>>>,
}

/// The children of a node that were tried, and behind them the others by their priors: the
/// largest first, and of equal ones that which comes first. Where nothing else counts, playouts
/// try them in this order, so that behind the first that was never tried there is nothing to see.
/// A child that another worker tries while the order is made may stand behind others that were
/// not tried, and waits until these are.
pub(super) struct Order(Box<[(u16, u16)]>);

impl Order {
    /// The most links, and children of one, that an order has room for.
    const MOST: usize = u16::MAX as usize;

    /// The bytes for so many children.
    pub const fn bytes(children: usize) -> usize {
        children * size_of::<(u16, u16)>()
    }

    /// The order of all children in some links, unless there are too many.
    pub fn new<'a, M: 'a>(links: impl Iterator<Item = &'a Children<M>>) -> Option<Self> {
        let mut all = Vec::new();
        for (number, link) in links.enumerate() {
            if link.tallies.len().max(number) > Self::MOST {
                return None;
            }
            let places = link.tallies.iter().zip(0..=u16::MAX);
            all.extend(places.map(|(tally, index)| {
                let untried = (tally.tried() == 0.0).then(|| tally.prior());
                (untried, (number as u16, index))
            }));
        }
        // Those that were tried come first and stay in their order.
        all.sort_by(|(one, _), (other, _)| match (one, other) {
            (Some(one), Some(other)) => other.total_cmp(one),
            (one, other) => one.is_some().cmp(&other.is_some()),
        });
        Some(Order(all.into_iter().map(|(_, place)| place).collect()))
    }

    /// The children in this order, each with its link and its index there.
    pub fn places<'t, M>(
        &self,
        first: &'t Children<M>,
    ) -> impl Iterator<Item = (&'t Children<M>, usize)> {
        let mut here = (0, first);
        self.0.iter().map(move |&(number, index)| {
            if number != here.0 {
                let link = first.links().nth(usize::from(number));
                here = (number, link.expect("the order is of links that are there"));
            }
            (here.1, usize::from(index))
        })
    }
}

/// A node with its tally and its sums of rewards.
pub(super) struct Entry<'t, M> {
    pub tally: &'t Tally,
    pub node: &'t Node<M>,
    pub sums: &'t [AtomicI64],
}

impl<M> Clone for Entry<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for Entry<'_, M> {}

impl<'t, M> Entry<'t, M> {
    pub fn visits(&self) -> u32 {
        self.tally.visits.load(Ordering::Relaxed)
    }

    /// The average of one component of the reward; 0 before the first visit.
    pub fn mean(&self, component: usize) -> f64 {
        self.sums[component].load(Ordering::Relaxed) as f64 / f64::from(self.visits().max(1))
    }

    /// The rewards for certain, once they are.
    pub fn proof(&self) -> Option<&'t [f64]> {
        let proven = self.tally.is_proven();
        proven.then(|| &**self.node.proof.get().expect("set before it is told"))
    }

    /// Takes down rewards that are certain, unless others were faster.
    pub fn prove(&self, rewards: Box<[f64]>) {
        let _ = self.node.proof.set(rewards);
        self.tally.proven.store(true, Ordering::Release);
    }
}

impl<M> Node<M> {
    pub fn new(mv: Option<(M, u16)>, place: usize) -> Self {
        let (mv, id) = match mv {
            Some((mv, id)) => (Some(mv), id),
            None => (None, 0),
        };
        Node {
            mv,
            id,
            place: place as u32,
            squares: AtomicU64::new(0),
            rave_visits: AtomicU32::new(0),
            rave_sum: AtomicI64::new(0),
            proof: OnceLock::new(),
            growing: AtomicBool::new(false),
            children: OnceLock::new(),
        }
    }

    /// Whether this worker is the one to add children.
    pub fn claim(&self) -> bool {
        !self.growing.load(Ordering::Relaxed) && !self.growing.swap(true, Ordering::Acquire)
    }

    /// Leaves adding children to somebody else, later.
    pub fn release(&self) {
        self.growing.store(false, Ordering::Release);
    }
}

impl<M> Children<M> {
    /// Children with their priors, of which `known` are here and before.
    pub fn new(
        turn: Turn,
        children: impl Iterator<Item = (Node<M>, f64)>,
        (known, total): (usize, usize),
        components: usize,
    ) -> Self {
        let (nodes, tallies): (Vec<_>, Vec<_>) = children
            .map(|(node, prior)| (node, Tally::new(prior)))
            .unzip();
        Children {
            turn,
            total,
            known,
            tallies: tallies.into(),
            sums: (0..nodes.len() * components)
                .map(|_| AtomicI64::new(0))
                .collect(),
            nodes: nodes.into(),
            growing: AtomicBool::new(false),
            weighed_twice: AtomicBool::new(false),
            order: OnceLock::new(),
            more: OnceLock::new(),
        }
    }

    pub fn entry(&self, index: usize, components: usize) -> Entry<'_, M> {
        Entry {
            tally: &self.tallies[index],
            node: &self.nodes[index],
            sums: &self.sums[index * components..][..components],
        }
    }

    /// This link and all that follow.
    pub fn links(&self) -> impl Iterator<Item = &Children<M>> {
        std::iter::successors(Some(self), |link| link.more.get().map(|more| &**more))
    }

    /// All children there are so far, each with its link and its index there.
    pub fn places(&self) -> impl Iterator<Item = (&Children<M>, usize)> {
        self.links()
            .flat_map(|link| (0..link.tallies.len()).map(move |index| (link, index)))
    }

    /// What is known of all children there are so far.
    pub fn tallies(&self) -> impl Iterator<Item = &Tally> {
        self.links().flat_map(|link| &link.tallies)
    }

    /// All children there are so far.
    pub fn entries(&self, components: usize) -> impl Iterator<Item = Entry<'_, M>> {
        self.links()
            .flat_map(move |link| (0..link.nodes.len()).map(move |i| link.entry(i, components)))
    }

    /// The last link.
    pub fn last(&self) -> &Children<M> {
        let mut link = self;
        while let Some(more) = link.more.get() {
            link = more;
        }
        link
    }

    /// Whether this worker is the one to add a link.
    pub fn claim(&self) -> bool {
        !self.growing.load(Ordering::Relaxed) && !self.growing.swap(true, Ordering::Acquire)
    }

    /// Leaves adding a link to somebody else, later.
    pub fn release(&self) {
        self.growing.store(false, Ordering::Release);
    }

    /// Whether the moves were weighed once more, so that they are not in the order of their
    /// priors.
    pub fn is_weighed_twice(&self) -> bool {
        self.weighed_twice.load(Ordering::Relaxed)
    }

    /// Notes that the moves are weighed once more.
    pub fn set_weighed_twice(&self) {
        self.weighed_twice.store(true, Ordering::Relaxed);
    }

    /// The bytes of a link of so many nodes, with what the allocator adds.
    pub fn bytes(nodes: usize, components: usize) -> usize {
        const BOOKKEEPING: usize = 48;
        BOOKKEEPING
            + size_of::<Self>()
            + nodes
                * (size_of::<Node<M>>() + size_of::<Tally>() + components * size_of::<AtomicI64>())
    }

    /// Takes a child out, with its tally and its sums.
    fn take(mut self, mut index: usize, components: usize) -> (Node<M>, Tally, Box<[AtomicI64]>) {
        while index >= self.nodes.len() {
            index -= self.nodes.len();
            self = *self.more.into_inner().expect("a child that is there");
        }
        let sums = self.entry(index, components).sums;
        let sums = sums
            .iter()
            .map(|sum| AtomicI64::new(sum.load(Ordering::Relaxed)))
            .collect();
        let tally = self.tallies.into_vec().swap_remove(index);
        (self.nodes.into_vec().swap_remove(index), tally, sums)
    }
}

/// The tree of one root position.
pub(super) struct Tree<M> {
    /// Every playout writes here: nothing that all only read is to lie beside it.
    pub root: CachePadded<Node<M>>,
    root_tally: CachePadded<Tally>,
    root_sums: Box<[AtomicI64]>,
    /// The numbers of a reward.
    pub components: usize,
    pub rewards: Rewards,
    pub history: History,
    used: CachePadded<AtomicUsize>,
    capacity: usize,
    full: AtomicBool,
}

impl<M> Tree<M> {
    pub fn new(components: usize, rewards: Rewards, history: History, capacity: usize) -> Self {
        Tree {
            root: CachePadded::new(Node::new(None, 0)),
            root_tally: CachePadded::new(Tally::new(1.0)),
            root_sums: (0..components).map(|_| AtomicI64::new(0)).collect(),
            components,
            rewards,
            history,
            used: CachePadded::new(AtomicUsize::new(0)),
            capacity,
            full: AtomicBool::new(false),
        }
    }

    pub fn root(&self) -> Entry<'_, M> {
        Entry {
            tally: &self.root_tally,
            node: &self.root,
            sums: &self.root_sums,
        }
    }

    /// Whether the sums of the root say more than those of its children: where nobody chooses
    /// among these.
    pub fn sums_of_root_count(&self) -> bool {
        let children = self.root.children.get();
        children.is_none_or(|children| !matches!(children.turn, Turn::Player(_)))
    }

    /// Takes bytes for more nodes, if there are so many left. The children of the root are
    /// always granted: without them there is no answer.
    pub fn grant(&self, bytes: usize, always: bool) -> bool {
        let before = self.used.fetch_add(bytes, Ordering::Relaxed);
        if always || before + bytes <= self.capacity {
            return true;
        }
        self.used.fetch_sub(bytes, Ordering::Relaxed);
        self.full.store(true, Ordering::Relaxed);
        false
    }

    /// Whether nodes could not be added.
    pub fn is_full(&self) -> bool {
        self.full.load(Ordering::Relaxed)
    }

    /// The bytes in use.
    pub fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }

    /// Makes a descendant of the root the root, and forgets what is not below it. The line
    /// names children as [`Children::entries`] counts them.
    pub fn descend(&mut self, line: &[usize]) {
        for &index in line {
            let root = std::mem::replace(&mut *self.root, Node::new(None, 0));
            let children = root.children.into_inner().expect("a line in the tree");
            (*self.root, *self.root_tally, self.root_sums) = children.take(index, self.components);
        }
        self.root.mv = None;
        let mut used = 0;
        let mut left = vec![&*self.root];
        while let Some(node) = left.pop() {
            for link in node.children.get().iter().flat_map(|first| first.links()) {
                used += Children::<M>::bytes(link.nodes.len(), self.components);
                left.extend(link.nodes.iter());
            }
        }
        self.used = CachePadded::new(AtomicUsize::new(used));
        self.full = AtomicBool::new(false);
    }
}

/// Between which numbers the rewards of each player lie.
pub(super) struct Rewards {
    /// Whether these are the least and the largest that are possible.
    pub known: bool,
    bounds: Box<[(AtomicI64, AtomicI64)]>,
}

impl Rewards {
    pub fn new(players: usize, range: Option<(i32, i32)>) -> Self {
        let (low, high) = match range {
            Some((low, high)) => (low.into(), high.into()),
            None => (i64::MAX, i64::MIN),
        };
        Rewards {
            known: range.is_some(),
            bounds: (0..players)
                .map(|_| (AtomicI64::new(low), AtomicI64::new(high)))
                .collect(),
        }
    }

    /// Takes notice of a reward.
    pub fn see(&self, reward: &[i32]) {
        if self.known {
            return;
        }
        for ((low, high), &reward) in self.bounds.iter().zip(reward) {
            let reward = i64::from(reward);
            if reward < low.load(Ordering::Relaxed) {
                low.fetch_min(reward, Ordering::Relaxed);
            }
            if reward > high.load(Ordering::Relaxed) {
                high.fetch_max(reward, Ordering::Relaxed);
            }
        }
    }

    /// The least reward of a player and what it takes to bring the largest to 1 above it.
    pub fn scale(&self, player: usize) -> (f64, f64) {
        let (low, high) = &self.bounds[player];
        let (low, high) = (low.load(Ordering::Relaxed), high.load(Ordering::Relaxed));
        if low >= high {
            // Nothing tells rewards apart yet.
            return (0.0, 0.0);
        }
        (low as f64, 1.0 / (high - low) as f64)
    }

    /// The largest (or least) reward of a player, if it is known.
    pub fn extreme(&self, player: usize, largest: bool) -> Option<f64> {
        let (low, high) = &self.bounds[player];
        let bound = if largest { high } else { low };
        self.known.then(|| bound.load(Ordering::Relaxed) as f64)
    }
}
