//! The measurements of a run on disk: one JSON line each, on disk before the next begins.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::record::Measurement;
use crate::{LabError, Remainder};

/// What is in a journal.
pub(super) struct Content {
    pub(super) measurements: Vec<Measurement>,
    /// What follows them and was never finished.
    pub(super) remainder: Option<Remainder>,
    /// How many bytes the measurements take.
    good: usize,
}

/// A file that measurements are added to.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Opens a journal to go on with it, or begins one. A line that was being written when
    /// the program was killed is removed.
    pub(super) fn open(path: &Path) -> Result<(Self, Content), LabError> {
        let failed = |error| LabError::file(path, &error);
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        let mut file = options.open(path).map_err(failed)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let content = read(path, &bytes)?;
        if content.good < bytes.len() {
            file.set_len(content.good as u64).map_err(failed)?;
            file.sync_data().map_err(failed)?;
        }
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        let path = path.to_owned();
        Ok((Journal { path, file }, content))
    }

    /// Adds a measurement; when this returns it is on disk.
    pub(super) fn add(&mut self, measurement: &Measurement) -> Result<(), LabError> {
        let mut line = serde_json::to_vec(measurement)
            .map_err(|error| LabError::file(&self.path, &io::Error::from(error)))?;
        line.push(b'\n');
        let before = self.file.metadata().map(|data| data.len());
        let written = self.file.write_all(&line);
        let written = written.and_then(|()| self.file.sync_data());
        written.map_err(|error| {
            // Half a line is no use. If it cannot be cut off now, that is done on resuming.
            if let Ok(before) = before {
                let _ = self.file.set_len(before);
            }
            LabError::Failed(format!(
                "{}: {error}; what was measured before is safe, go on with --resume when there is room",
                self.path.display()
            ))
        })
    }
}

/// What is in a journal that nobody is to write to.
pub(super) fn read_file(path: &Path) -> Result<Content, LabError> {
    let bytes = std::fs::read(path).map_err(|error| LabError::file(path, &error))?;
    read(path, &bytes)
}

fn read(path: &Path, bytes: &[u8]) -> Result<Content, LabError> {
    let mut measurements: Vec<Measurement> = Vec::new();
    // A file put together by hand may have a line twice; it was measured once.
    let mut seen = HashSet::new();
    let (mut good, mut lines) = (0, 0);
    for (index, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let last = good + line.len() == bytes.len();
        // Without its line break a line was not finished, even if it looks so.
        let Some(json) = line.strip_suffix(b"\n") else {
            break;
        };
        match serde_json::from_slice(json) {
            Ok(measurement) => {
                if seen.insert(json) {
                    measurements.push(measurement);
                }
            }
            Err(_) if last => break,
            Err(error) => {
                return Err(LabError::Input(format!(
                    "{}:{}: this is no measurement ({error}); each line is one that `plywood lab sweep` wrote",
                    path.display(),
                    index + 1
                )));
            }
        }
        good += line.len();
        lines += 1;
    }
    Ok(Content {
        measurements,
        remainder: Remainder::new(path, lines, &bytes[good..]),
        good,
    })
}
