//! One search of a position, told step by step.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use plywood::{Certainty, Gauges, Limits, MAX_DEPTH, TraceOptions, Turn};
use plywood_games::registry::{AnyGame, AnyProgress, AnyReport, AnySearcher, Position};
use serde_json::Value;

use super::{Desk, Outbox};
use crate::failure::Failure;
use crate::telling::{Lanes, progress_json, report_json};
use crate::tree;
use crate::way::{Chosen, Maker};

/// How many events of workers are kept where they are asked for: some megabytes.
const TRACED_EVENTS: usize = 200_000;

/// How long an engine thinks before it first says what it thinks of every move; then twice as
/// long, and so on.
const FIRST_SLICE: Duration = Duration::from_millis(150);

/// How often it is told what the workers are doing.
const LANES_EVERY: Duration = Duration::from_millis(100);

/// A position to be searched.
pub(crate) struct Job {
    pub(crate) game: Arc<dyn AnyGame>,
    pub(crate) position: Position,
    pub(crate) chosen: Chosen,
    /// Whether the value of every move is wanted.
    pub(crate) all_moves: bool,
    /// Whether the tree is wanted.
    pub(crate) trace: bool,
}

/// What came out of a search.
pub(crate) struct Thought {
    pub(crate) report: AnyReport,
    /// What the value says in words.
    pub(crate) words: Option<String>,
    /// What the values of root moves say in words, as far as they are proven and say more.
    pub(crate) move_words: Vec<(f64, String)>,
    /// What the workers did, in all its parts.
    pub(crate) lanes: Lanes,
}

impl Thought {
    /// Everything, for programs.
    pub(crate) fn json(&self, chosen: &Chosen) -> Value {
        let in_words = |value: f64| {
            let words = self.move_words.iter().find(|(of, _)| *of == value);
            words.map(|(_, words)| words.clone())
        };
        report_json(
            &self.report,
            self.words.as_deref(),
            &in_words,
            &self.lanes,
            chosen,
        )
    }
}

impl Job {
    /// Searches, and tells what is found as it is found.
    pub(crate) fn run(&self, desk: &Desk<'_>) -> Result<Thought, Failure> {
        let game = &*self.game;
        desk.pool.with(game, &self.chosen, |searcher| {
            Run::new(self, searcher, desk, Some(desk.outbox)).think()
        })
    }

    /// Searches and tells nothing.
    pub(crate) fn run_silently(&self, desk: &Desk<'_>) -> Result<Thought, Failure> {
        let game = &*self.game;
        desk.pool.with(game, &self.chosen, |searcher| {
            Run::new(self, searcher, desk, None).at_once()
        })
    }

    /// Whether depths are searched one by one, so that after each of them everything can be
    /// told: how many nodes, what every move is worth, what the workers did.
    fn goes_by_depth(&self) -> bool {
        match &self.chosen.maker {
            Maker::Search { search, .. } => {
                self.chosen.nodes.is_none() && !search.info().name.contains("mcts")
            }
            Maker::Engine(_) => false,
        }
    }
}

/// A search that is running.
struct Run<'a> {
    job: &'a Job,
    searcher: &'a mut dyn AnySearcher,
    stop: Arc<AtomicBool>,
    outbox: Option<&'a Outbox>,
    started: Instant,
    lanes: Lanes,
    /// The depth that was told last: less is not news.
    told: u32,
}

impl<'a> Run<'a> {
    fn new(
        job: &'a Job,
        searcher: &'a mut dyn AnySearcher,
        desk: &Desk<'_>,
        outbox: Option<&'a Outbox>,
    ) -> Self {
        Run {
            job,
            searcher,
            stop: Arc::clone(&desk.stop),
            outbox,
            started: Instant::now(),
            lanes: Lanes::default(),
            told: 0,
        }
    }
}

