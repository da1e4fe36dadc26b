//! The recursion of the searches that look at every child and fold their values.

use std::fmt::Debug;
use std::ops::ControlFlow;

use super::{Iteration, RootSearch, RootValue};
use crate::evaluate::Evaluate;
use crate::game::{Chances, Game, Moves, Turn};
use crate::limits::Stopped;
use crate::parallel::SplitPolicy;
use crate::parallel::team::Worker;
use crate::table::Table;

mod shared;

/// What a search does with the values of a node's children.
pub(crate) trait Fold<G: Game>: Sync + Sized {
    /// What a node is worth.
    type Value: Copy + Send + Sync + Debug;
    /// What the children looked at so far amount to.
    type Acc: Copy + Send + Sync;
    /// What a child has to know of the nodes above it.
    type Bound: Copy + Send + Sync + Default;

    /// The bound of the root for a search to this depth, and how many moves a line has at
    /// most.
    #[inline]
    fn root(&self, depth: u32) -> (Self::Bound, u32) {
        (Self::Bound::default(), depth)
    }

    fn leaf(&self, scores: G::Scores) -> Self::Value;
    fn start(&self, turn: Turn) -> Self::Acc;
    /// Adds the child at this place in the game's order; `true` if it is the best so far.
    fn add(&self, acc: &mut Self::Acc, index: usize, weight: f64, value: Self::Value) -> bool;
    /// As [`add`](Fold::add), where all children before this one have been added already,
    /// and none after it.
    fn add_next(&self, acc: &mut Self::Acc, index: usize, weight: f64, value: Self::Value) -> bool;
    fn value(&self, acc: &Self::Acc) -> Self::Value;
    fn child_bound(
        &self,
        acc: &Self::Acc,
        index: usize,
        weight: f64,
        bound: Self::Bound,
    ) -> Self::Bound;

    /// Whether the rest of the children does not matter; `in_order` if no child before the
    /// best is still to come.
    #[inline]
    fn cuts(&self, acc: &Self::Acc, bound: &Self::Bound, in_order: bool) -> bool {
        let _ = (acc, bound, in_order);
        false
    }

    /// Whether a move of a player with this bound is the last of its line though there is
    /// depth left.
    #[inline]
    fn is_last(&self, bound: &Self::Bound) -> bool {
        let _ = bound;
        false
    }

    /// Whether [`is_last`](Fold::is_last) is ever true.
    #[inline]
    fn ends_early(&self) -> bool {
        false
    }

    /// Whether the children of such a node have to be added in the game's order.
    #[inline]
    fn in_order(&self, turn: Turn) -> bool {
        let _ = turn;
        false
    }

    /// Whether a node of chance needs no more of an event than what the player who then moves
    /// makes of it.
    #[inline]
    fn folds_replies(&self) -> bool {
        false
    }

    /// How values are kept in a table, if they are.
    fn memory(&self) -> Option<Memory<Self, G>> {
        None
    }

    fn root_value(&self, value: Self::Value) -> RootValue;
}

/// How a fold's values are kept in a table.
pub(crate) struct Memory<F: Fold<G>, G: Game> {
    /// What else the value of a position hangs on: its bound, and the depth that is left.
    pub(crate) salt: fn(&F, F::Bound, u32) -> u64,
    pub(crate) encode: fn(F::Value) -> u64,
    pub(crate) decode: fn(u64) -> F::Value,
}

/// A search of the whole tree.
pub(crate) struct FoldSearch<'a, G: Game, E, F: Fold<G>> {
    game: &'a G,
    eval: &'a E,
    fold: F,
    policy: SplitPolicy,
    after_chance: bool,
    all_moves: bool,
    /// The table, if values can be kept.
    memory: Option<(&'a Table, Memory<F, G>)>,
}

/// What every search of a whole tree is given, whatever it makes of the values.
pub(crate) struct Whole<'a, G, E> {
    pub(crate) game: &'a G,
    pub(crate) eval: &'a E,
    pub(crate) policy: SplitPolicy,
    pub(crate) after_chance: bool,
    pub(crate) all_moves: bool,
}

