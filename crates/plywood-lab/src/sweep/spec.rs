//! What a sweep file says, with flags of the command line laid over it.

use std::fmt;

use crate::record::Workload;

/// A sweep as it was written down.
#[derive(Clone, Debug)]
pub struct Spec {
    /// What complaints call the file.
    pub(super) file: String,
    /// What the sweep is called.
    pub name: String,
    /// Which report it reproduces, if any: its page then shows the printed figures too.
    pub reproduces: Option<String>,
    pub(super) seed: u64,
    pub(super) warmup: u32,
    pub(super) fill_cores: bool,
    pub(super) trace: bool,
    pub(super) sets: Vec<Set>,
}

impl Default for Spec {
    fn default() -> Self {
        Spec {
            file: String::new(),
            name: String::new(),
            reproduces: None,
            seed: 1,
            warmup: 1,
            fill_cores: false,
            trace: false,
            sets: Vec::new(),
        }
    }
}

/// Axes whose combinations are measured.
#[derive(Clone, Debug)]
pub(super) struct Set {
    /// Where it begins.
    pub(super) line: usize,
    pub(super) games: Vec<Value<String>>,
    pub(super) positions: Vec<Value<PositionSpec>>,
    pub(super) workload: Workload,
    pub(super) moves: Option<Value<u32>>,
    pub(super) searches: Vec<Value<String>>,
    pub(super) evaluation: Option<Value<String>>,
    pub(super) after_chance: bool,
    pub(super) table_bytes: usize,
    pub(super) strategies: Vec<Value<String>>,
    pub(super) budgets: Vec<Value<u32>>,
    pub(super) depths: Vec<Value<u32>>,
    pub(super) threads: Vec<Value<u32>>,
    pub(super) repeats: u32,
    /// Whether flags have replaced an axis: then what the file says about the others may
    /// have lost its use.
    pub(super) overridden: bool,
}

impl Default for Set {
    fn default() -> Self {
        let default = |value| Value {
            value,
            source: Source::Default,
        };
        Set {
            line: 1,
            games: Vec::new(),
            positions: vec![Value {
                value: PositionSpec::from_text("start"),
                source: Source::Default,
            }],
            workload: Workload::Search,
            moves: None,
            searches: Vec::new(),
            evaluation: None,
            after_chance: false,
            table_bytes: 64 << 20,
            strategies: vec![Value {
                value: "seq".into(),
                source: Source::Default,
            }],
            budgets: Vec::new(),
            depths: Vec::new(),
            threads: vec![default(1)],
            repeats: 5,
            overridden: false,
        }
    }
}

/// A position that was asked for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PositionSpec {
    pub(super) name: String,
    /// `start`, `example` or a position.
    pub(super) text: String,
}

impl PositionSpec {
    /// `start`, `example`, or a position as text, which is then its own name.
    pub fn from_text(text: &str) -> Self {
        PositionSpec {
            name: text.to_owned(),
            text: text.to_owned(),
        }
    }
}

/// Something from a file or a flag, and from where.
#[derive(Clone, Debug)]
pub(super) struct Value<T> {
    pub(super) value: T,
    pub(super) source: Source,
}

/// Where something comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Source {
    Line(usize),
    Flag(&'static str),
    Default,
}

impl Source {
    /// The beginning of a complaint about something from there.
    pub(super) fn place(self, file: &str, set_line: usize) -> impl fmt::Display {
        match self {
            Source::Line(line) => format!("{file}:{line}"),
            Source::Flag(flag) => format!("--{flag}"),
            Source::Default => format!("{file}:{set_line}"),
        }
    }
}

/// Flags that replace what the file says, in every set.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// Replaces `games`.
    pub games: Option<Vec<String>>,
    /// Replaces `positions`.
    pub positions: Option<Vec<String>>,
    /// Replaces `searches`.
    pub searches: Option<Vec<String>>,
    /// Replaces `strategies`.
    pub strategies: Option<Vec<String>>,
    /// Replaces `budgets`.
    pub budgets: Option<Vec<u32>>,
    /// Replaces `depths`.
    pub depths: Option<Vec<u32>>,
    /// Replaces `threads`.
    pub threads: Option<Vec<u32>>,
    /// Replaces `repeats`.
    pub repeats: Option<u32>,
    /// Replaces `warmup`.
    pub warmup: Option<u32>,
    /// Replaces `seed`.
    pub seed: Option<u64>,
    /// Sets `fill_cores`.
    pub fill_cores: bool,
    /// Sets `trace`.
    pub trace: bool,
}

impl Spec {
    /// The same with flags laid over it.
    pub fn with(mut self, flags: &Overrides) -> Self {
        fn from_flag<T: Clone>(
            axis: &mut Vec<Value<T>>,
            flag: &Option<Vec<T>>,
            name: &'static str,
        ) {
            if let Some(values) = flag {
                *axis = values
                    .iter()
                    .map(|value| Value {
                        value: value.clone(),
                        source: Source::Flag(name),
                    })
                    .collect();
            }
        }
        let positions = flags.positions.as_ref().map(|texts| {
            let each = texts.iter().map(|text| PositionSpec::from_text(text));
            each.collect::<Vec<_>>()
        });
        for set in &mut self.sets {
            from_flag(&mut set.games, &flags.games, "games");
            from_flag(&mut set.positions, &positions, "positions");
            from_flag(&mut set.searches, &flags.searches, "searches");
            from_flag(&mut set.strategies, &flags.strategies, "strategies");
            from_flag(&mut set.budgets, &flags.budgets, "budgets");
            from_flag(&mut set.depths, &flags.depths, "depths");
            from_flag(&mut set.threads, &flags.threads, "threads");
            set.overridden = flags.games.is_some()
                || flags.positions.is_some()
                || flags.searches.is_some()
                || flags.strategies.is_some();
            set.repeats = flags.repeats.unwrap_or(set.repeats);
        }
        self.warmup = flags.warmup.unwrap_or(self.warmup);
        self.seed = flags.seed.unwrap_or(self.seed);
        self.fill_cores |= flags.fill_cores;
        self.trace |= flags.trace;
        self
    }
}
