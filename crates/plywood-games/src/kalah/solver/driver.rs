//! From questions to values: bounds that close in, move by move where that is asked for,
//! and a line in which both sides play perfectly.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cpu_time::ThreadTime;
use plywood::{Game, Seat, Turn};

use crate::kalah::{Kalah, Pit, Position};

use super::database::Database;
use super::monitor::Monitor;
use super::ranking::Ranking;
use super::search::{Marks, Rows, Searcher, Shared, Unanswered, bounds};
use super::table::Table;

/// The stack of a searching thread. Only what is used of it is ever taken.
const STACK_BYTES: usize = 256 << 20;

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

/// A move and what is proved of the mover's final margin after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveBounds {
    /// The move.
    pub pit: Pit,
    /// The final margin of the player who makes it.
    pub bounds: Bounds,
}

/// A move and where it leads.
struct Child {
    pit: Pit,
    rows: Rows,
    gain: i32,
    again: bool,
}

impl Child {
    /// A margin of the parent's mover, as the child's mover sees it.
    fn for_child(&self, margin: i32) -> i32 {
        if self.again { margin } else { -margin }
    }

    /// The margin of the stores for the child's mover, given that of the parent's.
    fn margin(&self, parent: i32) -> i32 {
        self.for_child(parent + self.gain)
    }
}

/// Finds exact values of positions of one game.
pub struct Solver {
    pub(super) game: Kalah,
    pub(super) ranking: Ranking,
    pub(super) database: Database,
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

    /// The most stones in the pits of positions in the database.
    pub fn database_stones(&self) -> usize {
        self.database.stones()
    }

    /// The size of the database in bytes.
    pub fn database_bytes(&self) -> usize {
        self.database.bytes()
    }

    /// The size of the table in bytes.
    pub fn table_bytes(&self) -> usize {
        self.table.bytes()
    }

    /// What it is doing, and the flag to stop it.
    pub fn monitor(&self) -> &Arc<Monitor> {
        &self.monitor
    }

    /// Forgets what it has found by searching. The database stays.
    pub fn forget(&mut self) {
        self.table.clear();
        self.monitor.entries.store(0, Ordering::Relaxed);
    }

    /// What the mover's final margin is, as far as it is proved before somebody stops it:
    /// exactly, if nobody does.
    pub fn solve(&mut self, position: &Position) -> Bounds {
        let margin = mover_margin(position);
        let rows = rows(position);
        let stones = rows.stones();
        let all = Bounds {
            least: -stones,
            most: stones,
        };
        // A close game is the best guess.
        let guess = -margin.clamp(-stones, stones);
        self.close_in(rows, all, guess, margin, false)
            .shifted(margin)
    }

    /// What is proved of the mover's final margin already, without any search.
    pub fn proved(&self, position: &Position) -> Bounds {
        let rows = rows(position);
        self.proved_rows(rows.own, rows.other)
            .shifted(mover_margin(position))
    }

    /// What is proved of the value of these rows, without any search.
    pub(in crate::kalah) fn proved_rows(&self, own: u64, other: u64) -> Bounds {
        let rows = Rows { own, other };
        let exactly = |value| Bounds {
            least: value,
            most: value,
        };
        if self.game.is_over(own, other) {
            return exactly(self.game.swept_margin(own, other));
        }
        let number = self.ranking.position(own, other);
        let stones = rows.stones();
        if stones <= self.database.stones() as i32 {
            return exactly(self.database.value(number));
        }
        let (least, most) = match self.table.get(self.table.key(number)) {
            Some(known) => bounds(known, stones),
            None => (-stones, stones),
        };
        Bounds { least, most }
    }

    /// What the mover's final margin is after each move, as far as it is proved before
    /// somebody stops it, in the order of the pits. `most` is the most that any can be, if
    /// that is known.
    pub fn solve_moves(&mut self, position: &Position, most: Option<i32>) -> Vec<MoveBounds> {
        self.children(position)
            .into_iter()
            .map(|child| {
                let stones = child.rows.stones();
                let all = Bounds {
                    least: -stones,
                    most: stones,
                };
                let margin = child.margin(mover_margin(position));
                // The best margin is the best guess, and nothing is above it.
                let guess = most.map_or(0, |most| child.for_child(most)) - margin;
                let bounds = match (most, child.again) {
                    (None, _) => all,
                    (Some(_), true) => Bounds {
                        most: all.most.min(guess),
                        ..all
                    },
                    (Some(_), false) => Bounds {
                        least: all.least.max(guess),
                        ..all
                    },
                };
                // The first question is whether it is as good as the best.
                let guess = if child.again { guess - 2 } else { guess };
                let bounds = self.close_in(child.rows, bounds, guess, margin, true);
                let bounds = bounds.shifted(margin);
                MoveBounds {
                    pit: child.pit,
                    bounds: if child.again {
                        bounds
                    } else {
                        bounds.negated()
                    },
                }
            })
            .collect()
    }

    /// A line from a position to the end of the game in which both sides play perfectly,
    /// given the mover's final margin; as far as it is proved before somebody stops it.
    pub fn line(&mut self, position: &Position, margin: i32) -> Vec<Pit> {
        let mut position = *position;
        let mut margin = margin;
        let mut line = Vec::new();
        while let Turn::Player(mover) = self.game.turn(&position) {
            let Some(pit) = self.perfect_move(&position, margin) else {
                break;
            };
            line.push(pit);
            self.game.play(&mut position, pit);
            if position.mover() != mover {
                margin = -margin;
            }
        }
        line
    }

