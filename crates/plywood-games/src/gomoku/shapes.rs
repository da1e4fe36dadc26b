//! Shapes: what a stone would make of a line, gaps included.
//!
//! The shape that a stone makes in one direction is read off the four cells on either side:
//! four cells are one of 121 (the edge, once reached, goes on), so both sides are one of
//! 14,641 and one byte holds the shape for either colour. The tables order moves and spare
//! renju most of its search for forbidden points; for both it is enough that an overline is
//! taken for a five.

use std::sync::LazyLock;

use super::board::{Colour, Lines, shift};
use super::point::Point;

/// What a stone makes of a line, weakest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub(super) enum Shape {
    /// No five can arise here any more.
    Dead,
    /// A stone alone, with room for five.
    One,
    /// Two stones from which five can arise, but no open three next.
    ClosedTwo,
    /// Two stones that one more makes an open three.
    OpenTwo,
    /// Three stones that one more makes a four, but no open one.
    ClosedThree,
    /// Three stones that one more makes an open four.
    OpenThree,
    /// Four stones with one point that makes five.
    Four,
    /// Four stones or more with two points that make five.
    OpenFour,
    /// Five stones or more.
    Five,
}

/// The number of things that four cells on one side can be.
const SIDES: usize = 121;

/// The shapes of one direction for both colours: black's in the low four bits.
type Pair = u8;

pub(super) struct ShapeTable {
    /// Four cells, two bits each, to their number below [`SIDES`]; before the cell.
    before: [u16; 256],
    /// The same after the cell.
    after: [u16; 256],
    pairs: Box<[Pair]>,
    /// What a pair of shapes is worth to a move, by the colour that moves.
    priorities: [[i32; 256]; 2],
}

static TABLE: LazyLock<ShapeTable> = LazyLock::new(ShapeTable::build);

impl ShapeTable {
    pub(super) fn get() -> &'static ShapeTable {
        &TABLE
    }

    fn build() -> ShapeTable {
        let mut before = [0; 256];
        let mut after = [0; 256];
        let mut sides = Vec::with_capacity(SIDES);
        for cells in 0..256u16 {
            // After the edge everything is off the board; other bytes never occur.
            let on_board = (0..4)
                .take_while(|index| cells >> (2 * index) & 3 != 3)
                .count();
            if (on_board..4).any(|index| cells >> (2 * index) & 3 != 3) {
                continue;
            }
            let number = sides.len() as u16;
            after[usize::from(cells)] = number;
            before[usize::from(mirrored(cells))] = number * SIDES as u16;
            sides.push(cells);
        }
        assert_eq!(sides.len(), SIDES);
        let mut pairs = Vec::with_capacity(SIDES * SIDES);
        for &low in &sides {
            for &high in &sides {
                let window = u32::from(mirrored(low)) | u32::from(high) << 10;
                let black = shape(window, Colour::Black) as u8;
                let white = shape(window, Colour::White) as u8;
                pairs.push(black | white << 4);
            }
        }
        let mut priorities = [[0; 256]; 2];
        for pair in 0..=255u8 {
            let (black, white) = (usize::from(pair & 15), usize::from(pair >> 4));
            let make = |index: usize| MAKE.get(index).copied().unwrap_or(0);
            let stop = |index: usize| STOP.get(index).copied().unwrap_or(0);
            priorities[0][usize::from(pair)] = make(black) + stop(white);
            priorities[1][usize::from(pair)] = make(white) + stop(black);
        }
        ShapeTable {
            before,
            after,
            pairs: pairs.into(),
            priorities,
        }
    }

    #[inline]
    fn pair(&self, line: u64, cell: u32) -> Pair {
        let window = line >> (shift(cell) - 8);
        let before = self.before[(window & 255) as usize];
        let after = self.after[(window >> 10 & 255) as usize];
        self.pairs[usize::from(before + after)]
    }

    /// How promising a stone of this colour on this empty point looks: the sum over the four
    /// directions of the shape it makes and the shape it takes from the opponent.
    #[inline]
    pub(super) fn priority(&self, lines: &Lines, point: Point, colour: Colour) -> i32 {
        let values = &self.priorities[colour as usize];
        let mut sum = 0;
        for (line, cell) in lines.through(point) {
            sum += values[usize::from(self.pair(line, cell))];
        }
        sum
    }

    /// Whether black on this empty point has to be looked at closely: it makes five or more,
    /// two points that win at once in one line, or threes and fours in two lines. Any other
    /// point is allowed.
    #[inline]
    pub(super) fn may_be_forbidden(&self, lines: &Lines, point: Point) -> bool {
        let mut threats = 0;
        for (line, cell) in lines.through(point) {
            let black = self.pair(line, cell) & 15;
            threats += if black >= Shape::OpenFour as u8 {
                2
            } else {
                i32::from(black >= Shape::OpenThree as u8)
            };
        }
        threats >= 2
    }
}

/// What making a shape is worth, weakest first.
///
/// The order is: five; stop a five; open four; stop an open four. One of each outweighs four
/// directions of all that comes after it; the shapes below add up, so that a point with two
/// threats goes before one with a single threat.
const MAKE: [i32; 9] = [0, 4, 12, 40, 40, 400, 500, 40_000, 4_000_000];

