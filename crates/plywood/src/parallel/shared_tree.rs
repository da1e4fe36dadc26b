//! `shared-tree`: all workers play out from one tree, without locks. A node where a worker
//! is busy counts as visited, so that they spread out.

use super::{Plan, StrategyInfo, no_argument};
use crate::search::Family;

pub(super) const INFO: StrategyInfo = StrategyInfo {
    name: "shared-tree",
    usage: "shared-tree",
    summary: "playouts of all workers from one tree",
    fits: |family| family == Family::Playouts,
    plan: |argument, _| no_argument("shared-tree", argument).map(|()| Plan::OneTree),
};
