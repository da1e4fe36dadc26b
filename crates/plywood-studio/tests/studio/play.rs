//! Games of all kinds, played through the API.

use serde_json::{Value, json};

use crate::client::{Server, last};

const GAMES: [&str; 7] = [
    "kalah",
    "kalah:pits=4,stones=3,capture=empty",
    "gomoku:size=7",
    "gomoku:rule=renju",
    "blokus",
    "blokus-duo",
    "2048",
];

fn table_path(table: &Value, what: &str) -> String {
    format!(
        "/api/v1/tables/{}{what}",
        table["id"].as_str().expect("an id")
    )
}

/// A move that is not always the first, the same in every run.
fn some_move(table: &Value, ply: usize) -> Value {
    let moves = table["view"]["moves"].as_array().expect("moves");
    moves[(ply * 7919 + 13) % moves.len()].clone()
}

#[test]
fn every_game_is_played_to_its_end_taken_back_and_kept() {
    let server = Server::start();
    for game in GAMES {
        let mut table = server.post("/api/v1/tables", &json!({ "game": game, "seed": 5 }));
        assert_eq!(table["game"], game);
        let mut plies = 0;
        while table["view"]["turn"]["kind"] != "over" && plies < 250 {
            assert_eq!(table["view"]["turn"]["kind"], "player", "{game}");
            let mv = some_move(&table, plies);
            let body = json!({ "move": mv, "version": table["version"] });
            let after = server.post(&table_path(&table, "/move"), &body);
            assert_eq!(
                after["version"],
                table["version"].as_u64().expect("a number") + 1
            );
            table = after;
            plies += 1;
        }
        let over = table["view"]["turn"]["kind"] == "over";
        assert_eq!(over, table["view"]["result"].is_string(), "{game}");
        assert_eq!(over, table["view"]["scores"].is_array(), "{game}");
        let moves = table["moves"].as_array().expect("moves").len();
        assert_eq!(table["movers"].as_array().expect("movers").len(), moves);
        assert!(plies > 5 && moves >= plies, "{game}");

        // The same position by other roads.
        let body = json!({ "game": game, "position": table["start"], "moves": table["moves"] });
        let view = server.post("/api/v1/position", &body);
        assert_eq!(view, table["view"], "{game}");
        let undone = server.post(&table_path(&table, "/undo"), &json!({}));
        assert!(undone["at"].as_u64() < table["at"].as_u64(), "{game}");
        assert_eq!(undone["view"]["turn"]["kind"], "player");
        assert_eq!(undone["moves"], table["moves"]);
        let redone = server.post(&table_path(&table, "/redo"), &json!({}));
        assert_eq!(redone["view"], table["view"], "{game}");
        let start = server.post(&table_path(&table, "/goto"), &json!({ "at": 0 }));
        assert_eq!(start["view"]["position"], table["start"]);
        assert_eq!(start["view"]["last"], Value::Null);
        let end = server.post(&table_path(&table, "/goto"), &json!({ "at": moves }));
        assert_eq!(end["view"], table["view"]);
        assert_eq!(server.get(&table_path(&table, "")), end);

        // As a text and back.
        let record = server.ask("GET", &table_path(&table, "/record"), None);
        assert_eq!(record.status, 200);
        let again = server.post("/api/v1/tables/import", &json!({ "text": record.text() }));
        assert_eq!(again["moves"], table["moves"], "{game}");
        assert_eq!(again["view"], table["view"], "{game}");
    }
    let list = server.get("/api/v1/tables");
    assert_eq!(list.as_array().expect("a list").len(), 2 * GAMES.len());
    let changed: Vec<u64> = list
        .as_array()
        .expect("a list")
        .iter()
        .map(|table| table["changed"].as_u64().expect("a number"))
        .collect();
    assert!(changed.is_sorted_by(|a, b| a >= b), "{changed:?}");
}

#[test]
fn records_in_sgf_are_written_and_read() {
    let server = Server::start();
    for (game, format) in [
        ("gomoku:size=9", "sgf"),
        ("blokus", "blksgf"),
        ("blokus-duo", "blksgf"),
    ] {
        let mut table = server.post("/api/v1/tables", &json!({ "game": game }));
        for ply in 0..9 {
            let body = json!({ "move": some_move(&table, ply), "version": table["version"] });
            table = server.post(&table_path(&table, "/move"), &body);
        }
        let path = table_path(&table, &format!("/record?format={format}"));
        let record = server.ask("GET", &path, None);
        assert_eq!(record.status, 200, "{}", record.text());
        let again = server.post("/api/v1/tables/import", &json!({ "text": record.text() }));
        assert_eq!(again["moves"], table["moves"], "{game}");
        assert_eq!(
            again["view"]["position"], table["view"]["position"],
            "{game}"
        );
    }
    let table = server.post("/api/v1/tables", &json!({ "game": "kalah" }));
    for format in ["sgf", "blksgf", "pgn", "%00"] {
        let path = table_path(&table, &format!("/record?format={format}"));
        assert_eq!(server.ask("GET", &path, None).code(), "bad-format");
    }
    for text in [
        "",
        "hello",
        "(;GM[1])",
        "plywood game 1\ngame chess\nstart x\n",
    ] {
        let (status, _) = server.refused("/api/v1/tables/import", &json!({ "text": text }));
        assert_eq!(status, 400, "{text}");
    }
}

