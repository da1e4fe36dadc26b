//! Learning a second look from recorded positions: the network follows where the search went, in
//! floating point, and is then rounded to whole numbers.
//!
//! It is learnt with Adam, with decay of the weights, in steps that grow at first and then shrink
//! to nothing at the end of the course. A step looks at some positions in parts of a few; the
//! slopes of the parts are added up in order, so that one number of threads gives the same
//! network as another.

mod convolution;
mod network;
mod positions;
mod rounded;

use std::sync::Mutex;

use plywood::Random;

use self::convolution::Instructions;
use self::network::{Network, Scratch};
pub use self::positions::Positions;
use self::positions::{Position, place_of};
use self::rounded::Scales;
use super::super::descent::Descent;
use super::{LAYERS, SecondLook};
use crate::text::TextError;

/// The fewest positions to learn from.
const FEWEST: usize = 500;
/// So many positions are learnt from at once. After three passes of 30,000 positions 256 at a time
/// with steps twice as long misjudge the search by 2.86, these by 2.83.
const BATCH: usize = 128;
/// So many of them are a part, which one thread works on.
const PART: usize = 4;
/// How far a weight moves in a step, about.
const STEP: f64 = 2e-3;
/// In so many steps they become as long as that.
const FIRST_STEPS: usize = 200;
/// The mean slopes of all weights together are not steeper than this.
const STEEPEST: f64 = 1.0;
/// So many positions of the test say how large the numbers of a layer are, and one in so many of
/// its numbers.
const SCALED: (usize, usize) = (4000, 7);

/// How to learn a second look.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LookCourse {
    /// How often all positions are looked at.
    pub passes: u32,
    /// Threads, at least one; more than 32 are of no use.
    pub threads: usize,
    /// Decides the first weights and the order of the positions.
    pub seed: u64,
}

/// How good a network is, by positions that it has not learnt from.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Score {
    /// By how much it misjudges where the search went: the mean logarithm.
    pub error: f64,
    /// In what share of the positions its favourite is the search's.
    pub favourite: f64,
}

/// A second look that is being learnt.
pub struct LookLearner<'a> {
    positions: &'a Positions,
    course: LookCourse,
    random: Random,
    network: Network,
    descent: Descent,
    scratches: Vec<Scratch>,
    parts: Vec<Part>,
}

/// What the positions of a part say.
struct Part {
    slopes: Network,
    error: f64,
}

impl<'a> LookLearner<'a> {
    /// A network that knows nothing yet. There must be enough positions.
    pub fn new(positions: &'a Positions, course: LookCourse) -> Result<Self, TextError> {
        let count = positions.learnt().len();
        if count < FEWEST {
            return Err(TextError::new(format!(
                "{count} positions are too few to learn from: record at least {FEWEST}, beside one game in twelve to test with"
            )));
        }
        Ok(Self::with_few(positions, course))
    }

    fn with_few(positions: &'a Positions, course: LookCourse) -> Self {
        let mut random = Random::new(course.seed);
        let instructions = Instructions::best();
        let part = || Part {
            slopes: Network::zero(),
            error: 0.0,
        };
        let threads = course.threads.clamp(1, BATCH / PART);
        LookLearner {
            positions,
            course,
            network: Network::any(&mut random),
            random,
            descent: Descent::new(Network::zero().numbers().map(<[f32]>::len).sum()),
            scratches: (0..threads).map(|_| Scratch::new(instructions)).collect(),
            parts: (0..BATCH / PART).map(|_| part()).collect(),
        }
    }

    /// How many positions it learns from, and how many it is tested with.
    pub fn counts(&self) -> (usize, usize) {
        (self.positions.learnt().len(), self.positions.test().len())
    }

    /// How many threads are used, and which instructions.
    pub fn equipment(&self) -> (usize, &'static str) {
        (self.scratches.len(), self.scratches[0].instructions.name())
    }

    fn steps_of_a_pass(&self) -> usize {
        (self.positions.learnt().len() / BATCH).max(1)
    }

    /// Looks at all positions once. After every step it tells how many of all passes are done
    /// and the error of this step; the listener says whether to go on.
    pub fn learn(&mut self, mut on_step: impl FnMut(f64, f64) -> bool) -> bool {
        let mut order = self.positions.learnt().to_vec();
        for place in (1..order.len()).rev() {
            order.swap(place, self.random.below(place + 1));
        }
        let steps = self.steps_of_a_pass();
        for batch in order.chunks(BATCH).take(steps) {
            let error = self.step(batch);
            if !on_step(self.descent.steps as f64 / steps as f64, error) {
                return false;
            }
        }
        true
    }

