//! The end-game database: the exact value of every position with few stones in the pits.
//!
//! A value is what the rest of the game adds to the mover's margin. It never depends on a
//! position of a larger number (see [`Ranking`](super::ranking::Ranking) and `layer.rs`),
//! so the database is filled once from the front, layer by layer. Games that are over have
//! values too: nobody has to ask whether one is.

mod file;
mod fill;
mod layer;
mod load;
mod sowings;

pub(super) use load::NoDatabase;

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64};

use crate::kalah::Kalah;

use super::memory::Bytes;
use super::ranking::Ranking;
use crate::prefetch::prefetch;
use fill::Filler;
use sowings::Rows;

/// The most stones a database can hold: a value is one signed byte.
pub const MAX_DATABASE_STONES: usize = 127;

/// The values of all positions with at most some number of stones in the pits.
pub(super) struct Database {
    stones: usize,
    values: Bytes,
}

/// A database that is being filled.
struct Builder {
    game: Kalah,
    ranking: Ranking,
    rows: Vec<Rows>,
    values: Bytes,
    /// The layers that are complete.
    layers: usize,
}

impl Builder {
    /// An empty database for up to this many stones, or why there is no memory for it.
    fn new(game: &Kalah, stones: usize) -> io::Result<Self> {
        let no_memory = || io::Error::from(io::ErrorKind::OutOfMemory);
        let ranking = Ranking::new(game.rules().pits, stones).ok_or_else(no_memory)?;
        let size = usize::try_from(ranking.positions(stones)).map_err(|_| no_memory())?;
        Ok(Builder {
            game: *game,
            rows: Vec::new(),
            values: Bytes::new(size)?,
            ranking,
            layers: 0,
        })
    }

    /// The number of complete layers.
    fn layers(&self) -> usize {
        self.layers
    }

    /// Whether all layers are complete.
    fn is_complete(&self) -> bool {
        self.layers > self.ranking.stones()
    }

    fn range(&self, layer: usize) -> std::ops::Range<usize> {
        self.ranking.layer(layer) as usize..self.ranking.positions(layer) as usize
    }

    /// The values of a layer.
    fn layer(&self, layer: usize) -> &[u8] {
        &self.values[self.range(layer)]
    }

    /// The values of a layer, to be filled in.
    fn layer_mut(&mut self, layer: usize) -> &mut [u8] {
        let range = self.range(layer);
        &mut self.values[range]
    }

    /// Takes the next layer for complete.
    fn accept_layer(&mut self) {
        self.layers += 1;
    }

    /// Fills in the next layer; `Err` if it was stopped. Adds the positions to `done`.
    fn fill_layer(
        &mut self,
        threads: usize,
        stop: &AtomicBool,
        done: &AtomicU64,
    ) -> Result<(), ()> {
        let layer = self.layers;
        for stones in self.rows.len()..=layer {
            let rows = Rows::new(&self.ranking, self.game.table, stones);
            self.rows.push(rows);
        }
        let start = self.ranking.layer(layer) as usize;
        let size = self.ranking.positions(layer) as usize - start;
        let (lower, rest) = self.values.split_at_mut(start);
        let filler = Filler {
            game: &self.game,
            ranking: &self.ranking,
            rows: &self.rows,
            lower,
        };
        layer::fill(&filler, layer, &mut rest[..size], threads, stop, done)?;
        self.layers += 1;
        Ok(())
    }
}

impl Database {
    /// The most stones in the pits.
    #[inline(always)]
    pub(super) fn stones(&self) -> usize {
        self.stones
    }

