//! Learning which moves are likely to be good, from games against itself.
//!
//! In every position of a game the search says how often it went to each move. The weights
//! follow: they make what the search found likely at first sight. The next games are played
//! with the new weights, so that the search starts from better ones. For playouts only moves
//! with the largest pieces that fit count, as they do there.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use plywood::{Game, Limits, Moves, Random, SettingsError};

use super::policy::{Centre, FEATURES, Judge, Weights};
use super::{Engine, EngineSettings, Policy, Thought};
use crate::blokus::moves::Move;
use crate::blokus::{Blokus, State};
use crate::text::Notation;

/// How to learn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Course {
    /// The number of games.
    pub games: u64,
    /// Playouts for a move.
    pub playouts: u64,
    /// Games played at the same time.
    pub threads: usize,
    /// The seed of all random numbers.
    pub seed: u64,
}

/// What some games have taught.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Round {
    /// The games so far.
    pub games: u64,
    /// Positions of these games.
    pub positions: usize,
    /// By how much the weights misjudged what the search chose in them, before and after
    /// they have learnt: the mean logarithm, for the first look.
    pub error: (f64, f64),
}

/// After so many games the weights change.
const GAMES_OF_A_ROUND: u64 = 16;
/// So many moves of a game are drawn by visits, so that games differ.
const DRAWN_MOVES: usize = 12;
/// How often a round goes through its positions.
const PASSES: usize = 30;
/// How far a weight moves at first.
const STEP: f64 = 0.05;

/// A position: what describes each move, and how often the search went there.
struct Lesson {
    moves: Vec<([f32; FEATURES], f32)>,
}

impl Lesson {
    /// How likely each move is with these weights.
    fn likely(&self, weights: &[f64; FEATURES]) -> Vec<f64> {
        let logs: Vec<f64> = self
            .moves
            .iter()
            .map(|(numbers, _)| {
                let parts = numbers.iter().zip(weights);
                parts
                    .map(|(number, weight)| f64::from(*number) * weight)
                    .sum()
            })
            .collect();
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut likely: Vec<f64> = logs.iter().map(|log| (log - most).exp()).collect();
        let sum: f64 = likely.iter().sum();
        likely.iter_mut().for_each(|likely| *likely /= sum);
        likely
    }

    /// Only the moves with the largest pieces.
    fn of_largest(&self) -> Option<Lesson> {
        let size = |numbers: &[f32; FEATURES]| numbers[..4].iter().position(|&is| is > 0.0);
        let sizes = self
            .moves
            .iter()
            .map(|(numbers, _)| size(numbers).unwrap_or(4));
        let largest = sizes.min()?;
        let mut moves: Vec<_> = self.moves.clone();
        moves.retain(|(numbers, _)| size(numbers).unwrap_or(4) == largest);
        let sum: f32 = moves.iter().map(|(_, share)| share).sum();
        if moves.len() < 2 || sum <= 0.0 {
            return None;
        }
        moves.iter_mut().for_each(|(_, share)| *share /= sum);
        Some(Lesson { moves })
    }
}

/// Learns from games of the engine against itself, and tells after every round what it has
/// learnt; the listener says whether to go on.
pub fn train<const COLOURS: usize>(
    game: &Blokus<COLOURS>,
    mut policy: Policy,
    course: &Course,
    mut on_round: impl FnMut(&Round, &Policy) -> bool,
) -> Result<Policy, SettingsError> {
    let centre = Centre::new(Blokus::<COLOURS>::SIZE);
    let mut done = 0;
    while done < course.games {
        let count = GAMES_OF_A_ROUND.min(course.games - done);
        let lessons = play_games(game, &centre, &policy, course, done..done + count)?;
        done += count;
        let before = error(&lessons, &policy.prior);
        // Later rounds know more already, and change less.
        let step = STEP / (1.0 + done as f64 / 400.0);
        learn(&mut policy.prior, &lessons, step);
        let largest: Vec<Lesson> = lessons.iter().filter_map(Lesson::of_largest).collect();
        learn(&mut policy.playout, &largest, step);
        let round = Round {
            games: done,
            positions: lessons.len(),
            error: (before, error(&lessons, &policy.prior)),
        };
        if !on_round(&round, &policy) {
            break;
        }
    }
    Ok(policy)
}

