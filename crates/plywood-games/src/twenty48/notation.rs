//! Positions and moves of 2048 as text.
//!
//! A position is its four rows from the top, separated by `/`, each with its four tiles
//! separated by commas, `.` for an empty cell: `128,32,8,8/2,8,.,2/4,2,.,./.,.,4,.`. It
//! may be followed by ` score=123` and, if a new tile is to come, by ` chance`; on an empty
//! board a tile is always to come.
//!
//! Slides are `up`, `down`, `left`, `right` or their first letters. A new tile is its cell
//! and its value, `b3=2`: columns are a-d from the left, rows 1-4 from the top.

use plywood::{Game, Seat, Turn};

use crate::text::{Notation, Style, TextError};

use super::board::{Board, MAX_EXPONENT};
use super::{Cell, Direction, Move, NewTile, Position, Twenty48, draw};

/// What was typed, short and on one line.
fn quoted(text: &str) -> String {
    let start: String = text.chars().take(24).collect();
    let dots = if start.len() < text.len() { "…" } else { "" };
    format!("'{}{dots}'", start.escape_debug())
}

/// The value of the tile with this exponent.
pub(super) fn tile_value(exponent: u8) -> u32 {
    if exponent == 0 { 0 } else { 1 << exponent }
}

fn cell_name(cell: Cell) -> String {
    let column = char::from(b'a' + cell.index() % 4);
    format!("{column}{}", cell.index() / 4 + 1)
}

fn read_digits(text: &str) -> Option<u32> {
    // A sign is refused: `parse` would take "+4".
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}

fn read_tile(text: &str) -> Result<u8, TextError> {
    let text = text.trim();
    match read_digits(text) {
        _ if text == "." => Ok(0),
        Some(0) => Ok(0),
        Some(value)
            if value.is_power_of_two() && (1..=MAX_EXPONENT.into()).contains(&value.ilog2()) =>
        {
            Ok(value.ilog2() as u8)
        }
        _ => Err(TextError::new(format!(
            "{} is not a tile: a tile is 2, 4, 8 and so on up to {}, an empty cell is .",
            quoted(text),
            tile_value(MAX_EXPONENT)
        ))),
    }
}

fn read_board(text: &str) -> Result<Board, TextError> {
    let rows = text.split('/').count();
    if rows != 4 {
        return Err(TextError::new(format!(
            "{rows} rows in {}: a board is 4 rows separated by /, as in \
             128,32,8,8/2,8,.,2/4,2,.,./.,.,4,.",
            quoted(text)
        )));
    }
    let mut exponents = [0; 16];
    for (row, line) in text.split('/').enumerate() {
        let cells = line.split(',').count();
        if cells != 4 {
            return Err(TextError::new(format!(
                "{cells} cells in row {} {}: a row is 4 tiles separated by commas, . if empty",
                row + 1,
                quoted(line)
            )));
        }
        for (column, cell) in line.split(',').enumerate() {
            exponents[4 * row + column] = read_tile(cell)?;
        }
    }
    Ok(Board::from_exponents(exponents).expect("tiles were checked one by one"))
}

fn read_spawn(text: &str) -> Option<(Cell, NewTile)> {
    let (cell, tile) = text.split_once('=')?;
    let [column @ b'a'..=b'd', row @ b'1'..=b'4'] = *cell.as_bytes() else {
        return None;
    };
    let tile = match tile {
        "2" => NewTile::Two,
        "4" => NewTile::Four,
        _ => return None,
    };
    Some((Cell::new(4 * (row - b'1') + column - b'a')?, tile))
}

