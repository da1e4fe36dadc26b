//! Every command does what it is for, for every game.

mod common;

use common::{GAMES, good, good_line, program, run_line};
use std::io::Read;
use std::process::Stdio;

#[test]
fn games_lists_everything_there_is() {
    let text = good_line("games");
    for game in GAMES {
        assert!(text.contains(&format!("\n{game}: ")), "{game}\n{text}");
    }
    for search in plywood::search::SEARCHES {
        assert!(text.contains(search.summary), "{}", search.name);
    }
    for strategy in plywood::parallel::STRATEGIES {
        assert!(text.contains(strategy.summary), "{}", strategy.name);
    }
    assert!(text.contains("pits=6"));
    assert!(text.contains("stores*"));
}

#[test]
fn search_answers_for_every_game() {
    for game in GAMES {
        let text = good(&["search", game, "--depth", "2"]);
        for label in [
            "best",
            "value",
            "line",
            "depth     2",
            "nodes",
            "time",
            "memory",
            "engine",
        ] {
            assert!(
                text.contains(&format!("\n{label}")),
                "{game} {label}\n{text}"
            );
        }
    }
}

#[test]
fn search_finds_the_published_values_of_kalah() {
    let text = good_line("search kalah --depth 8");
    assert!(text.contains("\nvalue     South 4, North -4\n"), "{text}");
    let text = good_line("search kalah:stones=6 --depth 11 --threads 2");
    assert!(text.contains("\nvalue     South 3, North -3\n"), "{text}");
    assert!(text.contains("ybwc on 2 threads"), "{text}");
    // The size of the whole tree: nothing may be searched besides.
    let text = good_line("search kalah:stones=6 --search minimax --depth 8");
    assert!(text.contains("\nnodes     1,179,393 "), "{text}");
}

#[test]
fn limits_can_be_combined_and_have_a_default() {
    let text = good_line("search kalah --depth 5 --time 1m --nodes 1G");
    assert!(text.contains("\ndepth     5\n"), "{text}");
    let text = good_line("search kalah --nodes 20k");
    assert!(text.contains("then stopped"), "{text}");
    let text = good_line("search gomoku --time 50ms");
    assert!(text.contains("then stopped"), "{text}");
}

#[test]
fn strategies_fit_the_search_if_none_is_named() {
    for (arguments, engine) in [
        ("kalah --threads 2", "alphabeta, ybwc on 2 threads"),
        ("kalah --threads 1", "alphabeta, seq on 1 thread,"),
        ("blokus --threads 2", "maxn, budget:2 on 2 threads"),
        ("2048 --threads 2", "expectimax, budget:2 on 2 threads"),
        (
            "2048 --search worst-case --threads 2",
            "worst-case, ybwc on 2",
        ),
        ("kalah --parallel seq", "alphabeta, seq on 1 thread,"),
        ("kalah --parallel root --threads 3", "root on 3 threads"),
        (
            "kalah --search alphabeta:no-pvs,no-table",
            "alphabeta:no-pvs,no-table, seq",
        ),
    ] {
        let text = good_line(&format!("search {arguments} --depth 2"));
        assert!(text.contains(engine), "{arguments}\n{text}");
    }
    let cores = std::thread::available_parallelism().expect("known").get();
    let text = good_line("search kalah --depth 2 --parallel lazy-smp");
    assert!(
        text.contains(&format!("lazy-smp on {cores} thread")),
        "{text}"
    );
}

#[test]
fn stats_show_tasks_and_workers() {
    let text =
        good_line("search kalah --search minimax --depth 6 --parallel root --threads 2 --stats");
    let tasks = text.lines().skip_while(|line| !line.starts_with("tasks"));
    let row: Vec<&str> = tasks
        .clone()
        .nth(1)
        .expect("a row")
        .split_whitespace()
        .collect();
    assert_eq!(row[0], "6", "each root move is a task\n{text}");
    let workers = tasks.skip_while(|line| !line.starts_with("worker"));
    assert_eq!(workers.skip(1).count(), 2, "{text}");
}

#[test]
fn all_moves_show_the_value_of_each() {
    let text = good_line("search kalah --depth 8 --all-moves");
    let table = text.lines().skip_while(|line| !line.starts_with("move"));
    let rows: Vec<Vec<&str>> = table
        .skip(1)
        .map(|l| l.split_whitespace().collect())
        .collect();
    let values: Vec<i32> = rows
        .iter()
        .map(|row| row[1].parse().expect("a number"))
        .collect();
    assert_eq!(values.len(), 6);
    assert_eq!(values[0], 4);
    assert!(values.is_sorted_by(|a, b| a >= b));
}