impl Run<'_> {
    fn think(&mut self) -> Thought {
        let over = self.job.game.turn(&self.job.position) == Turn::Over;
        if over || self.job.chosen.preference.is_some() {
            self.at_once()
        } else if self.job.goes_by_depth() {
            self.by_depth()
        } else if self.job.all_moves && self.job.chosen.depth.is_none() {
            self.in_slices()
        } else {
            self.at_once()
        }
    }

    /// One search to its end. After every depth it is told what is known then.
    fn at_once(&mut self) -> Thought {
        let limits = Limits {
            stop: Some(Arc::clone(&self.stop)),
            all_moves: self.job.all_moves || self.job.chosen.preference.is_some(),
            ..self.job.chosen.limits()
        };
        let report = self.search(&limits);
        self.tell(&report);
        self.thought(report)
    }

    /// Depth after depth, each a search of its own, until a limit is reached or nothing is
    /// left to be found.
    fn by_depth(&mut self) -> Thought {
        let chosen = &self.job.chosen;
        let deadline = chosen.time.map(|time| self.started + time);
        // The clock must not be a limit of the search: it would begin each time with depth 1.
        let clock = deadline.map(|deadline| Clock::start(deadline, Arc::clone(&self.stop)));
        let stop = clock.as_ref().map_or(&self.stop, |clock| &clock.due);
        let limits = Limits {
            stop: Some(Arc::clone(stop)),
            all_moves: self.job.all_moves,
            ..Limits::default()
        };
        let mut best: Option<AnyReport> = None;
        for depth in 1..=chosen.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH) {
            // It will be told with everything that belongs to it.
            self.told = depth;
            let report = self.search(&Limits {
                depth: Some(depth),
                ..limits.clone()
            });
            let complete = !report.stopped && report.depth >= depth;
            if !complete && best.is_some() {
                break;
            }
            self.tell(&report);
            let known = settled(&report, best.as_ref());
            best = Some(report);
            if !complete || known {
                break;
            }
        }
        let mut report = best.expect("depth 1 was searched");
        report.stopped = limits.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        self.thought(report)
    }

    /// An engine thinks again and again, each time twice as long: what it has found it
    /// remembers, and after each time it says what every move is worth.
    fn in_slices(&mut self) -> Thought {
        let chosen = &self.job.chosen;
        let mut slice = FIRST_SLICE;
        loop {
            let left = chosen
                .time
                .map(|time| time.saturating_sub(self.started.elapsed()));
            // A last slice shorter than the one before would find less.
            let last = left.is_some_and(|left| left < slice.saturating_mul(2));
            let time = left.filter(|_| last).unwrap_or(slice);
            let report = self.search(&Limits {
                time: Some(time.max(Duration::from_millis(1))),
                // What earlier parts have searched was searched, too.
                nodes: chosen
                    .nodes
                    .map(|most| most.saturating_sub(self.lanes.nodes()).max(1)),
                stop: Some(Arc::clone(&self.stop)),
                all_moves: true,
                ..Limits::default()
            });
            self.tell(&report);
            let nodes_reached = chosen
                .nodes
                .is_some_and(|nodes| self.lanes.nodes() >= nodes);
            // An engine that does not use its time has nothing left to find.
            let idle = !report.stopped || report.elapsed < time / 2;
            if last || nodes_reached || idle || self.stop.load(Ordering::Relaxed) {
                return self.thought(report);
            }
            slice = slice.saturating_mul(2);
        }
    }

    fn search(&mut self, limits: &Limits) -> AnyReport {
        let Some(outbox) = self.outbox else {
            return self.search_quietly(limits);
        };
        let gauges = Gauges::new(self.job.chosen.threads);
        let limits = Limits {
            gauges: Some(Arc::clone(&gauges)),
            ..limits.clone()
        };
        let lanes = self.lanes.clone();
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let watcher = scope.spawn(|| {
                std::thread::park_timeout(LANES_EVERY);
                while !done.load(Ordering::Relaxed) {
                    if let Some(lanes) = lanes.live_json(&gauges.read()) {
                        outbox.show("lanes", &lanes);
                    }
                    std::thread::park_timeout(LANES_EVERY);
                }
            });
            // A search that panics is done as well.
            let _done = OnDrop(|| {
                done.store(true, Ordering::Relaxed);
                watcher.thread().unpark();
            });
            self.search_quietly(&limits)
        })
    }

    fn search_quietly(&mut self, limits: &Limits) -> AnyReport {
        let (outbox, started, told) = (self.outbox, self.started, self.told);
        let mut on_depth = |progress: &AnyProgress<'_>| {
            if let Some(outbox) = outbox
                && progress.depth > told
            {
                outbox.show("progress", &early(progress, started.elapsed()));
            }
        };
        let position = &self.job.position;
        if !self.job.trace {
            let report = self.searcher.search(position, limits, &mut on_depth);
            self.lanes.add(&report);
            return report;
        }
        let options = TraceOptions {
            max_events: TRACED_EVENTS,
        };
        let searcher = &mut self.searcher;
        let (report, trace) = searcher.search_traced(position, limits, &options, &mut on_depth);
        self.lanes.add(&report);
        if let Some(outbox) = self.outbox
            && let Some(tree) = tree::of(&trace, &*self.job.game, position)
        {
            outbox.show("tree", &tree);
        }
        report
    }

    fn tell(&mut self, report: &AnyReport) {
        self.told = self.told.max(report.depth);
        if let Some(outbox) = self.outbox {
            let words = self.words(report);
            let elapsed = self.started.elapsed();
            let in_words = |value| self.searcher.in_words(value);
            let nodes = self.lanes.nodes();
            let progress = progress_json(report, words.as_deref(), &in_words, nodes, elapsed);
            outbox.show("progress", &progress);
            outbox.show("lanes", &self.lanes.json());
        }
    }

    fn words(&self, report: &AnyReport) -> Option<String> {
        let Turn::Player(seat) = self.job.game.turn(&self.job.position) else {
            return None;
        };
        let value = report.values.get(seat.index())?;
        let exact = report.certainty == Certainty::Exact;
        exact.then(|| self.searcher.in_words(*value)).flatten()
    }

    fn thought(&mut self, report: AnyReport) -> Thought {
        let exact = report.root.iter();
        let exact = exact.filter(|root| root.certainty == Certainty::Exact);
        let said = exact.filter_map(|root| Some((root.value, self.searcher.in_words(root.value)?)));
        Thought {
            move_words: said.collect(),
            words: self.words(&report),
            report,
            lanes: std::mem::take(&mut self.lanes),
        }
    }
}

