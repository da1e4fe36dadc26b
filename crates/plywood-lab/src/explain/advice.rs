//! What might make a search faster, judged by what was seen.

use plywood::parallel::Plan;
use plywood::search::Family;
use plywood::{Search, Strategy};
use plywood_games::registry::Random;

use super::Explanation;
use super::losses::undivided;
use super::text::{duration, times};
use crate::LabError;
use crate::record::Setting;
use crate::trace::graph::Graph;
use crate::trace::paths::position_of;

/// Waiting below this share of the time is not worth a word.
const LITTLE_WAITING: f64 = 0.05;
/// Tasks below this own time cost about as much to hand out as to search.
const SMALL_TASK_NS: f64 = 10_000.0;
/// Tasks above this own time are worth handing out.
const GOOD_TASK_NS: f64 = 30_000.0;
/// Nodes searched for nothing below this share are not worth a word.
const LITTLE_WASTE: f64 = 0.05;
/// A factor for the cost of a node below this is worth a word.
const DEAR_NODES: f64 = 0.9;
/// How many positions to look at to see how many moves there are.
const SAMPLES: usize = 50;

/// How many moves there are where tasks end, on average; `None` if no task ends anywhere.
pub(super) fn moves_below(
    setting: &Setting,
    seed: u64,
    graph: &Graph,
) -> Result<Option<f64>, LabError> {
    let tasks = undivided(graph);
    if tasks.is_empty() {
        return Ok(None);
    }
    let game = setting.open_game()?;
    let root = setting.open_position(game.as_ref(), &mut Random::new(seed))?;
    let count = tasks.len().min(SAMPLES);
    let mut moves = 0;
    for sample in 0..count {
        let task = tasks[sample * tasks.len() / count];
        let position = position_of(graph, task, game.as_ref(), &root).map_err(LabError::Input)?;
        moves += game.moves(&position).len();
    }
    Ok(Some(moves as f64 / count as f64))
}

/// Everything there is to say, the most important first.
pub(super) fn advice(explanation: &Explanation) -> Vec<String> {
    let mut advice = Vec::new();
    let setting = &explanation.setting;
    if explanation.oversubscribed {
        advice.push(format!(
            "Use {} threads: more than there are cores only take turns.",
            explanation.cores
        ));
    }
    let Some(facts) = &explanation.trace else {
        advice.push(
            "Record a trace to see more: plywood lab sweep --trace, or plywood lab explain GAME."
                .to_owned(),
        );
        return advice;
    };
    let threads = setting.threads as f64;
    let waiting = facts.time.share(facts.time.waiting());
    let few = facts.shape.parallelism() < 4.0 * threads
        || facts.shape.tasks < 16 * setting.threads as u64;
    let small = facts.shape.tasks > 0 && facts.shape.mean_task < SMALL_TASK_NS;
    if small && let Some(coarser) = coarser(&setting.strategy) {
        advice.push(format!(
            "Try {coarser} instead of {}: tasks of {} are too small to be worth handing out.",
            setting.strategy,
            duration(facts.shape.mean_task),
        ));
    } else if waiting > LITTLE_WAITING && few && setting.threads > 1 {
        match (finer(&setting.strategy), facts.moves_below) {
            (Some(finer), Some(moves)) if facts.shape.mean_task / moves.max(1.0) >= GOOD_TASK_NS => {
                advice.push(format!(
                    "Try {finer} instead of {}: it would give about {} as many tasks, of about {} each.",
                    setting.strategy,
                    times(moves),
                    duration(facts.shape.mean_task / moves.max(1.0)),
                ));
            }
            (Some(finer), Some(moves)) => advice.push(format!(
                "{finer} instead of {} would give about {} as many tasks, but of only about {} each: search deeper, or use fewer threads.",
                setting.strategy,
                times(moves),
                duration(facts.shape.mean_task / moves.max(1.0)),
            )),
            _ => {}
        }
    }
    let wasted = facts.nodes.aborted + facts.nodes.speculative;
    if wasted as f64 > LITTLE_WASTE * facts.nodes.all as f64 {
        let bounded = setting
            .search
            .parse::<Search>()
            .is_ok_and(|search| search.info().family == Family::Bounded);
        let waits = setting.strategy.starts_with("ybwc");
        if bounded && !waits {
            advice.push(format!(
                "Try ybwc instead of {}: it waits for a bound from the eldest child before it hands out the others.",
                setting.strategy
            ));
        } else if waits
            && waiting < LITTLE_WAITING
            && let Some(coarser) = coarser(&setting.strategy)
        {
            advice.push(format!(
                "Try {coarser} instead of {}: nobody waits for work, and fewer splits waste fewer nodes.",
                setting.strategy
            ));
        }
    }
    let cost = &explanation.factors.cost;
    if cost.value < DEAR_NODES && cost.differs_from_one() != Some(false) {
        let on_core = explanation.factors.on_core.value;
        advice.push(if on_core < DEAR_NODES {
            "Look for other programs on this machine: the workers had to share their cores."
                .to_owned()
        } else {
            format!(
                "A node took {} as long as on one thread though the workers had their cores: one \
                 busy core runs faster than all, which --fill-cores evens out, and the workers \
                 share caches and memory: a smaller table may help.",
                times(1.0 / cost.value)
            )
        });
    }
    if advice.is_empty() {
        advice.push("Nothing stands out.".to_owned());
    }
    advice
}

