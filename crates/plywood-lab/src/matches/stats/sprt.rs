//! The sequential probability ratio test: play until one of two hypotheses is decided.

use serde::{Deserialize, Serialize};

use super::score_of_elo;

/// What a pair of games can bring, as a share of its points.
pub const PAIR_SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// A test of "the first player is stronger by `elo1`" against "by `elo0`" only.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sprt {
    /// The difference of the null hypothesis, in Elo.
    pub elo0: f64,
    /// The difference of the alternative, in Elo; larger than `elo0`.
    pub elo1: f64,
    /// The chance to accept the alternative although the null hypothesis is true.
    pub alpha: f64,
    /// The chance to accept the null hypothesis although the alternative is true.
    pub beta: f64,
}

/// What the test says so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Nothing yet.
    Undecided,
    /// The difference is `elo0`, or less.
    AcceptNull,
    /// The difference is `elo1`, or more.
    AcceptAlternative,
}

impl Sprt {
    /// Reads `elo0=0,elo1=5,alpha=0.05,beta=0.05`; what is left out has these values.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut sprt = Sprt {
            elo0: 0.0,
            elo1: 5.0,
            alpha: 0.05,
            beta: 0.05,
        };
        for field in text.split(',').filter(|field| !field.is_empty()) {
            let (key, value) = field.split_once('=').unwrap_or((field, ""));
            let place = match key {
                "elo0" => &mut sprt.elo0,
                "elo1" => &mut sprt.elo1,
                "alpha" => &mut sprt.alpha,
                "beta" => &mut sprt.beta,
                _ => {
                    return Err(format!(
                        "unknown key '{key}' of the test: use elo0=, elo1=, alpha= and beta="
                    ));
                }
            };
            *place = value.parse().map_err(|_| {
                format!("'{value}' is not a value of {key}: use a number, as in {key}=0.5")
            })?;
        }
        sprt.check()?;
        Ok(sprt)
    }

    /// Whether the numbers make a test.
    pub fn check(&self) -> Result<(), String> {
        let elo = |elo: f64| elo.is_finite() && elo.abs() <= 1000.0;
        if !(elo(self.elo0) && elo(self.elo1) && self.elo0 < self.elo1) {
            return Err(format!(
                "elo0={} and elo1={} make no test: use numbers from -1000 to 1000, elo0 the \
                 smaller",
                self.elo0, self.elo1
            ));
        }
        for (key, value) in [("alpha", self.alpha), ("beta", self.beta)] {
            if !(0.0001..=0.4999).contains(&value) {
                return Err(format!("{key}={value}: use a number from 0.0001 to 0.4999"));
            }
        }
        Ok(())
    }

    /// The values of the logarithmic likelihood ratio at which the test is decided.
    pub fn bounds(&self) -> (f64, f64) {
        (
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        )
    }

    /// The logarithm of how much likelier the results are if the alternative is true, given
    /// how many pairs of games brought each of the [`PAIR_SCORES`].
    ///
    /// The chances of the five scores are not known, only their mean under each hypothesis:
    /// for each those chances are taken that make the results likeliest (the generalised
    /// test).
    pub fn llr(&self, pairs: &[u64; 5]) -> f64 {
        if pairs.iter().all(|&count| count == 0) {
            return 0.0;
        }
        // A score that has not been seen is rare, not impossible.
        let counts = pairs.map(|count| if count == 0 { 1e-3 } else { count as f64 });
        let (s0, s1) = (score_of_elo(self.elo0), score_of_elo(self.elo1));
        let (tilt0, tilt1) = (tilt(&counts, s0), tilt(&counts, s1));
        let each = counts.iter().zip(PAIR_SCORES);
        each.map(|(count, score)| {
            count * ((1.0 + tilt0 * (score - s0)) / (1.0 + tilt1 * (score - s1))).ln()
        })
        .sum()
    }

    /// What the results so far decide.
    pub fn verdict(&self, pairs: &[u64; 5]) -> Verdict {
        let (low, high) = self.bounds();
        match self.llr(pairs) {
            llr if llr >= high => Verdict::AcceptAlternative,
            llr if llr <= low => Verdict::AcceptNull,
            _ => Verdict::Undecided,
        }
    }
}

