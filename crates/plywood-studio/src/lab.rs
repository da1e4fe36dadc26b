//! Runs of the lab: those that are there, and sweeps that are being measured.

use std::collections::HashMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use plywood_lab::report;
use plywood_lab::report::stats::Estimate;
use plywood_lab::report::summary::{Cell, Verdict, summarise};
use plywood_lab::sweep::{self, Plan, Run};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::way::{Bounds, check_evaluation};

/// How many measurements a sweep may make.
const MOST_MEASUREMENTS: u64 = 5000;

/// How many runs are kept.
const MOST_RUNS: usize = 500;

/// The runs in a folder.
#[derive(Clone)]
pub(crate) struct Lab {
    folder: Arc<Path>,
    sweeps: Arc<Mutex<HashMap<String, Sweep>>>,
}

/// A sweep that is or was being measured by this server.
#[derive(Clone)]
struct Sweep {
    stop: Arc<AtomicBool>,
    planned: u64,
    state: State,
}

#[derive(Clone)]
enum State {
    Running,
    Done,
    Stopped,
    Failed(String),
}

impl State {
    fn name(&self) -> &'static str {
        match self {
            State::Running => "running",
            State::Done => "done",
            State::Stopped => "stopped",
            State::Failed(_) => "failed",
        }
    }
}

impl Lab {
    pub(crate) fn new(folder: &Path) -> Self {
        Lab {
            folder: folder.into(),
            sweeps: Arc::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Sweep>> {
        self.sweeps.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The folder of a run. Only names that such a folder can have lead to one.
    fn folder_of(&self, id: &str) -> Result<PathBuf, Failure> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        let folder = self.folder.join(id);
        if id.is_empty() || id.len() > 100 || !id.bytes().all(plain) || !folder.is_dir() {
            return Err(Failure::not_found(format!(
                "there is no run '{id}': /api/v1/lab/runs lists them"
            )));
        }
        Ok(folder)
    }

    fn open(&self, id: &str) -> Result<Run, Failure> {
        Ok(Run::open(&self.folder_of(id)?)?)
    }

    /// All runs, the newest first.
    pub(crate) fn runs(&self) -> Vec<Value> {
        let mut runs: Vec<(SystemTime, Value)> = Vec::new();
        for id in self.ids() {
            let Ok(folder) = self.folder_of(&id) else {
                continue;
            };
            let modified = |path: &Path| fs::metadata(path)?.modified();
            let created = modified(&folder.join("sweep.toml")).unwrap_or(SystemTime::UNIX_EPOCH);
            runs.push((created, self.run_json(&id, created)));
        }
        runs.sort_by_key(|run| std::cmp::Reverse(run.0));
        runs.into_iter().map(|(_, run)| run).collect()
    }

    fn ids(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        names.collect()
    }

    fn run_json(&self, id: &str, created: SystemTime) -> Value {
        let since = created.duration_since(SystemTime::UNIX_EPOCH);
        let created = since.map_or(0, |since| since.as_millis() as u64);
        let state = self.lock().get(id).map(|sweep| sweep.state.clone());
        match self.open(id) {
            Ok(run) => {
                let made = run.measurements.iter().filter(|m| !m.traced).count() as u64;
                let of = run.plan.measurements();
                let state = match &state {
                    Some(state) => state.name(),
                    None if made >= of => "done",
                    None => "stopped",
                };
                json!({
                    "id": id, "name": run.plan.name, "made": made, "of": of,
                    "settings": run.plan.settings.len(), "state": state, "created": created,
                })
            }
            Err(failure) => json!({
                "id": id, "name": id, "made": 0, "of": 0, "settings": 0,
                "state": "unreadable", "message": failure.message(), "created": created,
            }),
        }
    }

    /// The report of a run as a page that needs nothing else.
    pub(crate) fn report(&self, id: &str) -> Result<String, Failure> {
        let run = self.open(id)?;
        if run.measurements.is_empty() {
            return Err(Failure::conflict(
                "no-measurements",
                "nothing is measured yet: wait for the first measurements",
            ));
        }
        Ok(report::html::write(&report::page(&run)?))
    }

    /// Settings that two runs have both measured, next to each other.
    pub(crate) fn compare(&self, a: &str, b: &str) -> Result<Value, Failure> {
        let cells = |id: &str| -> Result<(Run, Vec<Cell>), Failure> {
            let run = self.open(id)?;
            let groups = summarise(&run);
            Ok((
                run,
                groups.into_iter().flat_map(|group| group.cells).collect(),
            ))
        };
        let ((run_a, cells_a), (run_b, cells_b)) = (cells(a)?, cells(b)?);
        let seconds = |run: &Run, cell: &Cell| -> Vec<f64> {
            let same = run.measurements.iter();
            same.filter(|m| !m.traced && m.setting == cell.setting)
                .map(|m| m.elapsed_ns as f64 * 1e-9)
                .collect()
        };
        let mut rows = Vec::new();
        for cell in &cells_a {
            let Some(other) = cells_b.iter().find(|other| other.setting == cell.setting) else {
                continue;
            };
            let (first, second) = (seconds(&run_a, cell), seconds(&run_b, other));
            let ratio = Estimate::ratio_of_medians(&first, &second);
            let setting = &cell.setting;
            rows.push(json!({
                "game": setting.game, "position": setting.position_name,
                "search": setting.search, "evaluation": setting.evaluation,
                "depth": setting.depth, "strategy": setting.strategy,
                "threads": setting.threads,
                "a": cell_json(cell), "b": cell_json(other),
                "ratio": estimate_json(&ratio),
                "verdict": verdict(&ratio),
            }));
        }
        Ok(json!({
            "a": { "id": a, "name": run_a.plan.name },
            "b": { "id": b, "name": run_b.plan.name },
            "rows": rows,
        }))
    }

    /// Begins a sweep, and says which run it is.
    pub(crate) fn start(&self, text: &str, bounds: Bounds) -> Result<Value, Failure> {
        let plan = Plan::read("the sweep", text)?;
        check(&plan, bounds)?;
        let mut sweeps = self.lock();
        let running = |sweep: &Sweep| matches!(sweep.state, State::Running);
        if sweeps.values().any(running) {
            return Err(Failure::conflict(
                "sweep-running",
                "a sweep is being measured: two at once would disturb each other",
            ));
        }
        let ids = self.ids();
        if ids.len() >= MOST_RUNS {
            return Err(Failure::conflict(
                "too-many",
                format!("there are {MOST_RUNS} runs already: delete some first"),
            ));
        }
        let id = new_id(&plan.name, &ids);
        let sweep = Sweep {
            stop: Arc::default(),
            planned: plan.measurements(),
            state: State::Running,
        };
        let (stop, planned, skipped) =
            (Arc::clone(&sweep.stop), sweep.planned, plan.skipped.clone());
        sweeps.insert(id.clone(), sweep);
        drop(sweeps);
        let (lab, run) = (self.clone(), id.clone());
        std::thread::spawn(move || lab.measure(&run, &plan, &stop));
        Ok(json!({ "id": id, "of": planned, "skipped": skipped }))
    }

    fn measure(&self, id: &str, plan: &Plan, stop: &Arc<AtomicBool>) {
        let folder = self.folder.join(id);
        let work = || {
            let outcome = sweep::execute(plan, &folder, false, stop)?;
            if !outcome.stopped {
                report::write(&Run::open(&folder)?)?;
            }
            Ok::<_, plywood_lab::LabError>(outcome)
        };
        let state = match catch_unwind(AssertUnwindSafe(work)) {
            Ok(Ok(outcome)) if outcome.stopped => State::Stopped,
            Ok(Ok(_)) => State::Done,
            Ok(Err(error)) => State::Failed(Failure::from(error).message().to_owned()),
            Err(_) => State::Failed(Failure::panicked().message().to_owned()),
        };
        if let Some(sweep) = self.lock().get_mut(id) {
            sweep.state = state;
        }
    }

    /// How far a sweep is; whether that was all.
    pub(crate) fn progress(&self, id: &str) -> Result<(Value, bool), Failure> {
        let sweep = self.sweep(id)?;
        let running = matches!(sweep.state, State::Running);
        let lines = fs::read(self.folder.join(id).join("measurements.jsonl")).unwrap_or_default();
        let made = lines.iter().filter(|&&byte| byte == b'\n').count() as u64;
        let message = match &sweep.state {
            State::Failed(message) => Some(message.clone()),
            _ => None,
        };
        let progress = json!({
            "id": id, "made": made.min(sweep.planned), "of": sweep.planned,
            "state": sweep.state.name(), "message": message,
        });
        Ok((progress, running))
    }

    /// Stops a sweep: what was measured stays.
    pub(crate) fn stop(&self, id: &str) -> Result<(), Failure> {
        self.sweep(id)?.stop.store(true, Ordering::Relaxed);
        Ok(())
    }

    fn sweep(&self, id: &str) -> Result<Sweep, Failure> {
        let sweep = self.lock().get(id).cloned();
        sweep.ok_or_else(|| {
            Failure::not_found(format!(
                "no sweep '{id}' was begun since the server started"
            ))
        })
    }
}

/// A folder name for a run: its name, with a number if there is one already.
fn new_id(name: &str, taken: &[String]) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() {
            c.to_ascii_lowercase()
        } else {
            '-'
        }
    };
    let name: String = name.chars().take(40).map(plain).collect();
    let name = name.trim_matches('-');
    let name = if name.is_empty() { "sweep" } else { name };
    (1..)
        .map(|number| match number {
            1 => name.to_owned(),
            _ => format!("{name}-{number}"),
        })
        .find(|id| !taken.contains(id))
        .unwrap_or_default()
}

