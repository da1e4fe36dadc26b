//! Clients that send nonsense, come in crowds, do not read or go away.

use std::io::{BufReader, Read, Write};
use std::time::Duration;

use plywood_games::registry::Random;
use serde_json::{Value, json};

use crate::client::{Answer, Server, chunk, request};

/// What an analysis without end asks for.
fn endless() -> Value {
    json!({ "game": "gomoku", "position": "H8 I9", "analysis": true, "memory_mb": 16 })
}

/// A request that makes no sense, in one of many ways; and whether it is a whole one.
fn nonsense(server: &Server, random: &mut Random, table: &str) -> (Vec<u8>, bool) {
    let host = server.address.to_string();
    let paths = [
        "/api/v1/tables",
        "/api/v1/tables/import",
        "/api/v1/position",
        "/api/v1/search",
        "/api/v1/review",
        "/api/v1/compare",
        "/api/v1/lab/sweeps",
        &format!("/api/v1/tables/{table}/move"),
        &format!("/api/v1/tables/{table}/goto"),
    ];
    let path = paths[random.below(paths.len())];
    let noise: String = (0..random.below(200))
        .map(|_| char::from_u32(random.below(0x3000) as u32).unwrap_or('?'))
        .collect();
    let body = match random.below(12) {
        0 => noise,
        1 => format!("{{\"game\":{}}}", json!(noise)),
        2 => "[".repeat(100_000),
        3 => format!("{}1{}", "{\"a\":".repeat(5000), "}".repeat(5000)),
        4 => "{\"game\":\"kalah\"".to_owned(),
        5 => json!({ "game": "kalah", "position": noise }).to_string(),
        6 => json!({ "game": "gomoku", "moves": vec!["H8"; 3], "depth": 1 }).to_string(),
        7 => json!({ "game": "kalah", "depth": u64::MAX, "time_ms": -1 }).to_string(),
        8 => json!({ "game": "kalah", "version": 1, "move": noise }).to_string(),
        9 => json!({ "game": null, "moves": 7, "text": noise }).to_string(),
        10 => format!("\"{}\"", "x".repeat(2 << 20)),
        _ => json!({ "game": "2048", "moves": vec!["left"; 60_000] }).to_string(),
    };
    let kind = random.below(8);
    let bytes = match kind {
        // Heads that are none.
        0 => {
            let bytes = (0..random.below(300)).map(|_| random.below(256) as u8);
            bytes.collect::<Vec<u8>>()
        }
        1 => request(
            "GET",
            &format!("/{}", "a".repeat(100_000)),
            &host,
            &[],
            None,
        )
        .into_bytes(),
        2 => {
            let long = "x".repeat(1000);
            let headers = vec![("X-Noise", long.as_str()); 60];
            request("GET", "/api/v1/status", &host, &headers, None).into_bytes()
        }
        // More promised than sent.
        3 => format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{{",
            random.next_u64() >> random.below(64)
        )
        .into_bytes(),
        4 => {
            let methods = ["PUT", "TRACE", "PATCH", "NONSENSE", "DELETE"];
            let method = methods[random.below(methods.len())];
            request(method, "/api/v1/search", &host, &[], Some(&body)).into_bytes()
        }
        _ => request("POST", path, &host, &[], Some(&body)).into_bytes(),
    };
    (bytes, kind != 0 && kind != 3)
}

#[test]
fn a_thousand_malformed_requests_change_nothing() {
    let server = Server::start();
    let table = server.post("/api/v1/tables", &json!({ "game": "kalah" }));
    let id = table["id"].as_str().expect("an id");
    let mut random = Random::new(2026);
    let mut refused = 0;
    for number in 0..1000 {
        let (bytes, whole) = nonsense(&server, &mut random, id);
        // It may hang up on what is not even HTTP, or on more than it reads.
        let Some(answer) = server.send_raw(&bytes, whole) else {
            continue;
        };
        let start = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]).into_owned();
        assert!(
            (400..500).contains(&answer.status),
            "{number}: {} {start}",
            answer.status
        );
        refused += 1;
        if answer.header("content-type") == Some("application/json") {
            answer.code();
        }
    }
    assert!(refused > 700, "{refused}");
    let status = server.get("/api/v1/status");
    assert_eq!(
        (&status["tables"], &status["running"]),
        (&json!(1), &json!(0))
    );
    assert_eq!(server.get(&format!("/api/v1/tables/{id}")), table);
}

#[test]
fn two_hundred_clients_at_once_are_all_served() {
    let server = Server::start();
    let served: Vec<u64> = std::thread::scope(|scope| {
        let client = |number: u64| {
            let server = &server;
            move || {
                let body = json!({ "game": "kalah", "seed": number });
                let table = server.post("/api/v1/tables", &body);
                let id = table["id"].as_str().expect("an id").to_owned();
                let path = format!("/api/v1/tables/{id}/move");
                server.post(&path, &json!({ "move": "A", "version": 1 }));
                let ask = json!({ "game": "kalah", "search": "alphabeta", "depth": 2 });
                let events = server.events("/api/v1/search", &ask);
                assert_eq!(events.last().map(|(kind, _)| kind.as_str()), Some("done"));
                server.get(&format!("/api/v1/tables/{id}"))["at"]
                    .as_u64()
                    .expect("a number")
            }
        };
        let threads: Vec<_> = (0..200).map(|number| scope.spawn(client(number))).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, u64>| thread.join().expect("served");
        threads.into_iter().map(join).collect()
    });
    assert_eq!(served, vec![1; 200]);
    let status = server.get("/api/v1/status");
    assert_eq!(
        (&status["tables"], &status["running"]),
        (&json!(200), &json!(0))
    );
}

