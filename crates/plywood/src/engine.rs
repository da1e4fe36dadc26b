//! Puts everything together: a game, an evaluation and settings in, reports out.

use std::sync::{Arc, Mutex};

use crate::counters::{NodeCounts, TaskCounts, WorkerCounts};
use crate::evaluate::{Evaluate, leaf_scores};
use crate::game::{Game, Scores, Seat, Turn};
use crate::limits::{Control, Limits, MAX_DEPTH};
use crate::parallel::crew::Crew;
use crate::parallel::lazy_smp::InFlight;
use crate::parallel::team::{Worker, run_team};
use crate::parallel::{Plan, SplitPolicy};
use crate::playout::{Lists, UniformPlayouts};
use crate::report::{Certainty, Memory, Report, RootMove, peak_memory};
use crate::search::alphabeta::{AlphaBeta, AlphaBetaOptions};
use crate::search::best_reply::{BestReply, Replies};
use crate::search::expectimax::Expectimax;
use crate::search::fold::Whole;
use crate::search::maxn::MaxN;
use crate::search::mcts::{Forest, MctsOptions, Task};
use crate::search::minimax::Minimax;
use crate::search::mp_mix::{Attack, Mode};
use crate::search::{Iteration, RootSearch, RootValue, Search};
use crate::settings::{Settings, SettingsError};
use crate::table::Table;
use crate::trace::{Recorder, Trace, TraceOptions};

/// Asking the system how much memory the process uses takes longer than a short search.
pub(crate) const ASK_FOR_MEMORY_AFTER: std::time::Duration = std::time::Duration::from_millis(1);

/// Searches positions of one game with one evaluation.
///
/// Threads and table are kept from one search to the next.
pub struct Engine<G: Game, E> {
    game: G,
    eval: E,
    settings: Settings,
    crew: Option<Crew>,
    table: Option<Table>,
    generation: u8,
    /// What Monte-Carlo tree search keeps.
    forest: Forest<G>,
}

/// What is known after every completed depth of a running search.
#[derive(Clone, Debug)]
pub struct Progress<'a, M> {
    /// The depth that was completed.
    pub depth: u32,
    /// The value for every player, by seat.
    pub values: &'a [f64],
    /// The principal variation.
    pub line: &'a [M],
    /// The time since the start.
    pub elapsed: std::time::Duration,
}

impl<G: Game, E: Evaluate<G>> Engine<G, E> {
    /// An engine with these settings, or why they make no sense.
    pub fn new(game: G, eval: E, settings: Settings) -> Result<Self, SettingsError> {
        settings.check::<G>()?;
        let parallel = settings.threads > 1 && settings.strategy.plan() != Plan::Sequential;
        let crew = parallel.then(|| Crew::new(settings.threads)).transpose()?;
        let wants_table = match settings.search {
            Search::AlphaBeta(o) | Search::Paranoid(o) | Search::WorstCase(o) => o.table,
            Search::Expectimax(o) => o.table,
            _ => false,
        };
        let table = (G::HASHED && wants_table).then(|| Table::new(settings.table_bytes));
        Ok(Engine {
            game,
            eval,
            settings,
            crew,
            table,
            generation: 0,
            forest: Forest::new(),
        })
    }

