//! What the program knows of the game, and how it obeys.

use std::fmt::Display;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use plywood::Limits;

use super::super::engine::{Engine, Parallel, Resources, Thought};
use super::super::patterns::PatternBoard;
use super::super::{Colour, MAX_SIZE, MIN_SIZE, Point, Rule};
use super::Options;
use super::clock::{Allowance, Clock};
use super::in_time;
use super::inbox::{Inbox, Line};
use super::swap2::{self, Choice};

/// Why the program ends.
#[derive(Debug)]
pub(super) enum Ended {
    /// The manager said so.
    Asked,
    /// The answer could not be written.
    Failed(io::Error),
}

impl From<io::Error> for Ended {
    fn from(error: io::Error) -> Self {
        Ended::Failed(error)
    }
}

/// The program.
pub(super) struct Brain {
    options: Options,
    engine: Option<Engine>,
    /// The board since `START`.
    board: Option<PatternBoard>,
    rule: Rule,
    clock: Clock,
    /// The most memory, in bytes, if the manager has said so.
    most_memory: Option<u64>,
    depth: Option<u32>,
    nodes: Option<u64>,
    /// What was wrong with an `INFO`, told at the next other command.
    complaint: Option<String>,
}

const ABOUT: &str = concat!(
    "name=\"Plywood\", version=\"",
    env!("CARGO_PKG_VERSION"),
    "\", author=\"the Plywood developers\", country=\"\", www=\"",
    env!("CARGO_PKG_REPOSITORY"),
    "\", email=\"\""
);

impl Brain {
    pub(super) fn new(options: Options) -> Self {
        Brain {
            options,
            engine: None,
            board: None,
            rule: Rule::Freestyle,
            clock: Clock::default(),
            most_memory: None,
            depth: None,
            nodes: None,
            complaint: None,
        }
    }

    /// Does what a line asks for.
    pub(super) fn obey(
        &mut self,
        line: &Line,
        inbox: &Inbox,
        out: &mut impl Write,
    ) -> Result<(), Ended> {
        let command = line.command();
        let rest = line.text[command.len().min(line.text.len())..].trim();
        if !matches!(command.as_str(), "" | "INFO" | "END")
            && let Some(complaint) = self.complaint.take()
        {
            answer(out, "ERROR", &complaint)?;
        }
        match command.as_str() {
            // An empty line says nothing, and there is nothing left to stop.
            "" | "STOP" | "YXSTOP" => Ok(()),
            "END" => Err(Ended::Asked),
            "ABOUT" => answer(out, "", ABOUT),
            "INFO" => {
                self.take_info(rest);
                Ok(())
            }
            "START" => self.start(rest, out),
            "RECTSTART" => match numbers::<2>(rest) {
                Some([width, height]) if width == height => self.start(&width.to_string(), out),
                Some(_) => answer(out, "ERROR", "only square boards"),
                None => answer(
                    out,
                    "ERROR",
                    "RECTSTART takes a width and a height, like 15,15",
                ),
            },
            "RESTART" => match &self.board {
                Some(board) => self.start(&board.size().to_string(), out),
                None => answer(out, "ERROR", "there is no board yet: START comes first"),
            },
            "BEGIN" => match self.board {
                Some(_) => self.play(line, inbox, out),
                None => answer(out, "ERROR", "there is no board yet: START comes first"),
            },
            "TURN" => match self.place(rest) {
                Ok(()) => self.play(line, inbox, out),
                Err(why) => answer(out, "ERROR", why),
            },
            "PLAY" => match self.place(rest) {
                Ok(()) => answer(out, "", rest.replace(' ', "")),
                Err(why) => answer(out, "ERROR", why),
            },
            "TAKEBACK" => match self.take_back(rest) {
                Ok(()) => answer(out, "", "OK"),
                Err(why) => answer(out, "ERROR", why),
            },
            "BOARD" | "YXBOARD" => match self.read_board(inbox)? {
                Ok(()) if command == "YXBOARD" => Ok(()),
                Ok(()) => self.play(line, inbox, out),
                Err(why) => answer(out, "ERROR", why),
            },
            "SWAP2BOARD" => self.swap2(line, inbox, out),
            "YXSHOWFORBID" => self.show_forbidden(out),
            "YXHASHCLEAR" => {
                if let Some(engine) = &mut self.engine {
                    engine.forget();
                }
                Ok(())
            }
            _ => {
                let shown: String = line
                    .text
                    .chars()
                    .filter(|c| !c.is_control())
                    .take(60)
                    .collect();
                answer(out, "UNKNOWN", format!("command {shown}"))
            }
        }
    }

