//! The Gomocup protocol: whole conversations, odd lines, and any lines at all.

use std::collections::HashSet;
use std::io::{self, BufReader, Cursor, Read};
use std::sync::mpsc;
use std::time::Duration;

use plywood_games::gomoku::protocol::{Options, serve};
use proptest::prelude::*;

const OPTIONS: Options = Options {
    threads: 1,
    memory: 1 << 20,
};

/// What is answered to these lines, without the messages.
fn talk(lines: &str) -> Vec<String> {
    let mut output = Vec::new();
    let input = Cursor::new(lines.to_owned().into_bytes());
    serve(input, &mut output, OPTIONS).expect("a vector takes everything");
    let text = String::from_utf8(output).expect("text");
    text.lines()
        .filter(|line| !line.starts_with("MESSAGE"))
        .map(str::to_owned)
        .collect()
}

fn point(text: &str) -> (u8, u8) {
    let (x, y) = text
        .split_once(',')
        .unwrap_or_else(|| panic!("{text:?} is no point"));
    (x.parse().expect("a column"), y.parse().expect("a row"))
}

#[test]
fn a_game_is_begun_and_played() {
    let answers = talk(
        "START 15\r\nINFO timeout_turn 100\r\nINFO timeout_match 0\r\nINFO rule 0\r\n\
         INFO time_left 2147483647\r\nBEGIN\r\nTURN 0,0\r\nturn 0,2\r\nABOUT\r\n",
    );
    assert_eq!(answers.len(), 5, "{answers:?}");
    assert_eq!(answers[0], "OK");
    let points: HashSet<_> = answers[1..4].iter().map(|answer| point(answer)).collect();
    assert_eq!(points.len(), 3);
    assert_eq!(point(&answers[1]), (7, 7));
    assert!(points.iter().all(|&(x, y)| x < 15 && y < 15));
    assert!(answers[4].starts_with("name=\"Plywood\", version="));
}

#[test]
fn a_board_is_set_and_won() {
    // Four of ours in a row, with one end stopped.
    let board = "BOARD\n3,7,1\n4,7,1\n5,7,1\n6,7,1\n2,7,2\n0,0,2\n0,1,2\n0,3,2\nDONE\n";
    for (rule, size) in [(0, 15), (1, 15), (4, 15), (0, 20)] {
        let answers = talk(&format!(
            "INFO rule {rule}\nSTART {size}\nINFO timeout_turn 200\n{board}"
        ));
        assert_eq!(answers, ["OK", "7,7"], "rule {rule}");
    }
}

#[test]
fn what_is_repeated_of_a_line_cannot_upset_a_terminal() {
    let answers = talk("START 15\nBOARD\n7,7\u{1b}[2J\0,1\nDONE\n");
    assert_eq!(answers.len(), 2, "{answers:?}");
    assert!(
        answers[1].starts_with("ERROR 7,7?[2J?,1 is no stone"),
        "{answers:?}"
    );
}

#[test]
fn colours_follow_from_the_stones() {
    // In renju a double three is black's to avoid: the one who began has as many stones as
    // the other and is to move.
    let stones = "5,7,1\n6,7,1\n7,8,1\n7,9,1\n0,0,2\n3,1,2\n6,0,2\n10,1,2\n";
    let answers = talk(&format!(
        "START 15\nINFO rule 4\nYXBOARD\n{stones}DONE\nYXSHOWFORBID\n"
    ));
    assert_eq!(answers, ["OK", "FORBID 0707."]);
    let answers = talk(&format!(
        "START 15\nINFO rule 4\nYXBOARD\n{stones}14,14,2\nDONE\nYXSHOWFORBID\n"
    ));
    assert_eq!(answers, ["OK", "FORBID ."]);
}

#[test]
fn the_rest_of_the_commands() {
    let answers = talk(
        "RECTSTART 15,15\nRECTSTART 15,14\nINFO timeout_turn 50\nRESTART\nTURN 7,7\n\
         TAKEBACK 7,7\nTAKEBACK 7,7\nPLAY 3,3\nSTOP\nYXHASHCLEAR\nSTART 20\nSTART 4\nSTART 21\n",
    );
    assert_eq!(answers[0], "OK");
    assert!(answers[1].starts_with("ERROR"));
    assert_eq!(answers[2], "OK");
    point(&answers[3]);
    assert_eq!(answers[4], "OK");
    assert!(answers[5].starts_with("ERROR"));
    assert_eq!(answers[6], "3,3");
    assert_eq!(answers[7], "OK");
    assert!(answers[8].starts_with("ERROR") && answers[9].starts_with("ERROR"));
    assert_eq!(answers.len(), 10);
}

#[test]
fn odd_lines_are_unknown_and_play_goes_on() {
    let answers = talk(
        "HELLO\n\nTURN 3,3\nSTART 15\nINFO timeout_turn 50\nINFO colour blue\nINFO\n\
         TURN 99,3\nTURN x\nTURN 3,3\nTURN 3,3\n\u{1}\u{2}\nBOARD\n1,1,1\n1,1,2\nDONE\n\
         BOARD\n1,1,9\nDONE\nINFO rule 8\nINFO rule 0\nRESTART\nBEGIN\n",
    );
    assert!(answers[0].starts_with("UNKNOWN"), "{answers:?}");
    assert!(answers[1].starts_with("ERROR"));
    assert_eq!(answers[2], "OK");
    assert!(answers[3].starts_with("ERROR") && answers[4].starts_with("ERROR"));
    point(&answers[5]);
    assert!(answers[6].starts_with("ERROR"), "there is a stone already");
    assert!(answers[7].starts_with("UNKNOWN"));
    assert!(answers[8].starts_with("ERROR") && answers[9].starts_with("ERROR"));
    assert!(answers[10].starts_with("ERROR") && answers[10].contains("caro"));
    assert_eq!(answers[11], "OK");
    assert_eq!(answers[12], "7,7");
}

