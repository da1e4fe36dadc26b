//! Learning from games that the network plays against chance.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

use super::curve::{Curve, GameEnd};
use super::late::{LateBoards, Restarts};
use super::playing::{Playing, RANDOM_SLIDES, Rules};
use super::tuples::{Shape, WithShape};
use super::weights::Learner;
use crate::twenty48::Twenty48;

/// How long to learn, and on how many threads.
#[derive(Clone, Debug)]
pub struct Course {
    /// Threads, at least one. With one the same seed gives the same weights.
    pub threads: usize,
    /// How many games in all, those of earlier courses included.
    pub games: Option<u64>,
    /// How long from now.
    pub time: Option<Duration>,
    /// Decides the new tiles.
    pub seed: u64,
    /// How often to tell how it goes.
    pub tell_every: Duration,
    /// Where games are taken up again after a whole one.
    pub restarts: Restarts,
    /// How many stages, from the first on, stay as they are.
    pub kept_stages: usize,
    /// How much of what really followed a board its target takes, 0 to 1; the rest is what the
    /// network thought of the next board. What really followed is right but hangs on chance.
    pub lambda: f32,
}

/// What a course has come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// As many games or as much time as were asked for.
    Done,
    /// The listener did not want more.
    Stopped,
}

/// How many games a thread plays in turns.
const AT_A_TIME: usize = 2;

/// Plays and learns until the course is over or the listener says stop, which is asked
/// every [`Course::tell_every`] while the games go on.
pub fn train(
    learner: &Learner,
    curve: &mut Curve,
    course: &Course,
    mut listen: impl FnMut(&Curve) -> bool,
) -> Ended {
    let started = Instant::now();
    let before = curve.time();
    let next_game = AtomicU64::new(curve.games());
    let stop = AtomicBool::new(false);
    let late = LateBoards::new(learner.stages(), course.kept_stages);
    let shared = Mutex::new((Vec::<GameEnd>::new(), course.threads));
    let changed = Condvar::new();
    let mut ended = Ended::Done;
    std::thread::scope(|scope| {
        for _ in 0..course.threads {
            scope.spawn(|| {
                learner.tuples().with_shape(Games {
                    learner,
                    seed: course.seed,
                    restarts: course.restarts,
                    late: &late,
                    rules: Rules {
                        kept_stages: course.kept_stages,
                        lambda: course.lambda,
                    },
                    stop: &stop,
                    number: || {
                        let number = next_game.fetch_add(1, Ordering::Relaxed);
                        let wanted = course.games.is_none_or(|games| number < games);
                        wanted.then_some(number)
                    },
                    ended: |end| shared.lock().expect("no thread panics").0.push(end),
                });
                shared.lock().expect("no thread panics").1 -= 1;
                changed.notify_all();
            });
        }
        let mut tell_at = started + course.tell_every;
        let end_at = course.time.map(|time| started + time);
        loop {
            let wake_at = end_at.map_or(tell_at, |end_at| end_at.min(tell_at));
            let wait = wake_at.saturating_duration_since(Instant::now());
            let state = shared.lock().expect("no thread panics");
            let (mut state, _) = changed
                .wait_timeout_while(state, wait, |state| state.1 > 0)
                .expect("no thread panics");
            let over = state.1 == 0;
            let ends = std::mem::take(&mut state.0);
            drop(state);
            let now = Instant::now();
            curve.add(&ends, before + now.duration_since(started));
            curve.set_going_on(late.going_on());
            if over {
                break;
            }
            if end_at.is_some_and(|end_at| now >= end_at) {
                stop.store(true, Ordering::Relaxed);
            }
            if now >= tell_at && !stop.load(Ordering::Relaxed) {
                if !listen(curve) {
                    ended = Ended::Stopped;
                    stop.store(true, Ordering::Relaxed);
                }
                tell_at = Instant::now() + course.tell_every;
            } else if stop.load(Ordering::Relaxed) {
                // The threads notice within a move.
                tell_at = now + Duration::from_millis(1);
            }
        }
    });
    curve.finish_point();
    ended
}

/// The games of one thread.
struct Games<'a, N, E> {
    learner: &'a Learner,
    seed: u64,
    restarts: Restarts,
    late: &'a LateBoards,
    rules: Rules,
    stop: &'a AtomicBool,
    /// The number of the next game, if there is to be one more.
    number: N,
    /// Takes how a game ended.
    ended: E,
}

impl<N: FnMut() -> Option<u64>, E: FnMut(GameEnd)> WithShape for Games<'_, N, E> {
    type Output = ();

    /// Plays and learns for as long as there are games: several at a time, in turns, so that
    /// the memory that one needs is on its way while the others go on.
    fn with<const T: usize>(mut self, shape: impl Shape<T>) {
        let game = Twenty48::new();
        let mut tables: Vec<Playing<T>> = Vec::new();
        while tables.len() < AT_A_TIME
            && let Some(number) = (self.number)()
        {
            tables.push(Playing::new(&game, self.learner, shape, self.seed, number));
        }
        let mut turn = 0;
        // Nothing is learnt from a game without an end.
        while !tables.is_empty() && !self.stop.load(Ordering::Relaxed) {
            turn = if turn + 1 < tables.len() { turn + 1 } else { 0 };
            let table = &mut tables[turn];
            let over = !table.step(&game, self.learner, shape);
            if !over {
                if self.restarts != Restarts::Late || !table.comes_to_its_goal(self.late) {
                    continue;
                }
            } else if self.restarts == Restarts::Late {
                self.late.leave(table.station, table.moves_here(), None);
            }
            table.learn(self.learner, shape, &self.rules, !over);
            let end = table.end();
            let (again, random) = match self.restarts {
                Restarts::None => (None, 1),
                Restarts::HalfWay => (table.half_way(), 1),
                Restarts::Late => (table.late(self.late), RANDOM_SLIDES),
            };
            if let Some(board) = again {
                table.restart(&game, self.learner, shape, board, random);
                continue;
            }
            (self.ended)(end);
            match (self.number)() {
                Some(number) => table.begin(&game, self.learner, shape, self.seed, number),
                None => {
                    tables.swap_remove(turn);
                }
            }
        }
    }
}

/// Another seed for every game, the same whichever thread plays it.
pub fn seed_of_game(seed: u64, number: u64) -> u64 {
    // The spawner mixes consecutive seeds well, but its own steps are a fixed constant:
    // games must not be parts of one another.
    let mut mixed = seed ^ number.wrapping_mul(0xd1b5_4a32_d192_ed03);
    mixed = (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    mixed ^ mixed >> 32
}
