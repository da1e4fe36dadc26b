//! `plywood play`: persons and the engine at one board.

mod record;
mod seats;

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use plywood::Turn;
use plywood_games::registry::Random;

use crate::args::{PlayArgs, Spawner};
use crate::engine::GameEngine;
use crate::failure::{Failure, printable};
use crate::output::{self, Output};

use record::Record;
use seats::Seats;

const HELP: &str = "\
a move      plays it; 'moves' lists them
undo        takes back your last move and what followed
hint        asks the engine
moves       lists the moves
board       shows the board
save FILE   keeps the game in a file
load FILE   goes on with a game from a file
quit, q     ends";

/// Whether the dialogue goes on.
enum Next {
    Ask,
    Quit,
}

/// One game at the terminal.
struct Play<'o> {
    engine: GameEngine,
    seats: Seats,
    record: Record,
    random: Random,
    spawner: Spawner,
    /// Whether the input comes from a terminal.
    typed: bool,
    out: &'o mut Output,
}

pub fn run(args: &PlayArgs, out: &mut Output) -> Result<(), Failure> {
    let mut engine = GameEngine::new(&args.game, &args.engine)?;
    engine.check_spawner(args.spawner)?;
    let seats = Seats::read(&args.you, &*engine.game)?;
    let seed = args.seed.unwrap_or_else(seed_of_now);
    let mut random = Random::new(seed);
    let start = match &args.position {
        // Whoever decides what chance does also puts the first tiles.
        None if seats.person_is_chance() => engine.game.start(),
        text => engine.position(text.as_deref(), &mut random)?,
    };
    engine.listen_to_interrupts();
    if engine.game.info().chance && args.seed.is_none() {
        writeln!(out, "seed {seed}")?;
    }
    let mut play = Play {
        engine,
        seats,
        record: Record::new(start),
        random,
        spawner: args.spawner,
        typed: io::stdin().is_terminal(),
        out,
    };
    if play.seats.any_person() {
        writeln!(play.out, "type a move, or 'help'")?;
    }
    play.game()
}

/// Another number each time.
fn seed_of_now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    // Short enough to be typed again.
    now.map_or(1, |now| now.subsec_nanos().into())
}

