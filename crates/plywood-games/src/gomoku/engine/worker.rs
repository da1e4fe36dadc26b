//! The search of one worker: principal-variation search over the moves that matter.
//!
//! Where a five or an open four decides, nothing is searched. A four leaves one answer, which
//! costs no depth. At the end of every line stands a search for a win by fours.

use std::sync::Arc;
use std::time::Instant;

use plywood::{NodeCounts, Table};

use super::super::Point;
use super::super::patterns::{Class, PatternBoard, Points};
use super::control::{Control, Stopped};
use super::entry::{Bound, Entry};
use super::evaluation::estimate;
use super::lane::Lane;
use super::moves::{History, Kind, MoveList, candidates};
use super::score::{CERTAIN, HIGHEST_ESTIMATE, INFINITE, from_table, to_table, win_after};
use super::ybwc::{self, Best, Split, Team};

/// The deepest that a line is searched.
pub(super) const MAX_PLY: i32 = 240;

/// How often a worker looks whether the search goes on, in nodes.
const LOOK_EVERY: u64 = 512;

/// What all workers share.
#[derive(Debug)]
pub(super) struct Shared<'a> {
    pub table: &'a Table,
    pub control: &'a Control,
    pub generation: u8,
    /// With whom nodes are shared, if they are.
    pub team: Option<&'a Team>,
}

/// A node whose moves are being searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub depth: i32,
    pub ply: i32,
    /// Whether the window is open.
    pub pv: bool,
    /// What the evaluation says.
    pub estimate: i32,
    pub kind: Kind,
    /// Whether the evaluation is better than two plies before.
    pub improving: bool,
}

/// One thread of a search.
pub(super) struct Worker<'a> {
    pub board: PatternBoard,
    pub shared: &'a Shared<'a>,
    pub history: History,
    pub lane: Lane,
    pub counts: NodeCounts,
    /// The shared node in whose tree this worker is.
    pub split: Option<Arc<Split>>,
    killers: Vec<[Option<Point>; 2]>,
    estimates: Vec<i32>,
    lists: Vec<MoveList>,
    /// For every ply the best line from there.
    lines: Vec<Vec<Point>>,
    unlooked: u64,
    /// When it last looked whether the search goes on.
    pub looked: Instant,
}

impl<'a> Worker<'a> {
    /// To be called on the worker's own thread.
    pub(super) fn new(
        board: PatternBoard,
        shared: &'a Shared<'a>,
        history: History,
        lane: Lane,
    ) -> Self {
        let plies = MAX_PLY as usize + 4;
        Worker {
            board,
            shared,
            history,
            lane,
            counts: NodeCounts::default(),
            split: None,
            killers: vec![[None; 2]; plies],
            estimates: vec![0; plies],
            lists: vec![MoveList::default(); plies],
            lines: vec![Vec::new(); plies],
            unlooked: 0,
            looked: Instant::now(),
        }
    }

    /// The best line from a ply on, as far as it is known.
    pub(super) fn line(&self, ply: i32) -> &[Point] {
        &self.lines[ply as usize]
    }

    #[inline]
    pub(super) fn count_node(&mut self) -> Result<(), Stopped> {
        self.unlooked += 1;
        if self.unlooked.is_multiple_of(32)
            && (self.shared.control.is_stopped()
                || self.split.as_ref().is_some_and(|split| split.is_cut()))
        {
            return Err(Stopped);
        }
        if self.unlooked >= LOOK_EVERY {
            let nodes = std::mem::take(&mut self.unlooked);
            self.lane.tell(self.counts);
            self.shared.control.look(nodes, &mut self.looked)?;
        }
        Ok(())
    }