    /// Begins a game on an empty board.
    fn start(&mut self, text: &str, out: &mut impl Write) -> Result<(), Ended> {
        match text.trim().parse::<u8>() {
            Ok(size) if (MIN_SIZE..=MAX_SIZE).contains(&size) => {
                self.board = Some(PatternBoard::new(self.rule, size));
                self.clock.used = Duration::ZERO;
                self.clock.left = None;
                // The table is made now, while no clock runs.
                self.ready_engine().forget();
                answer(out, "", "OK")
            }
            _ => answer(
                out,
                "ERROR",
                format!("unsupported size: {MIN_SIZE} to {MAX_SIZE} rows and columns"),
            ),
        }
    }

    /// Takes note of what the manager says; what is not known is ignored.
    fn take_info(&mut self, text: &str) {
        let (key, value) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let value = value.trim();
        let number: Option<i64> = value.parse().ok();
        let time = |number: i64| Duration::from_millis(number.max(0) as u64);
        // This much and more means that there is no limit.
        const UNLIMITED: i64 = i32::MAX as i64;
        match (key.to_ascii_lowercase().as_str(), number) {
            ("timeout_turn", Some(number)) => self.clock.turn = time(number),
            ("timeout_match", Some(number)) => {
                self.clock.game = (1..UNLIMITED).contains(&number).then(|| time(number));
            }
            ("time_left", Some(number)) => {
                self.clock.left = (number < UNLIMITED).then(|| time(number));
            }
            ("max_memory", Some(number)) => {
                self.most_memory = (number > 0).then_some(number as u64);
            }
            ("thread_num", Some(number)) => {
                self.options.threads = number.clamp(1, plywood::MAX_THREADS as i64) as usize;
            }
            ("max_depth", Some(number)) => {
                self.depth = (number > 0).then(|| number.min(200) as u32);
            }
            ("max_node", Some(number)) => {
                self.nodes = (number > 0).then_some(number as u64);
            }
            ("rule", Some(number)) => self.take_rule(number),
            _ => {}
        }
        // A table of another size is made now, while no clock runs.
        if self.board.is_some() {
            self.ready_engine();
        }
    }

    fn take_rule(&mut self, number: i64) {
        let rule = match number {
            number if number & 8 != 0 => {
                self.complaint = Some("the rule caro is not supported".into());
                return;
            }
            number if number & 4 != 0 => Rule::Renju,
            number if number & 1 != 0 => Rule::ExactlyFive,
            _ => Rule::Freestyle,
        };
        if rule != self.rule {
            self.rule = rule;
            // The stones stay, what they are worth changes.
            if let Some(old) = self.board.take() {
                let mut board = PatternBoard::new(rule, old.size());
                for (point, colour) in stones(&old) {
                    board.set(point, colour);
                }
                board.set_to_move(old.to_move());
                self.board = Some(board);
            }
            if let Some(engine) = &mut self.engine {
                engine.forget();
            }
        }
    }

    /// The engine, made anew if what it may use has changed.
    fn ready_engine(&mut self) -> &mut Engine {
        // The table of patterns and the threads take some memory too.
        let memory = match self.most_memory {
            Some(most) => {
                let most = usize::try_from(most).unwrap_or(usize::MAX);
                let rest = most.saturating_sub((16 + self.options.threads) << 20);
                self.options.memory.min(rest / 2).max(1 << 20)
            }
            None => self.options.memory,
        };
        let resources = Resources {
            threads: self.options.threads,
            memory,
            parallel: Parallel::default(),
        };
        let fits = |engine: &Engine| engine.resources() == resources;
        if !self.engine.as_ref().is_some_and(fits) {
            self.engine = None;
        }
        self.engine.get_or_insert_with(|| Engine::new(resources))
    }

    /// Puts a stone of the colour to move on a point given as text.
    fn place(&mut self, text: &str) -> Result<(), String> {
        let board = self.board.as_mut();
        let board = board.ok_or("there is no board yet: START comes first")?;
        let point = point_on(board, text)?;
        if board.stone(point).is_some() {
            return Err(format!("there is a stone on {text} already"));
        }
        let colour = board.to_move();
        board.set(point, colour);
        board.set_to_move(colour.other());
        Ok(())
    }

