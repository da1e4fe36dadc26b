//! An engine made for Gomoku: strong play under all three rules, on boards of any size.
//!
//! - Before anything else it looks for a [win by threats](super::threat_search).
//! - Then it searches one depth after the other: principal-variation search with a shared
//!   table, late moves searched less deep or not at all, answers to fours for free, and a
//!   search for wins by fours at the end of every line.
//! - On several threads it runs as [`Parallel`] says.
//!
//! A win or loss by threats that it reports as proven is proven. One that only the search has
//! found is as certain as the moves that the search looks at: those near stones.

mod control;
mod entry;
mod evaluation;
mod fours;
mod moves;
mod root;
mod score;
#[cfg(feature = "registry")]
mod specialist;
mod worker;
mod ybwc;

use std::time::Duration;

use plywood::{Limits, MAX_DEPTH, NodeCounts, Table};

use super::Point;
use super::patterns::PatternBoard;
use super::threat_search::{self, Answer, Proof, prove_by_fours, prove_by_threats};
use control::Control;
use entry::GENERATIONS;
use moves::History;
use root::{Found, Goal, root_moves};
use score::{moves_to_end, win_after};
use worker::{Shared, Worker};
use ybwc::Team;

#[cfg(feature = "registry")]
pub use specialist::Player;

/// How an engine uses several threads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Parallel {
    /// Every thread searches the whole tree; they help each other through the table, and vote
    /// in the end.
    #[default]
    LazySmp,
    /// One thread searches; once the first move of a node is searched, the others may take
    /// the rest.
    YoungBrothersWait,
}

/// What an engine may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Resources {
    /// Threads, at least one.
    pub threads: usize,
    /// Bytes for the table. The search for wins by threats may use a quarter more for a while.
    pub memory: usize,
    /// How several threads are used.
    pub parallel: Parallel,
}

/// What an engine thinks of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Thought {
    /// The best move; `None` if there is no legal one.
    pub best: Option<Point>,
    /// The value for the player to move.
    pub value: i32,
    /// After how many moves of both players the game is won (positive) or lost (negative).
    pub end: Option<i32>,
    /// Whether a win was proven against every defence.
    pub proven: bool,
    /// The line that is expected, beginning with the best move.
    pub line: Vec<Point>,
    /// Every move of the root with its value, the best first, as far as asked for.
    pub root: Vec<(Point, i32)>,
    /// The depth that was completed.
    pub depth: u32,
    /// Whether a limit other than depth ended the search.
    pub stopped: bool,
    /// What each worker has searched.
    pub workers: Vec<NodeCounts>,
    /// The time from start to answer.
    pub elapsed: Duration,
}

impl Thought {
    fn new() -> Self {
        Thought {
            best: None,
            value: 0,
            end: None,
            proven: false,
            line: Vec::new(),
            root: Vec::new(),
            depth: 0,
            stopped: false,
            workers: Vec::new(),
            elapsed: Duration::ZERO,
        }
    }

    /// The nodes of all workers.
    pub fn nodes(&self) -> u64 {
        self.workers.iter().map(NodeCounts::total).sum()
    }

    fn take(&mut self, found: &Found) {
        let best = found.best();
        self.best = Some(best.point);
        self.value = best.value;
        self.end = moves_to_end(best.value);
        self.line.clone_from(&best.line);
        self.depth = found.depth as u32;
        self.stopped = found.stopped;
    }
}

/// The engine, with what it remembers.
pub struct Engine {
    resources: Resources,
    table: Table,
    generation: u8,
    histories: Vec<History>,
    /// How long its workers were kept from their work at most, not long ago.
    gap: Duration,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine")
            .field("resources", &self.resources)
            .finish_non_exhaustive()
    }
}

impl Engine {
    /// An engine that uses these resources.
    pub fn new(resources: Resources) -> Self {
        let threads = resources.threads.max(1);
        Engine {
            resources: Resources {
                threads,
                ..resources
            },
            table: Table::new(resources.memory),
            generation: 0,
            histories: vec![History::default(); threads],
            gap: Duration::ZERO,
        }
    }

