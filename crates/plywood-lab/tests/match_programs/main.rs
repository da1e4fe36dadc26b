//! Matches against other programs: those that play well, and those that do not.

mod stand_in;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use libtest_mimic::{Arguments, Trial};
use plywood_lab::matches::{
    End, Fault, FaultKind, Finished, Folder, Plan, PlayerRequest, Request, replay, run, summary,
};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == "stand-in") {
        stand_in::main(&arguments[1..]);
        return;
    }
    let test = |name: &str, test: fn()| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    };
    let tests = vec![
        test("programs_play_gomoku", programs_play_gomoku),
        test("programs_play_blokus", programs_play_blokus),
        test(
            "every_fault_of_a_gomoku_program",
            every_fault_of_a_gomoku_program,
        ),
        test(
            "every_fault_of_a_blokus_program",
            every_fault_of_a_blokus_program,
        ),
        test("the_program_is_started_again", the_program_is_started_again),
        test("what_a_program_is_told", what_a_program_is_told),
        test("odd_but_right", odd_but_right),
        test("time_for_the_whole_game", time_for_the_whole_game),
        test("nothing_is_left_running", nothing_is_left_running),
    ];
    libtest_mimic::run(&Arguments::from_args(), tests).exit();
}

/// A command that runs a stand-in.
fn stand_in(text: &str) -> String {
    let program = std::env::current_exe().expect("this program has a path");
    format!("'{}' stand-in {text}", program.display())
}

/// A player that is a program with these habits.
fn program(protocol: &str, manner: &str, time: &str) -> PlayerRequest {
    let command = stand_in(&format!("{protocol} {manner}"));
    let fields = [("name", "program"), (protocol, &command), ("time", time)];
    PlayerRequest::Fields {
        place: "test".to_owned(),
        fields: fields
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .to_vec(),
    }
}

fn request(game: &str, games: u32, program: PlayerRequest) -> Request {
    Request {
        game: game.to_owned(),
        players: vec![PlayerRequest::Text("name=ours,random".to_owned()), program],
        games: Some(games),
        random_plies: Some(2),
        grace: Some(Duration::from_millis(500)),
        ..Request::default()
    }
}

fn play(request: &Request) -> Vec<Finished> {
    let folder = tempfile::tempdir().expect("a folder");
    play_in(request, folder.path())
}

fn play_in(request: &Request, path: &Path) -> Vec<Finished> {
    let plan = Plan::new(request).expect("a plan");
    let mut folder = Folder::create(path, &plan).expect("a folder");
    let stop = Arc::new(AtomicBool::new(false));
    let outcome = run(&plan, &mut folder, Vec::new(), 2, &stop, &mut |_| {}).expect("a match");
    assert_eq!(outcome.games.len(), plan.games as usize);
    let checked = replay(path).expect("every record is right");
    assert_eq!(checked.games, outcome.games.len());
    // Whatever happened, there is a table.
    assert!(summary(&plan, &outcome.games, true).contains("program"));
    outcome.games
}

/// The fault of the program in a game.
fn fault(game: &Finished) -> &Fault {
    match &game.end {
        End::Fault(fault) => {
            assert_eq!(game.seats[fault.seat], 1, "the program's fault");
            assert_eq!(game.win_shares()[fault.seat], 0.0);
            fault
        }
        End::Scores(_) => panic!("no fault: {game:?}"),
    }
}

fn programs_play_gomoku() {
    for rule in ["freestyle", "exactly-five", "renju"] {
        let spec = format!("gomoku:size=7,rule={rule}");
        let games = play(&request(&spec, 4, program("gomocup", "well", "20s")));
        for game in games {
            assert!(game.scores().is_some(), "{rule}: {:?}", game.end);
            let seat = game.seats.iter().position(|&p| p == 1).expect("it played");
            assert!(game.costs[seat].moves > 0);
            assert!(game.costs[seat].cpu_us.is_some() || !cfg!(target_os = "linux"));
        }
    }
}

fn programs_play_blokus() {
    for game in ["blokus-duo", "blokus"] {
        for game in play(&request(game, 2, program("gtp", "well", "20s"))) {
            assert!(game.scores().is_some(), "{:?}", game.end);
        }
    }
}

/// Only those who say no move keep us waiting to the end; the others get all the time that a
/// busy machine needs.
fn time_for(manner: &str) -> &'static str {
    match manner.split(' ').next() {
        Some("silent") => "100ms",
        Some("garbage") => "1s",
        _ => "20s",
    }
}

