//! A complete database: what is in the cache, and the rest filled in.

use std::path::Path;
use std::sync::atomic::Ordering;

use crate::kalah::Kalah;
use crate::kalah::solver::monitor::Monitor;

use super::file::CacheFile;
use super::{Builder, Database};

/// Why there is no database.
#[derive(Debug)]
pub(in crate::kalah::solver) enum NoDatabase {
    /// The system does not give the memory.
    Memory(std::io::Error),
    /// It was stopped. What was complete by then is in the cache.
    Stopped,
}

impl Database {
    /// The database of a game up to some number of stones. What a cache folder holds of it
    /// is read from there, and what it does not hold yet is added. Trouble with the cache is
    /// told to the monitor, and then the database is filled in without it.
    pub(in crate::kalah::solver) fn complete(
        game: &Kalah,
        stones: usize,
        threads: usize,
        folder: Option<&Path>,
        monitor: &Monitor,
    ) -> Result<Self, NoDatabase> {
        let mut builder = Builder::new(game, stones).map_err(NoDatabase::Memory)?;
        let positions = builder.ranking.positions(stones);
        monitor
            .database_positions
            .store(positions, Ordering::Relaxed);
        monitor.database_done.store(0, Ordering::Relaxed);
        let mut cache = None;
        if let Some(folder) = folder {
            match CacheFile::open(folder, &game.rules()) {
                Ok((mut file, refusal)) => {
                    refusal.into_iter().for_each(|why| monitor.notice(why));
                    let (read, refusal) = file.read(&mut builder);
                    refusal.into_iter().for_each(|why| monitor.notice(why));
                    monitor.database_read.store(read, Ordering::Relaxed);
                    monitor.database_done.store(read, Ordering::Relaxed);
                    cache = Some(file);
                }
                Err(refusal) => monitor.notice(refusal),
            }
        }
        while !builder.is_complete() {
            let layer = builder.layers();
            builder
                .fill_layer(threads, &monitor.stop, &monitor.database_done)
                .map_err(|()| NoDatabase::Stopped)?;
            if let Some(file) = &mut cache
                && !file.has(layer)
                && let Err(refusal) = file.add(&builder.ranking, builder.layer(layer))
            {
                monitor.notice(refusal);
                cache = None;
            }
        }
        Ok(Database {
            stones,
            values: builder.values,
        })
    }
}
