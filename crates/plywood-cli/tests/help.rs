//! The help fits a screen, and its examples work.

mod common;

use common::{good_line, program};
use std::process::Stdio;

#[test]
fn the_help_fits_a_screen() {
    for option in ["--help", "-h"] {
        let help = good_line(option);
        assert!(help.lines().count() <= 40, "{} lines", help.lines().count());
        for line in help.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}

/// The words of an example, with quoted ones together.
fn words(example: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in example.split('\'').enumerate() {
        if index % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

#[test]
fn every_example_of_the_help_works() {
    let help = good_line("--help");
    let examples: Vec<&str> = help
        .lines()
        .filter_map(|line| line.strip_prefix("  plywood "))
        .collect();
    for command in ["games", "search", "play", "selfplay", "perft", "bench"] {
        assert!(
            examples.iter().any(|example| example.starts_with(command)),
            "an example of {command}"
        );
    }
    for example in examples {
        let output = program()
            .args(words(example))
            .stdin(Stdio::null())
            .output()
            .expect("the program starts");
        assert_eq!(output.status.code(), Some(0), "{example}");
        assert!(output.stderr.is_empty(), "{example}");
        assert!(!output.stdout.is_empty(), "{example}");
    }
}
