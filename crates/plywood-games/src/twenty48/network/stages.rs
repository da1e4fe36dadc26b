//! Which weights a board is worth: a game has stages, each with weights of its own.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use std::sync::LazyLock;

use super::Tuples;
use crate::text::TextError;

/// What starts of stages are multiples of.
const BETWEEN_STARTS: u32 = 2048;
/// Every start is below this: the sum of four tiles of 32768.
const END: u32 = 1 << 17;
/// How much more than its start the tiles add up to when a stage begins. At the start itself the
/// board is as full as it gets, with one tile of each kind that is about to become the next large
/// one. A stage that knows nothing yet would end right there, every time.
pub(super) const MERGED: u32 = 256;
/// The most starts of stages that are accepted.
const MOST_STARTS: usize = 7;
/// The most weights in all stages together: 2 GiB to play with, 12 GiB while they learn.
const MAX_WEIGHTS: usize = 1 << 30;

/// What the tiles of every row of four nibbles add up to.
static ROW_SUMS: LazyLock<Box<[u32; 1 << 16]>> = LazyLock::new(|| {
    let exponents = |row: u32| (0..4).map(move |cell| row >> (4 * cell) & 15);
    let tiles = |row| exponents(row).filter(|&exponent| exponent > 0);
    let sums: Vec<u32> = (0..1 << 16)
        .map(|row| tiles(row).map(|exponent| 1 << exponent).sum())
        .collect();
    let Ok(sums) = sums.into_boxed_slice().try_into() else {
        unreachable!("every row was listed");
    };
    sums
});

/// The stages of a game: with large tiles on the board other moves are good than without,
/// and a tuple does not see the tiles beside it.
///
/// A stage begins when the tiles of the board add up to this and a little more, so that
/// `16384,24576` makes three: until there is a 16384, until there is an 8192 besides, and
/// from then on. No slide changes what the tiles add up to: all slides of a board lead to the
/// same stage, and whatever the next stage knows or not, none of them can avoid it. As text they
/// are the sums, or `none` where a game is of one piece.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stages {
    starts: Vec<u32>,
}

impl Stages {
    /// Stages that begin at these sums, the first of them with the game, or why there can be
    /// none.
    pub fn new(starts: Vec<u32>) -> Result<Self, TextError> {
        let fits = |&start: &u32| (1..END).contains(&start) && start.is_multiple_of(BETWEEN_STARTS);
        if starts.len() > MOST_STARTS
            || !starts.iter().all(fits)
            || !starts.is_sorted_by(|a, b| a < b)
        {
            return Err(TextError::new(format!(
                "these are no stages: use none, or at most {MOST_STARTS} different multiples of \
                 {BETWEEN_STARTS} below {END} in ascending order, like 16384,24576"
            )));
        }
        Ok(Stages { starts })
    }

    /// The sums at which a stage after the first begins.
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// How many stages there are before the one that begins at this sum, if one does.
    pub fn before(&self, start: u32) -> Option<usize> {
        let place = self.starts.iter().position(|&mine| mine == start);
        place.map(|place| place + 1)
    }

    /// These and one more that begins at this sum, unless one does, or why it cannot.
    pub fn with(&self, start: u32) -> Result<Self, TextError> {
        let mut starts = self.starts.clone();
        if let Err(place) = starts.binary_search(&start) {
            starts.insert(place, start);
        }
        Stages::new(starts)
    }

    /// How many stages there are.
    pub fn count(&self) -> usize {
        self.starts.len() + 1
    }

    /// The numbers that the stages of another division have among these, if all are.
    pub(super) fn places_of(&self, others: &Stages) -> Option<Vec<usize>> {
        let later = others.starts.iter().map(|&start| self.before(start));
        std::iter::once(Some(0)).chain(later).collect()
    }

    /// Whether these tuples can have weights for so many stages, or why not.
    pub(super) fn check(&self, tuples: &Tuples) -> Result<(), TextError> {
        let (each, count) = (tuples.weights(), self.count());
        if each * count > MAX_WEIGHTS {
            return Err(TextError::new(format!(
                "{each} weights in each of {count} stages: use fewer stages, or tuples with at most \
                 {MAX_WEIGHTS} weights in all stages"
            )));
        }
        Ok(())
    }

    /// The stage of a board of these nibbles, 0 for the first.
    #[inline(always)]
    pub fn of(&self, nibbles: u64) -> usize {
        if self.starts.is_empty() {
            return 0;
        }
        let sums = &**ROW_SUMS;
        let row = |number: usize| usize::from((nibbles >> (16 * number)) as u16);
        self.of_sum((0..4).map(|number| sums[row(number)]).sum())
    }

