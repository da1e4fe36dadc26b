//! A person at the terminal, played by a script.

mod common;

use common::{Folder, typed};
use std::fs;

/// The lines that answer what was typed: those behind a prompt echo it.
fn after<'a>(text: &'a str, prompt: &str, input: &str) -> Vec<&'a str> {
    let echo = format!("{prompt}> {input}");
    let mut lines = text.lines().skip_while(|line| *line != echo);
    assert!(lines.next().is_some(), "{echo:?} is not in\n{text}");
    // A prompt begins with a name; a board may mark the player to move with the same sign.
    let is_prompt = |line: &str| {
        let before = line.split_once('>').map_or("", |(before, _)| before);
        before.chars().any(char::is_alphabetic)
    };
    lines.take_while(|line| !is_prompt(line)).collect()
}

#[test]
fn kalah_with_everything_that_can_be_typed() {
    let folder = Folder::new("kalah");
    let file = folder.file("game.txt");
    let text = typed(
        "play kalah --depth 4",
        &[
            "help",
            "moves",
            "hint",
            "z",
            "H",
            "",
            "undo",
            "c",
            "save",
            &format!("save {file}"),
            "A",
            "undo",
            "board",
            &format!("load {file}"),
            "C",
            "Q",
            "A",
        ],
    );
    assert!(
        after(&text, "South", "help")
            .iter()
            .any(|line| line.starts_with("save FILE"))
    );
    assert_eq!(after(&text, "South", "moves"), ["6 moves: A B C D E F"]);
    let hint = after(&text, "South", "hint");
    assert!(hint[0].starts_with("the engine would play "), "{hint:?}");
    assert_eq!(after(&text, "South", "z").len(), 1);
    assert!(after(&text, "South", "H")[0].contains("North's pit"));
    assert_eq!(
        after(&text, "South", "undo"),
        ["there is no move of yours to take back"]
    );
    // C ends in the store: South moves again.
    assert_eq!(after(&text, "South", "c").last(), Some(&"South to move"));
    assert_eq!(after(&text, "South", "save"), ["save what? Name a file"]);
    assert!(
        after(&text, "South", "A")
            .iter()
            .any(|line| line.starts_with("North plays "))
    );
    // Undo goes back over North's answer to where South chose A, and the board shows it.
    let board = after(&text, "South", "board");
    assert_eq!(board, after(&text, "South", "c"));
    assert_eq!(after(&text, "South", &format!("load {file}")), board);
    assert!(after(&text, "South", "C")[0].contains("is empty"));
    // Q quits: what follows is not read.
    assert!(text.ends_with("South> Q\n"), "{text}");
    assert_eq!(
        fs::read_to_string(&file).expect("it was saved"),
        "plywood game 1\ngame kalah\nstart <6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> s\nmove c\n"
    );
    assert_eq!(folder.files(), ["game.txt"], "no temporary file is left");
}

#[test]
fn the_engine_begins_where_the_person_is_second() {
    let text = typed("play kalah:stones=6 --you second --depth 3", &["quit"]);
    let engine = text.find("South plays ").expect("South is the engine");
    assert!(
        engine < text.find("North> ").expect("North is asked"),
        "{text}"
    );
}

#[test]
fn the_end_of_the_input_ends_the_game() {
    for game in ["kalah", "gomoku", "blokus", "blokus-duo", "2048"] {
        let text = typed(&format!("play {game} --depth 1 --seed 1"), &[]);
        assert!(text.ends_with("> \n"), "{text}");
    }
}

#[test]
fn gomoku_is_won_by_a_person() {
    let text = typed(
        "play gomoku --you all",
        &[
            "H8", "H8", "A1", "I8", "A2", "J8", "A3", "K8", "A4", "L8", "undo", "L8", "M8", "hint",
        ],
    );
    assert!(after(&text, "White", "H8")[0].contains("there is a stone on H8 already"));
    assert_eq!(
        text.matches("Black wins with five in a row").count(),
        2,
        "{text}"
    );
    assert!(after(&text, "game over", "M8")[0].contains("the game is over"));
    assert!(after(&text, "game over", "hint")[0].contains("no player is to move"));
}

