//! `plywood perft`: counts the lines of play of every length up to a depth.

use std::io::Write;
use std::time::Instant;

use plywood_games::registry;

use crate::args::PerftArgs;
use crate::failure::Failure;
use crate::output::{self, Output, grouped};

pub fn run(args: &PerftArgs, out: &mut Output) -> Result<(), Failure> {
    let game = registry::open(&args.game)?;
    let position = match &args.position {
        Some(text) => game.read_position(text)?,
        None => game.start(),
    };
    if args.divide {
        let mut total = 0;
        for mv in game.moves(&position) {
            let after = game.play(&position, &mv)?;
            let lines = game.perft(&after, args.depth - 1);
            total += lines;
            writeln!(out, "{mv} {}", grouped(lines))?;
        }
        writeln!(out, "total {}", grouped(total))?;
        return Ok(());
    }
    writeln!(out, "depth {:>20} {:>12} {:>10}", "lines", "time", "M/s")?;
    for depth in 1..=args.depth {
        let started = Instant::now();
        let lines = game.perft(&position, depth);
        let elapsed = started.elapsed();
        writeln!(
            out,
            "{depth:>5} {:>20} {:>12} {:>10.1}",
            grouped(lines),
            output::time(elapsed),
            lines as f64 / elapsed.as_secs_f64().max(1e-9) / 1e6
        )?;
        out.flush()?;
    }
    Ok(())
}
