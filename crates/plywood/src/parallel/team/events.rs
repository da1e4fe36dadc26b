//! What a worker tells about itself to a trace and to gauges, if there are any. Where there are
//! none, every function here is a branch or two: what lies behind it is kept out of the way of the search.

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
        self.show(Some(activity));
        before
    }

    /// Does again what it did before.
    pub(super) fn change_back_to(&mut self, activity: Activity) {
        self.stopwatch.switch(&mut self.counts, activity);
        if let Some(tracer) = &mut self.tracer {
            let nodes = self.counts.nodes.total();
            tracer.end(self.stopwatch.since(), nodes, What::Resumes(activity));
        }
        self.show(Some(activity));
    }

    /// Shows those who look on how far it is, while it goes on with what it does.
    pub(super) fn show_progress(&mut self) {
        if self.control.gauges.is_some() {
            self.stopwatch.book(&mut self.counts);
            self.show(Some(self.stopwatch.activity()));
        }
    }

    /// Shows those who look on what it has done and does next.
    pub(super) fn show(&self, activity: Option<Activity>) {
        if let Some(gauges) = &self.control.gauges {
            gauges.show(self.index, activity, &self.counts);
        }
    }

    /// Names a split point that is about to be opened.
    #[inline(always)]
    pub(super) fn trace_split(
        &mut self,
        point: &SplitPoint<K::Job>,
        depth: u32,
        turns: &Range<usize>,
    ) {
        if self.tracer.is_some() {
            self.note_split(point, depth, turns.start, turns.end);
        }
    }

    #[cold]
    #[inline(never)]
    fn note_split(&mut self, point: &SplitPoint<K::Job>, depth: u32, first: usize, end: usize) {
        if let Some(tracer) = &mut self.tracer {
            let split = tracer.name_split(self.index);
            let what = What::SplitOpens {
                split,
                depth,
                first: first as u32,
                end: end as u32,
            };
            let recorded = tracer.begin(Instant::now(), self.counts.nodes.total(), what);
            // Helpers leave out the tasks of a split that is left out.
            point.set_name(if recorded { split } else { SplitId::NONE });
        }
    }

    #[inline(always)]
    pub(super) fn trace_split_end(&mut self, cancelled: usize) {
        if self.tracer.is_some() {
            self.note_end(What::SplitCloses {
                cancelled: cancelled as u32,
            });
        }
    }

    #[inline(always)]
    pub(super) fn trace_task(
        &mut self,
        point: &SplitPoint<K::Job>,
        turn: usize,
        child: usize,
        offered: bool,
    ) {
        if self.tracer.is_some() {
            self.note_task(point, turn, child, offered);
        }
    }

    #[cold]
    #[inline(never)]
    fn note_task(&mut self, point: &SplitPoint<K::Job>, turn: usize, child: usize, offered: bool) {
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

    #[inline(always)]
    pub(super) fn trace_task_end(&mut self, aborted: bool) {
        if self.tracer.is_some() {
            self.note_end(What::TaskEnds { aborted });
        }
    }

    #[inline(always)]
    pub(super) fn trace_cut(&mut self, point: &SplitPoint<K::Job>) {
        if self.tracer.is_some() {
            let split = point.name();
            self.note(What::Cut { split });
        }
    }

    /// The eldest child of a node is searched before the node is split.
    #[inline(always)]
    pub(crate) fn trace_eldest(&mut self, child: usize) {
        if self.tracer.is_some() {
            self.note_begin(What::EldestBegins {
                child: child as u32,
            });
        }
    }

    #[inline(always)]
    pub(crate) fn trace_eldest_end(&mut self) {
        if self.tracer.is_some() {
            self.note_end(What::EldestEnds);
        }
    }

    /// What was just searched is searched again, with another window.
    #[inline(always)]
    pub(crate) fn trace_again(&mut self) {
        if self.tracer.is_some() {
            self.note(What::Again);
        }
    }

    /// A search to this depth begins.
    pub(crate) fn trace_iteration(&mut self, depth: u32) {
        self.note_begin(What::IterationBegins { depth });
    }

    pub(crate) fn trace_iteration_end(&mut self, complete: bool) {
        self.note_end(What::IterationEnds { complete });
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

    #[cold]
    #[inline(never)]
    fn note_begin(&mut self, what: What) {
        if let Some(tracer) = &mut self.tracer {
            tracer.begin(Instant::now(), self.counts.nodes.total(), what);
        }
    }

    #[cold]
    #[inline(never)]
    fn note_end(&mut self, what: What) {
        if let Some(tracer) = &mut self.tracer {
            tracer.end(Instant::now(), self.counts.nodes.total(), what);
        }
    }

    #[cold]
    #[inline(never)]
    fn note(&mut self, what: What) {
        if let Some(tracer) = &mut self.tracer {
            tracer.mark(Instant::now(), self.counts.nodes.total(), what);
        }
    }
}
