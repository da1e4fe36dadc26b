//! Where a command writes to, and how numbers look.

use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::time::Duration;

use plywood::Certainty;
use plywood_games::Style;
pub use plywood_lab::report::numbers::grouped;

/// Standard output, with colours if somebody sees them.
pub struct Output {
    writer: BufWriter<StdoutLock<'static>>,
    pub style: Style,
}

impl Output {
    pub fn standard() -> Self {
        let stdout = io::stdout();
        let no_colour = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let style = if stdout.is_terminal() && !no_colour {
            Style::Colour
        } else {
            Style::Plain
        };
        Output {
            writer: BufWriter::new(stdout.lock()),
            style,
        }
    }

    /// A text that stands out.
    pub fn bold(&self, text: &str) -> String {
        bold(self.style, text)
    }
}

/// A text that stands out.
pub fn bold(style: Style, text: &str) -> String {
    match style {
        Style::Plain => text.to_owned(),
        Style::Colour => format!("\x1b[1m{text}\x1b[0m"),
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// A value of a position, to three decimals.
pub fn value(value: f64) -> String {
    // A mean of whole numbers may be whole but for rounding errors.
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0" } else { text }.to_owned()
}

/// The value for every player with its name.
pub fn values(names: &[String], values: &[f64]) -> String {
    let each: Vec<String> = names
        .iter()
        .zip(values)
        .map(|(name, v)| format!("{name} {}", value(*v)))
        .collect();
    each.join(", ")
}

/// What a value says about the end of the game, to be put behind it.
pub fn certainty(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Estimate => "",
        Certainty::AtLeast => " or more",
        Certainty::AtMost => " or less",
        Certainty::Exact => " (exact)",
    }
}

/// A time in a unit that suits it.
pub fn time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 1.0 {
        format!("{:.1} ms", seconds * 1000.0)
    } else {
        format!("{seconds:.2} s")
    }
}

/// A size in mebibytes.
pub fn mebibytes(bytes: usize) -> String {
    format!("{:.1} MiB", bytes as f64 / (1 << 20) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1000), "1,000");
        assert_eq!(grouped(12_740_461), "12,740,461");
        assert_eq!(value(-3.0), "-3");
        assert_eq!(value(2.5), "2.5");
        assert_eq!(value(28.000_000_1), "28");
        assert_eq!(value(-1e-9), "0");
        assert_eq!(time(Duration::from_millis(15)), "15.0 ms");
        assert_eq!(time(Duration::from_millis(1500)), "1.50 s");
    }
}
