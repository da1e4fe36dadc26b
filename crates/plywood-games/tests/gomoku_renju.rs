//! Renju's forbidden points, and forced wins that real players have found.

mod gomoku_reference;

use std::path::PathBuf;

use gomoku_reference::Grid;
use plywood::{Game, Turn};
use plywood_games::Notation;
use plywood_games::gomoku::{Colour, Forbidden, Gomoku, Point, Rule, Settings};
use serde_json::Value;

fn game(rule: Rule, size: u8) -> Gomoku {
    Gomoku::new(Settings {
        rule,
        size,
        ..Settings::default()
    })
    .expect("valid settings")
}

fn points(text: &str) -> Vec<Point> {
    text.split_whitespace()
        .map(|word| Point::parse(word).expect("a point"))
        .collect()
}

/// Asks whether black may play on a point, of the game and of the reference.
#[track_caller]
fn check(black: &str, white: &str, probe: &str, expected: Option<Forbidden>) {
    let game = game(Rule::Renju, 15);
    let state = game
        .set_up(&points(black), &points(white), Colour::Black)
        .expect("a position");
    let point = Point::parse(probe).expect("a point");
    assert_eq!(game.forbidden(&state, point), expected, "{probe}");
    let grid = Grid::of(&game, &state);
    let forbidden = grid.forbidden(point.column().into(), point.row().into());
    assert_eq!(forbidden, expected.is_some(), "the reference on {probe}");
    assert_eq!(game.read_move(&state, probe).is_err(), expected.is_some());
}

#[test]
fn overlines() {
    check("D4 E4 F4 H4 I4", "", "G4", Some(Forbidden::Overline));
    check("A1 B2 C3 E5 F6 G7", "", "D4", Some(Forbidden::Overline));
    // Five in one direction allows everything.
    check("D4 E4 F4 H4 I4 G5 G6 G7 G8", "G9", "G4", None);
    // Six with a white stone between is no overline.
    check("D4 E4 F4 H4 I4", "G5", "G3", None);
}

#[test]
fn double_fours() {
    // Two lines, both closed by white at one end.
    check(
        "E8 F8 G8 H9 H10 H11",
        "D8 H12",
        "H8",
        Some(Forbidden::DoubleFour),
    );
    // The row is blocked on both sides: one four.
    check("E8 F8 G8 H9 H10 H11", "D8 I8 H12", "H8", None);
    // Three lines.
    check(
        "E8 F8 G8 H9 H10 H11 I9 J10 K11",
        "",
        "H8",
        Some(Forbidden::DoubleFour),
    );
    // Two fours in one line: the stones of each have one gap.
    check("E8 G8 I8 K8", "", "H8", Some(Forbidden::DoubleFour));
    check("D8 E8 H8 K8 J8", "", "G8", Some(Forbidden::DoubleFour));
    // Two gaps, but one of the fives would be six.
    check("D8 E8 G8 I8 K8", "", "H8", None);
    // A straight four has two points that win and is one four.
    check("E8 F8 G8", "", "H8", None);
    // A row of four whose five would be six on either side is no four.
    check("E8 F8 G8 C8 J8 H9 H10 H11", "H12", "H8", None);
}

#[test]
fn double_threes() {
    check("G8 I8 H7 H9", "", "H8", Some(Forbidden::DoubleThree));
    check("F8 G8 H9 H11", "", "H8", Some(Forbidden::DoubleThree));
    check("F6 G7 I7 J6", "", "H8", Some(Forbidden::DoubleThree));
    // One of them blocked, by white or by the edge.
    check("F8 G8 H9 H10", "E8", "H8", None);
    check("B8 C8 A9 A10", "", "A8", None);
    check("B8 C8 D9 D10", "", "D8", Some(Forbidden::DoubleThree));
    // Room for a four, but not for a straight one: five cells between white stones.
    check("F8 G8 H9 H10", "D8 J8", "H8", None);
    // A three and a four are allowed.
    check("E8 F8 G8 H9 H10", "D8", "H8", None);
}

#[test]
fn a_three_needs_a_straight_four() {
    // The stones at D8 and L8 make a six of one of the fives of either four.
    check("G8 I8 H7 H9 D8 L8", "", "H8", None);
    // With one far stone only, the four on the other side is straight.
    check("G8 I8 H7 H9 D8", "", "H8", Some(Forbidden::DoubleThree));
}

#[test]
fn a_three_is_false_if_its_fours_are_forbidden() {
    // Without the stones around E8 and I8 this is a double three at H8 ...
    check("F8 G8 H9 H10", "J8", "H8", Some(Forbidden::DoubleThree));
    // ... whose row needs E8 for a straight four; there white leaves black a double four,
    // so the row is no three and H8 is allowed.
    let around = "E9 E10 E11 D7 C6 B5";
    check(
        &format!("F8 G8 H9 H10 {around}"),
        "J8 E12 F9 A4",
        "H8",
        None,
    );
    // Unless E8 is not forbidden because one of the fours is blocked.
    check(
        &format!("F8 G8 H9 H10 {around}"),
        "J8 E12 E7 F9 A4",
        "H8",
        Some(Forbidden::DoubleThree),
    );
}

#[test]
fn a_three_whose_only_four_would_be_an_overline_is_false() {
    // The row F8 G8 H8 becomes straight only at E8, where a column of black stones would be
    // six.
    let column = "E5 E6 E7 E9 E10";
    check(&format!("F8 G8 H9 H10 {column}"), "J8", "H8", None);
    // Five there is a win, not a four: still no three.
    let column = "E6 E7 E9 E10";
    check(&format!("F8 G8 H9 H10 {column}"), "J8", "H8", None);
}