/// A strategy's name, its number and what follows.
fn parts(strategy: &str) -> Option<(&'static str, u32, String)> {
    let parsed: Strategy = strategy.parse().ok()?;
    let Plan::Split(policy) = parsed.plan() else {
        return None;
    };
    let number = match parsed.name() {
        "ybwc" => policy.min_depth,
        "every-node" => 0,
        _ => policy.plies,
    };
    let spawn = strategy
        .split_once(',')
        .map_or(String::new(), |(_, rest)| format!(",{rest}"));
    Some((parsed.name(), number, spawn))
}

/// The strategy that splits one level more.
fn finer(strategy: &str) -> Option<String> {
    match parts(strategy)? {
        ("root", _, spawn) => Some(format!("budget:2{spawn}")),
        ("ybwc", depth, _) if depth > 1 => Some(format!("ybwc:{}", depth - 1)),
        (name @ ("budget" | "top-then-prune"), plies, spawn) => {
            Some(format!("{name}:{}{spawn}", plies + 1))
        }
        _ => None,
    }
}

/// The strategy that splits one level less.
fn coarser(strategy: &str) -> Option<String> {
    match parts(strategy)? {
        ("every-node", _, spawn) => Some(format!("budget:2{spawn}")),
        ("ybwc", depth, _) => Some(format!("ybwc:{}", depth + 1)),
        (name @ ("budget" | "top-then-prune"), plies, spawn) if plies > 1 => {
            Some(format!("{name}:{}{spawn}", plies - 1))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strategies_have_neighbours() {
        let both = |text: &str| (finer(text), coarser(text));
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(both("budget:2"), (some("budget:3"), some("budget:1")));
        assert_eq!(both("budget"), (some("budget:3"), some("budget:1")));
        assert_eq!(
            both("budget:1,spawn=rest"),
            (some("budget:2,spawn=rest"), None)
        );
        assert_eq!(both("root"), (some("budget:2"), None));
        assert_eq!(both("ybwc:3"), (some("ybwc:2"), some("ybwc:4")));
        assert_eq!(both("ybwc:1"), (None, some("ybwc:2")));
        assert_eq!(both("every-node"), (None, some("budget:2")));
        assert_eq!(both("seq"), (None, None));
        assert_eq!(both("lazy-smp"), (None, None));
        // Whatever is advised can be asked for.
        for text in [
            "budget:2,spawn=rest",
            "ybwc:3",
            "top-then-prune:1",
            "root",
            "every-node",
        ] {
            for advised in [finer(text), coarser(text)].into_iter().flatten() {
                assert!(advised.parse::<Strategy>().is_ok(), "{advised}");
            }
        }
    }
}
