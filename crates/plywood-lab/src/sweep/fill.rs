//! Keeps spare cores loaded: cores run faster while their neighbours sleep, and that must not
//! flatter the measurements with few threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use plywood::Limits;
use plywood_games::registry::Random;

use crate::LabError;
use crate::record::{Setting, cores};

/// Enough to load the memory as a search does, and not so much that many do not fit.
const MOST_TABLE_BYTES: usize = 16 << 20;

/// Threads that search the same position again and again, one for each spare core, until this
/// is dropped.
pub(super) struct Filler {
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Filler {
    /// Loads the cores that a setting leaves free; returns when all of them are busy.
    pub(super) fn start(setting: &Setting, seed: u64) -> Result<Self, LabError> {
        let spare = cores().saturating_sub(setting.threads);
        let mut filler = Filler {
            stop: Arc::new(AtomicBool::new(false)),
            threads: Vec::new(),
        };
        let begun = Arc::new(AtomicUsize::new(0));
        for _ in 0..spare {
            let alone = Setting {
                table_bytes: setting.table_bytes.min(MOST_TABLE_BYTES),
                ..setting.sequential()
            };
            let game = alone.open_game()?;
            let position = alone.open_position(game.as_ref(), &mut Random::new(seed))?;
            let mut searcher = game.searcher(&alone.evaluation, alone.engine_settings()?)?;
            let (stop, begun) = (Arc::clone(&filler.stop), Arc::clone(&begun));
            let thread = thread::Builder::new().name("filler".into());
            // The stack of a worker: a deep search needs more than the default.
            let thread = thread.stack_size(16 << 20).spawn(move || {
                begun.fetch_add(1, Ordering::Relaxed);
                let limits = Limits::depth(alone.depth).with_stop(Arc::clone(&stop));
                while !stop.load(Ordering::Relaxed) {
                    searcher.search(&position, &limits, &mut |_| {});
                    searcher.forget();
                }
            });
            let thread = thread.map_err(|error| {
                LabError::Failed(format!("no thread can be started to fill a core: {error}"))
            })?;
            filler.threads.push(thread);
        }
        while begun.load(Ordering::Relaxed) < filler.threads.len() {
            thread::sleep(Duration::from_micros(50));
        }
        Ok(filler)
    }

    /// How many cores it keeps loaded.
    #[cfg(test)]
    fn cores(&self) -> usize {
        self.threads.len()
    }
}

impl Drop for Filler {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            // A filler that panicked has told already.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Workload;

    #[test]
    fn all_cores_but_those_measured_are_filled_and_let_go() {
        let setting = Setting {
            game: "kalah".into(),
            position_name: "start".into(),
            position: String::new(),
            workload: Workload::Search,
            search: "alphabeta".into(),
            evaluation: "stores".into(),
            after_chance: false,
            depth: 30,
            table_bytes: 1 << 20,
            strategy: "seq".into(),
            threads: 1,
        };
        let filler = Filler::start(&setting, 1).expect("starts");
        assert_eq!(filler.cores(), cores() - 1);
        drop(filler);
        let all = Setting {
            threads: cores() + 1,
            ..setting
        };
        assert_eq!(Filler::start(&all, 1).expect("starts").cores(), 0);
    }
}
