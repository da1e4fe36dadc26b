//! One game on the table, and the commands that are about it.

use std::time::Duration;

use plywood::{Game, Limits, Moves};

use super::record::Record;
use super::{Answer, Variant};
use crate::blokus::engine::{Engine, EngineSettings, Thought};
use crate::blokus::notation::colour_name;
use crate::blokus::{Blokus, Move, State};
use crate::text::{Notation, Style};

pub(super) struct Table<const COLOURS: usize> {
    game: Blokus<COLOURS>,
    engine: Engine<COLOURS>,
    settings: EngineSettings,
    state: State<COLOURS>,
    /// The positions before the last moves, with what was played.
    before: Vec<(State<COLOURS>, usize, Move)>,
    /// What the engine thought last, and of whom.
    thought: Option<(usize, Thought<COLOURS>)>,
    cpu: Duration,
}

impl<const COLOURS: usize> Table<COLOURS> {
    pub fn new(game: Blokus<COLOURS>, settings: EngineSettings) -> Result<Self, String> {
        Ok(Table {
            state: game.start(),
            engine: Engine::new(game, settings.clone()).map_err(|error| error.to_string())?,
            game,
            settings,
            before: Vec::new(),
            thought: None,
            cpu: Duration::ZERO,
        })
    }

    /// Goes on with other random numbers.
    pub fn set_seed(&mut self, seed: u64) {
        self.settings.seed = seed;
        if let Ok(engine) = Engine::new(self.game, self.settings.clone()) {
            self.engine = engine;
        }
    }

    pub fn answer(
        &mut self,
        name: &str,
        rest: &str,
        time: Option<Duration>,
        playouts: Option<u64>,
    ) -> Answer {
        let limits = Limits {
            time,
            nodes: playouts,
            ..Limits::default()
        };
        match name {
            "clear_board" => {
                self.state = self.game.start();
                self.before.clear();
                self.thought = None;
                self.engine.forget();
                Ok(String::new())
            }
            "play" => {
                let (colour, mv) = rest.split_once(char::is_whitespace).ok_or_else(|| {
                    format!(
                        "'{rest}' is no colour and move: use play {} CELLS",
                        names::<COLOURS>()
                    )
                })?;
                let colour = colour_of::<COLOURS>(colour)?;
                // A pass need not be told, but some tell it.
                if !mv.trim().eq_ignore_ascii_case("pass") {
                    self.play(colour, mv)?;
                }
                Ok(String::new())
            }
            "genmove" => self.genmove(colour_of::<COLOURS>(rest)?, &limits, true),
            "reg_genmove" => self.genmove(colour_of::<COLOURS>(rest)?, &limits, false),
            "g" => match self.state.mover() {
                Some(colour) => self.genmove(colour, &limits, true),
                None => Ok("pass".to_owned()),
            },
            "undo" => {
                let (state, _, _) = self.before.pop().ok_or("there is no move to take back")?;
                self.state = state;
                Ok(String::new())
            }
            "all_legal" => {
                let colour = colour_of::<COLOURS>(rest)?;
                let moves = self.with_turn(colour).map_or(Vec::new(), |state| {
                    let mut moves = Vec::new();
                    self.game.moves(&state, &mut Moves::new(&mut moves));
                    moves
                });
                let texts = moves
                    .iter()
                    .map(|&mv| self.game.write_move(&self.state, mv));
                Ok(texts.collect::<Vec<_>>().join("\n"))
            }
            "final_score" => Ok(self.score()),
            "showboard" => Ok(format!(
                "\n{}",
                self.game.draw(&self.state, Style::Plain).trim_end()
            )),
            "get_value" => match &self.thought {
                Some((colour, thought)) => Ok(format!("{:.4}", thought.win_share[*colour])),
                None => Err("nothing has been thought about yet: use genmove first".to_owned()),
            },
            "move_values" => Ok(self.move_values()),
            "cputime" => Ok(format!("{:.3}", self.cpu.as_secs_f64())),
            "savesgf" => {
                let moves = self
                    .before
                    .iter()
                    .map(|(state, colour, mv)| (*colour, self.game.write_move(state, *mv)));
                let record = Record {
                    variant: match COLOURS {
                        2 => Variant::Duo,
                        _ => Variant::Classic,
                    },
                    moves: moves.collect(),
                };
                std::fs::write(rest, record.write()).map_err(|error| format!("{rest}: {error}"))?;
                Ok(String::new())
            }
            _ => Err(format!("unknown command '{name}': list_commands lists all")),
        }
    }

