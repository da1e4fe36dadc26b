//! What a game is: whose turn, which moves, how to play and take back.

use std::fmt::Debug;
use std::ops::Index;

/// A place at the table, counted from 0 in the order of the first round.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Seat(u8);

impl Seat {
    /// The first seat.
    pub const FIRST: Seat = Seat(0);
    /// The second seat.
    pub const SECOND: Seat = Seat(1);

    /// The seat with this number, counted from 0.
    #[inline]
    pub const fn new(index: u8) -> Self {
        Seat(index)
    }

    /// The number of this seat, counted from 0: an index into [`Scores`].
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Who acts next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// The player in this seat chooses among [`Game::moves`].
    Player(Seat),
    /// Nobody chooses: one of [`Game::chances`] happens, with its probability.
    Chance,
    /// Nobody: the game is over and [`Game::outcome`] says how.
    Over,
}

/// One score per player: a plain array `[i32; N]`.
///
/// Scores are whole numbers whose absolute value is at most [`MAX_SCORE`], so that the
/// searches have room for their bounds.
pub trait Scores:
    Copy + PartialEq + Debug + Send + Sync + Index<usize, Output = i32> + AsRef<[i32]> + 'static
{
    /// The number of players.
    const PLAYERS: usize;

    /// A score for every player, by seat.
    fn from_fn(score: impl FnMut(usize) -> i32) -> Self;
}

/// The largest absolute value of a score.
pub const MAX_SCORE: i32 = i32::MAX - 2;

impl<const N: usize> Scores for [i32; N] {
    const PLAYERS: usize = N;

    #[inline]
    fn from_fn(score: impl FnMut(usize) -> i32) -> Self {
        std::array::from_fn(score)
    }
}

/// The moves of one position, as the game lists them.
///
/// A view of the end of a buffer that the search owns: pushing does not allocate once the
/// buffer has grown to the size of the search.
#[derive(Debug)]
pub struct Moves<'a, M> {
    buffer: &'a mut Vec<M>,
}

impl<'a, M> Moves<'a, M> {
    /// A list that appends to `buffer`.
    #[inline]
    pub fn new(buffer: &'a mut Vec<M>) -> Self {
        Moves { buffer }
    }

    /// Adds a move.
    #[inline]
    pub fn push(&mut self, mv: M) {
        self.buffer.push(mv);
    }

    /// Makes room for this many more moves, so that pushing them never grows the buffer.
    #[inline]
    pub fn reserve(&mut self, additional: usize) {
        self.buffer.reserve(additional);
    }
}

impl<M> Extend<M> for Moves<'_, M> {
    #[inline]
    fn extend<I: IntoIterator<Item = M>>(&mut self, moves: I) {
        self.buffer.extend(moves);
    }
}

/// The chance events of one position with their probabilities.
#[derive(Debug)]
pub struct Chances<'a, M> {
    events: &'a mut Vec<M>,
    probabilities: &'a mut Vec<f64>,
}

impl<'a, M> Chances<'a, M> {
    /// A list that appends each event to `events` and its probability to `probabilities`.
    #[inline]
    pub fn new(events: &'a mut Vec<M>, probabilities: &'a mut Vec<f64>) -> Self {
        Chances {
            events,
            probabilities,
        }
    }

    /// Adds an event. The probabilities of a position add up to 1.
    #[inline]
    pub fn push(&mut self, event: M, probability: f64) {
        self.events.push(event);
        self.probabilities.push(probability);
    }
}

/// A game for any number of players, with or without chance.
///
/// The value that implements this trait holds the rules (board size, variants); a
/// [`State`](Game::State) is one position. Five functions make a game: [`turn`](Game::turn),
/// [`moves`](Game::moves), [`play`](Game::play), [`undo`](Game::undo) and
/// [`outcome`](Game::outcome). The others have defaults that are right for every game and
/// can be replaced to make a search faster.
///
/// A player who has to pass has no move to list: `turn` names the next player who can act.
pub trait Game: Sync {
    /// A position.
    type State: Clone + Send + Sync;

