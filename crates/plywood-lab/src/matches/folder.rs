//! The folder of a match: what is on the disk is always a match that can go on.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use plywood_games::registry::AnyGame;

use super::finished::Finished;
use super::plan::Plan;
use super::records;
use crate::{LabError, Remainder};

const PLAN: &str = "match.json";
const GAMES: &str = "games.jsonl";
const RECORDS: &str = "games";

/// The folder of a match.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// `games.jsonl`, locked, while games are added.
    games: Option<File>,
    /// How long `games.jsonl` is up to the last whole line.
    length: u64,
    /// What follows, or followed, that line and cannot be read.
    remainder: Option<Remainder>,
}

impl Folder {
    /// Whether there is a match in a folder.
    pub fn holds_match(path: &Path) -> bool {
        path.join(PLAN).exists()
    }

    /// Makes the folder of a new match.
    pub fn create(path: &Path, plan: &Plan) -> Result<Self, LabError> {
        let records = path.join(RECORDS);
        fs::create_dir_all(&records).map_err(|error| LabError::file(&records, &error))?;
        let mut folder = Folder {
            path: path.to_owned(),
            games: None,
            length: 0,
            remainder: None,
        };
        folder.lock()?;
        // A folder without a plan is no match, whatever else is in it.
        folder.cut_games()?;
        folder.write_plan(plan)?;
        Ok(folder)
    }

    /// Opens the folder of a match to go on with it: the games that are finished. A last
    /// line that was not written to its end is removed.
    pub fn resume(path: &Path) -> Result<(Self, Plan, Vec<Finished>), LabError> {
        let (mut folder, plan, games) = Folder::read(path)?;
        folder.lock()?;
        folder.cut_games()?;
        let records = path.join(RECORDS);
        fs::create_dir_all(&records).map_err(|error| LabError::file(&records, &error))?;
        let game = plan.open_game()?;
        for finished in &games {
            // Records are not waited for when they are written; they can be made again.
            let record = records::write(&plan, &*game, finished);
            let path = folder.record_path(finished.game, &plan);
            if fs::read_to_string(&path).ok().as_ref() != Some(&record) {
                fs::write(&path, record).map_err(|error| LabError::file(&path, &error))?;
            }
        }
        Ok((folder, plan, games))
    }

    /// Reads a match without changing anything.
    pub fn read(path: &Path) -> Result<(Self, Plan, Vec<Finished>), LabError> {
        let plan_path = path.join(PLAN);
        let text = fs::read_to_string(&plan_path).map_err(|error| {
            LabError::Input(format!(
                "{}: {error}: use the folder of a match",
                plan_path.display()
            ))
        })?;
        let plan: Plan = serde_json::from_str(&text).map_err(|error| {
            LabError::Input(format!("{}:{}: {error}", plan_path.display(), error.line()))
        })?;
        plan.check_format(&plan_path)?;
        let games_path = path.join(GAMES);
        let mut bytes = Vec::new();
        match File::open(&games_path) {
            Ok(mut file) => {
                let read = file.read_to_end(&mut bytes);
                read.map_err(|error| LabError::file(&games_path, &error))?;
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(LabError::file(&games_path, &error)),
        }
        let (games, length) = read_games(&bytes, &plan, &games_path)?;
        let folder = Folder {
            path: path.to_owned(),
            games: None,
            length: length as u64,
            remainder: Remainder::new(&games_path, games.len(), &bytes[length..]),
        };
        Ok((folder, plan, games))
    }

    /// A last line of `games.jsonl` that could not be read, if there was one: its game does
    /// not count, and is played again when the match goes on.
    pub fn remainder(&self) -> Option<&Remainder> {
        self.remainder.as_ref()
    }

    /// Where the record of a game is kept.
    pub fn record_path(&self, game: u32, plan: &Plan) -> PathBuf {
        let extension = records::extension(&plan.game);
        // Counted from 1, as people do.
        let name = format!("{:06}.{extension}", game + 1);
        self.path.join(RECORDS).join(name)
    }

    /// Keeps a game: when this returns, the game is on the disk.
    pub fn add(
        &mut self,
        plan: &Plan,
        game: &dyn AnyGame,
        finished: &Finished,
    ) -> Result<(), LabError> {
        let path = self.path.join(GAMES);
        let mut line = serde_json::to_string(finished)
            .map_err(|error| LabError::Failed(format!("{}: {error}", path.display())))?;
        line.push('\n');
        let file = self.games.as_mut().expect("the folder is locked");
        let written = file
            .write_all(line.as_bytes())
            .and_then(|()| file.sync_data());
        if let Err(error) = written {
            // Half a line is worse than none; if it stays it is found when the match goes on.
            let _ = file.set_len(self.length);
            return Err(LabError::file(&path, &error));
        }
        self.length += line.len() as u64;
        let record = self.record_path(finished.game, plan);
        let text = records::write(plan, game, finished);
        fs::write(&record, text).map_err(|error| LabError::file(&record, &error))
    }

    /// Nobody else may add games meanwhile.
    fn lock(&mut self) -> Result<(), LabError> {
        let path = self.path.join(GAMES);
        let file = File::options()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(&path)
            .map_err(|error| LabError::file(&path, &error))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(fs::TryLockError::WouldBlock) => {
                return Err(LabError::Failed(format!(
                    "{}: another match is being played in this folder",
                    self.path.display()
                )));
            }
            // Where files cannot be locked, people have to take care themselves.
            Err(fs::TryLockError::Error(_)) => {}
        }
        self.games = Some(file);
        Ok(())
    }

