//! Sweeps that are measured, watched, stopped and compared.

use serde_json::json;

use crate::client::{Server, last};

#[test]
fn a_sweep_is_measured_and_its_report_shown() {
    let server = Server::start();
    assert_eq!(server.get("/api/v1/lab/runs"), json!([]));
    let sweep = json!({
        "name": "Two ways", "games": ["kalah"], "searches": ["alphabeta"], "depths": [2, 3],
        "strategies": ["seq", "ybwc"], "threads": [2], "repeats": 2, "warmup": 0,
    });
    for id in ["two-ways", "two-ways-2"] {
        let started = server.post("/api/v1/lab/sweeps", &sweep);
        assert_eq!(started["id"], id);
        assert_eq!(started["of"], 8);
        let watched = server.ask("GET", &format!("/api/v1/lab/sweeps/{id}"), None);
        let events = watched.events();
        let done = last(&events, "done");
        assert_eq!((&done["state"], &done["made"]), (&json!("done"), &json!(8)));
    }
    let runs = server.get("/api/v1/lab/runs");
    assert_eq!(runs.as_array().map(Vec::len), Some(2));
    assert_eq!(runs[0]["state"], "done");
    let report = server.ask("GET", "/api/v1/lab/runs/two-ways/report", None);
    assert_eq!(report.status, 200);
    assert!(report.text().starts_with("<!DOCTYPE html>"));
    let policy = report.header("content-security-policy").expect("a policy");
    assert!(
        policy.contains("sandbox") && !policy.contains("script-src"),
        "{policy}"
    );
    let compared = server.get("/api/v1/lab/compare?a=two-ways&b=two-ways-2");
    assert_eq!(compared["rows"].as_array().map(Vec::len), Some(4));
    assert!(compared["rows"][0]["ratio"]["value"].as_f64() > Some(0.0));
}

#[test]
fn a_sweep_is_stopped_and_keeps_what_it_has() {
    let server = Server::start();
    let sweep = json!({
        "name": "long", "games": ["kalah"], "searches": ["minimax"], "depths": [9],
        "repeats": 1000, "warmup": 0,
    });
    server.post("/api/v1/lab/sweeps", &sweep);
    let second = server.refused("/api/v1/lab/sweeps", &sweep);
    assert_eq!(second, (409, "sweep-running".to_owned()));
    let path = "/api/v1/lab/sweeps/long";
    assert_eq!(server.ask("DELETE", path, None).status, 200);
    let events = server.ask("GET", path, None).events();
    assert_eq!(last(&events, "done")["state"], "stopped");
    assert_eq!(server.get("/api/v1/lab/runs")[0]["state"], "stopped");
}

#[test]
fn sweeps_that_ask_too_much_are_refused() {
    let server = Server::start();
    let base = json!({ "name": "x", "games": ["kalah"], "depths": [2] });
    for (key, value) in [
        ("games", json!(["chess"])),
        ("games", json!([])),
        ("depths", json!([0])),
        ("threads", json!([64])),
        ("repeats", json!(9999)),
        ("evaluation", json!("network:/etc/passwd")),
        ("strategies", json!(["\"]\nwarmup = 3"])),
        ("toml", json!("this is not toml")),
        (
            "toml",
            json!("games = [\"2048\"]\ndepths = [1]\nevaluation = \"network:/etc/passwd\""),
        ),
    ] {
        let mut sweep = base.clone();
        sweep[key] = value.clone();
        if key == "threads" {
            sweep["strategies"] = json!(["ybwc"]);
        }
        let (status, _) = server.refused("/api/v1/lab/sweeps", &sweep);
        assert_eq!(status, 400, "{key} {value}");
    }
    assert_eq!(server.get("/api/v1/lab/runs"), json!([]));
    for id in ["nothing", "..", "%2e%2e", "a%2fb", "..%2ftables", ""] {
        let path = format!("/api/v1/lab/runs/{id}/report");
        let answer = server.ask("GET", &path, None);
        assert_eq!(answer.status, 404, "{id}");
        let path = format!("/api/v1/lab/compare?a={id}&b={id}");
        assert_eq!(server.ask("GET", &path, None).status, 404, "{id}");
    }
    assert_eq!(
        server.ask("GET", "/api/v1/lab/compare?a=1", None).status,
        400
    );
}
