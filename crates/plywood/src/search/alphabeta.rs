//! Alpha-beta: minimax without what cannot matter.
//!
//! For two players whose scores are each other's negatives, without chance. The value of
//! the root is that of [`minimax`](super::minimax) to the same depth, with the same depth
//! units, and so are the best move and the principal variation: among equal moves the first
//! in the order of the game is the best, whatever the order in which they were searched.
//! Values are *fail-soft*: a node outside its window returns the tightest bound it found.
//!
//! Sign and window turn over where the side changes, and only there: a player who moves
//! twice in a row goes on with the same window.
//!
//! What can be switched off ([`AlphaBetaOptions`]), without any effect on the value:
//!
//! * **Principal-variation search** (`no-pvs`): all children but the first are first asked,
//!   with a window of one point, whether they are any better at all.
//! * **Iterative deepening** (`no-deepening`): depth 1, 2, 3 … instead of the full depth at
//!   once; each tries the best move of the one before first.
//! * **Aspiration** (`no-aspiration`): each depth starts with a small window around the value
//!   of the one before and opens it where it fails.
//! * **Table** (`no-table`): what was found for a position is used again. In exact mode (the
//!   default) only for the same depth left, so that the value stays that of minimax; with
//!   `deeper` also where more depth was searched, which is better play and no longer exact.
//!   With principal-variation search, nodes with an open window are always searched, so that
//!   the table does not cut the line short; without it, it may.
//! * **Killers and history** (`no-killers`, `no-history`): moves that cut off elsewhere are
//!   tried earlier; **priority** (`no-priority`): the game's own idea of good moves.
//! * `plain` switches all of these off at once.
//!
//! **Null move** (`null-move`, off by default): where doing nothing is good enough for a
//! cut-off at reduced depth, the node is cut off. That is a guess and not exact.

use super::ordering::{Ordering, Ranking};
use super::{ChanceNeed, Family, Iteration, RootSearch, RootValue, Search, SearchInfo};
use crate::evaluate::Evaluate;
use crate::game::{Chances, Game, Moves, Seat, Turn};
use crate::limits::Stopped;
use crate::parallel::lazy_smp::InFlight;
use crate::parallel::team::{Kernel, PointRef, Worker};
use crate::parallel::{Spawn, SplitPolicy};
use crate::table::Table;

mod entry;
mod leaves;
mod options;
mod shared;
mod window;

use entry::{Bound, Entry};
pub use options::AlphaBetaOptions;
use shared::Best;
use window::{INFINITY, Window};

pub(super) const INFO: SearchInfo = SearchInfo {
    name: "alphabeta",
    summary: "minimax without what cannot matter, two players",
    players: (1, 2),
    chance: ChanceNeed::Without,
    family: Family::Bounded,
    parse: |options| Ok(Search::AlphaBeta(AlphaBetaOptions::parse(options))),
};

/// How far the first aspiration window reaches from the value of the depth before.
const ASPIRATION: i32 = 1;

/// Tells the keys of different views apart.
const VIEW_SALT: u64 = 0x9FB2_1C65_1E98_DF25;

/// How much depth a null move gives up.
const NULL_REDUCTION: u32 = 2;

/// A search on a window: one player's score, which that player maximises and everybody
/// else minimises.
pub(crate) struct AlphaBeta<'a, G: Game, E> {
    pub(crate) game: &'a G,
    pub(crate) eval: &'a E,
    pub(crate) view: Seat,
    pub(crate) options: AlphaBetaOptions,
    pub(crate) policy: SplitPolicy,
    pub(crate) after_chance: bool,
    pub(crate) all_moves: bool,
    pub(crate) table: Option<&'a Table>,
    /// Which search this is, so that the table can tell old entries from new ones.
    pub(crate) generation: u8,
    /// What other workers are searching, where each searches the whole tree.
    pub(crate) in_flight: Option<InFlight>,
}

/// What every worker has for itself.
pub(crate) struct Local<M> {
    ordering: Ordering<M>,
    /// The window that all split points above have published, from the view's side.
    noticed: Window,
    /// The same without the innermost split point: what counts for that node itself.
    noticed_outside: Window,
    /// Whether the next bound to notice is that of the innermost split point.
    innermost: bool,
    /// The root move to try first.
    root_first: Option<usize>,
    /// Whether the move before was a null move.
    after_null: bool,
    /// The values of the root moves, where they are asked for, from the view's side.
    root_values: Vec<Option<i32>>,
    /// Moves put off because another worker is searching them, for all nodes on the way.
    put_off: Vec<usize>,
}

