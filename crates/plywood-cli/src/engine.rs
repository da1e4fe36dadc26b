//! A game and an engine for it, as the command line asks for them.

use std::time::Duration;

use plywood::parallel::Plan;
use plywood::{Limits, Search, Seat, Settings, Strategy, Turn};
use plywood_games::registry::{
    self, AnyGame, AnyProgress, AnyReport, AnySearcher, Position, Random, fitting_strategy,
};

use crate::args::EngineArgs;
use crate::failure::Failure;
use crate::interrupt::Interrupt;

/// How long a search takes if nothing is said.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// A game with an engine that plays it.
pub struct GameEngine {
    pub game: Box<dyn AnyGame>,
    pub evaluation: String,
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
        let search: Search = args.search.as_deref().unwrap_or(info.search).parse()?;
        let (strategy, threads) = strategy(&search, args)?;
        let settings = Settings {
            search,
            strategy,
            threads,
            table_bytes: args.memory,
            after_chance: args.after_chance,
        };
        let evaluation = args.eval.as_deref().unwrap_or(info.evaluation());
        let searcher = game.searcher(evaluation, settings)?;
        let unlimited = args.depth.is_none() && args.time.is_none() && args.nodes.is_none();
        Ok(GameEngine {
            evaluation: evaluation.to_owned(),
            game,
            searcher,
            limits: Limits {
                depth: args.depth,
                nodes: args.nodes,
                time: args.time.or(unlimited.then_some(DEFAULT_TIME)),
                ..Limits::default()
            },
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

    pub fn settings(&self) -> &Settings {
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

/// The strategy that was asked for, or one that fits, and the number of threads.
fn strategy(search: &Search, args: &EngineArgs) -> Result<(Strategy, usize), Failure> {
    let cores = || std::thread::available_parallelism().map_or(1, |cores| cores.get());
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
