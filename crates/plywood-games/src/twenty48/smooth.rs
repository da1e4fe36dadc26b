//! Our own evaluation: lines that run one way, room, and tiles about to merge.

use std::fmt;
use std::sync::LazyLock;

use super::board::Board;
use super::evaluation::Heuristic;
use super::slide::row_exponents;

/// Judges the four rows and the four columns alike, so mirrored and turned boards are
/// worth the same.
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
fn judge_line(tiles: [u8; 4]) -> i32 {
    let empty = tiles.iter().filter(|&&tile| tile == 0).count() as i32;
    100 * empty
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
}
