//! `plywood games`: what there is to choose from.

use std::io::Write;

use plywood::Seat;
use plywood::parallel::STRATEGIES;
use plywood::search::SEARCHES;
use plywood_games::registry::{self, GameInfo, games};

use crate::args::GamesArgs;
use crate::failure::Failure;
use crate::output::Output;

/// The width of the first column.
const NAMES: usize = 12;
/// The width of the second one.
const VALUES: usize = 16;

pub fn run(args: &GamesArgs, out: &mut Output) -> Result<(), Failure> {
    if let Some(name) = &args.game {
        return game(registry::open(name)?.info(), out);
    }
    writeln!(out, "{}, * marks the defaults\n", out.bold("Games"))?;
    for info in games() {
        game(info, out)?;
    }
    writeln!(out, "{}", out.bold("Searches"))?;
    for info in SEARCHES {
        writeln!(out, "  {:VALUES$} {}", info.name, info.summary)?;
    }
    writeln!(out, "\n{}", out.bold("Parallel strategies"))?;
    for info in STRATEGIES {
        let fits: Vec<&str> = SEARCHES
            .iter()
            .filter(|search| (info.fits)(search.family))
            .map(|search| search.name)
            .collect();
        let fits = match fits.len() == SEARCHES.len() {
            true => String::new(),
            false => format!("\n  {:VALUES$} for {}", "", fits.join(", ")),
        };
        writeln!(out, "  {:VALUES$} {}{fits}", info.usage, info.summary)?;
    }
    Ok(())
}

fn game(info: &'static GameInfo, out: &mut Output) -> Result<(), Failure> {
    let game = info.open(None)?;
    writeln!(out, "{}: {}", out.bold(info.name), info.summary)?;
    let mut seats: Vec<String> = (0..info.players)
        .map(|seat| game.seat_name(Seat::new(seat as u8)))
        .collect();
    if info.chance {
        seats.push("chance".to_owned());
    }
    writeln!(out, "  {:NAMES$} {}", "players", seats.join(", "))?;
    let searches: Vec<String> = info
        .searches()
        .iter()
        .map(|search| starred(search.name, info.search))
        .collect();
    writeln!(out, "  {:NAMES$} {}", "searches", searches.join(", "))?;
    for (index, evaluation) in info.evaluations().iter().enumerate() {
        let label = if index == 0 { "evaluations" } else { "" };
        let name = starred(evaluation.name, info.evaluation());
        let summary = evaluation.summary;
        writeln!(out, "  {label:NAMES$} {name:VALUES$} {summary}")?;
    }
    for (index, engine) in info.engines().iter().enumerate() {
        let label = if index == 0 { "engines" } else { "" };
        let summary = engine.summary;
        writeln!(out, "  {label:NAMES$} {:VALUES$} {summary}", engine.name)?;
    }
    for (index, option) in info.options.iter().enumerate() {
        let label = if index == 0 { "options" } else { "" };
        let usage = format!("{}={}", option.name, option.default);
        let summary = option.summary;
        let accepted = option.accepted.describe();
        writeln!(
            out,
            "  {label:NAMES$} {usage:VALUES$} {summary} ({accepted})"
        )?;
    }
    writeln!(out, "  {:NAMES$} {}\n", "position", info.example)?;
    Ok(())
}

/// A name with a star if it is the default.
fn starred(name: &str, default: &str) -> String {
    let star = if name == default { "*" } else { "" };
    format!("{name}{star}")
}
