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
use crate::kalah::position::{Pit, byte_sum, full_bytes};
use crate::kalah::rules::MAX_PITS;
use crate::kalah::sowing::Sown;

use super::database::Database;
use super::monitor::Monitor;
use super::ranking::{ONES, Ranking};
use super::table::{Key, Known, Table};

const PITS: usize = MAX_PITS as usize;

/// What all threads of a search share.
pub(super) struct Shared<'a> {
    pub game: &'a Kalah,
    pub ranking: &'a Ranking,
    pub database: &'a Database,
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

impl Rows {
    /// The stones in the pits.
    pub(super) fn stones(self) -> i32 {
        byte_sum(self.own) + byte_sum(self.other)
    }
}

/// The search ended without an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Unanswered;

/// Questions that some thread is busy with. Each has a place, which another may take over.
pub(super) struct Marks {
    marks: Vec<AtomicU64>,
}

impl Marks {
    const BITS: u32 = 14;

    pub(super) fn new() -> Self {
        Marks {
            marks: (0..1 << Self::BITS).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// Where to mark a question, and with what. Two questions may look the same here: then
    /// one of them waits for nothing, which costs a little time.
    #[inline(always)]
    fn place(&self, Key(key): Key, bound: i32) -> (&AtomicU64, u64) {
        let tag = (key ^ (bound as u64) << 55).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        (&self.marks[(tag >> (64 - Self::BITS)) as usize], tag)
    }
}

/// A question: is this position worth at least so much?
#[derive(Clone, Copy)]
struct Question {
    key: Key,
    stones: i32,
    bound: i32,
}

/// A move that is to be searched, in one word: the higher the word, the earlier. A word of 0
/// is no move.
#[derive(Clone, Copy)]
struct Choice(u32);

impl Choice {
    /// Above everything else: the pit that was good here before.
    const HINTED: u32 = 1 << 31;

    /// The next one, which is taken out.
    #[inline(always)]
    fn take(choices: &mut [u32; PITS]) -> Option<Self> {
        let first = Choice(choices.iter().copied().fold(0, u32::max));
        if first.0 == 0 {
            return None;
        }
        choices[first.pit()] = 0;
        Some(first)
    }

    #[inline(always)]
    fn pit(self) -> usize {
        self.0 as usize % PITS
    }

    #[inline(always)]
    fn again(self) -> bool {
        self.0 & 8 != 0
    }

    #[inline(always)]
    fn gain(self) -> u8 {
        (self.0 >> 4) as u8
    }

    /// The value to the parent, given that to the child's mover.
    #[inline(always)]
    fn value(self, child: i32) -> i32 {
        value(self.gain(), self.again(), child)
    }

    /// What to ask the child, given what the parent was asked.
    #[inline(always)]
    fn question(self, asked: Question, key: Key) -> Question {
        let gain = i32::from(self.gain());
        Question {
            key,
            stones: asked.stones - gain,
            bound: if self.again() {
                asked.bound - gain
            } else {
                gain - asked.bound + 2
            },
        }
    }
}

/// A move and where it leads.
struct Child {
    choice: Choice,
    rows: Rows,
    question: Question,
}

/// The value of a move that banks so much, given the value to whoever moves next.
#[inline(always)]
fn value(gain: u8, again: bool, child: i32) -> i32 {
    i32::from(gain) + if again { child } else { -child }
}

/// One thread of a search.
pub(super) struct Searcher<'a> {
    shared: &'a Shared<'a>,
    database_stones: i32,
    /// Positions with at least so many stones are worth some care.
    large: i32,
    /// The stones with which a pit gives an extra turn, for every pit.
    extra_turn: u64,
    nodes: u64,
    told: u64,
    /// Entries of the table that were empty before, not yet told.
    new_entries: u64,
    next_look: u64,
    /// The large positions from the root to here.
    path: Vec<Question>,
    /// The place in the path that somebody else has answered, if one was seen.
    answered: Option<usize>,
}

/// How many nodes a thread searches before it looks around.
const PATIENCE: u64 = 1024;

impl<'a> Searcher<'a> {
    pub(super) fn new(shared: &'a Shared<'a>) -> Self {
        /// A position with so many stones more than the database holds is large: one in forty.
        /// To look after more of them costs more than better shares save.
        const LARGE: i32 = 10;
        let database_stones = shared.database.stones() as i32;
        Searcher {
            shared,
            database_stones,
            large: if shared.threads > 1 {
                database_stones + LARGE
            } else {
                i32::MAX
            },
            extra_turn: u64::from_le_bytes(std::array::from_fn(|pit| {
                // There are no stones beyond the last pit.
                shared.game.rules().pits.saturating_sub(pit as u8).max(1)
            })),
            nodes: 0,
            told: 0,
            new_entries: 0,
            next_look: PATIENCE,
            path: Vec::new(),
            answered: None,
        }
    }