    /// Removes what follows the last whole line.
    fn cut_games(&mut self) -> Result<(), LabError> {
        let path = self.path.join(GAMES);
        let file = self.games.as_mut().expect("the folder is locked");
        let cut = file
            .set_len(self.length)
            .and_then(|()| file.seek(SeekFrom::End(0)).map(|_| ()))
            .and_then(|()| file.sync_all());
        cut.map_err(|error| LabError::file(&path, &error))
    }

    /// Writes the plan: all of it or nothing.
    fn write_plan(&self, plan: &Plan) -> Result<(), LabError> {
        let path = self.path.join(PLAN);
        let temporary = self.path.join(format!("{PLAN}.tmp"));
        let text = serde_json::to_string_pretty(plan)
            .map_err(|error| LabError::Failed(format!("{}: {error}", path.display())))?;
        let write = || -> std::io::Result<()> {
            let mut file = File::create(&temporary)?;
            file.write_all(text.as_bytes())?;
            file.write_all(b"\n")?;
            file.sync_all()?;
            fs::rename(&temporary, &path)?;
            // The folder's own entries are to last too, where that can be asked for.
            File::open(&self.path).map_or(Ok(()), |folder| folder.sync_all().or(Ok(())))
        };
        write().map_err(|error| LabError::file(&path, &error))
    }
}

/// The finished games, and how long the file is up to the last whole line.
fn read_games(bytes: &[u8], plan: &Plan, path: &Path) -> Result<(Vec<Finished>, usize), LabError> {
    let mut games: Vec<Finished> = Vec::new();
    let mut seen = vec![false; plan.games as usize];
    let mut length = 0;
    let lines = bytes.split_inclusive(|&byte| byte == b'\n');
    for (index, line) in lines.enumerate() {
        let last = length + line.len() == bytes.len();
        let torn = line.last() != Some(&b'\n');
        let read: Result<Finished, _> = serde_json::from_slice(line);
        let finished = match read {
            Ok(finished) if !torn => finished,
            // The machine may have stopped while this was written.
            _ if last => break,
            _ => {
                return Err(LabError::Input(format!(
                    "{}:{}: this is not a game",
                    path.display(),
                    index + 1
                )));
            }
        };
        let number = finished.game;
        let task = (number < plan.games).then(|| plan.task(number));
        let fits =
            task.is_some_and(|task| task.seats == finished.seats && task.block == finished.block);
        if !fits || std::mem::replace(&mut seen[number as usize], true) {
            return Err(LabError::Input(format!(
                "{}:{}: game {number} is not one of this match, or there twice",
                path.display(),
                index + 1
            )));
        }
        length += line.len();
        games.push(finished);
    }
    games.sort_by_key(|finished| finished.game);
    Ok((games, length))
}