impl<M> Local<M> {
    fn record_root(&mut self, index: usize, value: i32) {
        if self.root_values.len() <= index {
            self.root_values.resize(index + 1, None);
        }
        self.root_values[index] = Some(value);
    }
}

impl<M> Default for Local<M> {
    fn default() -> Self {
        Local {
            ordering: Ordering::default(),
            noticed: Window::ALL,
            noticed_outside: Window::ALL,
            innermost: true,
            root_first: None,
            after_null: false,
            root_values: Vec::new(),
            put_off: Vec::new(),
        }
    }
}

/// A node as far as its children need to know.
#[derive(Clone, Copy)]
struct NodeInfo {
    ply: u32,
    child_depth: u32,
    /// 1 where the view's player moves, -1 elsewhere.
    sign: i32,
    /// Whether the line is wanted.
    open: bool,
}

impl<'a, G: Game, E: Evaluate<G>> AlphaBeta<'a, G, E> {
    #[inline]
    fn leaf(&self, scores: G::Scores) -> i32 {
        scores[self.view.index()]
    }

    /// Whether the children of a node at this ply are searched without bounds.
    #[inline]
    fn unbounded(&self, ply: u32, depth: u32) -> bool {
        ply == 0 && self.all_moves || self.policy.open_windows && self.policy.splits(ply, depth)
    }

    /// The value of a position from the view's side, within a window from the view's side:
    /// its evaluation if the search ends here, or else the value of the node. `SPLIT` is
    /// whether the node may be split, if the policy says so.
    #[inline(always)]
    fn descend<const SPLIT: bool>(
        &self,
        worker: &mut Worker<'_, Self>,
        state: &mut G::State,
        ply: u32,
        depth: u32,
        window: Window,
    ) -> Result<i32, Stopped> {
        let turn = self.game.turn(state);
        let scores = match turn {
            Turn::Over => self.eval.finished(self.game, state),
            _ if depth > 0 || turn == Turn::Chance && self.after_chance => {
                let split = SPLIT && self.policy.splits(ply, depth) && worker.can_split();
                return if split {
                    self.node::<true>(worker, state, turn, ply, depth, window)
                } else {
                    self.node::<false>(worker, state, turn, ply, depth, window)
                };
            }
            _ => self.eval.evaluate(self.game, state),
        };
        worker.counts.nodes.leaf += 1;
        if window.is_open() {
            worker.lines.clear(ply as usize);
        }
        Ok(self.leaf(scores))
    }

