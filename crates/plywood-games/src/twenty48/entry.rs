//! How 2048 is listed among the games.

use crate::registry::{Choices, Entry, Evaluation};
use crate::text::TextError;

use super::{BoardOnly, EmptyCells, Report, Smooth, Twenty48, WithScore, Zero};

impl Entry for Twenty48 {
    const NAME: &'static str = "2048";
    const SUMMARY: &'static str = "sliding tiles that merge, against chance";
    const EVALUATIONS: &'static [Evaluation<Self>] = &[
        Evaluation::of::<BoardOnly<Smooth>>("smooth", "lines that run one way, room and merges"),
        Evaluation::of::<WithScore<Smooth>>("smooth+score", "smooth and the score so far"),
        Evaluation::of::<BoardOnly<Report>>("report", "weighted tiles, room, differences in rows"),
        Evaluation::of::<WithScore<Report>>("report+score", "report and the score so far"),
        Evaluation::of::<BoardOnly<EmptyCells>>("empty", "the number of empty cells"),
        Evaluation::of::<WithScore<EmptyCells>>("empty+score", "empty and the score so far"),
        Evaluation::of::<BoardOnly<Zero>>("zero", "nothing"),
        Evaluation::of::<WithScore<Zero>>("zero+score", "the score so far"),
    ];
    const SEARCH: &'static str = "expectimax";
    const EXAMPLE: &'static str = "128,32,8,8/2,8,.,2/4,2,.,./.,.,4,. score=780";

    fn choose(_: &Choices) -> Result<Self, TextError> {
        Ok(Twenty48::new())
    }
}