impl Twenty48 {
    fn read_slide(&self, position: &Position, text: &str) -> Result<Move, TextError> {
        let legal = position.board().legal_slides();
        let names: Vec<&str> = Direction::ALL
            .into_iter()
            .filter(|&direction| legal.contains(direction))
            .map(Direction::name)
            .collect();
        let named = Direction::ALL
            .into_iter()
            .find(|direction| text == direction.name() || text == &direction.name()[..1]);
        match named {
            Some(direction) if legal.contains(direction) => Ok(Move::Slide(direction)),
            Some(direction) => Err(TextError::new(format!(
                "{} moves no tile: legal now is {}",
                direction.name(),
                names.join(", ")
            ))),
            None => Err(TextError::new(format!(
                "{} is not a slide: the player is to move, legal now is {}",
                quoted(text),
                names.join(", ")
            ))),
        }
    }

    fn read_new_tile(&self, position: &Position, text: &str) -> Result<Move, TextError> {
        let Some((cell, tile)) = read_spawn(text) else {
            return Err(TextError::new(format!(
                "{} is not a new tile: write a cell a1 to d4 (row 1 on top) and its tile 2 or \
                 4, as in b3=2",
                quoted(text)
            )));
        };
        if position.board().exponent(cell) != 0 {
            return Err(TextError::new(format!(
                "{} is taken: a new tile comes on an empty cell",
                cell_name(cell)
            )));
        }
        Ok(Move::Spawn { cell, tile })
    }
}

impl Notation for Twenty48 {
    /// An empty board: chance is to put the first two tiles.
    fn start(&self) -> Position {
        Position::tile_to_come(Board::EMPTY, 0).expect("an empty board has room")
    }

    fn write_state(&self, position: &Position) -> String {
        let cells = position.board().exponents().map(|exponent| match exponent {
            0 => ".".to_owned(),
            _ => tile_value(exponent).to_string(),
        });
        let rows: Vec<String> = cells.chunks(4).map(|row| row.join(",")).collect();
        let mut text = rows.join("/");
        if position.score() > 0 {
            text += &format!(" score={}", position.score());
        }
        if position.is_chance() {
            text += " chance";
        }
        text
    }

    fn read_state(&self, text: &str) -> Result<Position, TextError> {
        let mut words = text.split_whitespace();
        let board = read_board(words.next().unwrap_or(""))?;
        let mut score = None;
        let mut chance = false;
        for word in words {
            if let Some(number) = word.strip_prefix("score=").filter(|_| score.is_none()) {
                let most = Position::max_score(board);
                let read = read_digits(number).filter(|&score| score <= most);
                if read.is_none() {
                    return Err(TextError::new(format!(
                        "{} is not a score: a score is 0 to {most} with these tiles",
                        quoted(number)
                    )));
                }
                score = read;
            } else if word == "chance" && !chance {
                chance = true;
            } else {
                return Err(TextError::new(format!(
                    "{} after the board: only score=NUMBER and chance may follow, each once",
                    quoted(word)
                )));
            }
        }
        let score = score.unwrap_or(0);
        let position = if chance {
            Position::tile_to_come(board, score)
        } else {
            Position::player_to_slide(board, score)
        };
        position
            .ok_or_else(|| TextError::new("chance on a full board: a new tile needs an empty cell"))
    }

    fn write_move(&self, _: &Position, mv: Move) -> String {
        match mv {
            Move::Slide(direction) => direction.name().to_owned(),
            Move::Spawn { cell, tile } => {
                format!("{}={}", cell_name(cell), tile_value(tile.exponent()))
            }
        }
    }

    fn read_move(&self, position: &Position, text: &str) -> Result<Move, TextError> {
        let text = text.trim().to_lowercase();
        match self.turn(position) {
            Turn::Player(_) => self.read_slide(position, &text),
            Turn::Chance => self.read_new_tile(position, &text),
            Turn::Over => Err(TextError::new("the game is over: no tile can move")),
        }
    }

    fn draw(&self, position: &Position, style: Style) -> String {
        draw::draw(position, style)
    }

    fn seat_name(&self, _: Seat) -> String {
        "Player".to_owned()
    }

    fn result_text(&self, position: &Position) -> String {
        let largest = position.board().exponents().into_iter().max().unwrap_or(0);
        format!(
            "score {}, largest tile {}",
            position.score(),
            tile_value(largest)
        )
    }
}
