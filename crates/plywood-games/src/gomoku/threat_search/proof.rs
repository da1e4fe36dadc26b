//! A win by threats, with an answer to every defence.

use super::super::patterns::{Class, PatternBoard};
use super::super::{Colour, Point};

/// A forced win: what the attacker plays, and what follows each defence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// Who wins.
    pub attacker: Colour,
    /// The first move.
    pub first: Attack,
}

/// A move of the attacker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attack {
    /// Where the stone goes.
    pub point: Point,
    /// The defences that do not lose at once, with what is played against each.
    pub defences: Vec<Defence>,
    /// The threat: where the attacker plays if the defender does anything else. Points that
    /// make five, or else points that make an open four. Nothing if the move itself makes five.
    pub threats: Vec<Point>,
    /// Whether the threats make five at once.
    pub four: bool,
}

/// A move of the defender.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Defence {
    /// Where the stone goes.
    pub point: Point,
    /// What is played against it.
    pub answer: Attack,
}

impl Attack {
    /// A move that makes five.
    pub(super) fn five(point: Point) -> Self {
        Attack {
            point,
            defences: Vec::new(),
            threats: Vec::new(),
            four: false,
        }
    }

    /// The moves of the attacker up to five, against the defence that lasts longest.
    pub fn length(&self) -> u32 {
        let threat = match (self.threats.is_empty(), self.four) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) => 2,
        };
        let defences = self.defences.iter();
        let longest = defences.map(|defence| defence.answer.length()).max();
        1 + longest.unwrap_or(0).max(threat)
    }

    /// How many moves of the attacker the tree holds.
    pub fn size(&self) -> usize {
        let defences = self.defences.iter();
        1 + defences.map(|defence| defence.answer.size()).sum::<usize>()
    }

    /// The line in which either side plays its best: the attacker's moves and the defences
    /// that last longest, up to the attacker's last move that has to be chosen.
    pub fn line(&self) -> Vec<Point> {
        let mut line = vec![self.point];
        let defences = self.defences.iter();
        // Of equally long ones the first.
        if let Some(defence) = defences.rev().max_by_key(|defence| defence.answer.length()) {
            line.push(defence.point);
            line.extend(defence.answer.line());
        }
        line
    }
}

impl Proof {
    /// The moves of the attacker up to five, against the defence that lasts longest.
    pub fn length(&self) -> u32 {
        self.first.length()
    }

    /// Holds the proof against every legal move of the defender, by the rules alone.
    ///
    /// The board must be the position that was proven; it is left as it was. An error says
    /// which moves lead to where the proof is wrong.
    pub fn check(&self, board: &PatternBoard) -> Result<(), String> {
        if board.to_move() != self.attacker {
            return Err("the attacker is not to move".into());
        }
        check_attack(&mut board.clone(), &self.first, &mut Vec::new())
    }
}

fn wrong(path: &[Point], what: &str) -> String {
    let moves: Vec<String> = path.iter().map(Point::to_string).collect();
    format!("after {}: {what}", moves.join(" "))
}

fn check_attack(
    board: &mut PatternBoard,
    attack: &Attack,
    path: &mut Vec<Point>,
) -> Result<(), String> {
    let attacker = board.to_move();
    path.push(attack.point);
    if board.stone(attack.point).is_some() || !board.is_allowed(attacker, attack.point) {
        return Err(wrong(path, "the move is not legal"));
    }
    if board.class(attacker, attack.point) == Class::Five {
        path.pop();
        return Ok(());
    }
    board.play(attack.point);
    let defender = attacker.other();
    for point in board.empty_points().iter() {
        if !board.is_allowed(defender, point) {
            continue;
        }
        if board.class(defender, point) == Class::Five {
            path.push(point);
            return Err(wrong(path, "the defender has won"));
        }
        let listed = attack
            .defences
            .iter()
            .find(|defence| defence.point == point);
        path.push(point);
        board.play(point);
        match listed {
            Some(defence) => check_attack(board, &defence.answer, path)?,
            None if !wins_at_once(board) => {
                return Err(wrong(path, "the defence has no answer"));
            }
            None => {}
        }
        board.undo();
        path.pop();
    }
    board.undo();
    path.pop();
    Ok(())
}

/// Whether the player to move has five, or plays a move after which every defence leaves five.
fn wins_at_once(board: &mut PatternBoard) -> bool {
    let attacker = board.to_move();
    let defender = attacker.other();
    if board.count(attacker, Class::Five) > 0 {
        return true;
    }
    if board.count(defender, Class::Five) > 0 {
        return false;
    }
    board.fours(attacker).iter().any(|point| {
        board.play(point);
        let fives = *board.fives(attacker);
        let stopped = fives.len() == 1 && fives.iter().all(|p| board.is_allowed(defender, p));
        board.undo();
        !fives.is_empty() && !stopped
    })
}
