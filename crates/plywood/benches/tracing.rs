//! What recording events costs: `cargo bench -p plywood --bench tracing`.
//!
//! Every line is one search of Connect Four on one thread, without and with a trace, in turns;
//! the times are processor times, the ratio is that of the medians. `--once STRATEGY DEPTH`
//! makes one search without a trace, to count its instructions.

#[path = "../examples/connect_four/game.rs"]
mod game;

use std::time::Duration;

use game::{Central, ConnectFour, Position};
use plywood::{Engine, Limits, Settings, TraceOptions};

const ROUNDS: usize = 15;

fn engine(strategy: &str) -> Engine<ConnectFour, Central> {
    let settings = Settings::new("alphabeta").and_then(|s| s.parallel(strategy, 1));
    let settings = settings.expect("there is such a strategy");
    Engine::new(ConnectFour, Central, settings).expect("they go together")
}

fn median(times: &mut [Duration]) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64()
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == "--once") {
        let depth = arguments[at + 2].parse().expect("a depth");
        let report = engine(&arguments[at + 1]).search(&Position::EMPTY, &Limits::depth(depth));
        println!("{} nodes", report.nodes.total());
        return;
    }
    if !arguments.iter().any(|argument| argument == "--bench") {
        return;
    }
    for (strategy, depth) in [
        ("ybwc:9", 16),
        ("ybwc:8", 16),
        ("ybwc:6", 15),
        ("ybwc:3", 13),
    ] {
        let (mut off, mut on) = (Vec::new(), Vec::new());
        let (mut tasks, mut events) = (0, 0);
        let limits = Limits::depth(depth);
        for _ in 0..ROUNDS {
            let mut engine = engine(strategy);
            engine.forget();
            off.push(engine.search(&Position::EMPTY, &limits).cpu);
            engine.forget();
            let options = TraceOptions {
                max_events: usize::MAX,
            };
            let (report, trace) = engine.search_traced(&Position::EMPTY, &limits, &options, |_| {});
            on.push(report.cpu);
            tasks = report.tasks.fizzled;
            events = trace.lanes[0].events.len();
        }
        let (off, on) = (median(&mut off), median(&mut on));
        println!(
            "connect four {strategy}, depth {depth}: {tasks} tasks of {:.1} µs, {events} events; \
             {:.1} ms without, {:.1} ms with a trace: {:+.2} %",
            1e6 * off / tasks.max(1) as f64,
            1e3 * off,
            1e3 * on,
            100.0 * (on / off - 1.0),
        );
    }
}
