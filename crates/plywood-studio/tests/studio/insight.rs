//! Searches that are watched, games that are reviewed, ways that are compared.

use serde_json::{Value, json};

use crate::client::{Server, last};

#[test]
fn a_search_tells_depth_after_depth_what_it_finds() {
    let server = Server::start();
    let body = json!({ "game": "kalah", "search": "alphabeta", "depth": 6 });
    let events = server.events("/api/v1/search", &body);
    let report = &last(&events, "done")["report"];
    assert_eq!(report["depth"], 6);
    assert_eq!(report["best"], report["line"][0]);
    assert_eq!(report["by"]["search"], "alphabeta");
    let moves = report["moves"].as_array().expect("moves");
    assert_eq!(moves.len(), 6);
    let values: Vec<f64> = moves.iter().filter_map(|m| m["value"].as_f64()).collect();
    assert!(values.is_sorted_by(|a, b| a >= b), "{values:?}");
    assert_eq!(moves[0]["move"], report["best"]);
    assert_eq!(values[0], report["values"][0].as_f64().expect("a number"));
    let progress = last(&events, "progress");
    assert_eq!(progress["depth"], 6);
    assert!(progress["nodes"].as_u64() > Some(0));

    // What the command line says of the same position.
    let body = json!({ "game": "kalah", "search": "minimax", "depth": 6 });
    let events = server.events("/api/v1/search", &body);
    assert_eq!(last(&events, "done")["report"]["values"], report["values"]);
}

#[test]
fn every_search_of_every_game_can_be_watched() {
    let server = Server::start();
    let games = server.get("/api/v1/games");
    for game in games.as_array().expect("games") {
        for search in game["searches"].as_array().expect("searches") {
            let body = json!({
                "game": game["name"], "position": game["example"], "search": search["name"],
                "depth": 1, "threads": 2,
            });
            let events = server.events("/api/v1/search", &body);
            let report = &last(&events, "done")["report"];
            assert!(report["best"].is_string(), "{body}");
            assert_eq!(last(&events, "lanes"), &report["lanes"]);
        }
        for engine in game["engines"].as_array().expect("engines") {
            let body = json!({
                "game": game["name"], "position": game["example"], "engine": engine["name"],
                "time_ms": 50, "memory_mb": 16,
            });
            let events = server.events("/api/v1/search", &body);
            let report = &last(&events, "done")["report"];
            assert!(report["best"].is_string(), "{body}");
            assert!(!report["moves"].as_array().expect("moves").is_empty());
        }
    }
}

#[test]
fn the_tree_of_a_parallel_search_adds_up() {
    fn check(node: &Value) -> u64 {
        let nodes = node["nodes"].as_u64().expect("a number");
        let children = node["children"].as_array().expect("a list");
        let below: u64 = children.iter().map(check).sum();
        assert!(below <= nodes, "{node}");
        nodes
    }
    let server = Server::start();
    let body = json!({
        "game": "kalah", "search": "alphabeta", "depth": 8, "threads": 2, "trace": true,
    });
    let events = server.events("/api/v1/search", &body);
    let tree = last(&events, "tree");
    assert_eq!(tree["depth"], 8);
    assert_eq!(
        check(&tree["root"]),
        tree["nodes"].as_u64().expect("a number")
    );
    let first = &tree["root"]["children"][0]["move"];
    let body = json!({ "game": "kalah", "moves": first.as_str().expect("moves").split(' ').collect::<Vec<_>>() });
    server.post("/api/v1/position", &body);
    let lanes = last(&events, "lanes");
    assert_eq!(lanes["workers"].as_array().map(Vec::len), Some(2));
    assert!(lanes["tasks"]["offered"].as_u64() > Some(0));
}

/// Also where no depth is completed for a long time.
#[test]
fn what_the_workers_do_is_told_while_they_do_it() {
    let server = Server::start();
    let plain = json!({
        "game": "kalah", "search": "minimax", "strategy": "budget:2", "threads": 2,
        "depth": 40, "time_ms": 3000,
    });
    let engine = json!({ "game": "blokus", "engine": "mcts", "threads": 2, "time_ms": 3000, "memory_mb": 64 });
    for body in [plain, engine] {
        let events = server.events("/api/v1/search", &body);
        let lanes = events.iter().filter(|(name, _)| name == "lanes");
        let live = lanes.filter(|(_, lanes)| {
            let mut workers = lanes["workers"].as_array().expect("a list").iter();
            workers.any(|worker| worker["now"] == "busy")
        });
        assert!(live.count() > 1, "{body}");
        let end = &last(&events, "done")["report"]["lanes"];
        assert_eq!(end["workers"][0]["now"], Value::Null, "{body}");
    }
}

