//! `plywood lab match`: players against each other.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use plywood_lab::matches::stats::Sprt;
use plywood_lab::matches::{
    Folder, Live, Plan, PlayerRequest, Request, Seatings, replay, run as run_match, summary,
};

use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::output::{Output, grouped};
use crate::values;

const MORE: &str = "\
Players: KEY=VALUE with commas between them.
  name=TEXT        what the tables call it
  search=, eval=, parallel=, threads=, depth=, nodes=, time=, memory=,
  after-chance     a search, as in `plywood search`, with a limit
  engine=NAME      an engine of ours made for the game (`plywood games`), with
                   threads=, memory=, depth=, nodes=, time=
  random           any move, each as likely as the others
  gomocup=COMMAND  a Gomoku program that speaks the Gomocup protocol
  gtp=COMMAND      a Blokus program that speaks Pentobi's GTP
  time=T           how long a move of a program may take
  match-time=T     how long all its moves of a game may take
  memory=SIZE      how much memory a Gomocup program is told to use

Every opening is played in all seatings: from both sides in a game for two.
Games are those of the seed, whatever --concurrency, if every player has depth
or node limits, on one thread if nodes. If that leaves nothing to differ
(--random-plies 0), every pairing is played once.
An opening is a line of moves from the start, or a position; # begins a comment.

RUN holds match.json, games.jsonl (a line a game) and games/ (SGF for Gomoku,
.blksgf for Blokus, one line for Kalah and 2048).

A file has the keys game, games, openings, random-plies, seed, seatings, sprt,
grace, start-time, and a [[player]] for every player, with keys as above.

Examples:
  plywood lab match kalah --out run --games 20 \\
      --player 'name=deep,depth=6' --player 'name=flat,depth=3'
  plywood lab match gomoku --out run --concurrency 2 --openings file.txt \\
      --player 'name=ours,time=1s' --player 'gomocup=./pbrain-x,time=1s'
  plywood lab match kalah --out run --sprt elo0=0,elo1=20 \\
      --player 'name=new,nodes=2k' --player 'name=old,nodes=1k'
  plywood lab match --out run --resume
  plywood lab match --replay run";

#[derive(Args, Debug)]
#[command(after_long_help = MORE, after_help = "--help has more: players, files, examples.")]
pub struct MatchArgs {
    /// The game
    game: Option<String>,
    /// A player: KEY=VALUE,KEY=VALUE; once for every player
    #[arg(long = "player", value_name = "PLAYER", allow_hyphen_values = true)]
    players: Vec<String>,
    /// The match as a TOML file, in place of game, players and the options below
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "players", "games", "openings", "random_plies", "seed", "seatings", "sprt", "grace", "start_time"])]
    file: Option<PathBuf>,
    /// The folder of the match
    #[arg(long, value_name = "RUN")]
    out: Option<PathBuf>,
    /// Go on with the match in the folder, if there is one
    #[arg(long)]
    resume: bool,
    /// Check every move and result of a match (its folder), or of one record
    #[arg(long, value_name = "PATH", conflicts_with_all = ["game", "players", "file", "out", "resume", "games", "openings", "random_plies", "seed", "seatings", "sprt", "grace", "start_time"])]
    replay: Option<PathBuf>,
    /// How many games, rounded up to whole openings; 100, or all openings of a file
    #[arg(long, value_name = "N", value_parser = values::count, allow_hyphen_values = true)]
    games: Option<u32>,
    /// A file of openings, one a line
    #[arg(long, value_name = "FILE", conflicts_with = "random_plies")]
    openings: Option<PathBuf>,
    /// Open with this many moves at random; 4, or none where there is chance
    #[arg(long, value_name = "N", value_parser = values::count_or_none, allow_hyphen_values = true)]
    random_plies: Option<u32>,
    /// Decides openings, chance and players at random [default: 1]
    #[arg(long, value_name = "N", value_parser = values::seed, allow_hyphen_values = true)]
    seed: Option<u64>,
    /// Seatings of an opening: rotations, or all
    #[arg(long, value_name = "HOW", value_parser = Seatings::parse)]
    seatings: Option<Seatings>,
    /// End the match when this test is decided: elo0=0,elo1=5,alpha=0.05,beta=0.05
    #[arg(long, value_name = "TEST", value_parser = Sprt::parse, allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// How long a program may take more than its time [default: 100ms]
    #[arg(long, value_name = "T", value_parser = values::time, allow_hyphen_values = true)]
    grace: Option<Duration>,
    /// How long a program may take to start [default: 10s]
    #[arg(long, value_name = "T", value_parser = values::time, allow_hyphen_values = true)]
    start_time: Option<Duration>,
    /// How many games to play at once
    #[arg(long, value_name = "N", value_parser = values::threads, default_value = "1", allow_hyphen_values = true)]
    concurrency: usize,
}

