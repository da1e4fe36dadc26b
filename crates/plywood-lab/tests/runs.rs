//! Runs on disk: what is kept, what goes on, what is refused, and what reports say of them.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use plywood_lab::record::{Measurement, cores};
use plywood_lab::sweep::{Outcome, Plan, Run, execute};
use plywood_lab::trace::Recording;
use plywood_lab::{LabError, report};

const SMALL: &str = r#"name = "small"
    warmup = 0
    games = "kalah"
    depths = [2, 3]
    strategies = ["seq", "ybwc:1"]
    threads = [1, 2]
    memory = "64K"
    repeats = 3"#;

fn plan(text: &str) -> Plan {
    Plan::read("test", text).expect("a plan")
}

fn make(plan: &Plan, folder: &Path, resume: bool) -> Result<Outcome, LabError> {
    execute(plan, folder, resume, &Arc::new(AtomicBool::new(false)))
}

/// Everything about a measurement that is the same in every run.
fn fixed(measurement: &Measurement) -> String {
    let m = measurement;
    let nodes = (m.setting.strategy == "seq").then_some(m.nodes);
    format!(
        "{:?} {} {} {:?} {nodes:?}",
        m.setting, m.repeat, m.best, m.values
    )
}

fn sorted(run: &Run) -> Vec<String> {
    let mut lines: Vec<String> = run.measurements.iter().map(fixed).collect();
    lines.sort();
    lines
}

#[test]
fn a_run_holds_every_setting_as_often_as_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("deep/er");
    let plan = plan(SMALL);
    let outcome = make(&plan, &path, false).expect("measures");
    assert_eq!((outcome.kept, outcome.made), (0, plan.measurements()));
    let run = Run::open(&path).expect("reads");
    assert_eq!(run.plan.text, plan.text);
    let pairs: HashSet<_> = run
        .measurements
        .iter()
        .map(|m| (&m.setting, m.repeat))
        .collect();
    assert_eq!(pairs.len() as u64, plan.measurements());
    for m in &run.measurements {
        assert!(m.elapsed_ns > 0 && m.nodes.total() > 0 && !m.best.is_empty());
        assert_eq!(m.workers.len(), m.setting.threads);
        assert_eq!(
            m.workers.iter().map(|w| w.nodes).sum::<u64>(),
            m.nodes.total()
        );
        assert_eq!(m.host.cores, cores());
        assert_eq!(m.setting.strategy == "seq", m.tasks.offered == 0);
    }
    // Every answer is that of one thread.
    for depth in [2, 3] {
        let of_depth = run.measurements.iter().filter(|m| m.setting.depth == depth);
        let answers: HashSet<_> = of_depth
            .map(|m| (&m.best, format!("{:?}", m.values)))
            .collect();
        assert_eq!(answers.len(), 1);
    }
}

#[test]
fn a_torn_line_is_measured_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole_path = folder.path().join("whole");
    let torn_path = folder.path().join("torn");
    let plan = plan(SMALL);
    make(&plan, &whole_path, false).expect("measures");
    make(&plan, &torn_path, false).expect("measures");
    let journal = torn_path.join("measurements.jsonl");
    let whole = sorted(&Run::open(&whole_path).expect("reads"));
    let text = std::fs::read(&journal).expect("reads");
    let lines: Vec<&[u8]> = text.split_inclusive(|&b| b == b'\n').collect();
    let five: usize = lines[..5].iter().map(|line| line.len()).sum();
    // Within a line, right before its line break, and after it.
    for cut in [
        five + 1,
        five + lines[5].len() / 2,
        five + lines[5].len() - 1,
        five,
    ] {
        std::fs::write(&journal, &text[..cut]).expect("writes");
        let run = Run::open(&torn_path).expect("reads");
        assert_eq!(run.measurements.len(), 5);
        let said = run.remainder.map(|remainder| remainder.to_string());
        assert_eq!(said.is_some(), cut > five);
        if let Some(line) = &said {
            assert!(line.contains("measurements.jsonl:6: "), "{line}");
            assert!(line.contains("cut off"), "{line}");
        }
        let outcome = make(&plan, &torn_path, true).expect("goes on");
        let again = outcome.remainder.map(|remainder| remainder.to_string());
        assert_eq!(again, said);
        assert_eq!((outcome.kept, outcome.made), (5, plan.measurements() - 5));
        assert_eq!(sorted(&Run::open(&torn_path).expect("reads")), whole);
    }
    // Zeros at the end, as some file systems leave them after a crash.
    let mut zeros = text[..five].to_vec();
    zeros.extend([0; 100]);
    zeros.push(b'\n');
    std::fs::write(&journal, &zeros).expect("writes");
    assert_eq!(make(&plan, &torn_path, true).expect("goes on").kept, 5);
    // Cut in the middle of a character, and bytes that are no text, with a line break and
    // without: the last line is measured again, and that is said.
    for (end, word) in [
        (&b"{\"setting\":{\"game\":\"\xc3"[..], "cut off"),
        (b"\xff\xfe\x00", "cut off"),
        (b"\xff\xfe\n", "damaged"),
        (b"{}\n", "damaged"),
    ] {
        let mut damaged = text[..five].to_vec();
        damaged.extend(end);
        std::fs::write(&journal, &damaged).expect("writes");
        let outcome = make(&plan, &torn_path, true).expect("goes on");
        assert_eq!((outcome.kept, outcome.made), (5, plan.measurements() - 5));
        let said = outcome.remainder.expect("something to say").to_string();
        assert!(
            said.contains("measurements.jsonl:6: ") && said.contains(word),
            "{said}"
        );
        assert_eq!(sorted(&Run::open(&torn_path).expect("reads")), whole);
        assert_eq!(Run::open(&torn_path).expect("reads").remainder, None);
    }
    // In the middle it is no torn line, and nothing is thrown away.
    let mut bad = b"nonsense\n".to_vec();
    bad.extend(&text);
    std::fs::write(&journal, &bad).expect("writes");
    let error = make(&plan, &torn_path, true)
        .expect_err("refused")
        .to_string();
    assert!(error.contains("measurements.jsonl:1: "), "{error}");
    assert_eq!(std::fs::read(&journal).expect("reads"), bad);
}

