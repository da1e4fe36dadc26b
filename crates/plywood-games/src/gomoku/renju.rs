//! Renju's forbidden points: where black may not play.

use std::fmt;

use super::board::{Colour, Lines, shift};
use super::point::Point;

/// Why black may not play on a point.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Forbidden {
    /// Six stones or more in a row.
    Overline,
    /// Two fours at once.
    DoubleFour,
    /// Two threes at once.
    DoubleThree,
}

impl fmt::Display for Forbidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Forbidden::Overline => "overline",
            Forbidden::DoubleFour => "double four",
            Forbidden::DoubleThree => "double three",
        })
    }
}

/// What the stone just put on a point has made.
enum Made {
    Five,
    Forbidden(Forbidden),
    Allowed,
}

/// Whether and why black may not play on this empty point.
///
/// Five in a row takes precedence over everything. A four is a set of four stones to which
/// one more makes exactly five. A three counts only if one more stone, that makes no five at
/// the same time and is itself not forbidden, makes a straight four of it: four in a row
/// with exactly five to be had at either end.
pub(super) fn forbidden(lines: &Lines, point: Point) -> Option<Forbidden> {
    match made_by(&mut lines.clone(), point) {
        Made::Forbidden(why) => Some(why),
        Made::Five | Made::Allowed => None,
    }
}

/// What a black stone on an empty point would make. The lines are left as they were.
fn made_by(lines: &mut Lines, point: Point) -> Made {
    lines.place(point, Colour::Black);
    let made = judge(lines, point);
    lines.remove(point);
    made
}

fn judge(lines: &mut Lines, point: Point) -> Made {
    let through = lines.through(point).map(|(line, cell)| Line { line, cell });
    let lengths = through.map(|line| line.run(line.line).length());
    if lengths.contains(&5) {
        return Made::Five;
    }
    if lengths.iter().any(|&length| length > 5) {
        return Made::Forbidden(Forbidden::Overline);
    }
    let fours: usize = through.iter().map(Line::fours).sum();
    if fours > 1 {
        return Made::Forbidden(Forbidden::DoubleFour);
    }
    let mut threes = 0;
    for (direction, line) in through.iter().enumerate() {
        if line.is_three(|cell| makes_only_a_four(lines, along(point, direction, *line, cell))) {
            threes += 1;
        }
    }
    if threes > 1 {
        Made::Forbidden(Forbidden::DoubleThree)
    } else {
        Made::Allowed
    }
}

/// Whether black can play here, and not just to win at once.
fn makes_only_a_four(lines: &mut Lines, point: Point) -> bool {
    matches!(made_by(lines, point), Made::Allowed)
}

/// The point of another cell of a line through a point.
fn along(point: Point, direction: usize, line: Line, cell: u32) -> Point {
    let (column, row) = (u32::from(point.column()), u32::from(point.row()));
    match direction {
        0 => Point::at(cell, row),
        1 => Point::at(column, cell),
        2 => Point::at(cell, row + cell - line.cell),
        _ => Point::at(cell, row + line.cell - cell),
    }
}

/// A line with a black stone on one of its cells.
#[derive(Clone, Copy)]
struct Line {
    line: u64,
    cell: u32,
}

/// A row of touching black stones, by its first and last bit pair.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Run {
    first: u32,
    last: u32,
}

impl Run {
    fn length(self) -> u32 {
        self.last - self.first + 1
    }

    fn contains(self, place: u32) -> bool {
        (self.first..=self.last).contains(&place)
    }
}

impl Line {
    /// Where the stone is, counted in bit pairs of the word, those before the board included.
    fn place(&self) -> u32 {
        shift(self.cell) / 2
    }

    /// The run that contains the stone, on this line with a stone or two added.
    fn run(&self, line: u64) -> Run {
        let black = |place: u32| line >> (2 * place) & 3 == 1;
        let (mut first, mut last) = (self.place(), self.place());
        while black(first - 1) {
            first -= 1;
        }
        while black(last + 1) {
            last += 1;
        }
        Run { first, last }
    }

    /// The empty places up to this far away, each with the run that a stone there would give.
    fn additions(&self, distance: u32) -> impl Iterator<Item = (u32, Run)> {
        let line = self.line;
        (self.place() - distance..=self.place() + distance)
            .filter(move |place| line >> (2 * place) & 3 == 0)
            .map(move |place| (place, self.run(line | 1 << (2 * place))))
            .filter(|(place, run)| run.contains(*place))
    }

    /// How many fours contain the stone: sets of four stones that one more makes a five.
    fn fours(&self) -> usize {
        let mut seen = [0u64; 9];
        let mut count = 0;
        for (place, run) in self.additions(4).filter(|(_, run)| run.length() == 5) {
            let stones = (run.first..=run.last)
                .filter(|&stone| stone != place)
                .fold(0, |set, stone| set | 1 << stone);
            // A straight four is completed at either end: one four, not two.
            if !seen[..count].contains(&stones) {
                seen[count] = stones;
                count += 1;
            }
        }
        count
    }

    /// Whether a stone that may be added makes a straight four here.
    fn is_three(&self, mut may_add: impl FnMut(u32) -> bool) -> bool {
        let at = |place: u32| self.line >> (2 * place) & 3;
        self.additions(3).any(|(place, run)| {
            run.length() == 4
                && at(run.first - 1) == 0
                && at(run.last + 1) == 0
                && at(run.first - 2) != 1
                && at(run.last + 2) != 1
                && may_add(super::board::cell_of(2 * place))
        })
    }
}
