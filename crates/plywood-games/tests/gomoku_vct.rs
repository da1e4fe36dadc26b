//! Wins by threats: known ones, none where there is none, and proofs that hold.

mod gomoku_problems;

use std::time::{Duration, Instant};

use gomoku_problems::{board, collection, scattered, set_up, side_to_move};
use plywood_games::gomoku::patterns::PatternBoard;
use plywood_games::gomoku::threat_search::{Answer, Limits, prove_by_threats};
use plywood_games::gomoku::{Colour, Rule};
use proptest::prelude::*;

const RULES: [Rule; 3] = [Rule::Freestyle, Rule::ExactlyFive, Rule::Renju];

fn solve(board: &PatternBoard, limits: &Limits) -> Option<u32> {
    match prove_by_threats(board, limits).answer {
        Answer::Wins { proof, .. } => {
            proof.check(board).expect("a proof");
            Some(proof.length())
        }
        Answer::None | Answer::Unknown => None,
    }
}

#[test]
fn a_four_and_a_three() {
    // H8 makes a four and a three: after the four is stopped the three becomes an open four.
    for rule in RULES {
        let position = board(rule, "E8 F8 G8 H9 H10", "D8 A1 A3 A5 A7", Colour::Black);
        assert_eq!(solve(&position, &Limits::default()), Some(3), "{rule:?}");
    }
}

#[test]
fn two_threes() {
    let (black, white) = ("F8 G8 H9 H10", "A1 D2 G1 K2");
    for rule in [Rule::Freestyle, Rule::ExactlyFive] {
        let position = board(rule, black, white, Colour::Black);
        assert_eq!(solve(&position, &Limits::default()), Some(3), "{rule:?}");
    }
    let position = board(Rule::Renju, white, black, Colour::White);
    assert_eq!(solve(&position, &Limits::default()), Some(3));
}

#[test]
fn a_quiet_position_has_none() {
    for rule in RULES {
        let position = board(rule, "H8 C3", "A1 O15", Colour::Black);
        let answer = prove_by_threats(&position, &Limits::default()).answer;
        assert_eq!(answer, Answer::None, "{rule:?}");
    }
}

#[test]
fn limits_are_kept() {
    let position = board(Rule::Freestyle, "F8 G8 H9 H10", "A1 A3", Colour::Black);
    for limits in [
        Limits {
            nodes: Some(1),
            ..Limits::default()
        },
        Limits {
            moves: Some(2),
            ..Limits::default()
        },
        Limits {
            time: Some(Duration::ZERO),
            ..Limits::default()
        },
        Limits {
            until: Some(Instant::now()),
            ..Limits::default()
        },
    ] {
        let answer = prove_by_threats(&position, &limits).answer;
        assert_eq!(answer, Answer::Unknown, "{limits:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Every proof holds against every legal defence.
    #[test]
    fn proofs_hold(
        rule in prop_oneof![Just(Rule::Freestyle), Just(Rule::ExactlyFive), Just(Rule::Renju)],
        size in 8u8..=15,
        stones in proptest::collection::vec((0u8..8, 0u8..8), 8..24),
        black in any::<bool>(),
    ) {
        let board = scattered(rule, size, &stones, black);
        let limits = Limits { nodes: Some(20_000), ..Limits::default() };
        if let Answer::Wins { proof, .. } = prove_by_threats(&board, &limits).answer {
            let checked = proof.check(&board);
            prop_assert!(checked.is_ok(), "{checked:?}\n{board:?}");
        }
    }
}

#[test]
#[ignore = "needs PLYWOOD_ORACLE"]
fn published_wins_by_threats() {
    let problems = collection("gomoku_vct.json");
    // A few take long: what could not be done in this many seconds each is told.
    let seconds = std::env::var("PLYWOOD_SECONDS").ok();
    let seconds = seconds.map_or(1, |text| text.parse().expect("PLYWOOD_SECONDS is a number"));
    let mut times = Vec::new();
    let mut missed = Vec::new();
    for case in problems["positions"].as_array().expect("positions") {
        if case["renju"]["win"] != true {
            continue;
        }
        let board = set_up(Rule::Renju, case, side_to_move(case));
        // Any win: that it is the shortest would take longer.
        let limits = Limits {
            any: true,
            time: Some(Duration::from_secs(seconds)),
            ..Limits::default()
        };
        let start = Instant::now();
        let solution = prove_by_threats(&board, &limits);
        let time = start.elapsed();
        let Answer::Wins { proof, shortest } = solution.answer else {
            println!(
                "{} {time:?} nodes {} not solved",
                case["id"], solution.nodes
            );
            missed.push(case["id"].to_string());
            continue;
        };
        proof
            .check(&board)
            .unwrap_or_else(|error| panic!("{error}: {case}"));
        println!(
            "{} {time:?} nodes {} length {} (shortest: {shortest}, published {}) size {}",
            case["id"],
            solution.nodes,
            proof.length(),
            case["renju"]["quintet_attacker_moves"],
            proof.first.size(),
        );
        times.push(time);
    }
    times.sort();
    println!(
        "{} positions, median {:?}, worst {:?}",
        times.len(),
        times[times.len() / 2],
        times.last().expect("some")
    );
    println!("not solved in {seconds} s: {missed:?}");
    assert_eq!(times.len() + missed.len(), 71);
    // How many depends on the machine. Most take a few hundredths of a second.
    assert!(times.len() >= 20, "not solved: {missed:?}");
}
