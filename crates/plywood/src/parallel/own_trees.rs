//! `own-trees`: every worker plays out from a tree of its own, of its part of the memory; in
//! the end their visits and rewards are added up, move by move of the root.

use super::{Plan, StrategyInfo, no_argument};
use crate::search::Family;

pub(super) const INFO: StrategyInfo = StrategyInfo {
    name: "own-trees",
    usage: "own-trees",
    summary: "playouts of each worker from its own tree, added up",
    fits: |family| family == Family::Playouts,
    plan: |argument, _| no_argument("own-trees", argument).map(|()| Plan::OwnTrees),
};
