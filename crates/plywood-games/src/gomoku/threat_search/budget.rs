//! How much a search for a win may cost.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// When to give up the search for a win by threats. Without any limit it goes on to its end.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The most moves of the attacker that a win may take, the one that makes five included.
    pub moves: Option<u32>,
    /// Whether any win will do. Otherwise the shortest is looked for once there is one.
    pub any: bool,
    /// How many positions may be looked at.
    pub nodes: Option<u64>,
    /// How long it may take.
    pub time: Option<Duration>,
    /// When all has to be over. What is found in time may be written down after it, but not
    /// after this: a win that is not written down by then is none.
    pub until: Option<Instant>,
    /// Set to `true` from outside to end the search.
    pub stop: Option<Arc<AtomicBool>>,
    /// About how many bytes may be used to remember positions; 512 MiB if nothing is said.
    pub memory: Option<usize>,
}

impl Limits {
    /// How many positions may be remembered, in each of four maps.
    pub(super) fn most_known(&self) -> usize {
        // An entry has 17 bytes, and up to half of a map is empty, more while it grows.
        (self.memory.unwrap_or(512 << 20) / 200).clamp(1 << 10, 1 << 22)
    }
}

/// A limit was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Spent;

/// What a search has used of its limits.
#[derive(Clone, Debug)]
pub(super) struct Budget {
    pub(super) nodes: u64,
    most: u64,
    deadline: Option<Instant>,
    until: Option<Instant>,
    stop: Option<Arc<AtomicBool>>,
    spent: bool,
}

impl Budget {
    pub(super) fn new(limits: &Limits) -> Self {
        let mut budget = Budget {
            nodes: 0,
            most: limits.nodes.unwrap_or(u64::MAX),
            deadline: limits
                .time
                .and_then(|time| Instant::now().checked_add(time)),
            until: limits.until,
            stop: limits.stop.clone(),
            spent: false,
        };
        budget.look();
        budget
    }

    /// What it may take to write down what was found: about as much as to find it, whatever
    /// the limits, unless it is stopped or all has to be over.
    pub(super) fn for_the_end(&self) -> Self {
        Budget {
            most: 2 * self.nodes + 20_000,
            deadline: self.until,
            spent: false,
            ..self.clone()
        }
    }

    /// The same limits with at most so many further nodes.
    pub(super) fn at_most(&self, nodes: u64) -> Budget {
        Budget {
            most: self.most.min(self.nodes.saturating_add(nodes)),
            ..self.clone()
        }
    }

    /// One more position.
    #[inline]
    pub(super) fn node(&mut self) -> Result<(), Spent> {
        self.nodes += 1;
        if self.nodes >= self.most {
            self.spent = true;
        } else if self.nodes.is_multiple_of(256) {
            self.look();
        }
        if self.spent { Err(Spent) } else { Ok(()) }
    }

    fn look(&mut self) {
        let end = match (self.deadline, self.until) {
            (Some(deadline), Some(until)) => Some(deadline.min(until)),
            (deadline, until) => deadline.or(until),
        };
        let late = end.is_some_and(|end| Instant::now() >= end);
        let stopped = self.stop.as_ref();
        self.spent |= late || stopped.is_some_and(|stop| stop.load(Ordering::Relaxed));
    }

    /// Whether a limit was reached.
    pub(super) fn is_spent(&mut self) -> bool {
        self.look();
        self.spent || self.nodes >= self.most
    }
}
