//! Experiments with parallel game-tree search: sweeps over settings, speed-ups, task
//! statistics, timelines, matches, and reports that say where the speed-up went.

mod error;
pub mod explain;
pub mod matches;
pub mod record;
pub mod report;
pub mod reproduce;
pub mod simulate;
pub mod sweep;
pub mod trace;

pub use error::LabError;

/// The memory of this machine in bytes, or 64 GiB where the system does not tell. A larger
/// table could not be filled: the system would end the program.
pub fn machine_memory() -> usize {
    let told = || {
        let info = std::fs::read_to_string("/proc/meminfo").ok()?;
        let line = info.lines().find(|line| line.starts_with("MemTotal:"))?;
        let kibibytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
        kibibytes.checked_mul(1024)
    };
    told().unwrap_or(64 << 30)
}
