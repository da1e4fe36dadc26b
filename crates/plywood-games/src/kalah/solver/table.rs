//! What has been proved of positions: one word an entry, shared by all threads.
//!
//! The number of a position is mixed by a function that can be undone, and split: some bits
//! choose the bucket, all the others are kept in the entry. So an entry belongs to one
//! position alone, and a proof never rests on a coincidence. An entry is a single word that
//! is read and written as a whole: threads need no lock, and none ever sees half an entry.

use std::io;
use std::sync::atomic::Ordering;

use super::memory::Words;
use crate::prefetch::prefetch;

/// Entries of a bucket: half a cache line.
const WAYS: usize = 4;

/// The bits of an entry that do not tell which position it is of.
const DATA_BITS: u32 = 26;

/// The most bits of a position's number that an entry can hold.
const MOST_REMAINDER_BITS: u32 = u64::BITS - DATA_BITS;

/// What tells a position from all others in a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Key(pub u64);

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Known {
    /// The mover gets at least this many of the stones in the pits.
    pub least: u8,
    /// The mover gets at most this many of the stones in the pits.
    pub most: u8,
    /// A pit that was good, if one was.
    pub pit: Option<u8>,
}

/// A map from positions to what is known of them. It begins small and grows where it lies:
/// memory that is not used is never touched. As large as it may be it forgets what took the
/// least effort.
pub(super) struct Table {
    words: Words,
    /// Bits of the numbers of positions.
    key_bits: u32,
    /// Bits of the numbers of buckets.
    bucket_bits: u32,
    /// The same of the table as it begins.
    first_bucket_bits: u32,
    /// The same of the table as large as it may be.
    most_bucket_bits: u32,
}

impl Table {
    /// The smallest table for this many positions, in bytes.
    pub(super) fn least_bytes(positions: u64) -> usize {
        let bits = key_bits(positions).saturating_sub(MOST_REMAINDER_BITS);
        (WAYS * size_of::<u64>()) << bits
    }

    /// An empty table for numbers below `positions`, which may grow to so many bytes, or is the
    /// smallest one if they are too few. Or why the system does not give it.
    pub(super) fn new(positions: u64, bytes: usize) -> io::Result<Self> {
        /// The first table: it lies in the cache of a core.
        const FIRST_BYTES: usize = 1 << 20;
        let key_bits = key_bits(positions);
        let least = Self::least_bytes(positions);
        let bucket_bits = |bytes: usize| {
            let buckets = bytes.max(least) / (WAYS * size_of::<u64>());
            // There is no use in more buckets than there are positions.
            buckets.ilog2().min(key_bits)
        };
        let most_bucket_bits = bucket_bits(bytes);
        let first_bucket_bits = bucket_bits(FIRST_BYTES).min(most_bucket_bits);
        Ok(Table {
            words: Words::new(WAYS << most_bucket_bits)?,
            key_bits,
            bucket_bits: first_bucket_bits,
            first_bucket_bits,
            most_bucket_bits,
        })
    }

    /// Whether it should grow, and can, given how many entries are in use: with half of all
    /// one bucket in seven is full.
    pub(super) fn is_crowded(&self, entries: u64) -> bool {
        entries > (WAYS << self.bucket_bits) as u64 / 2 && self.bucket_bits < self.most_bucket_bits
    }

    /// Makes it twice as large, on so many threads. Nothing is forgotten.
    pub(super) fn grow(&mut self, threads: usize) {
        /// Fewer buckets are not worth a thread.
        const SHARE: usize = 1 << 15;
        assert!(self.bucket_bits < self.most_bucket_bits);
        // The first bits of a key say which bucket it is in: one bit more makes two of each. The
        // upper half of the buckets goes where nothing lies, the upper half of the rest where
        // those were, and so on.
        let mut end = 1usize << self.bucket_bits;
        while end > 0 {
            let buckets = end / 2..end;
            let share = buckets.len().div_ceil(threads).max(SHARE);
            std::thread::scope(|scope| {
                let table = &*self;
                let mut shares = buckets.clone().step_by(share).map(|start| {
                    let share = start..(start + share).min(buckets.end);
                    move || share.for_each(|bucket| table.halve(bucket))
                });
                let own = shares.next();
                shares.for_each(|share| drop(scope.spawn(share)));
                own.into_iter().for_each(|share| share());
            });
            end = buckets.start;
        }
        self.bucket_bits += 1;
    }

