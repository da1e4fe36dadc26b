//! The account in plain sentences.

use super::{Explanation, Figure, TraceFacts};

/// A time in a unit that suits it.
pub(super) fn duration(ns: f64) -> String {
    let (value, unit) = match ns {
        ns if ns < 1e3 => (ns, "ns"),
        ns if ns < 1e6 => (ns / 1e3, "µs"),
        ns if ns < 1e9 => (ns / 1e6, "ms"),
        ns => (ns / 1e9, "s"),
    };
    match value {
        value if value < 10.0 => format!("{value:.2} {unit}"),
        value if value < 100.0 => format!("{value:.1} {unit}"),
        value => format!("{value:.0} {unit}"),
    }
}

/// A factor in words.
pub(super) fn times(factor: f64) -> String {
    match factor {
        factor if factor < 10.0 => format!("{factor:.1} times"),
        factor => format!("{factor:.0} times"),
    }
}

/// A share in percent.
fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    match percent.abs() {
        size if size < 0.05 => "0 %".to_owned(),
        size if size < 10.0 => format!("{percent:.1} %"),
        _ => format!("{percent:.0} %"),
    }
}

fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn interval(figure: &Figure) -> String {
    match figure.interval {
        Some((low, high)) => format!(" ({low:.2} to {high:.2})"),
        None => String::new(),
    }
}

/// What was searched, how, by whom.
pub(super) fn title(e: &Explanation) -> String {
    let s = &e.setting;
    format!(
        "{} ({}), {} with {} on {} thread{}, depth {}",
        s.game,
        s.position_name,
        s.search,
        s.strategy,
        s.threads,
        if s.threads == 1 { "" } else { "s" },
        s.depth,
    )
}

/// The speed-up in a sentence.
pub(super) fn headline(e: &Explanation) -> String {
    let speedup = &e.factors.speedup;
    let times = format!(
        "{} by {} on 1 thread, {} by {} on {}: speed-up {:.2}{}",
        duration(e.one.elapsed_ns as f64),
        e.baseline,
        duration(e.all.elapsed_ns as f64),
        e.setting.strategy,
        e.setting.threads,
        speedup.value,
        interval(speedup),
    );
    match speedup.differs_from_one() {
        Some(false) => format!("{times}: no difference shown."),
        Some(true) => format!("{times}."),
        None => format!("{times}, measured once, so nothing is known about how sure that is."),
    }
}

/// The identity in a line.
pub(super) fn identity(e: &Explanation) -> String {
    let f = &e.factors;
    format!(
        "{} = {} thread{} x {} nodes x {} cost of a node x {} busy",
        precise(f.speedup.value),
        f.threads,
        if f.threads == 1 { "" } else { "s" },
        precise(f.nodes.value),
        precise(f.cost.value),
        precise(f.busy.value),
    )
}

/// A factor with so many digits that the product can be checked by hand.
fn precise(factor: f64) -> String {
    match factor {
        factor if factor >= 0.1 => format!("{factor:.3}"),
        factor => format!("{factor:.5}"),
    }
}

/// A factor other than 1 in words: `what` were `more` or `less`.
fn comparison(figure: &Figure, more: &str, less: &str, equal: &str) -> String {
    // Below 1 means that there is more of what costs.
    let change = 1.0 / figure.value - 1.0;
    match figure.differs_from_one() {
        Some(false) if figure.interval.is_some_and(|(low, high)| high > low) => {
            let size = percent(change);
            format!("{equal}: no difference shown ({size}{})", interval(figure))
        }
        _ if change.abs() < 0.0005 => equal.to_owned(),
        _ if change > 0.0 => format!("{} {more}", percent(change)),
        _ => format!("{} {less}", percent(-change)),
    }
}

/// Everything as sentences, a paragraph each.
pub(super) fn sentences(e: &Explanation) -> Vec<String> {
    let mut all = Vec::new();
    let f = &e.factors;
    if e.oversubscribed {
        all.push(format!(
            "{} threads on {} core{}: oversubscribed. Threads take turns, so no speed-up above \
             {} is possible, and the time in which they seem to search includes waiting for a core.",
            e.setting.threads,
            e.cores,
            if e.cores == 1 { "" } else { "s" },
            e.cores,
        ));
    }
    all.push(nodes(e));
    let mut cost = format!(
        "A node: {}.",
        comparison(
            &f.cost,
            "dearer than on one thread",
            "cheaper than on one thread",
            "as dear as on one thread",
        )
    );
    if f.on_core.value < 0.97 {
        cost.push_str(&format!(
            " Workers that searched had a core only {} as often as one thread had: other threads or programs used it.",
            percent(f.on_core.value)
        ));
    }
    all.push(cost);
    all.push(time(e));
    if let Some(facts) = &e.trace {
        all.extend(shape(facts));
    }
    all
}