    /// Plays the moves of a record, or those before the move of this number.
    pub fn set_up(&mut self, record: &Record, before: Option<usize>) -> Result<(), String> {
        let count = before.map_or(usize::MAX, |number| number.saturating_sub(1));
        for (colour, mv) in record.moves.iter().take(count) {
            self.play(*colour, mv)?;
        }
        Ok(())
    }

    /// The position with the turn given to a colour; nothing if it cannot move.
    fn with_turn(&self, colour: usize) -> Option<State<COLOURS>> {
        let mut state = self.state.clone();
        if state.mover() != Some(colour) {
            if state.is_out(colour) || !self.game.can_move(&state, colour) {
                return None;
            }
            state.set_turn(colour);
        }
        Some(state)
    }

    fn play(&mut self, colour: usize, text: &str) -> Result<(), String> {
        let Some(state) = self.with_turn(colour) else {
            let name = colour_name::<COLOURS>(colour);
            return Err(format!("{name} cannot move any more"));
        };
        let mv = self.game.read_move(&state, text);
        let mv = mv.map_err(|error| error.to_string())?;
        self.make(colour, state, mv);
        Ok(())
    }

    fn make(&mut self, colour: usize, state: State<COLOURS>, mv: Move) {
        let before = std::mem::replace(&mut self.state, state);
        self.game.play(&mut self.state, mv);
        self.before.push((before, colour, mv));
    }

    fn genmove(&mut self, colour: usize, limits: &Limits, play: bool) -> Answer {
        let Some(state) = self.with_turn(colour) else {
            return Ok("pass".to_owned());
        };
        let thought = self.engine.think(&state, limits, &mut |_| {});
        self.cpu += thought.report.cpu;
        let mv = thought.best.ok_or("there is no move")?;
        self.thought = Some((colour, thought));
        let text = self.game.write_move(&state, mv);
        if play {
            self.make(colour, state, mv);
        }
        Ok(text)
    }

    /// Points of all colours, or who is ahead by how much in Duo.
    fn score(&self) -> String {
        let points: Vec<i32> = (0..COLOURS)
            .map(|colour| self.state.score(colour))
            .collect();
        match points.as_slice() {
            [black, white] if black == white => "0".to_owned(),
            [black, white] if black > white => format!("B+{}", black - white),
            [black, white] => format!("W+{}", white - black),
            points => {
                let points: Vec<String> = points.iter().map(i32::to_string).collect();
                points.join(" ")
            }
        }
    }

    /// Every move that was looked at, the best first: visits, how many values its average is
    /// of (the same here), win share, and the move.
    fn move_values(&self) -> String {
        let Some((colour, thought)) = &self.thought else {
            return String::new();
        };
        let lines = thought.moves.iter().filter(|mv| mv.visits > 0).map(|mv| {
            let text = self.game.write_move(&self.state, mv.mv);
            let share = mv.win_share[*colour];
            format!("{} {} {share:.4} {text}", mv.visits, mv.visits)
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// The names of the colours, for error messages.
fn names<const COLOURS: usize>() -> &'static str {
    match COLOURS {
        2 => "b and w, blue and green, or 1 and 2",
        _ => "1, 2, 3 or 4",
    }
}

/// Reads a colour.
fn colour_of<const COLOURS: usize>(text: &str) -> Result<usize, String> {
    let text = text.trim();
    // The colours of Duo are called in more than one way.
    let others: &[(&str, usize)] = match COLOURS {
        2 => &[
            ("black", 0),
            ("blue", 0),
            ("purple", 0),
            ("white", 1),
            ("green", 1),
            ("g", 1),
            ("orange", 1),
        ],
        _ => &[],
    };
    let other = others
        .iter()
        .find(|(name, _)| text.eq_ignore_ascii_case(name));
    let found = (0..COLOURS).find(|&colour| {
        let name = colour_name::<COLOURS>(colour);
        text.eq_ignore_ascii_case(name)
            || text.eq_ignore_ascii_case(&name[..1])
            || text.parse() == Ok(colour + 1)
            || other.is_some_and(|(_, other)| *other == colour)
    });
    found.ok_or_else(|| format!("'{text}' is no colour: use {}", names::<COLOURS>()))
}
