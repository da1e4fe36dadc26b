//! Scores as differences of strength.

use super::Interval;

/// How many standard errors to each side hold 95 %, where the error is estimated from so many
/// more units than one: Student's t, by the expansion of Cornish and Fisher, which is good to
/// 3 % from two on.
fn t95(freedom: f64) -> f64 {
    const Z: f64 = 1.959_963_984_540_054;
    if freedom < 2.0 {
        return 12.706;
    }
    let first = (Z.powi(3) + Z) / 4.0;
    let second = (5.0 * Z.powi(5) + 16.0 * Z.powi(3) + 3.0 * Z) / 96.0;
    let third = (3.0 * Z.powi(7) + 19.0 * Z.powi(5) + 17.0 * Z.powi(3) - 15.0 * Z) / 384.0;
    Z + first / freedom + second / freedom.powi(2) + third / freedom.powi(3)
}

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
/// pentanomial one), or all games of an opening. The interval is Student's,
/// for few units are no sure measure of their spread. Where all units are alike there is no spread to estimate it from: then it
/// is widened by what could have stayed unseen in so many units with a chance of 2.5 %.
pub fn score_interval(units: &[f64]) -> Option<Interval> {
    if units.is_empty() {
        return None;
    }
    let count = units.len() as f64;
    let mean = units.iter().sum::<f64>() / count;
    let squares: f64 = units.iter().map(|unit| (unit - mean).powi(2)).sum();
    let variance = squares / (count - 1.0).max(1.0);
    if variance < 1e-12 {
        let unseen = 1.0 - 0.025f64.powf(1.0 / count);
        let low = mean * (1.0 - unseen);
        return Some(Interval {
            estimate: mean,
            low,
            high: low + unseen,
        });
    }
    let error = t95(count - 1.0) * (variance / count).sqrt();
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

    /// Worked out by hand: of 230 points 125, variance of a game 0.194608, error of the mean
    /// 0.0290881, t 1.970377, so the score is 0.543478 +- 0.057315.
    #[test]
    fn hundred_wins_fifty_draws_eighty_losses() {
        let games = units(&[(1.0, 100), (0.5, 50), (0.0, 80)]);
        let score = score_interval(&games).expect("there are games");
        close(score.estimate, 0.543478);
        close(score.low, 0.486164);
        close(score.high, 0.600793);
        let elo = elo_interval(&games).expect("there are games");
        close(elo.estimate, 30.288286);
        close(elo.low, -9.616973);
        close(elo.high, 71.010632);
        assert!(elo.contains(0.0));
    }

    /// The same points in pairs that split their results: with less spread than single games
    /// have, the interval is narrower, and the difference is shown.
    #[test]
    fn pairs_count_as_pairs() {
        let pairs = units(&[(0.0, 2), (0.25, 10), (0.5, 70), (0.75, 25), (1.0, 8)]);
        let score = score_interval(&pairs).expect("there are pairs");
        // 64.25 of 115; variance of a pair 0.0376430, t 1.980992, so the error is 0.0358407.
        close(score.estimate, 0.558696);
        close(score.low, 0.522855);
        close(score.high, 0.594536);
        let elo = elo_interval(&pairs).expect("there are pairs");
        close(elo.estimate, 40.974834);
        close(elo.low, 15.892344);
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