#[test]
fn gomoku_against_the_engine() {
    let text = typed(
        "play gomoku --you second --depth 2",
        &["nowhere", "A1", "undo", "A2", "hint", "q"],
    );
    assert!(text.contains("Black plays H8 "), "{text}");
    assert!(after(&text, "White", "nowhere")[0].contains("is not a move"));
    let answers = after(&text, "White", "A2");
    assert!(answers.iter().any(|line| line.starts_with("Black plays ")));
}

#[test]
fn blokus_mixes_persons_and_engines() {
    let text = typed(
        "play blokus --you 1,3 --depth 1",
        &["a20,b20", "a20", "t1,t2,t3", "undo", "s1", "t1,s1", "q"],
    );
    // Yellow follows Blue and is the engine, Red is a person again.
    assert!(
        after(&text, "Blue", "a20,b20")
            .iter()
            .any(|line| line.starts_with("Yellow plays "))
    );
    assert!(after(&text, "Red", "a20")[0].contains("is taken"));
    assert!(after(&text, "Red", "s1")[0].contains("must cover t1"));
    assert!(
        after(&text, "Red", "t1,s1")
            .iter()
            .any(|line| line.starts_with("Green plays "))
    );
    assert!(text.contains("Blue> q"), "{text}");
}

#[test]
fn blokus_duo_is_saved_and_loaded() {
    let folder = Folder::new("duo");
    let file = folder.file("duo.txt");
    let text = typed(
        "play blokus-duo --depth 1 --you black",
        &["e10", &format!("save {file}"), "q"],
    );
    assert!(text.contains("White plays "), "{text}");
    let text = typed(
        "play blokus-duo --depth 1 --you black",
        &[&format!("load {file}"), "undo", "e10,e9", "q"],
    );
    let loaded = after(&text, "Black", &format!("load {file}"));
    assert!(
        loaded.iter().any(|line| line.contains("Black    1 points")),
        "{text}"
    );
    assert!(
        after(&text, "Black", "undo")
            .iter()
            .any(|line| line.contains("Black    0 points"))
    );
}

#[test]
fn a_person_slides_in_2048() {
    let text = typed(
        "play 2048 --depth 1 --seed 3",
        &["sideways", "hint", "moves", "undo", "q"],
    );
    assert!(after(&text, "Player", "sideways")[0].contains("is not a slide"));
    let hint = after(&text, "Player", "hint")[0];
    let slide = hint.split_whitespace().nth(4).expect("a slide");
    let text = typed(
        "play 2048 --depth 1 --seed 3",
        &[slide, "undo", "undo", "q"],
    );
    assert!(after(&text, "Player", slide)[0].starts_with("chance brings "));
    assert!(
        after(&text, "Player", "undo")
            .iter()
            .any(|line| line.starts_with("score 0"))
    );
    assert!(
        text.contains("there is no move of yours to take back"),
        "{text}"
    );
}

#[test]
fn a_person_puts_the_tiles_in_2048() {
    let text = typed(
        "play 2048 --you spawner --depth 2",
        &[
            "a1=2", "a1=4", "b1=8", "d4=4", "hint", "moves", "undo", "d4=2", "quit",
        ],
    );
    assert!(after(&text, "Spawner", "a1=4")[0].contains("is taken"));
    assert!(after(&text, "Spawner", "b1=8")[0].contains("is not a new tile"));
    assert!(
        after(&text, "Spawner", "d4=4")
            .iter()
            .any(|line| line.starts_with("Player plays "))
    );
    assert!(after(&text, "Spawner", "hint")[0].contains("there is no hint"));
    assert!(after(&text, "Spawner", "moves")[0].starts_with("28 moves: "));
    assert!(
        after(&text, "Spawner", "d4=2")
            .iter()
            .any(|line| line.starts_with("Player plays "))
    );
}

#[test]
fn without_persons_the_engine_plays_alone() {
    let text = typed("play kalah:stones=1 --you none --depth 4", &[]);
    assert!(!text.contains('>'), "{text}");
    assert!(
        text.lines().last().expect("a line").contains(": "),
        "{text}"
    );
}

