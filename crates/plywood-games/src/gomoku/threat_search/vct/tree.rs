//! From a win that was found to its tree: a move of the attacker for every defence.

use super::super::super::Point;
use super::super::super::patterns::Class;
use super::super::budget::Spent;
use super::super::proof::{Attack, Defence};
use super::super::vcf::Found;
use super::{Choices, FOURS, INFINITE, Numbers, Search, Threat};

impl Search {
    /// The tree of a win that was found in so many moves.
    pub(super) fn proof(&mut self, left: u32) -> Result<Attack, Spent> {
        let attacker = self.attacker;
        if let Some(point) = self.board.fives(attacker).first() {
            return Ok(Attack::five(point));
        }
        // The shortest of the wins by fours, if there is any.
        if self.board.count(attacker.other(), Class::Five) == 0 {
            for moves in 2..=FOURS.0.min(left as u8) {
                let mut fours = self.budget.at_most(20 * FOURS.1);
                let found = self.fours.search(&mut self.board, moves, &mut fours);
                if found == Ok(Found::Wins) {
                    let attack = self.fours.proof(&mut self.board, moves, &mut fours);
                    self.budget.nodes = fours.nodes;
                    if let Ok(Some(attack)) = attack {
                        return Ok(attack);
                    }
                }
                self.budget.nodes = fours.nodes;
                if found != Ok(Found::NotWithin) {
                    break;
                }
            }
        }
        let Choices::Moves(moves) = self.attacks(left)? else {
            // Proven by fours, in more positions than were looked at just now.
            return self.proof_by_fours(left);
        };
        let mut order: Vec<Point> = moves.iter().map(|&(point, _)| point).collect();
        let proven = |search: &Search, point: Point| {
            let numbers = search.known(Some(point), left - 1);
            numbers.is_some_and(|numbers| numbers.proof == 0)
        };
        // What is remembered as proven first.
        order.sort_by_key(|&point| !proven(self, point));
        for point in order {
            self.board.play(point);
            let attack = self.proof_after(point, left - 1);
            self.board.undo();
            if let Some(attack) = attack? {
                return Ok(attack);
            }
        }
        unreachable!("what was proven is proven again")
    }

    fn proof_by_fours(&mut self, left: u32) -> Result<Attack, Spent> {
        let most = FOURS.0.min(left as u8);
        for moves in 2..=most {
            if self
                .fours
                .search(&mut self.board, moves, &mut self.budget)?
                == Found::Wins
            {
                let attack = self.fours.proof(&mut self.board, moves, &mut self.budget)?;
                return Ok(attack.expect("what was found is found again"));
            }
        }
        unreachable!("what was proven is proven again")
    }

    /// The tree behind a move just made, if it wins.
    fn proof_after(&mut self, point: Point, left: u32) -> Result<Option<Attack>, Spent> {
        let all = Numbers {
            proof: INFINITE,
            disproof: INFINITE,
        };
        let refuted = match self.known(None, left) {
            Some(numbers) if numbers.is_settled() => numbers.disproof == 0,
            _ => self.expand(false, left, all)?.proof == 0,
        };
        if refuted {
            return Ok(None);
        }
        let fives = *self.board.fives(self.attacker);
        let threat = if fives.is_empty() {
            let threat = self.defences_against_threats(left)?;
            threat.expect("what was proven is a threat").1
        } else {
            Threat {
                points: fives.iter().collect(),
                moves: 1,
            }
        };
        let mut attack = Attack {
            point,
            defences: Vec::new(),
            threats: threat.points,
            threat_moves: threat.moves,
        };
        if let Choices::Moves(moves) = self.defences(left)? {
            for (defence, _) in moves {
                self.board.play(defence);
                let answer = self.proof(left);
                self.board.undo();
                attack.defences.push(Defence {
                    point: defence,
                    answer: answer?,
                });
            }
            let defences = &mut attack.defences;
            defences.sort_by_key(|defence| (u32::MAX - defence.answer.length(), defence.point));
        }
        Ok(Some(attack))
    }
}
