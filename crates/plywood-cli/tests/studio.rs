//! `plywood studio` as a process: where it listens, what it refuses, and that nothing is lost
//! when it is killed.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

const PLYWOOD: &str = env!("CARGO_BIN_EXE_plywood");

/// A server that runs in a process of its own.
struct Server {
    process: Child,
    address: String,
}

impl Server {
    fn start(store: &Path) -> Self {
        let mut process = Command::new(PLYWOOD)
            .args(["studio", "--port", "0", "--threads", "2", "--store"])
            .arg(store)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut line = String::new();
        let out = process.stdout.as_mut().expect("its output");
        BufReader::new(out).read_line(&mut line).expect("a line");
        let address = line
            .trim()
            .strip_prefix("Plywood studio: http://")
            .and_then(|rest| rest.strip_suffix('/'))
            .unwrap_or_else(|| panic!("an address in {line:?}"))
            .to_owned();
        Server { process, address }
    }

    fn connect(&self, method: &str, path: &str, body: &Value) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        let patience = Some(Duration::from_secs(120));
        stream.set_read_timeout(patience).expect("a time");
        let body = match body {
            Value::Null => String::new(),
            body => body.to_string(),
        };
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            self.address,
            body.len()
        );
        let sent = stream.write_all((head + &body).as_bytes());
        sent.expect("it reads");
        stream
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let mut answer = String::new();
        let mut stream = self.connect(method, path, body);
        stream.read_to_string(&mut answer).expect("an answer");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        assert!(head.starts_with("HTTP/1.1 200"), "{answer}");
        serde_json::from_str(body).expect("JSON")
    }

    /// Ends it as a power cut would.
    fn kill(mut self) {
        self.process.kill().expect("it is killed");
        self.process.wait().expect("it has ended");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn refused(arguments: &[&str]) -> String {
    let Output {
        status,
        stdout,
        stderr,
    } = Command::new(PLYWOOD)
        .arg("studio")
        .args(arguments)
        .output()
        .expect("it runs");
    let line = String::from_utf8(stderr).expect("text");
    assert_eq!(status.code(), Some(2), "{arguments:?}: {line}");
    assert!(stdout.is_empty(), "{arguments:?}");
    assert_eq!(line.lines().count(), 1, "{line}");
    line
}

#[test]
fn nothing_that_was_answered_is_lost_when_it_is_killed() {
    let store = TempDir::new().expect("a folder");
    let server = Server::start(store.path());
    let mut tables: Vec<Value> = ["kalah", "gomoku", "blokus", "2048"]
        .iter()
        .map(|game| server.ask("POST", "/api/v1/tables", &json!({ "game": game })))
        .collect();
    let path = |table: &Value| format!("/api/v1/tables/{}", table["id"].as_str().expect("an id"));
    server.kill();
    for round in 0..4 {
        let server = Server::start(store.path());
        for table in &mut tables {
            assert_eq!(server.ask("GET", &path(table), &Value::Null), *table);
            for _ in 0..3 {
                let moves = table["view"]["moves"].as_array().expect("moves");
                let mv = &moves[round % moves.len()];
                let body = json!({ "move": mv, "version": table["version"] });
                *table = server.ask("POST", &format!("{}/move", path(table)), &body);
            }
        }
        // In the middle of everything: an engine thinks, moves are under way.
        let think = json!({ "game": "gomoku", "position": "H8 I9", "analysis": true });
        let _thinking = server.connect("POST", "/api/v1/search", &think);
        let body = json!({ "title": "a title" });
        let _under_way: Vec<TcpStream> = tables
            .iter()
            .map(|table| server.connect("PATCH", &path(table), &body))
            .collect();
        server.kill();
        // What was under way was done or not; what was answered is there.
        let server = Server::start(store.path());
        for table in &mut tables {
            let now = server.ask("GET", &path(table), &Value::Null);
            assert_eq!(now["moves"], table["moves"]);
            assert_eq!(now["view"], table["view"]);
            assert_eq!(now["at"], table["at"]);
            *table = now;
        }
        server.kill();
    }
}

/// The most memory that a process has used, in mebibytes.
#[cfg(target_os = "linux")]
fn peak_mb(process: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.id()));
    let status = status.expect("it runs");
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let kibibytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    kibibytes.expect("a number") / 1024
}

#[cfg(target_os = "linux")]
#[test]
fn a_crowd_that_sends_much_and_reads_nothing_costs_little_memory() {
    let store = TempDir::new().expect("a folder");
    let server = Server::start(store.path());
    // What one search needs, and its engine.
    let think = json!({
        "game": "gomoku", "position": "H8 I9", "analysis": true, "memory_mb": 16,
    });
    let mut crowd = vec![server.connect("POST", "/api/v1/search", &think)];
    let quick = json!({ "game": "kalah", "position": "x".repeat(900_000) });
    crowd.push(server.connect("POST", "/api/v1/position", &quick));
    server.ask("GET", "/api/v1/status", &Value::Null);
    let before = peak_mb(&server.process);
    for _ in 0..100 {
        crowd.push(server.connect("POST", "/api/v1/search", &think));
        crowd.push(server.connect("POST", "/api/v1/position", &quick));
        crowd.push(server.connect("GET", "/api/v1/games", &Value::Null));
    }
    let status = server.ask("GET", "/api/v1/status", &Value::Null);
    assert!(status["running"].as_u64() <= Some(2), "{status}");
    let after = peak_mb(&server.process);
    assert!(
        after < before + 200,
        "{before} MiB before, {after} MiB after"
    );
    drop(crowd);
    // And nobody is stuck.
    let table = server.ask("POST", "/api/v1/tables", &json!({ "game": "kalah" }));
    assert_eq!(table["at"], 0);
}

#[test]
fn a_taken_port_and_bad_arguments_are_refused_in_one_line() {
    let store = TempDir::new().expect("a folder");
    let server = Server::start(store.path());
    let port = server.address.rsplit(':').next().expect("a port");
    let line = refused(&["--port", port]);
    assert!(line.contains("is taken: use --port"), "{line}");
    let folder = store.path().to_str().expect("text");
    let line = refused(&["--port", "0", "--store", folder]);
    assert!(line.contains("another studio"), "{line}");
    for arguments in [
        ["--port", "70000"],
        ["--port", "-1"],
        ["--threads", "0"],
        ["--host", "no.such.name.invalid"],
        ["--page-dir", "/no/such/folder"],
    ] {
        let other = TempDir::new().expect("a folder");
        let other = other.path().to_str().expect("text");
        let mut all = vec!["--store", other];
        if arguments[0] != "--port" {
            all.extend(["--port", "0"]);
        }
        all.extend(arguments);
        refused(&all);
    }
    assert!(refused(&["--port", "0", "--store", "/dev/null/x"]).contains("/dev/null/x"));
}

#[cfg(unix)]
#[test]
fn it_ends_when_it_is_asked_to() {
    let store = TempDir::new().expect("a folder");
    for signal in ["-INT", "-TERM"] {
        let mut server = Server::start(store.path());
        let think = json!({ "game": "gomoku", "position": "H8 I9", "analysis": true });
        let _thinking = server.connect("POST", "/api/v1/search", &think);
        let id = server.process.id().to_string();
        let sent = Command::new("kill").args([signal, &id]).status();
        assert!(sent.expect("kill is there").success());
        let status = server.process.wait().expect("it ends");
        assert_eq!(status.code(), Some(0), "{signal}");
    }
}
