//! Which cells a network looks at, and the number that the tiles on them make.

use std::fmt;
use std::str::FromStr;

use crate::text::TextError;
use crate::twenty48::board::transpose;

/// The mirrored and turned boards that every tuple is read from.
pub(super) const SYMMETRIES: usize = 8;
/// The most tuples of a network.
const MAX_TUPLES: usize = 8;
/// The most cells a tuple can have: the weights are 16 for each cell more.
const MAX_CELLS: usize = 7;
/// The most weights of a network: 1 GiB of them, 3 GiB while it learns.
const MAX_WEIGHTS: usize = 1 << 28;

/// The cells of a tuple, as shifts that bring neighbours together to their place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Pattern {
    /// What `shift` brings down to the nibbles of `mask`.
    runs: [Run; MAX_CELLS],
    count: usize,
    /// How many numbers the tiles can make.
    size: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Run {
    shift: u32,
    mask: u64,
}

impl Pattern {
    /// The pattern of these cells, in ascending order.
    const fn of(cells: &[u8]) -> Self {
        let mut runs = [Run { shift: 0, mask: 0 }; MAX_CELLS];
        let mut count = 0;
        let mut place = 0;
        while place < cells.len() {
            // In ascending order no cell is left of its place: all shifts are to the right.
            let shift = 4 * (cells[place] as u32 - place as u32);
            if count == 0 || runs[count - 1].shift != shift {
                runs[count].shift = shift;
                count += 1;
            }
            runs[count - 1].mask |= 0xf << (4 * place);
            place += 1;
        }
        Pattern {
            runs,
            count,
            size: 1 << (4 * cells.len()),
        }
    }

    /// The number that the tiles make: a nibble for each cell, the first lowest.
    #[inline(always)]
    fn index(&self, nibbles: u64) -> usize {
        let mut index = 0;
        for run in &self.runs[..self.count] {
            index |= nibbles >> run.shift & run.mask;
        }
        index as usize
    }
}

/// How many weights these patterns have together.
const fn weights_of(patterns: &[Pattern]) -> usize {
    let mut weights = 0;
    let mut at = 0;
    while at < patterns.len() {
        weights += patterns[at].size;
        at += 1;
    }
    weights
}

/// Turns a board's left side to its right.
#[inline(always)]
const fn mirror(nibbles: u64) -> u64 {
    let pairs = (nibbles & 0x0f0f_0f0f_0f0f_0f0f) << 4 | nibbles >> 4 & 0x0f0f_0f0f_0f0f_0f0f;
    (pairs & 0x00ff_00ff_00ff_00ff) << 8 | pairs >> 8 & 0x00ff_00ff_00ff_00ff
}

/// Turns a board upside down.
#[inline(always)]
const fn flip(nibbles: u64) -> u64 {
    let halves = nibbles.rotate_left(32);
    (halves & 0x0000_ffff_0000_ffff) << 16 | halves >> 16 & 0x0000_ffff_0000_ffff
}

/// The board as it looks mirrored and turned.
#[inline(always)]
pub(super) const fn symmetric(nibbles: u64) -> [u64; SYMMETRIES] {
    let (upright, across) = (nibbles, transpose(nibbles));
    [
        upright,
        mirror(upright),
        flip(upright),
        flip(mirror(upright)),
        across,
        mirror(across),
        flip(across),
        flip(mirror(across)),
    ]
}

/// Where the weights are of the tuples on a board. Known when compiled, shifts and masks are
/// constants and no index needs a check.
pub(super) trait Shape<const N: usize>: Copy + Send + Sync {
    /// How many weights there are.
    fn weights(self) -> usize;

    /// The place of each tuple's weight, all below [`weights`](Shape::weights).
    fn places(self, nibbles: u64) -> [usize; N];
}

/// Something to do with a shape, whichever it is.
pub(super) trait WithShape {
    /// What comes of it.
    type Output;

    /// Does it.
    fn with<const N: usize>(self, shape: impl Shape<N>) -> Self::Output;
}

