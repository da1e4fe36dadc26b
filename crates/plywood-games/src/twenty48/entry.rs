//! How 2048 is listed among the games.

use crate::registry::{Choices, Entry, Evaluation};
use crate::text::TextError;

use super::{Board, BoardOnly, EmptyCells, Heuristic, Report, Smooth, Twenty48, WithScore, Zero};

/// The heuristics that are not for speed, in one type.
enum Plain {
    Empty,
    Zero,
}

impl Heuristic for Plain {
    #[inline]
    fn value(&self, board: Board) -> i32 {
        match self {
            Plain::Empty => EmptyCells.value(board),
            Plain::Zero => Zero.value(board),
        }
    }
}

impl Entry for Twenty48 {
    const NAME: &'static str = "2048";
    const SUMMARY: &'static str = "sliding tiles that merge, against chance";
    const EVALUATIONS: &'static [Evaluation<Self>] = &[
        Evaluation::of::<BoardOnly<Smooth>>("smooth", "lines that run one way, room and merges"),
        Evaluation::of::<WithScore<Smooth>>("smooth+score", "smooth and the score so far"),
        Evaluation::of::<BoardOnly<Report>>("report", "weighted tiles, room, differences in rows"),
        Evaluation::of::<WithScore<Report>>("report+score", "report and the score so far"),
        Evaluation::made_by("empty", "the number of empty cells", |game, settings| {
            game.searcher_with(BoardOnly(Plain::Empty), settings)
        }),
        Evaluation::made_by(
            "empty+score",
            "empty and the score so far",
            |game, settings| game.searcher_with(WithScore(Plain::Empty), settings),
        ),
        Evaluation::made_by("zero", "nothing", |game, settings| {
            game.searcher_with(BoardOnly(Plain::Zero), settings)
        }),
        Evaluation::made_by("zero+score", "the score so far", |game, settings| {
            game.searcher_with(WithScore(Plain::Zero), settings)
        }),
    ];
    const SEARCH: &'static str = "expectimax";
    const EXAMPLE: &'static str = "128,32,8,8/2,8,.,2/4,2,.,./.,.,4,. score=780";

    fn choose(_: &Choices) -> Result<Self, TextError> {
        Ok(Twenty48::new())
    }
}
