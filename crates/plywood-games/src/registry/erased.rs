//! The one implementation of all games from outside: text in, the game's own types, text out.

use std::sync::Arc;

use plywood::{
    Chances, Engine, Evaluate, Limits, Moves, Progress, Report, RootMove, Seat, Settings, Trace,
    TraceOptions, Turn,
};

use super::any_game::{AnyGame, AnyProgress, AnyReport, AnySearcher, Position};
use super::entry::{Entry, Evaluation, GameInfo};
use super::random::Random;
use super::specialist::{OwnEngine, Resources};
use crate::text::{Style, TextError};

/// A game of a known type behind [`AnyGame`].
#[derive(Clone, Debug)]
pub struct Erased<G> {
    info: &'static GameInfo,
    spec: Arc<str>,
    game: G,
}

impl<G: Entry> Erased<G> {
    pub(super) fn new(info: &'static GameInfo, spec: &str, game: G) -> Self {
        Erased {
            info,
            spec: spec.into(),
            game,
        }
    }

    /// Something that searches positions of this game with this evaluation.
    pub fn searcher_with<E>(
        &self,
        evaluation: E,
        settings: Settings,
    ) -> Result<Box<dyn AnySearcher>, TextError>
    where
        E: Evaluate<G> + Send + 'static,
    {
        let engine = Engine::new(self.game.clone(), evaluation, settings)?;
        let game = self.clone();
        Ok(Box::new(Searcher { game, engine }))
    }

    /// The game itself.
    pub fn game(&self) -> &G {
        &self.game
    }

