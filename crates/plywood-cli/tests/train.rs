//! `plywood train`: what it writes, that it goes on, and what it refuses.

mod common;

use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use common::{Folder, good, program, run};

/// Small enough for a test.
const SMALL: &str = "0123,4567,0145";

/// What a network thinks of every slide on a board.
fn judged(file: &str) -> String {
    good(&[
        "search",
        "2048",
        "--eval",
        &format!("network:{file}"),
        "--position",
        "128,32,8,8/2,8,.,2/4,2,.,./.,.,4,. score=780",
        "--depth",
        "1",
        "--all-moves",
        "--search",
        "expectimax",
    ])
    .lines()
    .skip_while(|line| !line.starts_with("move "))
    .collect::<Vec<_>>()
    .join("\n")
}

fn train(file: &str, more: &[&str]) -> String {
    let mut words = vec!["train", "2048", "--out", file, "--threads", "1"];
    words.extend(more);
    good(&words)
}

#[test]
fn a_network_learns_and_is_played_with() {
    let folder = Folder::new("train");
    let file = folder.file("small.net");
    let said = train(&file, &["--tuples", SMALL, "--games", "600"]);
    assert!(said.starts_with("600 games, "), "{said}");
    let mut files = folder.files();
    files.sort();
    assert_eq!(files, ["small.csv", "small.net", "small.svg"]);
    let table = fs::read_to_string(folder.file("small.csv")).expect("a table");
    let lines: Vec<&str> = table.lines().collect();
    assert!(lines[0].starts_with("games,moves,seconds,mean,best"));
    assert!(lines[1].starts_with("500,") && lines[2].starts_with("600,"));
    let chart = fs::read_to_string(folder.file("small.svg")).expect("a chart");
    assert!(chart.starts_with("<svg") && chart.contains("average score"));
    assert_ne!(judged(&file), "");
}

#[test]
fn a_network_goes_on_where_it_stopped() {
    let folder = Folder::new("train-resume");
    let (one, other) = (folder.file("one.net"), folder.file("other.net"));
    train(&one, &["--tuples", SMALL, "--games", "30", "--seed", "3"]);
    fs::copy(&one, &other).expect("a copy");
    let before = judged(&one);
    for file in [&one, &other] {
        let said = train(file, &["--games", "80", "--resume"]);
        assert!(said.starts_with("80 games, "), "{said}");
    }
    assert_ne!(judged(&one), before);
    assert_eq!(judged(&one), judged(&other));
}

#[test]
fn a_small_file_plays_but_does_not_learn() {
    let folder = Folder::new("train-small");
    let (large, small) = (folder.file("large.net"), folder.file("small.net"));
    let said = train(
        &large,
        &["--tuples", SMALL, "--games", "60", "--small", &small],
    );
    assert!(
        said.ends_with("small.net written, to play with\n"),
        "{said}"
    );
    let size = |file| fs::metadata(file).expect("it is there").len();
    assert!(size(&small) * 4 < size(&large), "{}", size(&small));
    // The same slides, and values that are rounded.
    let values = |file| -> Vec<(String, f64)> {
        let said = judged(file);
        let rows = said.lines().filter_map(|line| {
            let mut words = line.split_whitespace();
            let (slide, value) = (words.next()?, words.next()?);
            Some((slide.to_owned(), value.replace(',', "").parse().ok()?))
        });
        rows.collect()
    };
    let (exact, rounded) = (values(&large), values(&small));
    assert!(
        exact.len() >= 3 && exact.len() == rounded.len(),
        "{exact:?}"
    );
    for (exact, rounded) in exact.iter().zip(&rounded) {
        assert_eq!(exact.0, rounded.0);
        assert!(
            (exact.1 - rounded.1).abs() <= 24.0 * 8.0,
            "{exact:?} {rounded:?}"
        );
    }
    for (words, wrong) in [
        (
            format!("--out {small} --games 70 --resume"),
            "cannot learn on",
        ),
        (
            format!("--out {large} --games 70 --resume --small {small}"),
            "another file",
        ),
        (
            format!("--out {large} --games 70 --resume --small {large}"),
            "another file",
        ),
        (
            format!("--out {large} --games 70 --resume --small {large}/small.net"),
            "no such folder",
        ),
    ] {
        let ended = run(&format!("train 2048 {words}").split(' ').collect::<Vec<_>>());
        assert_eq!(
            (ended.status, ended.err.contains(wrong)),
            (2, true),
            "{}",
            ended.err
        );
    }
}

