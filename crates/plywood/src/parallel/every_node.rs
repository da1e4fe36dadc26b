//! `every-node`: each child of every node is a task.
//!
//! The plainest way to run a search in parallel, and the dearest: a task for a leaf costs
//! more than the leaf. It shows what a strategy has to avoid.

use super::{Plan, SplitPolicy, StrategyInfo, no_argument};
use crate::search::Family;

pub(super) const INFO: StrategyInfo = StrategyInfo {
    name: "every-node",
    usage: "every-node",
    summary: "each child of every node is a task",
    fits: |family| !matches!(family, Family::Playouts | Family::Alone),
    plan: |argument, spawn| {
        no_argument("every-node", argument)?;
        Ok(Plan::Split(SplitPolicy {
            spawn,
            ..SplitPolicy::ALWAYS
        }))
    },
};
