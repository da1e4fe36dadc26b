//! A split point: one node whose children several workers search together.

use crate::sync::{
    AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering, RwLock, RwLockReadGuard,
    RwLockWriteGuard, fence,
};
use crate::trace::SplitId;

/// The most workers that can search together.
pub(crate) const MAX_WORKERS: usize = 256;

const MEMBER_WORDS: usize = MAX_WORKERS / 64;

/// Where a worker is in the tree of split points: which child of which split point, or
/// nowhere, above all of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Link {
    packed: u64,
}

impl Link {
    /// Above all split points.
    pub(crate) const TOP: Link = Link { packed: u64::MAX };

    pub(crate) fn new(worker: usize, level: usize, child: usize) -> Self {
        debug_assert!(worker < MAX_WORKERS && level < 1 << 16 && child < 1 << 32);
        Link {
            packed: (worker as u64) << 48 | (level as u64) << 32 | child as u64,
        }
    }

    pub(crate) fn is_top(self) -> bool {
        self == Link::TOP
    }

    pub(crate) fn worker(self) -> usize {
        (self.packed >> 48) as usize
    }

    pub(crate) fn level(self) -> usize {
        (self.packed >> 32 & 0xFFFF) as usize
    }

    pub(crate) fn child(self) -> usize {
        (self.packed & 0xFFFF_FFFF) as usize
    }
}

/// A place for a split point, owned by one worker and used again and again.
///
/// The job inside is written by the owner while nobody else holds it, read by everybody who
/// joined, and collected by the owner when all have left: the read-write lock is never
/// waited for, it only says who is still inside.
///
/// `parent`, `bound` and `aborted` may be read without joining by workers *below* this
/// split point: as long as one of them is at work, some member has not left, so the owner
/// cannot have opened it anew.
pub(crate) struct SplitPoint<J> {
    /// 0: nothing to claim. Otherwise how much is left below, to choose the largest.
    offer: AtomicU32,
    next: AtomicUsize,
    end: AtomicUsize,
    aborted: AtomicBool,
    parent: AtomicU64,
    bound: AtomicU64,
    /// What the split is called in a trace. Written only if there is one.
    name: AtomicU64,
    members: [AtomicU64; MEMBER_WORDS],
    job: RwLock<Option<Box<J>>>,
}

impl<J: Default> SplitPoint<J> {
    pub(crate) fn new() -> Self {
        SplitPoint {
            offer: AtomicU32::new(0),
            next: AtomicUsize::new(0),
            end: AtomicUsize::new(0),
            aborted: AtomicBool::new(false),
            parent: AtomicU64::new(Link::TOP.packed),
            bound: AtomicU64::new(0),
            name: AtomicU64::new(SplitId::NONE.packed()),
            members: std::array::from_fn(|_| AtomicU64::new(0)),
            job: RwLock::new(None),
        }
    }

    /// Opens the split point: fills in the job, then offers the children `next..end`.
    /// Only the owner calls this, and only after it has collected the last job.
    pub(crate) fn open(
        &self,
        parent: Link,
        bound: u64,
        children: std::ops::Range<usize>,
        largeness: u32,
        fill: impl FnOnce(&mut J),
    ) {
        {
            // A worker that looked in too late may still hold the lock for an instant.
            let mut job = self.job.write().expect("no worker panics inside");
            fill(job.get_or_insert_with(Default::default));
            self.next.store(children.start, Ordering::Relaxed);
            self.end.store(children.end, Ordering::Relaxed);
            self.aborted.store(false, Ordering::Relaxed);
            self.parent.store(parent.packed, Ordering::Relaxed);
            self.bound.store(bound, Ordering::Relaxed);
        }
        self.offer.store(largeness + 1, Ordering::Release);
    }

    /// Names the split that is opened next. Owner only, before it opens.
    pub(crate) fn set_name(&self, name: SplitId) {
        self.name.store(name.packed(), Ordering::Relaxed);
    }

    /// What the split is called, for its owner and those who joined.
    pub(crate) fn name(&self) -> SplitId {
        SplitId::unpack(self.name.load(Ordering::Relaxed))
    }

    /// How much there is to claim: larger is nearer to the root, 0 is nothing.
    #[inline]
    pub(crate) fn offer(&self) -> u32 {
        self.offer.load(Ordering::Relaxed)
    }

