//! BRS+: of all opponents one is free to move as it likes, the others make the move that the
//! game prefers.
//!
//! For two or more players without chance. As [`brs`](super::brs), but nobody passes, so that
//! every position can be reached in a game: between two moves of the root player all opponents
//! move in turn. One of these moves, whichever hurts the root player most, is free; all others
//! are those of the highest [`Game::priority`](crate::Game::priority), the first of equals.
//!
//! * A depth unit is one move of the root player, or one round of replies up to its next move.
//!   An opponent who moves twice in a round makes two moves, of which one may be the free one.
//! * A root player who moves again uses one more unit. Players whom the game skips, because
//!   they have to pass, are skipped here too.
//! * A finished game has its final score at any depth. Of equal moves of the root player the
//!   first is the best. The line is that move alone.
//!
//! Alpha-beta without a table, on one thread; the value is that of the whole tree. With two
//! players whose turns alternate it is that of minimax.

use super::{ChanceNeed, Family, Search, SearchInfo};

pub(super) const INFO: SearchInfo = SearchInfo {
    name: "brs-plus",
    summary: "one opponent is free to reply, the others make the preferred move",
    players: (2, usize::MAX),
    chance: ChanceNeed::Without,
    family: Family::Alone,
    parse: |_| Ok(Search::BrsPlus),
};
