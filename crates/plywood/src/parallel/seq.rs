//! `seq`: one worker searches everything, in order. The yardstick of all others.

use super::{Plan, StrategyInfo, no_argument};

pub(super) const INFO: StrategyInfo = StrategyInfo {
    name: "seq",
    usage: "seq",
    summary: "one worker, no tasks",
    fits: |_| true,
    plan: |argument, _| no_argument("seq", argument).map(|()| Plan::Sequential),
};