#[test]
fn one_move_of_many_at_once_is_made() {
    let server = Server::start();
    let table = server.post("/api/v1/tables", &json!({ "game": "gomoku" }));
    let path = format!("/api/v1/tables/{}", table["id"].as_str().expect("an id"));
    let made: usize = std::thread::scope(|scope| {
        let play = |column: u8| {
            let (server, path) = (&server, format!("{path}/move"));
            let mv = format!("{}3", char::from(b'A' + column));
            let body = json!({ "move": mv, "version": 1 });
            move || usize::from(server.ask("POST", &path, Some(&body)).status == 200)
        };
        let threads: Vec<_> = (0..15).map(|column| scope.spawn(play(column))).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().expect("an answer"))
            .sum()
    });
    assert_eq!(made, 1);
    assert_eq!(server.get(&path)["at"], 1);
}

#[test]
fn a_search_ends_when_its_client_goes_and_so_does_one_that_waits() {
    let server = Server::start();
    let start = || {
        let mut stream = server.stream();
        let body = endless().to_string();
        let host = server.address.to_string();
        let text = request("POST", "/api/v1/search", &host, &[], Some(&body));
        stream.write_all(text.as_bytes()).expect("it reads");
        let mut reader = BufReader::new(stream);
        assert_eq!(Answer::head(&mut reader).map(|head| head.status), Some(200));
        let first = chunk(&mut reader).expect("an event");
        (reader, String::from_utf8_lossy(&first).into_owned())
    };
    let (running, first) = start();
    assert!(first.starts_with("event: progress"), "{first}");
    // One place is kept for searches that end soon, so the next analysis waits.
    let (waiting, first) = start();
    assert_eq!(first, "event: queued\ndata: {\"ahead\":0}\n\n");
    let (also_waiting, first) = start();
    assert_eq!(first, "event: queued\ndata: {\"ahead\":1}\n\n");
    let quick = json!({ "game": "kalah", "level": 1 });
    server.events("/api/v1/search", &quick);
    let status = server.get("/api/v1/status");
    assert_eq!(
        (&status["running"], &status["queued"]),
        (&json!(1), &json!(2))
    );
    drop(waiting);
    server.wait_for("queued", 1);
    drop(running);
    // The last one gets the place.
    server.wait_for("queued", 0);
    server.wait_for("running", 1);
    drop(also_waiting);
    server.wait_for("running", 0);
}

#[test]
fn a_client_that_stops_reading_disturbs_nobody() {
    let server = Server::start();
    // A game so long that its review is more than fits on the way to a client.
    let mut moves = Vec::new();
    let table = server.post("/api/v1/tables", &json!({ "game": "2048", "seed": 4 }));
    let mut view = table["view"].clone();
    moves.extend(table["moves"].as_array().expect("moves").clone());
    while view["turn"]["kind"] != "over" && moves.len() < 400 {
        let mv =
            view["moves"][moves.len() % 2 % view["moves"].as_array().map_or(1, Vec::len)].clone();
        moves.push(mv);
        let body = json!({ "game": "2048", "moves": moves });
        view = server.post("/api/v1/position", &body);
    }
    let body = json!({ "game": "2048", "moves": moves, "time_ms": 2 }).to_string();
    let host = server.address.to_string();
    let mut silent = server.stream();
    let text = request("POST", "/api/v1/review", &host, &[], Some(&body));
    silent.write_all(text.as_bytes()).expect("it reads");
    // Others are served meanwhile.
    for _ in 0..20 {
        let quick = json!({ "game": "kalah", "search": "alphabeta", "depth": 3 });
        server.events("/api/v1/search", &quick);
    }
    // It reads again, and nothing is lost: one event for every position a player was in.
    let answer = Answer::read(silent).expect("an answer");
    let plies = answer
        .events()
        .iter()
        .filter(|(kind, _)| kind == "ply")
        .count();
    let spawns = moves
        .iter()
        .filter(|mv| mv.as_str().is_some_and(|mv| mv.contains('=')));
    let chance = usize::from(view["turn"]["kind"] == "chance");
    assert_eq!(plies, moves.len() + 1 - spawns.count() - chance);
    server.wait_for("running", 0);
}

#[test]
fn a_client_that_says_nothing_is_not_waited_for_by_others() {
    let server = Server::start();
    let mut silent: Vec<_> = (0..50).map(|_| server.stream()).collect();
    for stream in &mut silent {
        let half = format!(
            "POST /api/v1/tables HTTP/1.1\r\nHost: {}\r\n",
            server.address
        );
        stream.write_all(half.as_bytes()).expect("it reads");
    }
    assert_eq!(server.get("/api/v1/status")["running"], 0);
    for stream in &mut silent {
        stream
            .set_read_timeout(Some(Duration::from_millis(1)))
            .expect("a time");
        assert!(stream.read(&mut [0; 16]).is_err(), "nothing to say yet");
    }
    assert_eq!(server.get("/api/v1/status")["tables"], 0);
}

#[test]
fn the_queue_has_an_end() {
    let server = Server::start();
    let host = server.address.to_string();
    let text = request(
        "POST",
        "/api/v1/search",
        &host,
        &[],
        Some(&endless().to_string()),
    );
    let mut clients = Vec::new();
    // One runs, 256 wait.
    for _ in 0..257 {
        let mut stream = server.stream();
        stream.write_all(text.as_bytes()).expect("it reads");
        clients.push(stream);
    }
    server.wait_for("queued", 256);
    let refused = server.ask("POST", "/api/v1/search", Some(&endless()));
    assert_eq!((refused.status, refused.code().as_str()), (503, "busy"));
    drop(clients);
    server.wait_for("queued", 0);
    server.wait_for("running", 0);
}