    /// The game.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The evaluation.
    pub fn evaluation(&self) -> &E {
        &self.eval
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Forgets all that earlier searches have found.
    pub fn forget(&mut self) {
        if let Some(table) = &mut self.table {
            table.clear();
        }
        self.forest.clear();
    }

    /// Searches a position until a limit is reached.
    pub fn search(&mut self, state: &G::State, limits: &Limits) -> Report<G::Move> {
        self.search_with(state, limits, |_| {})
    }

    /// Searches a position until a limit is reached, and tells what is known after every
    /// completed depth.
    pub fn search_with(
        &mut self,
        state: &G::State,
        limits: &Limits,
        mut on_depth: impl FnMut(&Progress<'_, G::Move>) + Send,
    ) -> Report<G::Move> {
        self.search_recorded(state, limits, None, &mut on_depth)
    }

    /// As [`search_with`](Engine::search_with), and records what every worker does when.
    pub fn search_traced(
        &mut self,
        state: &G::State,
        limits: &Limits,
        options: &TraceOptions,
        mut on_depth: impl FnMut(&Progress<'_, G::Move>) + Send,
    ) -> (Report<G::Move>, Trace) {
        let workers = self.crew.as_ref().map_or(1, Crew::len);
        let recorder = Arc::new(Recorder::new(options, workers));
        let report = self.search_recorded(state, limits, Some(&recorder), &mut on_depth);
        let mut trace = recorder.trace();
        // There may have been fewer workers than asked for.
        trace.lanes.truncate(report.workers.len());
        (report, trace)
    }

    fn search_recorded(
        &mut self,
        state: &G::State,
        limits: &Limits,
        recorder: Option<&Arc<Recorder>>,
        on_depth: &mut (dyn FnMut(&Progress<'_, G::Move>) + Send),
    ) -> Report<G::Move> {
        if let Search::Mcts(options) = self.settings.search {
            return self.play_out(&options, state, limits, on_depth);
        }
        self.generation = self.generation.wrapping_add(1);
        let root_seat = match self.game.turn(state) {
            Turn::Player(seat) => seat,
            Turn::Chance | Turn::Over => Seat::FIRST,
        };
        let policy = match self.settings.strategy.plan() {
            Plan::Split(policy) => policy,
            Plan::Sequential | Plan::Replicate | Plan::OneTree | Plan::OwnTrees => {
                SplitPolicy::NEVER
            }
        };
        // With chance in the game its adversary is the root player's.
        let two_player_view = if G::CHANCE { root_seat } else { Seat::FIRST };
        let (game, eval, table) = (&self.game, &self.eval, self.table.as_ref());
        let (after_chance, all_moves) = (self.settings.after_chance, limits.all_moves);
        let replicated = self.crew.is_some() && self.settings.strategy.plan() == Plan::Replicate;
        let whole = Whole {
            game,
            eval,
            policy,
            after_chance,
            all_moves,
        };
        let bounded = |view, options: AlphaBetaOptions| AlphaBeta {
            game,
            eval,
            view,
            options,
            policy,
            after_chance,
            all_moves,
            table,
            generation: self.generation,
            in_flight: replicated.then(InFlight::new),
        };
        let mut run = Run {
            engine: self,
            state,
            limits,
            view: root_seat,
            deepening: false,
            recorder,
            on_depth,
        };
        match self.settings.search {
            // The conditions repeat what the settings were checked for: with them the
            // compiler leaves out the searches that a game can never use.
            Search::Minimax if const { G::Scores::PLAYERS <= 2 } => {
                run.view = two_player_view;
                let fold = Minimax {
                    view: two_player_view,
                };
                run.run(&whole.folded(fold, None))
            }
            Search::MaxN(options) if const { !G::CHANCE } => {
                let sum = eval.bounded_sum(game).filter(|_| options.prune);
                run.run(&whole.folded(MaxN { sum }, None))
            }
            Search::Expectimax(options) if const { G::CHANCE } => {
                let fold = Expectimax::new(root_seat, &options);
                run.run(&whole.folded(fold, table))
            }
            Search::AlphaBeta(options) => {
                run.deepening = options.deepening;
                run.view = two_player_view;
                run.run(&bounded(two_player_view, options))
            }
            Search::Paranoid(options) | Search::WorstCase(options) => {
                run.deepening = options.deepening;
                run.run(&bounded(root_seat, options))
            }
            Search::Brs | Search::BrsPlus if const { !G::CHANCE && G::Scores::PLAYERS > 1 } => run
                .run(&BestReply {
                    game,
                    eval,
                    view: root_seat,
                    replies: match self.settings.search {
                        Search::Brs => Replies::OthersPass,
                        _ => Replies::OthersPrefer,
                    },
                    all_moves,
                }),
            Search::MpMix(options) if const { !G::CHANCE && G::Scores::PLAYERS > 1 } => {
                let scores = leaf_scores(eval, game, state);
                match options.mode(root_seat, scores.as_ref()) {
                    Mode::Paranoid => run.run(&bounded(root_seat, AlphaBetaOptions::default())),
                    Mode::MaxN => {
                        let sum = eval.bounded_sum(game);
                        run.run(&whole.folded(MaxN { sum }, None))
                    }
                    Mode::Attack(target) => {
                        let fold = Attack {
                            root: root_seat,
                            target,
                        };
                        run.run(&whole.folded(fold, None))
                    }
                }
            }
            _ => {
                unreachable!("the settings were checked for this game")
            }
        }
    }

    /// Searches by playouts, of which no worker tells a recorder.
    fn play_out(
        &mut self,
        options: &MctsOptions,
        state: &G::State,
        limits: &Limits,
        on_progress: &mut (dyn FnMut(&Progress<'_, G::Move>) + Send),
    ) -> Report<G::Move> {
        let playout = UniformPlayouts::new(&self.eval, options.cut);
        let workers = self.crew.as_ref().map_or(1, Crew::len);
        let mut scratches: Vec<_> = (0..workers).map(|_| Lists::default()).collect();
        let task = Task {
            game: &self.game,
            playout: &playout,
            options,
            crew: self.crew.as_ref(),
            own_trees: self.settings.strategy.plan() == Plan::OwnTrees,
            bytes: self.settings.table_bytes,
            state,
            limits,
        };
        task.run(&mut self.forest, &mut scratches, on_progress)
    }
}

/// One search of an engine.
struct Run<'a, G: Game, E> {
    engine: &'a Engine<G, E>,
    state: &'a G::State,
    limits: &'a Limits,
    /// Whose value the search computes, if it computes only one.
    view: Seat,
    deepening: bool,
    recorder: Option<&'a Arc<Recorder>>,
    on_depth: &'a mut (dyn FnMut(&Progress<'_, G::Move>) + Send),
}

impl<G: Game, E: Evaluate<G>> Run<'_, G, E> {
    fn run<K: RootSearch<Game = G>>(mut self, kernel: &K) -> Report<G::Move> {
        let engine = self.engine;
        let replicated = engine.settings.strategy.plan() == Plan::Replicate;
        let mut control = Control::new(self.limits, replicated);
        control.recorder = self.recorder.cloned();
        let (mut found, mut workers) = match engine.settings.strategy.plan() {
            Plan::Sequential => {
                let mut worker = Worker::alone(0, &control);
                let found = self.deepen(kernel, &mut worker, &control);
                (found, vec![worker.into_counts()])
            }
            Plan::Split(_) => run_team(engine.crew.as_ref(), kernel, &control, |worker| {
                self.deepen(kernel, worker, &control)
            }),
            Plan::Replicate => self.replicate(kernel, &control),
            Plan::OneTree | Plan::OwnTrees => unreachable!("these are for playouts"),
        };
        if found.is_none() && engine.game.turn(self.state) != Turn::Over {
            // Stopped before anything was complete: one ply is searched in no time.
            let mut unlimited = Control::new(&Limits::default(), false);
            unlimited.recorder = self.recorder.cloned();
            let mut worker = Worker::alone(0, &unlimited);
            worker.trace_iteration(1);
            found = kernel.iterate(&mut worker, self.state, 1, None).ok();
            worker.trace_iteration_end(found.is_some());
            if let Some(iteration) = &found {
                self.tell(1, iteration, &control);
            }
            let extra = worker.into_counts();
            if let Some(first) = workers.first_mut() {
                *first += extra;
            }
        }
        self.report(found, workers, &control)
    }

    /// The depths to search one after the other.
    fn depths(&self) -> std::ops::RangeInclusive<u32> {
        let last = self.limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH);
        let first = if self.deepening || self.limits.is_budget() {
            1.min(last)
        } else {
            last
        };
        first..=last
    }

    /// Searches to one depth after the other; returns the last that was completed.
    fn deepen<K: RootSearch<Game = G>>(
        &mut self,
        kernel: &K,
        worker: &mut Worker<'_, K>,
        control: &Control,
    ) -> Option<Iteration<G::Move>> {
        let mut found = None;
        if self.engine.game.turn(self.state) == Turn::Over {
            return found;
        }
        for depth in self.depths() {
            worker.trace_iteration(depth);
            let iteration = kernel.iterate(worker, self.state, depth, found.as_ref());
            worker.trace_iteration_end(iteration.is_ok());
            match iteration {
                Ok(iteration) => {
                    self.tell(depth, &iteration, control);
                    found = Some(iteration);
                }
                Err(_) => break,
            }
        }
        found
    }

    /// Every worker searches by itself; the first to complete the last depth has the
    /// answer. If nobody does, the deepest has it; among those, the move that most of them
    /// chose.
    fn replicate<K: RootSearch<Game = G>>(
        &mut self,
        kernel: &K,
        control: &Control,
    ) -> (Option<Iteration<G::Move>>, Vec<WorkerCounts>) {
        let engine = self.engine;
        let Some(crew) = &engine.crew else {
            let mut worker = Worker::alone(0, control);
            let found = self.deepen(kernel, &mut worker, control);
            return (found, vec![worker.into_counts()]);
        };
        if engine.game.turn(self.state) == Turn::Over {
            return (None, Vec::new());
        }
        let depths = self.depths();
        let best = Mutex::new((self, 0));
        let results = crew.on_all(|index| {
            let mut worker = Worker::<K>::alone(index, control);
            let mut found: Option<Iteration<G::Move>> = None;
            let (first, last) = depths.clone().into_inner();
            // Every other worker is a depth ahead, so that they meet different nodes first.
            let ahead = index as u32 % 2;
            let state = best.lock().expect("no worker panics inside").0.state;
            let mut depth = (first + ahead).min(last);
            while depth <= last {
                worker.trace_iteration(depth);
                let iteration = kernel.iterate(&mut worker, state, depth, found.as_ref());
                worker.trace_iteration_end(iteration.is_ok());
                match iteration {
                    Ok(iteration) => {
                        let mut best = best.lock().expect("no worker panics inside");
                        if depth > best.1 {
                            best.1 = depth;
                            best.0.tell(depth, &iteration, control);
                        }
                        // Depths that another worker has completed need not be searched.
                        depth = (depth + 1).max(best.1);
                        found = Some(iteration);
                        if best.1 == last {
                            control.stop();
                            break;
                        }
                    }
                    Err(_) => break,
                }
            }
            (found, worker.into_counts())
        });
        let (found, counts): (Vec<_>, Vec<_>) = results.into_iter().unzip();
        let found: Vec<_> = found.into_iter().flatten().collect();
        (vote(found), counts)
    }

    /// Tells that a depth is complete.
    fn tell(&mut self, depth: u32, iteration: &Iteration<G::Move>, control: &Control) {
        let values = self.values(iteration);
        (self.on_depth)(&Progress {
            depth,
            values: &values,
            line: &iteration.line,
            elapsed: control.elapsed(),
        });
    }

    /// The value of an iteration for every player.
    fn values(&self, iteration: &Iteration<G::Move>) -> Vec<f64> {
        let players = G::Scores::PLAYERS;
        match &iteration.value {
            RootValue::All(scores) => scores.iter().copied().map(f64::from).collect(),
            RootValue::One(value) if players <= 2 => (0..players)
                .map(|seat| {
                    if seat == self.view.index() {
                        *value
                    } else {
                        -*value
                    }
                })
                .collect(),
            RootValue::One(value) => {
                let mut state = self.state.clone();
                for &mv in &iteration.line {
                    self.engine.game.play(&mut state, mv);
                }
                let scores = leaf_scores(&self.engine.eval, &self.engine.game, &state);
                let mut values: Vec<_> = scores.as_ref().iter().copied().map(f64::from).collect();
                values[self.view.index()] = *value;
                values
            }
        }
    }

    fn report(
        self,
        found: Option<Iteration<G::Move>>,
        workers: Vec<WorkerCounts>,
        control: &Control,
    ) -> Report<G::Move> {
        let game = &self.engine.game;
        let turn = game.turn(self.state);
        let mut nodes = NodeCounts::default();
        let mut tasks = TaskCounts::default();
        for worker in &workers {
            nodes += worker.nodes;
            tasks += worker.tasks;
        }
        let elapsed = control.elapsed();
        let mut report = Report {
            best: None,
            values: Vec::new(),
            win_shares: None,
            certainty: match turn {
                Turn::Over => Certainty::Exact,
                _ => Certainty::Estimate,
            },
            line: Vec::new(),
            root: Vec::new(),
            depth: 0,
            stopped: control.is_stopped(),
            nodes,
            tasks,
            cpu: workers.iter().map(|worker| worker.cpu).sum(),
            workers,
            elapsed,
            memory: Memory {
                table: self.engine.table.as_ref().map_or(0, Table::bytes),
                peak: (elapsed > ASK_FOR_MEMORY_AFTER).then(peak_memory).flatten(),
            },
        };
        match found {
            Some(iteration) => {
                report.values = self.values(&iteration);
                report.depth = iteration.depth;
                report.stopped &= iteration.depth < *self.depths().end();
                report.best = match turn {
                    Turn::Player(_) => iteration.line.first().copied(),
                    Turn::Chance | Turn::Over => None,
                };
                report.root = iteration
                    .root
                    .iter()
                    .map(|(mv, value)| RootMove {
                        mv: *mv,
                        value: self.for_mover(turn, value),
                        certainty: Certainty::Estimate,
                        visits: None,
                        win_share: None,
                    })
                    .collect();
                report.line = iteration.line;
            }
            None => {
                let scores = leaf_scores(&self.engine.eval, game, self.state);
                report.values = scores.as_ref().iter().copied().map(f64::from).collect();
            }
        }
        report
    }

    /// A root move's value for the player to move.
    fn for_mover(&self, turn: Turn, value: &RootValue) -> f64 {
        match (value, turn) {
            (RootValue::All(scores), Turn::Player(seat)) => f64::from(scores[seat.index()]),
            (RootValue::All(scores), _) => f64::from(scores[0]),
            (RootValue::One(value), Turn::Player(seat)) if seat != self.view => -value,
            (RootValue::One(value), _) => *value,
        }
    }
}

/// The result that workers on their own agree on: of those that came deepest, the one whose
/// move most of them chose, and the first of these.
fn vote<M: Copy + PartialEq>(found: Vec<Iteration<M>>) -> Option<Iteration<M>> {
    let deepest = found.iter().map(|iteration| iteration.depth).max()?;
    let votes = |mv: Option<&M>| {
        found
            .iter()
            .filter(|i| i.depth == deepest && i.line.first() == mv)
            .count()
    };
    let most = found
        .iter()
        .filter(|i| i.depth == deepest)
        .map(|i| votes(i.line.first()))
        .max()?;
    found
        .iter()
        .find(|i| i.depth == deepest && votes(i.line.first()) == most)
        .cloned()
}
