//! `plywood solve kalah`: what a position is worth, proved.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use plywood::{Game, Turn};
use plywood_games::Notation;
use plywood_games::kalah::solver::{
    Bounds, MAX_DATABASE_STONES, Monitor, MoveBounds, Options, SetupError, Solver, Stage,
};
use plywood_games::kalah::{Capture, End, Kalah, MAX_PITS, Pit, Position, Rules, Sweep};
use serde::Serialize;

use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::output::{self, Output, grouped};
use crate::values;

#[derive(Args, Debug)]
pub struct KalahArgs {
    /// Pits a side
    #[arg(long, value_name = "M", value_parser = pits, default_value = "6", allow_hyphen_values = true)]
    pits: u8,
    /// Stones a pit at the start
    #[arg(long, value_name = "N", value_parser = stones, default_value = "4", allow_hyphen_values = true)]
    stones: u8,
    /// Capture if the pit opposite is full, or even if empty
    #[arg(long, value_name = "WHEN", value_parser = capture, default_value = "full", allow_hyphen_values = true)]
    capture: Capture,
    /// Which row has to be empty at the end: either, or the mover's
    #[arg(long, value_name = "ROW", value_parser = end, default_value = "either", allow_hyphen_values = true)]
    end: End,
    /// Who gets what is left in a row: its owner or the other
    #[arg(long, value_name = "WHO", value_parser = sweep, default_value = "owner", allow_hyphen_values = true)]
    sweep: Sweep,
    /// The position as text; the start of a game if not given
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    position: Option<String>,
    /// Prove the margin after every move, not only after the best
    #[arg(long)]
    all_moves: bool,
    /// Everything as one JSON object
    #[arg(long)]
    json: bool,
    /// Threads
    #[arg(long, value_name = "T", value_parser = values::threads, default_value = "1", allow_hyphen_values = true)]
    threads: usize,
    /// Memory for the end-game database and the table together
    #[arg(long, value_name = "SIZE", value_parser = values::memory, default_value = "1G", allow_hyphen_values = true)]
    memory: usize,
    /// Stones in the pits up to which the database goes; as many as fit into half the memory
    /// if not given
    #[arg(long, value_name = "K", value_parser = database_stones, allow_hyphen_values = true)]
    database_stones: Option<usize>,
    /// The folder that keeps databases; the user's cache folder if not given
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Neither read nor keep a database
    #[arg(long, conflicts_with = "cache")]
    no_cache: bool,
    /// Stop after this time, like 30s or 10m, with what is proved by then
    #[arg(long, value_name = "TIME", value_parser = values::time, allow_hyphen_values = true)]
    time: Option<Duration>,
}

fn digits(text: &str) -> Option<u8> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| plain)
}

fn pits(text: &str) -> Result<u8, String> {
    digits(text)
        .filter(|pits| (1..=MAX_PITS).contains(pits))
        .ok_or_else(|| format!("use a number from 1 to {MAX_PITS}"))
}

fn stones(text: &str) -> Result<u8, String> {
    use plywood_games::kalah::MAX_STONES_PER_PIT;
    digits(text)
        .filter(|stones| (0..=MAX_STONES_PER_PIT).contains(stones))
        .ok_or_else(|| format!("use a number from 0 to {MAX_STONES_PER_PIT}"))
}

fn database_stones(text: &str) -> Result<usize, String> {
    digits(text)
        .map(usize::from)
        .filter(|stones| (0..=MAX_DATABASE_STONES).contains(stones))
        .ok_or_else(|| format!("use a number from 0 to {MAX_DATABASE_STONES}"))
}

fn capture(text: &str) -> Result<Capture, String> {
    match text {
        "full" => Ok(Capture::IfOppositeFull),
        "empty" => Ok(Capture::Always),
        _ => Err("use full or empty".to_owned()),
    }
}

fn end(text: &str) -> Result<End, String> {
    match text {
        "either" => Ok(End::EitherRowEmpty),
        "mover" => Ok(End::MoverRowEmpty),
        _ => Err("use either or mover".to_owned()),
    }
}

