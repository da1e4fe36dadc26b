//! Move generation on sets of cells: all placements of an orientation at once.
//!
//! A placement is named by the top left cell of the box around it. An orientation fits
//! wherever all its cells are open, that is in the intersection of the open set shifted by
//! the offset of each cell, and it is legal where moreover one of its cells is a corner
//! cell: in the union of the shifted corner sets. Only 15 offsets occur, and most pieces of
//! five squares are a piece of four with one more cell, so an orientation costs about two
//! operations once the shifted sets are there.
//!
//! Everything here is generic over the kind of register, and inlined into one function for
//! each [`Path`](super::Path).

use plywood::Moves;

use super::board::{Board, USED_WORDS, shift, window_start};
use super::moves::Move;
use super::outlook::{After, Outlook};
use super::pieces::{
    CELL_OFFSETS, FIRST_OF_FOUR, FIRST_OF_THREE, FIRST_ORIENTATION, OF_FOUR, OFFSETS, Offset,
    PIECES, Piece, RECIPES, Recipe,
};
use super::terrain::{Overlap, Terrain};

/// A set of cells in registers.
///
/// A value can be made only by [`load`](Bits::load), whose caller vouches that the processor
/// has the instructions; so all that works on values is safe.
pub(super) trait Bits: Copy {
    /// Counts the cells of many sets.
    type Tally: Tally<Self>;

    /// # Safety
    /// The processor must have the instructions this type is made for.
    unsafe fn load(board: &Board) -> Self;

    /// Writes the words that can hold cells.
    fn store(self, board: &mut Board);
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    /// The cells that are in neither set.
    fn nor(self, other: Self) -> Self;
    fn is_empty(self) -> bool;
    /// The set with every bit moved down by a constant below 128.
    fn shift_down(self, by: usize) -> Self;

    /// Copies a board in the way that the next [`load`](Bits::load) of the copy is fastest.
    ///
    /// # Safety
    /// As [`load`](Bits::load).
    #[inline(always)]
    unsafe fn copy(from: &Board, to: &mut Board) {
        *to = *from;
    }

    /// Lists the legal placements.
    ///
    /// # Safety
    /// As [`load`](Bits::load).
    #[inline(always)]
    unsafe fn list(view: &View<'_>, moves: &mut Moves<'_, Move>) {
        // SAFETY: the caller vouches for the processor.
        let (open, corner) = unsafe { view.open_and_corner::<Self>() };
        let mut each = ListEach {
            list: moves,
            batch: [Move::NONE; ListEach::BATCH],
            waiting: 0,
            words: [0; ListEach::ROOM],
            moves: [0; ListEach::ROOM],
            len: 0,
        };
        visit(open, corner, view.hand, &mut each);
        each.flush();
    }

    /// Puts a piece on the board, for its colour and for all, and counts the corner cells
    /// the colour has then.
    ///
    /// # Safety
    /// As [`load`](Bits::load).
    #[inline(always)]
    unsafe fn place(view: ViewMut<'_>, mv: Move) -> u32 {
        let shape = mv.shape();
        let (word, by) = window_start(mv.anchor());
        view.occupied.add(word, shift(shape.cells(), by));
        view.forbidden.add(word, shift(shape.blocked(), by));
        view.diagonal.add(word, shift(shape.diagonal(), by));
        let words = (0..USED_WORDS).map(|i| {
            let closed = view.occupied.0[i] | view.forbidden.0[i];
            (view.diagonal.0[i] & !closed).count_ones()
        });
        words.sum()
    }

    /// [`Outlook::after`].
    ///
    /// # Safety
    /// As [`load`](Bits::load).
    #[inline(always)]
    unsafe fn corners_after<const RIVALS: bool>(outlook: &Outlook, mv: Move) -> After {
        outlook.after::<RIVALS>(mv)
    }

    /// [`Terrain::overlap`].
    ///
    /// # Safety
    /// As [`load`](Bits::load).
    #[inline(always)]
    unsafe fn overlap(terrain: &Terrain, mv: Move) -> Overlap {
        terrain.overlap(mv)
    }
}

/// What a placement of a colour changes.
pub(super) struct ViewMut<'a> {
    pub(super) occupied: &'a mut Board,
    pub(super) forbidden: &'a mut Board,
    pub(super) diagonal: &'a mut Board,
}

/// A sum of set sizes.
pub(super) trait Tally<B> {
    fn new(any: B) -> Self;
    /// Adds the size of a set.
    fn add(&mut self, set: B);
    /// To be called after at most eight sets.
    fn settle(&mut self);
    fn total(&self) -> usize;
}

