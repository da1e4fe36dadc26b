//! The values of all positions that share one row, from those of smaller numbers.
//!
//! For one row of the player with fewer stones, all positions are worked out at once: first
//! those in which its owner moves, then those in which the other does. Where the moves lead
//! to depends on this row in the same way for all of them, so almost all that is left to do
//! is to look up values in a few lines of the database.

use crate::kalah::Kalah;
use crate::kalah::position::{Pit, byte_sum};
use crate::kalah::rules::{Capture, End};
use crate::kalah::solver::ranking::Ranking;

use super::sowings::{AGAIN, CAPTURE, KINDS, LAP, NO_MOVE, OVER, QUIET, Rows, first_ones};

/// What filling needs to know.
pub(super) struct Filler<'a> {
    pub game: &'a Kalah,
    pub ranking: &'a Ranking,
    /// By number of stones.
    pub rows: &'a [Rows],
    /// All layers with fewer stones.
    pub lower: &'a [u8],
}

/// Where positions lie that have one row in common, by the rank of the other row.
#[derive(Clone, Copy, Default)]
struct Line {
    start: usize,
    step: usize,
}

/// What all moves of a kind have in common.
#[derive(Clone, Copy, Default)]
struct Consequence {
    line: Line,
    gain: i8,
    /// The mover goes on.
    again: bool,
    /// It could have been a capture, but is none.
    missed: bool,
}

