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
mod lane;
mod moves;
mod proving;
mod root;
mod score;
#[cfg(feature = "registry")]
mod specialist;
mod threads;
mod worker;
mod ybwc;

use std::sync::Mutex;
use std::time::Duration;

use plywood::{Limits, MAX_DEPTH, NodeCounts, Table, WorkerCounts};

use super::Point;
use super::patterns::PatternBoard;
use super::threat_search::Proof;
use control::Control;
use entry::GENERATIONS;
use lane::Lane;
use moves::History;
use proving::Prover;
use root::{Found, Goal, root_moves};
use score::{moves_to_end, win_after};
use threads::{Aside, on_threads, vote};
use worker::Shared;
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
    /// What each worker has searched, and where its time went.
    pub workers: Vec<WorkerCounts>,
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

    /// The most promising move, before anything is searched.
    pub fn at_first_sight(board: &PatternBoard) -> Self {
        let best = root_moves(board).first().copied();
        Thought {
            best,
            line: best.into_iter().collect(),
            ..Thought::new()
        }
    }

    /// The nodes of all workers.
    pub fn nodes(&self) -> u64 {
        self.workers.iter().map(|worker| worker.nodes.total()).sum()
    }

    fn take_proof(&mut self, proof: &Proof) {
        let moves = 2 * proof.length() as i32 - 1;
        self.value = win_after(moves);
        self.end = Some(moves);
        self.proven = true;
        self.line = proof.first.line();
        self.best = Some(proof.first.point);
        self.depth = moves as u32;
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
            thought.workers = vec![WorkerCounts::default()];
            return thought;
        }
        // Whatever happens there is an answer.
        thought.best = Some(moves[0]);
        thought.line = vec![moves[0]];
        let lane = Lane::open(0, limits.gauges.clone());
        let mut looked_at = 0;
        let prover = Prover::new(&board, &control, limits, enough, self.resources.memory / 4);
        let mut aside = None;
        if moves.len() > 1 {
            if self.resources.threads > 1 {
                let proof = Mutex::new(None);
                aside = Some(Aside { prover, proof });
            } else {
                let proved = prover.before();
                looked_at = proved.nodes;
                if let Some(proof) = proved.proof {
                    thought.take_proof(&proof);
                    on_depth(&thought);
                }
            }
        }
        let before = lane.close(NodeCounts {
            leaf: looked_at,
            ..NodeCounts::default()
        });
        if thought.proven && !limits.all_moves {
            thought.workers = vec![before];
            thought.elapsed = control.elapsed();
            return thought;
        }
        let goal = Goal {
            depth: limits.depth.unwrap_or(MAX_DEPTH).clamp(1, 200) as i32,
            all_moves: limits.all_moves,
            enough,
        };
        let mut proven = thought.proven.then(|| thought.clone());
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
        let results = on_threads(
            &board,
            &shared,
            histories,
            &moves,
            goal,
            aside.as_ref(),
            &mut progress,
        );
        let mut workers = Vec::new();
        let mut found = Vec::new();
        for (result, mut history, counts) in results {
            history.fade();
            self.histories.push(history);
            workers.push(counts);
            found.push(result);
        }
        workers[0] += before;
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
        let aside = aside.and_then(|aside| aside.proof.into_inner().ok()?);
        if let Some(proof) = aside {
            let mut thought = Thought::new();
            thought.take_proof(&proof);
            thought.elapsed = control.elapsed();
            on_depth(&thought);
            proven = Some(thought);
        }
        if let Some(proven) = proven {
            for root in &mut thought.root {
                if Some(root.0) == proven.best {
                    root.1 = proven.value;
                }
            }
            thought.root.sort_by_key(|&(_, value)| -value);
            let root = std::mem::take(&mut thought.root);
            // A proof that ends the search is no limit that was reached.
            let stopped = thought.stopped && limits.all_moves;
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