#[test]
fn a_complete_run_has_nothing_left_to_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let plan = plan(SMALL);
    make(&plan, folder.path(), false).expect("measures");
    let outcome = make(&plan, folder.path(), true).expect("nothing to do");
    assert_eq!((outcome.kept, outcome.made), (plan.measurements(), 0));
}

#[test]
fn a_run_is_not_mixed_with_another() {
    let folder = tempfile::tempdir().expect("a folder");
    let small = plan(SMALL);
    make(&small, folder.path(), false).expect("measures");
    let refused = |plan: &Plan, resume| {
        let error = make(plan, folder.path(), resume).expect_err("refused");
        assert!(matches!(error, LabError::Input(_)));
        error.to_string()
    };
    assert!(refused(&small, false).contains("--resume"));
    let other = plan(&SMALL.replace("depths = [2, 3]", "depths = [2, 4]"));
    let error = refused(&other, true);
    assert!(
        error.contains("'depths = [2, 3]' there, 'depths = [2, 4]' now"),
        "{error}"
    );
    assert!(error.contains("--out"), "{error}");
    let longer = plan(&format!("{}\n[[set]]\ngames = \"gomoku\"", SMALL));
    assert!(refused(&longer, true).contains("sweep.toml:"));
    // Somebody else's folder, and a file.
    let theirs = tempfile::tempdir().expect("a folder");
    std::fs::write(theirs.path().join("thesis.txt"), "words").expect("writes");
    let error = make(&small, theirs.path(), true)
        .expect_err("refused")
        .to_string();
    assert!(error.contains("is not empty"), "{error}");
    let error = make(&small, &theirs.path().join("thesis.txt"), false).expect_err("refused");
    assert!(error.to_string().contains("is a file"), "{error}");
}

#[test]
fn two_sweeps_do_not_write_to_one_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let plan = plan(SMALL);
    make(&plan, folder.path(), false).expect("measures");
    let lock = std::fs::File::open(folder.path().join(".lock")).expect("is there");
    lock.lock().expect("is free");
    let error = make(&plan, folder.path(), true).expect_err("locked");
    assert!(matches!(error, LabError::Failed(_)));
    assert!(
        error.to_string().contains("another sweep is writing"),
        "{error}"
    );
    drop(lock);
    make(&plan, folder.path(), true).expect("free again");
}

#[test]
fn a_stopped_sweep_keeps_what_it_has() {
    let folder = tempfile::tempdir().expect("a folder");
    let plan = plan(SMALL);
    let stop = Arc::new(AtomicBool::new(true));
    let outcome = execute(&plan, folder.path(), false, &stop).expect("stops");
    assert!(outcome.stopped);
    assert_eq!(outcome.made, 0);
    let outcome = make(&plan, folder.path(), true).expect("goes on");
    assert_eq!(outcome.made, plan.measurements());
}

