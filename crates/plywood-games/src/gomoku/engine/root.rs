//! The root of the search: one depth after the other.

use std::time::Duration;

use super::super::Point;
use super::super::patterns::{Class, PatternBoard, Points};
use super::control::Stopped;
use super::entry::Bound;
use super::moves::{Kind, MoveList, allowed, candidates};
use super::score::{CERTAIN, INFINITE, win_after};
use super::worker::{Frame, Worker, reduction_of};
use super::ybwc::{self, Best, Team};

/// A move of the root and what is known of it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub point: Point,
    pub value: i32,
    /// The line, beginning with the move.
    pub line: Vec<Point>,
}

/// What one worker has found.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// All moves, the best first.
    pub moves: Vec<RootMove>,
    /// The depth that was completed.
    pub depth: i32,
    /// Whether it was ended before its depth.
    pub stopped: bool,
}

impl Found {
    /// Nothing is known of these moves.
    pub(super) fn nothing(moves: &[Point]) -> Self {
        let root = |&point: &Point| RootMove {
            point,
            value: -INFINITE,
            line: vec![point],
        };
        Found {
            moves: moves.iter().map(root).collect(),
            depth: 0,
            stopped: false,
        }
    }

    pub(super) fn best(&self) -> &RootMove {
        &self.moves[0]
    }
}

/// When a worker is done.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goal {
    pub depth: i32,
    /// Whether the value of every move is wanted.
    pub all_moves: bool,
    /// A time after which no new depth is begun, and sooner if the move seems clear.
    pub enough: Option<Duration>,
}

/// All moves of a position whose game is not over, those that matter, the most promising
/// first.
pub(super) fn root_moves(board: &PatternBoard) -> Vec<Point> {
    let player = board.to_move();
    let opponent = player.other();
    let near = |board: &PatternBoard| {
        let near = allowed(board, player, board.near_points());
        if !near.is_empty() {
            return near;
        }
        let empty = allowed(board, player, board.empty_points());
        let centre = Point::new(board.size() / 2, board.size() / 2);
        if board.stones() == 0 && empty.contains(centre) {
            return Points::from_iter([centre]);
        }
        empty
    };
    let mut points = *board.fives(player);
    if points.is_empty() {
        points = allowed(board, player, *board.fives(opponent));
    }
    if points.is_empty() && board.count(opponent, Class::Five) == 0 {
        points = *board.points(player, Class::OpenFour);
        if points.is_empty() && board.stones() > 0 {
            points = candidates(board).1;
        }
    }
    if points.is_empty() {
        points = near(board);
    }
    let mut list: Vec<Point> = points.iter().collect();
    list.sort_by_key(|&point| (-board.promise(player, point), point));
    list
}

