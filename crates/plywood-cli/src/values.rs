//! The values of options: numbers, times and sizes. Every error says what is accepted; the
//! command line puts the option and the value in front.

use plywood_lab::values::digits;
pub use plywood_lab::values::{depth, engine_memory, memory, nodes, threads, time};

/// How many of something, at least one.
pub fn count(text: &str) -> Result<u32, String> {
    const MOST: u32 = 1_000_000;
    digits(text)
        .filter(|count| (1..=MOST).contains(count))
        .ok_or_else(|| format!("use a number from 1 to {MOST}"))
}

/// How many of something, or none.
pub fn count_or_none(text: &str) -> Result<u32, String> {
    match digits(text) {
        Some(0) => Ok(0),
        _ => count(text).map_err(|accepted| accepted.replace("from 1", "from 0")),
    }
}

/// How many events a trace may have.
pub fn events(text: &str) -> Result<usize, String> {
    const MOST: usize = 100_000_000;
    digits(text)
        .filter(|count| (1..=MOST).contains(count))
        .ok_or_else(|| format!("use a number from 1 to {MOST}"))
}

/// A time in nanoseconds, up to a second.
pub fn nanoseconds(text: &str) -> Result<u64, String> {
    const MOST: u64 = 1_000_000_000;
    digits(text)
        .filter(|ns| *ns <= MOST)
        .ok_or_else(|| format!("use a number of nanoseconds from 0 to {MOST}"))
}

/// The power with which nodes grow.
pub fn power(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|power| (-0.5..=1.0).contains(power))
        .ok_or_else(|| "use a number from -0.5 to 1".to_owned())
}

/// Numbers of cores to simulate.
#[derive(Clone, Debug)]
pub struct Cores(pub Vec<usize>);

/// Numbers of cores to simulate: `1,2,4`.
pub fn cores(text: &str) -> Result<Cores, String> {
    const MOST: usize = plywood_lab::simulate::MAX_CORES;
    let core = |text: &str| digits(text).filter(|cores| (1..=MOST).contains(cores));
    let cores: Option<Vec<usize>> = text.split(',').map(core).collect();
    let cores = cores.filter(|cores| cores.len() <= 100);
    cores
        .map(Cores)
        .ok_or_else(|| format!("use numbers from 1 to {MOST} with commas between them"))
}

/// A seed.
pub fn seed(text: &str) -> Result<u64, String> {
    digits(text).ok_or_else(|| format!("use a number from 0 to {}", u64::MAX))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn times_have_units() {
        assert_eq!(time("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(time("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(time("2m"), Ok(Duration::from_secs(120)));
        for text in [
            "", "0", "0s", "0.1ms", "5", "-1s", "1d", "s", "1e3s", "infs", "NaNs", "25h", "1 s",
            "1.2.3s", "1s1", "١s",
        ] {
            assert!(time(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(memory("64M"), Ok(64 << 20));
        assert_eq!(memory("1048576"), Ok(1 << 20));
        for text in [
            "",
            "0",
            "1",
            "M",
            "64X",
            "-1M",
            "99999999999G",
            "1.5M",
            "64 M",
        ] {
            assert!(memory(text).is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_have_bounds() {
        assert_eq!(depth("250"), Ok(250));
        assert_eq!(threads("256"), Ok(256));
        assert_eq!(nodes("5M"), Ok(5_000_000));
        assert_eq!(count_or_none("0"), Ok(0));
        assert_eq!(seed("18446744073709551615"), Ok(u64::MAX));
        for text in [
            "",
            "0",
            "1000",
            "+1",
            "-1",
            "x",
            "1.5",
            "99999999999999999999",
        ] {
            assert!(depth(text).is_err(), "{text}");
            assert!(threads(text).is_err(), "{text}");
        }
        for text in [
            "",
            "0",
            "-1",
            "1T",
            "99999999999999999999",
            "99999999999999999G",
        ] {
            assert!(nodes(text).is_err(), "{text}");
        }
        assert!(count("0").is_err() && count("1000001").is_err());
        assert!(seed("-1").is_err() && seed("18446744073709551616").is_err());
    }
}