pub fn run(args: &MatchArgs, out: &mut Output) -> Result<(), Failure> {
    if let Some(path) = &args.replay {
        let checked = replay(path)?;
        super::tell(checked.remainder.as_ref());
        writeln!(
            out,
            "{} game{}, {} moves: every move is legal, every result as recorded ({} by fault)",
            grouped(checked.games as u64),
            if checked.games == 1 { "" } else { "s" },
            grouped(checked.moves as u64),
            checked.faults
        )?;
        if checked.without_result > 0 {
            writeln!(
                out,
                "{} without a result: a game that was not finished, or a record that was cut off",
                grouped(checked.without_result as u64)
            )?;
        }
        return Ok(());
    }
    let Some(path) = &args.out else {
        return Err(Failure::Input(
            "there is no folder for the match: use --out RUN".to_owned(),
        ));
    };
    let asked = request(args)?
        .map(|request| Plan::new(&request))
        .transpose()?;
    let (mut folder, plan, games) = open(path, asked, args.resume)?;
    super::tell(folder.remainder());

    let interrupt = Interrupt::install();
    let mut live = Live::new(&plan);
    let outcome = interrupt.during(|| {
        let stop = interrupt.flag();
        run_match(
            &plan,
            &mut folder,
            games,
            args.concurrency,
            &stop,
            &mut |games| {
                live.show(games);
            },
        )
    });
    live.end();
    let outcome = outcome?;
    write!(out, "{}", summary(&plan, &outcome.games, true))?;
    if outcome.late > 0 {
        writeln!(
            out,
            "\n{} more games were finished after the test was decided and do not count",
            outcome.late
        )?;
    }
    out.flush()?;
    if outcome.stopped {
        return Err(Failure::Failed(format!(
            "stopped after {} of {} games: go on with plywood lab match --resume --out {}",
            outcome.games.len(),
            plan.games,
            path.display()
        )));
    }
    Ok(())
}

/// What the arguments ask for; `None` if they leave it to the folder.
fn request(args: &MatchArgs) -> Result<Option<Request>, Failure> {
    if let Some(file) = &args.file {
        return Ok(Some(Request::read_file(file)?));
    }
    let Some(game) = &args.game else {
        let nothing_else = args.players.is_empty()
            && args.games.is_none()
            && args.openings.is_none()
            && args.random_plies.is_none()
            && args.seed.is_none()
            && args.seatings.is_none()
            && args.sprt.is_none()
            && args.grace.is_none()
            && args.start_time.is_none();
        if args.resume && nothing_else {
            return Ok(None);
        }
        return Err(Failure::Input(
            "there is no game: use GAME with --player, --file FILE, or --resume alone".to_owned(),
        ));
    };
    Ok(Some(Request {
        game: game.clone(),
        players: args
            .players
            .iter()
            .cloned()
            .map(PlayerRequest::Text)
            .collect(),
        games: args.games,
        openings: args.openings.clone(),
        random_plies: args.random_plies,
        seed: args.seed,
        seatings: args.seatings,
        sprt: args.sprt,
        grace: args.grace,
        start_time: args.start_time,
    }))
}

/// The folder to play in, with the match and the games that are finished.
fn open(
    path: &Path,
    asked: Option<Plan>,
    resume: bool,
) -> Result<(Folder, Plan, Vec<plywood_lab::matches::Finished>), Failure> {
    let exists = Folder::holds_match(path);
    let shown = path.display();
    if path.exists() && !path.is_dir() {
        return Err(Failure::Input(format!(
            "{shown} is a file: use --out with a folder, which may be new"
        )));
    }
    match (asked, exists) {
        (Some(plan), false) => Ok((Folder::create(path, &plan)?, plan, Vec::new())),
        (_, true) if !resume => Err(Failure::Input(format!(
            "{shown} holds a match already: go on with --resume, or use another folder"
        ))),
        (asked, true) => {
            let (_, kept, _) = Folder::read(path)?;
            let differences = asked.map_or(Vec::new(), |asked| kept.differences(&asked));
            if !differences.is_empty() {
                return Err(Failure::Input(format!(
                    "{shown}/match.json: the match there has another {}: use --resume without \
                     settings, or another folder",
                    differences.join(", ")
                )));
            }
            Ok(Folder::resume(path)?)
        }
        (None, false) => Err(Failure::Input(format!(
            "{shown} holds no match: use --out with the folder of one, or begin one with GAME \
             and --player"
        ))),
    }
}
