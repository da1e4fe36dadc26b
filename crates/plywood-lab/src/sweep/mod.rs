//! Measurements over axes of settings, kept safe on disk.
//!
//! A sweep file says what to vary ([`Spec`]); a [`Plan`] is every combination of it that makes
//! sense; [`execute`] measures them into a folder, the [`Run`].

mod file;
mod fill;
mod folder;
mod journal;
mod measure;
mod plan;
mod run;
mod spec;

use std::path::Path;

use crate::LabError;

pub use folder::Run;
pub(crate) use folder::write_whole;
pub use plan::{Plan, Planned};
pub use run::{Outcome, execute};
pub use spec::{Overrides, PositionSpec, Spec};

impl Spec {
    /// Reads a sweep file.
    pub fn read_file(path: &Path) -> Result<Self, LabError> {
        file::read_file(path)
    }

    /// Reads the text of a sweep file; `name` is what complaints call it.
    pub fn read(name: &str, text: &str) -> Result<Self, LabError> {
        file::read(name, text)
    }
}