    /// Joins as a helper; `None` if there is nothing left to claim.
    pub(crate) fn join(&self, worker: usize) -> Option<Membership<'_, J>> {
        let job = self.job.try_read().ok()?;
        if self.offer.load(Ordering::Acquire) == 0 || job.is_none() {
            return None;
        }
        self.members[worker / 64].fetch_or(1 << (worker % 64), Ordering::Relaxed);
        let membership = Membership {
            point: self,
            worker,
            job,
        };
        // Whoever aborts sets the flag first and then wakes the members it sees: with the
        // fences, either it sees this one, or this one sees the flag.
        fence(Ordering::SeqCst);
        (!self.is_aborted()).then_some(membership)
    }

    /// The owner's own view of the job it has opened.
    pub(crate) fn view(&self) -> View<'_, J> {
        View {
            job: self.job.read().expect("no worker panics inside"),
        }
    }

    /// The next child nobody has taken; `None` if there is none or the rest is cancelled.
    /// Only members and the owner may claim.
    pub(crate) fn claim(&self) -> Option<usize> {
        if self.is_aborted() {
            return None;
        }
        let child = self.next.fetch_add(1, Ordering::Relaxed);
        let end = self.end.load(Ordering::Relaxed);
        if child + 1 >= end {
            self.offer.store(0, Ordering::Release);
        }
        (child < end).then_some(child)
    }

    /// Cancels what is not claimed, and tells which helpers are at work on the rest. The
    /// first to call it gets `true`.
    pub(crate) fn abort(&self, mut wake: impl FnMut(usize)) -> bool {
        let first = !self.aborted.swap(true, Ordering::AcqRel);
        self.offer.store(0, Ordering::Release);
        fence(Ordering::SeqCst);
        self.each_member(&mut wake);
        first
    }

    /// Calls `visit` with every helper that has joined and not left.
    pub(crate) fn each_member(&self, mut visit: impl FnMut(usize)) {
        for (word, members) in self.members.iter().enumerate() {
            let mut bits = members.load(Ordering::Relaxed);
            while bits != 0 {
                visit(word * 64 + bits.trailing_zeros() as usize);
                bits &= bits - 1;
            }
        }
    }

    #[inline]
    pub(crate) fn is_aborted(&self) -> bool {
        self.aborted.load(Ordering::Acquire)
    }

    pub(crate) fn parent(&self) -> Link {
        Link {
            packed: self.parent.load(Ordering::Relaxed),
        }
    }

    /// What the search has published for those who are at work below.
    #[inline]
    pub(crate) fn bound(&self) -> u64 {
        self.bound.load(Ordering::Acquire)
    }

    pub(crate) fn publish(&self, bound: u64) {
        self.bound.store(bound, Ordering::Release);
    }

    /// Offers nothing more, and says how many children nobody will take. Owner only.
    pub(crate) fn close(&self) -> usize {
        self.offer.store(0, Ordering::Release);
        let end = self.end.load(Ordering::Relaxed);
        let next = self.next.swap(end, Ordering::Relaxed);
        end.saturating_sub(next)
    }

    /// The job with its results once all helpers have left. Owner only, after
    /// [`close`](SplitPoint::close).
    pub(crate) fn try_collect(&self) -> Option<Collected<'_, J>> {
        self.job.try_write().ok().map(|job| Collected { job })
    }
}

/// A helper inside a split point; dropping it is leaving.
pub(crate) struct Membership<'p, J> {
    point: &'p SplitPoint<J>,
    worker: usize,
    job: RwLockReadGuard<'p, Option<Box<J>>>,
}

impl<J> Membership<'_, J> {
    pub(crate) fn job(&self) -> &J {
        self.job.as_ref().expect("checked when joining")
    }
}

impl<J> Drop for Membership<'_, J> {
    fn drop(&mut self) {
        self.point.members[self.worker / 64]
            .fetch_and(!(1 << (self.worker % 64)), Ordering::Relaxed);
    }
}

/// The owner's view of an open job.
pub(crate) struct View<'p, J> {
    job: RwLockReadGuard<'p, Option<Box<J>>>,
}

impl<J> View<'_, J> {
    pub(crate) fn job(&self) -> &J {
        self.job.as_ref().expect("opened before")
    }
}

