//! What the table remembers of a node.

/// What a value says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    /// It is the true one.
    Exact,
    /// The true one is at least this.
    Lower,
    /// The true one is at most this.
    Upper,
}

/// A node in the table, from the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    pub(super) value: i32,
    pub(super) bound: Bound,
    pub(super) depth: u8,
    /// The place of the best move in the game's order, if one was found.
    pub(super) best: Option<usize>,
    generation: u8,
}

const NO_MOVE: u64 = 0xFFFF;

/// Generations are counted modulo this.
const GENERATIONS: u8 = 64;

impl Entry {
    pub(super) fn new(
        value: i32,
        bound: Bound,
        depth: u32,
        best: Option<usize>,
        generation: u8,
    ) -> Self {
        Entry {
            value,
            bound,
            depth: depth as u8,
            best: best.filter(|&index| (index as u64) < NO_MOVE),
            generation: generation % GENERATIONS,
        }
    }

    /// 32 bits of value, 16 of move, 8 of depth, 6 of generation, 2 of bound; never 0.
    #[inline]
    pub(super) fn pack(self) -> u64 {
        let bound = match self.bound {
            Bound::Exact => 1,
            Bound::Lower => 2,
            Bound::Upper => 3,
        };
        let best = self.best.map_or(NO_MOVE, |index| index as u64);
        u64::from(self.value as u32) << 32
            | best << 16
            | u64::from(self.depth) << 8
            | u64::from(self.generation) << 2
            | bound
    }

    #[inline]
    pub(super) fn unpack(data: u64) -> Self {
        let best = data >> 16 & 0xFFFF;
        Entry {
            value: (data >> 32) as u32 as i32,
            bound: match data & 3 {
                2 => Bound::Lower,
                3 => Bound::Upper,
                _ => Bound::Exact,
            },
            depth: (data >> 8) as u8,
            best: (best != NO_MOVE).then_some(best as usize),
            generation: (data >> 2) as u8 % GENERATIONS,
        }
    }

    /// Whether the entry speaks of a search to this depth, or deeper if that counts.
    #[inline]
    pub(super) fn fits(self, depth: u32, deeper: bool) -> bool {
        let known = u32::from(self.depth);
        known == depth || deeper && known > depth
    }

    /// Whether the value is all that is to be known of a node with this window.
    #[inline]
    pub(super) fn cuts(self, alpha: i32, beta: i32) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value >= beta,
            Bound::Upper => self.value <= alpha,
        }
    }

    /// How much is lost if the entry is replaced: deep ones and new ones are worth more.
    #[inline]
    pub(super) fn worth(self, generation: u8) -> u32 {
        let age = (generation % GENERATIONS + GENERATIONS - self.generation) % GENERATIONS;
        u32::from(self.depth) + 4 * u32::from(GENERATIONS - age)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_keeps_everything() {
        for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
            for value in [0, 1, -1, i32::MAX, -i32::MAX] {
                for best in [None, Some(0), Some(7), Some(65_534)] {
                    let entry = Entry::new(value, bound, 250, best, 77);
                    assert_eq!(Entry::unpack(entry.pack()), entry);
                    assert_ne!(entry.pack(), 0);
                }
            }
        }
    }

    #[test]
    fn a_move_too_far_down_the_list_is_not_kept() {
        let entry = Entry::new(5, Bound::Exact, 3, Some(65_535), 0);
        assert_eq!(entry.best, None);
        assert_eq!(Entry::unpack(entry.pack()).value, 5);
    }

    #[test]
    fn old_entries_go_first() {
        let old = Entry::new(0, Bound::Exact, 20, None, 1);
        let new = Entry::new(0, Bound::Exact, 5, None, 60);
        assert!(old.worth(60) < new.worth(60));
        assert!(Entry::new(0, Bound::Exact, 6, None, 60).worth(60) > new.worth(60));
    }
}
