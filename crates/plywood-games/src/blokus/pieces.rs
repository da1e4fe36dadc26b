//! The 21 pieces, their 91 orientations, and the bit patterns move generation needs of
//! them: all worked out by the compiler.

use super::board::{COLUMNS, cell_bit};

/// How many pieces each colour has.
pub const PIECES: usize = 21;
/// How many different ways to turn and flip the pieces there are in all.
pub const ORIENTATIONS: usize = 91;
/// The squares of all pieces of a colour together.
pub const SQUARES: u8 = 89;
/// All pieces in hand, one bit each.
pub(super) const FULL_HAND: u32 = (1 << PIECES) - 1;

/// One of the 21 pieces. They are numbered from the largest to the smallest, so that a
/// list of moves starts with the moves that are usually the best.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct Piece(u8);

impl Piece {
    /// The single square.
    pub const SINGLE: Piece = Piece(PIECES as u8 - 1);

    /// All pieces in the order of their numbers.
    pub fn all() -> impl Iterator<Item = Piece> {
        (0..PIECES as u8).map(Piece)
    }

    pub(super) const fn new(index: usize) -> Self {
        assert!(index < PIECES);
        Piece(index as u8)
    }

    /// The number of the piece, from 0 to 20.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The usual short name: a letter it looks like, with the number of squares where
    /// pieces of several sizes look alike.
    pub const fn name(self) -> &'static str {
        DRAWINGS[self.index()].0
    }

    /// How many squares it has.
    pub const fn size(self) -> u8 {
        SHAPES[FIRST_ORIENTATION[self.index()]].size
    }

    pub(super) const fn bit(self) -> u32 {
        1 << self.0
    }
}

const DRAWINGS: [(&str, &[u8]); PIECES] = [
    ("F", b".##/##./.#."),
    ("I5", b"#####"),
    ("L5", b"####/#..."),
    ("N", b"##../.###"),
    ("P", b"###/##."),
    ("T5", b"###/.#./.#."),
    ("U", b"###/#.#"),
    ("V5", b"###/#../#.."),
    ("W", b"##./.##/..#"),
    ("X", b".#./###/.#."),
    ("Y", b"####/.#.."),
    ("Z5", b"##./.#./.##"),
    ("I4", b"####"),
    ("L4", b"###/#.."),
    ("O", b"##/##"),
    ("T4", b"###/.#."),
    ("Z4", b"##./.##"),
    ("I3", b"###"),
    ("V3", b"##/#."),
    ("2", b"##"),
    ("1", b"#"),
];

/// A step from the top left corner of the box around a piece to one of its cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Offset {
    pub(super) x: u8,
    pub(super) y: u8,
}

/// A piece of five squares reaches at most four steps right and down in all, so there are
/// only 15 offsets.
pub(super) const OFFSETS: usize = 15;

impl Offset {
    /// Numbers the offsets along the diagonals: those of small pieces come first.
    pub(super) const fn index(self) -> usize {
        let diagonal = (self.x + self.y) as usize;
        diagonal * (diagonal + 1) / 2 + self.y as usize
    }

    /// The offset with this number.
    pub(super) const fn from_index(index: usize) -> Self {
        let mut diagonal = 0;
        while (diagonal + 1) * (diagonal + 2) / 2 <= index {
            diagonal += 1;
        }
        let y = index - diagonal * (diagonal + 1) / 2;
        Offset {
            x: (diagonal - y) as u8,
            y: y as u8,
        }
    }

    /// By how many bits a set of cells moves if it is shifted by this offset.
    pub(super) const fn bits(self) -> usize {
        self.y as usize * COLUMNS + self.x as usize
    }
}

/// Some of the bits of a board, from the cell above and left of a placement onward: three
/// words between two zeros, so that a shifted window can be made of two overlapping loads.
pub(super) type Window = [u64; 5];

/// One orientation of a piece.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Shape {
    /// Three windows that share the zeros between them, so that a shape takes two cache
    /// lines.
    windows: [u64; 13],
    offsets: [Offset; 5],
    pub(super) size: u8,
    pub(super) piece: u8,
    pub(super) width: u8,
    pub(super) height: u8,
}

impl Shape {
    const EMPTY: Shape = Shape {
        windows: [0; 13],
        offsets: [Offset { x: 0, y: 0 }; 5],
        size: 0,
        piece: 0,
        width: 0,
        height: 0,
    };

    /// The cells, row by row.
    pub(super) const fn offsets(&self) -> &[Offset] {
        self.offsets.split_at(self.size as usize).0
    }

    /// The cells and the cells beside them: closed to the colour after the placement.
    #[inline(always)]
    pub(super) fn blocked(&self) -> &Window {
        self.window::<BLOCKED>()
    }

    /// The cells diagonally next to a cell: corner cells of the colour where still open.
    #[inline(always)]
    pub(super) fn diagonal(&self) -> &Window {
        self.window::<DIAGONAL>()
    }

