//! What a search for threats remembers.

use super::super::super::patterns::Points;
use super::super::vcf::ByHash;
use super::{Numbers, Threat, Width};

/// What is settled of a position, whatever the moves that were left and the width when it was.
#[derive(Clone, Copy, Debug)]
struct Settled {
    /// By width: it is won with so many moves of the attacker left, and more.
    won: [u8; 3],
    /// By width: it is not won with so many moves left, or fewer.
    failed: [u8; 3],
}

const NOT_WON: u8 = u8::MAX;

/// The defences against a threat.
#[derive(Clone, Debug)]
pub(super) struct Defended {
    pub defences: Points,
    pub threat: Threat,
}

/// What is known of positions.
#[derive(Debug)]
pub(super) struct Memory {
    /// By hash, moves left and width, as long as it is not settled.
    open: ByHash<Numbers>,
    /// By hash.
    settled: ByHash<Settled>,
    /// By hash: the defences against wins by fours, which take long to find.
    defended: ByHash<Defended>,
    /// By hash: positions in which fours lead too far to be searched again and again.
    too_many_fours: ByHash<()>,
    /// The most positions that are remembered.
    most: usize,
}

impl Memory {
    pub(super) fn new(most: usize) -> Self {
        Memory {
            open: ByHash::default(),
            settled: ByHash::default(),
            defended: ByHash::default(),
            too_many_fours: ByHash::default(),
            most,
        }
    }

    fn key(hash: u64, left: u32, width: Width) -> u64 {
        let kind = 4 * u64::from(left) + width as u64;
        hash.wrapping_add(kind.wrapping_mul(0xD6E8_FEB8_6659_FD93))
    }

    /// What is known of a position with so many moves of the attacker left. A win of a narrow
    /// width is one of every wider one, and where a wide one fails narrow ones do.
    pub(super) fn get(&self, hash: u64, left: u32, width: Width) -> Option<Numbers> {
        if let Some(settled) = self.settled.get(&hash) {
            let width = width as usize;
            if settled.won[..=width]
                .iter()
                .any(|&won| u32::from(won) <= left)
            {
                return Some(Numbers::PROVEN);
            }
            let failed = &settled.failed[width..];
            if failed.iter().any(|&failed| u32::from(failed) >= left) {
                return Some(Numbers::REFUTED);
            }
        }
        self.open.get(&Self::key(hash, left, width)).copied()
    }

    pub(super) fn remember(&mut self, hash: u64, left: u32, width: Width, numbers: Numbers) {
        if !numbers.is_settled() {
            if self.open.len() >= self.most {
                self.open.clear();
            }
            self.open.insert(Self::key(hash, left, width), numbers);
            return;
        }
        if self.settled.len() >= self.most {
            self.settled.clear();
        }
        let settled = self.settled.entry(hash).or_insert(Settled {
            won: [NOT_WON; 3],
            failed: [0; 3],
        });
        let left = left.min(u32::from(NOT_WON - 1)) as u8;
        if numbers.proof == 0 {
            let won = &mut settled.won[width as usize];
            *won = left.min(*won);
        } else {
            let failed = &mut settled.failed[width as usize];
            *failed = left.max(*failed);
        }
    }

    /// The defences against a win by fours of this position, if they were found before and that
    /// win takes no more moves.
    pub(super) fn defended(&self, hash: u64, left: u32) -> Option<&Defended> {
        let defended = self.defended.get(&hash);
        defended.filter(|defended| defended.threat.moves <= left)
    }

    pub(super) fn remember_defences(&mut self, hash: u64, defended: Defended) {
        // One takes about as much room as ten of the others.
        if self.defended.len() >= self.most / 10 {
            self.defended.clear();
        }
        self.defended.insert(hash, defended);
    }

    pub(super) fn has_too_many_fours(&self, hash: u64) -> bool {
        self.too_many_fours.contains_key(&hash)
    }

    pub(super) fn remember_too_many_fours(&mut self, hash: u64) {
        if self.too_many_fours.len() >= self.most {
            self.too_many_fours.clear();
        }
        self.too_many_fours.insert(hash, ());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_settled_counts_for_more_or_fewer_moves_and_other_widths() {
        let mut memory = Memory::new(100);
        memory.remember(1, 5, Width::WinsByFours, Numbers::PROVEN);
        memory.remember(1, 3, Width::WinsByFours, Numbers::REFUTED);
        for (left, width, known) in [
            (5, Width::WinsByFours, Some(Numbers::PROVEN)),
            (6, Width::Anything, Some(Numbers::PROVEN)),
            (4, Width::WinsByFours, None),
            // By threes alone it may take longer, or there may be no win.
            (9, Width::Threes, None),
            (3, Width::WinsByFours, Some(Numbers::REFUTED)),
            (2, Width::Threes, Some(Numbers::REFUTED)),
            // More kinds of moves may win where fewer do not.
            (3, Width::Anything, None),
        ] {
            assert_eq!(memory.get(1, left, width), known, "{left} {width:?}");
        }
        assert_eq!(memory.get(2, 5, Width::WinsByFours), None);
        let open = Numbers {
            proof: 3,
            disproof: 4,
        };
        memory.remember(2, 5, Width::Threes, open);
        assert_eq!(memory.get(2, 5, Width::Threes), Some(open));
        assert_eq!(memory.get(2, 6, Width::Threes), None);
    }
}
