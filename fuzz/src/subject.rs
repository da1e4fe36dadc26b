//! The games and their evaluations, with their types.

use std::fmt::Debug;

use plywood::{Evaluate, Game, Moves};
use plywood_games::Notation;
use plywood_games::blokus::{
    Blokus, Classic, Duo, Lead, LiveCorners, Path, ReportCorners, SquaresPlaced,
};
use plywood_games::gomoku::{self, Candidates, Gomoku, MIN_SIZE, Rule, Threats};
use plywood_games::kalah::{Capture, End, Kalah, MAX_PITS, Rules, StoreDifference, Sweep};
use plywood_games::twenty48::{self, BoardOnly, EmptyCells, Smooth, Twenty48, WithScore, Zero};

use crate::Bytes;

/// Looks at an evaluation, whatever its type.
pub trait EvaluationVisitor<G: Game> {
    fn visit<E: Evaluate<G>>(&mut self, name: &str, eval: E);
}

/// Looks at a game, whatever its type.
pub trait GameVisitor {
    fn visit<G: Subject>(self, game: G);
}

/// A game that is fuzzed.
pub trait Subject: Notation<State: PartialEq + Debug> + Debug {
    /// Whether `read_move` takes legal moves that `moves` does not list.
    const MORE_THAN_LISTED: bool = false;

    fn each_evaluation(&self, visitor: &mut impl EvaluationVisitor<Self>)
    where
        Self: Sized;

    /// What must hold in a position of this game in particular.
    fn check_more(&self, state: &Self::State, moves: &[Self::Move]) {
        let _ = (state, moves);
    }
}

impl Subject for Kalah {
    fn each_evaluation(&self, visitor: &mut impl EvaluationVisitor<Self>) {
        visitor.visit("stores", StoreDifference);
    }
}

impl Subject for Gomoku {
    const MORE_THAN_LISTED: bool = true;

    fn each_evaluation(&self, visitor: &mut impl EvaluationVisitor<Self>) {
        visitor.visit("threats", Threats);
        visitor.visit("report", gomoku::Report);
    }
}

/// All instruction sets list the same moves in the same order.
fn check_paths<const COLOURS: usize>(
    game: &Blokus<COLOURS>,
    state: &<Blokus<COLOURS> as Game>::State,
    moves: &[<Blokus<COLOURS> as Game>::Move],
) {
    for other in Path::ALL
        .into_iter()
        .filter_map(Blokus::<COLOURS>::with_path)
    {
        let mut found = Vec::new();
        if state.mover().is_some() {
            other.moves(state, &mut Moves::new(&mut found));
            assert_eq!(other.count_moves(state, &mut Vec::new()), found.len());
        }
        assert!(found == moves, "{:?} and {:?}", other.path(), game.path());
        for number in [
            0,
            moves.len() / 2,
            moves.len().saturating_sub(1),
            moves.len(),
        ] {
            assert_eq!(other.nth_move(state, number), moves.get(number).copied());
        }
    }
    for colour in (0..COLOURS).filter(|&colour| state.is_out(colour)) {
        assert!(!game.can_move(state, colour), "colour {colour} is out");
    }
}

impl Subject for Classic {
    fn each_evaluation(&self, visitor: &mut impl EvaluationVisitor<Self>) {
        visitor.visit("live-corners", LiveCorners);
        visitor.visit("report", ReportCorners);
        visitor.visit("squares", SquaresPlaced);
    }

    fn check_more(&self, state: &Self::State, moves: &[Self::Move]) {
        check_paths(self, state, moves);
    }
}

impl Subject for Duo {
    fn each_evaluation(&self, visitor: &mut impl EvaluationVisitor<Self>) {
        visitor.visit("live-corners", Lead(LiveCorners));
        visitor.visit("report", Lead(ReportCorners));
        visitor.visit("squares", Lead(SquaresPlaced));
    }

    fn check_more(&self, state: &Self::State, moves: &[Self::Move]) {
        check_paths(self, state, moves);
    }
}

impl Subject for Twenty48 {
    fn each_evaluation(&self, visitor: &mut impl EvaluationVisitor<Self>) {
        visitor.visit("smooth", BoardOnly(Smooth::new()));
        visitor.visit("smooth+score", WithScore(Smooth::new()));
        visitor.visit("report", BoardOnly(twenty48::Report::new()));
        visitor.visit("report+score", WithScore(twenty48::Report::new()));
        visitor.visit("empty", BoardOnly(EmptyCells));
        visitor.visit("zero+score", WithScore(Zero));
    }
}

/// How many bytes choose the game.
pub const HEADER: usize = 5;

/// The game that the next [`HEADER`] bytes choose. The first is the game, written as a digit:
///
/// - 0, Kalah: pits, stones, the three rules as bits, nothing
/// - 1, Gomoku: size (5 to 9, then `:;<=>?@ABCD` for 10 to 20), rule, distance (0: all),
///   corner (0: none)
/// - 2 and 3, Blokus and Duo: instruction set, three times nothing
/// - 4, 2048: four times nothing
pub fn with_game(bytes: &mut Bytes<'_>, visitor: impl GameVisitor) {
    let [kind, first, second, third, fourth] = std::array::from_fn(|_| bytes.digit());
    match kind % 5 {
        0 => {
            let rules = Rules {
                pits: ((first + 255) % usize::from(MAX_PITS)) as u8 + 1,
                stones: (second % 25) as u8,
                capture: [Capture::IfOppositeFull, Capture::Always][third & 1],
                end: [End::EitherRowEmpty, End::MoverRowEmpty][third >> 1 & 1],
                sweep: [Sweep::ToOwner, Sweep::ToOther][third >> 2 & 1],
            };
            // Too many stones for one byte a pit make no game.
            if let Ok(game) = Kalah::new(rules) {
                visitor.visit(game);
            }
        }
        1 => {
            let size = MIN_SIZE + ((first + 251) % 256 % 16) as u8;
            let settings = gomoku::Settings {
                size,
                rule: [Rule::Freestyle, Rule::ExactlyFive, Rule::Renju][second % 3],
                candidates: match third % 21 {
                    0 => Candidates::WholeBoard,
                    distance => Candidates::Near(distance as u8),
                },
                corner: match fourth % (usize::from(size) + 1) {
                    0 => None,
                    corner => Some(corner as u8),
                },
            };
            visitor.visit(Gomoku::new(settings).expect("valid settings"));
        }
        2 => visitor.visit(Classic::with_path(path(first)).expect("a path there is")),
        3 => visitor.visit(Duo::with_path(path(first)).expect("a path there is")),
        _ => visitor.visit(Twenty48::new()),
    }
}

fn path(choice: usize) -> Path {
    let available = Path::ALL.into_iter().filter(|path| path.is_available());
    let available: Vec<_> = available.collect();
    available[choice % available.len()]
}
