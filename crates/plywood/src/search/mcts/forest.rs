//! The trees of a search, and what stays of them for the next one.

use std::collections::VecDeque;

use super::history::History;
use super::tree::{Rewards, Tree};
use super::{Backup, MctsOptions, players};
use crate::game::{Game, Seat};

/// The trees of all workers: one that they share, or one for each.
pub(crate) struct Forest<G: Game> {
    pub(super) trees: Vec<Tree<G::Move>>,
    /// The position they grow from, whose view they take, and how children are chosen.
    root: Option<(G::State, Seat, MctsOptions)>,
    /// How many searches there were, so that none repeats the random numbers of another.
    pub(super) searches: u64,
}

impl<G: Game> Forest<G> {
    /// How far from the old root the new one is looked for, in rounds of all players.
    const ROUNDS: usize = 2;
    /// How many positions are looked at for that.
    const MOST_LOOKS: usize = 20_000;

    pub(crate) fn new() -> Self {
        Forest {
            trees: Vec::new(),
            root: None,
            searches: 0,
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        *self = Forest::new();
    }

    /// The bytes in use.
    pub(crate) fn bytes(&self) -> usize {
        self.trees.iter().map(Tree::used).sum()
    }

    /// Gets ready for a search from a position with so many trees, which together may take
    /// so many bytes. Keeps what is known of the position, if that is wanted.
    pub(super) fn prepare(
        &mut self,
        game: &G,
        (state, seat): (&G::State, Seat),
        options: &MctsOptions,
        (count, bytes): (usize, usize),
        (components, range): (usize, Option<(i32, i32)>),
    ) {
        self.searches += 1;
        let kept = options.reuse
            && self.trees.len() == count
            && self.trees.iter().all(|tree| tree.components == components)
            && self.keep(game, state, seat, options);
        if !kept {
            let players = players::<G>();
            let tree = |_| {
                let history = History::new(if options.history > 0.0 { players } else { 0 });
                let rewards = Rewards::new(players, range);
                Tree::new(components, rewards, history, bytes / count)
            };
            self.trees.clear();
            self.trees.extend((0..count).map(tree));
        }
        self.root = Some((state.clone(), seat, *options));
    }

    /// Makes the trees grow from a position that they know; `false` if they do not.
    fn keep(&mut self, game: &G, state: &G::State, seat: Seat, options: &MctsOptions) -> bool {
        let Some((root, old_seat, old_options)) = &self.root else {
            return false;
        };
        // What is best for one is not what others have chosen against another.
        let paranoid = options.backup == Backup::Paranoid;
        if paranoid && *old_seat != seat && players::<G>() > 1 {
            return false;
        }
        // Sums are those of what a player went for, and in which order children were tried
        // counts on.
        let chosen_by = |o: &MctsOptions| (o.select, o.backup, o.rave == 0, o.history == 0.0);
        if chosen_by(options) != chosen_by(old_options) {
            return false;
        }
        if !G::HASHED {
            return false;
        }
        let lines: Option<Vec<Vec<usize>>> = self
            .trees
            .iter()
            .map(|tree| Self::find(tree, game, root, state))
            .collect();
        let Some(lines) = lines else {
            return false;
        };
        for (tree, line) in self.trees.iter_mut().zip(lines) {
            tree.descend(&line);
        }
        true
    }

    /// The line in a tree from its root to a position, breadth first.
    fn find(
        tree: &Tree<G::Move>,
        game: &G,
        root: &G::State,
        wanted: &G::State,
    ) -> Option<Vec<usize>> {
        let (key, turn) = (game.hash(wanted), game.turn(wanted));
        let found = |state: &G::State| game.hash(state) == key && game.turn(state) == turn;
        if found(root) {
            return Some(Vec::new());
        }
        // Every event of chance is a ply too.
        let longest = Self::ROUNDS * players::<G>() * if G::CHANCE { 2 } else { 1 };
        let mut looks = 0;
        let mut waiting = VecDeque::from([(&*tree.root, root.clone(), Vec::new())]);
        while let Some((node, state, line)) = waiting.pop_front() {
            let Some(first) = node.children.get() else {
                continue;
            };
            for (index, entry) in first.entries(tree.components).enumerate() {
                // Below a node without children nothing is known.
                if entry.node.children.get().is_none() {
                    continue;
                }
                looks += 1;
                if looks > Self::MOST_LOOKS {
                    return None;
                }
                let mut state = state.clone();
                game.play(&mut state, entry.node.mv?);
                let mut line = line.clone();
                line.push(index);
                if found(&state) {
                    return Some(line);
                }
                if line.len() < longest {
                    waiting.push_back((entry.node, state, line));
                }
            }
        }
        None
    }
}