#[test]
fn json_has_everything() {
    for game in GAMES {
        let text = good(&[
            "search",
            game,
            "--depth",
            "2",
            "--json",
            "--all-moves",
            "--parallel",
            "root",
            "--threads",
            "2",
        ]);
        assert_eq!(text.lines().count(), 1);
        let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(json["game"], game);
        assert_eq!(json["depth"], 2);
        assert_eq!(json["threads"], 2);
        assert!(json["best"].is_string());
        assert_eq!(json["line"][0], json["best"]);
        let nodes = &json["nodes"];
        let parts =
            ["interior", "leaf", "table"].map(|part| nodes[part].as_u64().expect("a count"));
        assert_eq!(nodes["total"].as_u64(), Some(parts.iter().sum()));
        let root = json["root_moves"].as_array().expect("a list");
        assert!(root.iter().any(|entry| entry["move"] == json["best"]));
        assert_eq!(json["workers"].as_array().map(Vec::len), Some(2));
        assert!(json["tasks"]["offered"].as_u64() > Some(0), "{game}");
        // What it says of the position leads back to it.
        let position = json["position"].as_str().expect("text");
        let again = good(&[
            "search",
            game,
            "--position",
            position,
            "--depth",
            "2",
            "--json",
        ]);
        let again: serde_json::Value = serde_json::from_str(&again).expect("JSON");
        assert_eq!(again["best"], json["best"]);
        assert_eq!(again["values"], json["values"]);
    }
}

#[test]
fn finished_games_and_chance_can_be_searched() {
    let text = good(&[
        "search",
        "kalah",
        "--position",
        "<6,30,18,0,0,0,0,0,0,0,0,0,0,0,0> s",
    ]);
    assert!(text.contains("the game is over"), "{text}");
    assert!(
        text.contains("result    South 30, North 18: South wins by 12"),
        "{text}"
    );
    assert!(!text.contains("\nbest"), "{text}");
    let board = "2,4,2,4/4,2,4,2/2,4,2,4/4,2,8,. chance";
    let text = good(&[
        "search",
        "2048",
        "--position",
        board,
        "--depth",
        "1",
        "--eval",
        "empty",
    ]);
    assert!(text.contains("chance to act"), "{text}");
    assert!(text.contains("\nvalue     Player "), "{text}");
}

#[test]
fn after_chance_changes_where_is_evaluated() {
    let position = [
        "search",
        "2048",
        "--position",
        "2,4,2,4/4,2,4,2/2,4,2,4/4,2,8,8",
    ];
    let value = |more: &[&str]| {
        let text = good(&[&position[..], &["--depth", "1", "--eval", "empty"], more].concat());
        let line = text
            .lines()
            .find(|line| line.starts_with("value"))
            .expect("a value");
        line.to_owned()
    };
    assert_eq!(value(&[]), "value     Player 1");
    assert_eq!(value(&["--after-chance"]), "value     Player 0");
}

#[test]
fn selfplay_ends_with_a_result() {
    for (arguments, result) in [
        ("kalah --depth 4", " wins by "),
        ("gomoku --depth 2", "Black wins with five in a row"),
        ("blokus --depth 1", "Green "),
        ("blokus-duo --depth 1", "White "),
        ("2048 --depth 1 --eval zero+score", "largest tile"),
    ] {
        let text = good_line(&format!("selfplay {arguments}"));
        let last = text.lines().last().expect("a line");
        assert!(last.contains(result), "{last}");
        let moves = text.lines().filter(|line| line.contains(" plays ")).count();
        assert!(last.ends_with(&format!("({moves} moves)")), "{last}");
        let quiet = good_line(&format!("selfplay {arguments} --quiet"));
        assert_eq!(quiet.trim_end(), last);
    }
}

#[test]
fn selfplay_of_several_games_counts_them() {
    let text = good_line("selfplay kalah:stones=2 --depth 3 --games 3 --random-plies 2 --quiet");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 4, "{text}");
    assert!(lines[0].starts_with("game 1: South "));
    assert!(lines[2].starts_with("game 3: South "));
    assert!(lines[3].starts_with("3 games: South won "));
    let text = good_line("selfplay gomoku --depth 1 --moves 3 --games 2 --quiet --stats");
    assert!(
        text.contains("game 2: not over, White to move (3 moves)"),
        "{text}"
    );
    assert!(text.contains("\n2 games: not over 2\n"), "{text}");
    assert!(text.lines().last().expect("a line").ends_with("nodes/s"));
}

#[test]
fn selfplay_plays_the_same_games_one_by_one_and_at_once() {
    for arguments in [
        "kalah:stones=3 --depth 3 --games 5 --random-plies 3",
        "2048 --depth 1 --eval zero+score --games 6 --quiet --seed 4",
    ] {
        let one_by_one = good_line(&format!("selfplay {arguments}"));
        let at_once = good_line(&format!("selfplay {arguments} --concurrency 3"));
        assert_eq!(at_once, one_by_one);
    }
    let text = good_line("selfplay 2048 --depth 1 --eval zero+score --games 6 --quiet --seed 4");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[6].starts_with("6 games: "), "{text}");
    assert!(lines[8].contains("mean score [95 %]"), "{text}");
    let share = |line: &&str| line.contains(" % [");
    assert!(
        lines.iter().filter(|line| share(line)).count() > 1,
        "{text}"
    );
    // The first game of a seed is the same however many follow.
    let alone = good_line("selfplay 2048 --depth 1 --eval zero+score --quiet --seed 4");
    assert_eq!(lines[0], format!("game 1: {}", alone.trim_end()));
}

