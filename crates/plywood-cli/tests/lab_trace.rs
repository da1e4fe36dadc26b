//! `plywood lab trace` as a user runs it.

mod common;

use common::{Folder, good, run};
use plywood_lab::trace::Recording;
use serde_json::Value;

#[test]
fn a_trace_is_written_in_every_form() {
    let folder = Folder::new("trace");
    let (page, chrome, events) = (
        folder.file("a.html"),
        folder.file("a.json"),
        folder.file("a.jsonl"),
    );
    let command = "lab trace kalah --depth 8 --parallel ybwc:3 --threads 2 --memory 1M";
    let mut arguments: Vec<&str> = command.split(' ').collect();
    arguments.extend(["--out", &page, "--out", &chrome, "--out", &events]);
    let out = good(&arguments);
    for part in [
        "search    kalah, alphabeta with ybwc:3 on 2 threads, depth 8",
        "tasks ",
        "splits ",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    assert_eq!(out.matches("written ").count(), 3);
    assert_eq!(folder.files().len(), 3);
    let trace: Value =
        serde_json::from_str(&std::fs::read_to_string(&chrome).expect("text")).expect("JSON");
    let slices = trace["traceEvents"].as_array().expect("a list");
    // Kalah's moves are letters: every task is called by the moves that lead to it.
    let tasks = slices
        .iter()
        .filter(|e| e["cat"] == "task" && e["ph"] == "X");
    let names: Vec<&str> = tasks.map(|e| e["name"].as_str().expect("a name")).collect();
    assert!(!names.is_empty());
    for name in names {
        assert!(name.split(' ').all(|mv| mv.len() == 1), "{name}");
    }
    let recording = Recording::read(events.as_ref()).expect("a trace");
    assert!(recording.measurement.traced);
    assert_eq!(recording.measurement.setting.threads, 2);
    let html = std::fs::read_to_string(&page).expect("text");
    assert!(html.contains("kalah: alphabeta with ybwc:3 on 2 threads"));
}

#[test]
fn every_kind_of_search_has_a_trace() {
    let folder = Folder::new("trace-kinds");
    let cases: [(&str, &[&str]); 5] = [
        ("seq", &["kalah", "--depth", "7"]),
        (
            "lazy",
            &[
                "kalah",
                "--depth",
                "8",
                "--parallel",
                "lazy-smp",
                "--threads",
                "3",
            ],
        ),
        ("maxn", &["blokus", "--depth", "1", "--threads", "2"]),
        (
            "chance",
            &[
                "2048",
                "--depth",
                "2",
                "--parallel",
                "budget:2",
                "--threads",
                "2",
            ],
        ),
        (
            "position",
            &[
                "gomoku",
                "--position",
                "H8 I9 G7",
                "--depth",
                "2",
                "--threads",
                "2",
            ],
        ),
    ];
    for (name, arguments) in cases {
        let file = folder.file(&format!("{name}.html"));
        let mut all = vec!["lab", "trace"];
        all.extend(arguments);
        all.extend(["--out", &file, "--memory", "1M"]);
        let out = good(&all);
        assert!(out.contains("written"), "{name}: {out}");
    }
}

#[test]
fn too_many_events_are_counted() {
    let folder = Folder::new("trace-cap");
    let file = folder.file("a.html");
    let command = "lab trace kalah --depth 6 --search minimax --parallel every-node --threads 1 --max-events 100";
    let mut arguments: Vec<&str> = command.split(' ').collect();
    arguments.extend(["--out", &file]);
    let out = good(&arguments);
    let dropped = out
        .lines()
        .find(|line| line.starts_with("dropped"))
        .expect("a line");
    let count: String = dropped.chars().filter(char::is_ascii_digit).collect();
    assert!(count.parse::<u64>().expect("a number") > 100, "{dropped}");
}

#[test]
fn a_trace_can_be_explained_at_once() {
    let folder = Folder::new("trace-explain");
    let file = folder.file("a.jsonl");
    let command = "lab trace kalah --depth 8 --parallel budget:2 --threads 2 --explain";
    let mut arguments: Vec<&str> = command.split(' ').collect();
    arguments.extend(["--out", &file]);
    let out = good(&arguments);
    assert!(
        out.contains("threads x") && out.contains("Task graph:"),
        "{out}"
    );
}

#[test]
fn bad_input_is_one_line_and_nothing_is_written() {
    let folder = Folder::new("trace-bad");
    let (text, notes) = (folder.file("a.txt"), folder.file("notes.html"));
    std::fs::write(&notes, "mine").expect("it can be written");
    let cases: &[(&[&str], &str)] = &[
        (&["lab", "trace"], "<GAME>"),
        (&["lab", "trace", "kalah"], "--depth"),
        (
            &["lab", "trace", "chess", "--depth", "3"],
            "unknown game 'chess'",
        ),
        (&["lab", "trace", "kalah", "--depth", "0"], "1 to 250"),
        (
            &["lab", "trace", "kalah", "--depth", "3", "--bogus"],
            "--max-events",
        ),
        (
            &["lab", "trace", "kalah", "--depth", "3", "--max-events", "0"],
            "from 1 to",
        ),
        (
            &["lab", "trace", "kalah", "--depth", "3", "--out", &text],
            ".jsonl",
        ),
        (
            &["lab", "trace", "kalah", "--depth", "3", "--out", &notes],
            "is no trace",
        ),
        (
            &["lab", "trace", "kalah", "--depth", "3", "--position", "x"],
            "x",
        ),
        (
            &[
                "lab",
                "trace",
                "kalah",
                "--depth",
                "3",
                "--parallel",
                "fast",
            ],
            "ybwc",
        ),
        (
            &[
                "lab",
                "trace",
                "kalah",
                "--depth",
                "3",
                "--search",
                "expectimax",
            ],
            "alphabeta",
        ),
        (&["lab", "tracing"], "sweep, report, trace"),
    ];
    for (arguments, part) in cases {
        let ran = run(arguments);
        assert_eq!(ran.status, 2, "{arguments:?}: {}", ran.err);
        assert_eq!(ran.out, "", "{arguments:?}");
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
        assert!(ran.err.contains(part), "{arguments:?}: {}", ran.err);
    }
    assert_eq!(folder.files(), ["notes.html"]);
    let nowhere = folder.file("none/a.html");
    let ran = run(&["lab", "trace", "kalah", "--depth", "3", "--out", &nowhere]);
    assert_eq!((ran.status, ran.out.as_str()), (1, ""), "{}", ran.err);
}
