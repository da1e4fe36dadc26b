//! Best-Reply Search: of all opponents one moves, the others pass.
//!
//! For two or more players without chance. The root player maximises its own score; between
//! two of its moves exactly one opponent, whichever can hurt it most, makes one move and all
//! the others do nothing. So the root player looks as far ahead as in a game of two.
//!
//! * A depth unit is one move of the root player, or one reply of whichever opponent.
//! * Opponents are tried in the order of their turns, each with all its moves. Whoever moves
//!   before it passes, and after it everybody passes until the root player is to move, by
//!   [`Game::play_null`](crate::Game::play_null). Where a player cannot pass, the opponents
//!   behind it have no reply; and if it is after the reply, that player makes the next reply
//!   instead. Positions may arise that no game can reach.
//! * A root player who moves again uses one more unit. Players whom the game skips, because
//!   they have to pass, are skipped here too.
//! * A finished game has its final score at any depth. Of equal moves of the root player the
//!   first is the best. The line is that move alone.
//!
//! Alpha-beta without a table, on one thread; the value is that of the whole tree. With two
//! players it is that of minimax.

use super::{ChanceNeed, Family, Search, SearchInfo};

pub(super) const INFO: SearchInfo = SearchInfo {
    name: "brs",
    summary: "one opponent replies, the others pass",
    players: (2, usize::MAX),
    chance: ChanceNeed::Without,
    family: Family::Alone,
    parse: |_| Ok(Search::Brs),
};
