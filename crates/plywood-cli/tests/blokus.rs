//! Playouts for every game, and what there is for Blokus alone: its engine, its protocol, and
//! learning.

mod common;

use common::{Folder, GAMES, good, good_line, run, run_line, typed};

#[test]
fn playouts_are_for_every_game() {
    for game in GAMES {
        for more in ["", " --parallel own-trees --threads 2", " --threads 3"] {
            let text = good_line(&format!("search {game} --search mcts --nodes 60{more}"));
            assert!(text.contains("\nbest "), "{game}{more}\n{text}");
            assert!(text.contains("\nnodes     60 "), "{game}{more}\n{text}");
        }
    }
    let play = "selfplay kalah --search mcts:cut=8,seed=3 --nodes 40 --quiet";
    assert_eq!(good_line(play), good_line(play));
}

#[test]
fn the_engine_of_blokus_answers_at_every_level() {
    for game in ["blokus", "blokus-duo"] {
        for engine in ["mcts", "level-1", "level-5", "level-9"] {
            let text = good_line(&format!(
                "search {game} --engine {engine} --nodes 50 --all-moves"
            ));
            assert!(text.contains("\nbest "), "{text}");
        }
    }
    let refused = run_line("search blokus --engine level-10");
    assert_eq!(refused.status, 2);
    assert!(refused.err.contains("use one of mcts,"), "{}", refused.err);
}

#[test]
fn answers_carry_win_shares_points_and_visits() {
    let text = good_line("search blokus --engine mcts --nodes 80 --all-moves --json");
    let answer: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let values = answer["values"].as_array().expect("values");
    assert_eq!(values.len(), 4, "{text}");
    let sum = |name: &str| -> f64 { values.iter().map(|v| v[name].as_f64().expect(name)).sum() };
    assert!((sum("win_share") - 1.0).abs() < 1e-6, "{text}");
    assert!(sum("value") > 100.0, "{text}");
    let moves = answer["root_moves"].as_array().expect("moves");
    let visits: u64 = moves.iter().filter_map(|mv| mv["visits"].as_u64()).sum();
    assert_eq!(visits, 80, "{text}");
    assert!(moves.iter().all(|mv| mv["win_share"].is_f64()), "{text}");
    // Searches that know nothing of wins do not speak of them.
    let text = good_line("search blokus --depth 1 --json");
    assert!(!text.contains("win_share"), "{text}");
    let text = good_line("search blokus --engine mcts --nodes 20");
    assert!(text.contains("\nwins      Blue 0."), "{text}");
}

#[test]
fn gtp_is_spoken() {
    let lines = ["1 name", "genmove b", "genmove w", "final_score", "quit"];
    let text = typed("gtp --game duo --nodes 20", &lines);
    let answers: Vec<&str> = text.trim_end().split("\n\n").collect();
    assert_eq!(answers.len(), 5, "{text}");
    assert_eq!(answers[0], "=1 Plywood");
    assert!(
        answers[1].starts_with("= ") && answers[1].contains("e10"),
        "{text}"
    );
    for (arguments, part) in [
        ("gtp --game chess", "classic"),
        ("gtp --level 0", "1..=9"),
        ("gtp --weights nowhere", "nowhere"),
        ("gtp --look nowhere", "nowhere"),
        ("gtp --look Cargo.toml", "no network"),
        ("gtp --game duo --look Cargo.toml", "--game classic"),
    ] {
        let refused = run_line(arguments);
        assert_eq!(
            (refused.status, refused.out.as_str()),
            (2, ""),
            "{arguments}"
        );
        assert!(refused.err.contains(part), "{}", refused.err);
        assert_eq!(refused.err.lines().count(), 1, "{}", refused.err);
    }
}

#[test]
fn weights_are_learnt_and_played_with() {
    let folder = Folder::new("train-blokus");
    let file = folder.file("new.weights");
    let train = |file: &str, threads: &str| {
        good(&[
            "train",
            "blokus",
            "--duo",
            "--games",
            "2",
            "--playouts",
            "20",
            "--threads",
            threads,
            "--out",
            file,
        ])
    };
    let said = train(&file, "1");
    assert!(said.starts_with("2 games; "), "{said}");
    let text = std::fs::read_to_string(&file).expect("weights");
    assert!(
        text.starts_with("plywood blokus weights 4\nprior "),
        "{text}"
    );
    // However many games are played at the same time.
    let other = folder.file("other.weights");
    train(&other, "2");
    assert_eq!(std::fs::read_to_string(&other).expect("weights"), text);
    let spoken = typed(
        &format!("gtp --game duo --nodes 9 --weights {file}"),
        &["g", "quit"],
    );
    assert!(spoken.starts_with("= "), "{spoken}");
    std::fs::write(&other, text.replacen("prior ", "prior 1", 1)).expect("a file");
    let refused = run(&[
        "train", "blokus", "--games", "1", "--from", &other, "--out", &file,
    ]);
    assert_eq!(refused.status, 2);
    assert!(refused.err.contains("damaged"), "{}", refused.err);
    // The other game has other weights.
    let duo = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../plywood-games/src/blokus/engine/built-in-duo.weights"
    );
    let refused = run(&["gtp", "--weights", duo]);
    assert_eq!(refused.status, 2);
    let reason = "lines are no weights for 4 colours";
    assert!(refused.err.contains(reason), "{}", refused.err);
}

