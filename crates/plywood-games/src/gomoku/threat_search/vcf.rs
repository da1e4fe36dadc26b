//! Wins by fours: every move of the attacker threatens five.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::super::patterns::{Class, PatternBoard, Points};
use super::super::{Colour, Point};
use super::budget::{Budget, Limits, Spent};
use super::proof::{Attack, Defence, Proof};
use super::stops::stopping;
use super::{Answer, Solution};

/// Takes the hash of a position for what it is.
#[derive(Default)]
pub(super) struct Hashed(u64);

impl Hasher for Hashed {
    fn write(&mut self, _: &[u8]) {
        unreachable!("only whole words are hashed")
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = word;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

pub(super) type ByHash<T> = HashMap<u64, T, BuildHasherDefault<Hashed>>;

/// What is known of a position in which the attacker is to move.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// There is no win in so many moves.
    fails: u8,
    /// There is a win in so many moves.
    wins: u8,
}

const NEVER: u8 = u8::MAX;

/// Whether there is a win by fours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Found {
    Wins,
    NotWithin,
    Never,
}

/// Searches for wins by fours, and remembers what it has found.
#[derive(Debug)]
pub(super) struct Fours {
    known: ByHash<Known>,
    /// The most positions that are remembered.
    most_known: usize,
}

impl Fours {
    pub(super) fn new(limits: &Limits) -> Self {
        Fours {
            known: ByHash::default(),
            most_known: limits.most_known(),
        }
    }

    /// Whether the player to move wins by fours in at most so many moves, the one that makes
    /// five included.
    pub(super) fn search(
        &mut self,
        board: &mut PatternBoard,
        moves: u8,
        budget: &mut Budget,
    ) -> Result<Found, Spent> {
        let attacker = board.to_move();
        let defender = attacker.other();
        if board.count(attacker, Class::Five) > 0 {
            return Ok(Found::Wins);
        }
        let fours = match board.count(defender, Class::Five) {
            0 => board.fours(attacker),
            1 => board.fours(attacker).and(board.fives(defender)),
            _ => return Ok(Found::Never),
        };
        if fours.is_empty() {
            return Ok(Found::Never);
        }
        if moves < 2 {
            return Ok(Found::NotWithin);
        }
        let hash = board.hash();
        if let Some(known) = self.known.get(&hash) {
            if known.wins <= moves {
                return Ok(Found::Wins);
            }
            if known.fails == NEVER {
                return Ok(Found::Never);
            }
            if known.fails >= moves {
                return Ok(Found::NotWithin);
            }
        }
        let mut found = Found::Never;
        for point in ordered(board, attacker, &fours, moves > 2) {
            budget.node()?;
            board.play(point);
            let after = self.after_four(board, attacker, moves, budget);
            board.undo();
            match after? {
                Found::Wins => {
                    found = Found::Wins;
                    break;
                }
                Found::NotWithin => found = Found::NotWithin,
                Found::Never => {}
            }
        }
        if self.known.len() >= self.most_known {
            self.known.clear();
        }
        let known = self.known.entry(hash).or_insert(Known {
            fails: 0,
            wins: NEVER,
        });
        match found {
            Found::Wins => known.wins = known.wins.min(moves),
            Found::NotWithin => known.fails = known.fails.max(moves),
            Found::Never => known.fails = NEVER,
        }
        Ok(found)
    }

    /// Whether a four just made wins in so many moves, that one included.
    fn after_four(
        &mut self,
        board: &mut PatternBoard,
        attacker: Colour,
        moves: u8,
        budget: &mut Budget,
    ) -> Result<Found, Spent> {
        match stopping(board, attacker) {
            None => Ok(Found::Wins),
            Some(_) if moves <= 2 => Ok(Found::NotWithin),
            Some(point) => {
                board.play(point);
                let found = self.search(board, moves - 1, budget);
                board.undo();
                found
            }
        }
    }

