//! What the command line accepts.

use std::time::Duration;

use clap::builder::Styles;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, CommandFactory, Parser, Subcommand};

use crate::values;

const EXAMPLES: &str = "\
Examples:
  plywood games
  plywood search kalah --depth 12 --all-moves
  plywood search gomoku --position 'H8 I9 G7' --time 500ms --threads 2 --stats
  plywood search blokus --parallel budget:2 --depth 3 --json
  plywood search 2048 --search expectimax:cut=0.01 --depth 3
  plywood play kalah:stones=6 --you second --time 2s
  plywood selfplay 2048 --depth 2 --seed 7 --moves 10
  plywood perft blokus-duo --depth 2
  plywood bench kalah

GAME is a name, or a name with options: gomoku:size=19,rule=renju.";

/// Play, analyse and measure parallel game-tree search
#[derive(Parser, Debug)]
#[command(
    name = "plywood",
    version,
    after_help = EXAMPLES,
    max_term_width = 80,
    styles = Styles::styled(),
    disable_help_subcommand = true,
    subcommand_required = true
)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Play, analyse and watch the search in the browser
    Studio(crate::commands::studio::StudioArgs),
    /// List games, options, evaluations, searches and strategies
    Games(GamesArgs),
    /// Search a position and show what was found
    Search(SearchArgs),
    /// Play against the engine
    Play(PlayArgs),
    /// Let the engine play against itself
    Selfplay(SelfplayArgs),
    /// Count lines of play
    Perft(PerftArgs),
    /// Search fixed positions; the node count tells versions apart
    Bench(BenchArgs),
    /// Experiments: sweeps, timelines, matches, reports
    Lab(crate::commands::lab::LabArgs),
    /// Prove what a position is worth
    Solve(crate::commands::solve::SolveArgs),
    /// Let an evaluation learn from games
    Train(crate::commands::train::TrainArgs),
    /// Play Blokus for another program, as Pentobi does
    Gtp(crate::commands::gtp::GtpArgs),
}

/// The engine: the same for all commands that search.
#[derive(Args, Debug)]
#[command(next_help_heading = "Engine")]
pub struct EngineArgs {
    /// The game's own engine of this name instead of a general search
    #[arg(long, value_name = "NAME", conflicts_with_all = ["search", "parallel", "eval", "after_chance"])]
    pub engine: Option<String>,
    /// The search, with options behind a colon; the game has a default
    #[arg(long, value_name = "NAME")]
    pub search: Option<String>,
    /// How to run it in parallel, on all cores unless --threads says otherwise
    #[arg(long, value_name = "STRATEGY")]
    pub parallel: Option<String>,
    /// Threads; without --parallel a strategy that fits the search is taken
    #[arg(long, value_name = "N", value_parser = values::threads, allow_hyphen_values = true)]
    pub threads: Option<usize>,
    /// Depth to search to
    #[arg(long, value_name = "D", value_parser = values::depth, allow_hyphen_values = true)]
    pub depth: Option<u32>,
    /// Time for a search, like 500ms, 2s or 1m; 1s if no limit is given at all
    #[arg(long, value_name = "T", value_parser = values::time, allow_hyphen_values = true)]
    pub time: Option<Duration>,
    /// About how many nodes to search
    #[arg(long, value_name = "N", value_parser = values::nodes, allow_hyphen_values = true)]
    pub nodes: Option<u64>,
    /// The evaluation; the game has a default
    #[arg(long, value_name = "NAME")]
    pub eval: Option<String>,
    /// Size of the transposition table or tree; 64M if not given, for a tree of an engine as much
    /// as it needs, but at most 2G and an eighth of the machine's memory
    #[arg(long, value_name = "SIZE", value_parser = values::memory, allow_hyphen_values = true)]
    pub memory: Option<usize>,
    /// Evaluate after the chance that follows the last move, not before
    #[arg(long)]
    pub after_chance: bool,
}

/// Who decides what chance does.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spawner {
    Random,
    Worst,
}

#[derive(Args, Debug)]
pub struct GamesArgs {
    /// Only this game
    pub game: Option<String>,
}

#[derive(Args, Debug)]
pub struct SearchArgs {
    /// The game
    pub game: String,
    /// The position as text; the start of a game if not given
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Show the value of every move
    #[arg(long)]
    pub all_moves: bool,
    /// Show what became of tasks and where the workers' time went
    #[arg(long)]
    pub stats: bool,
    /// Everything as one JSON object
    #[arg(long)]
    pub json: bool,
    /// Decides what chance does before the first move
    #[arg(long, value_name = "N", value_parser = values::seed, default_value = "1", allow_hyphen_values = true)]
    pub seed: u64,
    #[command(flatten)]
    pub engine: EngineArgs,
}