/// The likeliest chances with this mean are the counts divided by `1 + tilt (score - mean)`:
/// the tilt that gives that mean.
fn tilt(counts: &[f64; 5], mean: f64) -> f64 {
    // Between these every chance is positive; in between the excess only falls.
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    let excess = |tilt: f64| -> f64 {
        let each = counts.iter().zip(PAIR_SCORES);
        each.map(|(count, score)| count * (score - mean) / (1.0 + tilt * (score - mean)))
            .sum()
    };
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if excess(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
        if high - low < 1e-11 {
            break;
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use plywood_games::registry::Random;

    const USUAL: Sprt = Sprt {
        elo0: 0.0,
        elo1: 5.0,
        alpha: 0.05,
        beta: 0.05,
    };

    #[test]
    fn the_bounds_are_those_everybody_knows() {
        let (low, high) = USUAL.bounds();
        assert!((low + 2.944_439).abs() < 1e-5 && (high - 2.944_439).abs() < 1e-5);
    }

    /// For many pairs and close hypotheses the ratio is that of two normal distributions:
    /// N (s1 - s0) (2 mean - s0 - s1) / (2 variance).
    #[test]
    fn many_pairs_agree_with_the_normal_approximation() {
        for pairs in [
            [120, 900, 2100, 1000, 150],
            [500, 4000, 9000, 4000, 500],
            [300, 2500, 5000, 2400, 260],
        ] {
            let count: u64 = pairs.iter().sum();
            let share = |i: usize| pairs[i] as f64 / count as f64;
            let mean: f64 = (0..5).map(|i| share(i) * PAIR_SCORES[i]).sum();
            let variance: f64 = (0..5)
                .map(|i| share(i) * (PAIR_SCORES[i] - mean).powi(2))
                .sum();
            let (s0, s1) = (score_of_elo(0.0), score_of_elo(5.0));
            let normal = count as f64 * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
            let llr = USUAL.llr(&pairs);
            assert!(
                (llr - normal).abs() < 0.03 * normal.abs().max(1.0),
                "{llr} {normal}"
            );
        }
    }

    /// With wins and losses of pairs alone the likeliest chances are known: the ratio is
    /// that of a coin.
    #[test]
    fn two_results_alone_are_a_coin() {
        let llr = USUAL.llr(&[40, 0, 0, 0, 60]);
        let (s0, s1) = (score_of_elo(0.0), score_of_elo(5.0));
        let coin = 60.0 * (s1 / s0).ln() + 40.0 * ((1.0 - s1) / (1.0 - s0)).ln();
        assert!((llr - coin).abs() < 0.001, "{llr} {coin}");
    }

    #[test]
    fn a_few_lucky_pairs_decide_nothing() {
        assert_eq!(USUAL.verdict(&[0, 0, 0, 0, 3]), Verdict::Undecided);
        assert_eq!(USUAL.verdict(&[0; 5]), Verdict::Undecided);
        assert_eq!(USUAL.verdict(&[0, 0, 10_000, 0, 0]), Verdict::AcceptNull);
        assert_eq!(
            USUAL.verdict(&[0, 0, 0, 0, 1000]),
            Verdict::AcceptAlternative
        );
        assert_eq!(USUAL.verdict(&[1000, 0, 0, 0, 0]), Verdict::AcceptNull);
    }

    /// Players of known strength, two games a pair, a third of them drawn: how often does
    /// the test accept the alternative?
    fn accepted(sprt: &Sprt, elo: f64, trials: u32, seed: u64) -> f64 {
        let score = score_of_elo(elo);
        let mut random = Random::new(seed);
        let mut game = || {
            let draw = 1.0 / 3.0;
            let dice = random.unit();
            if dice < score - draw / 2.0 {
                2
            } else {
                usize::from(dice < score + draw / 2.0)
            }
        };
        let mut alternative = 0;
        for _ in 0..trials {
            let mut pairs = [0; 5];
            let verdict = loop {
                pairs[game() + game()] += 1;
                let verdict = sprt.verdict(&pairs);
                if verdict != Verdict::Undecided {
                    break verdict;
                }
            };
            alternative += u32::from(verdict == Verdict::AcceptAlternative);
        }
        f64::from(alternative) / f64::from(trials)
    }

    #[test]
    fn simulated_players_are_judged_with_the_promised_errors() {
        let sprt = Sprt {
            elo0: 0.0,
            elo1: 40.0,
            alpha: 0.05,
            beta: 0.1,
        };
        // 1,000 trials: the standard error of a rate of 0.05 is 0.007, of 0.1 it is 0.009.
        let false_alarms = accepted(&sprt, 0.0, 1000, 1);
        assert!((0.02..0.08).contains(&false_alarms), "{false_alarms}");
        let misses = 1.0 - accepted(&sprt, 40.0, 1000, 2);
        assert!((0.05..0.14).contains(&misses), "{misses}");
        assert!(accepted(&sprt, 80.0, 500, 3) > 0.99);
        assert!(accepted(&sprt, -40.0, 500, 4) < 0.01);
    }

    #[test]
    fn tests_are_read() {
        assert_eq!(Sprt::parse("elo0=0,elo1=5,alpha=0.05,beta=0.05"), Ok(USUAL));
        assert_eq!(Sprt::parse("elo1=5"), Ok(USUAL));
        for text in [
            "elo2=1",
            "elo0=x",
            "elo0=5,elo1=0",
            "elo0",
            "alpha=0",
            "beta=0.5",
            "elo1=nan",
            "elo1=1e9",
        ] {
            assert!(
                Sprt::parse(text).expect_err(text).contains("use "),
                "{text}"
            );
        }
    }
}
