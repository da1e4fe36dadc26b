//! A position whose patterns are kept up to date.

use super::super::board::{Colour, EVEN, Lines, cell_of, shift};
use super::super::position::{SIDE_KEY, STONE_KEYS};
use super::super::renju;
use super::super::{Forbidden, Gomoku, Point, Position, Rule};
use super::class::{Class, ClassTable, DECIDES, VALUES};
use super::line::{LineTable, Pattern};
use super::points::Points;

/// What is known of an empty point. That of a point with a stone is what was known when the
/// stone was put there: it is right again as soon as the stone is taken back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C, align(8))]
struct Cell {
    /// By line, the patterns of black in the low four bits and of white in the high ones.
    lines: [u8; 4],
    /// By colour, the number of the [`Class`].
    classes: [u8; 2],
    /// The number of the point.
    slot: u16,
}

impl Cell {
    /// The patterns of a colour in the four lines, four bits each.
    #[inline]
    fn patterns(&self, colour: usize) -> u16 {
        let lines = u32::from_le_bytes(self.lines) >> (4 * colour) & 0x0F0F_0F0F;
        let pairs = (lines | lines >> 4) & 0x00FF_00FF;
        (pairs | pairs >> 8) as u16
    }

    /// What the evaluation counts here.
    #[inline]
    fn value(&self) -> i64 {
        let of = |line: usize| VALUES[usize::from(self.lines[line])];
        of(0) + of(1) + of(2) + of(3)
    }
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
    /// Where its changes begin in the log.
    changes: u32,
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
    cells: Box<[Cell; Point::SLOTS]>,
    /// The empty points of each class, by colour.
    points: [[Points; Class::COUNT]; 2],
    played: Vec<Played>,
    log: Vec<Cell>,
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
            cells: Box::new([Cell::default(); Point::SLOTS]),
            points: [[Points::EMPTY; Class::COUNT]; 2],
            played: Vec::with_capacity(64),
            log: Vec::with_capacity(2048),
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
            cells: self.cells.clone(),
            lines: self.lines.clone(),
            played: Vec::with_capacity(64),
            log: Vec::with_capacity(2048),
            ..*self
        }
    }

    /// Puts a stone on an empty point, for good.
    pub fn set(&mut self, point: Point, colour: Colour) {
        self.set_to_move(colour);
        self.play(point);
        self.played.clear();
        self.log.clear();
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
        let mut cell = Cell {
            slot: point.slot() as u16,
            ..Cell::default()
        };
        for (direction, (line, place)) in self.lines.through(point).into_iter().enumerate() {
            cell.lines[direction] = self.table.at(line, shift(place));
        }
        self.totals.values += cell.value();
        for colour in 0..2 {
            let class = self.classes[colour].class(cell.patterns(colour));
            cell.classes[colour] = class;
            self.totals.counts[colour][usize::from(class)] += 1;
            self.points[colour][usize::from(class)].insert(point);
        }
        self.cells[point.slot()] = cell;
    }

    /// Puts a stone of the colour to move on an empty point; the other colour is to move then.
    ///
    /// Nothing is asked: not whether renju forbids the point, nor whether the game is over.
    pub fn play(&mut self, point: Point) {
        debug_assert!(self.stone(point).is_none());
        self.played.push(Played {
            point: Some(point),
            changes: self.log.len() as u32,
            before: self.totals,
        });
        let colour = self.to_move;
        // The point is no longer empty.
        let cell = self.cells[point.slot()];
        self.totals.values -= cell.value();
        for index in 0..2 {
            let class = usize::from(cell.classes[index]);
            self.points[index][class].remove(point);
            self.totals.counts[index][class] -= 1;
        }
        self.lines.place(point, colour);
        self.stones += 1;
        self.totals.hash ^= STONE_KEYS[colour as usize][point.slot()];
        self.to_move = colour.other();
        match self.rule {
            Rule::Freestyle => self.look_around::<8>(point),
            Rule::ExactlyFive | Rule::Renju => self.look_around::<10>(point),
        }
    }

    /// Brings the points up to date that a stone can have changed: those so many bits away in
    /// the four lines, as far as they see the stone.
    #[inline]
    fn look_around<const REACH: u32>(&mut self, point: Point) {
        let table = self.table;
        debug_assert_eq!(REACH, table.reach_bits());
        self.log.reserve(64);
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
            while empty != 0 {
                let bit = empty.trailing_zeros();
                empty &= empty - 1;
                let found = table.within::<REACH>(line, bit);
                let steps = (bit as i32 - middle as i32) / 2;
                let slot = (point.slot() as i32 + steps * STEPS[direction]) as usize;
                if self.cells[slot].lines[direction] != found {
                    self.change(slot, direction, found);
                }
            }
        }
    }

    /// A line through an empty point has other patterns now.
    #[inline]
    fn change(&mut self, slot: usize, direction: usize, found: u8) {
        let mut cell = self.cells[slot];
        self.log.push(cell);
        let old = std::mem::replace(&mut cell.lines[direction], found);
        self.totals.values += VALUES[usize::from(found)] - VALUES[usize::from(old)];
        let decides = DECIDES[usize::from(found)] | DECIDES[usize::from(old)];
        if decides != 0 {
            for colour in 0..2 {
                if decides >> colour & 1 == 0 {
                    continue;
                }
                let was = cell.classes[colour];
                let is = self.classes[colour].class(cell.patterns(colour));
                if was != is {
                    let point = Point::from_slot(slot);
                    cell.classes[colour] = is;
                    self.totals.counts[colour][usize::from(was)] -= 1;
                    self.totals.counts[colour][usize::from(is)] += 1;
                    self.points[colour][usize::from(was)].remove(point);
                    self.points[colour][usize::from(is)].insert(point);
                }
            }
        }
        self.cells[slot] = cell;
    }

    /// Lets the other colour move.
    pub fn pass(&mut self) {
        self.played.push(Played {
            point: None,
            changes: self.log.len() as u32,
            before: self.totals,
        });
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
        while self.log.len() > last.changes as usize {
            let old = self.log.pop().expect("it is longer");
            let slot = usize::from(old.slot);
            let new = std::mem::replace(&mut self.cells[slot], old);
            if new.classes == old.classes {
                continue;
            }
            for colour in 0..2 {
                let (is, was) = (new.classes[colour], old.classes[colour]);
                if is != was {
                    let point = Point::from_slot(slot);
                    self.points[colour][usize::from(is)].remove(point);
                    self.points[colour][usize::from(was)].insert(point);
                }
            }
        }
        let cell = self.cells[point.slot()];
        for colour in 0..2 {
            self.points[colour][usize::from(cell.classes[colour])].insert(point);
        }
    }

    /// The rule.
    #[inline]
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// Rows and columns.
    #[inline]
    pub fn size(&self) -> u8 {
        self.size
    }

    /// The colour to move.
    #[inline]
    pub fn to_move(&self) -> Colour {
        self.to_move
    }

    /// A number that tells positions apart: of stones and of the colour to move.
    #[inline]
    pub fn hash(&self) -> u64 {
        self.totals.hash
    }

    /// The stone on a point.
    #[inline]
    pub fn stone(&self, point: Point) -> Option<Colour> {
        self.lines.stone(point)
    }

    /// How many stones there are.
    #[inline]
    pub fn stones(&self) -> u16 {
        self.stones
    }

    /// Whether there is no empty point left.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.stones == u16::from(self.size) * u16::from(self.size)
    }

    /// The moves and passes (`None`) that can be taken back, the last one last.
    pub fn played(&self) -> impl DoubleEndedIterator<Item = Option<Point>> {
        self.played.iter().map(|played| played.point)
    }

    /// The point of the last move, if that was no pass and can be taken back.
    #[inline]
    pub fn last(&self) -> Option<Point> {
        self.played.last().and_then(|played| played.point)
    }

    /// The class of an empty point.
    #[inline]
    pub fn class(&self, colour: Colour, point: Point) -> Class {
        Class::from_number(self.cells[point.slot()].classes[colour as usize])
    }

    /// The patterns of an empty point: row, column, rising and falling diagonal.
    #[inline]
    pub fn patterns(&self, colour: Colour, point: Point) -> [Pattern; 4] {
        let packed = self.cells[point.slot()].patterns(colour as usize);
        std::array::from_fn(|direction| Pattern::of((packed >> (4 * direction) & 15) as u8))
    }

    /// How many empty points are of a class.
    #[inline]
    pub fn count(&self, colour: Colour, class: Class) -> u16 {
        self.totals.counts[colour as usize][class as usize]
    }

    /// The empty points of a class.
    #[inline]
    pub fn points(&self, colour: Colour, class: Class) -> &Points {
        &self.points[colour as usize][class as usize]
    }

    /// What the evaluation counts for a colour.
    #[inline]
    pub fn value(&self, colour: Colour) -> i32 {
        match colour {
            Colour::Black => self.totals.values as i32,
            // Black's part may have borrowed one.
            Colour::White => {
                ((self.totals.values - i64::from(self.totals.values as i32)) >> 32) as i32
            }
        }
    }

    /// How promising a stone of a colour on an empty point looks.
    #[inline]
    pub fn promise(&self, colour: Colour, point: Point) -> i32 {
        let cell = &self.cells[point.slot()];
        let (own, other) = (colour as usize, colour.other() as usize);
        let attack = self.classes[own].attack(cell.patterns(own));
        let defence = self.classes[other].defence(cell.patterns(other));
        i32::from(attack) + i32::from(defence)
    }

    /// Whether a colour may play on an empty point.
    #[inline]
    pub fn is_allowed(&self, colour: Colour, point: Point) -> bool {
        self.class(colour, point) != Class::PerhapsForbidden || self.forbidden(point).is_none()
    }

    /// Whether and why black may not play on this empty point; always `None` but in renju.
    pub fn forbidden(&self, point: Point) -> Option<Forbidden> {
        if self.class(Colour::Black, point) == Class::PerhapsForbidden {
            renju::forbidden(&self.lines, point)
        } else {
            None
        }
    }

    /// The empty points where a stone makes a four (an open one included) or more and that
    /// the colour may play on.
    pub fn fours(&self, colour: Colour) -> Points {
        let of = |class| self.points(colour, class);
        let mut fours = of(Class::Four)
            .or(of(Class::FourThree))
            .or(of(Class::OpenFour))
            .or(of(Class::Five));
        for point in of(Class::PerhapsForbidden).iter() {
            let patterns = self.patterns(colour, point);
            if patterns.iter().any(|&pattern| pattern >= Pattern::Four)
                && self.forbidden(point).is_none()
            {
                fours.insert(point);
            }
        }
        fours
    }

    /// The empty points where a stone makes an open three, but no four, and that the colour
    /// may play on. A three that renju's rules make a false one counts too.
    pub fn threes(&self, colour: Colour) -> Points {
        let of = |class| self.points(colour, class);
        let mut threes = of(Class::Three).or(of(Class::DoubleThree));
        for point in of(Class::PerhapsForbidden).iter() {
            let patterns = self.patterns(colour, point);
            if patterns
                .iter()
                .any(|&pattern| pattern >= Pattern::OpenThree)
                && patterns.iter().all(|&pattern| pattern < Pattern::Four)
                && self.forbidden(point).is_none()
            {
                threes.insert(point);
            }
        }
        threes
    }

    /// All empty points.
    pub fn empty_points(&self) -> Points {
        let mut points = Points::EMPTY;
        for row in 0..usize::from(self.size) {
            points.insert_row(row, self.empty_in(row));
        }
        points
    }

    /// The empty points at most two steps from a stone.
    pub fn near_points(&self) -> Points {
        let mut points = Points::EMPTY;
        let mut wide = [0u32; 24];
        for row in 0..usize::from(self.size) {
            let stones = self.stones_in(row);
            wide[row + 2] = stones | stones << 1 | stones << 2 | stones >> 1 | stones >> 2;
        }
        for row in 0..usize::from(self.size) {
            let near = wide[row] | wide[row + 1] | wide[row + 2] | wide[row + 3] | wide[row + 4];
            points.insert_row(row, near & self.empty_in(row));
        }
        points
    }

    /// The stones of a row, a bit a column.
    #[inline]
    fn stones_in(&self, row: usize) -> u32 {
        let line = self.lines.rows()[row];
        squeezed((line ^ line >> 1) & EVEN)
    }

    #[inline]
    fn empty_in(&self, row: usize) -> u32 {
        let line = self.lines.rows()[row];
        squeezed(!(line | line >> 1) & EVEN)
    }

    /// The points that stop a four of this colour: where it would make five.
    #[inline]
    pub fn fives(&self, colour: Colour) -> &Points {
        self.points(colour, Class::Five)
    }
}

/// The even bits of a line's word side by side, the cells before the board left out.
#[inline]
fn squeezed(even: u64) -> u32 {
    let mut bits = even;
    bits = (bits | bits >> 1) & 0x3333_3333_3333_3333;
    bits = (bits | bits >> 2) & 0x0F0F_0F0F_0F0F_0F0F;
    bits = (bits | bits >> 4) & 0x00FF_00FF_00FF_00FF;
    bits = (bits | bits >> 8) & 0x0000_FFFF_0000_FFFF;
    bits = (bits | bits >> 16) & 0x0000_0000_FFFF_FFFF;
    bits as u32 >> (shift(0) / 2)
}

const _: () = assert!(cell_of(shift(0)) == 0);