    /// How long a step is now.
    fn length(&self) -> f64 {
        let all = self.steps_of_a_pass() * self.course.passes.max(1) as usize;
        let gone = self.descent.steps as f64 / all as f64;
        let grown = (self.descent.steps + 1) as f64 / FIRST_STEPS as f64;
        STEP * grown.min(1.0) * (1.0 - gone).max(0.0)
    }

    /// Moves all weights downhill; gives the error before.
    fn step(&mut self, batch: &[u32]) -> f64 {
        let (positions, network, length) = (self.positions, &self.network, self.length());
        let turned = network.turned();
        let parts = batch.chunks(PART).zip(&mut self.parts);
        share_out(&mut self.scratches, parts, |(places, part), scratch| {
            part.slopes.clear();
            let errors = places.iter().map(|&at| {
                let position = positions.get(at);
                network.add_slopes(&turned, position, scratch, &mut part.slopes)
            });
            part.error = errors.sum();
        });
        let (first, others) = self.parts.split_at_mut(1);
        let slopes = &mut first[0].slopes;
        let mut error = first[0].error;
        for part in &others[..batch.len().div_ceil(PART) - 1] {
            slopes.add(&part.slopes);
            error += part.error;
        }
        let count = batch.len() as f64;
        let squares = slopes.numbers().flatten();
        let steep = squares.map(|slope| f64::from(*slope).powi(2)).sum::<f64>();
        let steep = steep.sqrt() / count;
        let factor = (STEEPEST / steep.max(STEEPEST) / count) as f32;
        let weights = self.network.numbers_mut();
        self.descent.step(weights, slopes.numbers(), factor, length);
        error / count
    }

    /// How good the network is.
    pub fn test(&mut self) -> Score {
        let network = &self.network;
        score(self.positions, &mut self.scratches, |position, scratch| {
            network.weigh(position, scratch);
        })
    }

    /// How good a network in whole numbers is.
    pub fn test_rounded(&mut self, look: &SecondLook) -> Score {
        score(self.positions, &mut self.scratches, |position, scratch| {
            look.weigh_position(position, scratch);
        })
    }

    /// What the numbers of each layer are divided by in a file.
    fn scales(&mut self) -> Scales {
        let (positions, network) = (self.positions, &self.network);
        let places: Vec<u32> = {
            let test = positions.test();
            let every = (test.len() / SCALED.0).max(1);
            test.iter().copied().step_by(every).collect()
        };
        let mut made: Vec<[Vec<f32>; LAYERS + 1]> = Vec::new();
        made.resize_with(places.len().div_ceil(BATCH), Default::default);
        let parts = places.chunks(BATCH).zip(&mut made);
        share_out(&mut self.scratches, parts, |(places, made), scratch| {
            for &at in places {
                network.look(positions.get(at), scratch);
                for (made, cells) in made.iter_mut().zip(&scratch.made) {
                    let numbers = cells.numbers().iter().filter(|number| **number > 0.0);
                    made.extend(numbers.step_by(SCALED.1));
                }
            }
        });
        std::array::from_fn(|layer| {
            let parts = made.iter().map(|made| &made[layer][..]);
            rounded::scale_of(&mut parts.collect::<Vec<_>>().concat())
        })
    }

    /// The network in whole numbers: a file that [`SecondLook::read`] reads.
    pub fn rounded(&mut self) -> Vec<u8> {
        let scales = self.scales();
        rounded::write(&self.network, &scales)
    }
}

impl SecondLook {
    /// How likely each placement of a recorded position is, as a logarithm.
    fn weigh_position(&self, position: Position<'_>, scratch: &mut Scratch) {
        let (grids, view) = (&mut scratch.grids, &mut scratch.view);
        grids.planes = Default::default();
        position.see(|at, plane| grids.planes.set(at, plane));
        let of_hand = self.look(&position.traits(), grids);
        view.new_position(position);
        view.likely.extend(view.placements.iter().map(|&placement| {
            let (orientation, at) = place_of(placement);
            self.weigh_one(grids, &of_hand, orientation, at)
        }));
    }
}

