//! Matches among our own players: the same games however they are played, kept, stopped and
//! checked.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use plywood_games::registry::Random;
use plywood_lab::LabError;
use plywood_lab::matches::stats::{Sprt, Verdict};
use plywood_lab::matches::{
    End, Fault, FaultKind, Finished, Folder, Opening, Openings, Outcome, Plan, PlayerRequest,
    Request, records, replay, run, summary, verify,
};

fn request(game: &str, players: &[&str], games: u32) -> Request {
    Request {
        game: game.to_owned(),
        players: players
            .iter()
            .map(|text| PlayerRequest::Text((*text).to_owned()))
            .collect(),
        games: Some(games),
        ..Request::default()
    }
}

fn plan(request: &Request) -> Plan {
    Plan::new(request).expect("a plan")
}

fn play(plan: &Plan, path: &Path, concurrency: usize) -> Outcome {
    let (mut folder, games) = if Folder::holds_match(path) {
        let (folder, kept, games) = Folder::resume(path).expect("a match");
        assert_eq!(&kept, plan);
        (folder, games)
    } else {
        let folder = Folder::create(path, plan).expect("a folder");
        (folder, Vec::new())
    };
    let stop = Arc::new(AtomicBool::new(false));
    run(plan, &mut folder, games, concurrency, &stop, &mut |_| {}).expect("a match")
}

/// The games without what they cost, which differs from run to run.
fn timeless(games: &[Finished]) -> Vec<Finished> {
    let mut games = games.to_vec();
    for game in &mut games {
        game.costs.clear();
    }
    games
}

/// Matches of every game whose players have depth or node limits.
fn matches() -> Vec<Plan> {
    let list = [
        request(
            "kalah",
            &["name=a,depth=4,memory=1M", "name=b,nodes=500,memory=1M"],
            12,
        ),
        request(
            "gomoku:size=9",
            &["name=a,nodes=300,memory=1M", "name=b,random"],
            6,
        ),
        request(
            "kalah:stones=3",
            &[
                "name=a,depth=2,memory=1M",
                "name=b,depth=3,memory=1M",
                "name=c,random",
            ],
            12,
        ),
        request(
            "2048",
            &[
                "name=a,search=expectimax,depth=1,memory=1M",
                "name=r,random",
            ],
            4,
        ),
        request(
            "blokus-duo",
            &["name=a,depth=1,memory=1M", "name=r,random"],
            4,
        ),
        request("blokus", &["name=a,depth=1,memory=1M", "name=r,random"], 6),
    ];
    list.iter().map(plan).collect()
}

#[test]
fn games_do_not_depend_on_how_many_are_played_at_once() {
    for plan in matches() {
        let one = tempfile::tempdir().expect("a folder");
        let four = tempfile::tempdir().expect("a folder");
        let alone = play(&plan, one.path(), 1);
        let together = play(&plan, four.path(), 4);
        assert!(!alone.stopped && alone.games.len() == plan.games as usize);
        assert_eq!(
            timeless(&alone.games),
            timeless(&together.games),
            "{}",
            plan.game
        );
        let checked = replay(one.path()).expect("every record is right");
        assert_eq!(checked.games, plan.games as usize);
        assert!(summary(&plan, &alone.games, true).contains(&plan.game));
        // What is shown meanwhile needs no more than the games so far.
        for count in [0, 1, alone.games.len()] {
            assert!(!summary(&plan, &alone.games[..count], false).is_empty());
        }
    }
}