impl Play<'_> {
    fn game(&mut self) -> Result<(), Failure> {
        let mut input = io::stdin().lock();
        self.show_board()?;
        loop {
            let turn = self.engine.game.turn(self.record.now());
            if turn == Turn::Over {
                let result = self.engine.game.result(self.record.now());
                writeln!(self.out, "{}", result.unwrap_or_default())?;
                if !self.seats.any_person() {
                    return Ok(());
                }
            } else if !self.seats.person_acts(turn) {
                self.act(turn)?;
                continue;
            }
            if let Next::Quit = self.ask(turn, &mut input)? {
                return Ok(());
            }
        }
    }

    /// The engine moves, or chance does what it does.
    fn act(&mut self, turn: Turn) -> Result<(), Failure> {
        let now = self.record.now();
        let mv = if let Turn::Player(seat) = turn {
            self.out.flush()?;
            let (mv, report) = self.engine.choose(now);
            writeln!(
                self.out,
                "{} plays {} (value {}, depth {})",
                self.engine.game.seat_name(seat),
                self.out.bold(&mv),
                output::value(report.values[seat.index()]),
                report.depth
            )?;
            mv
        } else {
            let event = self.engine.chance(now, self.spawner, &mut self.random);
            writeln!(self.out, "chance brings {event}")?;
            event
        };
        let after = self.engine.game.play(self.record.now(), &mv)?;
        self.record.add(mv, after);
        self.show_board_unless_chance()
    }

    /// Asks until there is something to do: a move made, or the game changed or left.
    fn ask(&mut self, turn: Turn, input: &mut impl BufRead) -> Result<Next, Failure> {
        let who = match turn {
            Turn::Player(seat) => self.engine.game.seat_name(seat),
            Turn::Chance => "Spawner".to_owned(),
            Turn::Over => "game over".to_owned(),
        };
        loop {
            write!(self.out, "{who}> ")?;
            self.out.flush()?;
            let mut line = Vec::new();
            let count = input.read_until(b'\n', &mut line);
            if !matches!(count, Ok(1..)) {
                // The end of the input, or nothing that can be read any more.
                writeln!(self.out)?;
                return Ok(Next::Quit);
            }
            let line = String::from_utf8_lossy(&line);
            if !self.typed {
                // A terminal shows what is typed; what comes from a pipe nobody has seen.
                writeln!(self.out, "{}", printable(line.trim()))?;
            }
            let (command, rest) = match line.trim().split_once(char::is_whitespace) {
                Some((command, rest)) => (command.to_lowercase(), rest.trim()),
                None => (line.trim().to_lowercase(), ""),
            };
            match (command.as_str(), rest) {
                ("", _) => {}
                ("quit" | "q", "") => return Ok(Next::Quit),
                ("help", "") => writeln!(self.out, "{HELP}")?,
                ("board", "") => self.show_board()?,
                ("moves", "") => {
                    let moves = self.engine.game.moves(self.record.now());
                    writeln!(self.out, "{} moves: {}", moves.len(), moves.join(" "))?;
                }
                ("hint", "") => self.hint(turn)?,
                ("undo", "") => {
                    if self.undo()? {
                        return Ok(Next::Ask);
                    }
                }
                ("save" | "load", "") => self.complain(&format!("{command} what? Name a file"))?,
                ("save", file) => match self.record.save(&*self.engine.game, Path::new(file)) {
                    Ok(()) => writeln!(self.out, "saved in {file}")?,
                    Err(error) => self.complain(&format!("{file} cannot be saved: {error}"))?,
                },
                ("load", file) => match Record::load(&*self.engine.game, Path::new(file)) {
                    Ok(record) => {
                        self.record = record;
                        self.engine.forget();
                        self.show_board()?;
                        return Ok(Next::Ask);
                    }
                    Err(error) => self.complain(&format!("{file} cannot be loaded: {error}"))?,
                },
                _ => {
                    let mv = line.trim();
                    match self.engine.game.play(self.record.now(), mv) {
                        Ok(after) => {
                            self.record.add(mv.to_owned(), after);
                            self.show_board_unless_chance()?;
                            return Ok(Next::Ask);
                        }
                        Err(error) => self.complain(&error.to_string())?,
                    }
                }
            }
        }
    }

    /// Back to where a person last had to decide something.
    fn undo(&mut self) -> Result<bool, Failure> {
        let game = &self.engine.game;
        let count = self
            .record
            .last_before_now(|position| self.seats.person_acts(game.turn(position)));
        match count {
            Some(count) => {
                self.record.back_to(count);
                self.show_board()?;
                Ok(true)
            }
            None => {
                self.complain("there is no move of yours to take back")?;
                Ok(false)
            }
        }
    }

    fn hint(&mut self, turn: Turn) -> Result<(), Failure> {
        let Turn::Player(seat) = turn else {
            return self.complain("there is no hint: no player is to move");
        };
        let (mv, report) = self.engine.choose(self.record.now());
        writeln!(
            self.out,
            "the engine would play {} (value {}, depth {})",
            self.out.bold(&mv),
            output::value(report.values[seat.index()]),
            report.depth
        )?;
        Ok(())
    }

    fn complain(&mut self, what: &str) -> Result<(), Failure> {
        Ok(writeln!(self.out, "{}", printable(what))?)
    }

    fn show_board(&mut self) -> Result<(), Failure> {
        let board = self.engine.game.draw(self.record.now(), self.out.style);
        Ok(write!(self.out, "{board}")?)
    }

    /// The board after a move, unless chance is about to change it by itself.
    fn show_board_unless_chance(&mut self) -> Result<(), Failure> {
        let turn = self.engine.game.turn(self.record.now());
        if turn == Turn::Chance && !self.seats.person_is_chance() {
            return Ok(());
        }
        self.show_board()
    }
}