/// Does something at the end of a scope, however it ends.
struct OnDrop<F: Fn()>(F);

impl<F: Fn()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// What is known while a search is still running.
fn early(progress: &AnyProgress<'_>, elapsed: Duration) -> Value {
    serde_json::json!({
        "depth": progress.depth,
        "nodes": null,
        "nodes_per_second": null,
        "time_ms": elapsed.as_millis() as u64,
        "values": progress.values,
        "certainty": "estimate",
        "line": progress.line,
        "moves": [],
    })
}

/// Whether a deeper search cannot find anything else: everything is proven, or the last depth
/// has met as many nodes as the one before.
fn settled(report: &AnyReport, before: Option<&AnyReport>) -> bool {
    let proven = report.certainty == Certainty::Exact
        && report
            .root
            .iter()
            .all(|root| root.certainty == Certainty::Exact);
    proven || before.is_some_and(|before| before.nodes == report.nodes)
}

/// Sets a flag at a certain time, or when another one is set.
struct Clock {
    due: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Clock {
    fn start(deadline: Instant, stop: Arc<AtomicBool>) -> Self {
        /// How late a stop may be seen.
        const LOOK: Duration = Duration::from_millis(5);
        let due = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&due);
        let thread = std::thread::spawn(move || {
            while !flag.load(Ordering::Relaxed) {
                let left = deadline.saturating_duration_since(Instant::now());
                if left.is_zero() || stop.load(Ordering::Relaxed) {
                    flag.store(true, Ordering::Relaxed);
                    return;
                }
                std::thread::park_timeout(left.min(LOOK));
            }
        });
        Clock {
            due,
            thread: Some(thread),
        }
    }
}

impl Drop for Clock {
    fn drop(&mut self) {
        self.due.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}
