//! Learning which moves are likely to be good, from games against itself.
//!
//! In every position of a game the search says how often it went to each move. The weights
//! follow: they make what the search found likely at first sight. The next games are played
//! with the new weights, so that the search starts from better ones, and all positions so far
//! are learnt from again. For playouts only moves with the largest pieces that fit count, as
//! they do there. From how the games end is learnt what positions promise.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use plywood::{Game, Limits, Moves, Random, SettingsError};

use super::foresight::{Expected, Foresight, Foretold, Seen};
use super::playout::uniform_move;
use super::policy::{Centre, FEATURES, Judge, PHASES, QUICK, Weights};
use super::{Engine, EngineSettings, Policy, Thought, second_look};
use crate::blokus::moves::Move;
use crate::blokus::{Blokus, PIECES, Piece, State};
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
    /// Whether positions are recorded to learn a second look from.
    pub record: bool,
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
    /// How well the ends of these games were foretold, before that was learnt from them.
    pub foretold: Option<Foretold>,
}

/// After so many games the weights change at first,
const FEWEST_GAMES_OF_A_ROUND: u64 = 96;
/// and later after this part of the games so far.
const PART_OF_A_ROUND: u64 = 8;
/// So many moves of a game are drawn by visits, so that games differ.
const DRAWN_MOVES: usize = 12;
/// Of the others one in so many is any move there is, so that it is learnt what comes of
/// moves that the engine does not make.
const SURPRISES: usize = 25;
/// How often a round goes through all positions so far.
const PASSES: usize = 2;
/// How many positions are learnt from at once.
const BATCH: usize = 64;
/// How far a weight moves at first.
const STEP: f64 = 0.1;
/// The most positions that are kept to learn from, the newest.
const MOST_LESSONS: usize = 40_000;

/// A position: what describes each move, and how often the search went there.
struct Lesson {
    phase: usize,
    moves: Vec<Described>,
}

/// A move: its piece and its numbers, and the share of the search's visits it had.
#[derive(Clone, Copy)]
struct Described {
    piece: u8,
    numbers: [i8; FEATURES],
    share: f32,
}

impl Lesson {
    /// How likely each move is with these weights.
    fn likely(&self, weights: &Weights) -> Vec<f64> {
        let (pieces, of_numbers) = (&weights.pieces[self.phase], &weights.numbers[self.phase]);
        let log = |described: &Described| {
            let parts = described.numbers.iter().zip(of_numbers);
            let sum: f32 = parts.map(|(&n, w)| f32::from(n) * w).sum();
            f64::from(sum + pieces[usize::from(described.piece)])
        };
        let logs: Vec<f64> = self.moves.iter().map(log).collect();
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut likely: Vec<f64> = logs.iter().map(|log| (log - most).exp()).collect();
        let sum: f64 = likely.iter().sum();
        likely.iter_mut().for_each(|likely| *likely /= sum);
        likely
    }

    /// What playouts can learn: only the moves with the largest pieces, by what is quickly
    /// found.
    fn for_playouts(&self) -> Option<Lesson> {
        let size = |described: &Described| Piece::new(usize::from(described.piece)).size();
        let largest = self.moves.iter().map(size).max()?;
        let mut moves = self.moves.clone();
        moves.retain(|described| size(described) == largest);
        let sum: f32 = moves.iter().map(|described| described.share).sum();
        if moves.len() < 2 || sum <= 0.0 {
            return None;
        }
        for described in &mut moves {
            described.share /= sum;
            described.numbers[QUICK..].fill(0);
        }
        Some(Lesson {
            phase: self.phase,
            moves,
        })
    }
}

/// Weights that learn.
struct Learner {
    weights: Weights,
    /// The sums of the squares of all slopes so far, weight by weight.
    squares: [Slopes; PHASES],
    lessons: VecDeque<Lesson>,
}

/// Adds what is new and leaves out the oldest, so that there are not more than so many.
pub(super) fn add_newest<T>(kept: &mut VecDeque<T>, new: impl IntoIterator<Item = T>, most: usize) {
    kept.extend(new);
    kept.drain(..kept.len().saturating_sub(most));
}

