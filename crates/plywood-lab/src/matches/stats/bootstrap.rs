//! Intervals for numbers of which no distribution is known.

use plywood_games::registry::Random;

use super::Interval;

/// How many times the blocks are drawn anew.
pub const RESAMPLES: usize = 4000;

/// Fewer blocks say nothing about how blocks differ.
pub const FEWEST_BLOCKS: usize = 6;

/// The seed of the draws: the same games always give the same interval.
const SEED: u64 = 0x626c_6f63_6b73;

/// The sum of the first numbers over the sum of the second ones, with the 95 % interval of
/// a bootstrap that draws whole blocks; `None` if the second ones are all 0.
///
/// A block is what was played with one opening or one seed: its games depend on each other,
/// so they are drawn together. With fewer than six blocks the interval has no ends.
pub fn bootstrap_ratio(blocks: &[(f64, f64)]) -> Option<Interval> {
    let ratio = |(sum, weight): (f64, f64)| (weight > 0.0).then(|| sum / weight);
    let add = |a: (f64, f64), b: (f64, f64)| (a.0 + b.0, a.1 + b.1);
    let estimate = ratio(blocks.iter().copied().fold((0.0, 0.0), add))?;
    if blocks.len() < FEWEST_BLOCKS {
        return Some(Interval {
            estimate,
            low: f64::NEG_INFINITY,
            high: f64::INFINITY,
        });
    }
    let mut random = Random::new(SEED);
    let mut drawn: Vec<f64> = (0..RESAMPLES)
        .filter_map(|_| {
            let draws = (0..blocks.len()).map(|_| blocks[random.below(blocks.len())]);
            ratio(draws.fold((0.0, 0.0), add))
        })
        .collect();
    drawn.sort_by(f64::total_cmp);
    let at = |share: f64| drawn[((drawn.len() - 1) as f64 * share).round() as usize];
    Some(Interval {
        estimate,
        low: at(0.025),
        high: at(0.975),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_that_of_the_normal_approximation_where_that_holds() {
        // 400 blocks of one game, 0 or 1 in turn: mean 0.5, error 0.5 / 20.
        let blocks: Vec<(f64, f64)> = (0..400).map(|i| (f64::from(i % 2), 1.0)).collect();
        let found = bootstrap_ratio(&blocks).expect("blocks");
        assert_eq!(found.estimate, 0.5);
        assert!(
            (found.low - (0.5 - 1.96 * 0.025)).abs() < 0.006,
            "{found:?}"
        );
        assert!(
            (found.high - (0.5 + 1.96 * 0.025)).abs() < 0.006,
            "{found:?}"
        );
    }

    #[test]
    fn games_of_a_block_are_drawn_together() {
        // The same 400 games in 20 blocks of equal results are worth 20 games.
        let blocks: Vec<(f64, f64)> = (0..20).map(|i| (20.0 * f64::from(i % 2), 20.0)).collect();
        let found = bootstrap_ratio(&blocks).expect("blocks");
        assert!(found.high - found.low > 0.35, "{found:?}");
    }

    #[test]
    fn the_same_games_give_the_same_interval() {
        let blocks = [
            (3.0, 4.0),
            (1.0, 4.0),
            (2.0, 2.0),
            (0.0, 4.0),
            (1.0, 1.0),
            (2.0, 4.0),
        ];
        assert_eq!(bootstrap_ratio(&blocks), bootstrap_ratio(&blocks));
        let few = bootstrap_ratio(&blocks[..5]).expect("blocks");
        assert_eq!((few.low, few.high), (f64::NEG_INFINITY, f64::INFINITY));
        assert_eq!(bootstrap_ratio(&[]), None);
        assert_eq!(bootstrap_ratio(&[(0.0, 0.0)]), None);
    }
}
