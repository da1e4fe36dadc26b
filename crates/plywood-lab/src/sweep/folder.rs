//! A run: the folder with what was to be measured, what was measured, and reports of it.

use std::fs::{File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::journal::{self, Content, Journal};
use super::plan::Plan;
use crate::record::{Measurement, Setting};
use crate::{LabError, Remainder};

/// The sweep, with everything decided.
pub(super) const SWEEP: &str = "sweep.toml";
/// The measurements.
pub(super) const MEASUREMENTS: &str = "measurements.jsonl";
/// Recorded events, a file for each setting.
const TRACES: &str = "traces";
/// Who holds a lock on this file writes to the folder.
const LOCK: &str = ".lock";

/// A run that was made, or is being made: nothing is written to it.
#[derive(Debug)]
pub struct Run {
    /// Where it is.
    pub folder: PathBuf,
    /// What was to be measured.
    pub plan: Plan,
    /// What was measured so far, in that order.
    pub measurements: Vec<Measurement>,
    /// What follows them in the file and cannot be read.
    pub remainder: Option<Remainder>,
}

impl Run {
    /// Reads a run.
    pub fn open(folder: &Path) -> Result<Run, LabError> {
        let path = folder.join(SWEEP);
        let text = std::fs::read_to_string(&path).map_err(|error| {
            LabError::Input(format!(
                "{} is no run ({SWEEP}: {error}): use a folder that `plywood lab sweep` made",
                folder.display()
            ))
        })?;
        let plan = Plan::read(&path.display().to_string(), &text)?;
        let (measurements, remainder) = match folder.join(MEASUREMENTS) {
            path if path.exists() => {
                let content = journal::read_file(&path)?;
                (content.measurements, content.remainder)
            }
            _ => (Vec::new(), None),
        };
        Ok(Run {
            folder: folder.to_owned(),
            plan,
            measurements,
            remainder,
        })
    }
}

/// A folder that this process alone writes measurements to.
#[derive(Debug)]
pub(super) struct Folder {
    pub(super) path: PathBuf,
    /// Held until the process ends, however it ends.
    _lock: File,
}

impl Folder {
    /// Takes a folder for a run: a new or empty one, or with `resume` the one of the same run.
    pub(super) fn take(path: &Path, plan: &Plan, resume: bool) -> Result<Self, LabError> {
        let failed = |error: &std::io::Error| LabError::file(path, error);
        if path.exists() && !path.is_dir() {
            return Err(LabError::Input(format!(
                "{} is a file: a run is kept in a folder",
                path.display()
            )));
        }
        let had_run = path.join(SWEEP).exists();
        if had_run && !resume {
            return Err(LabError::Input(format!(
                "{} holds a run already: use --resume to go on with it, or --out for another folder",
                path.display()
            )));
        }
        if !had_run && holds_something(path) {
            return Err(LabError::Input(format!(
                "{} is not empty and holds no run: use --out with a new folder",
                path.display()
            )));
        }
        std::fs::create_dir_all(path).map_err(|error| failed(&error))?;
        let lock_path = path.join(LOCK);
        let lock = File::create(&lock_path).map_err(|error| LabError::file(&lock_path, &error))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(LabError::Failed(format!(
                    "another sweep is writing to {}: wait for it, or use --out for another folder",
                    path.display()
                )));
            }
            Err(TryLockError::Error(error)) => return Err(LabError::file(&lock_path, &error)),
        }
        let folder = Folder {
            path: path.to_owned(),
            _lock: lock,
        };
        let sweep = path.join(SWEEP);
        // Looked at again, now that nobody else can write it.
        if sweep.exists() {
            folder.check_same(&sweep, plan)?;
        } else {
            write_whole(&sweep, plan.text.as_bytes())?;
        }
        Ok(folder)
    }

    /// The journal and what is in it already.
    pub(super) fn journal(&self) -> Result<(Journal, Content), LabError> {
        Journal::open(&self.path.join(MEASUREMENTS))
    }

    /// Where the events of a setting are recorded.
    pub(super) fn trace(&self, setting: &Setting) -> Result<PathBuf, LabError> {
        let traces = self.path.join(TRACES);
        std::fs::create_dir_all(&traces).map_err(|error| LabError::file(&traces, &error))?;
        Ok(traces.join(format!("{}.jsonl", setting.slug())))
    }

    fn check_same(&self, sweep: &Path, plan: &Plan) -> Result<(), LabError> {
        let text = std::fs::read_to_string(sweep).map_err(|e| LabError::file(sweep, &e))?;
        if text == plan.text {
            return Ok(());
        }
        let mut lines = text.lines().zip(plan.text.lines()).enumerate();
        let difference = lines.find(|(_, (old, new))| old != new);
        let (line, what) = match difference {
            Some((index, (old, new))) => (index + 1, format!("'{old}' there, '{new}' now")),
            None => (
                text.lines().count().min(plan.text.lines().count()) + 1,
                "one of them goes on".into(),
            ),
        };
        Err(LabError::Input(format!(
            "{}:{line}: this run measures something else ({what}): use the same file and flags to resume, or --out for another folder",
            sweep.display()
        )))
    }
}

/// Whether there is anything in a folder that a sweep does not put there first of all.
fn holds_something(path: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(path) else {
        return false;
    };
    entries
        .flatten()
        .any(|entry| entry.file_name() != LOCK && entry.file_name() != partial_name(SWEEP).as_str())
}

fn partial_name(name: &str) -> String {
    format!(".{name}.partial")
}

/// Writes a file so that there is always a whole one: the one before, or this one.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), LabError> {
    let name = path.file_name().and_then(|name| name.to_str());
    let partial = path.with_file_name(partial_name(name.unwrap_or("file")));
    let write = || {
        let mut file = File::create(&partial)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        std::fs::rename(&partial, path)
    };
    write().map_err(|error| {
        let _ = std::fs::remove_file(&partial);
        LabError::file(path, &error)
    })
}
