//! Weights that are learnt, in a small file.

use std::fmt::Write;
use std::sync::LazyLock;

use super::policy::{FEATURES, Weights};
use crate::text::TextError;

/// What the engine has learnt about moves.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Policy {
    /// For the first look at the moves of a node.
    pub prior: Weights,
    /// For playouts, among moves with pieces of the same size.
    pub playout: Weights,
}

/// The first line of a file: what it is, and its version.
const TITLE: &str = "plywood blokus weights 1";

static BUILT_IN: LazyLock<Policy> = LazyLock::new(|| {
    Policy::read(include_str!("built-in.weights")).expect("the built-in weights are sound")
});

impl Policy {
    /// The one that comes with the program.
    pub fn built_in() -> Self {
        *BUILT_IN
    }

    /// One that knows nothing but that large pieces are better: where learning begins.
    pub const SIMPLE: Policy = Policy {
        prior: Weights([4.0, 2.4, 1.2, 0.4, 0.0, 0.0, 0.0, 0.0, 0.0]),
        playout: Weights([4.0, 2.4, 1.2, 0.4, 0.0, 0.0, 0.0, 0.0, 0.0]),
    };

    /// The text of a file: a title, the weights, and a sum to check them by.
    pub fn write(&self) -> String {
        let mut text = format!("{TITLE}\n");
        for (name, weights) in [("prior", self.prior), ("playout", self.playout)] {
            text += name;
            for weight in weights.0 {
                let _ = write!(text, " {weight}");
            }
            text.push('\n');
        }
        let sum = crc32fast::hash(text.as_bytes());
        let _ = writeln!(text, "crc32 {sum:08x}");
        text
    }

    /// Reads the text of a file.
    pub fn read(text: &str) -> Result<Self, TextError> {
        let lines: Vec<&str> = text.lines().collect();
        let &[title, prior, playout, sum] = lines.as_slice() else {
            let count = lines.len();
            let message = format!("{count} lines are no weights: use a file with 4");
            return Err(TextError::new(message));
        };
        if title != TITLE {
            return Err(TextError::new(format!(
                "line 1: this is no file of weights, which begins with '{TITLE}'"
            )));
        }
        let checked = text.rfind("crc32 ").map_or("", |at| &text[..at]);
        let expected = format!("crc32 {:08x}", crc32fast::hash(checked.as_bytes()));
        if sum != expected {
            return Err(TextError::new(
                "line 4: the sum is not that of the lines above: the file is damaged",
            ));
        }
        Ok(Policy {
            prior: read_weights(prior, "prior", 2)?,
            playout: read_weights(playout, "playout", 3)?,
        })
    }
}

fn read_weights(line: &str, name: &str, number: usize) -> Result<Weights, TextError> {
    let mut words = line.split(' ');
    let named = words.next() == Some(name);
    let weights: Option<Vec<f32>> = words
        .map(|word| {
            word.parse()
                .ok()
                .filter(|weight: &f32| weight.abs() < 100.0)
        })
        .collect();
    let weights = weights.and_then(|weights| <[f32; FEATURES]>::try_from(weights).ok());
    weights.filter(|_| named).map(Weights).ok_or_else(|| {
        TextError::new(format!(
            "line {number}: use {name} and {FEATURES} numbers between -100 and 100"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_written_and_read() {
        for policy in [Policy::built_in(), Policy::SIMPLE] {
            assert_eq!(Policy::read(&policy.write()), Ok(policy));
        }
        let text = Policy::SIMPLE.write();
        for (wrong, part) in [
            (text.replace("2.4", "2.5"), "damaged"),
            (text.replace("weights 1", "weights 2"), "line 1"),
            (text.replacen('\n', "", 1), "3 lines"),
            (String::new(), "0 lines"),
        ] {
            let error = Policy::read(&wrong).expect_err(&wrong).to_string();
            assert!(error.contains(part), "{error}");
        }
        let line = "prior 1 2 3";
        let error = read_weights(line, "prior", 2).expect_err(line).to_string();
        assert!(error.contains("line 2: use prior and 9 numbers"), "{error}");
        assert!(read_weights(&format!("prior{}", " NaN".repeat(9)), "prior", 2).is_err());
    }
}
