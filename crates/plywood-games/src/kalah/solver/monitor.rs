//! What a solver is doing, for others to see while it runs.

use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Counters of a solver that anybody may look at, and the flag that stops it.
#[derive(Debug, Default)]
pub struct Monitor {
    pub(super) stop: Arc<AtomicBool>,
    pub(super) database_done: AtomicU64,
    pub(super) database_read: AtomicU64,
    pub(super) database_positions: AtomicU64,
    pub(super) nodes: AtomicU64,
    cpu_ns: AtomicU64,
    pub(super) entries: AtomicU64,
    pub(super) capacity: AtomicU64,
    pub(super) least: AtomicI32,
    pub(super) most: AtomicI32,
    pub(super) searching: AtomicBool,
    notices: Mutex<Vec<String>>,
}

/// How far a solver has come.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Stage {
    /// The database is being filled or read.
    Database {
        /// Positions whose values are known.
        done: u64,
        /// Positions of the whole database.
        positions: u64,
    },
    /// A position is being searched.
    Search {
        /// The mover's final margin is at least this.
        least: i32,
        /// The mover's final margin is at most this.
        most: i32,
        /// Nodes searched so far.
        nodes: u64,
        /// The share of the table in use, from 0 to 1.
        table_fill: f64,
    },
}

impl Monitor {
    /// A monitor that stops the solver once this flag is set.
    pub fn with_stop(stop: Arc<AtomicBool>) -> Self {
        Monitor {
            stop,
            ..Monitor::default()
        }
    }

    /// Keeps a line for somebody to read.
    pub(super) fn notice(&self, line: String) {
        let mut notices = self.notices.lock().unwrap_or_else(PoisonError::into_inner);
        notices.push(line);
    }

    /// What went wrong without keeping the solver from its work, a line each: trouble with
    /// a cache file. Each is told once.
    pub fn take_notices(&self) -> Vec<String> {
        let mut notices = self.notices.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut notices)
    }

    /// How many values of the database came from a cache file.
    pub fn database_read(&self) -> u64 {
        self.database_read.load(Ordering::Relaxed)
    }

    /// Has the solver end soon. What it has proved by then it still tells.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the solver was asked to stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The nodes searched so far, in all.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// The processor time of all threads that have searched, so far.
    pub fn cpu(&self) -> Duration {
        Duration::from_nanos(self.cpu_ns.load(Ordering::Relaxed))
    }

    /// Adds what a thread has used.
    pub(super) fn add_cpu(&self, time: Duration) {
        let ns = time.as_nanos() as u64;
        self.cpu_ns.fetch_add(ns, Ordering::Relaxed);
    }

    /// The entries of the table in use.
    pub(super) fn entries(&self) -> u64 {
        self.entries.load(Ordering::Relaxed)
    }

    /// The share in use of the table as large as it may be, from 0 to 1.
    pub fn table_fill(&self) -> f64 {
        let capacity = self.capacity.load(Ordering::Relaxed).max(1);
        self.entries() as f64 / capacity as f64
    }

    /// What the solver is doing.
    pub fn stage(&self) -> Stage {
        if self.searching.load(Ordering::Relaxed) {
            Stage::Search {
                least: self.least.load(Ordering::Relaxed),
                most: self.most.load(Ordering::Relaxed),
                nodes: self.nodes(),
                table_fill: self.table_fill(),
            }
        } else {
            Stage::Database {
                done: self.database_done.load(Ordering::Relaxed),
                positions: self.database_positions.load(Ordering::Relaxed),
            }
        }
    }
}