#[test]
fn a_match_goes_on_from_wherever_its_file_ends() {
    let plan = plan(&request(
        "kalah",
        &["name=a,depth=3,memory=1M", "name=b,random"],
        16,
    ));
    let whole = tempfile::tempdir().expect("a folder");
    let reference = play(&plan, whole.path(), 2);
    let bytes = fs::read(whole.path().join("games.jsonl")).expect("games");
    let mut random = Random::new(5);
    for _ in 0..12 {
        let cut = random.below(bytes.len() + 1);
        let part = tempfile::tempdir().expect("a folder");
        play_nothing(&plan, part.path());
        fs::write(part.path().join("games.jsonl"), &bytes[..cut]).expect("a file");
        let again = play(&plan, part.path(), 2);
        assert_eq!(
            timeless(&again.games),
            timeless(&reference.games),
            "cut at {cut}"
        );
        replay(part.path()).expect("every record is there and right");
        let lines = fs::read_to_string(part.path().join("games.jsonl")).expect("games");
        assert_eq!(lines.lines().count(), 16);
    }
}

/// The folder of a match that has not begun.
fn play_nothing(plan: &Plan, path: &Path) {
    let mut folder = Folder::create(path, plan).expect("a folder");
    let stop = Arc::new(AtomicBool::new(true));
    let outcome = run(plan, &mut folder, Vec::new(), 2, &stop, &mut |_| {}).expect("a match");
    assert!(outcome.stopped && outcome.games.is_empty());
}

#[test]
fn a_match_can_be_stopped_at_any_game() {
    let plan = plan(&request(
        "kalah",
        &["name=a,depth=3,memory=1M", "name=b,random"],
        10,
    ));
    let whole = tempfile::tempdir().expect("a folder");
    let reference = play(&plan, whole.path(), 1);
    let path = tempfile::tempdir().expect("a folder");
    let mut folder = Folder::create(path.path(), &plan).expect("a folder");
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let outcome = run(&plan, &mut folder, Vec::new(), 1, &stop, &mut |games| {
        flag.store(games.len() >= 4, Ordering::Relaxed);
    });
    let outcome = outcome.expect("a match");
    assert!(outcome.stopped && (4..10).contains(&outcome.games.len()));
    drop(folder);
    let again = play(&plan, path.path(), 1);
    assert_eq!(timeless(&again.games), timeless(&reference.games));
}

#[test]
fn two_matches_do_not_share_a_folder() {
    let plan = plan(&request("kalah", &["name=a,random", "name=b,random"], 2));
    let path = tempfile::tempdir().expect("a folder");
    let first = Folder::create(path.path(), &plan).expect("a folder");
    match Folder::resume(path.path()) {
        Err(LabError::Failed(line)) => assert!(line.contains("another match is being played")),
        other => panic!("{other:?}"),
    }
    drop(first);
    Folder::resume(path.path()).expect("free again");
}

