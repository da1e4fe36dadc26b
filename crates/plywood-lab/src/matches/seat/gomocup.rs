//! A program that speaks the protocol of the Gomocup tournaments.

use std::time::{Duration, Instant};

use plywood::Seat;
use plywood_games::gomoku::Point;
use plywood_games::registry::AnyGame;

use super::process::{Program, Silence, one_line};
use super::{Choice, House, NoMove, Player, Table};
use crate::matches::finished::FaultKind;
use crate::matches::game_spec;
use crate::matches::player::ProgramPlayer;

/// What `INFO time_left` says where there is no time for the whole game.
const UNLIMITED: u128 = 2_147_483_647;

/// More lines without a move are a flood.
const MOST_LINES: usize = 20_000;

/// Some programs do not listen in the moment after their move: they are left in peace.
const PAUSE: Duration = Duration::from_millis(30);

/// Oddities that are kept of one game.
const MOST_NOTES: usize = 5;

pub(super) struct GomocupPlayer {
    program: Program,
    seat: Seat,
    size: u8,
    /// How long a move may take.
    turn_time: Duration,
    /// How long all moves may take, and how much of that is left.
    match_time: Option<Duration>,
    left: Option<Duration>,
    grace: Duration,
    /// How many moves of the table it knows; `None` before its first move.
    known: Option<usize>,
    /// When its last move came.
    answered: Option<Instant>,
    notes: Vec<String>,
}

/// A line of a program.
enum Line {
    Move(u8, u8),
    Suggestion(String),
    Ok,
    Error,
    /// A message, for people.
    Talk,
    /// Something the program did not understand.
    Unknown,
    Garbage,
}

impl Line {
    fn read(line: &str) -> Self {
        let word = line.split_whitespace().next().unwrap_or("");
        match word.to_ascii_uppercase().as_str() {
            "" | "MESSAGE" | "DEBUG" => Line::Talk,
            "OK" => Line::Ok,
            "ERROR" => Line::Error,
            "UNKNOWN" => Line::Unknown,
            "SUGGEST" => Line::Suggestion(line.trim()[word.len()..].trim().to_owned()),
            _ => match read_pair(line) {
                Some((x, y)) => Line::Move(x, y),
                None => Line::Garbage,
            },
        }
    }
}

fn read_pair(text: &str) -> Option<(u8, u8)> {
    let (x, y) = text.split_once(',')?;
    Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
}

impl GomocupPlayer {
    pub fn start(
        player: &ProgramPlayer,
        game: &dyn AnyGame,
        seat: Seat,
        house: &House,
    ) -> Result<Self, NoMove> {
        let match_time = player.match_time_ms.map(Duration::from_millis);
        let mut this = GomocupPlayer {
            program: Program::start(&player.command, house)?,
            seat,
            size: game_spec::gomoku_size(game),
            turn_time: Duration::from_millis(player.time_ms),
            match_time,
            left: match_time,
            grace: house.grace,
            known: None,
            answered: None,
            notes: Vec::new(),
        };
        this.say(&[format!("START {}", this.size)]);
        this.wait_for_ok(Instant::now() + house.start_time)?;
        let rule = match game_spec::option(game, "rule").as_str() {
            "exactly-five" => 1,
            "renju" => 4,
            _ => 0,
        };
        this.say(&[
            format!("INFO timeout_turn {}", player.time_ms),
            format!("INFO timeout_match {}", player.match_time_ms.unwrap_or(0)),
            format!("INFO max_memory {}", player.memory.unwrap_or(0)),
            "INFO game_type 1".to_owned(),
            format!("INFO rule {rule}"),
        ]);
        Ok(this)
    }

    fn say(&self, lines: &[String]) {
        let text: String = lines.iter().map(|line| format!("{line}\r\n")).collect();
        self.program.say(text);
    }

    fn note(&mut self, line: &str) {
        if self.notes.len() < MOST_NOTES {
            self.notes.push(one_line(line));
        }
    }

    fn wait_for_ok(&mut self, deadline: Instant) -> Result<(), NoMove> {
        let mut garbage = None;
        for _ in 0..MOST_LINES {
            let line = match self.program.line(deadline) {
                Ok((_, line)) => line,
                Err(silence) => return Err(self.program.no_answer(silence, garbage, "START")),
            };
            match Line::read(&line) {
                Line::Ok => return Ok(()),
                Line::Error | Line::Unknown => {
                    let text = format!("START was answered with: {}", one_line(&line));
                    return Err(NoMove::Fault(FaultKind::Refused, text));
                }
                Line::Talk => {}
                Line::Move(..) | Line::Suggestion(_) | Line::Garbage => {
                    garbage.get_or_insert(line);
                }
            }
        }
        Err(self.program.no_answer(Silence::Late, garbage, "START"))
    }