    /// What it uses.
    pub fn resources(&self) -> Resources {
        self.resources
    }

    /// Forgets all that earlier searches have found.
    pub fn forget(&mut self) {
        self.table.clear();
        self.histories.fill(History::default());
    }

    /// Thinks about a position of a game that is not over until a limit is reached, and tells
    /// what it knows after every depth.
    ///
    /// With `enough` it may stop sooner: it begins no depth that it would hardly finish in
    /// that time, and does not think about a move that is forced.
    pub fn think(
        &mut self,
        board: &PatternBoard,
        limits: &Limits,
        enough: Option<Duration>,
        on_depth: &mut (dyn FnMut(&Thought) + Send),
    ) -> Thought {
        let control = Control::new(limits, self.gap / 2);
        let mut thought = Thought::new();
        let board = board.clone();
        let moves = root_moves(&board);
        if moves.is_empty() {
            thought.workers = vec![NodeCounts::default()];
            return thought;
        }
        // Whatever happens there is an answer.
        thought.best = Some(moves[0]);
        thought.line = vec![moves[0]];
        let mut looked_at = 0;
        let memory = self.resources.memory / 4;
        if moves.len() > 1
            && let Some(proof) = prove(&board, limits, &control, enough, memory, &mut looked_at)
        {
            let moves = 2 * proof.length() as i32 - 1;
            thought.value = win_after(moves);
            thought.end = Some(moves);
            thought.proven = true;
            thought.line = proof.first.line();
            thought.best = Some(proof.first.point);
            thought.depth = moves as u32;
            on_depth(&thought);
            if !limits.all_moves {
                thought.workers = vec![NodeCounts {
                    leaf: looked_at,
                    ..NodeCounts::default()
                }];
                thought.elapsed = control.elapsed();
                return thought;
            }
        }
        let goal = Goal {
            depth: limits.depth.unwrap_or(MAX_DEPTH).clamp(1, 200) as i32,
            all_moves: limits.all_moves,
            enough,
        };
        let proven = thought.proven.then(|| thought.clone());
        self.generation = (self.generation + 1) % GENERATIONS;
        let team = Team::default();
        let shares =
            self.resources.parallel == Parallel::YoungBrothersWait && self.resources.threads > 1;
        let shared = Shared {
            table: &self.table,
            control: &control,
            generation: self.generation,
            team: shares.then_some(&team),
        };
        let histories = std::mem::take(&mut self.histories);
        let mut progress = |found: &Found| {
            if proven.is_none() {
                thought.take(found);
                thought.elapsed = control.elapsed();
                on_depth(&thought);
            }
        };
        let results = on_threads(&board, &shared, histories, &moves, goal, &mut progress);
        let mut workers = Vec::new();
        let mut found = Vec::new();
        for (result, mut history, counts) in results {
            history.fade();
            self.histories.push(history);
            workers.push(counts);
            found.push(result);
        }
        workers[0].leaf += looked_at;
        let chosen = vote(&found);
        let completed = found[0].depth;
        if found[chosen].depth > 0 || found[chosen].best().value > -score::INFINITE {
            thought.take(&found[chosen]);
        }
        thought.depth = completed.max(1) as u32;
        thought.stopped = found[0].stopped;
        if limits.all_moves {
            let moves = found[0].moves.iter();
            thought.root = moves.map(|root| (root.point, root.value)).collect();
        }
        if let Some(proven) = proven {
            for root in &mut thought.root {
                if Some(root.0) == proven.best {
                    root.1 = proven.value;
                }
            }
            thought.root.sort_by_key(|&(_, value)| -value);
            let root = std::mem::take(&mut thought.root);
            let stopped = thought.stopped;
            thought = Thought {
                root,
                stopped,
                ..proven
            };
        }
        self.gap = control.longest_gap();
        thought.workers = workers;
        thought.elapsed = control.elapsed();
        thought
    }
}

