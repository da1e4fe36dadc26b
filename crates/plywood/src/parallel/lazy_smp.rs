//! `lazy-smp`: every worker searches the whole tree by itself, deepening step by step; they
//! help each other only through the shared table.
//!
//! Nothing keeps two workers from searching the same node, so the number of nodes differs
//! from run to run, and at a time limit the move may. The value of a completed depth does
//! not: each worker's search is exact, and so is what it finds in the table.

use super::{Plan, StrategyInfo, no_argument};
use crate::search::Family;

pub(super) const INFO: StrategyInfo = StrategyInfo {
    name: "lazy-smp",
    usage: "lazy-smp",
    summary: "every worker searches it all; they share the table",
    fits: |family| matches!(family, Family::Bounded),
    plan: |argument, _| no_argument("lazy-smp", argument).map(|()| Plan::Replicate),
};