fn sweep(text: &str) -> Result<Sweep, String> {
    match text {
        "owner" => Ok(Sweep::ToOwner),
        "other" => Ok(Sweep::ToOther),
        _ => Err("use owner or other".to_owned()),
    }
}

/// What was found, and what it took.
struct Solved {
    bounds: Bounds,
    moves: Vec<MoveBounds>,
    line: Vec<Pit>,
    database_time: Duration,
    search_time: Duration,
}

pub fn run(args: &KalahArgs, out: &mut Output) -> Result<(), Failure> {
    let game = Kalah::new(Rules {
        pits: args.pits,
        stones: args.stones,
        capture: args.capture,
        end: args.end,
        sweep: args.sweep,
    })
    .map_err(|error| Failure::Input(error.to_string()))?;
    let position = match &args.position {
        Some(text) => game.read_state(text)?,
        None => game.start(),
    };
    let rows = [plywood::Seat::FIRST, plywood::Seat::SECOND].map(|seat| position.row(seat));
    let options = Options {
        stones: rows
            .iter()
            .flatten()
            .map(|&stones| usize::from(stones))
            .sum(),
        threads: args.threads,
        memory: args.memory,
        database_stones: args.database_stones,
        cache: if args.no_cache {
            None
        } else {
            args.cache.clone().or_else(user_cache)
        },
    };
    let interrupt = Interrupt::install();
    let monitor = Arc::new(Monitor::with_stop(interrupt.flag()));
    let (solver, solved) = interrupt.during(|| {
        watched(&monitor, args.time, || {
            let started = Instant::now();
            let mut solver =
                Solver::new(&game, &options, Arc::clone(&monitor)).map_err(cannot_solve)?;
            let database_time = started.elapsed();
            let solved = solve(&mut solver, &position, args.all_moves, database_time);
            Ok::<_, Failure>((solver, solved))
        })
    })?;
    if args.json {
        let json = Json::new(&solver, &position, &solved, args);
        serde_json::to_writer(&mut *out, &json).map_err(io::Error::from)?;
        return Ok(writeln!(out)?);
    }
    show(&solver, &position, &solved, args, out)
}

fn cannot_solve(error: SetupError) -> Failure {
    match error {
        SetupError::TooManyPositions => Failure::Input(error.to_string()),
        SetupError::Memory { .. } => Failure::Input(format!(
            "{error}; use a larger --memory or a smaller --database-stones"
        )),
        SetupError::Refused(_) => Failure::Failed(error.to_string()),
        SetupError::Stopped => Failure::Failed(
            "stopped before the database was complete; what was finished is kept in the cache"
                .to_owned(),
        ),
    }
}

fn solve(
    solver: &mut Solver,
    position: &Position,
    all_moves: bool,
    database_time: Duration,
) -> Solved {
    let started = Instant::now();
    let bounds = solver.solve(position);
    let line = match bounds.exact() {
        Some(margin) => solver.line(position, margin),
        None => Vec::new(),
    };
    let moves = if all_moves {
        solver.solve_moves(position, bounds.exact())
    } else {
        Vec::new()
    };
    Solved {
        bounds,
        moves,
        line,
        database_time,
        search_time: started.elapsed(),
    }
}

/// Where programs of this user keep what they can make again.
fn user_cache() -> Option<PathBuf> {
    let folder = |name: &str| {
        let path = std::env::var_os(name).filter(|path| !path.is_empty())?;
        Some(PathBuf::from(path)).filter(|path| path.is_absolute())
    };
    let cache = folder("XDG_CACHE_HOME")
        .or_else(|| folder("LOCALAPPDATA"))
        .or_else(|| Some(folder("HOME")?.join(".cache")))?;
    Some(cache.join("plywood"))
}

/// Works while a terminal shows how far it is, and stops it when its time is over. Lines
/// about the cache go to standard error.
fn watched<T>(monitor: &Monitor, time: Option<Duration>, work: impl FnOnce() -> T) -> T {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let watcher = scope.spawn(|| watch(monitor, time, &done));
        let answer = work();
        done.store(true, Ordering::Relaxed);
        watcher.thread().unpark();
        answer
    })
}

