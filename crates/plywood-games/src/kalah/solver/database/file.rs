//! A database on disk, so that it is filled in once.
//!
//! One file holds one game's layers, as many as anybody has needed so far. It begins with a
//! head of 4096 bytes: what it is, of which version and rules, and a checksum for every
//! layer that is complete. The layers follow without gaps, the values as they are in memory.
//!
//! A layer is written first and its checksum afterwards, so a build that is killed leaves all
//! layers it had finished. Nothing is believed that does not have its checksum: what is
//! damaged, cut off or not of this game is refused, and filled in again.
//!
//! The file is read, not mapped: reading checks the sums on the way and brings the values
//! into huge pages, and nobody can pull a mapped file out from under a running search.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::kalah::rules::{Capture, End, Rules, Sweep};
use crate::kalah::solver::ranking::Ranking;

use super::{Builder, MAX_DATABASE_STONES};

const MAGIC: [u8; 8] = *b"PLYKALAH";
const VERSION: u32 = 1;
const HEAD: usize = 4096;
/// Where the checksums begin in the head.
const SUMS: usize = 64;

/// A file that layers are read from and added to.
pub(super) struct CacheFile {
    path: PathBuf,
    file: File,
    /// The checksums of the complete layers, in their order.
    sums: Vec<u64>,
    head: [u8; SUMS],
}

/// Why a file is not used.
pub(super) type Refusal = String;

impl CacheFile {
    /// The file for these rules in a folder, which is made if it is not there. A file that is
    /// not one of these is emptied, and the refusal says why.
    pub(super) fn open(folder: &Path, rules: &Rules) -> Result<(Self, Option<Refusal>), Refusal> {
        let path = folder.join(name(rules));
        let cannot = |what: &str, error: &dyn std::fmt::Display| {
            format!(
                "the database is not kept: {} {what}: {error}",
                path.display()
            )
        };
        std::fs::create_dir_all(folder)
            .map_err(|error| cannot("needs its folder, which cannot be made", &error))?;
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(|error| cannot("cannot be opened", &error))?;
        // Two builds of one file would spoil it.
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(cannot("is not used", &"another process works with it"));
            }
            // Some file systems have no locks; checksums still guard what is read.
            Err(TryLockError::Error(_)) => {}
        }
        let mut cache = CacheFile {
            path,
            file,
            sums: Vec::new(),
            head: head(rules),
        };
        match cache.read_head() {
            Ok(refusal) => Ok((cache, refusal)),
            Err(error) => {
                let path = cache.path.display();
                Err(format!(
                    "the database is not kept: {path} cannot be used: {error}"
                ))
            }
        }
    }

    /// Reads which layers there are, or begins anew.
    fn read_head(&mut self) -> io::Result<Option<Refusal>> {
        let mut head = [0; HEAD];
        let refusal = match self.file.read_exact(&mut head) {
            Ok(()) if head[..SUMS] == self.head => {
                self.sums = head[SUMS..]
                    .chunks_exact(8)
                    .take(MAX_DATABASE_STONES + 1)
                    .map(|bytes| u64::from_le_bytes(bytes.try_into().expect("eight bytes")))
                    .take_while(|&sum| sum != 0)
                    .collect();
                return Ok(None);
            }
            Ok(()) => Some("is not a database of this version and these rules"),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                let empty = self.file.metadata()?.len() == 0;
                (!empty).then_some("is cut off in its head")
            }
            Err(error) => return Err(error),
        };
        self.file.set_len(0)?;
        let mut head = [0; HEAD];
        head[..SUMS].copy_from_slice(&self.head);
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(&head)?;
        let path = self.path.display();
        Ok(refusal.map(|why| format!("{path} {why}: it is filled in again")))
    }

    /// Reads layers into an empty builder while they are good. Tells the number of bytes
    /// read, and why there are not more if that is not because the file ends there.
    pub(super) fn read(&mut self, builder: &mut Builder) -> (u64, Option<Refusal>) {
        let mut bytes = 0;
        if let Err(error) = self.file.seek(SeekFrom::Start(HEAD as u64)) {
            self.sums.clear();
            return (0, Some(self.damaged(0, &error.to_string())));
        }
        for layer in 0..self.sums.len() {
            if builder.is_complete() {
                break;
            }
            let values = builder.layer_mut(layer);
            let problem = match self.file.read_exact(values) {
                Ok(()) if checksum(layer, values) == self.sums[layer] => None,
                Ok(()) => Some("its checksum is wrong".to_owned()),
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                    Some("it is cut off".to_owned())
                }
                Err(error) => Some(error.to_string()),
            };
            if let Some(problem) = problem {
                self.sums.truncate(layer);
                return (bytes, Some(self.damaged(layer, &problem)));
            }
            bytes += values.len() as u64;
            builder.accept_layer();
        }
        (bytes, None)
    }

    fn damaged(&self, layer: usize, problem: &str) -> Refusal {
        format!(
            "{} is damaged in the layer of {layer} stones ({problem}): it is filled in again \
             from there",
            self.path.display()
        )
    }

    /// Whether the file has this layer.
    pub(super) fn has(&self, layer: usize) -> bool {
        layer < self.sums.len()
    }

    /// Adds the next layer.
    pub(super) fn add(&mut self, ranking: &Ranking, values: &[u8]) -> Result<(), Refusal> {
        let layer = self.sums.len();
        let sum = checksum(layer, values);
        let place = (SUMS + 8 * layer) as u64;
        let written = (|| {
            // Nothing behind this layer is good, whatever the head still says.
            self.file.seek(SeekFrom::Start(place))?;
            self.file.write_all(&vec![0; HEAD - place as usize])?;
            let start = HEAD as u64 + ranking.layer(layer);
            self.file.seek(SeekFrom::Start(start))?;
            self.file.write_all(values)?;
            // The values have to be on the disk before their checksum is.
            self.file.sync_data()?;
            self.file.seek(SeekFrom::Start(place))?;
            self.file.write_all(&sum.to_le_bytes())
        })();
        written.map_err(|error: io::Error| {
            let path = self.path.display();
            format!("the database is not kept further: {path} cannot be written: {error}")
        })?;
        self.sums.push(sum);
        Ok(())
    }
}

