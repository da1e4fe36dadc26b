//! A win by threats, with an answer to every defence.

use super::super::patterns::{Class, PatternBoard, Points};
use super::super::{Colour, Point};
use super::stops::stopping;

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
    /// The threat: where the attacker plays if the defender does anything else. Nothing if the
    /// move itself makes five.
    pub threats: Vec<Point>,
    /// In how many moves the attacker then wins by fours: 1 if the threats make five, 2 if
    /// they make an open four, more if it takes several fours.
    pub threat_moves: u32,
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
            threat_moves: 0,
        }
    }

    /// The moves of the attacker up to five, against the defence that lasts longest.
    pub fn length(&self) -> u32 {
        let defences = self.defences.iter();
        let longest = defences.map(|defence| defence.answer.length()).max();
        1 + longest.unwrap_or(0).max(self.threat_moves)
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

    /// Holds the proof against every legal move of the defender: each has an answer in the
    /// tree, or loses to a win by fours that is no longer than the tree says.
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
            None if !wins_by_fours(board, attack.threat_moves) => {
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

/// Whether the player to move wins by fours in so many moves.
fn wins_by_fours(board: &mut PatternBoard, moves: u32) -> bool {
    let attacker = board.to_move();
    let defender = attacker.other();
    if board.count(attacker, Class::Five) > 0 {
        return moves > 0;
    }
    if moves < 2 {
        return false;
    }
    let forced = *board.fives(defender);
    board.fours(attacker).iter().any(|point| {
        // A five of the defender has to be stopped first.
        if !forced.is_empty() && (forced.len() > 1 || !forced.contains(point)) {
            return false;
        }
        board.play(point);
        let fives = *board.fives(attacker);
        let wins = match fives.first() {
            None => false,
            Some(stop) if fives.len() > 1 || !board.is_allowed(defender, stop) => {
                board.count(defender, Class::Five) == 0
            }
            Some(_) if board.count(defender, Class::Five) > 0 => false,
            Some(stop) => {
                board.play(stop);
                let wins = wins_by_fours(board, moves - 1);
                board.undo();
                wins
            }
        };
        board.undo();
        wins
    })
}

impl Attack {
    /// Whether this win by fours, found with the defender not moving, is one also after what
    /// the defender has just played. The board is left as it was.
    pub(super) fn still_wins(&self, board: &mut PatternBoard) -> bool {
        let attacker = board.to_move();
        let defender = attacker.other();
        if board.count(attacker, Class::Five) > 0 {
            return true;
        }
        let forced = board.fives(defender);
        if !forced.is_empty() && (forced.len() > 1 || !forced.contains(self.point)) {
            return false;
        }
        if board.stone(self.point).is_some() || !board.is_allowed(attacker, self.point) {
            return false;
        }
        board.play(self.point);
        let wins = board.count(defender, Class::Five) == 0
            && board.count(attacker, Class::Five) > 0
            && match stopping(board, attacker) {
                None => true,
                Some(stop) => {
                    let listed = self.defences.iter().find(|defence| defence.point == stop);
                    listed.is_some_and(|defence| {
                        board.play(stop);
                        let wins = defence.answer.still_wins(board);
                        board.undo();
                        wins
                    })
                }
            };
        board.undo();
        wins
    }

    /// All points that the tree speaks of.
    pub(super) fn mentioned(&self, points: &mut Points) {
        points.insert(self.point);
        for &threat in &self.threats {
            points.insert(threat);
        }
        for defence in &self.defences {
            points.insert(defence.point);
            defence.answer.mentioned(points);
        }
    }
}
