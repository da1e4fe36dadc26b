//! The sections that every report of a run has.

use std::collections::BTreeSet;

use super::document::{Block, Document, Table};
use super::figures;
use super::numbers::{grouped, mebibytes, percent, ratio, ratio_interval, time, time_interval};
use super::stats::median;
use super::summary::{Cell, Group, Verdict};
use crate::record::{Setting, Workload};
use crate::sweep::Run;

/// What was measured on what, and what a reader has to know before believing it.
pub fn opening(document: &mut Document, run: &Run, groups: &[Group]) {
    let measurements: Vec<_> = run.measurements.iter().filter(|m| !m.traced).collect();
    let hosts: BTreeSet<_> = measurements.iter().map(|m| &m.host).collect();
    let versions: BTreeSet<_> = measurements.iter().map(|m| &m.version).collect();
    let settings: usize = groups.iter().map(|group| group.cells.len()).sum();
    document.paragraph(format!(
        "{} measurements of {settings} settings. Times are medians; the interval behind a figure is the 95 % bootstrap interval. Settings took turns in shuffled rounds, each with a fresh engine and an empty table{}.",
        grouped(measurements.len() as u64),
        match run.plan.fill_cores {
            true => ", and cores that a setting left free searched the same game meanwhile",
            false => "",
        }
    ));
    for host in &hosts {
        document.paragraph(format!(
            "Machine: {}, {} core{}, {}.",
            host.cpu,
            host.cores,
            if host.cores == 1 { "" } else { "s" },
            host.system
        ));
    }
    let texts: Vec<&str> = versions.iter().map(|version| version.as_str()).collect();
    document.paragraph(format!("Program: Plywood {}.", texts.join("; ")));
    if hosts.len() > 1 {
        document.warning("The measurements come from different machines: compare them with care.");
    }
    if versions.len() > 1 {
        document.warning(
            "The measurements come from different builds of the program: compare them with care.",
        );
    }
    if versions
        .iter()
        .any(|version| version.contains("debug checks"))
    {
        document.warning(
            "Measured with a build that checks itself (no `--release`): its times say little.",
        );
    }
    let planned = run.plan.measurements();
    if (measurements.len() as u64) < planned {
        document.warning(format!(
            "The run is not complete: {} of {} measurements are made.",
            grouped(measurements.len() as u64),
            grouped(planned)
        ));
    }
    let cells = || groups.iter().flat_map(|group| &group.cells);
    if cells().any(|cell| cell.oversubscribed) {
        document.warning(
            "Oversubscribed: rows marked * ran more threads than the machine has cores. Their threads had to share cores, so their speed-up says nothing about more cores.",
        );
    }
    if let Some(share) = busy_elsewhere(run) {
        document.warning(format!(
            "The machine was busy with something else: one thread had its core for {} % of the time only. Trust ratios more than times, and neither much.",
            percent(100.0 * share)
        ));
    }
    if cells().any(|cell| cell.count < 5) {
        document.warning(
            "Some settings were measured fewer than five times: their intervals are rough.",
        );
    }
    for skipped in &run.plan.skipped {
        document.paragraph(format!("Left out of the combinations: {skipped}."));
    }
}

/// How much of the time a sequential search had a core, if that was not nearly always.
fn busy_elsewhere(run: &Run) -> Option<f64> {
    let long_enough = run.measurements.iter().filter(|m| {
        // The clock of processor time is too coarse for less.
        !m.traced && m.setting.is_sequential() && m.elapsed_ns > 2_000_000
    });
    let shares: Vec<f64> = long_enough.map(|m| m.cpu_seconds() / m.seconds()).collect();
    let share = (!shares.is_empty()).then(|| median(&shares))?;
    (share < 0.9).then_some(share)
}

/// What a group is about, for its heading.
pub fn heading(setting: &Setting) -> String {
    let work = match setting.workload {
        Workload::Search => "one search".to_owned(),
        Workload::Selfplay { moves: None } => "a whole game of self-play".to_owned(),
        Workload::Selfplay { moves: Some(moves) } => format!("{moves} moves of self-play"),
    };
    format!("{}, {}: {work}", setting.game, setting.search)
}

/// Charts and tables of a group.
pub fn group(document: &mut Document, group: &Group, name: &str) {
    let like = &group.like;
    let position = match like.position.as_str() {
        "" => "the start of a game".to_owned(),
        text if text == like.position_name => format!("the position `{text}`"),
        text => format!("the position {} `{text}`", like.position_name),
    };
    document.paragraph(format!(
        "From {position}, evaluation `{}`{}, table {}.",
        like.evaluation,
        if like.after_chance {
            " after chance"
        } else {
            ""
        },
        mebibytes(like.table_bytes as u64)
    ));
    agreement(document, group);
    let mut charts = figures::time_by_depth(group, name);
    charts.extend(figures::speed_up_by_threads(group, name));
    charts.extend(figures::conversion(group, name));
    document.figures(charts);
    document.table(times(group));
    noise(document, group);
    document.table(tasks(group));
}

