//! Gomoku written a second time, as plainly as possible, to compare with.
#![allow(dead_code)]

use std::collections::BTreeSet;

use plywood_games::gomoku::{Candidates, Colour, Gomoku, Point, Position, Rule, Settings};

pub const STEPS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// A board as a grid, indexed by row and column.
#[derive(Clone, PartialEq, Debug)]
pub struct Grid {
    pub settings: Settings,
    pub cells: Vec<Vec<Option<Colour>>>,
}

impl Grid {
    pub fn of(game: &Gomoku, position: &Position) -> Grid {
        let settings = game.settings();
        let row = |row| {
            (0..settings.size)
                .map(|column| position.stone(Point::new(column, row)))
                .collect()
        };
        Grid {
            settings,
            cells: (0..settings.size).map(row).collect(),
        }
    }

    pub fn empty(settings: Settings) -> Grid {
        let size = usize::from(settings.size);
        Grid {
            settings,
            cells: vec![vec![None; size]; size],
        }
    }

    pub fn on_board(&self, x: i32, y: i32) -> bool {
        let size = i32::from(self.settings.size);
        (0..size).contains(&x) && (0..size).contains(&y)
    }

    pub fn at(&self, x: i32, y: i32) -> Option<Colour> {
        if self.on_board(x, y) {
            self.cells[y as usize][x as usize]
        } else {
            None
        }
    }

    fn is_empty(&self, x: i32, y: i32) -> bool {
        self.on_board(x, y) && self.at(x, y).is_none()
    }

    pub fn put(&mut self, x: i32, y: i32, stone: Option<Colour>) {
        self.cells[y as usize][x as usize] = stone;
    }

    fn points(&self) -> impl Iterator<Item = (i32, i32)> + use<> {
        let size = i32::from(self.settings.size);
        (0..size).flat_map(move |y| (0..size).map(move |x| (x, y)))
    }

    /// The lengths of all rows of this colour, each as long as it can be made.
    fn rows(&self, colour: Colour) -> Vec<usize> {
        let mut lengths = Vec::new();
        for (x, y) in self.points() {
            for (dx, dy) in STEPS {
                if self.at(x, y) == Some(colour) && self.at(x - dx, y - dy) != Some(colour) {
                    let mut length = 0;
                    while self.at(x + length * dx, y + length * dy) == Some(colour) {
                        length += 1;
                    }
                    lengths.push(length as usize);
                }
            }
        }
        lengths
    }

    pub fn has_won(&self, colour: Colour) -> bool {
        let exact = match self.settings.rule {
            Rule::Freestyle => false,
            Rule::ExactlyFive => true,
            Rule::Renju => colour == Colour::Black,
        };
        self.rows(colour)
            .into_iter()
            .any(|length| length == 5 || (length > 5 && !exact))
    }

    /// The report's evaluation, for black.
    pub fn report(&self) -> i32 {
        let mut sum = 0;
        for (x, y) in self.points() {
            let Some(colour) = self.at(x, y) else {
                continue;
            };
            for (dx, dy) in STEPS {
                if self.at(x - dx, y - dy) == Some(colour) {
                    continue;
                }
                let mut n = 0;
                while self.at(x + n * dx, y + n * dy) == Some(colour) {
                    n += 1;
                }
                let low = self.is_empty(x - dx, y - dy);
                let high = self.is_empty(x + n * dx, y + n * dy);
                let ends = i32::from(low) + i32::from(high);
                let value = match n {
                    2 if !low => 0,
                    2 => 50 * ends,
                    3 => 250 * ends,
                    4 => 500_000 * ends,
                    _ => 0,
                };
                sum += if colour == Colour::Black {
                    2 * value
                } else {
                    -value
                };
            }
        }
        sum
    }

    /// Whether black may not play here in renju: by looking at all windows of five and six
    /// cells that contain the point.
    pub fn forbidden(&self, x: i32, y: i32) -> bool {
        let mut grid = self.clone();
        grid.put(x, y, Some(Colour::Black));
        !grid.makes_five(x, y) && grid.made_forbidden(x, y)
    }

    fn is_black(&self, x: i32, y: i32) -> bool {
        self.at(x, y) == Some(Colour::Black)
    }

