//! `top-then-prune:D`: the top D levels are searched as a plain parallel minimax, without
//! any bound; every node below them is a sequential search that prunes.

use super::{Plan, SplitPolicy, StrategyInfo, number};
use crate::search::Family;

pub(super) const INFO: StrategyInfo = StrategyInfo {
    name: "top-then-prune",
    usage: "top-then-prune:D",
    summary: "plain parallel minimax in the top D levels (default 1), pruning below",
    fits: |family| matches!(family, Family::Bounded),
    plan: |argument, spawn| {
        Ok(Plan::Split(SplitPolicy {
            plies: number("top-then-prune", argument, 1, 1)?,
            open_windows: true,
            spawn,
            ..SplitPolicy::ALWAYS
        }))
    },
};