    /// Whether the position is worth at least `bound`: then a value not below it, else a
    /// value below it. The position is worth at least, or at most, that value.
    pub(super) fn ask(&mut self, rows: Rows, bound: i32) -> Result<i32, Unanswered> {
        let shared = self.shared;
        if shared.game.is_over(rows.own, rows.other) {
            return Ok(shared.game.swept_margin(rows.own, rows.other));
        }
        let number = shared.ranking.position(rows.own, rows.other);
        if rows.stones() <= self.database_stones {
            return Ok(shared.database.value(number));
        }
        let question = Question {
            key: shared.table.key(number),
            stones: rows.stones(),
            bound,
        };
        let answer = self.search(rows, question);
        self.tell();
        answer
    }

    /// The answer that the table has.
    #[inline(always)]
    fn known(&self, question: Question) -> Option<i32> {
        answer(self.shared.table.get(question.key)?, question)
    }

    /// The key of a position in the table.
    #[inline(always)]
    fn key(&self, rows: Rows) -> Key {
        let number = self.shared.ranking.position(rows.own, rows.other);
        self.shared.table.key(number)
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
        if shared.monitor.is_stopped()
            || shared.answered.load(Ordering::Relaxed)
            || shared.table.is_crowded(shared.monitor.entries())
        {
            return Err(Unanswered);
        }
        let mut path = self.path.iter();
        self.answered = path.position(|&question| self.known(question).is_some());
        self.answered.map_or(Ok(()), |_| Err(Unanswered))
    }

    /// Searches a position that is neither over nor in the database, unless the table has the
    /// answer. The table's line should be under way.
    fn search(&mut self, rows: Rows, asked: Question) -> Result<i32, Unanswered> {
        let Question { stones, bound, .. } = asked;
        // Nobody gets more than all there is.
        if bound > stones {
            return Ok(stones);
        }
        if bound <= -stones {
            return Ok(-stones);
        }
        let shared = self.shared;
        // Children in the database come first: they are proved already. All are numbered
        // before any is looked up, so that the memory they lie in is fetched at one time.
        let mut proved = [(0, 0, false); PITS];
        let mut proved_count = 0;
        let mut leads = [Rows::default(); PITS];
        let mut choices = [0; PITS];
        // The most that the children which are no good can be worth.
        let mut best = -stones;
        for pit in Pit::non_empty(rows.own) {
            let sown = shared.game.sow(rows.own, rows.other, pit);
            let (own, other) = if sown.again {
                (sown.own, sown.other)
            } else {
                (sown.other, sown.own)
            };
            if stones - i32::from(sown.banked) <= self.database_stones {
                let number = shared.ranking.position(own, other);
                shared.database.prefetch(number);
                proved[proved_count % PITS] = (number, sown.banked, sown.again);
                proved_count += 1;
            } else if shared.game.is_over(own, other) {
                let swept = shared.game.swept_margin(own, other);
                let reached = value(sown.banked, sown.again, swept);
                if reached >= bound {
                    self.nodes += 1;
                    return Ok(reached);
                }
                best = best.max(reached);
            } else {
                let index = usize::from(pit.index()) % PITS;
                leads[index] = Rows { own, other };
                choices[index] = choice(pit, &sown, self.extra_turn);
            }
        }
        for &(number, gain, again) in &proved[..proved_count] {
            let reached = value(gain, again, shared.database.value(number));
            if reached >= bound {
                self.nodes += 1;
                return Ok(reached);
            }
            best = best.max(reached);
        }
        // The table comes last: its line has had the longest way, and a third of all positions
        // never need it.
        if let Some(known) = shared.table.get(asked.key) {
            if let Some(answer) = answer(known, asked) {
                return Ok(answer);
            }
            if let Some(hinted) = known.pit.map(|pit| &mut choices[usize::from(pit) % PITS])
                && *hinted != 0
            {
                *hinted |= Choice::HINTED;
            }
        }
        self.nodes += 1;
        if self.nodes >= self.next_look {
            self.look()?;
        }
        let start = self.nodes;
        if stones < self.large {
            while let Some(choice) = Choice::take(&mut choices) {
                let rows = leads[choice.pit()];
                let key = self.key(rows);
                shared.table.prefetch(key);
                let question = choice.question(asked, key);
                let reached = choice.value(self.search(rows, question)?);
                if reached >= bound {
                    let pit = choice.pit() as u8;
                    self.store(asked, reached, Some(pit), 1 + self.nodes - start);
                    return Ok(reached);
                }
                best = best.max(reached);
            }
            self.store(asked, best, None, 1 + self.nodes - start);
            return Ok(best);
        }
        let children = std::iter::from_fn(|| {
            let choice = Choice::take(&mut choices)?;
            let rows = leads[choice.pit()];
            let key = self.key(rows);
            shared.table.prefetch(key);
            Some(Child {
                choice,
                rows,
                question: choice.question(asked, key),
            })
        });
        let children: Vec<_> = children.collect();
        self.path.push(asked);
        let answer = self.search_together(&children, best, asked);
        self.path.pop();
        match answer {
            Ok((reached, pit)) => {
                self.store(asked, reached, pit, 1 + self.nodes - start);
                Ok(reached)
            }
            Err(Unanswered) if self.answered == Some(self.path.len()) => {
                // Somebody else has answered just this question, unless it is forgotten.
                self.answered = None;
                match self.known(asked) {
                    Some(reached) => Ok(reached),
                    None => self.search(rows, asked),
                }
            }
            Err(Unanswered) => Err(Unanswered),
        }
    }

