//! A position whose patterns are kept up to date.

mod questions;

use super::super::board::{Colour, EVEN, Lines, cell_of, shift};
use super::super::position::{SIDE_KEY, STONE_KEYS};
use super::super::{Gomoku, Point, Position, Rule};
use super::class::{Class, ClassTable};
use super::line::{LineTable, window_key};
use super::points::Points;
use super::weights::{DECIDES, VALUES};

/// The patterns of the four lines through every point: black's in the low four bits, white's
/// in the high ones. Those of a point with a stone are what they were when the stone was put
/// there: right again as soon as the stone is taken back.
#[derive(Clone)]
struct LinePatterns(Box<[u8; LinePatterns::PLACES]>);

impl LinePatterns {
    /// A power of two, so that a place is in range as soon as it is cut to its bits.
    const PLACES: usize = (4 * Point::SLOTS).next_power_of_two();

    /// The patterns of a point in the four directions.
    #[inline]
    fn of(&self, slot: usize) -> [u8; 4] {
        let place = 4 * slot;
        [0, 1, 2, 3].map(|direction| self.0[(place + direction) % Self::PLACES])
    }

    /// Where the patterns of a point in a direction are.
    #[inline]
    fn at(&mut self, place: usize) -> &mut u8 {
        &mut self.0[place % Self::PLACES]
    }
}

/// The patterns of a colour in four lines, four bits each.
#[inline]
fn packed(lines: [u8; 4], colour: usize) -> u16 {
    let lines = u32::from_le_bytes(lines) >> (4 * colour) & 0x0F0F_0F0F;
    let pairs = (lines | lines >> 4) & 0x00FF_00FF;
    (pairs | pairs >> 8) as u16
}

/// What the evaluation counts for the four lines through a point.
#[inline]
fn value(lines: [u8; 4]) -> i64 {
    lines.iter().map(|&pair| VALUES[usize::from(pair)]).sum()
}

/// A line through a point that may have other patterns than before: the patterns it had in
/// the low eight bits, where they are in [`LinePatterns`] above.
type LineChange = u32;

/// A point that is of another class than before.
#[derive(Clone, Copy)]
struct ClassChange {
    slot: u16,
    colour: u8,
    before: u8,
}

/// What follows from all cells together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Totals {
    /// How many empty points there are of each class, by colour.
    counts: [[u16; Class::COUNT]; 2],
    /// What the evaluation counts for both colours, as in [`VALUES`].
    values: i64,
    hash: u64,
}

/// A move that can be taken back.
#[derive(Clone, Copy, Debug)]
struct Played {
    /// `None` for a pass.
    point: Option<Point>,
    /// How many lines had changed before it.
    line_changes: u32,
    /// How many classes had changed before it.
    class_changes: u32,
    before: Totals,
}

/// A position with what every empty point is good for to either colour.
///
/// A move changes the points at most four steps away (five where overlines do not win) in the
/// four lines through it; a table gives the new pattern of each. What changed is written
/// down, so that taking a move back is to copy it back.
#[derive(Clone)]
pub struct PatternBoard {
    rule: Rule,
    size: u8,
    to_move: Colour,
    table: &'static LineTable,
    classes: [&'static ClassTable; 2],
    lines: Lines,
    totals: Totals,
    stones: u16,
    patterns: LinePatterns,
    /// By colour, the number of the [`Class`] of every empty point.
    numbers: Box<[[u8; Point::SLOTS]; 2]>,
    /// The empty points of each class, by colour.
    points: [[Points; Class::COUNT]; 2],
    /// The points with a stone.
    taken: Points,
    played: Vec<Played>,
    /// What has changed since the first move that can be taken back. Only so many of these
    /// count as there are changes: the rest is room for the next move.
    line_log: Vec<LineChange>,
    line_changes: usize,
    class_log: Vec<ClassChange>,
}

impl std::fmt::Debug for PatternBoard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PatternBoard")
            .field("rule", &self.rule)
            .field("size", &self.size)
            .field("to_move", &self.to_move)
            .field("rows", &self.lines.rows())
            .finish()
    }
}

/// How far apart neighbours on a line are, by direction: row, column, rising, falling.
const STEPS: [i32; 4] = [1, 32, 33, -31];

