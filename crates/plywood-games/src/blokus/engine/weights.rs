//! Weights that are learnt, in a small file.

use std::fmt::Write;
use std::sync::{Arc, LazyLock};

use super::network::Network;
use super::policy::{FEATURES, PHASES, QUICK, Weights};
use super::prospects::{NUMBERS, Prospects};
use crate::blokus::PIECES;
use crate::text::TextError;

/// What the engine has learnt about moves.
#[derive(Clone, PartialEq, Debug)]
pub struct Policy {
    /// For the first look at the moves of a node.
    pub prior: Weights,
    /// For playouts, among moves with pieces of the same size.
    pub playout: Weights,
    /// What positions promise; without it, games are played to their end.
    pub prospects: Option<Prospects>,
}

/// The first line of a file: what it is, and its version.
const TITLE: &str = "plywood blokus weights 4";
/// The weights of a phase, between -100 and 100.
const OF_A_PHASE: usize = PIECES + FEATURES;
/// The weights of the network in a line, between -100 and 100.
const OF_A_LINE: usize = 8;
/// The title, all phases twice, the sum.
const LINES: usize = 2 + 2 * PHASES;

/// The same with what positions promise to so many colours: the middle and the scale of numbers,
/// and the network.
const fn lines_with_prospects(colours: usize) -> usize {
    LINES + 2 + Prospects::size(colours) / OF_A_LINE
}

/// Learnt from games of each variant, by `plywood train blokus`.
static BUILT_IN: LazyLock<[Arc<Policy>; 2]> = LazyLock::new(|| {
    let files = [
        (include_str!("built-in.weights"), 4),
        (include_str!("built-in-duo.weights"), 2),
    ];
    let read = |(text, colours)| Policy::read(text, colours);
    files.map(|file| Arc::new(read(file).expect("the built-in weights are sound")))
});

impl Policy {
    /// The one that comes with the program for the game of so many colours.
    pub fn built_in(colours: usize) -> Arc<Self> {
        BUILT_IN[usize::from(colours == 2)].clone()
    }

    /// One that knows nothing but that large pieces are better: where learning begins.
    pub const SIMPLE: Policy = Policy {
        prior: Weights::by_size([0.0, 0.4, 1.2, 2.4, 4.0], [0.0; QUICK]),
        playout: Weights::by_size([0.0, 0.4, 1.2, 2.4, 4.0], [0.0; QUICK]),
        prospects: None,
    };

    /// Whether it is for the game of so many colours.
    pub fn fits(&self, colours: usize) -> bool {
        let fits = |known: &Prospects| known.network.weights().len() == Prospects::size(colours);
        self.prospects.as_ref().is_none_or(fits)
    }

    /// The text of a file: a title, a line for each phase of the game with the weights of
    /// the pieces and of the numbers, first for the first look, then for playouts; what positions
    /// promise, where that is known: the middle and the scale of its numbers, and lines with the
    /// weights of the network; and a sum to check them by.
    pub fn write(&self) -> String {
        let mut text = format!("{TITLE}\n");
        let mut line = |name: &str, numbers: &mut dyn Iterator<Item = &f32>| {
            text += name;
            for number in numbers {
                let _ = write!(text, " {number}");
            }
            text.push('\n');
        };
        for (name, weights) in [("prior", &self.prior), ("playout", &self.playout)] {
            for (pieces, numbers) in weights.pieces.iter().zip(&weights.numbers) {
                line(name, &mut pieces.iter().chain(numbers));
            }
        }
        if let Some(prospects) = &self.prospects {
            line("middle", &mut prospects.middle.iter());
            line("scale", &mut prospects.scale.iter());
            for weights in prospects.network.weights().chunks(OF_A_LINE) {
                line("network", &mut weights.iter());
            }
        }
        let sum = crc32fast::hash(text.as_bytes());
        let _ = writeln!(text, "crc32 {sum:08x}");
        text
    }

