//! `plywood lab match` as a user runs it.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use common::{Folder, good, program, run};
use serde_json::Value;

const KALAH: [&str; 7] = [
    "lab",
    "match",
    "kalah",
    "--player",
    "name=a,nodes=3k,memory=1M",
    "--player",
    "name=b,depth=3,memory=1M",
];

/// The arguments of a small match with these added.
fn kalah<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&KALAH[..], more].concat()
}

/// The games of a match by their number, without what they cost.
fn games(run: &str) -> BTreeMap<u64, Value> {
    let text = fs::read_to_string(Path::new(run).join("games.jsonl")).expect("games");
    assert!(text.ends_with('\n'));
    text.lines()
        .map(|line| {
            let mut game: Value = serde_json::from_str(line).expect("a game");
            game.as_object_mut().expect("an object").remove("costs");
            (game["game"].as_u64().expect("a number"), game)
        })
        .collect()
}

#[test]
fn a_match_prints_its_table_and_can_be_checked() {
    let folder = Folder::new("match-table");
    let out = folder.file("run");
    let text = good(&kalah(&[
        "--games",
        "6",
        "--out",
        &out,
        "--concurrency",
        "2",
    ]));
    for part in [
        "match     kalah, 6 of 6 games",
        "player    a: ",
        "Elo [95 %]",
        "pairs     of a:",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(games(&out).len(), 6);
    let text = good(&["lab", "match", "--replay", &out]);
    assert!(text.starts_with("6 games, "), "{text}");
    let record = Path::new(&out).join("games/000003.txt");
    let text = good(&["lab", "match", "--replay", record.to_str().expect("text")]);
    assert!(text.starts_with("1 game, "), "{text}");
    // A finished match is shown again, and nothing is played.
    let before = games(&out);
    let text = good(&["lab", "match", "--resume", "--out", &out]);
    assert!(text.contains("6 of 6 games"), "{text}");
    assert_eq!(games(&out), before);
}

#[test]
fn a_match_says_how_deep_its_players_looked() {
    let folder = Folder::new("match-depth");
    let out = folder.file("run");
    let text = good(&kalah(&[
        "--player",
        "name=c,random",
        "--games",
        "12",
        "--out",
        &out,
    ]));
    let (_, costs) = text.split_once("\na move").expect("what a move cost");
    let column = |name: &str| {
        let row = costs.lines().find(|line| line.starts_with(name));
        row.and_then(|row| row.split_whitespace().nth(3))
            .map(str::to_owned)
    };
    assert_eq!(column("b ").as_deref(), Some("3"), "{text}");
    assert_eq!(column("c ").as_deref(), Some("-"), "{text}");
    // Nobody forbids the other to look further.
    let depth: f64 = column("a ")
        .and_then(|depth| depth.parse().ok())
        .expect("a depth");
    assert!(depth > 3.0, "{text}");
}

#[test]
fn a_match_killed_ten_times_has_the_games_of_one_that_was_not() {
    let folder = Folder::new("match-kill");
    let (whole, killed) = (folder.file("whole"), folder.file("killed"));
    let settings = ["--games", "40", "--concurrency", "2"];
    good(&kalah(&[&settings[..], &["--out", &whole]].concat()));
    let file = Path::new(&killed).join("games.jsonl");
    let length = |path: &Path| fs::metadata(path).map_or(0, |file| file.len());
    let total = length(&Path::new(&whole).join("games.jsonl"));
    let mut random = plywood_games::registry::Random::new(11);
    let mut moments: Vec<u64> = (0..10)
        .map(|_| random.below(total as usize * 4 / 5) as u64)
        .collect();
    moments.sort_unstable();
    let arguments = kalah(&[&settings[..], &["--out", &killed, "--resume"]].concat());
    for moment in moments {
        let mut child = program()
            .args(&arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        while length(&file) < moment && child.try_wait().expect("a child").is_none() {
            std::thread::sleep(Duration::from_micros(300));
        }
        std::thread::sleep(Duration::from_micros(random.below(4000) as u64));
        child.kill().expect("it can be killed");
        child.wait().expect("it is dead");
    }
    good(&arguments);
    assert_eq!(games(&killed), games(&whole));
    good(&["lab", "match", "--replay", &killed]);
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_is_finished_and_says_how_to_go_on() {
    let folder = Folder::new("match-interrupt");
    let (whole, stopped) = (folder.file("whole"), folder.file("stopped"));
    let settings = ["--games", "40"];
    good(&kalah(&[&settings[..], &["--out", &whole]].concat()));
    let child = program()
        .args(kalah(&[&settings[..], &["--out", &stopped]].concat()))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let file = Path::new(&stopped).join("games.jsonl");
    while fs::metadata(&file).map_or(0, |file| file.len()) == 0 {
        std::thread::sleep(Duration::from_millis(1));
    }
    let ran = common::interrupted(child);
    if ran.status == 0 {
        // It was faster than we are.
        assert!(ran.out.contains("40 of 40"), "{}", ran.out);
    } else {
        assert_eq!(ran.status, 1, "{}", ran.err);
        assert!(
            ran.err.contains("plywood lab match --resume --out "),
            "{}",
            ran.err
        );
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
        assert!(ran.out.contains("Elo [95 %]"), "{}", ran.out);
    }
    good(&[
        "lab",
        "match",
        "--resume",
        "--out",
        &stopped,
        "--concurrency",
        "2",
    ]);
    assert_eq!(games(&stopped), games(&whole));
}

/// A limit on the size of files stands for a disk that is full.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_the_match_and_loses_no_game() {
    let folder = Folder::new("match-full");
    let (whole, full) = (folder.file("whole"), folder.file("full"));
    let settings = ["--games", "30"];
    good(&kalah(&[&settings[..], &["--out", &whole]].concat()));
    let output = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 8; exec \"$@\"", "sh"])
        .arg(env!("CARGO_BIN_EXE_plywood"))
        .args(kalah(&[&settings[..], &["--out", &full]].concat()))
        .stdin(Stdio::null())
        .output()
        .expect("sh is there");
    let ran: common::Ran = output.into();
    assert_eq!(ran.status, 1, "{} {}", ran.out, ran.err);
    assert!(
        ran.err.contains("games.jsonl: ") && ran.err.lines().count() == 1,
        "{}",
        ran.err
    );
    let kept = games(&full);
    assert!(!kept.is_empty() && kept.len() < 30);
    good(&["lab", "match", "--resume", "--out", &full]);
    assert_eq!(games(&full), games(&whole));
}

