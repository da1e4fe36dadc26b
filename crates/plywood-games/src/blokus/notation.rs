//! Positions and moves as text.
//!
//! A cell is a letter for the column, a from the left, and a number for the row, 1 from the
//! bottom. A move is its cells with commas between them: `a20,b20,a19`. A position is
//!
//! ```text
//! turn=R B=a20,b20,a19/c18,d18 Y=t20,t19 R=- G=-
//! ```
//!
//! with the colour to move (`-` when the game is over) and the placements of every colour
//! with slashes between them. Where it applies, `out=BG` names the colours that were found
//! to have no move left, `single=B` those that placed the single square last of all, and
//! `corners=9,8,9,9` says how many corner cells each colour had after its own last move if
//! some have been taken since.
//! The fields may come in any order; `start` is the start of a game.

use plywood::{Game, Seat};

use super::board::cell_bit;
use super::moves::Move;
use super::pieces::Piece;
use super::state::State;
use super::{Blokus, draw};
use crate::text::{Notation, Style, TextError};

/// The names of the colours; the first letters are their signs.
pub(super) const fn colour_name<const COLOURS: usize>(colour: usize) -> &'static str {
    match (COLOURS, colour) {
        (2, 0) => "Black",
        (2, _) => "White",
        (_, 0) => "Blue",
        (_, 1) => "Yellow",
        (_, 2) => "Red",
        _ => "Green",
    }
}

pub(super) fn colour_sign<const COLOURS: usize>(colour: usize) -> char {
    colour_name::<COLOURS>(colour).as_bytes()[0] as char
}

/// The signs of all colours, for error messages.
fn signs<const COLOURS: usize>() -> String {
    (0..COLOURS).map(colour_sign::<COLOURS>).collect()
}

fn colour_of_sign<const COLOURS: usize>(sign: char) -> Option<usize> {
    (0..COLOURS).find(|&colour| colour_sign::<COLOURS>(colour) == sign)
}

/// A text from outside, made fit to be quoted in one line.
fn quote(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut shown: String = text
        .chars()
        .take(LONGEST)
        .flat_map(char::escape_debug)
        .collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push_str("...");
    }
    format!("'{shown}'")
}

fn write_cell<const COLOURS: usize>((x, y): (usize, usize)) -> String {
    let column = (b'a' + x as u8) as char;
    format!("{column}{}", Blokus::<COLOURS>::SIZE - y)
}

fn write_placement<const COLOURS: usize>(mv: Move) -> String {
    let cells: Vec<_> = mv.cells().map(write_cell::<COLOURS>).collect();
    cells.join(",")
}

fn read_cell<const COLOURS: usize>(text: &str) -> Result<(usize, usize), TextError> {
    let size = Blokus::<COLOURS>::SIZE;
    let cell = || {
        let mut rest = text.chars();
        let letter = rest.next()?.to_ascii_lowercase();
        let column = (letter as usize).checked_sub('a' as usize)?;
        let digits = rest.as_str();
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) || digits.starts_with('0') {
            return None;
        }
        let row: usize = digits.parse().ok()?;
        (column < size && (1..=size).contains(&row)).then(|| (column, size - row))
    };
    cell().ok_or_else(|| {
        let last = write_cell::<COLOURS>((size - 1, 0));
        TextError::new(format!("{} is not a cell from a1 to {last}", quote(text)))
    })
}

/// Reads the cells of a placement, which may come in any order.
fn read_placement<const COLOURS: usize>(text: &str) -> Result<Move, TextError> {
    let mut cells = Vec::new();
    for word in text.split(',') {
        let cell = read_cell::<COLOURS>(word)?;
        if cells.contains(&cell) {
            return Err(TextError::new(format!(
                "cell {} is named twice in {}",
                write_cell::<COLOURS>(cell),
                quote(text)
            )));
        }
        cells.push(cell);
    }
    Move::from_cells(&cells).ok_or_else(|| {
        TextError::new(format!(
            "the cells {} do not have the form of one of the 21 pieces",
            quote(text)
        ))
    })
}