/// An engine thinks in parts; all of them count.
#[test]
fn a_limit_of_nodes_is_one_for_the_whole_search() {
    let server = Server::start();
    let body =
        json!({ "game": "blokus", "engine": "mcts", "nodes": 300, "threads": 2, "memory_mb": 64 });
    let events = server.events("/api/v1/search", &body);
    assert_eq!(last(&events, "done")["report"]["nodes"], 300);
}

#[test]
fn a_position_without_moves_is_searched_too() {
    let server = Server::start();
    let over = json!({ "game": "kalah", "position": "<6,25,23,0,0,0,0,0,0,0,0,0,0,0,0> s" });
    let events = server.events("/api/v1/search", &over);
    assert_eq!(last(&events, "done")["report"]["best"], Value::Null);
    let chance = json!({ "game": "2048", "depth": 1 });
    let events = server.events("/api/v1/search", &chance);
    assert_eq!(last(&events, "done")["report"]["best"], Value::Null);
}

/// Where a win is proven there is nothing left to think about, and the analysis ends.
#[test]
fn an_analysis_ends_when_a_win_is_proven() {
    let server = Server::start();
    let moves = ["H8", "A1", "H9", "C2", "H10", "E1"];
    let body = json!({ "game": "gomoku", "moves": moves, "analysis": true, "memory_mb": 16 });
    let events = server.events("/api/v1/search", &body);
    let report = &last(&events, "done")["report"];
    assert_eq!(report["certainty"], "exact");
    assert_eq!(report["words"], "wins in 2 moves");
    let best = &report["moves"][0];
    assert_eq!(best["words"], report["words"], "{best}");
    let body = json!({ "game": "kalah:pits=3,stones=2", "analysis": true, "memory_mb": 16 });
    let events = server.events("/api/v1/search", &body);
    assert_eq!(last(&events, "done")["report"]["certainty"], "exact");
}

#[test]
fn a_mistake_is_found_in_a_review() {
    let server = Server::start();
    // White does not see four in a row, and black completes it.
    let moves = ["H8", "A1", "I8", "A3", "J8", "A5", "K8", "A7", "L8"];
    let body = json!({ "game": "gomoku", "moves": moves, "time_ms": 60 });
    let events = server.events("/api/v1/review", &body);
    let plies: Vec<&Value> = events
        .iter()
        .filter(|(kind, _)| kind == "ply")
        .map(|(_, ply)| ply)
        .collect();
    assert_eq!(plies.len(), moves.len() + 1);
    for (at, ply) in plies.iter().enumerate() {
        assert_eq!(ply["at"], at);
        assert_eq!(ply["values"].as_array().map(Vec::len), Some(2));
    }
    assert_eq!(plies[3]["seat"], 1);
    // Five can be completed at either end.
    let best = &plies[8]["best"];
    assert!(best == "L8" || best == "G8", "{best}");
    assert_eq!(plies[8]["swing"], 0.0);
    assert!(plies[1]["swing"].as_f64() > Some(0.0), "{}", plies[1]);
    assert_eq!(last(&events, "done")["positions"], 10);

    // With chance: only what a player decided is looked at.
    let table = server.post("/api/v1/tables", &json!({ "game": "2048", "seed": 3 }));
    let mv = &table["view"]["moves"][0];
    let path = format!(
        "/api/v1/tables/{}/move",
        table["id"].as_str().expect("an id")
    );
    let table = server.post(&path, &json!({ "move": mv, "version": 1 }));
    let body = json!({ "game": "2048", "moves": table["moves"], "time_ms": 20 });
    let events = server.events("/api/v1/review", &body);
    let at: Vec<u64> = events
        .iter()
        .filter_map(|(_, ply)| ply["at"].as_u64())
        .collect();
    assert_eq!(at, [2, 4]);
}

#[test]
fn opponent_models_are_compared() {
    let server = Server::start();
    for (game, least) in [("blokus", 2), ("2048", 2), ("kalah", 2)] {
        let games = server.get("/api/v1/games");
        let all = games.as_array().expect("games").iter();
        let info = all.clone().find(|g| g["name"] == game).expect("a game");
        let body = json!({ "game": game, "position": info["example"], "time_ms": 30 });
        let events = server.events("/api/v1/compare", &body);
        let ways = last(&events, "done")["ways"].as_u64().expect("a number");
        assert!(ways >= least, "{game}");
        for (index, (_, way)) in events.iter().filter(|(kind, _)| kind == "way").enumerate() {
            assert_eq!(way["way"], index);
            assert!(way["best"].is_string(), "{way}");
        }
    }
    let ways = json!([{ "search": "maxn", "depth": 1 }, { "level": 2 }]);
    let body = json!({ "game": "blokus", "ways": ways });
    assert_eq!(
        last(&server.events("/api/v1/compare", &body), "done")["ways"],
        2
    );
    let many = vec![json!({ "level": 1 }); 13];
    let body = json!({ "game": "blokus", "ways": many });
    assert_eq!(server.refused("/api/v1/compare", &body).0, 400);
}
