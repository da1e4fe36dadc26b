//! What a position is worth, by its patterns alone.

use super::super::patterns::{Class, PatternBoard};
use super::score::HIGHEST_ESTIMATE;

/// The value of a position in which nothing is decided at once, for the player to move.
pub(super) fn estimate(board: &PatternBoard) -> i32 {
    let player = board.to_move();
    let opponent = player.other();
    let own = board.value(player);
    let other = board.value(opponent);
    let has = |colour, class| board.count(colour, class) > 0;
    let mut value = own - other + own / 5;
    // Two threes at once win unless there is a four to answer with.
    if has(player, Class::DoubleThree) {
        value += if has(opponent, Class::Four) { 40 } else { 150 };
    }
    if has(opponent, Class::FourThree) {
        value -= 80;
    }
    if has(opponent, Class::DoubleThree) {
        value -= 40;
    }
    value.clamp(-HIGHEST_ESTIMATE, HIGHEST_ESTIMATE)
}