/// Checks that a sweep stays within what this server does.
fn check(plan: &Plan, bounds: Bounds) -> Result<(), Failure> {
    let bad = |line: String| Err(Failure::bad("bad-sweep", line));
    let measurements = plan.measurements();
    if measurements > MOST_MEASUREMENTS {
        return bad(format!(
            "{measurements} measurements are more than {MOST_MEASUREMENTS}: use `plywood lab \
             sweep` for such a sweep"
        ));
    }
    for planned in &plan.settings {
        let setting = &planned.setting;
        check_evaluation(&setting.evaluation)?;
        if setting.threads > bounds.threads {
            let (asked, most) = (setting.threads, bounds.threads);
            return bad(format!(
                "{asked} threads are more than {most}, which are here"
            ));
        }
        let (asked, most) = (setting.table_bytes >> 20, bounds.memory_mb);
        if asked > most {
            return bad(format!("a table of {asked} MiB is more than {most} MiB"));
        }
    }
    Ok(())
}

fn cell_json(cell: &Cell) -> Value {
    json!({
        "count": cell.count,
        "seconds": estimate_json(&cell.seconds),
        "nodes": cell.nodes,
        "answers": cell.answers,
    })
}

fn estimate_json(estimate: &Estimate) -> Value {
    let interval = estimate
        .interval
        .map(|interval| [interval.low, interval.high]);
    json!({ "value": estimate.value, "interval": interval })
}

/// What the ratio of the times says about the second run.
fn verdict(ratio: &Estimate) -> &'static str {
    let speed_up = report::summary::SpeedUp {
        estimate: *ratio,
        against_sequential: false,
    };
    let verdict: Verdict = speed_up.verdict();
    verdict.text()
}