/// Whether a placement covers a cell diagonally next to the colour's own, or its start cell.
fn meets_corner<const COLOURS: usize>(state: &State<COLOURS>, colour: usize, mv: Move) -> bool {
    let (_, diagonal) = state.surroundings(colour);
    mv.cells().any(|(x, y)| diagonal.contains(cell_bit(x, y)))
}

/// Why a colour may not add a placement to the position, apart from corners.
fn conflict<const COLOURS: usize>(
    state: &State<COLOURS>,
    colour: usize,
    mv: Move,
) -> Option<String> {
    let name = colour_name::<COLOURS>(colour);
    if !state.has_in_hand(colour, mv.piece()) {
        let piece = mv.piece().name();
        return Some(format!("{name} has placed the piece {piece} already"));
    }
    let (forbidden, _) = state.surroundings(colour);
    for cell in mv.cells() {
        let bit = cell_bit(cell.0, cell.1);
        if state.occupied().contains(bit) {
            return Some(format!("{} is taken", write_cell::<COLOURS>(cell)));
        }
        if forbidden.contains(bit) {
            let cell = write_cell::<COLOURS>(cell);
            return Some(format!("{cell} is beside a cell of {name} itself"));
        }
    }
    None
}

/// Why the corner rule forbids a placement.
fn no_corner<const COLOURS: usize>(state: &State<COLOURS>, colour: usize, mv: Move) -> String {
    let name = colour_name::<COLOURS>(colour);
    let text = write_placement::<COLOURS>(mv);
    if state.squares(colour) == 0 {
        let start = write_cell::<COLOURS>(Blokus::<COLOURS>::start_cell(colour));
        format!("the first piece of {name} must cover {start}, which {text} does not")
    } else {
        format!("{text} does not touch a cell of {name} at a corner")
    }
}

/// Places all pieces of a colour on the board, in an order that the corner rule allows.
fn place_all<const COLOURS: usize>(
    state: &mut State<COLOURS>,
    colour: usize,
    mut waiting: Vec<Move>,
) -> Result<(), TextError> {
    while !waiting.is_empty() {
        let next = waiting
            .iter()
            .position(|&mv| meets_corner(state, colour, mv));
        let at = next.unwrap_or(0);
        let mv = waiting.remove(at);
        if let Some(reason) = conflict(state, colour, mv) {
            let text = write_placement::<COLOURS>(mv);
            return Err(TextError::new(format!("{text} cannot be placed: {reason}")));
        }
        if next.is_none() {
            return Err(TextError::new(no_corner(state, colour, mv)));
        }
        state.set_up(colour, mv);
    }
    Ok(())
}

/// The fields of a position, each at most once.
#[derive(Default)]
struct Fields<'a> {
    turn: Option<&'a str>,
    out: Option<&'a str>,
    single: Option<&'a str>,
    corners: Option<&'a str>,
    colours: [Option<&'a str>; 4],
}

impl<'a> Fields<'a> {
    fn split<const COLOURS: usize>(text: &'a str) -> Result<Self, TextError> {
        let mut fields = Fields::default();
        for word in text.split_whitespace() {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            let mut letters = key.chars();
            let sign = letters.next().filter(|_| letters.as_str().is_empty());
            let field = match key {
                "turn" => Some(&mut fields.turn),
                "out" => Some(&mut fields.out),
                "single" => Some(&mut fields.single),
                "corners" => Some(&mut fields.corners),
                _ => sign
                    .and_then(colour_of_sign::<COLOURS>)
                    .map(|colour| &mut fields.colours[colour]),
            };
            let Some(field) = field else {
                return Err(TextError::new(format!(
                    "{} is not a field of a position: they are turn=, out=, single=, \
                     corners= and one of {} with =",
                    quote(word),
                    signs::<COLOURS>()
                )));
            };
            if value.is_empty() {
                return Err(TextError::new(format!(
                    "the field {} needs = and a value, - for none",
                    quote(key)
                )));
            }
            if field.replace(value).is_some() {
                return Err(TextError::new(format!("the field {key}= is there twice")));
            }
        }
        Ok(fields)
    }
}

