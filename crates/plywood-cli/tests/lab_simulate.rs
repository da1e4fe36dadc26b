//! `plywood lab simulate` as a user runs it.

mod common;

use common::{Folder, good, good_line, run};

/// Cores and speed-ups of the table.
fn table(out: &str) -> Vec<(usize, f64)> {
    let rows = out.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?))
    });
    rows.collect()
}

#[test]
fn a_recorded_search_is_simulated_on_up_to_1024_cores() {
    let folder = Folder::new("simulate-cores");
    let file = folder.file("a.jsonl");
    let command =
        "lab trace kalah --search minimax --depth 7 --parallel budget:2 --threads 1 --out";
    let mut arguments: Vec<&str> = command.split(' ').collect();
    arguments.push(&file);
    good(&arguments);
    let simulated = |spawn: &str, steal: &str| {
        let costs = ["--spawn-cost", spawn, "--steal-cost", steal];
        good(&[&["lab", "simulate", &file, "--by-nodes"], costs.as_slice()].concat())
    };
    let out = simulated("0", "0");
    let rows = table(&out);
    let cores: Vec<usize> = rows.iter().map(|row| row.0).collect();
    assert_eq!(cores, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]);
    assert_eq!(rows[0].1, 1.0, "{out}");
    for pair in rows.windows(2) {
        assert!(pair[1].1 >= pair[0].1, "nothing prunes: {out}");
    }
    for (cores, speedup) in &rows {
        assert!(*speedup <= *cores as f64, "{out}");
    }
    assert!(out.contains("Simulated, not measured"), "{out}");
    assert!(!out.contains("prunes"), "{out}");
    // Dear scheduling is slower.
    assert!(table(&simulated("1000000", "0"))[3].1 < rows[3].1);
    assert!(table(&simulated("0", "1000000"))[3].1 < rows[3].1);
}

#[test]
fn a_game_is_recorded_and_simulated() {
    let out = good_line("lab simulate kalah --search minimax --depth 6 --parallel budget:2");
    assert_eq!(table(&out).len(), 11, "{out}");
}

#[test]
fn what_is_assumed_is_said() {
    let out = good_line("lab simulate kalah --depth 9 --parallel ybwc:3 --cores 1,3");
    assert_eq!(table(&out).len(), 2);
    assert!(
        out.contains("Assumed, where a search prunes: cut-offs come"),
        "{out}"
    );
    assert!(out.contains("counted on 2, 4, 8 threads"), "{out}");
    assert!(out.contains("Calibrated, from measurements"), "{out}");
    let given = "lab simulate kalah --depth 9 --parallel ybwc:3 --cores 1,3 --node-growth 0.5";
    let given = good_line(given);
    assert!(
        given.contains("given: n cores at work search n^0.500"),
        "{given}"
    );
}

#[test]
fn a_file_of_events_is_simulated() {
    let folder = Folder::new("simulate-file");
    let file = folder.file("a.jsonl");
    let command = "lab trace kalah --depth 8 --parallel ybwc:3 --threads 2 --memory 1M --out";
    let mut arguments: Vec<&str> = command.split(' ').collect();
    arguments.push(&file);
    good(&arguments);
    let out = good(&["lab", "simulate", &file, "--cores", "1,2", "--by-nodes"]);
    assert!(out.contains("recorded on 2 threads"), "{out}");
    assert_eq!(
        out,
        good(&["lab", "simulate", &file, "--cores", "1,2", "--by-nodes"])
    );
    std::fs::write(&file, "{\"plywood_trace\":1}\n").expect("it can be written");
    let ran = run(&["lab", "simulate", &file]);
    assert_eq!((ran.status, ran.out.as_str()), (2, ""));
    assert!(ran.err.contains("a.jsonl:1:"), "{}", ran.err);
}

#[test]
fn bad_input_is_one_line() {
    let folder = Folder::new("simulate-bad");
    let empty = folder.file("empty");
    std::fs::create_dir(&empty).expect("a folder");
    let notes = folder.file("notes.txt");
    std::fs::write(&notes, "mine").expect("it can be written");
    let cases: &[(&[&str], &str)] = &[
        (&["lab", "simulate"], "<RUN|FILE|GAME>"),
        (
            &["lab", "simulate", "chess", "--depth", "3"],
            "no run, recording or game 'chess'",
        ),
        (
            &["lab", "simulate", "kalah", "--depth", "3"],
            "seq has no tasks",
        ),
        (&["lab", "simulate", "none.jsonl"], "there is no none.jsonl"),
        (&["lab", "simulate", &empty], "is no run"),
        (&["lab", "simulate", &notes], "is no trace"),
        (&["lab", "simulate", &notes, "--depth", "3"], "leave out"),
        (&["lab", "simulate", &notes, "--cores", "0"], "1 to 1024"),
        (&["lab", "simulate", &notes, "--cores", "1,,2"], "1 to 1024"),
        (&["lab", "simulate", &notes, "--cores", "2000"], "1 to 1024"),
        (
            &["lab", "simulate", &notes, "--steal-cost", "-1"],
            "nanoseconds",
        ),
        (
            &["lab", "simulate", &notes, "--node-growth", "NaN"],
            "from -0.5 to 1",
        ),
        (
            &[
                "lab",
                "simulate",
                "kalah",
                "--depth",
                "5",
                "--parallel",
                "lazy-smp",
                "--threads",
                "2",
            ],
            "cannot be simulated",
        ),
    ];
    for (arguments, part) in cases {
        let ran = run(arguments);
        assert_eq!(ran.status, 2, "{arguments:?}: {}", ran.err);
        assert_eq!(ran.out, "", "{arguments:?}");
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
        assert!(ran.err.contains(part), "{arguments:?}: {}", ran.err);
    }
}
