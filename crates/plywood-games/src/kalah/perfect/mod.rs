//! The engine `perfect`: proofs where they can be had, estimates where not.
//!
//! It has an end-game database, filled in when it is made. For a position it first tries to
//! prove what the position is worth, with the solver. Where that does not end within a part
//! of the time, a search to growing depths takes over, which knows everything that was
//! proved: the database and the solver's table are its leaves. So what it says of a move is
//! exact, or a bound, or an estimate that no proof contradicts.

mod estimate;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use plywood::{
    Certainty, Game, Limits, Memory, NodeCounts, Progress, Report, RootMove, Seat, Turn,
};

use super::solver::{Bounds, Monitor, MoveBounds, Options, Solver};
use super::{Kalah, Pit, Position};
use crate::registry::{Resources, Specialist};
use crate::text::TextError;
use estimate::{Estimate, Estimator};

/// The largest database that is filled in before a game: more would keep people waiting.
const MOST_DATABASE_BYTES: usize = 64 << 20;

/// Nodes for proofs where neither time nor nodes limit a search.
const PROOF_NODES: u64 = 2_000_000;

struct Perfect {
    game: Kalah,
    resources: Resources,
    solver: Solver,
    stop: Arc<AtomicBool>,
    /// The most stones in the pits that the solver can number.
    stones: usize,
}

/// Makes the engine for a game.
pub(super) fn make(
    game: &Kalah,
    resources: Resources,
) -> Result<Box<dyn Specialist<Kalah>>, TextError> {
    let rules = game.rules();
    let stones = 2 * usize::from(rules.pits) * usize::from(rules.stones);
    let (solver, stop) = solver(game, resources, stones)?;
    Ok(Box::new(Perfect {
        game: *game,
        resources,
        solver,
        stop,
        stones,
    }))
}

fn solver(
    game: &Kalah,
    resources: Resources,
    stones: usize,
) -> Result<(Solver, Arc<AtomicBool>), TextError> {
    let stop = Arc::new(AtomicBool::new(false));
    let options = Options {
        stones,
        threads: resources.threads,
        memory: resources.memory,
        database_stones: Solver::database_stones_within(
            game,
            stones,
            MOST_DATABASE_BYTES.min(resources.memory / 2),
        ),
        cache: None,
    };
    let monitor = Arc::new(Monitor::with_stop(Arc::clone(&stop)));
    let solver = Solver::new(game, &options, monitor)
        .map_err(|error| TextError::new(format!("no perfect engine for this game: {error}")))?;
    Ok((solver, stop))
}