#[test]
fn perft_counts() {
    // The first four are published counts for six pits of four stones.
    let text = good_line("perft kalah --depth 4");
    let counts: Vec<&str> = text
        .lines()
        .skip(1)
        .map(|line| line.split_whitespace().nth(1).expect("a count"))
        .collect();
    assert_eq!(counts[..2], ["6", "35"], "{text}");
    let text = good_line("perft blokus --depth 2");
    assert!(text.contains(" 58 ") && text.contains(" 3,364 "), "{text}");
    let total = |arguments: &str| {
        let text = good_line(arguments);
        let last = text.lines().last().expect("a line");
        last.split_whitespace().nth(1).expect("a count").to_owned()
    };
    for game in GAMES {
        let whole = total(&format!("perft {game} --depth 2"));
        assert_eq!(
            total(&format!("perft {game} --depth 2 --divide")),
            whole,
            "{game}"
        );
    }
}

#[test]
fn bench_counts_the_same_every_time() {
    let signature = |arguments: &str| {
        let text = good_line(arguments);
        let last = text.lines().last().expect("a line");
        let words: Vec<&str> = last.split_whitespace().collect();
        assert_eq!(
            (words[0], words[2], words[4]),
            ("Bench:", "nodes", "nps"),
            "{last}"
        );
        words[1].parse::<u64>().expect("a number")
    };
    let gomoku = signature("bench gomoku");
    assert_eq!(gomoku, signature("bench gomoku"));
    let tiles = signature("bench 2048");
    assert_eq!(signature("bench gomoku 2048"), gomoku + tiles);
}

#[test]
fn bench_covers_every_search_and_game() {
    let text = good_line("bench");
    for name in GAMES {
        assert!(text.lines().any(|line| line.starts_with(name)), "{name}");
    }
    for search in plywood::search::SEARCHES {
        let name = format!(" {} ", search.name);
        assert!(text.lines().any(|line| line.contains(&name)), "{name}");
    }
}

#[test]
fn the_same_seed_gives_the_same_output() {
    for arguments in [
        "selfplay 2048 --depth 2 --moves 15 --seed 7",
        "selfplay kalah --depth 4 --random-plies 4 --seed 9 --games 2",
        "selfplay blokus --depth 1 --moves 12 --random-plies 8 --seed 3",
        "selfplay gomoku --depth 2 --moves 8 --random-plies 3 --seed 5 --threads 2",
        "play 2048 --you none --depth 1 --seed 4 --eval zero+score",
    ] {
        let text = good_line(arguments);
        assert_eq!(text, good_line(arguments), "{arguments}");
        let other = arguments.replace("--seed ", "--seed 1");
        assert_ne!(text, good_line(&other), "{arguments}");
    }
}

#[test]
fn help_and_version_go_to_standard_output() {
    let version = good_line("--version");
    assert_eq!(version, format!("plywood {}\n", env!("CARGO_PKG_VERSION")));
    for arguments in [
        "-h",
        "search --help",
        "play -h",
        "selfplay -h",
        "perft -h",
        "bench -h",
        "games -h",
    ] {
        let text = good_line(arguments);
        assert!(text.contains("Usage: plywood"), "{arguments}");
        assert!(
            text.lines().all(|line| line.chars().count() <= 80),
            "{text}"
        );
    }
}

/// A reader that has seen enough is no reason to fail.
#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    for arguments in ["selfplay kalah --depth 3 --games 200", "games", "--help"] {
        let mut child = program()
            .args(arguments.split_whitespace())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut first = [0; 1];
        let mut out = child.stdout.take().expect("it prints");
        out.read_exact(&mut first).expect("it prints something");
        drop(out);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(0), "{arguments}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments}");
    }
}

/// The first Ctrl-C ends the search, not the program.
#[cfg(unix)]
#[test]
fn an_interrupted_search_answers() {
    let child = program()
        .args(["search", "gomoku", "--time", "1h"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // Long enough for the program to listen, even on a busy machine; a signal that came
    // sooner would end it and fail the test.
    std::thread::sleep(std::time::Duration::from_secs(2));
    let ended = common::interrupted(child);
    assert_eq!(ended.status, 0);
    let text = ended.out;
    assert!(
        text.contains("then stopped") && text.contains("\nbest "),
        "{text}"
    );
}

#[test]
fn a_seed_decides_the_first_tiles() {
    let start = |seed: &str| run_line(&format!("search 2048 --depth 1 --json --seed {seed}")).out;
    let position = |text: String| {
        let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        json["position"].clone()
    };
    assert_eq!(position(start("3")), position(start("3")));
    assert_ne!(position(start("3")), position(start("4")));
}
