//! A search to a depth, with everything that is proved for its leaves.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use plywood::{Limits, Seat, Table};

use crate::kalah::solver::Solver;
use crate::kalah::{Kalah, Pit, Position};

/// The deepest estimate; moves that give another turn are not counted.
pub(super) const MAX_DEPTH: u32 = 60;

/// What a move is thought to be worth: the mover's final margin.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Estimate {
    pub value: i32,
}

/// The search was stopped.
struct Stopped;

pub(super) struct Estimator<'a> {
    game: &'a Kalah,
    solver: &'a Solver,
    /// What was found before, by a hash of the rows: two positions may be taken for one
    /// another, which an estimate can bear.
    table: Table,
    deadline: Option<Instant>,
    node_limit: Option<u64>,
    stop: Option<Arc<AtomicBool>>,
    nodes: u64,
    /// Depth 1 is always completed, so that there is an answer.
    may_stop: bool,
}

/// A move, its children's rows as their mover sees them, and what it banks.
#[derive(Clone, Copy)]
struct Child {
    pit: Pit,
    own: u64,
    other: u64,
    gain: i32,
    again: bool,
}

impl Child {
    fn value(&self, child: i32) -> i32 {
        self.gain + if self.again { child } else { -child }
    }
}

impl<'a> Estimator<'a> {
    /// Within what is left of some limits after a while and so many nodes.
    pub(super) fn new(
        game: &'a Kalah,
        solver: &'a Solver,
        limits: &Limits,
        started: Instant,
        spent: u64,
    ) -> Self {
        const TABLE_BYTES: usize = 8 << 20;
        Estimator {
            game,
            solver,
            table: Table::new(TABLE_BYTES),
            deadline: limits.time.map(|time| started + time),
            node_limit: limits.nodes.map(|nodes| nodes.saturating_sub(spent)),
            stop: limits.stop.clone(),
            nodes: 0,
            may_stop: false,
        }
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Estimates all moves to a depth; nothing if it was stopped on the way. Unless the value
    /// of every move is wanted, a move that is no better than the best is not looked into
    /// further than to see that.
    pub(super) fn root(
        &mut self,
        position: &Position,
        depth: u32,
        every_move: bool,
    ) -> Option<Vec<(Pit, Estimate)>> {
        const ALL: i32 = 1000;
        self.may_stop = depth > 1;
        let margin = if position.mover() == Seat::FIRST {
            position.store_margin()
        } else {
            -position.store_margin()
        };
        let mut best = -ALL;
        let mut estimates = Vec::new();
        for child in self.children(position.own(), position.other()) {
            let alpha = if every_move { -ALL } else { best };
            let value = self.child(&child, depth, alpha, ALL).ok()?;
            best = best.max(value);
            estimates.push((
                child.pit,
                Estimate {
                    value: margin + value,
                },
            ));
        }
        Some(estimates)
    }

    fn children(&self, own: u64, other: u64) -> Vec<Child> {
        let children = Pit::non_empty(own).map(|pit| {
            let sown = self.game.sow(own, other, pit);
            let (own, other) = if sown.again {
                (sown.own, sown.other)
            } else {
                (sown.other, sown.own)
            };
            Child {
                pit,
                own,
                other,
                gain: i32::from(sown.banked),
                again: sown.again,
            }
        });
        children.collect()
    }

    /// The value of a child to its parent's mover.
    fn child(&mut self, child: &Child, depth: u32, alpha: i32, beta: i32) -> Result<i32, Stopped> {
        let (low, high) = (alpha - child.gain, beta - child.gain);
        let value = if child.again {
            self.search(child.own, child.other, depth, low, high)?
        } else {
            self.search(child.own, child.other, depth - 1, -high, -low)?
        };
        Ok(child.value(value))
    }

    /// What the rest of the game adds to the mover's margin: within the window, or a bound
    /// beyond the end it is not within.
    fn search(
        &mut self,
        own: u64,
        other: u64,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, Stopped> {
        let proved = self.solver.proved_rows(own, other);
        if proved.least == proved.most || proved.least >= beta {
            return Ok(proved.least);
        }
        if proved.most <= alpha {
            return Ok(proved.most);
        }
        if depth == 0 {
            // As many stones for either, if that is possible.
            return Ok(0.clamp(proved.least, proved.most));
        }
        self.nodes += 1;
        if self.nodes % 1024 == 0 && self.may_stop && self.is_due() {
            return Err(Stopped);
        }
        let key = hash(own, other);
        let stored = self.table.probe(key).map(Stored::unpack);
        if let Some(stored) = stored
            && stored.depth == depth as u8
        {
            let value = i32::from(stored.value);
            let enough = match stored.kind {
                Kind::Exact => true,
                Kind::AtLeast => value >= beta,
                Kind::AtMost => value <= alpha,
            };
            if enough {
                return Ok(value);
            }
        }
        let hint = stored.map(|stored| stored.pit);
        let mut children = self.children(own, other);
        children.sort_by_key(|child| {
            let first = hint == Some(child.pit.index());
            let index = i32::from(child.pit.index());
            -(i32::from(first) * 10_000 + i32::from(child.again) * 5000 + child.gain * 8 + index)
        });
        let mut best = i32::MIN;
        let mut best_pit = children[0].pit;
        for child in &children {
            let value = self.child(child, depth, alpha.max(best), beta)?;
            if value > best {
                best = value;
                best_pit = child.pit;
            }
            if best >= beta {
                break;
            }
        }
        let best = best.clamp(proved.least, proved.most);
        let kind = if best >= beta {
            Kind::AtLeast
        } else if best <= alpha {
            Kind::AtMost
        } else {
            Kind::Exact
        };
        let stored = Stored {
            value: best as i16,
            depth: depth as u8,
            kind,
            pit: best_pit.index(),
        };
        self.table
            .store(key, stored.pack(), |data| Stored::unpack(data).depth.into());
        Ok(best)
    }

    fn is_due(&self) -> bool {
        self.deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
            || self.node_limit.is_some_and(|limit| self.nodes >= limit)
            || self
                .stop
                .as_ref()
                .is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Exact,
    AtLeast,
    AtMost,
}

#[derive(Clone, Copy)]
struct Stored {
    value: i16,
    depth: u8,
    kind: Kind,
    pit: u8,
}

impl Stored {
    fn pack(self) -> u64 {
        u64::from(self.value as u16)
            | u64::from(self.depth) << 16
            | (self.kind as u64) << 24
            | u64::from(self.pit) << 32
            // Never 0, which stands for nothing.
            | 1 << 63
    }

    fn unpack(data: u64) -> Self {
        Stored {
            value: data as u16 as i16,
            depth: (data >> 16) as u8,
            kind: match data >> 24 & 0xff {
                0 => Kind::Exact,
                1 => Kind::AtLeast,
                _ => Kind::AtMost,
            },
            pit: (data >> 32) as u8,
        }
    }
}

fn hash(own: u64, other: u64) -> u64 {
    let product =
        u128::from(own ^ 0x9e37_79b9_7f4a_7c15) * u128::from(other ^ 0xd1b5_4a32_d192_ed03);
    (product as u64 ^ (product >> 64) as u64).wrapping_mul(0xa24b_aed4_963e_e407)
}
