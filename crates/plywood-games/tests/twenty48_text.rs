//! How 2048 is written: examples of texts, errors and drawings.

use plywood::Game;
use plywood_games::twenty48::{Direction, Move, Twenty48};
use plywood_games::{Notation, Style};

const BOARD: &str = "128,32,8,8/2,8,.,2/4,2,.,./.,.,4,.";

#[test]
fn positions_as_text() {
    let game = Twenty48::new();
    for text in [
        BOARD.to_owned(),
        format!("{BOARD} score=1024"),
        format!("{BOARD} score=1024 chance"),
        format!("{BOARD} chance"),
        "131072,65536,32768,16384/.,.,.,./.,.,.,./.,.,.,2".to_owned(),
    ] {
        let position = game.read_state(&text).expect(&text);
        assert_eq!(game.write_state(&position), text);
    }
    let loose = format!("  {} chance  score=7", BOARD.replace('.', "0"));
    let position = game.read_state(&loose).expect("a board");
    assert_eq!(
        game.write_state(&position),
        format!("{BOARD} score=7 chance")
    );
    assert_eq!(
        game.read_state(".,.,.,./.,.,.,./.,.,.,./.,.,.,."),
        Ok(game.start())
    );
}

/// Slides add to the largest score there can be, and are still read.
#[test]
fn the_largest_score_can_be_played_on_with() {
    let game = Twenty48::new();
    for (board, most) in [
        ("2,2,.,./.,.,.,./.,.,.,./.,.,.,.", 1_000_000_000),
        ("2,2,.,./4,4,.,./.,.,.,./.,.,.,.", 1_000_000_008),
        ("65536,65536,.,./.,.,.,./2,2,4,./.,.,.,.", 1_001_966_084),
    ] {
        let more = game.read_state(&format!("{board} score={}", most + 1));
        let error = more.expect_err("too large").to_string();
        assert!(error.contains(&format!("0 to {most} ")), "{error}");
        let mut position = game
            .read_state(&format!("{board} score={most}"))
            .expect("the largest score");
        for word in ["left", "d4=4", "right"] {
            let mv = game.read_move(&position, word).expect("legal");
            game.play(&mut position, mv);
            let text = game.write_state(&position);
            assert_eq!(game.read_state(&text), Ok(position), "{text}");
        }
    }
}

#[test]
fn what_is_wrong_with_a_board() {
    let game = Twenty48::new();
    for (text, message) in [
        (
            "",
            "1 rows in '': a board is 4 rows separated by /, as in \
             128,32,8,8/2,8,.,2/4,2,.,./.,.,4,.",
        ),
        (
            ".,.,.,./.,.,./.,.,.,./.,.,.,.",
            "3 cells in row 2 '.,.,.': a row is 4 tiles separated by commas, . if empty",
        ),
        (
            ".,.,.,./.,3,.,./.,.,.,./.,.,.,.",
            "'3' is not a tile: a tile is 2, 4, 8 and so on up to 131072, an empty cell is .",
        ),
        (
            ".,.,.,./.,1,.,./.,.,.,./.,.,.,.",
            "'1' is not a tile: a tile is 2, 4, 8 and so on up to 131072, an empty cell is .",
        ),
        (
            ".,.,.,./.,262144,.,./.,.,.,./.,.,.,.",
            "'262144' is not a tile: a tile is 2, 4, 8 and so on up to 131072, an empty cell \
             is .",
        ),
        (
            ".,.,.,./.,2,.,./.,.,.,./.,.,.,. score=9999999999",
            "'9999999999' is not a score: a score is 0 to 1000000000 with these tiles",
        ),
        (
            ".,.,.,./.,2,.,./.,.,.,./.,.,.,. score=1 score=2",
            "'score=2' after the board: only score=NUMBER and chance may follow, each once",
        ),
        (
            "2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,2 chance",
            "chance on a full board: a new tile needs an empty cell",
        ),
    ] {
        let error = game.read_state(text).expect_err(text);
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn moves_as_text() {
    let game = Twenty48::new();
    let position = game
        .read_state("2,4,.,./.,.,.,./.,.,.,./.,.,.,.")
        .expect("a board");
    for text in ["right", "R", " Right "] {
        assert_eq!(
            game.read_move(&position, text),
            Ok(Move::Slide(Direction::Right))
        );
    }
    let message = |position, text: &str| {
        game.read_move(position, text)
            .expect_err("not a legal move")
            .to_string()
    };
    assert_eq!(
        message(&position, "up"),
        "up moves no tile: legal now is down, right"
    );
    assert_eq!(
        message(&position, "b3=2"),
        "'b3=2' is not a slide: the player is to move, legal now is down, right"
    );
    let chance = game
        .read_state("2,4,.,./.,.,.,./.,.,.,./.,.,.,. chance")
        .expect("a board");
    let mv = game.read_move(&chance, "B3=4").expect("a legal tile");
    assert_eq!(game.write_move(&chance, mv), "b3=4");
    assert_eq!(
        message(&chance, "b1=2"),
        "b1 is taken: a new tile comes on an empty cell"
    );
    for junk in ["", "left", "e1=2", "a5=2", "a1=8", "é1=2"] {
        assert_eq!(
            message(&chance, junk),
            format!(
                "'{junk}' is not a new tile: write a cell a1 to d4 (row 1 on top) and its tile \
                 2 or 4, as in b3=2"
            )
        );
    }
    let over = game
        .read_state("2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,512 score=88")
        .expect("a board");
    assert_eq!(message(&over, "up"), "the game is over: no tile can move");
    assert_eq!(game.result_text(&over), "score 88, largest tile 512");
}

#[test]
fn a_drawing() {
    let game = Twenty48::new();
    let position = game
        .read_state("128,32,8,8/2,8,.,2/4,2,.,./.,.,131072,1024 score=55 chance")
        .expect("a board");
    let expected = [
        "       a        b        c        d",
        "  +--------+--------+--------+--------+",
        "1 |   128  |   32   |    8   |    8   |",
        "  +--------+--------+--------+--------+",
        "2 |    2   |    8   |        |    2   |",
        "  +--------+--------+--------+--------+",
        "3 |    4   |    2   |        |        |",
        "  +--------+--------+--------+--------+",
        "4 |        |        | 131072 |  1024  |",
        "  +--------+--------+--------+--------+",
        "score 55, a new tile is to come\n",
    ]
    .join("\n");
    assert_eq!(game.draw(&position, Style::Plain), expected);
}
