//! What every worker did when, for those who want to know.
//!
//! [`Engine::search_traced`](crate::Engine::search_traced) records it; every other search
//! records nothing and pays nothing but a branch per split node and per task. The events of a
//! worker are in the order in which they happened. Most of them come in pairs, a beginning
//! and an end, and pairs lie inside each other like brackets: so time and nodes between any
//! two events belong to the innermost pair that is open, and nothing is counted twice or
//! forgotten.
//!
//! A node whose children are shared is a *split*, each child that is offered a *task*. All
//! tasks of a split are offered when it is opened; one that is taken is started at once.
//!
//! Memory is bounded: when a worker has recorded its share of
//! [`TraceOptions::max_events`], what begins later is left out together with its end, and
//! counted in [`Lane::dropped`]. Its time and nodes then belong to what lies around it, so
//! that sums stay right.

use std::fmt;
use std::sync::Mutex;
use std::time::Instant;

pub use crate::counters::Activity;

/// How to record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TraceOptions {
    /// The most events that are kept, of all workers together; an event takes about 40 bytes.
    pub max_events: usize,
}

impl Default for TraceOptions {
    /// About a million events.
    fn default() -> Self {
        TraceOptions {
            max_events: 1 << 20,
        }
    }
}

/// What was recorded during one search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trace {
    /// One lane for each worker.
    pub lanes: Vec<Lane>,
}

impl Trace {
    /// The events that were left out because there was no room.
    pub fn dropped(&self) -> u64 {
        self.lanes.iter().map(|lane| lane.dropped).sum()
    }
}

/// What one worker did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lane {
    /// The events, oldest first.
    pub events: Vec<Event>,
    /// How many were left out because there was no room.
    pub dropped: u64,
}

/// Something that happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    /// When, in nanoseconds since the search was started, by a clock that never goes back.
    pub at: u64,
    /// How many nodes the worker had searched by then.
    pub nodes: u64,
    /// What it was.
    pub what: What,
}

/// The name of a split: no two splits of a search have the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SplitId(u64);

impl SplitId {
    /// Not recorded.
    pub(crate) const NONE: SplitId = SplitId(0);

    const NUMBER_BITS: u32 = 40;

    pub(crate) fn new(worker: usize, number: u64) -> Self {
        SplitId((worker as u64 + 1) << Self::NUMBER_BITS | number)
    }

    pub(crate) fn packed(self) -> u64 {
        self.0
    }

    pub(crate) fn unpack(packed: u64) -> Self {
        SplitId(packed)
    }

    /// The split with this number, as [`number`](SplitId::number) gives it; `None` if it is
    /// no such number.
    pub fn from_number(number: u64) -> Option<Self> {
        (number >> Self::NUMBER_BITS > 0).then_some(SplitId(number))
    }

    /// A number that tells it from all others. It is below 2^53.
    pub fn number(self) -> u64 {
        self.0
    }

    /// The worker that opened it.
    pub fn owner(self) -> usize {
        (self.0 >> Self::NUMBER_BITS) as usize - 1
    }
}

impl fmt::Display for SplitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.0 & ((1 << Self::NUMBER_BITS) - 1);
        write!(f, "{}.{number}", self.owner())
    }
}

/// What can happen. Children are counted in the order in which the game lists the moves, and
/// turns in the order in which tasks are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// The worker begins, searching.
    WorkerBegins,
    /// The worker is done; ends [`WorkerBegins`](What::WorkerBegins).
    WorkerEnds,
    /// The worker waits, or searches after having waited. Begins a pair.
    Begins(Activity),
    /// The worker does again what it did before; ends [`Begins`](What::Begins).
    Resumes(Activity),
    /// A search to this depth begins.
    IterationBegins {
        /// The depth.
        depth: u32,
    },
    /// It ends.
    IterationEnds {
        /// Whether it has a result.
        complete: bool,
    },
    /// The eldest child of a node is searched, before the others are offered.
    EldestBegins {
        /// Which child it is.
        child: u32,
    },
    /// It is done.
    EldestEnds,
    /// A node is split and its tasks are offered.
    SplitOpens {
        /// Its name.
        split: SplitId,
        /// The depth left at the node: larger is taken first.
        depth: u32,
        /// The turn of the first task that is offered: 1 if the owner takes a child for
        /// itself before the others.
        first: u32,
        /// One more than the turn of the last task.
        end: u32,
    },
    /// All tasks of the split are done, and its owner goes on.
    SplitCloses {
        /// How many tasks nobody took.
        cancelled: u32,
    },
    /// A task was taken and begins; or a child that the owner keeps for itself.
    TaskBegins {
        /// The split it is of.
        split: SplitId,
        /// Its turn.
        turn: u32,
        /// Which child it is.
        child: u32,
        /// Whether it was offered.
        offered: bool,
    },
    /// The task is done.
    TaskEnds {
        /// Whether it was given up.
        aborted: bool,
    },
    /// The child, or the root, is searched once more with another window. From here to the
    /// end of the task or the iteration, or to the next such event.
    Again,
    /// The task in which this happens has cut its split off: what is running there is
    /// aborted, what nobody took is cancelled.
    Cut {
        /// The split.
        split: SplitId,
    },
}

