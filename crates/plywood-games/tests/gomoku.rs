//! Gomoku's rules, notation, drawing and the figures of the report.

mod gomoku_reference;

use gomoku_reference::Grid;
use plywood::{Evaluate, Game, Moves, Seat, Turn, perft};
use plywood_games::gomoku::{
    Candidates, Colour, Forbidden, Gomoku, Point, Position, Report, Rule, Settings,
};
use plywood_games::{Notation, Style};

fn game(rule: Rule) -> Gomoku {
    Gomoku::new(Settings {
        rule,
        ..Settings::default()
    })
    .expect("valid settings")
}

fn points(text: &str) -> Vec<Point> {
    text.split_whitespace()
        .map(|word| Point::parse(word).expect("a point"))
        .collect()
}

fn board(game: &Gomoku, black: &str, white: &str, to_move: Colour) -> Position {
    game.set_up(&points(black), &points(white), to_move)
        .expect("a position")
}

fn moves_of(game: &Gomoku, state: &Position) -> Vec<Point> {
    let mut list = Vec::new();
    game.moves(state, &mut Moves::new(&mut list));
    list
}

#[test]
fn settings_are_checked() {
    let with = |size, distance, corner| {
        Gomoku::new(Settings {
            size,
            candidates: Candidates::Near(distance),
            corner,
            ..Settings::default()
        })
        .map_err(|error| error.to_string())
        .err()
    };
    assert_eq!(with(5, 1, Some(1)), None);
    assert_eq!(with(20, 255, Some(20)), None);
    assert_eq!(
        with(4, 1, None).as_deref(),
        Some("a Gomoku board has 5 to 20 rows and columns, not 4")
    );
    assert!(with(21, 1, None).is_some());
    assert!(with(15, 0, None).is_some());
    assert_eq!(
        with(15, 1, Some(16)).as_deref(),
        Some("the corner that is played on has 1 to 15 rows and columns on this board, not 16")
    );
    assert!(with(15, 1, Some(0)).is_some());
}

#[test]
fn what_wins_depends_on_the_rule() {
    // Four and one in a row with a gap: the gap makes six.
    for (rule, black_wins, white_wins) in [
        (Rule::Freestyle, true, true),
        (Rule::ExactlyFive, false, false),
        (Rule::Renju, false, true),
    ] {
        let game = game(rule);
        let mut state = board(&game, "A1 B1 C1 D1 F1", "A9 B9 C9 D9 F9", Colour::Black);
        let gap = Point::parse("E1").expect("a point");
        if rule == Rule::Renju {
            assert_eq!(game.forbidden(&state, gap), Some(Forbidden::Overline));
            assert!(!moves_of(&game, &state).contains(&gap));
        } else {
            game.play(&mut state, gap);
            assert_eq!(
                state.winner() == Some(Colour::Black),
                black_wins,
                "{rule:?}"
            );
        }
        let mut state = board(&game, "A1 B1 C1 D1 F1", "A9 B9 C9 D9 F9", Colour::White);
        game.play(&mut state, Point::parse("E9").expect("a point"));
        assert_eq!(
            state.winner() == Some(Colour::White),
            white_wins,
            "{rule:?}"
        );
        // Exactly five wins for everybody.
        let mut state = board(&game, "A1 B1 C1 D1", "A9 B9 C9 D9", Colour::Black);
        game.play(&mut state, Point::parse("E1").expect("a point"));
        assert_eq!(state.winner(), Some(Colour::Black));
        assert_eq!(game.turn(&state), Turn::Over);
        assert_eq!(game.outcome(&state), [1, -1]);
    }
}

#[test]
fn five_wins_in_every_direction_and_at_every_edge() {
    for size in [5, 15, 20] {
        for rule in [Rule::Freestyle, Rule::ExactlyFive, Rule::Renju] {
            let game = Gomoku::new(Settings {
                size,
                rule,
                ..Settings::default()
            })
            .expect("valid settings");
            let end = i32::from(size) - 1;
            for (x, y, dx, dy) in [
                (0, 0, 1, 0),
                (0, end, 1, 0),
                (0, 0, 0, 1),
                (end, 0, 0, 1),
                (0, 0, 1, 1),
                (0, end, 1, -1),
                (end - 4, end - 4, 1, 1),
                (end - 4, 4, 1, -1),
            ] {
                let row: Vec<_> = (0..5)
                    .map(|n| Point::new((x + n * dx) as u8, (y + n * dy) as u8))
                    .collect();
                for last in 0..5 {
                    let mut four = row.clone();
                    let point = four.remove(last);
                    for colour in [Colour::Black, Colour::White] {
                        let (black, white) = match colour {
                            Colour::Black => (&four[..], &[][..]),
                            Colour::White => (&[][..], &four[..]),
                        };
                        let mut state = game.set_up(black, white, colour).expect("a position");
                        assert_eq!(state.winner(), None);
                        game.play(&mut state, point);
                        assert_eq!(state.winner(), Some(colour));
                    }
                }
            }
        }
    }
}