    /// The value of the position for the player to move.
    pub(super) fn search(
        &mut self,
        depth: i32,
        mut alpha: i32,
        mut beta: i32,
        ply: i32,
        pv: bool,
    ) -> Result<i32, Stopped> {
        self.lines[ply as usize].clear();
        self.count_node()?;
        let player = self.board.to_move();
        let opponent = player.other();
        if self.board.count(player, Class::Five) > 0 {
            self.counts.leaf += 1;
            self.lines[ply as usize].extend(self.board.fives(player).first());
            return Ok(win_after(ply + 1));
        }
        if self.board.is_full() {
            self.counts.leaf += 1;
            return Ok(0);
        }
        // Nothing better than a win in three moves, nothing worse than a loss in two.
        alpha = alpha.max(-win_after(ply + 2));
        beta = beta.min(win_after(ply + 3));
        if alpha >= beta {
            self.counts.leaf += 1;
            return Ok(alpha);
        }
        let fives = *self.board.fives(opponent);
        if let Some(stop) = fives.first() {
            if self.board.count(opponent, Class::Five) > 1 || !self.board.is_allowed(player, stop) {
                self.counts.leaf += 1;
                return Ok(-win_after(ply + 2));
            }
            return self.forced(stop, depth, alpha, beta, ply, pv);
        }
        if let Some(point) = self.board.points(player, Class::OpenFour).first() {
            self.counts.leaf += 1;
            self.lines[ply as usize].push(point);
            return Ok(win_after(ply + 3));
        }
        if ply >= MAX_PLY {
            self.counts.leaf += 1;
            return Ok(estimate(&self.board));
        }
        self.node(depth, alpha, beta, ply, pv)
    }

    /// A position in which there is one move.
    fn forced(
        &mut self,
        point: Point,
        depth: i32,
        alpha: i32,
        beta: i32,
        ply: i32,
        pv: bool,
    ) -> Result<i32, Stopped> {
        self.counts.interior += 1;
        if ply >= MAX_PLY {
            return Ok(estimate(&self.board));
        }
        self.estimates[ply as usize] = self.estimates[(ply - 2).max(0) as usize];
        self.board.play(point);
        let value = self.search(depth, -beta, -alpha, ply + 1, pv);
        self.board.undo();
        let value = -value?;
        if pv {
            self.keep_line(point, ply);
        }
        Ok(value)
    }

    fn keep_line(&mut self, point: Point, ply: i32) {
        let (before, after) = self.lines.split_at_mut(ply as usize + 1);
        let line = &mut before[ply as usize];
        line.clear();
        line.push(point);
        line.extend_from_slice(&after[0]);
    }

    /// A position in which nothing is decided at once.
    fn node(
        &mut self,
        mut depth: i32,
        mut alpha: i32,
        beta: i32,
        ply: i32,
        pv: bool,
    ) -> Result<i32, Stopped> {
        let player = self.board.to_move();
        let hash = self.board.hash();
        let known = self.shared.table.probe(hash).map(Entry::unpack);
        if let Some(entry) = known
            && !pv
            && entry.depth >= depth
        {
            let value = from_table(entry.value, ply);
            let enough = match entry.bound {
                Bound::Exact => true,
                Bound::AtLeast => value >= beta,
                Bound::AtMost => value <= alpha,
            };
            if enough {
                self.counts.table_hits += 1;
                return Ok(value);
            }
        }
        let threatened = self.board.count(player.other(), Class::OpenFour) > 0;
        let estimate = match known {
            Some(entry) => entry.estimate,
            None => estimate(&self.board),
        };
        self.estimates[ply as usize] = estimate;

        // What is in the table has been searched for fours before.
        if known.is_none_or(|entry| entry.depth < 0 || (depth >= 6 && entry.depth < 6))
            && let Some((moves, first)) = self.win_by_fours(depth)?
        {
            let value = win_after(ply + 2 * moves - 1);
            self.counts.leaf += 1;
            self.store(
                hash,
                value,
                estimate,
                Some(first),
                MAX_PLY,
                Bound::Exact,
                ply,
            );
            self.lines[ply as usize].push(first);
            return Ok(value);
        }
        if depth <= 0 && !(threatened && depth > -5) {
            self.counts.leaf += 1;
            if known.is_none() {
                self.store(hash, estimate, estimate, None, 0, Bound::Exact, ply);
            }
            return Ok(estimate);
        }
        if !pv && !threatened && depth > 0 {
            // Far above the window: the opponent would not have let it come to this.
            if depth <= 7
                && estimate < CERTAIN
                && beta > -CERTAIN
                && estimate - 40 - 55 * depth >= beta
            {
                self.counts.leaf += 1;
                return Ok(estimate);
            }
            // Far below it, and there are no fours to help.
            if depth <= 3 && alpha < CERTAIN && estimate + 120 + 110 * depth <= alpha {
                self.counts.leaf += 1;
                return Ok(estimate);
            }
        }
        let best_known = known.and_then(|entry| entry.best);
        if best_known.is_none() && depth >= 4 {
            depth -= 1;
        }
        self.counts.interior += 1;
        let (kind, points) = candidates(&self.board);
        if points.is_empty() {
            return Ok(match kind {
                // The opponent makes an open four, then five.
                Kind::Threatened => -win_after(ply + 4),
                // Nothing that renju allows is left.
                Kind::Free => 0,
            });
        }
        let frame = Frame {
            depth,
            ply,
            pv,
            estimate,
            kind,
            improving: ply >= 2 && estimate > self.estimates[ply as usize - 2],
        };
        let mut list = std::mem::take(&mut self.lists[ply as usize]);
        self.fill(&mut list, &points, best_known, ply);
        let result = self.all_moves(&frame, &mut list, &mut alpha, beta);
        self.lists[ply as usize] = list;
        let (best, point, bound) = result?;
        self.store(hash, best, estimate, point, depth, bound, ply);
        Ok(best)
    }