/// A number for every weight of a phase: pieces first.
type Slopes = [f64; PIECES + FEATURES];

impl Learner {
    fn new(weights: Weights) -> Self {
        Learner {
            weights,
            squares: [[1e-4; PIECES + FEATURES]; PHASES],
            lessons: VecDeque::new(),
        }
    }

    /// Goes through all lessons so far, these included.
    fn learn(&mut self, lessons: impl Iterator<Item = Lesson>) {
        add_newest(&mut self.lessons, lessons, MOST_LESSONS);
        let lessons = std::mem::take(&mut self.lessons);
        let (first, second) = lessons.as_slices();
        for _ in 0..PASSES {
            for batch in first.chunks(BATCH).chain(second.chunks(BATCH)) {
                self.step(batch);
            }
        }
        self.lessons = lessons;
    }

    /// Moves the weights downhill, each as far as its past slopes allow.
    fn step(&mut self, batch: &[Lesson]) {
        let mut slopes = [[0.0; PIECES + FEATURES]; PHASES];
        for lesson in batch {
            let (of_pieces, of_numbers) = slopes[lesson.phase].split_at_mut(PIECES);
            for (described, likely) in lesson.moves.iter().zip(lesson.likely(&self.weights)) {
                let missing = f64::from(described.share) - likely;
                of_pieces[usize::from(described.piece)] += missing;
                for (slope, &number) in of_numbers.iter_mut().zip(&described.numbers) {
                    *slope += missing * f64::from(number);
                }
            }
        }
        for (phase, (slopes, squares)) in slopes.iter().zip(&mut self.squares).enumerate() {
            let pieces = self.weights.pieces[phase].iter_mut();
            let weights = pieces.chain(&mut self.weights.numbers[phase]);
            for ((weight, slope), square) in weights.zip(slopes).zip(squares) {
                let slope = slope / batch.len() as f64;
                *square += slope * slope;
                let moved = f64::from(*weight) + STEP * slope / square.sqrt();
                *weight = moved.clamp(-20.0, 20.0) as f32;
            }
        }
    }
}

/// Learns from games of the engine against itself, and tells after every round what it has
/// learnt, with the records of its positions if they are wanted; the listener says whether to
/// go on.
pub fn train<const COLOURS: usize>(
    game: &Blokus<COLOURS>,
    mut policy: Policy,
    course: &Course,
    mut on_round: impl FnMut(&Round, &Policy, &[u8]) -> bool,
) -> Result<Policy, SettingsError> {
    let centre = Centre::new(Blokus::<COLOURS>::SIZE);
    let (mut prior, mut playout) = (Learner::new(policy.prior), Learner::new(policy.playout));
    let mut foresight = Foresight::new(policy.prospects.take(), course.seed, course.threads);
    policy.prospects = foresight.prospects();
    let mut done = 0;
    while done < course.games {
        let count = FEWEST_GAMES_OF_A_ROUND.max(done / PART_OF_A_ROUND);
        let count = count.min(course.games - done);
        let now = Arc::new(policy.clone());
        let games = play_games(game, &centre, &now, course, done..done + count)?;
        done += count;
        let (mut lessons, mut seen, mut records) = (Vec::new(), Vec::new(), Vec::new());
        for taught in games {
            lessons.extend(taught.lessons);
            seen.extend(taught.seen);
            records.extend(taught.records);
        }
        let foretold = foresight.learn(seen, done as f64 / course.games as f64);
        policy.prospects = foresight.prospects();
        let positions = lessons.len();
        let before = error(&lessons, &policy.prior);
        playout.learn(lessons.iter().filter_map(Lesson::for_playouts));
        prior.learn(lessons.into_iter());
        (policy.prior, policy.playout) = (prior.weights, playout.weights);
        let newest = prior.lessons.len() - positions.min(prior.lessons.len());
        let round = Round {
            games: done,
            positions,
            error: (before, error(prior.lessons.range(newest..), &policy.prior)),
            foretold,
        };
        if !on_round(&round, &policy, &records) {
            break;
        }
    }
    Ok(policy)
}

