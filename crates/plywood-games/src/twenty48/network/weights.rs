//! Weights that learn, from several threads at once.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicU32, Ordering};

use super::memory::in_large_pages;
use super::stages::{MERGED, Stages};
use super::tuples::{SYMMETRIES, Shape, Tuples, WithShape, symmetric};
use crate::prefetch::prefetch;
use crate::text::TextError;

/// The step that temporal difference learning takes towards its target.
const TD_RATE: f32 = 0.1;

/// How a weight follows its errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Learning {
    /// Temporal differences: every weight goes a tenth of the way.
    Td,
    /// Temporal coherence: a weight goes far while its errors have the same sign, and ever
    /// less as they cancel out.
    Tc,
}

impl Learning {
    /// All ways to learn.
    pub const ALL: [Learning; 2] = [Learning::Td, Learning::Tc];

    /// The name in small letters.
    pub const fn name(self) -> &'static str {
        match self {
            Learning::Td => "td",
            Learning::Tc => "tc",
        }
    }
}

impl fmt::Display for Learning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Learning {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let found = Learning::ALL.into_iter().find(|way| way.name() == text);
        found.ok_or_else(|| TextError::new("use td or tc"))
    }
}

/// A network while it learns: the expected rest of the score from the board after a slide.
///
/// Threads read and write the weights without locks: a load and a store of a relaxed atomic
/// are plain instructions. Two threads that change the same weight at the same moment may
/// lose one of the changes, which is one small step among millions.
pub struct Learner {
    tuples: Tuples,
    stages: Stages,
    learning: Learning,
    initial: f32,
    /// `f32` bits; those of the first stage, then those of the next.
    weights: Box<[AtomicU32]>,
    /// For temporal coherence, apart from the weights because choosing a move needs only
    /// those: the sum of a weight's errors, and of their absolute values, `f32` bits both.
    /// Empty without it.
    errors: Box<[[AtomicU32; 2]]>,
}

impl fmt::Debug for Learner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Learner")
            .field("tuples", &self.tuples)
            .field("stages", &self.stages)
            .field("learning", &self.learning)
            .field("initial", &self.initial)
            .finish_non_exhaustive()
    }
}

/// Both sums of errors of a weight that was never changed: as good as nothing, but their
/// quotient is 1, so that the first step goes all the way.
pub(super) const NO_ERRORS: (f32, f32) = (1e-20, 1e-20);

impl Learner {
    /// A network that knows nothing: every board is worth `optimism`. More than boards are
    /// really worth makes it try what it has not seen yet.
    pub fn new(tuples: Tuples, learning: Learning, optimism: f32) -> Self {
        let initial = optimism / tuples.lookups() as f32;
        Learner::starting_at(tuples, Stages::default(), learning, initial)
    }

    /// A network whose weights all are `initial`.
    pub(super) fn starting_at(
        tuples: Tuples,
        stages: Stages,
        learning: Learning,
        initial: f32,
    ) -> Self {
        let count = tuples.weights() * stages.count();
        let tracked = match learning {
            Learning::Td => 0,
            Learning::Tc => count,
        };
        let (sum, absolute) = NO_ERRORS;
        let no_errors = || [sum, absolute].map(|sum| AtomicU32::new(sum.to_bits()));
        Learner {
            weights: in_large_pages(count, || AtomicU32::new(initial.to_bits())),
            errors: in_large_pages(tracked, no_errors),
            tuples,
            stages,
            learning,
            initial,
        }
    }

    /// The same network with more stages. Those that it has go on with what they know; the others
    /// know nothing: with what an earlier one knows, a stage would take boards that it has not met
    /// yet for better than those it has, since most of a game is over, and try one after the
    /// other.
    pub fn divided(self, stages: Stages) -> Result<Self, TextError> {
        self.with_branch(stages, None)
    }

    /// The network with these stages, to go on to learn only from where all tiles add up to
    /// `start`, and how many stages come before that and are kept as they are. If none of
    /// them begins there, one more does, with what the network knew there: so it forgets nothing.
    pub fn branched(self, stages: Stages, start: u32) -> Result<(Self, usize), TextError> {
        let all = stages.with(start)?;
        let kept = all.before(start).expect("it was put in");
        let branch = stages.before(start).is_none().then_some(start);
        Ok((self.with_branch(all, branch)?, kept))
    }