/// What the colour to move sees of a position.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    /// The cells that are taken.
    pub(super) occupied: &'a Board,
    /// The cells that the colour may not take because they are its own, beside its own, or
    /// off the board.
    pub(super) forbidden: &'a Board,
    /// The cells diagonally next to its own, and its start cell.
    pub(super) diagonal: &'a Board,
    /// Its pieces in hand.
    pub(super) hand: u32,
}

impl View<'_> {
    /// The cells the colour may take, and those among them of which it must take one.
    ///
    /// # Safety
    /// As [`Bits::load`].
    #[inline(always)]
    pub(super) unsafe fn open_and_corner<B: Bits>(&self) -> (B, B) {
        // SAFETY: the caller vouches for the processor.
        let (occupied, forbidden, diagonal) = unsafe {
            (
                B::load(self.occupied),
                B::load(self.forbidden),
                B::load(self.diagonal),
            )
        };
        let open = occupied.nor(forbidden);
        (open, diagonal.and(open))
    }
}

/// Receives the legal placements, orientation by orientation in the order of their numbers.
pub(super) trait Visitor<B> {
    /// The legal places of one orientation, possibly none.
    fn places(&mut self, orientation: usize, places: B);
    /// All orientations of a piece were named. Returns whether the visitor has seen enough.
    fn piece_done(&mut self) -> bool;
}

/// The open and the corner set, shifted by every offset, and combined for every
/// orientation of four squares.
struct Shifted<B> {
    open: [B; OFFSETS],
    corner: [B; OFFSETS],
    open_of_four: [B; OF_FOUR],
    corner_of_four: [B; OF_FOUR],
}

/// `$make!(n)` for n = 0, 1, 2, ... as an array: spelled out, because every n must be a
/// constant for its shifts and indices to be.
#[rustfmt::skip]
macro_rules! array_of_15 {
    ($make:ident) => {
        [
            $make!(0), $make!(1), $make!(2), $make!(3), $make!(4), $make!(5), $make!(6),
            $make!(7), $make!(8), $make!(9), $make!(10), $make!(11), $make!(12), $make!(13),
            $make!(14),
        ]
    };
}

#[rustfmt::skip]
macro_rules! array_of_19 {
    ($make:ident) => {
        [
            $make!(0), $make!(1), $make!(2), $make!(3), $make!(4), $make!(5), $make!(6),
            $make!(7), $make!(8), $make!(9), $make!(10), $make!(11), $make!(12), $make!(13),
            $make!(14), $make!(15), $make!(16), $make!(17), $make!(18),
        ]
    };
}

#[inline(always)]
fn shifted_by_all<B: Bits>(set: B) -> [B; OFFSETS] {
    macro_rules! by {
        ($index:literal) => {
            set.shift_down(const { Offset::from_index($index).bits() })
        };
    }
    array_of_15!(by)
}

impl<B: Bits> Shifted<B> {
    #[inline(always)]
    fn new(open: B, corner: B) -> Self {
        let open = shifted_by_all(open);
        let corner = shifted_by_all(corner);
        macro_rules! open_of_four {
            ($index:literal) => {
                all_of::<B, { FIRST_OF_FOUR + $index }>(&open)
            };
        }
        macro_rules! corner_of_four {
            ($index:literal) => {
                any_of::<B, { FIRST_OF_FOUR + $index }>(&corner)
            };
        }
        Shifted {
            open_of_four: array_of_19!(open_of_four),
            corner_of_four: array_of_19!(corner_of_four),
            open,
            corner,
        }
    }

    /// The legal places of an orientation.
    #[inline(always)]
    fn places<const O: usize>(&self) -> B {
        if O < FIRST_OF_FOUR {
            if let Recipe::Grow { from, cell } = const { RECIPES[O % FIRST_OF_FOUR] } {
                return self.open_of_four[from]
                    .and(self.open[cell])
                    .and(self.corner_of_four[from].or(self.corner[cell]));
            }
        } else if O < FIRST_OF_THREE {
            return self.open_of_four[O - FIRST_OF_FOUR]
                .and(self.corner_of_four[O - FIRST_OF_FOUR]);
        }
        all_of::<B, O>(&self.open).and(any_of::<B, O>(&self.corner))
    }
}

/// Where all cells of an orientation are in the set.
#[inline(always)]
fn all_of<B: Bits, const O: usize>(shifted: &[B; OFFSETS]) -> B {
    let [a, b, c, d, e] = const { CELL_OFFSETS[O] };
    let four = shifted[a].and(shifted[b]).and(shifted[c]).and(shifted[d]);
    four.and(shifted[e])
}