/// A finished job, in the hands of its owner alone.
pub(crate) struct Collected<'p, J> {
    job: RwLockWriteGuard<'p, Option<Box<J>>>,
}

impl<J> Collected<'_, J> {
    pub(crate) fn job(&mut self) -> &mut J {
        self.job.as_mut().expect("opened before")
    }
}

#[cfg(all(test, loom))]
mod models {
    use super::*;
    use loom::sync::Arc;
    use loom::thread;

    /// A job that counts how often each child was searched.
    struct Counted {
        round: usize,
        searched: [AtomicUsize; 3],
    }

    impl Default for Counted {
        fn default() -> Self {
            Counted {
                round: 0,
                searched: std::array::from_fn(|_| AtomicUsize::new(0)),
            }
        }
    }

    fn explore(model: impl Fn() + Sync + Send + 'static) {
        let mut builder = loom::model::Builder::new();
        builder.preemption_bound = Some(3);
        builder.check(model);
    }

    /// Takes children as long as there are any, as every worker does.
    fn work(point: &SplitPoint<Counted>, job: &Counted) {
        while let Some(child) = point.claim() {
            job.searched[child].fetch_add(1, Ordering::Relaxed);
        }
    }

    fn collect(point: &SplitPoint<Counted>) -> [usize; 3] {
        loop {
            if let Some(mut collected) = point.try_collect() {
                let job = collected.job();
                return std::array::from_fn(|i| job.searched[i].load(Ordering::Relaxed));
            }
            thread::yield_now();
        }
    }

    fn open(point: &SplitPoint<Counted>, round: usize, children: usize) {
        point.open(Link::TOP, 0, 0..children, 5, |job| {
            job.round = round;
            for searched in &job.searched {
                searched.store(0, Ordering::Relaxed);
            }
        });
    }

    #[test]
    fn every_child_is_searched_once_and_its_result_collected() {
        explore(|| {
            let point = Arc::new(SplitPoint::<Counted>::new());
            let helper = {
                let point = Arc::clone(&point);
                thread::spawn(move || {
                    if let Some(membership) = point.join(1) {
                        work(&point, membership.job());
                    }
                })
            };
            open(&point, 1, 3);
            work(&point, point.view().job());
            assert_eq!(point.close(), 0);
            assert_eq!(collect(&point), [1, 1, 1]);
            helper.join().unwrap();
        });
    }

    /// A helper that comes late meets the next job of the same place, never a mixture.
    #[test]
    fn a_late_helper_sees_one_job_whole() {
        explore(|| {
            let point = Arc::new(SplitPoint::<Counted>::new());
            open(&point, 1, 1);
            let helper = {
                let point = Arc::clone(&point);
                thread::spawn(move || {
                    if let Some(membership) = point.join(1) {
                        let job = membership.job();
                        if let Some(child) = point.claim() {
                            // The second job has a child that the first has not.
                            assert!(child < job.round);
                            job.searched[child].fetch_add(1, Ordering::Relaxed);
                        }
                    }
                })
            };
            for round in 1..=2 {
                if round == 2 {
                    open(&point, 2, 2);
                }
                work(&point, point.view().job());
                point.close();
                let searched = collect(&point);
                assert_eq!(searched[..round], [1, 1][..round]);
            }
            helper.join().unwrap();
        });
    }

    /// Whoever joins while the point is aborted either notices by itself or is woken.
    #[test]
    fn nobody_misses_an_abort() {
        explore(|| {
            let point = Arc::new(SplitPoint::<Counted>::new());
            open(&point, 1, 2);
            let woken = Arc::new(AtomicBool::new(false));
            let helper = {
                let (point, woken) = (Arc::clone(&point), Arc::clone(&woken));
                thread::spawn(move || {
                    let Some(membership) = point.join(1) else {
                        return;
                    };
                    if point.claim().is_none() {
                        return;
                    }
                    // At work on a child: the abort, once it is there, must reach it.
                    while !woken.load(Ordering::SeqCst) {
                        thread::yield_now();
                    }
                    assert!(point.is_aborted());
                    drop(membership);
                })
            };
            point.abort(|worker| {
                assert_eq!(worker, 1);
                woken.store(true, Ordering::SeqCst);
            });
            assert_eq!(point.claim(), None);
            point.close();
            let searched = collect(&point);
            assert_eq!(searched, [0, 0, 0]);
            helper.join().unwrap();
        });
    }
}
