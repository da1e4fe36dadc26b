//! Runs a search: workers, limits, answer.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use crossbeam_utils::CachePadded;

use super::forest::Forest;
use super::report::{RootStatistics, Summary, summary};
use super::select::Choice;
use super::tree::Tree;
use super::worker::Walker;
use super::{MctsOptions, players};
use crate::counters::{Activity, NodeCounts, TaskCounts, WorkerCounts};
use crate::engine::{ASK_FOR_MEMORY_AFTER, Progress};
use crate::game::{Game, Seat, Turn};
use crate::limits::Limits;
use crate::parallel::crew::Crew;
use crate::playout::Playout;
use crate::random::Random;
use crate::report::{Certainty, Memory, Report, RootMove, peak_memory};
use crate::settings::{MAX_THREADS, SettingsError};

/// A worker shows what it has done after so many playouts, if anybody looks on.
const SHOWN_AFTER: u64 = 32;

/// Monte-Carlo tree search of one game with its own playouts. An
/// [`Engine`](crate::Engine) does the same with playouts of random moves.
///
/// Threads and tree are kept from one search to the next.
pub struct Mcts<G: Game, P: Playout<G>> {
    game: G,
    playout: P,
    options: MctsOptions,
    crew: Option<Crew>,
    bytes: usize,
    forest: Forest<G>,
    scratches: Vec<P::Scratch>,
}

impl<G: Game, P: Playout<G>> Mcts<G, P> {
    /// With these options, on so many threads that share a tree of so many bytes.
    pub fn new(
        game: G,
        playout: P,
        options: MctsOptions,
        threads: usize,
        bytes: usize,
    ) -> Result<Self, SettingsError> {
        if !(1..=MAX_THREADS).contains(&threads) {
            return Err(SettingsError::new(format!(
                "{threads} threads are not possible: use 1 to {MAX_THREADS}"
            )));
        }
        Ok(Mcts {
            game,
            playout,
            options,
            crew: (threads > 1).then(|| Crew::new(threads)).transpose()?,
            bytes,
            forest: Forest::new(),
            scratches: (0..threads).map(|_| P::Scratch::default()).collect(),
        })
    }

    /// The game.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The playouts.
    pub fn playout(&self) -> &P {
        &self.playout
    }

    /// What can be changed between searches.
    pub fn options_mut(&mut self) -> &mut MctsOptions {
        &mut self.options
    }

    /// Forgets all that earlier searches have found.
    pub fn forget(&mut self) {
        self.forest.clear();
        self.scratches.fill_with(P::Scratch::default);
    }

    /// Searches a position until a limit is reached, and tells now and then what is known:
    /// the values are averages of everything in a reward, of which the report has only those
    /// of the players.
    pub fn search(
        &mut self,
        state: &G::State,
        limits: &Limits,
        mut on_progress: impl FnMut(&Progress<'_, G::Move>) + Send,
    ) -> Report<G::Move> {
        let task = Task {
            game: &self.game,
            playout: &self.playout,
            options: &self.options,
            crew: self.crew.as_ref(),
            own_trees: false,
            bytes: self.bytes,
            state,
            limits,
        };
        task.run(&mut self.forest, &mut self.scratches, &mut on_progress)
    }

    /// What the last search has found out about every move it has looked at, in the order of
    /// the game.
    pub fn root(&self) -> Vec<RootStatistics<G::Move>> {
        let Some(tree) = self.forest.trees.first() else {
            return Vec::new();
        };
        let choice = Choice {
            options: &self.options,
            root_seat: match tree.root.children.get().map(|children| children.turn) {
                Some(Turn::Player(seat)) => seat,
                _ => Seat::FIRST,
            },
            components: tree.components,
            players: players::<G>(),
        };
        summary(&choice, &self.forest.trees).map_or(Vec::new(), |summary| summary.moves)
    }
}

/// One search.
pub(crate) struct Task<'a, G: Game, P: Playout<G>> {
    pub(crate) game: &'a G,
    pub(crate) playout: &'a P,
    pub(crate) options: &'a MctsOptions,
    pub(crate) crew: Option<&'a Crew>,
    /// Whether every worker has a tree of its own.
    pub(crate) own_trees: bool,
    pub(crate) bytes: usize,
    pub(crate) state: &'a G::State,
    pub(crate) limits: &'a Limits,
}