    /// Tells the program what has happened, so that it is to move.
    fn tell(&mut self, table: &Table<'_>) -> &'static str {
        let left = self.left.map_or(UNLIMITED, |left| left.as_millis());
        let mut lines = vec![format!("INFO time_left {left}")];
        let known = self.known.replace(table.moves.len() + 1);
        let new = known.map(|known| &table.moves[known..]);
        let command = match new {
            // The one move since its own.
            Some([(_, mv)]) => {
                let (x, y) = self.coordinates(mv);
                lines.push(format!("TURN {x},{y}"));
                "TURN"
            }
            _ if table.moves.is_empty() && table.set_up.is_none() => {
                lines.push("BEGIN".to_owned());
                "BEGIN"
            }
            _ => {
                lines.push("BOARD".to_owned());
                lines.extend(self.stones(table));
                lines.push("DONE".to_owned());
                "BOARD"
            }
        };
        self.say(&lines);
        command
    }

    /// Every stone on the table for `BOARD`, in the order of the moves.
    fn stones(&self, table: &Table<'_>) -> Vec<String> {
        let owner = |seat: usize| if seat == self.seat.index() { 1 } else { 2 };
        let set_up = table.set_up.as_ref().map(|position| {
            let text = table.game.write_position(position);
            game_spec::gomoku_stones(&text)
        });
        let mut lines = Vec::new();
        for (seat, (x, y)) in set_up.into_iter().flatten() {
            lines.push(format!("{x},{y},{}", owner(seat)));
        }
        for (seat, mv) in &table.moves {
            let (x, y) = self.coordinates(mv);
            let seat = seat.map_or(0, Seat::index);
            lines.push(format!("{x},{y},{}", owner(seat)));
        }
        lines
    }

    fn coordinates(&self, mv: &str) -> (u8, u8) {
        let point = Point::parse(mv).expect("a move of Gomoku is a point");
        (point.column(), self.size - 1 - point.row())
    }

    /// Waits for the move.
    fn answer(&mut self, started: Instant, command: &str) -> Result<(String, Duration), NoMove> {
        let time = self
            .left
            .map_or(self.turn_time, |left| left.min(self.turn_time));
        let deadline = started + time + self.grace;
        let mut garbage = None;
        for _ in 0..MOST_LINES {
            let (came, line) = match self.program.line(deadline) {
                Ok(line) => line,
                Err(silence) => return Err(self.program.no_answer(silence, garbage, command)),
            };
            let taken = came.saturating_duration_since(started);
            match Line::read(&line) {
                Line::Move(x, y) => {
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
                    if x >= self.size || y >= self.size {
                        let text = format!("{} is not on the board", one_line(&line));
                        return Err(NoMove::Fault(FaultKind::Illegal, text));
                    }
                    return Ok((Point::new(x, self.size - 1 - y).to_string(), taken));
                }
                Line::Suggestion(mv) => self.say(&[format!("PLAY {mv}")]),
                Line::Error | Line::Unknown => self.note(&line),
                Line::Talk | Line::Ok => {}
                Line::Garbage => {
                    garbage.get_or_insert(line);
                }
            }
        }
        Err(self.program.no_answer(Silence::Late, garbage, command))
    }
}

impl Player for GomocupPlayer {
    fn choose(&mut self, table: &Table<'_>) -> Result<Choice, NoMove> {
        if let Some(answered) = self.answered {
            std::thread::sleep(PAUSE.saturating_sub(answered.elapsed()));
        }
        let cpu = self.program.cpu();
        let started = Instant::now();
        let command = self.tell(table);
        let (mv, taken) = self.answer(started, command)?;
        self.answered = Some(started + taken);
        if let Some(left) = &mut self.left {
            *left = left.saturating_sub(taken);
        }
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
        if !self.program.dismiss("END\r\n") {
            self.note("it did not end within a second of END");
        }
        if let (Some(whole), Some(left)) = (self.match_time, self.left)
            && left.is_zero()
        {
            self.note(&format!("all of its {} ms were used", whole.as_millis()));
        }
        std::mem::take(&mut self.notes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_told_from_talk() {
        assert!(matches!(Line::read("7,12"), Line::Move(7, 12)));
        assert!(matches!(Line::read(" 7, 12 "), Line::Move(7, 12)));
        assert!(matches!(Line::read("message 7,7"), Line::Talk));
        assert!(matches!(Line::read("DEBUG x"), Line::Talk));
        assert!(matches!(Line::read("ok - ready"), Line::Ok));
        assert!(matches!(Line::read("ERROR no"), Line::Error));
        assert!(matches!(Line::read("UNKNOWN"), Line::Unknown));
        assert!(matches!(Line::read("SUGGEST 3,4"), Line::Suggestion(mv) if mv == "3,4"));
        for text in ["hello", "7;7", "7,x", "-1,3", "7,7,1", "300,300"] {
            assert!(matches!(Line::read(text), Line::Garbage), "{text}");
        }
    }
}
