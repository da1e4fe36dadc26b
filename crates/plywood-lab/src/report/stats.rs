//! Medians, and how far they can be trusted.

use plywood_games::registry::Random;

/// How many times a sample is drawn anew. Quantiles at 2.5 % then rest on fifty draws.
const DRAWS: usize = 2000;

/// The middle value; the mean of the two in the middle if their number is even.
///
/// # Panics
/// If there is none.
pub fn median(values: &[f64]) -> f64 {
    assert!(!values.is_empty(), "nothing has no median");
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 {
        sorted[middle]
    } else {
        (sorted[middle - 1] + sorted[middle]) / 2.0
    }
}

/// From where to where.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// Whether a value is in it.
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

/// A value with the interval that 95 of 100 such measurements would cover it with.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// The interval; `None` after a single measurement, which says nothing about noise.
    pub interval: Option<Interval>,
}

impl Estimate {
    /// The median of a sample, with its bootstrap interval: the sample is drawn anew from
    /// itself many times, and the middle 95 % of the medians are the interval.
    pub fn median(values: &[f64]) -> Self {
        let mut random = Random::new(values.len() as u64);
        Estimate {
            value: median(values),
            interval: bootstrap(values.len() > 1, || draw_median(values, &mut random)),
        }
    }

    /// The ratio of two medians, with its bootstrap interval: both samples are drawn anew.
    pub fn ratio_of_medians(above: &[f64], below: &[f64]) -> Self {
        let mut random = Random::new((above.len() + below.len()) as u64);
        Estimate {
            value: median(above) / median(below),
            interval: bootstrap(above.len() > 1 && below.len() > 1, || {
                draw_median(above, &mut random) / draw_median(below, &mut random)
            }),
        }
    }
}

fn draw_median(values: &[f64], random: &mut Random) -> f64 {
    let drawn: Vec<f64> = values
        .iter()
        .map(|_| values[random.below(values.len())])
        .collect();
    median(&drawn)
}

fn bootstrap(possible: bool, mut draw: impl FnMut() -> f64) -> Option<Interval> {
    if !possible {
        return None;
    }
    let mut drawn: Vec<f64> = (0..DRAWS).map(|_| draw()).collect();
    drawn.sort_by(f64::total_cmp);
    let outside = DRAWS / 40;
    Some(Interval {
        low: drawn[outside],
        high: drawn[DRAWS - 1 - outside],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_by_hand() {
        assert_eq!(median(&[3.0]), 3.0);
        assert_eq!(median(&[9.0, 1.0]), 5.0);
        assert_eq!(median(&[5.0, 1.0, 3.0]), 3.0);
        assert_eq!(median(&[4.0, 1.0, 3.0, 2.0]), 2.5);
    }

    #[test]
    fn intervals_by_hand() {
        let interval = |values: &[f64]| {
            let interval = Estimate::median(values).interval.expect("enough values");
            (interval.low, interval.high)
        };
        assert_eq!(Estimate::median(&[2.0]).interval, None);
        assert_eq!(interval(&[2.0, 2.0, 2.0]), (2.0, 2.0));
        // Drawn from {1, 3}: the median is 1 in a quarter of all cases, 3 in another.
        assert_eq!(interval(&[1.0, 3.0]), (1.0, 3.0));
        // Of five draws from 1 to 5, at least three are a 1 in 5.8 % of all cases.
        assert_eq!(interval(&[1.0, 2.0, 3.0, 4.0, 5.0]), (1.0, 5.0));
        // Of seven draws from 1 to 7, at least four are a 1 in 1.0 %, at most 2 in 10 %.
        assert_eq!(interval(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]), (2.0, 6.0));
    }

    #[test]
    fn ratios_by_hand() {
        let ratio = Estimate::ratio_of_medians(&[8.0, 8.0, 8.0], &[4.0, 4.0]);
        assert_eq!(ratio.value, 2.0);
        assert_eq!(
            ratio.interval,
            Some(Interval {
                low: 2.0,
                high: 2.0
            })
        );
        // Both ends are drawn in a sixteenth of all cases: 1/6 and 3/2.
        let ratio = Estimate::ratio_of_medians(&[1.0, 3.0], &[2.0, 6.0]);
        assert_eq!(ratio.value, 0.5);
        let interval = ratio.interval.expect("enough values");
        assert_eq!((interval.low, interval.high), (1.0 / 6.0, 1.5));
        assert!(interval.contains(1.0) && !interval.contains(1.6));
        assert_eq!(
            Estimate::ratio_of_medians(&[1.0], &[2.0, 6.0]).interval,
            None
        );
    }
}
