//! Positions and moves of Kalah as text.
//!
//! A position is a board literal `<pits,South's store,North's store,South's pits,North's
//! pits>`, each row from the pit farthest from its owner's store to the one next to it,
//! and the side to move, ` s` or ` n` (South if missing). Rules are those of the game.
//!
//! Pits have letters: South's row A, B, C, … and North's row the letters after that, G-L
//! on a board of six. A move may also be written as the number of the mover's pit, counted
//! from 1, the pit farthest from the mover's store.

use plywood::{Game, Seat, Turn};

use crate::text::{Notation, Style, TextError};

use super::rules::MAX_PITS;
use super::{Kalah, Pit, Position, draw};

/// The letter of a pit.
pub(super) fn letter(pits: u8, seat: Seat, pit: u8) -> char {
    char::from(b'A' + pits * seat.index() as u8 + pit)
}

pub(super) fn seat_name(seat: Seat) -> &'static str {
    if seat == Seat::FIRST {
        "South"
    } else {
        "North"
    }
}

/// What was typed, short and on one line.
fn quoted(text: &str) -> String {
    let start: String = text.chars().take(24).collect();
    let dots = if start.len() < text.len() { "…" } else { "" };
    format!("'{}{dots}'", start.escape_debug())
}

fn read_number(text: &str) -> Result<u8, TextError> {
    let text = text.trim();
    // A sign is refused: `parse` would take "+4".
    if text.bytes().all(|byte| byte.is_ascii_digit())
        && let Ok(number) = text.parse()
    {
        return Ok(number);
    }
    Err(TextError::new(format!(
        "{} is not a number of stones: each number in a board is 0 to 255",
        quoted(text)
    )))
}

fn read_mover(text: &str) -> Result<Seat, TextError> {
    match text.trim().to_ascii_lowercase().as_str() {
        "" | "s" | "south" => Ok(Seat::FIRST),
        "n" | "north" => Ok(Seat::SECOND),
        _ => Err(TextError::new(format!(
            "{} is not a side to move: s or n follows the board",
            quoted(text.trim())
        ))),
    }
}

impl Kalah {
    fn letters(&self, seat: Seat) -> String {
        let pits = self.rules().pits;
        let first = letter(pits, seat, 0);
        let last = letter(pits, seat, pits - 1);
        if pits == 1 {
            first.to_string()
        } else {
            format!("{first}-{last}")
        }
    }

    /// A pit as it is typed, of whichever row, or nothing.
    fn named_pit(&self, mover: Seat, text: &str) -> Option<(Seat, u8)> {
        let pits = self.rules().pits;
        let mut characters = text.chars();
        let (character, None) = (characters.next()?, characters.next()) else {
            return None;
        };
        if let Some(number) = character.to_digit(10) {
            let pit = (number as u8).checked_sub(1)?;
            return (pit < pits).then_some((mover, pit));
        }
        let upper = character.to_ascii_uppercase();
        [Seat::FIRST, Seat::SECOND]
            .into_iter()
            .flat_map(|seat| (0..pits).map(move |pit| (seat, pit)))
            .find(|&(seat, pit)| letter(pits, seat, pit) == upper)
    }
}

impl Notation for Kalah {
    fn start(&self) -> Position {
        let stones = self.rules().stones;
        let row = [stones; MAX_PITS as usize];
        let row = &row[..usize::from(self.rules().pits)];
        self.position([row, row], [0, 0], Seat::FIRST)
            .expect("validated rules have a start")
    }

    fn write_state(&self, position: &Position) -> String {
        let pits = usize::from(self.rules().pits);
        let [south, north] = [Seat::FIRST, Seat::SECOND].map(|seat| position.row(seat));
        let numbers = [
            self.rules().pits,
            position.store(Seat::FIRST),
            position.store(Seat::SECOND),
        ];
        let numbers: Vec<String> = numbers
            .iter()
            .chain(&south[..pits])
            .chain(&north[..pits])
            .map(u8::to_string)
            .collect();
        let mover = if position.mover() == Seat::FIRST {
            's'
        } else {
            'n'
        };
        format!("<{}> {mover}", numbers.join(","))
    }

    fn read_state(&self, text: &str) -> Result<Position, TextError> {
        let Some((board, mover)) = text
            .trim()
            .strip_prefix('<')
            .and_then(|rest| rest.split_once('>'))
        else {
            return Err(TextError::new(format!(
                "{} is not a Kalah board: write <pits,store,store,South's pits,North's pits> \
                 and s or n, as in {}",
                quoted(text),
                self.write_state(&self.start())
            )));
        };
        let mover = read_mover(mover)?;
        let pits = self.rules().pits;
        let expected = 3 + 2 * usize::from(pits);
        let count = board.split(',').count();
        let mut numbers = board.split(',').map(read_number);
        // The first number is looked at first: a board of another game is the likeliest slip.
        let written_pits = numbers.next().unwrap_or_else(|| read_number(""))?;
        if written_pits != pits {
            return Err(TextError::new(format!(
                "a board of {written_pits} pits a side: this game has {pits}"
            )));
        }
        let numbers = numbers.collect::<Result<Vec<u8>, _>>()?;
        if count != expected {
            return Err(TextError::new(format!(
                "{count} numbers in the board: {pits} pits a side take {expected}, which are \
                 pits, two stores, South's pits, North's pits"
            )));
        }
        let (stores, rows) = numbers.split_at(2);
        let (south, north) = rows.split_at(usize::from(pits));
        self.position([south, north], [stores[0], stores[1]], mover)
            .map_err(|error| TextError::new(error.to_string()))
    }

    fn write_move(&self, position: &Position, pit: Pit) -> String {
        letter(self.rules().pits, position.mover(), pit.index()).to_string()
    }

    fn read_move(&self, position: &Position, text: &str) -> Result<Pit, TextError> {
        let Turn::Player(mover) = self.turn(position) else {
            return Err(TextError::new("the game is over: there is no move to make"));
        };
        let name = seat_name(mover);
        let letters = self.letters(mover);
        let text = text.trim();
        let Some((owner, pit)) = self.named_pit(mover, text) else {
            return Err(TextError::new(format!(
                "{} is not a pit: {name} plays {letters}, or 1-{} counted from the pit \
                 farthest from {name}'s store",
                quoted(text),
                self.rules().pits
            )));
        };
        if owner != mover {
            return Err(TextError::new(format!(
                "{} is {}'s pit: {name} is to move and plays {letters}",
                quoted(text),
                seat_name(owner)
            )));
        }
        if position.row(mover)[usize::from(pit)] == 0 {
            return Err(TextError::new(format!(
                "{} is empty: choose a pit with stones",
                quoted(text)
            )));
        }
        Ok(Pit::new(pit))
    }

    fn draw(&self, position: &Position, style: Style) -> String {
        draw::draw(self, position, style)
    }

    fn seat_name(&self, seat: Seat) -> String {
        seat_name(seat).to_owned()
    }

    fn result_text(&self, position: &Position) -> String {
        let margin = self.final_margin(position);
        let total: i32 = [Seat::FIRST, Seat::SECOND]
            .into_iter()
            .map(|seat| {
                let pits: i32 = position.row(seat).map(i32::from).iter().sum();
                pits + i32::from(position.store(seat))
            })
            .sum();
        let south = (total + margin) / 2;
        let verdict = match margin {
            0 => "a draw".to_owned(),
            1.. => format!("South wins by {margin}"),
            _ => format!("North wins by {}", -margin),
        };
        format!("South {south}, North {}: {verdict}", total - south)
    }
}
