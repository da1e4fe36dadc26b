//! Times of the Kalah solver.
use plywood_games::Notation;
use plywood_games::kalah::solver::{Monitor, Options, Solver};
use plywood_games::kalah::{Capture, Kalah, Rules};
use std::sync::Arc;
use std::time::Instant;
fn main() {
    let args: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| a != "--bench")
        .collect();
    let n = |i: usize| args.get(i).and_then(|a| a.parse().ok());
    let (pits, stones, db, threads) = (
        n(0).unwrap_or(6),
        n(1).unwrap_or(4),
        n(2).unwrap_or(16),
        n(3).unwrap_or(1),
    );
    let capture = if n(5) == Some(1) {
        Capture::Always
    } else {
        Capture::IfOppositeFull
    };
    let game = Kalah::new(Rules {
        pits: pits as u8,
        stones: stones as u8,
        capture,
        ..Rules::default()
    })
    .unwrap();
    let monitor = Arc::new(Monitor::default());
    let d = cpu_time::ProcessTime::now();
    let t = Instant::now();
    let mut solver = Solver::new(
        &game,
        &Options {
            stones: 2 * pits * stones,
            threads,
            memory: n(4).unwrap_or(1024usize) << 20,
            database_stones: Some(db),
            cache: None,
        },
        monitor.clone(),
    )
    .unwrap();
    println!("database cpu {:?} {:?}", d.elapsed(), t.elapsed());
    let c = cpu_time::ProcessTime::now();
    let t = Instant::now();
    let b = solver.solve(&game.start());
    let cpu = c.elapsed();
    println!(
        "{b:?} cpu {cpu:?} wall {:?} {} nodes, {:.1} ns/node, fill {:.3}",
        t.elapsed(),
        monitor.nodes(),
        cpu.as_nanos() as f64 / monitor.nodes() as f64,
        monitor.table_fill()
    );
}
