//! A position, and how moves change it.

use super::Blokus;
use super::board::{Board, cell_bit};
use super::movegen::{self, Bits, View, ViewMut};
use super::moves::Move;
use super::pieces::{FULL_HAND, PIECES, Piece, SQUARES};
use super::portable::Plain;

/// The bonus for placing all pieces.
const ALL_PLACED: i32 = 15;
/// The bonus for placing all pieces, the single square last.
const SINGLE_LAST: i32 = 20;
/// The most points a colour can have.
pub(super) const MOST_POINTS: i32 = SQUARES as i32 + SINGLE_LAST;

/// A position of Blokus.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State<const COLOURS: usize> {
    /// The cells that are taken.
    occupied: Board,
    /// By colour: the cells it may not take because they are its own or beside its own, and
    /// everything off the board.
    forbidden: [Board; COLOURS],
    /// By colour: what lies diagonally next to its cells, and its start cell.
    diagonal: [Board; COLOURS],
    hash: u64,
    /// By colour: the pieces not yet placed.
    hand: [u32; COLOURS],
    /// By colour and piece: where it was placed. Only for those not in hand.
    placed: [[Move; PIECES]; COLOURS],
    /// By colour: how many squares it has placed.
    squares: [u8; COLOURS],
    /// By colour: how many corner cells it had after its own last move.
    corners_then: [u8; COLOURS],
    recent: Recent<COLOURS>,
    status: Status,
}

/// By colour: its last placement, as far as that is known. How a position came about is not
/// part of it: positions are equal whatever this says.
#[derive(Clone, Copy, Debug)]
struct Recent<const COLOURS: usize>([Move; COLOURS]);

impl<const COLOURS: usize> PartialEq for Recent<COLOURS> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<const COLOURS: usize> Eq for Recent<COLOURS> {}

/// The small parts of a position that a move changes in ways that cannot be computed back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Status {
    /// The colour to move, or the number of colours when the game is over.
    turn: u8,
    /// The colours that were found to have no move when their turn came, one bit each.
    out: u8,
    /// The colours that have placed all pieces, the single square last, one bit each.
    single_last: u8,
}

/// What it takes to take a move back.
#[derive(Clone, Debug)]
pub struct Undo {
    occupied: Board,
    forbidden: Board,
    diagonal: Board,
    hash: u64,
    status: Status,
    corners_then: u8,
    recent: Move,
}