#[test]
fn a_network_is_divided_into_stages_once() {
    let folder = Folder::new("train-stages");
    let (whole, parts) = (folder.file("whole.net"), folder.file("parts.net"));
    train(&whole, &["--tuples", SMALL, "--games", "30"]);
    fs::copy(&whole, &parts).expect("a copy");
    // Games this short have one stage: the same is learnt.
    train(&whole, &["--games", "60", "--resume"]);
    let divide = ["--games", "60", "--resume", "--stages", "16384,24576"];
    train(&parts, &divide);
    assert_eq!(judged(&parts), judged(&whole));
    train(&parts, &divide);
    let before = judged(&parts);
    let later = ["--games", "70", "--resume", "--learn-from", "16384"];
    train(&parts, &later);
    assert_eq!(judged(&parts), before, "the first stage stays as it is");
    // A stage that is not there yet branches off.
    let branch = ["--games", "80", "--resume", "--learn-from", "8192"];
    train(&parts, &branch);
    assert_eq!(judged(&parts), before, "what comes before stays as it is");
    for (words, wrong) in [
        ("--stages none", "8192,16384,24576"),
        (
            "--stages 4096,8192,16384,24576 --learn-from 8192",
            "the stage from 4096 on is new",
        ),
    ] {
        let other = format!("train 2048 --out {parts} --games 90 --resume {words}");
        let ended = run(&other.split(' ').collect::<Vec<_>>());
        assert_eq!(ended.status, 2);
        assert!(ended.err.contains(wrong), "{}", ended.err);
    }
}

#[test]
fn without_a_graphics_processor_nothing_is_begun() {
    let folder = Folder::new("train-cuda");
    let file = folder.file("new.net");
    // Built for one or not, there is no such processor with number -1.
    let mut asked = program();
    let asked = asked.env("CUDA_VISIBLE_DEVICES", "-1");
    let words = format!("train 2048 --out {file} --games 5 --device cuda");
    let ended = asked.args(words.split(' ')).output().expect("it starts");
    assert_eq!(ended.status.code(), Some(2));
    let said = String::from_utf8(ended.stderr).expect("text");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.contains("cuda") || said.contains("graphics"), "{said}");
    assert_eq!(folder.files(), [""; 0]);
}

