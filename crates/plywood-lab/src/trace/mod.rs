//! What every worker did when: recorded, exported, drawn.
//!
//! [`record`] makes a [`Recording`], one traced search; [`graph::Graph`] is its tree of splits
//! and tasks; [`Recording::save`] writes it for trace viewers ([`chrome`]), as a page that
//! shows it by itself ([`viewer`]), or as a file of events to be read again.

pub mod chrome;
mod file;
pub mod graph;
pub mod paths;
mod recorder;
mod spans;
pub mod viewer;

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

use plywood::Trace;
use plywood_games::registry::Random;

use crate::LabError;
use crate::record::Measurement;
use graph::Graph;
pub use recorder::{measure, record};

/// One search with everything its workers did.
#[derive(Clone, PartialEq, Debug)]
pub struct Recording {
    /// What was searched, how, and what came out.
    pub measurement: Measurement,
    /// The events.
    pub trace: Trace,
}

/// What a recording can be written as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// For Perfetto and other viewers of Chrome's trace events: `.json`.
    Chrome,
    /// A page that shows it by itself: `.html`.
    Page,
    /// Events to be read again, to explain and to simulate: `.jsonl`.
    Events,
}

impl Format {
    /// The format that the ending of a file's name stands for.
    pub fn of(path: &Path) -> Result<Self, LabError> {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("json") => Ok(Format::Chrome),
            Some("html") => Ok(Format::Page),
            Some("jsonl") => Ok(Format::Events),
            _ => Err(LabError::Input(format!(
                "{} has no ending that says what to write: use .html (a page), .json (for \
                 Perfetto) or .jsonl (events)",
                path.display()
            ))),
        }
    }

    fn signature(self) -> &'static str {
        match self {
            Format::Chrome => chrome::SIGNATURE,
            Format::Page => viewer::SIGNATURE,
            Format::Events => file::SIGNATURE,
        }
    }

    /// Checks that a file of this format may be written there: that there is none, or one of
    /// the same format.
    pub fn may_write(self, path: &Path) -> Result<(), LabError> {
        if path.is_dir() {
            return Err(LabError::Input(format!(
                "{} is a folder: use the name of a file",
                path.display()
            )));
        }
        let Ok(file) = File::open(path) else {
            return Ok(());
        };
        let signature = self.signature();
        let mut begin = Vec::new();
        let read = file.take(signature.len() as u64).read_to_end(&mut begin);
        if read.is_ok() && (begin.is_empty() || begin == signature.as_bytes()) {
            return Ok(());
        }
        Err(LabError::Input(format!(
            "{} exists and is no trace of this kind: use another name",
            path.display()
        )))
    }
}

impl Recording {
    /// The tree of splits and tasks.
    pub fn graph(&self) -> Result<Graph, LabError> {
        Graph::new(&self.trace)
            .map_err(|why| LabError::Input(format!("the trace does not fit together: {why}")))
    }

    /// The moves that lead to every task of the graph, as text.
    pub fn paths(&self, graph: &Graph) -> Result<Vec<String>, LabError> {
        let Measurement { setting, seed, .. } = &self.measurement;
        let game = setting.open_game()?;
        let position = setting.open_position(game.as_ref(), &mut Random::new(*seed))?;
        paths::move_paths(graph, game.as_ref(), &position).map_err(LabError::Input)
    }

    /// Writes it to a file, in the format that the ending of its name says. There is always a
    /// whole file, the one before or the new one.
    pub fn save(&self, path: &Path) -> Result<(), LabError> {
        let format = Format::of(path)?;
        format.may_write(path)?;
        let write = |out: &mut dyn Write| -> Result<(), LabError> {
            let written = match format {
                Format::Events => self.write(out),
                Format::Chrome | Format::Page => {
                    let graph = self.graph()?;
                    let paths = self.paths(&graph)?;
                    let write = match format {
                        Format::Chrome => chrome::write,
                        _ => viewer::write,
                    };
                    write(self, &graph, &paths, out)
                }
            };
            written.map_err(|error| LabError::file(path, &error))
        };
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".partial");
        let partial = path.with_file_name(name);
        let save = || {
            let failed = |error: io::Error| LabError::file(path, &error);
            let mut out = BufWriter::new(File::create(&partial).map_err(failed)?);
            write(&mut out)?;
            out.into_inner()
                .map_err(|error| failed(error.into_error()))?
                .sync_all()
                .map_err(failed)?;
            std::fs::rename(&partial, path).map_err(failed)
        };
        save().inspect_err(|_| {
            let _ = std::fs::remove_file(&partial);
        })
    }
}
