//! The search: is a position worth at least so much?
//!
//! Every question is a null window: one bound, and the answer is yes or no, with a bound
//! that may say more. The value of a position is what the rest of the game adds to the
//! mover's margin. It has the parity of the stones in the pits, so bounds are two apart.
//!
//! Several threads ask the same question together. They share the table and a board of
//! marks: who begins to search a child marks it, and the others leave it for later and take
//! its brothers first, so that all of them work on different parts of one tree. Only the
//! eldest child is searched by whoever comes, because it may make its brothers needless.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::kalah::Kalah;
use crate::kalah::position::Pit;
use crate::kalah::rules::MAX_PITS;

use super::database::Database;
use super::monitor::Monitor;
use super::ranking::Ranking;
use super::table::{Known, Table};

/// What all threads of a search share.
pub(super) struct Shared<'a> {
    pub game: &'a Kalah,
    pub ranking: &'a Ranking,
    pub database: Option<&'a Database>,
    pub table: &'a Table,
    /// Children that some thread searches just now.
    pub marks: &'a Marks,
    /// Told now and then what was done, and asked whether to stop.
    pub monitor: &'a Monitor,
    /// Some thread has the answer.
    pub answered: AtomicBool,
    pub threads: usize,
}

/// A position as its mover sees it.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub(super) struct Rows {
    pub own: u64,
    pub other: u64,
}

/// The search ended without an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Unanswered;

/// Children being searched: a place for each, by chance, that may be taken by another.
pub(super) struct Marks {
    marks: Vec<AtomicU64>,
}

impl Marks {
    const SIZE: usize = 1 << 14;

    pub(super) fn new() -> Self {
        Marks {
            marks: (0..Self::SIZE).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// Where to mark a question, and with what. Two questions may look the same here: then
    /// one of them waits for nothing, which costs a little time.
    #[inline(always)]
    fn place(&self, number: u64, bound: i32) -> (&AtomicU64, u64) {
        let tag = (number ^ (bound as u64) << 55).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        (&self.marks[(tag >> 50) as usize % Self::SIZE], tag)
    }
}

/// A move and where it leads.
#[derive(Clone, Copy, Default)]
struct Child {
    rows: Rows,
    number: u64,
    stones: i32,
    gain: i32,
    again: bool,
    pit: u8,
    /// Higher is searched earlier.
    order: i32,
}

impl Child {
    /// The value to the parent, given that to the child's mover; and the other way round.
    #[inline(always)]
    fn value(&self, child: i32) -> i32 {
        self.gain + if self.again { child } else { -child }
    }

    /// The bound to ask the child for, given that of the parent.
    #[inline(always)]
    fn bound(&self, bound: i32) -> i32 {
        if self.again {
            bound - self.gain
        } else {
            self.gain - bound + 2
        }
    }
}

/// A node with much below it, on the way from the root.
struct Ancestor {
    number: u64,
    stones: i32,
    bound: i32,
}

/// One thread of a search.
pub(super) struct Searcher<'a> {
    shared: &'a Shared<'a>,
    database_stones: i32,
    /// Positions with at least so many stones are worth some care.
    large: i32,
    nodes: u64,
    told: u64,
    /// Entries of the table that were empty before, not yet told.
    new_entries: u64,
    next_look: u64,
    path: Vec<Ancestor>,
    /// The ancestor that somebody else has answered, if one was seen.
    answered: Option<usize>,
}

/// How many nodes a thread searches before it looks around.
const PATIENCE: u64 = 1024;

impl<'a> Searcher<'a> {
    pub(super) fn new(shared: &'a Shared<'a>) -> Self {
        /// A position with so many stones more than the database holds is large.
        const LARGE: i32 = 4;
        let database_stones = shared.database.map_or(0, |d| d.stones() as i32);
        Searcher {
            shared,
            database_stones,
            large: if shared.threads > 1 {
                database_stones + LARGE
            } else {
                i32::MAX
            },
            nodes: 0,
            told: 0,
            new_entries: 0,
            next_look: PATIENCE,
            path: Vec::new(),
            answered: None,
        }
    }

    /// Whether the position is worth at least `bound`: then a value not below it, else a
    /// value below it, which in either case the position is worth at least or at most.
    pub(super) fn ask(&mut self, rows: Rows, bound: i32) -> Result<i32, Unanswered> {
        let answer = self.question(rows, bound);
        self.tell();
        answer
    }

