//! Makes one search, with or without recording it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{SystemTime, UNIX_EPOCH};

use plywood::{Limits, Trace, TraceOptions};
use plywood_games::registry::Random;

use super::Recording;
use crate::LabError;
use crate::record::{Host, Lane, Measurement, Setting, forget_peak_memory};

/// Searches the position of a setting and records what every worker does; of a game, its
/// first position. `None` if the search was stopped before its end.
pub fn record(
    setting: &Setting,
    seed: u64,
    options: &TraceOptions,
    stop: &Arc<AtomicBool>,
) -> Result<Option<Recording>, LabError> {
    let made = search(setting, seed, 0, Some(options), stop)?;
    Ok(made.map(|(measurement, trace)| Recording { measurement, trace }))
}

/// Searches the position of a setting without recording, to compare times with. `None` if the
/// search was stopped before its end.
pub fn measure(
    setting: &Setting,
    seed: u64,
    repeat: u32,
    stop: &Arc<AtomicBool>,
) -> Result<Option<Measurement>, LabError> {
    let made = search(setting, seed, repeat, None, stop)?;
    Ok(made.map(|(measurement, _)| measurement))
}

fn search(
    setting: &Setting,
    seed: u64,
    repeat: u32,
    options: Option<&TraceOptions>,
    stop: &Arc<AtomicBool>,
) -> Result<Option<(Measurement, Trace)>, LabError> {
    let game = setting.open_game()?;
    let position = setting.open_position(game.as_ref(), &mut Random::new(seed))?;
    forget_peak_memory();
    let mut searcher = game.searcher(&setting.evaluation, setting.engine_settings()?)?;
    // A new table is memory the system has only promised: writing to it here keeps the page
    // faults out of the times.
    searcher.forget();
    let limits = Limits::depth(setting.depth).with_stop(Arc::clone(stop));
    let (report, trace) = match options {
        Some(options) => searcher.search_traced(&position, &limits, options, &mut |_| {}),
        None => {
            let report = searcher.search(&position, &limits, &mut |_| {});
            (report, Trace::default())
        }
    };
    if report.stopped {
        return Ok(None);
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let measurement = Measurement {
        setting: setting.clone(),
        repeat,
        seed,
        traced: options.is_some(),
        filled: false,
        elapsed_ns: report.elapsed.as_nanos() as u64,
        cpu_ns: report.cpu.as_nanos() as u64,
        best: report.best.unwrap_or_default(),
        searches: 1,
        values: report.values,
        result: None,
        nodes: report.nodes.into(),
        tasks: report.tasks.into(),
        workers: report.workers.iter().map(Lane::from).collect(),
        peak_memory: report.memory.peak.map(|bytes| bytes as u64),
        host: Host::here(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        unix_ms: now.map_or(0, |now| now.as_millis() as u64),
    };
    Ok(Some((measurement, trace)))
}
