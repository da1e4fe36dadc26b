//! Wins by threats: every move of the attacker threatens to win.
//!
//! The search is depth-first proof-number search. Where the attacker is to move any one move
//! has to win, where the defender is to move all defences have to lose. It comes in three
//! widths:
//!
//! * [`Width::Threes`]: every move makes a four or an open three. The defence against a four is
//!   the point that stops it; against threats of open fours, the points that stop all of them
//!   and the defender's own fours, which put the attacker off for a move. Whatever else the
//!   defender plays loses at once.
//! * [`Width::WinsByFours`]: every move threatens a win by fours, however long. A defence is
//!   whatever makes that very win fail, by trying: every point in line with one of its points
//!   is played, and the win is played through against it. [`Width::Anything`] is the same with
//!   moves that merely clear the way.

mod memory;
mod tree;
mod turns;

use super::super::patterns::{Class, Pattern, PatternBoard, Points};
use super::super::position::STONE_KEYS;
use super::super::{Colour, Point, Rule};
use super::budget::{Budget, Spent};
use super::proof::Attack;
use super::stops::{stopping, stopping_open_fours};
use super::vcf::{Found, Fours};
use memory::{Defended, Memory};

pub use turns::{MAX_MOVES, prove_by_threats};

/// The longest win by fours that is looked for where the attacker is to move, and how many
/// positions that may take.
const FOURS: (u8, u64) = (30, 1500);

/// How much is left to do until a position is proven, and until it is refuted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Numbers {
    proof: u32,
    disproof: u32,
}

const INFINITE: u32 = 1 << 28;

impl Numbers {
    const PROVEN: Numbers = Numbers {
        proof: 0,
        disproof: INFINITE,
    };
    const REFUTED: Numbers = Numbers {
        proof: INFINITE,
        disproof: 0,
    };

    fn is_settled(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }

    /// Seen from the other side.
    fn turned(self) -> Numbers {
        Numbers {
            proof: self.disproof,
            disproof: self.proof,
        }
    }
}

/// Which moves count as threats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Width {
    /// Fours and open threes.
    Threes,
    /// Moves that threaten a win by fours and build something themselves.
    WinsByFours,
    /// All moves near stones that threaten a win by fours.
    Anything,
}

/// What a player who is to move can do.
enum Choices {
    /// Nothing needs to be looked at: it is won or lost for the attacker.
    Settled(Numbers),
    /// These moves.
    Moves(Vec<(Point, Numbers)>),
}

struct Search {
    board: PatternBoard,
    attacker: Colour,
    fours: Fours,
    memory: Memory,
    budget: Budget,
    /// The most moves of the attacker that the win may take.
    moves: u32,
    width: Width,
}

impl Search {
    /// What is known of the position after a move, or of this one, with so many moves of the
    /// attacker left.
    fn known(&self, point: Option<Point>, left: u32) -> Option<Numbers> {
        let stone = point.map_or(0, |point| {
            STONE_KEYS[self.board.to_move() as usize][point.slot()]
        });
        self.memory.get(self.board.hash() ^ stone, left, self.width)
    }

    /// What the attacker can do with so many moves left.
    fn attacks(&mut self, left: u32) -> Result<Choices, Spent> {
        let attacker = self.attacker;
        let defender = attacker.other();
        let board = &mut self.board;
        if left == 0 {
            return Ok(Choices::Settled(Numbers::REFUTED));
        }
        if board.count(attacker, Class::Five) > 0 {
            return Ok(Choices::Settled(Numbers::PROVEN));
        }
        if left == 1 || board.count(defender, Class::Five) > 1 {
            return Ok(Choices::Settled(Numbers::REFUTED));
        }
        if board.count(defender, Class::Five) == 1 {
            let point = board.fives(defender).first().expect("there is one");
            return Ok(if board.is_allowed(attacker, point) {
                Choices::Moves(vec![(
                    point,
                    Numbers {
                        proof: 1,
                        disproof: 1,
                    },
                )])
            } else {
                Choices::Settled(Numbers::REFUTED)
            });
        }
        let hash = board.hash();
        let found = if self.memory.has_too_many_fours(hash) {
            Err(Spent)
        } else {
            let mut fours = self.budget.at_most(FOURS.1);
            let most = FOURS.0.min(left as u8);
            let found = self.fours.search(board, most, &mut fours);
            self.budget.nodes = fours.nodes;
            if found.is_err() {
                self.memory.remember_too_many_fours(hash);
            }
            found
        };
        if found == Ok(Found::Wins) {
            return Ok(Choices::Settled(Numbers::PROVEN));
        }
        if left == 2 && found.is_ok() {
            // Without fours that win, two moves are too few.
            return Ok(Choices::Settled(Numbers::REFUTED));
        }
        let mut moves = Vec::new();
        for point in board.fours(attacker).iter() {
            moves.push((
                point,
                Numbers {
                    proof: 2,
                    disproof: 2,
                },
            ));
        }
        for point in board.threes(attacker).iter() {
            let proof = match board.class(attacker, point) {
                Class::DoubleThree => 1,
                _ => 3,
            };
            moves.push((point, Numbers { proof, disproof: 1 }));
        }
        if self.width != Width::Threes {
            let anything = self.width == Width::Anything;
            for point in board.near_points().iter() {
                let class = board.class(attacker, point);
                if matches!(class, Class::Quiet | Class::PerhapsForbidden)
                    && (anything || builds(board.patterns(attacker, point)))
                    && board.is_allowed(attacker, point)
                    && moves.iter().all(|&(other, _)| other != point)
                {
                    moves.push((
                        point,
                        Numbers {
                            proof: 8,
                            disproof: 1,
                        },
                    ));
                }
            }
        }
        // Equal numbers are taken in this order.
        moves.sort_by_key(|&(point, _)| (-board.promise(attacker, point), point));
        if moves.is_empty() {
            return Ok(Choices::Settled(Numbers::REFUTED));
        }
        Ok(Choices::Moves(moves))
    }