/// Patterns that are known only at run time.
#[derive(Clone, Copy)]
struct Listed<'a, const N: usize> {
    patterns: &'a [Pattern; N],
    weights: usize,
}

impl<const N: usize> Shape<N> for Listed<'_, N> {
    #[inline(always)]
    fn weights(self) -> usize {
        self.weights
    }

    #[inline(always)]
    fn places(self, nibbles: u64) -> [usize; N] {
        let mut start = 0;
        self.patterns.each_ref().map(|pattern| {
            let place = start + pattern.index(nibbles);
            start += pattern.size;
            place
        })
    }
}

/// Sets of tuples by name, each compiled as a shape of its own.
macro_rules! named_sets {
    ($($variant:ident = $name:literal: $([$($cell:literal),*])*;)*) => {
        /// A set that was compiled, or another.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        enum Set {
            $($variant,)*
            Other,
        }

        /// All sets that have a name, with their cells.
        const NAMED: &[(&str, Set, &[&[u8]])] = &[
            $(($name, Set::$variant, &[$(&[$($cell),*]),*]),)*
        ];

        $(
            #[derive(Clone, Copy)]
            struct $variant;

            impl $variant {
                const PATTERNS: [Pattern; [$([$($cell),*].len()),*].len()] =
                    [$(Pattern::of(&[$($cell),*])),*];
            }

            impl Shape<{ $variant::PATTERNS.len() }> for $variant {
                #[inline(always)]
                fn weights(self) -> usize {
                    const { weights_of(&$variant::PATTERNS) }
                }

                #[inline(always)]
                fn places(self, nibbles: u64) -> [usize; $variant::PATTERNS.len()] {
                    let mut start = 0;
                    [$({
                        const PATTERN: Pattern = Pattern::of(&[$($cell),*]);
                        let place = start + PATTERN.index(nibbles);
                        start += PATTERN.size;
                        let _ = start;
                        place
                    }),*]
                }
            }
        )*

        impl Tuples {
            /// Does something with the shape of these tuples.
            #[inline(always)]
            pub(super) fn with_shape<W: WithShape>(&self, task: W) -> W::Output {
                match self.set {
                    $(Set::$variant => task.with($variant),)*
                    Set::Other => self.with_listed(task),
                }
            }
        }
    };
}

named_sets! {
    FourFive = "4x5": [0, 1, 2, 3, 4] [4, 5, 6, 7, 8] [0, 1, 2, 4, 5] [4, 5, 6, 8, 9];
    SixFive = "6x5": [0, 1, 2, 3, 4] [4, 5, 6, 7, 8] [0, 1, 2, 4, 5] [4, 5, 6, 8, 9]
        [0, 1, 2, 5, 6] [4, 5, 6, 9, 10];
    EightFive = "8x5": [0, 1, 2, 3, 4] [4, 5, 6, 7, 8] [0, 1, 2, 4, 5] [4, 5, 6, 8, 9]
        [0, 1, 2, 5, 6] [4, 5, 6, 9, 10] [0, 1, 2, 3, 5] [4, 5, 6, 7, 9];
    FourSix = "4x6": [0, 1, 2, 3, 4, 5] [4, 5, 6, 7, 8, 9] [0, 1, 2, 4, 5, 6]
        [4, 5, 6, 8, 9, 10];
    EightSix = "8x6": [0, 1, 2, 4, 5, 6] [1, 2, 5, 6, 9, 13] [0, 1, 2, 3, 4, 5]
        [0, 1, 5, 6, 7, 10] [0, 1, 2, 5, 9, 10] [0, 1, 5, 9, 13, 14] [0, 1, 5, 8, 9, 13]
        [0, 1, 2, 4, 6, 10];
}

/// The tuples of a network: sets of cells, each read from the board and from its seven
/// mirrored and turned images.
///
/// As text they are a name, `4x6` for four tuples of six cells, or the cells themselves,
/// counted row by row from the top left in hexadecimal: `0123,4567,0145`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tuples {
    set: Set,
    cells: Vec<Vec<u8>>,
    patterns: Vec<Pattern>,
}

