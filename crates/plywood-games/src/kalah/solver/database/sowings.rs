//! What depends on one row alone, worked out once for all positions with that row.

use crate::kalah::position::Pit;
use crate::kalah::rules::MAX_PITS;
use crate::kalah::solver::ranking::{ONES, Ranking};
use crate::kalah::sowing::SowTable;

/// What a move does to the rest of the board: all moves of a kind lead from one row of the
/// other player to the same row of the other player.
pub(super) type Kind = u8;

/// The pit is empty.
pub(super) const NO_MOVE: Kind = 0;
/// The last stone lands in an own pit that was not empty.
pub(super) const QUIET: Kind = 1;
/// The last stone lands in the store.
pub(super) const AGAIN: Kind = 2;
/// The last stone lands in the other row: in its first pit, and so on.
pub(super) const OVER: Kind = 3;
/// The last stone lands in an own pit that was empty: in the first, and so on.
pub(super) const CAPTURE: Kind = OVER + MAX_PITS;
/// The last stone passes the other row.
pub(super) const LAP: Kind = CAPTURE + MAX_PITS;
/// How many kinds there are.
pub(super) const KINDS: usize = LAP as usize + 1;

/// A move by the row it is made from.
#[derive(Clone, Copy)]
pub(super) struct RowMove {
    pub kind: Kind,
    /// The rank of the row after the move, for a capture without the stone that captures.
    pub rank: u32,
    /// The rank of the row after a move that could have captured but does not.
    pub alternative: u32,
}

/// Everything about the rows with some number of stones.
pub(super) struct Rows {
    /// The rows by rank.
    pub rows: Vec<u64>,
    /// The moves of every row, one for each pit.
    pub moves: Vec<RowMove>,
    /// The ranks of the rows with one more stone in the first pit, the first two, and so on.
    pub added: Vec<Vec<u32>>,
    /// The ranks of the rows with each pit emptied.
    pub emptied: Vec<Vec<u32>>,
    /// The ranks of the rows in groups: no move inside a row leads to a row of its own group
    /// or of a later one.
    pub levels: Vec<Vec<u32>>,
}

impl Rows {
    pub(super) fn new(ranking: &Ranking, sow_table: &SowTable, stones: usize) -> Self {
        let pits = usize::from(ranking.pits());
        let rows = ranking.all_rows(stones);
        let rank = |row: u64| ranking.row(row) as u32;
        let ranks = |change: &dyn Fn(u64) -> u64| -> Vec<u32> {
            rows.iter().map(|&row| rank(change(row))).collect()
        };
        let fits = |more: usize| stones + more <= ranking.stones();
        let mut levels = vec![Vec::new(); stones * (pits - 1) + 1];
        for (rank, row) in rows.iter().enumerate() {
            levels[level(*row, pits)].push(rank as u32);
        }
        let moves = rows.iter().flat_map(|&row| {
            (0..pits).map(move |pit| row_move(ranking, sow_table, row, Pit::new(pit as u8)))
        });
        Rows {
            moves: moves.collect(),
            added: (1..=pits)
                .take_while(|&more| fits(more))
                .map(|more| ranks(&|row| row + first_ones(more)))
                .collect(),
            emptied: (0..pits)
                .map(|pit| ranks(&|row| row & !(0xff << (8 * pit))))
                .collect(),
            levels,
            rows,
        }
    }
}

/// One stone in each of the first pits.
pub(super) fn first_ones(pits: usize) -> u64 {
    ONES >> (64 - 8 * pits)
}

/// The sum of the sums of the first pits: every move inside the row lowers it.
fn level(row: u64, pits: usize) -> usize {
    let sums = row.wrapping_mul(ONES).to_le_bytes();
    sums[..pits - 1].iter().map(|&sum| usize::from(sum)).sum()
}

fn row_move(ranking: &Ranking, sow_table: &SowTable, row: u64, pit: Pit) -> RowMove {
    let pits = usize::from(ranking.pits());
    let stones = usize::from((row >> (8 * pit.index())) as u8);
    let last = usize::from(pit.index()) + stones;
    let sowing = sow_table.sowing(row, pit);
    let after = row.wrapping_add(sowing.own);
    let rank = |row| ranking.row(row) as u32;
    let of_kind = |kind, row| RowMove {
        kind,
        rank: rank(row),
        alternative: 0,
    };
    if stones == 0 {
        of_kind(NO_MOVE, 0)
    } else if last > 2 * pits {
        of_kind(LAP, 0)
    } else if last > pits {
        of_kind(OVER + (last - pits - 1) as Kind, after)
    } else if last == pits {
        of_kind(AGAIN, after)
    } else if after & sowing.landing == sowing.alone {
        RowMove {
            alternative: rank(after),
            ..of_kind(CAPTURE + last as Kind, after ^ sowing.alone)
        }
    } else {
        of_kind(QUIET, after)
    }
}
