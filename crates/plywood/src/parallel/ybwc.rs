//! `ybwc:D`: young brothers wait. The eldest child of a node is searched first; only then,
//! with the bound it gave, the others are searched in parallel, in every node with at
//! least depth D left.
//!
//! A better bound is published to the siblings that are running, and a cut-off aborts them
//! at once, with everything that was split below them.

use super::{Plan, SplitPolicy, StrategyInfo, number};
use crate::search::Family;

pub(super) const INFO: StrategyInfo = StrategyInfo {
    name: "ybwc",
    usage: "ybwc:D",
    summary: "eldest child first, then its siblings, while depth D is left (default 3)",
    fits: |family| matches!(family, Family::Bounded | Family::Vector),
    plan: |argument, _| {
        Ok(Plan::Split(SplitPolicy {
            min_depth: number("ybwc", argument, 3, 1)?,
            eldest_first: true,
            ..SplitPolicy::ALWAYS
        }))
    },
};
