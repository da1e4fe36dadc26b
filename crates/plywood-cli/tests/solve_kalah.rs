//! `plywood solve kalah` as a user runs it.

mod common;

use common::{Folder, good, program, run};
use serde_json::Value;

/// Runs with a cache of its own and gives the JSON.
fn solved(arguments: &str) -> Value {
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    let all = [&["solve", "kalah", "--no-cache", "--json"], &arguments[..]].concat();
    serde_json::from_str(&good(&all)).expect("JSON")
}

#[test]
fn small_games_have_their_published_margins() {
    for (arguments, margin) in [
        ("--pits 3 --stones 3", 2),
        ("--pits 4 --stones 3", 6),
        ("--pits 4 --stones 3 --capture empty", 8),
        ("--pits 2 --stones 4", -10),
        ("--pits 2 --stones 4 --capture empty --threads 3", -12),
        ("--pits 6 --stones 2 --threads 2", 6),
    ] {
        let json = solved(arguments);
        assert_eq!(json["margin"]["least"], margin, "{arguments}");
        assert_eq!(json["margin"]["most"], margin, "{arguments}");
        assert_eq!(json["margin"]["exact"], true, "{arguments}");
        assert_eq!(json["stopped"], false);
    }
}

#[test]
fn every_opening_has_its_margin() {
    let json = solved("--pits 4 --stones 4 --all-moves --database-stones 8");
    let moves = json["moves"].as_array().expect("a list");
    let values: Vec<i64> = moves
        .iter()
        .map(|mv| {
            assert_eq!(mv["exact"], true);
            mv["least"].as_i64().expect("a number")
        })
        .collect();
    assert_eq!(values, [2, 0, 0, -2]);
    assert_eq!(json["best"], json["line"][0]);
}

#[test]
fn any_position_is_solved_and_its_line_leads_to_the_margin() {
    let position = "<6,10,8,1,0,6,2,7,1,0,5,2,1,0,5> n";
    let arguments = ["solve", "kalah", "--no-cache", "--json", "--memory", "64M"];
    let json = good(&[&arguments[..], &["--position", position]].concat());
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["turn"], "North");
    let margin = json["margin"]["least"].as_i64().expect("a number");
    // Another command plays the line and counts.
    let line = json["line"].as_array().expect("a list");
    let moves: Vec<&str> = line.iter().map(|mv| mv.as_str().expect("text")).collect();
    let typed = common::typed(
        "play kalah --you all --position <6,10,8,1,0,6,2,7,1,0,5,2,1,0,5>n",
        &moves,
    );
    let verdict = match margin {
        0 => "a draw".to_owned(),
        1.. => format!("North wins by {margin}"),
        _ => format!("South wins by {}", -margin),
    };
    assert!(typed.contains(&verdict), "{margin} {moves:?}\n{typed}");
}

#[test]
fn a_database_is_kept_and_read_again() {
    let folder = Folder::new("solve-kalah");
    let cache = folder.file("cache");
    let solve = || {
        let arguments = ["solve", "kalah", "--pits", "4", "--stones", "3", "--json"];
        let ran = run(&[
            &arguments[..],
            &["--cache", &cache, "--database-stones", "10"],
        ]
        .concat());
        assert_eq!(ran.status, 0, "{}", ran.err);
        let json: Value = serde_json::from_str(&ran.out).expect("JSON");
        assert_eq!(json["margin"]["least"], 6);
        (
            json["database_bytes_read"].as_u64().expect("a number"),
            ran.err,
        )
    };
    assert_eq!(solve(), (0, String::new()));
    let (read, err) = solve();
    assert!(read > 0 && err.is_empty(), "{read} {err}");
    // Damage is told in a line, and made good.
    let file = std::fs::read_dir(&cache)
        .expect("made")
        .next()
        .expect("a file");
    let file = file.expect("readable").path();
    let mut bytes = std::fs::read(&file).expect("readable");
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(&file, &bytes).expect("writable");
    let (less, err) = solve();
    assert!(less < read, "{less} {read}");
    assert_eq!(err.lines().count(), 1, "{err}");
    assert!(err.contains("damaged in the layer of 10 stones"), "{err}");
    assert_eq!(solve(), (read, String::new()));
    std::fs::write(&file, "something else").expect("writable");
    let (none, err) = solve();
    assert_eq!(none, 0);
    assert!(err.contains("filled in again"), "{err}");
    assert_eq!(solve(), (read, String::new()));
}