/// Collects the lanes of all workers of a search.
pub(crate) struct Recorder {
    started: Instant,
    events_per_lane: usize,
    lanes: Mutex<Vec<Lane>>,
}

impl Recorder {
    pub(crate) fn new(options: &TraceOptions, workers: usize) -> Self {
        Recorder {
            started: Instant::now(),
            events_per_lane: options.max_events / workers.max(1),
            lanes: Mutex::new(vec![Lane::default(); workers]),
        }
    }

    /// Something to record a worker with that began then.
    pub(crate) fn tracer(&self, began: Instant) -> Tracer {
        let mut tracer = Tracer {
            started: self.started,
            room: self.events_per_lane.max(2),
            lane: Lane::default(),
            open: 0,
            left_out: 0,
            splits: 0,
        };
        tracer.begin(began, 0, What::WorkerBegins);
        tracer
    }

    /// Takes what a worker has recorded.
    pub(crate) fn deposit(&self, worker: usize, lane: Lane) {
        let mut lanes = self.lanes.lock().expect("nobody panics inside");
        let kept = &mut lanes[worker];
        kept.events.extend(lane.events);
        kept.dropped += lane.dropped;
    }

    pub(crate) fn trace(&self) -> Trace {
        let mut lanes = self.lanes.lock().expect("nobody panics inside");
        Trace {
            lanes: std::mem::take(&mut *lanes),
        }
    }
}

/// Records what one worker does.
pub(crate) struct Tracer {
    started: Instant,
    /// The most events.
    room: usize,
    lane: Lane,
    /// Pairs that are recorded and have not ended: there is always room for their ends.
    open: usize,
    /// Pairs that are not recorded and have not ended.
    left_out: usize,
    splits: u64,
}

impl Tracer {
    fn push(&mut self, now: Instant, nodes: u64, what: What) {
        let at = now.saturating_duration_since(self.started).as_nanos() as u64;
        self.lane.events.push(Event { at, nodes, what });
    }

    fn has_room(&self, events: usize) -> bool {
        self.left_out == 0 && self.lane.events.len() + self.open + events <= self.room
    }

    /// The beginning of a pair; `false` if the pair is left out.
    pub(crate) fn begin(&mut self, now: Instant, nodes: u64, what: What) -> bool {
        let recorded = self.has_room(2);
        if recorded {
            self.open += 1;
            self.push(now, nodes, what);
        } else {
            self.leave_out();
        }
        recorded
    }

    /// The beginning of a pair that is left out.
    pub(crate) fn leave_out(&mut self) {
        self.left_out += 1;
        self.lane.dropped += 1;
    }

    /// The end of a pair.
    pub(crate) fn end(&mut self, now: Instant, nodes: u64, what: What) {
        if self.left_out > 0 {
            self.left_out -= 1;
            self.lane.dropped += 1;
        } else {
            self.open -= 1;
            self.push(now, nodes, what);
        }
    }

    /// Something that takes no time.
    pub(crate) fn mark(&mut self, now: Instant, nodes: u64, what: What) {
        if self.has_room(1) {
            self.push(now, nodes, what);
        } else {
            self.lane.dropped += 1;
        }
    }

    /// A name for a split of this worker.
    pub(crate) fn name_split(&mut self, worker: usize) -> SplitId {
        self.splits += 1;
        SplitId::new(worker, self.splits)
    }

    /// Ends the recording.
    pub(crate) fn finish(mut self, now: Instant, nodes: u64) -> Lane {
        debug_assert_eq!((self.open, self.left_out), (1, 0), "pairs have ended");
        self.end(now, nodes, What::WorkerEnds);
        self.lane
    }
}