#[test]
fn a_damaged_file_is_named_with_its_line() {
    let plan = plan(&request("kalah", &["name=a,random", "name=b,random"], 4));
    let path = tempfile::tempdir().expect("a folder");
    play(&plan, path.path(), 1);
    let file = path.path().join("games.jsonl");
    let good = fs::read_to_string(&file).expect("games");
    let lines: Vec<&str> = good.lines().collect();
    let error = |text: String| {
        fs::write(&file, text).expect("a file");
        match Folder::resume(path.path()) {
            Err(LabError::Input(line)) => line,
            other => panic!("{other:?}"),
        }
    };
    let broken = format!("{}\n{{\n{}\n", lines[0], lines[1]);
    assert!(error(broken).contains("games.jsonl:2: this is not a game"));
    let twice = format!("{}\n{}\n{}\n", lines[0], lines[0], lines[1]);
    assert!(error(twice).contains("games.jsonl:2: game 0"));
    fs::write(path.path().join("match.json"), "{\n\"format\": 1\n").expect("a file");
    match Folder::resume(path.path()) {
        Err(LabError::Input(line)) => assert!(line.contains("match.json:"), "{line}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_last_line_that_cannot_be_read_is_played_again() {
    let plan = plan(&request("kalah", &["name=a,random", "name=b,random"], 4));
    let path = tempfile::tempdir().expect("a folder");
    let whole = play(&plan, path.path(), 1);
    let file = path.path().join("games.jsonl");
    let good = fs::read(&file).expect("games");
    let lines: Vec<&[u8]> = good.split_inclusive(|&byte| byte == b'\n').collect();
    let three = lines[..3].concat();
    for (end, word) in [
        (&b"{\"game\":3,\"start\":\"\xe2\x82"[..], "was cut off"),
        (b"\xff\xff\n", "is damaged"),
        (&lines[3][..lines[3].len() - 1], "was cut off"),
    ] {
        fs::write(&file, [&three[..], end].concat()).expect("a file");
        let (folder, _, games) = Folder::resume(path.path()).expect("it goes on");
        assert_eq!(games.len(), 3);
        let said = folder.remainder().expect("something to say").to_string();
        assert!(
            said.contains("games.jsonl:4: ") && said.contains(word),
            "{said}"
        );
        drop(folder);
        let again = play(&plan, path.path(), 1);
        assert_eq!(timeless(&again.games), timeless(&whole.games));
        let (folder, ..) = Folder::read(path.path()).expect("whole again");
        assert_eq!(folder.remainder(), None);
    }
}

#[test]
fn a_test_ends_the_match_with_the_same_games_always() {
    let mut asked = request(
        "kalah",
        &["name=a,depth=4,memory=1M", "name=b,random"],
        4000,
    );
    asked.sprt = Sprt::parse("elo0=0,elo1=50").ok();
    let plan = plan(&asked);
    let mut ends = Vec::new();
    for concurrency in [1, 3] {
        let path = tempfile::tempdir().expect("a folder");
        let outcome = play(&plan, path.path(), concurrency);
        assert!(!outcome.stopped && outcome.games.len() < 400);
        let text = summary(&plan, &outcome.games, true);
        assert!(text.contains("(H1)"), "{text}");
        // Going on finds the match decided, and adds nothing.
        let again = play(&plan, path.path(), concurrency);
        assert_eq!(again.games, outcome.games);
        ends.push(timeless(&outcome.games));
    }
    assert_eq!(ends[0], ends[1]);
    let sprt = plan.sprt.expect("a test");
    let pairs = ends[0].len() as u64 / 2;
    assert_ne!(sprt.verdict(&[0, 0, 0, 0, pairs]), Verdict::Undecided);
}

#[test]
fn what_is_not_shown_is_said() {
    let twins = request("kalah", &["name=a,random", "name=b,random"], 20);
    let twins = plan(&twins);
    let path = tempfile::tempdir().expect("a folder");
    let outcome = play(&twins, path.path(), 2);
    let text = summary(&twins, &outcome.games, true);
    assert_eq!(text.matches("no difference shown").count(), 2, "{text}");
    let strong = plan(&request(
        "kalah",
        &["name=a,depth=4,memory=1M", "name=b,random"],
        20,
    ));
    let path = tempfile::tempdir().expect("a folder");
    let outcome = play(&strong, path.path(), 2);
    let text = summary(&strong, &outcome.games, true);
    assert!(!text.contains("no difference shown"), "{text}");
}

#[test]
fn four_players_have_shares_and_scores() {
    let players = [
        "name=a,depth=1,memory=1M",
        "name=r,random",
        "name=s,random",
        "name=t,random",
    ];
    let plan = plan(&request("blokus", &players, 28));
    let path = tempfile::tempdir().expect("a folder");
    let outcome = play(&plan, path.path(), 2);
    let text = summary(&plan, &outcome.games, true);
    assert!(
        text.contains("win share [95 %]") && text.contains("mean score [95 %]"),
        "{text}"
    );
    assert!(text.contains("a fair share is 25.0 %"), "{text}");
    let total: f64 = outcome.games.iter().flat_map(Finished::win_shares).sum();
    assert!((total - 28.0).abs() < 1e-9);
    // Whoever looks a move ahead is ahead of whoever does not, in most of 28 games.
    let line = text.lines().find(|line| line.starts_with("a         r  "));
    let line = line.unwrap_or_else(|| panic!("{text}"));
    assert!(line.ends_with(" of 28"), "{line}");
    let share = line.split_whitespace().nth(2).map(str::parse::<f64>);
    assert!(
        share.is_some_and(|share| share.is_ok_and(|share| share > 60.0)),
        "{line}"
    );
    // Of two openings nobody can tell how much openings differ.
    assert!(text.contains("drawing whole openings anew"), "{text}");
    let few = summary(&plan, &outcome.games[..8], true);
    assert!(few.contains("drawing single games anew"), "{few}");
    assert!(!few.contains("[too few]"), "{few}");
}

#[test]
fn scores_and_tiles_of_2048() {
    let players = [
        "name=a,search=expectimax,depth=1,memory=1M",
        "name=r,random",
    ];
    let plan = plan(&request("2048", &players, 16));
    let path = tempfile::tempdir().expect("a folder");
    let outcome = play(&plan, path.path(), 2);
    let text = summary(&plan, &outcome.games, true);
    assert!(
        text.contains("mean score [95 %]") && text.contains("a - r: "),
        "{text}"
    );
    assert!(
        text.lines()
            .any(|line| line.trim_start().starts_with("128 ")),
        "{text}"
    );
    // Both players had the same luck: the same first tiles.
    for pair in outcome.games.chunks(2) {
        assert_eq!(pair[0].moves[..2], pair[1].moves[..2]);
    }
}

/// A game from a set-up position, played at random for a while and then given up.
fn set_up_game(
    game: &str,
    position: &str,
    plies: usize,
    end: Option<FaultKind>,
) -> (Plan, Finished) {
    let plan = plan(&request(game, &["name=a,random", "name=b,random"], 2));
    let rules = plan.open_game().expect("a game");
    let opening = Opening::read(position, &*rules).expect("an opening");
    let (mut now, _) = opening.replay(&*rules).expect("legal");
    let mut random = Random::new(3);
    let mut moves = opening.moves.clone();
    let mut scores = rules.final_scores(&now);
    while scores.is_none() && moves.len() < plies {
        let mv = rules.random_move(&now, &mut random).expect("a move");
        now = rules.play(&now, &mv).expect("legal");
        moves.push(mv);
        scores = rules.final_scores(&now);
    }
    let seat = match rules.turn(&now) {
        plywood::Turn::Player(seat) => seat.index(),
        _ => 0,
    };
    let end = match (end, scores) {
        (Some(kind), None) => End::Fault(Fault {
            seat,
            kind,
            note: "a ] and a \\ in it".to_owned(),
        }),
        (_, Some(scores)) => End::Scores(scores),
        (None, None) => panic!("{game} is not over"),
    };
    let seats = (0..rules.info().players).map(|seat| seat % 2).collect();
    let finished = Finished {
        game: 0,
        block: 0,
        seats,
        start: opening.start,
        opening: opening.moves.len(),
        moves,
        end,
        costs: Vec::new(),
    };
    (plan, finished)
}

#[test]
fn records_are_read_back_and_verified() {
    for (game, position) in [
        ("gomoku:size=9,rule=exactly-five", "E5 F6 D4"),
        ("gomoku:size=9", "9/9/2x6/3o5/4x4/9/9/9/9 w"),
        ("gomoku:size=7,rule=renju", "D4"),
        ("kalah:stones=3", "A"),
        ("kalah", "<6,3,5,4,0,5,5,5,1,4,4,4,0,6,2> n"),
        (
            "blokus-duo",
            "turn=B B=e12,d11,e11,f11,e10 W=j7,i6,j6,k6,j5",
        ),
        (
            "blokus",
            "turn=B B=a20,b20,b19,c19,b18 Y=t20,s20,s19,r19,s18 R=t1,s1,s2,r2,s3 G=a1,b1,b2,c2,b3",
        ),
        ("blokus", "a20"),
    ] {
        let ends = [
            None,
            Some(FaultKind::Time),
            Some(FaultKind::Crash),
            Some(FaultKind::Illegal),
        ];
        for end in ends {
            let plies = if end.is_some() { 6 } else { 1000 };
            let (plan, finished) = set_up_game(game, position, plies, end);
            let rules = plan.open_game().expect("a game");
            let text = records::write(&plan, &*rules, &finished);
            let record = records::read(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(record.moves, finished.moves, "{text}");
            let set_up = finished.start.split(' ').next() == record.start.split(' ').next();
            assert!(set_up, "{} and {}", record.start, finished.start);
            assert_eq!(record.players.len(), finished.seats.len());
            verify(&record).unwrap_or_else(|error| panic!("{text}: {error}"));
        }
    }
}

#[test]
fn a_wrong_move_or_result_in_a_record_is_found() {
    let gomoku = "(;FF[4]GM[4]SZ[15]PB[a]PW[b]RE[B+]\
         ;B[hh];W[aa];B[hi];W[ab];B[hj];W[ac];B[hk];W[ad];B[hl])";
    let check = |text: &str| verify(&records::read(text)?);
    assert_eq!(check(gomoku), Ok(()));
    for (from, to, expected) in [
        ("W[ad]", "W[ac]", "move 8: there is a stone on"),
        ("B+", "W+", "the result is recorded as White"),
        ("B+", "0", "the result is recorded as a draw"),
        ("B+", "B+T", "the result is recorded as a fault (time)"),
        (";B[hl]", "", "the game is not over"),
        ("B[hl]", "B[hz]", "line 1: [hz] is not a point"),
        ("B+", "?", "RE[?] is no result"),
        ("SZ[15]", "SZ[99]", "SZ is not 5 to 20"),
        ("GM[4]", "GM[1]", "GM[1] is not known"),
        ("hl])", "hl]", "the closing ) is missing"),
    ] {
        assert!(gomoku.contains(from));
        let error = check(&gomoku.replacen(from, to, 1)).expect_err(to);
        assert!(error.contains(expected), "{to}: {error}");
        assert!(!error.contains('\n'));
    }
    let (plan, finished) = set_up_game("kalah", "A", 1000, None);
    let rules = plan.open_game().expect("a game");
    let line = records::write(&plan, &*rules, &finished);
    assert_eq!(check(&line), Ok(()));
    for (from, to) in [
        ("result ", "result 1"),
        ("moves A", "moves A A"),
        ("game", "gme"),
    ] {
        assert!(check(&line.replacen(from, to, 1)).is_err(), "{to}");
    }
    assert!(
        check("hello")
            .expect_err("no record")
            .contains("plywood-record 1")
    );
}

#[test]
fn a_record_that_is_not_the_game_is_found() {
    let plan = plan(&request("kalah", &["name=a,random", "name=b,random"], 2));
    let path = tempfile::tempdir().expect("a folder");
    play(&plan, path.path(), 1);
    let (first, second) = (
        path.path().join("games/000001.txt"),
        path.path().join("games/000002.txt"),
    );
    let line = |path: &Path| match replay(path) {
        Err(LabError::Input(line) | LabError::Failed(line)) => line,
        Ok(checked) => panic!("{checked:?}"),
    };
    let kept = fs::read_to_string(&second).expect("a record");
    fs::copy(&first, &second).expect("a copy");
    assert!(line(path.path()).contains("000002.txt: this is not game 1 of games.jsonl"));
    fs::write(&second, kept.replacen("moves ", "moves A A ", 1)).expect("a file");
    assert!(line(path.path()).contains("000002.txt: move "));
    assert!(
        line(&second).contains("000002.txt: move "),
        "one record alone"
    );
    fs::remove_file(&second).expect("removed");
    assert!(line(path.path()).contains("000002.txt: No such file"));
    assert!(line(&path.path().join("nothing")).contains("use the folder of a match, or a record"));
}

#[test]
fn a_match_is_read_from_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("match.toml");
    let text = "game = \"kalah:stones=3\"\ngames = 6\nseed = 9\nsprt = \"elo1=30\"\ngrace = \"50ms\"\n\
         random-plies = 3\nseatings = \"all\"\n\n[[player]]\nname = \"a\"\nsearch = \"alphabeta:no-table,no-pvs\"\n\
         depth = 3\n\n[[player]]\nname = \"b\"\nrandom = true\n";
    fs::write(&file, text).expect("a file");
    let from_file = Plan::new(&Request::read_file(&file).expect("a match")).expect("a plan");
    let mut asked = request(
        "kalah:stones=3",
        &[
            "name=a,search=alphabeta:no-table,no-pvs,depth=3",
            "name=b,random",
        ],
        6,
    );
    asked.seed = Some(9);
    asked.sprt = Sprt::parse("elo1=30").ok();
    asked.grace = Some(std::time::Duration::from_millis(50));
    asked.random_plies = Some(3);
    asked.seatings = Some(plywood_lab::matches::Seatings::All);
    assert_eq!(from_file, plan(&asked));
    for (from, to, expected) in [
        (
            "games = 6",
            "gamez = 6",
            "match.toml:2: unknown field `gamez`, expected one of `game`",
        ),
        ("games = 6", "games = \"x\"", "match.toml:2: invalid type"),
        ("games = 6", "games = ", "match.toml:2: "),
        ("elo1=30", "elo2=30", "match.toml:4: unknown key 'elo2'"),
        ("50ms", "50", "match.toml:5: use a time"),
        (
            "\"all\"",
            "\"some\"",
            "match.toml:7: 'some' are no seatings: use rotations or all",
        ),
        (
            "depth = 3",
            "depht = 3",
            "match.toml:9: a player has no key \"depht\": use name",
        ),
        (
            "depth = 3",
            "depth = 0",
            "match.toml:9: player 'a': depth=0: use a number",
        ),
        (
            "depth = 3",
            "depth = [3]",
            "match.toml:9: depth of a player: use a text",
        ),
        (
            "\"b\"",
            "\"a\"",
            "match.toml:14: two players are called 'a'",
        ),
    ] {
        fs::write(&file, text.replacen(from, to, 1)).expect("a file");
        let read = Request::read_file(&file).and_then(|request| Plan::new(&request));
        match read {
            Err(LabError::Input(line)) => {
                assert!(line.contains(expected), "{to}: {line}");
                assert!(!line.contains('\n'), "{line}");
            }
            other => panic!("{to}: {other:?}"),
        }
    }
}

#[test]
fn openings_come_from_a_file_in_their_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("openings");
    fs::write(&file, "# two openings\nA\n\nB G  # the other\n").expect("a file");
    let mut asked = request("kalah", &["name=a,random", "name=b,random"], 4);
    asked.openings = Some(file.clone());
    asked.games = None;
    let two = plan(&asked);
    assert_eq!(two.games, 4);
    assert!(matches!(&two.openings, Openings::List(list) if list.len() == 2));
    let path = tempfile::tempdir().expect("a folder");
    let games = play(&two, path.path(), 2).games;
    let openings: Vec<&[String]> = games.iter().map(|g| &g.moves[..g.opening]).collect();
    assert_eq!(openings, [&["A"][..], &["A"], &["B", "G"], &["B", "G"]]);
    let mut error = |text: &str, games| {
        fs::write(&file, text).expect("a file");
        asked.games = games;
        match Plan::new(&asked) {
            Err(LabError::Input(line)) => line,
            other => panic!("{other:?}"),
        }
    };
    assert!(error("A\nA A\n", None).contains("openings:2: move 2: "));
    assert!(error("A\n\nhello\n", None).contains("openings:3: "));
    assert!(error("# nothing\n", None).contains("there is no opening"));
    assert!(error("A\nB\n", Some(6)).contains("6 games need 3 openings, and there are 2"));
}