impl Tuples {
    /// Tuples with these cells, or why there can be none.
    pub fn new(mut cells: Vec<Vec<u8>>) -> Result<Self, TextError> {
        let accepted = format!(
            "use 1 to {MAX_TUPLES} tuples of 1 to {MAX_CELLS} different cells with at most {MAX_WEIGHTS} \
             weights in all, or one of {}",
            Tuples::names().join(", ")
        );
        let refused = |what: String| Err(TextError::new(format!("{what}: {accepted}")));
        if !(1..=MAX_TUPLES).contains(&cells.len()) {
            return refused(format!("{} tuples", cells.len()));
        }
        for tuple in &mut cells {
            // The order of cells changes where a weight is, not what is learnt.
            tuple.sort_unstable();
            if tuple.is_empty() || tuple.len() > MAX_CELLS {
                return refused(format!("a tuple of {} cells", tuple.len()));
            }
            if tuple.windows(2).any(|pair| pair[0] == pair[1]) {
                return refused("a tuple with a cell twice".to_owned());
            }
            if tuple.iter().any(|&cell| cell > 15) {
                return refused("a cell that is not on the board".to_owned());
            }
        }
        let patterns: Vec<Pattern> = cells.iter().map(|cells| Pattern::of(cells)).collect();
        let weights = weights_of(&patterns);
        if weights > MAX_WEIGHTS {
            return refused(format!("{weights} weights"));
        }
        let named = NAMED.iter().find(|(_, _, named)| *named == cells);
        Ok(Tuples {
            set: named.map_or(Set::Other, |&(_, set, _)| set),
            cells,
            patterns,
        })
    }

    /// The sets that have a name.
    pub fn names() -> Vec<&'static str> {
        NAMED.iter().map(|&(name, _, _)| name).collect()
    }

    /// The cells of every tuple in ascending order.
    pub fn cells(&self) -> &[Vec<u8>] {
        &self.cells
    }

    /// How many numbers are looked up for a board.
    pub fn lookups(&self) -> usize {
        self.cells.len() * SYMMETRIES
    }

    /// How many weights there are.
    pub fn weights(&self) -> usize {
        weights_of(&self.patterns)
    }

    /// [`with_shape`](Tuples::with_shape) for cells that have no name.
    fn with_listed<W: WithShape>(&self, task: W) -> W::Output {
        fn list<const N: usize, W: WithShape>(patterns: &[Pattern], task: W) -> W::Output {
            let weights = weights_of(patterns);
            let patterns = patterns.try_into().expect("as many as were counted");
            task.with::<N>(Listed { patterns, weights })
        }
        let patterns = &self.patterns[..];
        match patterns.len() {
            1 => list::<1, W>(patterns, task),
            2 => list::<2, W>(patterns, task),
            3 => list::<3, W>(patterns, task),
            4 => list::<4, W>(patterns, task),
            5 => list::<5, W>(patterns, task),
            6 => list::<6, W>(patterns, task),
            7 => list::<7, W>(patterns, task),
            8 => list::<8, W>(patterns, task),
            _ => unreachable!("no more than {MAX_TUPLES} tuples are accepted"),
        }
    }
}

impl FromStr for Tuples {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        if let Some((_, _, cells)) = NAMED.iter().find(|&&(name, _, _)| name == text) {
            return Tuples::new(cells.iter().map(|cells| cells.to_vec()).collect());
        }
        let cell = |digit: char| digit.to_digit(16).map(|cell| cell as u8);
        let tuple = |word: &str| word.chars().map(cell).collect::<Option<Vec<u8>>>();
        // A long text would only be refused later.
        let words = text.split(',').take(MAX_TUPLES + 1);
        match words.map(tuple).collect::<Option<Vec<_>>>() {
            Some(cells) => Tuples::new(cells),
            None => Err(TextError::new(format!(
                "'{}' names no tuples: use one of {}, or cells in hexadecimal like 0123,4567,0145",
                text.chars().take(40).collect::<String>().escape_debug(),
                Tuples::names().join(", ")
            ))),
        }
    }
}

