//! A game as it was played, and as it is kept in a file.
//!
//! ```text
//! plywood game 1
//! game kalah:stones=6
//! start <6,0,0,6,6,6,6,6,6,6,6,6,6,6,6> s
//! move A
//! move G
//! ```

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use plywood_games::registry::{AnyGame, Position};

/// The first line of a file; the number is that of the format.
const HEADER: &str = "plywood game 1";

/// No game has a longer record.
const LONGEST_FILE: u64 = 16 << 20;

/// The positions of a game from the start to now, with the moves between them.
pub struct Record {
    start: Position,
    /// Every move with the position it led to.
    moves: Vec<(String, Position)>,
}

impl Record {
    pub fn new(start: Position) -> Self {
        Record {
            start,
            moves: Vec::new(),
        }
    }

    /// The position now.
    pub fn now(&self) -> &Position {
        self.moves.last().map_or(&self.start, |(_, after)| after)
    }

    pub fn add(&mut self, mv: String, after: Position) {
        self.moves.push((mv, after));
    }

    /// The number of moves after which the last position stands that `wanted` accepts, the
    /// one now left out.
    pub fn last_before_now(&self, wanted: impl Fn(&Position) -> bool) -> Option<usize> {
        (0..self.moves.len()).rev().find(|&count| match count {
            0 => wanted(&self.start),
            _ => wanted(&self.moves[count - 1].1),
        })
    }

    /// Takes back all moves but the first `count`.
    pub fn back_to(&mut self, count: usize) {
        self.moves.truncate(count);
    }

    /// Writes the game into a file: either all of it or nothing, whatever happens on the
    /// way.
    pub fn save(&self, game: &dyn AnyGame, path: &Path) -> io::Result<()> {
        // The new file takes the place of the old one, so it must be one of ours: not a
        // device, not what a link stands for, not somebody's letters.
        let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if fs::metadata(path).is_ok_and(|old| !old.is_file()) {
            return Err(io::Error::other("it is not a plain file"));
        }
        if fs::read(path).is_ok_and(|old| !old.is_empty() && !old.starts_with(HEADER.as_bytes())) {
            return Err(io::Error::other("it exists and is not a saved game"));
        }
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}.tmp", std::process::id()));
        let temporary = path.with_file_name(name);
        let written = self
            .write(game, &temporary)
            .and_then(|()| fs::rename(&temporary, path));
        if written.is_err() {
            // It may never have been there.
            let _ = fs::remove_file(&temporary);
        }
        written
    }

    fn write(&self, game: &dyn AnyGame, path: &Path) -> io::Result<()> {
        let mut text = format!(
            "{HEADER}\ngame {}\nstart {}\n",
            game.spec(),
            game.write_position(&self.start)
        );
        for (mv, _) in &self.moves {
            text.push_str(&format!("move {mv}\n"));
        }
        let mut file = File::create_new(path)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()
    }

    /// Reads a game from a file; the error says what is wrong with it.
    pub fn load(game: &dyn AnyGame, path: &Path) -> Result<Self, String> {
        let mut bytes = Vec::new();
        if fs::metadata(path).is_ok_and(|file| !file.is_file()) {
            return Err("it is not a plain file".to_owned());
        }
        File::open(path)
            .and_then(|file| file.take(LONGEST_FILE + 1).read_to_end(&mut bytes))
            .map_err(|error| error.to_string())?;
        if bytes.len() as u64 > LONGEST_FILE {
            return Err("the file is too long for a game".to_owned());
        }
        let text = String::from_utf8(bytes).map_err(|_| "the file is not text".to_owned())?;
        Record::read(game, &text)
    }

    fn read(game: &dyn AnyGame, text: &str) -> Result<Self, String> {
        if !text.ends_with('\n') {
            return Err("the last line is cut off".to_owned());
        }
        let mut lines = text.lines();
        if lines.next() != Some(HEADER) {
            return Err(format!("line 1 is not '{HEADER}'"));
        }
        let mut field = |number: usize, name: &str| {
            let value = lines.next().and_then(|line| line.strip_prefix(name));
            value.ok_or_else(|| format!("line {number} does not begin with '{}'", name.trim()))
        };
        let spec = field(2, "game ")?;
        if spec != game.spec() {
            return Err(format!(
                "it is a game of {spec}, and this is {}",
                game.spec()
            ));
        }
        let start = field(3, "start ")?;
        let start = game
            .read_position(start)
            .map_err(|error| format!("line 3: {error}"))?;
        let mut record = Record::new(start);
        for (index, line) in lines.enumerate() {
            let number = index + 4;
            let mv = line
                .strip_prefix("move ")
                .ok_or_else(|| format!("line {number} does not begin with 'move'"))?;
            let after = game
                .play(record.now(), mv)
                .map_err(|error| format!("line {number}: {error}"))?;
            record.add(mv.to_owned(), after);
        }
        Ok(record)
    }
}
