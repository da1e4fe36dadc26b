//! One search on several threads, and what it makes of their answers.

use std::sync::Mutex;

use plywood::WorkerCounts;

use super::super::Point;
use super::super::patterns::PatternBoard;
use super::super::threat_search::Proof;
use super::lane::Lane;
use super::moves::History;
use super::proving::Prover;
use super::root::{Found, Goal};
use super::score;
use super::worker::{Shared, Worker};

/// What a thread has found, with what it has learnt and done.
pub(super) type Outcome = (Found, History, WorkerCounts);

/// What one of the threads does before it helps with the search.
pub(super) struct Aside<'a> {
    pub prover: Prover<'a>,
    /// What it has proved.
    pub proof: Mutex<Option<Proof>>,
}

impl Aside<'_> {
    /// Looks for a proof, which ends the search unless all moves are wanted. Gives the positions
    /// it has looked at.
    fn run(&self, all_moves: bool) -> u64 {
        let proved = self.prover.beside();
        if let Some(proof) = proved.proof {
            *self.proof.lock().expect("nobody panics with it") = Some(proof);
            if !all_moves {
                self.prover.control.stop();
            }
        }
        proved.nodes
    }
}

/// Runs the search on as many threads as there are histories: every thread searches the whole
/// tree, or the others help the first. The second does first what stands aside.
pub(super) fn on_threads(
    board: &PatternBoard,
    shared: &Shared<'_>,
    histories: Vec<History>,
    moves: &[Point],
    goal: Goal,
    aside: Option<&Aside<'_>>,
    on_depth: &mut (dyn FnMut(&Found) + Send),
) -> Vec<Outcome> {
    std::thread::scope(|scope| {
        let mut histories = histories.into_iter();
        let first = histories.next().expect("there is a thread");
        let helpers: Vec<_> = histories
            .enumerate()
            .map(|(index, history)| {
                let aside = aside.filter(|_| index == 0);
                scope.spawn(move || {
                    let lane = Lane::open(index + 1, shared.control.gauges.clone());
                    let looked_at = aside.map_or(0, |aside| aside.run(goal.all_moves));
                    let mut worker = Worker::new(board.clone(), shared, history, lane);
                    worker.counts.leaf += looked_at;
                    if let Some(team) = shared.team {
                        worker.help(team);
                        let found = Found::nothing(moves);
                        return worker.done(found);
                    }
                    let goal = Goal {
                        // A little deeper than what is asked for, rather than wait.
                        depth: (goal.depth + 2).min(200),
                        enough: None,
                        ..goal
                    };
                    let found = worker.deepen(moves, goal, index + 1, &mut |_| {});
                    worker.done(found)
                })
            })
            .collect();
        let lane = Lane::open(0, shared.control.gauges.clone());
        let mut worker = Worker::new(board.clone(), shared, first, lane);
        let found = worker.deepen(moves, goal, 0, &mut |found| on_depth(found));
        shared.control.stop();
        if let Some(team) = shared.team {
            team.end();
        }
        let mut outcomes = vec![worker.done(found)];
        for helper in helpers {
            outcomes.push(helper.join().expect("a search does not panic"));
        }
        outcomes
    })
}

impl Worker<'_> {
    /// What has come of it. To be called on its own thread.
    fn done(self, found: Found) -> Outcome {
        (found, self.history, self.lane.close(self.counts))
    }
}

/// Whose answer counts: that of the worker whose move has most behind it.
pub(super) fn vote(found: &[Found]) -> usize {
    let usable = |found: &Found| found.depth > 0;
    let lowest = found
        .iter()
        .filter(|f| usable(f))
        .map(|f| f.best().value)
        .min();
    let Some(lowest) = lowest else {
        return 0;
    };
    let weight =
        |found: &Found| i64::from(found.best().value - lowest + 14) * i64::from(found.depth);
    let votes = |point: Point| -> i64 {
        let same = found
            .iter()
            .filter(|f| usable(f) && f.best().point == point);
        same.map(weight).sum()
    };
    let mut chosen = 0;
    for (index, candidate) in found.iter().enumerate() {
        if !usable(candidate) {
            continue;
        }
        let (one, other) = (candidate.best(), found[chosen].best());
        // A win that is found counts more than any number of opinions, the shorter the more.
        let better = if one.value >= score::CERTAIN || other.value >= score::CERTAIN {
            one.value > other.value
        } else {
            (votes(one.point), candidate.depth) > (votes(other.point), found[chosen].depth)
        };
        if !usable(&found[chosen]) || better {
            chosen = index;
        }
    }
    chosen
}
