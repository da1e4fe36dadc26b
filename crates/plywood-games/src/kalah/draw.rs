//! The board as the players see it: North's row on top, right to left.

use std::fmt::Write;

use plywood::{Game, Seat, Turn};

use crate::text::Style;

use super::notation::{letter, seat_name};
use super::{Kalah, Position};

/// Width of the name and the store at either end of the board.
const MARGIN: usize = 10;

pub(super) fn draw(game: &Kalah, position: &Position, style: Style) -> String {
    let paint = Paint { style };
    let pits = game.rules().pits;
    let turn = game.turn(position);
    let mut out = String::new();
    let rule = format!("{:MARGIN$}{}+\n", "", "+----".repeat(usize::from(pits)));
    let letters = |out: &mut String, seat: Seat, order: &mut dyn Iterator<Item = u8>| {
        let line: String = order
            .map(|pit| format!("  {}  ", letter(pits, seat, pit)))
            .collect();
        let line = format!("{:MARGIN$} {}", "", line.trim_end());
        let active = turn == Turn::Player(seat);
        let _ = writeln!(out, "{}", paint.letters(&line, seat, active));
    };
    let row = |out: &mut String, seat: Seat, order: &mut dyn Iterator<Item = u8>| {
        let _ = write!(out, "{:MARGIN$}", "");
        for pit in order {
            let stones = position.row(seat)[usize::from(pit)];
            let _ = write!(out, "|{}", paint.stones(stones, seat));
        }
        out.push_str("|\n");
    };
    letters(&mut out, Seat::SECOND, &mut (0..pits).rev());
    out.push_str(&rule);
    row(&mut out, Seat::SECOND, &mut (0..pits).rev());
    let store = |seat| paint.stones(position.store(seat), seat);
    let _ = writeln!(
        out,
        "{:>5}{} |{:width$}|{} {}",
        seat_name(Seat::SECOND),
        store(Seat::SECOND),
        "",
        store(Seat::FIRST),
        seat_name(Seat::FIRST),
        width = 5 * usize::from(pits) - 1
    );
    row(&mut out, Seat::FIRST, &mut (0..pits));
    out.push_str(&rule);
    letters(&mut out, Seat::FIRST, &mut (0..pits));
    match turn {
        Turn::Player(seat) => {
            let _ = writeln!(out, "{} to move", seat_name(seat));
        }
        Turn::Chance | Turn::Over => out.push_str("game over\n"),
    }
    out
}

struct Paint {
    style: Style,
}

impl Paint {
    fn stones(&self, stones: u8, seat: Seat) -> String {
        let text = format!("{stones:>3} ");
        match (self.style, stones) {
            (Style::Plain, _) => text,
            (Style::Colour, 0) => format!("\x1b[2m{text}\x1b[0m"),
            (Style::Colour, _) => format!("\x1b[1;{}m{text}\x1b[0m", Self::colour(seat)),
        }
    }

    fn letters(&self, line: &str, seat: Seat, active: bool) -> String {
        match self.style {
            Style::Plain => line.to_owned(),
            Style::Colour if active => format!("\x1b[1;{}m{line}\x1b[0m", Self::colour(seat)),
            Style::Colour => format!("\x1b[2m{line}\x1b[0m"),
        }
    }

    fn colour(seat: Seat) -> u8 {
        if seat == Seat::FIRST { 33 } else { 36 }
    }
}
