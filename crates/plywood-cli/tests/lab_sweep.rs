//! `plywood lab sweep` and `report` as a user runs them: killed, stopped, out of disk, and
//! with bad input.

mod common;

use std::collections::BTreeMap;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use common::{Folder, good, program, run};
use plywood_games::registry::Random;
use plywood_lab::sweep::Run;

/// Some seconds of work in many small pieces.
const SWEEP: &str = r#"
name = "killed"
warmup = 0
repeats = 6
memory = "1M"
[[set]]
games = "kalah"
searches = ["minimax", "alphabeta"]
depths = [6, 7]
strategies = ["seq", "budget:2"]
threads = [1, 2]
[[set]]
games = "2048"
# The default has weights to unpack first, and most kills would hit that.
evaluation = "smooth"
workload = "selfplay"
moves = 5
depths = 2
strategies = ["seq", "budget:1"]
threads = 2
"#;

fn file(folder: &Folder, text: &str) -> String {
    let path = folder.file("sweep.toml");
    std::fs::write(&path, text).expect("writes");
    path
}

fn start(arguments: &[&str]) -> Child {
    program()
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

/// What a run measured, without what differs from run to run.
fn measured(folder: &str) -> BTreeMap<String, String> {
    let run = Run::open(folder.as_ref()).expect("a run");
    let mut all = BTreeMap::new();
    for m in &run.measurements {
        // Only searches that cut off visit other nodes when workers race.
        let same_nodes = m.setting.strategy == "seq" || m.setting.search == "minimax";
        let nodes = same_nodes.then_some(m.nodes);
        let key = format!("{:?} {}", m.setting, m.repeat);
        let found = format!(
            "{} {:?} {:?} {nodes:?} {}",
            m.best, m.values, m.result, m.seed
        );
        assert!(all.insert(key, found).is_none(), "measured twice");
    }
    assert_eq!(all.len() as u64, run.plan.measurements());
    all
}

#[test]
fn a_sweep_killed_ten_times_measures_the_same_as_one_left_alone() {
    let folder = Folder::new("kill");
    let file = file(&folder, SWEEP);
    let alone = folder.file("alone");
    good(&["lab", "sweep", &file, "--out", &alone]);
    let expected = measured(&alone);
    let mut random = Random::new(11);
    let mut kills = 0;
    let mut halfway = 0;
    let mut round = 0;
    while kills < 10 {
        round += 1;
        assert!(round < 30, "killed {kills} times only");
        let out = folder.file(&format!("killed-{round}"));
        let sweep = ["lab", "sweep", &file, "--out", &out, "--resume"];
        // As often as it takes until it is complete, or was killed often enough.
        while kills < 10 {
            let lines = || {
                let journal = std::fs::read_to_string(format!("{out}/measurements.jsonl"));
                journal.map_or(0, |text| text.lines().count())
            };
            // Some measurements later, and then at any moment of the next ones.
            let enough = lines() + random.below(1 + expected.len() / 5);
            let mut child = start(&sweep);
            let mut ended = child.try_wait().expect("waits").is_some();
            while !ended && lines() < enough {
                std::thread::sleep(Duration::from_millis(1));
                ended = child.try_wait().expect("waits").is_some();
            }
            std::thread::sleep(Duration::from_millis(20).mul_f64(random.unit()));
            let ended = ended || child.try_wait().expect("waits").is_some();
            child.kill().expect("kills, or has ended");
            child.wait().expect("ends");
            if ended {
                break;
            }
            kills += 1;
            let lines = lines();
            halfway += usize::from(lines > 0 && lines < expected.len());
        }
        good(&sweep);
        assert_eq!(measured(&out), expected);
    }
    assert!(halfway > 0, "no kill hit a sweep between two measurements");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_sweep_and_keeps_what_it_has() {
    let folder = Folder::new("interrupt");
    let file = file(&folder, SWEEP);
    let out = folder.file("run");
    let mut child = start(&["lab", "sweep", &file, "--out", &out, "--repeats", "200"]);
    let journal = folder.file("run/measurements.jsonl");
    // Until something is measured.
    while std::fs::metadata(&journal).map_or(0, |data| data.len()) < 3000 {
        assert!(
            child.try_wait().expect("waits").is_none(),
            "too early an end"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
    let pid = child.id().to_string();
    Command::new("kill")
        .args(["-INT", &pid])
        .status()
        .expect("kills");
    let status = child.wait().expect("ends");
    let mut error = String::new();
    let mut pipe = child.stderr.take().expect("is piped");
    pipe.read_to_string(&mut error).expect("text");
    assert_eq!(status.code(), Some(1), "{error}");
    assert!(error.contains("--resume goes on"), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    let run = Run::open(out.as_ref()).expect("a run");
    let text = std::fs::read_to_string(&journal).expect("reads");
    assert!(!run.measurements.is_empty());
    assert_eq!(
        text.lines().count(),
        run.measurements.len(),
        "whole lines only"
    );
}

#[cfg(unix)]
#[test]
fn a_full_disk_ends_a_sweep_and_keeps_what_it_has() {
    let folder = Folder::new("full");
    let file = file(&folder, SWEEP);
    let out = folder.file("run");
    // No file may become larger than some kilobytes: to the program that is a full disk.
    let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\"";
    let output = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_plywood")])
        .args(["lab", "sweep", &file, "--out", &out])
        .stdin(Stdio::null())
        .output()
        .expect("starts");
    let error = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("measurements.jsonl: "), "{error}");
    assert!(error.contains("--resume"), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    let kept = Run::open(out.as_ref()).expect("a run").measurements;
    assert!(!kept.is_empty());
    good(&["lab", "sweep", &file, "--out", &out, "--resume"]);
    let all = Run::open(out.as_ref()).expect("a run").measurements;
    assert_eq!(all[..kept.len()], kept[..], "nothing is measured again");
    assert_eq!(measured(&out).len(), all.len());
    // A table of all measurements that nobody can store.
    if std::path::Path::new("/dev/full").exists() {
        let ran = run(&["lab", "report", &out, "--csv", "/dev/full"]);
        assert_eq!(ran.status, 1);
        assert!(ran.err.contains("/dev/full: "), "{}", ran.err);
    }
}

#[test]
fn a_sweep_prints_where_everything_is() {
    let folder = Folder::new("prints");
    let file = file(&folder, SWEEP);
    let (out, csv) = (folder.file("run"), folder.file("all.csv"));
    let flags = [
        "--depths",
        "1,2",
        "--repeats",
        "2",
        "--strategies",
        "seq,budget:1,spawn=rest",
    ];
    let mut arguments = vec![
        "lab",
        "sweep",
        &file,
        "--out",
        &out,
        "--csv",
        &csv,
        "--fill-cores",
    ];
    arguments.extend(flags);
    let text = good(&arguments);
    // Kalah: two searches, two depths, seq and two numbers of threads; 2048: two depths,
    // seq and one.
    assert!(text.contains("32 measurements of 16 settings"), "{text}");
    let html = folder.file("run/report.html");
    assert!(text.contains(&html), "{text}");
    for name in [
        "sweep.toml",
        "measurements.jsonl",
        "report.html",
        "report.md",
    ] {
        assert!(std::path::Path::new(&out).join(name).exists(), "{name}");
    }
    let lines = std::fs::read_to_string(&csv).expect("reads");
    assert_eq!(lines.lines().count(), 33);
    let run = Run::open(out.as_ref()).expect("a run");
    assert!(run.measurements.iter().all(|m| m.filled));
    // The report is made again from what is on disk.
    std::fs::remove_file(&html).expect("removes");
    good(&["lab", "report", &out]);
    assert!(std::path::Path::new(&html).exists());
    // What is in the folder is a sweep file itself.
    let inner = folder.file("run/sweep.toml");
    let listed = good(&["lab", "sweep", &inner, "--list"]);
    assert!(
        listed.ends_with("16 settings, 32 measurements\n"),
        "{listed}"
    );
}

#[test]
fn bad_input_is_one_line_that_says_what_is_accepted() {
    let folder = Folder::new("bad");
    let write = |name: &str, text: &str| {
        let path = folder.file(name);
        std::fs::write(&path, text).expect("writes");
        path
    };
    let good_file = write("good.toml", "games = \"kalah\"\ndepths = 1\nrepeats = 1\n");
    let run_folder = folder.file("run");
    good(&["lab", "sweep", &good_file, "--out", &run_folder]);
    let key = write("key.toml", "games = \"kalah\"\ndepth = 1\n");
    let value = write(
        "value.toml",
        "games = \"kalah\"\ndepths = 1\nsearches = [\"negamax\"]\n",
    );
    let position = write(
        "position.toml",
        "games = \"kalah\"\ndepths = 1\npositions = [\n\"H8 I9\"]\n",
    );
    let pair = write(
        "pair.toml",
        "games = \"kalah\"\ndepths = 1\nsearches = \"minimax\"\nstrategies = \"ybwc:3\"\n",
    );
    let torn = write("torn.toml", "games = [\"kalah\"\n");
    let missing = folder.file("missing.toml");
    let cases: Vec<(Vec<&str>, &[&str])> = vec![
        (
            vec!["lab", "sweep", &missing],
            &["missing.toml cannot be read"],
        ),
        (
            vec!["lab", "sweep", &key],
            &["key.toml:2: unknown key 'depth'", "depths"],
        ),
        (
            vec!["lab", "sweep", &value],
            &["value.toml:3: unknown search 'negamax'", "minimax"],
        ),
        (
            vec!["lab", "sweep", &position],
            &["position.toml:4: 'H8 I9' is no position of kalah"],
        ),
        (
            vec!["lab", "sweep", &pair],
            &["pair.toml:4: minimax cannot be run by ybwc", "budget:B"],
        ),
        (vec!["lab", "sweep", &torn], &["torn.toml:", "no TOML"]),
        (
            vec!["lab", "sweep", &good_file, "--depths", "1,x"],
            &["'x'", "1 to 250"],
        ),
        (
            vec!["lab", "sweep", &good_file, "--threads", "0"],
            &["'0'", "1 to 256", "cores"],
        ),
        (
            vec!["lab", "sweep", &good_file, "--repeats", "0"],
            &["1 to 10000"],
        ),
        (
            vec!["lab", "sweep", &good_file, "--strategies", "seq,what"],
            &["--strategies: ", "what"],
        ),
        (
            vec!["lab", "sweep", &good_file, "--out", &run_folder],
            &["holds a run already", "--resume"],
        ),
        (
            vec![
                "lab",
                "sweep",
                &good_file,
                "--out",
                &run_folder,
                "--resume",
                "--depths",
                "2",
            ],
            &["'depths = [1]' there, 'depths = [2]' now"],
        ),
        (
            vec!["lab", "report", &missing],
            &["is no run", "plywood lab sweep"],
        ),
        (
            vec!["lab", "reproduce", "chess"],
            &[
                "'chess'",
                "blokus-maxn, mancala-ybwc, gomoku, 2048, mancala-minimax",
            ],
        ),
    ];
    for (arguments, parts) in cases {
        let ran = run(&arguments);
        assert_eq!(ran.status, 2, "{arguments:?}: {}", ran.err);
        assert_eq!(ran.out, "", "{arguments:?}");
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
        for part in parts {
            assert!(
                ran.err.contains(part),
                "'{part}' for {arguments:?}: {}",
                ran.err
            );
        }
    }
}

#[test]
fn every_report_can_be_reproduced() {
    for report in [
        "blokus-maxn",
        "mancala-ybwc",
        "gomoku",
        "2048",
        "mancala-minimax",
    ] {
        let listed = good(&["lab", "reproduce", report, "--list"]);
        assert!(listed.contains("seq on 1"), "{listed}");
    }
    let folder = Folder::new("reproduce");
    let out = folder.file("run");
    let quick = [
        "--depths",
        "2",
        "--repeats",
        "1",
        "--warmup",
        "0",
        "--threads",
        "1,2",
    ];
    let mut arguments = vec!["lab", "reproduce", "gomoku", "--out", &out];
    arguments.extend(quick);
    let text = good(&arguments);
    assert!(text.contains("report.html"), "{text}");
    let html = std::fs::read_to_string(folder.file("run/report.html")).expect("reads");
    assert!(html.contains("5.644 s") && html.contains("no-map"));
    arguments.push("--resume");
    good(&arguments);
}
