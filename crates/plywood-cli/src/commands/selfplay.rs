//! `plywood selfplay`: the engine against itself.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use plywood::Turn;
use plywood_games::Style;
use plywood_games::registry::{Position, Random};
use plywood_lab::matches::solo::{self, Solo};

use crate::args::SelfplayArgs;
use crate::engine::GameEngine;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::output::{self, Output, grouped};

pub fn run(args: &SelfplayArgs, out: &mut Output) -> Result<(), Failure> {
    let mut engine = GameEngine::new(&args.game, &args.engine)?;
    engine.check_spawner(args.spawner)?;
    if let Some(text) = &args.position {
        engine.game.read_position(text)?;
    }
    let names = engine.seat_names();
    let has_tiles = engine.game.info().name == "2048";
    let mut totals = Totals::default();
    let interrupted = if args.concurrency.min(args.games as usize) > 1 {
        side_by_side(args, engine, &mut totals, out)?
    } else {
        engine.listen_to_interrupts();
        let style = out.style;
        for number in 1..=args.games {
            let mut game = Table {
                args,
                number,
                style,
                out,
            };
            totals.count(game.play(&mut engine)?);
            out.flush()?;
            if engine.was_interrupted() {
                break;
            }
        }
        engine.was_interrupted()
    };
    if interrupted {
        writeln!(out, "interrupted: no more games are played")?;
    }
    if args.games > 1 {
        writeln!(out, "{}", totals.summary(&names))?;
        if names.len() == 1 && !totals.scores.is_empty() {
            write!(out, "\n{}", totals.solo_table(&names[0], has_tiles))?;
        }
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

/// The number of a game that has ended, what was to be shown of it, and what came of it.
type Finished = (u32, Result<(Vec<u8>, Played), Failure>);

/// Several games at once, each on an engine of its own; they are shown in their order.
fn side_by_side(
    args: &SelfplayArgs,
    first: GameEngine,
    totals: &mut Totals,
    out: &mut Output,
) -> Result<bool, Failure> {
    let mut engines = vec![first];
    while engines.len() < args.concurrency.min(args.games as usize) {
        engines.push(GameEngine::new(&args.game, &args.engine)?);
    }
    let interrupt = Interrupt::install();
    let next = AtomicU32::new(1);
    let style = out.style;
    let (sender, finished) = mpsc::channel::<Finished>();
    interrupt.during(|| {
        std::thread::scope(|scope| {
            for mut engine in engines {
                engine.stop_with(interrupt.flag());
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number > args.games || engine.was_interrupted() {
                            break;
                        }
                        let mut text = Vec::new();
                        let mut game = Table {
                            args,
                            number,
                            style,
                            out: &mut text,
                        };
                        let played = game.play(&mut engine);
                        // Nobody listens any more where the output is closed.
                        if sender
                            .send((number, played.map(|end| (text, end))))
                            .is_err()
                        {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let shown = show_in_order(finished, totals, out);
            if shown.is_err() {
                // Nobody wants to see how the others end.
                interrupt.flag().store(true, Ordering::Relaxed);
            }
            shown
        })
    })?;
    Ok(interrupt.was_used())
}

/// Shows and counts games as they end, none before those with smaller numbers.
fn show_in_order(
    finished: mpsc::Receiver<Finished>,
    totals: &mut Totals,
    out: &mut Output,
) -> Result<(), Failure> {
    let mut waiting = BTreeMap::new();
    let mut shown = 0;
    for (number, played) in finished {
        waiting.insert(number, played?);
        while let Some((text, played)) = waiting.remove(&(shown + 1)) {
            out.write_all(&text)?;
            out.flush()?;
            totals.count(played);
            shown += 1;
        }
    }
    Ok(())
}

/// One of the games, and where it is shown.
struct Table<'a> {
    args: &'a SelfplayArgs,
    number: u32,
    style: Style,
    out: &'a mut dyn Write,
}

/// What came of a game.
struct Played {
    /// The final scores, if it is over.
    scores: Option<Vec<i32>>,
    /// The last position as text.
    end: String,
    nodes: u64,
    time: Duration,
}

impl Table<'_> {
    /// Plays the game and shows how it goes.
    fn play(&mut self, engine: &mut GameEngine) -> Result<Played, Failure> {
        // The first game of a seed is the same however many follow, and none depends on
        // those before.
        let mut random = Random::new(self.args.seed);
        for _ in 1..self.number {
            let seed = random.next_u64();
            random = Random::new(seed);
        }
        engine.forget();
        let position = engine.position(self.args.position.as_deref(), &mut random)?;
        let heading = match self.args.games {
            1 => String::new(),
            _ => format!("game {}: ", self.number),
        };
        if !heading.is_empty() && !self.args.quiet {
            writeln!(self.out, "{}", output::bold(self.style, heading.trim_end()))?;
        }
        let mut played = Played {
            scores: None,
            end: String::new(),
            nodes: 0,
            time: Duration::ZERO,
        };
        let end = self.moves(engine, position, &mut random, &mut played)?;
        let result = match engine.game.result(&end.position) {
            Some(result) => result,
            None => format!("not over, {}", engine.turn_text(&end.position)),
        };
        writeln!(self.out, "{heading}{result} ({} moves)", end.moves)?;
        played.scores = engine.game.final_scores(&end.position);
        played.end = engine.game.write_position(&end.position);
        Ok(played)
    }

    /// Plays until the game is over, as many moves are made as were asked for, or Ctrl-C.
    fn moves(
        &mut self,
        engine: &mut GameEngine,
        mut position: Position,
        random: &mut Random,
        played: &mut Played,
    ) -> Result<End, Failure> {
        let (args, style) = (self.args, self.style);
        let out = &mut *self.out;
        let mut moves = 0;
        if !args.quiet {
            write!(out, "{}", engine.game.draw(&position, style))?;
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
                        played.time += started.elapsed();
                        played.nodes += report.nodes.total();
                        let value = output::value(report.values[seat.index()]);
                        (mv, format!("value {value}, depth {}", report.depth))
                    };
                    moves += 1;
                    if !args.quiet {
                        writeln!(
                            out,
                            "\n{moves}. {name} plays {} ({how})",
                            output::bold(style, &mv)
                        )?;
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
                write!(out, "{}", engine.game.draw(&position, style))?;
                out.flush()?;
            }
        }
        if !args.quiet {
            writeln!(out)?;
        }
        Ok(End { position, moves })
    }
}

struct End {
    position: Position,
    moves: u32,
}

/// What all games together amount to.
#[derive(Default)]
struct Totals {
    nodes: u64,
    time: Duration,
    unfinished: u32,
    /// The final scores of every finished game, and its last position.
    scores: Vec<Vec<i32>>,
    ends: Vec<String>,
}

impl Totals {
    fn count(&mut self, played: Played) {
        self.nodes += played.nodes;
        self.time += played.time;
        match played.scores {
            Some(scores) => {
                self.scores.push(scores);
                self.ends.push(played.end);
            }
            None => self.unfinished += 1,
        }
    }

    /// Scores with their interval, and how often which tile was reached.
    fn solo_table(&self, name: &str, has_tiles: bool) -> String {
        let mut games = Solo::new(name);
        for (scores, end) in self.scores.iter().zip(&self.ends) {
            games.add(
                scores[0],
                if has_tiles {
                    solo::largest_tile(end)
                } else {
                    None
                },
            );
        }
        solo::table(&[games], true)
    }

    fn summary(&self, names: &[String]) -> String {
        let mut parts = Vec::new();
        let mut decided = 0;
        // Of games that did not end nothing is known.
        let names = if self.scores.is_empty() { &[] } else { names };
        for (seat, name) in names.iter().enumerate() {
            let sum: f64 = self.scores.iter().map(|s| f64::from(s[seat])).sum();
            let mean = sum / self.scores.len() as f64;
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
