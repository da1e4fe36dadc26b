//! Where the time of one thread of a search goes.

use std::sync::Arc;
use std::time::Instant;

use cpu_time::ThreadTime;
use plywood::trace::Activity;
use plywood::{Gauges, NodeCounts, WorkerCounts};

/// The account of one thread, from when it begins to when it is done.
#[derive(Debug)]
pub(super) struct Lane {
    index: usize,
    gauges: Option<Arc<Gauges>>,
    activity: Activity,
    since: Instant,
    times: WorkerCounts,
    clock: Option<ThreadTime>,
}

impl Lane {
    /// To be opened on the thread itself.
    pub(super) fn open(index: usize, gauges: Option<Arc<Gauges>>) -> Self {
        Lane {
            index,
            gauges,
            activity: Activity::Searching,
            since: Instant::now(),
            times: WorkerCounts::default(),
            clock: ThreadTime::try_now().ok(),
        }
    }

    /// Does something else from now on.
    pub(super) fn change(&mut self, nodes: NodeCounts, activity: Activity) {
        self.book();
        self.activity = activity;
        self.show(nodes, Some(activity));
    }

    /// Tells those who look on how far it is.
    pub(super) fn tell(&mut self, nodes: NodeCounts) {
        if self.gauges.is_some() {
            self.book();
            self.show(nodes, Some(self.activity));
        }
    }

    /// The thread is done. To be closed on it.
    pub(super) fn close(mut self, nodes: NodeCounts) -> WorkerCounts {
        self.book();
        self.times.nodes = nodes;
        let cpu = self.clock.and_then(|clock| clock.try_elapsed().ok());
        self.times.cpu = cpu.unwrap_or(self.times.busy);
        self.show(nodes, None);
        self.times
    }

    fn book(&mut self) {
        let now = Instant::now();
        self.times.book(self.activity, now - self.since);
        self.since = now;
    }

    fn show(&self, nodes: NodeCounts, activity: Option<Activity>) {
        if let Some(gauges) = &self.gauges {
            let counts = WorkerCounts {
                nodes,
                ..self.times
            };
            gauges.show(self.index, activity, &counts);
        }
    }
}
