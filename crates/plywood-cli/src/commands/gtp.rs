//! `plywood gtp`: the Blokus engine for other programs, in Pentobi's dialect of the Go Text
//! Protocol.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};
use plywood_games::blokus::engine::{EngineSettings, Level, SecondLook, TREE_BYTES};
use plywood_games::blokus::gtp::{self, GtpSettings, Variant};

use crate::failure::Failure;
use crate::values::{self, engine_memory};

/// The game to begin with.
#[derive(ValueEnum, Clone, Copy, Debug)]
enum GameName {
    Classic,
    Duo,
}

#[derive(Args, Debug)]
pub struct GtpArgs {
    /// The game to begin with; set_game changes it
    #[arg(long, value_name = "NAME", default_value = "classic")]
    game: GameName,
    /// How strong it plays, from 1 to 9
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = clap::value_parser!(u8).range(1..=9))]
    level: u8,
    /// Time for a move; 1s if no limit is given at all
    #[arg(long, value_name = "T", value_parser = values::time, allow_hyphen_values = true)]
    time: Option<Duration>,
    /// The most playouts for a move
    #[arg(long, value_name = "N", value_parser = values::nodes, allow_hyphen_values = true)]
    nodes: Option<u64>,
    /// Threads
    #[arg(long, value_name = "N", value_parser = values::threads, default_value = "1", allow_hyphen_values = true)]
    threads: usize,
    /// Size of the tree; an eighth of the machine's memory if not given, but at most 2G
    #[arg(long, value_name = "SIZE", value_parser = values::memory, allow_hyphen_values = true)]
    memory: Option<usize>,
    /// Weights of moves from this file, not the built-in ones
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// The network for second looks at moves from this file, not the built-in one; for the classic
    /// game
    #[arg(long, value_name = "FILE")]
    look: Option<PathBuf>,
    /// Decides all random numbers
    #[arg(long, value_name = "N", value_parser = values::seed, default_value = "1", allow_hyphen_values = true)]
    seed: u64,
}

/// The network in a file.
fn look(args: &GtpArgs) -> Result<Option<Arc<SecondLook>>, Failure> {
    let Some(file) = &args.look else {
        return Ok(None);
    };
    if matches!(args.game, GameName::Duo) {
        return Err(Failure::Input(
            "--look: Duo has no second look at moves; use it with --game classic".to_owned(),
        ));
    }
    let look = super::train::blokus_look::load(file)?;
    Ok(Some(Arc::new(look)))
}

pub fn run(args: &GtpArgs) -> Result<(), Failure> {
    let (variant, colours) = match args.game {
        GameName::Classic => (Variant::Classic, 4),
        GameName::Duo => (Variant::Duo, 2),
    };
    let settings = GtpSettings {
        variant,
        engine: EngineSettings {
            threads: args.threads,
            memory: args.memory.unwrap_or_else(|| engine_memory(TREE_BYTES)),
            level: Level::new(args.level).unwrap_or(Level::BEST),
            seed: args.seed,
            policy: match &args.weights {
                Some(file) => Some(Arc::new(super::train::blokus::load(file, colours)?)),
                None => None,
            },
            look: look(args)?,
            ..EngineSettings::default()
        },
        time: args.time,
        playouts: args.nodes,
    };
    Ok(gtp::serve(
        settings,
        io::stdin().lock(),
        io::stdout().lock(),
    )?)
}
