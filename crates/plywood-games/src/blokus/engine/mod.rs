//! The engine for Blokus: Monte-Carlo tree search on the bitboards. First looks at moves prefer
//! large pieces, own corners and the rivals' corners; where the tree ends, a few such moves are
//! made and the position is judged by what it promises to each colour; late in a game it is
//! played to its end as well.
//!
//! Where few moves are left the tree is searched to its end, and the answer is proven.

mod descent;
mod foresight;
mod network;
mod playout;
mod policy;
mod prospects;
mod second_look;
#[cfg(feature = "registry")]
mod specialist;
mod train;
mod weights;

use std::sync::Arc;

use plywood::search::MctsOptions;
use plywood::search::mcts::{Mcts, Select};
use plywood::{Certainty, Game, Limits, Moves, Progress, Random, Report, SettingsError};

pub use foresight::Foretold;
pub use playout::{Playouts, Scratch, Style};
pub use policy::{FEATURES, PHASES, QUICK, Weights};
pub use prospects::Prospects;
pub use second_look::{LookCourse, LookLearner, Positions, Score, SecondLook, title_of_records};
#[cfg(feature = "registry")]
pub use specialist::Player;
pub use train::{Course, Round, train};
pub use weights::Policy;

use super::moves::Move;
use super::{Blokus, State};

/// The most that a tree takes if nothing is said, as it is needed. A core fills that in about half
/// a minute.
pub const TREE_BYTES: usize = 2 << 30;

/// How strong the engine plays, from 1 to [`Level::BEST`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Level(u8);

impl Level {
    /// All it has.
    pub const BEST: Level = Level(9);

    /// The level with this number, if there is one.
    pub const fn new(number: u8) -> Option<Self> {
        match number {
            1..=9 => Some(Level(number)),
            _ => None,
        }
    }

    /// How many playouts a move gets at most, where that is a limit.
    fn playouts(self) -> Option<u64> {
        let playouts = [0, 30, 100, 300, 1_000, 3_000, 10_000, 40_000];
        playouts.get(usize::from(self.0) - 1).copied()
    }

    /// How flat the distribution is that a move is drawn from; 0 for the best move.
    fn temperature(self) -> f64 {
        let temperatures = [4.0, 1.5, 0.8, 0.4, 0.2, 0.0, 0.0, 0.0, 0.0];
        temperatures[usize::from(self.0) - 1]
    }
}

/// What the engine may use, and how well it shall play.
#[derive(Clone, PartialEq, Debug)]
pub struct EngineSettings {
    /// Threads, at least one.
    pub threads: usize,
    /// Bytes for the tree.
    pub memory: usize,
    /// How strong it plays.
    pub level: Level,
    /// How games are played out.
    pub style: Style,
    /// The seed of all random numbers.
    pub seed: u64,
    /// What it has learnt; what comes with the program if not given, or if that was learnt for
    /// the other game.
    pub policy: Option<Arc<Policy>>,
    /// What takes a second look at moves of the classic game; what comes with the program if not
    /// given.
    pub look: Option<Arc<SecondLook>>,
}

impl Default for EngineSettings {
    fn default() -> Self {
        EngineSettings {
            threads: 1,
            memory: 256 << 20,
            level: Level::BEST,
            style: Style::Weighted,
            seed: 1,
            policy: None,
            look: None,
        }
    }
}

/// The engine.
pub struct Engine<const COLOURS: usize> {
    search: Mcts<Blokus<COLOURS>, Playouts>,
    level: Level,
    random: Random,
}

/// What the engine thinks of a move.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveThought<const COLOURS: usize> {
    /// The move.
    pub mv: Move,
    /// How many playouts began with it.
    pub visits: u64,
    /// How likely it was before the first playout, among all moves.
    pub prior: f64,
    /// What share of the win each colour has after it.
    pub win_share: [f64; COLOURS],
    /// What points each colour is expected to have.
    pub points: [f64; COLOURS],
    /// Whether that is what the game ends with if everybody goes for its own.
    pub proven: bool,
}

/// What the engine thinks of a position.
#[derive(Clone, Debug)]
pub struct Thought<const COLOURS: usize> {
    /// Its move; none if the game is over.
    pub best: Option<Move>,
    /// What share of the win each colour has.
    pub win_share: [f64; COLOURS],
    /// What points each colour is expected to have.
    pub points: [f64; COLOURS],
    /// Whether that is what the game ends with if everybody goes for its own.
    pub proven: bool,
    /// The moves it looked at, the most visited first.
    pub moves: Vec<MoveThought<COLOURS>>,
    /// The search itself: line, playouts, time. Its values are rewards.
    pub report: Report<Move>,
}

/// How the tree is searched where positions are judged.
const OPTIONS: MctsOptions = MctsOptions {
    select: Select::Puct,
    backup: plywood::search::mcts::Backup::MaxN,
    exploration: 0.15,
    rave: 0,
    history: 0.0,
    widen: 24,
    expand: 2,
    cut: None,
    seed: 1,
    reuse: true,
    solver: true,
};

/// How the tree is searched where games are played to their end: what comes of that differs
/// much from one time to the next.
const OPTIONS_TO_THE_END: MctsOptions = MctsOptions {
    exploration: 0.6,
    rave: 500,
    ..OPTIONS
};