    /// The stage of a board whose tiles add up to this.
    #[inline(always)]
    pub(super) fn of_sum(&self, sum: u32) -> usize {
        let begun = |&&start: &&u32| start + MERGED <= sum;
        self.starts.iter().filter(begun).count()
    }

    /// Where the weights for a board are, if every stage has so many.
    #[inline(always)]
    pub(super) fn part(&self, nibbles: u64, weights: usize) -> Range<usize> {
        let start = self.of(nibbles) * weights;
        start..start + weights
    }
}

impl FromStr for Stages {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        if text == "none" {
            return Ok(Stages::default());
        }
        // Whatever is no number is no stage either.
        let start = |word: &str| word.parse().unwrap_or(0);
        // A long text would only be refused later.
        Stages::new(text.split(',').take(MOST_STARTS + 1).map(start).collect())
    }
}

impl fmt::Display for Stages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.starts.is_empty() {
            return f.write_str("none");
        }
        for (number, start) in self.starts.iter().enumerate() {
            let comma = if number > 0 { "," } else { "" };
            write!(f, "{comma}{start}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::twenty48::{Board, Direction, Twenty48};

    #[test]
    fn a_stage_is_that_of_the_sum_of_all_tiles() {
        let mut seed = 1u64;
        for starts in [vec![], vec![2048], vec![16_384, 24_576, 32_768, 65_536]] {
            let stages = Stages::new(starts.clone()).expect("ascending");
            assert_eq!(stages.count(), starts.len() + 1);
            let mut met = vec![0; stages.count()];
            for number in 0..4000u32 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                // Boards at random have most large tiles: without some of the bits, fewer.
                let board = match number % 4 {
                    0 => seed,
                    1 => seed & seed.rotate_left(21),
                    2 => seed & 0x7777_7777_7777_7777,
                    _ => seed & seed.rotate_left(9) & seed.rotate_left(30),
                };
                let exponents = (0..16).map(|cell| board >> (4 * cell) & 15);
                let tiles = exponents.filter(|&exponent| exponent > 0);
                let sum: u32 = tiles.map(|exponent| 1 << exponent).sum();
                let begun = starts.iter().filter(|&&start| sum >= start + 256).count();
                assert_eq!(stages.of(board), begun, "{board:x}");
                met[begun] += 1;
            }
            assert!(met.iter().all(|&count| count > 0), "{met:?}");
        }
    }

    #[test]
    fn too_many_weights_are_refused() {
        let tuples: Tuples = "0123456".parse().expect("cells");
        let stages = |text: &str| text.parse::<Stages>().expect("stages");
        assert_eq!(stages("8192,16384,24576").check(&tuples), Ok(()));
        let five = stages("8192,16384,24576,32768");
        let error = five.check(&tuples).expect_err("5 * 16^7");
        assert!(error.to_string().contains("fewer stages"), "{error}");
    }

    #[test]
    fn no_slide_changes_the_stage() {
        let game = Twenty48::new();
        let stages: Stages = "2048,4096,8192,16384,32768".parse().expect("starts");
        let mut seed = 1u64;
        let mut met = [0; 6];
        for _ in 0..5000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            // Tiles of 32768 at most after two have merged, small ones more often than large ones.
            let nibbles = seed & seed.rotate_left(9) & 0xeeee_eeee_eeee_eeee;
            let board = Board {
                nibbles,
                ..Board::EMPTY
            };
            met[stages.of(nibbles)] += 1;
            for direction in Direction::ALL {
                let (slid, _) = game.slide(board, direction);
                assert_eq!(stages.of(slid.nibbles), stages.of(nibbles), "{nibbles:x}");
            }
        }
        assert!(met.iter().all(|&count| count > 0), "{met:?}");
    }

    #[test]
    fn stages_are_read_and_written() {
        for text in ["none", "2048", "16384,24576,30720,32768"] {
            assert_eq!(text.parse::<Stages>().expect(text).to_string(), text);
        }
        for text in [
            "",
            "0",
            "5000",
            "131072",
            "8192,4096",
            "4096,4096",
            "x",
            "-4096",
            "4096,",
            "4096,8192,12288,16384,20480,24576,28672,32768",
        ] {
            let error = text.parse::<Stages>().expect_err(text).to_string();
            assert!(error.contains("16384,24576"), "{error}");
        }
    }
}
