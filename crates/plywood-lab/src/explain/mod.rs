//! Where the speed-up went: its factors, lost nodes and lost time by cause, the shape of the
//! task graph, and advice.
//!
//! The account is an identity. With the nodes N and the time T of one thread and of P threads,
//! and the time B that the P threads spent searching,
//!
//! ```text
//! T1 / TP  =  P  x  N1 / NP  x  (T1 / N1) / (B / NP)  x  B / (P TP)
//! speed-up = threads x nodes x  cost of a node       x  busy share
//! ```

mod advice;
mod factors;
mod losses;
mod page;
mod text;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use plywood::TraceOptions;

use crate::LabError;
use crate::record::{Measurement, Setting};
use crate::trace::{self, Recording};

pub use factors::{Factors, Figure};
pub use losses::{NodeLosses, Shape, SizeClass, Tail, TimeLosses};
pub use page::{SIGNATURE, page};

/// How often each search is measured if nothing is said.
pub const REPEATS: u32 = 3;

/// Where the speed-up of one setting went.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// What was searched, how, by how many threads.
    pub setting: Setting,
    /// The speed-up and its factors.
    pub factors: Factors,
    /// What is compared with: the strategy of the measurements on one thread.
    pub baseline: String,
    /// The measurements with the middle times: of one thread, and of all.
    pub one: Middle,
    /// The same of all threads.
    pub all: Middle,
    /// Whether there were more threads than cores.
    pub oversubscribed: bool,
    /// The cores there were.
    pub cores: usize,
    /// What the events tell, if they were recorded.
    pub trace: Option<TraceFacts>,
    /// What might help.
    pub advice: Vec<String>,
}

/// One of several measurements of the same, the one with the middle time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Middle {
    /// How many measurements there were.
    pub runs: usize,
    /// Its time in nanoseconds.
    pub elapsed_ns: u64,
    /// Its nodes.
    pub nodes: u64,
}

/// What the events of a search tell.
#[derive(Clone, Debug)]
pub struct TraceFacts {
    /// Lost nodes.
    pub nodes: NodeLosses,
    /// Nodes of second searches when one thread runs the same strategy, if that was recorded.
    pub again_on_one: Option<u64>,
    /// Lost time.
    pub time: TimeLosses,
    /// The end of the search, if most of the waiting was there.
    pub tail: Option<Tail>,
    /// The task graph.
    pub shape: Shape,
    /// The moves of a position where a task ends, on average.
    pub moves_below: Option<f64>,
    /// Events that were left out.
    pub dropped: u64,
}

impl Explanation {
    /// An account of measurements of the same work: by one thread, and by all; with the
    /// recordings of the strategy on all threads and on one, where there are any.
    pub fn new(
        one: &[&Measurement],
        all: &[&Measurement],
        recording: Option<&Recording>,
        on_one: Option<&Recording>,
    ) -> Result<Self, LabError> {
        let (Some(middle_one), Some(middle_all)) = (middle(one), middle(all)) else {
            return Err(LabError::Input(
                "a speed-up needs measurements of one thread and of several".to_owned(),
            ));
        };
        let setting = all[0].setting.clone();
        let factors = Factors::new(one, all, setting.threads).expect("both are there");
        let trace = match recording {
            Some(recording) => Some(TraceFacts::new(recording, on_one)?),
            None => None,
        };
        let mut explanation = Explanation {
            oversubscribed: all.iter().any(|m| m.is_oversubscribed()),
            cores: all[0].host.cores,
            setting,
            factors,
            baseline: one[0].setting.strategy.clone(),
            one: middle_one,
            all: middle_all,
            trace,
            advice: Vec::new(),
        };
        explanation.advice = advice::advice(&explanation);
        Ok(explanation)
    }

    /// The account for people to read, in lines.
    pub fn text(&self) -> String {
        text::text(self)
    }

    /// The account as a section of a page; needs the styles of [`page`].
    pub fn section(&self) -> String {
        page::section(self)
    }
}