impl<'a, G: Game, E> Whole<'a, G, E> {
    /// The search that folds values like this, and keeps them in a table if it can.
    pub(crate) fn folded<F: Fold<G>>(
        self,
        fold: F,
        table: Option<&'a Table>,
    ) -> FoldSearch<'a, G, E, F> {
        let memory = table.and_then(|table| Some((table, fold.memory()?)));
        FoldSearch {
            game: self.game,
            eval: self.eval,
            fold,
            policy: self.policy,
            after_chance: self.after_chance,
            all_moves: self.all_moves,
            memory,
        }
    }
}

/// What every worker has for itself.
pub(crate) struct Local<V> {
    /// The values of the root moves, where they are asked for.
    root_values: Vec<Option<V>>,
}

impl<V> Default for Local<V> {
    fn default() -> Self {
        Local {
            root_values: Vec::new(),
        }
    }
}

impl<G: Game, E: Evaluate<G>, F: Fold<G>> FoldSearch<'_, G, E, F> {
    /// Whether the search stops at this position, and what it is worth then.
    #[inline]
    fn stops(&self, state: &G::State, turn: Turn, depth: u32) -> Option<F::Value> {
        let scores = match turn {
            Turn::Over => self.eval.finished(self.game, state),
            Turn::Chance if depth == 0 && self.after_chance => return None,
            _ if depth == 0 => self.eval.evaluate(self.game, state),
            _ => return None,
        };
        Some(self.fold.leaf(scores))
    }

    /// A node with its subtree, split if the policy says so.
    fn node(
        &self,
        worker: &mut Worker<'_, Self>,
        state: &mut G::State,
        ply: u32,
        depth: u32,
        bound: F::Bound,
    ) -> Result<F::Value, Stopped> {
        if self.policy.splits(ply, depth) && worker.can_split() {
            self.split_node(worker, state, ply, depth, bound)
        } else {
            self.plain_node(worker, state, ply, depth, bound)
        }
    }

    /// Comes to a node: its value if the search ends there or the table knows it, otherwise
    /// who acts, the depth that is left, and the key to keep its value under.
    #[inline(always)]
    fn enter(
        &self,
        worker: &mut Worker<'_, Self>,
        state: &G::State,
        ply: u32,
        depth: u32,
        bound: F::Bound,
    ) -> Result<Entered<F::Value>, Stopped> {
        let turn = self.game.turn(state);
        if let Some(value) = self.stops(state, turn, depth) {
            worker.counts.nodes.leaf += 1;
            worker.lines.clear(ply as usize);
            return Ok(Entered::Known(value));
        }
        worker.poll(self)?;
        let depth = match turn {
            Turn::Player(_) if depth > 1 && self.fold.is_last(&bound) => 1,
            _ => depth,
        };
        let key = self.table_key(state, turn, ply, depth, bound);
        if let (Some(key), Some((table, memory))) = (key, &self.memory)
            && let Some(data) = table.probe(key)
        {
            worker.counts.nodes.table_hits += 1;
            worker.lines.clear(ply as usize);
            return Ok(Entered::Known((memory.decode)(data)));
        }
        worker.counts.nodes.interior += 1;
        Ok(Entered::Open(turn, depth, key))
    }

    /// A node with its subtree, searched by one worker.
    fn plain_node(
        &self,
        worker: &mut Worker<'_, Self>,
        state: &mut G::State,
        ply: u32,
        depth: u32,
        bound: F::Bound,
    ) -> Result<F::Value, Stopped> {
        let (turn, depth, key) = match self.enter(worker, state, ply, depth, bound)? {
            Entered::Known(value) => return Ok(value),
            Entered::Open(turn, depth, key) => (turn, depth, key),
        };
        let plain = !(self.wants_values(ply) || self.after_chance && G::CHANCE);
        let at_once = match turn {
            Turn::Player(_) if plain && depth == 1 => {
                Some(self.last_ply(worker, state, turn, ply, bound))
            }
            Turn::Chance
                if plain
                    && self.fold.folds_replies()
                    && (depth == 1 || self.ends_after_replies(worker, state, bound)) =>
            {
                self.last_replies(worker, state, ply)?
            }
            _ => None,
        };
        let value = match at_once {
            Some(value) => value,
            None => self.children(worker, state, turn, ply, depth, bound)?,
        };
        self.remember(key, value);
        Ok(value)
    }

    /// Whether the value of every child of a node at this ply is asked for.
    #[inline]
    fn wants_values(&self, ply: u32) -> bool {
        ply == 0 && self.all_moves
    }

    /// The key of a position in the table, if looking it up pays.
    #[inline(always)]
    fn table_key(
        &self,
        state: &G::State,
        turn: Turn,
        ply: u32,
        depth: u32,
        bound: F::Bound,
    ) -> Option<u64> {
        let (_, memory) = self.memory.as_ref()?;
        // Mostly the last ply costs less than the table.
        let least = if self.eval.is_slow() { 1 } else { 2 };
        if ply == 0 || depth < least || turn == Turn::Chance {
            return None;
        }
        let salt = u64::from(depth) ^ (memory.salt)(&self.fold, bound, depth).rotate_left(8);
        let salt = salt.wrapping_mul(0xD6E8_FEB8_6659_FD93).rotate_left(32);
        Some(self.eval.key(self.game, state) ^ salt)
    }

    #[inline]
    fn remember(&self, key: Option<u64>, value: F::Value) {
        if let (Some(key), Some((table, memory))) = (key, &self.memory) {
            table.store(key, (memory.encode)(value), |old| {
                // Nothing tells which old value is worth more: choose at random.
                ((old ^ key).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as u32
            });
        }
    }

    /// A node whose children are all leaves.
    #[inline]
    fn last_ply(
        &self,
        worker: &mut Worker<'_, Self>,
        state: &mut G::State,
        turn: Turn,
        ply: u32,
        bound: F::Bound,
    ) -> F::Value {
        let mut acc = self.fold.start(turn);
        let mut best = None;
        let mut index = 0;
        self.eval
            .children(self.game, state, &mut worker.moves, |mv, scores| {
                if self
                    .fold
                    .add_next(&mut acc, index, 1.0, self.fold.leaf(scores))
                {
                    best = Some(mv);
                }
                index += 1;
                if self.fold.cuts(&acc, &bound, true) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            });
        worker.counts.nodes.leaf += index as u64;
        match best {
            Some(mv) => worker.lines.set_last(ply as usize, mv),
            None => worker.lines.clear(ply as usize),
        }
        self.fold.value(&acc)
    }

    /// A node of chance, each of whose events leaves the player one move: its value, or
    /// nothing if the evaluation has no short way to it. Counted and polled as if every node
    /// had been come to.
    // Apart from the recursion, whose every level would have room for this on the stack.
    #[inline(never)]
    fn last_replies(
        &self,
        worker: &mut Worker<'_, Self>,
        state: &G::State,
        ply: u32,
    ) -> Result<Option<F::Value>, Stopped> {
        let mut acc = self.fold.start(Turn::Chance);
        let mut index = 0;
        let mut stopped = false;
        let visited = self.eval.replies(self.game, state, |probability, reply| {
            if reply.moves == 0 {
                worker.counts.nodes.leaf += 1;
            } else if worker.poll(self).is_err() {
                stopped = true;
                return ControlFlow::Break(());
            } else {
                worker.counts.nodes.interior += 1;
                worker.counts.nodes.leaf += u64::from(reply.moves);
            }
            let value = self.fold.leaf(reply.scores);
            self.fold.add_next(&mut acc, index, probability, value);
            index += 1;
            ControlFlow::Continue(())
        });
        if stopped {
            return Err(Stopped);
        }
        worker.lines.clear(ply as usize);
        Ok(visited.then(|| self.fold.value(&acc)))
    }

    /// Whether after every event of chance here the next move is the last of its line, though
    /// there is depth left.
    fn ends_after_replies(
        &self,
        worker: &mut Worker<'_, Self>,
        state: &G::State,
        bound: F::Bound,
    ) -> bool {
        if !self.fold.ends_early() {
            return false;
        }
        let (start, weights) = (worker.moves.len(), worker.probabilities.len());
        self.list(worker, state, Turn::Chance);
        let acc = self.fold.start(Turn::Chance);
        let mut events = worker.probabilities[weights..].iter().enumerate();
        let ends = events.all(|(index, &weight)| {
            let bound = self.fold.child_bound(&acc, index, weight, bound);
            self.fold.is_last(&bound)
        });
        worker.moves.truncate(start);
        worker.probabilities.truncate(weights);
        ends
    }

    /// Lists what can happen at a node: moves with weight 1 or events with their
    /// probabilities, at the end of the worker's buffers.
    #[inline]
    fn list(&self, worker: &mut Worker<'_, Self>, state: &G::State, turn: Turn) {
        match turn {
            Turn::Chance => self.game.chances(
                state,
                &mut Chances::new(&mut worker.moves, &mut worker.probabilities),
            ),
            _ => self.game.moves(state, &mut Moves::new(&mut worker.moves)),
        }
    }

    #[inline]
    fn children(
        &self,
        worker: &mut Worker<'_, Self>,
        state: &mut G::State,
        turn: Turn,
        ply: u32,
        depth: u32,
        bound: F::Bound,
    ) -> Result<F::Value, Stopped> {
        let start = worker.moves.len();
        let weights = worker.probabilities.len();
        self.list(worker, state, turn);
        let count = worker.moves.len() - start;
        let child_depth = if turn == Turn::Chance {
            depth
        } else {
            depth - 1
        };
        let sums = self.fold.in_order(turn);
        let wants_values = self.wants_values(ply);
        if sums {
            worker.lines.clear(ply as usize);
        }
        let mut acc = self.fold.start(turn);
        for index in 0..count {
            let mv = worker.moves[start + index];
            let weight = match turn {
                Turn::Chance => worker.probabilities[weights + index],
                _ => 1.0,
            };
            let child_bound = if wants_values {
                bound
            } else {
                self.fold.child_bound(&acc, index, weight, bound)
            };
            let undo = self.game.play(state, mv);
            let value = self.plain_node(worker, state, ply + 1, child_depth, child_bound);
            self.game.undo(state, mv, undo);
            let value = value?;
            if wants_values {
                worker.local.root_values.push(Some(value));
            }
            if self.fold.add_next(&mut acc, index, weight, value) && !sums {
                worker.lines.set(ply as usize, mv);
            }
            if self.fold.cuts(&acc, &bound, true) && !wants_values {
                break;
            }
        }
        worker.moves.truncate(start);
        worker.probabilities.truncate(weights);
        Ok(self.fold.value(&acc))
    }
}

