//! Weights that are learnt, in a small file.

use std::fmt::Write;
use std::sync::LazyLock;

use super::policy::{FEATURES, PHASES, QUICK, Weights};
use super::prospects::{NUMBERS, Prospects, STAGES};
use crate::blokus::PIECES;
use crate::text::TextError;

/// What the engine has learnt about moves.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Policy {
    /// For the first look at the moves of a node.
    pub prior: Weights,
    /// For playouts, among moves with pieces of the same size.
    pub playout: Weights,
    /// What positions promise; without it, games are played to their end.
    pub prospects: Option<Prospects>,
}

/// The first line of a file: what it is, and its version.
const TITLE: &str = "plywood blokus weights 3";
/// The weights of a phase, between -100 and 100.
const OF_A_PHASE: usize = PIECES + FEATURES;
/// The weights of a stage and its sharpness, between -1000 and 1000.
const OF_A_STAGE: usize = NUMBERS + 1;
/// The title, all phases twice, the sum.
const LINES: usize = 2 + 2 * PHASES;
/// The same with what positions promise.
const LINES_WITH_PROSPECTS: usize = LINES + STAGES;

/// Learnt from games of each variant, by `plywood train blokus`.
static BUILT_IN: LazyLock<[Policy; 2]> = LazyLock::new(|| {
    let files = [
        include_str!("built-in.weights"),
        include_str!("built-in-duo.weights"),
    ];
    files.map(|text| Policy::read(text).expect("the built-in weights are sound"))
});

impl Policy {
    /// The one that comes with the program for the game of so many colours.
    pub fn built_in(colours: usize) -> Self {
        BUILT_IN[usize::from(colours == 2)]
    }

    /// One that knows nothing but that large pieces are better: where learning begins.
    pub const SIMPLE: Policy = Policy {
        prior: Weights::by_size([0.0, 0.4, 1.2, 2.4, 4.0], [0.0; QUICK]),
        playout: Weights::by_size([0.0, 0.4, 1.2, 2.4, 4.0], [0.0; QUICK]),
        prospects: None,
    };

    /// The text of a file: a title, a line for each phase of the game with the weights of
    /// the pieces and of the numbers, first for the first look, then for playouts; a line for
    /// each stage of what positions promise, where that is known; and a sum to check them by.
    pub fn write(&self) -> String {
        let mut text = format!("{TITLE}\n");
        for (name, weights) in [("prior", self.prior), ("playout", self.playout)] {
            for (pieces, numbers) in weights.pieces.iter().zip(weights.numbers) {
                text += name;
                for weight in pieces.iter().chain(&numbers) {
                    let _ = write!(text, " {weight}");
                }
                text.push('\n');
            }
        }
        if let Some(prospects) = self.prospects {
            for (points, sharpness) in prospects.points.iter().zip(prospects.sharpness) {
                text += "points";
                for weight in points.iter().chain([&sharpness]) {
                    let _ = write!(text, " {weight}");
                }
                text.push('\n');
            }
        }
        let sum = crc32fast::hash(text.as_bytes());
        let _ = writeln!(text, "crc32 {sum:08x}");
        text
    }

    /// Reads the text of a file.
    pub fn read(text: &str) -> Result<Self, TextError> {
        let lines: Vec<&str> = text.lines().collect();
        if lines.first() != Some(&TITLE) {
            return Err(TextError::new(format!(
                "line 1: this is no file of weights, which begins with '{TITLE}'"
            )));
        }
        let count = lines.len();
        if ![LINES, LINES_WITH_PROSPECTS].contains(&count) {
            return Err(TextError::new(format!(
                "{count} lines are no weights: use a file with {LINES} or {LINES_WITH_PROSPECTS}"
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
                _ => Some(read_prospects(&lines, LINES - 1)?),
            },
        })
    }
}

/// The weights in the lines from this one on.
fn read_weights(lines: &[&str], name: &str, first: usize) -> Result<Weights, TextError> {
    let mut weights = Policy::SIMPLE.prior;
    for phase in 0..PHASES {
        let all = read_line::<OF_A_PHASE>(lines[first + phase], name, 100.0, first + phase + 1)?;
        let (pieces, numbers) = all.split_at(PIECES);
        weights.pieces[phase].copy_from_slice(pieces);
        weights.numbers[phase].copy_from_slice(numbers);
    }
    Ok(weights)
}

/// What positions promise, in the lines from this one on.
fn read_prospects(lines: &[&str], first: usize) -> Result<Prospects, TextError> {
    let mut prospects = Prospects {
        points: [[0.0; NUMBERS]; STAGES],
        sharpness: [0.0; STAGES],
    };
    for stage in 0..STAGES {
        let line = lines[first + stage];
        let all = read_line::<OF_A_STAGE>(line, "points", 1000.0, first + stage + 1)?;
        prospects.points[stage].copy_from_slice(&all[..NUMBERS]);
        prospects.sharpness[stage] = all[NUMBERS];
    }
    Ok(prospects)
}

/// The numbers of one line.
fn read_line<const COUNT: usize>(
    line: &str,
    name: &str,
    most: f32,
    number: usize,
) -> Result<[f32; COUNT], TextError> {
    let mut words = line.split(' ');
    let named = words.next() == Some(name);
    let small = |weight: &f32| weight.abs() < most;
    let weights: Option<Vec<f32>> = words.map(|word| word.parse().ok().filter(small)).collect();
    let weights = weights
        .filter(|_| named)
        .and_then(|all| all.try_into().ok());
    weights.ok_or_else(|| {
        TextError::new(format!(
            "line {number}: use {name} and {COUNT} numbers between -{most} and {most}"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_written_and_read() {
        for policy in [Policy::built_in(4), Policy::built_in(2), Policy::SIMPLE] {
            assert_eq!(Policy::read(&policy.write()), Ok(policy));
        }
        let text = Policy::SIMPLE.write();
        for (wrong, part) in [
            (text.replacen("2.4", "2.5", 1), "damaged"),
            (text.replace("weights 3", "weights 2"), "line 1"),
            (text.replacen("prior", "\nprior", 1), "11 lines"),
            (String::new(), "line 1"),
        ] {
            let error = Policy::read(&wrong).expect_err(&wrong).to_string();
            assert!(error.contains(part), "{error}");
        }
        let line = "prior 1 2 3";
        let read = |line: &str| read_line::<OF_A_PHASE>(line, "prior", 100.0, 2);
        let error = read(line).expect_err(line).to_string();
        assert!(
            error.contains("line 2: use prior and 33 numbers"),
            "{error}"
        );
        assert!(read(&format!("prior{}", " NaN".repeat(33))).is_err());
        assert!(read(&format!("prior{}", " 1".repeat(33))).is_ok());
    }
}