impl fmt::Display for Tuples {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((name, _, _)) = NAMED.iter().find(|(_, set, _)| *set == self.set) {
            return f.write_str(name);
        }
        for (number, cells) in self.cells.iter().enumerate() {
            if number > 0 {
                f.write_str(",")?;
            }
            for cell in cells {
                write!(f, "{cell:x}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A board's images by coordinates: where the tile of each cell comes from.
    fn image(exponents: [u8; 16], symmetry: usize) -> [u8; 16] {
        std::array::from_fn(|cell| {
            let (mut row, mut column) = (cell / 4, cell % 4);
            if symmetry & 2 != 0 {
                row = 3 - row;
            }
            if symmetry & 1 != 0 {
                column = 3 - column;
            }
            if symmetry & 4 != 0 {
                (row, column) = (column, row);
            }
            exponents[4 * row + column]
        })
    }

    /// The places of a board and its images.
    struct AllPlaces(u64);

    impl WithShape for AllPlaces {
        type Output = Vec<usize>;

        fn with<const N: usize>(self, shape: impl Shape<N>) -> Vec<usize> {
            symmetric(self.0)
                .into_iter()
                .flat_map(|board| shape.places(board))
                .inspect(|&place| assert!(place < shape.weights()))
                .collect()
        }
    }

    fn nibbles(exponents: [u8; 16]) -> u64 {
        (0..16).fold(0, |all, cell| {
            all | u64::from(exponents[cell]) << (4 * cell)
        })
    }

    #[test]
    fn indices_are_the_tiles_of_every_image_one_after_the_other() {
        let mut seed = 1u64;
        let sets = [
            "4x5",
            "6x5",
            "8x5",
            "4x6",
            "8x6",
            "0,05af,13579b,fedc",
            "13579bd",
        ];
        for set in sets.map(|set| set.parse::<Tuples>().expect(set)) {
            for _ in 0..200 {
                let exponents: [u8; 16] = std::array::from_fn(|_| {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    (seed >> 60) as u8
                });
                let mut expected = Vec::new();
                for symmetry in 0..SYMMETRIES {
                    let image = image(exponents, symmetry);
                    let mut start = 0;
                    for cells in set.cells() {
                        let digits = cells.iter().rev();
                        let index = digits.fold(0, |index, &cell| {
                            index * 16 + usize::from(image[usize::from(cell)])
                        });
                        expected.push(start + index);
                        start += 16usize.pow(cells.len() as u32);
                    }
                    assert_eq!(start, set.weights());
                }
                let found = set.with_shape(AllPlaces(nibbles(exponents)));
                assert_eq!(found, expected, "{set}");
            }
        }
    }

    #[test]
    fn the_images_of_a_board_are_eight_different_ones() {
        let board = nibbles(std::array::from_fn(|cell| cell as u8));
        let mut images = symmetric(board).to_vec();
        images.sort_unstable();
        images.dedup();
        assert_eq!(images.len(), SYMMETRIES);
        // The images of an image are the same eight.
        for image in images.clone() {
            let mut again = symmetric(image).to_vec();
            again.sort_unstable();
            assert_eq!(again, images);
        }
    }

    #[test]
    fn tuples_are_read_and_written() {
        for name in Tuples::names() {
            assert_eq!(name.parse::<Tuples>().expect(name).to_string(), name);
        }
        let custom: Tuples = "3210,fa".parse().expect("cells");
        assert_eq!(custom.to_string(), "0123,af");
        assert_eq!((custom.weights(), custom.lookups()), (65_536 + 256, 16));
        let spelt: Tuples = "012345,456789,012456,45689a".parse().expect("cells");
        assert_eq!(spelt.to_string(), "4x6");
        for text in [
            "",
            "4x7",
            "00",
            "0123,",
            "012345678",
            "g",
            "0123456,1234567",
            "-1",
            "0 1",
        ] {
            let error = text.parse::<Tuples>().expect_err(text).to_string();
            assert!(error.contains("4x6"), "{error}");
        }
    }
}
