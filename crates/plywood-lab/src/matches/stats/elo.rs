//! Scores as differences of strength.

use super::Interval;

/// How many standard errors to each side hold 95 % of a normal distribution.
const Z95: f64 = 1.959_963_984_540_054;

/// The difference in Elo at which a player is expected to score this share of the points:
/// infinite for all or none of them.
pub fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        400.0 * (score / (1.0 - score)).log10()
    }
}

/// The share of the points that a player so much stronger is expected to score.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The mean of independent scores, each from 0 to 1, with its 95 % interval; `None` if
/// there are none.
///
/// A unit is whatever does not depend on the others: a game if every game has an opening of
/// its own (the trinomial model), both games of an opening played from both sides (the
/// pentanomial one), or all games of an opening. The interval is that of the normal
/// approximation. Where all units are alike there is no spread to estimate it from: then it
/// is widened by what could have stayed unseen in so many units with a chance of 2.5 %.
pub fn score_interval(units: &[f64]) -> Option<Interval> {
    if units.is_empty() {
        return None;
    }
    let count = units.len() as f64;
    let mean = units.iter().sum::<f64>() / count;
    let variance = units.iter().map(|unit| (unit - mean).powi(2)).sum::<f64>() / count;
    if variance < 1e-12 {
        let unseen = 1.0 - 0.025f64.powf(1.0 / count);
        let low = mean * (1.0 - unseen);
        return Some(Interval {
            estimate: mean,
            low,
            high: low + unseen,
        });
    }
    let error = Z95 * (variance / count).sqrt();
    Some(Interval {
        estimate: mean,
        low: (mean - error).max(0.0),
        high: (mean + error).min(1.0),
    })
}

/// [`score_interval`] as a difference in Elo.
pub fn elo_interval(units: &[f64]) -> Option<Interval> {
    let score = score_interval(units)?;
    Some(Interval {
        estimate: elo_of_score(score.estimate),
        low: elo_of_score(score.low),
        high: elo_of_score(score.high),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(counts: &[(f64, usize)]) -> Vec<f64> {
        let each = |&(score, count): &(f64, usize)| std::iter::repeat_n(score, count);
        counts.iter().flat_map(each).collect()
    }

    fn close(actual: f64, expected: f64) {
        let error = (actual - expected).abs();
        assert!(
            error < 1e-5 * expected.abs().max(1.0),
            "{actual}, not {expected}"
        );
    }

    #[test]
    fn elo_and_score_are_inverse() {
        close(elo_of_score(0.5), 0.0);
        close(elo_of_score(0.75), 190.848502);
        close(score_of_elo(400.0), 10.0 / 11.0);
        for elo in [-300.0, -5.0, 0.0, 1.0, 250.0] {
            close(elo_of_score(score_of_elo(elo)), elo);
        }
        assert_eq!(elo_of_score(1.0), f64::INFINITY);
        assert_eq!(elo_of_score(0.0), f64::NEG_INFINITY);
    }

    /// Worked out by hand: of 230 points 125, variance of a game 0.193762, error of the mean
    /// 0.0290249, so the score is 0.543478 +- 0.056888.
    #[test]
    fn hundred_wins_fifty_draws_eighty_losses() {
        let games = units(&[(1.0, 100), (0.5, 50), (0.0, 80)]);
        let score = score_interval(&games).expect("there are games");
        close(score.estimate, 0.543478);
        close(score.low, 0.486591);
        close(score.high, 0.600366);
        let elo = elo_interval(&games).expect("there are games");
        close(elo.estimate, 30.288286);
        close(elo.low, -9.320058);
        close(elo.high, 70.701425);
        assert!(elo.contains(0.0));
    }

    /// The same points in pairs that split their results: with less spread than single games
    /// have, the interval is narrower, and the difference is shown.
    #[test]
    fn pairs_count_as_pairs() {
        let pairs = units(&[(0.0, 2), (0.25, 10), (0.5, 70), (0.75, 25), (1.0, 8)]);
        let score = score_interval(&pairs).expect("there are pairs");
        // 64.25 of 115; variance of a pair 0.0373157, so the error of the mean is 0.0180134.
        close(score.estimate, 0.558696);
        close(score.low, 0.523390);
        close(score.high, 0.594001);
        let elo = elo_interval(&pairs).expect("there are pairs");
        close(elo.estimate, 40.974834);
        close(elo.low, 16.264870);
        assert!(!elo.contains(0.0));
    }

    #[test]
    fn results_without_spread_have_an_interval_too() {
        let all = score_interval(&[1.0; 10]).expect("units");
        assert_eq!((all.estimate, all.high), (1.0, 1.0));
        close(all.low, 0.691503);
        let few = elo_interval(&[1.0]).expect("units");
        assert!(few.contains(0.0), "one pair shows nothing: {few:?}");
        assert!(!elo_interval(&[1.0; 10]).expect("units").contains(0.0));
        assert!(elo_interval(&[0.5; 10]).expect("units").contains(0.0));
        assert_eq!(score_interval(&[]), None);
    }
}
