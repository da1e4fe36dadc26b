//! Plays a match: several games at once, every finished one kept at once.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;

use super::finished::Finished;
use super::folder::Folder;
use super::plan::Plan;
use super::play::{Played, play};
use super::seat::{Chairs, House};
use super::stats::Verdict;
use super::summary::pair_counts;
use crate::LabError;

/// What became of a match.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// The games that count, in the order of their numbers.
    pub games: Vec<Finished>,
    /// Games that were finished after the test was decided, and do not count.
    pub late: usize,
    /// Whether it was stopped before its end.
    pub stopped: bool,
}

/// Plays the games that are missing. `on_game` is told the finished games, in the order of
/// their numbers, whenever there is one more.
///
/// With a test, games count block by block in their order, whatever order they finish in: the
/// test is decided by the first blocks that decide it, however many games run at once.
pub fn run(
    plan: &Plan,
    folder: &mut Folder,
    mut games: Vec<Finished>,
    concurrency: usize,
    stop: &Arc<AtomicBool>,
    on_game: &mut dyn FnMut(&[Finished]),
) -> Result<Outcome, LabError> {
    let game = plan.open_game()?;
    let game = &*game;
    let mut decider = Decider::default();
    let mut decided = decider.look(plan, &games);
    let mut missing = VecDeque::new();
    if decided.is_none() {
        let done: std::collections::HashSet<u32> = games.iter().map(|g| g.game).collect();
        missing.extend((0..plan.games).filter(|number| !done.contains(number)));
    }
    let house = House {
        grace: Duration::from_millis(plan.grace_ms),
        start_time: Duration::from_millis(plan.start_time_ms),
        stop: Arc::clone(stop),
    };
    let workers = concurrency.clamp(1, missing.len().max(1));
    let missing = Mutex::new(missing);
    // Nobody goes on before the last game is taken over: what a kill can lose is one game a
    // worker, however slow the disk is.
    let (finished, results) = mpsc::sync_channel(0);
    on_game(&games);
    let mut failure = None;
    thread::scope(|scope| {
        for _ in 0..workers {
            let (finished, missing, house) = (finished.clone(), &missing, house.clone());
            scope.spawn(move || {
                let mut chairs = Chairs::new(house.clone(), plan.players.len());
                while !house.is_stopped() {
                    let next = missing.lock().ok().and_then(|mut list| list.pop_front());
                    let Some(number) = next else {
                        return;
                    };
                    let played = play(plan, game, &plan.task(number), &mut chairs);
                    // Nobody listens any more if the match has failed.
                    if finished.send(played).is_err() {
                        return;
                    }
                }
            });
        }
        drop(finished);
        for played in &results {
            let finished = match played {
                Played::Ended(finished) => *finished,
                Played::Stopped => continue,
                Played::Impossible(error) => {
                    failure.get_or_insert(LabError::Failed(error));
                    stop.store(true, Ordering::Relaxed);
                    continue;
                }
            };
            if failure.is_some() {
                continue;
            }
            if let Err(error) = folder.add(plan, game, &finished) {
                // The others would fail in the same way.
                failure = Some(error);
                stop.store(true, Ordering::Relaxed);
                continue;
            }
            let at = games.partition_point(|other| other.game < finished.game);
            games.insert(at, finished);
            on_game(&games);
            if decided.is_none() {
                decided = decider.look(plan, &games);
                if decided.is_some() {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        }
    });
    if let Some(failure) = failure {
        return Err(failure);
    }
    let count = decided.unwrap_or(games.len());
    let late = games.len() - count;
    games.truncate(count);
    Ok(Outcome {
        stopped: decided.is_none() && games.len() < plan.games as usize,
        late,
        games,
    })
}

/// Follows the test of a match through its blocks.
#[derive(Default)]
struct Decider {
    pairs: [u64; 5],
    /// How many blocks are counted: those without a gap before them.
    blocks: usize,
    /// With how many games the test was decided.
    decided: Option<usize>,
}

impl Decider {
    /// Counts the blocks that are complete by now.
    fn look(&mut self, plan: &Plan, games: &[Finished]) -> Option<usize> {
        let sprt = plan.sprt?;
        while self.decided.is_none() {
            let first = 2 * self.blocks;
            let Some(pair) = games.get(first..first + 2) else {
                break;
            };
            if pair[1].game as usize != first + 1 {
                break;
            }
            for (sum, count) in self.pairs.iter_mut().zip(pair_counts(pair)) {
                *sum += count;
            }
            self.blocks += 1;
            if sprt.verdict(&self.pairs) != Verdict::Undecided {
                self.decided = Some(first + 2);
            }
        }
        self.decided
    }
}
