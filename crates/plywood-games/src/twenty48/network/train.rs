//! Learning from games that the network plays against chance.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

use super::curve::{Curve, GameEnd};
use super::tuples::{Shape, WithShape};
use super::weights::Learner;
use crate::twenty48::{Board, Direction, RandomSpawner, Twenty48};
use plywood::Game;

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
}

/// What a course has come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// As many games or as much time as were asked for.
    Done,
    /// The listener did not want more.
    Stopped,
}

/// One move of a game: the board after the slide, and what the slide scored.
type Step = (u64, f32);

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
    let shared = Mutex::new((Vec::<GameEnd>::new(), course.threads));
    let changed = Condvar::new();
    let mut ended = Ended::Done;
    std::thread::scope(|scope| {
        for _ in 0..course.threads {
            scope.spawn(|| {
                learner.tuples().with_shape(Games {
                    learner,
                    seed: course.seed,
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
    stop: &'a AtomicBool,
    /// The number of the next game, if there is to be one more.
    number: N,
    /// Takes how a game ended.
    ended: E,
}

impl<N: FnMut() -> Option<u64>, E: FnMut(GameEnd)> WithShape for Games<'_, N, E> {
    type Output = ();

    /// Plays and learns for as long as there are games.
    fn with<const T: usize>(mut self, shape: impl Shape<T>) {
        let game = Twenty48::new();
        let mut path: Vec<Step> = Vec::new();
        'games: while let Some(number) = (self.number)() {
            let mut spawner = RandomSpawner::new(seed_of_game(self.seed, number));
            let mut position = game.new_game(&mut spawner);
            path.clear();
            while let Some((slid, gained)) = choose(&game, self.learner, shape, position.board()) {
                position.slide_to(slid, gained);
                path.push((slid.nibbles, gained as f32));
                let spawn = spawner.spawn(&position).expect("a slide leaves room");
                game.play(&mut position, spawn);
                if self.stop.load(Ordering::Relaxed) {
                    // Nothing is learnt from a game without an end.
                    break 'games;
                }
            }
            // From the end to the beginning: a board after a slide is worth what the next
            // slide scored and what the board after that is worth by now.
            let mut target = 0.0;
            for &(nibbles, gained) in path.iter().rev() {
                target = gained + self.learner.learn_in(shape, nibbles, target);
            }
            (self.ended)(GameEnd {
                score: position.score(),
                moves: path.len() as u32,
                largest: position.board().exponents().into_iter().max().unwrap_or(0),
            });
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

/// The slide with the most of what it scores and what the network expects then: the board
/// after it, and what it scores. Among equals the first.
#[inline(always)]
fn choose<const T: usize>(
    game: &Twenty48,
    learner: &Learner,
    shape: impl Shape<T>,
    board: Board,
) -> Option<(Board, u32)> {
    // All are looked up before any is compared: lookups wait for memory, and those that do
    // not wait for a comparison wait together.
    let slides = Direction::ALL.map(|direction| {
        let (slid, gained) = game.slide(board, direction);
        let value = if slid == board {
            f32::NEG_INFINITY
        } else {
            gained as f32 + learner.value_in(shape, slid.nibbles)
        };
        (value, slid, gained)
    });
    let mut best = slides[0];
    for slide in &slides[1..] {
        if slide.0 > best.0 {
            best = *slide;
        }
    }
    (best.0 > f32::NEG_INFINITY).then_some((best.1, best.2))
}