fn watch(monitor: &Monitor, time: Option<Duration>, done: &AtomicBool) {
    const PERIOD: Duration = Duration::from_millis(100);
    let started = Instant::now();
    // Invisible unless standard error is a terminal.
    let bar = ProgressBar::new_spinner();
    let style = ProgressStyle::with_template("{spinner} {elapsed_precise} {msg}");
    bar.set_style(style.expect("the template is right"));
    let say_notices = || {
        for notice in monitor.take_notices() {
            bar.suspend(|| {
                let line = crate::failure::printable(&notice);
                let _ = writeln!(io::stderr(), "plywood: {line}");
            });
        }
    };
    let mut before = (started, 0);
    while !done.load(Ordering::Relaxed) {
        std::thread::park_timeout(PERIOD.min(time.unwrap_or(PERIOD)));
        if time.is_some_and(|time| started.elapsed() >= time) {
            monitor.stop();
        }
        say_notices();
        if io::stderr().is_terminal() {
            let nodes = monitor.nodes();
            let seconds = before.0.elapsed().as_secs_f64().max(1e-9);
            let rate = (nodes - before.1) as f64 / seconds;
            before = (Instant::now(), nodes);
            bar.set_message(progress(monitor, rate as u64));
            bar.tick();
        }
    }
    bar.finish_and_clear();
    say_notices();
}

fn progress(monitor: &Monitor, rate: u64) -> String {
    match monitor.stage() {
        Stage::Database { done, positions } => format!(
            "database {:.0}% of {} positions",
            100.0 * done as f64 / positions.max(1) as f64,
            grouped(positions)
        ),
        Stage::Search {
            least,
            most,
            nodes,
            table_fill,
        } => format!(
            "margin {least} to {most}, {} nodes, {} nodes/s, table {:.0}% full",
            grouped(nodes),
            grouped(rate),
            100.0 * table_fill
        ),
    }
}

/// A margin as far as it is proved: `8`, or `-2 to 8`.
fn bounds_text(bounds: Bounds) -> String {
    match bounds.exact() {
        Some(value) => value.to_string(),
        None => format!("{} to {}", bounds.least, bounds.most),
    }
}

fn database_source(solver: &Solver) -> &'static str {
    let read = solver.monitor().database_read();
    if read == 0 {
        "filled in"
    } else if read < solver.database_bytes() as u64 {
        "read and extended"
    } else {
        "read"
    }
}

/// Moves as they are written where they are played.
fn line_text(game: &Kalah, position: &Position, line: &[Pit]) -> Vec<String> {
    let mut position = *position;
    line.iter()
        .map(|&pit| {
            let text = game.write_move(&position, pit);
            game.play(&mut position, pit);
            text
        })
        .collect()
}

fn show(
    solver: &Solver,
    position: &Position,
    solved: &Solved,
    args: &KalahArgs,
    out: &mut Output,
) -> Result<(), Failure> {
    let game = solver.game();
    let board = game.draw(position, out.style);
    write!(out, "{board}\n")?;
    let over = game.turn(position) == Turn::Over;
    let mover = game.seat_name(position.mover());
    let margin = match solved.bounds.exact() {
        _ if over => game.result_text(position),
        Some(0) => "a draw".to_owned(),
        Some(margin @ 1..) => format!("{mover} wins by {margin}"),
        Some(margin) => format!("{mover} loses by {}", -margin),
        None => format!("{} for {mover}; stopped", bounds_text(solved.bounds)),
    };
    let margin = out.bold(&margin);
    writeln!(out, "margin    {margin}")?;
    let line = line_text(game, position, &solved.line);
    if let Some(best) = line.first() {
        writeln!(out, "best      {best}")?;
        writeln!(out, "line      {}", line.join(" "))?;
    }
    let nodes = solver.monitor().nodes();
    let seconds = solved.search_time.as_secs_f64().max(1e-9);
    writeln!(
        out,
        "nodes     {}, {} nodes/s",
        grouped(nodes),
        grouped((nodes as f64 / seconds) as u64)
    )?;
    writeln!(
        out,
        "time      database {}, search {}",
        output::time(solved.database_time),
        output::time(solved.search_time)
    )?;
    writeln!(
        out,
        "database  up to {} stones, {}, {}",
        solver.database_stones(),
        output::mebibytes(solver.database_bytes()),
        database_source(solver)
    )?;
    let peak = peak_memory().map(output::mebibytes);
    let peak = peak.map_or(String::new(), |peak| format!(", peak of all memory {peak}"));
    writeln!(
        out,
        "table     {}, {:.1}% full{peak}",
        output::mebibytes(solver.table_bytes()),
        100.0 * solver.monitor().table_fill()
    )?;
    let threads = args.threads;
    let plural = if threads == 1 { "" } else { "s" };
    writeln!(out, "threads   {threads} thread{plural}")?;
    if !solved.moves.is_empty() {
        writeln!(out, "\nmove       margin for {mover}")?;
        for mv in &solved.moves {
            let name = game.write_move(position, mv.pit);
            writeln!(out, "{name:4} {:>12}", bounds_text(mv.bounds))?;
        }
    }
    Ok(())
}