#[test]
fn games_are_played_to_their_end_or_so_far() {
    let folder = tempfile::tempdir().expect("a folder");
    let plan = plan(
        r#"warmup = 1
        workload = "selfplay"
        repeats = 2
        memory = "64K"
        [[set]]
        games = "kalah:pits=3,stones=2"
        depths = 3
        [[set]]
        games = "2048"
        depths = 1
        moves = 7
        strategies = ["seq", "budget:1"]
        threads = 2"#,
    );
    make(&plan, folder.path(), false).expect("plays");
    let run = Run::open(folder.path()).expect("reads");
    for m in &run.measurements {
        assert_eq!(m.best.split(' ').count(), m.searches as usize);
        match m.setting.game.as_str() {
            "2048" => assert_eq!((m.searches, &m.result), (7, &None)),
            _ => assert!(m.searches > 3 && m.result.is_some()),
        }
    }
    let games: HashSet<_> = run
        .measurements
        .iter()
        .filter(|m| m.setting.game == "2048")
        .map(|m| &m.best)
        .collect();
    assert_eq!(games.len(), 1, "the same seed, the same game");
}

#[test]
fn events_are_recorded_once_for_each_setting() {
    let folder = tempfile::tempdir().expect("a folder");
    let plan = plan(&format!("trace = true\n{SMALL}"));
    let outcome = make(&plan, folder.path(), false).expect("measures");
    assert_eq!(outcome.traced, plan.settings.len() as u64);
    for planned in &plan.settings {
        let name = format!("traces/{}.jsonl", planned.setting.slug());
        let recording = Recording::read(&folder.path().join(name)).expect("reads");
        assert_eq!(recording.measurement.setting, planned.setting);
        assert!(recording.measurement.traced);
    }
    let outcome = make(&plan, folder.path(), true).expect("nothing to do");
    assert_eq!((outcome.made, outcome.traced), (0, 0));
    // They are no times.
    let run = Run::open(folder.path()).expect("reads");
    let traced = run.measurements.iter().filter(|m| m.traced).count();
    assert_eq!(traced, plan.settings.len());
    let (html, _) = pages(&run);
    assert!(html.contains(&format!("{} measurements", plan.measurements())));
}

/// The page of a run, parsed.
fn pages(run: &Run) -> (String, String) {
    let paths = report::write(run).expect("writes");
    let html = std::fs::read_to_string(&paths[0]).expect("reads");
    let markdown = std::fs::read_to_string(&paths[1]).expect("reads");
    let options = roxmltree::ParsingOptions {
        allow_dtd: true,
        ..roxmltree::ParsingOptions::default()
    };
    let parsed = roxmltree::Document::parse_with_options(&html, options);
    let parsed = parsed.unwrap_or_else(|error| panic!("{error}"));
    let count = |tag: &str| parsed.descendants().filter(|n| n.has_tag_name(tag)).count();
    assert_eq!(count("svg"), count("figure"));
    assert_eq!(
        count("script") + count("link") + count("img") + count("iframe"),
        0
    );
    for word in ["http:", "https:", "//", "url(", "@import", "src="] {
        // A comment of the sweep file could hold one, but these do not.
        assert!(!html.contains(word), "{word}");
    }
    // Every chart of the Markdown page is a file that parses.
    let charts: Vec<&str> = markdown
        .lines()
        .filter_map(|line| line.strip_prefix("![")?.split("](").nth(1))
        .map(|path| path.trim_end_matches(')'))
        .collect();
    assert_eq!(charts.len(), count("svg"));
    let different: HashSet<_> = charts.iter().collect();
    assert_eq!(different.len(), charts.len(), "one file a chart");
    for chart in charts {
        let svg = std::fs::read_to_string(run.folder.join(chart)).expect("the chart is there");
        roxmltree::Document::parse(&svg).expect("well-formed");
    }
    (html, markdown)
}

#[test]
fn a_report_shows_the_run_and_needs_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let plan = plan(SMALL);
    make(&plan, folder.path(), false).expect("measures");
    let run = Run::open(folder.path()).expect("reads");
    let (html, markdown) = pages(&run);
    for text in [&html, &markdown] {
        for part in [
            "24 measurements",
            "converted %",
            "ybwc:1",
            "fizzled",
            "cancelled",
            "aborted",
            "peak memory",
            "plywood lab sweep small.toml --out small-again",
            "strategies = [",
            "found the same move",
        ] {
            let part = if part == "24 measurements" {
                format!("{} measurements", plan.measurements())
            } else {
                part.to_owned()
            };
            assert!(text.contains(&part), "{part}");
        }
    }
    for title in [
        "Time by depth",
        "Speed-up by threads",
        "Task conversion by depth",
        "Task conversion by threads",
    ] {
        assert!(html.contains(title), "{title}");
    }
    assert!(html.contains("prefers-color-scheme:dark") && html.contains("@media print"));
    assert!(!html.contains("Oversubscribed") || cores() < 2);
    let csv = folder.path().join("all.csv");
    report::write_csv(&run, &csv).expect("writes");
    let csv = std::fs::read_to_string(csv).expect("reads");
    assert_eq!(csv.lines().count() as u64, 1 + plan.measurements());
    let columns = csv.lines().next().expect("names").split(',').count();
    assert!(csv.lines().all(|line| line.split(',').count() == columns));
}

