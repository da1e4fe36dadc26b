//! Any lines to the program that plays by the protocol of Gomocup: it answers in lines, and
//! goes on until the end.
#![no_main]

use std::io::Cursor;

use libfuzzer_sys::fuzz_target;
use plywood_games::gomoku::protocol::{Options, serve};

/// Far less than what a fuzzer waits for.
const LIMITS: &str = "INFO timeout_turn 1\nINFO timeout_match 1000\nINFO max_memory 8000000\n";

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    // The limits stay: a line that allows a minute would only make the fuzzer wait.
    let lines = text.lines().filter(|line| {
        let line = line.to_ascii_lowercase();
        !line.contains("time") && !line.contains("memory")
    });
    let lines: Vec<_> = lines.take(40).collect();
    let input = format!("{LIMITS}{}\n", lines.join("\n"));
    let mut output = Vec::new();
    let options = Options {
        threads: 1,
        memory: 1 << 20,
    };
    serve(Cursor::new(input), &mut output, options).expect("a vector takes everything");
    let output = String::from_utf8(output).expect("text");
    for line in output.lines() {
        assert!(!line.is_empty() && line.chars().all(|c| !c.is_control()), "{line:?}");
    }
});