/// A step of the splitmix64 generator: far-apart values for numbers close together.
pub(super) const fn mix(value: u64) -> u64 {
    let z = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The parts of the hash: computed, because a table of all placements would not stay in the
/// cache.
const fn placement_key(colour: usize, mv: Move) -> u64 {
    mix((colour as u64) << 16 | mv.number() as u64)
}

const fn turn_key(turn: u8) -> u64 {
    mix(1 << 32 | turn as u64)
}

const fn single_last_key(colour: usize) -> u64 {
    mix(1 << 33 | colour as u64)
}

impl<const COLOURS: usize> State<COLOURS> {
    /// The empty board.
    pub(super) fn start() -> Self {
        State {
            occupied: Board::EMPTY,
            forbidden: [const { Board::outside(Blokus::<COLOURS>::SIZE) }; COLOURS],
            diagonal: std::array::from_fn(|colour| {
                let (x, y) = Blokus::<COLOURS>::start_cell(colour);
                Board::single(cell_bit(x, y))
            }),
            hash: turn_key(0),
            hand: [FULL_HAND; COLOURS],
            placed: [[Move::NONE; PIECES]; COLOURS],
            squares: [0; COLOURS],
            corners_then: [1; COLOURS],
            recent: Recent([Move::NONE; COLOURS]),
            status: Status {
                turn: 0,
                out: 0,
                single_last: 0,
            },
        }
    }

    /// The colour to move, unless the game is over.
    #[inline]
    pub fn mover(&self) -> Option<usize> {
        (self.turn() < COLOURS).then_some(self.turn())
    }

    /// The colour to move, or the number of colours.
    #[inline]
    pub(super) fn turn(&self) -> usize {
        self.status.turn as usize
    }

    /// How many squares a colour has placed.
    #[inline]
    pub fn squares(&self, colour: usize) -> u8 {
        self.squares[colour]
    }

    /// The points of a colour so far, bonus included.
    #[inline]
    pub fn score(&self, colour: usize) -> i32 {
        let bonus = match (self.hand[colour], self.finished_with_single(colour)) {
            (0, true) => SINGLE_LAST,
            (0, false) => ALL_PLACED,
            _ => 0,
        };
        i32::from(self.squares[colour]) + bonus
    }

    /// The points of the colour after it places a piece it has in hand.
    #[inline]
    pub(super) fn score_after(&self, colour: usize, mv: Move) -> i32 {
        let shape = mv.shape();
        let bonus = if self.hand[colour].is_power_of_two() {
            if shape.size == 1 {
                SINGLE_LAST
            } else {
                ALL_PLACED
            }
        } else {
            0
        };
        i32::from(self.squares[colour] + shape.size) + bonus
    }

    /// Whether a colour has not placed a piece yet.
    #[inline]
    pub fn has_in_hand(&self, colour: usize, piece: Piece) -> bool {
        self.hand[colour] & piece.bit() != 0
    }

    /// Whether a colour was found to have no move when its turn came: it never moves again.
    #[inline]
    pub fn is_out(&self, colour: usize) -> bool {
        self.status.out >> colour & 1 != 0
    }

    /// The colours that can still hinder the one to move, and be hindered.
    #[inline]
    pub(super) fn rivals(&self) -> impl Iterator<Item = usize> {
        (0..COLOURS).filter(|&colour| colour != self.turn() && !self.is_out(colour))
    }

    /// Whether a colour has placed all pieces, the single square last.
    #[inline]
    pub fn finished_with_single(&self, colour: usize) -> bool {
        self.status.single_last >> colour & 1 != 0
    }

    /// The last placement of a colour, as far as it is known: nothing after a position was
    /// set up, and before its first move.
    #[inline]
    pub(super) fn recent(&self, colour: usize) -> Option<Move> {
        let mv = self.recent.0[colour];
        (mv != Move::NONE).then_some(mv)
    }

    /// The placements of a colour in the order of the pieces.
    pub fn placements(&self, colour: usize) -> impl Iterator<Item = Move> {
        let pieces = Piece::all().filter(move |&piece| !self.has_in_hand(colour, piece));
        pieces.map(move |piece| self.placed[colour][piece.index()])
    }

    /// A hash of all placements, the colour to move, and who placed the single square last
    /// of all.
    ///
    /// Who is out follows from these: the moves of a colour never come back.
    #[inline]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    #[inline]
    pub(super) fn view(&self, colour: usize) -> View<'_> {
        View {
            occupied: &self.occupied,
            forbidden: &self.forbidden[colour],
            diagonal: &self.diagonal[colour],
            hand: self.hand[colour],
        }
    }

    /// The cells a colour may take.
    #[inline(always)]
    pub(super) fn open(&self, colour: usize) -> Board {
        self.occupied.nor(&self.forbidden[colour])
    }

    /// The corner cells of a colour: those it may take that touch its own cells at a corner
    /// (its start cell, before its first move).
    #[inline(always)]
    pub(super) fn corner(&self, colour: usize) -> Board {
        self.diagonal[colour].and(&self.open(colour))
    }

    /// How many corner cells a colour has: cells it may take that touch its own at a corner.
    #[inline]
    pub fn corner_cells(&self, colour: usize) -> u32 {
        self.corner(colour).count()
    }

    /// How many corner cells a colour had right after its own last move (its start cell,
    /// before its first), whatever the others have taken since.
    #[inline]
    pub fn corner_cells_then(&self, colour: usize) -> u32 {
        u32::from(self.corners_then[colour])
    }

    /// How many corner cells a colour would have if the others had placed nothing.
    pub(super) fn corner_cells_alone(&self, colour: usize) -> u32 {
        self.diagonal[colour]
            .without(&self.forbidden[colour])
            .count()
    }

    /// Sets what [`corner_cells_then`](State::corner_cells_then) gives.
    pub(super) fn set_corner_cells_then(&mut self, colour: usize, count: u32) {
        self.corners_then[colour] = count as u8;
    }

    /// # Safety
    /// As [`Bits::load`].
    #[inline(always)]
    pub(super) unsafe fn play<B: Bits>(&mut self, mv: Move) -> Undo {
        let colour = self.turn();
        let mut undo = Undo {
            occupied: Board::EMPTY,
            forbidden: Board::EMPTY,
            diagonal: Board::EMPTY,
            hash: self.hash,
            status: self.status,
            corners_then: self.corners_then[colour],
            recent: self.recent.0[colour],
        };
        // SAFETY: the caller vouches for the processor.
        unsafe {
            B::copy(&self.occupied, &mut undo.occupied);
            B::copy(&self.forbidden[colour], &mut undo.forbidden);
            B::copy(&self.diagonal[colour], &mut undo.diagonal);
            self.place::<B>(colour, mv);
            self.pass_turn::<B>(colour);
        }
        undo
    }

    /// # Safety
    /// As [`Bits::load`].
    #[inline(always)]
    pub(super) unsafe fn undo<B: Bits>(&mut self, mv: Move, undo: &Undo) {
        let colour = undo.status.turn as usize;
        let shape = mv.shape();
        // SAFETY: the caller vouches for the processor.
        unsafe {
            B::copy(&undo.occupied, &mut self.occupied);
            B::copy(&undo.forbidden, &mut self.forbidden[colour]);
            B::copy(&undo.diagonal, &mut self.diagonal[colour]);
        }
        self.hash = undo.hash;
        self.hand[colour] ^= 1 << shape.piece;
        self.placed[colour][shape.piece as usize] = Move::NONE;
        self.squares[colour] -= shape.size;
        self.corners_then[colour] = undo.corners_then;
        self.recent.0[colour] = undo.recent;
        self.status = undo.status;
    }

    /// What it takes to give the turn back.
    pub(super) fn undo_of_turn(&self) -> Undo {
        Undo {
            occupied: Board::EMPTY,
            forbidden: Board::EMPTY,
            diagonal: Board::EMPTY,
            hash: self.hash,
            status: self.status,
            corners_then: 0,
            recent: Move::NONE,
        }
    }

    /// Gives the turn back to who had it.
    pub(super) fn undo_turn(&mut self, undo: &Undo) {
        self.hash = undo.hash;
        self.status = undo.status;
    }

    /// Puts a piece of a colour on the board, whoever is to move.
    ///
    /// # Safety
    /// As [`Bits::load`].
    #[inline(always)]
    unsafe fn place<B: Bits>(&mut self, colour: usize, mv: Move) {
        let view = ViewMut {
            occupied: &mut self.occupied,
            forbidden: &mut self.forbidden[colour],
            diagonal: &mut self.diagonal[colour],
        };
        // SAFETY: the caller vouches for the processor.
        self.corners_then[colour] = unsafe { B::place(view, mv) } as u8;
        let shape = mv.shape();
        self.hash ^= placement_key(colour, mv);
        self.hand[colour] ^= 1 << shape.piece;
        self.placed[colour][shape.piece as usize] = mv;
        self.recent.0[colour] = mv;
        self.squares[colour] += shape.size;
        if self.hand[colour] == 0 && shape.size == 1 {
            self.set_single_last(colour);
        }
    }

    /// Puts a piece of a colour on the board of a position that is being set up.
    pub(super) fn set_up(&mut self, colour: usize, mv: Move) {
        // SAFETY: plain words need no special instructions.
        unsafe { self.place::<Plain>(colour, mv) };
        self.recent.0[colour] = Move::NONE;
    }

    /// Notes that a colour has placed all pieces, the single square last.
    pub(super) fn set_single_last(&mut self, colour: usize) {
        self.status.single_last |= 1 << colour;
        self.hash ^= single_last_key(colour);
    }

    /// Takes that note back: pieces were placed in an order that is not that of the game.
    pub(super) fn clear_single_last(&mut self, colour: usize) {
        if self.finished_with_single(colour) {
            self.status.single_last &= !(1 << colour);
            self.hash ^= single_last_key(colour);
        }
    }

    /// Gives the turn to the next colour after this one that can move.
    ///
    /// # Safety
    /// As [`Bits::load`].
    #[inline(always)]
    unsafe fn pass_turn<B: Bits>(&mut self, colour: usize) {
        let mut turn = COLOURS;
        for step in 1..=COLOURS {
            let next = (colour + step) % COLOURS;
            if self.is_out(next) {
                continue;
            }
            // SAFETY: the caller vouches for the processor.
            if unsafe { movegen::any::<B>(&self.view(next)) } {
                turn = next;
                break;
            }
            self.status.out |= 1 << next;
        }
        self.set_turn(turn);
    }

    /// Gives the turn to this colour, or to nobody.
    #[inline(always)]
    pub(super) fn set_turn(&mut self, turn: usize) {
        self.hash ^= turn_key(self.status.turn) ^ turn_key(turn as u8);
        self.status.turn = turn as u8;
    }

    /// Notes that a colour is out.
    pub(super) fn set_out(&mut self, colour: usize) {
        self.status.out |= 1 << colour;
    }

    /// The cells that are taken.
    pub(super) fn occupied(&self) -> &Board {
        &self.occupied
    }

    /// The cells a colour may not take, whoever has them, and those diagonally next to its
    /// own.
    pub(super) fn surroundings(&self, colour: usize) -> (&Board, &Board) {
        (&self.forbidden[colour], &self.diagonal[colour])
    }
}
