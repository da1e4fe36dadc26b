//! Bad input gets one clear line, and nothing else happens.

mod common;

use common::run;

/// Every case: the arguments, and what the line must contain.
const CASES: &[(&[&str], &[&str])] = &[
    // Commands and options.
    (
        &[],
        &["no command", "games, search, play, selfplay, perft, bench"],
    ),
    (&["analyse"], &["'analyse'", "games, search, play"]),
    (&["search"], &["<GAME>"]),
    (&["perft", "kalah"], &["--depth"]),
    (&["search", "kalah", "--bogus"], &["'--bogus'", "--depth"]),
    (&["search", "kalah", "extra"], &["'extra'", "--depth"]),
    (&["games", "chess"], &["'chess'", "kalah, gomoku"]),
    (&["games", "kalah", "gomoku"], &["'gomoku'", "takes GAME"]),
    (&["search", "kalah", "--depth"], &["--depth", "value"]),
    (
        &["search", "kalah", "--depth", "2", "--depth", "3"],
        &["--depth", "multiple times"],
    ),
    (&["--depth", "3"], &["'--depth'", "search"]),
    // Games.
    (
        &["search", "chess"],
        &[
            "unknown game 'chess'",
            "kalah, gomoku, blokus, blokus-duo, 2048",
        ],
    ),
    (&["search", ""], &["unknown game ''", "kalah"]),
    (
        &["search", "ka\nlah"],
        &["unknown game 'ka\\nlah'", "kalah"],
    ),
    (&["play", "go"], &["unknown game 'go'", "gomoku"]),
    (&["selfplay", "go"], &["unknown game 'go'", "gomoku"]),
    (
        &["perft", "go", "--depth", "1"],
        &["unknown game 'go'", "gomoku"],
    ),
    (&["bench", "go"], &["'go'", "gomoku"]),
    (&["search", "kalah:pits=9"], &["'9'", "1 to 8"]),
    (&["search", "kalah:size=9"], &["'size'", "pits=6"]),
    (
        &["search", "kalah:pits=8,stones=20"],
        &["320 stones", "255"],
    ),
    (
        &["search", "gomoku:rule=chess"],
        &["'chess'", "freestyle, exactly-five or renju"],
    ),
    (&["search", "blokus:duo"], &["'duo'", "no options"]),
    // Numbers.
    (
        &["search", "kalah", "--depth", "0"],
        &["'0'", "--depth", "1 to 250"],
    ),
    (
        &["search", "kalah", "--depth", "1000"],
        &["'1000'", "1 to 250"],
    ),
    (&["search", "kalah", "--depth", "-1"], &["'-1'", "1 to 250"]),
    (
        &["search", "kalah", "--depth", "ten"],
        &["'ten'", "1 to 250"],
    ),
    (&["perft", "kalah", "--depth", "0"], &["'0'", "1 to 250"]),
    (
        &["search", "kalah", "--threads", "0"],
        &["'0'", "--threads", "1 to 256"],
    ),
    (
        &["search", "kalah", "--threads", "1000"],
        &["'1000'", "1 to 256"],
    ),
    (&["search", "kalah", "--nodes", "0"], &["'0'", "at least 1"]),
    (&["search", "kalah", "--nodes", "many"], &["'many'", "200k"]),
    (&["search", "kalah", "--time", "0"], &["'0'", "500ms"]),
    (&["search", "kalah", "--time", "0s"], &["'0s'", "500ms"]),
    (
        &["search", "kalah", "--time", "soon"],
        &["'soon'", "500ms, 2s or 1m"],
    ),
    (&["search", "kalah", "--time", "5"], &["'5'", "500ms"]),
    (&["search", "kalah", "--memory", "0"], &["'0'", "64M"]),
    (&["search", "kalah", "--memory", "lots"], &["'lots'", "64M"]),
    (
        &["search", "kalah", "--memory", "99999999G"],
        &["'99999999G'", "64M"],
    ),
    (&["search", "2048", "--seed", "-1"], &["'-1'", "from 0"]),
    (&["selfplay", "kalah", "--moves", "0"], &["'0'", "from 1"]),
    (&["selfplay", "kalah", "--games", "0"], &["'0'", "from 1"]),
    (
        &["selfplay", "kalah", "--random-plies", "-2"],
        &["'-2'", "from 0"],
    ),
    // Searches, strategies, evaluations.
    (
        &["search", "kalah", "--search", "magic"],
        &["'magic'", "minimax, alphabeta"],
    ),
    (
        &["search", "kalah", "--search", "alphabeta:fast"],
        &["'fast'", "no-pvs"],
    ),
    (
        &["search", "kalah", "--search", "expectimax"],
        &["expectimax", "minimax, alphabeta, maxn"],
    ),
    (
        &["search", "blokus", "--search", "alphabeta"],
        &["alphabeta", "maxn, paranoid"],
    ),
    (
        &["search", "2048", "--search", "alphabeta"],
        &["alphabeta", "expectimax, worst-case"],
    ),
    (
        &["search", "2048", "--search", "expectimax:cut=2"],
        &["'2'", "between 0 and 1"],
    ),
    (
        &["search", "kalah", "--parallel", "magic"],
        &["'magic'", "every-node, budget:B"],
    ),
    (
        &["search", "kalah", "--parallel", "budget:x"],
        &["'x'", "1 to 250"],
    ),
    (
        &[
            "search",
            "kalah",
            "--search",
            "minimax",
            "--parallel",
            "ybwc",
        ],
        &["ybwc", "seq, every-node"],
    ),
    (
        &["search", "blokus", "--parallel", "lazy-smp"],
        &["lazy-smp", "budget:B"],
    ),
    (
        &["search", "kalah", "--parallel", "seq", "--threads", "2"],
        &["seq", "one thread"],
    ),
    (
        &["search", "kalah", "--eval", "best"],
        &["'best'", "stores"],
    ),
    (&["play", "kalah", "--eval", "best"], &["'best'", "stores"]),
    (
        &["selfplay", "kalah", "--search", "expectimax"],
        &["expectimax", "minimax"],
    ),
    (
        &["search", "kalah", "--after-chance"],
        &["--after-chance", "kalah"],
    ),
    (&["play", "kalah", "--you", "third"], &["'third'", "south"]),
    (
        &["play", "2048", "--you", "second"],
        &["'second'", "spawner"],
    ),
    // Positions: malformed, impossible, of another game.
    (
        &["search", "kalah", "--position", ""],
        &["''", "Kalah board"],
    ),
    (
        &["search", "kalah", "--position", "<6,1,2> s"],
        &["3 numbers", "15"],
    ),
    (
        &["search", "kalah", "--position", "H8 I9"],
        &["'H8 I9'", "Kalah board"],
    ),
    (
        &[
            "search",
            "kalah:pits=4",
            "--position",
            "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> s",
        ],
        &["6 pits", "4"],
    ),
    (
        &[
            "search",
            "gomoku",
            "--position",
            "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> s",
        ],
        &["is not a position", "H8 I9"],
    ),
    (
        &["search", "gomoku", "--position", "H8 H8"],
        &["H8", "empty point"],
    ),
    (&["search", "gomoku", "--position", "H8 Z99"], &["Z99"]),
    (
        &["search", "blokus", "--position", "H8"],
        &["'H8'", "turn="],
    ),
    (
        &[
            "search",
            "blokus",
            "--position",
            "turn=B B=a1,b1 Y=- R=- G=-",
        ],
        &["a20"],
    ),
    (
        &[
            "search",
            "blokus-duo",
            "--position",
            "turn=R B=- Y=- R=- G=-",
        ],
        &["Y=-"],
    ),
    (
        &["search", "2048", "--position", "2,4,8"],
        &["1 rows", "4 rows"],
    ),
    (
        &[
            "search",
            "2048",
            "--position",
            "3,.,.,./.,.,.,./.,.,.,./.,.,.,.",
        ],
        &["'3'", "2, 4, 8"],
    ),
    (
        &["perft", "kalah", "--depth", "1", "--position", "x"],
        &["'x'", "Kalah board"],
    ),
    (
        &["play", "kalah", "--position", "x"],
        &["'x'", "Kalah board"],
    ),
    (
        &["selfplay", "kalah", "--position", "x"],
        &["'x'", "Kalah board"],
    ),
];

