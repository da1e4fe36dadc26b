//! `plywood search`: searches a position and shows what was found.

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use plywood::Turn;
use plywood_games::registry::{AnyProgress, AnyReport, Position, Random};

use crate::args::SearchArgs;
use crate::engine::GameEngine;
use crate::failure::Failure;
use crate::json::SearchJson;
use crate::output::{self, Output, grouped};

pub fn run(args: &SearchArgs, out: &mut Output) -> Result<(), Failure> {
    let mut engine = GameEngine::new(&args.game, &args.engine)?;
    let position = engine.position(args.position.as_deref(), &mut Random::new(args.seed))?;
    if args.all_moves {
        engine.want_all_moves();
    }
    engine.listen_to_interrupts();
    let names = engine.seat_names();
    let watched = io::stderr().is_terminal();
    let report = engine.search(&position, &mut |progress| {
        if watched {
            show_progress(&names, progress);
        }
    });
    if args.json {
        let json = SearchJson::new(&engine, &position, &report);
        serde_json::to_writer(&mut *out, &json).map_err(io::Error::from)?;
        return Ok(writeln!(out)?);
    }
    show(&engine, &position, &report, out)?;
    if args.all_moves {
        show_root_moves(&engine, &report, out)?;
    }
    if args.stats {
        show_stats(&report, out)?;
    }
    Ok(())
}

/// A line for a completed depth, on standard error: it is no part of the answer.
fn show_progress(names: &[String], progress: &AnyProgress<'_>) {
    const LONGEST: usize = 12;
    let line: Vec<&str> = progress.line.iter().map(String::as_str).collect();
    let dots = if line.len() > LONGEST { " …" } else { "" };
    let _ = writeln!(
        io::stderr(),
        "depth {:>3}  {:>9}  {}  {}{dots}",
        progress.depth,
        output::time(progress.elapsed),
        output::values(names, progress.values),
        line[..line.len().min(LONGEST)].join(" "),
    );
}

fn show(
    engine: &GameEngine,
    position: &Position,
    report: &AnyReport,
    out: &mut Output,
) -> Result<(), Failure> {
    let game = &engine.game;
    let board = game.draw(position, out.style);
    writeln!(out, "{}: {}", game.spec(), engine.turn_text(position))?;
    write!(out, "{board}")?;
    writeln!(out)?;
    if let Some(result) = game.result(position) {
        writeln!(out, "result    {result}")?;
    }
    if let Some(best) = &report.best {
        let best = out.bold(best);
        writeln!(out, "best      {best}")?;
    }
    let values = output::values(&engine.seat_names(), &report.values);
    let own = match game.turn(position) {
        Turn::Player(seat) => report.values.get(seat.index()).copied(),
        Turn::Chance | Turn::Over => None,
    };
    let certainty = engine.certainty(own, report.certainty);
    writeln!(out, "value     {values}{certainty}")?;
    if let Some(shares) = &report.win_shares {
        let each = engine.seat_names().into_iter().zip(shares);
        let each = each.map(|(name, share)| format!("{name} {share:.3}"));
        writeln!(out, "wins      {}", each.collect::<Vec<_>>().join(", "))?;
    }
    if !report.line.is_empty() {
        writeln!(out, "line      {}", report.line.join(" "))?;
    }
    let stopped = if report.stopped { ", then stopped" } else { "" };
    writeln!(out, "depth     {}{stopped}", report.depth)?;
    writeln!(
        out,
        "nodes     {} (interior {}, leaf {}, table {})",
        grouped(report.nodes.total()),
        grouped(report.nodes.interior),
        grouped(report.nodes.leaf),
        grouped(report.nodes.table_hits),
    )?;
    writeln!(
        out,
        "time      {}, CPU {}, {} nodes/s",
        output::time(report.elapsed),
        output::time(report.cpu),
        grouped(report.nodes_per_second() as u64),
    )?;
    let peak = report.memory.peak.map(output::mebibytes);
    let peak = peak.map_or(String::new(), |peak| format!(", peak {peak}"));
    let table = output::mebibytes(report.memory.table);
    writeln!(out, "memory    table {table}{peak}")?;
    let threads = match engine.threads {
        1 => "1 thread".to_owned(),
        threads => format!("{threads} threads"),
    };
    if let (Some(settings), Some(evaluation)) = (engine.settings(), &engine.evaluation) {
        writeln!(
            out,
            "engine    {}, {} on {threads}, evaluation {evaluation}",
            settings.search, settings.strategy,
        )?;
    }
    if let Some(own) = &engine.own {
        writeln!(out, "engine    {own} on {threads}")?;
    }
    Ok(())
}

/// The root moves, the best first; equally good ones in the order of the game.
fn show_root_moves(
    engine: &GameEngine,
    report: &AnyReport,
    out: &mut Output,
) -> Result<(), Failure> {
    let mut moves: Vec<_> = report.root.iter().collect();
    moves.sort_by(|a, b| b.value.total_cmp(&a.value));
    let width = moves
        .iter()
        .map(|root| root.mv.len())
        .max()
        .unwrap_or(0)
        .max(4);
    writeln!(out, "\n{:width$} {:>12}", "move", "value")?;
    for root in moves {
        let value = output::value(root.value);
        let certainty = engine.certainty(Some(root.value), root.certainty);
        writeln!(out, "{:width$} {value:>12}{certainty}", root.mv)?;
    }
    Ok(())
}

fn show_stats(report: &AnyReport, out: &mut Output) -> Result<(), Failure> {
    let tasks = &report.tasks;
    let converted = match tasks.offered {
        0 => 0.0,
        offered => 100.0 * tasks.converted as f64 / offered as f64,
    };
    let headings = [
        "offered",
        "converted",
        "fizzled",
        "cancelled",
        "aborted",
        "converted %",
    ];
    write_row(out, "tasks", &headings.map(str::to_owned))?;
    let counts = [
        tasks.offered,
        tasks.converted,
        tasks.fizzled,
        tasks.cancelled,
        tasks.aborted,
    ];
    let mut row: Vec<String> = counts.map(grouped).into();
    row.push(format!("{converted:.2}"));
    write_row(out, "", &row)?;
    writeln!(out)?;
    let headings = ["nodes", "busy", "stealing", "joining", "idle", "CPU"];
    write_row(out, "worker", &headings.map(str::to_owned))?;
    for (index, worker) in report.workers.iter().enumerate() {
        let times: [Duration; 5] = [
            worker.busy,
            worker.stealing,
            worker.joining,
            worker.idle,
            worker.cpu,
        ];
        let mut row = vec![grouped(worker.nodes.total())];
        row.extend(times.map(output::time));
        write_row(out, &index.to_string(), &row)?;
    }
    Ok(())
}

fn write_row(out: &mut Output, name: &str, cells: &[String]) -> io::Result<()> {
    if name == "tasks" {
        writeln!(out)?;
    }
    write!(out, "{name:7}")?;
    for cell in cells {
        write!(out, " {cell:>13}")?;
    }
    writeln!(out)
}
