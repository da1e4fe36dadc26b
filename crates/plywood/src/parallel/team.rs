//! The workers of one search, and how they find work: every worker has a lane of split
//! points it owns; idle workers look through all lanes for the largest open one.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering, fence};
use std::sync::{Condvar, Mutex, OnceLock};
use std::thread::Thread;
use std::time::Duration;

use cpu_time::ThreadTime;
use crossbeam_utils::{Backoff, CachePadded};

use crate::counters::{Activity, Stopwatch, WorkerCounts};
use crate::game::Game;
use crate::limits::{Control, Patience, Stopped};
use crate::line::Lines;
use crate::parallel::crew::{CORES, Crew};
use crate::parallel::split_point::{Link, SplitPoint};
use crate::trace::Tracer;

mod events;

/// How many split points of one worker can be open at once; a node below that many is
/// searched without splitting.
const LEVELS: usize = 64;

/// Rounds of looking for work without success before a worker goes to sleep.
const ROUNDS_BEFORE_SLEEP: u32 = 200;

/// The same where there are more workers than cores: whoever looks in vain keeps somebody
/// else from working.
const ROUNDS_WHEN_CROWDED: u32 = 10;

/// A search that can share a node's children between workers.
pub(crate) trait Kernel: Sync {
    type Game: Game;
    /// A split node: position, moves, bounds, and a place for results.
    type Job: Default + Send + Sync;
    /// What every worker has for itself.
    type Local: Default;

    /// Searches children of a split node, taking one after the other with
    /// [`Worker::claim`], and leaves their results in the job.
    fn work(&self, worker: &mut Worker<'_, Self>, job: &Self::Job, point: PointRef<'_, Self::Job>);

    /// A split point above, in which the worker is at work on this child, has published a
    /// new bound.
    fn notice(&self, local: &mut Self::Local, child: usize, bound: u64) {
        let _ = (local, child, bound);
    }

    /// Before [`notice`](Kernel::notice) is called for every split point above.
    fn forget_noticed(&self, local: &mut Self::Local) {
        let _ = local;
    }
}

/// Where a split point is.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Place {
    owner: usize,
    level: usize,
}

/// A split point and where it is.
pub(crate) struct PointRef<'t, J> {
    pub(crate) point: &'t SplitPoint<J>,
    place: Place,
}

impl<J> Clone for PointRef<'_, J> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<J> Copy for PointRef<'_, J> {}

struct Lane<J> {
    /// Something happened above: an abort, a better bound, the end of the search.
    signal: CachePadded<AtomicBool>,
    /// How many of the points may be open.
    depth: CachePadded<AtomicUsize>,
    /// The owner sleeps until its helpers have left.
    waiting: AtomicBool,
    thread: OnceLock<Thread>,
    points: Box<[SplitPoint<J>]>,
}

/// What the workers of one search share.
pub(crate) struct Team<J> {
    lanes: Box<[Lane<J>]>,
    sleepers: CachePadded<AtomicUsize>,
    bed: Mutex<()>,
    wake: Condvar,
    finished: AtomicBool,
    rounds_before_sleep: u32,
}

impl<J: Default> Team<J> {
    pub(crate) fn new(workers: usize) -> Self {
        let lane = || Lane {
            signal: CachePadded::new(AtomicBool::new(false)),
            depth: CachePadded::new(AtomicUsize::new(0)),
            waiting: AtomicBool::new(false),
            thread: OnceLock::new(),
            points: (0..LEVELS).map(|_| SplitPoint::new()).collect(),
        };
        Team {
            lanes: (0..workers).map(|_| lane()).collect(),
            sleepers: CachePadded::new(AtomicUsize::new(0)),
            bed: Mutex::new(()),
            wake: Condvar::new(),
            finished: AtomicBool::new(false),
            rounds_before_sleep: if workers > *CORES {
                ROUNDS_WHEN_CROWDED
            } else {
                ROUNDS_BEFORE_SLEEP
            },
        }
    }

    fn point(&self, link: Link) -> &SplitPoint<J> {
        &self.lanes[link.worker()].points[link.level()]
    }

