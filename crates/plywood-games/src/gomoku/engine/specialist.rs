//! The engine among the engines that the registry knows by name.

use std::time::Duration;

use plywood::{
    Certainty, Limits, Memory, NodeCounts, Progress, Report, RootMove, TaskCounts, WorkerCounts,
};

use super::super::patterns::PatternBoard;
use super::super::{Colour, Gomoku, Point, Position};
use super::{Engine, Parallel, Resources, Thought};
use crate::registry::{self, Specialist};
use crate::text::TextError;

/// The engine with the game it plays.
pub struct Player {
    game: Gomoku,
    engine: Engine,
    memory: usize,
}

impl Player {
    /// An engine for a game. It plays on the whole board.
    pub fn make(
        game: &Gomoku,
        resources: registry::Resources,
    ) -> Result<Box<dyn Specialist<Gomoku>>, TextError> {
        if game.settings().corner.is_some() {
            return Err(TextError::new(
                "the engine plays on the whole board: leave out corner, or choose a search instead",
            ));
        }
        Ok(Box::new(Player {
            game: game.clone(),
            engine: Engine::new(Resources {
                threads: resources.threads,
                memory: resources.memory,
                parallel: Parallel::default(),
            }),
            memory: resources.memory,
        }))
    }
}

impl Specialist<Gomoku> for Player {
    fn think(
        &mut self,
        state: &Position,
        limits: &Limits,
        on_progress: &mut (dyn FnMut(&Progress<'_, Point>) + Send),
    ) -> Report<Point> {
        let player = state.to_move();
        if plywood::Game::turn(&self.game, state) == plywood::Turn::Over {
            return self.report(over(&self.game, state), player, true);
        }
        let board = PatternBoard::of(&self.game, state);
        let thought = self.engine.think(&board, limits, None, &mut |thought| {
            on_progress(&Progress {
                depth: thought.depth,
                values: &values(thought.value, player),
                line: &thought.line,
                elapsed: thought.elapsed,
            });
        });
        self.report(thought, player, false)
    }

    fn in_words(&self, value: f64) -> Option<String> {
        let end = super::moves_to_end(value as i32)?;
        // Our own moves, the last one included.
        let moves = (end.abs() + 1) / 2;
        let plural = if moves == 1 { "" } else { "s" };
        let what = if end > 0 { "wins" } else { "loses" };
        Some(format!("{what} in {moves} move{plural}"))
    }

    fn forget(&mut self) {
        self.engine.forget();
    }
}

impl Player {
    fn report(&self, thought: Thought, player: Colour, over: bool) -> Report<Point> {
        let certain = |point: Point, value: i32| {
            let proven = thought.proven && Some(point) == thought.best;
            if proven && value == thought.value {
                Certainty::Exact
            } else {
                Certainty::Estimate
            }
        };
        let mut nodes = NodeCounts::default();
        for counts in &thought.workers {
            nodes += counts.nodes;
        }
        Report {
            best: thought.best,
            values: values(thought.value, player).to_vec(),
            win_shares: None,
            certainty: if over || thought.proven {
                Certainty::Exact
            } else {
                Certainty::Estimate
            },
            line: thought.line.clone(),
            root: thought
                .root
                .iter()
                .map(|&(mv, value)| RootMove {
                    mv,
                    value: f64::from(value),
                    certainty: certain(mv, value),
                    visits: None,
                    win_share: None,
                })
                .collect(),
            depth: thought.depth,
            stopped: thought.stopped,
            nodes,
            tasks: TaskCounts::default(),
            cpu: thought.workers.iter().map(|worker| worker.cpu).sum(),
            workers: thought.workers,
            elapsed: thought.elapsed,
            memory: Memory {
                table: self.memory,
                ..Memory::default()
            },
        }
    }
}

/// The value for both players.
fn values(value: i32, player: Colour) -> [f64; 2] {
    let value = f64::from(value);
    match player {
        Colour::Black => [value, -value],
        Colour::White => [-value, value],
    }
}

/// What there is to think when the game is over.
fn over(game: &Gomoku, state: &Position) -> Thought {
    let scores = plywood::Game::outcome(game, state);
    let mut thought = Thought::new();
    thought.value = scores[state.to_move() as usize] * super::score::WIN;
    let mut worker = WorkerCounts::default();
    worker.nodes.leaf = 1;
    thought.workers = vec![worker];
    thought.elapsed = Duration::ZERO;
    thought
}
