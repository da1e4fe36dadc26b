//! Numbers, times and sizes as people write them, in files and on the command line alike.
//! Every error says what is accepted.

use std::time::Duration;

use plywood::{MAX_DEPTH, MAX_THREADS, Table};

/// A text from outside, short and on one line.
pub fn short(text: &str) -> String {
    let start: String = text.chars().take(40).collect();
    let dots = if start.len() < text.len() { "…" } else { "" };
    format!("{}{dots}", start.escape_debug())
}

/// The longest time for anything.
const MAX_TIME: Duration = Duration::from_secs(24 * 60 * 60);

/// The number that a text of digits alone stands for: `parse` would take a sign too.
pub fn digits<T: std::str::FromStr>(text: &str) -> Option<T> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| plain)
}

/// A number in front of a unit.
fn with_unit(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.'));
    text.split_at(end.unwrap_or(text.len()))
}

/// A depth of a search.
pub fn depth(text: &str) -> Result<u32, String> {
    digits(text)
        .filter(|depth| (1..=MAX_DEPTH).contains(depth))
        .ok_or_else(|| format!("use a number from 1 to {MAX_DEPTH}"))
}

/// A number of threads.
pub fn threads(text: &str) -> Result<usize, String> {
    digits(text)
        .filter(|threads| (1..=MAX_THREADS).contains(threads))
        .ok_or_else(|| format!("use a number from 1 to {MAX_THREADS}"))
}

/// A number of nodes: `200000`, `200k`, `5M`, `1G`.
pub fn nodes(text: &str) -> Result<u64, String> {
    let (number, unit) = with_unit(text);
    let factor = match unit {
        "" => Some(1),
        "k" | "K" => Some(1_000),
        "M" => Some(1_000_000),
        "G" => Some(1_000_000_000),
        _ => None,
    };
    let nodes = || digits::<u64>(number)?.checked_mul(factor?);
    nodes()
        .filter(|&nodes| nodes > 0)
        .ok_or_else(|| "use a number of at least 1, like 200000, 200k or 5M".to_owned())
}

/// A time: `500ms`, `2s`, `1m`.
pub fn time(text: &str) -> Result<Duration, String> {
    let (number, unit) = with_unit(text);
    let seconds = match unit {
        "ms" => Some(0.001),
        "s" => Some(1.0),
        "m" | "min" => Some(60.0),
        "h" => Some(3600.0),
        _ => None,
    };
    let time = || Duration::try_from_secs_f64(number.parse::<f64>().ok()? * seconds?).ok();
    time()
        .filter(|&time| (Duration::from_millis(1)..=MAX_TIME).contains(&time))
        .ok_or_else(|| "use a time from 1ms to 24h, like 500ms, 2s or 1m".to_owned())
}

/// A size of memory: `64M`, `1G`.
pub fn memory(text: &str) -> Result<usize, String> {
    let most = machine_memory();
    let (number, unit) = with_unit(text);
    let factor = match unit {
        "" | "B" => Some(1),
        "K" | "k" | "KiB" => Some(1 << 10),
        "M" | "MiB" => Some(1 << 20),
        "G" | "GiB" => Some(1 << 30),
        _ => None,
    };
    let bytes = || digits::<usize>(number)?.checked_mul(factor?);
    bytes()
        .filter(|bytes| (Table::MIN_BYTES..=most).contains(bytes))
        .ok_or_else(|| {
            let least = Table::MIN_BYTES;
            let most = most >> 20;
            format!("use a size from {least} to {most}M, like 512K, 64M or 1G")
        })
}

/// The memory for an engine that may grow to `most` bytes if nothing is said: an eighth of what
/// this machine has will do.
pub fn engine_memory(most: usize) -> usize {
    most.min(machine_memory() / 8)
}

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
