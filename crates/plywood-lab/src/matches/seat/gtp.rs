//! A program that speaks GTP in Pentobi's dialect, for Blokus.

use std::time::{Duration, Instant};

use plywood::Seat;
use plywood_games::registry::AnyGame;

use super::process::{Program, Silence, one_line};
use super::{Choice, House, NoMove, Player, Table};
use crate::matches::finished::FaultKind;
use crate::matches::game_spec;
use crate::matches::player::ProgramPlayer;

/// Lines of one answer; more are a flood.
const MOST_LINES: usize = 20_000;

pub(super) struct GtpPlayer {
    program: Program,
    colours: &'static [&'static str],
    seat: Seat,
    turn_time: Duration,
    left: Option<Duration>,
    grace: Duration,
    /// How many moves of the table it knows.
    known: usize,
    notes: Vec<String>,
}

/// What a program answers to a command.
enum Answer {
    /// `=` and a text.
    Done(String),
    /// `?` and why.
    Refused(String),
}

impl GtpPlayer {
    pub fn start(
        player: &ProgramPlayer,
        game: &dyn AnyGame,
        seat: Seat,
        seed: u64,
        house: &House,
    ) -> Result<Self, NoMove> {
        let (name, colours): (_, &[&str]) = match game.info().players {
            2 => ("Blokus Duo", &["b", "w"]),
            _ => ("Blokus", &["1", "2", "3", "4"]),
        };
        let mut this = GtpPlayer {
            program: Program::start(&player.command, house)?,
            colours,
            seat,
            turn_time: Duration::from_millis(player.time_ms),
            left: player.match_time_ms.map(Duration::from_millis),
            grace: house.grace,
            known: 0,
            notes: Vec::new(),
        };
        let deadline = Instant::now() + house.start_time;
        this.must(&format!("set_game {name}"), deadline)?;
        // Not every program has these: a match goes on without.
        let seed = seed as u32;
        this.may(&format!("set_random_seed {seed}"), deadline)?;
        let seconds = player.time_ms.div_ceil(1000).max(1);
        this.may(&format!("time_settings 0 {seconds} 1"), deadline)?;
        this.must("clear_board", deadline)?;
        Ok(this)
    }

    /// Says a command and waits for the answer: the lines up to an empty one.
    fn ask(&mut self, command: &str, deadline: Instant) -> Result<(Answer, Instant), NoMove> {
        self.program.say(format!("{command}\n"));
        let mut answer: Option<(bool, Vec<String>)> = None;
        let mut garbage = None;
        for _ in 0..MOST_LINES {
            let (came, line) = match self.program.line(deadline) {
                Ok(line) => line,
                Err(silence) => return Err(self.program.no_answer(silence, garbage, command)),
            };
            match &mut answer {
                Some((done, lines)) if line.trim().is_empty() => {
                    let text = lines.join(" ");
                    let text = text.trim().to_owned();
                    let answer = if *done {
                        Answer::Done(text)
                    } else {
                        Answer::Refused(text)
                    };
                    return Ok((answer, came));
                }
                Some((_, lines)) => lines.push(line),
                None => match line.chars().next() {
                    Some(sign @ ('=' | '?')) => {
                        answer = Some((sign == '=', vec![line[1..].trim().to_owned()]));
                    }
                    _ if line.trim().is_empty() => {}
                    _ => {
                        garbage.get_or_insert(line);
                    }
                },
            }
        }
        Err(self.program.no_answer(Silence::Late, garbage, command))
    }

    /// A command without which there is no game.
    fn must(&mut self, command: &str, deadline: Instant) -> Result<(), NoMove> {
        match self.ask(command, deadline)?.0 {
            Answer::Done(_) => Ok(()),
            Answer::Refused(why) => Err(NoMove::Fault(
                FaultKind::Refused,
                format!("{command} was answered with: ? {}", one_line(&why)),
            )),
        }
    }

    /// A command that the program may know, if it does.
    fn may(&mut self, command: &str, deadline: Instant) -> Result<(), NoMove> {
        let name = command.split(' ').next().unwrap_or(command);
        let known = self.ask(&format!("known_command {name}"), deadline)?.0;
        if matches!(known, Answer::Done(text) if text == "true") {
            self.ask(command, deadline)?;
        }
        Ok(())
    }

    /// Tells the program what it does not know yet.
    fn catch_up(&mut self, table: &Table<'_>, deadline: Instant) -> Result<(), NoMove> {
        if self.known == 0
            && let Some(position) = &table.set_up
        {
            let text = table.game.write_position(position);
            for (seat, mv) in game_spec::blokus_placements(&text) {
                self.must(&format!("play {} {mv}", self.colours[seat]), deadline)?;
            }
        }
        for (seat, mv) in &table.moves[self.known..] {
            let colour = self.colours[seat.map_or(0, Seat::index)];
            self.must(&format!("play {colour} {mv}"), deadline)?;
        }
        self.known = table.moves.len();
        Ok(())
    }
}

impl Player for GtpPlayer {
    fn choose(&mut self, table: &Table<'_>) -> Result<Choice, NoMove> {
        let cpu = self.program.cpu();
        let started = Instant::now();
        let time = self
            .left
            .map_or(self.turn_time, |left| left.min(self.turn_time));
        let deadline = started + time + self.grace;
        self.catch_up(table, deadline)?;
        let command = format!("genmove {}", self.colours[self.seat.index()]);
        let (answer, came) = self.ask(&command, deadline)?;
        let taken = came.saturating_duration_since(started);
        if came > deadline {
            return Err(NoMove::Fault(
                FaultKind::Time,
                format!(
                    "a move took {} ms of {}",
                    taken.as_millis(),
                    time.as_millis()
                ),
            ));
        }
        let mv = match answer {
            Answer::Done(text) => text,
            Answer::Refused(why) => {
                let text = format!("{command} was answered with: ? {}", one_line(&why));
                return Err(NoMove::Fault(FaultKind::Refused, text));
            }
        };
        if let Some(left) = &mut self.left {
            *left = left.saturating_sub(taken);
        }
        // `genmove` plays what it answers.
        self.known += 1;
        let cpu = self.program.cpu().zip(cpu);
        Ok(Choice {
            mv,
            nodes: 0,
            depth: None,
            cpu: cpu.map(|(after, before)| after.saturating_sub(before)),
            wall: Some(taken),
        })
    }

    fn end(&mut self) -> Vec<String> {
        if !self.program.dismiss("quit\n") {
            self.notes
                .push("it did not end within a second of quit".to_owned());
        }
        std::mem::take(&mut self.notes)
    }
}
