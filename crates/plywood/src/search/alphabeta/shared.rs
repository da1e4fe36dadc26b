//! Alpha-beta at a split node: the children of one node searched by several workers.

use std::sync::Mutex;

use super::{
    AlphaBeta, Evaluate, Game, INFINITY, Kernel, Local, NodeInfo, PointRef, Ranking, Spawn,
    Stopped, Window, Worker,
};

/// The best child of a node so far, from the side to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Best {
    pub(super) value: i32,
    /// Its place in the game's order.
    pub(super) index: usize,
    /// Bounds from above have crossed: some node above is cut off, so this one does not
    /// matter, and its value may be neither kind of bound.
    pub(super) doubtful: bool,
}

impl Best {
    pub(super) const NONE: Best = Best {
        value: -INFINITY,
        index: usize::MAX,
        doubtful: false,
    };

    /// What the child at this place has to exceed. A child before the best one in the
    /// game's order is the best already if it is equal.
    #[inline]
    pub(super) fn bar(&self, alpha: i32, index: usize) -> i32 {
        if self.value > alpha {
            self.value - i32::from(index < self.index)
        } else {
            alpha
        }
    }

    /// Takes note of a child's value; `true` if it is the best now.
    #[inline]
    pub(super) fn improve(&mut self, value: i32, index: usize, alpha: i32) -> bool {
        let better =
            value > self.value || value == self.value && value > alpha && index < self.index;
        if better {
            self.value = value;
            self.index = index;
        }
        better
    }

    /// As a split point publishes it: value, side and place.
    fn pack(&self, sign: i32) -> u64 {
        u64::from(self.value as u32) << 32 | (self.index as u64) << 1 | u64::from(sign > 0)
    }
}

/// What a split point publishes as long as there is nothing to publish.
const UNPUBLISHED: u64 = ((-INFINITY) as u32 as u64) << 32;

/// A split node.
pub(crate) struct SharedNode<G: Game> {
    node: Option<Node<G>>,
    /// The moves in the order in which to try them, with their places in the game's order.
    moves: Vec<(G::Move, usize)>,
    results: Mutex<Results<G::Move>>,
}

struct Node<G: Game> {
    state: G::State,
    info: NodeInfo,
    unbounded: bool,
    own_first: bool,
    /// Whether an elder child has been searched before the others.
    elder: bool,
}

struct Results<M> {
    window: Window,
    best: Best,
    line: Vec<M>,
    missing: usize,
    cut: bool,
    /// The values of root moves, where they are asked for.
    root_values: Vec<(usize, i32)>,
}

impl<G: Game> Default for SharedNode<G> {
    fn default() -> Self {
        SharedNode {
            node: None,
            moves: Vec::new(),
            results: Mutex::new(Results {
                window: Window::ALL,
                best: Best::NONE,
                line: Vec::new(),
                missing: 0,
                cut: false,
                root_values: Vec::new(),
            }),
        }
    }
}

impl<G: Game, E: Evaluate<G>> AlphaBeta<'_, G, E> {
    /// The children of a node, shared between workers. Returns the best and the window as
    /// it was at the end, both from the side to move.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn share(
        &self,
        worker: &mut Worker<'_, Self>,
        state: &mut G::State,
        info: NodeInfo,
        depth: u32,
        mut window: Window,
        start: usize,
        mut ranking: Option<Ranking>,
    ) -> Result<(Best, Window), Stopped> {
        let count = worker.moves.len() - start;
        let unbounded = self.unbounded(info.ply, depth);
        let ply = info.ply as usize;
        let mut best = Best::NONE;
        let mut turn = 0;
        if self.policy.eldest_first {
            let index = ranking
                .as_mut()
                .map_or(0, |ranking| worker.local.ordering.pick(ranking, 0));
            let mv = worker.moves[start + index];
            worker.trace_eldest(index);
            let undo = self.game.play(state, mv);
            let value = self.child::<true>(worker, state, info, window.alpha, window.beta);
            self.game.undo(state, mv, undo);
            worker.trace_eldest_end();
            let value = value?;
            if info.open {
                window = window.narrowed(worker.local.noticed, info.sign);
            }
            if info.ply == 0 && self.all_moves {
                worker.local.record_root(index, info.sign * value);
            }
            if best.improve(value, index, window.alpha) && info.open && value > window.alpha {
                worker.lines.set(ply, mv);
            }
            turn = 1;
            best.doubtful = worker.local.noticed.is_crossed();
            if count == 1 || best.value >= window.beta && !unbounded {
                return Ok((best, window));
            }
        }
        let node = Node {
            state: state.clone(),
            info,
            unbounded,
            own_first: !self.policy.eldest_first && self.policy.spawn == Spawn::Rest,
            elder: self.policy.eldest_first,
        };
        let offered_from = usize::from(node.own_first);
        let known = if best.value > window.alpha && !unbounded {
            best.pack(info.sign)
        } else {
            UNPUBLISHED
        };
        // The moves still to be tried, in order: picked before the worker is shared out.
        let mut order = Vec::with_capacity(count - turn);
        for turn in turn..count {
            let index = ranking
                .as_mut()
                .map_or(turn, |ranking| worker.local.ordering.pick(ranking, turn));
            order.push((worker.moves[start + index], index));
        }
        worker.split(
            self,
            offered_from..order.len(),
            depth,
            known,
            |worker, job| {
                job.node = Some(node);
                let results = job.results.get_mut().expect("no worker panics inside");
                results.window = window;
                results.best = best;
                results.missing = order.len();
                results.cut = false;
                results.line.clear();
                if best.value > window.alpha {
                    results.line.extend_from_slice(worker.lines.get(ply));
                }
                job.moves = order;
            },
            |worker, job| {
                let results = job.results.get_mut().expect("no worker panics inside");
                if results.missing > 0 && !results.cut {
                    return Err(Stopped);
                }
                if info.open {
                    worker.lines.replace(ply, &results.line);
                }
                for (index, value) in results.root_values.drain(..) {
                    worker.local.record_root(index, value);
                }
                Ok((results.best, results.window))
            },
        )
    }

    /// The value of one child of a split node, from the node's side to move.
    fn shared_child(
        &self,
        worker: &mut Worker<'_, Self>,
        job: &SharedNode<G>,
        node: &Node<G>,
        state: &mut G::State,
        turn: usize,
        index: usize,
    ) -> Result<i32, Stopped> {
        let info = node.info;
        if node.unbounded {
            return self.child::<true>(worker, state, info, -INFINITY, INFINITY);
        }
        let bar = |job: &SharedNode<G>| {
            let results = job.results.lock().expect("no worker panics inside");
            let bar = results.best.bar(results.window.alpha, index);
            (bar, results.window.beta)
        };
        let (scout_bar, beta) = bar(job);
        if scout_bar >= beta {
            return Err(Stopped);
        }
        if !self.options.pvs || !info.open || turn == 0 && !node.elder {
            return self.child::<true>(worker, state, info, scout_bar, beta);
        }
        let scouted = self.child::<true>(worker, state, info, scout_bar, scout_bar + 1)?;
        // Others may have found something better in the meantime.
        let (bar, beta) = bar(job);
        if scouted <= scout_bar || scouted >= beta {
            return Ok(scouted);
        }
        let alpha = bar.max(scouted - 1);
        if alpha >= beta {
            return Err(Stopped);
        }
        worker.trace_again();
        self.child::<true>(worker, state, info, alpha, beta)
    }
}