/// How good something is that weighs the placements of positions.
fn score(
    positions: &Positions,
    scratches: &mut [Scratch],
    weigh: impl Fn(Position<'_>, &mut Scratch) + Sync,
) -> Score {
    let places = positions.test();
    let mut scores = vec![(0.0, 0); places.len().div_ceil(BATCH)];
    let parts = places.chunks(BATCH).zip(&mut scores);
    share_out(scratches, parts, |(places, score), scratch| {
        for &at in places {
            weigh(positions.get(at), scratch);
            let (error, favourite) = scratch.view.judge();
            *score = (score.0 + error, score.1 + u32::from(favourite));
        }
    });
    let count = places.len().max(1) as f64;
    Score {
        error: scores.iter().map(|score| score.0).sum::<f64>() / count,
        favourite: scores.iter().map(|score| f64::from(score.1)).sum::<f64>() / count,
    }
}

/// Does some work on every part, a thread for each scratch. Which thread works on a part
/// makes no difference.
fn share_out<T>(
    scratches: &mut [Scratch],
    parts: impl Iterator<Item = T> + Send,
    work: impl Fn(T, &mut Scratch) + Sync,
) {
    let parts = Mutex::new(parts);
    let work_on = |scratch: &mut Scratch| {
        // The lock is given back before the work begins.
        let next = || parts.lock().expect("no part panics").next();
        while let Some(part) = next() {
            work(part, scratch);
        }
    };
    let (first, others) = scratches.split_first_mut().expect("one thread at least");
    std::thread::scope(|scope| {
        for scratch in others {
            scope.spawn(|| work_on(scratch));
        }
        work_on(first);
    });
}

#[cfg(test)]
mod tests {
    use super::positions::tests::recorded;
    use super::*;

    fn some_positions() -> Positions {
        let mut positions = Positions::default();
        positions.add(&recorded(3, 5).0).expect("positions");
        positions
    }

    fn course(passes: u32, threads: usize) -> LookCourse {
        LookCourse {
            passes,
            threads,
            seed: 1,
        }
    }

    #[test]
    fn positions_are_learnt_by_heart_and_rounding_changes_little() {
        let positions = some_positions();
        let mut learner = LookLearner::with_few(&positions, course(120, 2));
        let mut errors = Vec::new();
        for _ in 0..120 {
            learner.learn(|_, error| {
                errors.push(error);
                true
            });
        }
        let (first, last) = (errors[0], errors[errors.len() - 1]);
        assert!(last < 0.5 * first, "{first} {last}");
        let look = SecondLook::read(&learner.rounded()).expect("a network");
        let (mut one, mut other) = (
            Scratch::new(Instructions::best()),
            Scratch::new(Instructions::best()),
        );
        let (mut furthest, mut lowest, mut highest) = (0.0f32, f32::MAX, f32::MIN);
        for at in 0..15 {
            let position = positions.get(at);
            learner.network.weigh(position, &mut one);
            look.weigh_position(position, &mut other);
            for (&one, &other) in one.view.likely.iter().zip(&other.view.likely) {
                furthest = furthest.max((one - other).abs());
                (lowest, highest) = (lowest.min(one), highest.max(one));
            }
        }
        let spread = highest - lowest;
        assert!(furthest < 0.05 * spread, "{furthest} of {spread}");
        let (exact, rounded) = (learner.test(), learner.test_rounded(&look));
        assert!((exact.error - rounded.error).abs() < 0.1 * exact.error);
    }

    #[test]
    fn any_number_of_threads_learns_the_same() {
        let positions = some_positions();
        let mut files = [1, 3].map(|threads| {
            let mut learner = LookLearner::with_few(&positions, course(3, threads));
            assert!((0..3).all(|_| learner.learn(|_, _| true)));
            learner.rounded()
        });
        assert!(files[0] == files[1], "three threads learn something else");
        let mut learner = LookLearner::with_few(&positions, course(3, 1));
        assert!(!learner.learn(|_, _| false), "it goes on");
        files[1] = learner.rounded();
        assert!(files[0] != files[1], "nothing was learnt after a step");
    }

    #[test]
    fn few_positions_are_refused() {
        let error = LookLearner::new(&some_positions(), course(1, 1)).err();
        let error = error.expect("too few").to_string();
        assert!(error.contains("10 positions are too few"), "{error}");
    }
}