    fn signal(&self, worker: usize) {
        self.lanes[worker].signal.store(true, Ordering::SeqCst);
    }

    /// Makes every worker look at the limits.
    fn signal_all(&self) {
        for worker in 0..self.lanes.len() {
            self.signal(worker);
        }
    }

    /// The largest open split point of a worker other than `seeker`, below `within` if
    /// given. Only a hint: it may be gone, or be another, when it is joined.
    fn largest_offer(&self, seeker: Option<usize>, within: Option<Place>) -> Option<Place> {
        let mut best = None;
        let mut largest = 0;
        for (owner, lane) in self.lanes.iter().enumerate() {
            if Some(owner) == seeker {
                continue;
            }
            let depth = lane.depth.load(Ordering::Relaxed).min(LEVELS);
            for (level, point) in lane.points[..depth].iter().enumerate() {
                let offer = point.offer();
                if offer > largest && within.is_none_or(|ancestor| self.is_below(point, ancestor)) {
                    largest = offer;
                    best = Some(Place { owner, level });
                }
            }
        }
        best
    }

    /// Whether a split point lies below another, and so whether working there helps the
    /// other to finish. Certain only for one that the caller has joined.
    fn is_below(&self, point: &SplitPoint<J>, ancestor: Place) -> bool {
        let mut link = point.parent();
        // A chain that changes while it is read could lead in circles.
        for _ in 0..self.lanes.len() * LEVELS {
            if link.is_top() {
                return false;
            }
            if (link.worker(), link.level()) == (ancestor.owner, ancestor.level) {
                return true;
            }
            link = self.point(link).parent();
        }
        false
    }

    /// Sleeps until work is offered or the search is finished.
    fn sleep(&self) {
        let bed = self.bed.lock().expect("nobody panics in bed");
        self.sleepers.fetch_add(1, Ordering::SeqCst);
        // Whoever offers work does so before it looks for sleepers, and wakes them with the
        // lock held: either the work is seen here, or the call is heard below.
        fence(Ordering::SeqCst);
        if self.largest_offer(None, None).is_none() && !self.finished.load(Ordering::SeqCst) {
            drop(self.wake.wait(bed).expect("nobody panics in bed"));
        }
        self.sleepers.fetch_sub(1, Ordering::SeqCst);
    }

    fn wake_for(&self, tasks: usize) {
        fence(Ordering::SeqCst);
        let sleepers = self.sleepers.load(Ordering::SeqCst);
        if sleepers > 0 {
            let _bed = self.bed.lock().expect("nobody panics in bed");
            // More than there are cores would only get in each other's way.
            for _ in 0..tasks.min(sleepers).min(*CORES) {
                self.wake.notify_one();
            }
        }
    }

    fn finish(&self) {
        self.finished.store(true, Ordering::SeqCst);
        let _bed = self.bed.lock().expect("nobody panics in bed");
        self.wake.notify_all();
    }
}

/// One thread of a search with everything it needs for itself.
pub(crate) struct Worker<'t, K: Kernel + ?Sized> {
    /// The moves of all nodes on the way to the present one, one after the other.
    pub(crate) moves: Vec<<K::Game as Game>::Move>,
    /// The probabilities of all chance nodes on the way.
    pub(crate) probabilities: Vec<f64>,
    /// The best lines found below every node on the way.
    pub(crate) lines: Lines<<K::Game as Game>::Move>,
    pub(crate) counts: WorkerCounts,
    pub(crate) local: K::Local,
    index: usize,
    team: Option<&'t Team<K::Job>>,
    signal: &'t AtomicBool,
    control: &'t Control,
    patience: Patience,
    polls_left: u32,
    /// The child of the innermost split point that this worker is at.
    here: Link,
    open_points: usize,
    stopwatch: Stopwatch,
    cpu: ThreadTime,
    /// Takes down what this worker does, if that is wanted.
    tracer: Option<Box<Tracer>>,
}