#[test]
fn damaged_files_are_refused_and_play_goes_on() {
    let folder = Folder::new("damaged");
    let good = "plywood game 1\ngame kalah\nstart <6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> s\nmove C\n";
    let cases: &[(&str, &[u8], &str)] = &[
        ("empty", b"", "cut off"),
        ("header", b"chess game 1\n", "line 1"),
        ("version", b"plywood game 2\n", "line 1"),
        ("short", b"plywood game 1\n", "line 2"),
        ("other", b"plywood game 1\ngame gomoku\nstart H8\n", "a game of gomoku, and this is kalah"),
        ("start", b"plywood game 1\ngame kalah\nstart <6>\n", "line 3: "),
        ("illegal", b"plywood game 1\ngame kalah\nstart <6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> s\nmove C\nmove C\n", "line 5: 'C' is empty"),
        ("word", b"plywood game 1\ngame kalah\nstart <6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> s\nC\n", "line 4 "),
        ("cut", &good.as_bytes()[..good.len() - 1], "cut off"),
        ("bytes", b"plywood game 1\n\xff\xfe\n", "not text"),
    ];
    let mut lines: Vec<String> = Vec::new();
    for (name, content, _) in cases {
        fs::write(folder.file(name), content).expect("it can be written");
        lines.push(format!("load {}", folder.file(name)));
    }
    lines.push(format!("load {}", folder.file("missing")));
    lines.push(format!("load {}", folder.file("")));
    lines.push(format!("save {}", folder.file("no/such/folder")));
    lines.push(format!("save {}", folder.file("")));
    lines.push("C".to_owned());
    let typed_lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let text = typed("play kalah --depth 1", &typed_lines);
    for ((name, _, reason), line) in cases.iter().zip(&lines) {
        let answer = after(&text, "South", line);
        assert_eq!(answer.len(), 1, "{name}: {answer:?}");
        assert!(answer[0].contains("cannot be loaded: "), "{answer:?}");
        assert!(answer[0].contains(reason), "{name}: {answer:?}");
    }
    for line in &lines[cases.len()..lines.len() - 1] {
        let answer = after(&text, "South", line);
        assert_eq!(answer.len(), 1, "{answer:?}");
        assert!(answer[0].contains(" cannot be "), "{answer:?}");
    }
    assert_eq!(after(&text, "South", "C").last(), Some(&"South to move"));
}

#[test]
fn saving_replaces_a_file_as_a_whole() {
    let folder = Folder::new("replace");
    let file = folder.file("game.txt");
    let old = "plywood game 1\n".to_owned() + &"much longer than what is saved\n".repeat(50);
    fs::write(&file, old).expect("it can be written");
    typed(
        "play gomoku --you all",
        &["H8", &format!("save {file}"), "q"],
    );
    let saved = fs::read_to_string(&file).expect("it was saved");
    assert!(saved.starts_with("plywood game 1\ngame gomoku\nstart "));
    assert!(saved.ends_with("\nmove H8\n"));
    assert_eq!(folder.files(), ["game.txt"]);
}

#[test]
fn saving_spares_what_is_not_a_saved_game() {
    let folder = Folder::new("spare");
    let file = folder.file("letter.txt");
    fs::write(&file, "Dear Plywood\n").expect("it can be written");
    let text = typed(
        "play gomoku --you all",
        &[&format!("save {file}"), "save /dev/null", "q"],
    );
    assert!(text.contains("it exists and is not a saved game"), "{text}");
    assert!(text.contains("it is not a plain file"), "{text}");
    let spared = fs::read_to_string(&file).expect("it is still there");
    assert_eq!(spared, "Dear Plywood\n");
    assert_eq!(folder.files(), ["letter.txt"]);
}

#[test]
fn nonsense_on_the_input_is_answered_with_one_line_each() {
    let long = "A".repeat(5000);
    let nonsense = [
        "§$%&/()",
        "\u{7}\u{1b}[2J",
        &long,
        "undo now",
        "quit please",
        "-1",
        "move A",
    ];
    let text = typed("play kalah --depth 1", &nonsense);
    assert_eq!(text.matches("South> ").count(), nonsense.len() + 1);
    assert_eq!(
        text.matches("is not a pit").count(),
        nonsense.len(),
        "{text}"
    );
    assert!(!text.contains('\u{1b}'));
}