    /// What the defender can do, with so many moves of the attacker left.
    fn defences(&mut self, left: u32) -> Result<Choices, Spent> {
        let attacker = self.attacker;
        let defender = attacker.other();
        let board = &mut self.board;
        if board.count(defender, Class::Five) > 0 || left == 0 {
            return Ok(Choices::Settled(Numbers::REFUTED));
        }
        if board.count(attacker, Class::Five) > 0 {
            return Ok(match stopping(board, attacker) {
                None => Choices::Settled(Numbers::PROVEN),
                Some(point) => Choices::Moves(vec![(
                    point,
                    Numbers {
                        proof: 1,
                        disproof: 1,
                    },
                )]),
            });
        }
        if left == 1 {
            return Ok(Choices::Settled(Numbers::REFUTED));
        }
        let Some((defences, _)) = self.defences_against_threats(left)? else {
            return Ok(Choices::Settled(Numbers::REFUTED));
        };
        if defences.is_empty() {
            return Ok(Choices::Settled(Numbers::PROVEN));
        }
        let one = Numbers {
            proof: 1,
            disproof: 1,
        };
        let board = &self.board;
        let mut moves: Vec<(Point, Numbers)> = defences.iter().map(|point| (point, one)).collect();
        moves.sort_by_key(|&(point, _)| (-board.promise(defender, point), point));
        Ok(Choices::Moves(moves))
    }

    /// The defences against what the attacker threatens other than five, and that threat;
    /// nothing if there is none that wins in so many moves.
    fn defences_against_threats(&mut self, left: u32) -> Result<Option<(Points, Threat)>, Spent> {
        let attacker = self.attacker;
        let defender = attacker.other();
        let board = &mut self.board;
        if let Some(stops) = stopping_open_fours(board, attacker) {
            let stops = stops.or(&board.fours(defender)).iter();
            let stops = stops.filter(|&point| board.is_allowed(defender, point));
            let threat = Threat {
                points: board.points(attacker, Class::OpenFour).iter().collect(),
                moves: 2,
            };
            return Ok(Some((stops.collect(), threat)));
        }
        if self.width == Width::Threes {
            return Ok(None);
        }
        let hash = board.hash();
        if let Some(Defended { defences, threat }) = self.memory.defended(hash, left) {
            return Ok(Some((*defences, threat.clone())));
        }
        board.pass();
        let mut fours = self.budget.at_most(FOURS.1);
        let found = self.shortest_fours(left as u8, &mut fours);
        self.budget.nodes = fours.nodes;
        self.board.undo();
        let Some(win) = found else {
            return Ok(None);
        };
        let mut points = Points::EMPTY;
        win.mentioned(&mut points);
        let board = &mut self.board;
        let near = points.with_lines(board.size()).and(&board.empty_points());
        let mut defences = Points::EMPTY;
        for point in near.or(&board.fours(defender)).iter() {
            if board.is_allowed(defender, point) {
                self.budget.node()?;
                board.play(point);
                if !win.still_wins(board) {
                    defences.insert(point);
                }
                board.undo();
            }
        }
        let threat = Threat {
            points: vec![win.point],
            moves: win.length(),
        };
        let defended = Defended {
            defences,
            threat: threat.clone(),
        };
        self.memory.remember_defences(hash, defended);
        Ok(Some((defences, threat)))
    }

