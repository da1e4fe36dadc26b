//! Large memory, in huge pages where the system has them.
//!
//! A database or a table of gigabytes is read at random: with pages of 4 KiB nearly every
//! access would miss the translation cache too.

use std::io;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::AtomicU64;

use memmap2::{MmapMut, MmapRaw};

/// Zeroed bytes.
pub(super) struct Bytes {
    map: MmapMut,
    len: usize,
}

impl Bytes {
    /// This many zeros, or why the system does not give them.
    pub(super) fn new(len: usize) -> io::Result<Self> {
        let map = zeros(len)?;
        Ok(Bytes { map, len })
    }
}

fn zeros(bytes: usize) -> io::Result<MmapMut> {
    // A map of nothing is refused.
    let map = MmapMut::map_anon(bytes.max(1))?;
    // Where there are no huge pages everything works as well, only slower.
    #[cfg(all(target_os = "linux", not(feature = "no-huge-pages")))]
    let _ = map.advise(memmap2::Advice::HugePage);
    Ok(map)
}

impl Deref for Bytes {
    type Target = [u8];

    #[inline(always)]
    fn deref(&self) -> &[u8] {
        &self.map[..self.len]
    }
}

impl DerefMut for Bytes {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.map[..self.len]
    }
}

/// Words that many threads read and write, 0 at first.
pub(super) struct Words {
    map: MmapRaw,
    len: usize,
}

impl Words {
    /// This many words, or why the system does not give them.
    pub(super) fn new(len: usize) -> io::Result<Self> {
        let map = zeros(len * size_of::<AtomicU64>())?.into();
        Ok(Words { map, len })
    }
}

impl Deref for Words {
    type Target = [AtomicU64];

    #[inline(always)]
    fn deref(&self) -> &[AtomicU64] {
        // SAFETY: the map is private to this process, writable, and reached through `self`
        // alone: never as plain bytes, only as these words, which live as long as `self`.
        // It begins at a page, so words are aligned, and it holds at least `len` of them,
        // all initialised: any bits make an `AtomicU64`.
        unsafe { std::slice::from_raw_parts(self.map.as_mut_ptr().cast::<AtomicU64>(), self.len) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering;

    #[test]
    fn words_begin_as_zeros_and_keep_what_threads_write() {
        let words = Words::new(1000).expect("a few kilobytes");
        assert_eq!(words.len(), 1000);
        assert!(words.iter().all(|word| word.load(Ordering::Relaxed) == 0));
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let words = &words;
                scope.spawn(move || {
                    for index in (thread..1000).step_by(4) {
                        words[index].store(index as u64 + 1, Ordering::Relaxed);
                    }
                });
            }
        });
        let sum: u64 = words.iter().map(|word| word.load(Ordering::Relaxed)).sum();
        assert_eq!(sum, 500_500);
        assert_eq!(Bytes::new(0).expect("nothing").len(), 0);
    }
}