#[test]
fn rows_do_not_run_round_the_edge() {
    let game = game(Rule::Freestyle);
    let state = board(&game, "M1 N1 O1 A2 B2", "A14 A15 B1 B3 B4", Colour::Black);
    assert_eq!(state.winner(), None);
}

#[test]
fn a_set_up_win_is_over_and_two_wins_are_refused() {
    let game = game(Rule::Freestyle);
    let state = board(&game, "A1 B1 C1 D1 E1", "", Colour::White);
    assert_eq!(game.turn(&state), Turn::Over);
    assert_eq!(game.result_text(&state), "Black wins with five in a row");
    let both = game.set_up(
        &points("A1 B1 C1 D1 E1"),
        &points("A3 B3 C3 D3 E3"),
        Colour::Black,
    );
    assert!(both.is_err());
}

#[test]
fn the_first_stone_goes_to_the_centre_and_the_next_beside_it() {
    let game = game(Rule::Freestyle);
    let mut state = game.start();
    assert_eq!(moves_of(&game, &state), points("H8"));
    game.play(&mut state, Point::new(7, 7));
    assert_eq!(moves_of(&game, &state).len(), 24);
    let report = Gomoku::report();
    let mut state = report.start();
    assert_eq!(moves_of(&report, &state), points("H8"));
    report.play(&mut state, Point::new(7, 7));
    // As the report's own test has it.
    assert_eq!(moves_of(&report, &state).len(), 8);
    assert_eq!(moves_of(&report, &state), points("G7 H7 I7 G8 I8 G9 H9 I9"));
}

#[test]
fn a_corner_limits_the_moves() {
    let report = Gomoku::report();
    let state = board(&report, "I9", "", Colour::White);
    assert_eq!(moves_of(&report, &state), points("H8 I8 H9"));
    // Nothing near the stones can be played: all of the corner can.
    let state = board(&report, "O15", "", Colour::White);
    assert_eq!(moves_of(&report, &state).len(), 81);
    let error = report.read_move(&state, "J1").expect_err("outside");
    assert_eq!(
        error.to_string(),
        "J1 is outside the corner that is played on, A1 to I9"
    );
    // The centre is not in this corner.
    let small = Gomoku::new(Settings {
        corner: Some(3),
        ..Settings::default()
    })
    .expect("valid settings");
    assert_eq!(moves_of(&small, &small.start()).len(), 9);
}

#[test]
fn a_full_corner_is_a_draw() {
    let game = Gomoku::new(Settings {
        corner: Some(2),
        ..Settings::default()
    })
    .expect("valid settings");
    let state = game.read_state("A1 B1 A2 B2").expect("a position");
    assert_eq!(game.turn(&state), Turn::Over);
    assert_eq!(game.outcome(&state), [0, 0]);
    assert_eq!(
        game.result_text(&state),
        "a draw: there is no empty point left"
    );
    assert_eq!(Report.finished(&game, &state), [0, 0]);
}

#[test]
fn black_with_forbidden_points_only_has_drawn() {
    let game = Gomoku::new(Settings {
        size: 7,
        rule: Rule::Renju,
        ..Settings::default()
    })
    .expect("valid settings");
    // The one empty point, D4, would make seven in a row.
    let text = "oxoxoxo/xoxoxox/oxoxoxo/xxx1xxx/oxoxoxo/xoxoxox/oxoxoxo b";
    let state = game.read_state(text).expect("a position");
    assert_eq!(state.winner(), None);
    assert_eq!(game.turn(&state), Turn::Over);
    assert_eq!(game.outcome(&state), [0, 0]);
    assert_eq!(
        game.result_text(&state),
        "a draw: every point that is left is forbidden to Black"
    );
    // White may play there; so may black who has another point, far away or not.
    let state = game
        .read_state(&text.replace(" b", " w"))
        .expect("a position");
    assert_eq!(moves_of(&game, &state), points("D4"));
    let text = "1xoxoxo/xoxoxox/oxoxoxo/xxx1xxx/oxoxoxo/xoxoxox/oxoxoxo b";
    let state = game.read_state(text).expect("a position");
    assert_eq!(moves_of(&game, &state), points("A7"));
}

