//! Which weights a board is worth: a game has stages, each with weights of its own.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use super::Tuples;
use crate::text::TextError;

/// The smallest tile that counts for a stage, as a power of two: 4096.
const SMALLEST: u32 = 12;
/// The most starts of stages that are accepted.
const MOST_STARTS: usize = 7;
/// The most weights in all stages together.
const MAX_WEIGHTS: usize = 1 << 29;
/// A 1 in every nibble.
const ONES: u64 = 0x1111_1111_1111_1111;

/// The stages of a game: with large tiles on the board other moves are good than without,
/// and a tuple does not see the tiles beside it.
///
/// A stage begins when the different tiles of the board from 4096 on have this sum, so that
/// `16384,24576` makes three: until there is a 16384, until there is an 8192 besides, and
/// from then on. As text they are the sums, or `none` where a game is of one piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stages {
    starts: Vec<u32>,
    /// The stage of a board by its large tiles: bit 0 for a 4096, bit 3 for a 32768.
    of_large: [u8; 16],
}

impl Default for Stages {
    /// One stage: the whole game.
    fn default() -> Self {
        Stages::starting_at(Vec::new())
    }
}

impl Stages {
    /// Stages that begin at these sums, the first of them with the game, or why there can be
    /// none.
    pub fn new(starts: Vec<u32>) -> Result<Self, TextError> {
        let sums = 1 << SMALLEST..16 << SMALLEST;
        let fits = |start: &u32| sums.contains(start) && start.is_multiple_of(sums.start);
        if starts.len() > MOST_STARTS
            || !starts.iter().all(fits)
            || !starts.is_sorted_by(|a, b| a < b)
        {
            return Err(TextError::new(format!(
                "these are no stages: use none, or at most {MOST_STARTS} different multiples of {} \
                 below {} in ascending order, like 16384,24576",
                sums.start, sums.end
            )));
        }
        Ok(Stages::starting_at(starts))
    }

    fn starting_at(starts: Vec<u32>) -> Self {
        let stage = |large: usize| {
            let sum = (large as u32) << SMALLEST;
            starts.iter().filter(|&&start| start <= sum).count() as u8
        };
        let of_large = std::array::from_fn(stage);
        Stages { starts, of_large }
    }

    /// The sums at which a stage after the first begins.
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// How many stages there are.
    pub fn count(&self) -> usize {
        self.starts.len() + 1
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
        // The exponents from 12 on have the two upper bits of a nibble.
        let large = nibbles >> 3 & nibbles >> 2 & ONES;
        if large == 0 {
            return 0;
        }
        let (upper, lower) = (nibbles >> 1, nibbles);
        let has = |flags: u64| usize::from(flags != 0);
        let tiles = has(large & !upper & !lower)
            | has(large & !upper & lower) << 1
            | has(large & upper & !lower) << 2
            | has(large & upper & lower) << 3;
        usize::from(self.of_large[tiles])
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

    /// The stage by the definition.
    fn stage(starts: &[u32], nibbles: u64) -> usize {
        let mut tiles: Vec<u32> = (0..16)
            .map(|cell| 1 << (nibbles >> (4 * cell) & 15))
            .collect();
        tiles.retain(|&tile| tile >= 4096);
        tiles.sort_unstable();
        tiles.dedup();
        let sum: u32 = tiles.iter().sum();
        starts.iter().filter(|&&start| sum >= start).count()
    }

    #[test]
    fn a_stage_is_that_of_the_different_large_tiles() {
        let mut seed = 1u64;
        for starts in [
            vec![],
            vec![4096],
            vec![16_384, 24_576, 32_768],
            vec![8192, 61_440],
        ] {
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
                assert_eq!(stages.of(board), stage(&starts, board), "{board:x}");
                met[stages.of(board)] += 1;
            }
            assert!(met.iter().all(|&count| count > 0), "{met:?}");
        }
    }

    #[test]
    fn too_many_weights_are_refused() {
        let tuples: Tuples = "0123456".parse().expect("cells");
        let stages = |text: &str| text.parse::<Stages>().expect("stages");
        assert_eq!(stages("16384").check(&tuples), Ok(()));
        let error = stages("8192,16384").check(&tuples).expect_err("3 * 16^7");
        assert!(error.to_string().contains("fewer stages"), "{error}");
    }

    #[test]
    fn stages_are_read_and_written() {
        for text in ["none", "4096", "16384,24576,32768"] {
            assert_eq!(text.parse::<Stages>().expect(text).to_string(), text);
        }
        for text in [
            "",
            "0",
            "5000",
            "65536",
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