    /// Moves what is in a bucket to the same places of the two that it becomes.
    #[inline(always)]
    fn halve(&self, bucket: usize) {
        let bit = self.key_bits - self.bucket_bits - 1 + DATA_BITS;
        let entries: [u64; WAYS] =
            std::array::from_fn(|way| self.words[bucket * WAYS + way].load(Ordering::Relaxed));
        let halves = &self.words[2 * bucket * WAYS..][..2 * WAYS];
        for (way, entry) in entries.into_iter().enumerate() {
            // All ones if it is for the second, whatever is in it: nobody can foretell that, so
            // nothing may depend on it but values.
            let second = (entry >> bit & 1).wrapping_neg();
            halves[way].store(entry & !second, Ordering::Relaxed);
            halves[WAYS + way].store(entry & second & !(1 << bit), Ordering::Relaxed);
        }
    }

    /// The size in bytes that it may grow to.
    pub(super) fn bytes(&self) -> usize {
        self.words.len() * size_of::<u64>()
    }

    /// The key of a position: its number, mixed so that similar positions lie apart.
    #[inline(always)]
    pub(super) fn key(&self, number: u64) -> Key {
        let mask = u64::MAX >> (64 - self.key_bits);
        let half = self.key_bits.div_ceil(2);
        // Each step can be undone: no two numbers give the same.
        let mut mixed = number ^ number >> half;
        mixed = mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) & mask;
        mixed ^= mixed >> half;
        Key(mixed.wrapping_mul(0xd1b5_4a32_d192_ed03) & mask)
    }

    /// Where the bucket of a position begins, and what tells the position from the others
    /// of that bucket.
    #[inline(always)]
    fn place(&self, Key(mixed): Key) -> (usize, u64) {
        let rest = self.key_bits - self.bucket_bits;
        let bucket = (mixed >> rest) as usize;
        (bucket * WAYS, mixed & ((1 << rest) - 1))
    }

    /// Has what is known of a position fetched before it is asked for.
    #[inline(always)]
    pub(super) fn prefetch(&self, key: Key) {
        prefetch(&self.words, self.place(key).0);
    }

    /// What is known of a position.
    #[inline(always)]
    pub(super) fn get(&self, key: Key) -> Option<Known> {
        let (start, remainder) = self.place(key);
        for word in &self.words[start..start + WAYS] {
            let word = word.load(Ordering::Relaxed);
            if word >> DATA_BITS == remainder && word != 0 {
                return Some(unpack(word));
            }
        }
        None
    }

    /// Adds to what is known of a position; `effort`, at least 1, says what it took to find
    /// out. Tells whether the entry was empty before.
    #[inline(always)]
    pub(super) fn add(&self, key: Key, mut known: Known, effort: u64) -> bool {
        let (start, remainder) = self.place(key);
        let mut victim = start;
        let mut least = u64::MAX;
        for index in start..start + WAYS {
            let word = self.words[index].load(Ordering::Relaxed);
            if word >> DATA_BITS == remainder && word != 0 {
                let before = unpack(word);
                known.least = known.least.max(before.least);
                known.most = known.most.min(before.most);
                known.pit = known.pit.or(before.pit);
                victim = index;
                least = u64::MAX;
                break;
            }
            // An empty entry took no effort.
            let effort = word >> 20 & 0x3f;
            if effort < least {
                least = effort;
                victim = index;
            }
        }
        let effort = u64::from(1 + effort.max(1).ilog2()).min(0x3f);
        let pit = u64::from(known.pit.map_or(0, |pit| pit + 1));
        let word = remainder << DATA_BITS
            | effort << 20
            | pit << 16
            | u64::from(known.most) << 8
            | u64::from(known.least);
        self.words[victim].store(word, Ordering::Relaxed);
        least == 0
    }

    /// How many entries it may grow to, empty or not.
    pub(super) fn capacity(&self) -> u64 {
        self.words.len() as u64
    }

    /// Forgets everything, and is as small as it was at first.
    pub(super) fn clear(&mut self) {
        self.words[..WAYS << self.bucket_bits]
            .iter()
            .for_each(|word| word.store(0, Ordering::Relaxed));
        self.bucket_bits = self.first_bucket_bits;
    }
}

