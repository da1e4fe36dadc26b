//! What a board tells of its position: stones, classes, and the points that matter.

use super::super::super::board::{Colour, cell_of, shift};
use super::super::super::renju;
use super::super::super::{Forbidden, Point, Rule};
use super::super::class::Class;
use super::super::line::Pattern;
use super::super::points::Points;
use super::super::weights::{DEAD, PROMISES};
use super::{PatternBoard, STEPS, packed};

impl PatternBoard {
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
        Class::from_number(self.numbers[colour as usize][point.slot()])
    }

    /// The patterns of an empty point: row, column, rising and falling diagonal.
    #[inline]
    pub fn patterns(&self, colour: Colour, point: Point) -> [Pattern; 4] {
        let packed = packed(self.patterns.of(point.slot()), colour as usize);
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
        let pairs = &PROMISES[colour as usize];
        let lines = self.patterns.of(point.slot());
        let sum: i16 = lines.iter().map(|&pair| pairs[usize::from(pair)]).sum();
        let attack = self.class(colour, point).attack();
        let defence = self.class(colour.other(), point).defence();
        i32::from(sum + attack + defence)
    }

    /// Whether no five of either colour can contain this empty point.
    #[inline]
    pub fn is_dead(&self, point: Point) -> bool {
        u32::from_le_bytes(self.patterns.of(point.slot())) & DEAD == 0
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

    /// Where a colour that has no five could make one after a stone of it on an empty point.
    pub(in super::super::super) fn fives_after(&self, colour: Colour, point: Point) -> Points {
        let mut fives = Points::EMPTY;
        let patterns = self.patterns(colour, point);
        for (direction, (line, place)) in self.lines.through(point).into_iter().enumerate() {
            if patterns[direction] < Pattern::Four {
                continue;
            }
            let line = line | colour.bits() << shift(place);
            let window = (0x1_5555u64 << shift(place)) >> 8;
            let mut empty = !(line | line >> 1) & window;
            while empty != 0 {
                let bit = empty.trailing_zeros();
                empty &= empty - 1;
                let pair = self.table.at(line, bit);
                if Pattern::of(pair >> (4 * colour as u8) & 15) == Pattern::Five {
                    let steps = cell_of(bit) as i32 - place as i32;
                    let slot = point.slot() as i32 + steps * STEPS[direction];
                    fives.insert(Point::from_slot(slot as usize));
                }
            }
        }
        fives
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

    /// Whether more can come of a four than the answer to it: the stone makes a two in another
    /// line, or a three if it is the only four there is. True as well of whatever is more than
    /// one four.
    #[inline]
    pub(in super::super::super) fn four_goes_on(
        &self,
        colour: Colour,
        point: Point,
        alone: bool,
    ) -> bool {
        let patterns = packed(self.patterns.of(point.slot()), colour as usize);
        if self.class(colour, point) != Class::Four {
            return true;
        }
        // Besides its four the point has patterns from nothing to a closed three, the highest.
        const _: () = assert!(Pattern::ClosedTwo as u8 == 4 && Pattern::ClosedThree as u8 == 7);
        let twos = patterns >> 2 & !(patterns >> 3) & 0x1111;
        let threes = twos & patterns >> 1 & patterns;
        if alone { threes != 0 } else { twos != 0 }
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
        Points::board(self.size).without(&self.taken)
    }

    /// The empty points at most two steps from a stone.
    pub fn near_points(&self) -> Points {
        self.taken.widened().and(&self.empty_points())
    }

    /// The points that stop a four of this colour: where it would make five.
    #[inline]
    pub fn fives(&self, colour: Colour) -> &Points {
        self.points(colour, Class::Five)
    }
}
