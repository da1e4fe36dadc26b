//! The transposition table: what is known of positions seen before, shared by all workers.

use crate::sync::{AtomicU64, Ordering};

/// Entries of a bucket: with two words each they fill one cache line.
const WAYS: usize = 4;

/// One position: the data, and the key exclusive-or the data.
///
/// The two words are written and read separately, so a reader may see words of different
/// writers. Their combination then gives a wrong key, and the entry counts as absent: no
/// lock is needed, and a torn entry is never believed.
struct Entry {
    check: AtomicU64,
    data: AtomicU64,
}

#[repr(align(64))]
struct Bucket([Entry; WAYS]);

/// A fixed-size map from 64-bit keys to 64-bit data that forgets what is worth least.
///
/// Any number of threads may read and write at once without locks. Two positions whose
/// 64-bit keys are equal are taken for one another; everything else is exact.
pub struct Table {
    buckets: Box<[Bucket]>,
}

impl Table {
    /// The smallest table, in bytes.
    pub const MIN_BYTES: usize = size_of::<Bucket>();

    /// An empty table of at most this many bytes (and at least [`Table::MIN_BYTES`]).
    pub fn new(bytes: usize) -> Self {
        let count = (bytes / size_of::<Bucket>()).max(1);
        let empty = || Entry {
            check: AtomicU64::new(0),
            data: AtomicU64::new(0),
        };
        Table {
            buckets: (0..count)
                .map(|_| Bucket(std::array::from_fn(|_| empty())))
                .collect(),
        }
    }

    /// The size of the table in bytes.
    pub fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Bucket>()
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        for entry in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            entry.check.store(0, Ordering::Relaxed);
            entry.data.store(0, Ordering::Relaxed);
        }
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[Entry; WAYS] {
        // The high half of the product spreads keys over any number of buckets.
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize].0
    }

    /// What is stored under this key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<u64> {
        for entry in self.bucket(key) {
            let check = entry.check.load(Ordering::Relaxed);
            let data = entry.data.load(Ordering::Relaxed);
            if check ^ data == key && data != 0 {
                return Some(data);
            }
        }
        None
    }

    /// Stores data under a key, in place of what was there under the same key, or else of
    /// the entry of its bucket that `worth` values least. Data must not be 0, which marks
    /// an empty entry.
    #[inline]
    pub fn store(&self, key: u64, data: u64, worth: impl Fn(u64) -> u32) {
        debug_assert_ne!(data, 0);
        let bucket = self.bucket(key);
        let mut victim = &bucket[0];
        let mut least = u32::MAX;
        for entry in bucket {
            let check = entry.check.load(Ordering::Relaxed);
            let old = entry.data.load(Ordering::Relaxed);
            if old == 0 || check ^ old == key {
                victim = entry;
                break;
            }
            let value = worth(old);
            if value < least {
                least = value;
                victim = entry;
            }
        }
        victim.check.store(key ^ data, Ordering::Relaxed);
        victim.data.store(data, Ordering::Relaxed);
    }

    /// The share of entries in use, from a sample, between 0 and 1.
    pub fn fill(&self) -> f64 {
        let sample = self.buckets.len().min(1000);
        let used = self.buckets[..sample]
            .iter()
            .flat_map(|bucket| &bucket.0)
            .filter(|entry| entry.data.load(Ordering::Relaxed) != 0)
            .count();
        used as f64 / (sample * WAYS) as f64
    }
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Table({} bytes)", self.bytes())
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_stored_and_nothing_else() {
        let table = Table::new(1 << 16);
        for key in 1..500u64 {
            table.store(key.wrapping_mul(0x9E37_79B9_7F4A_7C15), key, |_| 0);
        }
        let mut found = 0;
        for key in 1..1000u64 {
            if let Some(data) = table.probe(key.wrapping_mul(0x9E37_79B9_7F4A_7C15)) {
                assert_eq!(data, key);
                assert!(key < 500);
                found += 1;
            }
        }
        assert!(found > 450, "only {found} of 499 kept in 4096 entries");
    }

    #[test]
    fn a_full_bucket_gives_up_the_least_worth() {
        let table = Table::new(Table::MIN_BYTES);
        for data in [5, 3, 9, 7] {
            table.store(data, data, |old| old as u32);
        }
        table.store(100, 100, |old| old as u32);
        assert_eq!(table.probe(3), None);
        for data in [5, 9, 7, 100] {
            assert_eq!(table.probe(data), Some(data));
        }
    }

    #[test]
    fn sixteen_threads_never_read_data_of_another_key() {
        let table = Table::new(1 << 12);
        std::thread::scope(|scope| {
            for thread in 0..16u64 {
                let table = &table;
                scope.spawn(move || {
                    let mut key = thread + 1;
                    for _ in 0..20_000 {
                        key = key.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                        let narrow = key >> 56 << 54 | 1;
                        if let Some(data) = table.probe(narrow) {
                            assert_eq!(data, !narrow | 1);
                        }
                        table.store(narrow, !narrow | 1, |_| (key >> 32) as u32);
                    }
                });
            }
        });
    }
}

#[cfg(all(test, loom))]
mod models {
    use super::*;
    use loom::sync::Arc;
    use loom::thread;

    /// Two writers of different keys fight for one bucket while a reader looks both up:
    /// whatever the interleaving, a key never yields the other key's data.
    #[test]
    fn torn_entries_are_never_believed() {
        loom::model(|| {
            let table = Arc::new(Table::new(Table::MIN_BYTES));
            // Fill the bucket, so that both writers choose the same victim.
            for key in 1..=4 {
                table.store(key, key, |old| old as u32);
            }
            let writers: Vec<_> = [(50u64, 51u64), (60, 61)]
                .into_iter()
                .map(|(key, data)| {
                    let table = Arc::clone(&table);
                    thread::spawn(move || table.store(key, data, |old| old as u32))
                })
                .collect();
            for (key, data) in [(50, 51), (60, 61), (1, 1)] {
                let seen = table.probe(key);
                assert!(seen.is_none() || seen == Some(data), "{key}: {seen:?}");
            }
            for writer in writers {
                writer.join().unwrap();
            }
        });
    }
}