impl TraceFacts {
    fn new(recording: &Recording, on_one: Option<&Recording>) -> Result<Self, LabError> {
        let graph = recording.graph()?;
        let again_on_one = match on_one {
            Some(recording) => Some(recording.graph()?.nodes_again()),
            None => None,
        };
        let Measurement { setting, seed, .. } = &recording.measurement;
        Ok(TraceFacts {
            nodes: NodeLosses::new(&graph),
            again_on_one,
            time: TimeLosses::new(&graph),
            tail: losses::tail(&graph),
            shape: Shape::new(&graph),
            moves_below: advice::moves_below(setting, *seed, &graph)?,
            dropped: graph.dropped,
        })
    }
}

fn middle(measurements: &[&Measurement]) -> Option<Middle> {
    let mut sorted = measurements.to_vec();
    sorted.sort_by_key(|m| m.elapsed_ns);
    let middle = sorted.get(sorted.len().checked_sub(1)? / 2)?;
    Some(Middle {
        runs: sorted.len(),
        elapsed_ns: middle.elapsed_ns,
        nodes: middle.nodes.total(),
    })
}

/// Searches a position by one thread and by all, some times each, and explains the
/// difference. A recording that was made already is used. `None` if it was stopped.
pub fn one_search(
    setting: &Setting,
    seed: u64,
    repeats: u32,
    recording: Option<Recording>,
    stop: &Arc<AtomicBool>,
) -> Result<Option<Explanation>, LabError> {
    let sequential = setting.sequential();
    let (mut one, mut all) = (Vec::new(), Vec::new());
    // In turns, so that what disturbs the machine for a while disturbs both.
    for repeat in 0..repeats.max(1) {
        for (list, setting) in [(&mut one, &sequential), (&mut all, setting)] {
            match trace::measure(setting, seed, repeat, stop)? {
                Some(measurement) => list.push(measurement),
                None => return Ok(None),
            }
        }
    }
    let options = TraceOptions::default();
    let recording = match recording {
        Some(recording) => recording,
        None => match trace::record(setting, seed, &options, stop)? {
            Some(recording) => recording,
            None => return Ok(None),
        },
    };
    let alone = Setting {
        threads: 1,
        ..setting.clone()
    };
    let Some(on_one) = trace::record(&alone, seed, &options, stop)? else {
        return Ok(None);
    };
    let (one, all): (Vec<_>, Vec<_>) = (one.iter().collect(), all.iter().collect());
    Explanation::new(&one, &all, Some(&recording), Some(&on_one)).map(Some)
}

/// What there is to say about a run.
#[derive(Clone, Debug)]
pub struct Account {
    /// One for each parallel setting.
    pub explanations: Vec<Explanation>,
    /// Settings for which no single thread was measured to compare with.
    pub without_baseline: Vec<Setting>,
}

/// Explains every parallel setting of a run: its measurements, and the traces in a folder.
pub fn run(measurements: &[Measurement], traces: &Path) -> Result<Account, LabError> {
    let mut by_setting: BTreeMap<&Setting, Vec<&Measurement>> = BTreeMap::new();
    for measurement in measurements.iter().filter(|m| !m.traced) {
        let list = by_setting.entry(&measurement.setting).or_default();
        list.push(measurement);
    }
    let read = |setting: &Setting| {
        let path = traces.join(format!("{}.jsonl", setting.slug()));
        path.exists().then(|| Recording::read(&path)).transpose()
    };
    let (mut explanations, mut without) = (Vec::new(), Vec::new());
    for (setting, all) in &by_setting {
        if setting.is_sequential() {
            continue;
        }
        let alone = Setting {
            threads: 1,
            ..(*setting).clone()
        };
        // The best sequential search is what a speed-up means; failing that, the same
        // strategy on one thread.
        let one = by_setting
            .get(&setting.sequential())
            .or_else(|| by_setting.get(&alone).filter(|_| setting.threads > 1));
        let Some(one) = one else {
            without.push((*setting).clone());
            continue;
        };
        let recording = read(setting)?;
        let on_one = read(&alone)?;
        explanations.push(Explanation::new(
            one,
            all,
            recording.as_ref(),
            on_one.as_ref(),
        )?);
    }
    Ok(Account {
        explanations,
        without_baseline: without,
    })
}