    fn question(&mut self, rows: Rows, bound: i32) -> Result<i32, Unanswered> {
        let stones = stones(rows);
        if let Some(value) = self.exact(rows, stones) {
            return Ok(value);
        }
        let number = self.shared.ranking.position(rows.own, rows.other);
        if let Some(value) = self.known(number, stones, bound) {
            return Ok(value);
        }
        self.search(rows, number, stones, bound)
    }

    /// The value of a position that is over or in the database.
    fn exact(&self, rows: Rows, stones: i32) -> Option<i32> {
        let shared = self.shared;
        if shared.game.is_over(rows.own, rows.other) {
            return Some(shared.game.swept_margin(rows.own, rows.other));
        }
        let database = shared.database?;
        (stones <= self.database_stones)
            .then(|| database.value(shared.ranking.position(rows.own, rows.other)))
    }

    /// The answer that the table has.
    #[inline(always)]
    fn known(&self, number: u64, stones: i32, bound: i32) -> Option<i32> {
        let known = self.shared.table.get(number)?;
        let (least, most) = bounds(known, stones);
        if least >= bound {
            Some(least)
        } else if most < bound {
            Some(most)
        } else {
            None
        }
    }

    fn tell(&mut self) {
        let monitor = self.shared.monitor;
        let nodes = self.nodes - self.told;
        monitor.nodes.fetch_add(nodes, Ordering::Relaxed);
        self.told = self.nodes;
        monitor
            .entries
            .fetch_add(self.new_entries, Ordering::Relaxed);
        self.new_entries = 0;
    }

    /// Looks whether to go on.
    #[cold]
    fn look(&mut self) -> Result<(), Unanswered> {
        self.next_look = self.nodes + PATIENCE;
        self.tell();
        let shared = self.shared;
        if shared.monitor.is_stopped() || shared.answered.load(Ordering::Relaxed) {
            return Err(Unanswered);
        }
        let answered = self
            .path
            .iter()
            .position(|a| self.known(a.number, a.stones, a.bound).is_some());
        self.answered = answered;
        answered.map_or(Ok(()), |_| Err(Unanswered))
    }

    /// Searches a position that is not over, not in the database and whose answer is not in
    /// the table.
    fn search(
        &mut self,
        rows: Rows,
        number: u64,
        stones: i32,
        bound: i32,
    ) -> Result<i32, Unanswered> {
        if bound > stones {
            return Ok(stones);
        }
        if bound <= -stones {
            return Ok(-stones);
        }
        self.nodes += 1;
        if self.nodes >= self.next_look {
            self.look()?;
        }
        let start = self.nodes;
        let shared = self.shared;
        let mut children = [Child::default(); MAX_PITS as usize];
        let mut count = 0;
        // The value if nothing else turns up: bounds of children known to be too bad.
        let mut best = -stones;
        // Where a move banks enough, what it leads to is in the database.
        let mut in_database = [Child::default(); MAX_PITS as usize];
        let mut found = 0;
        for pit in Pit::non_empty(rows.own) {
            let sown = shared.game.sow(rows.own, rows.other, pit);
            let (own, other) = if sown.again {
                (sown.own, sown.other)
            } else {
                (sown.other, sown.own)
            };
            let gain = i32::from(sown.banked);
            let child = Child {
                rows: Rows { own, other },
                number: shared.ranking.position(own, other),
                stones: stones - gain,
                gain,
                again: sown.again,
                pit: pit.index(),
                order: i32::from(pit.index()) + 8 * if sown.again { 1000 } else { gain },
            };
            if let (Some(database), true) = (shared.database, child.stones <= self.database_stones)
            {
                database.prefetch(child.number);
                in_database[found] = child;
                found += 1;
            } else if shared.game.is_over(own, other) {
                let value = child.value(shared.game.swept_margin(own, other));
                if value >= bound {
                    return Ok(value);
                }
                best = best.max(value);
            } else {
                shared.table.prefetch(child.number);
                children[count] = child;
                count += 1;
            }
        }
        if let Some(database) = shared.database {
            for child in &in_database[..found] {
                let value = child.value(database.value(child.number));
                if value >= bound {
                    return Ok(value);
                }
                best = best.max(value);
            }
        }
        let hint = shared.table.get(number).and_then(|known| known.pit);
        // What the table knows of the children may be enough; it sorts out some of them.
        let mut left = 0;
        for index in 0..count {
            let mut child = children[index];
            if let Some(known) = shared.table.get(child.number) {
                let (least, most) = bounds(known, child.stones);
                let (least, most) = if child.again {
                    (child.value(least), child.value(most))
                } else {
                    (child.value(most), child.value(least))
                };
                if least >= bound {
                    self.store(number, stones, least, true, Some(child.pit), 1);
                    return Ok(least);
                }
                if most < bound {
                    best = best.max(most);
                    continue;
                }
            }
            if hint == Some(child.pit) {
                child.order += 1 << 20;
            }
            // Sorted as they come: there are few.
            let mut place = left;
            while place > 0 && children[place - 1].order < child.order {
                children[place] = children[place - 1];
                place -= 1;
            }
            children[place] = child;
            left += 1;
        }
        let large = stones >= self.large;
        if large {
            self.path.push(Ancestor {
                number,
                stones,
                bound,
            });
        }
        let answer = self.search_children(&children[..left], best, number, stones, bound, large);
        if large {
            self.path.pop();
        }
        match answer {
            Ok((value, pit)) => {
                let effort = 1 + self.nodes - start;
                self.store(number, stones, value, value >= bound, pit, effort);
                Ok(value)
            }
            Err(Unanswered) if self.answered == Some(self.path.len()) && large => {
                // Somebody else has answered just this question, unless it is forgotten.
                self.answered = None;
                match self.known(number, stones, bound) {
                    Some(value) => Ok(value),
                    None => self.search(rows, number, stones, bound),
                }
            }
            Err(Unanswered) => Err(Unanswered),
        }
    }