/// What it is worth to take a shape from the opponent.
const STOP: [i32; 9] = [0, 3, 8, 25, 25, 250, 300, 8_000, 400_000];

/// Four cells in the opposite order.
fn mirrored(cells: u16) -> u16 {
    (0..4).fold(0, |sum, index| {
        sum | (cells >> (2 * index) & 3) << (2 * (3 - index))
    })
}

/// The shape that a stone in the middle of nine cells makes.
fn shape(window: u32, colour: Colour) -> Shape {
    let own = |cell: usize| cell == 4 || window >> (2 * cell) & 3 == colour.bits() as u32;
    let empty = |cell: usize| cell != 4 && window >> (2 * cell) & 3 == 0;
    // The stones in each of the five rows of five that contain the middle, 0 if one cell of
    // them is not to be had.
    let stones: [usize; 5] = std::array::from_fn(|start| {
        let mut cells = start..start + 5;
        if cells.clone().all(|cell| own(cell) || empty(cell)) {
            cells.by_ref().filter(|&cell| own(cell)).count()
        } else {
            0
        }
    });
    // Two rows of five side by side with as many stones, the outermost cells empty: the
    // stones can grow in either.
    let open = |count: usize| {
        (0..4).any(|start| stones[start] == count && stones[start + 1] == count && empty(start))
    };
    match stones.into_iter().max().unwrap_or(0) {
        5 => Shape::Five,
        4 => {
            let mut points = [false; 9];
            for (start, _) in stones.iter().enumerate().filter(|(_, count)| **count == 4) {
                for cell in (start..start + 5).filter(|&cell| empty(cell)) {
                    points[cell] = true;
                }
            }
            if points.into_iter().filter(|&point| point).count() > 1 {
                Shape::OpenFour
            } else {
                Shape::Four
            }
        }
        3 if open(3) => Shape::OpenThree,
        3 => Shape::ClosedThree,
        2 if open(2) => Shape::OpenTwo,
        2 => Shape::ClosedTwo,
        1 => Shape::One,
        _ => Shape::Dead,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shape of a stone at the star: x own stones, o others, | the edge.
    fn shape_of(text: &str) -> (Shape, Shape) {
        assert_eq!(text.chars().nth(4), Some('*'));
        let mut window = 0u32;
        for (cell, character) in text.chars().enumerate() {
            let bits = match character {
                'x' => 1,
                'o' => 2,
                '|' => 3,
                _ => 0,
            };
            window |= bits << (2 * cell);
        }
        (shape(window, Colour::Black), shape(window, Colour::White))
    }

    #[test]
    fn shapes_of_either_colour() {
        for (text, black, white) in [
            ("....*....", Shape::One, Shape::One),
            ("xxxx*....", Shape::Five, Shape::One),
            (".xxx*....", Shape::OpenFour, Shape::One),
            ("oxxx*....", Shape::Four, Shape::One),
            ("oxxx*o...", Shape::Dead, Shape::ClosedTwo),
            ("|.xx*x...", Shape::OpenFour, Shape::Dead),
            ("||||*xxx.", Shape::Four, Shape::Dead),
            ("..xx*....", Shape::OpenThree, Shape::One),
            (".oxx*....", Shape::ClosedThree, Shape::One),
            (".x.x*....", Shape::OpenThree, Shape::One),
            ("||xx*....", Shape::ClosedThree, Shape::One),
            ("x.xx*..o.", Shape::Four, Shape::ClosedTwo),
            ("..x.*....", Shape::OpenTwo, Shape::One),
            ("||||*x...", Shape::ClosedTwo, Shape::Dead),
            ("x.xx*.x..", Shape::OpenFour, Shape::Dead),
            ("xxx.*....", Shape::Four, Shape::One),
            ("|||o*o|||", Shape::Dead, Shape::Dead),
            ("xxxx*oooo", Shape::Five, Shape::Five),
        ] {
            assert_eq!(shape_of(text), (black, white), "{text}");
        }
    }

    #[test]
    fn the_table_holds_the_shape_of_every_window() {
        let table = ShapeTable::get();
        // All lines of nine cells around cell 4, with the edge at every distance.
        for low in 0..=4u32 {
            for high in 0..=4u32 {
                let cells = low + high;
                for number in 0..3u64.pow(cells) {
                    let mut line = (u64::MAX << (2 * 15)) | ((1 << (2 * 6)) - 1);
                    let mut digits = number;
                    for cell in (0..9).filter(|&cell| cell != 4) {
                        let bits = if cell + low < 4 || cell > 4 + high {
                            3
                        } else {
                            let digit = digits % 3;
                            digits /= 3;
                            digit
                        };
                        line |= bits << shift(cell);
                    }
                    let window = (line >> shift(0)) as u32;
                    let pair = table.pair(line, 4);
                    assert_eq!(pair & 15, shape(window, Colour::Black) as u8);
                    assert_eq!(pair >> 4, shape(window, Colour::White) as u8);
                }
            }
        }
    }
}
