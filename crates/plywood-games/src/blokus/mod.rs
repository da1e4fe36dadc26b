//! Blokus: the classic game of four colours on 20 x 20 cells, and Duo, two colours on
//! 14 x 14.
//!
//! Every colour has the same 21 pieces. Its first piece covers its start cell; every later
//! one touches a piece of the same colour at a corner and none along an edge. A colour that
//! has no legal move is out for good. The score of a colour is the number of squares it has
//! placed, and 15 more for placing all pieces, or 20 more if the single square came last.
//!
//! The moves of a position are listed piece by piece from the largest to the smallest
//! (F I L N P T U V W X Y Z, then those of four squares I L O T Z, of three I V, of two and of
//! one), of one piece orientation by orientation, of one orientation row by row from the top
//! left.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod board;
mod draw;
pub mod engine;
#[cfg(feature = "registry")]
mod entry;
mod evaluation;
pub mod gtp;
mod movegen;
mod moves;
mod notation;
mod outlook;
mod path;
mod pieces;
mod portable;
mod state;
mod survey;
mod terrain;

use plywood::{Game, Moves, Seat, Turn};

pub use evaluation::{Lead, LiveCorners, ReportCorners, SquaresPlaced};
pub use moves::Move;
pub use path::Path;
pub use pieces::{ORIENTATIONS, PIECES, Piece, SQUARES};
pub use state::{State, Undo};

use path::Available;

/// The rules of Blokus for this many colours: four for the classic game, two for Duo.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Blokus<const COLOURS: usize> {
    path: Available,
}

/// Blokus for four colours on 20 x 20 cells.
pub type Classic = Blokus<4>;
/// Blokus for two colours on 14 x 14 cells.
pub type Duo = Blokus<2>;

impl<const COLOURS: usize> Blokus<COLOURS> {
    /// The number of columns and of rows.
    pub const SIZE: usize = match COLOURS {
        4 => 20,
        2 => 14,
        _ => panic!("Blokus is for two or for four colours"),
    };

    /// The game, on the fastest path this processor can take.
    pub fn new() -> Self {
        Self::with_path(Path::best()).expect("the best path is one that can be taken")
    }

    /// The game on a certain path, or nothing if this processor cannot take it. The path
    /// decides how fast the game is, and nothing else.
    pub fn with_path(path: Path) -> Option<Self> {
        Available::new(path).map(|path| Blokus { path })
    }

    /// The path the game takes.
    pub fn path(&self) -> Path {
        self.path.path()
    }

    /// Whether a colour has a legal move, whoever is to move.
    pub fn can_move(&self, state: &State<COLOURS>, colour: usize) -> bool {
        self.path.any(&state.view(colour))
    }

    /// The move with this number, counted from 0, in the list of [`Game::moves`], if there
    /// are so many: with [`Game::count_moves`] the fastest way to a random move.
    pub fn nth_move(&self, state: &State<COLOURS>, number: usize) -> Option<Move> {
        let colour = state.mover()?;
        self.path.nth(&state.view(colour), number)
    }

    /// The cell that the first piece of a colour must cover, as (column from the left, row
    /// from the top).
    pub const fn start_cell(colour: usize) -> (usize, usize) {
        match (COLOURS, colour) {
            (4, 0) => (0, 0),
            (4, 1) => (Self::SIZE - 1, 0),
            (4, 2) => (Self::SIZE - 1, Self::SIZE - 1),
            (4, 3) => (0, Self::SIZE - 1),
            (2, 0) => (4, 4),
            (2, 1) => (9, 9),
            _ => panic!("there is no such colour"),
        }
    }
}

impl<const COLOURS: usize> Default for Blokus<COLOURS> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const COLOURS: usize> Game for Blokus<COLOURS> {
    type State = State<COLOURS>;
    type Move = Move;
    type Undo = Undo;
    type Scores = [i32; COLOURS];

    const HASHED: bool = true;

    #[inline]
    fn turn(&self, state: &State<COLOURS>) -> Turn {
        match state.mover() {
            Some(colour) => Turn::Player(Seat::new(colour as u8)),
            None => Turn::Over,
        }
    }

    #[inline]
    fn moves(&self, state: &State<COLOURS>, list: &mut Moves<'_, Move>) {
        self.path.list(&state.view(state.turn()), list);
    }

    #[inline]
    fn play(&self, state: &mut State<COLOURS>, mv: Move) -> Undo {
        self.path.play(state, mv)
    }

    #[inline]
    fn undo(&self, state: &mut State<COLOURS>, mv: Move, undo: Undo) {
        self.path.undo(state, mv, &undo);
    }

    #[inline]
    fn outcome(&self, state: &State<COLOURS>) -> [i32; COLOURS] {
        std::array::from_fn(|colour| state.score(colour))
    }

    #[inline]
    fn hash(&self, state: &State<COLOURS>) -> u64 {
        state.hash()
    }

    /// Large pieces are hard to place later.
    #[inline]
    fn priority(&self, _: &State<COLOURS>, mv: Move) -> i32 {
        i32::from(mv.shape().size)
    }

    #[inline]
    fn move_id(&self, mv: Move) -> u16 {
        mv.number()
    }

    /// Nobody may do nothing; searches may wonder what would happen.
    fn play_null(&self, state: &mut State<COLOURS>) -> Option<Undo> {
        let colour = state.mover()?;
        let others = (1..COLOURS).map(|step| (colour + step) % COLOURS);
        let mut able = others.filter(|&next| !state.is_out(next) && self.can_move(state, next));
        let next = able.next()?;
        let undo = state.undo_of_turn();
        state.set_turn(next);
        Some(undo)
    }

    fn undo_null(&self, state: &mut State<COLOURS>, undo: Undo) {
        state.undo_turn(&undo);
    }

    #[inline]
    fn count_moves(&self, state: &State<COLOURS>, _: &mut Vec<Move>) -> usize {
        self.path.count(&state.view(state.turn()))
    }
}