    /// A move that keeps the mover's final margin.
    fn perfect_move(&mut self, position: &Position, margin: i32) -> Option<Pit> {
        let known = self.known_pit(rows(position));
        let mut children = self.children(position);
        // The move that the search found is most likely already proved.
        children.sort_by_key(|child| (Some(child.pit) != known, !child.again));
        for child in children {
            let wanted = child.for_child(margin) - child.margin(mover_margin(position));
            let kept = if child.again {
                self.ask(child.rows, wanted).ok()? >= wanted
            } else {
                self.ask(child.rows, wanted + 2).ok()? <= wanted
            };
            if kept {
                return Some(child.pit);
            }
        }
        None
    }

    /// The pit that the table holds for a position.
    fn known_pit(&self, rows: Rows) -> Option<Pit> {
        let number = self.ranking.position(rows.own, rows.other);
        self.table.get(self.table.key(number))?.pit.map(Pit::new)
    }

    /// All moves of a position, in the order of the pits.
    fn children(&self, position: &Position) -> Vec<Child> {
        if self.game.turn(position) == Turn::Over {
            return Vec::new();
        }
        let rows = rows(position);
        let children = Pit::non_empty(rows.own).map(|pit| {
            let sown = self.game.sow(rows.own, rows.other, pit);
            let (own, other) = if sown.again {
                (sown.own, sown.other)
            } else {
                (sown.other, sown.own)
            };
            Child {
                pit,
                rows: Rows { own, other },
                gain: i32::from(sown.banked),
                again: sown.again,
            }
        });
        children.collect()
    }

    /// Asks until the bounds meet. They are told on the way, plus `margin`. Where the value
    /// may be far from the guess, `doubling` the steps gets there with fewer questions; near
    /// it, small steps are cheaper, because what was found for one bound helps with the next.
    fn close_in(
        &mut self,
        rows: Rows,
        mut bounds: Bounds,
        guess: i32,
        margin: i32,
        doubling: bool,
    ) -> Bounds {
        let monitor = Arc::clone(&self.monitor);
        let tell = |bounds: Bounds| {
            let (least, most) = (bounds.least + margin, bounds.most + margin);
            monitor.least.store(least, Ordering::Relaxed);
            monitor.most.store(most, Ordering::Relaxed);
            monitor.searching.store(true, Ordering::Relaxed);
        };
        tell(bounds);
        // The least value above the guess that a position with these stones can have.
        let mut bound = guess + 2 - (guess + rows.stones()).rem_euclid(2);
        let mut step = 2;
        let mut upwards = None;
        while bounds.least < bounds.most {
            bound = bound.clamp(bounds.least + 2, bounds.most);
            let Ok(value) = self.ask(rows, bound) else {
                break;
            };
            let yes = value >= bound;
            step = if doubling && upwards == Some(yes) {
                2 * step
            } else {
                2
            };
            upwards = Some(yes);
            if yes {
                bounds.least = value;
                bound = value + step;
            } else {
                bounds.most = value;
                bound = value + 2 - step;
            }
            tell(bounds);
        }
        bounds
    }

    /// One question, asked again whenever the table has to grow first: what was found by then
    /// is in the table.
    fn ask(&mut self, rows: Rows, bound: i32) -> Result<i32, Unanswered> {
        loop {
            let answer = self.ask_all(rows, bound);
            let crowded = self.table.is_crowded(self.monitor.entries());
            if answer.is_ok() || self.monitor.is_stopped() || !crowded {
                return answer;
            }
            self.table.grow(self.threads);
        }
    }

    /// One question to all threads; the first answer counts, and all would be right.
    fn ask_all(&self, rows: Rows, bound: i32) -> Result<i32, Unanswered> {
        let shared = Shared {
            game: &self.game,
            ranking: &self.ranking,
            database: &self.database,
            table: &self.table,
            marks: &self.marks,
            monitor: &self.monitor,
            answered: AtomicBool::new(false),
            threads: self.threads,
        };
        let ask = || {
            let answer = Searcher::new(&shared).ask(rows, bound);
            if answer.is_ok() {
                shared.answered.store(true, Ordering::Relaxed);
            }
            answer
        };
        std::thread::scope(|scope| {
            let ask_on_own_thread = || {
                let clock = ThreadTime::try_now();
                let answer = ask();
                let used = clock.and_then(|clock| clock.try_elapsed());
                shared.monitor.add_cpu(used.unwrap_or_default());
                answer
            };
            // A line of play can be long, and each of its positions is a frame of the stack.
            let spawn = || {
                let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
                thread.spawn_scoped(scope, ask_on_own_thread)
            };
            let threads: Vec<_> = (0..self.threads).map_while(|_| spawn().ok()).collect();
            if threads.is_empty() {
                // The system gives no thread: the stack at hand will do for most positions.
                return ask();
            }
            let answers = threads.into_iter().map(|thread| {
                let answer = thread.join();
                answer.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            });
            // All have ended before the first answer is taken.
            let answers: Vec<_> = answers.collect();
            answers
                .into_iter()
                .find(Result::is_ok)
                .unwrap_or(Err(Unanswered))
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
