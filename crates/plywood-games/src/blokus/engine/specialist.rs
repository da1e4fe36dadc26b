//! The engine among the engines that the registry knows by name.

use plywood::search::mcts::Backup;
use plywood::{Certainty, Limits, Progress, Report, RootMove};

use super::super::moves::Move;
use super::super::{Blokus, State};
use super::{Engine, EngineSettings, Level, Thought};
use crate::registry::{Entry, Resources, Specialist};
use crate::text::TextError;

/// The engine as a player. Its values are the points that every colour is expected to have;
/// what it goes for is mostly the share of the win, which it tells too.
pub struct Player<const COLOURS: usize> {
    engine: Engine<COLOURS>,
}

impl<const COLOURS: usize> Player<COLOURS>
where
    Blokus<COLOURS>: Entry<State = State<COLOURS>, Move = Move>,
{
    /// The engine at its best.
    pub fn make(
        game: &Blokus<COLOURS>,
        resources: Resources,
    ) -> Result<Box<dyn Specialist<Blokus<COLOURS>>>, TextError> {
        Self::make_level::<9>(game, resources)
    }

    /// The engine at its best, with all others against it: to compare.
    pub fn make_paranoid(
        game: &Blokus<COLOURS>,
        resources: Resources,
    ) -> Result<Box<dyn Specialist<Blokus<COLOURS>>>, TextError> {
        let settings = EngineSettings {
            threads: resources.threads,
            memory: resources.memory,
            ..EngineSettings::default()
        };
        let mut engine = Engine::new(*game, settings)?;
        engine.options_mut().backup = Backup::Paranoid;
        Ok(Box::new(Player { engine }))
    }

    /// The engine at a level.
    pub fn make_level<const LEVEL: u8>(
        game: &Blokus<COLOURS>,
        resources: Resources,
    ) -> Result<Box<dyn Specialist<Blokus<COLOURS>>>, TextError> {
        let settings = EngineSettings {
            threads: resources.threads,
            memory: resources.memory,
            level: const { Level::new(LEVEL).expect("levels are from 1 to 9") },
            ..EngineSettings::default()
        };
        Ok(Box::new(Player {
            engine: Engine::new(*game, settings)?,
        }))
    }
}

impl<const COLOURS: usize> Specialist<Blokus<COLOURS>> for Player<COLOURS>
where
    Blokus<COLOURS>: Entry<State = State<COLOURS>, Move = Move>,
{
    fn think(
        &mut self,
        state: &State<COLOURS>,
        limits: &Limits,
        on_progress: &mut (dyn FnMut(&Progress<'_, Move>) + Send),
    ) -> Report<Move> {
        let thought = self.engine.think(state, limits, on_progress);
        report(state, thought, limits.all_moves)
    }

    fn forget(&mut self) {
        self.engine.forget();
    }
}

/// A thought as every search reports: in points.
fn report<const COLOURS: usize>(
    state: &State<COLOURS>,
    thought: Thought<COLOURS>,
    all_moves: bool,
) -> Report<Move> {
    let own = state.mover().unwrap_or(0);
    let certainty = |proven| match proven {
        true => Certainty::Exact,
        false => Certainty::Estimate,
    };
    let root = thought.moves.iter().filter(|_| all_moves);
    Report {
        values: thought.points.to_vec(),
        win_shares: Some(thought.win_share.to_vec()),
        certainty: certainty(thought.proven),
        root: root
            .map(|mv| RootMove {
                mv: mv.mv,
                value: mv.points[own],
                certainty: certainty(mv.proven),
                visits: Some(mv.visits),
                win_share: Some(mv.win_share[own]),
            })
            .collect(),
        ..thought.report
    }
}
