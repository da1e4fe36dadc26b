//! What a worker tells about itself to a trace, if there is one. Every function here is one
//! branch where there is none.

use std::ops::Range;
use std::time::Instant;

use super::{Activity, Kernel, Worker};
use crate::parallel::split_point::SplitPoint;
use crate::trace::{SplitId, What};

impl<K: Kernel> Worker<'_, K> {
    /// Does something else from now on; returns what it did.
    pub(super) fn change_to(&mut self, activity: Activity) -> Activity {
        let before = self.stopwatch.switch(&mut self.counts, activity);
        if let Some(tracer) = &mut self.tracer {
            let nodes = self.counts.nodes.total();
            tracer.begin(self.stopwatch.since(), nodes, What::Begins(activity));
        }
        before
    }

    /// Does again what it did before.
    pub(super) fn change_back_to(&mut self, activity: Activity) {
        self.stopwatch.switch(&mut self.counts, activity);
        if let Some(tracer) = &mut self.tracer {
            let nodes = self.counts.nodes.total();
            tracer.end(self.stopwatch.since(), nodes, What::Resumes(activity));
        }
    }

    /// Names a split point that is about to be opened.
    #[inline]
    pub(super) fn trace_split(
        &mut self,
        point: &SplitPoint<K::Job>,
        depth: u32,
        turns: &Range<usize>,
    ) {
        if let Some(tracer) = &mut self.tracer {
            let split = tracer.name_split(self.index);
            let what = What::SplitOpens {
                split,
                depth,
                first: turns.start as u32,
                end: turns.end as u32,
            };
            let recorded = tracer.begin(Instant::now(), self.counts.nodes.total(), what);
            // Helpers leave out the tasks of a split that is left out.
            point.set_name(if recorded { split } else { SplitId::NONE });
        }
    }

    #[inline]
    pub(super) fn trace_split_end(&mut self, cancelled: usize) {
        self.trace_end(What::SplitCloses {
            cancelled: cancelled as u32,
        });
    }

    #[inline]
    pub(super) fn trace_task(
        &mut self,
        point: &SplitPoint<K::Job>,
        turn: usize,
        child: usize,
        offered: bool,
    ) {
        if let Some(tracer) = &mut self.tracer {
            let split = point.name();
            if split == SplitId::NONE {
                tracer.leave_out();
                return;
            }
            let what = What::TaskBegins {
                split,
                turn: turn as u32,
                child: child as u32,
                offered,
            };
            tracer.begin(Instant::now(), self.counts.nodes.total(), what);
        }
    }

    #[inline]
    pub(super) fn trace_task_end(&mut self, aborted: bool) {
        self.trace_end(What::TaskEnds { aborted });
    }

    #[inline]
    pub(super) fn trace_cut(&mut self, point: &SplitPoint<K::Job>) {
        if self.tracer.is_some() {
            let split = point.name();
            self.trace_mark(What::Cut { split });
        }
    }

    /// The eldest child of a node is searched before the node is split.
    #[inline]
    pub(crate) fn trace_eldest(&mut self, child: usize) {
        self.trace_begin(What::EldestBegins {
            child: child as u32,
        });
    }

    #[inline]
    pub(crate) fn trace_eldest_end(&mut self) {
        self.trace_end(What::EldestEnds);
    }

    /// What was just searched is searched again, with another window.
    #[inline]
    pub(crate) fn trace_again(&mut self) {
        self.trace_mark(What::Again);
    }

    /// A search to this depth begins.
    pub(crate) fn trace_iteration(&mut self, depth: u32) {
        self.trace_begin(What::IterationBegins { depth });
    }

    pub(crate) fn trace_iteration_end(&mut self, complete: bool) {
        self.trace_end(What::IterationEnds { complete });
    }

    /// Hands in what was recorded.
    pub(super) fn hand_in_trace(&mut self) {
        if let Some(tracer) = self.tracer.take()
            && let Some(recorder) = &self.control.recorder
        {
            let lane = tracer.finish(self.stopwatch.since(), self.counts.nodes.total());
            recorder.deposit(self.index, lane);
        }
    }

    #[inline]
    fn trace_begin(&mut self, what: What) {
        if let Some(tracer) = &mut self.tracer {
            tracer.begin(Instant::now(), self.counts.nodes.total(), what);
        }
    }

    #[inline]
    fn trace_end(&mut self, what: What) {
        if let Some(tracer) = &mut self.tracer {
            tracer.end(Instant::now(), self.counts.nodes.total(), what);
        }
    }

    #[inline]
    fn trace_mark(&mut self, what: What) {
        if let Some(tracer) = &mut self.tracer {
            tracer.mark(Instant::now(), self.counts.nodes.total(), what);
        }
    }
}
