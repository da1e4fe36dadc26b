//! A game and an engine for it, as the command line asks for them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use plywood::parallel::Plan;
use plywood::{Certainty, Limits, Search, Seat, Settings, Strategy, Turn};
use plywood_games::registry::{
    self, AnyGame, AnyProgress, AnyReport, AnySearcher, Position, Random, Resources,
    fitting_strategy,
};
use plywood_lab::record::cores;

use crate::args::{EngineArgs, Spawner};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::output;
use crate::values;

/// How long a search takes if nothing is said.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// A game with an engine that plays it.
pub struct GameEngine {
    pub game: Box<dyn AnyGame>,
    /// The evaluation of a general search.
    pub evaluation: Option<String>,
    /// The name of the game's own engine, if that is asked for.
    pub own: Option<String>,
    pub threads: usize,
    searcher: Box<dyn AnySearcher>,
    limits: Limits,
    interrupt: Option<Interrupt>,
}

impl GameEngine {
    /// The game of this name with the engine that was asked for.
    pub fn new(game: &str, args: &EngineArgs) -> Result<Self, Failure> {
        let game = registry::open(game)?;
        let info = game.info();
        if args.after_chance && !info.chance {
            return Err(Failure::Input(format!(
                "--after-chance is for games with chance, and {} has none",
                info.name
            )));
        }
        if let Some(name) = &args.engine {
            let threads = args.threads.unwrap_or(1);
            // An engine that does not exist needs none, and is refused below.
            let own = info.engine(name).map_or(0, |engine| engine.memory);
            let resources = Resources {
                threads,
                memory: args.memory.unwrap_or_else(|| values::engine_memory(own)),
            };
            let searcher = game.engine(name, resources)?;
            return Ok(GameEngine {
                evaluation: None,
                own: Some(name.clone()),
                threads,
                game,
                searcher,
                limits: limits(args),
                interrupt: None,
            });
        }
        let search: Search = args.search.as_deref().unwrap_or(info.search).parse()?;
        let (strategy, threads) = strategy(&search, args)?;
        let settings = Settings {
            search,
            strategy,
            threads,
            table_bytes: args.memory.unwrap_or(Settings::default().table_bytes),
            after_chance: args.after_chance,
        };
        let evaluation = args.eval.as_deref().unwrap_or(info.evaluation());
        let searcher = game.searcher(evaluation, settings)?;
        Ok(GameEngine {
            evaluation: Some(evaluation.to_owned()),
            own: None,
            threads,
            game,
            searcher,
            limits: limits(args),
            interrupt: None,
        })
    }

    /// Asks for the value of every root move.
    pub fn want_all_moves(&mut self) {
        self.limits.all_moves = true;
    }

    /// Lets Ctrl-C end a search rather than the program.
    pub fn listen_to_interrupts(&mut self) {
        let interrupt = Interrupt::install();
        self.limits.stop = Some(interrupt.flag());
        self.interrupt = Some(interrupt);
    }

    /// Lets a flag end every search: somebody else listens to Ctrl-C.
    pub fn stop_with(&mut self, flag: Arc<AtomicBool>) {
        self.limits.stop = Some(flag);
    }

    /// How a general search runs; nothing for a game's own engine.
    pub fn settings(&self) -> Option<&Settings> {
        self.searcher.settings()
    }

    /// Searches a position.
    pub fn search(
        &mut self,
        position: &Position,
        on_depth: &mut (dyn FnMut(&AnyProgress<'_>) + Send),
    ) -> AnyReport {
        let (searcher, limits) = (&mut self.searcher, &self.limits);
        let mut search = || searcher.search(position, limits, on_depth);
        match &self.interrupt {
            Some(interrupt) => interrupt.during(search),
            None => search(),
        }
    }

    /// Searches a position in which a player has to move, and chooses.
    pub fn choose(&mut self, position: &Position) -> (String, AnyReport) {
        let report = self.search(position, &mut |_| {});
        let best = report.best.clone();
        let best = best.expect("whoever is to move has a move");
        (best, report)
    }

    /// What happens where chance acts.
    pub fn chance(&self, position: &Position, spawner: Spawner, random: &mut Random) -> String {
        let event = match spawner {
            Spawner::Random => self.game.random_chance(position, random),
            Spawner::Worst => registry::worst_event(&*self.game, position),
        };
        event.expect("it is chance's turn")
    }

    /// Whether this spawner makes sense.
    pub fn check_spawner(&self, spawner: Spawner) -> Result<(), Failure> {
        if spawner == Spawner::Worst && !self.game.info().chance {
            return Err(Failure::Input(format!(
                "--spawner is for games with chance, and {} has none",
                self.game.info().name
            )));
        }
        Ok(())
    }

    /// Whether Ctrl-C has ended a search.
    pub fn was_interrupted(&self) -> bool {
        match (&self.interrupt, &self.limits.stop) {
            (Some(interrupt), _) => interrupt.was_used(),
            (None, Some(flag)) => flag.load(Ordering::Relaxed),
            (None, None) => false,
        }
    }

    /// What a value for the player to move says about the end, to be put behind it.
    pub fn certainty(&self, value: Option<f64>, certainty: Certainty) -> String {
        let words = value.and_then(|value| self.searcher.in_words(value));
        match (certainty, words) {
            (Certainty::Exact, Some(words)) => format!(" ({words})"),
            _ => output::certainty(certainty).to_owned(),
        }
    }

    /// Begins anew, so that a game does not depend on those before.
    pub fn forget(&mut self) {
        self.searcher.forget();
    }

    /// The position that was asked for, or that of a new game.
    pub fn position(&self, text: Option<&str>, random: &mut Random) -> Result<Position, Failure> {
        Ok(match text {
            Some(text) => self.game.read_position(text)?,
            None => self.game.new_game(random),
        })
    }

    /// Who acts next, for people.
    pub fn turn_text(&self, position: &Position) -> String {
        match self.game.turn(position) {
            Turn::Player(seat) => format!("{} to move", self.game.seat_name(seat)),
            Turn::Chance => "chance to act".to_owned(),
            Turn::Over => "the game is over".to_owned(),
        }
    }

    /// The names of all players.
    pub fn seat_names(&self) -> Vec<String> {
        (0..self.game.info().players)
            .map(|seat| self.game.seat_name(Seat::new(seat as u8)))
            .collect()
    }
}

/// The limits of every search; a second if nothing is said.
fn limits(args: &EngineArgs) -> Limits {
    let unlimited = args.depth.is_none() && args.time.is_none() && args.nodes.is_none();
    Limits {
        depth: args.depth,
        nodes: args.nodes,
        time: args.time.or(unlimited.then_some(DEFAULT_TIME)),
        ..Limits::default()
    }
}

/// The strategy that was asked for, or one that fits, and the number of threads.
fn strategy(search: &Search, args: &EngineArgs) -> Result<(Strategy, usize), Failure> {
    let strategy: Strategy = match (&args.parallel, args.threads) {
        (Some(text), _) => text.parse()?,
        (None, None | Some(1)) => Strategy::sequential(),
        (None, Some(_)) => fitting_strategy(search).parse()?,
    };
    let sequential = strategy.plan() == Plan::Sequential;
    match args.threads {
        Some(threads) if sequential && threads > 1 => Err(Failure::Input(format!(
            "--parallel {strategy} runs on one thread, not {threads}: choose another strategy, \
             or leave out --threads"
        ))),
        Some(threads) => Ok((strategy, threads)),
        None if sequential => Ok((strategy, 1)),
        None => Ok((strategy, cores().min(plywood::MAX_THREADS))),
    }
}