    /// Reads the text of a file for a game of so many colours.
    pub fn read(text: &str, colours: usize) -> Result<Self, TextError> {
        let lines: Vec<&str> = text.lines().collect();
        if lines.first() != Some(&TITLE) {
            return Err(TextError::new(format!(
                "line 1: this is no file of weights, which begins with '{TITLE}'"
            )));
        }
        let (count, whole) = (lines.len(), lines_with_prospects(colours));
        if ![LINES, whole].contains(&count) {
            return Err(TextError::new(format!(
                "{count} lines are no weights for {colours} colours: use a file with {LINES} or {whole}"
            )));
        }
        let checked = text.rfind("crc32 ").map_or("", |at| &text[..at]);
        let expected = format!("crc32 {:08x}", crc32fast::hash(checked.as_bytes()));
        if lines[count - 1] != expected {
            return Err(TextError::new(format!(
                "line {count}: the sum is not that of the lines above: the file is damaged"
            )));
        }
        Ok(Policy {
            prior: read_weights(&lines, "prior", 1)?,
            playout: read_weights(&lines, "playout", 1 + PHASES)?,
            prospects: match count {
                LINES => None,
                _ => Some(read_prospects(&lines[..count - 1], LINES - 1)?),
            },
        })
    }
}

/// The weights in the lines from this one on.
fn read_weights(lines: &[&str], name: &str, first: usize) -> Result<Weights, TextError> {
    let mut weights = Policy::SIMPLE.prior;
    for phase in 0..PHASES {
        let all = read_line::<OF_A_PHASE>(lines, first + phase, name, 100.0)?;
        let (pieces, numbers) = all.split_at(PIECES);
        weights.pieces[phase].copy_from_slice(pieces);
        weights.numbers[phase].copy_from_slice(numbers);
    }
    Ok(weights)
}

/// What positions promise, in the lines from this one on.
fn read_prospects(lines: &[&str], first: usize) -> Result<Prospects, TextError> {
    let mut weights = Vec::new();
    for line in first + 2..lines.len() {
        weights.extend(read_line::<OF_A_LINE>(lines, line, "network", 100.0)?);
    }
    Ok(Prospects {
        middle: read_line::<NUMBERS>(lines, first, "middle", 1000.0)?,
        scale: read_line::<NUMBERS>(lines, first + 1, "scale", 1000.0)?,
        network: Network::new(weights),
    })
}

/// The numbers of one line.
fn read_line<const COUNT: usize>(
    lines: &[&str],
    index: usize,
    name: &str,
    most: f32,
) -> Result<[f32; COUNT], TextError> {
    let mut words = lines[index].split(' ');
    let named = words.next() == Some(name);
    let small = |weight: &f32| weight.abs() < most;
    let weights: Option<Vec<f32>> = words.map(|word| word.parse().ok().filter(small)).collect();
    let weights = weights
        .filter(|_| named)
        .and_then(|all| all.try_into().ok());
    weights.ok_or_else(|| {
        TextError::new(format!(
            "line {}: use {name} and {COUNT} numbers between -{most} and {most}",
            index + 1
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_written_and_read() {
        let simple = Arc::new(Policy::SIMPLE);
        for (policy, colours) in [
            (Policy::built_in(4), 4),
            (Policy::built_in(2), 2),
            (simple.clone(), 4),
            (simple.clone(), 2),
        ] {
            assert_eq!(
                Policy::read(&policy.write(), colours),
                Ok((*policy).clone())
            );
        }
        let text = simple.write();
        for (wrong, part) in [
            (text.replacen("2.4", "2.5", 1), "damaged"),
            (text.replace("weights 4", "weights 3"), "line 1"),
            (text.replacen("prior", "\nprior", 1), "11 lines"),
            (Policy::built_in(2).write(), "no weights for 4 colours"),
            (String::new(), "line 1"),
        ] {
            let error = Policy::read(&wrong, 4).expect_err(&wrong).to_string();
            assert!(error.contains(part), "{error}");
        }
        let line = "prior 1 2 3";
        let read = |line: &str| read_line::<OF_A_PHASE>(&["", line], 1, "prior", 100.0);
        let error = read(line).expect_err(line).to_string();
        assert!(
            error.contains("line 2: use prior and 33 numbers"),
            "{error}"
        );
        assert!(read(&format!("prior{}", " NaN".repeat(33))).is_err());
        assert!(read(&format!("prior{}", " 1".repeat(33))).is_ok());
    }
}