/// Looks for a win by threats with a part of what the search may use.
fn prove(
    board: &PatternBoard,
    limits: &Limits,
    control: &Control,
    enough: Option<Duration>,
    memory: usize,
    looked_at: &mut u64,
) -> Option<Proof> {
    let time = match (enough, control.left()) {
        (Some(enough), Some(left)) => Some(enough.min(left)),
        (enough, left) => enough.or(left),
    };
    let mut most = control.nodes_left();
    if time.is_none() && limits.nodes.is_none() {
        // By depth alone: an effort that grows with it.
        let depth = limits.depth.unwrap_or(MAX_DEPTH).min(20);
        most = 1000 << depth.min(14);
    }
    let part = |share: u32| threat_search::Limits {
        any: true,
        nodes: Some(most / u64::from(share)),
        time: time.map(|time| time / share),
        until: control.deadline(),
        stop: control.outside(),
        moves: None,
        memory: Some(memory),
    };
    let by_fours = prove_by_fours(board, &part(8));
    *looked_at += by_fours.nodes;
    if let Answer::Wins { proof, .. } = by_fours.answer {
        return Some(proof);
    }
    let by_threats = prove_by_threats(board, &part(10));
    *looked_at += by_threats.nodes;
    match by_threats.answer {
        Answer::Wins { proof, .. } => Some(proof),
        Answer::None | Answer::Unknown => None,
    }
}

type Result = (Found, History, NodeCounts);

/// Runs the search on as many threads as there are histories: every thread searches the whole
/// tree, or the others help the first.
fn on_threads(
    board: &PatternBoard,
    shared: &Shared<'_>,
    histories: Vec<History>,
    moves: &[Point],
    goal: Goal,
    on_depth: &mut (dyn FnMut(&Found) + Send),
) -> Vec<Result> {
    std::thread::scope(|scope| {
        let mut histories = histories.into_iter();
        let first = histories.next().expect("there is a thread");
        let helpers: Vec<_> = histories
            .enumerate()
            .map(|(index, history)| {
                let board = board.clone();
                scope.spawn(move || {
                    let mut worker = Worker::new(board, shared, history);
                    if let Some(team) = shared.team {
                        worker.help(team);
                        let found = Found::nothing(moves);
                        return (found, worker.history, worker.counts);
                    }
                    let goal = Goal {
                        // A little deeper than what is asked for, rather than wait.
                        depth: (goal.depth + 2).min(200),
                        enough: None,
                        ..goal
                    };
                    let found = worker.deepen(moves, goal, index + 1, &mut |_| {});
                    (found, worker.history, worker.counts)
                })
            })
            .collect();
        let mut worker = Worker::new(board.clone(), shared, first);
        let found = worker.deepen(moves, goal, 0, &mut |found| on_depth(found));
        shared.control.stop();
        if let Some(team) = shared.team {
            team.end();
        }
        let mut results = vec![(found, worker.history, worker.counts)];
        for helper in helpers {
            results.push(helper.join().expect("a search does not panic"));
        }
        results
    })
}

/// Whose answer counts: that of the worker whose move has most behind it.
fn vote(found: &[Found]) -> usize {
    let usable = |found: &Found| found.depth > 0;
    let lowest = found
        .iter()
        .filter(|f| usable(f))
        .map(|f| f.best().value)
        .min();
    let Some(lowest) = lowest else {
        return 0;
    };
    let weight =
        |found: &Found| i64::from(found.best().value - lowest + 14) * i64::from(found.depth);
    let votes = |point: Point| -> i64 {
        let same = found
            .iter()
            .filter(|f| usable(f) && f.best().point == point);
        same.map(weight).sum()
    };
    let mut chosen = 0;
    for (index, candidate) in found.iter().enumerate() {
        if !usable(candidate) {
            continue;
        }
        let (one, other) = (candidate.best(), found[chosen].best());
        // A win that is found counts more than any number of opinions, the shorter the more.
        let better = if one.value >= score::CERTAIN || other.value >= score::CERTAIN {
            one.value > other.value
        } else {
            (votes(one.point), candidate.depth) > (votes(other.point), found[chosen].depth)
        };
        if !usable(&found[chosen]) || better {
            chosen = index;
        }
    }
    chosen
}