impl<G: Game, E: Evaluate<G>> Kernel for AlphaBeta<'_, G, E> {
    type Game = G;
    type Job = SharedNode<G>;
    type Local = Local<G::Move>;

    fn work(
        &self,
        worker: &mut Worker<'_, Self>,
        job: &SharedNode<G>,
        at: PointRef<'_, SharedNode<G>>,
    ) {
        let node = job.node.as_ref().expect("filled in when opened");
        let info = node.info;
        let ply = info.ply as usize;
        let mut state = node.state.clone();
        let outside = (
            worker.local.noticed,
            worker.local.noticed_outside,
            worker.local.after_null,
        );
        let mut own = (node.own_first && worker.owns(at)).then_some(0);
        loop {
            let claimed = own.is_none();
            let Some(turn) = own.take().or_else(|| worker.claim(at)) else {
                break;
            };
            let (mv, index) = job.moves[turn];
            worker.enter(at, turn, index, claimed);
            // Windows are handed down; what was published before is in them already.
            self.forget_noticed(&mut worker.local);
            worker.local.after_null = false;
            let undo = self.game.play(&mut state, mv);
            let value = self.shared_child(worker, job, node, &mut state, turn, index);
            self.game.undo(&mut state, mv, undo);
            let Ok(value) = value else {
                worker.give_up(claimed);
                break;
            };
            let mut guard = job.results.lock().expect("no worker panics inside");
            let results = &mut *guard;
            results.missing -= 1;
            if info.ply == 0 && self.all_moves {
                results.root_values.push((index, info.sign * value));
            }
            if info.open && !node.unbounded {
                let noticed = worker.local.noticed_outside;
                results.window = results.window.narrowed(noticed, info.sign);
                results.best.doubtful |= noticed.is_crossed();
            }
            let alpha = results.window.alpha;
            if results.best.improve(value, index, alpha) && info.open && value > alpha {
                results.line.clear();
                results.line.push(mv);
                results.line.extend_from_slice(worker.lines.get(ply + 1));
                if !node.unbounded {
                    worker.publish(at, results.best.pack(info.sign));
                }
            }
            if !node.unbounded && results.best.value >= results.window.beta && !results.cut {
                results.cut = true;
                worker.abort(at);
            }
            drop(guard);
            worker.leave();
        }
        (
            worker.local.noticed,
            worker.local.noticed_outside,
            worker.local.after_null,
        ) = outside;
    }

    fn forget_noticed(&self, local: &mut Local<G::Move>) {
        local.noticed = Window::ALL;
        local.noticed_outside = Window::ALL;
        local.innermost = true;
    }

    fn notice(&self, local: &mut Local<G::Move>, child: usize, bound: u64) {
        let innermost = std::mem::replace(&mut local.innermost, false);
        let value = (bound >> 32) as u32 as i32;
        let best = (bound >> 1 & 0x7FFF_FFFF) as usize;
        if value == -INFINITY {
            return;
        }
        let bar = value - i32::from(child < best);
        let apply = |window: &mut Window| {
            if bound & 1 == 1 {
                window.alpha = window.alpha.max(bar);
            } else {
                window.beta = window.beta.min(-bar);
            }
        };
        apply(&mut local.noticed);
        if !innermost {
            apply(&mut local.noticed_outside);
        }
    }
}
