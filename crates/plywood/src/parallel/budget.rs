//! `budget:B`: the children of the nodes in the top B levels are tasks; below, each task is
//! searched by one worker.

use super::{Plan, SplitPolicy, StrategyInfo, number};
use crate::search::Family;

pub(super) const INFO: StrategyInfo = StrategyInfo {
    name: "budget",
    usage: "budget:B",
    summary: "tasks in the top B levels (default 2)",
    fits: |family| !matches!(family, Family::Playouts | Family::Alone),
    plan: |argument, spawn| {
        Ok(Plan::Split(SplitPolicy {
            plies: number("budget", argument, 2, 1)?,
            spawn,
            ..SplitPolicy::ALWAYS
        }))
    },
};