/// What all workers look at.
struct Shared<'a> {
    limits: &'a Limits,
    started: Instant,
    deadline: Option<Instant>,
    /// Playouts that were begun. Written by all for each: nothing that all only read is to lie
    /// beside it.
    begun: CachePadded<AtomicU64>,
    longest: AtomicUsize,
    /// A limit other than depth was reached.
    stopped: AtomicBool,
    /// There is nothing left to do: the root is proven, or a line is long enough.
    done: AtomicBool,
}

impl Shared<'_> {
    fn depth(&self) -> u32 {
        self.longest.load(Ordering::Relaxed).max(1) as u32
    }

    /// Whether a worker may begin another playout. The very first is always granted, so that
    /// there is an answer.
    fn grants(&self, first: bool) -> bool {
        let ended = self.done.load(Ordering::Relaxed) || self.stopped.load(Ordering::Relaxed);
        if ended && !first {
            return false;
        }
        let due = self
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
            || self
                .limits
                .stop
                .as_ref()
                .is_some_and(|stop| stop.load(Ordering::Relaxed));
        // Whoever draws a number below the limit has a playout, so exactly as many are begun.
        let used_up = self
            .limits
            .nodes
            .is_some_and(|limit| limit == 0 || self.begun.fetch_add(1, Ordering::Relaxed) >= limit);
        if due || used_up {
            self.stopped.store(true, Ordering::Relaxed);
        }
        let nothing_yet = self.limits.nodes.is_none_or(|limit| limit == 0);
        !(due || used_up) || first && (nothing_yet || !used_up)
    }
}