#[test]
fn falseness_goes_two_levels_deep() {
    // H8 makes the row F8 G8 H8, straight at E8 only. E8 makes a double three of the column
    // and the rising diagonal, unless the column's own straight four is forbidden.
    let base = "F8 G8 H9 H10";
    let threes = "E9 E10 D7 C6";
    check(&format!("{base} {threes}"), "J8", "H8", None);
    // The column E8 E9 E10 becomes straight at E7 or E11. White on E6 and a stone that makes
    // E11 an overline leave neither, so E8 is a single three and allowed: H8 is forbidden.
    let overline = "A11 B11 C11 D11 F11";
    check(
        &format!("{base} {threes} {overline}"),
        "J8 E6",
        "H8",
        Some(Forbidden::DoubleThree),
    );
}

// ----- collections that are not part of this repository -----

fn collection(name: &str) -> Value {
    let folder = std::env::var_os("PLYWOOD_ORACLE")
        .expect("PLYWOOD_ORACLE must name the folder with the problem collections");
    let path = PathBuf::from(folder).join(name);
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{} cannot be read: {error}", path.display()));
    serde_json::from_str(&text).expect("a collection in JSON")
}

fn listed(case: &Value, key: &str) -> Vec<Point> {
    case[key]
        .as_array()
        .unwrap_or_else(|| panic!("{key} is missing in {case}"))
        .iter()
        .map(|point| Point::parse(point.as_str().expect("a text")).expect("a point"))
        .collect()
}

#[test]
#[ignore = "needs PLYWOOD_ORACLE"]
fn published_forbidden_points() {
    let game = game(Rule::Renju, 15);
    let cases = collection("gomoku_renju_forbidden.json");
    let cases = cases["cases"].as_array().expect("cases");
    assert_eq!(cases.len(), 23);
    for case in cases {
        let state = game
            .set_up(
                &listed(case, "black"),
                &listed(case, "white"),
                Colour::Black,
            )
            .expect("a position");
        let probe = Point::parse(case["probe"].as_str().expect("a text")).expect("a point");
        let expected = case["forbidden"].as_bool().expect("a yes or no");
        assert_eq!(game.forbidden(&state, probe).is_some(), expected, "{case}");
        let grid = Grid::of(&game, &state);
        let (x, y) = (i32::from(probe.column()), i32::from(probe.row()));
        assert_eq!(grid.forbidden(x, y), expected, "the reference: {case}");
    }
}

fn side_to_move(case: &Value) -> Colour {
    match case["side_to_move"].as_str().expect("a colour") {
        "black" => Colour::Black,
        "white" => Colour::White,
        other => panic!("{other} is no colour"),
    }
}

/// Plays a line of moves from a problem, every one of which must be legal and none of which
/// may come after the end; gives who has won then. `--` stands for a defence that there would
/// be, were it not forbidden.
fn play_line(game: &Gomoku, case: &Value, line: &[Value]) -> Option<Colour> {
    let mut state = game
        .set_up(
            &listed(case, "black"),
            &listed(case, "white"),
            side_to_move(case),
        )
        .expect("a position");
    let mut line = line
        .iter()
        .map(|text| text.as_str().expect("a text"))
        .peekable();
    while let Some(text) = line.next() {
        assert_ne!(game.turn(&state), Turn::Over, "{case}");
        if text == "--" {
            let winning = line.peek().and_then(|text| Point::parse(text));
            let winning = winning.expect("the point that wins");
            assert_eq!(state.to_move(), Colour::Black, "{case}");
            assert!(game.forbidden(&state, winning).is_some(), "{case}");
            game.play_null(&mut state).expect("black has other moves");
            continue;
        }
        let point = game
            .read_move(&state, text)
            .unwrap_or_else(|error| panic!("{error}: {case}"));
        game.play(&mut state, point);
    }
    state.winner()
}

#[test]
#[ignore = "needs PLYWOOD_ORACLE"]
fn published_wins_by_fours_are_legal_and_win() {
    let problems = collection("gomoku_vcf.json");
    let mut played = 0;
    for case in problems["positions"].as_array().expect("positions") {
        let rule = match case["rule"].as_str().expect("a rule") {
            "freestyle" => Rule::Freestyle,
            "standard" => Rule::ExactlyFive,
            "renju" => Rule::Renju,
            other => panic!("{other} is no rule"),
        };
        let size = case["size"].as_u64().expect("a size") as u8;
        if let Some(line) = case["example_pv"].as_array() {
            let winner = play_line(&game(rule, size), case, line);
            assert_eq!(winner, Some(side_to_move(case)), "{case}");
            played += 1;
        }
    }
    assert_eq!(played, 79);
}

#[test]
#[ignore = "needs PLYWOOD_ORACLE"]
fn published_wins_by_threats_are_legal() {
    let problems = collection("gomoku_vct.json");
    let mut played = 0;
    for case in problems["positions"].as_array().expect("positions") {
        let size = case["size"].as_u64().expect("a size") as u8;
        for (name, rule) in [
            ("renju", Rule::Renju),
            ("freestyle", Rule::Freestyle),
            ("standard", Rule::ExactlyFive),
        ] {
            if let Some(line) = case[name]["quintet_pv"].as_array() {
                play_line(&game(rule, size), case, line);
                played += 1;
            }
        }
    }
    assert!(played > 30, "only {played} lines were found");
}