#[test]
fn positions_are_recorded_once() {
    let folder = Folder::new("record-blokus");
    let (weights, positions) = (folder.file("new.weights"), folder.file("positions"));
    let arguments = |more: &str| {
        let text = format!(
            "train blokus --games 1 --playouts 5 --threads 1 --out {weights} --record {positions}{more}"
        );
        let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        run(&words)
    };
    let refused = arguments(" --duo");
    assert_eq!(refused.status, 2, "{}", refused.err);
    assert_eq!(arguments("").status, 0);
    let file = std::fs::read(&positions).expect("positions");
    let title = b"plywood blokus positions 1\n";
    assert!(file.starts_with(title));
    let header = file
        .windows(2)
        .position(|two| two == b"\n\n")
        .expect("an empty line")
        + 2;
    let bytes_of_a_position = 16 * 50 + 11 + 64;
    assert_eq!((file.len() - header) % bytes_of_a_position, 0);
    assert!(file.len() - header > 10 * bytes_of_a_position);
    let refused = arguments("");
    assert_eq!(refused.status, 2);
    assert!(refused.err.contains("exists"), "{}", refused.err);
}

#[test]
fn a_second_look_is_learnt_and_played_with() {
    let folder = Folder::new("look-blokus");
    let (positions, look) = (folder.file("positions"), folder.file("new.look"));
    let record = |games: u64, seed: u64, file: &str| {
        let weights = folder.file("new.weights");
        good_line(&format!(
            "train blokus --games {games} --playouts 2 --seed {seed} --out {weights} --record {file}"
        ));
    };
    let few = folder.file("few");
    record(2, 1, &few);
    record(9, 2, &positions);
    let said = good_line(&format!(
        "train blokus-look {positions} {few} --out {look} --passes 1 --threads 2"
    ));
    assert!(said.contains(" of 11 games to learn from, "), "{said}");
    assert!(said.contains("; threads 2, instructions "), "{said}");
    assert!(said.contains("\n1.00 passes in "), "{said}");
    assert!(said.contains("\nin whole numbers: misjudges "), "{said}");
    assert!(said.ends_with(&format!("{look} written\n")), "{said}");
    let spoken = typed(&format!("gtp --nodes 99 --look {look}"), &["g", "quit"]);
    assert!(spoken.starts_with("= "), "{spoken}");

    let learnt = std::fs::read(&look).expect("a network");
    let text = folder.file("text");
    std::fs::write(&text, "no positions\n").expect("a file");
    let nowhere = folder.file("nowhere/new.look");
    let refused = |arguments: String, status: i32, part: &str| {
        let ran = run_line(&format!("train blokus-look {arguments}"));
        assert_eq!(
            (ran.status, ran.out.as_str()),
            (status, ""),
            "{arguments}: {}",
            ran.err
        );
        assert!(ran.err.contains(part), "{}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    };
    refused(format!("--out {look}"), 2, "<POSITIONS>");
    refused(few.clone(), 2, "--out");
    refused(format!("{few} --out {few}"), 2, "another file");
    refused(format!("{text}.no --out {look}"), 2, "text.no");
    refused(format!("{text} --out {look}"), 2, "no file of positions");
    refused(format!("{few} --out {look}"), 2, "at least 500");
    refused(format!("{few} --out {look} --passes 0"), 2, "from 1");
    refused(format!("{few} --out {look} --threads 0"), 2, "threads");
    refused(
        format!("{positions} {few} --out {nowhere}"),
        1,
        "cannot be written",
    );
    let kept = std::fs::read(&look).expect("a network");
    assert!(kept == learnt, "what was refused has changed the network");
}

/// Ctrl-C.
#[cfg(unix)]
#[test]
fn an_interrupted_second_look_is_kept() {
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    let folder = Folder::new("look-interrupted");
    let (weights, positions) = (folder.file("new.weights"), folder.file("positions"));
    good_line(&format!(
        "train blokus --games 11 --playouts 2 --out {weights} --record {positions}"
    ));
    let look = folder.file("new.look");
    let child = common::program()
        .args(["train", "blokus-look", &positions, "--out", &look])
        .args(["--passes", "100000", "--threads", "1"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // The file is written before the first pass, and after it.
    let began = Instant::now();
    let mut seen: Vec<Vec<u8>> = Vec::new();
    while seen.len() < 2 {
        assert!(began.elapsed() < Duration::from_secs(60), "no pass ends");
        let file = std::fs::read(&look).ok();
        seen.extend(file.filter(|file| seen.last() != Some(file)));
        std::thread::sleep(Duration::from_millis(5));
    }
    let ended = common::interrupted(child);
    let said = ended.out;
    assert_eq!(ended.status, 0, "{said}");
    assert_eq!(ended.err, "", "a pipe sees no progress");
    assert!(said.contains("interrupted: what was learnt"), "{said}");
    let spoken = typed(&format!("gtp --nodes 99 --look {look}"), &["g", "quit"]);
    assert!(spoken.starts_with("= "), "{spoken}");
}