#[test]
fn a_report_flags_what_must_not_be_believed() {
    let folder = tempfile::tempdir().expect("a folder");
    let too_many = cores() + 1;
    let plan = plan(&SMALL.replace("[1, 2]", &format!("[1, {too_many}]")));
    make(&plan, folder.path(), false).expect("measures");
    let mut run = Run::open(folder.path()).expect("reads");
    // Times as they could have been: the noise is larger than the effect at depth 2, and
    // smaller at depth 3.
    for m in &mut run.measurements {
        let faster = if m.setting.is_sequential() { 10 } else { 8 };
        let noise = if m.setting.depth == 2 {
            u64::from(m.repeat) * 9
        } else {
            0
        };
        m.elapsed_ns = (faster + noise) * 1_000_000;
    }
    let (html, markdown) = pages(&run);
    for text in [&html, &markdown] {
        assert!(text.contains("Oversubscribed"));
        assert!(text.contains(&format!("{too_many} *")));
        assert!(text.contains("no difference shown"));
        assert!(text.contains("No difference shown in 2 of 4 comparisons"));
        assert!(text.contains("fewer than five"));
    }
    // A half-made run from two machines.
    run.measurements.truncate(7);
    run.measurements[0].host.cpu = "<b>another & one</b>".into();
    run.measurements[1].version = "0.0.0".into();
    let (html, _) = pages(&run);
    assert!(html.contains("not complete: 7 of"));
    assert!(html.contains("different machines") && html.contains("different builds"));
    assert!(html.contains("&lt;b&gt;another &amp; one&lt;/b&gt;"));
    run.measurements.clear();
    assert!(report::write(&run).is_err(), "nothing to show");
}

#[test]
fn texts_from_outside_stay_texts() {
    let folder = tempfile::tempdir().expect("a folder");
    let plan = plan(
        r#"name = "<script>alert('x')</script> | `tick`"
        games = "gomoku"
        depths = [1, 2]
        warmup = 0
        repeats = 1
        positions = [{ name = "a | b <i> & \"c\"", text = "H8 I9" }]"#,
    );
    make(&plan, folder.path(), false).expect("measures");
    let run = Run::open(folder.path()).expect("reads");
    let (html, markdown) = pages(&run);
    assert!(!html.contains("<script") && !html.contains("<i>"));
    assert!(html.contains("&lt;script&gt;"));
    assert!(markdown.starts_with("# \\<script>"), "{markdown}");
}

#[test]
fn strategies_that_go_with_the_depth_are_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let plan = plan(
        r#"warmup = 0
        repeats = 2
        games = "kalah"
        threads = [1, 2]
        memory = "64K"
        [[set]]
        depths = 3
        strategies = ["seq", "ybwc:1"]
        [[set]]
        depths = 4
        strategies = ["seq", "ybwc:2"]"#,
    );
    make(&plan, folder.path(), false).expect("measures");
    let (html, _) = pages(&Run::open(folder.path()).expect("reads"));
    assert!(html.contains("ybwc:depth-2, 2 threads"));
    assert!(html.contains("Speed-up by threads, ybwc:depth-2"));
}

#[test]
fn several_searches_are_drawn_in_one_chart() {
    let folder = tempfile::tempdir().expect("a folder");
    let plan = plan(
        r#"warmup = 0
        repeats = 1
        games = ["kalah", "gomoku"]
        depths = [1, 2]
        threads = [1, 2, 3]
        memory = "64K"
        strategies = ["seq", "root", "ybwc:1"]"#,
    );
    make(&plan, folder.path(), false).expect("measures");
    let mut run = Run::open(folder.path()).expect("reads");
    // Two cores; there ybwc:1 is twice as fast, and root on three threads does not count.
    for measurement in &mut run.measurements {
        let setting = &measurement.setting;
        measurement.host.cores = 2;
        measurement.elapsed_ns = match (setting.strategy.as_str(), setting.threads) {
            ("ybwc:1", 2) => 1000,
            ("root", 3) => 1,
            _ => 2000,
        };
    }
    pages(&run);
    let chart = folder.path().join("charts/speed-up-by-threads.svg");
    let chart = std::fs::read_to_string(chart).expect("it is drawn");
    for game in ["kalah", "gomoku"] {
        assert!(chart.contains(&format!("{game}, alphabeta depth 2, ybwc:1")));
    }
    assert!(!chart.contains("root") && !chart.contains("depth 1"));
}

#[test]
fn folders_that_are_no_runs_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    for path in [folder.path().to_owned(), folder.path().join("missing")] {
        let error = Run::open(&path).expect_err("no run");
        assert!(matches!(error, LabError::Input(_)));
        assert!(error.to_string().contains("is no run"), "{error}");
    }
}
