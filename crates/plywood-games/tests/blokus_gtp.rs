//! Blokus for other programs, in Pentobi's dialect.

use plywood::Game;
use plywood_games::Notation;
use plywood_games::blokus::engine::EngineSettings;
use plywood_games::blokus::gtp::{GtpSettings, Variant, serve};
use plywood_games::blokus::{Classic, Duo};

/// The answers to these lines, each without the empty line behind it.
fn talk(variant: Variant, lines: &str) -> Vec<String> {
    let settings = GtpSettings {
        variant,
        engine: EngineSettings {
            memory: 8 << 20,
            ..EngineSettings::default()
        },
        time: None,
        playouts: Some(40),
    };
    let mut output = Vec::new();
    serve(settings, lines.as_bytes(), &mut output).expect("reading and writing memory");
    let text = String::from_utf8(output).expect("text");
    let answers = text.strip_suffix("\n\n").expect("the end of an answer");
    answers.split("\n\n").map(str::to_owned).collect()
}

#[test]
fn a_game_of_its_own_follows_the_rules_and_ends_with_a_score() {
    let game = Classic::new();
    let mut lines = String::new();
    for _ in 0..22 {
        for colour in 1..=4 {
            lines += &format!("genmove {colour}\n");
        }
    }
    lines += "final_score\nquit\nname\n";
    let answers = talk(Variant::Classic, &lines);
    assert_eq!(answers.len(), 22 * 4 + 2, "nothing is answered after quit");
    let mut state = game.start();
    for (index, answer) in answers[..88].iter().enumerate() {
        let mv = answer.strip_prefix("= ").expect(answer);
        if mv == "pass" {
            assert!(!game.can_move(&state, index % 4), "{index}");
            continue;
        }
        assert_eq!(state.mover(), Some(index % 4));
        let mv = game.read_move(&state, mv).expect("a legal move");
        game.play(&mut state, mv);
    }
    assert_eq!(state.mover(), None);
    let points: Vec<String> = (0..4).map(|c| state.score(c).to_string()).collect();
    assert_eq!(answers[88], format!("= {}", points.join(" ")));
}

#[test]
fn the_colours_of_duo_have_many_names() {
    let answers = talk(
        Variant::Duo,
        "play blue e10\nplay GREEN j5,j6\nplay 1 f9,g9\nundo\nundo\nplay g j5\nundo\nplay 2 j5\n\
         undo\nplay purple pass\nplay orange j5\nundo\nplay white j5\nplay yellow a1\n\
         genmove black\nall_legal 3",
    );
    let right = |at: usize| answers[at] == "=";
    assert!((0..13).all(right), "{answers:#?}");
    let wrong = "use b and w, blue and green, or 1 and 2";
    assert_eq!(answers[13], format!("? 'yellow' is no colour: {wrong}"));
    assert!(answers[14].contains(','), "{}", answers[14]);
    assert_eq!(answers[15], format!("? '3' is no colour: {wrong}"));
}

#[test]
fn commands_answer_as_the_protocol_says() {
    let answers = talk(
        Variant::Classic,
        "7 name\n# a comment\n\nversion\n12 known_command genmove\nknown_command fly\nfly\n\
         play 1 a20,b20,c20,d20,d19\nplay blue a20\nplay 2 t20,t19\nplay 5 a1\nplay 1\n\
         undo\nall_legal 2\nundo\nundo\nset_game Blokus Duo\nfinal_score\n\
         play b e10\nplay w j5,j6\nfinal_score\nset_game Chess\nset_random_seed 5\n\
         set_random_seed x\nget_value\ntime_settings 0 1 1\ntime_settings 1\nshowboard\n\
         reg_genmove b\nmove_values\nget_value\ncputime",
    );
    let starts = [
        "=7 Plywood",
        "= 0.",
        "=12 true",
        "= false",
        "? unknown command 'fly'",
        "=",
        "? a20 is not legal: a20 is taken",
        "=",
        "? '5' is no colour: use 1, 2, 3 or 4",
        "? '1' is no colour and move",
        "=",
        "= ",
        "=",
        "? there is no move to take back",
        "=",
        "= 0",
        "=",
        "=",
        "= W+1",
        "? there is no game 'Chess'",
        "=",
        "? 'x' is no seed",
        "? nothing has been thought",
        "=",
        "? '1' are no time settings",
        "= ",
        "= ",
        "= ",
        "= ",
        "= ",
    ];
    assert_eq!(answers.len(), starts.len(), "{answers:#?}");
    for (answer, start) in answers.iter().zip(starts) {
        assert!(answer.starts_with(start), "{answer} {start}");
        assert!(start != "=" || answer == "=", "{answer}");
    }
    assert_eq!(
        answers[11].lines().count(),
        58,
        "all first moves of a colour"
    );
    let share: f64 = answers[28][2..].parse().expect("a number");
    assert!((0.0..=1.0).contains(&share));
    let values: Vec<&str> = answers[27][2..]
        .lines()
        .next()
        .expect("a move")
        .split(' ')
        .collect();
    let game = Duo::new();
    assert_eq!(values.len(), 4);
    assert_eq!(answers[26][2..], *values[3], "the best move comes first");
    assert!(game.read_state("start").is_ok());
}

#[test]
fn colours_may_play_out_of_turn() {
    let answers = talk(
        Variant::Classic,
        "play 3 t1,s1\nplay 3 r2\ngenmove 1\nplay 2 t20\nundo\nundo\nundo\nundo\nundo",
    );
    assert_eq!(answers[..2], ["=", "="]);
    assert!(answers[2].starts_with("= "));
    assert_eq!(answers[3..8], ["=", "=", "=", "=", "="]);
    assert_eq!(answers[8], "? there is no move to take back");
}

#[test]
fn records_are_written_and_read() {
    let folder = std::env::temp_dir().join(format!("plywood-gtp-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("game.blksgf");
    let name = file.display();
    let answers = talk(
        Variant::Duo,
        &format!(
            "g\ng\ng\ng\nshowboard\nsavesgf {name}\nclear_board\nset_game Blokus\n\
                  loadsgf {name}\nshowboard\nloadsgf {name} 3\nundo\nundo\nundo\n\
                  loadsgf {name}.not\n"
        ),
    );
    let text = std::fs::read_to_string(&file).expect("a record");
    std::fs::write(&file, text.replace("Blokus Duo", "Go")).expect("a file");
    let refused = talk(Variant::Duo, &format!("loadsgf {name}\n"));
    std::fs::remove_dir_all(&folder).expect("cleaning up");
    assert!(text.starts_with("(;GM[Blokus Duo]"), "{text}");
    assert_eq!(answers[4], answers[9], "the same board");
    assert_eq!(answers[10..13], ["=", "=", "="], "two moves were played");
    assert!(answers[13].starts_with("? there is no move"));
    assert!(answers[14].starts_with("? ") && !answers[14].contains('\n'));
    assert!(
        refused[0].contains("GM[Go] is not played here"),
        "{}",
        refused[0]
    );
}