#[test]
fn swap2_in_its_three_cases() {
    let start = "START 15\nINFO timeout_turn 300\n";
    let answers = talk(&format!("{start}SWAP2BOARD\nDONE\n"));
    let stones: HashSet<_> = answers[1].split(' ').map(point).collect();
    assert_eq!(stones.len(), 3);
    for stones in ["7,7\n8,8\n6,6\n", "7,7\n8,8\n6,6\n5,5\n8,6\n"] {
        let answers = talk(&format!("{start}SWAP2BOARD\n{stones}DONE\n"));
        let answer = &answers[1];
        if answer != "SWAP" {
            let chosen = format!("{answer}\n");
            point(answer);
            assert!(!stones.contains(&chosen), "{answer} is taken");
        }
    }
    // Black has an open three and white is to move: take black.
    let answers = talk(&format!(
        "{start}SWAP2BOARD\n7,7\n0,0\n7,8\n14,14\n7,9\nDONE\n"
    ));
    assert_eq!(answers[1], "SWAP");
    let answers = talk(&format!("{start}SWAP2BOARD\n7,7\n0,0\nDONE\n"));
    assert!(answers[1].starts_with("ERROR"));
}

/// Lines that come only when they are sent.
struct Pipe(mpsc::Receiver<Vec<u8>>, Vec<u8>);

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.1.is_empty() {
            match self.0.recv() {
                Ok(bytes) => self.1 = bytes,
                Err(_) => return Ok(0),
            }
        }
        let count = self.1.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.1[..count]);
        self.1.drain(..count);
        Ok(count)
    }
}

/// Runs the program in a thread; gives where to send lines, and where its answers arrive.
fn converse() -> (mpsc::Sender<Vec<u8>>, mpsc::Receiver<String>) {
    struct Lines(mpsc::Sender<String>, Vec<u8>);
    impl io::Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.1.extend_from_slice(bytes);
            while let Some(end) = self.1.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = self.1.drain(..=end).collect();
                let _ = self
                    .0
                    .send(String::from_utf8_lossy(&line).trim().to_owned());
            }
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let (send, receive) = mpsc::channel();
    let (told, answers) = mpsc::channel();
    std::thread::spawn(move || {
        let input = BufReader::new(Pipe(receive, Vec::new()));
        serve(input, &mut Lines(told, Vec::new()), OPTIONS).expect("it can be written");
    });
    (send, answers)
}

fn next(answers: &mpsc::Receiver<String>) -> Option<String> {
    loop {
        // Far more than it takes: a search without a stop would take ten times as long.
        let line = answers.recv_timeout(Duration::from_secs(60)).ok()?;
        if !line.starts_with("MESSAGE") {
            return Some(line);
        }
    }
}

#[test]
fn stop_and_end_are_heard_while_thinking() {
    let (send, answers) = converse();
    let tell = |text: &str| send.send(text.as_bytes().to_vec()).expect("it listens");
    tell("START 15\nINFO timeout_turn 600000\n");
    assert_eq!(next(&answers).as_deref(), Some("OK"));
    tell("BOARD\n7,7,2\nDONE\n");
    std::thread::sleep(Duration::from_millis(100));
    tell("STOP\n");
    point(&next(&answers).expect("a move"));
    // It goes on thinking about the next move, until told to end: then nothing is said.
    tell("TURN 0,0\n");
    std::thread::sleep(Duration::from_millis(50));
    tell("END\n");
    assert_eq!(next(&answers), None);
}

#[test]
fn a_stop_that_comes_early_counts() {
    let answers = talk("START 15\nINFO timeout_turn 600000\nBOARD\n7,7,2\nDONE\nSTOP\nEND\n");
    // Whether END has been read by then, or the move was told before, is all that can differ.
    assert_eq!(answers[0], "OK");
    assert!(answers.len() <= 2);
}

fn any_line() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ -~]{0,30}",
        "(START|RECTSTART|RESTART|TURN|PLAY|TAKEBACK|BEGIN|ABOUT|DONE|STOP|YXSTOP|YXSHOWFORBID) ?[0-9]{0,3},?[0-9]{0,3}",
        "INFO (timeout_turn|timeout_match|time_left|max_memory|rule|max_depth|max_node|thread_num|folder|evaluate) -?[0-9]{1,20}",
        "(BOARD|YXBOARD|SWAP2BOARD)(\n[0-9]{1,2},[0-9]{1,2}(,[0-4])?){0,6}\nDONE",
        "TURN 1?[0-9],1?[0-9]",
        "\\PC{0,20}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Whatever comes in, no panic, and every answer is one of the kinds that there are.
    #[test]
    fn any_lines_at_all(lines in proptest::collection::vec(any_line(), 0..20)) {
        // Little time for a move and few nodes, whatever the lines say about it.
        let mut text = String::from("START 9\n");
        for line in lines {
            text += &line;
            text += "\nINFO timeout_turn 1\nINFO max_node 300\nINFO thread_num 1\nINFO max_memory 1000000\n";
        }
        for answer in talk(&text) {
            let word = answer.split(' ').next().unwrap_or_default();
            let known = ["OK", "ERROR", "UNKNOWN", "FORBID", "SWAP"].contains(&word)
                || word.starts_with("name=")
                || word.split_once(',').is_some_and(|(x, y)| x.parse::<u8>().is_ok() && y.parse::<u8>().is_ok());
            prop_assert!(known, "{answer:?}");
        }
    }
}