    fn take_back(&mut self, text: &str) -> Result<(), String> {
        let board = self.board.as_mut();
        let old = board.ok_or("there is no board yet: START comes first")?;
        let point = point_on(old, text)?;
        let colour = old.stone(point);
        let colour = colour.ok_or_else(|| format!("there is no stone on {text}"))?;
        let mut board = PatternBoard::new(old.rule(), old.size());
        for (other, colour) in stones(old) {
            if other != point {
                board.set(other, colour);
            }
        }
        board.set_to_move(colour);
        *old = board;
        Ok(())
    }

    /// Reads stones up to `DONE`: `x,y,f` with 1 for our own and 2 for the opponent's.
    fn read_board(&mut self, inbox: &Inbox) -> Result<Result<(), String>, Ended> {
        let lines = read_to_done(inbox)?;
        Ok(self.set_board(&lines))
    }

    fn set_board(&mut self, lines: &[String]) -> Result<(), String> {
        let size = self.board.as_ref().map(PatternBoard::size);
        let size = size.ok_or("there is no board yet: START comes first")?;
        let mut board = PatternBoard::new(self.rule, size);
        let mut parsed = Vec::new();
        for text in lines {
            let wrong = || format!("{text} is no stone: x,y,1 is ours, x,y,2 the opponent's");
            let [x, y, owner] = numbers::<3>(text).ok_or_else(wrong)?;
            if x >= size.into() || y >= size.into() || !(1..=3).contains(&owner) {
                return Err(wrong());
            }
            parsed.push((Point::new(x as u8, y as u8), owner == 1));
        }
        // Whoever has as many stones as the opponent and is to move has begun.
        let own = parsed.iter().filter(|&&(_, own)| own).count();
        let us = if own >= parsed.len() - own {
            Colour::Black
        } else {
            Colour::White
        };
        for (point, own) in parsed {
            if board.stone(point).is_some() {
                return Err(format!(
                    "there are two stones on {},{}",
                    point.column(),
                    point.row()
                ));
            }
            board.set(point, if own { us } else { us.other() });
        }
        board.set_to_move(us);
        self.board = Some(board);
        Ok(())
    }

    /// Thinks and answers with a move.
    fn play(&mut self, line: &Line, inbox: &Inbox, out: &mut impl Write) -> Result<(), Ended> {
        let mut board = self.board.take().expect("there is a board");
        let (limits, allowance) = self.limits(&board, line.came, inbox);
        let enough = allowance.enough.saturating_sub(line.came.elapsed());
        let latest = line.came + allowance.latest;
        let stop = inbox.stop_flag();
        let engine = self.ready_engine();
        let (told, after, board) = in_time::think(
            engine,
            &board.position(),
            &limits,
            enough,
            latest,
            &stop,
            |thought| {
                let told = tell(thought, &mut board, inbox, out);
                (told, line.came.elapsed(), board)
            },
        );
        self.clock.answered(after, allowance.most);
        self.board = Some(board);
        told
    }

    fn limits(
        &mut self,
        board: &PatternBoard,
        came: Instant,
        inbox: &Inbox,
    ) -> (Limits, Allowance) {
        let allowance = self.clock.allowance(board.stones());
        // The time the line has waited counts.
        let waited = came.elapsed();
        let limits = Limits {
            depth: self.depth,
            nodes: self.nodes,
            time: Some(allowance.most.saturating_sub(waited)),
            stop: Some(inbox.stop_flag()),
            ..Limits::default()
        };
        (limits, allowance)
    }

    fn swap2(&mut self, line: &Line, inbox: &Inbox, out: &mut impl Write) -> Result<(), Ended> {
        let lines = read_to_done(inbox)?;
        let Some(size) = self.board.as_ref().map(PatternBoard::size) else {
            return answer(out, "ERROR", "there is no board yet: START comes first");
        };
        let mut board = PatternBoard::new(self.rule, size);
        for text in &lines {
            let point = match point_on(&board, text) {
                Ok(point) if board.stone(point).is_none() => point,
                Ok(_) => return answer(out, "ERROR", format!("there are two stones on {text}")),
                Err(why) => return answer(out, "ERROR", why),
            };
            let colour = board.to_move();
            board.set(point, colour);
            board.set_to_move(colour.other());
        }
        let (limits, allowance) = self.limits(&board, line.came, inbox);
        let enough = allowance.enough.saturating_sub(line.came.elapsed());
        let rule = self.rule;
        let engine = self.ready_engine();
        let told = match lines.len() {
            0 => {
                let stones = swap2::three_stones(engine, rule, size, &limits);
                for stone in stones {
                    let colour = board.to_move();
                    board.set(stone, colour);
                    board.set_to_move(colour.other());
                }
                stones.map(written).join(" ")
            }
            3 | 5 => match swap2::choose(engine, &board, &limits, enough) {
                Some(Choice::Stay(point)) => {
                    board.set(point, Colour::White);
                    board.set_to_move(Colour::Black);
                    written(point)
                }
                Some(Choice::Swap) => "SWAP".to_owned(),
                None => return answer(out, "ERROR", "there is no legal move"),
            },
            count => {
                let why = format!("SWAP2BOARD comes with 0, 3 or 5 stones, not {count}");
                return answer(out, "ERROR", why);
            }
        };
        self.clock.answered(line.came.elapsed(), allowance.most);
        if inbox.has_end() {
            return Err(Ended::Asked);
        }
        self.board = Some(board);
        answer(out, "", told)
    }