    /// The best value of some children and of what is known to be possible, and the pit that
    /// leads to it if it is enough.
    #[inline(always)]
    fn search_children(
        &mut self,
        children: &[Child],
        mut best: i32,
        number: u64,
        stones: i32,
        bound: i32,
        large: bool,
    ) -> Result<(i32, Option<u8>), Unanswered> {
        let shared = self.shared;
        let mut deferred = 0u32;
        for (index, child) in children.iter().enumerate() {
            let asked = child.bound(bound);
            let value = if large && child.stones >= self.large {
                let (mark, tag) = shared.marks.place(child.number, asked);
                if index > 0 {
                    if mark.load(Ordering::Relaxed) == tag {
                        deferred |= 1 << index;
                        continue;
                    }
                    // Much may have happened since the table was asked.
                    if let Some(value) = self.known(number, stones, bound) {
                        return Ok((value, None));
                    }
                }
                mark.store(tag, Ordering::Relaxed);
                let value = self.search_again(child, asked);
                if mark.load(Ordering::Relaxed) == tag {
                    mark.store(0, Ordering::Relaxed);
                }
                value?
            } else {
                self.search(child.rows, child.number, child.stones, asked)?
            };
            let value = child.value(value);
            if value >= bound {
                return Ok((value, Some(child.pit)));
            }
            best = best.max(value);
        }
        while deferred != 0 {
            let child = &children[deferred.trailing_zeros() as usize];
            deferred &= deferred - 1;
            if let Some(value) = self.known(number, stones, bound) {
                return Ok((value, None));
            }
            let value = child.value(self.search_again(child, child.bound(bound))?);
            if value >= bound {
                return Ok((value, Some(child.pit)));
            }
            best = best.max(value);
        }
        Ok((best, None))
    }

    /// Searches a child unless the table has got its answer in the meantime.
    fn search_again(&mut self, child: &Child, asked: i32) -> Result<i32, Unanswered> {
        match self.known(child.number, child.stones, asked) {
            Some(value) => Ok(value),
            None => self.search(child.rows, child.number, child.stones, asked),
        }
    }

    #[inline(always)]
    fn store(
        &mut self,
        number: u64,
        stones: i32,
        value: i32,
        at_least: bool,
        pit: Option<u8>,
        effort: u64,
    ) {
        let share = ((value + stones) / 2) as u8;
        let known = if at_least {
            Known {
                least: share,
                most: stones as u8,
                pit,
            }
        } else {
            Known {
                least: 0,
                most: share,
                pit,
            }
        };
        let new = self.shared.table.add(number, known, effort);
        self.new_entries += u64::from(new);
    }
}

/// The stones in the pits.
pub(super) fn stones(rows: Rows) -> i32 {
    use crate::kalah::position::byte_sum;
    byte_sum(rows.own) + byte_sum(rows.other)
}

/// Bounds of the value of a position with so many stones.
#[inline(always)]
pub(super) fn bounds(known: Known, stones: i32) -> (i32, i32) {
    (
        2 * i32::from(known.least) - stones,
        2 * i32::from(known.most) - stones,
    )
}
