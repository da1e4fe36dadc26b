//! The answer is out in time, whatever the search does.
//!
//! Where there is more to do than processors, a thread that thinks may have to wait for its turn
//! just when the time is up. One that sleeps until then is woken at once. So the search runs on
//! a thread of its own, and this one answers with the best so far if it is late.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use plywood::Limits;

use super::super::engine::{Engine, Thought};
use super::super::patterns::PatternBoard;

/// How often to look whether somebody has asked for an end.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// How long a search that was told to stop is waited for.
const PATIENCE: Duration = Duration::from_millis(15);

/// What the thinking thread has found so far.
struct Progress {
    thought: Thought,
    done: bool,
}

/// Thinks about a position, and calls `answer` with what was found: not after `latest`, and
/// soon after `stop` is set. The search has ended when this returns.
pub(super) fn think<R>(
    engine: &mut Engine,
    board: &PatternBoard,
    limits: &Limits,
    enough: Duration,
    latest: Instant,
    stop: &Arc<AtomicBool>,
    answer: impl FnOnce(&Thought) -> R,
) -> R {
    let limits = limits.clone().with_stop(Arc::clone(stop));
    let progress = Mutex::new(Progress {
        thought: Thought::at_first_sight(board),
        done: false,
    });
    let changed = Condvar::new();
    let lock = || progress.lock().unwrap_or_else(PoisonError::into_inner);
    std::thread::scope(|scope| {
        let search = || {
            let thought = engine.think(board, &limits, Some(enough), &mut |so_far| {
                lock().thought.clone_from(so_far);
            });
            let mut progress = lock();
            progress.thought = thought;
            progress.done = true;
            drop(progress);
            changed.notify_one();
        };
        let thread = std::thread::Builder::new().spawn_scoped(scope, search);
        let mut stopped: Option<Instant> = None;
        let mut progress = lock();
        // Without a thread there is what is seen at first sight.
        while thread.is_ok() && !progress.done {
            let now = Instant::now();
            if stopped.is_none() && stop.load(Ordering::Relaxed) {
                stopped = Some(now);
            }
            let end = stopped.map_or(latest, |stopped| latest.min(stopped + PATIENCE));
            if now >= end {
                break;
            }
            let short = LOOK_EVERY.min(end - now);
            progress = changed
                .wait_timeout(progress, short)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
        let thought = progress.thought.clone();
        drop(progress);
        stop.store(true, Ordering::Relaxed);
        answer(&thought)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gomoku::engine::{Parallel, Resources};
    use crate::gomoku::{Point, Rule};

    fn played(latest: Duration, stopped: bool) -> Thought {
        let mut board = PatternBoard::new(Rule::Freestyle, 15);
        board.play(Point::new(7, 7));
        let mut engine = Engine::new(Resources {
            threads: 2,
            memory: 1 << 20,
            parallel: Parallel::default(),
        });
        // Without this module it would go on and on.
        let limits = Limits::default();
        let stop = Arc::new(AtomicBool::new(stopped));
        let forever = Duration::from_secs(1_000_000);
        let latest = Instant::now() + latest;
        think(
            &mut engine,
            &board,
            &limits,
            forever,
            latest,
            &stop,
            Thought::clone,
        )
    }

    #[test]
    fn a_search_that_does_not_end_is_not_waited_for() {
        let thought = played(Duration::from_millis(100), false);
        assert!(thought.best.is_some());
    }

    #[test]
    fn there_is_an_answer_before_anything_is_searched() {
        let thought = played(Duration::ZERO, false);
        assert!(thought.best.is_some());
    }

    #[test]
    fn a_stop_is_obeyed() {
        let thought = played(Duration::from_secs(1_000_000), true);
        assert!(thought.best.is_some());
    }
}
