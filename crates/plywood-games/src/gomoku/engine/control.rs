//! When a search has to end, and how its workers get to know.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use plywood::{Gauges, Limits};

/// The search has to end, or the node being searched no longer matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stopped;

/// What all workers of one search look at to know whether it goes on.
#[derive(Debug)]
pub(super) struct Control {
    started: Instant,
    deadline: Option<Instant>,
    most_nodes: u64,
    outside: Option<Arc<AtomicBool>>,
    tally: Tally,
    stopped: Arc<AtomicBool>,
    /// Where workers show what they do, if anybody looks on.
    pub(super) gauges: Option<Arc<Gauges>>,
}

/// What workers write now and then: on a cache line of its own, so that nobody who only reads
/// the rest has to wait for it.
#[derive(Debug)]
#[repr(align(128))]
struct Tally {
    nodes: AtomicU64,
    /// The longest that a worker was kept from looking, in nanoseconds.
    longest_gap: AtomicU64,
}

impl Tally {
    fn note_gap(&self, gap: Duration) {
        let gap = gap.as_nanos() as u64;
        // Hardly ever: to read it is cheaper than to write it.
        if gap > self.longest_gap.load(Ordering::Relaxed) {
            self.longest_gap.fetch_max(gap, Ordering::Relaxed);
        }
    }
}

impl Control {
    /// `gap` is how long a worker may be kept from its work, as far as that is known.
    pub(super) fn new(limits: &Limits, gap: Duration) -> Self {
        let started = Instant::now();
        Control {
            started,
            deadline: limits.time.and_then(|time| started.checked_add(time)),
            most_nodes: limits.nodes.unwrap_or(u64::MAX),
            outside: limits.stop.clone(),
            tally: Tally {
                nodes: AtomicU64::new(0),
                longest_gap: AtomicU64::new(gap.as_nanos() as u64),
            },
            stopped: Arc::new(AtomicBool::new(false)),
            gauges: limits.gauges.clone(),
        }
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// When the answer has to be there; `None` if there is no end to the time.
    pub(super) fn deadline(&self) -> Option<Instant> {
        let reserve = self.deadline.map(|deadline| self.reserve(deadline));
        self.deadline?.checked_sub(reserve?)
    }

    /// The time that is left; `None` if there is no end to it.
    pub(super) fn left(&self) -> Option<Duration> {
        let now = Instant::now();
        self.deadline
            .map(|deadline| deadline.saturating_duration_since(now))
    }

    pub(super) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// The flag that is set when the search ends, whatever the reason.
    pub(super) fn stop_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stopped)
    }

    /// The flag that ends the search from outside.
    pub(super) fn outside(&self) -> Option<Arc<AtomicBool>> {
        self.outside.clone()
    }

    /// The nodes that are left to be searched.
    pub(super) fn nodes_left(&self) -> u64 {
        self.most_nodes
            .saturating_sub(self.tally.nodes.load(Ordering::Relaxed))
    }

    /// The longest time for which a worker was kept from its work.
    pub(super) fn longest_gap(&self) -> Duration {
        Duration::from_nanos(self.tally.longest_gap.load(Ordering::Relaxed))
    }

    /// Whether it is time to end. On a busy machine a worker may be kept from its work when
    /// the time is up, and once more before the answer is out: as long as it was before.
    fn is_time_up(&self, now: Instant) -> bool {
        self.deadline
            .is_some_and(|deadline| now + self.reserve(deadline) >= deadline)
    }

    /// The time to leave before the end, but not too much of what there is.
    fn reserve(&self, deadline: Instant) -> Duration {
        let most = deadline.saturating_duration_since(self.started) / 3;
        (2 * self.longest_gap()).min(most)
    }

    /// Whether the search goes on after so many more nodes of a worker that has last looked
    /// at this time.
    pub(super) fn look(&self, nodes: u64, looked: &mut Instant) -> Result<(), Stopped> {
        let total = self.tally.nodes.fetch_add(nodes, Ordering::Relaxed) + nodes;
        let now = Instant::now();
        let gap = now.duration_since(std::mem::replace(looked, now));
        self.tally.note_gap(gap);
        let over = total >= self.most_nodes
            || self.is_time_up(now)
            || self
                .outside
                .as_ref()
                .is_some_and(|stop| stop.load(Ordering::Relaxed));
        if over {
            self.stop();
        }
        if self.is_stopped() {
            Err(Stopped)
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control(gap: Duration) -> Control {
        let limits = Limits {
            time: Some(Duration::from_secs(900)),
            ..Limits::default()
        };
        Control::new(&limits, gap)
    }

    #[test]
    fn a_worker_that_is_kept_from_its_work_ends_sooner() {
        let control = control(Duration::ZERO);
        let start = control.started;
        let after = |seconds| start + Duration::from_secs(seconds);
        assert_eq!(control.deadline(), Some(after(900)));
        assert!(!control.is_time_up(after(899)));
        // It has last looked half a minute ago.
        let now = Instant::now();
        if let Some(mut looked) = now.checked_sub(Duration::from_secs(30)) {
            assert_eq!(control.look(1, &mut looked), Ok(()));
            assert!(looked >= now);
            assert!(control.longest_gap() >= Duration::from_secs(30));
            assert!(control.is_time_up(after(841)));
            assert!(!control.is_time_up(after(800)));
        }
    }

    #[test]
    fn two_thirds_of_the_time_are_used_whatever_happens() {
        let control = control(Duration::from_secs(5000));
        let start = control.started;
        assert_eq!(control.deadline(), Some(start + Duration::from_secs(600)));
        assert!(!control.is_time_up(start + Duration::from_secs(599)));
    }
}
