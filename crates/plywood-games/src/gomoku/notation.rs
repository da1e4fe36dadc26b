//! Positions and moves as text.

use plywood::{Game, Seat, Turn};

use super::Gomoku;
use super::board::Colour;
use super::point::Point;
use super::position::{Position, Status};
use crate::text::{Notation, Style, TextError};

/// What a position may look like, for the error messages.
const ACCEPTED: &str = "a position is its rows from the top with the colour to move, like 5/5/2x2/5/5 w, or a list \
     of moves, like H8 I9";

impl Notation for Gomoku {
    fn start(&self) -> Position {
        self.set_up(&[], &[], Colour::Black)
            .expect("an empty board is a position")
    }

    /// The rows from the top, divided by slashes, `x` for black, `o` for white and numbers
    /// for empty points; then `b` or `w`, whose move it is; then the last move if known.
    fn write_state(&self, state: &Position) -> String {
        let size = self.settings.size;
        let mut text = String::new();
        for row in (0..size).rev() {
            let mut empty = 0;
            for column in 0..size {
                let letter = match state.stone(Point::new(column, row)) {
                    None => {
                        empty += 1;
                        continue;
                    }
                    Some(Colour::Black) => 'x',
                    Some(Colour::White) => 'o',
                };
                if empty > 0 {
                    text.push_str(&empty.to_string());
                    empty = 0;
                }
                text.push(letter);
            }
            if empty > 0 {
                text.push_str(&empty.to_string());
            }
            text.push(if row > 0 { '/' } else { ' ' });
        }
        text.push(match state.to_move() {
            Colour::Black => 'b',
            Colour::White => 'w',
        });
        if let Some(last) = state.last_move() {
            text.push_str(&format!(" {last}"));
        }
        text
    }

    /// Reads what [`write_state`](Notation::write_state) writes, or a list of moves from the
    /// start, black's first. In rows the numbers of stones can be any; in a list every move
    /// must be legal.
    fn read_state(&self, text: &str) -> Result<Position, TextError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        match words.as_slice() {
            [] => Err(TextError::new(format!("there is no position: {ACCEPTED}"))),
            [rows, rest @ ..] if rows.contains('/') => self.read_rows(rows, rest),
            moves => self.read_moves(moves),
        }
    }

    fn write_move(&self, _: &Position, point: Point) -> String {
        point.to_string()
    }

    /// Any point where the rules allow a stone is accepted, also one that is too far from
    /// the other stones for [`moves`](Game::moves) to list it.
    fn read_move(&self, state: &Position, text: &str) -> Result<Point, TextError> {
        let size = self.settings.size;
        if self.turn(state) == Turn::Over {
            return Err(TextError::new("the game is over: there is no move"));
        }
        let Some(point) = Point::parse(text.trim()) else {
            return Err(TextError::new(format!(
                "{:?} is not a move: a move is a letter and a number, A1 to {}",
                shortened(text.trim()),
                Point::new(size - 1, size - 1)
            )));
        };
        if point.column() >= size || point.row() >= size {
            return Err(self.off_board(point));
        }
        if state.stone(point).is_some() {
            return Err(TextError::new(format!(
                "there is a stone on {point} already: a move goes to an empty point"
            )));
        }
        let corner = self.settings.corner.unwrap_or(size);
        if point.column() >= corner || point.row() >= corner {
            return Err(TextError::new(format!(
                "{point} is outside the corner that is played on, A1 to {}",
                Point::new(corner - 1, corner - 1)
            )));
        }
        if state.to_move() == Colour::Black
            && let Some(why) = self.forbidden(state, point)
        {
            return Err(TextError::new(format!(
                "{point} is forbidden to black ({why}): choose another point"
            )));
        }
        Ok(point)
    }

    fn draw(&self, state: &Position, style: Style) -> String {
        self.drawn(state, style)
    }

    fn seat_name(&self, seat: Seat) -> String {
        match seat.index() {
            0 => "Black".into(),
            _ => "White".into(),
        }
    }

    fn result_text(&self, state: &Position) -> String {
        match state.status {
            Status::Playing => "the game is not over".into(),
            Status::Won(Colour::Black) => "Black wins with five in a row".into(),
            Status::Won(Colour::White) => "White wins with five in a row".into(),
            Status::Drawn if state.empty > 0 => {
                "a draw: every point that is left is forbidden to Black".into()
            }
            Status::Drawn => "a draw: there is no empty point left".into(),
        }
    }
}