/// Whether all found the same.
fn agreement(document: &mut Document, group: &Group) {
    let differing: Vec<String> = group
        .depths()
        .into_iter()
        .filter(|&depth| {
            let cells = group.cells.iter().filter(|c| c.setting.depth == depth);
            let answers: BTreeSet<&String> = cells.flat_map(|cell| &cell.answers).collect();
            answers.len() > 1
        })
        .map(|depth| depth.to_string())
        .collect();
    let moves = match group.like.workload {
        Workload::Search => "the same move",
        Workload::Selfplay { .. } => "the same moves",
    };
    if differing.is_empty() {
        document.paragraph(format!(
            "At each depth all strategies and repetitions found {moves}."
        ));
    } else {
        document.warning(format!(
            "Not all strategies and repetitions found {moves} at depth {}.",
            differing.join(", ")
        ));
    }
}

/// A sentence about differences that are none.
fn noise(document: &mut Document, group: &Group) {
    let verdicts: Vec<Verdict> = group
        .cells
        .iter()
        .filter_map(|cell| Some(cell.speed_up?.verdict()))
        .collect();
    let unclear = verdicts
        .iter()
        .filter(|&&v| v == Verdict::NoDifference)
        .count();
    if unclear > 0 {
        document.paragraph(format!(
            "No difference shown in {unclear} of {} comparisons with one thread: there the interval is wider than the effect.",
            verdicts.len()
        ));
    }
}

/// The number of threads, with a mark if there are too many.
pub fn threads_text(cell: &Cell) -> String {
    let mark = if cell.oversubscribed { " *" } else { "" };
    format!("{}{mark}", cell.setting.threads)
}

/// Times, speed-ups and memory.
fn times(group: &Group) -> Table {
    let sequential = group
        .cells
        .iter()
        .filter_map(|cell| cell.speed_up)
        .all(|speed_up| speed_up.against_sequential);
    let against = match sequential {
        true => "`seq`",
        false => "`seq`, or with the same strategy on one thread where `seq` was not measured",
    };
    let counts: BTreeSet<usize> = group.cells.iter().map(|cell| cell.count).collect();
    let repeats = match (counts.first(), counts.last()) {
        (Some(least), Some(most)) if least == most => least.to_string(),
        (Some(least), Some(most)) => format!("{least} to {most}"),
        _ => String::new(),
    };
    let mut table = Table::new(
        format!(
            "Times and memory, {repeats} repetitions each, 95 % intervals in brackets. Speed-up is compared with {against}."
        ),
        &[
            "#depth",
            "strategy",
            "#threads",
            "#elapsed",
            "#CPU",
            "#speed-up",
            "shown",
            "#nodes",
            "#nodes/s",
            "#peak memory",
        ],
    );
    for cell in &group.cells {
        let nodes = match cell.node_range {
            (fewest, most) if fewest == most => grouped(cell.nodes),
            (fewest, most) => format!("{} – {}", grouped(fewest), grouped(most)),
        };
        let (speed_up, shown) = match cell.speed_up {
            Some(speed_up) => (
                with_interval(
                    ratio(speed_up.estimate.value),
                    ratio_interval(&speed_up.estimate),
                ),
                speed_up.verdict().text(),
            ),
            None => ("–".into(), ""),
        };
        table.rows.push(vec![
            cell.setting.depth.to_string(),
            cell.setting.strategy.clone(),
            threads_text(cell),
            with_interval(time(cell.seconds.value), time_interval(&cell.seconds)),
            time(cell.cpu_seconds),
            speed_up,
            shown.to_owned(),
            nodes,
            grouped((cell.nodes as f64 / cell.seconds.value.max(1e-9)) as u64),
            cell.peak_memory.map_or("–".into(), mebibytes),
        ]);
    }
    table
}

/// A figure with its interval, if there is one.
pub fn with_interval(figure: String, interval: Option<String>) -> String {
    match interval {
        Some(interval) => format!("{figure} [{interval}]"),
        None => figure,
    }
}

/// What became of the tasks.
pub fn tasks(group: &Group) -> Table {
    let mut table = Table::new(
        "Tasks, the median of each column. Total = converted (run by another worker) + fizzled (run by the worker that offered it) + cancelled (never started); aborted ones were given up while running.",
        &[
            "#depth",
            "strategy",
            "#threads",
            "#total",
            "#converted",
            "#fizzled",
            "#cancelled",
            "#aborted",
            "#converted %",
            "#elapsed",
        ],
    );
    for cell in &group.cells {
        // One thread without a strategy has no tasks, and Lazy SMP shares the table only.
        if cell.tasks.offered == 0 {
            continue;
        }
        let tasks = &cell.tasks;
        table.rows.push(vec![
            cell.setting.depth.to_string(),
            cell.setting.strategy.clone(),
            threads_text(cell),
            grouped(tasks.offered),
            grouped(tasks.converted),
            grouped(tasks.fizzled),
            grouped(tasks.cancelled),
            grouped(tasks.aborted),
            cell.converted.map_or("–".into(), |c| percent(c.value)),
            time(cell.seconds.value),
        ]);
    }
    table
}

/// How to make the same measurements again.
pub fn repeat(document: &mut Document, run: &Run) {
    document.section("Make it again");
    document.paragraph(format!(
        "Save these lines as `{name}.toml` (they are in the folder of the run as `sweep.toml` too), then run the command below them.",
        name = file_name(run)
    ));
    document.blocks.push(Block::Code(run.plan.text.clone()));
    document.blocks.push(Block::Code(format!(
        "plywood lab sweep {name}.toml --out {name}-again",
        name = file_name(run)
    )));
}

fn file_name(run: &Run) -> String {
    crate::record::slug(&run.plan.name)
}