    /// The cells alone.
    #[inline(always)]
    pub(super) fn cells(&self) -> &Window {
        self.window::<CELLS>()
    }

    #[inline(always)]
    fn window<const START: usize>(&self) -> &Window {
        self.windows[START..]
            .first_chunk()
            .expect("each window lies within the words")
    }

    /// The shape read from its drawing.
    const fn drawn(drawing: &[u8], piece: usize) -> Self {
        let mut shape = Shape::EMPTY;
        shape.piece = piece as u8;
        let (mut x, mut y, mut at) = (0, 0, 0);
        while at < drawing.len() {
            match drawing[at] {
                b'/' => {
                    x = 0;
                    y += 1;
                }
                mark => {
                    if mark == b'#' {
                        shape.offsets[shape.size as usize] = Offset { x, y };
                        shape.size += 1;
                        if x >= shape.width {
                            shape.width = x + 1;
                        }
                        shape.height = y + 1;
                    }
                    x += 1;
                }
            }
            at += 1;
        }
        shape
    }

    /// The shape flipped left to right (bit 0), top to bottom (bit 1), and in the diagonal
    /// (bit 2).
    const fn turned(&self, how: u8) -> Self {
        let mut turned = *self;
        let mut at = 0;
        while at < self.size as usize {
            let Offset { mut x, mut y } = self.offsets[at];
            if how & 1 != 0 {
                x = self.width - 1 - x;
            }
            if how & 2 != 0 {
                y = self.height - 1 - y;
            }
            turned.offsets[at] = if how & 4 != 0 {
                Offset { x: y, y: x }
            } else {
                Offset { x, y }
            };
            at += 1;
        }
        if how & 4 != 0 {
            turned.width = self.height;
            turned.height = self.width;
        }
        turned.sort();
        turned
    }

    const fn sort(&mut self) {
        let mut end = self.size as usize;
        while end > 1 {
            let mut at = 1;
            while at < end {
                if self.offsets[at - 1].bits() > self.offsets[at].bits() {
                    self.offsets.swap(at - 1, at);
                }
                at += 1;
            }
            end -= 1;
        }
    }

    const fn same_cells(&self, other: &Self) -> bool {
        let mut at = 0;
        while at < self.size as usize {
            if self.offsets[at].bits() != other.offsets[at].bits() {
                return false;
            }
            at += 1;
        }
        self.size == other.size
    }

    const fn has_cell(&self, offset: Offset) -> bool {
        let mut at = 0;
        while at < self.size as usize {
            if self.offsets[at].bits() == offset.bits() {
                return true;
            }
            at += 1;
        }
        false
    }

    const fn with_windows(mut self) -> Self {
        let mut at = 0;
        while at < self.size as usize {
            let bit = cell_bit(self.offsets[at].x as usize, self.offsets[at].y as usize);
            self.set(CELLS, bit);
            self.set(BLOCKED, bit);
            self.set(BLOCKED, bit - 1);
            self.set(BLOCKED, bit + 1);
            self.set(BLOCKED, bit - COLUMNS);
            self.set(BLOCKED, bit + COLUMNS);
            self.set(DIAGONAL, bit - COLUMNS - 1);
            self.set(DIAGONAL, bit - COLUMNS + 1);
            self.set(DIAGONAL, bit + COLUMNS - 1);
            self.set(DIAGONAL, bit + COLUMNS + 1);
            at += 1;
        }
        self
    }

    const fn set(&mut self, window: usize, bit: usize) {
        assert!(bit < 3 * 64);
        self.windows[window + 1 + bit / 64] |= 1 << (bit % 64);
    }
}

/// Where the windows of a shape begin.
const BLOCKED: usize = 0;
const DIAGONAL: usize = 4;
const CELLS: usize = 8;

/// Where the orientations of each piece begin; the last entry is their number.
pub(super) const FIRST_ORIENTATION: [usize; PIECES + 1] = ALL.1;

/// All orientations, piece by piece.
pub(super) static SHAPES: [Shape; ORIENTATIONS] = SHAPE_LIST;

const SHAPE_LIST: [Shape; ORIENTATIONS] = ALL.0;

const ALL: ([Shape; ORIENTATIONS], [usize; PIECES + 1]) = {
    let mut shapes = [Shape::EMPTY; ORIENTATIONS];
    let mut first = [0; PIECES + 1];
    let mut count = 0;
    let mut piece = 0;
    while piece < PIECES {
        first[piece] = count;
        let drawn = Shape::drawn(DRAWINGS[piece].1, piece);
        let mut how = 0;
        while how < 8 {
            let turned = drawn.turned(how);
            let mut known = first[piece];
            while known < count && !shapes[known].same_cells(&turned) {
                known += 1;
            }
            if known == count {
                shapes[count] = turned.with_windows();
                count += 1;
            }
            how += 1;
        }
        piece += 1;
    }
    first[PIECES] = count;
    assert!(count == ORIENTATIONS);
    (shapes, first)
};