    /// The value of a node at which the search does not end, from the view's side, within a
    /// window from the view's side. `SPLIT` is whether the policy splits this node.
    fn node<const SPLIT: bool>(
        &self,
        worker: &mut Worker<'_, Self>,
        state: &mut G::State,
        turn: Turn,
        ply: u32,
        depth: u32,
        window: Window,
    ) -> Result<i32, Stopped> {
        let open = window.is_open();
        worker.poll(self)?;
        let sign = if turn == Turn::Player(self.view) {
            1
        } else {
            -1
        };
        let mut window = window.seen_from(sign);
        if !SPLIT
            && depth == 1
            && turn != Turn::Chance
            && !(self.after_chance && G::CHANCE)
            && !(ply == 0 && self.all_moves)
        {
            return Ok(sign * self.last_ply(worker, state, ply, sign, window));
        }
        if !SPLIT && depth == 0 && !(ply == 0 && self.all_moves) {
            return Ok(sign * self.last_chance(worker, state, ply, sign, window)?);
        }

        let mut first = if ply == 0 {
            worker.local.root_first
        } else {
            None
        };
        let mut key = 0;
        if let Some(table) = self.table {
            // The root player's view is part of what a value means.
            key =
                self.eval.key(self.game, state) ^ VIEW_SALT.wrapping_mul(self.view.index() as u64);
            if let Some(entry) = table.probe(key).map(Entry::unpack) {
                let may_cut = ply > 0 && !(open && self.options.pvs);
                if may_cut
                    && entry.fits(depth, self.options.deeper)
                    && entry.cuts(window.alpha, window.beta)
                {
                    worker.counts.nodes.table_hits += 1;
                    worker.lines.clear(ply as usize);
                    return Ok(sign * entry.value);
                }
                first = first.or(entry.best);
            }
        }
        worker.counts.nodes.interior += 1;
        if self.options.null_move
            && !open
            && depth > NULL_REDUCTION
            && let Some(value) = self.null_move(worker, state, ply, depth, sign, window)?
        {
            return Ok(sign * value);
        }

        let start = worker.moves.len();
        match turn {
            Turn::Chance => {
                let weights = worker.probabilities.len();
                self.game.chances(
                    state,
                    &mut Chances::new(&mut worker.moves, &mut worker.probabilities),
                );
                worker.probabilities.truncate(weights);
            }
            _ => self.game.moves(state, &mut Moves::new(&mut worker.moves)),
        }
        let info = NodeInfo {
            ply,
            child_depth: if turn == Turn::Chance {
                depth
            } else {
                depth - 1
            },
            sign,
            open,
        };
        let unbounded = self.unbounded(ply, depth);
        if unbounded {
            window = Window::ALL;
        }
        let ranking = self.options.orders().then(|| {
            worker.local.ordering.rank(
                self.game,
                state,
                &self.options,
                ply,
                sign > 0,
                &worker.moves[start..],
                first,
            )
        });
        let result = if SPLIT {
            self.share(worker, state, info, depth, window, start, ranking)
        } else {
            self.children(worker, state, info, key, window, start, ranking)
        };
        if let Some(ranking) = ranking {
            worker.local.ordering.drop_ranking(ranking);
        }
        let (best, window) = match result {
            Ok(found) => found,
            Err(stopped) => {
                worker.moves.truncate(start);
                return Err(stopped);
            }
        };
        if best.value >= window.beta
            && let Some(&mv) = worker.moves.get(start + best.index)
        {
            let id = self.game.move_id(mv);
            worker
                .local
                .ordering
                .reward(&self.options, ply, sign > 0, mv, id, depth);
        }
        worker.moves.truncate(start);
        if let Some(table) = self.table
            && !best.doubtful
        {
            let bound = if best.value >= window.beta {
                Bound::Lower
            } else if best.value > window.alpha {
                Bound::Exact
            } else {
                Bound::Upper
            };
            // Where nothing was good enough, no move was shown to be the best.
            let index = (bound != Bound::Upper).then_some(best.index);
            let entry = Entry::new(best.value, bound, depth, index, self.generation);
            table.store(key, entry.pack(), |old| {
                Entry::unpack(old).worth(self.generation)
            });
        }
        Ok(sign * best.value)
    }

    /// Whether doing nothing already cuts this node off, and with what value.
    fn null_move(
        &self,
        worker: &mut Worker<'_, Self>,
        state: &mut G::State,
        ply: u32,
        depth: u32,
        sign: i32,
        window: Window,
    ) -> Result<Option<i32>, Stopped> {
        if worker.local.after_null {
            return Ok(None);
        }
        let Some(undo) = self.game.play_null(state) else {
            return Ok(None);
        };
        worker.local.after_null = true;
        let scout = Window {
            alpha: window.beta - 1,
            beta: window.beta,
        };
        let value = self.descend::<false>(
            worker,
            state,
            ply + 1,
            depth - 1 - NULL_REDUCTION,
            scout.seen_from(sign),
        );
        self.game.undo_null(state, undo);
        worker.local.after_null = false;
        let value = sign * value?;
        Ok((value >= window.beta).then_some(value))
    }

    /// The children of a node one after the other. Returns the best and the window as it
    /// was at the end, both from the side to move.
    #[inline]
    #[allow(clippy::too_many_arguments)]
    fn children(
        &self,
        worker: &mut Worker<'_, Self>,
        state: &mut G::State,
        info: NodeInfo,
        key: u64,
        mut window: Window,
        start: usize,
        mut ranking: Option<Ranking>,
    ) -> Result<(Best, Window), Stopped> {
        let count = worker.moves.len() - start;
        let unbounded = info.ply == 0 && self.all_moves;
        let in_flight = self
            .in_flight
            .as_ref()
            .filter(|_| self.table.is_some() && info.child_depth >= InFlight::MIN_DEPTH);
        let first_put_off = worker.local.put_off.len();
        let mut best = Best::NONE;
        // Every move has its turn; those that were put off have another one afterwards.
        let mut turn = 0;
        while turn < count + worker.local.put_off.len() - first_put_off {
            let index = if turn >= count {
                worker.local.put_off[first_put_off + turn - count]
            } else if let Some(ranking) = &mut ranking {
                worker.local.ordering.pick(ranking, turn)
            } else {
                turn
            };
            let flight = in_flight.map(|table| (table, InFlight::flight(key, index)));
            if let Some((table, flight)) = flight {
                if 0 < turn && turn < count && table.is_under_way(flight) {
                    worker.local.put_off.push(index);
                    turn += 1;
                    continue;
                }
                table.take_off(flight);
            }
            let mv = worker.moves[start + index];
            let bar = if unbounded {
                -INFINITY
            } else {
                best.bar(window.alpha, index)
            };
            let undo = self.game.play(state, mv);
            let mut scout = self.options.pvs && info.open && turn > 0 && !unbounded;
            let mut alpha = bar;
            let value = loop {
                let beta = if scout { bar + 1 } else { window.beta };
                let value = self.child::<false>(worker, state, info, alpha, beta);
                match value {
                    // Better than the bar, but how much better? Not below what was found.
                    Ok(value) if scout && value > bar && value < window.beta => {
                        scout = false;
                        alpha = value - 1;
                    }
                    _ => break value,
                }
            };
            self.game.undo(state, mv, undo);
            if let Some((table, flight)) = flight {
                table.land(flight);
            }
            turn += 1;
            let value = value?;
            if info.open && !worker.is_alone() {
                window = window.narrowed(worker.local.noticed, info.sign);
            }
            if unbounded {
                worker.local.record_root(index, info.sign * value);
            }
            if best.improve(value, index, window.alpha) && info.open && value > window.alpha {
                worker.lines.set(info.ply as usize, mv);
            }
            if best.value >= window.beta && !unbounded {
                break;
            }
        }
        worker.local.put_off.truncate(first_put_off);
        best.doubtful = worker.local.noticed.is_crossed();
        Ok((best, window))
    }

