//! Which moves are looked at, and in which order.

use super::super::patterns::{Class, PatternBoard, Points};
use super::super::threat_search::stopping_open_fours;
use super::super::{Colour, Point, Rule};

/// What the position asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Nothing is forced.
    Free,
    /// The opponent threatens an open four: only moves that stop it or make a four.
    Threatened,
}

/// The moves worth a look where neither player has a five to make and the player to move has
/// no open four. None at all if everything loses.
pub(super) fn candidates(board: &PatternBoard) -> (Kind, Points) {
    let player = board.to_move();
    let opponent = player.other();
    if board.count(opponent, Class::OpenFour) > 0 {
        let stops = stopping_open_fours(board, opponent).unwrap_or_default();
        let stops = stops.or(&board.fours(player));
        return (Kind::Threatened, allowed(board, player, stops));
    }
    let mut near = board.near_points();
    // Where neither colour can make five there is nothing to be had.
    near.retain(|point| !board.is_dead(point));
    let moves = allowed(board, player, near);
    if moves.is_empty() {
        let rest = allowed(board, player, board.empty_points());
        return (Kind::Free, rest);
    }
    (Kind::Free, moves)
}

/// Those of the points that the colour may play on.
pub(super) fn allowed(board: &PatternBoard, colour: Colour, mut points: Points) -> Points {
    if board.rule() == Rule::Renju && colour == Colour::Black {
        let doubtful = points.and(board.points(colour, Class::PerhapsForbidden));
        for point in doubtful.iter() {
            if board.forbidden(point).is_some() {
                points.remove(point);
            }
        }
    }
    points
}

/// How often moves have turned out well, by colour and point.
#[derive(Clone, Debug)]
pub(super) struct History {
    good: Box<[[i16; Point::SLOTS]; 2]>,
    /// By colour and point of the move before: what has refuted it.
    answers: Box<[[Option<Point>; Point::SLOTS]; 2]>,
}

/// The most that history says for or against a move.
const MOST: i32 = 8000;

impl Default for History {
    fn default() -> Self {
        History {
            good: Box::new([[0; Point::SLOTS]; 2]),
            answers: Box::new([[None; Point::SLOTS]; 2]),
        }
    }
}

impl History {
    #[inline]
    pub(super) fn of(&self, colour: Colour, point: Point) -> i32 {
        i32::from(self.good[colour as usize][point.slot()])
    }

    #[inline]
    pub(super) fn answer(&self, colour: Colour, last: Option<Point>) -> Option<Point> {
        self.answers[colour as usize][last?.slot()]
    }

    /// The move has refuted the one before, and those tried earlier have not.
    pub(super) fn refuted(
        &mut self,
        colour: Colour,
        point: Point,
        last: Option<Point>,
        tried: &[Point],
        depth: i32,
    ) {
        let bonus = (depth * depth).clamp(1, 400) * 4;
        self.add(colour, point, bonus);
        for &other in tried {
            self.add(colour, other, -bonus);
        }
        if let Some(last) = last {
            self.answers[colour as usize][last.slot()] = Some(point);
        }
    }

    fn add(&mut self, colour: Colour, point: Point, bonus: i32) {
        let entry = &mut self.good[colour as usize][point.slot()];
        let old = i32::from(*entry);
        *entry = (old + bonus - old * bonus.abs() / MOST) as i16;
    }

    /// Lets what was learnt fade, before the next search.
    pub(super) fn fade(&mut self) {
        for entry in self.good.iter_mut().flatten() {
            *entry /= 4;
        }
    }
}

/// Moves with what they promise, of which the best is taken out one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct MoveList(Vec<(i32, Point)>);

impl MoveList {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    pub(super) fn push(&mut self, promise: i32, point: Point) {
        self.0.push((promise, point));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Keeps only the moves for which this is so.
    pub(super) fn retain(&mut self, mut stays: impl FnMut(i32, Point) -> bool) {
        self.0.retain(|&(promise, point)| stays(promise, point));
    }

    /// Takes out the most promising move; of equal ones the first.
    pub(super) fn take_best(&mut self) -> Option<(i32, Point)> {
        let mut best = 0;
        for index in 1..self.0.len() {
            let (one, other) = (self.0[index], self.0[best]);
            if one.0 > other.0 || (one.0 == other.0 && one.1 < other.1) {
                best = index;
            }
        }
        (!self.0.is_empty()).then(|| self.0.swap_remove(best))
    }
}
