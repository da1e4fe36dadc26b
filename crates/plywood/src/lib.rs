//! Parallel game-tree search: one trait for a game, every classical search for it, every
//! way to run that search on many cores, and an account of where the cores' time went.
//!
//! A game of your own is five short functions. This one is played with one heap of stones:
//! take one, two or three; whoever takes the last stone wins, and may move again after
//! taking three.
//!
//! ```
//! use plywood::{Engine, Game, Limits, Moves, OutcomeOnly, Seat, Settings, Turn};
//!
//! /// The rules. A value of this type could hold options; here there are none.
//! struct Heap;
//!
//! /// A position: how many stones are left, and who moves.
//! #[derive(Clone, Copy)]
//! struct State {
//!     stones: u32,
//!     mover: u8,
//!     winner: Option<u8>,
//! }
//!
//! impl Game for Heap {
//!     type State = State;
//!     type Move = u32;
//!     type Undo = State;
//!     type Scores = [i32; 2];
//!
//!     fn turn(&self, state: &State) -> Turn {
//!         match state.winner {
//!             Some(_) => Turn::Over,
//!             None => Turn::Player(Seat::new(state.mover)),
//!         }
//!     }
//!
//!     fn moves(&self, state: &State, list: &mut Moves<'_, u32>) {
//!         list.extend(1..=state.stones.min(3));
//!     }
//!
//!     fn play(&self, state: &mut State, take: u32) -> State {
//!         let before = *state;
//!         state.stones -= take;
//!         if state.stones == 0 {
//!             state.winner = Some(state.mover);
//!         } else if take < 3 {
//!             state.mover = 1 - state.mover;
//!         }
//!         before
//!     }
//!
//!     fn undo(&self, state: &mut State, _: u32, before: State) {
//!         *state = before;
//!     }
//!
//!     fn outcome(&self, state: &State) -> [i32; 2] {
//!         if state.winner == Some(0) { [1, -1] } else { [-1, 1] }
//!     }
//! }
//!
//! let settings = Settings::new("alphabeta")?.on_all_cores("ybwc:4")?;
//! let mut engine = Engine::new(Heap, OutcomeOnly, settings)?;
//! let start = State { stones: 21, mover: 0, winner: None };
//! let report = engine.search(&start, &Limits::depth(21));
//!
//! assert_eq!(report.values, [1.0, -1.0]);
//! println!("take {}, then {:?}", report.best.unwrap(), report.line);
//! # Ok::<(), plywood::SettingsError>(())
//! ```
//!
//! # What there is
//!
//! * [`Game`] and [`Evaluate`]: what you write. Any number of players, players who move
//!   several times in a row or drop out, and chance.
//! * [`search`]: minimax, alpha-beta, MaxN, Paranoid, expectimax, worst case and Monte-Carlo
//!   tree search. The page of each defines in a few sentences what it computes.
//! * [`parallel`]: the ways to run a search on up to [`MAX_THREADS`] threads. Whatever the
//!   strategy and the number of threads, value, best move and line are those of one thread
//!   (but for playouts, which are random).
//! * [`Engine`]: runs a search with [`Settings`] until its [`Limits`] and returns a
//!   [`Report`]: best move, values, line, nodes, and for every worker what it did and how
//!   long it searched, looked for work, waited or slept.
//! * [`trace`]: what every worker did when, recorded by [`Engine::search_traced`].
//! * [`perft`]: counts lines of play, the first test of any move generator.
//!
//! There is no unsafe code in this crate.
#![forbid(unsafe_code)]

mod counters;
mod engine;
pub mod evaluate;
pub mod game;
mod gauges;
mod limits;
mod line;
pub mod parallel;
mod perft;
pub mod playout;
mod random;
mod report;
pub mod search;
mod settings;
mod sync;
mod table;
pub mod trace;

pub use counters::{NodeCounts, TaskCounts, WorkerCounts};
pub use engine::{Engine, Progress};
pub use evaluate::{Evaluate, OutcomeOnly, Reply};
pub use game::{Chances, Game, MAX_SCORE, Moves, Scores, Seat, Turn};
pub use gauges::{Gauges, Reading};
pub use limits::{Limits, MAX_DEPTH};
pub use parallel::{Spawn, Strategy};
pub use perft::perft;
pub use playout::Playout;
pub use random::Random;
pub use report::{Certainty, Memory, Report, RootMove};
pub use search::Search;
pub use settings::{MAX_THREADS, Settings, SettingsError};
pub use table::Table;
pub use trace::{Trace, TraceOptions};