#[test]
fn engines_of_all_levels_move_in_every_game() {
    let server = Server::start();
    let quick = json!({ "kind": "engine", "search": "maxn", "depth": 1 });
    for (game, seats) in [("kalah", 2), ("gomoku", 2), ("blokus", 4), ("2048", 1)] {
        for level in 1..=6 {
            let seats = vec![json!({ "kind": "engine", "level": level }); seats];
            let body = json!({ "game": game, "seats": seats });
            let table = server.post("/api/v1/tables", &body);
            let events = server.events(&table_path(&table, "/engine"), &json!({}));
            let moved = last(&events, "moved");
            let before = table["at"].as_u64().expect("a number");
            assert!(moved["at"].as_u64() > Some(before), "{game} {level}");
            assert_eq!(moved["version"], 2);
            assert_eq!(server.get(&table_path(&table, "")), *moved);
        }
    }
    // A search with everything about it, to the end of a short game.
    let body = json!({ "game": "kalah:pits=2,stones=2", "seats": [quick, quick] });
    let mut table = server.post("/api/v1/tables", &body);
    while table["view"]["turn"]["kind"] != "over" {
        let events = server.events(&table_path(&table, "/engine"), &json!({}));
        table = last(&events, "moved").clone();
    }
    let over = server.ask("POST", &table_path(&table, "/engine"), None);
    assert_eq!((over.status, over.code().as_str()), (409, "no-engine"));
}

#[test]
fn an_engine_moves_for_a_person_only_if_a_level_is_named() {
    let server = Server::start();
    let table = server.post("/api/v1/tables", &json!({ "game": "gomoku" }));
    let path = table_path(&table, "/engine");
    assert_eq!(
        server.refused(&path, &json!({})),
        (409, "no-engine".to_owned())
    );
    let events = server.events(&path, &json!({ "level": 2 }));
    assert_eq!(last(&events, "moved")["at"], 1);
    let old = json!({ "level": 2, "version": 1 });
    assert_eq!(server.refused(&path, &old), (409, "old-version".to_owned()));
}

#[test]
fn undo_goes_to_where_a_person_decides() {
    let server = Server::start();
    let engine = json!({ "kind": "engine", "level": 1 });
    let body = json!({ "game": "gomoku", "seats": [{ "kind": "person" }, engine] });
    let table = server.post("/api/v1/tables", &body);
    let played = server.post(
        &table_path(&table, "/move"),
        &json!({ "move": "h8", "version": 1 }),
    );
    assert_eq!(played["moves"], json!(["H8"]));
    server.events(&table_path(&table, "/engine"), &json!({}));
    let undone = server.post(&table_path(&table, "/undo"), &json!({}));
    assert_eq!(undone["at"], 0);
    let redone = server.post(&table_path(&table, "/redo"), &json!({}));
    assert_eq!(redone["at"], 2);
    let nothing = server.ask("POST", &table_path(&table, "/redo"), None);
    assert_eq!(
        (nothing.status, nothing.code().as_str()),
        (409, "nothing-to-redo")
    );
    // Another move forgets what was taken back.
    let undone = server.post(&table_path(&table, "/undo"), &json!({}));
    let body = json!({ "move": "A1", "version": undone["version"] });
    let other = server.post(&table_path(&table, "/move"), &body);
    assert_eq!(other["moves"], json!(["A1"]));
}

#[test]
fn chance_is_played_by_the_server_a_person_or_an_adversary() {
    let server = Server::start();
    let with = |spawner: &str| {
        let body = json!({ "game": "2048", "spawner": spawner, "seed": 9 });
        server.post("/api/v1/tables", &body)
    };
    let (random, same) = (with("random"), with("random"));
    assert_eq!(random["moves"], same["moves"], "the same for the same seed");
    assert_eq!(random["movers"], json!([null, null]));
    assert_eq!(with("worst")["at"], 2);
    let person = with("person");
    assert_eq!(person["view"]["turn"], json!({ "kind": "chance" }));
    assert_eq!(person["view"]["moves"].as_array().map(Vec::len), Some(32));
    let mut table = person;
    for mv in ["b3=2", "c3=4", "left"] {
        let body = json!({ "move": mv, "version": table["version"] });
        table = server.post(&table_path(&table, "/move"), &body);
    }
    assert_eq!(table["view"]["board"]["cells"][8], 1);
    assert_eq!(table["view"]["turn"], json!({ "kind": "chance" }));
    let person_decides = server.refused(&table_path(&table, "/engine"), &json!({ "level": 1 }));
    assert_eq!(person_decides, (409, "no-engine".to_owned()));
    let patched = server.ask(
        "PATCH",
        &table_path(&table, ""),
        Some(&json!({ "spawner": "random" })),
    );
    assert_eq!(patched.status, 200);
    let events = server.events(&table_path(&table, "/engine"), &json!({}));
    assert_eq!(last(&events, "moved")["at"], 4);
}

