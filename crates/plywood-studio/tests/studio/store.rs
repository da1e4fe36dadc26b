//! Games that are there after a restart, and files that are damaged.

use std::fs;

use plywood_studio::Studio;
use serde_json::json;
use tempfile::TempDir;

use crate::client::{Server, options};

#[test]
fn games_survive_a_restart() {
    let folder = TempDir::new().expect("a folder");
    let server = Server::with_store(folder.path());
    let mut tables = Vec::new();
    for game in ["kalah:stones=6", "gomoku", "blokus", "2048"] {
        let body = json!({ "game": game, "title": "Ä “game”", "seed": 1 });
        let table = server.post("/api/v1/tables", &body);
        let path = format!("/api/v1/tables/{}", table["id"].as_str().expect("an id"));
        let mv = json!({ "move": table["view"]["moves"][0], "version": 1 });
        server.post(&format!("{path}/move"), &mv);
        let undone = server.post(&format!("{path}/undo"), &json!({}));
        tables.push((path, undone));
    }
    let list = server.get("/api/v1/tables");
    drop(server);
    let server = Server::with_store(folder.path());
    assert_eq!(server.messages, [""; 0]);
    for (path, table) in &tables {
        assert_eq!(server.get(path), *table);
    }
    assert_eq!(server.get("/api/v1/tables"), list);
}

#[test]
fn damaged_files_are_set_aside_with_a_message() {
    let folder = TempDir::new().expect("a folder");
    let server = Server::with_store(folder.path());
    let mut ids = Vec::new();
    for _ in 0..6 {
        let table = server.post(
            "/api/v1/tables",
            &json!({ "game": "kalah", "moves": ["A"] }),
        );
        ids.push(table["id"].as_str().expect("an id").to_owned());
    }
    drop(server);
    let tables = folder.path().join("tables");
    let path = |id: &str| tables.join(format!("{id}.json"));
    let text = fs::read_to_string(path(&ids[0])).expect("a file");
    // Cut off, not text, not legal, not this format, another game's name; the last is whole.
    fs::write(path(&ids[0]), &text[..text.len() / 2]).expect("written");
    fs::write(path(&ids[1]), [0xff, 0, 0xfe]).expect("written");
    let edit = |id: &str, from: &str, to: &str| {
        let text = fs::read_to_string(path(id)).expect("a file");
        assert!(text.contains(from), "{text}");
        fs::write(path(id), text.replace(from, to)).expect("written");
    };
    edit(&ids[2], "\"moves\":[\"A\"]", "\"moves\":[\"G\"]");
    edit(&ids[3], "\"format\":1", "\"format\":2");
    fs::copy(path(&ids[5]), path(&ids[4])).expect("copied");
    fs::write(tables.join(".something.partial"), "{").expect("written");

    let server = Server::with_store(folder.path());
    assert_eq!(server.messages.len(), 5, "{:?}", server.messages);
    for (message, id) in server.messages.iter().zip(sorted(&ids[..5])) {
        assert!(
            message.contains(&id) && message.contains("set aside"),
            "{message}"
        );
        assert!(tables.join(format!("{id}.json.damaged")).exists());
        let path = format!("/api/v1/tables/{id}");
        assert_eq!(server.ask("GET", &path, None).status, 404);
    }
    let path = format!("/api/v1/tables/{}", ids[5]);
    assert_eq!(server.get(&path)["moves"], json!(["A"]));
    assert!(!tables.join(".something.partial").exists());
    drop(server);
    // Once is enough.
    assert_eq!(Server::with_store(folder.path()).messages, [""; 0]);
}

fn sorted(ids: &[String]) -> Vec<String> {
    let mut ids = ids.to_vec();
    ids.sort();
    ids
}

#[test]
fn two_servers_do_not_share_a_folder_or_a_port() {
    let folder = TempDir::new().expect("a folder");
    let server = Server::with_store(folder.path());
    let error = |options| match Studio::open(&options) {
        Ok(_) => panic!("it opened"),
        Err(error) => error.to_string(),
    };
    let same_folder = error(options(folder.path()));
    assert!(same_folder.contains("another studio"), "{same_folder}");
    let other = TempDir::new().expect("a folder");
    let mut same_port = options(other.path());
    same_port.port = server.address.port();
    let same_port = error(same_port);
    assert!(same_port.contains("is taken: use --port"), "{same_port}");
    let mut nowhere = options(other.path());
    nowhere.host = "no.such.name.invalid".to_owned();
    let nowhere = error(nowhere);
    assert!(nowhere.contains("use --host"), "{nowhere}");
}

#[cfg(unix)]
#[test]
fn a_game_that_cannot_be_written_does_not_change() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TempDir::new().expect("a folder");
    let server = Server::with_store(folder.path());
    let table = server.post("/api/v1/tables", &json!({ "game": "kalah" }));
    let path = format!("/api/v1/tables/{}", table["id"].as_str().expect("an id"));
    let tables = folder.path().join("tables");
    let partial = format!(".{}.partial", table["id"].as_str().expect("an id"));
    // Even root cannot write to a file whose place a folder has.
    fs::create_dir(tables.join(partial)).expect("a folder");
    fs::set_permissions(&tables, fs::Permissions::from_mode(0o500)).expect("read only");
    let mv = json!({ "move": "A", "version": 1 });
    let answer = server.ask("POST", &format!("{path}/move"), Some(&mv));
    assert_eq!((answer.status, answer.code().as_str()), (500, "failed"));
    assert_eq!(server.get(&path), table);
    fs::set_permissions(&tables, fs::Permissions::from_mode(0o700)).expect("writable");
}