#[test]
fn bad_input_gets_one_clear_line() {
    for (arguments, parts) in CASES {
        let ran = run(arguments);
        assert_eq!(ran.status, 2, "{arguments:?}: {}", ran.err);
        assert_eq!(ran.out, "", "{arguments:?}");
        assert_eq!(ran.err.lines().count(), 1, "{arguments:?}: {}", ran.err);
        assert!(
            ran.err.starts_with("plywood: "),
            "{arguments:?}: {}",
            ran.err
        );
        assert!(ran.err.ends_with('\n'));
        for part in *parts {
            assert!(
                ran.err.contains(part),
                "{arguments:?} lacks {part:?}: {}",
                ran.err
            );
        }
    }
}

#[test]
fn a_long_or_strange_argument_stays_on_one_line() {
    let long = "x".repeat(100_000);
    for arguments in [
        ["search", &long, "--depth", "1"],
        ["search", "kalah\x1b[31m\u{2028}\r\n", "--depth", "1"],
        [
            "search",
            "gomoku",
            "--position",
            "\u{0}.".trim_start_matches('\u{0}'),
        ],
        ["search", "gomoku", "--position", "a\nb\rc\x07"],
        ["search", "blokus", "--position", "ä=ö ß"],
        ["search", "kalah", "--search", "a\nb"],
        ["search", "kalah", "--parallel", "a\nb"],
        ["search", "kalah", "--depth", "a\nb"],
    ] {
        let ran = run(&arguments);
        assert_eq!((ran.status, ran.out.as_str()), (2, ""));
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
        assert!(
            !ran.err.trim_end().contains(char::is_control),
            "{:?}",
            ran.err
        );
    }
}