impl<'t, K: Kernel> Worker<'t, K> {
    /// A worker on its own; the index says which, if there are several.
    pub(crate) fn alone(index: usize, control: &'t Control) -> Self {
        Self::with(index, None, control)
    }

    /// A member of a team. To be called on the worker's own thread.
    fn member(index: usize, team: &'t Team<K::Job>, control: &'t Control) -> Self {
        let _ = team.lanes[index].thread.set(std::thread::current());
        Self::with(index, Some(team), control)
    }

    fn with(index: usize, team: Option<&'t Team<K::Job>>, control: &'t Control) -> Self {
        let patience = control.patience();
        let stopwatch = Stopwatch::start(Activity::Searching);
        let recorder = control.recorder.as_ref();
        Worker {
            moves: Vec::with_capacity(1024),
            probabilities: Vec::new(),
            lines: Lines::new(),
            counts: WorkerCounts::default(),
            local: K::Local::default(),
            index,
            team,
            // To a worker on its own only the end of the search can happen.
            signal: team.map_or(control.stopped(), |team| &team.lanes[index].signal),
            control,
            polls_left: patience.interval(),
            patience,
            here: Link::TOP,
            open_points: 0,
            tracer: recorder.map(|recorder| Box::new(recorder.tracer(stopwatch.since()))),
            stopwatch,
            cpu: ThreadTime::now(),
        }
    }

    /// What this worker did until now.
    pub(crate) fn into_counts(mut self) -> WorkerCounts {
        self.stopwatch.book(&mut self.counts);
        self.counts.cpu = self.cpu.elapsed();
        self.show(None);
        self.hand_in_trace();
        self.counts
    }

    /// To be called at every interior node: whether the search goes on.
    #[inline(always)]
    pub(crate) fn poll(&mut self, kernel: &K) -> Result<(), Stopped> {
        self.polls_left -= 1;
        if self.polls_left == 0 || self.signal.load(Ordering::Relaxed) {
            self.attend(kernel)
        } else {
            Ok(())
        }
    }

    #[cold]
    #[inline(never)]
    fn attend(&mut self, kernel: &K) -> Result<(), Stopped> {
        if self.control.is_stopped() {
            // Whoever unwinds may poll again on its way.
            self.polls_left = self.polls_left.max(1);
            return Err(Stopped);
        }
        if self.polls_left == 0 {
            let look = self
                .control
                .look(&mut self.patience, self.counts.nodes.total());
            if look.is_err()
                && let Some(team) = self.team
            {
                team.signal_all();
            }
            self.polls_left = *look.as_ref().unwrap_or(&1);
            look?;
            self.show_progress();
        }
        if let Some(team) = self.team
            && self.signal.swap(false, Ordering::SeqCst)
        {
            // Whoever ended the search did so before it gave the signal.
            if self.control.is_stopped() {
                self.signal.store(true, Ordering::SeqCst);
                return Err(Stopped);
            }
            kernel.forget_noticed(&mut self.local);
            let mut link = self.here;
            while !link.is_top() {
                let point = team.point(link);
                if point.is_aborted() {
                    // Stay signalled until the worker is out of what was aborted.
                    self.signal.store(true, Ordering::SeqCst);
                    return Err(Stopped);
                }
                kernel.notice(&mut self.local, link.child(), point.bound());
                link = point.parent();
            }
        }
        Ok(())
    }

    /// Whether there is nobody to share work with.
    #[inline]
    pub(crate) fn is_alone(&self) -> bool {
        self.team.is_none()
    }

    /// Whether this worker can open another split point.
    #[inline]
    pub(crate) fn can_split(&self) -> bool {
        self.team.is_some() && self.open_points < LEVELS
    }

