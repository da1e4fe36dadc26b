//! When a search has to end, and how its workers get to know.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::gauges::Gauges;
use crate::trace::Recorder;

/// The deepest search: more than any game of some interest can be searched.
pub const MAX_DEPTH: u32 = 250;

/// When a search ends. The first limit that is reached counts; without any the search goes
/// on to [`MAX_DEPTH`].
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The depth to complete, in the units that the search's documentation defines.
    pub depth: Option<u32>,
    /// About how many nodes may be searched: every worker looks at the total now and then.
    pub nodes: Option<u64>,
    /// How long the search may take.
    pub time: Option<Duration>,
    /// Set to `true` from outside to end the search within milliseconds. A search that goes
    /// straight to its depth has then nothing but the answer of depth 1.
    pub stop: Option<Arc<AtomicBool>>,
    /// Whether the value of every root move is wanted, not only of the best.
    pub all_moves: bool,
    /// Where the workers show what they are doing while they search.
    pub gauges: Option<Arc<Gauges>>,
}

impl Limits {
    /// To this depth, however long it takes.
    pub fn depth(depth: u32) -> Self {
        Limits {
            depth: Some(depth),
            ..Limits::default()
        }
    }

    /// For this time.
    pub fn time(time: Duration) -> Self {
        Limits {
            time: Some(time),
            ..Limits::default()
        }
    }

    /// For about this many nodes.
    pub fn nodes(nodes: u64) -> Self {
        Limits {
            nodes: Some(nodes),
            ..Limits::default()
        }
    }

    /// The same limits, with the value of every root move.
    pub fn with_all_moves(self) -> Self {
        Limits {
            all_moves: true,
            ..self
        }
    }

    /// The same limits, with a flag that ends the search from outside.
    pub fn with_stop(self, stop: Arc<AtomicBool>) -> Self {
        Limits {
            stop: Some(stop),
            ..self
        }
    }

    /// Whether the search is meant to use what it is given, and not to reach a depth.
    pub(crate) fn is_budget(&self) -> bool {
        self.nodes.is_some() || self.time.is_some() || self.depth.is_none()
    }

    /// Whether the search may end before its depth is complete.
    pub(crate) fn can_interrupt(&self) -> bool {
        self.nodes.is_some() || self.time.is_some() || self.stop.is_some()
    }
}

/// The search has to end, or the node being searched no longer matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stopped;

/// What all workers of one search look at to know whether it goes on.
pub(crate) struct Control {
    started: Instant,
    deadline: Option<Instant>,
    node_limit: Option<u64>,
    outside: Option<Arc<AtomicBool>>,
    nodes: AtomicU64,
    stopped: AtomicBool,
    /// Whether there is anything to look at.
    watched: bool,
    /// Takes down what workers do, if that is wanted.
    pub(crate) recorder: Option<Arc<Recorder>>,
    /// Where workers show what they do, if anybody looks on.
    pub(crate) gauges: Option<Arc<Gauges>>,
}

/// How often a worker looks at the clock, in polls: adapted to what a node costs.
#[derive(Debug)]
pub(crate) struct Patience {
    interval: u32,
    last_look: Instant,
    nodes_told: u64,
}

impl Control {
    /// For a search within limits; `replicated` if its workers stop each other.
    pub(crate) fn new(limits: &Limits, replicated: bool) -> Self {
        let started = Instant::now();
        Control {
            started,
            deadline: limits.time.and_then(|time| started.checked_add(time)),
            node_limit: limits.nodes,
            outside: limits.stop.clone(),
            nodes: AtomicU64::new(0),
            stopped: AtomicBool::new(false),
            watched: replicated || limits.can_interrupt() || limits.gauges.is_some(),
            recorder: None,
            gauges: limits.gauges.clone(),
        }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// The flag that is set when the search has to end.
    pub(crate) fn stopped(&self) -> &AtomicBool {
        &self.stopped
    }

    /// Ends the search for everybody who looks.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// The number of polls after which a worker has to look for the first time.
    pub(crate) fn patience(&self) -> Patience {
        Patience {
            interval: if self.watched { 64 } else { u32::MAX },
            last_look: self.started,
            nodes_told: 0,
        }
    }

    /// Looks at every limit, given the nodes this worker has searched so far.
    pub(crate) fn look(&self, patience: &mut Patience, nodes: u64) -> Result<u32, Stopped> {
        /// Looking should happen about this often.
        const PERIOD: Duration = Duration::from_micros(500);
        if self.is_stopped() {
            return Err(Stopped);
        }
        if patience.interval == u32::MAX {
            return Ok(u32::MAX);
        }
        let total = self
            .nodes
            .fetch_add(nodes - patience.nodes_told, Ordering::Relaxed)
            + (nodes - patience.nodes_told);
        patience.nodes_told = nodes;
        let now = Instant::now();
        let due = self.deadline.is_some_and(|deadline| now >= deadline)
            || self.node_limit.is_some_and(|limit| total >= limit)
            || self
                .outside
                .as_ref()
                .is_some_and(|stop| stop.load(Ordering::Relaxed));
        if due {
            self.stop();
            return Err(Stopped);
        }
        // Counting nodes has to be repeatable, so the clock must not decide when to count.
        if self.node_limit.is_none() {
            let waited = now - patience.last_look;
            patience.last_look = now;
            if waited > PERIOD * 2 {
                patience.interval = (patience.interval / 2).max(1);
            } else if waited < PERIOD {
                patience.interval = (patience.interval * 2).min(1 << 16);
            }
        }
        Ok(patience.interval)
    }
}

impl Patience {
    pub(crate) fn interval(&self) -> u32 {
        self.interval
    }
}