#[test]
fn far_points_are_listed_if_all_near_ones_are_forbidden() {
    let game = Gomoku::new(Settings {
        rule: Rule::Renju,
        candidates: Candidates::Near(1),
        corner: Some(9),
        ..Settings::default()
    })
    .expect("valid settings");
    // I9 is the only point of the corner next to a stone, and would make seven in a row.
    let six = "J10 K11 L12 M13 N14 O15";
    let state = board(&game, six, "", Colour::Black);
    let near = Point::new(8, 8);
    assert_eq!(game.forbidden(&state, near), Some(Forbidden::Overline));
    let moves = moves_of(&game, &state);
    assert_eq!(moves.len(), 80);
    assert!(!moves.contains(&near));
    assert_eq!(
        moves_of(&game, &board(&game, six, "", Colour::White)),
        [near]
    );
}

#[test]
fn the_reports_figures() {
    let figures: serde_json::Value =
        serde_json::from_str(include_str!("data/gomoku_report.json")).expect("figures");
    let game = Gomoku::report();
    for name in ["serial", "no_map"] {
        let mut state = game.start();
        game.play(&mut state, Point::new(7, 7));
        let values = figures[name]["values"].as_array().expect("values");
        let moves = figures[name]["moves"].as_array().expect("moves");
        assert_eq!((moves.len(), values.len()), (10, 10));
        for (mv, value) in moves.iter().zip(values) {
            let at = |index: usize| mv[index].as_u64().expect("a number") as u8;
            let point = Point::new(at(0), at(1));
            assert!(moves_of(&game, &state).contains(&point));
            game.play(&mut state, point);
            let black = value.as_i64().expect("a number") as i32;
            assert_eq!(
                Report.evaluate(&game, &state),
                [black, -black],
                "{name} {point}"
            );
        }
    }
    let value = |black: &str| {
        let state = board(&game, black, "", Colour::White);
        match game.turn(&state) {
            Turn::Over => Report.finished(&game, &state)[0],
            _ => Report.evaluate(&game, &state)[0],
        }
    };
    assert_eq!(value("E5 F5"), 200);
    assert_eq!(value("E5 F5 G5"), 1000);
    assert_eq!(value("E5 F5 G5 H5"), 2_000_000);
    assert_eq!(value("E5 F5 G5 H5 I5"), 2_000_000_000);
    assert_eq!(value("E5 F5 G5 H5 I5 J5"), 0);
    // An overline at the edge is no five either.
    assert_eq!(value("A5 B5 C5 D5 E5 F5"), 0);
    let won = board(&game, "", "E5 F5 G5 H5 I5", Colour::Black);
    assert_eq!(
        Report.finished(&game, &won),
        [-1_000_000_000, 1_000_000_000]
    );
}

#[test]
fn perft_is_as_counted_by_the_reference() {
    for (rule, size, distance, depth) in [
        (Rule::Freestyle, 15, 1, 4),
        (Rule::Freestyle, 15, 2, 3),
        (Rule::ExactlyFive, 5, 2, 4),
        (Rule::Renju, 9, 1, 4),
    ] {
        let settings = Settings {
            size,
            rule,
            candidates: Candidates::Near(distance),
            corner: None,
        };
        let game = Gomoku::new(settings).expect("valid settings");
        for depth in 1..=depth {
            let expected = Grid::empty(settings).perft(Colour::Black, depth);
            assert_eq!(
                perft(&game, &game.start(), depth),
                expected,
                "{settings:?} {depth}"
            );
        }
    }
    // Fives and overlines on the way.
    for rule in [Rule::Freestyle, Rule::ExactlyFive, Rule::Renju] {
        let settings = Settings {
            rule,
            candidates: Candidates::Near(1),
            ..Settings::default()
        };
        let game = Gomoku::new(settings).expect("valid settings");
        let state = board(
            &game,
            "E5 F5 G5 H5 J5 F6 F7 G7",
            "E9 F9 G9 I9 J9 H10 H11 H12",
            Colour::Black,
        );
        let mut grid = Grid::of(&game, &state);
        for depth in 1..=3 {
            let expected = grid.perft(Colour::Black, depth);
            assert_eq!(perft(&game, &state, depth), expected, "{rule:?} {depth}");
        }
    }
}

#[test]
fn known_perft() {
    // Freestyle, 15x15, moves next to stones; counted once by the reference, which takes far longer.
    let game = Gomoku::new(Settings {
        candidates: Candidates::Near(1),
        ..Settings::default()
    })
    .expect("valid settings");
    for (depth, count) in [(5, 19_280), (6, 354_160)] {
        assert_eq!(perft(&game, &game.start(), depth), count);
    }
}

#[test]
fn positions_are_written_as_rows() {
    let game = Gomoku::new(Settings {
        size: 5,
        ..Settings::default()
    })
    .expect("valid settings");
    assert_eq!(game.write_state(&game.start()), "5/5/5/5/5 b");
    let state = game.read_state("C3 b2 A5").expect("a list of moves");
    assert_eq!(game.write_state(&state), "x4/5/2x2/1o3/5 w A5");
    assert_eq!(game.read_state("X4/5/2x2/1O3/5  W a5").as_ref(), Ok(&state));
    assert_eq!(
        game.read_state("x4/5/2x2/1o3/5 w")
            .map(|state| state.last_move()),
        Ok(None)
    );
    // Any numbers of stones.
    assert!(game.read_state("ooo2/5/5/5/5 w").is_ok());
    assert_eq!(game.seat_name(Seat::FIRST), "Black");
    assert_eq!(game.seat_name(Seat::SECOND), "White");
}