#[derive(Args, Debug)]
pub struct PlayArgs {
    /// The game
    pub game: String,
    /// Who you are: first, second, 1,3, a name, all or none; in 2048 player or spawner
    #[arg(
        long,
        value_name = "SEATS",
        default_value = "first",
        allow_hyphen_values = true
    )]
    pub you: String,
    /// The position to start from as text
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Who puts the new tiles where chance acts: random, or worst for an adversary
    #[arg(long, value_enum, default_value_t = Spawner::Random, value_name = "WHO")]
    pub spawner: Spawner,
    /// Decides what chance does; another one each time if not given
    #[arg(long, value_name = "N", value_parser = values::seed, allow_hyphen_values = true)]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub engine: EngineArgs,
}

#[derive(Args, Debug)]
pub struct SelfplayArgs {
    /// The game
    pub game: String,
    /// The position to start from as text
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Stop after this many moves
    #[arg(long, value_name = "N", value_parser = values::count, allow_hyphen_values = true)]
    pub moves: Option<u32>,
    /// How many games
    #[arg(long, value_name = "N", value_parser = values::count, default_value = "1", allow_hyphen_values = true)]
    pub games: u32,
    /// How many games at once
    #[arg(long, value_name = "N", value_parser = values::threads, default_value = "1", allow_hyphen_values = true)]
    pub concurrency: usize,
    /// Begin each game with this many moves at random
    #[arg(long, value_name = "N", value_parser = values::count_or_none, default_value = "0", allow_hyphen_values = true)]
    pub random_plies: u32,
    /// Who puts the new tiles where chance acts: random, or worst for an adversary
    #[arg(long, value_enum, default_value_t = Spawner::Random, value_name = "WHO")]
    pub spawner: Spawner,
    /// Decides what chance does, and the moves at random
    #[arg(long, value_name = "N", value_parser = values::seed, default_value = "1", allow_hyphen_values = true)]
    pub seed: u64,
    /// Print the results only
    #[arg(long)]
    pub quiet: bool,
    /// Print nodes and time in the end
    #[arg(long)]
    pub stats: bool,
    #[command(flatten)]
    pub engine: EngineArgs,
}

#[derive(Args, Debug)]
pub struct PerftArgs {
    /// The game
    pub game: String,
    /// The length of the lines; shorter ones are counted too
    #[arg(long, value_name = "D", value_parser = values::depth, allow_hyphen_values = true)]
    pub depth: u32,
    /// The position as text; the start of a game if not given
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Show the count behind every move
    #[arg(long)]
    pub divide: bool,
}

#[derive(Args, Debug)]
pub struct BenchArgs {
    /// Only the positions of these games
    #[arg(value_name = "GAME")]
    pub games: Vec<String>,
}

/// What clap has to say against the arguments, on one line with what is accepted.
pub fn one_line(error: &clap::Error) -> String {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    match error.kind() {
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            format!("no command: use one of {}", command_names())
        }
        ErrorKind::InvalidSubcommand => format!(
            "unknown command '{}': use one of {}",
            context(ContextKind::InvalidSubcommand).unwrap_or_default(),
            command_names()
        ),
        ErrorKind::UnknownArgument => format!(
            "unexpected argument '{}': {}",
            context(ContextKind::InvalidArg).unwrap_or_default(),
            accepted_arguments()
        ),
        _ => {
            // The first paragraph says what is wrong; usage and tips follow.
            let text = error.render().to_string();
            let first = text.split("\n\n").next().unwrap_or_default();
            let words: Vec<&str> = first.split_whitespace().collect();
            let line = words.join(" ");
            let line = line.strip_prefix("error: ").unwrap_or(&line);
            // Where a value is wrong, the line says already what is accepted.
            match error.kind() {
                ErrorKind::ValueValidation => line.to_owned(),
                _ => format!("{line}; {}", accepted_arguments()),
            }
        }
    }
}

fn command_names() -> String {
    names_of(&given_command())
}

fn names_of(command: &clap::Command) -> String {
    let names: Vec<&str> = command.get_subcommands().map(|c| c.get_name()).collect();
    names.join(", ")
}

/// The command that was given, the innermost if commands have commands; the program itself
/// if there was none.
fn given_command() -> clap::Command {
    let mut command = Arguments::command();
    for argument in std::env::args_os().skip(1) {
        let inner = argument.to_str().and_then(|name| {
            let mut commands = command.get_subcommands();
            commands.find(|c| c.get_name() == name).cloned()
        });
        if let Some(inner) = inner {
            command = inner;
        }
    }
    command
}

/// The options of the command that was given, or the commands if there was none.
fn accepted_arguments() -> String {
    let given = given_command();
    if given.has_subcommands() {
        return format!("use one of {}", names_of(&given));
    }
    let mut accepted: Vec<String> = Vec::new();
    for argument in given.get_arguments() {
        accepted.push(match argument.get_long() {
            Some(long) => format!("--{long}"),
            None => argument.get_id().as_str().to_uppercase(),
        });
    }
    match accepted.as_slice() {
        [] => format!("{} takes none", given.get_name()),
        _ => format!("{} takes {}", given.get_name(), accepted.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_declared_consistently() {
        Arguments::command().debug_assert();
    }
}