impl<const COLOURS: usize> Engine<COLOURS> {
    /// An engine for a game.
    pub fn new(game: Blokus<COLOURS>, settings: EngineSettings) -> Result<Self, SettingsError> {
        let mut playouts = Playouts::new::<COLOURS>(settings.style);
        if let Some(policy) = settings.policy.filter(|policy| policy.fits(COLOURS)) {
            playouts = playouts.with_policy(policy);
        }
        if let Some(look) = settings.look {
            playouts = playouts.with_look(look);
        }
        let judges = playouts.prospects().is_some();
        let options = MctsOptions {
            seed: settings.seed,
            ..(if judges { OPTIONS } else { OPTIONS_TO_THE_END })
        };
        Ok(Engine {
            search: Mcts::new(game, playouts, options, settings.threads, settings.memory)?,
            level: settings.level,
            random: Random::new(settings.seed),
        })
    }

    /// What can be changed about the search between two thoughts.
    pub fn options_mut(&mut self) -> &mut MctsOptions {
        self.search.options_mut()
    }

    /// Forgets all that earlier searches have found.
    pub fn forget(&mut self) {
        self.search.forget();
    }

    /// Thinks about a position until a limit is reached, and tells now and then what is
    /// known, in points.
    pub fn think(
        &mut self,
        state: &State<COLOURS>,
        limits: &Limits,
        on_progress: &mut (dyn FnMut(&Progress<'_, Move>) + Send),
    ) -> Thought<COLOURS> {
        let mut limits = limits.clone();
        let game = self.search.game();
        if state.mover().is_some() && game.count_moves(state, &mut Vec::new()) == 1 {
            // There is nothing to choose.
            limits.nodes = Some(limits.nodes.unwrap_or(u64::MAX).min(ONLY_MOVE));
        }
        if let Some(playouts) = self.level.playouts() {
            limits.nodes = Some(limits.nodes.unwrap_or(u64::MAX).min(playouts.max(1)));
        }
        let report = self.search.search(state, &limits, |progress| {
            let for_points = progress.values[COLOURS..].iter();
            let points: Vec<f64> = for_points.map(|&part| Playouts::points(part)).collect();
            on_progress(&Progress {
                values: &points,
                ..*progress
            });
        });
        let mut thought = self.thought(state, report);
        if self.level.temperature() > 0.0 {
            self.weaken(state, &mut thought);
        }
        thought
    }

    fn thought(&self, state: &State<COLOURS>, report: Report<Move>) -> Thought<COLOURS> {
        let proven = report.certainty == Certainty::Exact;
        let Some(best) = report.best else {
            let game = self.search.game();
            let points: [f64; COLOURS] = game.outcome(state).map(f64::from);
            let most = points.iter().copied().fold(0.0, f64::max);
            let winners = points.iter().filter(|&&own| own == most).count() as f64;
            return Thought {
                best: None,
                win_share: points.map(|own| if own == most { 1.0 / winners } else { 0.0 }),
                points,
                proven,
                moves: Vec::new(),
                report,
            };
        };
        let root = self.search.root();
        let mut moves: Vec<MoveThought<COLOURS>> = root
            .into_iter()
            .map(|root| {
                let (rewards, for_points) = root.means.split_at(COLOURS);
                MoveThought {
                    mv: root.mv,
                    visits: root.visits,
                    prior: root.prior,
                    win_share: std::array::from_fn(|colour| {
                        Playouts::win_share(rewards[colour], for_points[colour])
                    }),
                    points: std::array::from_fn(|colour| Playouts::points(for_points[colour])),
                    proven: root.certainty == Certainty::Exact,
                }
            })
            .collect();
        let first = moves.iter().find(|thought| thought.mv == best);
        let (win_share, points) = first.map_or(([0.0; COLOURS], [0.0; COLOURS]), |thought| {
            (thought.win_share, thought.points)
        });
        // The best first; sorting keeps the order of the game among equals.
        moves.sort_by_key(|thought| (thought.mv != best, std::cmp::Reverse(thought.visits)));
        Thought {
            best: Some(best),
            win_share,
            points,
            proven,
            moves,
            report,
        }
    }

    /// Draws a move from a flattened distribution, as a weaker player would.
    fn weaken(&mut self, state: &State<COLOURS>, thought: &mut Thought<COLOURS>) {
        let temperature = self.level.temperature();
        let mut moves = Vec::new();
        if thought.best.is_none() {
            return;
        }
        self.search.game().moves(state, &mut Moves::new(&mut moves));
        let mut logs = Vec::new();
        let (playouts, game) = (self.search.playout(), self.search.game());
        playouts.log_weights(game, state, &moves, &mut logs);
        // How likely a move is at first sight, and how often the search went there.
        let visits = |mv: Move| {
            let known = thought.moves.iter().find(|thought| thought.mv == mv);
            known.map_or(0, |known| known.visits) as f64
        };
        let likely: Vec<f64> = moves
            .iter()
            .zip(&logs)
            .map(|(&mv, &log)| {
                let seen = (1.0 + visits(mv)).ln();
                ((f64::from(log) + 2.0 * seen) / (2.0 * temperature)).exp()
            })
            .collect();
        let mut left = self.random.unit() * likely.iter().sum::<f64>();
        let drawn = likely.iter().position(|likely| {
            left -= likely;
            left < 0.0
        });
        let mv = moves[drawn.unwrap_or(moves.len() - 1)];
        if thought.best == Some(mv) {
            return;
        }
        thought.best = Some(mv);
        thought.report.best = Some(mv);
        thought.report.line = vec![mv];
        if let Some(known) = thought.moves.iter().find(|thought| thought.mv == mv) {
            (thought.win_share, thought.points) = (known.win_share, known.points);
            thought.proven = known.proven;
        }
    }
}

/// How many playouts tell enough about the value of the only move.
const ONLY_MOVE: u64 = 500;