/// What the file of some rules is called.
pub(super) fn name(rules: &Rules) -> String {
    let capture = match rules.capture {
        Capture::IfOppositeFull => "full",
        Capture::Always => "empty",
    };
    let end = match rules.end {
        End::EitherRowEmpty => "either",
        End::MoverRowEmpty => "mover",
    };
    let sweep = match rules.sweep {
        Sweep::ToOwner => "owner",
        Sweep::ToOther => "other",
    };
    let pits = rules.pits;
    format!("kalah-{pits}-{capture}-{end}-{sweep}.database")
}

/// What every file of these rules begins with. Stones at the start are no part of it.
fn head(rules: &Rules) -> [u8; SUMS] {
    let mut head = [0; SUMS];
    head[..8].copy_from_slice(&MAGIC);
    head[8..12].copy_from_slice(&VERSION.to_le_bytes());
    head[12] = rules.pits;
    head[13] = rules.capture as u8;
    head[14] = rules.end as u8;
    head[15] = rules.sweep as u8;
    head
}

/// A sum of a layer's values that a slip is not likely to leave as it was; never 0.
fn checksum(layer: usize, values: &[u8]) -> u64 {
    const FACTORS: [u64; 4] = [
        0x9e37_79b9_7f4a_7c15,
        0xd1b5_4a32_d192_ed03,
        0xa24b_aed4_963e_e407,
        0x9fb2_1c65_1e98_df25,
    ];
    // Four sums at once: each multiplication would have to wait for the one before.
    let mut sums = FACTORS.map(|factor| factor ^ layer as u64);
    let mut chunks = values.chunks_exact(32);
    let mut add = |chunk: &[u8]| {
        for (lane, sum) in sums.iter_mut().enumerate() {
            let bytes = chunk[8 * lane..8 * lane + 8]
                .try_into()
                .expect("eight bytes");
            let word = u64::from_le_bytes(bytes);
            *sum = (*sum ^ word).wrapping_mul(FACTORS[lane]).rotate_left(29);
        }
    };
    chunks.by_ref().for_each(&mut add);
    let mut last = [0; 32];
    last[..chunks.remainder().len()].copy_from_slice(chunks.remainder());
    add(&last);
    let all = sums.iter().fold(values.len() as u64, |all, &sum| {
        (all ^ sum).wrapping_mul(FACTORS[0]).rotate_left(31)
    });
    all.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checksum_sees_every_byte_and_the_length() {
        let values: Vec<u8> = (0..100).collect();
        let sum = checksum(3, &values);
        assert_ne!(sum, checksum(4, &values));
        assert_ne!(sum, checksum(3, &values[..99]));
        for index in 0..100 {
            for bit in 0..8 {
                let mut damaged = values.clone();
                damaged[index] ^= 1 << bit;
                assert_ne!(sum, checksum(3, &damaged), "byte {index}, bit {bit}");
            }
        }
    }

    #[test]
    fn files_of_different_rules_have_different_names_and_heads() {
        let mut all: Vec<_> = (1..=8)
            .flat_map(super::super::tests::all_rules)
            .map(|rules| (name(&rules), head(&rules)))
            .collect();
        all.sort();
        all.dedup_by(|a, b| a.0 == b.0 || a.1 == b.1);
        assert_eq!(all.len(), 64);
    }
}