impl<G: Game, P: Playout<G>> Task<'_, G, P> {
    /// Searches. There is a scratch for every worker.
    pub(crate) fn run(
        &self,
        forest: &mut Forest<G>,
        scratches: &mut [P::Scratch],
        on_progress: &mut (dyn FnMut(&Progress<'_, G::Move>) + Send),
    ) -> Report<G::Move> {
        let started = Instant::now();
        let turn = self.game.turn(self.state);
        let components = players::<G>() + self.playout.tracked();
        if turn == Turn::Over {
            return self.over(components, started);
        }
        let root_seat = match turn {
            Turn::Player(seat) => seat,
            Turn::Chance | Turn::Over => Seat::FIRST,
        };
        let workers = self.crew.map_or(1, Crew::len);
        let count = if self.own_trees { workers } else { 1 };
        forest.prepare(
            self.game,
            (self.state, root_seat),
            self.options,
            (count, self.bytes),
            (components, self.playout.range(self.game)),
        );
        let choice = Choice {
            options: self.options,
            root_seat,
            components,
            players: players::<G>(),
        };
        let shared = Shared {
            limits: self.limits,
            started,
            deadline: self.limits.time.and_then(|time| started.checked_add(time)),
            begun: CachePadded::new(AtomicU64::new(0)),
            longest: AtomicUsize::new(0),
            stopped: AtomicBool::new(false),
            done: AtomicBool::new(false),
        };
        let places: Vec<Mutex<&mut P::Scratch>> = scratches.iter_mut().map(Mutex::new).collect();
        let listener = Mutex::new(on_progress);
        let (trees, searches) = (&forest.trees[..], forest.searches);
        let work = |index: usize| {
            // On the worker's own stack: side by side, what one worker writes would slow down
            // the others.
            let mut place = places[index].lock().expect("every worker has its own");
            let mut scratch = std::mem::take(&mut **place);
            let mut tell = || {
                let Some(summary) = summary(&choice, trees) else {
                    return;
                };
                let mut listener = listener.lock().expect("only one worker tells");
                listener(&Progress {
                    depth: shared.depth(),
                    values: &summary.values,
                    line: &summary.line,
                    elapsed: shared.started.elapsed(),
                });
            };
            let walker = Walker::new(
                (self.game, self.playout),
                choice,
                self.state,
                &trees[index % trees.len()],
                (
                    Random::stream(self.options.seed, searches << 16 | index as u64),
                    &mut scratch,
                ),
                self.limits.depth,
            );
            let tell: Option<&mut dyn FnMut()> = if index == 0 { Some(&mut tell) } else { None };
            let tree = &trees[index % trees.len()];
            let counts = self.work((index, walker), tree, &shared, tell);
            **place = scratch;
            counts
        };
        let workers = match self.crew {
            None => vec![work(0)],
            Some(crew) => crew.on_all(work),
        };
        drop(places);
        let found = summary(&choice, &forest.trees).expect("the root has children");
        let mut listener = listener.lock().expect("all workers are done");
        listener(&Progress {
            depth: shared.depth(),
            values: &found.values,
            line: &found.line,
            elapsed: started.elapsed(),
        });
        self.report(found, workers, &shared, forest.bytes())
    }

    /// What one worker does: playouts until there are enough.
    fn work(
        &self,
        (index, mut walker): (usize, Walker<'_, '_, G, P>),
        tree: &Tree<G::Move>,
        shared: &Shared<'_>,
        mut tell: Option<&mut dyn FnMut()>,
    ) -> WorkerCounts {
        let (clock, began) = (ThreadTime::try_now().ok(), Instant::now());
        let first = tell.is_some();
        let mut counts = WorkerCounts::default();
        // Without any other limit a full tree is the end.
        let only_depth = self.limits.nodes.is_none() && self.limits.time.is_none();
        while shared.grants(first && counts.nodes.leaf == 0) {
            walker.play();
            counts.nodes.leaf += 1;
            if walker.longest > shared.longest.load(Ordering::Relaxed) {
                shared.longest.fetch_max(walker.longest, Ordering::Relaxed);
            }
            let deepest = self.limits.depth.map_or(usize::MAX, |depth| depth as usize);
            let enough = walker.longest >= deepest
                || only_depth && tree.is_full()
                || self.options.solver && tree.root().proof().is_some();
            if enough {
                shared.done.store(true, Ordering::Relaxed);
            }
            if counts.nodes.leaf.is_multiple_of(SHOWN_AFTER)
                && let Some(gauges) = &self.limits.gauges
            {
                counts.busy = began.elapsed();
                gauges.show(index, Some(Activity::Searching), &counts);
            }
            // Looking at the whole root costs about a playout: rarely enough to be nothing.
            if counts.nodes.leaf >= 128
                && counts.nodes.leaf.is_power_of_two()
                && let Some(tell) = &mut tell
            {
                tell();
            }
        }
        counts.busy = began.elapsed();
        counts.cpu = clock.map_or(counts.busy, |clock| {
            clock.try_elapsed().unwrap_or(counts.busy)
        });
        if let Some(gauges) = &self.limits.gauges {
            gauges.show(index, None, &counts);
        }
        counts
    }

    fn report(
        &self,
        found: Summary<G::Move>,
        workers: Vec<WorkerCounts>,
        shared: &Shared<'_>,
        bytes: usize,
    ) -> Report<G::Move> {
        let mut nodes = NodeCounts::default();
        for worker in &workers {
            nodes += worker.nodes;
        }
        let seat = match self.game.turn(self.state) {
            Turn::Player(seat) => Some(seat),
            Turn::Chance | Turn::Over => None,
        };
        let elapsed = shared.started.elapsed();
        let own = seat.map_or(0, Seat::index);
        let root = found.moves.iter().map(|root| RootMove {
            mv: root.mv,
            value: root.means[own],
            certainty: root.certainty,
            visits: Some(root.visits),
            win_share: None,
        });
        Report {
            best: seat.and(found.line.first().copied()),
            values: found.values[..players::<G>()].to_vec(),
            win_shares: None,
            certainty: found.certainty,
            root: root.filter(|_| self.limits.all_moves).collect(),
            line: found.line,
            depth: shared.depth(),
            stopped: shared.stopped.load(Ordering::Relaxed),
            nodes,
            tasks: TaskCounts::default(),
            cpu: workers.iter().map(|worker| worker.cpu).sum(),
            workers,
            elapsed,
            memory: Memory {
                table: bytes,
                peak: (elapsed > ASK_FOR_MEMORY_AFTER).then(peak_memory).flatten(),
            },
        }
    }

    /// What there is to say when the game is over.
    fn over(&self, components: usize, started: Instant) -> Report<G::Move> {
        let mut reward = vec![0; components];
        self.playout.finished(self.game, self.state, &mut reward);
        Report {
            best: None,
            values: reward[..players::<G>()].iter().map(|&r| r.into()).collect(),
            win_shares: None,
            certainty: Certainty::Exact,
            line: Vec::new(),
            root: Vec::new(),
            depth: 0,
            stopped: false,
            nodes: NodeCounts::default(),
            tasks: TaskCounts::default(),
            workers: vec![WorkerCounts::default()],
            elapsed: started.elapsed(),
            cpu: Duration::ZERO,
            memory: Memory::default(),
        }
    }
}
