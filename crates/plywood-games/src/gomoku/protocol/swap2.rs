//! The opening rule swap2: three stones, then the choice of a colour.

use std::time::Duration;

use plywood::Limits;

use super::super::engine::Engine;
use super::super::patterns::PatternBoard;
use super::super::{Colour, Point, Rule};

/// Three stones, the first and third black, from which both colours have about the same
/// chances: of a few near the edge, where the first move counts for less, the one that the
/// engine finds most even.
pub(super) fn three_stones(
    engine: &mut Engine,
    rule: Rule,
    size: u8,
    limits: &Limits,
) -> [Point; 3] {
    // Offsets from a corner: on the smallest boards they are on the board still.
    const OPENINGS: [[(u8, u8); 3]; 6] = [
        [(1, 2), (3, 1), (4, 4)],
        [(0, 2), (2, 3), (4, 1)],
        [(1, 1), (2, 4), (4, 2)],
        [(0, 1), (3, 3), (1, 4)],
        [(2, 0), (1, 3), (4, 4)],
        [(0, 4), (2, 2), (4, 1)],
    ];
    let each = Limits {
        time: limits.time.map(|time| time / OPENINGS.len() as u32),
        ..limits.clone()
    };
    let mut best = None;
    for offsets in OPENINGS {
        let stones = offsets.map(|(column, row)| Point::new(column, row));
        let mut board = PatternBoard::new(rule, size);
        for stone in stones {
            board.play(stone);
        }
        let value = engine
            .think(&board, &each, each.time, &mut |_| {})
            .value
            .abs();
        if best.is_none_or(|(least, _)| value < least) {
            best = Some((value, stones));
        }
    }
    best.expect("there are openings").1
}

/// What to do with the stones that are there.
pub(super) enum Choice {
    /// Take the other colour.
    Swap,
    /// Stay with white and play.
    Stay(Point),
}

/// Takes white, who is to move, if white is not worse.
pub(super) fn choose(
    engine: &mut Engine,
    board: &PatternBoard,
    limits: &Limits,
    enough: Duration,
) -> Option<Choice> {
    debug_assert_eq!(board.to_move(), Colour::White);
    let thought = engine.think(board, limits, Some(enough), &mut |_| {});
    let best = thought.best?;
    Some(if thought.value >= 0 {
        Choice::Stay(best)
    } else {
        Choice::Swap
    })
}
