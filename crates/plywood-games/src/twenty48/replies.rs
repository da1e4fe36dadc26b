//! The best slide after every new tile, without making the boards.
//!
//! A new tile lies in one row and in one column. Slid along its row, the three other rows
//! become what they become without it; so they are slid and judged once for all new tiles,
//! and each new tile costs the one row that it changes, in each direction. Where an
//! evaluation judges the lines across as well, all four of them are looked up: each has
//! another cell.
//!
//! One direction after the other, so that what the processor has to remember fits into its
//! registers; then the best of the four for all new tiles, several at a time.

use std::ops::ControlFlow;

use plywood::Reply;

use super::board::{Board, split, transpose};
use super::evaluation::Heuristic;
use super::slide::{Direction, RowTables};
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

/// The tiles that chance puts on every empty cell, in the order of the game.
const NEW_TILES: [NewTile; 2] = [NewTile::Two, NewTile::Four];
/// The most new tiles that a board can get.
const MAX_EVENTS: usize = NEW_TILES.len() * 16;
/// How many events are judged at a time.
const LANES: usize = 4;

/// What a slide in one direction makes of the board after every event.
struct Ways {
    /// What the lines count.
    counts: [i32; MAX_EVENTS],
    /// Not 0 if a tile has moved.
    moved: [u32; MAX_EVENTS],
    /// A quarter of the score of the slide, where scores count.
    quarters: [u32; MAX_EVENTS],
}

impl Ways {
    const NONE: Ways = Ways {
        counts: [0; MAX_EVENTS],
        moved: [0; MAX_EVENTS],
        quarters: [0; MAX_EVENTS],
    };

    /// Slides the lines, rows or columns, in this direction: first without a new tile, then
    /// with each. `cells` are the empty ones, each as its line and its place in it.
    /// `along` judges the lines that slide, `across` the others, if they count at all.
    ///
    /// Returns `false` if a tile comes out that does not fit into a nibble. A new tile makes no
    /// such tile where there was none.
    #[inline(always)]
    fn fill<const SCORED: bool>(
        &mut self,
        slides: RowTables,
        direction: Direction,
        lines: u64,
        cells: impl Iterator<Item = (usize, usize)>,
        along: impl Fn(usize, u16) -> i32,
        across: Option<impl Fn(usize, u16) -> i32>,
    ) -> bool {
        let before = split(lines);
        let after = before.map(|line| slides.slide_line(line, direction));
        if after.iter().any(|line| line.is_too_large()) {
            return false;
        }
        let tiles = after.map(|line| line.tiles());
        let counts: [i32; 4] = std::array::from_fn(|line| along(line, tiles[line]));
        let count: i32 = counts.iter().sum();
        let quarter: u32 = after.iter().map(|line| line.quarter()).sum();
        let moved: [u32; 4] = std::array::from_fn(|line| u32::from(tiles[line] ^ before[line]));
        let moved_besides = [
            moved[1] | moved[2] | moved[3],
            moved[0] | moved[2] | moved[3],
            moved[0] | moved[1] | moved[3],
            moved[0] | moved[1] | moved[2],
        ];
        let crossing = transpose(join(tiles));
        for (pair, (line, place)) in cells.enumerate() {
            let (line, pair) = (line & 3, pair & 15);
            let crossing = crossing & !spread(u16::MAX, line);
            let others = count - counts[line];
            for (tile, new) in NEW_TILES.into_iter().enumerate() {
                let before = before[line] | u16::from(new.exponent()) << (4 * place);
                let slid = slides.slide_line(before, direction);
                let tiles = slid.tiles();
                let mut count = others + along(line, tiles);
                if let Some(across) = &across {
                    let [a, b, c, d] = split(crossing | spread(tiles, line));
                    count += across(0, a) + across(1, b) + across(2, c) + across(3, d);
                }
                let event = NEW_TILES.len() * pair + tile;
                self.counts[event] = count;
                self.moved[event] = moved_besides[line] | u32::from(tiles ^ before);
                if SCORED {
                    self.quarters[event] = quarter - after[line].quarter() + slid.quarter();
                }
            }
        }
        true
    }
}

/// The four lines of a board as one number.
#[inline(always)]
const fn join(lines: [u16; 4]) -> u64 {
    lines[0] as u64 | (lines[1] as u64) << 16 | (lines[2] as u64) << 32 | (lines[3] as u64) << 48
}