/// The most memory the process has used at any time, where the system tells.
fn peak_memory() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kibibytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes * 1024)
}

#[derive(Serialize)]
struct Json {
    game: &'static str,
    pits: u8,
    stones: u8,
    capture: &'static str,
    end: &'static str,
    sweep: &'static str,
    position: String,
    /// Who moves; nothing if the game is over.
    turn: Option<String>,
    /// The mover's final margin.
    margin: JsonBounds,
    best: Option<String>,
    line: Vec<String>,
    moves: Vec<JsonMove>,
    stopped: bool,
    nodes: u64,
    database_s: f64,
    search_s: f64,
    database_stones: usize,
    database_bytes: usize,
    database_bytes_read: u64,
    table_bytes: usize,
    table_fill: f64,
    peak_bytes: Option<usize>,
    threads: usize,
}

#[derive(Serialize)]
struct JsonBounds {
    least: i32,
    most: i32,
    exact: bool,
}

#[derive(Serialize)]
struct JsonMove {
    #[serde(rename = "move")]
    mv: String,
    #[serde(flatten)]
    bounds: JsonBounds,
}

impl From<Bounds> for JsonBounds {
    fn from(bounds: Bounds) -> Self {
        JsonBounds {
            least: bounds.least,
            most: bounds.most,
            exact: bounds.exact().is_some(),
        }
    }
}

impl Json {
    fn new(solver: &Solver, position: &Position, solved: &Solved, args: &KalahArgs) -> Self {
        let game = solver.game();
        let line = line_text(game, position, &solved.line);
        let moves = solved.moves.iter().map(|mv| JsonMove {
            mv: game.write_move(position, mv.pit),
            bounds: mv.bounds.into(),
        });
        Json {
            game: "kalah",
            pits: args.pits,
            stones: args.stones,
            capture: match args.capture {
                Capture::IfOppositeFull => "full",
                Capture::Always => "empty",
            },
            end: match args.end {
                End::EitherRowEmpty => "either",
                End::MoverRowEmpty => "mover",
            },
            sweep: match args.sweep {
                Sweep::ToOwner => "owner",
                Sweep::ToOther => "other",
            },
            position: game.write_state(position),
            turn: match game.turn(position) {
                Turn::Player(seat) => Some(game.seat_name(seat)),
                Turn::Chance | Turn::Over => None,
            },
            margin: solved.bounds.into(),
            best: line.first().cloned(),
            moves: moves.collect(),
            line,
            stopped: solver.monitor().is_stopped(),
            nodes: solver.monitor().nodes(),
            database_s: solved.database_time.as_secs_f64(),
            search_s: solved.search_time.as_secs_f64(),
            database_stones: solver.database_stones(),
            database_bytes: solver.database_bytes(),
            database_bytes_read: solver.monitor().database_read(),
            table_bytes: solver.table_bytes(),
            table_fill: solver.monitor().table_fill(),
            peak_bytes: peak_memory(),
            threads: args.threads,
        }
    }
}