#[test]
fn text_for_people() {
    let text = good(&[
        "solve",
        "kalah",
        "--no-cache",
        "--pits",
        "3",
        "--stones",
        "2",
        "--all-moves",
        "--memory",
        "16M",
    ]);
    for part in [
        "margin    South wins by 4",
        "line      ",
        "nodes     ",
        "database  up to 6 stones",
        "move  ",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn a_stopped_proof_tells_what_is_proved() {
    let ran = run(&[
        "solve",
        "kalah",
        "--no-cache",
        "--stones",
        "6",
        "--database-stones",
        "3",
        "--memory",
        "64M",
        "--time",
        "1s",
        "--json",
    ]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let json: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(json["margin"]["exact"], false);
    assert_eq!(json["stopped"], true);
    // What others have proved of this game lies within.
    assert!(json["margin"]["least"].as_i64() <= Some(4));
    assert!(json["margin"]["most"].as_i64() >= Some(4));
}

#[test]
fn the_engine_plays_perfectly_where_the_database_reaches() {
    let text = good(&[
        "search",
        "kalah",
        "--engine",
        "perfect",
        "--memory",
        "8M",
        "--all-moves",
        "--json",
        "--position",
        "<6,20,16,0,0,3,1,1,0,0,2,0,1,3,1> s",
        "--time",
        "20s",
    ]);
    let json: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(json["certainty"], "exact");
    assert!(json["cpu_s"].as_f64() > Some(0.0), "{json}");
    for root in json["root_moves"].as_array().expect("a list") {
        assert_eq!(root["certainty"], "exact", "{root}");
    }
    let text = good(&[
        "search",
        "kalah:stones=6",
        "--engine",
        "perfect",
        "--memory",
        "8M",
        "--time",
        "300ms",
    ]);
    assert!(text.contains("best "), "{text}");
}

#[test]
fn bad_input_is_refused_in_one_line() {
    let cases: [(&[&str], &str); 11] = [
        (&["--pits", "9"], "1 to 8"),
        (&["--pits", "x"], "1 to 8"),
        (&["--stones", "-1"], "0 to 24"),
        (&["--capture", "never"], "full or empty"),
        (&["--end", "never"], "either or mover"),
        (&["--sweep", "nobody"], "owner or other"),
        (&["--position", "<6,0,0,1>"], "numbers in the board"),
        (&["--threads", "0"], "1 to 256"),
        (&["--database-stones", "200"], "0 to 127"),
        (
            &["--database-stones", "30", "--memory", "64M"],
            "larger --memory",
        ),
        (&["--pits", "8", "--stones", "15"], "63 bits"),
    ];
    for (arguments, expected) in cases {
        let ran = run(&[&["solve", "kalah", "--no-cache"], arguments].concat());
        assert_eq!(ran.status, 2, "{arguments:?}: {}", ran.err);
        assert_eq!(ran.out, "");
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
        assert!(ran.err.contains(expected), "{arguments:?}: {}", ran.err);
    }
}

#[test]
fn a_killed_build_goes_on_where_it_was() {
    let folder = Folder::new("solve-kalah-killed");
    let cache = folder.file("cache");
    let arguments = [
        "solve",
        "kalah",
        "--cache",
        &cache,
        "--database-stones",
        "17",
        "--json",
    ];
    let mut child = program()
        .args(arguments)
        .args(["--memory", "256M", "--time", "1h"])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("the program starts");
    // As soon as some layers are there, whatever the machine's speed.
    let file = std::path::Path::new(&cache).join("kalah-6-full-either-owner.database");
    while !std::fs::metadata(&file).is_ok_and(|file| file.len() > 200_000) {
        assert!(
            child.try_wait().expect("a child").is_none(),
            "it has not ended yet"
        );
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    child.kill().expect("it runs");
    child.wait().expect("it ended");
    let position = "<6,20,20,0,0,3,1,1,0,0,0,0,1,1,1> s";
    let ran = run(&[
        "solve",
        "kalah",
        "--cache",
        &cache,
        "--json",
        "--position",
        position,
        "--memory",
        "64M",
        "--database-stones",
        "8",
    ]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    let json: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert!(
        json["database_bytes_read"].as_u64() > Some(10_000),
        "{json}"
    );
}
