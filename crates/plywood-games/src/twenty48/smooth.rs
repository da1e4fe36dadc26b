//! Our own evaluation: lines that run one way, room, and tiles about to merge.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::LazyLock;

use plywood::Reply;

use super::Twenty48;
use super::board::Board;
use super::evaluation::Heuristic;
use super::replies::{LineSum, visit_replies};
use super::slide::row_exponents;

/// What an empty cell counts, once in its row and once in its column.
const EMPTY: f64 = 143.6;
/// What a pair counts that would merge, empty cells between them or not.
const PAIR: f64 = 508.5;
/// What a line costs that runs neither up nor down, per unit of [`BEND_POWER`].
const BEND: f64 = 12.6;
/// Bends among large tiles cost more: by this power of the exponent.
const BEND_POWER: f64 = 2.731;
/// What a step between neighbours costs, per exponent.
const STEP: f64 = 15.7;
/// What a tile costs, per unit of [`TILE_POWER`]: one large tile is better than its halves.
const TILE: f64 = 4.125;
/// The power of the exponent that a tile costs.
const TILE_POWER: f64 = 2.804;
/// What being stuck costs.
const STUCK: i32 = 54_414;

/// Room, pairs about to merge, few tiles, small steps, and lines that run one way so that
/// no small tile is caught between large ones.
///
/// Judges the four rows and the four columns alike, so mirrored and turned boards are
/// worth the same. The constants were found by trying changes at random and keeping those
/// that scored more over many games, looking two slides ahead.
#[derive(Clone, Copy)]
pub struct Smooth {
    lines: &'static [i32; 1 << 16],
}

impl fmt::Debug for Smooth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Smooth")
    }
}

impl Default for Smooth {
    fn default() -> Self {
        Smooth::new()
    }
}

/// What a line of four tiles is worth.
fn judge_line(line: [u8; 4]) -> i32 {
    let line = line.map(f64::from);
    let tiles: Vec<f64> = line.into_iter().filter(|&tile| tile > 0.0).collect();
    let empty = 4.0 - tiles.len() as f64;
    let pairs = tiles.windows(2).filter(|pair| pair[0] == pair[1]).count() as f64;
    let steps: f64 = tiles.windows(2).map(|pair| (pair[0] - pair[1]).abs()).sum();
    let cost: f64 = tiles.iter().map(|tile| tile.powf(TILE_POWER)).sum();
    // All that the line rises, and all that it falls: one of them is 0 if it runs one way.
    let heights = line.map(|tile| tile.powf(BEND_POWER));
    let (mut rise, mut fall) = (0.0, 0.0);
    for pair in heights.windows(2) {
        rise += (pair[1] - pair[0]).max(0.0);
        fall += (pair[0] - pair[1]).max(0.0);
    }
    let bend = f64::min(rise, fall);
    let value = EMPTY * empty + PAIR * pairs - BEND * bend - STEP * steps - TILE * cost;
    value.round() as i32
}

impl Smooth {
    /// The evaluation. The first one builds the table: 256 KiB.
    pub fn new() -> Self {
        static LINES: LazyLock<Box<[i32; 1 << 16]>> = LazyLock::new(|| {
            let lines: Vec<i32> = (0..=u16::MAX)
                .map(|line| judge_line(row_exponents(line)))
                .collect();
            lines
                .into_boxed_slice()
                .try_into()
                .expect("a table of all lines")
        });
        Smooth { lines: &LINES }
    }

    /// Without the table, for tiles that do not fit into a nibble.
    #[cold]
    fn value_slowly(board: Board) -> i32 {
        let tiles = board.exponents();
        (0..4)
            .map(|line| {
                let row = std::array::from_fn(|step| tiles[4 * line + step]);
                let column = std::array::from_fn(|step| tiles[4 * step + line]);
                judge_line(row) + judge_line(column)
            })
            .sum()
    }
}

impl Heuristic for Smooth {
    #[inline]
    fn value(&self, board: Board) -> i32 {
        let (Some(rows), Some(columns)) = (board.rows(), board.columns()) else {
            return Smooth::value_slowly(board);
        };
        let line = |line: u16| self.lines[usize::from(line)];
        line(rows[0])
            + line(rows[1])
            + line(rows[2])
            + line(rows[3])
            + line(columns[0])
            + line(columns[1])
            + line(columns[2])
            + line(columns[3])
    }

    fn stuck(&self, board: Board) -> i32 {
        self.value(board) - STUCK
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

impl LineSum for Smooth {
    const COLUMNS: bool = true;

    #[inline(always)]
    fn row(&self, _: usize, tiles: u16) -> i32 {
        self.lines[usize::from(tiles)]
    }

    #[inline(always)]
    fn column(&self, _: usize, tiles: u16) -> i32 {
        self.lines[usize::from(tiles)]
    }

    #[inline(always)]
    fn total(&self, sum: i32) -> i32 {
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_worth_the_same_from_both_ends() {
        for line in 0..=u16::MAX {
            let mut tiles = row_exponents(line);
            let value = judge_line(tiles);
            tiles.reverse();
            assert_eq!(judge_line(tiles), value, "{tiles:?}");
        }
    }

    #[test]
    fn a_line_that_runs_one_way_is_worth_more_than_its_tiles_mixed() {
        assert!(judge_line([8, 7, 5, 2]) > judge_line([8, 2, 7, 5]));
        assert!(judge_line([2, 5, 7, 8]) > judge_line([7, 2, 8, 5]));
        assert!(judge_line([3, 3, 0, 0]) > judge_line([3, 4, 0, 0]));
    }
}
