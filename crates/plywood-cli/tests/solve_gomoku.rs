//! `plywood solve gomoku`, as a user runs it.

mod common;

use common::run;
use serde_json::Value;

/// Black has three in a row, open at both ends; white is elsewhere.
const OPEN_THREE: &str = "H8 A1 H9 C2 H10 E1";

#[test]
fn a_win_by_fours_is_shown() {
    let ran = run(&["solve", "gomoku", "--vcf", "--position", OPEN_THREE]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.err.is_empty());
    assert!(
        ran.out
            .contains("Black wins by fours in 2 moves, and not in fewer"),
        "{}",
        ran.out
    );
    assert!(
        ran.out.contains("then five at H7 or H12") || ran.out.contains("then five at H6 or H11")
    );
}

#[test]
fn a_proof_has_every_defence() {
    let position = "F8 A1 G8 D2 H9 G1 H10 K2";
    let ran = run(&["solve", "gomoku", "--vct", "--json", "--position", position]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let found: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(found["answer"], "wins");
    assert_eq!(found["by"], "threats");
    assert_eq!(found["turn"], "Black");
    assert_eq!(found["moves"], 3);
    assert_eq!(found["shortest"], true);
    assert_eq!(found["proof"]["move"], "H8");
    assert!(
        found["proof"]["threats"]
            .as_array()
            .is_some_and(|list| !list.is_empty())
    );
    let plain = run(&["solve", "gomoku", "--vct", "--position", position]);
    assert!(
        plain.out.contains("H8, which threatens an open four at"),
        "{}",
        plain.out
    );
}

#[test]
fn none_is_none_and_limits_are_limits() {
    let quiet = "H8 H9";
    let ran = run(&["solve", "gomoku", "--vcf", "--position", quiet]);
    assert_eq!(ran.status, 0);
    assert!(ran.out.contains("Black has no win by fours"), "{}", ran.out);
    let ran = run(&[
        "solve",
        "gomoku",
        "--vcf",
        "--moves",
        "1",
        "--position",
        OPEN_THREE,
    ]);
    assert!(ran.out.contains("none within the limits"), "{}", ran.out);
    let ran = run(&[
        "solve",
        "gomoku",
        "--vct",
        "--nodes",
        "1",
        "--json",
        "--position",
        OPEN_THREE,
    ]);
    let found: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(found["answer"], "unknown");
    assert_eq!(found["proof"], Value::Null);
}

#[test]
fn rules_and_sizes() {
    // Two fours at once: not for black in renju.
    let position = "15/15/15/7o7/7x7/7x7/7x7/3oxxx8/15/15/15/15/15/15/o1o11o b";
    for (rule, wins) in [
        ("freestyle", true),
        ("exactly-five", true),
        ("renju", false),
    ] {
        let ran = run(&[
            "solve",
            "gomoku",
            "--vcf",
            "--rule",
            rule,
            "--position",
            position,
        ]);
        assert_eq!(
            ran.out.contains("Black wins by fours in 2"),
            wins,
            "{}",
            ran.out
        );
    }
    let ran = run(&[
        "solve",
        "gomoku",
        "--vcf",
        "--size",
        "5",
        "--position",
        "5/5/5/5/xxxx1 b",
    ]);
    assert!(
        ran.out.contains("Black wins by fours in 1 move, "),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("E1 makes five"), "{}", ran.out);
}

#[test]
fn bad_input_gets_one_line() {
    for (arguments, expected) in [
        (&["--vcf"][..], &["--position"][..]),
        (&["--position", "H8"], &["--vcf"]),
        (&["--position", "H8", "--vcf", "--vct"], &["--vcf", "--vct"]),
        (&["--position", "Z9", "--vcf"], &["Z9", "position"]),
        (
            &["--position", "H8", "--vcf", "--rule", "go"],
            &["'go'", "renju"],
        ),
        (
            &["--position", "H8", "--vcf", "--size", "21"],
            &["'21'", "5 to 20"],
        ),
        (
            &["--position", "H8", "--vcf", "--moves", "0"],
            &["'0'", "1 to 60"],
        ),
        (
            &["--position", "5/5/5/5/xxxxx w", "--size", "5", "--vcf"],
            &["the game is over", "nothing to prove"],
        ),
    ] {
        let all: Vec<&str> = ["solve", "gomoku"]
            .iter()
            .chain(arguments)
            .copied()
            .collect();
        let ran = run(&all);
        assert_eq!(ran.status, 2, "{arguments:?}");
        assert!(ran.out.is_empty(), "{arguments:?}");
        assert_eq!(ran.err.trim_end().lines().count(), 1, "{}", ran.err);
        for part in expected {
            assert!(ran.err.contains(part), "{arguments:?}: {}", ran.err);
        }
    }
}
