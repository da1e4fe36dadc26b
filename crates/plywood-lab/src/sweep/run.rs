//! Makes all measurements of a plan that are not yet made.
//!
//! Settings are measured in rounds: each once, in an order shuffled anew for every round, then
//! each once more. So whatever drifts meanwhile, the temperature of the processor or another
//! program, meets all settings alike.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use indicatif::{ProgressBar, ProgressStyle};
use plywood::TraceOptions;
use plywood_games::registry::Random;

use super::fill::Filler;
use super::folder::Folder;
use super::measure::{Bench, Sample};
use super::plan::Plan;
use crate::record::{Host, Measurement, Setting};
use crate::{LabError, Remainder, trace};

/// The longest a setting is run before it counts: by then everything is warm.
const LONGEST_WARMUP: Duration = Duration::from_secs(1);

/// How a sweep went.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Measurements that were there before.
    pub kept: u64,
    /// Measurements that were made now.
    pub made: u64,
    /// Searches whose events were recorded now.
    pub traced: u64,
    /// Whether it was stopped before all were made.
    pub stopped: bool,
    /// A last line that an earlier sweep left and that could not be read: it was removed, and
    /// what it was about is measured again.
    pub remainder: Option<Remainder>,
}

/// Makes the measurements of a plan in a folder, going on where an earlier sweep stopped if
/// `resume` says so. Setting `stop` ends it within milliseconds; the measurement that was
/// being made is then lost, and no other.
pub fn execute(
    plan: &Plan,
    folder: &Path,
    resume: bool,
    stop: &Arc<AtomicBool>,
) -> Result<Outcome, LabError> {
    let folder = Folder::take(folder, plan, resume)?;
    let (mut journal, content) = folder.journal()?;
    let there = content.measurements;
    let done: HashSet<(&Setting, u32)> = there
        .iter()
        .filter(|m| !m.traced)
        .map(|m| (&m.setting, m.repeat))
        .collect();
    let order: Vec<(usize, u32)> = order(plan)
        .into_iter()
        .filter(|&(index, repeat)| !done.contains(&(&plan.settings[index].setting, repeat)))
        .collect();
    let mut outcome = Outcome {
        kept: plan.measurements() - order.len() as u64,
        made: 0,
        traced: 0,
        stopped: false,
        remainder: content.remainder,
    };
    let mut progress = Progress::new(plan, &order, outcome.kept);
    let origin = Origin::here(plan);
    for index in warm_up_order(plan, &order) {
        let setting = &plan.settings[index].setting;
        progress.show(&format!("warming up: {}", short(setting)));
        let started = Instant::now();
        Bench::new(setting, plan.seed)?.warm_up(LONGEST_WARMUP, stop)?;
        progress.guess(index, started.elapsed());
        if stop.load(Ordering::Relaxed) {
            break;
        }
    }
    for (index, repeat) in order {
        let setting = &plan.settings[index].setting;
        progress.show(&short(setting));
        let started = Instant::now();
        let filler = match plan.fill_cores {
            true => Some(Filler::start(setting, plan.seed)?),
            false => None,
        };
        let sample = Bench::new(setting, plan.seed)?.run(stop)?;
        drop(filler);
        let Some(sample) = sample else {
            outcome.stopped = true;
            break;
        };
        journal.add(&origin.measurement(setting, repeat, sample))?;
        outcome.made += 1;
        progress.made(index, started.elapsed());
    }
    if plan.trace && !outcome.stopped {
        let done: HashSet<&Setting> = there
            .iter()
            .filter(|m| m.traced)
            .map(|m| &m.setting)
            .collect();
        let left = plan.settings.iter().map(|p| &p.setting);
        for setting in left.filter(|setting| !done.contains(setting)) {
            progress.show(&format!("recording events: {}", short(setting)));
            let options = TraceOptions::default();
            let Some(recording) = trace::record(setting, plan.seed, &options, stop)? else {
                outcome.stopped = true;
                break;
            };
            recording.save(&folder.trace(setting)?)?;
            journal.add(&recording.measurement)?;
            outcome.traced += 1;
        }
    }
    progress.end();
    Ok(outcome)
}

