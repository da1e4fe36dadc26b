//! The recursion of the searches in which only one of all opponents is free to reply.

use super::{Iteration, RootSearch, RootValue};
use crate::evaluate::{Evaluate, leaf_scores};
use crate::game::{Game, Moves, Scores, Seat, Turn};
use crate::limits::Stopped;
use crate::parallel::team::{Kernel, PointRef, Worker};

/// Who replies, and what the others do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Replies {
    /// One opponent moves, the others pass.
    OthersPass,
    /// One opponent moves as it likes, the others make the move that the game prefers.
    OthersPrefer,
}

/// Alpha-beta on the score of one player against whom one reply at a time is chosen.
pub(crate) struct BestReply<'a, G, E> {
    pub(crate) game: &'a G,
    pub(crate) eval: &'a E,
    pub(crate) view: Seat,
    pub(crate) replies: Replies,
    pub(crate) all_moves: bool,
}

/// Beyond every score.
const INFINITY: i32 = i32::MAX;

/// Between which values a node's value matters.
#[derive(Clone, Copy)]
struct Window {
    alpha: i32,
    beta: i32,
}

const OPEN: Window = Window {
    alpha: -INFINITY,
    beta: INFINITY,
};

impl<G: Game, E: Evaluate<G>> Kernel for BestReply<'_, G, E> {
    type Game = G;
    type Job = ();
    type Local = ();

    fn work(&self, _: &mut Worker<'_, Self>, (): &(), _: PointRef<'_, ()>) {
        unreachable!("nodes are not split");
    }
}

impl<G: Game, E: Evaluate<G>> BestReply<'_, G, E> {
    /// A node with its subtree: the root player's move, or one round of replies.
    fn node(
        &self,
        worker: &mut Worker<'_, Self>,
        state: &mut G::State,
        depth: u32,
        window: Window,
    ) -> Result<i32, Stopped> {
        let turn = self.game.turn(state);
        if depth == 0 || turn == Turn::Over {
            worker.counts.nodes.leaf += 1;
            return Ok(leaf_scores(self.eval, self.game, state)[self.view.index()]);
        }
        worker.poll(self)?;
        worker.counts.nodes.interior += 1;
        if turn == Turn::Player(self.view) {
            return self.own_moves(worker, state, depth, window);
        }
        match self.replies {
            Replies::OthersPass => self.one_moves_others_pass(worker, state, depth, window),
            Replies::OthersPrefer => self.round(worker, state, true, depth, window),
        }
    }

    fn own_moves(
        &self,
        worker: &mut Worker<'_, Self>,
        state: &mut G::State,
        depth: u32,
        mut window: Window,
    ) -> Result<i32, Stopped> {
        let start = self.list(worker, state);
        let mut best = -INFINITY;
        for index in start..worker.moves.len() {
            let mv = worker.moves[index];
            let undo = self.game.play(state, mv);
            let value = self.node(worker, state, depth - 1, window);
            self.game.undo(state, mv, undo);
            best = best.max(value?);
            window.alpha = window.alpha.max(best);
            if best >= window.beta {
                break;
            }
        }
        worker.moves.truncate(start);
        Ok(best)
    }

    /// Lists the moves at the end of the worker's buffer; where they begin.
    fn list(&self, worker: &mut Worker<'_, Self>, state: &G::State) -> usize {
        let start = worker.moves.len();
        self.game.moves(state, &mut Moves::new(&mut worker.moves));
        start
    }

    fn one_moves_others_pass(
        &self,
        worker: &mut Worker<'_, Self>,
        state: &G::State,
        depth: u32,
        mut window: Window,
    ) -> Result<i32, Stopped> {
        let mut best = INFINITY;
        let mut here = state.clone();
        for _ in 1..G::Scores::PLAYERS {
            match self.game.turn(&here) {
                Turn::Player(seat) if seat != self.view => {}
                _ => break,
            }
            let start = self.list(worker, &here);
            for index in start..worker.moves.len() {
                let mut child = here.clone();
                self.game.play(&mut child, worker.moves[index]);
                self.pass_to_view(&mut child);
                best = best.min(self.node(worker, &mut child, depth - 1, window)?);
                window.beta = window.beta.min(best);
                if best <= window.alpha {
                    worker.moves.truncate(start);
                    return Ok(best);
                }
            }
            worker.moves.truncate(start);
            if self.game.play_null(&mut here).is_none() {
                break;
            }
        }
        Ok(best)
    }

    /// Lets everybody pass until the root player is to move, as far as they can.
    fn pass_to_view(&self, state: &mut G::State) {
        for _ in 1..G::Scores::PLAYERS {
            match self.game.turn(state) {
                Turn::Player(seat) if seat != self.view => {}
                _ => return,
            }
            if self.game.play_null(state).is_none() {
                return;
            }
        }
    }

    /// The moves of all opponents up to the root player's next one, of which one may still
    /// be chosen if `free`.
    fn round(
        &self,
        worker: &mut Worker<'_, Self>,
        state: &mut G::State,
        free: bool,
        depth: u32,
        mut window: Window,
    ) -> Result<i32, Stopped> {
        match self.game.turn(state) {
            Turn::Player(seat) if seat != self.view => {}
            _ => return self.node(worker, state, depth - 1, window),
        }
        worker.poll(self)?;
        let start = self.list(worker, state);
        let end = worker.moves.len();
        let preferred = self.preferred(state, &worker.moves[start..]);
        let mut best = INFINITY;
        let choices = if free {
            0..end - start
        } else {
            preferred..preferred + 1
        };
        for choice in choices {
            let mv = worker.moves[start + choice];
            let undo = self.game.play(state, mv);
            // Whoever makes the preferred move leaves the choice to the next.
            let free = free && choice == preferred;
            let value = self.round(worker, state, free, depth, window);
            self.game.undo(state, mv, undo);
            best = best.min(value?);
            window.beta = window.beta.min(best);
            if best <= window.alpha {
                break;
            }
        }
        worker.moves.truncate(start);
        Ok(best)
    }

    /// The move that the game prefers, the first of equals.
    fn preferred(&self, state: &G::State, moves: &[G::Move]) -> usize {
        let mut best = (0, i32::MIN);
        for (index, &mv) in moves.iter().enumerate() {
            let priority = self.game.priority(state, mv);
            if priority > best.1 {
                best = (index, priority);
            }
        }
        best.0
    }
}

impl<G: Game, E: Evaluate<G>> RootSearch for BestReply<'_, G, E> {
    fn iterate(
        &self,
        worker: &mut Worker<'_, Self>,
        state: &G::State,
        depth: u32,
        _: Option<&Iteration<G::Move>>,
    ) -> Result<Iteration<G::Move>, Stopped> {
        let mut state = state.clone();
        worker.counts.nodes.interior += 1;
        worker.moves.clear();
        let start = self.list(worker, &state);
        let mut best = (-INFINITY, None);
        let mut root = Vec::new();
        for index in start..worker.moves.len() {
            let mv = worker.moves[index];
            let mut window = OPEN;
            if !self.all_moves {
                window.alpha = best.0;
            }
            let undo = self.game.play(&mut state, mv);
            let value = self.node(worker, &mut state, depth - 1, window);
            self.game.undo(&mut state, mv, undo);
            let value = value?;
            if value > best.0 {
                best = (value, Some(mv));
            }
            if self.all_moves {
                root.push((mv, RootValue::One(f64::from(value))));
            }
        }
        worker.moves.truncate(start);
        Ok(Iteration {
            depth,
            value: RootValue::One(f64::from(best.0)),
            line: best.1.into_iter().collect(),
            root,
        })
    }
}