/// What a game teaches.
struct Taught<const COLOURS: usize> {
    /// About moves.
    lessons: Vec<Lesson>,
    /// About positions.
    seen: Vec<Seen<COLOURS>>,
    /// For a second look, if wanted.
    records: Vec<u8>,
}

/// Plays games, several at a time. What they teach does not depend on how many.
fn play_games<const COLOURS: usize>(
    game: &Blokus<COLOURS>,
    centre: &Centre,
    policy: &Arc<Policy>,
    course: &Course,
    numbers: std::ops::Range<u64>,
) -> Result<Vec<Taught<COLOURS>>, SettingsError> {
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
    Ok(lessons.into_iter().map(|(_, taught)| taught).collect())
}

fn play_game<const COLOURS: usize>(
    game: &Blokus<COLOURS>,
    centre: &Centre,
    policy: &Arc<Policy>,
    course: &Course,
    number: u64,
) -> Result<Taught<COLOURS>, SettingsError> {
    let seed = course.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ number;
    let settings = EngineSettings {
        seed,
        memory: 64 << 20,
        policy: Some(policy.clone()),
        ..EngineSettings::default()
    };
    let mut engine = Engine::new(*game, settings)?;
    let mut random = Random::new(seed);
    let mut state = game.start();
    let (mut lessons, mut positions, mut records) = (Vec::new(), Vec::new(), Vec::new());
    // Every other game begins with any first moves.
    let opened = if number.is_multiple_of(2) { COLOURS } else { 0 };
    for ply in 0.. {
        if state.mover().is_none() {
            break;
        }
        if ply < opened || ply >= DRAWN_MOVES && random.below(SURPRISES) == 0 {
            let mv = uniform_move(game, &state, &mut random);
            game.play(&mut state, mv);
            continue;
        }
        let thought = engine.think(&state, &Limits::nodes(course.playouts), &mut |_| {});
        lessons.extend(lesson(game, centre, &state, &thought));
        positions.push(Expected::new(&state, &thought));
        positions.extend(Expected::beside(game, &state, &thought));
        if course.record {
            second_look::record(&state, &thought, &mut records);
        }
        let mv = if ply < DRAWN_MOVES {
            drawn(&thought, &mut random)
        } else {
            thought.best
        };
        let Some(mv) = mv else { break };
        game.play(&mut state, mv);
    }
    let seen = positions
        .iter()
        .map(|expected| Seen::new(game, expected, &state));
    Ok(Taught {
        lessons,
        seen: seen.collect(),
        records,
    })
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
    let judge = Judge::new(game, centre, state);
    let mut taught = Vec::with_capacity(moves.len());
    judge.describe(&moves, |mv, numbers| {
        let known = thought.moves.iter().find(|known| known.mv == mv);
        let share = known.map_or(0, |known| known.visits) as f32 / visits as f32;
        taught.push(Described {
            piece: mv.piece().index() as u8,
            numbers: numbers.map(|number| number as i8),
            share,
        });
    });
    Some(Lesson {
        phase: judge.phase(),
        moves: taught,
    })
}

/// The mean logarithm by which weights misjudge what the search chose.
fn error<'a>(
    lessons: impl IntoIterator<Item = &'a Lesson, IntoIter: ExactSizeIterator>,
    weights: &Weights,
) -> f64 {
    let lessons = lessons.into_iter();
    let count = lessons.len().max(1) as f64;
    let misjudged = |lesson: &Lesson| -> f64 {
        let shares = lesson.moves.iter().map(|described| described.share);
        let parts = shares.zip(lesson.likely(weights));
        parts
            .filter(|(share, _)| *share > 0.0)
            .map(|(share, likely)| -f64::from(share) * likely.max(1e-12).ln())
            .sum()
    };
    lessons.map(misjudged).sum::<f64>() / count
}
