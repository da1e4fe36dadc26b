//! What is written for trace viewers keeps the rules of Chrome's trace event format; and the
//! page of our own has all it needs in itself.

mod traced;

use std::collections::{BTreeMap, HashMap, HashSet};

use plywood_lab::trace::Recording;
use plywood_lab::trace::{chrome, viewer};
use serde_json::Value;
use traced::*;

fn number(event: &Value, field: &str) -> f64 {
    let number = event[field].as_f64();
    number.unwrap_or_else(|| panic!("{field} is a number: {event}"))
}

fn text<'v>(event: &'v Value, field: &str) -> &'v str {
    let text = event[field].as_str();
    text.unwrap_or_else(|| panic!("{field} is a text: {event}"))
}

/// Checks a trace against the rules of the format: the fields that every phase needs, times
/// in order, slices of a thread inside each other or apart, arrows with two ends on slices,
/// instants with a scope, names for the process and every thread.
fn check(trace: &Value) -> BTreeMap<String, usize> {
    let events = trace["traceEvents"].as_array().expect("a list of events");
    let mut phases = BTreeMap::new();
    let mut last = f64::MIN;
    // Ends of the slices that are open, by thread.
    let mut open: HashMap<u64, Vec<f64>> = HashMap::new();
    let mut slices: HashMap<u64, Vec<(f64, f64)>> = HashMap::new();
    let mut named = HashSet::new();
    let mut used = HashSet::new();
    let (mut starts, mut ends) = (HashMap::new(), HashMap::new());
    for event in events {
        let phase = text(event, "ph");
        *phases.entry(phase.to_owned()).or_insert(0) += 1;
        assert!(event["pid"].is_u64(), "{event}");
        text(event, "name");
        if phase == "M" {
            let args = &event["args"];
            match text(event, "name") {
                "process_name" => assert!(args["name"].is_string(), "{event}"),
                "thread_name" => {
                    assert!(args["name"].is_string(), "{event}");
                    named.insert(event["tid"].as_u64().expect("a thread"));
                }
                "thread_sort_index" => assert!(args["sort_index"].is_u64(), "{event}"),
                other => panic!("no such metadata: {other}"),
            }
            continue;
        }
        let ts = number(event, "ts");
        assert!(ts >= 0.0 && ts >= last, "times are in order: {event}");
        last = ts;
        if phase == "C" {
            let args = event["args"].as_object().expect("values to count");
            assert!(!args.is_empty() && args.values().all(Value::is_number));
            continue;
        }
        let thread = event["tid"].as_u64().expect("a thread");
        used.insert(thread);
        match phase {
            "X" => {
                let end = ts + number(event, "dur");
                assert!(end >= ts, "{event}");
                let open = open.entry(thread).or_default();
                // A rounding error below a tenth of a nanosecond is none.
                while open.last().is_some_and(|&other| other <= ts + 1e-4) {
                    open.pop();
                }
                if let Some(&around) = open.last() {
                    assert!(end <= around + 1e-4, "it sticks out of {around}: {event}");
                }
                open.push(end);
                slices.entry(thread).or_default().push((ts, end));
            }
            "i" => assert!(["t", "p", "g"].contains(&text(event, "s")), "{event}"),
            "s" | "f" => {
                text(event, "cat");
                let id = event["id"].as_u64().expect("an arrow has a name");
                let list = if phase == "s" { &mut starts } else { &mut ends };
                assert!(list.insert(id, (thread, ts)).is_none(), "{event}");
                if phase == "f" {
                    assert_eq!(text(event, "bp"), "e");
                }
            }
            other => panic!("no phase of ours: {other}"),
        }
    }
    assert!(used.is_subset(&named), "every thread has a name");
    assert_eq!(starts.len(), ends.len());
    for (id, (thread, ts)) in &starts {
        let (to, later) = ends[id];
        assert!(later >= *ts && to != *thread, "arrow {id}");
        for (thread, ts) in [(*thread, *ts), (to, later)] {
            let on = slices[&thread]
                .iter()
                .any(|s| s.0 <= ts + 1e-4 && ts <= s.1 + 1e-4);
            assert!(on, "arrow {id} hangs on a slice");
        }
    }
    phases
}

fn written(recording: &Recording) -> Value {
    let graph = recording.graph().expect("it fits together");
    let paths = recording.paths(&graph).expect("it is of this position");
    let mut bytes = Vec::new();
    chrome::write(recording, &graph, &paths, &mut bytes).expect("it can be written");
    serde_json::from_slice(&bytes).expect("it is JSON")
}

