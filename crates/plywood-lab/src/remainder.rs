//! What a file of lines ends with if the program or the machine stopped while it was written.

use std::fmt;
use std::path::{Path, PathBuf};

/// A last line that was not finished, or is damaged: it is left out, whatever is in it, and
/// all lines before it count. As a text it says so.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remainder {
    path: PathBuf,
    line: usize,
    bytes: usize,
    finished: bool,
}

impl Remainder {
    /// What follows the last good line of a file; `None` if nothing does.
    pub(crate) fn new(path: &Path, good_lines: usize, rest: &[u8]) -> Option<Self> {
        (!rest.is_empty()).then(|| Remainder {
            path: path.to_owned(),
            line: good_lines + 1,
            bytes: rest.len(),
            finished: rest.ends_with(b"\n"),
        })
    }
}

impl fmt::Display for Remainder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}:{}: the last line {} and is left out ({} bytes); all before it count",
            self.path.display(),
            self.line,
            if self.finished {
                "is damaged"
            } else {
                "was cut off"
            },
            self.bytes
        )
    }
}