#[test]
fn what_is_wrong_with_a_position_is_said_in_a_line() {
    let game = Gomoku::new(Settings {
        size: 5,
        ..Settings::default()
    })
    .expect("valid settings");
    for (text, message) in [
        (
            "",
            "there is no position: a position is its rows from the top with the colour to move, like 5/5/2x2/5/5 w, or a list of moves, like H8 I9",
        ),
        ("5/5/5/5 b", "there are 4 rows, but the board has 5"),
        ("5/5/5/5/5/5 b", "there are 6 rows, but the board has 5"),
        ("5/5/5/4xo/5 b", "row 2 has more than 5 points"),
        (
            "5/5/99999999999999999999999/5/5 b",
            "row 3 has more than 5 points",
        ),
        (
            "5/5/5/4/5 b",
            "row 2 has 4 points, but the board has 5 columns",
        ),
        (
            "5/5/5//5 b",
            "row 2 has 0 points, but the board has 5 columns",
        ),
        (
            "5/5/5/4ä/5 b",
            "'ä' in row 2 is no part of a row: x is black, o is white, numbers are empty points",
        ),
        (
            "5/5/5/05/5 b",
            "'0' in row 2 is no part of a row: x is black, o is white, numbers are empty points",
        ),
        (
            "5/5/5/5/5",
            "the colour to move is missing after the rows: b or w",
        ),
        ("5/5/5/5/5 x", "\"x\" is no colour to move: it is b or w"),
        (
            "5/5/5/5/5 w C3",
            "\"C3\" is not the last move: it has no stone of the colour that is not to move",
        ),
        (
            "5/5/2x2/5/5 b C3",
            "\"C3\" is not the last move: it has no stone of the colour that is not to move",
        ),
        (
            "5/5/5/5/5 w C3 C4",
            "there are 3 words after the rows: the colour to move and the last move are all there can be",
        ),
        (
            "xxxxx/5/ooooo/5/5 b",
            "both colours have a winning row, which no game reaches",
        ),
        (
            "hello",
            "\"hello\" is not a position: a position is its rows from the top with the colour to move, like 5/5/2x2/5/5 w, or a list of moves, like H8 I9",
        ),
        (
            "C3 C3",
            "move 2: there is a stone on C3 already: a move goes to an empty point",
        ),
        (
            "C3 F1",
            "move 2: F1 is not on the board, which goes from A1 to E5",
        ),
        (
            "C3 nine",
            "move 2: \"nine\" is not a move: a move is a letter and a number, A1 to E5",
        ),
        (
            "A1 A2 B1 B2 C1 C2 D1 D2 E1 E2",
            "move 10: the game is over: there is no move",
        ),
    ] {
        let error = game.read_state(text).expect_err(text).to_string();
        assert_eq!(error, message);
    }
}

#[test]
fn a_forbidden_move_is_refused_with_the_reason() {
    let game = game(Rule::Renju);
    let state = board(&game, "G8 I8 H7 H9", "A1 A3 A5 A7", Colour::Black);
    let error = game.read_move(&state, "H8").expect_err("a double three");
    assert_eq!(
        error.to_string(),
        "H8 is forbidden to black (double three): choose another point"
    );
    // White may play there.
    let state = board(&game, "G8 I8 H7 H9", "A1 A3 A5 A7", Colour::White);
    assert!(game.read_move(&state, "H8").is_ok());
}

#[test]
fn the_board_is_drawn() {
    let game = Gomoku::new(Settings {
        size: 7,
        rule: Rule::Renju,
        ..Settings::default()
    })
    .expect("valid settings");
    let state = game
        .read_state("7/3x3/3x3/1xx4/7/o5o/o5o b A1")
        .expect("a position");
    assert_eq!(
        game.draw(&state, Style::Plain),
        [
            " 7 . . . . . . .\n",
            " 6 . . . X . . .\n",
            " 5 . . . X . . .\n",
            " 4 . X X ! . . .\n",
            " 3 . . . . . . .\n",
            " 2 O . . . . . O\n",
            " 1[O]. . . . . O\n",
            "   A B C D E F G\n",
        ]
        .concat()
    );
    let painted = game.draw(&state, Style::Colour);
    assert!(painted.contains("\x1b[31m!\x1b[0m"));
    assert!(painted.contains("\x1b[1;36mX\x1b[0m"));
}