    /// A child's value from the parent's side to move, within a window from that side.
    /// `SPLIT` is whether the parent was split, and so whether the child may be.
    #[inline]
    fn child<const SPLIT: bool>(
        &self,
        worker: &mut Worker<'_, Self>,
        state: &mut G::State,
        info: NodeInfo,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, Stopped> {
        let window = Window { alpha, beta }.seen_from(info.sign);
        let (ply, depth) = (info.ply + 1, info.child_depth);
        let value = self.descend::<SPLIT>(worker, state, ply, depth, window)?;
        Ok(info.sign * value)
    }

    /// The root, starting with a small window around what was found before.
    fn aspire(
        &self,
        worker: &mut Worker<'_, Self>,
        state: &mut G::State,
        depth: u32,
        around: i32,
    ) -> Result<i32, Stopped> {
        let mut reach = ASPIRATION;
        let mut window = Window {
            alpha: around.saturating_sub(reach).max(-INFINITY),
            beta: around.saturating_add(reach),
        };
        loop {
            let value = self.descend::<true>(worker, state, 0, depth, window)?;
            reach = reach.saturating_mul(8);
            if value <= window.alpha && window.alpha > -INFINITY {
                window.beta = window.alpha + 1;
                window.alpha = value.saturating_sub(reach).max(-INFINITY);
            } else if value >= window.beta && window.beta < INFINITY {
                window.alpha = window.beta - 1;
                window.beta = value.saturating_add(reach);
            } else {
                return Ok(value);
            }
            worker.trace_again();
        }
    }
}

impl<G: Game, E: Evaluate<G>> RootSearch for AlphaBeta<'_, G, E> {
    fn iterate(
        &self,
        worker: &mut Worker<'_, Self>,
        state: &G::State,
        depth: u32,
        previous: Option<&Iteration<G::Move>>,
    ) -> Result<Iteration<G::Move>, Stopped> {
        let mut state = state.clone();
        let mut moves = Vec::new();
        match self.game.turn(&state) {
            Turn::Player(_) => self.game.moves(&state, &mut Moves::new(&mut moves)),
            Turn::Chance => {
                let mut probabilities = Vec::new();
                let mut events = Chances::new(&mut moves, &mut probabilities);
                self.game.chances(&state, &mut events);
            }
            Turn::Over => {}
        }
        worker.local.root_first = previous
            .and_then(|previous| previous.line.first())
            .and_then(|best| moves.iter().position(|mv| mv == best));
        worker.local.root_values.clear();
        let value = match previous.map(|previous| &previous.value) {
            Some(&RootValue::One(around))
                if self.options.aspiration
                    && !self.all_moves
                    && !self.unbounded(0, depth)
                    && depth > 1 =>
            {
                self.aspire(worker, &mut state, depth, around as i32)?
            }
            _ => self.descend::<true>(worker, &mut state, 0, depth, Window::ALL)?,
        };
        Ok(Iteration {
            depth,
            value: RootValue::One(f64::from(value)),
            line: worker.lines.get(0).to_vec(),
            root: moves
                .into_iter()
                .zip(worker.local.root_values.iter().flatten())
                .map(|(mv, value)| (mv, RootValue::One(f64::from(*value))))
                .collect(),
        })
    }
}
