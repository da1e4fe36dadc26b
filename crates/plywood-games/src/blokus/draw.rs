//! The board for people.

use super::Blokus;
use super::notation::{colour_name, colour_sign};
use super::pieces::Piece;
use super::state::State;
use crate::text::Style;

/// The ANSI background of a colour, with dark letters on it.
const fn background<const COLOURS: usize>(colour: usize) -> &'static str {
    match (COLOURS, colour) {
        (2, 0) => "\x1b[97;100m",
        (2, _) => "\x1b[30;107m",
        (_, 0) => "\x1b[97;44m",
        (_, 1) => "\x1b[30;103m",
        (_, 2) => "\x1b[97;41m",
        _ => "\x1b[30;42m",
    }
}

const RESET: &str = "\x1b[0m";
const DIM: &str = "\x1b[2m";

/// Two characters for a cell: a sign and a space.
fn paint<const COLOURS: usize>(colour: Option<usize>, style: Style) -> String {
    match (colour, style) {
        (Some(colour), Style::Plain) => format!("{} ", colour_sign::<COLOURS>(colour)),
        (Some(colour), Style::Colour) => {
            let sign = colour_sign::<COLOURS>(colour);
            format!("{}{sign} {RESET}", background::<COLOURS>(colour))
        }
        (None, Style::Plain) => String::from(". "),
        (None, Style::Colour) => format!("{DIM}. {RESET}"),
    }
}

/// The board with its coordinates, then for every colour its points and pieces in hand, and
/// whose turn it is. Start cells not yet covered show as `*`.
pub(super) fn draw<const COLOURS: usize>(state: &State<COLOURS>, style: Style) -> String {
    let size = Blokus::<COLOURS>::SIZE;
    let mut owner = vec![None; size * size];
    for colour in 0..COLOURS {
        for (x, y) in state.placements(colour).flat_map(|mv| mv.cells()) {
            owner[y * size + x] = Some(colour);
        }
    }
    let mut text = String::new();
    for y in 0..size {
        let mut line = format!("{:2} ", size - y);
        for x in 0..size {
            let cell = owner[y * size + x];
            let is_start = (0..COLOURS).any(|c| Blokus::<COLOURS>::start_cell(c) == (x, y));
            if cell.is_none() && is_start {
                line.push_str("* ");
            } else {
                line.push_str(&paint::<COLOURS>(cell, style));
            }
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    let columns: Vec<_> = (0..size)
        .map(|x| ((b'a' + x as u8) as char).to_string())
        .collect();
    text.push_str(&format!("   {}\n", columns.join(" ")));
    for colour in 0..COLOURS {
        let turn = if state.mover() == Some(colour) {
            '>'
        } else {
            ' '
        };
        let in_hand: Vec<_> = Piece::all()
            .filter(|&piece| state.has_in_hand(colour, piece))
            .map(Piece::name)
            .collect();
        let rest = match (in_hand.is_empty(), state.is_out(colour)) {
            (true, _) => String::from("all pieces placed"),
            (false, true) => format!("out, left with {}", in_hand.join(" ")),
            (false, false) => format!("in hand {}", in_hand.join(" ")),
        };
        text.push_str(&format!(
            "{turn} {}{:6} {:3} points, {rest}\n",
            paint::<COLOURS>(Some(colour), style),
            colour_name::<COLOURS>(colour),
            state.score(colour),
        ));
    }
    if state.mover().is_none() {
        text.push_str("The game is over.\n");
    }
    text
}
