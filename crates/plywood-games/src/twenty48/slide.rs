//! Sliding by table: what every row of four becomes.

use std::fmt;
use std::sync::LazyLock;

use super::board::{Board, MAX_EXPONENT, MAX_NIBBLE, split, transpose};

/// Where the tiles slide.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// To the top row.
    Up,
    /// To the bottom row.
    Down,
    /// To the first column.
    Left,
    /// To the last column.
    Right,
}

impl Direction {
    /// All directions, in the order in which slides are listed.
    pub const ALL: [Direction; 4] = [
        Direction::Up,
        Direction::Down,
        Direction::Left,
        Direction::Right,
    ];

    /// The name in small letters.
    pub const fn name(self) -> &'static str {
        match self {
            Direction::Up => "up",
            Direction::Down => "down",
            Direction::Left => "left",
            Direction::Right => "right",
        }
    }
}

/// A set of legal slides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LegalSlides(u8);

impl LegalSlides {
    #[inline(always)]
    pub(super) const fn new(up: bool, down: bool, left: bool, right: bool) -> Self {
        LegalSlides(up as u8 | (down as u8) << 1 | (left as u8) << 2 | (right as u8) << 3)
    }

    /// Whether this slide is legal.
    #[inline(always)]
    pub const fn contains(self, direction: Direction) -> bool {
        self.0 >> direction as u8 & 1 != 0
    }

    /// How many slides are legal.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether no slide is legal.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// What a row becomes: the new row in the low half; a quarter of the score above (at most
/// 2^14, from two pairs of 16384); the top bit where two 32768 would merge into a tile that
/// has no nibble, and the row is left for [`slide_slowly`].
#[derive(Clone, Copy)]
pub(super) struct SlidRow(u32);

const TOO_LARGE: u32 = 1 << 31;

/// The rows of four nibbles after sliding towards the lowest nibble, then the same towards
/// the highest: 512 KiB.
#[derive(Clone, Copy)]
pub(super) struct RowTables(&'static [SlidRow; 2 << 16]);

const TOWARDS_FIRST: usize = 0;
const TOWARDS_LAST: usize = 1 << 16;

impl fmt::Debug for RowTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RowTables")
    }
}

impl RowTables {
    /// The tables, built when they are first asked for.
    pub(super) fn get() -> RowTables {
        static TABLES: LazyLock<Box<[SlidRow; 2 << 16]>> = LazyLock::new(|| {
            let mut rows = Vec::with_capacity(2 << 16);
            rows.extend((0..=u16::MAX).map(|row| SlidRow::of(row_exponents(row), false)));
            rows.extend((0..=u16::MAX).map(|row| SlidRow::of(row_exponents(row), true)));
            let Ok(rows) = rows.into_boxed_slice().try_into() else {
                unreachable!("every row was listed twice");
            };
            rows
        });
        RowTables(&TABLES)
    }

    /// What a row becomes, sliding left or right, or a column, sliding up or down.
    #[inline(always)]
    pub(super) fn slide_line(self, line: u16, direction: Direction) -> SlidRow {
        let table = match direction {
            Direction::Up | Direction::Left => TOWARDS_FIRST,
            Direction::Down | Direction::Right => TOWARDS_LAST,
        };
        self.0[table | usize::from(line)]
    }

    #[inline(always)]
    pub(super) fn slide(self, board: Board, direction: Direction) -> (Board, u32) {
        let vertical = matches!(direction, Direction::Up | Direction::Down);
        let lines = if vertical {
            transpose(board.nibbles)
        } else {
            board.nibbles
        };
        let [a, b, c, d] = split(lines).map(|line| self.slide_line(line, direction).0);
        if (a | b | c | d) & TOO_LARGE != 0 || board.above != 0 {
            return slide_slowly(board, direction);
        }
        let slid = u64::from(a & 0xffff)
            | u64::from(b & 0xffff) << 16
            | u64::from(c & 0xffff) << 32
            | u64::from(d & 0xffff) << 48;
        let quarter = (a >> 16) + (b >> 16) + (c >> 16) + (d >> 16);
        let nibbles = if vertical { transpose(slid) } else { slid };
        (Board { nibbles, above: 0 }, 4 * quarter)
    }
}

