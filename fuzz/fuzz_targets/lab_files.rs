//! Any text as a file of the lab: a sweep, a match, or the record of a game. What is wrong is
//! said in one line; what is read can be planned or played.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plywood_fuzz::Bytes;
use plywood_lab::LabError;
use plywood_lab::matches::{self, Request, records};
use plywood_lab::sweep;

fn check_message(message: &str) {
    assert!(!message.is_empty());
    assert!(!message.contains('\n'), "{message:?}");
}

fn check_error<T>(result: Result<T, LabError>) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(error) => {
            check_message(&error.to_string());
            None
        }
    }
}

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes::new(data);
    let kind = bytes.digit() % 3;
    let text = bytes.text();
    match kind {
        0 => {
            if let Some(plan) = check_error(sweep::Plan::read("sweep.toml", &text)) {
                assert!(plan.measurements() > 0);
            }
        }
        1 => {
            if let Some(request) = check_error(Request::read("match.toml", &text)) {
                // Other programs are not started, files not opened: a text must not reach them.
                let outside = ["gomocup", "gtp", "openings", "network:"];
                let many = request.games.is_some_and(|games| games > 1000)
                    || request.random_plies.is_some_and(|plies| plies > 100);
                if !many && !outside.iter().any(|word| text.contains(word)) {
                    check_error(matches::Plan::new(&request));
                }
            }
        }
        _ => match records::read(&text) {
            Ok(record) => {
                if let Err(message) = matches::verify(&record) {
                    check_message(&message);
                }
            }
            Err(message) => check_message(&message),
        },
    }
});