impl PatternBoard {
    /// An empty board.
    pub fn new(rule: Rule, size: u8) -> Self {
        let mut board = PatternBoard {
            rule,
            size,
            to_move: Colour::Black,
            table: LineTable::of(rule),
            classes: [Colour::Black, Colour::White].map(|colour| ClassTable::of(rule, colour)),
            lines: Lines::empty(size),
            totals: Totals::default(),
            stones: 0,
            patterns: LinePatterns(Box::new([0; LinePatterns::PLACES])),
            numbers: Box::new([[0; Point::SLOTS]; 2]),
            points: [[Points::EMPTY; Class::COUNT]; 2],
            taken: Points::EMPTY,
            played: Vec::with_capacity(64),
            line_log: Vec::new(),
            line_changes: 0,
            class_log: Vec::with_capacity(256),
        };
        for row in 0..size {
            for column in 0..size {
                board.look_at(Point::new(column, row));
            }
        }
        board
    }

    /// The board of a position. Whether the position's game is over makes no difference.
    pub fn of(game: &Gomoku, position: &Position) -> Self {
        let settings = game.settings();
        let mut board = PatternBoard::new(settings.rule, settings.size);
        for row in 0..settings.size {
            for column in 0..settings.size {
                let point = Point::new(column, row);
                if let Some(colour) = position.stone(point) {
                    board.set(point, colour);
                }
            }
        }
        board.set_to_move(position.to_move());
        board
    }

    /// The same position, from which no move can be taken back.
    pub fn position(&self) -> Self {
        PatternBoard {
            patterns: self.patterns.clone(),
            numbers: self.numbers.clone(),
            lines: self.lines.clone(),
            played: Vec::with_capacity(64),
            line_log: Vec::new(),
            line_changes: 0,
            class_log: Vec::with_capacity(256),
            ..*self
        }
    }

    /// Puts a stone on an empty point, for good.
    pub fn set(&mut self, point: Point, colour: Colour) {
        self.set_to_move(colour);
        self.play(point);
        self.played.clear();
        self.line_changes = 0;
        self.class_log.clear();
    }

    /// Says whose turn it is, for good.
    pub fn set_to_move(&mut self, colour: Colour) {
        if self.to_move != colour {
            self.to_move = colour;
            self.totals.hash ^= SIDE_KEY;
        }
    }

    /// Works out what an empty point is good for, from nothing.
    fn look_at(&mut self, point: Point) {
        let through = self.lines.through(point);
        let lines = through.map(|(line, place)| self.table.at(line, shift(place)));
        for (direction, pair) in lines.into_iter().enumerate() {
            *self.patterns.at(4 * point.slot() + direction) = pair;
        }
        self.totals.values += value(lines);
        for colour in 0..2 {
            let class = self.classes[colour].class(packed(lines, colour));
            self.numbers[colour][point.slot()] = class;
            self.totals.counts[colour][usize::from(class)] += 1;
            self.points[colour][usize::from(class)].insert(point);
        }
    }

    /// Puts a stone of the colour to move on an empty point; the other colour is to move then.
    ///
    /// Nothing is asked: not whether renju forbids the point, nor whether the game is over.
    pub fn play(&mut self, point: Point) {
        debug_assert!(self.stone(point).is_none());
        self.remember(Some(point));
        let colour = self.to_move;
        // The point is no longer empty.
        self.totals.values -= value(self.patterns.of(point.slot()));
        for index in 0..2 {
            let class = usize::from(self.numbers[index][point.slot()]);
            self.points[index][class].remove(point);
            self.totals.counts[index][class] -= 1;
        }
        self.lines.place(point, colour);
        self.taken.insert(point);
        self.stones += 1;
        self.totals.hash ^= STONE_KEYS[colour as usize][point.slot()];
        self.to_move = colour.other();
        match self.rule {
            Rule::Freestyle => self.look_around::<8, { 1 << 16 }>(point),
            Rule::ExactlyFive | Rule::Renju => self.look_around::<10, { 1 << 20 }>(point),
        }
    }

    /// Writes down what a move or pass is about to change as a whole.
    fn remember(&mut self, point: Option<Point>) {
        self.played.push(Played {
            point,
            line_changes: self.line_changes as u32,
            class_changes: self.class_log.len() as u32,
            before: self.totals,
        });
    }

