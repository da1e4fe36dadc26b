//! `plywood games`: what there is to choose from.

use std::io::Write;

use plywood::Seat;
use plywood::parallel::STRATEGIES;
use plywood::search::SEARCHES;
use plywood_games::registry::{GameInfo, games};

use crate::failure::Failure;
use crate::output::Output;

/// The width of the first column.
const NAMES: usize = 14;

pub fn run(out: &mut Output) -> Result<(), Failure> {
    writeln!(out, "{}", out.bold("Games"))?;
    for info in games() {
        game(info, out)?;
    }
    writeln!(out, "{}", out.bold("Searches"))?;
    for info in SEARCHES {
        row(out, info.name, info.summary)?;
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
            false => format!("; for {}", fits.join(", ")),
        };
        row(out, info.usage, &format!("{}{fits}", info.summary))?;
    }
    Ok(())
}

fn row(out: &mut Output, name: &str, text: &str) -> Result<(), Failure> {
    let width = NAMES.max(name.len() + 1);
    Ok(writeln!(out, "  {name:width$} {text}")?)
}

fn game(info: &'static GameInfo, out: &mut Output) -> Result<(), Failure> {
    let game = info.open(None)?;
    row(out, info.name, info.summary)?;
    let mut seats: Vec<String> = (0..info.players)
        .map(|seat| game.seat_name(Seat::new(seat as u8)))
        .collect();
    if info.chance {
        seats.push("chance".to_owned());
    }
    row(out, "", &format!("players      {}", seats.join(", ")))?;
    let searches: Vec<String> = info
        .searches()
        .iter()
        .map(|search| starred(search.name, info.search))
        .collect();
    row(out, "", &format!("searches     {}", searches.join(", ")))?;
    for (index, evaluation) in info.evaluations().iter().enumerate() {
        let label = if index == 0 { "evaluations" } else { "" };
        let name = starred(evaluation.name, info.evaluation());
        row(
            out,
            "",
            &format!("{label:12} {name:14} {}", evaluation.summary),
        )?;
    }
    for (index, option) in info.options.iter().enumerate() {
        let label = if index == 0 { "options" } else { "" };
        let usage = format!("{}={}", option.name, option.default);
        let accepted = option.accepted.describe();
        row(
            out,
            "",
            &format!("{label:12} {usage:14} {}: {accepted}", option.summary),
        )?;
    }
    row(out, "", &format!("position     {}", info.example))?;
    Ok(writeln!(out)?)
}

/// A name with a star if it is the default.
fn starred(name: &str, default: &str) -> String {
    let star = if name == default { "*" } else { "" };
    format!("{name}{star}")
}