/// Bits that numbers below this one have: at least 1.
fn key_bits(positions: u64) -> u32 {
    (u64::BITS - positions.saturating_sub(1).leading_zeros()).max(1)
}

#[inline(always)]
fn unpack(word: u64) -> Known {
    let pit = (word >> 16 & 0xf) as u8;
    Known {
        least: word as u8,
        most: (word >> 8) as u8,
        pit: pit.checked_sub(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_has_a_place_of_its_own() {
        for positions in [1, 2, 100, 5000, 1 << 13] {
            for bytes in [32, 256, 4096] {
                let table = Table::new(positions, bytes).expect("small");
                let mut places: Vec<_> =
                    (0..positions).map(|n| table.place(table.key(n))).collect();
                places.sort_unstable();
                places.dedup();
                assert_eq!(places.len() as u64, positions);
            }
        }
    }

    #[test]
    fn knowledge_adds_up_and_goes_to_nobody_else() {
        let mut table = Table::new(1 << 40, 1 << 16).expect("small");
        let number = |index: u64| table.key(index * 1_000_003);
        let known = |index: u64| Known {
            least: (index % 30) as u8,
            most: 30 + (index % 40) as u8,
            pit: [None, Some(0), Some(7)][index as usize % 3],
        };
        for index in 0..3000 {
            table.add(number(index), known(index), index + 1);
        }
        let mut found = 0;
        for index in 0..6000 {
            if let Some(entry) = table.get(number(index)) {
                assert!(index < 3000);
                assert_eq!(entry, known(index));
                found += 1;
            }
        }
        assert!(found > 2800, "only {found} of 3000 kept in 8192 entries");
        let narrower = Known {
            least: 29,
            most: 31,
            pit: None,
        };
        table.add(number(2999), narrower, 1);
        let both = table.get(number(2999)).expect("just added");
        assert_eq!((both.least, both.most), (29, 31));
        assert_eq!(both.pit, known(2999).pit);
        let last = number(2999);
        table.clear();
        assert_eq!(table.get(last), None);
    }

    #[test]
    fn growing_forgets_nothing() {
        let positions = 1 << 40;
        let mut table = Table::new(positions, 1 << 24).expect("small");
        let known = |index: u64| Known {
            least: (index % 30) as u8,
            most: 30 + (index % 40) as u8,
            pit: [None, Some(0), Some(7)][index as usize % 3],
        };
        let number = |index: u64| index * 999_983 % positions;
        let mut entries = 0;
        let mut sizes = 1;
        for index in 0..400_000 {
            entries += u64::from(table.add(table.key(number(index)), known(index), 1));
            if table.is_crowded(entries) {
                let before: Vec<_> = (0..=index)
                    .map(|i| table.get(table.key(number(i))))
                    .collect();
                table.grow(3);
                sizes += 1;
                for (index, before) in before.into_iter().enumerate() {
                    let number = number(index as u64);
                    assert_eq!(table.get(table.key(number)), before, "{number}");
                }
            }
        }
        // From 1 MiB to the 8 MiB of which these entries are less than half.
        assert_eq!(sizes, 4);
        assert!(entries > 370_000, "{entries}");
        assert!(!table.is_crowded(entries));
        // As large as it may be it is never said to be crowded.
        table.grow(1);
        assert!(!table.is_crowded(u64::MAX));
        table.clear();
        assert_eq!(table.get(table.key(number(399_999))), None);
        assert!(
            table
                .words
                .iter()
                .all(|word| word.load(Ordering::Relaxed) == 0)
        );
    }

    #[test]
    fn a_full_bucket_forgets_what_took_least() {
        let table = Table::new(1 << 20, 32).expect("small");
        let known = |least| Known {
            least,
            most: 50,
            pit: None,
        };
        for (number, effort) in [(10, 1000), (20, 4), (30, 1 << 40), (40, 70)] {
            table.add(table.key(number), known(number as u8), effort);
        }
        table.add(table.key(50), known(50), 1);
        assert_eq!(table.get(table.key(20)), None);
        for number in [10, 30, 40, 50] {
            assert_eq!(
                table.get(table.key(number)).expect("kept").least,
                number as u8
            );
        }
    }
}
