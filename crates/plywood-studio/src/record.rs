//! Games as texts that other programs read: SGF where a game has it, and the text that
//! `plywood play` saves and loads.
//!
//! ```text
//! plywood game 1
//! game kalah:stones=6
//! start <6,0,0,6,6,6,6,6,6,6,6,6,6,6,6> s
//! move A
//! ```

use plywood_lab::matches::records;

use crate::failure::Failure;
use crate::tables::{NewTable, SeatSpec, Table};
use crate::view::players;

/// The first line of a saved game; the number is that of the format.
const HEADER: &str = "plywood game 1";

/// A game as a text in a format, with what kind of text that is.
pub(crate) fn write(table: &Table, format: &str) -> Result<(String, &'static str), Failure> {
    match format {
        "text" => Ok((text(table), "text/plain; charset=utf-8")),
        "sgf" | "blksgf" => sgf(table, format),
        _ => Err(Failure::bad(
            "bad-format",
            "there is no such format: use text, sgf (Gomoku) or blksgf (Blokus)",
        )),
    }
}

fn text(table: &Table) -> String {
    let mut text = format!(
        "{HEADER}\ngame {}\nstart {}\n",
        table.game().spec(),
        table.start_text()
    );
    for mv in table.moves() {
        text.push_str(&format!("move {mv}\n"));
    }
    text
}

fn sgf(table: &Table, format: &str) -> Result<(String, &'static str), Failure> {
    let game = &**table.game();
    let fits = match format {
        "sgf" => game.info().name == "gomoku",
        _ => matches!(game.info().name, "blokus" | "blokus-duo"),
    };
    // The start of the game goes without saying.
    let start = match table.start_text() == game.write_position(&game.start()) {
        true => "",
        false => table.start_text(),
    };
    let names: Vec<String> = players(game)
        .into_iter()
        .zip(table.seats())
        .map(|(name, seat)| match seat {
            SeatSpec::Person => name,
            SeatSpec::Engine(way) => match (way.level, &way.engine, &way.search) {
                (Some(level), _, _) => format!("Plywood level {level}"),
                (_, Some(name), _) | (_, _, Some(name)) => format!("Plywood {name}"),
                _ => "Plywood".to_owned(),
            },
        })
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let written = fits.then(|| records::write_sgf(game, &names, start, table.moves()));
    let written = written.flatten().ok_or_else(|| {
        let game = game.info().name;
        Failure::bad(
            "bad-format",
            format!("{game} has no format {format}: use text"),
        )
    })?;
    Ok((written, "application/x-go-sgf; charset=utf-8"))
}

/// Reads a game in any of the formats.
pub(crate) fn read(record: &str) -> Result<NewTable, Failure> {
    let bad = |line: String| Failure::bad("bad-record", line);
    let record = record.trim_start_matches('\u{feff}').trim();
    if record.starts_with(HEADER) {
        return saved(record).map_err(bad);
    }
    let record = records::read(record).map_err(bad)?;
    let title = record.players.join(" – ");
    let title: String = title
        .chars()
        .filter(|c| !c.is_control())
        .take(100)
        .collect();
    Ok(NewTable {
        game: record.game,
        position: Some(record.start).filter(|start| !start.is_empty()),
        moves: record.moves,
        title: Some(title),
        ..NewTable::default()
    })
}

fn saved(text: &str) -> Result<NewTable, String> {
    let mut lines = text.lines().map(str::trim_end);
    if lines.next() != Some(HEADER) {
        return Err(format!("line 1 is not '{HEADER}'"));
    }
    let mut field = |number: usize, name: &str| {
        let value = lines.next().and_then(|line| line.strip_prefix(name));
        let value = value.and_then(|value| value.strip_prefix(' '));
        value.ok_or_else(|| format!("line {number} does not begin with '{name}'"))
    };
    let game = field(2, "game")?.to_owned();
    let position = field(3, "start")?.to_owned();
    let mut moves = Vec::new();
    for (index, line) in lines.enumerate() {
        let mv = line.strip_prefix("move ");
        let mv = mv.ok_or_else(|| format!("line {} does not begin with 'move'", index + 4))?;
        moves.push(mv.to_owned());
    }
    Ok(NewTable {
        game,
        position: Some(position),
        moves,
        ..NewTable::default()
    })
}