fn every_fault_of_a_gomoku_program() {
    for (manner, kind, note) in [
        (
            "crash",
            FaultKind::Crash,
            "exit status: 3 and said: out of ideas",
        ),
        ("crash 2", FaultKind::Crash, "exit status: 3"),
        ("illegal 2", FaultKind::Illegal, "stone"),
        (
            "off-board 2",
            FaultKind::Illegal,
            "40,40 is not on the board",
        ),
        ("silent 2", FaultKind::Time, "was not answered in time"),
        ("garbage", FaultKind::Garbage, "what a lovely day"),
        ("flood", FaultKind::Garbage, "blah"),
        (
            "refuse",
            FaultKind::Refused,
            "START was answered with: ERROR size",
        ),
    ] {
        let mut request = request(
            "gomoku:size=7",
            2,
            program("gomocup", manner, time_for(manner)),
        );
        // A stone in the corner that the illegal move goes to.
        let folder = tempfile::tempdir().expect("a folder");
        let openings = folder.path().join("openings");
        std::fs::write(&openings, "A7 D4\n").expect("a file");
        request.openings = Some(openings);
        request.random_plies = None;
        for game in play(&request) {
            let fault = fault(&game);
            assert_eq!(fault.kind, kind, "{manner}: {}", fault.note);
            assert!(fault.note.contains(note), "{manner}: {}", fault.note);
            assert!(!fault.note.contains('\n'));
        }
    }
}

fn every_fault_of_a_blokus_program() {
    for (manner, kind, note) in [
        ("crash 2", FaultKind::Crash, "exit status: 3"),
        ("illegal 2", FaultKind::Illegal, "a1,b1,c1,d1,e1"),
        ("pass", FaultKind::Illegal, "pass"),
        ("fail", FaultKind::Refused, "was answered with: ? cannot"),
        ("silent", FaultKind::Time, "genmove"),
        ("garbage", FaultKind::Garbage, "what a lovely day"),
        (
            "refuse",
            FaultKind::Refused,
            "set_game Blokus Duo was answered with: ? unknown game",
        ),
    ] {
        for game in play(&request(
            "blokus-duo",
            2,
            program("gtp", manner, time_for(manner)),
        )) {
            let fault = fault(&game);
            assert_eq!(fault.kind, kind, "{manner}: {}", fault.note);
            assert!(fault.note.contains(note), "{manner}: {}", fault.note);
        }
    }
    // With four players the others share the win.
    let request = request("blokus", 6, program("gtp", "crash 2", "20s"));
    for game in play(&request) {
        let fault = fault(&game);
        let shares = game.win_shares();
        assert_eq!(
            shares.iter().filter(|&&share| share > 0.3).count(),
            3,
            "{fault:?}"
        );
    }
}

fn the_program_is_started_again() {
    // It crashes in every game at its third move, so every game has two of its moves.
    let games = play(&request(
        "gomoku:size=9",
        6,
        program("gomocup", "crash 3", "20s"),
    ));
    for game in games {
        let seat = fault(&game).seat;
        assert_eq!(game.costs[seat].moves, 2, "{game:?}");
    }
}

/// The lines a program heard in one game.
fn heard(mut request: Request, command: &str) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("log");
    let (protocol, rest) = command.split_once(' ').expect("a protocol");
    let program = stand_in(&format!("{protocol} {rest}"));
    let variable = format!("env 'PLYWOOD_STAND_IN_LOG={}'", log.display());
    let fields = [
        ("name", "program".to_owned()),
        (protocol, format!("{variable} {program}")),
        ("time", "20s".to_owned()),
        ("match-time", "100s".to_owned()),
        ("memory", "64M".to_owned()),
    ];
    // One game at a time, or two programs would write into one file.
    request.players[1] = PlayerRequest::Fields {
        place: "test".to_owned(),
        fields: fields.map(|(key, value)| (key.to_owned(), value)).to_vec(),
    };
    let plan = Plan::new(&request).expect("a plan");
    let mut folder = Folder::create(&folder.path().join("run"), &plan).expect("a folder");
    let stop = Arc::new(AtomicBool::new(false));
    run(&plan, &mut folder, Vec::new(), 1, &stop, &mut |_| {}).expect("a match");
    let text = std::fs::read_to_string(&log).expect("it heard something");
    text.lines()
        .map(|line| line.trim_end().to_owned())
        .collect()
}

