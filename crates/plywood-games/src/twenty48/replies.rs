//! The best slide after every new tile, without making the boards.
//!
//! A new tile lies in one row and in one column. Slid along its row, the three other rows
//! become what they become without it; so they are slid and judged once for all new tiles,
//! and each new tile costs the one row that it changes, in each direction. Where an
//! evaluation judges the lines across as well, all four of them are looked up: each has
//! another cell.

use std::ops::ControlFlow;

use plywood::Reply;

use super::board::{Board, split, transpose};
use super::evaluation::Heuristic;
use super::slide::{Direction, RowTables, SlidRow};
use super::{NewTile, spawn_probabilities};

/// A heuristic that adds up what the lines of a board count, each by itself.
pub(super) trait LineSum: Heuristic {
    /// Whether columns count.
    const COLUMNS: bool;

    /// What a row counts, the left cell in the lowest nibble; 0 is the top row.
    fn row(&self, row: usize, tiles: u16) -> i32;

    /// What a column counts, the top cell in the lowest nibble; 0 is the left column.
    fn column(&self, column: usize, tiles: u16) -> i32;

    /// What a board is worth whose lines count this much together.
    fn total(&self, sum: i32) -> i32;
}

/// What four lines count together, each by its place.
#[inline(always)]
fn sum_of(lines: u64, count: impl Fn(usize, u16) -> i32) -> i32 {
    let [a, b, c, d] = split(lines);
    count(0, a) + count(1, b) + count(2, c) + count(3, d)
}

/// One nibble of each of the four lines that cross a line at this place.
#[inline(always)]
const fn across(place: usize) -> u64 {
    0x000f_000f_000f_000f << (4 * place)
}

/// Puts the four tiles of a line at `place` where the lines that cross it have them.
#[inline(always)]
const fn spread(tiles: u16, place: usize) -> u64 {
    let pairs = (tiles as u64 | (tiles as u64) << 24) & 0x0000_00ff_0000_00ff;
    ((pairs | pairs << 12) & across(0)) << (4 * place)
}

/// A board without its new tile, slid one way.
struct Slid {
    /// The lines that slid: rows if the slide was to the left or right, otherwise columns.
    lines: [SlidRow; 4],
    /// The slid board by the lines across.
    crossing: u64,
    /// What each of the lines counts after the slide, and all of them together.
    counts: [i32; 4],
    count: i32,
    /// A bit for every line that the slide changed.
    moved: u32,
    /// A quarter of the score of all lines.
    quarter: u32,
}

impl Slid {
    /// `None` if a tile comes out that does not fit into a nibble.
    #[inline(always)]
    fn new(
        rows: RowTables,
        lines: u64,
        direction: Direction,
        count: impl Fn(usize, u16) -> i32,
    ) -> Option<Self> {
        let before = split(lines);
        let after = before.map(|line| rows.slide_line(line, direction));
        if after.iter().any(|line| line.is_too_large()) {
            return None;
        }
        let mut slid = 0;
        let mut counts = [0; 4];
        let mut moved = 0;
        for place in 0..4 {
            let tiles = after[place].tiles();
            slid |= u64::from(tiles) << (16 * place);
            counts[place] = count(place, tiles);
            moved |= u32::from(tiles != before[place]) << place;
        }
        Some(Slid {
            lines: after,
            crossing: transpose(slid),
            counts,
            count: counts.iter().sum(),
            moved,
            quarter: after.iter().map(|line| line.quarter()).sum(),
        })
    }

    /// The rest of the board where the line at this place is to become another one.
    #[inline(always)]
    fn without(&self, place: usize) -> Rest {
        Rest {
            place,
            crossing: self.crossing & !across(place),
            count: self.count - self.counts[place],
            moved: self.moved & !(1 << place) != 0,
            quarter: self.quarter - self.lines[place].quarter(),
        }
    }
}

/// [`Slid`] less one line.
struct Rest {
    place: usize,
    crossing: u64,
    count: i32,
    moved: bool,
    quarter: u32,
}

