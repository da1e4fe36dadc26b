//! What is kept of one measurement: one JSON line.
//!
//! A run is a folder; its `measurements.jsonl` holds one [`Measurement`] a line, in the order
//! they were made. [`crate::sweep::Run`] reads them.

use plywood::{NodeCounts, Settings, TaskCounts, WorkerCounts};
use plywood_games::registry::{self, AnyGame, Position, Random};
use serde::{Deserialize, Serialize};

use crate::LabError;

/// What was measured: everything that decides how much work there is and who does it.
///
/// Two measurements with equal settings and equal seeds are repetitions of the same thing.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Setting {
    /// The game with its options, as the registry reads it.
    pub game: String,
    /// What the position is called: `start`, `example`, or a name that was given to it.
    pub position_name: String,
    /// The position as text; empty for the start of a game, after what chance does first.
    pub position: String,
    /// One search, or a game the engine plays against itself.
    pub workload: Workload,
    /// The search with its options.
    pub search: String,
    /// The evaluation.
    pub evaluation: String,
    /// Whether leaves are evaluated after chance has acted; see
    /// [`Settings::after_chance`].
    pub after_chance: bool,
    /// The depth to search to.
    pub depth: u32,
    /// The size of the transposition table.
    pub table_bytes: usize,
    /// The parallel strategy with its argument.
    pub strategy: String,
    /// The threads.
    pub threads: usize,
}

/// What is done with a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Workload {
    /// One search.
    Search,
    /// A game from there, of at most so many moves if given; times and counts add up.
    Selfplay {
        /// The most moves.
        moves: Option<u32>,
    },
}

impl Setting {
    /// The game, opened.
    pub fn open_game(&self) -> Result<Box<dyn AnyGame>, LabError> {
        Ok(registry::open(&self.game)?)
    }

    /// The position; the random numbers decide what chance does before the first move of a
    /// game.
    pub fn open_position(
        &self,
        game: &dyn AnyGame,
        random: &mut Random,
    ) -> Result<Position, LabError> {
        if self.position.is_empty() {
            Ok(game.new_game(random))
        } else {
            Ok(game.read_position(&self.position)?)
        }
    }

    /// How the library is asked to search.
    pub fn engine_settings(&self) -> Result<Settings, LabError> {
        Ok(Settings {
            search: self.search.parse()?,
            strategy: self.strategy.parse()?,
            threads: self.threads,
            table_bytes: self.table_bytes,
            after_chance: self.after_chance,
        })
    }

    /// Whether one thread searches without any parallel strategy: what speed-ups are
    /// compared with.
    pub fn is_sequential(&self) -> bool {
        self.strategy == "seq"
    }

    /// The same work, done by one thread without any parallel strategy.
    pub fn sequential(&self) -> Setting {
        Setting {
            strategy: "seq".into(),
            threads: 1,
            ..self.clone()
        }
    }

    /// The setting as a short file name: the work, and who does it, and eight digits that tell
    /// apart what the words leave out.
    pub fn slug(&self) -> String {
        let text = serde_json::to_string(self).unwrap_or_default();
        // FNV-1a: the name has to be the same in every version and on every machine.
        let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let words = format!(
            "{} {} {} d{} {} t{}",
            self.game, self.position_name, self.search, self.depth, self.strategy, self.threads
        );
        format!("{}-{:08x}", slug(&words), hash as u32)
    }
}

/// A text as a file name: letters, digits and dots, everything else one dash.
pub fn slug(text: &str) -> String {
    let mut name = String::new();
    for character in text.chars() {
        if character.is_ascii_alphanumeric() || character == '.' {
            name.push(character.to_ascii_lowercase());
        } else if !name.ends_with('-') {
            name.push('-');
        }
    }
    let name = name.trim_matches(['-', '.']);
    let short: String = name.chars().take(80).collect();
    if short.is_empty() { "x".into() } else { short }
}

/// One measurement.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Measurement {
    /// What was measured.
    pub setting: Setting,
    /// Which repetition, from 0.
    pub repeat: u32,
    /// The seed of everything random in it; the same for all repetitions, so that all do the
    /// same work.
    pub seed: u64,
    /// Whether events were recorded meanwhile; such a measurement does not count as a time.
    pub traced: bool,
    /// Whether spare cores were kept loaded.
    pub filled: bool,
    /// Wall time in nanoseconds.
    pub elapsed_ns: u64,
    /// Processor time of all workers in nanoseconds.
    pub cpu_ns: u64,
    /// The best move, or all moves of a game, separated by spaces.
    pub best: String,
    /// How many searches there were: 1, or the moves of a game.
    pub searches: u32,
    /// The value of the position for every player; of the last one searched in a game.
    pub values: Vec<f64>,
    /// How a game ended, if it did.
    pub result: Option<String>,
    /// Nodes of all workers.
    pub nodes: Nodes,
    /// What became of the tasks.
    pub tasks: Tasks,
    /// What each worker did.
    pub workers: Vec<Lane>,
    /// The most memory the process used during the measurement, in bytes, where the system
    /// tells. Filled cores are part of it.
    pub peak_memory: Option<u64>,
    /// The machine.
    pub host: Host,
    /// The version of the program.
    pub version: String,
    /// When it was made, in milliseconds since 1970.
    pub unix_ms: u64,
}

impl Measurement {
    /// Wall time in seconds.
    pub fn seconds(&self) -> f64 {
        self.elapsed_ns as f64 / 1e9
    }

    /// Processor time of all workers in seconds.
    pub fn cpu_seconds(&self) -> f64 {
        self.cpu_ns as f64 / 1e9
    }