    /// More stages; the new one that begins at `branch` with what the network knew there.
    fn with_branch(self, stages: Stages, branch: Option<u32>) -> Result<Self, TextError> {
        if stages == self.stages {
            return Ok(self);
        }
        let Some(places) = stages.places_of(&self.stages) else {
            return Err(TextError::new(format!(
                "the network has the stages {} already: use these and others, or begin with one \
                 that has none",
                self.stages
            )));
        };
        stages.check(&self.tuples)?;
        let (tuples, learning) = (self.tuples.clone(), self.learning);
        let each = tuples.weights();
        let divided = Learner::starting_at(tuples, stages, learning, self.initial);
        let branch = branch.and_then(|start| {
            let old = self.stages.of_sum(start + MERGED);
            Some((old, divided.stages.before(start)?))
        });
        // A branch that is not new after all has a place among these, which comes later.
        for (old, new) in branch.into_iter().chain(places.into_iter().enumerate()) {
            for index in 0..each {
                let from = old * each + index;
                divided.restore(new * each + index, self.weight(from), self.errors(from));
            }
        }
        Ok(divided)
    }

    /// The tuples.
    pub fn tuples(&self) -> &Tuples {
        &self.tuples
    }

    /// The stages of a game, each with weights of its own.
    pub fn stages(&self) -> &Stages {
        &self.stages
    }

    /// How many weights there are, in all stages.
    pub(super) fn weights(&self) -> usize {
        self.weights.len()
    }

    /// How it learns.
    pub fn learning(&self) -> Learning {
        self.learning
    }

    /// What every weight was in the beginning.
    pub(super) fn initial(&self) -> f32 {
        self.initial
    }

    /// A weight.
    pub(super) fn weight(&self, index: usize) -> f32 {
        load(&self.weights[index])
    }

    /// A weight's sum of errors, and of their absolute values.
    pub(super) fn errors(&self, index: usize) -> (f32, f32) {
        let errors = self.errors.get(index);
        errors.map_or(NO_ERRORS, |[sum, absolute]| (load(sum), load(absolute)))
    }

    /// All weights.
    #[cfg(feature = "cuda")]
    pub(super) fn all_weights(&self) -> Vec<f32> {
        self.weights.iter().map(load).collect()
    }

    /// All sums of errors and of their absolute values, if it keeps them.
    #[cfg(feature = "cuda")]
    pub(super) fn all_errors(&self) -> Vec<[f32; 2]> {
        let both = |errors: &[AtomicU32; 2]| errors.each_ref().map(load);
        self.errors.iter().map(both).collect()
    }

    /// Puts all weights and errors.
    #[cfg(feature = "cuda")]
    pub(super) fn restore_all(&self, weights: &[f32], errors: &[[f32; 2]]) {
        for (mine, &weight) in self.weights.iter().zip(weights) {
            store(mine, weight);
        }
        for ([sum, absolute], errors) in self.errors.iter().zip(errors) {
            store(sum, errors[0]);
            store(absolute, errors[1]);
        }
    }

    /// Puts a weight and its errors as they were.
    pub(super) fn restore(&self, index: usize, weight: f32, errors: (f32, f32)) {
        store(&self.weights[index], weight);
        if let Some([sum, absolute]) = self.errors.get(index) {
            store(sum, errors.0);
            store(absolute, errors.1);
        }
    }