impl SlidRow {
    /// The tiles, if they fit.
    #[inline(always)]
    pub(super) const fn tiles(self) -> u16 {
        self.0 as u16
    }

    /// A quarter of the score, if the tiles fit.
    #[inline(always)]
    pub(super) const fn quarter(self) -> u32 {
        self.0 >> 16
    }

    /// Whether a tile comes out that has no nibble.
    #[inline(always)]
    pub(super) const fn is_too_large(self) -> bool {
        self.0 & TOO_LARGE != 0
    }

    /// What these tiles become, sliding to the first or to the last of them.
    fn of(tiles: [u8; 4], to_last: bool) -> Self {
        let (slid, score) = slide_line_to(tiles, to_last);
        if slid.iter().any(|&tile| tile > MAX_NIBBLE) {
            return SlidRow(TOO_LARGE);
        }
        SlidRow(packed(slid, score))
    }
}

/// Tiles that fit in the low half, a quarter of the score above.
fn packed(tiles: [u8; 4], score: u32) -> u32 {
    let row = (0..4).fold(0, |row, cell| row | u32::from(tiles[cell]) << (4 * cell));
    row | (score / 4) << 16
}

/// Four tiles after sliding to the first or to the last of them, and the sum of the merged tiles.
fn slide_line_to(mut tiles: [u8; 4], to_last: bool) -> ([u8; 4], u32) {
    if to_last {
        tiles.reverse();
    }
    let (mut slid, score) = slide_line(tiles);
    if to_last {
        slid.reverse();
    }
    (slid, score)
}

/// The exponents of a row, the lowest nibble first.
pub(super) fn row_exponents(row: u16) -> [u8; 4] {
    std::array::from_fn(|cell| (row >> (4 * cell)) as u8 & 0xf)
}

/// Four tiles after sliding towards the first, and the sum of the merged tiles.
fn slide_line(tiles: [u8; 4]) -> ([u8; 4], u32) {
    let mut slid = [0; 4];
    let mut filled = 0;
    let mut score = 0;
    // Whether the last tile set down may still merge.
    let mut open = false;
    for tile in tiles.into_iter().filter(|&tile| tile != 0) {
        if open && slid[filled - 1] == tile && tile < MAX_EXPONENT {
            slid[filled - 1] += 1;
            score += 1 << (tile + 1);
            open = false;
        } else {
            slid[filled] = tile;
            filled += 1;
            open = true;
        }
    }
    (slid, score)
}

/// What rows become where 32768 counts as the largest tile: two of them make one, and score. The
/// new row in the low half, a quarter of the score above; towards the lowest nibble, then the same
/// towards the highest.
#[cfg(feature = "cuda")]
pub(super) fn rows_of_nibbles() -> Vec<u32> {
    let slid = |row: u16, to_last: bool| {
        let (slid, score) = slide_line_to(row_exponents(row), to_last);
        packed(slid.map(|tile| tile.min(MAX_NIBBLE)), score)
    };
    let all = |to_last| (0..=u16::MAX).map(move |row| slid(row, to_last));
    all(false).chain(all(true)).collect()
}

/// [`RowTables::slide`] for boards with tiles above 32768, or about to make one.
#[cold]
pub(super) fn slide_slowly(board: Board, direction: Direction) -> (Board, u32) {
    let before = board.exponents();
    let mut after = [0; 16];
    let mut score = 0;
    for line in 0..4 {
        let cells: [usize; 4] = std::array::from_fn(|step| match direction {
            Direction::Up => 4 * step + line,
            Direction::Down => 4 * (3 - step) + line,
            Direction::Left => 4 * line + step,
            Direction::Right => 4 * line + 3 - step,
        });
        let (slid, gained) = slide_line(cells.map(|cell| before[cell]));
        for (cell, tile) in cells.into_iter().zip(slid) {
            after[cell] = tile;
        }
        score += gained;
    }
    let board = Board::from_exponents(after).expect("no merge goes beyond the largest tile");
    (board, score)
}
