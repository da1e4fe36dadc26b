//! Printed figures next to measured ones.

use crate::report::document::Table;
use crate::report::numbers::{grouped, percent, ratio, ratio_interval, time, time_interval};
use crate::report::sections::{threads_text, with_interval};
use crate::report::summary::{Cell, Group, SpeedUp, Verdict};

/// A row of a comparison by time.
pub(super) struct Row<'a> {
    /// What was done.
    pub(super) what: &'a str,
    /// What the report says of it, in seconds.
    pub(super) printed: Option<f64>,
    /// What its program took when it was rebuilt, in seconds.
    pub(super) rebuilt: Option<f64>,
    /// What was measured here, if it was.
    pub(super) here: Option<&'a Cell>,
}

/// Times next to each other.
pub(super) fn times(caption: &str, rows: &[Row<'_>]) -> Table {
    let mut table = Table::new(
        caption,
        &[
            "workload",
            "#printed",
            "#rebuilt",
            "here",
            "#threads",
            "#elapsed [95 %]",
            "#rebuilt / here",
        ],
    );
    // With all digits that were printed.
    let seconds = |value: Option<f64>| value.map_or("–".into(), |value| format!("{value} s"));
    for row in rows {
        let mut cells = vec![
            row.what.to_owned(),
            seconds(row.printed),
            seconds(row.rebuilt),
        ];
        match row.here {
            Some(cell) => cells.extend([
                format!("`{}`, `{}`", cell.setting.search, cell.setting.strategy),
                threads_text(cell),
                with_interval(time(cell.seconds.value), time_interval(&cell.seconds)),
                row.rebuilt
                    .map_or("–".into(), |rebuilt| ratio(rebuilt / cell.seconds.value)),
            ]),
            None => {
                cells.push("not measured on this machine".into());
                cells.extend(["–"; 3].map(String::from));
            }
        }
        table.rows.push(cells);
    }
    table
}

/// A row of printed task statistics.
pub(super) struct PrintedTasks {
    pub(super) strategy: &'static str,
    pub(super) total: u64,
    pub(super) converted: u64,
    /// Collected before anybody ran them, and run by the worker that made them, if printed.
    pub(super) collected: Option<u64>,
    pub(super) fizzled: Option<u64>,
    pub(super) seconds: f64,
}

/// Task statistics of a report and of cells here, one below the other.
pub(super) fn tasks(
    caption: &str,
    machine: &str,
    printed: &[PrintedTasks],
    here: &[&Cell],
) -> Table {
    let mut table = Table::new(
        caption,
        &[
            "source",
            "strategy",
            "#threads",
            "#total",
            "#converted",
            "#never run",
            "#fizzled",
            "#converted %",
            "#elapsed",
        ],
    );
    let optional = |value: Option<u64>| value.map_or("–".into(), grouped);
    for row in printed {
        table.rows.push(vec![
            "printed".into(),
            row.strategy.into(),
            machine.into(),
            grouped(row.total),
            grouped(row.converted),
            optional(row.collected),
            optional(row.fizzled),
            percent(100.0 * row.converted as f64 / row.total as f64),
            format!("{} s", row.seconds),
        ]);
    }
    for cell in here {
        let tasks = &cell.tasks;
        table.rows.push(vec![
            "here".into(),
            format!("`{}`", cell.setting.strategy),
            threads_text(cell),
            grouped(tasks.offered),
            grouped(tasks.converted),
            grouped(tasks.cancelled),
            grouped(tasks.fizzled),
            cell.converted.map_or("–".into(), |c| percent(c.value)),
            time(cell.seconds.value),
        ]);
    }
    table
}

/// The group with this search, and if given this position.
pub(super) fn group<'a>(
    groups: &'a [Group],
    search: &str,
    position: Option<&str>,
) -> Option<&'a Group> {
    groups.iter().find(|group| {
        group.like.search == search && position.is_none_or(|name| group.like.position_name == name)
    })
}

/// A cell on this many threads, or on the most below that were measured.
pub(super) fn cell_near<'a>(
    group: Option<&'a Group>,
    depth: u32,
    strategy: &str,
    threads: usize,
) -> Option<&'a Cell> {
    let cells = group?.cells.iter().filter(|cell| {
        let s = &cell.setting;
        s.depth == depth && s.strategy == strategy && s.threads <= threads
    });
    cells.max_by_key(|cell| cell.setting.threads)
}

/// A cell on exactly this many threads.
pub(super) fn cell<'a>(
    group: Option<&'a Group>,
    depth: u32,
    strategy: &str,
    threads: usize,
) -> Option<&'a Cell> {
    group?.cell(depth, strategy, threads)
}

/// The cell with the largest speed-up that was shown, not only measured.
pub(super) fn best_speed_up<'a>(
    cells: impl Iterator<Item = &'a Cell>,
) -> Option<(SpeedUp, &'a Cell)> {
    cells
        .filter_map(|cell| Some((cell.speed_up?, cell)))
        .filter(|(speed_up, _)| speed_up.verdict() == Verdict::Faster)
        .max_by(|(a, _), (b, _)| a.estimate.value.total_cmp(&b.estimate.value))
}

/// A speed-up with its interval.
pub(super) fn speed_up_text(speed_up: &SpeedUp) -> String {
    let estimate = &speed_up.estimate;
    with_interval(ratio(estimate.value), ratio_interval(estimate))
}

/// Depths down, threads across; in each place what a cell says.
pub(super) fn matrix(
    caption: &str,
    group: &Group,
    strategy: impl Fn(u32) -> String,
    text: impl Fn(&Cell) -> String,
) -> Table {
    let threads = group.threads();
    let names: Vec<String> = threads
        .iter()
        .map(|n| format!("#{n} thread{}", if *n == 1 { "" } else { "s" }))
        .collect();
    let mut columns = vec!["#depth", "strategy"];
    columns.extend(names.iter().map(String::as_str));
    let mut table = Table::new(caption, &columns);
    for depth in group.depths() {
        let strategy = strategy(depth);
        let cells = threads.iter().map(|&n| group.cell(depth, &strategy, n));
        let texts: Vec<String> = cells.map(|c| c.map_or("–".into(), &text)).collect();
        if texts.iter().any(|text| text != "–") {
            let mut row = vec![depth.to_string(), strategy];
            row.extend(texts);
            table.rows.push(row);
        }
    }
    table
}