    /// Searches the moves of a node: the best value, the move and what is known of the value.
    fn all_moves(
        &mut self,
        frame: &Frame,
        list: &mut MoveList,
        alpha: &mut i32,
        beta: i32,
    ) -> Result<(i32, Option<Point>, Bound), Stopped> {
        let player = self.board.to_move();
        let (mut best, mut best_point, mut bound) = (-INFINITE, None, Bound::AtMost);
        let mut tried: [Point; 24] = [Point::new(0, 0); 24];
        let mut number = 0;
        let last = self.board.last();
        loop {
            if number > 0
                && frame.depth >= ybwc::LEAST_DEPTH
                && frame.kind == Kind::Free
                && let Some(team) = self.shared.team
                && team.has_idle()
                && !list.is_empty()
            {
                let line = self.lines[frame.ply as usize].clone();
                let so_far = Best {
                    value: best,
                    point: best_point,
                    bound,
                    line,
                };
                let list = std::mem::take(list);
                let found = self.share(team, frame, list, number, (*alpha, beta), so_far);
                let found = found.map_err(|_| Stopped)?;
                if found.bound == Bound::AtLeast
                    && let Some(point) = found.point
                {
                    self.history.refuted(player, point, last, &[], frame.depth);
                    self.remember_killer(point, frame.ply);
                }
                self.lines[frame.ply as usize] = found.line;
                return Ok((found.value, found.point, found.bound));
            }
            let Some((promise, point)) = list.take_best() else {
                break;
            };
            number += 1;
            let value = self.one_move(frame, point, promise, number, best, *alpha, beta)?;
            let Some(value) = value else {
                // What is not worth a look now never will be: later moves promise less.
                list.retain(|promise, point| {
                    !self.is_hopeless(frame, point, promise, number + 1, best, *alpha)
                });
                continue;
            };
            if value > best {
                best = value;
                if value > *alpha {
                    *alpha = value;
                    best_point = Some(point);
                    bound = Bound::Exact;
                    if frame.pv {
                        self.keep_line(point, frame.ply);
                    }
                    if value >= beta {
                        let others = (number - 1).min(tried.len());
                        let (tried, depth) = (&tried[..others], frame.depth);
                        self.history.refuted(player, point, last, tried, depth);
                        self.remember_killer(point, frame.ply);
                        return Ok((best, best_point, Bound::AtLeast));
                    }
                }
            }
            if number <= tried.len() {
                tried[number - 1] = point;
            }
        }
        Ok((best, best_point, bound))
    }

    /// Whether a move makes no threat and stops none.
    #[inline]
    pub(super) fn is_quiet(&self, point: Point) -> bool {
        let player = self.board.to_move();
        self.board.class(player, point) < Class::Three
            && self.board.class(player.other(), point) < Class::Three
    }

    /// Whether a move is not worth a look: once something does not lose, moves that come late
    /// or promise too little.
    #[inline]
    fn is_hopeless(
        &self,
        frame: &Frame,
        point: Point,
        promise: i32,
        number: usize,
        best: i32,
        alpha: i32,
    ) -> bool {
        let &Frame { depth, pv, .. } = frame;
        if frame.kind != Kind::Free
            || best <= -CERTAIN
            || depth <= 0
            || self.board.class(self.board.to_move(), point) >= Class::Four
        {
            return false;
        }
        let most = MOVE_COUNTS[depth.min(15) as usize] << usize::from(frame.improving);
        let most = if pv { most * 2 } else { most };
        number > most
            || (!pv
                && depth <= 5
                && number > 1
                && frame.estimate + 45 + 60 * depth + promise.min(200) / 2 <= alpha
                && self.is_quiet(point))
    }