impl Filler<'_> {
    /// The positions in which one player has this row. The row is the fixed one, the other
    /// varies.
    fn line(&self, mover: usize, other: usize, fixed_moves: bool, fixed: u64) -> Line {
        let start = self.ranking.block(mover, other);
        let more = self.ranking.rows(mover.max(other));
        let (start, step) = if (mover <= other) == fixed_moves {
            (start + fixed * more, 1)
        } else {
            (start + fixed, more)
        };
        Line {
            start: start as usize,
            step: step as usize,
        }
    }

    #[inline(always)]
    fn lower(&self, line: Line, rank: u32) -> i8 {
        self.lower[line.start + rank as usize * line.step] as i8
    }

    fn bank_alone(&self) -> bool {
        self.game.rules().capture == Capture::Always
    }

    /// What a lap is worth, whatever it does.
    fn lap(&self, own: u64, other: u64, pit: Pit) -> i8 {
        let sown = self.game.sow(own, other, pit);
        let gain = sown.banked as i8;
        if sown.again {
            gain + self.lower[self.ranking.position(sown.own, sown.other) as usize] as i8
        } else {
            gain - self.lower[self.ranking.position(sown.other, sown.own) as usize] as i8
        }
    }

    /// Fills in the values of the positions in which `own` is to move against every row of
    /// `others` stones, not fewer than `own` has. `quiet` gives, by rank of the own row
    /// after a move inside it, the values for the other player.
    pub(super) fn fewer_moves<Q>(
        &self,
        own: u64,
        others: usize,
        values: &mut [u8],
        quiet: impl Fn(u32) -> Q,
    ) where
        Q: std::ops::Deref<Target: AsRef<[u8]>>,
    {
        let stones = byte_sum(own) as usize;
        let rows = &self.rows[others];
        if stones == 0 {
            let swept = self.game.swept_margin(0, others as u64) as i8;
            values.fill(swept as u8);
            return;
        }
        values.fill(i8::MIN as u8);
        for pit in Pit::non_empty(own) {
            let sowing = self.game.table.sowing(own, pit);
            let after = own.wrapping_add(sowing.own);
            let added = byte_sum(sowing.other) as usize;
            let captures = after & sowing.landing == sowing.alone;
            if captures && sowing.store == 0 {
                let opposite = usize::from(sowing.opposite_shift) / 8;
                let emptied = &rows.emptied[opposite];
                let left = after ^ sowing.alone;
                let left_rank = self.ranking.row(left);
                let lines: Vec<Line> = (0..=others)
                    .map(|taken| self.line(others - taken, stones - 1, false, left_rank))
                    .collect();
                let missed = quiet(self.ranking.row(after) as u32);
                let missed: &[u8] = missed.as_ref();
                let bank_alone = self.bank_alone();
                let each = values.iter_mut().zip(&rows.rows).zip(emptied).zip(missed);
                for (((value, &row), &emptied), &missed) in each {
                    let taken = usize::from((row >> sowing.opposite_shift) as u8);
                    let reached = if taken == 0 && !bank_alone {
                        -(missed as i8)
                    } else {
                        taken as i8 + 1 - self.lower(lines[taken], emptied)
                    };
                    raise(value, reached);
                }
            } else if sowing.store == 0 {
                let child = quiet(self.ranking.row(after) as u32);
                let child: &[u8] = child.as_ref();
                for (value, &child) in values.iter_mut().zip(child) {
                    raise(value, -(child as i8));
                }
            } else if captures || (added > 0 && sowing.other != first_ones_of(added)) {
                for (value, &other) in values.iter_mut().zip(&rows.rows) {
                    raise(value, self.lap(own, other, pit));
                }
            } else {
                // Over into the other row, or just into the store; a lap that ends in the
                // store is neither.
                let gain = sowing.store as i8;
                let left = byte_sum(after) as usize;
                let rank = self.ranking.row(after);
                let line = if sowing.again {
                    self.line(left, others + added, true, rank)
                } else {
                    self.line(others + added, left, false, rank)
                };
                let again = sowing.again;
                let each = |(value, rank): (&mut u8, u32)| {
                    let child = self.lower(line, rank);
                    raise(value, gain + if again { child } else { -child });
                };
                if added == 0 {
                    values.iter_mut().zip(0..).for_each(each);
                } else {
                    let ranks = rows.added[added - 1].iter().copied();
                    values.iter_mut().zip(ranks).for_each(each);
                }
            }
        }
    }

    /// Fills in the values of the positions in which the player with `movers` stones, not
    /// fewer than `other` has, is to move, by the rank of the mover's row. `quiet` holds, by
    /// rank of the mover's row after a move inside it, the values for the other player.
    pub(super) fn more_moves(&self, other: u64, movers: usize, values: &mut [u8], quiet: &[u8]) {
        let others = byte_sum(other) as usize;
        let rows = &self.rows[movers];
        let pits = usize::from(self.ranking.pits());
        if others == 0 && (movers == 0 || self.game.rules().end == End::EitherRowEmpty) {
            let swept = self.game.swept_margin(movers as u64, 0) as i8;
            values.fill(swept as u8);
            return;
        }
        let consequences = self.consequences(other, others, movers);
        let moves = rows.moves.chunks_exact(pits);
        for (index, (value, moves)) in values.iter_mut().zip(moves).enumerate() {
            let mut best = i8::MIN;
            for (pit, mv) in moves.iter().enumerate() {
                let reached = match mv.kind {
                    NO_MOVE => continue,
                    QUIET => -(quiet[mv.rank as usize] as i8),
                    LAP => self.lap(rows.rows[index], other, Pit::new(pit as u8)),
                    kind => {
                        let consequence = &consequences[usize::from(kind)];
                        if consequence.missed {
                            -(quiet[mv.alternative as usize] as i8)
                        } else {
                            let child = self.lower(consequence.line, mv.rank);
                            let child = if consequence.again { child } else { -child };
                            consequence.gain + child
                        }
                    }
                };
                best = best.max(reached);
            }
            *value = best as u8;
        }
    }

    fn consequences(&self, other: u64, others: usize, movers: usize) -> [Consequence; KINDS] {
        let pits = usize::from(self.ranking.pits());
        let mut consequences = [Consequence::default(); KINDS];
        if movers > 0 {
            consequences[usize::from(AGAIN)] = Consequence {
                line: self.line(movers - 1, others, false, self.ranking.row(other)),
                gain: 1,
                again: true,
                missed: false,
            };
        }
        for over in 1..=pits {
            if movers > over {
                let rank = self.ranking.row(other + first_ones(over));
                consequences[usize::from(OVER) + over - 1] = Consequence {
                    line: self.line(others + over, movers - 1 - over, true, rank),
                    gain: 1,
                    ..Consequence::default()
                };
            }
        }
        for landing in 0..pits {
            let shift = 8 * (pits - 1 - landing);
            let taken = usize::from((other >> shift) as u8);
            let left = other & !(0xff << shift);
            consequences[usize::from(CAPTURE) + landing] = if taken == 0 && !self.bank_alone() {
                Consequence {
                    missed: true,
                    ..Consequence::default()
                }
            } else if movers > 0 {
                Consequence {
                    line: self.line(others - taken, movers - 1, true, self.ranking.row(left)),
                    gain: taken as i8 + 1,
                    ..Consequence::default()
                }
            } else {
                Consequence::default()
            };
        }
        consequences
    }
}

#[inline(always)]
fn raise(value: &mut u8, reached: i8) {
    *value = (*value as i8).max(reached) as u8;
}

/// One stone in each of the first pits, or nothing that a row could get if there are more
/// stones than pits.
fn first_ones_of(stones: usize) -> u64 {
    if stones <= 8 {
        first_ones(stones)
    } else {
        u64::MAX
    }
}