#[test]
fn every_trace_keeps_the_rules() {
    for threads in [1, 3] {
        for recording in all_recorded(threads) {
            let trace = written(&recording);
            let phases = check(&trace);
            let setting = &recording.measurement.setting;
            let tasks = &recording.measurement.tasks;
            let events = trace["traceEvents"].as_array().expect("a list");
            let of = |category: &'static str| events.iter().filter(move |e| e["cat"] == category);
            assert!(phases.contains_key("X"), "{setting:?}");
            assert_eq!(
                of("task")
                    .filter(|e| e["ph"] == "X" && e["args"]["offered"] == true)
                    .count() as u64,
                tasks.converted + tasks.fizzled,
                "{setting:?}"
            );
            assert_eq!(
                phases.get("s").copied().unwrap_or(0) as u64,
                tasks.converted,
                "{setting:?}"
            );
            let aborted = of("instant").filter(|e| e["name"] == "aborted");
            assert!(aborted.count() as u64 >= tasks.aborted, "{setting:?}");
        }
    }
}

/// The checker can say no.
#[test]
fn the_checker_finds_what_is_wrong() {
    let good = || written(&recorded(&setting("kalah", "alphabeta", "ybwc:2", 1, 6)));
    type Spoil = fn(&mut Vec<Value>);
    fn first<'e>(events: &'e mut [Value], phase: &str) -> &'e mut Value {
        let found = events.iter_mut().find(|event| event["ph"] == phase);
        found.expect("there is such an event")
    }
    let spoils: [Spoil; 6] = [
        |events| events.swap(5, 40),
        |events| first(events, "X")["dur"] = (-1).into(),
        |events| {
            let inner = events.iter_mut().filter(|e| e["cat"] == "task").nth(1);
            inner.expect("there are tasks")["dur"] = 1e9.into();
        },
        |events| events.retain(|e| e["name"] != "thread_name"),
        |events| events[8]["ts"] = Value::Null,
        |events| first(events, "C")["args"] = Value::Null,
    ];
    check(&good());
    for (index, spoil) in spoils.into_iter().enumerate() {
        let mut trace = good();
        spoil(trace["traceEvents"].as_array_mut().expect("a list"));
        let found = std::panic::catch_unwind(|| check(&trace));
        assert!(found.is_err(), "spoil {index} was not found");
    }
}

#[test]
fn the_page_has_all_it_needs() {
    for strategy in ["ybwc:2", "lazy-smp"] {
        let recording = recorded(&setting("kalah", "alphabeta", strategy, 2, 7));
        let graph = recording.graph().expect("it fits together");
        let paths = recording.paths(&graph).expect("it is of this position");
        let mut bytes = Vec::new();
        viewer::write(&recording, &graph, &paths, &mut bytes).expect("it can be written");
        let page = String::from_utf8(bytes).expect("text");
        assert!(page.starts_with("<!doctype html>"));
        for outside in ["http://", "https://", "src=", "@import", "url(", "{{"] {
            assert!(!page.contains(outside), "{outside}");
        }
        let begin = page.find("id=\"data\">").expect("data") + 10;
        let end = begin + page[begin..].find("</script>").expect("an end");
        let data: Value = serde_json::from_str(&page[begin..end]).expect("it is JSON");
        assert_eq!(data["states"].as_array().map(Vec::len), Some(2));
        let boxes: usize = data["boxes"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|list| list.as_array().map_or(0, Vec::len) / 4)
            .sum();
        assert_eq!(boxes, graph.tasks.len(), "every task has its box");
    }
}

/// A position may hold anything: it must not end the script.
#[test]
fn no_text_breaks_the_page() {
    let mut recording = recorded(&setting("kalah", "minimax", "root", 1, 2));
    recording.measurement.setting.position_name = "</script><b>&".into();
    recording.measurement.setting.game = "<i>".into();
    let graph = recording.graph().expect("it fits together");
    let paths = vec!["</script>".to_owned(); graph.tasks.len()];
    let mut bytes = Vec::new();
    viewer::write(&recording, &graph, &paths, &mut bytes).expect("it can be written");
    let page = String::from_utf8(bytes).expect("text");
    assert_eq!(page.matches("</script>").count(), 2, "only our own");
    assert!(!page.contains("<i>:") && !page.contains("<b>&"));
}
