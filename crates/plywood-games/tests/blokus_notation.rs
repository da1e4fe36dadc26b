//! Texts of positions and moves: what is written, what is accepted, and what errors say.

use plywood_games::blokus::{Classic, Duo};
use plywood_games::{Notation, Style};

#[test]
fn the_start_is_written_in_full() {
    let game = Classic::new();
    assert_eq!(game.write_state(&game.start()), "turn=B B=- Y=- R=- G=-");
    assert_eq!(game.read_state("start"), Ok(game.start()));
    let duo = Duo::new();
    assert_eq!(duo.write_state(&duo.start()), "turn=B B=- W=-");
}

#[test]
fn cells_of_a_move_come_in_any_order_and_case() {
    let game = Classic::new();
    let mv = game.read_move(&game.start(), "b19,A20,a19").expect("legal");
    assert_eq!(game.write_move(&game.start(), mv), "a20,a19,b19");
}

#[test]
fn wrong_moves_are_explained() {
    let game = Classic::new();
    let state = game
        .read_state("turn=B B=a20,b20 Y=t20/s19,r19 R=t1 G=a1,b1,c1")
        .expect("a position");
    for (text, reason) in [
        ("", "'' is not a cell from a1 to t20"),
        ("u1", "'u1' is not a cell from a1 to t20"),
        ("a0", "'a0' is not a cell from a1 to t20"),
        ("a21", "'a21' is not a cell from a1 to t20"),
        ("a+1", "'a+1' is not a cell from a1 to t20"),
        ("é1", "'é1' is not a cell from a1 to t20"),
        ("c19,", "'' is not a cell from a1 to t20"),
        ("c19,c19", "cell c19 is named twice in 'c19,c19'"),
        (
            "c19,c17",
            "the cells 'c19,c17' do not have the form of one of the 21 pieces",
        ),
        (
            "c19,c18",
            "c19,c18 is not legal: Blue has placed the piece 2 already",
        ),
        (
            "c20",
            "c20 is not legal: c20 is beside a cell of Blue itself",
        ),
        ("t20", "t20 is not legal: t20 is taken"),
        ("h8", "h8 does not touch a cell of Blue at a corner"),
    ] {
        let error = game.read_move(&state, text).expect_err(text);
        assert_eq!(error.to_string(), reason);
    }
    let error = game.read_move(&game.start(), "b20").expect_err("not a20");
    assert_eq!(
        error.to_string(),
        "the first piece of Blue must cover a20, which b20 does not"
    );
}

#[test]
fn wrong_positions_are_explained() {
    let game = Classic::new();
    for (text, reason) in [
        ("", "the field B= with the placements of Blue is missing"),
        ("B=- Y=- R=- G=-", "the field turn= is missing"),
        (
            "turn=W B=- Y=- R=- G=-",
            "turn='W' is not the sign of a colour, one of BYRG, or - for a finished game",
        ),
        (
            "turn=B B=- Y=- R=- G=- W=-",
            "'W=-' is not a field of a position: they are turn=, out=, single=, corners= and \
             one of BYRG with =",
        ),
        ("turn=B B=- B=- Y=- R=- G=-", "the field B= is there twice"),
        (
            "turn=B B= Y=- R=- G=-",
            "the field 'B' needs = and a value, - for none",
        ),
        (
            "turn=Y B=a20/b19 Y=- R=- G=-",
            "b19 cannot be placed: Blue has placed the piece 1 already",
        ),
        (
            "turn=Y B=a20,b20/b20,c20,d20 Y=- R=- G=-",
            "b20,c20,d20 cannot be placed: b20 is taken",
        ),
        (
            "turn=Y B=a20,b20,a19,b19/b19 Y=- R=- G=-",
            "b19 cannot be placed: b19 is taken",
        ),
        (
            "turn=R B=a20 Y=t20,s20/r19/t20,t19,t18 R=- G=-",
            "t20,t19,t18 cannot be placed: t20 is taken",
        ),
        (
            "turn=Y B=a20,b20/c19,c18,c17/c20 Y=- R=- G=-",
            "c20 cannot be placed: c20 is beside a cell of Blue itself",
        ),
        (
            "turn=Y B=b20 Y=- R=- G=-",
            "the first piece of Blue must cover a20, which b20 does not",
        ),
        (
            "turn=Y B=a20/d4,e4 Y=- R=- G=-",
            "d4,e4 does not touch a cell of Blue at a corner",
        ),
        (
            "turn=- B=- Y=- R=- G=-",
            "Blue is said to be out but can move",
        ),
        (
            "turn=B B=- Y=- R=- G=- out=G",
            "Green is said to be out but can move",
        ),
        (
            "turn=B B=- Y=- R=- G=- out=GG",
            "out='GG' does not name colours, each once, by the signs BYRG",
        ),
        (
            "turn=Y B=a20 Y=- R=- G=- single=B",
            "single=B is for a colour that has placed all pieces, and Blue has not",
        ),
        (
            "turn=Y B=a20 Y=- R=- G=- corners=1,1,1",
            "corners='1,1,1' is not a number for each colour, here 1 to 1, 1 to 1, 1 to 1, 1 \
             to 1",
        ),
    ] {
        let error = game.read_state(text).expect_err(text);
        assert_eq!(error.to_string(), reason, "{text}");
    }
    let error = Duo::new()
        .read_state("turn=B B=e10,e9/f8 W=j5,j6,j7/f8,g8")
        .expect_err("two colours on one cell");
    assert_eq!(error.to_string(), "f8,g8 cannot be placed: f8 is taken");
    let error = Duo::new()
        .read_state("turn=B B=e10,e9/f8 W=j5,j6,j7,i7/h8,g8,f8")
        .expect_err("two colours on one cell");
    assert_eq!(error.to_string(), "f8,g8,h8 cannot be placed: f8 is taken");
}

#[test]
fn the_drawing_shows_cells_points_and_turn() {
    let game = Duo::new();
    let state = game
        .read_state("turn=W B=e10,f10,e9 W=-")
        .expect("a position");
    let drawing = game.draw(&state, Style::Plain);
    let lines: Vec<_> = drawing.lines().collect();
    assert_eq!(lines[4], "10 . . . . B B . . . . . . . .");
    assert_eq!(lines[9], " 5 . . . . . . . . . * . . . .");
    assert_eq!(lines[14], "   a b c d e f g h i j k l m n");
    assert!(lines[15].starts_with("  B Black    3 points, in hand F"));
    assert!(lines[16].starts_with("> W White    0 points, in hand F"));
    assert_eq!(game.result_text(&state), "Black 3, White 0: Black wins");
}