    /// Shares the children `children` of a node: `fill` writes the job, `collect` reads its
    /// results when all children are done or the rest no longer matters.
    pub(crate) fn split<R>(
        &mut self,
        kernel: &K,
        children: std::ops::Range<usize>,
        largeness: u32,
        bound: u64,
        fill: impl FnOnce(&Self, &mut K::Job),
        collect: impl FnOnce(&mut Self, &mut K::Job) -> R,
    ) -> R {
        let team = self.team.expect("can_split was asked");
        let level = self.open_points;
        let lane = &team.lanes[self.index];
        let point = &lane.points[level];
        let at = PointRef {
            point,
            place: Place {
                owner: self.index,
                level,
            },
        };
        self.counts.tasks.offered += children.len() as u64;
        let tasks = children.len();
        self.trace_split(point, largeness, &children);
        point.open(self.here, bound, children, largeness, |job| fill(self, job));
        self.open_points += 1;
        lane.depth.store(self.open_points, Ordering::Relaxed);
        if team.lanes.len() > 1 {
            team.wake_for(tasks);
        }

        let moves = self.moves.len();
        let probabilities = self.probabilities.len();
        let here = self.here;
        {
            let view = point.view();
            kernel.work(self, view.job(), at);
        }
        self.here = here;
        self.moves.truncate(moves);
        self.probabilities.truncate(probabilities);

        let cancelled = point.close();
        self.counts.tasks.cancelled += cancelled as u64;
        if self.outer_stop(team) {
            point.abort(|helper| team.signal(helper));
        }
        let result = loop {
            if let Some(mut collected) = point.try_collect() {
                break collect(self, collected.job());
            }
            self.await_helpers(kernel, team, at);
        };
        self.open_points -= 1;
        lane.depth.store(self.open_points, Ordering::Relaxed);
        self.trace_split_end(cancelled);
        result
    }

    /// Whether the search ends or anything above the present place was aborted.
    fn outer_stop(&self, team: &Team<K::Job>) -> bool {
        if self.control.is_stopped() {
            return true;
        }
        let mut link = self.here;
        while !link.is_top() {
            let point = team.point(link);
            if point.is_aborted() {
                return true;
            }
            link = point.parent();
        }
        false
    }

    /// Waits until all helpers have left a split point, and helps them meanwhile.
    fn await_helpers(&mut self, kernel: &K, team: &'t Team<K::Job>, at: PointRef<'_, K::Job>) {
        let before = self.change_to(Activity::Joining);
        let backoff = Backoff::new();
        let mut rounds = 0u32;
        while at.point.try_collect().is_none() {
            if self.outer_stop(team) {
                at.point.abort(|helper| team.signal(helper));
            } else if self.help(kernel, team, Some(at.place)) {
                backoff.reset();
                rounds = 0;
                continue;
            }
            rounds += 1;
            if rounds < team.rounds_before_sleep {
                backoff.snooze();
            } else {
                let lane = &team.lanes[self.index];
                lane.waiting.store(true, Ordering::SeqCst);
                if at.point.try_collect().is_none() {
                    // Bounded, because work to help with may be offered without a call.
                    std::thread::park_timeout(Duration::from_micros(500));
                }
                lane.waiting.store(false, Ordering::SeqCst);
            }
        }
        self.change_back_to(before);
    }

    /// Looks for a split point with unclaimed children, below `within` if given, and works
    /// there until nothing is left to claim. `false` if there was none.
    fn help(&mut self, kernel: &K, team: &'t Team<K::Job>, within: Option<Place>) -> bool {
        let Some(place) = team.largest_offer(Some(self.index), within) else {
            return false;
        };
        let lane = &team.lanes[place.owner];
        let point = &lane.points[place.level];
        let Some(membership) = point.join(self.index) else {
            return false;
        };
        if within.is_some_and(|ancestor| !team.is_below(point, ancestor)) {
            return false;
        }
        let before = self.change_to(Activity::Searching);
        let here = self.here;
        let moves = self.moves.len();
        let probabilities = self.probabilities.len();
        kernel.work(self, membership.job(), PointRef { point, place });
        drop(membership);
        if lane.waiting.load(Ordering::SeqCst)
            && let Some(thread) = lane.thread.get()
        {
            thread.unpark();
        }
        self.here = here;
        self.moves.truncate(moves);
        self.probabilities.truncate(probabilities);
        self.change_back_to(before);
        true
    }

