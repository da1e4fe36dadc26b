//! Times of the Kalah solver, by name:
//!
//! ```text
//! cargo bench -p plywood-games --bench kalah_solver -- 6-4@20 5-4-empty@16 threads=1,2
//! cargo bench -p plywood-games --bench kalah_solver -- database-24 threads=1,2,16
//! cargo bench -p plywood-games --bench kalah_solver -- 6-5@30 memory=20 threads=16
//! ```
//!
//! `6-4@20` is six pits of four stones with a database of 20 stones, `-empty` the rule that
//! captures with an empty pit opposite too, `memory` is in GiB. Without a name:
//! `database-20` and `6-4@20`. One line per run; CPU time is that of all threads together.

use std::sync::Arc;
use std::time::Instant;

use cpu_time::ProcessTime;
use plywood_games::Notation;
use plywood_games::kalah::solver::{Monitor, Options, Solver};
use plywood_games::kalah::{Capture, Kalah, Rules};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // `cargo bench` says so; `cargo test --benches` only wants to see that they start.
    if !arguments.iter().any(|argument| argument == "--bench") {
        return;
    }
    let mut threads = vec![1];
    let mut memory = 1;
    let mut names = Vec::new();
    for argument in arguments.iter().filter(|argument| *argument != "--bench") {
        match argument.split_once('=') {
            Some(("threads", list)) => threads = list.split(',').map(number).collect(),
            Some(("memory", gigabytes)) => memory = number(gigabytes),
            Some((option, _)) => panic!("no option {option}: use threads=1,2 or memory=1"),
            None => names.push(argument.as_str()),
        }
    }
    if names.is_empty() {
        names = vec!["database-20", "6-4@20"];
    }
    for name in names {
        for &threads in &threads {
            match name.strip_prefix("database-") {
                Some(stones) => build(number(stones), threads),
                None => solve(name, memory << 30, threads),
            }
        }
    }
}

fn number(text: &str) -> usize {
    let number = text.parse();
    number.unwrap_or_else(|_| panic!("{text} is no number"))
}

/// A solver, with the time its database takes.
fn solver(rules: Rules, database: usize, memory: usize, threads: usize) -> (Solver, f64, f64) {
    let game = Kalah::new(rules).expect("valid rules");
    let options = Options {
        stones: 2 * usize::from(rules.pits) * usize::from(rules.stones),
        threads,
        memory,
        database_stones: Some(database),
        cache: None,
    };
    let (wall, cpu) = (Instant::now(), ProcessTime::now());
    let solver = Solver::new(&game, &options, Arc::new(Monitor::default()));
    let (wall, cpu) = (wall.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
    (solver.expect("enough memory"), wall, cpu)
}

fn build(stones: usize, threads: usize) {
    let rules = Rules::default();
    let game = Kalah::new(rules).expect("valid rules");
    let all = 2 * usize::from(rules.pits) * usize::from(rules.stones);
    let holds =
        |memory: &usize| Solver::database_stones_within(&game, all, *memory) >= Some(stones);
    let memory = (20..50).map(|bits| 1 << bits).find(holds);
    // Twice that: a table is asked for besides.
    let memory = 2 * memory.expect("a database for as many stones as there are");
    let (solver, wall, cpu) = solver(rules, stones, memory, threads);
    let positions = solver.database_bytes() as f64;
    println!(
        "database of {stones} stones, 6 pits, {threads} threads: {positions} positions, wall \
         {wall:.2} s, CPU {cpu:.2} s, {:.1} ns of a core a position",
        cpu * 1e9 / positions
    );
}

fn solve(name: &str, memory: usize, threads: usize) {
    let set_up = name.split_once('@').and_then(|(set_up, database)| {
        let (set_up, capture) = match set_up.strip_suffix("-empty") {
            Some(set_up) => (set_up, Capture::Always),
            None => (set_up, Capture::IfOppositeFull),
        };
        Some((set_up.split_once('-')?, capture, number(database)))
    });
    let Some(((pits, stones), capture, database)) = set_up else {
        panic!("no set-up {name}: use database-20, or 6-4@20 or 6-4-empty@20");
    };
    let rules = Rules {
        pits: number(pits) as u8,
        stones: number(stones) as u8,
        capture,
        ..Rules::default()
    };
    let (mut solver, database_wall, database_cpu) = solver(rules, database, memory, threads);
    let (wall, cpu) = (Instant::now(), ProcessTime::now());
    let bounds = solver.solve(&solver.game().start());
    let (wall, cpu) = (wall.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
    let nodes = solver.monitor().nodes() as f64;
    println!(
        "{name}, {threads} threads: margin {} to {}, {nodes} nodes, wall {wall:.2} s, CPU \
         {cpu:.2} s, {:.2} M nodes/s, table {:.1} % full of {:.2} GiB; database of {database} \
         stones, {:.2} GiB, wall {database_wall:.2} s, CPU {database_cpu:.2} s",
        bounds.least,
        bounds.most,
        nodes / wall / 1e6,
        100.0 * solver.monitor().table_fill(),
        solver.table_bytes() as f64 / (1u64 << 30) as f64,
        solver.database_bytes() as f64 / (1u64 << 30) as f64,
    );
}
