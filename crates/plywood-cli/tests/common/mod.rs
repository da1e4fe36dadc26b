//! Runs the program as a user does.

// Every test file is a program of its own that uses a part of this.
#![allow(dead_code)]

use std::io::Write;
use std::process::{Child, Command, Output, Stdio};

pub const GAMES: [&str; 5] = ["kalah", "gomoku", "blokus", "blokus-duo", "2048"];

pub struct Ran {
    pub status: i32,
    pub out: String,
    pub err: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Ran {
            status: output.status.code().expect("it ended by itself"),
            out: String::from_utf8(output.stdout).expect("text"),
            err: String::from_utf8(output.stderr).expect("text"),
        }
    }
}

pub fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_plywood"))
}

/// What a program says that a person interrupts.
pub fn interrupted(child: Child) -> Ran {
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status();
    assert!(sent.expect("kill is there").success());
    child.wait_with_output().expect("it ends").into()
}

/// Runs with these arguments and nothing to read.
pub fn run(arguments: &[&str]) -> Ran {
    let output = program().args(arguments).stdin(Stdio::null()).output();
    output.expect("the program starts").into()
}

/// Runs with arguments separated by spaces.
pub fn run_line(arguments: &str) -> Ran {
    run(&arguments.split_whitespace().collect::<Vec<_>>())
}

/// Runs something that works, and gives what it prints.
pub fn good(arguments: &[&str]) -> String {
    let ran = run(arguments);
    assert_eq!(ran.status, 0, "{arguments:?}: {}", ran.err);
    assert_eq!(ran.err, "", "{arguments:?}");
    assert!(!ran.out.contains('\x1b'), "no colours in a pipe");
    ran.out
}

pub fn good_line(arguments: &str) -> String {
    good(&arguments.split_whitespace().collect::<Vec<_>>())
}

/// Runs with these lines to read; the input ends after them.
pub fn typed(arguments: &str, lines: &[&str]) -> String {
    let mut child = program()
        .args(arguments.split_whitespace())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("it reads");
    for line in lines {
        // It may have quit already.
        if writeln!(input, "{line}").is_err() {
            break;
        }
    }
    drop(input);
    let ran: Ran = child.wait_with_output().expect("it ends").into();
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    ran.out
}

/// A folder of its own for a test.
pub struct Folder(std::path::PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("plywood-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a folder can be made");
        Folder(path)
    }

    pub fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("text").to_owned()
    }

    pub fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).expect("the folder is there");
        let names = entries.map(|entry| entry.expect("readable").file_name());
        names
            .map(|name| name.into_string().expect("text"))
            .collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
