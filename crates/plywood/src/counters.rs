//! What a search did and where its workers' time went.

use std::ops::AddAssign;
use std::time::{Duration, Instant};

/// Positions a search has looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NodeCounts {
    /// Positions whose moves were searched.
    pub interior: u64,
    /// Positions that were evaluated, or in which the game was over.
    pub leaf: u64,
    /// Positions whose value the table knew.
    pub table_hits: u64,
}

impl NodeCounts {
    /// All positions.
    pub fn total(&self) -> u64 {
        self.interior + self.leaf + self.table_hits
    }
}

impl AddAssign for NodeCounts {
    fn add_assign(&mut self, other: Self) {
        self.interior += other.interior;
        self.leaf += other.leaf;
        self.table_hits += other.table_hits;
    }
}

/// What became of the tasks of a parallel search. A task is one child of a split node.
///
/// `offered = converted + fizzled + cancelled`; the aborted ones are among the converted
/// and the fizzled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TaskCounts {
    /// Tasks that any worker could have taken.
    pub offered: u64,
    /// Run by a worker other than the one that offered them.
    pub converted: u64,
    /// Run by the worker that offered them.
    pub fizzled: u64,
    /// Never started, because a cut-off or the end of the search came first.
    pub cancelled: u64,
    /// Given up while running, because a cut-off or the end of the search came.
    pub aborted: u64,
}

impl AddAssign for TaskCounts {
    fn add_assign(&mut self, other: Self) {
        self.offered += other.offered;
        self.converted += other.converted;
        self.fizzled += other.fizzled;
        self.cancelled += other.cancelled;
        self.aborted += other.aborted;
    }
}

/// What one worker did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WorkerCounts {
    /// The nodes this worker searched.
    pub nodes: NodeCounts,
    /// The tasks this worker offered (offered, fizzled, cancelled) or ran for others
    /// (converted), and those of both kinds that were aborted.
    pub tasks: TaskCounts,
    /// Searching.
    pub busy: Duration,
    /// Looking for a task of another worker.
    pub stealing: Duration,
    /// Waiting for the helpers of a split node, with nothing to help them with.
    pub joining: Duration,
    /// Asleep, because there was nothing to take for a while.
    pub idle: Duration,
    /// The processor time of the worker's thread.
    pub cpu: Duration,
}

impl WorkerCounts {
    /// Adds time that was spent with this.
    pub fn book(&mut self, activity: Activity, spent: Duration) {
        match activity {
            Activity::Searching => self.busy += spent,
            Activity::Stealing => self.stealing += spent,
            Activity::Joining => self.joining += spent,
            Activity::Sleeping => self.idle += spent,
        }
    }
}

impl AddAssign for WorkerCounts {
    fn add_assign(&mut self, other: Self) {
        self.nodes += other.nodes;
        self.tasks += other.tasks;
        self.busy += other.busy;
        self.stealing += other.stealing;
        self.joining += other.joining;
        self.idle += other.idle;
        self.cpu += other.cpu;
    }
}

/// What a worker is doing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Activity {
    /// Searching; see [`WorkerCounts::busy`].
    Searching,
    /// Looking for a task; see [`WorkerCounts::stealing`].
    Stealing,
    /// Waiting for helpers; see [`WorkerCounts::joining`].
    Joining,
    /// Asleep; see [`WorkerCounts::idle`].
    Sleeping,
}

/// Adds up the time spent with each activity; the clock is read at changes only.
pub(crate) struct Stopwatch {
    activity: Activity,
    since: Instant,
}

impl Stopwatch {
    pub(crate) fn start(activity: Activity) -> Self {
        Stopwatch {
            activity,
            since: Instant::now(),
        }
    }

    /// What time is being spent with.
    pub(crate) fn activity(&self) -> Activity {
        self.activity
    }

    /// When the time was booked last.
    pub(crate) fn since(&self) -> Instant {
        self.since
    }

    /// Books the time since the last change and goes on with `activity`; returns the one
    /// before.
    pub(crate) fn switch(&mut self, counts: &mut WorkerCounts, activity: Activity) -> Activity {
        let before = self.activity;
        if activity != before {
            self.book(counts);
            self.activity = activity;
        }
        before
    }

    /// Books the time since the last change.
    pub(crate) fn book(&mut self, counts: &mut WorkerCounts) {
        let now = Instant::now();
        let spent = now - self.since;
        self.since = now;
        counts.book(self.activity, spent);
    }
}