    /// Takes the next child of a split point.
    pub(crate) fn claim(&mut self, at: PointRef<'_, K::Job>) -> Option<usize> {
        let child = at.point.claim()?;
        if at.place.owner == self.index {
            self.counts.tasks.fizzled += 1;
        } else {
            self.counts.tasks.converted += 1;
        }
        Some(child)
    }

    /// Begins to search a child of a split point, which has its turn among those to be
    /// claimed, whether it was `claimed` or not.
    pub(crate) fn enter(
        &mut self,
        at: PointRef<'_, K::Job>,
        turn: usize,
        child: usize,
        claimed: bool,
    ) {
        self.here = Link::new(at.place.owner, at.place.level, child);
        self.trace_task(at.point, turn, child, claimed);
    }

    /// The child that was entered has its result.
    pub(crate) fn leave(&mut self) {
        self.trace_task_end(false);
    }

    /// The child that was entered is given up.
    pub(crate) fn give_up(&mut self, claimed: bool) {
        self.counts.tasks.aborted += u64::from(claimed);
        self.trace_task_end(true);
    }

    /// A cut-off: cancels what is not started and aborts what is running.
    pub(crate) fn abort(&mut self, at: PointRef<'_, K::Job>) {
        let team = self.team.expect("at a split point");
        self.trace_cut(at.point);
        if at.point.abort(|helper| team.signal(helper)) && at.place.owner != self.index {
            team.signal(at.place.owner);
        }
    }

    /// Publishes a better bound to everybody at work below this split point.
    pub(crate) fn publish(&mut self, at: PointRef<'_, K::Job>, bound: u64) {
        let team = self.team.expect("at a split point");
        at.point.publish(bound);
        at.point.each_member(|helper| team.signal(helper));
        team.signal(at.place.owner);
    }

    /// Whether the worker opened this split point itself.
    pub(crate) fn owns(&self, at: PointRef<'_, K::Job>) -> bool {
        at.place.owner == self.index
    }
}

/// Runs `root` as the first worker of a team while the other workers help it wherever it
/// splits, until it returns. Without a crew the team is the calling thread alone.
pub(crate) fn run_team<K: Kernel, R: Send>(
    crew: Option<&Crew>,
    kernel: &K,
    control: &Control,
    root: impl FnOnce(&mut Worker<'_, K>) -> R + Send,
) -> (R, Vec<WorkerCounts>) {
    let Some(crew) = crew else {
        let team = Team::<K::Job>::new(1);
        let mut worker = Worker::<K>::member(0, &team, control);
        let answer = root(&mut worker);
        return (answer, vec![worker.into_counts()]);
    };
    let team = Team::<K::Job>::new(crew.len());
    let root = Mutex::new(Some(root));
    let result = Mutex::new(None);
    let counts = crew.on_all(|index| {
        let mut worker = Worker::<K>::member(index, &team, control);
        if index == 0 {
            let root = root.lock().expect("only one worker looks").take();
            let answer = root.expect("there is one first worker")(&mut worker);
            *result.lock().expect("only one worker looks") = Some(answer);
            team.finish();
        } else {
            worker.help_until_finished(kernel, &team);
        }
        worker.into_counts()
    });
    let result = result.into_inner().expect("the first worker has returned");
    (result.expect("the first worker has an answer"), counts)
}

impl<'t, K: Kernel> Worker<'t, K> {
    fn help_until_finished(&mut self, kernel: &K, team: &'t Team<K::Job>) {
        let before = self.change_to(Activity::Stealing);
        let backoff = Backoff::new();
        let mut rounds = 0u32;
        while !team.finished.load(Ordering::SeqCst) {
            if self.help(kernel, team, None) {
                backoff.reset();
                rounds = 0;
                continue;
            }
            rounds += 1;
            if rounds < team.rounds_before_sleep {
                backoff.snooze();
            } else {
                let before = self.change_to(Activity::Sleeping);
                team.sleep();
                self.change_back_to(before);
                backoff.reset();
                rounds = 0;
            }
        }
        self.change_back_to(before);
    }
}