/// Puts the tiles of the line with this number where the four lines that cross it have them.
#[inline(always)]
const fn spread(tiles: u16, line: usize) -> u64 {
    let pairs = (tiles as u64 | (tiles as u64) << 24) & 0x0000_00ff_0000_00ff;
    ((pairs | pairs << 12) & 0x000f_000f_000f_000f) << (4 * line)
}

/// Visits every new tile that a board can get, the cells in ascending order and the 2 before
/// the 4, with its probability and what the best slide after it is worth. The score of the
/// slide counts, added to the score so far, if that is given.
///
/// Returns `false`, and has visited nothing, for the few boards that this is not for: those
/// with tiles that do not fit into a nibble, or about to make one; the empty one, whose first
/// tile is followed by another; and full ones.
#[inline(always)]
pub(super) fn visit_replies<L: LineSum>(
    lines: &L,
    slides: RowTables,
    board: Board,
    score: Option<u32>,
    visit: impl FnMut(f64, Reply<[i32; 1]>) -> ControlFlow<()>,
) -> bool {
    match score {
        None => visit_with::<L, false>(lines, slides, board, 0, visit),
        Some(score) => visit_with::<L, true>(lines, slides, board, score, visit),
    }
}

#[inline(always)]
fn visit_with<L: LineSum, const SCORED: bool>(
    lines: &L,
    slides: RowTables,
    board: Board,
    score: u32,
    mut visit: impl FnMut(f64, Reply<[i32; 1]>) -> ControlFlow<()>,
) -> bool {
    let empty = board.count_empty();
    if board.above != 0 || board.is_empty() || empty == 0 {
        return false;
    }
    let row = |place: usize, tiles: u16| lines.row(place, tiles);
    let column = |place: usize, tiles: u16| lines.column(place, tiles);
    let across_rows = L::COLUMNS.then_some(column);
    let cells = || {
        board.empty_cells().map(|cell| {
            (
                usize::from(cell.index() >> 2),
                usize::from(cell.index() & 3),
            )
        })
    };
    let turned = || cells().map(|(row, column)| (column, row));
    let columns = transpose(board.nibbles);
    let rows = board.nibbles;
    let mut ways = [const { Ways::NONE }; 4];
    let [up, down, left, right] = &mut ways;
    if !(up.fill::<SCORED>(slides, Direction::Up, columns, turned(), column, Some(row))
        && down.fill::<SCORED>(
            slides,
            Direction::Down,
            columns,
            turned(),
            column,
            Some(row),
        )
        && left.fill::<SCORED>(slides, Direction::Left, rows, cells(), row, across_rows)
        && right.fill::<SCORED>(slides, Direction::Right, rows, cells(), row, across_rows))
    {
        return false;
    }
    let mut best = [i32::MIN; MAX_EVENTS];
    let mut moves = [0; MAX_EVENTS];
    let events = NEW_TILES.len() * empty as usize;
    for first in (0..events).step_by(LANES) {
        for way in &ways {
            for event in first..first + LANES {
                let event = event & (MAX_EVENTS - 1);
                let mut value = lines.total(way.counts[event]);
                if SCORED {
                    value += score.wrapping_add(4 * way.quarters[event]) as i32;
                }
                let legal = way.moved[event] != 0;
                let value = if legal { value } else { i32::MIN };
                best[event] = best[event].max(value);
                moves[event] += u32::from(legal);
            }
        }
    }
    let probabilities = spawn_probabilities(empty);
    for (pair, cell) in board.empty_cells().enumerate() {
        for (tile, new) in NEW_TILES.into_iter().enumerate() {
            let event = (NEW_TILES.len() * pair + tile) & (MAX_EVENTS - 1);
            if moves[event] == 0 {
                let tile = u64::from(new.exponent()) << (4 * cell.index());
                let stuck = lines.stuck(Board {
                    nibbles: board.nibbles | tile,
                    above: 0,
                });
                best[event] = stuck + score as i32;
            }
            let reply = Reply {
                scores: [best[event]],
                moves: moves[event],
            };
            if visit(probabilities[tile], reply).is_break() {
                return true;
            }
        }
    }
    true
}
