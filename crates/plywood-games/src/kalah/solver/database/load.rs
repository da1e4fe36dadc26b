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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kalah::rules::{Capture, Rules};
    use std::fs;
    use std::path::PathBuf;

    /// A folder of its own for a test.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let name = format!("plywood-database-{name}-{}", std::process::id());
            let path = std::env::temp_dir().join(name);
            let _ = fs::remove_dir_all(&path);
            Folder(path)
        }

        fn only_file(&self) -> PathBuf {
            let mut files = fs::read_dir(&self.0).expect("made by the cache");
            let file = files.next().expect("a file").expect("readable").path();
            assert!(files.next().is_none(), "one file a game");
            file
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    struct Loaded {
        database: Database,
        read: u64,
        notices: Vec<String>,
    }

    fn load(game: &Kalah, stones: usize, folder: Option<&Folder>) -> Loaded {
        let monitor = Monitor::default();
        let folder = folder.map(|folder| folder.0.as_path());
        let database = Database::complete(game, stones, 2, folder, &monitor);
        Loaded {
            database: database.expect("little memory is needed"),
            read: monitor.database_read(),
            notices: monitor.take_notices(),
        }
    }

    /// Loads, and sees that the values are right whatever was in the cache.
    fn right(game: &Kalah, stones: usize, folder: &Folder) -> (u64, Vec<String>) {
        let loaded = load(game, stones, Some(folder));
        let expected = load(game, stones, None).database;
        assert!(loaded.database.values[..] == expected.values[..]);
        (loaded.read, loaded.notices)
    }

    #[test]
    fn what_was_filled_in_is_read_and_extended() {
        let folder = Folder::new("extended");
        let game = Kalah::default();
        let size = |stones| load(&game, stones, None).database.bytes() as u64;
        assert_eq!(right(&game, 5, &folder), (0, vec![]));
        assert_eq!(right(&game, 5, &folder), (size(5), vec![]));
        // A larger one takes what is there; a smaller one does not take anything away.
        assert_eq!(right(&game, 7, &folder), (size(5), vec![]));
        assert_eq!(right(&game, 4, &folder), (size(4), vec![]));
        assert_eq!(right(&game, 7, &folder), (size(7), vec![]));
        // Stones at the start do not matter, other rules do.
        let more = Kalah::standard(6, 6).expect("valid rules");
        assert_eq!(right(&more, 7, &folder), (size(7), vec![]));
        folder.only_file();
        let always = Rules {
            capture: Capture::Always,
            ..Rules::default()
        };
        let always = Kalah::new(always).expect("valid rules");
        assert_eq!(right(&always, 5, &folder), (0, vec![]));
    }

    #[test]
    fn what_is_damaged_is_refused_and_made_good() {
        let game = Kalah::standard(3, 2).expect("valid rules");
        let folder = Folder::new("damaged");
        right(&game, 8, &folder);
        let file = folder.only_file();
        let good = fs::read(&file).expect("readable");
        let layers = load(&game, 8, None).database;
        let all = layers.bytes() as u64;
        assert_eq!(good.len(), 4096 + layers.bytes());
        let flipped = |at: usize| {
            let mut bytes = good.clone();
            bytes[at] ^= 0x10;
            bytes
        };
        let damages = [
            (
                "a value",
                flipped(good.len() - 1),
                "the layer of 8 stones (its checksum",
            ),
            ("a value in front", flipped(4096), "the layer of 0 stones"),
            ("a checksum", flipped(64 + 8 * 3), "the layer of 3 stones"),
            (
                "cut off",
                good[..good.len() - 1].to_vec(),
                "(it is cut off)",
            ),
            (
                "cut off in its head",
                good[..100].to_vec(),
                "cut off in its head",
            ),
            ("the version", flipped(8), "not a database of this version"),
            (
                "the rules",
                flipped(13),
                "not a database of this version and these rules",
            ),
            ("foreign", vec![b'x'; 10_000], "not a database"),
        ];
        for (name, bytes, notice) in damages {
            fs::write(&file, bytes).expect("writable");
            let (read, notices) = right(&game, 8, &folder);
            assert!(read < all, "{name}");
            assert_eq!(notices.len(), 1, "{name}: {notices:?}");
            assert!(notices[0].contains(notice), "{name}: {notices:?}");
            assert!(
                notices[0].contains("filled in again"),
                "{name}: {notices:?}"
            );
            assert_eq!(right(&game, 8, &folder), (all, vec![]), "{name}");
            assert_eq!(fs::read(&file).expect("readable"), good, "{name}");
        }
        // An empty file is what a build leaves that was killed at once.
        fs::write(&file, "").expect("writable");
        assert_eq!(right(&game, 8, &folder), (0, vec![]));
        // Values of a layer whose checksum was never written are not counted.
        let mut killed = good.clone();
        killed[64 + 8 * 7..4096].fill(0);
        killed.truncate(good.len() - 5);
        fs::write(&file, killed).expect("writable");
        let below = load(&game, 6, None).database.bytes() as u64;
        assert_eq!(right(&game, 8, &folder), (below, vec![]));
        assert_eq!(right(&game, 8, &folder), (all, vec![]));
    }

    #[test]
    fn a_stopped_build_keeps_what_it_has() {
        let folder = Folder::new("stopped");
        let game = Kalah::standard(4, 4).expect("valid rules");
        right(&game, 6, &folder);
        let monitor = Monitor::default();
        monitor.stop();
        let stopped = Database::complete(&game, 9, 2, Some(&folder.0), &monitor);
        assert!(matches!(stopped, Err(NoDatabase::Stopped)));
        let (read, notices) = right(&game, 9, &folder);
        assert_eq!(read, load(&game, 6, None).database.bytes() as u64);
        assert_eq!(notices, Vec::<String>::new());
    }

    #[test]
    fn without_a_place_to_keep_it_there_is_a_notice_and_a_database() {
        let folder = Folder::new("no-folder");
        fs::create_dir_all(&folder.0).expect("made");
        let game = Kalah::standard(3, 2).expect("valid rules");
        // A file where the folder should be.
        let blocked = folder.0.join("blocked");
        fs::write(&blocked, "").expect("writable");
        let monitor = Monitor::default();
        let database = Database::complete(&game, 4, 1, Some(&blocked), &monitor);
        assert_eq!(database.expect("filled in").stones(), 4);
        let notices = monitor.take_notices();
        assert_eq!(notices.len(), 1, "{notices:?}");
        assert!(notices[0].contains("not kept"), "{notices:?}");
    }

    #[test]
    fn a_file_in_use_is_left_alone() {
        let folder = Folder::new("in-use");
        let game = Kalah::standard(3, 2).expect("valid rules");
        right(&game, 5, &folder);
        let file = fs::File::open(folder.only_file()).expect("readable");
        if file.try_lock().is_err() {
            return; // No locks here, nothing to test.
        }
        let (read, notices) = right(&game, 5, &folder);
        assert_eq!(read, 0);
        assert!(
            notices[0].contains("another process works with it"),
            "{notices:?}"
        );
    }
}