/// One way that all tiles can slide: what that made of the lines, whether it moved any tile,
/// and a quarter of its score.
struct Way {
    count: i32,
    legal: bool,
    quarter: u32,
}

impl Rest {
    /// With the line that became `after`, of `before`; the lines across are counted by
    /// `across` if they count at all.
    #[inline(always)]
    fn with(
        &self,
        (before, after): (u16, SlidRow),
        along: impl Fn(usize, u16) -> i32,
        counts_across: bool,
        across: impl Fn(usize, u16) -> i32,
    ) -> Way {
        let tiles = after.tiles();
        let mut count = self.count + along(self.place, tiles);
        if counts_across {
            count += sum_of(self.crossing | spread(tiles, self.place), across);
        }
        Way {
            count,
            legal: self.moved | (tiles != before),
            quarter: self.quarter + after.quarter(),
        }
    }
}

/// Visits every new tile that a board can get, the cells in ascending order and the 2 before
/// the 4, with its probability and what the best slide after it is worth. `points` says what
/// the score of a slide is worth.
///
/// Returns `false`, and has visited nothing, for the few boards that this is not for: those
/// with tiles that do not fit into a nibble, or about to make one; the empty one, whose first
/// tile is followed by another; and full ones.
#[inline(always)]
pub(super) fn visit_replies<L: LineSum>(
    lines: &L,
    slides: RowTables,
    board: Board,
    points: impl Fn(u32) -> i32,
    mut visit: impl FnMut(f64, Reply<[i32; 1]>) -> ControlFlow<()>,
) -> bool {
    if board.above != 0 || board.is_empty() {
        return false;
    }
    let row = |place: usize, tiles: u16| lines.row(place, tiles);
    let column = |place: usize, tiles: u16| lines.column(place, tiles);
    let columns = transpose(board.nibbles);
    let (Some(up), Some(down), Some(left), Some(right)) = (
        Slid::new(slides, columns, Direction::Up, column),
        Slid::new(slides, columns, Direction::Down, column),
        Slid::new(slides, board.nibbles, Direction::Left, row),
        Slid::new(slides, board.nibbles, Direction::Right, row),
    ) else {
        return false;
    };
    let empty = board.count_empty();
    if empty == 0 {
        return false;
    }
    let probabilities = spawn_probabilities(empty);
    let (row_lines, column_lines) = (split(board.nibbles), split(columns));
    for cell in board.empty_cells() {
        let (r, c) = (
            usize::from(cell.index() >> 2),
            usize::from(cell.index() & 3),
        );
        let (up, down) = (up.without(c), down.without(c));
        let (left, right) = (left.without(r), right.without(r));
        for (tile, probability) in [NewTile::Two, NewTile::Four].into_iter().zip(probabilities) {
            let exponent = u16::from(tile.exponent());
            let in_row = row_lines[r] | exponent << (4 * c);
            let in_column = column_lines[c] | exponent << (4 * r);
            let slid = |line, direction| (line, slides.slide_line(line, direction));
            let ways = [
                up.with(slid(in_column, Direction::Up), column, true, row),
                down.with(slid(in_column, Direction::Down), column, true, row),
                left.with(slid(in_row, Direction::Left), row, L::COLUMNS, column),
                right.with(slid(in_row, Direction::Right), row, L::COLUMNS, column),
            ];
            let mut best = i32::MIN;
            let mut moves = 0;
            for way in ways {
                let value = lines.total(way.count) + points(4 * way.quarter);
                moves += u32::from(way.legal);
                best = best.max(if way.legal { value } else { i32::MIN });
            }
            if moves == 0 {
                let stuck = Board {
                    nibbles: board.nibbles | u64::from(exponent) << (4 * cell.index()),
                    above: 0,
                };
                best = lines.stuck(stuck) + points(0);
            }
            let reply = Reply {
                scores: [best],
                moves,
            };
            if visit(probability, reply).is_break() {
                return true;
            }
        }
    }
    true
}