    pub(super) fn state<'p>(&self, position: &'p Position) -> &'p G::State {
        position.state(&self.spec)
    }

    fn position(&self, state: G::State) -> Position {
        Position::new(&self.spec, state)
    }

    /// The moves, or the events of chance with their probabilities.
    fn list(&self, state: &G::State) -> (Vec<G::Move>, Vec<f64>) {
        let (mut moves, mut probabilities) = (Vec::new(), Vec::new());
        match self.game.turn(state) {
            Turn::Player(_) => self.game.moves(state, &mut Moves::new(&mut moves)),
            Turn::Chance => {
                let mut list = Chances::new(&mut moves, &mut probabilities);
                self.game.chances(state, &mut list);
            }
            Turn::Over => {}
        }
        (moves, probabilities)
    }

    fn draw_chance(&self, state: &G::State, random: &mut Random) -> Option<G::Move> {
        if self.game.turn(state) != Turn::Chance {
            return None;
        }
        let (events, probabilities) = self.list(state);
        let mut left = random.unit();
        for (&event, probability) in events.iter().zip(probabilities) {
            left -= probability;
            if left < 0.0 {
                return Some(event);
            }
        }
        // The sum of the probabilities may be a rounding error below 1.
        events.last().copied()
    }

    /// Moves one after the other, as they are written where they are played.
    fn write_line(&self, state: &G::State, line: &[G::Move]) -> Vec<String> {
        let mut state = state.clone();
        line.iter()
            .map(|&mv| {
                let text = self.game.write_move(&state, mv);
                self.game.play(&mut state, mv);
                text
            })
            .collect()
    }

    /// Tells what is known of a running search, with moves as text.
    pub(super) fn tell(
        &self,
        state: &G::State,
        progress: &Progress<'_, G::Move>,
        listener: &mut (dyn FnMut(&AnyProgress<'_>) + Send),
    ) {
        let line = self.write_line(state, progress.line);
        listener(&Progress {
            depth: progress.depth,
            values: progress.values,
            line: &line,
            elapsed: progress.elapsed,
        });
    }

    /// What a search has found, with moves as text.
    pub(super) fn write_report(&self, state: &G::State, report: Report<G::Move>) -> AnyReport {
        let write = |mv| self.game.write_move(state, mv);
        Report {
            best: report.best.map(write),
            values: report.values,
            win_shares: report.win_shares,
            certainty: report.certainty,
            line: self.write_line(state, &report.line),
            root: report
                .root
                .iter()
                .map(|root| RootMove {
                    mv: write(root.mv),
                    value: root.value,
                    certainty: root.certainty,
                    visits: root.visits,
                    win_share: root.win_share,
                })
                .collect(),
            depth: report.depth,
            stopped: report.stopped,
            nodes: report.nodes,
            tasks: report.tasks,
            workers: report.workers,
            elapsed: report.elapsed,
            cpu: report.cpu,
            memory: report.memory,
        }
    }
}

impl<G: Entry> AnyGame for Erased<G> {
    fn info(&self) -> &'static GameInfo {
        self.info
    }

    fn spec(&self) -> &str {
        &self.spec
    }

    fn start(&self) -> Position {
        self.position(self.game.start())
    }

    fn new_game(&self, random: &mut Random) -> Position {
        let mut state = self.game.start();
        while let Some(event) = self.draw_chance(&state, random) {
            self.game.play(&mut state, event);
        }
        self.position(state)
    }

    fn read_position(&self, text: &str) -> Result<Position, TextError> {
        Ok(self.position(self.game.read_state(text)?))
    }

    fn write_position(&self, position: &Position) -> String {
        self.game.write_state(self.state(position))
    }

    fn turn(&self, position: &Position) -> Turn {
        self.game.turn(self.state(position))
    }

    fn moves(&self, position: &Position) -> Vec<String> {
        let state = self.state(position);
        let (moves, _) = self.list(state);
        moves
            .into_iter()
            .map(|mv| self.game.write_move(state, mv))
            .collect()
    }

    fn play(&self, position: &Position, mv: &str) -> Result<Position, TextError> {
        let mut state = self.state(position).clone();
        let mv = self.game.read_move(&state, mv)?;
        self.game.play(&mut state, mv);
        Ok(self.position(state))
    }

    fn random_chance(&self, position: &Position, random: &mut Random) -> Option<String> {
        let state = self.state(position);
        let event = self.draw_chance(state, random)?;
        Some(self.game.write_move(state, event))
    }

    fn random_move(&self, position: &Position, random: &mut Random) -> Option<String> {
        let state = self.state(position);
        let Turn::Player(_) = self.game.turn(state) else {
            return None;
        };
        let (moves, _) = self.list(state);
        let mv = moves.get(random.below(moves.len()))?;
        Some(self.game.write_move(state, *mv))
    }

    fn draw(&self, position: &Position, style: Style) -> String {
        self.game.draw(self.state(position), style)
    }

    fn seat_name(&self, seat: Seat) -> String {
        self.game.seat_name(seat)
    }

    fn result(&self, position: &Position) -> Option<String> {
        let state = self.state(position);
        (self.game.turn(state) == Turn::Over).then(|| self.game.result_text(state))
    }

    fn final_scores(&self, position: &Position) -> Option<Vec<i32>> {
        let state = self.state(position);
        (self.game.turn(state) == Turn::Over).then(|| self.game.outcome(state).as_ref().to_vec())
    }

    fn perft(&self, position: &Position, depth: u32) -> u64 {
        plywood::perft(&self.game, self.state(position), depth)
    }

    fn searcher(
        &self,
        evaluation: &str,
        settings: Settings,
    ) -> Result<Box<dyn AnySearcher>, TextError> {
        Evaluation::searcher(self, evaluation, settings)
    }

    fn engine(&self, name: &str, resources: Resources) -> Result<Box<dyn AnySearcher>, TextError> {
        OwnEngine::searcher(self, name, resources)
    }
}

/// An engine behind [`AnySearcher`].
struct Searcher<G: Entry, E> {
    game: Erased<G>,
    engine: Engine<G, E>,
}

impl<G: Entry, E: Evaluate<G> + Send> AnySearcher for Searcher<G, E> {
    fn settings(&self) -> Option<&Settings> {
        Some(self.engine.settings())
    }

    fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        on_depth: &mut (dyn FnMut(&AnyProgress<'_>) + Send),
    ) -> AnyReport {
        let game = &self.game;
        let state = game.state(position);
        let report = self.engine.search_with(state, limits, |progress| {
            game.tell(state, progress, on_depth);
        });
        game.write_report(state, report)
    }

    fn search_traced(
        &mut self,
        position: &Position,
        limits: &Limits,
        options: &TraceOptions,
        on_depth: &mut (dyn FnMut(&AnyProgress<'_>) + Send),
    ) -> (AnyReport, Trace) {
        let game = &self.game;
        let state = game.state(position);
        let (report, trace) = self
            .engine
            .search_traced(state, limits, options, |progress| {
                game.tell(state, progress, on_depth);
            });
        (game.write_report(state, report), trace)
    }

    fn forget(&mut self) {
        self.engine.forget();
    }
}