    /// Brings the points up to date that a stone can have changed: those so many bits away in
    /// the four lines, as far as they see the stone.
    ///
    /// Nearly all of these lines do change. So all are written and written down, which is less
    /// work than to find out which; only what makes or ends a threat takes a closer look.
    #[inline]
    fn look_around<const REACH: u32, const WINDOWS: usize>(&mut self, point: Point) {
        /// More lines than these cannot change by one stone.
        const MOST: usize = 40;
        let table = self.table.windows::<WINDOWS>();
        let first = self.line_changes;
        if self.line_log.len() < first + MOST {
            self.line_log.resize(first + 1024, 0);
        }
        let log: &mut [LineChange; MOST] = self.line_log[first..]
            .first_chunk_mut()
            .expect("there is room");
        let mut changes = 0;
        // Points whose class may have changed, with the colours.
        let mut threats = [(0u16, 0u8); MOST];
        let mut threat_count = 0;
        let mut values = self.totals.values;
        for (direction, (line, place)) in self.lines.through(point).into_iter().enumerate() {
            let middle = shift(place);
            // Behind stones of both colours neither colour sees the stone. Off the board both
            // bits are set.
            let (above, below) = (line >> middle >> 2, line << (63 - middle) << 1);
            let behind_above = (above & EVEN)
                .trailing_zeros()
                .max((above & !EVEN).trailing_zeros() & !1)
                .min(REACH);
            let behind_below = (below & EVEN)
                .leading_zeros()
                .max((below & !EVEN).leading_zeros());
            let behind_below = ((behind_below + 1) & !1).min(REACH);
            let window =
                ((1u64 << (behind_below + 2 + behind_above)) - 1) << (middle - behind_below);
            let mut empty = !(line | line >> 1) & EVEN & window;
            let step = 4 * STEPS[direction];
            let start = (4 * point.slot() + direction) as i32 - place as i32 * step;
            while empty != 0 {
                let bit = empty.trailing_zeros();
                empty &= empty - 1;
                let found = table[window_key::<REACH>(line, bit) % WINDOWS];
                let place = (start + cell_of(bit) as i32 * step) as usize;
                let before = std::mem::replace(self.patterns.at(place), found);
                log[changes] = (place as u32) << 8 | u32::from(before);
                changes += 1;
                values += VALUES[usize::from(found)] - VALUES[usize::from(before)];
                let decides = if REACH == 8 {
                    // Where there are no overlines the highest bit tells a threat.
                    (found | before) & 0x88
                } else {
                    DECIDES[usize::from(found)] | DECIDES[usize::from(before)]
                };
                if decides != 0 && found != before {
                    threats[threat_count] = ((place / 4) as u16, decides);
                    threat_count += 1;
                }
            }
        }
        self.line_changes += changes;
        self.totals.values = values;
        for &(slot, decides) in &threats[..threat_count] {
            self.classify(usize::from(slot), decides);
        }
    }

    /// Finds the class of an empty point anew for the colours of [`DECIDES`].
    fn classify(&mut self, slot: usize, decides: u8) {
        let lines = self.patterns.of(slot);
        for colour in 0..2 {
            if decides & 8 << (4 * colour) == 0 {
                continue;
            }
            let class = self.classes[colour].class(packed(lines, colour));
            let before = std::mem::replace(&mut self.numbers[colour][slot], class);
            if class != before {
                let point = Point::from_slot(slot);
                self.totals.counts[colour][usize::from(before)] -= 1;
                self.totals.counts[colour][usize::from(class)] += 1;
                self.points[colour][usize::from(before)].remove(point);
                self.points[colour][usize::from(class)].insert(point);
                self.class_log.push(ClassChange {
                    slot: slot as u16,
                    colour: colour as u8,
                    before,
                });
            }
        }
    }

    /// Lets the other colour move.
    pub fn pass(&mut self) {
        self.remember(None);
        self.totals.hash ^= SIDE_KEY;
        self.to_move = self.to_move.other();
    }

    /// Takes back the last move or pass.
    ///
    /// # Panics
    /// If there is none.
    pub fn undo(&mut self) {
        let last = self.played.pop().expect("a move to take back");
        self.to_move = self.to_move.other();
        self.totals = last.before;
        let Some(point) = last.point else {
            return;
        };
        self.stones -= 1;
        self.lines.remove(point);
        self.taken.remove(point);
        let changes = last.line_changes as usize..self.line_changes;
        self.line_changes = changes.start;
        // No line of a point changes twice by one move, and no class either.
        for &change in &self.line_log[changes] {
            *self.patterns.at(change as usize >> 8) = change as u8;
        }
        for change in self.class_log.drain(last.class_changes as usize..) {
            let slot = usize::from(change.slot);
            let colour = usize::from(change.colour);
            let class = std::mem::replace(&mut self.numbers[colour][slot], change.before);
            let point = Point::from_slot(slot);
            self.points[colour][usize::from(class)].remove(point);
            self.points[colour][usize::from(change.before)].insert(point);
        }
        for colour in 0..2 {
            let class = usize::from(self.numbers[colour][point.slot()]);
            self.points[colour][class].insert(point);
        }
    }
}