/// Starts a long training, and waits until its file was written some times.
fn started(file: &str) -> std::process::Child {
    let words = format!("train 2048 --tuples {SMALL} --threads 1 --time 10m --save-every 1ms");
    let child = program()
        .args(words.split(' '))
        .args(["--out", file])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let table = file.replace(".net", ".csv");
    let began = Instant::now();
    while fs::read_to_string(&table).map_or(0, |text| text.lines().count()) < 2 {
        assert!(began.elapsed() < Duration::from_secs(60), "no checkpoint");
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

#[test]
fn a_killed_training_leaves_a_network_to_go_on_with() {
    let folder = Folder::new("train-killed");
    for round in 0..5 {
        let file = folder.file(&format!("killed{round}.net"));
        let mut child = started(&file);
        // Somewhere within a checkpoint, or between two.
        std::thread::sleep(Duration::from_millis(3 * round));
        child.kill().expect("it runs");
        child.wait().expect("it is dead");
        assert_ne!(judged(&file), "");
        train(&file, &["--time", "1ms", "--resume"]);
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_training_saves_what_it_has() {
    let folder = Folder::new("train-interrupted");
    let file = folder.file("stopped.net");
    let child = started(&file);
    let ended = common::interrupted(child);
    let said = ended.out;
    assert_eq!(ended.status, 0, "{said}");
    assert!(said.contains("interrupted: --resume goes on"), "{said}");
    assert_ne!(judged(&file), "");
}

#[test]
fn what_makes_no_sense_is_refused_with_a_line() {
    let folder = Folder::new("train-bad");
    let new = folder.file("new.net");
    let text = folder.file("text.net");
    fs::write(&text, "no network").expect("it can be written");
    let table = folder.file("scores.csv");
    let evaluation = format!("network:{text}");
    let missing = format!("network:{new}");
    let cases: &[(&[&str], &[&str])] = &[
        (&["train"], &["2048"]),
        (&["train", "chess"], &["'chess'", "2048"]),
        (&["train", "2048", "--out", &new], &["--games", "--time"]),
        (&["train", "2048", "--games", "5"], &["--out"]),
        (
            &["train", "2048", "--out", &new, "--games", "0"],
            &["'0'", "at least 1"],
        ),
        (
            &[
                "train", "2048", "--out", &new, "--games", "5", "--tuples", "9x9",
            ],
            &["'9x9'", "4x6"],
        ),
        (
            &[
                "train", "2048", "--out", &new, "--games", "5", "--tuples", "01234567",
            ],
            &["8 cells", "1 to"],
        ),
        (
            &[
                "train",
                "2048",
                "--out",
                &new,
                "--games",
                "5",
                "--learning",
                "sgd",
            ],
            &["'sgd'", "td or tc"],
        ),
        (
            &[
                "train",
                "2048",
                "--out",
                &new,
                "--games",
                "5",
                "--optimistic",
                "-1",
            ],
            &["'-1'", "0 to"],
        ),
        (
            &[
                "train", "2048", "--out", &new, "--games", "5", "--stages", "5000",
            ],
            &["'5000'", "16384,24576"],
        ),
        (
            &[
                "train",
                "2048",
                "--out",
                &new,
                "--games",
                "5",
                "--learn-from",
                "8192",
            ],
            &["--learn-from 8192", "the network is new", "--resume"],
        ),
        (
            &[
                "train",
                "2048",
                "--out",
                &new,
                "--games",
                "5",
                "--learn-from",
                "5000",
            ],
            &["'5000'", "like 24576"],
        ),
        (
            &[
                "train",
                "2048",
                "--out",
                &new,
                "--games",
                "5",
                "--learn-from",
                "late",
            ],
            &["'late'", "like 24576"],
        ),
        (
            &[
                "train", "2048", "--out", &new, "--games", "5", "--device", "tpu",
            ],
            &["'tpu'", "cpu, cuda"],
        ),
        (
            &[
                "train",
                "2048",
                "--out",
                &new,
                "--games",
                "5",
                "--device",
                "cuda",
                "--threads",
                "2",
            ],
            &["--threads", "cuda"],
        ),
        (
            &[
                "train",
                "2048",
                "--out",
                &new,
                "--games",
                "5",
                "--restarts",
                "early",
            ],
            &["'early'", "half-way or late"],
        ),
        (
            &[
                "train", "2048", "--out", &new, "--games", "5", "--lambda", "1.5",
            ],
            &["'1.5'", "from 0 to 1"],
        ),
        (
            &["train", "2048", "--out", &text, "--games", "5"],
            &["text.net exists", "--resume"],
        ),
        (
            &["train", "2048", "--out", &table, "--games", "5"],
            &["scores.csv", ".net"],
        ),
        (
            &["train", "2048", "--out", &text, "--games", "5", "--resume"],
            &["text.net", "no network"],
        ),
        (
            &["train", "2048", "--out", &new, "--games", "5", "--resume"],
            &["new.net", "cannot be read"],
        ),
        (
            &[
                "train", "2048", "--out", &text, "--games", "5", "--resume", "--tuples", "4x5",
            ],
            &["--resume", "--tuples"],
        ),
        (
            &["search", "2048", "--eval", &evaluation],
            &["text.net", "no network for 2048"],
        ),
        (
            &["search", "2048", "--eval", &missing],
            &["new.net", "cannot be read"],
        ),
        (
            &["search", "2048", "--eval", "network:/dev/zero"],
            &["/dev/zero", "no network for 2048"],
        ),
        (
            &["search", "2048", "--eval", "smooth:x"],
            &["smooth", "nothing behind a colon"],
        ),
    ];
    for (arguments, parts) in cases {
        let ran = run(arguments);
        assert_eq!(ran.status, 2, "{arguments:?}: {}", ran.err);
        assert_eq!(ran.out, "", "{arguments:?}");
        assert_eq!(ran.err.lines().count(), 1, "{arguments:?}: {}", ran.err);
        for part in *parts {
            assert!(ran.err.contains(part), "{arguments:?}: {}", ran.err);
        }
    }
    assert_eq!(folder.files(), ["text.net"]);
}
