//! Young brothers wait: once the first move of a node is searched, idle workers may take the
//! others.
//!
//! A worker that finds others idle opens its node as a [`Split`]: the position, the moves that
//! are left and the best so far. Idle workers take moves from the largest open split; the owner
//! does too, and when none are left helps those who still work below its node. A cut-off sets
//! a flag that everybody below looks at every few nodes.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use plywood::trace::Activity;

use super::super::Point;
use super::super::patterns::PatternBoard;
use super::control::Stopped;
use super::entry::Bound;
use super::moves::MoveList;
use super::worker::{Frame, Worker};

/// Nodes of less depth are not worth the trouble of sharing.
pub(super) const LEAST_DEPTH: i32 = 5;

/// A node whose moves several workers search.
#[derive(Debug)]
pub(super) struct Split {
    frame: Frame,
    beta: i32,
    board: PatternBoard,
    parent: Option<Arc<Split>>,
    /// Whether what happens here no longer matters.
    cut: AtomicBool,
    state: Mutex<State>,
    /// Signalled when a member leaves.
    left: Condvar,
}

/// What the members of a split share.
#[derive(Debug)]
struct State {
    list: MoveList,
    /// How many moves were taken.
    number: usize,
    members: usize,
    alpha: i32,
    best: Best,
}

/// The best of a node so far.
#[derive(Clone, Debug)]
pub(super) struct Best {
    pub value: i32,
    pub point: Option<Point>,
    pub bound: Bound,
    pub line: Vec<Point>,
}

impl Split {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether this node or one above it no longer matters.
    pub(super) fn is_cut(&self) -> bool {
        let mut split = Some(self);
        while let Some(this) = split {
            if this.cut.load(Ordering::Relaxed) {
                return true;
            }
            split = this.parent.as_deref();
        }
        false
    }

    fn is_below(&self, other: &Arc<Split>) -> bool {
        let mut split = self.parent.as_ref();
        while let Some(this) = split {
            if Arc::ptr_eq(this, other) {
                return true;
            }
            split = this.parent.as_ref();
        }
        false
    }
}

/// The workers of a search, and the nodes that they share.
#[derive(Debug, Default)]
pub(super) struct Team {
    open: Mutex<Vec<Arc<Split>>>,
    /// Signalled when a split opens or the search ends.
    opened: Condvar,
    idle: AtomicUsize,
    /// How many splits have been opened, for those who wait without sleeping.
    openings: AtomicUsize,
    done: AtomicBool,
}

/// How often somebody who waits looks before he goes to sleep: to be woken takes as long as
/// hundreds of nodes, and most waits are shorter.
const LOOKS: u32 = 60;

/// Waits for about a microsecond, awake.
fn pause() {
    for _ in 0..32 {
        std::hint::spin_loop();
    }
}

impl Team {
    /// Whether somebody waits for work.
    #[inline]
    pub(super) fn has_idle(&self) -> bool {
        self.idle.load(Ordering::Relaxed) > 0
    }

    /// The search is over: nobody needs to wait any longer.
    pub(super) fn end(&self) {
        self.done.store(true, Ordering::Relaxed);
        drop(self.lock());
        self.opened.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Split>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open(&self, split: &Arc<Split>) {
        self.lock().push(Arc::clone(split));
        self.openings.fetch_add(1, Ordering::Release);
        self.opened.notify_all();
    }

    fn close(&self, split: &Arc<Split>) {
        self.lock().retain(|other| !Arc::ptr_eq(other, split));
    }

    /// Joins the deepest open split that has moves left, of those below a node if one is given.
    fn join(open: &[Arc<Split>], below: Option<&Arc<Split>>) -> Option<Arc<Split>> {
        let mut best: Option<&Arc<Split>> = None;
        for split in open {
            let deeper = best.is_none_or(|best| split.frame.depth > best.frame.depth);
            if deeper && below.is_none_or(|below| split.is_below(below)) && !split.is_cut() {
                let mut state = split.lock();
                if state.list.is_empty() {
                    continue;
                }
                // Taken at once, so that the owner waits for us.
                state.members += 1;
                drop(state);
                if let Some(other) = best {
                    leave(other);
                }
                best = Some(split);
            }
        }
        best.cloned()
    }

    /// Waits for a split to join; `None` when the search is over.
    fn wait(&self) -> Option<Arc<Split>> {
        self.idle.fetch_add(1, Ordering::Relaxed);
        let mut looks = 0;
        let joined = loop {
            let seen = self.openings.load(Ordering::Acquire);
            let mut open = self.lock();
            if self.done.load(Ordering::Relaxed) {
                break None;
            }
            if let Some(split) = Team::join(&open, None) {
                break Some(split);
            }
            if looks >= LOOKS {
                open = self
                    .opened
                    .wait(open)
                    .unwrap_or_else(PoisonError::into_inner);
            }
            drop(open);
            while looks < LOOKS
                && self.openings.load(Ordering::Acquire) == seen
                && !self.done.load(Ordering::Relaxed)
            {
                pause();
                looks += 1;
            }
        };
        self.idle.fetch_sub(1, Ordering::Relaxed);
        joined
    }
}

fn leave(split: &Split) {
    split.lock().members -= 1;
    split.left.notify_all();
}

impl Worker<'_> {
    /// Helps the others until the search is over.
    pub(super) fn help(&mut self, team: &Team) {
        self.lane.change(self.counts, Activity::Stealing);
        while let Some(split) = team.wait() {
            self.lane.change(self.counts, Activity::Searching);
            // To wait is not to be kept from work.
            self.looked = Instant::now();
            self.work_as_guest(&split);
            leave(&split);
            self.lane.change(self.counts, Activity::Stealing);
        }
    }