    /// The tree of a win that is known to take so many moves.
    pub(super) fn proof(
        &mut self,
        board: &mut PatternBoard,
        moves: u8,
        budget: &mut Budget,
    ) -> Result<Option<Attack>, Spent> {
        let attacker = board.to_move();
        if let Some(point) = board.fives(attacker).first() {
            return Ok(Some(Attack::five(point)));
        }
        let fours = match board.count(attacker.other(), Class::Five) {
            0 => board.fours(attacker),
            _ => board.fours(attacker).and(board.fives(attacker.other())),
        };
        for point in ordered(board, attacker, &fours, true) {
            board.play(point);
            let attack = self.proof_after(board, point, attacker, moves, budget);
            board.undo();
            if let Some(attack) = attack? {
                return Ok(Some(attack));
            }
        }
        Ok(None)
    }

    fn proof_after(
        &mut self,
        board: &mut PatternBoard,
        point: Point,
        attacker: Colour,
        moves: u8,
        budget: &mut Budget,
    ) -> Result<Option<Attack>, Spent> {
        if self.after_four(board, attacker, moves, budget)? != Found::Wins {
            return Ok(None);
        }
        let mut attack = Attack {
            point,
            defences: Vec::new(),
            threats: board.fives(attacker).iter().collect(),
            threat_moves: 1,
        };
        if let Some(defence) = stopping(board, attacker) {
            board.play(defence);
            let answer = self.proof(board, moves - 1, budget);
            board.undo();
            let Some(answer) = answer? else {
                return Ok(None);
            };
            attack.defences.push(Defence {
                point: defence,
                answer,
            });
        }
        Ok(Some(attack))
    }
}

/// Fours, those that win or also threaten something else first. With few moves left only the
/// ones are worth a look whose answer is not forced or not allowed; but in renju even those
/// cannot be told without playing.
fn ordered(board: &PatternBoard, attacker: Colour, fours: &Points, all: bool) -> Vec<Point> {
    let mut list: Vec<(i32, Point)> = Vec::with_capacity(8);
    for point in fours.iter() {
        let rank = match board.class(attacker, point) {
            Class::OpenFour => 2,
            Class::FourThree => 1,
            _ => 0,
        };
        list.push((rank * 1000 + board.promise(attacker, point), point));
    }
    if !all && board.rule() != super::super::Rule::Renju {
        // A four that is not open leaves an answer: not within the moves.
        let open = list.iter().any(|&(rank, _)| rank >= 2000);
        if open {
            list.retain(|&(rank, _)| rank >= 2000);
        } else {
            list.truncate(1);
        }
    }
    list.sort_by_key(|&(rank, point)| (-rank, point));
    list.into_iter().map(|(_, point)| point).collect()
}

/// Searches for the shortest win by fours of the player to move.
///
/// The win is the shortest there is, unless a limit was reached; then what was found before is
/// given if anything was.
pub fn prove_by_fours(board: &PatternBoard, limits: &Limits) -> Solution {
    let mut board = board.clone();
    let mut budget = Budget::new(limits);
    let mut fours = Fours::new(limits);
    let most = limits.moves.unwrap_or(u32::from(NEVER - 1));
    let most = most.min(u32::from(NEVER - 1)) as u8;
    let answer = shortest(&mut board, &mut fours, most, &mut budget);
    Solution {
        answer: answer.unwrap_or(Answer::Unknown),
        nodes: budget.nodes,
    }
}

fn shortest(
    board: &mut PatternBoard,
    fours: &mut Fours,
    most: u8,
    budget: &mut Budget,
) -> Result<Answer, Spent> {
    for moves in 1..=most {
        match fours.search(board, moves, budget)? {
            Found::Wins => {
                let first = fours.proof(board, moves, budget)?;
                return Ok(Answer::Wins {
                    proof: Proof {
                        attacker: board.to_move(),
                        first: first.expect("what was found is found again"),
                    },
                    shortest: true,
                });
            }
            Found::NotWithin => {}
            Found::Never => return Ok(Answer::None),
        }
    }
    Ok(Answer::Unknown)
}