/// The first orientation of four squares, and of three.
pub(super) const FIRST_OF_FOUR: usize = FIRST_ORIENTATION[12];
pub(super) const FIRST_OF_THREE: usize = FIRST_ORIENTATION[17];
/// How many orientations of four squares there are.
pub(super) const OF_FOUR: usize = FIRST_OF_THREE - FIRST_OF_FOUR;

/// How the sets of an orientation are made from those of a smaller one.
#[derive(Clone, Copy)]
pub(super) enum Recipe {
    /// From the orientation of four squares with this number (counted from the first of
    /// its size) and one more cell.
    Grow { from: usize, cell: usize },
    /// From single cells: no piece of four squares lies in the same corner of the box.
    Cells,
}

/// The recipe of every orientation of five squares.
pub(super) const RECIPES: [Recipe; FIRST_OF_FOUR] = {
    let mut recipes = [Recipe::Cells; FIRST_OF_FOUR];
    let mut large = 0;
    while large < FIRST_OF_FOUR {
        let mut small = FIRST_OF_FOUR;
        while small < FIRST_OF_THREE {
            let mut inside = true;
            let mut at = 0;
            while at < 4 {
                inside &= SHAPE_LIST[large].has_cell(SHAPE_LIST[small].offsets[at]);
                at += 1;
            }
            if inside {
                let mut at = 0;
                while SHAPE_LIST[small].has_cell(SHAPE_LIST[large].offsets[at]) {
                    at += 1;
                }
                recipes[large] = Recipe::Grow {
                    from: small - FIRST_OF_FOUR,
                    cell: SHAPE_LIST[large].offsets[at].index(),
                };
            }
            small += 1;
        }
        large += 1;
    }
    recipes
};

/// The offset numbers of the cells of every orientation; unused ones repeat the first cell,
/// which changes neither an intersection nor a union.
pub(super) const CELL_OFFSETS: [[usize; 5]; ORIENTATIONS] = {
    let mut all = [[0; 5]; ORIENTATIONS];
    let mut orientation = 0;
    while orientation < ORIENTATIONS {
        let shape = &SHAPE_LIST[orientation];
        let mut at = 0;
        while at < 5 {
            let cell = if at < shape.size as usize { at } else { 0 };
            all[orientation][at] = shape.offsets[cell].index();
            at += 1;
        }
        orientation += 1;
    }
    all
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_have_the_known_number_of_orientations() {
        let known = [
            8, 2, 8, 8, 8, 4, 4, 4, 4, 1, 8, 4, 2, 8, 1, 4, 4, 2, 4, 2, 1,
        ];
        for piece in Piece::all() {
            let at = piece.index();
            let count = FIRST_ORIENTATION[at + 1] - FIRST_ORIENTATION[at];
            assert_eq!(count, known[at], "{}", piece.name());
        }
        assert_eq!(Piece::all().map(Piece::size).sum::<u8>(), SQUARES);
    }

    #[test]
    fn every_shape_touches_all_sides_of_its_box_and_is_in_one_piece() {
        for shape in &SHAPES {
            let cells = shape.offsets();
            assert!(cells.iter().any(|c| c.x == 0) && cells.iter().any(|c| c.y == 0));
            assert!(
                cells
                    .iter()
                    .all(|c| c.x < shape.width && c.y < shape.height)
            );
            let mut reached = vec![cells[0]];
            let mut next = 0;
            while next < reached.len() {
                let here = reached[next];
                for &cell in cells {
                    let near = cell.x.abs_diff(here.x) + cell.y.abs_diff(here.y) == 1;
                    if near && !reached.contains(&cell) {
                        reached.push(cell);
                    }
                }
                next += 1;
            }
            assert_eq!(reached.len(), shape.size as usize);
        }
    }

    #[test]
    fn placements_on_the_empty_board() {
        let count = |size: usize| -> usize {
            let room = |extent: u8| size + 1 - extent as usize;
            let places = SHAPES.iter().map(|s| room(s.width) * room(s.height));
            places.sum()
        };
        assert_eq!(count(20), 30_433);
        assert_eq!(count(14), 13_729);
    }

    #[test]
    fn offsets_are_numbered_both_ways() {
        for index in 0..OFFSETS {
            assert_eq!(Offset::from_index(index).index(), index);
        }
    }

    #[test]
    fn recipes_give_the_cells_of_the_shape() {
        let mut grown = 0;
        for (large, recipe) in RECIPES.iter().enumerate() {
            if let Recipe::Grow { from, cell } = *recipe {
                let mut cells = CELL_OFFSETS[FIRST_OF_FOUR + from][..4].to_vec();
                cells.push(cell);
                cells.sort_unstable();
                let mut wanted = CELL_OFFSETS[large].to_vec();
                wanted.sort_unstable();
                assert_eq!(cells, wanted);
                grown += 1;
            }
        }
        assert!(grown > 50, "only {grown} shapes share work");
    }
}
