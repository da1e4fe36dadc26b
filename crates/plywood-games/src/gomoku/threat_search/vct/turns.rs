//! The widths in turns: narrow and short first, and the shortest win in the end.

use super::super::super::patterns::PatternBoard;
use super::super::budget::{Budget, Limits, Spent};
use super::super::proof::{Attack, Proof};
use super::super::vcf::Fours;
use super::super::{Answer, Solution};
use super::memory::Memory;
use super::{Search, Width};

/// The most moves of the attacker that are searched for if nothing else is said.
pub const MAX_MOVES: u32 = 60;

/// What is searched for in turns, each with a limit on the moves: a search without one loses
/// itself in long lines. The last of a width decides that there is nothing of it.
const STAGES: [(Width, u32); 9] = [
    (Width::Threes, 5),
    (Width::Threes, 9),
    (Width::WinsByFours, 4),
    (Width::Threes, 16),
    (Width::WinsByFours, 7),
    (Width::Threes, MAX_MOVES),
    (Width::WinsByFours, 12),
    (Width::Anything, 7),
    (Width::Anything, MAX_MOVES),
];

/// How many positions a stage may look at in the first turn; four times as many in each next.
const FIRST_TURN: u64 = 30_000;

/// Searches for a win of the player to move by threats: first by fours and open threes, then
/// by all moves that threaten a win by fours.
///
/// First for any win, then, unless any will do and as far as the limits allow, for the
/// shortest of its kind.
pub fn prove_by_threats(board: &PatternBoard, limits: &Limits) -> Solution {
    let mut search = Search {
        board: board.clone(),
        attacker: board.to_move(),
        fours: Fours::new(limits),
        memory: Memory::new(limits.most_known()),
        budget: Budget::new(limits),
        moves: limits.moves.unwrap_or(MAX_MOVES).clamp(1, MAX_MOVES),
        width: Width::Threes,
    };
    let answer = search.in_turns(limits.any);
    Solution {
        answer: answer.unwrap_or(Answer::Unknown),
        nodes: search.budget.nodes,
    }
}

impl Search {
    /// Lets every stage search for a while, then all that have not come to an end for longer.
    fn in_turns(&mut self, any: bool) -> Result<Answer, Spent> {
        let most = self.moves;
        let mut refuted = [false; STAGES.len()];
        for turn in 0.. {
            for (stage, &(width, moves)) in STAGES.iter().enumerate() {
                if refuted[stage] {
                    continue;
                }
                (self.width, self.moves) = (width, moves.min(most));
                let whole = self.budget.clone();
                self.budget = whole.at_most(FIRST_TURN << (2 * turn).min(40));
                let won = self.solve(self.moves);
                let nodes = self.budget.nodes;
                self.budget = whole;
                self.budget.nodes = nodes;
                match won {
                    Ok(true) => return self.answer(any),
                    Ok(false) => refuted[stage] = true,
                    Err(Spent) if self.budget.is_spent() => return Err(Spent),
                    Err(Spent) => {}
                }
            }
            if refuted[STAGES.len() - 1] {
                break;
            }
        }
        if most < MAX_MOVES {
            Ok(Answer::Unknown)
        } else {
            Ok(Answer::None)
        }
    }

    /// The tree of a win that was found, and of a shorter one if that is wanted.
    fn answer(&mut self, any: bool) -> Result<Answer, Spent> {
        // The tree is wanted even if the time is up just now.
        let patience = self.budget.clone();
        self.budget = patience.for_the_end();
        let mut first = self.proof(self.moves)?;
        let nodes = self.budget.nodes;
        self.budget = patience;
        self.budget.nodes = nodes;
        let mut shortest = false;
        if !any && !self.budget.is_spent() {
            match self.shorten(first.length()) {
                Ok(Some(shorter)) => {
                    first = shorter;
                    shortest = true;
                }
                Ok(None) => shortest = true,
                Err(Spent) => {}
            }
        }
        Ok(Answer::Wins {
            proof: Proof {
                attacker: self.attacker,
                first,
            },
            shortest,
        })
    }

    /// The shortest win in fewer moves, if there is one.
    fn shorten(&mut self, length: u32) -> Result<Option<Attack>, Spent> {
        for moves in 1..length {
            if self.solve(moves)? {
                return self.proof(moves).map(Some);
            }
        }
        Ok(None)
    }
}
