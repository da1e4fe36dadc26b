//! `plywood selfplay`: the engine against itself.

use std::io::Write;
use std::time::{Duration, Instant};

use plywood::Turn;
use plywood_games::registry::{Position, Random};

use crate::args::SelfplayArgs;
use crate::engine::GameEngine;
use crate::failure::Failure;
use crate::output::{self, Output, grouped};

pub fn run(args: &SelfplayArgs, out: &mut Output) -> Result<(), Failure> {
    let mut engine = GameEngine::new(&args.game, &args.engine)?;
    engine.check_spawner(args.spawner)?;
    let mut random = Random::new(args.seed);
    if let Some(text) = &args.position {
        engine.game.read_position(text)?;
    }
    engine.listen_to_interrupts();
    let mut totals = Totals::default();
    for number in 1..=args.games {
        engine.forget();
        let position = engine.position(args.position.as_deref(), &mut random)?;
        let heading = match args.games {
            1 => String::new(),
            _ => format!("game {number}: "),
        };
        if !heading.is_empty() && !args.quiet {
            writeln!(out, "{}", out.bold(heading.trim_end()))?;
        }
        let end = one_game(args, &mut engine, position, &mut random, &mut totals, out)?;
        let result = match engine.game.result(&end.position) {
            Some(result) => result,
            None => format!("not over, {}", engine.turn_text(&end.position)),
        };
        writeln!(out, "{heading}{result} ({} moves)", end.moves)?;
        out.flush()?;
        totals.count(engine.game.final_scores(&end.position));
        if engine.was_interrupted() {
            writeln!(out, "interrupted: no more games are played")?;
            break;
        }
    }
    if args.games > 1 {
        writeln!(out, "{}", totals.summary(&engine.seat_names()))?;
    }
    if args.stats {
        writeln!(
            out,
            "{} nodes, {}, {} nodes/s",
            grouped(totals.nodes),
            output::time(totals.time),
            grouped((totals.nodes as f64 / totals.time.as_secs_f64().max(1e-9)) as u64)
        )?;
    }
    Ok(())
}

struct End {
    position: Position,
    moves: u32,
}

/// Plays until the game is over, as many moves are made as were asked for, or Ctrl-C.
fn one_game(
    args: &SelfplayArgs,
    engine: &mut GameEngine,
    mut position: Position,
    random: &mut Random,
    totals: &mut Totals,
    out: &mut Output,
) -> Result<End, Failure> {
    let mut moves = 0;
    if !args.quiet {
        write!(out, "{}", engine.game.draw(&position, out.style))?;
    }
    loop {
        match engine.game.turn(&position) {
            Turn::Over => break,
            Turn::Player(_) if args.moves == Some(moves) || engine.was_interrupted() => break,
            Turn::Player(seat) => {
                let name = engine.game.seat_name(seat);
                let (mv, how) = if moves < args.random_plies {
                    let mv = engine.game.random_move(&position, random);
                    let mv = mv.expect("whoever is to move has a move");
                    (mv, "at random".to_owned())
                } else {
                    let started = Instant::now();
                    let (mv, report) = engine.choose(&position);
                    totals.time += started.elapsed();
                    totals.nodes += report.nodes.total();
                    let value = output::value(report.values[seat.index()]);
                    (mv, format!("value {value}, depth {}", report.depth))
                };
                moves += 1;
                if !args.quiet {
                    writeln!(out, "\n{moves}. {name} plays {} ({how})", out.bold(&mv))?;
                }
                position = engine.game.play(&position, &mv)?;
            }
            Turn::Chance => {
                let event = engine.chance(&position, args.spawner, random);
                if !args.quiet {
                    writeln!(out, "chance brings {event}")?;
                }
                position = engine.game.play(&position, &event)?;
            }
        }
        if !args.quiet && engine.game.turn(&position) != Turn::Chance {
            write!(out, "{}", engine.game.draw(&position, out.style))?;
            out.flush()?;
        }
    }
    if !args.quiet {
        writeln!(out)?;
    }
    Ok(End { position, moves })
}

/// What all games together amount to.
#[derive(Default)]
struct Totals {
    nodes: u64,
    time: Duration,
    unfinished: u32,
    /// The final scores of every finished game.
    scores: Vec<Vec<i32>>,
}

impl Totals {
    fn count(&mut self, scores: Option<Vec<i32>>) {
        match scores {
            Some(scores) => self.scores.push(scores),
            None => self.unfinished += 1,
        }
    }

    fn summary(&self, names: &[String]) -> String {
        let mut parts = Vec::new();
        let mut decided = 0;
        for (seat, name) in names.iter().enumerate() {
            let sum: f64 = self.scores.iter().map(|s| f64::from(s[seat])).sum();
            let mean = sum / (self.scores.len().max(1)) as f64;
            let best = |scores: &&Vec<i32>| {
                let others = scores
                    .iter()
                    .enumerate()
                    .filter(|(other, _)| *other != seat);
                others.into_iter().all(|(_, &score)| score < scores[seat])
            };
            let wins = self.scores.iter().filter(best).count();
            decided += wins;
            parts.push(match names.len() {
                1 => format!("{name} mean score {mean:.1}"),
                _ => format!("{name} won {wins} (mean score {mean:.1})"),
            });
        }
        if names.len() > 1 && decided < self.scores.len() {
            parts.push(format!("drawn {}", self.scores.len() - decided));
        }
        if self.unfinished > 0 {
            parts.push(format!("not over {}", self.unfinished));
        }
        format!(
            "{} games: {}",
            self.scores.len() + self.unfinished as usize,
            parts.join(", ")
        )
    }
}