/// Which setting is measured when: in every round each that has repetitions left.
fn order(plan: &Plan) -> Vec<(usize, u32)> {
    let rounds = plan.settings.iter().map(|p| p.repeats).max().unwrap_or(0);
    let mut random = Random::new(plan.seed);
    let mut order = Vec::new();
    for repeat in 0..rounds {
        let mut round: Vec<usize> = (0..plan.settings.len())
            .filter(|&index| repeat < plan.settings[index].repeats)
            .collect();
        for left in (1..round.len()).rev() {
            round.swap(left, random.below(left + 1));
        }
        order.extend(round.into_iter().map(|index| (index, repeat)));
    }
    order
}

/// The settings that are run before they count, each as often as the plan says.
fn warm_up_order(plan: &Plan, order: &[(usize, u32)]) -> Vec<usize> {
    let mut seen = HashSet::new();
    let mut once = Vec::new();
    for &(index, _) in order {
        if seen.insert(index) {
            once.push(index);
        }
    }
    once.repeat(plan.warmup as usize)
}

/// What all measurements of one sweep have in common.
struct Origin {
    seed: u64,
    filled: bool,
    host: Host,
    version: String,
}

impl Origin {
    fn here(plan: &Plan) -> Self {
        Origin {
            seed: plan.seed,
            filled: plan.fill_cores,
            host: Host::here(),
            version: version(),
        }
    }

    fn measurement(&self, setting: &Setting, repeat: u32, sample: Sample) -> Measurement {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        Measurement {
            setting: setting.clone(),
            repeat,
            seed: self.seed,
            traced: false,
            filled: self.filled,
            elapsed_ns: sample.elapsed.as_nanos() as u64,
            cpu_ns: sample.cpu.as_nanos() as u64,
            searches: sample.best.len().max(1) as u32,
            best: sample.best.join(" "),
            values: sample.values,
            result: sample.result,
            nodes: sample.nodes.into(),
            tasks: sample.tasks.into(),
            workers: sample.workers,
            peak_memory: sample.peak_memory,
            host: self.host.clone(),
            version: self.version.clone(),
            unix_ms: now.map_or(0, |now| now.as_millis() as u64),
        }
    }
}

/// The version of this program, and a number that tells builds of one version apart.
fn version() -> String {
    let program = std::env::current_exe().and_then(std::fs::read);
    let build = program.map_or_else(
        |_| String::new(),
        |bytes| {
            // Eight bytes at a time: a build is some tens of megabytes.
            let hash = bytes
                .chunks(8)
                .fold(0xcbf2_9ce4_8422_2325_u64, |hash, chunk| {
                    let mut word = [0; 8];
                    word[..chunk.len()].copy_from_slice(chunk);
                    (hash ^ u64::from_le_bytes(word))
                        .wrapping_mul(0x0100_0000_01b3)
                        .rotate_left(29)
                });
            format!(" build {:08x}", (hash ^ hash >> 32) as u32)
        },
    );
    let kind = if cfg!(debug_assertions) {
        " with debug checks"
    } else {
        ""
    };
    format!("{}{build}{kind}", env!("CARGO_PKG_VERSION"))
}

/// A setting for the progress bar.
fn short(setting: &Setting) -> String {
    format!(
        "{} depth {} {} on {}",
        setting.game, setting.depth, setting.strategy, setting.threads
    )
}

/// Shows on a terminal how far the sweep is, and nothing in a pipe.
struct Progress {
    bar: ProgressBar,
    /// How often each setting is still to be measured.
    left: HashMap<usize, u32>,
    /// How long each takes, as far as known: the sum and the number.
    times: HashMap<usize, (Duration, u32)>,
}