    /// Takes moves of a split in a position of its own.
    fn work_as_guest(&mut self, split: &Arc<Split>) {
        let board = std::mem::replace(&mut self.board, split.board.clone());
        let before = self.split.replace(Arc::clone(split));
        // Whether it was cut off or has ended, the owner sees.
        let _ = self.take_moves(split);
        self.split = before;
        self.board = board;
    }

    /// Shares the moves that are left of a node, and searches them with whoever comes. If that
    /// is stopped, the best so far is the error.
    pub(super) fn share(
        &mut self,
        team: &Team,
        frame: &Frame,
        list: MoveList,
        number: usize,
        window: (i32, i32),
        best: Best,
    ) -> Result<Best, Best> {
        let split = Arc::new(Split {
            frame: *frame,
            beta: window.1,
            board: self.board.position(),
            parent: self.split.clone(),
            cut: AtomicBool::new(false),
            state: Mutex::new(State {
                list,
                number,
                members: 0,
                alpha: window.0,
                best,
            }),
            left: Condvar::new(),
        });
        team.open(&split);
        let before = self.split.replace(Arc::clone(&split));
        let result = self.take_moves(&split);
        self.split = before;
        team.close(&split);
        if result.is_err() {
            // What the others still do here is of no use.
            split.cut.store(true, Ordering::Relaxed);
        }
        // Help those who are still at work below this node, or wait for them.
        // Somebody who waits is idle, so that those below share what they have.
        team.idle.fetch_add(1, Ordering::Relaxed);
        self.lane.change(self.counts, Activity::Joining);
        let (mut looks, mut seen) = (0, usize::MAX);
        while split.lock().members > 0 {
            let openings = team.openings.load(Ordering::Acquire);
            if openings != seen {
                seen = openings;
                let below = Team::join(&team.lock(), Some(&split));
                if let Some(below) = below {
                    team.idle.fetch_sub(1, Ordering::Relaxed);
                    self.lane.change(self.counts, Activity::Searching);
                    self.work_as_guest(&below);
                    self.lane.change(self.counts, Activity::Joining);
                    leave(&below);
                    team.idle.fetch_add(1, Ordering::Relaxed);
                    (looks, seen) = (0, usize::MAX);
                }
            } else if looks < LOOKS {
                pause();
                looks += 1;
            } else {
                let state = split.lock();
                if state.members > 0 {
                    // Not for long: a split below may open in the meantime.
                    let short = std::time::Duration::from_micros(50);
                    let _ = split.left.wait_timeout(state, short);
                }
            }
        }
        team.idle.fetch_sub(1, Ordering::Relaxed);
        self.lane.change(self.counts, Activity::Searching);
        self.looked = Instant::now();
        let stopped = result.is_err() || self.shared.control.is_stopped();
        let best = split.lock().best.clone();
        if stopped { Err(best) } else { Ok(best) }
    }

    /// Searches moves of a split until there are none left or one cuts off.
    fn take_moves(&mut self, split: &Arc<Split>) -> Result<(), Stopped> {
        loop {
            let (point, promise, number, best, alpha) = {
                let mut state = split.lock();
                if split.cut.load(Ordering::Relaxed) {
                    return Ok(());
                }
                let Some((promise, point)) = state.list.take_best() else {
                    return Ok(());
                };
                state.number += 1;
                (point, promise, state.number, state.best.value, state.alpha)
            };
            let (frame, beta) = (&split.frame, split.beta);
            let value = if frame.ply == 0 {
                let value = self.root_move(point, frame.depth, alpha, beta, number - 1);
                value.map(Some)
            } else {
                self.one_move(frame, point, promise, number, best, alpha, beta)
            };
            let value = match value {
                Ok(Some(value)) => value,
                Ok(None) => continue,
                // A cut-off at this very node is no end for whoever works at it.
                Err(Stopped)
                    if split.cut.load(Ordering::Relaxed) && !self.must_stop_above(split) =>
                {
                    return Ok(());
                }
                Err(Stopped) => return Err(Stopped),
            };
            let mut state = split.lock();
            if split.cut.load(Ordering::Relaxed) || value <= state.best.value {
                continue;
            }
            state.best.value = value;
            if value > state.alpha {
                state.alpha = value;
                state.best.point = Some(point);
                state.best.bound = Bound::Exact;
                if frame.pv {
                    state.best.line.clear();
                    state.best.line.push(point);
                    state.best.line.extend_from_slice(self.line(frame.ply + 1));
                }
                if value >= beta {
                    state.best.bound = Bound::AtLeast;
                    split.cut.store(true, Ordering::Relaxed);
                    return Ok(());
                }
            }
        }
    }

    /// Whether the search is over or a node above this one no longer matters.
    fn must_stop_above(&self, split: &Split) -> bool {
        self.shared.control.is_stopped()
            || split.parent.as_ref().is_some_and(|above| above.is_cut())
    }
}
