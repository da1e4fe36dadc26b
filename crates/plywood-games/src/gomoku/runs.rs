//! Runs: what a stone does to the rows of touching stones in a line.
//!
//! Whether a stone wins and how it changes the report's evaluation depends, in each of the
//! four directions, only on the runs that touch its cell on either side: their colour,
//! length and whether their far end is open. Five cells tell that, so one look-up per side
//! gives a code and one per direction the change, both from tables that stay in the first
//! cache.

use super::Rule;
use super::board::{Colour, Lines, shift};
use super::point::Point;

/// Next to the cell there is an empty cell.
const NOTHING: u8 = 0;
/// Next to the cell the board ends.
const EDGE: u8 = 1;
/// The codes from here on name a run: colour, length 1 to 5 (5 for more), far end.
const RUN: u8 = 2;
const CODES: usize = 22;
/// The size of a table of changes: a power of two holds every pair of codes, so that a mask
/// does for a bounds check.
const CHANGES: usize = 512;

/// A sum of four changes is at least half of this if and only if a direction wins.
pub(super) const WIN: i32 = 1 << 26;

/// What lies on one side of a cell.
#[derive(Clone, Copy)]
struct Side {
    /// The run that touches the cell.
    run: Option<(Colour, usize)>,
    /// Whether the cell behind the run is empty (without a run: the cell next to this one).
    open: bool,
}

impl Side {
    const fn decode(code: u8) -> Side {
        if code < RUN {
            return Side {
                run: None,
                open: code == NOTHING,
            };
        }
        let code = code - RUN;
        let colour = if code < 10 {
            Colour::Black
        } else {
            Colour::White
        };
        Side {
            run: Some((colour, (code % 10 / 2 + 1) as usize)),
            open: code.is_multiple_of(2),
        }
    }

    /// The length of the run if it has this colour, 0 otherwise.
    const fn length_of(self, colour: Colour) -> usize {
        match self.run {
            Some((run, length)) if run as u8 == colour as u8 => length,
            _ => 0,
        }
    }

    /// Whether a run of this colour that takes in this side is open here.
    const fn open_to(self, colour: Colour) -> bool {
        match self.run {
            Some((run, _)) => run as u8 == colour as u8 && self.open,
            None => self.open,
        }
    }
}

/// The code of five cells, two bits each, the nearest in the low bits.
const fn encode(cells: usize) -> u8 {
    let first = cells & 3;
    match first {
        0 => return NOTHING,
        3 => return EDGE,
        _ => {}
    }
    let mut length = 1;
    while length < 5 && cells >> (2 * length) & 3 == first {
        length += 1;
    }
    let closed = length == 5 || cells >> (2 * length) & 3 != 0;
    RUN + (first as u8 - 1) * 10 + (length as u8 - 1) * 2 + closed as u8
}

/// The codes of the five cells before a cell, the nearest in the high bits, times [`CODES`].
static BEFORE: [u16; 1024] = {
    let mut table = [0; 1024];
    let mut cells = 0;
    while cells < 1024 {
        let mut mirrored = 0;
        let mut index = 0;
        while index < 5 {
            mirrored |= (cells >> (2 * index) & 3) << (2 * (4 - index));
            index += 1;
        }
        table[cells] = encode(mirrored) as u16 * CODES as u16;
        cells += 1;
    }
    table
};

/// The codes of the five cells after a cell, the nearest in the low bits.
static AFTER: [u16; 1024] = {
    let mut table = [0; 1024];
    let mut cells = 0;
    while cells < 1024 {
        table[cells] = encode(cells) as u16;
        cells += 1;
    }
    table
};

/// What the report's evaluation gives a run of black stones; white's count half, negative.
///
/// The end named first is the one of the smaller column (in a column: row). A two that is
/// closed there counts nothing, as in the report's program.
const fn run_value(colour: Colour, length: usize, low_open: bool, high_open: bool) -> i32 {
    let white = match (length, low_open, high_open) {
        (2, true, true) => 100,
        (2, true, false) => 50,
        (3, true, true) => 500,
        (3, true, false) | (3, false, true) => 250,
        (4, true, true) => 1_000_000,
        (4, true, false) | (4, false, true) => 500_000,
        _ => 0,
    };
    match colour {
        Colour::Black => 2 * white,
        Colour::White => -white,
    }
}

