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

/// The speed-up by threads of all that was searched, if there are several games or searches:
/// a line for each, by the strategy that was fastest on the most cores.
pub fn speed_up_of_all(groups: &[Group]) -> Vec<Figure> {
    let lines: Vec<Series> = groups.iter().filter_map(best_line).collect();
    if lines.len() < 2 {
        return Vec::new();
    }
    let place = Place {
        x_label: "threads",
        over: "by threads",
        title: String::new(),
        name: "",
        caption: "Speed-up against threads, with its 95 % interval: of each search at its greatest depth, the strategy that was fastest on the most cores. On the dotted line twice the threads are twice as fast.",
    };
    charts(lines, SPEED_UP, &place)
}

/// The line of the strategy with the best speed-up on the most threads that had cores.
fn best_line(group: &Group) -> Option<Series> {
    let depth = *group.depths().last()?;
    let on_cores = |cell: &&Cell| cell.setting.depth == depth && !cell.oversubscribed;
    let best = group
        .cells
        .iter()
        .filter(on_cores)
        .filter_map(|cell| Some((cell, cell.speed_up?.estimate.value)))
        .filter(|(cell, _)| !cell.setting.is_sequential() && cell.setting.threads > 1)
        .max_by(|(a, fast), (b, faster)| {
            let threads = a.setting.threads.cmp(&b.setting.threads);
            threads.then(fast.total_cmp(faster))
        })?;
    let setting = &best.0.setting;
    let cells: Vec<Marked<'_>> = group
        .cells
        .iter()
        .filter(on_cores)
        .filter(|cell| cell.setting.strategy == setting.strategy)
        .map(|cell| Marked {
            strategy: cell.setting.strategy.clone(),
            cell,
        })
        .collect();
    Some(Series {
        name: format!(
            "{}, {} depth {depth}, {}",
            setting.game, setting.search, setting.strategy
        ),
        points: points(cells.iter(), SPEED_UP, |cell| cell.setting.threads as f64),
    })
}

/// The share of tasks that other workers ran, by depth and by threads.
pub fn conversion(group: &Group, name: &str) -> Vec<Figure> {
    let caption = "Of a hundred tasks offered, how many another worker ran, by depth.";
    let mut figures = by_depth(group, CONVERSION, name, caption);
    let caption = "Of a hundred tasks offered, how many another worker ran, by threads.";
    figures.extend(by_threads(group, CONVERSION, name, caption));
    figures
}

/// A cell and the line it is a point of.
struct Marked<'a> {
    /// The strategy; where its argument goes with the depth, as in `ybwc:10` at depth 12 and
    /// `ybwc:13` at depth 15, what they have in common: `ybwc:depth-2`.
    strategy: String,
    cell: &'a Cell,
}

/// All cells, each with its line.
fn marked(group: &Group) -> Vec<Marked<'_>> {
    /// The name, what the depth exceeds the argument by, and the rest.
    fn relative(cell: &Cell) -> Option<(&str, u32, &str)> {
        let (name, rest) = cell.setting.strategy.split_once(':')?;
        let (number, rest) = rest.split_once(',').unwrap_or((rest, ""));
        let less = cell.setting.depth.checked_sub(number.parse().ok()?)?;
        Some((name, less, rest))
    }
    let cells = || group.cells.iter();
    let depths = |wanted: &dyn Fn(&Cell) -> bool| {
        let mut depths: Vec<u32> = cells()
            .filter(|cell| wanted(cell))
            .map(|cell| cell.setting.depth)
            .collect();
        depths.sort_unstable();
        depths.dedup();
        depths.len()
    };
    cells()
        .map(|cell| {
            let text = &cell.setting.strategy;
            let own = relative(cell);
            let common = own.filter(|_| {
                depths(&|other| other.setting.strategy == *text) == 1
                    && depths(&|other| relative(other) == own) > 1
            });
            let strategy = match common {
                Some((name, less, "")) => format!("{name}:depth-{less}"),
                Some((name, less, rest)) => format!("{name}:depth-{less},{rest}"),
                None => text.clone(),
            };
            Marked { strategy, cell }
        })
        .collect()
}

/// The lines in the order they were asked for.
fn strategies(cells: &[Marked<'_>]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for marked in cells {
        if !names.contains(&marked.strategy) {
            names.push(marked.strategy.clone());
        }
    }
    names
}

