//! What the table keeps of a position: one word.

use super::super::Point;

/// What a value says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    /// As [`to_table`](super::score::to_table) gives it.
    pub value: i32,
    /// What the evaluation said.
    pub estimate: i32,
    pub best: Option<Point>,
    pub depth: i32,
    pub bound: Bound,
    /// The search that has written it, modulo [`GENERATIONS`].
    pub generation: u8,
}

/// Generations are counted modulo this.
pub(super) const GENERATIONS: u8 = 64;

/// No point has this number.
const NO_POINT: u64 = 1023;

/// The depth that is kept as 0.
const LOWEST_DEPTH: i32 = -20;

impl Entry {
    /// As one word, which is not 0.
    #[inline]
    pub(super) fn pack(&self) -> u64 {
        let best = self.best.map_or(NO_POINT, |point| point.slot() as u64);
        let depth = (self.depth - LOWEST_DEPTH).clamp(0, 255) as u64;
        let bound = match self.bound {
            Bound::Exact => 1,
            Bound::AtLeast => 2,
            Bound::AtMost => 3,
        };
        u64::from(self.value as i16 as u16)
            | u64::from(self.estimate as i16 as u16) << 16
            | best << 32
            | depth << 42
            | bound << 50
            | u64::from(self.generation) << 52
    }

    #[inline]
    pub(super) fn unpack(word: u64) -> Entry {
        let best = word >> 32 & 1023;
        Entry {
            value: i32::from(word as u16 as i16),
            estimate: i32::from((word >> 16) as u16 as i16),
            best: (best != NO_POINT).then(|| Point::from_slot(best as usize)),
            depth: (word >> 42 & 255) as i32 + LOWEST_DEPTH,
            bound: match word >> 50 & 3 {
                1 => Bound::Exact,
                2 => Bound::AtLeast,
                _ => Bound::AtMost,
            },
            generation: (word >> 52) as u8 & (GENERATIONS - 1),
        }
    }

    /// What a kept word is worth to a search of this generation: deep and new ones most.
    #[inline]
    pub(super) fn worth(word: u64, generation: u8) -> u32 {
        let depth = (word >> 42 & 255) as u32;
        let new = (word >> 52) as u8 & (GENERATIONS - 1) == generation;
        depth + if new { 256 } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_holds_everything() {
        for best in [None, Some(Point::new(0, 0)), Some(Point::new(19, 19))] {
            for bound in [Bound::Exact, Bound::AtLeast, Bound::AtMost] {
                for (value, estimate) in [(0, 0), (29_990, -20_000), (-29_990, 77)] {
                    for depth in [-5, 0, 16, 200] {
                        let entry = Entry {
                            value,
                            estimate,
                            best,
                            depth,
                            bound,
                            generation: 63,
                        };
                        let word = entry.pack();
                        assert_ne!(word, 0);
                        assert_eq!(Entry::unpack(word), entry);
                    }
                }
            }
        }
    }

    #[test]
    fn old_and_shallow_entries_go_first() {
        let entry = |depth, generation| {
            Entry {
                value: 0,
                estimate: 0,
                best: None,
                depth,
                bound: Bound::Exact,
                generation,
            }
            .pack()
        };
        let worth = |depth, generation| Entry::worth(entry(depth, generation), 3);
        assert!(worth(2, 3) > worth(9, 2));
        assert!(worth(9, 3) > worth(2, 3));
        assert!(worth(9, 2) > worth(2, 1));
    }
}