    /// The value of one move of a node, or nothing if it is not worth a look.
    #[expect(
        clippy::too_many_arguments,
        reason = "what is known of the node so far"
    )]
    pub(super) fn one_move(
        &mut self,
        frame: &Frame,
        point: Point,
        promise: i32,
        number: usize,
        best: i32,
        alpha: i32,
        beta: i32,
    ) -> Result<Option<i32>, Stopped> {
        let player = self.board.to_move();
        let &Frame { depth, ply, pv, .. } = frame;
        if self.is_hopeless(frame, point, promise, number, best, alpha) {
            return Ok(None);
        }
        let own = self.board.class(player, point);
        let quiet = self.is_quiet(point);
        let mut reduction = 0;
        if depth >= 2 && number > 1 && frame.kind == Kind::Free {
            reduction = reduction_of(depth, number);
            if pv {
                reduction -= 1;
            }
            if !quiet {
                reduction -= 1;
            }
            if own >= Class::Four && own != Class::PerhapsForbidden {
                reduction -= 1;
            }
            if !frame.improving {
                reduction += 1;
            }
            reduction -= (self.history.of(player, point) / 3500).clamp(-1, 2);
            reduction = reduction.clamp(0, depth - 1);
        }
        let next = depth - 1;
        self.board.play(point);
        let value = self.scout(next, reduction, number, alpha, beta, ply, pv);
        self.board.undo();
        value.map(Some)
    }

    /// A null window first, the whole window only if that shows a better move.
    #[expect(clippy::too_many_arguments, reason = "the window and how deep to look")]
    fn scout(
        &mut self,
        next: i32,
        reduction: i32,
        number: usize,
        alpha: i32,
        beta: i32,
        ply: i32,
        pv: bool,
    ) -> Result<i32, Stopped> {
        if number == 1 {
            return Ok(-self.search(next, -beta, -alpha, ply + 1, pv)?);
        }
        let mut value = -self.search(next - reduction, -alpha - 1, -alpha, ply + 1, false)?;
        if value > alpha && reduction > 0 {
            value = -self.search(next, -alpha - 1, -alpha, ply + 1, false)?;
        }
        if value > alpha && pv {
            value = -self.search(next, -beta, -alpha, ply + 1, true)?;
        }
        Ok(value)
    }

    /// The moves with what they promise.
    fn fill(&mut self, list: &mut MoveList, points: &Points, best_known: Option<Point>, ply: i32) {
        let player = self.board.to_move();
        let killers = self.killers[ply as usize];
        let answer = self.history.answer(player, self.board.last());
        list.clear();
        for point in points.iter() {
            let mut promise = self.board.promise(player, point);
            promise += self.history.of(player, point) / 64;
            if Some(point) == best_known {
                promise += 1_000_000;
            } else if killers.contains(&Some(point)) {
                promise += 60;
            }
            if Some(point) == answer {
                promise += 50;
            }
            list.push(promise, point);
        }
    }

    fn remember_killer(&mut self, point: Point, ply: i32) {
        let killers = &mut self.killers[ply as usize];
        if killers[0] != Some(point) {
            killers[1] = killers[0];
            killers[0] = Some(point);
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the fields of an entry")]
    pub(super) fn store(
        &self,
        hash: u64,
        value: i32,
        estimate: i32,
        best: Option<Point>,
        depth: i32,
        bound: Bound,
        ply: i32,
    ) {
        let generation = self.shared.generation;
        let entry = Entry {
            value: to_table(value, ply),
            estimate: estimate.clamp(-HIGHEST_ESTIMATE, HIGHEST_ESTIMATE),
            best,
            depth,
            bound,
            generation,
        };
        let worth = |word| Entry::worth(word, generation);
        self.shared.table.store(hash, entry.pack(), worth);
    }
}

/// How many moves are looked at with a null window, by depth.
const MOVE_COUNTS: [usize; 16] = [4, 5, 7, 9, 12, 15, 18, 21, 24, 27, 30, 33, 36, 40, 44, 48];

/// How much less deep a late move is searched.
#[inline]
pub(super) fn reduction_of(depth: i32, number: usize) -> i32 {
    // Logarithms to the base 2, in sixteenths.
    let log = |n: u32| {
        let whole = n.ilog2();
        (16 * whole + ((16 * (n - (1 << whole))) >> whole)) as i32
    };
    log(depth as u32) * log(number as u32) * 3 / (16 * 16 * 8) + 1
}
