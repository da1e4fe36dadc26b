//! The games that are kept: in memory, and each in a file of its own that is always whole.
//!
//! A change counts when it is on disk: it is written to a file beside the old one, synced, and
//! put in its place. So whatever was answered is there after a crash.

mod file;
mod table;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use crate::failure::Failure;
use file::Folder;
pub(crate) use table::{NewTable, SeatSpec, Spawner, Table};

/// How many games are kept.
pub(crate) const MOST_TABLES: usize = 2000;

/// How many moves a game may have.
pub(crate) const MOST_MOVES: usize = 50_000;

/// All games.
#[derive(Clone)]
pub(crate) struct Tables {
    folder: Arc<Folder>,
    all: Arc<Mutex<HashMap<String, Shared>>>,
}

/// One game, that one request at a time looks at or changes. Nothing if it was deleted.
type Shared = Arc<Mutex<Option<Table>>>;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A table is replaced as a whole, so it is whole even if a request has panicked.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Tables {
    /// Opens the games of a folder. What cannot be read is set aside, and `say` is told.
    pub(crate) fn open(folder: &Path, say: &mut dyn FnMut(&str)) -> Result<Self, String> {
        let folder = Folder::take(folder)?;
        let mut all = HashMap::new();
        for (path, bytes) in folder.files()? {
            let table = bytes
                .map_err(|error| error.to_string())
                .and_then(|bytes| Table::read(&bytes))
                .and_then(|table| match folder.path_of(table.id()) == path {
                    true => Ok(table),
                    false => Err("its name is not that of the game in it".to_owned()),
                });
            match table {
                Ok(table) => {
                    all.insert(table.id().to_owned(), Arc::new(Mutex::new(Some(table))));
                }
                Err(why) => say(&folder.set_aside(&path, &why)),
            }
        }
        Ok(Tables {
            folder: Arc::new(folder),
            all: Arc::new(Mutex::new(all)),
        })
    }

    /// Where they are.
    pub(crate) fn folder(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        lock(&self.all).len()
    }

    /// A few words on every game, the one that changed last first.
    pub(crate) fn list(&self) -> Vec<Value> {
        let all: Vec<Shared> = lock(&self.all).values().cloned().collect();
        let mut list: Vec<(u64, String, Value)> = all
            .iter()
            .filter_map(|shared| {
                let table = lock(shared);
                let table = table.as_ref()?;
                Some((table.changed(), table.id().to_owned(), table.summary()))
            })
            .collect();
        list.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        list.into_iter().map(|(_, _, summary)| summary).collect()
    }

    /// Keeps a new game.
    pub(crate) fn add(&self, table: Table) -> Result<Value, Failure> {
        let view = table.json()?;
        // Held while writing, so that there are never more than there may be.
        let mut all = lock(&self.all);
        if all.len() >= MOST_TABLES {
            return Err(Failure::conflict(
                "too-many",
                format!("there are {MOST_TABLES} games already: delete some first"),
            ));
        }
        self.folder.write(table.id(), &table.write())?;
        let id = table.id().to_owned();
        all.insert(id, Arc::new(Mutex::new(Some(table))));
        Ok(view)
    }

    fn find(&self, id: &str) -> Result<Shared, Failure> {
        let shared = lock(&self.all).get(id).cloned();
        shared.ok_or_else(|| no_such(id))
    }

    /// Looks at a game.
    pub(crate) fn look<T>(
        &self,
        id: &str,
        at: impl FnOnce(&Table) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let shared = self.find(id)?;
        let table = lock(&shared);
        at(table.as_ref().ok_or_else(|| no_such(id))?)
    }

    /// Changes a game, and returns it when the change is on disk. If anything fails, nothing
    /// has changed. With a `version`, only that one is changed.
    pub(crate) fn change(
        &self,
        id: &str,
        version: Option<u64>,
        change: impl FnOnce(&mut Table) -> Result<(), Failure>,
    ) -> Result<Value, Failure> {
        let shared = self.find(id)?;
        let mut place = lock(&shared);
        let table = place.as_mut().ok_or_else(|| no_such(id))?;
        if let Some(version) = version
            && version != table.version()
        {
            return Err(Failure::conflict(
                "old-version",
                format!(
                    "the game is at version {} and not {version}: look at it again",
                    table.version()
                ),
            ));
        }
        let mut changed = table.clone();
        change(&mut changed)?;
        changed.touch();
        let json = changed.json()?;
        self.folder.write(id, &changed.write())?;
        *table = changed;
        Ok(json)
    }

    /// Deletes a game.
    pub(crate) fn delete(&self, id: &str) -> Result<(), Failure> {
        let shared = self.find(id)?;
        let mut place = lock(&shared);
        if place.is_none() {
            return Err(no_such(id));
        }
        self.folder.delete(id)?;
        *place = None;
        drop(place);
        lock(&self.all).remove(id);
        Ok(())
    }
}

fn no_such(id: &str) -> Failure {
    Failure::not_found(format!(
        "there is no game '{id}': /api/v1/tables lists them"
    ))
}