/// Sets how many corner cells each colour had after its last move: at least those it has
/// now, at most those it would have without the others.
fn read_corners<const COLOURS: usize>(
    state: &mut State<COLOURS>,
    value: Option<&str>,
) -> Result<(), TextError> {
    let counts: Vec<_> = match value {
        Some(value) => value.split(',').map(|word| word.parse().ok()).collect(),
        None => (0..COLOURS)
            .map(|colour| Some(state.corner_cells(colour)))
            .collect(),
    };
    let mut in_range = counts.len() == COLOURS;
    for (colour, count) in counts.into_iter().enumerate().take(COLOURS) {
        let range = state.corner_cells(colour)..=state.corner_cells_alone(colour);
        match count {
            Some(count) if range.contains(&count) => state.set_corner_cells_then(colour, count),
            _ => in_range = false,
        }
    }
    if in_range {
        return Ok(());
    }
    let ranges: Vec<_> = (0..COLOURS)
        .map(|colour| {
            let (least, most) = (state.corner_cells(colour), state.corner_cells_alone(colour));
            format!("{least} to {most}")
        })
        .collect();
    Err(TextError::new(format!(
        "corners={} is not a number for each colour, here {}",
        quote(value.unwrap_or_default()),
        ranges.join(", ")
    )))
}

/// The colours of a field like `out=BG`.
fn read_colours<const COLOURS: usize>(
    key: &str,
    value: Option<&str>,
) -> Result<[bool; COLOURS], TextError> {
    let mut named = [false; COLOURS];
    for sign in value.unwrap_or("-").chars().filter(|&sign| sign != '-') {
        match colour_of_sign::<COLOURS>(sign) {
            Some(colour) if !named[colour] => named[colour] = true,
            _ => {
                return Err(TextError::new(format!(
                    "{key}={} does not name colours, each once, by the signs {}",
                    quote(value.unwrap_or_default()),
                    signs::<COLOURS>()
                )));
            }
        }
    }
    Ok(named)
}

impl<const COLOURS: usize> Blokus<COLOURS> {
    /// Sets who is out and whose turn it is, and checks both against the board.
    fn read_turn(&self, state: &mut State<COLOURS>, fields: &Fields<'_>) -> Result<(), TextError> {
        let name = colour_name::<COLOURS>;
        let mut out = read_colours::<COLOURS>("out", fields.out)?;
        let turn = fields
            .turn
            .ok_or_else(|| TextError::new("the field turn= is missing"))?;
        let turn = match turn {
            "-" => {
                out = [true; COLOURS];
                COLOURS
            }
            _ => {
                let mut letters = turn.chars();
                let sign = letters.next().filter(|_| letters.as_str().is_empty());
                sign.and_then(colour_of_sign::<COLOURS>).ok_or_else(|| {
                    TextError::new(format!(
                        "turn={} is not the sign of a colour, one of {}, or - for a finished game",
                        quote(turn),
                        signs::<COLOURS>()
                    ))
                })?
            }
        };
        for colour in (0..COLOURS).filter(|&colour| out[colour]) {
            if self.can_move(state, colour) {
                return Err(TextError::new(format!(
                    "{} is said to be out but can move",
                    name(colour)
                )));
            }
            state.set_out(colour);
        }
        if turn < COLOURS && !self.can_move(state, turn) {
            return Err(TextError::new(format!(
                "it is the turn of {}, who cannot move: name the next colour that can, or - if \
                 there is none",
                name(turn)
            )));
        }
        state.set_turn(turn);
        Ok(())
    }
}

impl<const COLOURS: usize> Notation for Blokus<COLOURS> {
    fn start(&self) -> State<COLOURS> {
        State::start()
    }