    /// The shortest win by fours of the player to move, if it takes at most so many moves and
    /// is found in time. A win of black's in renju that leads over a point that perhaps is
    /// forbidden does not count: white's stones elsewhere might make it so.
    fn shortest_fours(&mut self, most: u8, budget: &mut Budget) -> Option<Attack> {
        for moves in 2..=FOURS.0.min(most) {
            match self.fours.search(&mut self.board, moves, budget) {
                Ok(Found::Wins) => {
                    let win = self.fours.proof(&mut self.board, moves, budget).ok()??;
                    let clean = self.board.rule() != Rule::Renju
                        || self.attacker == Colour::White
                        || is_clean(&mut self.board, &win);
                    return clean.then_some(win);
                }
                Ok(Found::NotWithin) => {}
                Ok(Found::Never) | Err(Spent) => break,
            }
        }
        None
    }

    /// Searches until the position's numbers reach either limit. Both, like the result, are
    /// those of the player to move: `proof` is what is left to do until he has his way.
    fn expand(&mut self, attacking: bool, left: u32, limits: Numbers) -> Result<Numbers, Spent> {
        self.budget.node()?;
        let choices = if attacking {
            self.attacks(left)?
        } else {
            self.defences(left)?
        };
        let hash = self.board.hash();
        let mut moves = match choices {
            Choices::Settled(numbers) => {
                self.memory.remember(hash, left, self.width, numbers);
                return Ok(if attacking { numbers } else { numbers.turned() });
            }
            Choices::Moves(moves) => moves,
        };
        let after = if attacking { left - 1 } else { left };
        loop {
            // The player needs one move: the smallest proof. All have to be refuted; as
            // positions are reached in many ways, the sum would count work again and again.
            let (mut best, mut proof, mut second) = (0, INFINITE, INFINITE);
            let (mut disproof, mut open) = (0, 0);
            for (index, (point, numbers)) in moves.iter_mut().enumerate() {
                if let Some(known) = self.known(Some(*point), after) {
                    *numbers = known;
                }
                let own = if attacking {
                    *numbers
                } else {
                    numbers.turned()
                };
                if own.proof < proof {
                    (second, proof, best) = (proof, own.proof, index);
                } else if own.proof < second {
                    second = own.proof;
                }
                if own.disproof > 0 {
                    open += 1;
                    disproof = disproof.max(own.disproof);
                }
            }
            if open > 1 && disproof < INFINITE {
                disproof = (disproof + open - 1).min(INFINITE - 1);
            }
            let numbers = if proof == 0 {
                Numbers::PROVEN
            } else {
                Numbers { proof, disproof }
            };
            if numbers.is_settled() || proof >= limits.proof || disproof >= limits.disproof {
                let of_attacker = if attacking { numbers } else { numbers.turned() };
                self.memory.remember(hash, left, self.width, of_attacker);
                return Ok(numbers);
            }
            let (point, numbers) = moves[best];
            let own = if attacking { numbers } else { numbers.turned() };
            // A little more than the second best, so as not to change moves all the time.
            let enough = limits.proof.min(second.saturating_add(1 + second / 4));
            let rest = limits.disproof.min(INFINITE) - disproof + own.disproof;
            let limits = Numbers {
                proof: enough,
                disproof: rest.min(INFINITE),
            };
            self.board.play(point);
            let found = self.expand(!attacking, after, limits.turned());
            self.board.undo();
            found?;
        }
    }

    /// Whether the attacker, who is to move, wins in so many moves.
    fn solve(&mut self, left: u32) -> Result<bool, Spent> {
        let all = Numbers {
            proof: INFINITE,
            disproof: INFINITE,
        };
        loop {
            let numbers = self.expand(true, left, all)?;
            if numbers.is_settled() {
                return Ok(numbers.proof == 0);
            }
        }
    }
}

/// What the attacker does if the defender does nothing.
#[derive(Clone, Debug)]
struct Threat {
    points: Vec<Point>,
    moves: u32,
}

/// Whether a stone that makes these patterns may threaten a win by fours: it makes a closed
/// three, or more than one open two.
fn builds(patterns: [Pattern; 4]) -> bool {
    let twos = patterns
        .iter()
        .filter(|pattern| (Pattern::OpenTwo..=Pattern::OpenTwoWide).contains(pattern))
        .count();
    twos > 1
        || patterns
            .iter()
            .any(|&pattern| pattern >= Pattern::ClosedThree)
}

/// Whether no move of a win by fours goes to a point that perhaps is forbidden.
fn is_clean(board: &mut PatternBoard, attack: &Attack) -> bool {
    let attacker = board.to_move();
    if board.class(attacker, attack.point) == Class::PerhapsForbidden {
        return false;
    }
    board.play(attack.point);
    let clean = attack.defences.iter().all(|defence| {
        board.play(defence.point);
        let clean = is_clean(board, &defence.answer);
        board.undo();
        clean
    });
    board.undo();
    clean
}
