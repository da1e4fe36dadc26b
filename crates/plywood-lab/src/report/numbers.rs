//! Numbers for people.

use super::stats::{Estimate, Interval};

/// A number with its digits in groups of three: `12,740,461`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Three digits that count, and no more.
fn three_digits(value: f64) -> String {
    let digits = match value.abs() {
        size if size >= 99.95 => 0,
        size if size >= 9.995 => 1,
        _ => 2,
    };
    format!("{value:.digits$}")
}

/// The unit that suits a time in seconds, and how many of it a second has.
fn unit(seconds: f64) -> (f64, &'static str) {
    match seconds {
        s if s >= 0.9995 => (1.0, "s"),
        s if s >= 0.000_999_5 => (1e3, "ms"),
        _ => (1e6, "µs"),
    }
}

/// A time in seconds.
pub fn time(seconds: f64) -> String {
    let (factor, unit) = unit(seconds);
    format!("{} {unit}", three_digits(seconds * factor))
}

/// From where to where a time can be trusted, in the unit of the time; `None` if that is not
/// known.
pub fn time_interval(estimate: &Estimate) -> Option<String> {
    let Interval { low, high } = estimate.interval?;
    let (factor, _) = unit(estimate.value);
    let (low, high) = (three_digits(low * factor), three_digits(high * factor));
    Some(format!("{low} – {high}"))
}

/// A ratio.
pub fn ratio(value: f64) -> String {
    three_digits(value)
}

/// From where to where a ratio can be trusted; `None` if that is not known.
pub fn ratio_interval(estimate: &Estimate) -> Option<String> {
    let Interval { low, high } = estimate.interval?;
    Some(format!("{} – {}", ratio(low), ratio(high)))
}

/// A share of a hundred; small ones keep two digits that count.
pub fn percent(value: f64) -> String {
    match value {
        0.0 => "0".into(),
        v if v >= 0.095 => three_digits(v),
        v => {
            let digits = (1.0 - v.log10().floor()).clamp(0.0, 9.0) as usize;
            format!("{v:.digits$}")
        }
    }
}

/// A size in mebibytes.
pub fn mebibytes(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_by_hand() {
        assert_eq!(grouped(12_740_461), "12,740,461");
        assert_eq!(grouped(999), "999");
        assert_eq!(time(135.5), "136 s");
        assert_eq!(time(1.234), "1.23 s");
        assert_eq!(time(0.01234), "12.3 ms");
        assert_eq!(time(0.9999), "1.00 s");
        assert_eq!(time(0.000_05), "50.0 µs");
        assert_eq!(percent(0.0059), "0.0059");
        assert_eq!(percent(1.8), "1.80");
        assert_eq!(percent(44.4), "44.4");
        assert_eq!(percent(0.0), "0");
        let estimate = Estimate {
            value: 0.5,
            interval: Some(Interval {
                low: 0.4,
                high: 1.2,
            }),
        };
        assert_eq!(time_interval(&estimate).as_deref(), Some("400 – 1200"));
        assert_eq!(ratio_interval(&estimate).as_deref(), Some("0.40 – 1.20"));
    }
}
