//! One layer of the database, by many threads.
//!
//! The unit of work is a row of the player with fewer stones: all positions with that row.
//! It needs smaller layers, and in its own layer only rows of a lower level (see
//! [`Rows::levels`]). So threads take the rows of one level in any order and meet before
//! they go on with the next.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Barrier, RwLock};

use super::fill::Filler;
use super::sowings::Rows;

/// A block of positions, line by line. A line is written once, before anybody reads it.
type Lines<'a> = Vec<RwLock<&'a mut [u8]>>;

/// The positions with some numbers of stones on either side.
struct Pair<'a> {
    /// The stones of the player with fewer.
    fewer: usize,
    /// The player with fewer stones is to move.
    fewer_moves: Lines<'a>,
    /// The player with more stones is to move.
    more_moves: Lines<'a>,
}

/// A line of a pair.
struct Task {
    pair: usize,
    line: u32,
}

/// Layers smaller than this are not worth a second thread.
const SMALL: usize = 100_000;

/// Fills in a layer. `Err` if it was stopped before it was complete.
pub(super) fn fill(
    filler: &Filler<'_>,
    stones: usize,
    layer: &mut [u8],
    threads: usize,
    stop: &AtomicBool,
    done: &AtomicU64,
) -> Result<(), ()> {
    let threads = if layer.len() < SMALL { 1 } else { threads };
    // Both halves of the block in the middle hold the same values: one is thrown away.
    let middle = stones.is_multiple_of(2).then(|| {
        let rows = filler.ranking.rows(stones / 2) as usize;
        vec![0; rows * rows]
    });
    let mut middle = middle.unwrap_or_default();
    let pairs = pairs(filler, stones, layer, &mut middle);
    let levels = levels(filler.rows, stones, &pairs);
    let next: Vec<AtomicUsize> = levels.iter().map(|_| AtomicUsize::new(0)).collect();
    let meeting = Barrier::new(threads);
    let work = || {
        for (tasks, next) in levels.iter().zip(&next) {
            while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                let positions = fill_line(filler, stones, &pairs, task);
                done.fetch_add(positions, Ordering::Relaxed);
            }
            meeting.wait();
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    if stop.load(Ordering::Relaxed) {
        Err(())
    } else {
        Ok(())
    }
}

/// Splits a layer into its lines, in the order of the numbers of positions.
fn pairs<'a>(
    filler: &Filler<'_>,
    stones: usize,
    layer: &'a mut [u8],
    middle: &'a mut [u8],
) -> Vec<Pair<'a>> {
    let mut rest = layer;
    let mut middle = Some(middle);
    let mut pairs = Vec::new();
    for fewer in 0..=stones / 2 {
        let more = stones - fewer;
        let rows = |stones| filler.ranking.rows(stones) as usize;
        let mut block = || {
            let block;
            (block, rest) = std::mem::take(&mut rest).split_at_mut(rows(fewer) * rows(more));
            block
        };
        let lines = |block: &'a mut [u8]| block.chunks_exact_mut(rows(more)).map(RwLock::new);
        let fewer_moves = lines(block()).collect();
        let more_moves = if fewer < more {
            block()
        } else {
            middle.take().expect("there is one middle at most")
        };
        pairs.push(Pair {
            fewer,
            fewer_moves,
            more_moves: lines(more_moves).collect(),
        });
    }
    pairs
}

/// The lines of all pairs by level, long ones first.
fn levels(rows: &[Rows], stones: usize, pairs: &[Pair<'_>]) -> Vec<Vec<Task>> {
    let deepest = rows[stones / 2].levels.len();
    (0..deepest)
        .map(|level| {
            let tasks = pairs.iter().enumerate().flat_map(|(index, pair)| {
                let lines = rows[pair.fewer].levels.get(level);
                lines
                    .into_iter()
                    .flatten()
                    .map(move |&line| Task { pair: index, line })
            });
            tasks.collect()
        })
        .collect()
}

/// Fills in a line for both players to move, and tells how many positions that were.
fn fill_line(filler: &Filler<'_>, stones: usize, pairs: &[Pair<'_>], task: &Task) -> u64 {
    const UNPOISONED: &str = "no thread panics while it fills in a line";
    let pair = &pairs[task.pair];
    let more = stones - pair.fewer;
    let row = filler.rows[pair.fewer].rows[task.line as usize];
    let mut fewer_moves = pair.fewer_moves[task.line as usize]
        .write()
        .expect(UNPOISONED);
    filler.fewer_moves(row, more, &mut fewer_moves, |line| {
        pair.more_moves[line as usize].read().expect(UNPOISONED)
    });
    let mut more_moves = pair.more_moves[task.line as usize]
        .write()
        .expect(UNPOISONED);
    filler.more_moves(row, more, &mut more_moves, &fewer_moves);
    2 * filler.ranking.rows(more)
}