    /// Searches children that other threads may be searching too. Gives the best value of
    /// these and of what is known to be possible, and the pit that leads to it if it is
    /// enough.
    fn search_together(
        &mut self,
        children: &[Child],
        mut best: i32,
        asked: Question,
    ) -> Result<(i32, Option<u8>), Unanswered> {
        let shared = self.shared;
        let mut deferred = 0u32;
        for round in 0..2 {
            for (index, child) in children.iter().enumerate() {
                if round == 1 && deferred & 1 << index == 0 {
                    continue;
                }
                let question = child.question;
                let (mark, tag) = shared.marks.place(question.key, question.bound);
                if index > 0 {
                    if round == 0 && mark.load(Ordering::Relaxed) == tag {
                        deferred |= 1 << index;
                        continue;
                    }
                    // Much may have happened since the table was asked.
                    if let Some(reached) = self.known(asked) {
                        return Ok((reached, None));
                    }
                }
                let answer = match self.known(question) {
                    Some(reached) => Ok(reached),
                    None => {
                        mark.store(tag, Ordering::Relaxed);
                        let answer = self.search(child.rows, question);
                        if mark.load(Ordering::Relaxed) == tag {
                            mark.store(0, Ordering::Relaxed);
                        }
                        answer
                    }
                };
                let reached = child.choice.value(answer?);
                if reached >= asked.bound {
                    return Ok((reached, Some(child.choice.pit() as u8)));
                }
                best = best.max(reached);
            }
        }
        Ok((best, None))
    }

    /// Adds an answer to the table.
    #[inline(always)]
    fn store(&mut self, asked: Question, value: i32, pit: Option<u8>, effort: u64) {
        let share = ((value + asked.stones) / 2) as u8;
        let (least, most) = if value >= asked.bound {
            (share, asked.stones as u8)
        } else {
            (0, share)
        };
        let known = Known { least, most, pit };
        let new = self.shared.table.add(asked.key, known, effort);
        self.new_entries += u64::from(new);
    }
}

/// What to search first: extra turns, which cost nothing; then what banks most, which leads to
/// the database fastest, and leaves the opponent least to play with, in stones and in extra
/// turns; among equals the pit nearest the store, which spoils the least of what comes after.
#[inline(always)]
fn choice(pit: Pit, sown: &Sown, extra_turn: u64) -> u32 {
    const WEIGHT: u32 = 2 * MAX_PITS as u32;
    let class = if sown.again {
        2 * 256 * WEIGHT
    } else {
        let extra_turns = byte_sum(!full_bytes(sown.other ^ extra_turn) >> 7 & ONES) as u32;
        // Never below 0: the opponent has at most 255 stones, in at most 8 pits.
        2 * 256 + 3 * MAX_PITS as u32 - 2 * byte_sum(sown.other) as u32 - 3 * extra_turns
    };
    let (pit, banked) = (u32::from(pit.index()), u32::from(sown.banked));
    let order = class + banked * WEIGHT + 2 * pit;
    order << 12 | banked << 4 | u32::from(sown.again) << 3 | pit
}

/// The answer to a question that follows from what is known.
#[inline(always)]
fn answer(known: Known, asked: Question) -> Option<i32> {
    let (least, most) = bounds(known, asked.stones);
    if least >= asked.bound {
        Some(least)
    } else if most < asked.bound {
        Some(most)
    } else {
        None
    }
}

/// Bounds of the value of a position with so many stones.
#[inline(always)]
pub(super) fn bounds(known: Known, stones: i32) -> (i32, i32) {
    (
        2 * i32::from(known.least) - stones,
        2 * i32::from(known.most) - stones,
    )
}
