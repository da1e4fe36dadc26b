//! Who may ask, what every answer says to a browser, and the page itself.

use serde_json::json;

use crate::client::{Answer, Server, request};

fn as_host(server: &Server, host: &str, headers: &[(&str, &str)]) -> Answer {
    let text = request("GET", "/api/v1/status", host, headers, None);
    server.send_raw(text.as_bytes(), true).expect("an answer")
}

#[test]
fn only_its_own_names_and_pages_may_ask() {
    let server = Server::start();
    let address = server.address.to_string();
    let origin = format!("http://{address}");
    assert_eq!(
        as_host(&server, &address, &[("Origin", &origin)]).status,
        200
    );
    assert_eq!(as_host(&server, "localhost:1", &[]).status, 200);
    for host in [
        "evil.example",
        "127.0.0.1.evil.example",
        "",
        "localhost.:80:80",
    ] {
        let answer = as_host(&server, host, &[]);
        assert_eq!(
            (answer.status, answer.code().as_str()),
            (403, "host"),
            "{host}"
        );
    }
    for origin in [
        "http://evil.example",
        "null",
        "http://localhost:1",
        "https://127.0.0.1",
    ] {
        let answer = as_host(&server, &address, &[("Origin", origin)]);
        assert_eq!(
            (answer.status, answer.code().as_str()),
            (403, "origin"),
            "{origin}"
        );
    }
    let cross = as_host(&server, &address, &[("Sec-Fetch-Site", "cross-site")]);
    assert_eq!(cross.status, 403);
}

#[test]
fn a_form_of_another_site_changes_nothing() {
    let server = Server::start();
    let body = json!({ "game": "kalah" }).to_string();
    for kind in ["text/plain", "application/x-www-form-urlencoded", ""] {
        let text = format!(
            "POST /api/v1/tables HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: {kind}\r\n\
             Content-Length: {}\r\n\r\n{body}",
            server.address,
            body.len()
        );
        let answer = server.send_raw(text.as_bytes(), true).expect("an answer");
        assert_eq!(
            (answer.status, answer.code().as_str()),
            (415, "not-json"),
            "{kind}"
        );
    }
    let headers = [("Origin", "http://evil.example")];
    let answer = server.send("POST", "/api/v1/tables", &headers, Some(&body));
    assert_eq!(answer.status, 403);
    let preflight = server.send("OPTIONS", "/api/v1/tables", &headers, None);
    assert_eq!(preflight.status, 403);
    assert_eq!(preflight.header("access-control-allow-origin"), None);
    assert_eq!(server.get("/api/v1/status")["tables"], 0);
}

#[test]
fn every_answer_keeps_the_browser_safe() {
    let server = Server::start();
    for path in ["/", "/api", "/api/v1/status", "/nothing.js", "/api/nothing"] {
        let answer = server.ask("GET", path, None);
        assert_eq!(
            answer.header("x-content-type-options"),
            Some("nosniff"),
            "{path}"
        );
        let policy = answer.header("content-security-policy").expect("a policy");
        assert!(policy.contains("script-src 'self'"), "{path}: {policy}");
        assert!(!policy.contains("unsafe"), "{path}: {policy}");
        assert!(policy.starts_with("default-src 'none'"), "{path}: {policy}");
    }
}

#[test]
fn the_page_is_sent_once() {
    let server = Server::start();
    let page = server.ask("GET", "/", None);
    assert_eq!(page.status, 200);
    assert_eq!(
        page.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    assert_eq!(page.header("cache-control"), Some("no-cache"));
    assert!(page.text().to_lowercase().starts_with("<!doctype html>"));
    let tag = page.header("etag").expect("a tag");
    let again = server.send("GET", "/", &[("If-None-Match", tag)], None);
    assert_eq!((again.status, again.body.len()), (304, 0));
    for path in [
        "/../Cargo.toml",
        "/%2e%2e/Cargo.toml",
        "/nothing.html",
        "/a/b/c.js",
        "/x",
    ] {
        let answer = server.ask("GET", path, None);
        assert_eq!(
            (answer.status, answer.code().as_str()),
            (404, "not-found"),
            "{path}"
        );
    }
    assert_eq!(server.ask("POST", "/", None).status, 405);
    assert_eq!(server.ask("PUT", "/api/v1/tables", None).status, 405);
}