/// Plays games, several at a time. What they teach does not depend on how many.
fn play_games<const COLOURS: usize>(
    game: &Blokus<COLOURS>,
    centre: &Centre,
    policy: &Policy,
    course: &Course,
    numbers: std::ops::Range<u64>,
) -> Result<Vec<Lesson>, SettingsError> {
    let next = AtomicU64::new(numbers.start);
    let lessons = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        let work = || -> Result<(), SettingsError> {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= numbers.end {
                    return Ok(());
                }
                let taught = play_game(game, centre, policy, course, number)?;
                let mut lessons = lessons.lock().expect("nobody panics inside");
                lessons.push((number, taught));
            }
        };
        let others: Vec<_> = (1..course.threads).map(|_| scope.spawn(work)).collect();
        let mut result = work();
        for other in others {
            result = result.and(other.join().expect("no game panics"));
        }
        result
    })?;
    let mut lessons = lessons.into_inner().expect("nobody panics inside");
    lessons.sort_by_key(|(number, _)| *number);
    Ok(lessons.into_iter().flat_map(|(_, taught)| taught).collect())
}

fn play_game<const COLOURS: usize>(
    game: &Blokus<COLOURS>,
    centre: &Centre,
    policy: &Policy,
    course: &Course,
    number: u64,
) -> Result<Vec<Lesson>, SettingsError> {
    let seed = course.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ number;
    let settings = EngineSettings {
        seed,
        memory: 64 << 20,
        policy: *policy,
        ..EngineSettings::default()
    };
    let mut engine = Engine::new(*game, settings)?;
    let mut random = Random::new(seed);
    let mut state = game.start();
    let mut lessons = Vec::new();
    for ply in 0.. {
        if state.mover().is_none() {
            break;
        }
        let thought = engine.think(&state, &Limits::nodes(course.playouts), &mut |_| {});
        lessons.extend(lesson(game, centre, &state, &thought));
        let mv = if ply < DRAWN_MOVES {
            drawn(&thought, &mut random)
        } else {
            thought.best
        };
        let Some(mv) = mv else { break };
        game.play(&mut state, mv);
    }
    Ok(lessons)
}

/// A move drawn by how often the search went there.
fn drawn<const COLOURS: usize>(thought: &Thought<COLOURS>, random: &mut Random) -> Option<Move> {
    let visits: u64 = thought.moves.iter().map(|mv| mv.visits).sum();
    let mut left = random.below(visits.max(1) as usize) as u64;
    for mv in &thought.moves {
        if left < mv.visits {
            return Some(mv.mv);
        }
        left -= mv.visits;
    }
    thought.best
}

/// What a thought teaches about the moves of its position; nothing if there is no choice.
fn lesson<const COLOURS: usize>(
    game: &Blokus<COLOURS>,
    centre: &Centre,
    state: &State<COLOURS>,
    thought: &Thought<COLOURS>,
) -> Option<Lesson> {
    let mut moves = Vec::new();
    game.moves(state, &mut Moves::new(&mut moves));
    let visits: u64 = thought.moves.iter().map(|mv| mv.visits).sum();
    if moves.len() < 2 || visits == 0 {
        return None;
    }
    let mut taught = Vec::with_capacity(moves.len());
    Judge::new(game, centre, state).describe(&moves, |mv, numbers| {
        let known = thought.moves.iter().find(|known| known.mv == mv);
        let share = known.map_or(0, |known| known.visits) as f32 / visits as f32;
        taught.push((numbers, share));
    });
    Some(Lesson { moves: taught })
}

/// The mean logarithm by which weights misjudge what the search chose.
fn error(lessons: &[Lesson], weights: &Weights) -> f64 {
    let weights = weights.0.map(f64::from);
    let sum: f64 = lessons
        .iter()
        .map(|lesson| {
            let likely = lesson.likely(&weights);
            let shares = lesson.moves.iter().map(|(_, share)| f64::from(*share));
            let parts = shares.zip(likely).filter(|(share, _)| *share > 0.0);
            parts
                .map(|(share, likely)| -share * likely.max(1e-12).ln())
                .sum::<f64>()
        })
        .sum();
    sum / lessons.len().max(1) as f64
}

/// Moves the weights downhill, each as far as its past slopes allow.
fn learn(weights: &mut Weights, lessons: &[Lesson], step: f64) {
    let mut now = weights.0.map(f64::from);
    let mut squares = [1e-3; FEATURES];
    for _ in 0..PASSES {
        let mut slope = [0.0; FEATURES];
        for lesson in lessons {
            let likely = lesson.likely(&now);
            for ((numbers, share), likely) in lesson.moves.iter().zip(likely) {
                for (slope, number) in slope.iter_mut().zip(numbers) {
                    *slope += (f64::from(*share) - likely) * f64::from(*number);
                }
            }
        }
        for ((now, slope), square) in now.iter_mut().zip(slope).zip(&mut squares) {
            let slope = slope / lessons.len().max(1) as f64;
            *square += slope * slope;
            *now += step * slope / square.sqrt();
        }
    }
    weights.0 = now.map(|weight| weight.clamp(-20.0, 20.0) as f32);
}
