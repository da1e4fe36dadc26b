//! Connect Four: searches a position on all cores and shows what is best.
//!
//! ```text
//! cargo run --release --example connect_four -- [COLUMNS [DEPTH]]
//! ```
//!
//! COLUMNS are the stones so far, one digit each from 1 (left) to 7, for example `4443`.

mod game;

use std::process::ExitCode;

use game::{Central, ConnectFour, Position};
use plywood::{Engine, Limits, Settings};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("connect_four: {message}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let columns = arguments.next().unwrap_or_default();
    let depth = match arguments.next() {
        Some(text) => text
            .parse()
            .map_err(|_| format!("'{text}' is no depth: use a number from 1 to 42"))?,
        None => 16,
    };
    let played: Option<Vec<u8>> = columns
        .chars()
        .map(|c| c.to_digit(8).filter(|d| *d > 0).map(|d| d as u8 - 1))
        .collect();
    let position = played
        .and_then(|played| Position::after(&played))
        .ok_or_else(|| format!("'{columns}' is no game: use columns 1 to 7, at most six times each, up to the end of the game"))?;

    let settings = Settings::new("alphabeta")?.on_all_cores("ybwc:6")?;
    let threads = settings.threads;
    let mut engine = Engine::new(ConnectFour, Central, settings)?;
    let report = engine.search_with(&position, &Limits::depth(depth), |progress| {
        println!(
            "depth {:2}: {:+} for the first player",
            progress.depth, progress.values[0]
        );
    });
    match report.best {
        None => println!(
            "The game is over: {:+} for the first player.",
            report.values[0]
        ),
        Some(best) => println!(
            "Best is column {}: {} nodes in {:.2?} on {threads} threads, {:.1} M nodes/s.",
            best.0 + 1,
            report.nodes.total(),
            report.elapsed,
            report.nodes_per_second() / 1e6
        ),
    }
    Ok(())
}