#[test]
fn bad_input_gets_one_line_and_makes_no_folder() {
    let folder = Folder::new("match-bad");
    let (out, openings, toml) = (
        folder.file("run"),
        folder.file("openings"),
        folder.file("m.toml"),
    );
    fs::write(&openings, "A\nA A\n").expect("a file");
    fs::write(&toml, "game = \"kalah\"\nplies = 3\n").expect("a file");
    let (a, b) = ("name=a,depth=1", "name=b,depth=1");
    let two = ["--player", a, "--player", b];
    let missing = folder.file("missing");
    let cases: &[(&[&str], &[&str])] = &[
        (
            &["chess", "--player", a, "--player", b],
            &["unknown game 'chess'", "kalah, gomoku"],
        ),
        (&["kalah"], &["no player", "at least 2"]),
        (&["kalah", "--player", a], &["one player", "at least 2"]),
        (
            &["kalah", "--player", a, "--player", a],
            &["two players are called 'a'"],
        ),
        (
            &["kalah", "--player", a, "--player", "name=b"],
            &["no limit", "depth=, nodes= or time="],
        ),
        (
            &["kalah", "--player", a, "--player", "dept=3"],
            &["no key \"dept\"", "name, search"],
        ),
        (
            &["kalah", "--player", a, "--player", "depth=x"],
            &["depth=x", "1 to 250"],
        ),
        (
            &["kalah", "--player", a, "--player", "gtp=sh,time=1s"],
            &["blokus", "not kalah"],
        ),
        (
            &[
                "gomoku",
                "--player",
                a,
                "--player",
                "gomocup=/no/such,time=1s",
            ],
            &["no such program"],
        ),
        (
            &[
                "kalah",
                "--openings",
                &openings,
                two[0],
                two[1],
                two[2],
                two[3],
            ],
            &["openings:2: move 2"],
        ),
        (
            &[
                "kalah",
                "--openings",
                &missing,
                two[0],
                two[1],
                two[2],
                two[3],
            ],
            &["missing: No such file"],
        ),
        (
            &["kalah", "--sprt", "elo9=1", two[0], two[1], two[2], two[3]],
            &["'elo9'", "elo0=, elo1="],
        ),
        (
            &["kalah", "--seatings", "x", two[0], two[1], two[2], two[3]],
            &["rotations or all"],
        ),
        (
            &["kalah", "--games", "0", two[0], two[1], two[2], two[3]],
            &["1 to 1000000"],
        ),
        (
            &["--file", &toml],
            &["m.toml:2: unknown field `plies`", "random-plies"],
        ),
        (&["--file", &missing], &["missing: No such file", "TOML"]),
        (&["--resume"], &["holds no match"]),
        (&[], &["there is no game"]),
        (&["--player", a], &["there is no game"]),
    ];
    for (arguments, expected) in cases {
        let arguments = [&["lab", "match", "--out", &out], *arguments].concat();
        let ran = run(&arguments);
        assert_eq!(ran.status, 2, "{arguments:?}: {}", ran.err);
        assert_eq!(ran.out, "", "{arguments:?}");
        assert_eq!(ran.err.lines().count(), 1, "{arguments:?}: {}", ran.err);
        for part in *expected {
            assert!(ran.err.contains(part), "{arguments:?}: {part}: {}", ran.err);
        }
        assert!(!Path::new(&out).exists(), "{arguments:?}");
    }
    for (arguments, expected) in [
        (
            &["lab", "match", "--bogus"][..],
            "match takes GAME, --player, ",
        ),
        (&["lab", "mach"], "'mach': use one of sweep, "),
        (&["lab"], "no command: use one of sweep, "),
    ] {
        let ran = run(arguments);
        assert_eq!((ran.status, ran.err.lines().count()), (2, 1), "{}", ran.err);
        assert!(ran.err.contains(expected), "{}", ran.err);
    }
    let ran = run(&["lab", "match", "kalah", two[0], two[1], two[2], two[3]]);
    assert_eq!(
        (ran.status, ran.err.contains("use --out RUN")),
        (2, true),
        "{}",
        ran.err
    );
}

