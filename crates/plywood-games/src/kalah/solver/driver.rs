//! From questions to values: bounds that close in, move by move where that is asked for,
//! and a line in which both sides play perfectly.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use plywood::Seat;

use crate::kalah::{Kalah, Position};

use super::database::Database;
use super::monitor::Monitor;
use super::ranking::Ranking;
use super::search::{Marks, Rows, Searcher, Shared, Unanswered, stones};
use super::table::Table;

/// What is proved of a value: it lies between these two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// At least this.
    pub least: i32,
    /// At most this.
    pub most: i32,
}

impl Bounds {
    /// The value, if it is proved.
    pub fn exact(&self) -> Option<i32> {
        (self.least == self.most).then_some(self.least)
    }

    fn shifted(self, by: i32) -> Self {
        Bounds {
            least: self.least + by,
            most: self.most + by,
        }
    }

    fn negated(self) -> Self {
        Bounds {
            least: -self.most,
            most: -self.least,
        }
    }
}

/// Finds exact values of positions of one game.
pub struct Solver {
    pub(super) game: Kalah,
    pub(super) ranking: Ranking,
    pub(super) database: Option<Database>,
    pub(super) table: Table,
    pub(super) marks: Marks,
    pub(super) threads: usize,
    pub(super) monitor: Arc<Monitor>,
}

impl Solver {
    /// The game it solves.
    pub fn game(&self) -> &Kalah {
        &self.game
    }

    /// What the mover's final margin is, as far as it is proved before somebody stops it:
    /// exactly, if nobody does.
    pub fn solve(&mut self, position: &Position) -> Bounds {
        let margin = mover_margin(position);
        let rows = rows(position);
        let stones = stones(rows);
        let all = Bounds {
            least: -stones,
            most: stones,
        };
        // A close game is the best guess.
        let guess = -margin.clamp(-stones, stones);
        self.close_in(rows, all, guess, margin).shifted(margin)
    }

    /// Asks until the bounds meet. They are told on the way, plus `margin`.
    fn close_in(&mut self, rows: Rows, mut bounds: Bounds, guess: i32, margin: i32) -> Bounds {
        let monitor = Arc::clone(&self.monitor);
        let tell = |bounds: Bounds| {
            monitor
                .least
                .store(bounds.least + margin, Ordering::Relaxed);
            monitor.most.store(bounds.most + margin, Ordering::Relaxed);
            monitor.searching.store(true, Ordering::Relaxed);
        };
        tell(bounds);
        // The least value above the guess that a position with these stones can have.
        let mut bound = guess + 2 - (guess + stones(rows)).rem_euclid(2);
        while bounds.least < bounds.most {
            bound = bound.clamp(bounds.least + 2, bounds.most);
            let Ok(value) = self.ask(rows, bound) else {
                break;
            };
            if value >= bound {
                bounds.least = value;
                bound = value + 2;
            } else {
                bounds.most = value;
                bound = value;
            }
            tell(bounds);
        }
        bounds
    }

    /// One question to all threads; the first answer counts, and all would be right.
    fn ask(&mut self, rows: Rows, bound: i32) -> Result<i32, Unanswered> {
        let shared = Shared {
            game: &self.game,
            ranking: &self.ranking,
            database: self.database.as_ref(),
            table: &self.table,
            marks: &self.marks,
            monitor: &self.monitor,
            answered: AtomicBool::new(false),
            threads: self.threads,
        };
        if self.threads == 1 {
            return Searcher::new(&shared).ask(rows, bound);
        }
        let ask = || {
            let answer = Searcher::new(&shared).ask(rows, bound);
            if answer.is_ok() {
                shared.answered.store(true, Ordering::Relaxed);
            }
            answer
        };
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..self.threads).map(|_| scope.spawn(ask)).collect();
            let mut answer = ask();
            for other in others {
                let other = other.join().expect("a search does not panic");
                answer = answer.or(other);
            }
            answer
        })
    }
}

/// The mover's store minus the other.
fn mover_margin(position: &Position) -> i32 {
    if position.mover() == Seat::FIRST {
        position.store_margin()
    } else {
        -position.store_margin()
    }
}

fn rows(position: &Position) -> Rows {
    Rows {
        own: position.own(),
        other: position.other(),
    }
}