    /// A move of a player, or an event of chance.
    type Move: Copy + PartialEq + Debug + Send + Sync;

    /// What [`play`](Game::play) hands over so that [`undo`](Game::undo) can take it back:
    /// a few bytes for a game that unmakes moves, the old state for one that copies.
    type Undo;

    /// The scores of all players: `[i32; N]` for N players.
    type Scores: Scores;

    /// Whether [`turn`](Game::turn) can be [`Turn::Chance`].
    const CHANCE: bool = false;

    /// Whether [`hash`](Game::hash) tells positions apart. Without it no transposition
    /// table can be used.
    const HASHED: bool = false;

    /// Who acts next.
    fn turn(&self, state: &Self::State) -> Turn;

    /// Lists the moves of the player whose turn it is: at least one, each once. The order
    /// matters: among equally good moves every search prefers the one listed first.
    ///
    /// Called only when [`turn`](Game::turn) is [`Turn::Player`].
    fn moves(&self, state: &Self::State, list: &mut Moves<'_, Self::Move>);

    /// Lists what chance can do, at least one event, each once.
    ///
    /// Called only when [`turn`](Game::turn) is [`Turn::Chance`].
    fn chances(&self, state: &Self::State, list: &mut Chances<'_, Self::Move>) {
        let _ = (state, list);
        unreachable!("a game whose turn can be Chance must list the chances");
    }

    /// Plays a move that [`moves`](Game::moves) or [`chances`](Game::chances) listed.
    fn play(&self, state: &mut Self::State, mv: Self::Move) -> Self::Undo;

    /// Takes back the last move played, with what [`play`](Game::play) returned for it.
    fn undo(&self, state: &mut Self::State, mv: Self::Move, undo: Self::Undo);

    /// The final score of every player. Called only when the game is [`Turn::Over`].
    fn outcome(&self, state: &Self::State) -> Self::Scores;

    /// A hash of everything that decides how the game can go on, the player to move
    /// included. Used only if [`HASHED`](Game::HASHED).
    #[inline]
    fn hash(&self, state: &Self::State) -> u64 {
        let _ = state;
        0
    }

    /// How promising a move looks before it is searched: higher is tried earlier by the
    /// searches that prune. It never changes a result, only the time it takes. For chance
    /// events, which a worst-case search takes for the moves of an adversary, higher is
    /// worse for the player.
    #[inline]
    fn priority(&self, state: &Self::State, mv: Self::Move) -> i32 {
        let _ = (state, mv);
        0
    }

    /// A small number that tells most moves apart, wherever they are played: what the
    /// history of good moves is kept under. The same for all moves by default, which
    /// switches that history off.
    #[inline]
    fn move_id(&self, mv: Self::Move) -> u16 {
        let _ = mv;
        0
    }

    /// Lets the player to move do nothing (a null move), or `None` where that is not
    /// possible or tells nothing. Taken back by [`undo_null`](Game::undo_null).
    #[inline]
    fn play_null(&self, state: &mut Self::State) -> Option<Self::Undo> {
        let _ = state;
        None
    }

    /// Takes back a null move.
    #[inline]
    fn undo_null(&self, state: &mut Self::State, undo: Self::Undo) {
        let _ = (state, undo);
        unreachable!("a game with a null move must be able to take it back");
    }

    /// How many moves [`moves`](Game::moves) would list, for games that can count them
    /// without listing them. `scratch` is empty space to list into, left as it was found.
    #[inline]
    fn count_moves(&self, state: &Self::State, scratch: &mut Vec<Self::Move>) -> usize {
        let start = scratch.len();
        self.moves(state, &mut Moves::new(scratch));
        let count = scratch.len() - start;
        scratch.truncate(start);
        count
    }
}
