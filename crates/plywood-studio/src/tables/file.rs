//! The folder that the games are kept in.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// Who holds a lock on this file writes to the folder.
const LOCK: &str = ".lock";

/// What the name of a game's file ends with.
const ENDING: &str = "json";

/// No game has a longer file.
const LONGEST_FILE: u64 = 16 << 20;

/// A folder that this process alone writes to.
pub(super) struct Folder {
    path: PathBuf,
    /// Held until the process ends, however it ends.
    _lock: File,
}

/// A file and what is in it.
type Found = (PathBuf, io::Result<Vec<u8>>);

impl Folder {
    /// Takes a folder, and makes it if it is not there.
    pub(super) fn take(path: &Path) -> Result<Self, String> {
        let failed = |error: io::Error| format!("{}: {error}", path.display());
        fs::create_dir_all(path).map_err(failed)?;
        let lock = File::create(path.join(LOCK)).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(format!(
                    "another studio keeps its games in {}: use that one, or --store with another \
                     folder",
                    path.display()
                ));
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        Ok(Folder {
            path: path.to_owned(),
            _lock: lock,
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Where a game is kept.
    pub(super) fn path_of(&self, id: &str) -> PathBuf {
        self.path.join(format!("{id}.{ENDING}"))
    }

    fn partial_of(&self, id: &str) -> PathBuf {
        self.path.join(format!(".{id}.partial"))
    }

    /// The files of all games. What a crash has left half written is removed.
    pub(super) fn files(&self) -> Result<Vec<Found>, String> {
        let failed = |error: io::Error| format!("{}: {error}", self.path.display());
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.path).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let ends_with = |ending: &str| path.extension().is_some_and(|e| e == ending);
            if ends_with("partial") {
                // It never counted: the whole file is still there, or never was.
                let _ = fs::remove_file(&path);
            } else if ends_with(ENDING) {
                let bytes = read(&path);
                files.push((path, bytes));
            }
        }
        files.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(files)
    }

    /// Writes a game, so that there is always a whole file.
    pub(super) fn write(&self, id: &str, bytes: &[u8]) -> Result<(), Failure> {
        let (path, partial) = (self.path_of(id), self.partial_of(id));
        let write = || {
            let mut file = File::create(&partial)?;
            file.write_all(bytes)?;
            file.sync_all()?;
            fs::rename(&partial, &path)?;
            self.sync()
        };
        write().map_err(|error| {
            let _ = fs::remove_file(&partial);
            Failure::failed(format!(
                "the game cannot be kept, so nothing has changed: {error}"
            ))
        })
    }

    /// Deletes a game.
    pub(super) fn delete(&self, id: &str) -> Result<(), Failure> {
        let delete = || {
            fs::remove_file(self.path_of(id))?;
            self.sync()
        };
        delete().map_err(|error| Failure::failed(format!("the game cannot be deleted: {error}")))
    }

    /// Makes sure that names of files are on disk too.
    fn sync(&self) -> io::Result<()> {
        // Elsewhere a folder cannot be opened like a file.
        if cfg!(unix) {
            File::open(&self.path)?.sync_all()?;
        }
        Ok(())
    }

    /// Gives a file another name, so that it is out of the way but not lost. Returns what to
    /// tell about it.
    pub(super) fn set_aside(&self, path: &Path, why: &str) -> String {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let aside = (0..1000)
            .map(|number| match number {
                0 => self.path.join(format!("{name}.damaged")),
                _ => self.path.join(format!("{name}.damaged-{number}")),
            })
            .find(|aside| !aside.exists());
        let moved = aside.and_then(|aside| fs::rename(path, &aside).ok().map(|()| aside));
        match moved {
            Some(aside) => format!(
                "{} is damaged ({why}) and was set aside as {}",
                path.display(),
                aside.display()
            ),
            None => format!("{} is damaged ({why}) and is left out", path.display()),
        }
    }
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a plain file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?
        .take(LONGEST_FILE + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST_FILE {
        return Err(io::Error::other("it is too long for a game"));
    }
    Ok(bytes)
}
