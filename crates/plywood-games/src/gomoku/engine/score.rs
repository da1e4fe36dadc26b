//! Values of positions: estimates, and wins that are certain.

/// A win at once would be worth this; a win after some moves is worth less by their number.
pub(super) const WIN: i32 = 30_000;

/// More than any value.
pub(super) const INFINITE: i32 = 32_000;

/// Values beyond this are wins (or losses) that are certain.
pub(super) const CERTAIN: i32 = 29_000;

/// The most that an estimate can be.
pub(super) const HIGHEST_ESTIMATE: i32 = 20_000;

/// What a win after so many moves of both players is worth.
pub(super) const fn win_after(moves: i32) -> i32 {
    WIN - moves
}

/// After how many moves of both players the game is won (positive) or lost (negative) for
/// certain.
pub(super) fn moves_to_end(value: i32) -> Option<i32> {
    if value >= CERTAIN {
        Some(WIN - value)
    } else if value <= -CERTAIN {
        Some(-(WIN + value))
    } else {
        None
    }
}

/// A value seen from the root, as it is kept in the table: a win counts from the position.
pub(super) fn to_table(value: i32, ply: i32) -> i32 {
    if value >= CERTAIN {
        value + ply
    } else if value <= -CERTAIN {
        value - ply
    } else {
        value
    }
}

/// A value from the table, seen from the root.
pub(super) fn from_table(value: i32, ply: i32) -> i32 {
    if value >= CERTAIN {
        value - ply
    } else if value <= -CERTAIN {
        value + ply
    } else {
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_count_from_where_they_are_looked_at() {
        for value in [win_after(7), -win_after(8), 35, 0, -HIGHEST_ESTIMATE] {
            assert_eq!(from_table(to_table(value, 5), 5), value);
        }
        // Won in two moves, found five moves from the root; met again three from the root.
        assert_eq!(from_table(to_table(win_after(7), 5), 3), win_after(5));
        assert_eq!(moves_to_end(win_after(5)), Some(5));
        assert_eq!(moves_to_end(-win_after(4)), Some(-4));
        assert_eq!(moves_to_end(HIGHEST_ESTIMATE), None);
    }
}