#[test]
fn a_folder_keeps_its_match() {
    let folder = Folder::new("match-keeps");
    let out = folder.file("run");
    good(&kalah(&["--games", "2", "--out", &out]));
    let before = games(&out);
    for (arguments, expected) in [
        (
            kalah(&["--games", "2", "--out", &out]),
            "holds a match already",
        ),
        (
            kalah(&["--games", "4", "--out", &out, "--resume", "--seed", "2"]),
            "match.json: the match there has another games, seed",
        ),
        (
            vec![
                "lab",
                "match",
                "kalah",
                "--player",
                "name=a,depth=1",
                "--player",
                "random",
                "--games",
                "2",
                "--out",
                &out,
                "--resume",
            ],
            "has another players",
        ),
    ] {
        let ran = run(&arguments);
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{}", ran.err);
        assert!(ran.err.contains(expected), "{}", ran.err);
    }
    assert_eq!(games(&out), before);
    let blocked = folder.file("file");
    fs::write(&blocked, "letters").expect("a file");
    let ran = run(&kalah(&["--games", "2", "--out", &blocked]));
    assert_eq!(ran.status, 2, "{}", ran.err);
    assert!(ran.err.contains("is a file"), "{}", ran.err);
    assert_eq!(
        fs::read_to_string(&blocked).expect("still there"),
        "letters"
    );
}

#[test]
fn the_help_explains_players_and_fits() {
    let help = good(&["lab", "match", "--help"]);
    for part in [
        "gomocup=COMMAND",
        "gtp=COMMAND",
        "engine=NAME",
        "match-time=T",
        "--resume",
        "[[player]]",
    ] {
        assert!(help.contains(part), "{part}");
    }
    for line in help.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
}
