//! Gomoku: five in a row, in three rules, on boards of 5x5 to 20x20.
//!
//! - [`Gomoku`] is the game; its [`Settings`] name the board, the [`Rule`], how far from the
//!   stones moves are looked for and whether only a corner of the board is played on.
//! - [`Report`] is the evaluation of a published course report, [`Threats`] a stronger one.
//!
//! A [`Position`] is under 1 KB without anything on the heap. It keeps every line of the
//! board in one word, two bits a cell, so that a move is four stores, and whether it wins
//! and what it does to the report's evaluation are four look-ups in small tables.

mod board;
mod candidates;
mod draw;
pub mod engine;
#[cfg(feature = "registry")]
mod entry;
mod notation;
pub mod patterns;
mod point;
mod position;
pub mod protocol;
mod renju;
mod report;
mod runs;
mod settings;
mod shapes;
pub mod threat_search;
mod threats;

use std::fmt;
use std::ops::ControlFlow;

use plywood::{Game, Moves, Seat, Turn};

pub use board::Colour;
pub use point::{MAX_SIZE, MIN_SIZE, Point};
pub use position::{Position, Undo};
pub use renju::Forbidden;
pub use report::Report;
pub use settings::{Candidates, Rule, Settings, SettingsError};
pub use threats::Threats;

use board::{EVEN, Lines};
use position::{SIDE_KEY, STONE_KEYS, Status};
use runs::{RunTable, WIN};
use shapes::ShapeTable;

/// The game of Gomoku with one choice of [`Settings`].
///
/// Black, in seat 0, plays first. The game is over when a player has won, and drawn when
/// the player to move has no legal move: when the board (or the corner that is played on) is
/// full, and in renju also when all that black has left is forbidden.
///
/// A point that renju forbids black is not a legal move. Black can always complete exactly
/// five, whatever else that makes.
///
/// Moves are listed row by row from the bottom, each row from the left.
#[derive(Clone)]
pub struct Gomoku {
    settings: Settings,
    /// The points that can be played on: by row, in the even bits.
    playable: [u64; MAX_SIZE as usize],
    runs: &'static RunTable,
    shapes: &'static ShapeTable,
}

impl fmt::Debug for Gomoku {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Gomoku").field(&self.settings).finish()
    }
}

impl Gomoku {
    /// The game with these settings, or what is wrong with them.
    pub fn new(settings: Settings) -> Result<Self, SettingsError> {
        settings.check()?;
        let empty = Lines::empty(settings.size);
        let columns = settings.corner.unwrap_or(settings.size);
        let row = Lines::empty(columns.max(MIN_SIZE)).rows()[0];
        let narrow = (u64::from(columns)..u64::from(MIN_SIZE))
            .fold(0, |mask, column| mask | 3 << board::shift(column as u32));
        let mut playable = [0; MAX_SIZE as usize];
        for (mask, line) in playable.iter_mut().zip(empty.rows()).take(columns.into()) {
            *mask = !line & !row & !narrow & EVEN;
        }
        Ok(Gomoku {
            settings,
            playable,
            runs: RunTable::of(settings.rule),
            shapes: ShapeTable::get(),
        })
    }

    /// The game as the report's program played it: 15x15, exactly five, moves next to
    /// stones only and only in the corner of nine rows and columns.
    pub fn report() -> Self {
        Gomoku::new(Settings {
            rule: Rule::ExactlyFive,
            candidates: Candidates::Near(1),
            corner: Some(9),
            ..Settings::default()
        })
        .expect("the report's settings are valid")
    }

    /// The settings.
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Whether and why black may not play on this empty point; always `None` but in renju.
    pub fn forbidden(&self, state: &Position, point: Point) -> Option<Forbidden> {
        if self.settings.rule == Rule::Renju && self.shapes.may_be_forbidden(&state.lines, point) {
            renju::forbidden(&state.lines, point)
        } else {
            None
        }
    }

    /// Whether the player to move has no legal move. In renju that depends on who it is.
    fn nothing_left(&self, state: &Position) -> bool {
        if state.empty == 0 {
            return true;
        }
        self.settings.rule == Rule::Renju
            && state.to_move == Colour::Black
            && !self.has_legal_point(state)
    }
}

impl Game for Gomoku {
    type State = Position;
    type Move = Point;
    type Undo = Undo;
    type Scores = [i32; 2];

    const HASHED: bool = true;

    #[inline]
    fn turn(&self, state: &Position) -> Turn {
        match state.status {
            Status::Playing => Turn::Player(Seat::new(state.to_move as u8)),
            Status::Won(_) | Status::Drawn => Turn::Over,
        }
    }

    #[inline]
    fn moves(&self, state: &Position, list: &mut Moves<'_, Point>) {
        self.each_candidate(state, |point| {
            list.push(point);
            ControlFlow::Continue(())
        });
    }

    #[inline]
    fn play(&self, state: &mut Position, point: Point) -> Undo {
        let undo = Undo {
            report: state.report,
            last: state.last,
        };
        let colour = state.to_move;
        let change = self.runs.change(&state.lines, point, colour);
        state.lines.place(point, colour);
        state.hash ^= STONE_KEYS[colour as usize][point.slot()];
        state.last = Some(point);
        state.empty -= 1;
        state.to_move = colour.other();
        state.report += change;
        if change >= WIN / 2 {
            // Up to four directions can have won.
            state.report -= (change + WIN / 2) / WIN * WIN;
            state.status = Status::Won(colour);
        } else if self.nothing_left(state) {
            state.status = Status::Drawn;
        }
        undo
    }

    #[inline]
    fn undo(&self, state: &mut Position, point: Point, undo: Undo) {
        let colour = state.to_move.other();
        state.lines.remove(point);
        state.hash ^= STONE_KEYS[colour as usize][point.slot()];
        state.last = undo.last;
        state.empty += 1;
        state.to_move = colour;
        state.report = undo.report;
        state.status = Status::Playing;
    }

    #[inline]
    fn outcome(&self, state: &Position) -> [i32; 2] {
        match state.status {
            Status::Won(Colour::Black) => [1, -1],
            Status::Won(Colour::White) => [-1, 1],
            Status::Drawn | Status::Playing => [0, 0],
        }
    }

    #[inline]
    fn hash(&self, state: &Position) -> u64 {
        state.hash
    }

    #[inline]
    fn priority(&self, state: &Position, point: Point) -> i32 {
        self.shapes.priority(&state.lines, point, state.to_move)
    }

    #[inline]
    fn move_id(&self, point: Point) -> u16 {
        point.slot() as u16
    }

    /// Not possible where the opponent would have no legal move.
    #[inline]
    fn play_null(&self, state: &mut Position) -> Option<Undo> {
        state.to_move = state.to_move.other();
        if self.nothing_left(state) {
            state.to_move = state.to_move.other();
            return None;
        }
        let undo = Undo {
            report: state.report,
            last: state.last,
        };
        state.hash ^= SIDE_KEY;
        state.last = None;
        Some(undo)
    }

    #[inline]
    fn undo_null(&self, state: &mut Position, undo: Undo) {
        state.to_move = state.to_move.other();
        state.hash ^= SIDE_KEY;
        state.last = undo.last;
    }

    #[inline]
    fn count_moves(&self, state: &Position, _scratch: &mut Vec<Point>) -> usize {
        self.count_candidates(state)
    }
}
