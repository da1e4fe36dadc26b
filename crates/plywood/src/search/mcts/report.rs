//! What the trees say about the root.

use std::sync::atomic::Ordering;

use super::select::Choice;
use super::tree::{Children, Entry, Tree};
use crate::game::{Seat, Turn};
use crate::report::Certainty;

/// A move of the root with what is known of it.
#[derive(Clone, PartialEq, Debug)]
pub struct RootStatistics<M> {
    /// The move, or the event.
    pub mv: M,
    /// How many playouts began with it.
    pub visits: u64,
    /// The average reward: of every player, and whatever else is tracked. Zeros before the
    /// first visit.
    pub means: Vec<f64>,
    /// The share of the weight that the playout policy gives the move, or the probability of
    /// the event.
    pub prior: f64,
    /// Whether the averages are the rewards for certain.
    pub certainty: Certainty,
    pub(super) place: u32,
}

/// What is known of the root.
pub(super) struct Summary<M> {
    /// The value of the position.
    pub values: Vec<f64>,
    pub certainty: Certainty,
    pub line: Vec<M>,
    /// All moves that have been looked at, in the order of the game.
    pub moves: Vec<RootStatistics<M>>,
}

/// Puts together what all trees know.
pub(super) fn summary<M: Copy + PartialEq>(
    choice: &Choice<'_>,
    trees: &[Tree<M>],
) -> Option<Summary<M>> {
    let turn = trees.iter().find_map(|tree| tree.root.children.get())?.turn;
    let mut moves = Vec::new();
    for tree in trees {
        merge(choice, tree, &mut moves);
    }
    for mv in &mut moves {
        let visits = mv.visits.max(1) as f64;
        if mv.certainty == Certainty::Estimate {
            mv.means.iter_mut().for_each(|mean| *mean /= visits);
        }
    }
    moves.sort_by_key(|mv| mv.place);
    let proof = trees.iter().find_map(|tree| tree.root().proof());
    let mut summary = Summary {
        values: Vec::new(),
        certainty: match proof {
            Some(_) => Certainty::Exact,
            None => Certainty::Estimate,
        },
        line: Vec::new(),
        moves,
    };
    let best = match turn {
        Turn::Player(seat) => best(choice, seat, &summary.moves),
        Turn::Chance | Turn::Over => None,
    };
    if let Some(best) = best {
        let mv = summary.moves[best].mv;
        summary.line = line(choice, trees, mv);
        summary.values = summary.moves[best].means.clone();
    } else {
        let visits: u64 = trees.iter().map(visits_of_root).sum();
        summary.values = (0..choice.components)
            .map(|component| {
                let sum: i64 = trees
                    .iter()
                    .map(|tree| tree.root().sums[component].load(Ordering::Relaxed))
                    .sum();
                sum as f64 / visits.max(1) as f64
            })
            .collect();
    }
    if let Some(proof) = proof {
        summary.values = proof.to_vec();
    }
    Some(summary)
}

fn visits_of_root<M>(tree: &Tree<M>) -> u64 {
    tree.root().visits().into()
}

/// Adds the sums of a tree's root moves to those of the trees before.
fn merge<M: Copy>(choice: &Choice<'_>, tree: &Tree<M>, moves: &mut Vec<RootStatistics<M>>) {
    let Some(children) = tree.root.children.get() else {
        return;
    };
    for entry in children.entries(choice.components) {
        let Some(mv) = entry.node.mv else { continue };
        let place = entry.node.place;
        let at = match moves.iter().position(|other| other.place == place) {
            Some(at) => at,
            None => {
                moves.push(RootStatistics {
                    mv,
                    visits: 0,
                    means: vec![0.0; choice.components],
                    prior: entry.tally.prior(),
                    certainty: Certainty::Estimate,
                    place,
                });
                moves.len() - 1
            }
        };
        let known = &mut moves[at];
        known.visits += u64::from(entry.visits());
        if known.certainty == Certainty::Exact {
            continue;
        }
        match entry.proof() {
            Some(proof) => {
                known.certainty = Certainty::Exact;
                known.means = proof.to_vec();
            }
            None => {
                for (mean, sum) in known.means.iter_mut().zip(entry.sums) {
                    *mean += sum.load(Ordering::Relaxed) as f64;
                }
            }
        }
    }
}

/// The move to choose: that with the most visits, unless a proven one is at least as good.
fn best<M>(choice: &Choice<'_>, seat: Seat, moves: &[RootStatistics<M>]) -> Option<usize> {
    let goal = choice.goal(seat);
    let worth = |at: usize| goal.worth(moves[at].means[goal.component]);
    let (mut proven, mut open): (Option<usize>, Option<usize>) = (None, None);
    for (at, mv) in moves.iter().enumerate() {
        if mv.certainty == Certainty::Exact {
            let better = |best: usize| {
                worth(at) > worth(best) || worth(at) == worth(best) && mv.place < moves[best].place
            };
            if proven.is_none_or(better) {
                proven = Some(at);
            }
        } else if open.is_none_or(|best| {
            let key = |at: usize| (moves[at].visits, worth(at));
            key(at) > key(best)
        }) {
            open = Some(at);
        }
    }
    match (proven, open) {
        (Some(proven), Some(open)) if moves[open].visits > 0 && worth(open) > worth(proven) => {
            Some(open)
        }
        (Some(proven), _) => Some(proven),
        (None, open) => open,
    }
}

/// The line that begins with a move of the root, in the tree that knows most about it.
fn line<M: Copy + PartialEq>(choice: &Choice<'_>, trees: &[Tree<M>], first: M) -> Vec<M> {
    let child = |tree: &Tree<M>| {
        let children = tree.root.children.get()?;
        let mut entries = children.entries(choice.components);
        let found = entries.find(|entry| entry.node.mv == Some(first))?;
        Some(found.visits())
    };
    let mut line = vec![first];
    let Some(tree) = trees.iter().max_by_key(|tree| child(tree)) else {
        return line;
    };
    let mut children = tree.root.children.get();
    let mut wanted = Some(first);
    while let Some(now) = children {
        let entry = match wanted.take() {
            Some(mv) => now
                .entries(choice.components)
                .find(|entry| entry.node.mv == Some(mv)),
            None => {
                let next = favourite(choice, now);
                line.extend(next.and_then(|entry| entry.node.mv));
                next
            }
        };
        children = entry.and_then(|entry| entry.node.children.get());
    }
    line
}

/// The child that the line goes to.
fn favourite<'t, M: Copy>(choice: &Choice<'_>, children: &'t Children<M>) -> Option<Entry<'t, M>> {
    let Turn::Player(seat) = children.turn else {
        return None;
    };
    let entries: Vec<Entry<'t, M>> = children.entries(choice.components).collect();
    let moves: Vec<RootStatistics<()>> = entries
        .iter()
        .map(|entry| RootStatistics {
            mv: (),
            visits: entry.visits().into(),
            means: match entry.proof() {
                Some(proof) => proof.to_vec(),
                None => (0..choice.components).map(|c| entry.mean(c)).collect(),
            },
            prior: entry.tally.prior(),
            certainty: match entry.proof() {
                Some(_) => Certainty::Exact,
                None => Certainty::Estimate,
            },
            place: entry.node.place,
        })
        .collect();
    let best = best(choice, seat, &moves)?;
    let known = moves[best].visits > 0 || moves[best].certainty == Certainty::Exact;
    known.then(|| entries[best])
}
