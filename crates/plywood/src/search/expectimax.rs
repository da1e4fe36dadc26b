//! Expectimax: the player maximises what is to be expected of chance.
//!
//! For one player and chance, or two players whose scores are each other's negatives and
//! chance. The value of a node is the largest value of its children where the player whose
//! view is taken (the root's) moves, the smallest where the other player moves, and the sum
//! of probability times value where chance acts: all events count.
//!
//! * A depth unit is one move of a player; chance uses none. Where the depth is used up the
//!   position is evaluated, before chance acts, or after it with
//!   [`Settings::after_chance`](crate::Settings::after_chance).
//! * A finished game has its final score, at any depth.
//! * Among equal moves the first in the order of the game is the best.
//! * The line ends where chance acts.
//!
//! Values are sums of `f64` in the order in which the game lists the events, for any number
//! of threads, so the result is the same to the last bit.
//!
//! **At once.** Where the evaluation offers it
//! ([`Evaluate::replies`](crate::Evaluate::replies)), the last events of chance are taken
//! together with the moves after them: the same sum in the same order, and as many nodes.
//!
//! **Cut.** With `cut=P` the depth is used up after a move before which the product of the
//! probabilities is below P. That is an approximation.
//!
//! **Likely lines.** With `likely=P` a depth unit is a factor of P in probability rather than a
//! move: to depth d the cut is at P to the power of d - 1, and a line has at most three times
//! d moves. So what is likely is followed further than what is not, and the more time there
//! is, the less likely it may be. That is an approximation too.
//!
//! **Table.** A value is used only for the same position with the same depth left (and, with
//! a cut, the same probability unless one move is left), so the table changes no value. Where
//! one move is left only a slow evaluation
//! ([`Evaluate::is_slow`](crate::Evaluate::is_slow)) is spared.

use super::fold::{Fold, Memory};
use super::{ChanceNeed, Family, RootValue, Search, SearchInfo};
use crate::game::{Game, Seat, Turn};
use crate::limits::MAX_DEPTH;
use crate::settings::SettingsError;

pub(super) const INFO: SearchInfo = SearchInfo {
    name: "expectimax",
    summary: "the average over all events of chance",
    players: (1, 2),
    chance: ChanceNeed::With,
    family: Family::Exhaustive,
    parse: |options| {
        let table = !options.flag("no-table");
        let cut = probability(options.value("cut", "P"))?;
        let likely = probability(options.value("likely", "P"))?;
        if cut.is_some() && likely.is_some() {
            return Err(SettingsError::new(
                "cut= and likely= both say where lines end: use one of them",
            ));
        }
        Ok(Search::Expectimax(ExpectimaxOptions { cut, likely, table }))
    },
};

/// How many moves a line has at most for a unit of depth, where depth counts probability.
const MOVES_PER_UNIT: u32 = 3;

/// Reads a probability, if one is given.
fn probability(text: Option<&str>) -> Result<Option<f64>, SettingsError> {
    let Some(text) = text else { return Ok(None) };
    match text.parse::<f64>() {
        Ok(number) if number > 0.0 && number < 1.0 => Ok(Some(number)),
        _ => Err(SettingsError::new(format!(
            "'{text}' is no probability to cut at: use a number between 0 and 1"
        ))),
    }
}

/// What can be switched in expectimax.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ExpectimaxOptions {
    /// The probability below which the next move is the last of its line.
    pub cut: Option<f64>,
    /// The factor in probability that a unit of depth is, in place of a move.
    pub likely: Option<f64>,
    /// Whether values are kept in the table.
    pub table: bool,
}

impl Default for ExpectimaxOptions {
    fn default() -> Self {
        ExpectimaxOptions {
            cut: None,
            likely: None,
            table: true,
        }
    }
}

/// Folds children by the best for the player to move, or by the average.
pub(crate) struct Expectimax {
    view: Seat,
    /// A move is the last of its line if its bound is below this; 0 if none is.
    least: f64,
    /// The factor in probability that a unit of depth is, in place of a move.
    likely: Option<f64>,
}

impl Expectimax {
    pub(crate) fn new(view: Seat, options: &ExpectimaxOptions) -> Self {
        Expectimax {
            view,
            least: match options.likely {
                Some(_) => 1.0,
                None => options.cut.unwrap_or(0.0),
            },
            likely: options.likely,
        }
    }
}

/// What the children so far amount to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fate {
    Choice {
        maximise: bool,
        value: f64,
        index: usize,
    },
    Average(f64),
}

impl<G: Game> Fold<G> for Expectimax {
    type Value = f64;
    type Acc = Fate;
    /// The probability of coming here, times what the root has.
    type Bound = f64;

    #[inline]
    fn root(&self, depth: u32) -> (f64, u32) {
        match self.likely {
            None => (1.0, depth),
            // Going down divides what the root has, until it is less than 1.
            Some(factor) => (
                factor.powi(1 - depth as i32),
                (MOVES_PER_UNIT * depth).min(MAX_DEPTH),
            ),
        }
    }

    #[inline]
    fn leaf(&self, scores: G::Scores) -> f64 {
        f64::from(scores[self.view.index()])
    }

    #[inline]
    fn start(&self, turn: Turn) -> Fate {
        match turn {
            Turn::Player(seat) => {
                let maximise = seat == self.view;
                Fate::Choice {
                    maximise,
                    value: if maximise {
                        f64::NEG_INFINITY
                    } else {
                        f64::INFINITY
                    },
                    index: usize::MAX,
                }
            }
            _ => Fate::Average(0.0),
        }
    }

    #[inline]
    fn add(&self, acc: &mut Fate, place: usize, weight: f64, value: f64) -> bool {
        match acc {
            Fate::Choice {
                maximise,
                value: best,
                index,
            } => {
                let ahead = if *maximise {
                    value > *best
                } else {
                    value < *best
                };
                let better = ahead || value == *best && place < *index;
                if better {
                    *best = value;
                    *index = place;
                }
                better
            }
            Fate::Average(sum) => {
                *sum += weight * value;
                false
            }
        }
    }

    #[inline]
    fn add_next(&self, acc: &mut Fate, index: usize, weight: f64, value: f64) -> bool {
        // Children so far have smaller places, so none of them is equalled to be replaced.
        Fold::<G>::add(self, acc, index, weight, value)
    }

    #[inline]
    fn value(&self, acc: &Fate) -> f64 {
        match acc {
            Fate::Choice { value, .. } => *value,
            Fate::Average(sum) => *sum,
        }
    }

    #[inline]
    fn in_order(&self, turn: Turn) -> bool {
        turn == Turn::Chance
    }

    #[inline]
    fn child_bound(&self, _: &Fate, _: usize, weight: f64, probability: f64) -> f64 {
        probability * weight
    }

    #[inline]
    fn is_last(&self, probability: &f64) -> bool {
        *probability < self.least
    }

    #[inline]
    fn ends_early(&self) -> bool {
        self.least > 0.0
    }

    #[inline]
    fn folds_replies(&self) -> bool {
        true
    }

    fn memory(&self) -> Option<Memory<Self, G>> {
        Some(Memory {
            // The last move of a line is worth the same however likely it is.
            salt: |fold, probability, depth| {
                if fold.least > 0.0 && depth > 1 {
                    probability.to_bits()
                } else {
                    0
                }
            },
            // 0 marks an empty entry; the other zero is worth the same.
            encode: |value| {
                if value == 0.0 {
                    1 << 63
                } else {
                    value.to_bits()
                }
            },
            decode: f64::from_bits,
        })
    }

    fn root_value(&self, value: f64) -> RootValue {
        RootValue::One(value)
    }
}
