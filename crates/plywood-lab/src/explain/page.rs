//! The account as a page: a waterfall of the factors, the sentences, and the sizes of tasks.

use std::fmt::Write;

use super::text::{duration, headline, identity, sentences, title};
use super::{Explanation, SizeClass, TraceFacts};
use crate::trace::viewer::escaped;

/// How a page of this kind begins.
pub const SIGNATURE: &str = "<!doctype html>\n<html lang=\"en\">\n<meta name=\"generator\" content=\"plywood lab explain\">";

const STYLE: &str = "
:root { color-scheme: light dark; --page: #fff; --text: #1c2024; --soft: #5c6670; --line: #d8dde3;
  --gain: #2f7d4f; --loss: #b3473f; --sum: #4a6fa5; --join: #b3473f; --steal: #c98a1b; --none: #9aa5b1; --late: #7d5ba6; }
@media (prefers-color-scheme: dark) { :root { --page: #15181c; --text: #e6e9ec; --soft: #9aa5b1; --line: #363d45;
  --gain: #53b97d; --loss: #e07a72; --sum: #7da3d8; --join: #e07a72; --steal: #e0aa45; --none: #5c6670; --late: #b394dc; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 60rem; background: var(--page); color: var(--text);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin: 0 0 .4rem; overflow-wrap: anywhere; }
section { border-top: 1px solid var(--line); padding: 1.2rem 0; }
p, li { margin: .4rem 0; max-width: 46rem; }
.identity { font-variant-numeric: tabular-nums; overflow-wrap: anywhere; color: var(--soft); }
figure { margin: 1rem 0; } figcaption { color: var(--soft); font-size: .9rem; margin-bottom: .3rem; }
svg { width: 100%; height: auto; display: block; max-width: 46rem; }
svg text { fill: var(--text); font: 13px system-ui, sans-serif; } svg .soft { fill: var(--soft); }
.advice { border-left: .25rem solid var(--sum); padding-left: .8rem; list-style: none; }
@media (max-width: 40rem) { svg text { font-size: 16px; } }
";

/// A page about several settings.
pub fn page(explanations: &[Explanation]) -> String {
    let mut page = format!(
        "{SIGNATURE}\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Where the speed-up went</title>\n<style>{STYLE}</style>\n\
         <h1>Where the speed-up went</h1>\n\
         <p>Speed-up = threads × nodes × cost of a node × busy share: nodes of one thread by nodes \
         of all; time for a node on one thread by time for one while the workers search; and the \
         share of the cores' time in which they search. Figures in brackets: 95 % of repeated \
         measurements lie there.</p>\n"
    );
    for explanation in explanations {
        page.push_str(&section(explanation));
    }
    page.push_str("</html>\n");
    page
}

/// The account of one setting.
pub(super) fn section(e: &Explanation) -> String {
    let mut html = String::new();
    let _ = write!(
        html,
        "<section>\n<h2>{}</h2>\n<p><strong>{}</strong></p>\n<p class=\"identity\">{}</p>\n",
        escaped(&title(e)),
        escaped(&headline(e)),
        escaped(&identity(e)),
    );
    html.push_str(&waterfall(e));
    for sentence in sentences(e) {
        let _ = writeln!(html, "<p>{}</p>", escaped(&sentence));
    }
    if let Some(facts) = &e.trace {
        html.push_str(&time_bar(facts));
        html.push_str(&histogram(&facts.shape.sizes));
    }
    html.push_str("<ul class=\"advice\">\n");
    for advice in &e.advice {
        let _ = writeln!(html, "<li>{}</li>", escaped(advice));
    }
    html.push_str("</ul>\n</section>\n");
    html
}

/// From the number of threads down (or up) to the speed-up, factor by factor.
fn waterfall(e: &Explanation) -> String {
    const WIDTH: f64 = 640.0;
    const LABEL: f64 = 150.0;
    const VALUE: f64 = 85.0;
    const ROW: f64 = 30.0;
    let f = &e.factors;
    let mut level = f.threads as f64;
    let mut steps: Vec<(String, f64, f64, String)> = Vec::new();
    for (name, factor) in [
        ("nodes", f.nodes.value),
        ("cost of a node", f.cost.value),
        ("busy", f.busy.value),
    ] {
        let next = level * factor;
        steps.push((name.to_owned(), level, next, format!("× {factor:.3}")));
        level = next;
    }
    let highest = steps
        .iter()
        .map(|step| step.1.max(step.2))
        .fold(f.threads as f64, f64::max);
    let x = |value: f64| LABEL + value / highest * (WIDTH - LABEL - VALUE);
    let height = ROW * 5.0 + 24.0;
    let mut svg = format!(
        "<figure>\n<figcaption>From {} thread{} to the speed-up</figcaption>\n\
         <svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{}\">\n",
        f.threads,
        if f.threads == 1 { "" } else { "s" },
        escaped(&identity(e)),
    );
    // Where the interval of the speed-up ends, so that it does not cross the figure.
    let whisker = f
        .speedup
        .interval
        .map_or(0.0, |(_, high)| high.min(highest));
    let mut row = |index: usize, name: &str, from: f64, to: f64, colour: &str, value: &str| {
        let y = index as f64 * ROW;
        let (left, right) = (x(from.min(to)), x(from.max(to)));
        let width = (right - left).max(1.0);
        let label = if index == 4 {
            right.max(x(whisker))
        } else {
            right
        };
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{name}</text>\
             <rect x=\"{left:.1}\" y=\"{}\" width=\"{width:.1}\" height=\"{}\" fill=\"var({colour})\"/>\
             <text x=\"{:.1}\" y=\"{}\">{value}</text>",
            LABEL - 10.0,
            y + 20.0,
            y + 4.0,
            ROW - 8.0,
            label + 6.0,
            y + 20.0,
        );
    };
    row(
        0,
        "threads",
        0.0,
        f.threads as f64,
        "--sum",
        &f.threads.to_string(),
    );
    for (index, (name, from, to, value)) in steps.iter().enumerate() {
        let colour = if to < from { "--loss" } else { "--gain" };
        row(index + 1, name, *from, *to, colour, value);
    }
    let speedup = f.speedup.value;
    row(
        4,
        "speed-up",
        0.0,
        speedup,
        "--sum",
        &format!("{speedup:.2}"),
    );
    if let Some((low, high)) = f.speedup.interval {
        let y = 4.0 * ROW + ROW / 2.0;
        let (low, high) = (x(low.max(0.0)), x(high.min(highest)));
        let _ = writeln!(
            svg,
            "<path d=\"M{low:.1} {y}H{high:.1}M{low:.1} {}v8M{high:.1} {}v8\" stroke=\"var(--text)\" fill=\"none\"/>",
            y - 4.0,
            y - 4.0
        );
    }
    let base = 5.0 * ROW + 4.0;
    let _ = writeln!(
        svg,
        "<path d=\"M{:.1} 0V{base}M{:.1} 0V{base}\" stroke=\"var(--line)\" fill=\"none\"/>\
         <text class=\"soft\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">0</text>\
         <text class=\"soft\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">1 thread</text>",
        x(0.0),
        x(1.0),
        x(0.0),
        base + 14.0,
        x(1.0),
        base + 14.0,
    );
    svg.push_str("</svg>\n</figure>\n");
    svg
}

/// What the workers did with their time, as one bar.
fn time_bar(facts: &TraceFacts) -> String {
    const WIDTH: f64 = 640.0;
    let t = &facts.time;
    let parts = [
        ("searching", t.searching, "--gain"),
        ("abort latency", t.abort_latency, "--late"),
        ("waiting at joins", t.joining, "--join"),
        ("stealing", t.stealing, "--steal"),
        ("no work, start and end", t.no_work + t.outside, "--none"),
    ];
    let mut svg = format!(
        "<figure>\n<figcaption>The cores' time in the recorded run</figcaption>\n\
         <svg viewBox=\"0 0 {WIDTH} 82\" role=\"img\" aria-label=\"The cores' time by what they did\">\n"
    );
    let mut x = 0.0;
    for (name, time, colour) in &parts {
        let width = t.share(*time) * WIDTH;
        let _ = writeln!(
            svg,
            "<rect x=\"{x:.1}\" y=\"0\" width=\"{width:.1}\" height=\"24\" fill=\"var({colour})\"><title>{name}</title></rect>"
        );
        x += width;
    }
    for (index, (name, time, colour)) in parts.iter().enumerate() {
        let (x, y) = ((index % 3) as f64 * 214.0, 42.0 + (index / 3) as f64 * 24.0);
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{}\" width=\"12\" height=\"12\" fill=\"var({colour})\"/>\
             <text x=\"{}\" y=\"{}\">{name} {:.1} %</text>",
            y - 2.0,
            x + 18.0,
            y + 9.0,
            100.0 * t.share(*time),
        );
    }
    svg.push_str("</svg>\n</figure>\n");
    svg
}

/// How many tasks there are of each size, and how much of the work.
fn histogram(sizes: &[SizeClass]) -> String {
    const WIDTH: f64 = 640.0;
    const LABEL: f64 = 150.0;
    const ROW: f64 = 24.0;
    if sizes.is_empty() {
        return String::new();
    }
    let all: u64 = sizes.iter().map(|class| class.time).sum::<u64>().max(1);
    let most = sizes
        .iter()
        .map(|class| class.tasks)
        .max()
        .unwrap_or(1)
        .max(1);
    let height = ROW * sizes.len() as f64 + 4.0;
    let mut svg = format!(
        "<figure>\n<figcaption>Tasks by their own time (bars), with their share of the work</figcaption>\n\
         <svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"Tasks by size\">\n"
    );
    for (index, class) in sizes.iter().enumerate() {
        let y = index as f64 * ROW;
        let width = class.tasks as f64 / most as f64 * (WIDTH - LABEL - 240.0);
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{} to {}</text>\
             <rect x=\"{LABEL}\" y=\"{}\" width=\"{:.1}\" height=\"{}\" fill=\"var(--sum)\"/>\
             <text x=\"{:.1}\" y=\"{}\">{} ({:.0} % of the work)</text>",
            LABEL - 10.0,
            y + 16.0,
            short(class.from),
            short(class.to),
            y + 3.0,
            width.max(1.0),
            ROW - 6.0,
            LABEL + width.max(1.0) + 6.0,
            y + 16.0,
            class.tasks,
            100.0 * class.time as f64 / all as f64,
        );
    }
    svg.push_str("</svg>\n</figure>\n");
    svg
}

/// A power of ten of nanoseconds without decimals.
fn short(ns: u64) -> String {
    let text = duration(ns as f64);
    text.replace(".00", "").replace(".0", "")
}
