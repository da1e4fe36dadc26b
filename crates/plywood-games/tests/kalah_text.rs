//! How Kalah is written: examples of texts, errors and drawings.

use plywood::{Game, Seat};
use plywood_games::kalah::{Kalah, Pit};
use plywood_games::{Notation, Style};

#[test]
fn the_start_as_text() {
    let game = Kalah::default();
    let text = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> s";
    assert_eq!(game.write_state(&game.start()), text);
    for same in [
        "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>",
        "  < 6, 0,0,4,4,4,4,4,4,4,4,4,4,4,4 >South ",
    ] {
        assert_eq!(game.read_state(same), Ok(game.start()), "{same}");
    }
    let north = game
        .read_state("<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> n")
        .expect("a board");
    assert_eq!(north.mover(), Seat::SECOND);
}

#[test]
fn what_is_wrong_with_a_board() {
    let game = Kalah::default();
    for (text, message) in [
        (
            "4,4",
            "'4,4' is not a Kalah board: write <pits,store,store,South's pits,North's pits> \
             and s or n, as in <6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> s",
        ),
        (
            "<4,0,0,1,1,1,1,1,1,1,1>",
            "a board of 4 pits a side: this game has 6",
        ),
        (
            "<6,0,0,4>",
            "4 numbers in the board: 6 pits a side take 15, which are pits, two stores, \
             South's pits, North's pits",
        ),
        (
            "<6,0,0,4,4,4,4,x,4,4,4,4,4,4,4>",
            "'x' is not a number of stones: each number in a board is 0 to 255",
        ),
        (
            "<6,0,0,4,4,4,4,+4,4,4,4,4,4,4,4>",
            "'+4' is not a number of stones: each number in a board is 0 to 255",
        ),
        (
            "<6,0,0,4,4,4,4,99999999999999999999999999,4,4,4,4,4,4,4>",
            "'999999999999999999999999…' is not a number of stones: each number in a board \
             is 0 to 255",
        ),
        (
            "<6,200,0,40,4,4,4,4,4,4,4,4,4,4,4>",
            "284 stones in all: a board holds at most 255",
        ),
        (
            "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> x",
            "'x' is not a side to move: s or n follows the board",
        ),
    ] {
        let error = game.read_state(text).expect_err(text);
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn moves_by_letter_and_number() {
    let game = Kalah::default();
    let south = game
        .read_state("<6,0,0,4,4,0,4,4,4,4,4,4,4,4,4> s")
        .expect("a board");
    let north = game
        .read_state("<6,0,0,4,4,0,4,4,4,4,4,4,4,4,4> n")
        .expect("a board");
    assert_eq!(game.write_move(&south, Pit::new(0)), "A");
    assert_eq!(game.write_move(&north, Pit::new(0)), "G");
    assert_eq!(game.write_move(&north, Pit::new(5)), "L");
    assert_eq!(game.read_move(&south, "f"), Ok(Pit::new(5)));
    assert_eq!(game.read_move(&north, " l "), Ok(Pit::new(5)));
    assert_eq!(game.read_move(&north, "1"), Ok(Pit::new(0)));
    let message = |position, text: &str| {
        game.read_move(position, text)
            .expect_err("not a legal move")
            .to_string()
    };
    assert_eq!(
        message(&north, "A"),
        "'A' is South's pit: North is to move and plays G-L"
    );
    assert_eq!(
        message(&south, "c"),
        "'c' is empty: choose a pit with stones"
    );
    assert_eq!(
        message(&south, "3"),
        "'3' is empty: choose a pit with stones"
    );
    for junk in ["", "AB", "7", "0", "é", "Z"] {
        assert_eq!(
            message(&south, junk),
            format!(
                "'{junk}' is not a pit: South plays A-F, or 1-6 counted from the pit \
                 farthest from South's store"
            )
        );
    }
    let over = game
        .read_state("<6,24,20,0,0,0,0,0,0,1,1,1,1,0,0> s")
        .expect("a board");
    assert_eq!(
        message(&over, "A"),
        "the game is over: there is no move to make"
    );
    assert_eq!(game.result_text(&over), "South 24, North 24: a draw");
}

#[test]
fn a_drawing() {
    let game = Kalah::standard(3, 4).expect("valid rules");
    let position = game.read_state("<3,12,0,1,2,3,4,5,6> n").expect("a board");
    let expected = [
        "             F    E    D",
        "          +----+----+----+",
        "          |  6 |  5 |  4 |",
        "North  0  |              | 12  South",
        "          |  1 |  2 |  3 |",
        "          +----+----+----+",
        "             A    B    C",
        "North to move\n",
    ]
    .join("\n");
    assert_eq!(game.draw(&position, Style::Plain), expected);
}

#[test]
fn results_name_the_winner() {
    let game = Kalah::standard(1, 4).expect("valid rules");
    let result = |text| {
        let position = game.read_state(text).expect("a board");
        assert_eq!(game.turn(&position), plywood::Turn::Over);
        game.result_text(&position)
    };
    assert_eq!(result("<1,5,1,0,2> s"), "South 5, North 3: South wins by 2");
    assert_eq!(result("<1,1,5,2,0> s"), "South 3, North 5: North wins by 2");
    assert_eq!(game.seat_name(Seat::SECOND), "North");
}

#[test]
fn the_second_benchmark_board() {
    let game = Kalah::standard(6, 6).expect("valid rules");
    let position = game.far_ahead().expect("six pits");
    assert_eq!(
        game.write_state(&position),
        "<6,32,18,1,2,7,4,0,1,1,0,2,1,1,2> s"
    );
    assert!(
        Kalah::standard(5, 6)
            .expect("valid rules")
            .far_ahead()
            .is_none()
    );
}
