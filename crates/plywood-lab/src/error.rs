//! Why an experiment could not be made.

use std::fmt;
use std::io;
use std::path::Path;

/// Why an experiment could not be made. It shows as one line that says what was wrong and
/// what is accepted.
#[derive(Debug)]
pub enum LabError {
    /// What was asked for makes no sense.
    Input(String),
    /// Something that makes sense could not be done: a file, a disk, a process.
    Failed(String),
}

impl LabError {
    /// A file that cannot be read or written.
    pub fn file(path: &Path, error: &io::Error) -> Self {
        LabError::Failed(format!("{}: {error}", path.display()))
    }
}

impl fmt::Display for LabError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LabError::Input(line) | LabError::Failed(line) => f.write_str(line),
        }
    }
}

impl std::error::Error for LabError {}

impl From<plywood::SettingsError> for LabError {
    fn from(error: plywood::SettingsError) -> Self {
        LabError::Input(error.to_string())
    }
}

impl From<plywood_games::TextError> for LabError {
    fn from(error: plywood_games::TextError) -> Self {
        LabError::Input(error.to_string())
    }
}