    /// The size in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.values.len()
    }

    /// The value of the position with this number.
    #[inline(always)]
    pub(super) fn value(&self, number: u64) -> i32 {
        i32::from(self.values[number as usize] as i8)
    }

    /// Has the value of a position fetched before it is asked for.
    #[inline(always)]
    pub(super) fn prefetch(&self, number: u64) {
        prefetch(&self.values, number as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kalah::position::Pit;
    use crate::kalah::rules::{Capture, End, Rules, Sweep};
    use crate::kalah::solver::monitor::Monitor;

    pub(super) fn all_rules(pits: u8) -> Vec<Rules> {
        let mut all = Vec::new();
        for capture in [Capture::IfOppositeFull, Capture::Always] {
            for end in [End::EitherRowEmpty, End::MoverRowEmpty] {
                for sweep in [Sweep::ToOwner, Sweep::ToOther] {
                    all.push(Rules {
                        pits,
                        stones: 1,
                        capture,
                        end,
                        sweep,
                    });
                }
            }
        }
        all
    }

    fn build(game: &Kalah, stones: usize, threads: usize) -> Database {
        let monitor = Monitor::default();
        let database = Database::complete(game, stones, threads, None, &monitor);
        assert_eq!(monitor.take_notices(), Vec::<String>::new());
        database.expect("little memory is needed")
    }

    /// Plain minimax by the rules of the game alone.
    fn minimax(game: &Kalah, own: u64, other: u64) -> i32 {
        if game.is_over(own, other) {
            return game.swept_margin(own, other);
        }
        let values = Pit::non_empty(own).map(|pit| {
            let sown = game.sow(own, other, pit);
            let gain = i32::from(sown.banked);
            if sown.again {
                gain + minimax(game, sown.own, sown.other)
            } else {
                gain - minimax(game, sown.other, sown.own)
            }
        });
        values.max().expect("a game that goes on has a move")
    }

    #[test]
    fn whole_layers_are_those_of_plain_minimax() {
        for (pits, stones) in [(1, 12), (2, 8), (3, 6), (4, 5), (6, 4), (8, 3)] {
            for rules in all_rules(pits) {
                let game = Kalah::new(rules).expect("valid rules");
                let database = build(&game, stones, 1);
                let ranking = Ranking::new(pits, stones).expect("small");
                for total in 0..=stones {
                    for mine in 0..=total {
                        for own in ranking.all_rows(mine) {
                            for other in ranking.all_rows(total - mine) {
                                let found = database.value(ranking.position(own, other));
                                let expected = minimax(&game, own, other);
                                assert_eq!(found, expected, "{rules:?} {own:x} {other:x}");
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn larger_layers_follow_from_their_moves() {
        // Laps of 2m+1 stones and more, which plain minimax takes too long to reach.
        for (pits, stones) in [(1, 60), (2, 20), (3, 13), (4, 10), (6, 8)] {
            for rules in all_rules(pits) {
                let game = Kalah::new(rules).expect("valid rules");
                let database = build(&game, stones, 2);
                let ranking = Ranking::new(pits, stones).expect("small");
                let value = |own, other| database.value(ranking.position(own, other));
                for mine in 0..=stones {
                    for own in ranking.all_rows(mine) {
                        for other in ranking.all_rows(stones - mine) {
                            let expected = if game.is_over(own, other) {
                                game.swept_margin(own, other)
                            } else {
                                let values = Pit::non_empty(own).map(|pit| {
                                    let sown = game.sow(own, other, pit);
                                    let gain = i32::from(sown.banked);
                                    if sown.again {
                                        gain + value(sown.own, sown.other)
                                    } else {
                                        gain - value(sown.other, sown.own)
                                    }
                                });
                                values.max().expect("a move")
                            };
                            assert_eq!(value(own, other), expected, "{rules:?} {own:x} {other:x}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn every_number_of_threads_fills_in_the_same() {
        let game = Kalah::default();
        // Large enough to be shared among threads.
        let expected = build(&game, 11, 1);
        assert!(expected.bytes() > 10 * 100_000);
        for threads in 2..=4 {
            let found = build(&game, 11, threads);
            assert!(found.values[..] == expected.values[..], "{threads} threads");
        }
    }

    #[test]
    fn a_stopped_layer_is_not_complete() {
        let mut builder = Builder::new(&Kalah::default(), 3).expect("memory");
        let (stop, done) = (AtomicBool::new(true), AtomicU64::new(0));
        assert_eq!(builder.fill_layer(2, &stop, &done), Err(()));
        assert_eq!(builder.layers(), 0);
        assert!(!builder.is_complete());
    }
}