/// Where one of the cells of an orientation is in the set.
#[inline(always)]
fn any_of<B: Bits, const O: usize>(shifted: &[B; OFFSETS]) -> B {
    let [a, b, c, d, e] = const { CELL_OFFSETS[O] };
    let four = shifted[a].or(shifted[b]).or(shifted[c]).or(shifted[d]);
    four.or(shifted[e])
}

/// `$piece!(piece: orientations)` for every piece.
#[rustfmt::skip]
macro_rules! for_each_piece {
    ($piece:ident) => {
        $piece!(0: 0 1 2 3 4 5 6 7);
        $piece!(1: 8 9);
        $piece!(2: 10 11 12 13 14 15 16 17);
        $piece!(3: 18 19 20 21 22 23 24 25);
        $piece!(4: 26 27 28 29 30 31 32 33);
        $piece!(5: 34 35 36 37);
        $piece!(6: 38 39 40 41);
        $piece!(7: 42 43 44 45);
        $piece!(8: 46 47 48 49);
        $piece!(9: 50);
        $piece!(10: 51 52 53 54 55 56 57 58);
        $piece!(11: 59 60 61 62);
        $piece!(12: 63 64);
        $piece!(13: 65 66 67 68 69 70 71 72);
        $piece!(14: 73);
        $piece!(15: 74 75 76 77);
        $piece!(16: 78 79 80 81);
        $piece!(17: 82 83);
        $piece!(18: 84 85 86 87);
        $piece!(19: 88 89);
        $piece!(20: 90);
    };
}

// The spelled-out list is the one the shapes have.
const _: () = {
    let mut pieces = 0;
    macro_rules! check {
        ($piece:literal: $($orientation:literal)*) => {
            let mut next = FIRST_ORIENTATION[$piece];
            $(assert!($orientation == next); next += 1;)*
            assert!(next == FIRST_ORIENTATION[$piece + 1]);
            pieces += 1;
        };
    }
    for_each_piece!(check);
    assert!(pieces == PIECES);
};

/// Shows a visitor the legal placements of all pieces in hand.
#[inline(always)]
pub(super) fn visit<B: Bits>(open: B, corner: B, hand: u32, visitor: &mut impl Visitor<B>) {
    let shifted = Shifted::new(open, corner);
    macro_rules! piece {
        ($piece:literal: $($orientation:literal)*) => {
            if hand & const { Piece::new($piece).bit() } != 0 {
                $(visitor.places($orientation, shifted.places::<$orientation>());)*
                if visitor.piece_done() {
                    return;
                }
            }
        };
    }
    for_each_piece!(piece);
}

/// Collects the words that are not zero, and lists their moves piece by piece.
struct ListEach<'a, 'b> {
    list: &'a mut Moves<'b, Move>,
    /// Moves not yet handed over.
    batch: [Move; ListEach::BATCH],
    waiting: usize,
    words: [u64; ListEach::ROOM],
    /// The moves that the lowest bits of the words stand for.
    moves: [u16; ListEach::ROOM],
    len: usize,
}

impl ListEach<'_, '_> {
    /// At least the words of eight sets and one more; a power of two makes indices cheap.
    const ROOM: usize = 64;
    const BATCH: usize = 256;

    /// Hands the waiting moves over.
    #[inline(always)]
    fn flush(&mut self) {
        self.list.extend(self.batch[..self.waiting].iter().copied());
        self.waiting = 0;
    }
}

impl<B: Bits> Visitor<B> for ListEach<'_, '_> {
    #[inline(always)]
    fn places(&mut self, orientation: usize, places: B) {
        if places.is_empty() {
            return;
        }
        let mut words = Board::EMPTY;
        places.store(&mut words);
        for (index, word) in words.0.into_iter().take(USED_WORDS).enumerate() {
            // No branch on which of the words are zero: that cannot be foreseen.
            self.words[self.len % Self::ROOM] = word;
            self.moves[self.len % Self::ROOM] = Move::new(orientation, index * 64).number();
            self.len += usize::from(word != 0);
        }
    }

    #[inline(always)]
    fn piece_done(&mut self) -> bool {
        for index in 0..self.len {
            let mut word = self.words[index % Self::ROOM];
            let first = self.moves[index % Self::ROOM];
            let size = word.count_ones() as usize;
            if self.waiting + 64 > Self::BATCH {
                self.flush();
            }
            let free = &mut self.batch[self.waiting..];
            let mut take = || {
                let mv = Move::from_number(first + word.trailing_zeros() as u16);
                word &= word.wrapping_sub(1);
                mv
            };
            // Most words have few moves: write four at once, whether there are so many or
            // not, so that the processor need not guess how many there are.
            for place in free.iter_mut().take(4) {
                *place = take();
            }
            for place in free.iter_mut().take(size).skip(4) {
                *place = take();
            }
            self.waiting += size;
        }
        self.len = 0;
        false
    }
}