    /// The expected rest of the score from a board, as its nibbles, after a slide.
    pub fn value(&self, nibbles: u64) -> f32 {
        struct Value<'a>(&'a Learner, u64);
        impl WithShape for Value<'_> {
            type Output = f32;
            fn with<const N: usize>(self, shape: impl Shape<N>) -> f32 {
                self.0.value_in(shape, self.1)
            }
        }
        self.tuples.with_shape(Value(self, nibbles))
    }

    /// Moves the value of a board towards a target, and gives the new value.
    pub fn learn(&self, nibbles: u64, target: f32) -> f32 {
        struct Learn<'a>(&'a Learner, u64, f32);
        impl WithShape for Learn<'_> {
            type Output = f32;
            fn with<const N: usize>(self, shape: impl Shape<N>) -> f32 {
                self.0.learn_in(shape, self.1, self.2)
            }
        }
        self.tuples.with_shape(Learn(self, nibbles, target))
    }

    /// [`value`](Learner::value) for tuples of this shape.
    #[inline(always)]
    pub(super) fn value_in<const N: usize>(&self, shape: impl Shape<N>, nibbles: u64) -> f32 {
        // One check of the length instead of one for each index.
        let weights = &self.weights[self.stages.part(nibbles, shape.weights())];
        let mut sums = [0.0; N];
        for board in symmetric(nibbles) {
            let places = shape.places(board);
            for tuple in 0..N {
                sums[tuple] += load(&weights[places[tuple]]);
            }
        }
        sums.iter().sum()
    }

    /// Where the weights of a board are; the processor is asked for them.
    #[inline(always)]
    pub(super) fn places_in<const N: usize>(
        &self,
        shape: impl Shape<N>,
        nibbles: u64,
    ) -> [[u32; N]; SYMMETRIES] {
        let start = self.stages.part(nibbles, shape.weights()).start;
        symmetric(nibbles).map(|board| {
            shape.places(board).map(|place| {
                prefetch(&self.weights, start + place);
                (start + place) as u32
            })
        })
    }

    /// The value of a board whose weights are at these places.
    #[inline(always)]
    pub(super) fn value_at<const N: usize>(&self, places: &[[u32; N]; SYMMETRIES]) -> f32 {
        let mut sums = [0.0; N];
        for places in places {
            for (sum, &place) in sums.iter_mut().zip(places) {
                *sum += load(&self.weights[place as usize]);
            }
        }
        sums.iter().sum()
    }

    /// Asks the processor for the weights and errors of a board that is learnt from soon.
    #[inline(always)]
    pub(super) fn fetch_in<const N: usize>(&self, shape: impl Shape<N>, nibbles: u64) {
        let start = self.stages.part(nibbles, shape.weights()).start;
        for board in symmetric(nibbles) {
            for place in shape.places(board) {
                prefetch(&self.weights, start + place);
                prefetch(&self.errors, start + place);
            }
        }
    }

    /// [`learn`](Learner::learn) for tuples of this shape.
    #[inline(always)]
    pub(super) fn learn_in<const N: usize>(
        &self,
        shape: impl Shape<N>,
        nibbles: u64,
        target: f32,
    ) -> f32 {
        let error = target - self.value_in(shape, nibbles);
        let share = error / (N * SYMMETRIES) as f32;
        let part = self.stages.part(nibbles, shape.weights());
        let weights = &self.weights[part.clone()];
        let mut sums = [0.0; N];
        let mut step = |tuple: usize, place: usize, step: f32| {
            let new = load(&weights[place]) + step;
            store(&weights[place], new);
            sums[tuple] += new;
        };
        match self.learning {
            Learning::Td => {
                for board in symmetric(nibbles) {
                    for (tuple, place) in shape.places(board).into_iter().enumerate() {
                        step(tuple, place, TD_RATE * share);
                    }
                }
            }
            Learning::Tc => {
                let errors = &self.errors[part];
                for board in symmetric(nibbles) {
                    for (tuple, place) in shape.places(board).into_iter().enumerate() {
                        let [sum, absolute] = &errors[place];
                        let (before, size) = (load(sum), load(absolute));
                        store(sum, before + error);
                        store(absolute, size + error.abs());
                        // How much the errors until now agree, 0 to 1.
                        step(tuple, place, before.abs() / size * share);
                    }
                }
            }
        }
        sums.iter().sum()
    }
}

#[inline(always)]
fn load(bits: &AtomicU32) -> f32 {
    f32::from_bits(bits.load(Ordering::Relaxed))
}

#[inline(always)]
fn store(bits: &AtomicU32, number: f32) {
    bits.store(number.to_bits(), Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: u64 = 0x0123_4567_0012_3001;

    fn learner(learning: Learning, optimism: f32) -> Learner {
        Learner::new("4x5".parse().expect("a name"), learning, optimism)
    }

    #[test]
    fn a_step_goes_towards_the_target() {
        for learning in Learning::ALL {
            let learner = learner(learning, 0.0);
            assert_eq!(learner.value(BOARD), 0.0);
            let mut before = 0.0;
            for target in [1000.0, 3000.0, -500.0] {
                let after = learner.learn(BOARD, target);
                assert!((after - learner.value(BOARD)).abs() < 0.1);
                assert!(
                    (target - after).abs() < (target - before).abs(),
                    "{learning}: {before} to {after}, target {target}"
                );
                before = after;
            }
        }
    }

    #[test]
    fn the_first_step_of_coherence_goes_all_the_way() {
        let learner = learner(Learning::Tc, 0.0);
        // No two images of this board share a weight.
        assert!((learner.learn(BOARD, 640.0) - 640.0).abs() < 0.01);
        // After errors of +640 and -640 nothing agrees any more.
        learner.learn(BOARD, 0.0);
        let before = learner.value(BOARD);
        assert_eq!(learner.learn(BOARD, 10_000.0), before);
    }

    #[test]
    fn an_optimist_expects_the_same_everywhere() {
        let learner = learner(Learning::Tc, 32_000.0);
        for board in [0, 1, BOARD, u64::MAX] {
            assert_eq!(learner.value(board), 32_000.0);
        }
    }

    #[test]
    fn mirrored_boards_are_worth_the_same() {
        let learner = learner(Learning::Tc, 0.0);
        learner.learn(BOARD, 1234.5);
        let value = learner.value(BOARD);
        for image in symmetric(BOARD) {
            assert!((learner.value(image) - value).abs() < 0.01);
        }
    }
}