/// What is known of a node before its children are looked at.
enum Entered<V> {
    /// Its value.
    Known(V),
    /// Who acts there, the depth that is left, and the key to keep its value under, if any.
    Open(Turn, u32, Option<u64>),
}

impl<G: Game, E: Evaluate<G>, F: Fold<G>> RootSearch for FoldSearch<'_, G, E, F> {
    fn iterate(
        &self,
        worker: &mut Worker<'_, Self>,
        state: &G::State,
        depth: u32,
        _: Option<&Iteration<G::Move>>,
    ) -> Result<Iteration<G::Move>, Stopped> {
        let mut state = state.clone();
        worker.local.root_values.clear();
        let (bound, moves) = self.fold.root(depth);
        let value = self.node(worker, &mut state, 0, moves, bound)?;
        let line = worker.lines.get(0).to_vec();
        let mut root = Vec::new();
        if self.wants_values(0) {
            let start = worker.moves.len();
            let turn = self.game.turn(&state);
            if turn != Turn::Over && depth > 0 {
                self.list(worker, &state, turn);
                root.extend(
                    worker
                        .moves
                        .drain(start..)
                        .zip(worker.local.root_values.iter().flatten())
                        .map(|(mv, value)| (mv, self.fold.root_value(*value))),
                );
                worker.probabilities.clear();
            }
        }
        Ok(Iteration {
            depth,
            value: self.fold.root_value(value),
            line,
            root,
        })
    }
}
