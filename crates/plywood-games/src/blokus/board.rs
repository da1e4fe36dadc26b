//! A set of cells: one bit each, in one 512-bit register.
//!
//! A row of the board takes 21 bits, whatever the variant: the bit after the last column is
//! never a cell, so that a shape that would run over the right edge meets it instead of
//! wrapping around. One empty row and column lie before the first cell, so that the
//! surroundings of a placement never begin before bit 0.

/// Bits to a row.
pub(super) const COLUMNS: usize = 21;
/// Words in a set.
pub(super) const WORDS: usize = 8;
/// The words that can hold cells of the board.
pub(super) const USED_WORDS: usize = 7;
/// The bit of the top left cell.
const ORIGIN: usize = COLUMNS + 1;

/// The bit of a cell; x counts from the left, y from the top.
pub(super) const fn cell_bit(x: usize, y: usize) -> usize {
    ORIGIN + y * COLUMNS + x
}

/// The column and the row of the cell with this bit.
pub(super) const fn cell_at(bit: usize) -> (usize, usize) {
    ((bit - ORIGIN) % COLUMNS, (bit - ORIGIN) / COLUMNS)
}

/// Where the window around a placement begins: the word, and the bit in it. The placement
/// is named by the bit of the top left cell of its box.
#[inline(always)]
pub(super) const fn window_start(anchor: usize) -> (usize, u32) {
    let first = anchor - ORIGIN;
    (first / 64, (first % 64) as u32)
}

/// A set of cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(super) struct Board(pub(super) [u64; WORDS]);

impl Board {
    pub(super) const EMPTY: Board = Board([0; WORDS]);

    /// Everything but the cells of a board of this size.
    pub(super) const fn outside(size: usize) -> Self {
        let mut board = Board([!0; WORDS]);
        let mut y = 0;
        while y < size {
            let mut x = 0;
            while x < size {
                let bit = cell_bit(x, y);
                board.0[bit / 64] &= !(1 << (bit % 64));
                x += 1;
            }
            y += 1;
        }
        board
    }

    pub(super) const fn single(bit: usize) -> Self {
        let mut board = Board::EMPTY;
        board.0[bit / 64] = 1 << (bit % 64);
        board
    }

    #[inline]
    pub(super) fn contains(&self, bit: usize) -> bool {
        self.0[bit / 64] >> (bit % 64) & 1 != 0
    }

    /// A set whose words are made of those of two sets.
    #[inline(always)]
    fn with(&self, other: &Board, make: impl Fn(u64, u64) -> u64) -> Self {
        let mut words = self.0;
        for (word, &other) in words.iter_mut().zip(&other.0) {
            *word = make(*word, other);
        }
        Board(words)
    }

    /// Every bit moved up by a constant from 1 to 63.
    #[inline(always)]
    fn up(&self, by: u32) -> Self {
        let mut words = self.0.map(|word| word << by);
        for (word, below) in words[1..].iter_mut().zip(&self.0) {
            *word |= below >> (64 - by);
        }
        Board(words)
    }

    /// Every bit moved down by a constant from 1 to 63.
    #[inline(always)]
    fn down(&self, by: u32) -> Self {
        let mut words = self.0.map(|word| word >> by);
        for (word, above) in words.iter_mut().zip(&self.0[1..]) {
            *word |= above << (64 - by);
        }
        Board(words)
    }

    /// The cells and those beside them, as far as these are in a set.
    #[inline(always)]
    pub(super) fn grown_within(&self, set: &Board) -> Self {
        const ROW: u32 = COLUMNS as u32;
        let columns = self.down(1).or(&self.up(1));
        let rows = self.down(ROW).or(&self.up(ROW));
        self.or(&columns.or(&rows).and(set))
    }

    /// The cells with all four beside them.
    #[inline(always)]
    pub(super) fn inner(&self) -> Self {
        const ROW: u32 = COLUMNS as u32;
        let columns = self.down(1).and(&self.up(1));
        let rows = self.down(ROW).and(&self.up(ROW));
        self.and(&columns.and(&rows))
    }

    /// How many cells there are; the last word never holds any.
    #[inline(always)]
    pub(super) fn count(&self) -> u32 {
        let words = &self.0[..USED_WORDS];
        words.iter().map(|word| word.count_ones()).sum()
    }

    #[inline(always)]
    pub(super) fn or(&self, other: &Board) -> Self {
        self.with(other, |own, other| own | other)
    }

    #[inline(always)]
    pub(super) fn and(&self, other: &Board) -> Self {
        self.with(other, |own, other| own & other)
    }

    #[inline(always)]
    pub(super) fn without(&self, other: &Board) -> Self {
        self.with(other, |own, other| own & !other)
    }

    /// What is in neither.
    #[inline(always)]
    pub(super) fn nor(&self, other: &Board) -> Self {
        self.with(other, |own, other| !(own | other))
    }

    /// Adds the cells of a shifted window (see [`shift`]) that starts in this word.
    #[inline(always)]
    pub(super) fn add(&mut self, word: usize, window: [u64; 3]) {
        for (mine, added) in self.0[word..].iter_mut().zip(window) {
            *mine |= added;
        }
    }
}

/// A window of a shape moved to where its placement begins in a word. The surroundings of
/// the tallest piece span 129 bits, so three words are enough wherever it begins.
#[inline(always)]
pub(super) fn shift(window: &super::pieces::Window, by: u32) -> [u64; 3] {
    let at = |i: usize| (window[i] << by) | (window[i - 1] >> 1 >> (63 - by));
    [at(1), at(2), at(3)]
}