    /// The points that renju forbids black, two digits for the column and two for the row each.
    fn show_forbidden(&mut self, out: &mut impl Write) -> Result<(), Ended> {
        let mut text = String::new();
        if let Some(board) = &self.board {
            for point in board.empty_points().iter() {
                if board.forbidden(point).is_some() {
                    text += &format!("{:02}{:02}", point.column(), point.row());
                }
            }
        }
        answer(out, "FORBID", format!("{text}."))
    }
}

/// Plays the move that was found and tells it.
fn tell(
    thought: &Thought,
    board: &mut PatternBoard,
    inbox: &Inbox,
    out: &mut impl Write,
) -> Result<(), Ended> {
    if inbox.has_end() {
        return Err(Ended::Asked);
    }
    let Some(point) = thought.best else {
        return answer(out, "ERROR", "there is no legal move");
    };
    let nodes = thought.nodes();
    let value = match thought.end {
        Some(end @ 1..) => format!("win in {end}"),
        Some(end) => format!("loss in {}", -end),
        None => thought.value.to_string(),
    };
    let told = format!("depth {} value {value} nodes {nodes}", thought.depth);
    let colour = board.to_move();
    debug_assert!(board.is_allowed(colour, point));
    board.set(point, colour);
    board.set_to_move(colour.other());
    answer(out, "MESSAGE", told)?;
    answer(out, "", written(point))
}

/// Writes one line. What it repeats of the other program's words may hold anything, and must not
/// end the line or upset a terminal.
fn answer(out: &mut impl Write, word: &str, text: impl Display) -> Result<(), Ended> {
    let text = text.to_string().replace(char::is_control, "?");
    match word {
        "" => writeln!(out, "{text}")?,
        _ => writeln!(out, "{word} {text}")?,
    }
    Ok(out.flush()?)
}

/// A point as the protocol writes it.
fn written(point: Point) -> String {
    format!("{},{}", point.column(), point.row())
}

/// So many numbers with commas between them.
fn numbers<const COUNT: usize>(text: &str) -> Option<[u32; COUNT]> {
    let mut numbers = [0; COUNT];
    let mut parts = text.split(',');
    for number in &mut numbers {
        *number = parts.next()?.trim().parse().ok()?;
    }
    parts.next().is_none().then_some(numbers)
}

/// The point of the board that a text names.
fn point_on(board: &PatternBoard, text: &str) -> Result<Point, String> {
    let size = u32::from(board.size());
    match numbers::<2>(text) {
        Some([x, y]) if x < size && y < size => Ok(Point::new(x as u8, y as u8)),
        _ => {
            let shown: String = text.chars().filter(|c| !c.is_control()).take(40).collect();
            let last = size - 1;
            Err(format!(
                "{shown:?} is no point: it is x,y from 0,0 to {last},{last}"
            ))
        }
    }
}

/// All stones of a board.
fn stones(board: &PatternBoard) -> Vec<(Point, Colour)> {
    let size = board.size();
    let points = (0..size).flat_map(|row| (0..size).map(move |column| Point::new(column, row)));
    points
        .filter_map(|point| board.stone(point).map(|colour| (point, colour)))
        .collect()
}

/// The lines up to `DONE`.
fn read_to_done(inbox: &Inbox) -> Result<Vec<String>, Ended> {
    let mut lines = Vec::new();
    loop {
        let line = inbox.next().ok_or(Ended::Asked)?;
        match line.command().as_str() {
            "DONE" => return Ok(lines),
            "END" => return Err(Ended::Asked),
            "" => {}
            // More would fit on no board; what is wrong is told all the same.
            _ if lines.len() < 1000 => lines.push(line.text),
            _ => {}
        }
    }
}
