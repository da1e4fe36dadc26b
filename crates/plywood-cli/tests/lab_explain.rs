//! `plywood lab explain` as a user runs it.

mod common;

use common::{Folder, good, run};

const SWEEP: &str = r#"
name = "small"
warmup = 0
repeats = 3
memory = "1M"
[[set]]
games = "kalah"
searches = "alphabeta"
depths = 8
strategies = ["seq", "ybwc:3", "root"]
threads = [1, 2]
"#;

fn sweep(folder: &Folder) -> String {
    let file = folder.file("sweep.toml");
    std::fs::write(&file, SWEEP).expect("it can be written");
    let run = folder.file("run");
    good(&["lab", "sweep", &file, "--out", &run]);
    run
}

#[test]
fn one_search_is_explained() {
    let folder = Folder::new("explain-one");
    let page = folder.file("a.html");
    let command =
        "lab explain kalah --depth 9 --parallel ybwc:3 --threads 2 --repeat 2 --memory 1M";
    let mut arguments: Vec<&str> = command.split(' ').collect();
    arguments.extend(["--html", &page]);
    let out = good(&arguments);
    for part in [
        "speed-up",
        "threads x",
        "Nodes:",
        "Time:",
        "Task graph:",
        "Tasks:",
        "->",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    let html = std::fs::read_to_string(&page).expect("text");
    assert!(html.contains("Where the speed-up went") && html.contains("<svg"));
    // A page of ours may be replaced, another file may not.
    good(&arguments);
    std::fs::write(&page, "mine").expect("it can be written");
    let ran = run(&arguments);
    assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{}", ran.err);
}

#[test]
fn a_run_is_explained() {
    let folder = Folder::new("explain-run");
    let run_folder = sweep(&folder);
    let out = good(&["lab", "explain", &run_folder]);
    // Every parallel setting, against seq; also ybwc and root on one thread.
    for setting in ["ybwc:3 on 1", "ybwc:3 on 2", "root on 1", "root on 2"] {
        assert!(out.contains(setting), "{setting}: {out}");
    }
    // The factors multiply to the speed-up they stand beside.
    let mut identities = 0;
    for line in out.lines().filter(|line| line.contains(" nodes x ")) {
        let number = |text: &str| text.trim().parse::<f64>().expect("a number");
        let (speedup, product) = line.split_once('=').expect("an equation");
        let factors = product
            .split(" x ")
            .map(|factor| number(factor.split_whitespace().next().expect("a figure")));
        let product: f64 = factors.product();
        assert!((product / number(speedup) - 1.0).abs() < 0.02, "{line}");
        identities += 1;
    }
    assert_eq!(identities, 4);
    let page = std::fs::read_to_string(folder.file("run/explain.html")).expect("a page");
    assert_eq!(page.matches("<section>").count(), 4);
}

#[test]
fn bad_input_is_one_line() {
    let folder = Folder::new("explain-bad");
    let empty = folder.file("empty");
    std::fs::create_dir(&empty).expect("a folder");
    let cases: &[(&[&str], &str)] = &[
        (&["lab", "explain"], "<RUN|GAME>"),
        (
            &["lab", "explain", "chess", "--depth", "3"],
            "unknown game 'chess'",
        ),
        (&["lab", "explain", "kalah"], "--depth"),
        (&["lab", "explain", "kalah", "--depth", "3"], "--threads"),
        (&["lab", "explain", "runs/none"], "no run runs/none"),
        (&["lab", "explain", &empty], "is no run"),
        (&["lab", "explain", &empty, "--depth", "3"], "leave out"),
        (
            &["lab", "explain", "kalah", "--depth", "3", "--repeat", "0"],
            "from 1 to",
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
