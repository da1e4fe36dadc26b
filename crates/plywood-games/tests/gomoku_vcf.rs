//! Wins by fours: known ones, none where there is none, and against a plain search.

mod gomoku_problems;

use std::time::Instant;

use gomoku_problems::{board, collection, listed, rule_named, scattered, set_up, side_to_move};
use plywood_games::gomoku::patterns::{Class, PatternBoard};
use plywood_games::gomoku::threat_search::{Answer, Limits, prove_by_fours};
use plywood_games::gomoku::{Colour, Point, Rule};
use proptest::prelude::*;

/// The moves of the shortest win by fours, by trying everything.
fn plain(board: &mut PatternBoard, most: u32) -> Option<u32> {
    let attacker = board.to_move();
    if board.count(attacker, Class::Five) > 0 {
        return Some(1);
    }
    if most < 2 {
        return None;
    }
    let mut best = None;
    for point in board.empty_points().iter() {
        if !board.is_allowed(attacker, point) {
            continue;
        }
        board.play(point);
        let fives: Vec<Point> = board.points(attacker, Class::Five).iter().collect();
        let defender = attacker.other();
        let length = if fives.is_empty() || board.count(defender, Class::Five) > 0 {
            None
        } else if fives.len() > 1 || !board.is_allowed(defender, fives[0]) {
            Some(2)
        } else {
            board.play(fives[0]);
            let rest = plain(board, best.unwrap_or(most + 1).min(most) - 1);
            board.undo();
            rest.map(|rest| rest + 1)
        };
        board.undo();
        if let Some(length) = length {
            best = Some(best.map_or(length, |best: u32| best.min(length)));
        }
    }
    best
}

fn length(board: &PatternBoard) -> Option<u32> {
    match prove_by_fours(board, &Limits::default()).answer {
        Answer::Wins { proof, shortest } => {
            assert!(shortest);
            proof.check(board).expect("a proof");
            Some(proof.length())
        }
        Answer::None => None,
        Answer::Unknown => panic!("there was no limit"),
    }
}

#[test]
fn five_and_open_four() {
    for rule in [Rule::Freestyle, Rule::ExactlyFive, Rule::Renju] {
        let four = board(rule, "H8 H9 H10 H11", "H7 G7 G8", Colour::Black);
        assert_eq!(length(&four), Some(1));
        let three = board(rule, "H8 H9 H10", "G7 G8 G9", Colour::Black);
        assert_eq!(length(&three), Some(2));
        let closed = board(rule, "H8 H9 H10", "H7 H12 G9", Colour::Black);
        assert_eq!(length(&closed), None);
        // White has a four already: it must be stopped, and that does not make one.
        let late = board(rule, "H8 H9 H10 A1", "A5 B5 C5 D5", Colour::Black);
        assert_eq!(length(&late), None);
    }
}

#[test]
fn two_fours_cross() {
    let (black, white) = ("E8 F8 G8 H9 H10 H11", "D8 H12 A1 A3 A5 A7");
    for rule in [Rule::Freestyle, Rule::ExactlyFive] {
        assert_eq!(length(&board(rule, black, white, Colour::Black)), Some(2));
    }
    // In renju that point is forbidden, and no other helps.
    assert_eq!(
        length(&board(Rule::Renju, black, white, Colour::Black)),
        None
    );
    // White may do so.
    assert_eq!(
        length(&board(Rule::Renju, white, black, Colour::White)),
        Some(2)
    );
}

#[test]
fn a_stop_that_is_forbidden_stops_nothing() {
    // White's four at D5 can only be stopped at E5, where black would have an overline.
    let black = "E2 E3 E4 E6 E7 F8";
    let white = "A5 B5 C5 A9 C9 E9";
    assert_eq!(
        length(&board(Rule::Renju, black, white, Colour::White)),
        Some(2)
    );
    assert_eq!(
        length(&board(Rule::ExactlyFive, black, white, Colour::White)),
        None
    );
}

#[test]
fn limits_are_kept() {
    let board = board(Rule::Freestyle, "H8 H9 H10", "G7 G8 G9", Colour::Black);
    let limits = Limits {
        moves: Some(1),
        ..Limits::default()
    };
    assert_eq!(prove_by_fours(&board, &limits).answer, Answer::Unknown);
    let limits = Limits {
        nodes: Some(0),
        ..Limits::default()
    };
    assert_eq!(prove_by_fours(&board, &limits).answer, Answer::Unknown);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn as_trying_everything(
        rule in prop_oneof![Just(Rule::Freestyle), Just(Rule::ExactlyFive), Just(Rule::Renju)],
        size in 7u8..=9,
        stones in proptest::collection::vec((0u8..9, 0u8..9), 8..22),
        black in any::<bool>(),
    ) {
        let board = scattered(rule, size, &stones, black);
        let most = 5;
        let expected = plain(&mut board.clone(), most);
        let found = length(&board);
        if expected.is_some() || found.is_some_and(|found| found <= most) {
            prop_assert_eq!(found, expected);
        }
    }
}

#[test]
#[ignore = "needs PLYWOOD_ORACLE"]
fn published_wins_by_fours() {
    let problems = collection("gomoku_vcf.json");
    let problems = problems["positions"].as_array().expect("positions");
    assert_eq!(problems.len(), 110);
    let mut times = Vec::new();
    for case in problems {
        let rule = rule_named(case["rule"].as_str().expect("a rule"));
        let board = set_up(rule, case, side_to_move(case));
        let start = Instant::now();
        let solution = prove_by_fours(&board, &Limits::default());
        times.push((start.elapsed(), case["id"].to_string()));
        match solution.answer {
            Answer::Wins { proof, .. } => {
                assert_eq!(case["has_vcf"], true, "{case}");
                assert_eq!(case["shortest_len"], proof.length(), "{case}");
                let first = listed(case, "shortest_first_moves");
                assert!(first.contains(&proof.first.point), "{case}");
                proof
                    .check(&board)
                    .unwrap_or_else(|error| panic!("{error}: {case}"));
            }
            Answer::None => assert_eq!(case["has_vcf"], false, "{case}"),
            Answer::Unknown => panic!("no limit was given: {case}"),
        }
    }
    times.sort();
    let (median, worst) = (&times[times.len() / 2], times.last().expect("some"));
    println!(
        "{} positions, median {:?}, worst {:?}",
        times.len(),
        median.0,
        worst
    );
}