fn what_a_program_is_told() {
    let mut gomoku = request(
        "gomoku:size=9,rule=renju",
        2,
        program("gomocup", "well", "20s"),
    );
    gomoku.random_plies = Some(0);
    let lines = heard(gomoku.clone(), "gomocup well");
    let expected = [
        "START 9",
        "INFO timeout_turn 20000",
        "INFO timeout_match 100000",
        "INFO max_memory 67108864",
        "INFO game_type 1",
        "INFO rule 4",
    ];
    assert_eq!(lines[..6], expected);
    assert!(lines[6].starts_with("INFO time_left "), "{lines:?}");
    // In one game it opens, in the other it answers; every game ends with END.
    assert_eq!(lines.iter().filter(|line| *line == "BEGIN").count(), 1);
    assert_eq!(lines.iter().filter(|line| *line == "END").count(), 2);
    assert!(lines.iter().any(|line| line.starts_with("TURN ")));
    // The opening comes as a board: black at H2 and B8, white at C3; columns from the left,
    // rows from the top, 1 for its own stones.
    let folder = tempfile::tempdir().expect("a folder");
    let openings = folder.path().join("openings");
    std::fs::write(&openings, "H2 C3 B8 # a comment\n").expect("a file");
    gomoku.openings = Some(openings);
    gomoku.random_plies = None;
    let lines = heard(gomoku, "gomocup well");
    let board = lines
        .iter()
        .position(|line| line == "BOARD")
        .expect("a board");
    let as_white = ["BOARD", "7,7,2", "2,6,1", "1,1,2", "DONE"];
    assert_eq!(lines[board..board + 5], as_white, "{lines:?}");
    let blokus = request("blokus-duo", 2, program("gtp", "well", "20s"));
    let lines = heard(blokus, "gtp well");
    assert_eq!(lines[0], "set_game Blokus Duo");
    assert!(lines.contains(&"clear_board".to_owned()));
    assert!(
        lines
            .iter()
            .any(|line| line.starts_with("set_random_seed "))
    );
    assert!(lines.iter().any(|line| line.starts_with("play b ")));
    assert!(lines.iter().any(|line| line.starts_with("play w ")));
    assert!(lines.contains(&"genmove w".to_owned()) && lines.contains(&"genmove b".to_owned()));
    assert_eq!(lines.last().map(String::as_str), Some("quit"));
}

fn odd_but_right() {
    for (manner, note) in [
        ("talks", Some("ERROR just a little one")),
        ("suggests", None),
        ("stays", Some("it did not end within a second of END")),
    ] {
        let games = play(&request(
            "gomoku:size=7",
            2,
            program("gomocup", manner, "20s"),
        ));
        for game in games {
            assert!(game.scores().is_some(), "{manner}: {:?}", game.end);
            let seat = game.seats.iter().position(|&p| p == 1).expect("it played");
            let first = game.costs[seat].notes.first().map(String::as_str);
            assert_eq!(first, note, "{manner}");
        }
    }
}

fn time_for_the_whole_game() {
    let mut slow = request("gomoku:size=9", 2, program("gomocup", "no-start", "20s"));
    slow.start_time = Some(Duration::from_millis(300));
    for game in play(&slow) {
        assert_eq!(fault(&game).kind, FaultKind::Time);
        assert!(fault(&game).note.contains("START was not answered"));
    }
    let command = stand_in("gomocup silent 3");
    let fields = [
        ("name", "program"),
        ("gomocup", command.as_str()),
        ("time", "1h"),
        ("match-time", "200ms"),
    ];
    let player = PlayerRequest::Fields {
        place: "test".to_owned(),
        fields: fields
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .to_vec(),
    };
    for game in play(&request("gomoku:size=9", 2, player)) {
        assert_eq!(fault(&game).kind, FaultKind::Time);
    }
}

/// A program that starts another one, which would live on.
fn nothing_is_left_running() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let pid = folder.path().join("pid");
    let script = format!(
        "sleep 1000 & echo $! > {}; exec {}",
        pid.display(),
        stand_in("gomocup well").replace('\'', "")
    );
    let fields = [
        ("gomocup", format!("sh -c \"{script}\"")),
        ("time", "20s".to_owned()),
    ];
    let player = PlayerRequest::Fields {
        place: "test".to_owned(),
        fields: [("name".to_owned(), "program".to_owned())]
            .into_iter()
            .chain(fields.map(|(key, value)| (key.to_owned(), value)))
            .collect(),
    };
    let mut request = request("gomoku:size=7", 2, player);
    request.random_plies = Some(2);
    play(&request);
    let pid = std::fs::read_to_string(pid).expect("it was started");
    let gone = (0..100).any(|_| {
        std::thread::sleep(Duration::from_millis(20));
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
        // Nobody may have collected it yet.
        stat.map_or(true, |stat| stat.contains(") Z "))
    });
    assert!(gone, "process {pid} is still there");
}