/// Counts placements.
struct Count<T>(T);

impl<B: Bits, T: Tally<B>> Visitor<B> for Count<T> {
    #[inline(always)]
    fn places(&mut self, _: usize, places: B) {
        self.0.add(places);
    }

    #[inline(always)]
    fn piece_done(&mut self) -> bool {
        self.0.settle();
        false
    }
}

/// The number of legal placements.
///
/// # Safety
/// As [`Bits::load`].
#[inline(always)]
pub(super) unsafe fn count<B: Bits>(view: &View<'_>) -> usize {
    // SAFETY: the caller vouches for the processor.
    let (open, corner) = unsafe { view.open_and_corner::<B>() };
    let mut count = Count(B::Tally::new(open));
    visit(open, corner, view.hand, &mut count);
    count.0.total()
}

/// Whether there is a legal placement.
///
/// Asked after every move, so it tries the small pieces first: they fit almost always, and
/// need few shifted sets.
///
/// # Safety
/// As [`Bits::load`].
#[inline(always)]
pub(super) unsafe fn any<B: Bits>(view: &View<'_>) -> bool {
    // SAFETY: the caller vouches for the processor.
    let (open, corner) = unsafe { view.open_and_corner::<B>() };
    if view.hand == 0 || corner.is_empty() {
        return false;
    }
    if view.hand & Piece::SINGLE.bit() != 0 {
        return true;
    }
    let (right, below) = (
        const { Offset { x: 1, y: 0 }.bits() },
        const { Offset { x: 0, y: 1 }.bits() },
    );
    let two = |by| {
        let room = open.and(open.shift_down(by));
        room.and(corner.or(corner.shift_down(by)))
    };
    if view.hand & const { Piece::new(19).bit() } != 0 && !two(right).or(two(below)).is_empty() {
        return true;
    }
    let mut find = Find(None);
    visit(open, corner, view.hand, &mut find);
    find.0.is_some_and(|found: B| !found.is_empty())
}

/// Collects where anything is legal at all.
struct Find<B>(Option<B>);

impl<B: Bits> Visitor<B> for Find<B> {
    #[inline(always)]
    fn places(&mut self, _: usize, places: B) {
        self.0 = Some(self.0.map_or(places, |found| found.or(places)));
    }

    #[inline(always)]
    fn piece_done(&mut self) -> bool {
        false
    }
}

/// The legal placement with this number in the list, if there are so many.
///
/// # Safety
/// As [`Bits::load`].
#[inline(always)]
pub(super) unsafe fn nth<B: Bits>(view: &View<'_>, number: usize) -> Option<Move> {
    // SAFETY: the caller vouches for the processor.
    let (open, corner) = unsafe { view.open_and_corner::<B>() };
    let mut nth = Nth {
        sets: [open; 8],
        first: 0,
        len: 0,
        tally: B::Tally::new(open),
        passed: 0,
        number,
        found: None,
    };
    visit(open, corner, view.hand, &mut nth);
    nth.found
}

/// Looks for the placement with a certain number.
struct Nth<B: Bits> {
    /// The sets of the piece at hand, and the number of its first orientation.
    sets: [B; 8],
    first: usize,
    len: usize,
    /// All placements up to this piece.
    tally: B::Tally,
    /// The placements of the pieces before it.
    passed: usize,
    number: usize,
    found: Option<Move>,
}

impl<B: Bits> Visitor<B> for Nth<B> {
    #[inline(always)]
    fn places(&mut self, orientation: usize, places: B) {
        if self.len == 0 {
            self.first = orientation;
        }
        self.sets[self.len % 8] = places;
        self.len += 1;
        self.tally.add(places);
    }

    #[inline(always)]
    fn piece_done(&mut self) -> bool {
        self.tally.settle();
        let total = self.tally.total();
        if self.number >= total {
            self.passed = total;
            self.len = 0;
            return false;
        }
        let mut left = (self.number - self.passed) as u32;
        for (index, set) in self.sets.iter().enumerate() {
            let mut words = Board::EMPTY;
            set.store(&mut words);
            for (at, &word) in words.0.iter().enumerate() {
                let size = word.count_ones();
                if left < size {
                    let anchor = at * 64 + nth_bit(word, left);
                    self.found = Some(Move::new(self.first + index, anchor));
                    return true;
                }
                left -= size;
            }
        }
        true
    }
}

/// Which bit of a word has this many set bits below it.
#[inline(always)]
fn nth_bit(mut word: u64, below: u32) -> usize {
    for _ in 0..below {
        word &= word - 1;
    }
    word.trailing_zeros() as usize
}
