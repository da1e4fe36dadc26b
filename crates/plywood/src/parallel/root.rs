//! `root`: each move of the root is a task. A search that prunes shares the best value so
//! far between them.

use super::{Plan, SplitPolicy, StrategyInfo, no_argument};
use crate::search::Family;

pub(super) const INFO: StrategyInfo = StrategyInfo {
    name: "root",
    usage: "root",
    summary: "each root move is a task",
    fits: |family| !matches!(family, Family::Playouts | Family::Alone),
    plan: |argument, spawn| {
        no_argument("root", argument)?;
        Ok(Plan::Split(SplitPolicy {
            plies: 1,
            spawn,
            ..SplitPolicy::ALWAYS
        }))
    },
};
