//! What can be switched on and off.

use crate::settings::Options;

/// What can be switched on and off in the searches on a window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AlphaBetaOptions {
    /// Principal-variation search.
    pub pvs: bool,
    /// Iterative deepening.
    pub deepening: bool,
    /// Aspiration windows.
    pub aspiration: bool,
    /// The transposition table, for games that have a hash.
    pub table: bool,
    /// Killer moves.
    pub killers: bool,
    /// History of moves that cut off.
    pub history: bool,
    /// The game's own priority of moves.
    pub priority: bool,
    /// Null-move pruning, for games that have a null move. Not exact.
    pub null_move: bool,
    /// Whether the table's results of deeper searches count. Not exact.
    pub deeper: bool,
}

impl Default for AlphaBetaOptions {
    /// Everything that is exact.
    fn default() -> Self {
        AlphaBetaOptions {
            pvs: true,
            deepening: true,
            aspiration: true,
            table: true,
            killers: true,
            history: true,
            priority: true,
            null_move: false,
            deeper: false,
        }
    }
}

impl AlphaBetaOptions {
    /// Alpha-beta and nothing else.
    pub const PLAIN: AlphaBetaOptions = AlphaBetaOptions {
        pvs: false,
        deepening: false,
        aspiration: false,
        table: false,
        killers: false,
        history: false,
        priority: false,
        null_move: false,
        deeper: false,
    };

    pub(crate) fn parse(options: &mut Options<'_>) -> Self {
        let plain = options.flag("plain");
        let mut on = |name| !options.flag(name) && !plain;
        AlphaBetaOptions {
            pvs: on("no-pvs"),
            deepening: on("no-deepening"),
            aspiration: on("no-aspiration"),
            table: on("no-table"),
            killers: on("no-killers"),
            history: on("no-history"),
            priority: on("no-priority"),
            null_move: options.flag("null-move"),
            deeper: options.flag("deeper"),
        }
    }

    /// What differs from the default, as it is written.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &'static str> {
        let plain = *self == AlphaBetaOptions::PLAIN;
        let options = [
            (plain, "plain"),
            (!plain && !self.pvs, "no-pvs"),
            (!plain && !self.deepening, "no-deepening"),
            (!plain && !self.aspiration, "no-aspiration"),
            (!plain && !self.table, "no-table"),
            (!plain && !self.killers, "no-killers"),
            (!plain && !self.history, "no-history"),
            (!plain && !self.priority, "no-priority"),
            (self.null_move, "null-move"),
            (self.deeper, "deeper"),
        ];
        options
            .into_iter()
            .filter_map(|(on, text)| on.then_some(text))
    }

    /// Whether moves are tried in another order than the game's.
    pub(super) fn orders(&self) -> bool {
        self.table || self.killers || self.history || self.priority
    }
}