    fn row_through(&self, x: i32, y: i32, (dx, dy): (i32, i32)) -> usize {
        let arm = |sign: i32| {
            (1..)
                .take_while(|n| self.is_black(x + sign * n * dx, y + sign * n * dy))
                .count()
        };
        1 + arm(1) + arm(-1)
    }

    fn makes_five(&self, x: i32, y: i32) -> bool {
        STEPS.iter().any(|&step| self.row_through(x, y, step) == 5)
    }

    fn made_forbidden(&self, x: i32, y: i32) -> bool {
        if STEPS.iter().any(|&step| self.row_through(x, y, step) > 5) {
            return true;
        }
        let mut fours = BTreeSet::new();
        let mut threes = 0;
        for (dx, dy) in STEPS {
            for start in -4..=0 {
                let cell = |n: i32| (x + (start + n) * dx, y + (start + n) * dy);
                let black: Vec<_> = (0..5)
                    .map(cell)
                    .filter(|&(x, y)| self.is_black(x, y))
                    .collect();
                let empty = (0..5)
                    .map(cell)
                    .filter(|&(x, y)| self.is_empty(x, y))
                    .count();
                let (before, after) = (cell(-1), cell(5));
                if black.len() == 4
                    && empty == 1
                    && !self.is_black(before.0, before.1)
                    && !self.is_black(after.0, after.1)
                {
                    fours.insert(black);
                }
            }
            let is_three = (-4..=-1).any(|start| {
                let cell = |n: i32| (x + (start + n) * dx, y + (start + n) * dy);
                let black = |n| self.is_black(cell(n).0, cell(n).1);
                let empty = |n| self.is_empty(cell(n).0, cell(n).1);
                let gaps: Vec<_> = (1..5).filter(|&n| empty(n)).collect();
                let stones = (1..5).filter(|&n| black(n)).count();
                if !(empty(0) && empty(5) && gaps.len() == 1 && stones == 3)
                    || black(-1)
                    || black(6)
                {
                    return false;
                }
                let (gx, gy) = cell(gaps[0]);
                let mut next = self.clone();
                next.put(gx, gy, Some(Colour::Black));
                !next.makes_five(gx, gy) && !next.made_forbidden(gx, gy)
            });
            threes += usize::from(is_three);
        }
        fours.len() > 1 || threes > 1
    }

    /// The legal points for a colour, near stones or not, row by row.
    pub fn legal(&self, colour: Colour) -> Vec<(i32, i32)> {
        let corner = i32::from(self.settings.corner.unwrap_or(self.settings.size));
        self.points()
            .filter(|&(x, y)| x < corner && y < corner && self.at(x, y).is_none())
            .filter(|&(x, y)| {
                self.settings.rule != Rule::Renju
                    || colour == Colour::White
                    || !self.forbidden(x, y)
            })
            .collect()
    }

    /// The moves of a colour in a game that is not over.
    pub fn moves(&self, colour: Colour) -> Vec<(i32, i32)> {
        let legal = self.legal(colour);
        let Candidates::Near(distance) = self.settings.candidates else {
            return legal;
        };
        let stones: Vec<_> = self
            .points()
            .filter(|&(x, y)| self.at(x, y).is_some())
            .collect();
        let centre = i32::from(self.settings.size) / 2;
        if stones.is_empty() && legal.contains(&(centre, centre)) {
            return vec![(centre, centre)];
        }
        let near: Vec<_> = legal
            .iter()
            .copied()
            .filter(|&(x, y)| {
                stones
                    .iter()
                    .any(|&(sx, sy)| (x - sx).abs().max((y - sy).abs()) <= i32::from(distance))
            })
            .collect();
        if near.is_empty() { legal } else { near }
    }

    pub fn is_over(&self, to_move: Colour) -> bool {
        self.has_won(Colour::Black) || self.has_won(Colour::White) || self.legal(to_move).is_empty()
    }

    /// The number of games of this many more moves.
    pub fn perft(&mut self, colour: Colour, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if self.is_over(colour) {
            return 0;
        }
        let mut sum = 0;
        for (x, y) in self.moves(colour) {
            self.put(x, y, Some(colour));
            sum += self.perft(colour.other(), depth - 1);
            self.put(x, y, None);
        }
        sum
    }
}