    fn write_state(&self, state: &State<COLOURS>) -> String {
        let sign = colour_sign::<COLOURS>;
        let mut text = match state.mover() {
            Some(colour) => format!("turn={}", sign(colour)),
            None => String::from("turn=-"),
        };
        for colour in 0..COLOURS {
            let placements = state.placements(colour).map(write_placement::<COLOURS>);
            let mut all = placements.collect::<Vec<_>>().join("/");
            if all.is_empty() {
                all.push('-');
            }
            text.push_str(&format!(" {}={all}", sign(colour)));
        }
        let mut flags = |key: &str, is_set: &dyn Fn(usize) -> bool| {
            let set: String = (0..COLOURS).filter(|&c| is_set(c)).map(sign).collect();
            if !set.is_empty() {
                text.push_str(&format!(" {key}={set}"));
            }
        };
        flags("out", &|colour| state.is_out(colour));
        flags("single", &|colour| state.finished_with_single(colour));
        if (0..COLOURS).any(|c| state.corner_cells_then(c) != state.corner_cells(c)) {
            let then = (0..COLOURS).map(|colour| state.corner_cells_then(colour).to_string());
            text.push_str(&format!(" corners={}", then.collect::<Vec<_>>().join(",")));
        }
        text
    }

    fn read_state(&self, text: &str) -> Result<State<COLOURS>, TextError> {
        let mut state = State::start();
        if text.trim() == "start" {
            return Ok(state);
        }
        let fields = Fields::split::<COLOURS>(text)?;
        let single = read_colours::<COLOURS>("single", fields.single)?;
        for (colour, single_last) in single.into_iter().enumerate() {
            let sign = colour_sign::<COLOURS>(colour);
            let value = fields.colours[colour].ok_or_else(|| {
                TextError::new(format!(
                    "the field {sign}= with the placements of {} is missing",
                    colour_name::<COLOURS>(colour)
                ))
            })?;
            let mut waiting = Vec::new();
            if value != "-" {
                for word in value.split('/') {
                    waiting.push(read_placement::<COLOURS>(word)?);
                }
            }
            // The single square goes last, or not, as the text says: not as it is reached
            // by corners.
            place_all(&mut state, colour, waiting)?;
            state.clear_single_last(colour);
            if single_last {
                if Piece::all().any(|piece| state.has_in_hand(colour, piece)) {
                    return Err(TextError::new(format!(
                        "single={sign} is for a colour that has placed all pieces, and {} has not",
                        colour_name::<COLOURS>(colour)
                    )));
                }
                state.set_single_last(colour);
            }
        }
        read_corners(&mut state, fields.corners)?;
        self.read_turn(&mut state, &fields)?;
        Ok(state)
    }

    fn write_move(&self, _: &State<COLOURS>, mv: Move) -> String {
        write_placement::<COLOURS>(mv)
    }

    fn read_move(&self, state: &State<COLOURS>, text: &str) -> Result<Move, TextError> {
        let mv = read_placement::<COLOURS>(text.trim())?;
        let Some(colour) = state.mover() else {
            return Err(TextError::new("the game is over: no colour can move"));
        };
        if let Some(reason) = conflict(state, colour, mv) {
            let text = write_placement::<COLOURS>(mv);
            return Err(TextError::new(format!("{text} is not legal: {reason}")));
        }
        if !meets_corner(state, colour, mv) {
            return Err(TextError::new(no_corner(state, colour, mv)));
        }
        Ok(mv)
    }

    fn draw(&self, state: &State<COLOURS>, style: Style) -> String {
        draw::draw(state, style)
    }

    fn seat_name(&self, seat: Seat) -> String {
        let index = seat.index();
        assert!(index < COLOURS, "there is no seat {index}");
        colour_name::<COLOURS>(index).to_owned()
    }

    fn result_text(&self, state: &State<COLOURS>) -> String {
        let scores = self.outcome(state);
        let best = scores.iter().max().copied().unwrap_or(0);
        let winners: Vec<_> = (0..COLOURS)
            .filter(|&colour| scores[colour] == best)
            .map(colour_name::<COLOURS>)
            .collect();
        let points: Vec<_> = (0..COLOURS)
            .map(|colour| format!("{} {}", colour_name::<COLOURS>(colour), scores[colour]))
            .collect();
        let verdict = match winners.as_slice() {
            [winner] => format!("{winner} wins"),
            several => format!("{} share the win", several.join(" and ")),
        };
        format!("{}: {verdict}", points.join(", "))
    }
}