impl Gomoku {
    fn read_rows(&self, rows: &str, rest: &[&str]) -> Result<Position, TextError> {
        let size = self.settings.size;
        let count = rows.split('/').count();
        if count != usize::from(size) {
            return Err(TextError::new(format!(
                "there are {count} rows, but the board has {size}"
            )));
        }
        let (mut black, mut white) = (Vec::new(), Vec::new());
        for (text, row) in rows.split('/').zip((0..size).rev()) {
            let mut column = 0;
            let mut characters = text.chars().peekable();
            while let Some(character) = characters.next() {
                let width = match character {
                    'x' | 'X' | 'o' | 'O' => 1,
                    '1'..='9' => {
                        let mut number = character as usize - '0' as usize;
                        while let Some(digit) = characters.peek().and_then(|next| next.to_digit(10))
                        {
                            characters.next();
                            // Larger than any board is all that matters of a huge number.
                            number = (10 * number + digit as usize).min(1000);
                        }
                        number
                    }
                    _ => {
                        return Err(TextError::new(format!(
                            "{character:?} in row {} is no part of a row: x is black, o is white, \
                             numbers are empty points",
                            row + 1
                        )));
                    }
                };
                if column + width > usize::from(size) {
                    return Err(TextError::new(format!(
                        "row {} has more than {size} points",
                        row + 1
                    )));
                }
                match character {
                    'x' | 'X' => black.push(Point::new(column as u8, row)),
                    'o' | 'O' => white.push(Point::new(column as u8, row)),
                    _ => {}
                }
                column += width;
            }
            if column < usize::from(size) {
                return Err(TextError::new(format!(
                    "row {} has {column} points, but the board has {size} columns",
                    row + 1
                )));
            }
        }
        let (turn, last) = match rest {
            [turn] => (*turn, None),
            [turn, last] => (*turn, Some(*last)),
            [] => {
                return Err(TextError::new(
                    "the colour to move is missing after the rows: b or w",
                ));
            }
            _ => {
                return Err(TextError::new(format!(
                    "there are {} words after the rows: the colour to move and the last move are \
                     all there can be",
                    rest.len()
                )));
            }
        };
        let to_move = match turn {
            "b" | "B" => Colour::Black,
            "w" | "W" => Colour::White,
            _ => {
                return Err(TextError::new(format!(
                    "{:?} is no colour to move: it is b or w",
                    shortened(turn)
                )));
            }
        };
        let mut position = self.set_up(&black, &white, to_move)?;
        if let Some(text) = last {
            let stone = Point::parse(text)
                .filter(|point| point.column() < size && point.row() < size)
                .filter(|&point| position.stone(point) == Some(to_move.other()));
            if stone.is_none() {
                return Err(TextError::new(format!(
                    "{:?} is not the last move: it has no stone of the colour that is not to move",
                    shortened(text)
                )));
            }
            position.last = stone;
        }
        Ok(position)
    }

    fn read_moves(&self, moves: &[&str]) -> Result<Position, TextError> {
        let mut position = self.start();
        for (index, text) in moves.iter().enumerate() {
            if index == 0 && Point::parse(text).is_none() {
                return Err(TextError::new(format!(
                    "{:?} is not a position: {ACCEPTED}",
                    shortened(text)
                )));
            }
            let point = self
                .read_move(&position, text)
                .map_err(|error| TextError::new(format!("move {}: {error}", index + 1)))?;
            self.play(&mut position, point);
        }
        Ok(position)
    }
}

/// The beginning of a text: error messages stay one readable line whatever was typed.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 40;
    if text.chars().count() <= LONGEST {
        text.to_owned()
    } else {
        text.chars().take(LONGEST).chain("...".chars()).collect()
    }
}