impl Worker<'_> {
    /// Searches one depth after the other until the goal is reached or the search stopped, and
    /// tells after every depth.
    ///
    /// `offset` makes the workers of a search different from each other.
    pub(super) fn deepen(
        &mut self,
        moves: &[Point],
        goal: Goal,
        offset: usize,
        on_depth: &mut dyn FnMut(&Found),
    ) -> Found {
        let mut found = Found::nothing(moves);
        let mut steady = 0;
        for depth in 1..=goal.depth {
            // Half of the helpers run a depth ahead, so that not all do the same.
            let ahead = i32::from(offset % 2 == 1 && depth > 3);
            let depth = (depth + ahead).min(goal.depth);
            let before = found.best().point;
            let known = found.depth > 0;
            if self.one_depth(&mut found, depth, goal.all_moves).is_err() {
                found.stopped = true;
                break;
            }
            found.depth = depth;
            steady = if before == found.best().point {
                steady + 1
            } else {
                0
            };
            on_depth(&found);
            let decided = found.best().value.abs() >= CERTAIN;
            if decided && !goal.all_moves && (known || found.best().value > 0) {
                break;
            }
            if let Some(enough) = goal.enough {
                let elapsed = self.shared.control.elapsed();
                // A depth takes a few times as long as the one before.
                let share = if steady >= 5 { 0.35 } else { 0.6 };
                if moves.len() == 1 || elapsed.as_secs_f64() > enough.as_secs_f64() * share {
                    break;
                }
            }
        }
        found
    }

    /// Searches all moves to a depth. If that is stopped the moves found so far stay, and a
    /// better one found in between counts.
    fn one_depth(&mut self, found: &mut Found, depth: i32, all: bool) -> Result<(), Stopped> {
        let previous = found.best().value;
        let open = all || depth < 4 || previous.abs() >= CERTAIN;
        let mut width = 25;
        let (mut alpha, mut beta) = if open {
            (-INFINITE, INFINITE)
        } else {
            (previous - width, previous + width)
        };
        loop {
            let value = self.one_window(found, depth, alpha, beta, all)?;
            if value <= alpha && alpha > -INFINITE {
                alpha = if width > 300 {
                    -INFINITE
                } else {
                    value - width
                };
            } else if value >= beta && beta < INFINITE {
                beta = if width > 300 { INFINITE } else { value + width };
            } else {
                return Ok(());
            }
            width *= 3;
        }
    }

    fn one_window(
        &mut self,
        found: &mut Found,
        depth: i32,
        alpha: i32,
        beta: i32,
        all: bool,
    ) -> Result<i32, Stopped> {
        let mut best = -INFINITE;
        let mut values: Vec<(usize, i32)> = Vec::with_capacity(found.moves.len());
        for index in 0..found.moves.len() {
            if index > 0
                && !all
                && depth >= ybwc::LEAST_DEPTH
                && let Some(team) = self.shared.team
            {
                let window = (alpha.max(best), beta);
                let (shared, stopped) = self.share_root(team, found, depth, window, best);
                best = shared.value;
                let is_better = |root: &RootMove| Some(root.point) == shared.point;
                if let Some(index) = found.moves.iter().position(is_better) {
                    found.moves[index].value = best;
                    found.moves[index].line = shared.line;
                    values.push((index, best));
                }
                if stopped {
                    if best > alpha {
                        arrange(found, &values);
                    }
                    return Err(Stopped);
                }
                break;
            }
            let point = found.moves[index].point;
            let floor = if all { alpha } else { alpha.max(best) };
            let value = self.root_move(point, depth, floor, beta, if all { 0 } else { index });
            let value = match value {
                Ok(value) => value,
                Err(Stopped) => {
                    // The best of what was completed is better than the move before it.
                    if best > alpha && !all {
                        arrange(found, &values);
                    }
                    return Err(Stopped);
                }
            };
            if value > floor || all || index == 0 {
                let root = &mut found.moves[index];
                root.value = value;
                root.line.clear();
                root.line.push(point);
                root.line.extend_from_slice(self.line(1));
                values.push((index, value));
            }
            best = best.max(value);
            if best >= beta {
                break;
            }
        }
        arrange(found, &values);
        if best > alpha && best < beta {
            let point = found.best().point;
            let estimate = super::evaluation::estimate(&self.board);
            let hash = self.board.hash();
            self.store(hash, best, estimate, Some(point), depth, Bound::Exact, 0);
        }
        Ok(best)
    }

    /// Searches all moves of the root but the first together with the team, and tells whether it
    /// was stopped. There is no point in the best if none is better than the first.
    fn share_root(
        &mut self,
        team: &Team,
        found: &Found,
        depth: i32,
        window: (i32, i32),
        first: i32,
    ) -> (Best, bool) {
        let mut list = MoveList::default();
        for (index, root) in found.moves.iter().enumerate().skip(1) {
            // In the order in which they are.
            list.push(-(index as i32), root.point);
        }
        let frame = Frame {
            depth,
            ply: 0,
            pv: true,
            estimate: super::evaluation::estimate(&self.board),
            kind: Kind::Free,
            improving: false,
        };
        let so_far = Best {
            value: first,
            point: None,
            bound: Bound::AtMost,
            line: Vec::new(),
        };
        match self.share(team, &frame, list, 1, window, so_far) {
            Ok(best) => (best, false),
            Err(best) => (best, true),
        }
    }

    /// The value of a move of the root: the first, number 0, with the whole window at once.
    pub(super) fn root_move(
        &mut self,
        point: Point,
        depth: i32,
        alpha: i32,
        beta: i32,
        number: usize,
    ) -> Result<i32, Stopped> {
        let player = self.board.to_move();
        if self.board.class(player, point) == Class::Five {
            return Ok(win_after(1));
        }
        // Late moves are looked at less deep first, as everywhere, but more carefully.
        let mut reduction = 0;
        if number > 0 && depth >= 3 {
            let less = if self.is_quiet(point) { 2 } else { 3 };
            reduction = (reduction_of(depth, number + 1) - less).clamp(0, depth - 1);
        }
        let next = depth - 1;
        self.board.play(point);
        let mut search = || -> Result<i32, Stopped> {
            if number > 0 {
                let mut value = -self.search(next - reduction, -alpha - 1, -alpha, 1, false)?;
                if value > alpha && reduction > 0 {
                    value = -self.search(next, -alpha - 1, -alpha, 1, false)?;
                }
                if value <= alpha {
                    return Ok(value);
                }
            }
            Ok(-self.search(next, -beta, -alpha, 1, true)?)
        };
        let value = search();
        self.board.undo();
        value
    }
}

/// Brings the moves with these values to the front, the best first; the rest keep their order.
fn arrange(found: &mut Found, values: &[(usize, i32)]) {
    let mut order: Vec<(usize, i32)> = values.to_vec();
    order.sort_by_key(|&(index, value)| (-value, index));
    let mut rest: Vec<Option<RootMove>> = found.moves.drain(..).map(Some).collect();
    for (index, _) in order {
        found.moves.extend(rest[index].take());
    }
    found.moves.extend(rest.into_iter().flatten());
}
