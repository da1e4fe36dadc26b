//! Sweep files: what they mean, and what is said against bad ones.

use std::collections::HashSet;
use std::path::Path;

use plywood_lab::LabError;
use plywood_lab::record::Workload;
use plywood_lab::sweep::{Overrides, Plan, Spec};

fn plan(text: &str) -> Plan {
    Plan::read("file.toml", text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn complaint(text: &str) -> String {
    match Plan::read("file.toml", text) {
        Err(LabError::Input(line)) => line,
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn every_combination_is_planned_once() {
    let plan = plan(
        r#"games = ["kalah", "kalah:stones=6"]
           searches = ["minimax", "alphabeta"]
           strategies = ["seq", "budget:B"]
           budgets = [1, 2]
           depths = [3, 4, 5]
           threads = [1, 2]
           repeats = 2"#,
    );
    // Two games, two searches, three depths: seq once, two budgets on one and two threads.
    assert_eq!(plan.settings.len(), 2 * 2 * 3 * (1 + 2 * 2));
    assert_eq!(plan.measurements(), 2 * plan.settings.len() as u64);
    let different: HashSet<_> = plan.settings.iter().map(|p| &p.setting).collect();
    assert_eq!(different.len(), plan.settings.len());
    assert!(plan.skipped.is_empty());
    for planned in &plan.settings {
        let setting = &planned.setting;
        assert!(setting.strategy != "seq" || setting.threads == 1);
        assert_eq!(setting.evaluation, "stores");
        assert_eq!(setting.workload, Workload::Search);
    }
}

#[test]
fn what_does_not_fit_is_left_out_if_something_else_fits() {
    let plan = plan(
        r#"games = ["kalah", "blokus"]
           searches = ["minimax", "maxn", "alphabeta"]
           strategies = ["seq", "ybwc:2", "lazy-smp"]
           depths = 2
           threads = 2"#,
    );
    let has = |game: &str, search: &str, strategy: &str| {
        plan.settings.iter().any(|p| {
            let s = &p.setting;
            s.game == game && s.search == search && s.strategy == strategy
        })
    };
    assert!(has("kalah", "minimax", "seq") && !has("kalah", "minimax", "ybwc:2"));
    assert!(has("kalah", "alphabeta", "lazy-smp") && !has("blokus", "alphabeta", "seq"));
    assert!(has("blokus", "maxn", "ybwc:2"));
    let skipped = plan.skipped.join("\n");
    for line in [
        "ybwc:2 cannot run minimax",
        "lazy-smp cannot run maxn",
        "alphabeta is not a search for blokus",
    ] {
        assert!(skipped.contains(line), "{line} in {skipped}");
    }
}

#[test]
fn a_set_takes_what_stands_above_it_unless_it_says_otherwise() {
    let plan = plan(
        r#"depths = [2, 3]
           repeats = 7
           [[set]]
           games = "kalah"
           [[set]]
           games = "2048"
           workload = "selfplay"
           moves = 4
           after_chance = true
           depths = 1
           repeats = 1"#,
    );
    let summary: Vec<_> = plan
        .settings
        .iter()
        .map(|p| (p.setting.game.as_str(), p.setting.depth, p.repeats))
        .collect();
    assert_eq!(summary, [("kalah", 2, 7), ("kalah", 3, 7), ("2048", 1, 1)]);
    let last = &plan.settings[2].setting;
    assert_eq!(last.workload, Workload::Selfplay { moves: Some(4) });
    assert!(last.after_chance);
    assert_eq!(last.search, "expectimax", "the game's own");
}

#[test]
fn a_plan_written_down_gives_the_same_plan() {
    let text = r#"name = "a \"name\""
        seed = 9
        fill_cores = true
        games = "kalah:stones=6"
        positions = ["start", { name = "späte Stellung", text = "<6,32,18,1,2,7,4,0,1,1,0,2,1,1,2> s" }]
        strategies = ["seq", "ybwc:B", "budget:1,spawn=rest"]
        budgets = [2, 3]
        depths = [2, 3]
        threads = "cores"
        memory = "3M""#;
    let first = plan(text);
    let second = plan(&first.text);
    assert_eq!(first.text, second.text);
    assert_eq!(first.settings, second.settings);
    assert_eq!((second.seed, second.fill_cores), (9, true));
}

#[test]
fn the_example_is_a_plan_that_uses_every_key() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/sweeps/example.toml");
    let plan = Spec::read_file(&path)
        .expect("reads")
        .plan()
        .expect("a plan");
    assert_eq!(plan.name, "example");
    assert!(plan.settings.len() > 30);
    assert!(!plan.skipped.is_empty());
    let text = std::fs::read_to_string(path).expect("reads");
    for key in [
        "name",
        "seed",
        "warmup",
        "fill_cores",
        "trace",
        "games",
        "positions",
        "workload",
        "moves",
        "searches",
        "evaluation",
        "after_chance",
        "memory",
        "strategies",
        "budgets",
        "depths",
        "threads",
        "repeats",
    ] {
        let line = format!("{key} = ");
        assert!(text.lines().any(|l| l.starts_with(&line)), "{key}");
    }
}

#[test]
fn flags_replace_what_the_file_says_in_every_set() {
    let spec = Spec::read(
        "file.toml",
        "[[set]]\ngames = \"kalah\"\ndepths = 2\n[[set]]\ngames = \"gomoku\"\ndepths = 3",
    )
    .expect("reads");
    let flags = Overrides {
        depths: Some(vec![1, 4]),
        strategies: Some(vec!["ybwc:1".into()]),
        threads: Some(vec![2]),
        repeats: Some(3),
        seed: Some(5),
        ..Overrides::default()
    };
    let plan = spec.clone().with(&flags).plan().expect("a plan");
    assert_eq!(plan.seed, 5);
    let summary: Vec<_> = plan
        .settings
        .iter()
        .map(|p| (p.setting.game.as_str(), p.setting.depth, p.repeats))
        .collect();
    let expected = [
        ("kalah", 1, 3),
        ("kalah", 4, 3),
        ("gomoku", 1, 3),
        ("gomoku", 4, 3),
    ];
    assert_eq!(summary, expected);
    let wrong = Overrides {
        searches: Some(vec!["maxn".into(), "nonsense".into()]),
        ..Overrides::default()
    };
    let error = spec.with(&wrong).plan().expect_err("no such search");
    assert!(
        error
            .to_string()
            .starts_with("--searches: unknown search 'nonsense'")
    );
}

#[test]
fn complaints_name_the_line_and_what_is_accepted() {
    let cases: &[(&str, usize, &[&str])] = &[
        ("games = \"kalah\"\ndepths = [2", 2, &["no TOML"]),
        (
            "games = \"kalah\"\ndepth = 2",
            2,
            &["unknown key 'depth'", "depths", "threads", "[[set]]"],
        ),
        (
            "[[set]]\ngames = \"kalah\"\ndepths = 2\nseed = 3",
            4,
            &["unknown key 'seed' in a set", "strategies"],
        ),
        (
            "games = \"chess\"\ndepths = 2",
            1,
            &["'chess'", "kalah, gomoku"],
        ),
        (
            "games = [\n\"kalah\",\n\"kalah:stones=99\"]\ndepths = 2",
            3,
            &["'99'", "0 to"],
        ),
        (
            "games = \"kalah\"\ndepths = [2,\n 999]",
            3,
            &["999", "1 to 250"],
        ),
        ("games = \"kalah\"\ndepths = [0]", 2, &["1 to 250"]),
        ("games = \"kalah\"\ndepths = [-1]", 2, &["1 to 250"]),
        ("games = \"kalah\"\ndepths = 2.5", 2, &["1 to 250"]),
        ("games = \"kalah\"\ndepths = []", 2, &["at least one"]),
        ("games = \"kalah\"", 1, &["no depths", "depths = ["]),
        ("depths = 3", 1, &["no games", "games = ["]),
        (
            "games = \"kalah\"\ndepths = 2\nthreads = [1, 1000]",
            3,
            &["1 to 256", "cores"],
        ),
        (
            "games = \"kalah\"\ndepths = 2\nthreads = \"all\"",
            3,
            &["\"cores\""],
        ),
        (
            "games = \"kalah\"\ndepths = 2\nsearches = \"negamax\"",
            3,
            &["'negamax'", "minimax, alphabeta"],
        ),
        (
            "games = \"kalah\"\ndepths = 2\nsearches = \"expectimax\"",
            3,
            &["expectimax", "use one of"],
        ),
        (
            "games = \"kalah\"\ndepths = 2\nstrategies = [\"seq\",\n\"threads\"]",
            4,
            &["'threads'", "ybwc:D"],
        ),
        // A pair that does not go together, and nothing else it could go with.
        (
            "games = \"kalah\"\ndepths = 2\nsearches = \"minimax\"\nstrategies = [\"seq\",\n\"ybwc:3\"]",
            5,
            &["minimax cannot be run by ybwc", "every-node"],
        ),
        (
            "games = \"kalah\"\ndepths = 2\nstrategies = \"budget:B\"",
            3,
            &["budgets = ["],
        ),
        (
            "games = \"kalah\"\ndepths = 2\nbudgets = [1]",
            3,
            &["no strategy uses them", "budget:B"],
        ),
        (
            "games = \"kalah\"\ndepths = 2\nevaluation = \"threats\"",
            3,
            &["'threats'", "stores"],
        ),
        (
            "games = \"gomoku\"\ndepths = 2\npositions = [\"start\",\n\"<6,1,2>\"]",
            4,
            &["no position of gomoku"],
        ),
        (
            "games = \"kalah\"\ndepths = 2\npositions = [\"<6,24,24,0,0,0,0,0,0,0,0,0,0,0,0> s\"]",
            3,
            &["the game is over"],
        ),
        (
            "games = \"kalah\"\ndepths = 2\npositions = [{ text = \"start\" }]",
            3,
            &["name", "text"],
        ),
        (
            "games = \"kalah\"\ndepths = 2\npositions = [{ nam = \"x\", text = \"start\" }]",
            3,
            &["unknown key 'nam'", "name and text"],
        ),
        (
            "games = \"kalah\"\ndepths = 2\npositions = [{ name = \"a\", text = \"start\" },\n{ name = \"a\", text = \"example\" }]",
            4,
            &["two positions are called 'a'"],
        ),
        (
            "games = \"kalah\"\ndepths = 2\nworkload = \"game\"",
            3,
            &["search", "selfplay"],
        ),
        ("games = \"kalah\"\ndepths = 2\nmoves = 3", 3, &["selfplay"]),
        (
            "games = \"kalah\"\ndepths = 2\nafter_chance = true",
            1,
            &["games with chance"],
        ),
        (
            "games = \"kalah\"\ndepths = 2\nmemory = \"much\"",
            3,
            &["64M"],
        ),
        ("games = \"kalah\"\ndepths = 2\nmemory = 64", 3, &["64M"]),
        (
            "games = \"kalah\"\ndepths = 2\nrepeats = 0",
            3,
            &["1 to 10000"],
        ),
        (
            "games = \"kalah\"\ndepths = 2\nfill_cores = 1",
            3,
            &["true or false"],
        ),
        ("games = 3\ndepths = 2", 1, &["a text in quotes"]),
        ("set = 3", 1, &["[[set]]"]),
        ("games = \"kalah\"\ndepths = 2\ndepths = 3", 3, &["no TOML"]),
    ];
    for (text, line, parts) in cases {
        let complaint = complaint(text);
        let place = format!("file.toml:{line}: ");
        assert!(
            complaint.starts_with(&place),
            "{place} of {text}: {complaint}"
        );
        for part in *parts {
            assert!(complaint.contains(part), "'{part}' for {text}: {complaint}");
        }
        assert!(!complaint.contains('\n'), "{complaint}");
    }
    let unknown = complaint("reproduces = \"chess\"\ngames = \"kalah\"\ndepths = 2");
    assert!(unknown.contains("blokus-maxn"), "{unknown}");
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let missing = folder.path().join("missing.toml");
    let error = Spec::read_file(&missing).expect_err("not there");
    assert!(matches!(error, LabError::Input(_)));
    assert!(error.to_string().contains("missing.toml cannot be read"));
    let binary = folder.path().join("binary.toml");
    std::fs::write(&binary, b"games = 1\n\xff\xfe").expect("writes");
    let error = Spec::read_file(&binary).expect_err("no text");
    assert!(error.to_string().contains("binary.toml:2: "), "{error}");
    assert!(Spec::read_file(folder.path()).is_err(), "a folder");
}
