//! A recorded search as a file: one JSON object a line, the first about the search, every
//! other one an event.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use plywood::trace::{Activity, Event, Lane, SplitId, Trace, What};
use serde::{Deserialize, Serialize};

use super::Recording;
use crate::LabError;
use crate::record::Measurement;

/// The version of the format.
const VERSION: u32 = 1;

/// How a file of this kind begins.
pub(super) const SIGNATURE: &str = "{\"plywood_trace\":";

#[derive(Serialize, Deserialize)]
struct Header {
    plywood_trace: u32,
    measurement: Measurement,
    /// How many events each worker left out.
    dropped: Vec<u64>,
}

#[derive(Serialize, Deserialize)]
struct Line {
    /// The worker.
    w: usize,
    /// Nanoseconds since the start.
    t: u64,
    /// The worker's nodes by then.
    n: u64,
    #[serde(flatten)]
    what: Named,
}

/// [`What`] with names for a file.
#[derive(Serialize, Deserialize)]
#[serde(tag = "e", rename_all = "kebab-case")]
enum Named {
    WorkerBegins,
    WorkerEnds,
    Begins {
        doing: Doing,
    },
    Resumes {
        doing: Doing,
    },
    IterationBegins {
        depth: u32,
    },
    IterationEnds {
        complete: bool,
    },
    EldestBegins {
        child: u32,
    },
    EldestEnds,
    SplitOpens {
        split: u64,
        depth: u32,
        first: u32,
        end: u32,
    },
    SplitCloses {
        cancelled: u32,
    },
    TaskBegins {
        split: u64,
        turn: u32,
        child: u32,
        offered: bool,
    },
    TaskEnds {
        aborted: bool,
    },
    Again,
    Cut {
        split: u64,
    },
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Doing {
    Searching,
    Stealing,
    Joining,
    Idle,
}

impl From<Activity> for Doing {
    fn from(activity: Activity) -> Self {
        match activity {
            Activity::Searching => Doing::Searching,
            Activity::Stealing => Doing::Stealing,
            Activity::Joining => Doing::Joining,
            Activity::Sleeping => Doing::Idle,
        }
    }
}

impl From<Doing> for Activity {
    fn from(doing: Doing) -> Self {
        match doing {
            Doing::Searching => Activity::Searching,
            Doing::Stealing => Activity::Stealing,
            Doing::Joining => Activity::Joining,
            Doing::Idle => Activity::Sleeping,
        }
    }
}

impl From<What> for Named {
    fn from(what: What) -> Self {
        match what {
            What::WorkerBegins => Named::WorkerBegins,
            What::WorkerEnds => Named::WorkerEnds,
            What::Begins(activity) => Named::Begins {
                doing: activity.into(),
            },
            What::Resumes(activity) => Named::Resumes {
                doing: activity.into(),
            },
            What::IterationBegins { depth } => Named::IterationBegins { depth },
            What::IterationEnds { complete } => Named::IterationEnds { complete },
            What::EldestBegins { child } => Named::EldestBegins { child },
            What::EldestEnds => Named::EldestEnds,
            What::SplitOpens {
                split,
                depth,
                first,
                end,
            } => Named::SplitOpens {
                split: split.number(),
                depth,
                first,
                end,
            },
            What::SplitCloses { cancelled } => Named::SplitCloses { cancelled },
            What::TaskBegins {
                split,
                turn,
                child,
                offered,
            } => Named::TaskBegins {
                split: split.number(),
                turn,
                child,
                offered,
            },
            What::TaskEnds { aborted } => Named::TaskEnds { aborted },
            What::Again => Named::Again,
            What::Cut { split } => Named::Cut {
                split: split.number(),
            },
        }
    }
}

impl Named {
    fn what(self) -> Result<What, String> {
        let id = |number| {
            SplitId::from_number(number).ok_or_else(|| format!("{number} is no name of a split"))
        };
        Ok(match self {
            Named::WorkerBegins => What::WorkerBegins,
            Named::WorkerEnds => What::WorkerEnds,
            Named::Begins { doing } => What::Begins(doing.into()),
            Named::Resumes { doing } => What::Resumes(doing.into()),
            Named::IterationBegins { depth } => What::IterationBegins { depth },
            Named::IterationEnds { complete } => What::IterationEnds { complete },
            Named::EldestBegins { child } => What::EldestBegins { child },
            Named::EldestEnds => What::EldestEnds,
            Named::SplitOpens {
                split,
                depth,
                first,
                end,
            } => What::SplitOpens {
                split: id(split)?,
                depth,
                first,
                end,
            },
            Named::SplitCloses { cancelled } => What::SplitCloses { cancelled },
            Named::TaskBegins {
                split,
                turn,
                child,
                offered,
            } => What::TaskBegins {
                split: id(split)?,
                turn,
                child,
                offered,
            },
            Named::TaskEnds { aborted } => What::TaskEnds { aborted },
            Named::Again => What::Again,
            Named::Cut { split } => What::Cut { split: id(split)? },
        })
    }
}

impl Recording {
    /// Writes it as a file of events.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let header = Header {
            plywood_trace: VERSION,
            measurement: self.measurement.clone(),
            dropped: self.trace.lanes.iter().map(|lane| lane.dropped).collect(),
        };
        serde_json::to_writer(&mut *out, &header)?;
        writeln!(out)?;
        for (worker, lane) in self.trace.lanes.iter().enumerate() {
            for event in &lane.events {
                let line = Line {
                    w: worker,
                    t: event.at,
                    n: event.nodes,
                    what: event.what.into(),
                };
                serde_json::to_writer(&mut *out, &line)?;
                writeln!(out)?;
            }
        }
        Ok(())
    }

    /// Reads a file of events. The error names the file and the line.
    pub fn read(path: &Path) -> Result<Self, LabError> {
        let file = File::open(path).map_err(|error| LabError::file(path, &error))?;
        let mut lines = BufReader::new(file).lines();
        let wrong =
            |line: usize, why: String| LabError::Input(format!("{}:{line}: {why}", path.display()));
        let not_ours = || {
            LabError::Input(format!(
                "{} is no trace: use a .jsonl file that plywood lab trace or plywood lab sweep \
                 has written",
                path.display()
            ))
        };
        let first = match lines.next() {
            Some(Ok(line)) if line.starts_with(SIGNATURE) => line,
            _ => return Err(not_ours()),
        };
        let header: Header =
            serde_json::from_str(&first).map_err(|error| wrong(1, error.to_string()))?;
        if header.plywood_trace != VERSION {
            let found = header.plywood_trace;
            return Err(wrong(
                1,
                format!("this is format {found}, but only format {VERSION} can be read"),
            ));
        }
        let lane = |dropped| Lane {
            events: Vec::new(),
            dropped,
        };
        let mut lanes: Vec<Lane> = header.dropped.into_iter().map(lane).collect();
        for (index, line) in lines.enumerate() {
            let number = index + 2;
            let line = line.map_err(|error| LabError::file(path, &error))?;
            let line: Line =
                serde_json::from_str(&line).map_err(|error| wrong(number, error.to_string()))?;
            let Some(lane) = lanes.get_mut(line.w) else {
                let workers = lanes.len();
                let why = format!("there is no worker {}: the search had {workers}", line.w);
                return Err(wrong(number, why));
            };
            lane.events.push(Event {
                at: line.t,
                nodes: line.n,
                what: line.what.what().map_err(|why| wrong(number, why))?,
            });
        }
        Ok(Recording {
            measurement: header.measurement,
            trace: Trace { lanes },
        })
    }
}
