//! The charts of a group of settings.

use super::chart::{LineChart, MOST_SERIES, Point, Series};
use super::document::Figure;
use super::stats::Estimate;
use super::summary::{Cell, Group};
use crate::record::slug;

/// Something that is drawn over threads or depths.
#[derive(Clone, Copy)]
struct Quantity {
    title: &'static str,
    y_label: &'static str,
    log_y: bool,
    ideal: bool,
    of: fn(&Cell) -> Option<Estimate>,
}

const TIME: Quantity = Quantity {
    title: "Time",
    y_label: "elapsed time in seconds",
    log_y: true,
    ideal: false,
    of: |cell| Some(cell.seconds),
};

const SPEED_UP: Quantity = Quantity {
    title: "Speed-up",
    y_label: "times as fast as one thread",
    log_y: false,
    ideal: true,
    of: |cell| match cell.speed_up {
        Some(speed_up) => Some(speed_up.estimate),
        // What it is compared with.
        None if cell.setting.threads == 1 && !cell.setting.is_sequential() => Some(Estimate {
            value: 1.0,
            interval: None,
        }),
        None => None,
    },
};

const CONVERSION: Quantity = Quantity {
    title: "Task conversion",
    y_label: "% of tasks run by another worker",
    log_y: false,
    ideal: false,
    of: |cell| cell.converted,
};

/// The time by depth.
pub fn time_by_depth(group: &Group, name: &str) -> Vec<Figure> {
    let caption = "Elapsed time by depth, on a scale of equal factors; the median of all repetitions with its 95 % interval.";
    by_depth(group, TIME, name, caption)
}

/// The speed-up by threads.
pub fn speed_up_by_threads(group: &Group, name: &str) -> Vec<Figure> {
    let caption = "Speed-up against threads, with its 95 % interval. On the dotted line twice the threads are twice as fast.";
    by_threads(group, SPEED_UP, name, caption)
}

/// The share of tasks that other workers ran, by depth and by threads.
pub fn conversion(group: &Group, name: &str) -> Vec<Figure> {
    let caption = "Of a hundred tasks offered, how many another worker ran, by depth.";
    let mut figures = by_depth(group, CONVERSION, name, caption);
    let caption = "Of a hundred tasks offered, how many another worker ran, by threads.";
    figures.extend(by_threads(group, CONVERSION, name, caption));
    figures
}

/// Lines over depths: one for each strategy with the most threads it ran on; if there is one
/// parallel strategy only, one for each number of threads.
fn by_depth(group: &Group, quantity: Quantity, name: &str, caption: &str) -> Vec<Figure> {
    if group.depths().len() < 2 {
        return Vec::new();
    }
    let most = |strategy: &str| {
        let cells = group.cells.iter();
        let own = cells.filter(|cell| cell.setting.strategy == strategy);
        own.map(|cell| cell.setting.threads).max().unwrap_or(1)
    };
    let strategies = group.strategies();
    let parallel = strategies.iter().filter(|&&s| s != "seq").count();
    let mut who: Vec<(&str, usize)> = Vec::new();
    for &strategy in &strategies {
        if strategy == "seq" || parallel > 1 {
            who.push((strategy, most(strategy)));
        } else {
            who.extend(
                group
                    .threads()
                    .into_iter()
                    .map(|threads| (strategy, threads)),
            );
        }
    }
    let series = who.into_iter().map(|(strategy, threads)| Series {
        name: on_threads(strategy, threads),
        points: points(
            group.cells.iter().filter(|cell| {
                cell.setting.strategy == strategy && cell.setting.threads == threads
            }),
            quantity,
            |cell| f64::from(cell.setting.depth),
        ),
    });
    charts(
        series.collect(),
        quantity,
        "depth",
        "by depth",
        "",
        name,
        caption,
    )
}

/// Lines over threads: a chart for each depth with a line for each strategy; if there is one
/// parallel strategy only, one chart with a line for each depth.
fn by_threads(group: &Group, quantity: Quantity, name: &str, caption: &str) -> Vec<Figure> {
    if group.threads().len() < 2 {
        return Vec::new();
    }
    let strategies = group.strategies();
    let parallel: Vec<&str> = strategies.into_iter().filter(|&s| s != "seq").collect();
    let line = |name: String, depth: u32, strategy: &str| Series {
        name,
        points: points(
            group
                .cells
                .iter()
                .filter(|cell| cell.setting.strategy == strategy && cell.setting.depth == depth),
            quantity,
            |cell| cell.setting.threads as f64,
        ),
    };
    let x_label = "threads";
    if let [strategy] = parallel[..] {
        let depths = group.depths().into_iter();
        let series = depths.map(|depth| line(format!("depth {depth}"), depth, strategy));
        let title = format!(", {strategy}");
        return charts(
            series.collect(),
            quantity,
            x_label,
            "by threads",
            &title,
            name,
            caption,
        );
    }
    let mut figures = Vec::new();
    for depth in group.depths() {
        let series = parallel.iter().map(|s| line((*s).to_owned(), depth, s));
        let title = format!(", depth {depth}");
        figures.extend(charts(
            series.collect(),
            quantity,
            x_label,
            "by threads",
            &title,
            name,
            caption,
        ));
    }
    figures
}

fn on_threads(strategy: &str, threads: usize) -> String {
    match (strategy, threads) {
        ("seq", _) => "seq".into(),
        (_, 1) => format!("{strategy}, 1 thread"),
        _ => format!("{strategy}, {threads} threads"),
    }
}

fn points<'a>(
    cells: impl Iterator<Item = &'a Cell>,
    quantity: Quantity,
    x: fn(&Cell) -> f64,
) -> Vec<Point> {
    let points = cells.filter_map(|cell| {
        let estimate = (quantity.of)(cell)?;
        Some(Point {
            x: x(cell),
            y: estimate.value,
            interval: estimate.interval,
        })
    });
    let mut points: Vec<Point> = points.collect();
    points.sort_by(|a, b| a.x.total_cmp(&b.x));
    points
}

/// As many charts as the lines need, if any of them has two points.
fn charts(
    mut series: Vec<Series>,
    quantity: Quantity,
    x_label: &str,
    over: &str,
    title: &str,
    name: &str,
    caption: &str,
) -> Vec<Figure> {
    series.retain(|series| !series.points.is_empty());
    if series.iter().all(|series| series.points.len() < 2) {
        return Vec::new();
    }
    let chunks = series.chunks(MOST_SERIES).enumerate();
    let figures = chunks.map(|(part, lines)| {
        let title = format!("{} {over}{title}", quantity.title);
        let part = if part > 0 {
            format!(" part {}", part + 1)
        } else {
            String::new()
        };
        let chart = LineChart {
            x_label: x_label.to_owned(),
            y_label: quantity.y_label.to_owned(),
            log_y: quantity.log_y,
            ideal: quantity.ideal,
            series: lines.to_vec(),
            title: title.clone(),
        };
        Figure {
            name: slug(&format!("{name} {title}{part}")),
            svg: chart.draw(),
            caption: caption.to_owned(),
        }
    });
    figures.collect()
}