fn nodes(e: &Explanation) -> String {
    let f = &e.factors;
    let mut text = format!(
        "Nodes: {} by {} on 1 thread, {} by {} on {}: {}.",
        grouped(e.one.nodes),
        e.baseline,
        grouped(e.all.nodes),
        e.setting.strategy,
        e.setting.threads,
        comparison(&f.nodes, "more", "fewer", "as many"),
    );
    let Some(facts) = &e.trace else {
        return text;
    };
    let losses = &facts.nodes;
    let all = losses.all.max(1) as f64;
    let share = |nodes: u64| nodes as f64 / all;
    if losses.all.abs_diff(e.all.nodes) as f64 > 0.005 * all {
        text.push_str(&format!(
            " What follows is of the recorded run, which searched {}.",
            grouped(losses.all)
        ));
    }
    let wasted = losses.aborted + losses.speculative;
    if wasted > 0 {
        text.push_str(&format!(
            " {} of the nodes were searched for nothing: {} in tasks that were aborted after a \
             cut-off, {} in tasks that were complete when an earlier sibling cut them off \
             (speculative).",
            percent(share(wasted)),
            percent(share(losses.aborted)),
            percent(share(losses.speculative)),
        ));
    } else if facts.shape.tasks > 0 {
        text.push_str(" No task was given up or searched in vain.");
    }
    let mut again = 0;
    if losses.again > 0 {
        match facts.again_on_one {
            Some(on_one) => {
                again = losses.again as i64 - on_one as i64;
                let change = again as f64 / all;
                let compared = match change {
                    change if change.abs() < 0.0005 => "as many as".to_owned(),
                    change if change > 0.0 => format!("{} of the nodes more than", percent(change)),
                    change => format!("{} of the nodes less than", percent(-change)),
                };
                text.push_str(&format!(
                    " Re-search: {} of the nodes belong to second searches with another window \
                     (where the window of a whole depth failed, all of that depth), {compared} when one thread runs this strategy.",
                    percent(share(losses.again)),
                ));
            }
            None => text.push_str(&format!(
                " Re-search: {} of the nodes belong to second searches with another window (where \
                 the window of a whole depth failed, all of that depth); one thread has such too.",
                percent(share(losses.again)),
            )),
        }
    }
    let rest = losses.all as i64 - e.one.nodes as i64 - wasted as i64 - again;
    if rest as f64 > 0.001 * all {
        text.push_str(&format!(
            " Duplicate: {} of the nodes were searched by more than one worker, or with a wider \
             window than one thread would have had.",
            percent(rest as f64 / all)
        ));
    } else if (rest as f64) < -0.001 * all {
        text.push_str(&format!(
            " On the other hand, {} of the nodes were saved by bounds and cut-offs that came \
             earlier.",
            percent(-rest as f64 / all)
        ));
    }
    text
}

fn time(e: &Explanation) -> String {
    let mut text = format!(
        "Time: the workers searched {} of the cores' time.",
        percent(e.factors.busy.value),
    );
    let Some(facts) = &e.trace else {
        return text;
    };
    let t = &facts.time;
    let share = |part: u64| percent(t.share(part));
    text.push_str(&format!(
        " In the recorded run {} of it was spent searching what counted; the rest: {} waiting at joins, {} without work, {} on the way to work \
         (stealing), {} searching on after a cut-off (abort latency), {} starting and ending.",
        share(t.searching),
        share(t.joining),
        share(t.no_work),
        share(t.stealing),
        share(t.abort_latency),
        share(t.outside),
    ));
    if let Some(tail) = &facts.tail
        && t.share(t.waiting()) > 0.005
    {
        let left = tail.searching.round().max(1.0);
        text.push_str(&format!(
            " {} of the waiting was in the last {}, when about {left:.0} task{} left.",
            percent(tail.share),
            duration(tail.length as f64),
            if left == 1.0 { " was" } else { "s were" },
        ));
    }
    text
}

fn shape(facts: &TraceFacts) -> Vec<String> {
    let shape = &facts.shape;
    let mut all = Vec::new();
    if shape.tasks == 0 {
        all.push("There are no tasks: every worker searched by itself.".to_owned());
    } else {
        all.push(format!(
            "Task graph: work {}, span {} (the longest chain of tasks that wait for each other), \
             parallelism {:.1}: more cores than that could not be kept busy.",
            duration(shape.work as f64),
            duration(shape.span as f64),
            shape.parallelism(),
        ));
        let most = shape.sizes.iter().max_by_key(|class| class.time);
        let most = most.map_or(String::new(), |class| {
            format!(
                "; most of the work is in those of {} to {}",
                duration(class.from as f64),
                duration(class.to as f64)
            )
        });
        all.push(format!(
            "Tasks: {} in {} splits, {} each on average{most}.",
            grouped(shape.tasks),
            grouped(shape.splits),
            duration(shape.mean_task),
        ));
    }
    if facts.dropped > 0 {
        all.push(format!(
            "The trace is not complete: {} events were dropped, so tasks are missing here.",
            grouped(facts.dropped)
        ));
    }
    all
}

/// The account for a terminal.
pub(super) fn text(e: &Explanation) -> String {
    let mut text = format!("{}\n{}\n{}\n", title(e), headline(e), identity(e));
    for sentence in sentences(e) {
        text.push_str(&wrapped(&sentence, "  "));
    }
    for advice in &e.advice {
        text.push_str(&wrapped(&format!("-> {advice}"), "  "));
    }
    text
}

/// A paragraph in lines that fit a terminal.
fn wrapped(paragraph: &str, indent: &str) -> String {
    const WIDTH: usize = 96;
    let mut text = String::new();
    let mut line = String::from(indent);
    for word in paragraph.split(' ') {
        let length = line.chars().count() + 1 + word.chars().count();
        if length > WIDTH && line.len() > indent.len() {
            text.push_str(line.trim_end());
            text.push('\n');
            line = format!("{indent}{indent}");
        }
        line.push_str(word);
        line.push(' ');
    }
    text.push_str(line.trim_end());
    text.push('\n');
    text
}
