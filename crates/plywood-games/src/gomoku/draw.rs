//! The board as a picture of characters.

use std::fmt::Write;

use plywood::{Game, Turn};

use super::Gomoku;
use super::board::Colour;
use super::point::Point;
use super::position::Position;
use crate::text::Style;

const RESET: &str = "\x1b[0m";
const BLACK: &str = "\x1b[1;36m";
const WHITE: &str = "\x1b[1;33m";
const LAST: &str = "\x1b[7m";
const FAINT: &str = "\x1b[2m";
const FORBIDDEN: &str = "\x1b[31m";

impl Gomoku {
    /// The board, `X` black and `O` white, the last move in brackets, points forbidden to
    /// black who is to move as `!`.
    pub(super) fn drawn(&self, state: &Position, style: Style) -> String {
        let size = self.settings.size;
        let colour = style == Style::Colour;
        let black_to_move = state.to_move() == Colour::Black && self.turn(state) != Turn::Over;
        let mut text = String::new();
        for row in (0..size).rev() {
            let _ = write!(text, "{:2}", row + 1);
            let mut bracket = false;
            for column in 0..size {
                let point = Point::new(column, row);
                let last = state.last_move() == Some(point);
                let (letter, paint) = match state.stone(point) {
                    Some(Colour::Black) => ('X', BLACK),
                    Some(Colour::White) => ('O', WHITE),
                    None if black_to_move && self.forbidden(state, point).is_some() => {
                        ('!', FORBIDDEN)
                    }
                    None => ('.', FAINT),
                };
                text.push(match (last, bracket) {
                    (true, _) => '[',
                    (false, true) => ']',
                    (false, false) => ' ',
                });
                bracket = last;
                if colour {
                    let mark = if last { LAST } else { "" };
                    let _ = write!(text, "{paint}{mark}{letter}{RESET}");
                } else {
                    text.push(letter);
                }
            }
            if bracket {
                text.push(']');
            }
            text.push('\n');
        }
        text.push_str("  ");
        for column in 0..size {
            let _ = write!(text, " {}", (b'A' + column) as char);
        }
        text.push('\n');
        text
    }
}