impl Specialist<Kalah> for Perfect {
    fn think(
        &mut self,
        position: &Position,
        limits: &Limits,
        on_progress: &mut (dyn FnMut(&Progress<'_, Pit>) + Send),
    ) -> Report<Pit> {
        let started = Instant::now();
        let clock = ThreadTime::try_now();
        self.fit(position);
        let nodes_before = self.solver.monitor().nodes();
        let solver_cpu_before = self.solver.monitor().cpu();
        let moves = self.moves(position);
        let mut found = Found {
            moves: moves
                .iter()
                .map(|&pit| (pit, Estimate::default()))
                .collect(),
            margin: None,
            proved: Vec::new(),
            line: Vec::new(),
            depth: 0,
        };
        if !moves.is_empty() {
            self.prove(position, limits, started, nodes_before, &mut found);
        }
        let proved = |solver: &Solver, found: &Found| {
            let best = found.best(solver, &self.game, position);
            best.is_some_and(|best| best.certainty == Certainty::Exact)
                && (!limits.all_moves || found.all_proved(solver, &self.game, position))
        };
        let mut estimated = 0;
        if !moves.is_empty() && !proved(&self.solver, &found) {
            let spent = self.solver.monitor().nodes() - nodes_before;
            let mut estimator = Estimator::new(&self.game, &self.solver, limits, started, spent);
            let deepest = limits.depth.unwrap_or(u32::MAX).min(estimate::MAX_DEPTH);
            for depth in 1..=deepest {
                let Some(estimates) = estimator.root(position, depth, limits.all_moves) else {
                    break;
                };
                found.moves = estimates;
                found.depth = depth;
                if let Some(best) = found.best(&self.solver, &self.game, position) {
                    on_progress(&Progress {
                        depth,
                        values: &seat_values(position, best.value),
                        line: &[best.mv],
                        elapsed: started.elapsed(),
                    });
                }
            }
            estimated = estimator.nodes();
        }
        let nodes = self.solver.monitor().nodes() - nodes_before + estimated;
        // The solver searches on threads of its own, everything else is done on this one.
        let own = clock.and_then(|clock| clock.try_elapsed());
        let cpu = own.unwrap_or_default() + (self.solver.monitor().cpu() - solver_cpu_before);
        self.report(position, limits, found, nodes, started, cpu)
    }

    fn forget(&mut self) {
        self.solver.forget();
    }
}

/// What is found so far.
struct Found {
    /// Estimates of the moves, in the order of the pits.
    moves: Vec<(Pit, Estimate)>,
    /// The mover's final margin, if it is proved.
    margin: Option<i32>,
    /// What is proved of the moves, if that was tried for each of them.
    proved: Vec<MoveBounds>,
    /// A perfect line, if the margin is proved.
    line: Vec<Pit>,
    /// The depth of the estimates.
    depth: u32,
}

impl Found {
    /// Every move with what is known of it.
    fn root(&self, solver: &Solver, game: &Kalah, position: &Position) -> Vec<RootMove<Pit>> {
        let moves = self.moves.iter().map(|&(pit, estimate)| {
            let bounds = self.bounds(solver, game, position, pit);
            let (value, certainty) = known_value(bounds, estimate);
            RootMove {
                mv: pit,
                value: f64::from(value),
                certainty,
                visits: None,
                win_share: None,
            }
        });
        moves.collect()
    }

    /// What is proved of a move.
    fn bounds(&self, solver: &Solver, game: &Kalah, position: &Position, pit: Pit) -> Bounds {
        if let Some(proved) = self.proved.iter().find(|proved| proved.pit == pit) {
            return proved.bounds;
        }
        let mut child = *position;
        game.play(&mut child, pit);
        let bounds = solver.proved(&child);
        if child.mover() == position.mover() {
            bounds
        } else {
            Bounds {
                least: -bounds.most,
                most: -bounds.least,
            }
        }
    }

    /// The best move: the first of a perfect line, or the one that promises most.
    fn best(&self, solver: &Solver, game: &Kalah, position: &Position) -> Option<RootMove<Pit>> {
        let root = self.root(solver, game, position);
        if let (Some(&first), Some(margin)) = (self.line.first(), self.margin) {
            return Some(RootMove {
                mv: first,
                value: f64::from(margin),
                certainty: Certainty::Exact,
                visits: None,
                win_share: None,
            });
        }
        // The first of equals, but a certain one rather than an estimate.
        root.into_iter().reduce(|best, next| {
            let certain = |root: &RootMove<Pit>| root.certainty != Certainty::Estimate;
            let better = next.value > best.value
                || (next.value == best.value && certain(&next) && !certain(&best));
            if better { next } else { best }
        })
    }

    fn all_proved(&self, solver: &Solver, game: &Kalah, position: &Position) -> bool {
        self.root(solver, game, position)
            .iter()
            .all(|root| root.certainty == Certainty::Exact)
    }
}

/// What to say of a value between bounds: what is proved if anything is, else the estimate.
fn known_value(bounds: Bounds, estimate: Estimate) -> (i32, Certainty) {
    match bounds.exact() {
        Some(value) => (value, Certainty::Exact),
        None if estimate.value <= bounds.least => (bounds.least, Certainty::AtLeast),
        None if estimate.value >= bounds.most => (bounds.most, Certainty::AtMost),
        None => (estimate.value, Certainty::Estimate),
    }
}

fn seat_values(position: &Position, value: f64) -> Vec<f64> {
    let south = if position.mover() == Seat::FIRST {
        value
    } else {
        -value
    };
    // No negative zero.
    vec![south + 0.0, 0.0 - south]
}

impl Perfect {
    fn moves(&self, position: &Position) -> Vec<Pit> {
        match self.game.turn(position) {
            Turn::Over => Vec::new(),
            _ => Pit::non_empty(position.own()).collect(),
        }
    }

    /// A position may have more stones than the game starts with.
    fn fit(&mut self, position: &Position) {
        let rows = [Seat::FIRST, Seat::SECOND].map(|seat| position.row(seat));
        let stones = rows
            .iter()
            .flatten()
            .map(|&stones| usize::from(stones))
            .sum();
        if stones > self.stones
            && let Ok((solver, stop)) = solver(&self.game, self.resources, stones)
        {
            (self.solver, self.stop, self.stones) = (solver, stop, stones);
        }
    }

    /// Proves what can be proved within a part of the limits.
    fn prove(
        &mut self,
        position: &Position,
        limits: &Limits,
        started: Instant,
        nodes_before: u64,
        found: &mut Found,
    ) {
        let deadline = limits.time.map(|time| started + time / 2);
        let nodes = match (limits.nodes, limits.time) {
            (Some(nodes), _) => Some(nodes / 2),
            (None, Some(_)) => None,
            // To a depth: proofs are welcome but must not take forever.
            (None, None) if limits.depth.is_some() => Some(PROOF_NODES),
            (None, None) => None,
        };
        let monitor = Arc::clone(self.solver.monitor());
        let done = AtomicBool::new(false);
        self.stop.store(false, Ordering::Relaxed);
        let stop = Arc::clone(&self.stop);
        let watch = || {
            while !done.load(Ordering::Relaxed) {
                let due = deadline.is_some_and(|deadline| Instant::now() >= deadline)
                    || nodes.is_some_and(|nodes| monitor.nodes() - nodes_before >= nodes)
                    || limits
                        .stop
                        .as_ref()
                        .is_some_and(|s| s.load(Ordering::Relaxed));
                if due {
                    stop.store(true, Ordering::Relaxed);
                    return;
                }
                std::thread::park_timeout(Duration::from_millis(1));
            }
        };
        std::thread::scope(|scope| {
            let watcher = scope.spawn(watch);
            let bounds = self.solver.solve(position);
            if let Some(margin) = bounds.exact() {
                found.margin = Some(margin);
                found.line = self.solver.line(position, margin);
                if limits.all_moves {
                    found.proved = self.solver.solve_moves(position, Some(margin));
                }
            }
            done.store(true, Ordering::Relaxed);
            watcher.thread().unpark();
        });
    }

    fn report(
        &self,
        position: &Position,
        limits: &Limits,
        found: Found,
        nodes: u64,
        started: Instant,
        cpu: Duration,
    ) -> Report<Pit> {
        let best = found.best(&self.solver, &self.game, position);
        let (value, certainty) = match &best {
            Some(best) => (best.value, best.certainty),
            None => {
                let exact = self.solver.proved(position).exact();
                let value = exact.expect("a game without moves is over");
                (f64::from(value), Certainty::Exact)
            }
        };
        let exact = certainty == Certainty::Exact;
        let line = match &best {
            Some(best) if found.line.is_empty() => vec![best.mv],
            _ => found.line.clone(),
        };
        Report {
            best: best.map(|best| best.mv),
            values: seat_values(position, value),
            win_shares: None,
            certainty,
            root: if limits.all_moves {
                found.root(&self.solver, &self.game, position)
            } else {
                Vec::new()
            },
            depth: found.depth.max(line.len() as u32),
            line,
            stopped: !exact && limits.depth.is_none_or(|depth| found.depth < depth),
            nodes: NodeCounts {
                interior: nodes,
                ..NodeCounts::default()
            },
            tasks: Default::default(),
            workers: Vec::new(),
            elapsed: started.elapsed(),
            cpu,
            memory: Memory {
                table: self.solver.table_bytes() + self.solver.database_bytes(),
                peak: None,
            },
        }
    }
}