/// Lines over depths: one for each strategy with the most threads it ran on; if there is one
/// parallel strategy only, one for each number of threads.
fn by_depth(group: &Group, quantity: Quantity, name: &str, caption: &str) -> Vec<Figure> {
    if group.depths().len() < 2 {
        return Vec::new();
    }
    let cells = marked(group);
    let most = |strategy: &str| {
        let own = cells.iter().filter(|marked| marked.strategy == strategy);
        own.map(|marked| marked.cell.setting.threads)
            .max()
            .unwrap_or(1)
    };
    let strategies = strategies(&cells);
    let parallel = strategies.iter().filter(|&s| s != "seq").count();
    let mut who: Vec<(&str, usize)> = Vec::new();
    for strategy in &strategies {
        if strategy == "seq" || parallel > 1 {
            who.push((strategy, most(strategy)));
        } else {
            let threads = group.threads().into_iter();
            who.extend(threads.map(|threads| (strategy.as_str(), threads)));
        }
    }
    let series = who.into_iter().map(|(strategy, threads)| Series {
        name: on_threads(strategy, threads),
        points: points(
            cells
                .iter()
                .filter(|m| m.strategy == strategy && m.cell.setting.threads == threads),
            quantity,
            |cell| f64::from(cell.setting.depth),
        ),
    });
    let place = Place {
        x_label: "depth",
        over: "by depth",
        title: String::new(),
        name,
        caption,
    };
    charts(series.collect(), quantity, &place)
}

/// Lines over threads: a chart for each depth with a line for each strategy; if there is one
/// parallel strategy only, one chart with a line for each depth.
fn by_threads(group: &Group, quantity: Quantity, name: &str, caption: &str) -> Vec<Figure> {
    if group.threads().len() < 2 {
        return Vec::new();
    }
    let cells = marked(group);
    let strategies = strategies(&cells);
    let parallel: Vec<&String> = strategies.iter().filter(|&s| s != "seq").collect();
    let line = |name: String, depth: u32, strategy: &str| Series {
        name,
        points: points(
            cells
                .iter()
                .filter(|m| m.strategy == strategy && m.cell.setting.depth == depth),
            quantity,
            |cell| cell.setting.threads as f64,
        ),
    };
    let place = |title: String| Place {
        x_label: "threads",
        over: "by threads",
        title,
        name,
        caption,
    };
    if let [strategy] = parallel[..] {
        let depths = group.depths().into_iter();
        let series = depths.map(|depth| line(format!("depth {depth}"), depth, strategy));
        let place = place(format!(", {strategy}"));
        return charts(series.collect(), quantity, &place);
    }
    let mut figures = Vec::new();
    for depth in group.depths() {
        let series = parallel.iter().map(|s| line((*s).clone(), depth, s));
        let place = place(format!(", depth {depth}"));
        figures.extend(charts(series.collect(), quantity, &place));
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
    cells: impl Iterator<Item = &'a Marked<'a>>,
    quantity: Quantity,
    x: fn(&Cell) -> f64,
) -> Vec<Point> {
    let points = cells.filter_map(|&Marked { cell, .. }| {
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

/// What the charts of a quantity have in common.
struct Place<'a> {
    x_label: &'a str,
    /// What goes along, for the title.
    over: &'a str,
    /// What else the title says.
    title: String,
    /// What the files are called.
    name: &'a str,
    caption: &'a str,
}

/// As many charts as the lines need, if any of them has two points.
fn charts(mut series: Vec<Series>, quantity: Quantity, place: &Place<'_>) -> Vec<Figure> {
    series.retain(|series| !series.points.is_empty());
    if series.iter().all(|series| series.points.len() < 2) {
        return Vec::new();
    }
    // Evenly: seven and one would be no help to anybody.
    let parts = series.len().div_ceil(MOST_SERIES);
    let chunks = series.chunks(series.len().div_ceil(parts)).enumerate();
    let figures = chunks.map(|(part, lines)| {
        let title = format!("{} {}{}", quantity.title, place.over, place.title);
        let part = match part {
            0 => String::new(),
            part => format!(" part {}", part + 1),
        };
        let chart = LineChart {
            x_label: place.x_label.to_owned(),
            y_label: quantity.y_label.to_owned(),
            log_y: quantity.log_y,
            ideal: quantity.ideal,
            series: lines.to_vec(),
            title: title.clone(),
        };
        Figure {
            name: slug(&format!("{} {title}{part}", place.name)),
            svg: chart.draw(),
            caption: place.caption.to_owned(),
        }
    });
    figures.collect()
}