/// Whether a run of this length wins.
pub(super) const fn wins(rule: Rule, colour: Colour, length: usize) -> bool {
    match (rule, colour) {
        (Rule::Freestyle, _) | (Rule::Renju, Colour::White) => length >= 5,
        (Rule::ExactlyFive, _) | (Rule::Renju, Colour::Black) => length == 5,
    }
}

/// How a stone of this colour between these sides changes the value of its line, plus
/// [`WIN`] if it wins.
const fn change(rule: Rule, colour: Colour, before: Side, after: Side) -> i32 {
    let low = before.length_of(colour);
    let high = after.length_of(colour);
    let (low_open, high_open) = (before.open_to(colour), after.open_to(colour));
    let length = low + 1 + high;
    let mut sum = run_value(colour, length, low_open, high_open)
        - run_value(colour, low, low_open, true)
        - run_value(colour, high, true, high_open);
    if wins(rule, colour, length) {
        sum += WIN;
    }
    let other = colour.other();
    let blocked = before.length_of(other);
    sum += run_value(other, blocked, before.open, false)
        - run_value(other, blocked, before.open, true);
    let blocked = after.length_of(other);
    sum +=
        run_value(other, blocked, false, after.open) - run_value(other, blocked, true, after.open);
    sum
}

/// The changes for both colours under one rule.
pub(super) struct RunTable([[i32; CHANGES]; 2]);

const fn table(rule: Rule) -> RunTable {
    let mut changes = [[0; CHANGES]; 2];
    let mut index = 0;
    while index < CODES * CODES {
        let before = Side::decode((index / CODES) as u8);
        let after = Side::decode((index % CODES) as u8);
        changes[0][index] = change(rule, Colour::Black, before, after);
        changes[1][index] = change(rule, Colour::White, before, after);
        index += 1;
    }
    RunTable(changes)
}

static FREESTYLE: RunTable = table(Rule::Freestyle);
static EXACTLY_FIVE: RunTable = table(Rule::ExactlyFive);
static RENJU: RunTable = table(Rule::Renju);

impl RunTable {
    /// The table of a rule.
    pub(super) fn of(rule: Rule) -> &'static RunTable {
        match rule {
            Rule::Freestyle => &FREESTYLE,
            Rule::ExactlyFive => &EXACTLY_FIVE,
            Rule::Renju => &RENJU,
        }
    }

    /// How a stone on an empty point changes the report's evaluation, plus [`WIN`] for every
    /// direction in which it wins.
    #[inline]
    pub(super) fn change(&self, lines: &Lines, point: Point, colour: Colour) -> i32 {
        let changes = &self.0[colour as usize];
        let mut sum = 0;
        for (line, cell) in lines.through(point) {
            let window = line >> (shift(cell) - 10);
            let before = BEFORE[(window & 1023) as usize];
            let after = AFTER[(window >> 12 & 1023) as usize];
            sum += changes[usize::from(before + after) % CHANGES];
        }
        sum
    }
}

/// The colours that have won on this board, and the report's evaluation of it, both worked
/// out from all its runs.
pub(super) fn judge(lines: &Lines, rule: Rule) -> ([bool; 2], i32) {
    let mut won = [false; 2];
    let mut value = 0;
    for &line in lines.all() {
        let cell = |index: u32| line >> (2 * index) & 3;
        let mut start = 1;
        while start < 31 {
            let bits = cell(start);
            let mut end = start + 1;
            if bits == 1 || bits == 2 {
                while cell(end) == bits {
                    end += 1;
                }
                let colour = if bits == 1 {
                    Colour::Black
                } else {
                    Colour::White
                };
                let length = (end - start) as usize;
                won[colour as usize] |= wins(rule, colour, length);
                value += run_value(colour, length, cell(start - 1) == 0, cell(end) == 0);
            }
            start = end;
        }
    }
    (won, value)
}