    /// Whether there were more threads than cores to run them.
    pub fn is_oversubscribed(&self) -> bool {
        self.setting.threads > self.host.cores
    }
}

/// Nodes by kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Nodes {
    /// Positions whose moves were searched.
    pub interior: u64,
    /// Positions that were evaluated.
    pub leaf: u64,
    /// Positions the table knew.
    pub table_hits: u64,
}

impl Nodes {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.interior + self.leaf + self.table_hits
    }
}

impl From<NodeCounts> for Nodes {
    fn from(n: NodeCounts) -> Self {
        Nodes {
            interior: n.interior,
            leaf: n.leaf,
            table_hits: n.table_hits,
        }
    }
}

/// Tasks by fate, as [`TaskCounts`] defines them. Whatever tells of tasks in JSON, a record, a
/// command or the studio, tells them in this form.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Tasks {
    /// Offered to all workers.
    pub offered: u64,
    /// Run by another worker.
    pub converted: u64,
    /// Run by the worker that offered them.
    pub fizzled: u64,
    /// Never started.
    pub cancelled: u64,
    /// Given up while running.
    pub aborted: u64,
}

impl Tasks {
    /// How many of a hundred tasks were run by another worker; `None` if there were no tasks.
    pub fn converted_percent(&self) -> Option<f64> {
        (self.offered > 0).then(|| 100.0 * self.converted as f64 / self.offered as f64)
    }
}

impl From<TaskCounts> for Tasks {
    fn from(t: TaskCounts) -> Self {
        Tasks {
            offered: t.offered,
            converted: t.converted,
            fizzled: t.fizzled,
            cancelled: t.cancelled,
            aborted: t.aborted,
        }
    }
}

/// What one worker did; times in nanoseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Lane {
    /// Its nodes.
    pub nodes: u64,
    /// Searching.
    pub busy_ns: u64,
    /// Looking for a task.
    pub stealing_ns: u64,
    /// Waiting for helpers.
    pub joining_ns: u64,
    /// Asleep.
    pub idle_ns: u64,
    /// Processor time.
    pub cpu_ns: u64,
}

impl From<&WorkerCounts> for Lane {
    fn from(w: &WorkerCounts) -> Self {
        Lane {
            nodes: w.nodes.total(),
            busy_ns: w.busy.as_nanos() as u64,
            stealing_ns: w.stealing.as_nanos() as u64,
            joining_ns: w.joining.as_nanos() as u64,
            idle_ns: w.idle.as_nanos() as u64,
            cpu_ns: w.cpu.as_nanos() as u64,
        }
    }
}

impl std::ops::AddAssign for Lane {
    fn add_assign(&mut self, other: Self) {
        self.nodes += other.nodes;
        self.busy_ns += other.busy_ns;
        self.stealing_ns += other.stealing_ns;
        self.joining_ns += other.joining_ns;
        self.idle_ns += other.idle_ns;
        self.cpu_ns += other.cpu_ns;
    }
}

/// The machine a measurement was made on.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Host {
    /// What the processor calls itself.
    pub cpu: String,
    /// The logical cores this process may use.
    pub cores: usize,
    /// Operating system and architecture.
    pub system: String,
}

impl Host {
    /// This machine.
    pub fn here() -> Self {
        let cpu = std::fs::read_to_string("/proc/cpuinfo")
            .ok()
            .and_then(|text| {
                let line = text.lines().find(|line| line.starts_with("model name"))?;
                let name = line.split_once(':')?.1.trim();
                (!name.is_empty()).then(|| name.to_owned())
            });
        Host {
            cpu: cpu.unwrap_or_else(|| "unknown processor".into()),
            cores: cores(),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        }
    }
}

/// The logical cores this process may use.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| cores.get())
}

/// Lets the system forget the most memory that this process has used, so that what the next
/// search tells is its own. Where the system cannot, the figure is that of the whole run.
pub(crate) fn forget_peak_memory() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(crate) fn setting() -> Setting {
        Setting {
            game: "gomoku:size=19,rule=renju".into(),
            position_name: "start".into(),
            position: String::new(),
            workload: Workload::Selfplay { moves: Some(3) },
            search: "alphabeta:plain".into(),
            evaluation: "threats".into(),
            after_chance: false,
            depth: 4,
            table_bytes: 1 << 20,
            strategy: "ybwc:2".into(),
            threads: 2,
        }
    }

    #[test]
    fn slugs_are_file_names_that_tell_settings_apart() {
        let one = setting();
        let other = Setting {
            table_bytes: 2 << 20,
            ..one.clone()
        };
        let name = one.slug();
        assert!(name.starts_with("gomoku-size-19-rule-renju-start-alphabeta-plain-d4-ybwc-2-t2-"));
        assert_ne!(name, other.slug());
        assert_eq!(name, setting().slug());
        assert_eq!(slug("../../x y"), "x-y");
        assert_eq!(slug("///"), "x");
    }

    #[test]
    fn a_setting_is_what_the_library_is_asked_for() {
        let settings = setting().engine_settings().expect("valid");
        assert_eq!(settings.search.to_string(), "alphabeta:plain");
        assert_eq!(settings.strategy.to_string(), "ybwc:2");
        assert_eq!((settings.threads, settings.table_bytes), (2, 1 << 20));
        assert!(setting().sequential().is_sequential());
        assert_eq!(setting().sequential().threads, 1);
        let wrong = Setting {
            strategy: "nonsense".into(),
            ..setting()
        };
        assert!(wrong.engine_settings().is_err());
    }

    #[test]
    fn a_setting_reads_back() {
        let text = serde_json::to_string(&setting()).expect("writes");
        let back: Setting = serde_json::from_str(&text).expect("reads");
        assert_eq!(back, setting());
    }
}
