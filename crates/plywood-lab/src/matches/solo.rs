//! Results of games for one player: scores, and how often which tile was reached.

use std::fmt::Write;

use super::stats::Interval;
use super::summary::{ratio, with_interval};

/// The games of one player.
#[derive(Clone, Debug)]
pub struct Solo {
    name: String,
    scores: Vec<f64>,
    largest: Vec<u32>,
}

impl Solo {
    /// None yet.
    pub fn new(name: &str) -> Self {
        Solo {
            name: name.to_owned(),
            scores: Vec::new(),
            largest: Vec::new(),
        }
    }

    /// A game that ended with this score and, where there are tiles, this largest one.
    pub fn add(&mut self, score: i32, largest: Option<u32>) {
        self.scores.push(f64::from(score));
        self.largest.extend(largest);
    }
}

/// The largest tile of a position of 2048, given as text.
pub fn largest_tile(position: &str) -> Option<u32> {
    let board = position.split_whitespace().next()?;
    let tiles = board.split(['/', ',']).filter_map(|cell| cell.parse().ok());
    tiles.max()
}

/// Mean, median, least and most of every player; if `complete`, with intervals and with the
/// rates of tiles.
pub fn table(players: &[Solo], complete: bool) -> String {
    let widths = players.iter().map(|player| player.name.len());
    let width = widths.max().unwrap_or(0).max(9);
    let mut text = format!(
        "{:width$} {:>6} {:28} {:>8} {:>8} {:>8}\n",
        "player", "games", "mean score [95 %]", "median", "least", "most"
    );
    for player in players {
        let blocks: Vec<(f64, f64)> = player.scores.iter().map(|&score| (score, 1.0)).collect();
        let mut sorted = player.scores.clone();
        sorted.sort_by(f64::total_cmp);
        let mean = with_interval(ratio(&blocks, complete), 1.0, "", complete);
        let median = match sorted.len() {
            0 => "-".to_owned(),
            count => format!("{:.0}", (sorted[(count - 1) / 2] + sorted[count / 2]) / 2.0),
        };
        let extreme = |score: Option<&f64>| score.map_or("-".to_owned(), |s| format!("{s:.0}"));
        let _ = writeln!(
            text,
            "{:width$} {:>6} {mean:28} {median:>8} {:>8} {:>8}",
            player.name,
            sorted.len(),
            extreme(sorted.first()),
            extreme(sorted.last())
        );
    }
    if complete {
        tiles(players, width, &mut text);
    }
    text
}

/// How often a tile was reached, with Wilson's interval.
fn tiles(players: &[Solo], width: usize, text: &mut String) {
    let largest = players.iter().flat_map(|player| &player.largest);
    let Some(&most) = largest.max().filter(|&&most| most > 0) else {
        return;
    };
    let _ = write!(text, "\n{:>width$}", "tile");
    for player in players {
        let _ = write!(text, "  {:24}", player.name);
    }
    trim_line(text);
    let mut tile = most;
    while tile >= 128.min(most) {
        let _ = write!(text, "{tile:>width$}");
        for player in players {
            let reached = player.largest.iter().filter(|&&largest| largest >= tile);
            let rate = wilson(reached.count(), player.largest.len());
            let cell = with_interval(rate, 100.0, " %", true);
            let _ = write!(text, "  {cell:24}");
        }
        trim_line(text);
        tile /= 2;
    }
    text.push('\n');
}

fn trim_line(text: &mut String) {
    let length = text.trim_end_matches(' ').len();
    text.truncate(length);
    text.push('\n');
}

/// A rate with Wilson's 95 % interval, which makes sense for rates of 0 and 1 too.
fn wilson(count: usize, of: usize) -> Option<Interval> {
    if of == 0 {
        return None;
    }
    let (z2, n) = (1.959_963_984_540_054f64.powi(2), of as f64);
    let rate = count as f64 / n;
    let middle = (rate + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let reach = (z2 * (rate * (1.0 - rate) / n + z2 / (4.0 * n * n))).sqrt() / (1.0 + z2 / n);
    Some(Interval {
        estimate: rate,
        low: (middle - reach).max(0.0),
        high: (middle + reach).min(1.0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_has_an_interval_at_the_edges_too() {
        let close = |a: f64, b: f64| assert!((a - b).abs() < 5e-4, "{a}, not {b}");
        // Published with Wilson's interval: 15 of 20 gives 0.531 to 0.888.
        let rate = wilson(15, 20).expect("a rate");
        close(rate.low, 0.5313);
        close(rate.high, 0.8881);
        let all = wilson(10, 10).expect("a rate");
        close(all.low, 0.7225);
        assert_eq!(all.high, 1.0);
        assert_eq!(wilson(0, 0), None);
    }

    #[test]
    fn scores_and_tiles_stand_in_one_table() {
        let mut player = Solo::new("network");
        assert!(table(&[player.clone()], true).contains("network        0 -"));
        for (score, tile) in [(3000, 256), (9000, 512), (6000, 512)] {
            player.add(score, Some(tile));
        }
        let text = table(&[player], true);
        assert!(text.contains("     3 6000.0 ["), "{text}");
        assert!(text.contains("     6000     3000     9000"), "{text}");
        assert!(text.contains("      512  66.7 % ["), "{text}");
        assert!(text.contains("      128  100.0 % ["), "{text}");
    }

    #[test]
    fn the_largest_tile_is_read_from_a_position() {
        assert_eq!(largest_tile("2,4,8,.../x 12"), Some(8));
        assert_eq!(largest_tile(""), None);
    }
}