#[test]
fn what_makes_no_sense_is_refused_and_changes_nothing() {
    let server = Server::start();
    let table = server.post("/api/v1/tables", &json!({ "game": "kalah" }));
    let path = |what: &str| table_path(&table, what);
    for (what, body, status, code) in [
        ("/move", json!({ "move": "A" }), 400, "bad-json"),
        (
            "/move",
            json!({ "move": "A", "version": 2 }),
            409,
            "old-version",
        ),
        (
            "/move",
            json!({ "move": "G", "version": 1 }),
            400,
            "bad-move",
        ),
        (
            "/move",
            json!({ "move": "A", "version": 1, "x": 1 }),
            400,
            "bad-json",
        ),
        (
            "/move",
            json!({ "move": "A\u{0}", "version": 1 }),
            400,
            "bad-move",
        ),
        ("/undo", json!({}), 409, "nothing-to-undo"),
        ("/goto", json!({ "at": 1 }), 400, "bad-place"),
        ("/goto", json!({ "at": -1 }), 400, "bad-json"),
        (
            "/goto",
            json!({ "at": 0, "version": 7 }),
            409,
            "old-version",
        ),
        ("/engine", json!({ "level": 10 }), 400, "bad-way"),
        ("/nothing", json!({}), 404, "not-found"),
    ] {
        let refused = server.refused(&path(what), &body);
        assert_eq!(refused, (status, code.to_owned()), "{what} {body}");
    }
    let seats = |seat: Value| json!({ "game": "kalah", "seats": [seat, { "kind": "person" }] });
    let engine = |key: &str, value: Value| {
        let mut seat = json!({ "kind": "engine" });
        seat[key] = value;
        seats(seat)
    };
    for (body, code) in [
        (json!({ "game": "chess" }), "bad-game"),
        (json!({ "game": "kalah:pits=99" }), "bad-game"),
        (json!({ "game": "kalah", "position": "<>" }), "bad-position"),
        (json!({ "game": "kalah", "moves": ["A", "A"] }), "bad-move"),
        (json!({ "game": "kalah", "seats": [] }), "bad-seats"),
        (json!({ "game": "kalah", "title": "a\nb" }), "bad-title"),
        (json!({ "game": "kalah", "spawner": "devil" }), "bad-json"),
        (
            seats(json!({ "kind": "engine", "level": 3, "depth": 4 })),
            "bad-way",
        ),
        (engine("level", json!(0)), "bad-way"),
        (engine("engine", json!("deep-thought")), "bad-way"),
        (engine("depth", json!(251)), "bad-way"),
        (engine("time_ms", json!(600_001)), "bad-way"),
        (engine("threads", json!(3)), "bad-way"),
        (engine("memory_mb", json!(1_000_000)), "bad-way"),
        (engine("search", json!("alphabeta:no-such")), "bad-way"),
        (engine("strategy", json!("ybwc:x")), "bad-way"),
        (
            engine("evaluation", json!("network:/etc/passwd")),
            "bad-way",
        ),
        (engine("evaluation", json!("wishes")), "bad-text"),
    ] {
        let refused = server.refused("/api/v1/tables", &body);
        assert_eq!(refused, (400, code.to_owned()), "{body}");
    }
    assert_eq!(server.get(&path("")), table, "nothing has changed");
    assert_eq!(server.get("/api/v1/status")["tables"], 1);
    let deleted = server.ask("DELETE", &path(""), None);
    assert_eq!(deleted.status, 200);
    assert_eq!(server.ask("GET", &path(""), None).code(), "not-found");
    assert_eq!(server.ask("DELETE", &path(""), None).code(), "not-found");
}

#[test]
fn everything_there_is_to_play_is_listed() {
    let server = Server::start();
    let games = server.get("/api/v1/games");
    let games = games.as_array().expect("a list");
    let names: Vec<&str> = games.iter().filter_map(|g| g["name"].as_str()).collect();
    assert_eq!(names, ["kalah", "gomoku", "blokus", "blokus-duo", "2048"]);
    for game in games {
        assert_eq!(game["levels"].as_array().map(Vec::len), Some(9));
        let body = json!({ "game": game["name"], "position": game["example"] });
        let view = server.post("/api/v1/position", &body);
        assert_eq!(view["turn"]["kind"], "player");
        assert_eq!(view["players"], game["players"]);
    }
    let rule = &games[1]["options"][1];
    assert_eq!(
        rule["values"],
        json!(["freestyle", "exactly-five", "renju"])
    );
    assert_eq!(
        server.get("/api/v1/blokus/pieces").as_array().map(Vec::len),
        Some(21)
    );
    assert_eq!(server.get("/api")["openapi"], "3.1.0");
}
