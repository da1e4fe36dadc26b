//! The fold at a split node: the children of one node searched by several workers.

use std::sync::Mutex;

use super::{Entered, Evaluate, Fold, FoldSearch, Game, Local, Stopped, Turn};
use crate::parallel::Spawn;
use crate::parallel::team::{Kernel, PointRef, Worker};

/// A node whose children are shared.
pub(crate) struct FoldJob<G: Game, F: Fold<G>> {
    node: Option<Node<G, F>>,
    moves: Vec<G::Move>,
    weights: Vec<f64>,
    results: Mutex<Results<G, F>>,
}

struct Node<G: Game, F: Fold<G>> {
    state: G::State,
    turn: Turn,
    ply: u32,
    child_depth: u32,
    bound: F::Bound,
    own_first: bool,
}

struct Results<G: Game, F: Fold<G>> {
    acc: Option<F::Acc>,
    values: Vec<Option<F::Value>>,
    line: Vec<G::Move>,
    missing: usize,
    cut: bool,
}

impl<G: Game, F: Fold<G>> Default for FoldJob<G, F> {
    fn default() -> Self {
        FoldJob {
            node: None,
            moves: Vec::new(),
            weights: Vec::new(),
            results: Mutex::new(Results {
                acc: None,
                values: Vec::new(),
                line: Vec::new(),
                missing: 0,
                cut: false,
            }),
        }
    }
}

impl<G: Game, E: Evaluate<G>, F: Fold<G>> FoldSearch<'_, G, E, F> {
    /// A node whose children are tasks.
    pub(super) fn split_node(
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
        let start = worker.moves.len();
        let weights = worker.probabilities.len();
        self.list(worker, state, turn);
        let value = self.share(worker, state, turn, ply, depth, bound, (start, weights));
        worker.moves.truncate(start);
        worker.probabilities.truncate(weights);
        let value = value?;
        self.remember(key, value);
        Ok(value)
    }

    /// Shares the children that are listed from these places on.
    #[allow(clippy::too_many_arguments)]
    fn share(
        &self,
        worker: &mut Worker<'_, Self>,
        state: &mut G::State,
        turn: Turn,
        ply: u32,
        depth: u32,
        bound: F::Bound,
        (start, weights): (usize, usize),
    ) -> Result<F::Value, Stopped> {
        let count = worker.moves.len() - start;
        let node = Node {
            state: state.clone(),
            turn,
            ply,
            child_depth: if turn == Turn::Chance {
                depth
            } else {
                depth - 1
            },
            bound,
            own_first: !self.policy.eldest_first && self.policy.spawn == Spawn::Rest,
        };
        let offered_from = usize::from(self.policy.eldest_first || node.own_first);
        let mut acc = self.fold.start(turn);
        let mut eldest = None;
        if self.policy.eldest_first {
            let mv = worker.moves[start];
            let weight = worker.probabilities.get(weights).copied().unwrap_or(1.0);
            worker.trace_eldest(0);
            let value = self.child(worker, &node, state, &acc, 0, mv, weight);
            worker.trace_eldest_end();
            let value = value?;
            self.fold.add(&mut acc, 0, weight, value);
            worker.lines.set(ply as usize, mv);
            if count == 1 || self.cuts(&node, &acc, true) {
                worker.local.root_values = vec![Some(value)];
                return Ok(self.fold.value(&acc));
            }
            eldest = Some(value);
        }
        worker.split(
            self,
            offered_from..count,
            depth,
            0,
            |worker, job| {
                job.node = Some(node);
                job.moves.clear();
                job.moves.extend_from_slice(&worker.moves[start..]);
                job.weights.clear();
                job.weights
                    .extend_from_slice(&worker.probabilities[weights..]);
                let results = job.results.get_mut().expect("no worker panics inside");
                results.acc = Some(acc);
                results.values.clear();
                results.values.resize(count, None);
                results.values[0] = eldest;
                results.missing = count - usize::from(eldest.is_some());
                results.cut = false;
                results.line.clear();
                if eldest.is_some() {
                    results
                        .line
                        .extend_from_slice(worker.lines.get(ply as usize));
                }
            },
            |worker, job| {
                let results = job.results.get_mut().expect("no worker panics inside");
                if results.missing > 0 && !results.cut {
                    return Err(Stopped);
                }
                if self.wants_values(ply) {
                    worker.local.root_values.clone_from(&results.values);
                }
                if self.fold.in_order(turn) {
                    worker.lines.clear(ply as usize);
                    let mut acc = self.fold.start(turn);
                    for (index, value) in results.values.iter().enumerate() {
                        let value = value.expect("none is missing");
                        self.fold
                            .add_next(&mut acc, index, job.weights[index], value);
                    }
                    Ok(self.fold.value(&acc))
                } else {
                    worker.lines.replace(ply as usize, &results.line);
                    Ok(self
                        .fold
                        .value(&results.acc.expect("filled in when opened")))
                }
            },
        )
    }

    /// One child of a split node.
    #[allow(clippy::too_many_arguments)]
    fn child(
        &self,
        worker: &mut Worker<'_, Self>,
        node: &Node<G, F>,
        state: &mut G::State,
        acc: &F::Acc,
        index: usize,
        mv: G::Move,
        weight: f64,
    ) -> Result<F::Value, Stopped> {
        let bound = if self.wants_values(node.ply) {
            node.bound
        } else {
            self.fold.child_bound(acc, index, weight, node.bound)
        };
        let undo = self.game.play(state, mv);
        let value = self.node(worker, state, node.ply + 1, node.child_depth, bound);
        self.game.undo(state, mv, undo);
        value
    }

    fn cuts(&self, node: &Node<G, F>, acc: &F::Acc, in_order: bool) -> bool {
        self.fold.cuts(acc, &node.bound, in_order) && !self.wants_values(node.ply)
    }
}

impl<G: Game, E: Evaluate<G>, F: Fold<G>> Kernel for FoldSearch<'_, G, E, F> {
    type Game = G;
    type Job = FoldJob<G, F>;
    type Local = Local<F::Value>;

    fn work(
        &self,
        worker: &mut Worker<'_, Self>,
        job: &FoldJob<G, F>,
        at: PointRef<'_, FoldJob<G, F>>,
    ) {
        let node = job.node.as_ref().expect("filled in when opened");
        let mut state = node.state.clone();
        let mut own = (node.own_first && worker.owns(at)).then_some(0);
        loop {
            let claimed = own.is_none();
            let Some(index) = own.take().or_else(|| worker.claim(at)) else {
                return;
            };
            worker.enter(at, index, index, claimed);
            let mv = job.moves[index];
            let weight = job.weights.get(index).copied().unwrap_or(1.0);
            let acc = job.results.lock().expect("no worker panics inside").acc;
            let acc = acc.expect("filled in when opened");
            let Ok(value) = self.child(worker, node, &mut state, &acc, index, mv, weight) else {
                worker.give_up(claimed);
                return;
            };
            let mut guard = job.results.lock().expect("no worker panics inside");
            let results = &mut *guard;
            results.values[index] = Some(value);
            results.missing -= 1;
            let acc = results.acc.as_mut().expect("filled in when opened");
            if !self.fold.in_order(node.turn) && self.fold.add(acc, index, weight, value) {
                results.line.clear();
                results.line.push(mv);
                results
                    .line
                    .extend_from_slice(worker.lines.get(node.ply as usize + 1));
            }
            if self.cuts(node, acc, false) && !results.cut {
                results.cut = true;
                worker.abort(at);
            }
            drop(guard);
            worker.leave();
        }
    }
}