impl Progress {
    fn new(plan: &Plan, order: &[(usize, u32)], kept: u64) -> Self {
        let bar = ProgressBar::new(plan.measurements());
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len}  {msg}");
        bar.set_style(style.expect("the template is one"));
        bar.set_position(kept);
        let mut left = HashMap::new();
        for &(index, _) in order {
            *left.entry(index).or_default() += 1;
        }
        Progress {
            bar,
            left,
            times: HashMap::new(),
        }
    }

    /// How long is left; settings not yet measured are taken for as long as the others.
    fn left(&self) -> Option<Duration> {
        let mean = |&(sum, count): &(Duration, u32)| sum / count.max(1);
        let known: Duration = self.times.values().map(mean).sum();
        let others = known.checked_div(self.times.len() as u32)?;
        let times = self.left.iter().map(|(index, &count)| {
            let time = self.times.get(index).map_or(others, mean);
            time * count
        });
        Some(times.sum())
    }

    fn show(&self, what: &str) {
        let left = self.left().map_or(String::new(), |left| {
            format!("about {} left  ", in_words(left))
        });
        self.bar.set_message(format!("{left}{what}"));
    }

    /// Takes a time for that of a setting, until a better one is known.
    fn guess(&mut self, index: usize, time: Duration) {
        self.times.insert(index, (time, 0));
    }

    fn made(&mut self, index: usize, time: Duration) {
        let entry = self.times.entry(index).or_default();
        *entry = match *entry {
            (_, 0) => (time, 1),
            (sum, count) => (sum + time, count + 1),
        };
        if let Some(left) = self.left.get_mut(&index) {
            *left -= 1;
        }
        self.bar.inc(1);
    }

    fn end(&self) {
        self.bar.finish_and_clear();
    }
}

/// A time of a wait, for people.
fn in_words(time: Duration) -> String {
    let seconds = time.as_secs_f64().ceil() as u64;
    match seconds {
        0..100 => format!("{seconds} s"),
        100..6000 => format!("{} min", seconds.div_ceil(60)),
        _ => format!("{:.1} h", seconds as f64 / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: &str = "games = [\"kalah\"]\ndepths = [1, 2, 3]\nrepeats = 4\nstrategies = [\"seq\", \"ybwc:1\"]\nthreads = [1, 2]";

    #[test]
    fn every_round_has_every_setting_once_in_another_order() {
        let plan = Plan::read("test", PLAN).expect("a plan");
        let order = order(&plan);
        assert_eq!(order.len() as u64, plan.measurements());
        let rounds: Vec<&[(usize, u32)]> = order.chunks(plan.settings.len()).collect();
        assert_eq!(rounds.len(), 4);
        for (repeat, round) in rounds.iter().enumerate() {
            let mut indices: Vec<usize> = round.iter().map(|(index, _)| *index).collect();
            assert!(round.iter().all(|&(_, r)| r as usize == repeat));
            indices.sort_unstable();
            assert_eq!(indices, (0..plan.settings.len()).collect::<Vec<_>>());
        }
        let first = |n: usize| {
            rounds[n]
                .iter()
                .map(|(index, _)| *index)
                .collect::<Vec<_>>()
        };
        assert_ne!(first(0), first(1), "shuffled anew");
        assert_eq!(order, super::order(&plan), "the same for the same seed");
    }

    #[test]
    fn the_time_left_counts_what_each_setting_takes() {
        let plan = Plan::read("test", PLAN).expect("a plan");
        let order = order(&plan);
        let mut progress = Progress::new(&plan, &order, 0);
        assert_eq!(progress.left(), None);
        progress.guess(0, Duration::from_secs(2));
        // Nine settings, four times each, all taken for two seconds.
        assert_eq!(progress.left(), Some(Duration::from_secs(2 * 9 * 4)));
        progress.made(0, Duration::from_secs(1));
        assert_eq!(progress.left(), Some(Duration::from_secs(3 + 8 * 4)));
        assert_eq!(in_words(Duration::from_millis(1500)), "2 s");
        assert_eq!(in_words(Duration::from_secs(121)), "3 min");
    }
}
