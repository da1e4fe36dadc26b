//! The evaluation of a published student program for 2048, by row tables.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::LazyLock;

use plywood::Reply;

use super::Twenty48;
use super::board::Board;
use super::evaluation::Heuristic;
use super::replies::{LineSum, visit_replies};
use super::slide::row_exponents;

/// What a tile counts on each cell: the large ones belong to the top left.
const WEIGHTS: [[i32; 4]; 4] = [[10, 8, 6, 4], [8, 8, 6, 2], [6, 6, 4, 1], [4, 2, 1, 1]];
/// What each unit of difference between neighbours in a row costs.
const ROUGHNESS: i32 = -10;
/// What an empty cell counts.
const EMPTY: i32 = 100;
/// What a row counts, once a board, whose largest tile is the goal.
const GOAL_REACHED: i32 = 1000;
/// The exponent of the goal, 2048.
const GOAL: u8 = 11;

/// Weighted tiles, minus ten times the differences between neighbours in the rows, plus
/// 100 for every empty cell, plus 1000 if 2048 is the largest tile of some row.
///
/// Columns are not looked at: the value is not symmetric.
#[derive(Clone, Copy)]
pub struct Report {
    tables: &'static [i32; 4 << 16],
}

impl fmt::Debug for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Report")
    }
}

impl Default for Report {
    fn default() -> Self {
        Report::new()
    }
}

/// What the four cells of a row count, and whether the largest of them is the goal.
fn judge_row(row: usize, exponents: [u8; 4]) -> (i32, bool) {
    let tiles = exponents.map(|exponent| if exponent == 0 { 0 } else { 1 << exponent });
    let weighted: i32 = tiles
        .iter()
        .zip(WEIGHTS[row])
        .map(|(tile, w)| tile * w)
        .sum();
    let roughness: i32 = tiles.windows(2).map(|pair| (pair[0] - pair[1]).abs()).sum();
    let empty = exponents.iter().filter(|&&exponent| exponent == 0).count() as i32;
    let value = weighted + ROUGHNESS * roughness + EMPTY * empty;
    (value, exponents.iter().max() == Some(&GOAL))
}

/// Bits below the value in a table entry: the goal counts once however many rows reach it,
/// so the entries' lowest bits are added up beside the values, four at most.
const GOAL_BITS: u32 = 3;
/// The bits in which they are.
const GOALS: i32 = (1 << GOAL_BITS) - 1;

impl Report {
    /// The evaluation. The first one builds the tables: 1 MiB.
    pub fn new() -> Self {
        static TABLES: LazyLock<Box<[i32; 4 << 16]>> = LazyLock::new(|| {
            let entries: Vec<i32> = (0..4 << 16)
                .map(|index| {
                    let (value, goal) = judge_row(index >> 16, row_exponents(index as u16));
                    value << GOAL_BITS | i32::from(goal)
                })
                .collect();
            entries
                .into_boxed_slice()
                .try_into()
                .expect("four tables of all rows")
        });
        Report { tables: &TABLES }
    }

    /// Without the tables, for tiles that do not fit into a nibble.
    #[cold]
    fn value_slowly(board: Board) -> i32 {
        let exponents = board.exponents();
        let rows = (0..4).map(|row| {
            judge_row(
                row,
                std::array::from_fn(|column| exponents[4 * row + column]),
            )
        });
        let (value, goal) = rows.fold((0, false), |(sum, any), (value, goal)| {
            (sum + value, any | goal)
        });
        value + if goal { GOAL_REACHED } else { 0 }
    }
}

impl Heuristic for Report {
    #[inline]
    fn value(&self, board: Board) -> i32 {
        let Some(rows) = board.rows() else {
            return Report::value_slowly(board);
        };
        let entry = |row: usize| self.row(row, rows[row]);
        self.total(entry(0) + entry(1) + entry(2) + entry(3))
    }

    #[inline]
    fn replies(
        &self,
        game: &Twenty48,
        board: Board,
        score: Option<u32>,
        visit: impl FnMut(f64, Reply<[i32; 1]>) -> ControlFlow<()>,
    ) -> bool {
        visit_replies(self, game.rows, board, score, visit)
    }
}

impl LineSum for Report {
    const COLUMNS: bool = false;

    #[inline(always)]
    fn row(&self, row: usize, tiles: u16) -> i32 {
        self.tables[(row & 3) << 16 | usize::from(tiles)]
    }

    #[inline(always)]
    fn column(&self, _: usize, _: u16) -> i32 {
        0
    }

    #[inline(always)]
    fn total(&self, sum: i32) -> i32 {
        let goal = sum & GOALS != 0;
        (sum >> GOAL_BITS) + if goal { GOAL_REACHED } else { 0 }
    }
}
