//! Positions to learn a second look from: what there is to see, and where the search went.

use std::fmt::Write;

use super::layer::{Grid, SIZE};
use super::{COLOURS, PLANES, TRAITS, TURNED, see, traits};
use crate::blokus::State;
use crate::blokus::engine::Thought;
use crate::blokus::pieces::SHAPES;

/// So many moves are kept, those the search went to most often.
pub(super) const MOVES: usize = 16;

/// What a file of positions begins with: a title, for each orientation its piece and cells,
/// and an empty line. Then come records of the same length: the planes, a bit for each cell; a bit
/// for each trait; and the moves, each two numbers of 16 bits: 400 times its orientation plus its
/// top left cell, and its share of the visits.
pub fn title_of_records() -> String {
    let mut text = String::from("plywood blokus positions 1\n");
    for shape in &SHAPES {
        let _ = write!(text, "{}", shape.piece);
        for cell in shape.offsets() {
            let _ = write!(text, " {},{}", cell.x, cell.y);
        }
        text.push('\n');
    }
    text + "\n"
}

/// Adds a position of the classic game to the records, if there was a choice.
pub(in super::super) fn record<const N: usize>(
    state: &State<N>,
    thought: &Thought<N>,
    records: &mut Vec<u8>,
) {
    let mut moves: Vec<_> = thought.moves.iter().filter(|mv| mv.visits > 0).collect();
    if N != COLOURS || moves.len() < 2 {
        return;
    }
    let mut planes = Grid::default();
    see(state, &mut planes);
    let cells = || (0..SIZE).flat_map(|y| (0..SIZE).map(move |x| Grid::at(x, y)));
    for plane in 0..PLANES {
        push_bits(records, cells().map(|at| planes.cell(at)[plane] != 0));
    }
    let traits: [bool; TRAITS] = traits(state);
    push_bits(records, traits.into_iter());
    moves.sort_by_key(|mv| std::cmp::Reverse(mv.visits));
    moves.truncate(MOVES);
    let visits: u64 = moves.iter().map(|mv| mv.visits).sum();
    for place in 0..MOVES {
        let (number, share) = moves.get(place).map_or((0, 0), |known| {
            let (orientation, at) = TURNED.moves[state.turn()][usize::from(known.mv.number())];
            let cell = cells().position(|cell| cell == usize::from(at));
            let number = usize::from(orientation) * SIZE * SIZE + cell.unwrap_or(0);
            (number as u16, (known.visits * 65535 / visits) as u16)
        });
        records.extend(number.to_le_bytes());
        records.extend(share.to_le_bytes());
    }
}

/// Adds bits, the first one lowest.
fn push_bits(records: &mut Vec<u8>, bits: impl Iterator<Item = bool>) {
    let mut bits = bits.peekable();
    while bits.peek().is_some() {
        let byte = bits.by_ref().take(8).enumerate();
        records.push(byte.fold(0, |byte, (place, bit)| byte | u8::from(bit) << place));
    }
}
