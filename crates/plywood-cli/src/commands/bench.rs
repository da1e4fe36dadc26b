//! `plywood bench`: a fixed amount of work, the same in every run. If the total number of
//! nodes changes from one version to the next, so has what the searches do.

use std::io::Write;
use std::time::Duration;

use plywood::{Limits, Search, Settings, Strategy};
use plywood_games::registry;

use crate::args::BenchArgs;
use crate::failure::Failure;
use crate::output::{self, Output, grouped};

/// A position to search.
struct Work {
    game: &'static str,
    /// As text; the start of a game if empty.
    position: &'static str,
    search: &'static str,
    evaluation: &'static str,
    depth: u32,
}

const fn work(
    game: &'static str,
    position: &'static str,
    search: &'static str,
    evaluation: &'static str,
    depth: u32,
) -> Work {
    Work {
        game,
        position,
        search,
        evaluation,
        depth,
    }
}

/// A board of 2048 with room and merges to be had.
const TILES: &str = "128,32,8,8/2,8,.,2/4,2,.,./.,.,4,. score=780";

/// Every search on games it is made for, at depths that take a moment each.
const WORK: &[Work] = &[
    work("kalah:stones=6", "", "minimax", "stores", 10),
    work("kalah", "", "alphabeta", "stores", 20),
    work(
        "kalah",
        "<6,10,8,1,0,6,2,7,1,0,5,2,1,0,5> s",
        "alphabeta",
        "stores",
        22,
    ),
    work("kalah", "", "maxn", "stores", 9),
    work("kalah", "", "paranoid", "stores", 18),
    work("kalah", "", "mcts", "stores", 20),
    work(
        "gomoku",
        "H8 I9 G7 I7 I8 G8 H7 H9",
        "alphabeta",
        "threats",
        7,
    ),
    work(
        "gomoku:rule=renju",
        "H8 I9 G7 I7 I8 G8",
        "alphabeta",
        "threats",
        6,
    ),
    work(
        "gomoku:rule=exactly-five,distance=1,corner=9",
        "H8 H7",
        "alphabeta",
        "report",
        9,
    ),
    work("gomoku:distance=1", "H8 I9 G7 I7", "minimax", "report", 5),
    work("blokus", "", "maxn", "report", 4),
    work("blokus", "", "maxn", "squares", 4),
    work("blokus", "", "paranoid", "live-corners", 4),
    work("blokus", "", "brs", "live-corners", 3),
    work("blokus", "", "brs-plus", "live-corners", 3),
    work("blokus", "", "mp-mix", "live-corners", 3),
    work("blokus-duo", "", "alphabeta", "live-corners", 4),
    work("2048", TILES, "expectimax", "smooth", 5),
    work("2048", TILES, "expectimax", "report+score", 5),
    work("2048", TILES, "worst-case", "smooth", 8),
    work("2048", TILES, "minimax", "empty", 5),
    work("2048", TILES, "mcts", "report+score", 10),
];

/// The same table for every run on every machine.
const TABLE_BYTES: usize = 16 << 20;

pub fn run(args: &BenchArgs, out: &mut Output) -> Result<(), Failure> {
    for name in &args.games {
        if !registry::games().iter().any(|info| info.name == name) {
            let names: Vec<&str> = registry::games().iter().map(|info| info.name).collect();
            return Err(Failure::Input(format!(
                "there is no bench of '{name}': use {}",
                names.join(", ")
            )));
        }
    }
    let mut nodes = 0;
    let mut time = Duration::ZERO;
    for work in WORK {
        let game = registry::open(work.game)?;
        let name = game.info().name;
        if !args.games.is_empty() && !args.games.iter().any(|wanted| wanted == name) {
            continue;
        }
        let search: Search = work.search.parse()?;
        let settings = Settings {
            search,
            strategy: Strategy::sequential(),
            threads: 1,
            table_bytes: TABLE_BYTES,
            after_chance: false,
        };
        let mut searcher = game.searcher(work.evaluation, settings)?;
        let position = match work.position {
            "" => game.start(),
            text => game.read_position(text)?,
        };
        let report = searcher.search(&position, &Limits::depth(work.depth), &mut |_| {});
        writeln!(
            out,
            "{:44} {:10} {:12} depth {:>2} {:>12} nodes {:>10}",
            work.game,
            work.search,
            work.evaluation,
            work.depth,
            grouped(report.nodes.total()),
            output::time(report.elapsed),
        )?;
        out.flush()?;
        nodes += report.nodes.total();
        time += report.elapsed;
    }
    let speed = nodes as f64 / time.as_secs_f64().max(1e-9);
    writeln!(out, "Bench: {nodes} nodes {speed:.0} nps")?;
    Ok(())
}
