//! What the workers of a search are doing right now, for those who look on.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crossbeam_utils::CachePadded;

use crate::counters::{Activity, WorkerCounts};

/// A gauge for every worker of one search, to be read from any thread while it runs.
///
/// Give it to a search in [`Limits::gauges`](crate::Limits::gauges). Workers show what they
/// have counted about every half a millisecond and whenever they begin to do something else;
/// nobody waits for anybody, so the figures of one reading may be a little apart in time.
#[derive(Debug)]
pub struct Gauges {
    started: Instant,
    workers: Box<[CachePadded<Gauge>]>,
}

/// What a worker shows of itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reading {
    /// What it is doing; `None` before it begins and after it is done.
    pub activity: Option<Activity>,
    /// What it has done so far. The processor time is not shown before the end.
    pub counts: WorkerCounts,
}

/// Times, nodes and tasks in the order in which [`Gauge::show`] writes them.
const FIGURES: usize = 12;

#[derive(Debug, Default)]
struct Gauge {
    /// 0 for none, or one more than the place in [`ACTIVITIES`].
    activity: AtomicU8,
    /// When it began that, in nanoseconds.
    since: AtomicU64,
    figures: [AtomicU64; FIGURES],
}

const ACTIVITIES: [Activity; 4] = [
    Activity::Searching,
    Activity::Stealing,
    Activity::Joining,
    Activity::Sleeping,
];

impl Gauges {
    /// For so many workers; those beyond show nothing.
    pub fn new(workers: usize) -> Arc<Self> {
        Arc::new(Gauges {
            started: Instant::now(),
            workers: (0..workers).map(|_| CachePadded::default()).collect(),
        })
    }

    /// What every worker shows. The time since a worker was last heard of belongs to what it
    /// was doing then.
    pub fn read(&self) -> Vec<Reading> {
        let now = self.nanoseconds(Instant::now());
        let gauges = self.workers.iter();
        gauges.map(|gauge| gauge.read(now)).collect()
    }

    /// Shows what a worker has done until now and what it does next; `None` when it is done.
    pub fn show(&self, worker: usize, activity: Option<Activity>, counts: &WorkerCounts) {
        if let Some(gauge) = self.workers.get(worker) {
            gauge.show(activity, self.nanoseconds(Instant::now()), counts);
        }
    }

    fn nanoseconds(&self, at: Instant) -> u64 {
        at.saturating_duration_since(self.started).as_nanos() as u64
    }
}

impl Gauge {
    fn show(&self, activity: Option<Activity>, now: u64, counts: &WorkerCounts) {
        let place = activity.and_then(|activity| ACTIVITIES.iter().position(|&a| a == activity));
        let time = |time: Duration| time.as_nanos() as u64;
        let figures: [u64; FIGURES] = [
            time(counts.busy),
            time(counts.stealing),
            time(counts.joining),
            time(counts.idle),
            counts.nodes.interior,
            counts.nodes.leaf,
            counts.nodes.table_hits,
            counts.tasks.offered,
            counts.tasks.converted,
            counts.tasks.fizzled,
            counts.tasks.cancelled,
            counts.tasks.aborted,
        ];
        // In this order time may be missing for a moment, but is not shown twice.
        self.since.store(now, Ordering::Relaxed);
        let code = place.map_or(0, |place| place as u8 + 1);
        self.activity.store(code, Ordering::Relaxed);
        for (shown, figure) in self.figures.iter().zip(figures) {
            shown.store(figure, Ordering::Relaxed);
        }
    }

    fn read(&self, now: u64) -> Reading {
        let code = self.activity.load(Ordering::Relaxed);
        let activity = ACTIVITIES.get(usize::from(code).wrapping_sub(1)).copied();
        let figures: [u64; FIGURES] =
            std::array::from_fn(|index| self.figures[index].load(Ordering::Relaxed));
        let time = |index: usize| Duration::from_nanos(figures[index]);
        let mut counts = WorkerCounts {
            busy: time(0),
            stealing: time(1),
            joining: time(2),
            idle: time(3),
            ..WorkerCounts::default()
        };
        counts.nodes.interior = figures[4];
        counts.nodes.leaf = figures[5];
        counts.nodes.table_hits = figures[6];
        counts.tasks.offered = figures[7];
        counts.tasks.converted = figures[8];
        counts.tasks.fizzled = figures[9];
        counts.tasks.cancelled = figures[10];
        counts.tasks.aborted = figures[11];
        if let Some(activity) = activity {
            let unheard = now.saturating_sub(self.since.load(Ordering::Relaxed));
            counts.book(activity, Duration::from_nanos(unheard));
        }
        Reading { activity, counts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gauge_shows_what_it_was_told_and_how_long_ago() {
        let gauge = Gauge::default();
        assert_eq!(gauge.read(5), Reading::default());
        let mut counts = WorkerCounts::default();
        counts.nodes.leaf = 7;
        counts.tasks.aborted = 3;
        counts.joining = Duration::from_nanos(11);
        gauge.show(Some(Activity::Joining), 100, &counts);
        let reading = gauge.read(125);
        assert_eq!(reading.activity, Some(Activity::Joining));
        assert_eq!(reading.counts.joining, Duration::from_nanos(36));
        assert_eq!(
            (reading.counts.nodes, reading.counts.tasks),
            (counts.nodes, counts.tasks)
        );
        gauge.show(None, 200, &counts);
        assert_eq!(
            gauge.read(900),
            Reading {
                activity: None,
                counts
            }
        );
    }

    #[test]
    fn a_worker_without_a_gauge_shows_nothing() {
        let gauges = Gauges::new(1);
        gauges.show(1, Some(Activity::Searching), &WorkerCounts::default());
        assert_eq!(gauges.read(), [Reading::default()]);
    }
}
