//! Nodes just above the leaves.

use std::ops::ControlFlow;

use super::AlphaBeta;
use super::window::{INFINITY, Window};
use crate::evaluate::{Evaluate, leaf_scores};
use crate::game::{Chances, Game, Turn};
use crate::limits::Stopped;
use crate::parallel::team::Worker;

impl<G: Game, E: Evaluate<G>> AlphaBeta<'_, G, E> {
    /// A node whose children are all leaves, from the side to move.
    #[inline]
    pub(super) fn last_ply(
        &self,
        worker: &mut Worker<'_, Self>,
        state: &mut G::State,
        ply: u32,
        sign: i32,
        window: Window,
    ) -> i32 {
        let mut best = -INFINITY;
        let mut best_move = None;
        let mut count = 0;
        self.eval
            .children(self.game, state, &mut worker.moves, |mv, scores| {
                count += 1;
                let value = sign * self.leaf(scores);
                if value > best {
                    best = value;
                    best_move = Some(mv);
                    if value >= window.beta {
                        return ControlFlow::Break(());
                    }
                }
                ControlFlow::Continue(())
            });
        worker.counts.nodes.interior += 1;
        worker.counts.nodes.leaf += count;
        if window.is_open() {
            match best_move {
                Some(mv) => worker.lines.set_last(ply as usize, mv),
                None => worker.lines.clear(ply as usize),
            }
        }
        best
    }

    /// What chance does where the depth is used up, from its side: each event is followed by
    /// a leaf, which costs less than looking anything up.
    #[inline]
    pub(super) fn last_chance(
        &self,
        worker: &mut Worker<'_, Self>,
        state: &mut G::State,
        ply: u32,
        sign: i32,
        window: Window,
    ) -> Result<i32, Stopped> {
        let start = worker.moves.len();
        let weights = worker.probabilities.len();
        self.game.chances(
            state,
            &mut Chances::new(&mut worker.moves, &mut worker.probabilities),
        );
        worker.probabilities.truncate(weights);
        let end = worker.moves.len();
        let open = window.is_open();
        let mut best = -INFINITY;
        worker.counts.nodes.interior += 1;
        if open {
            worker.lines.clear(ply as usize);
        }
        for index in start..end {
            let mv = worker.moves[index];
            let undo = self.game.play(state, mv);
            let goes_on = self.game.turn(state) == Turn::Chance;
            let value = match goes_on {
                true => {
                    let rest = Window {
                        alpha: best.max(window.alpha),
                        beta: window.beta,
                    };
                    self.descend::<false>(worker, state, ply + 1, 0, rest.seen_from(sign))
                }
                false => {
                    worker.counts.nodes.leaf += 1;
                    Ok(self.leaf(leaf_scores(self.eval, self.game, state)))
                }
            };
            self.game.undo(state, mv, undo);
            let value = match value {
                Ok(value) => sign * value,
                Err(stopped) => {
                    worker.moves.truncate(start);
                    return Err(stopped);
                }
            };
            if value > best {
                best = value;
                match (open, goes_on) {
                    (false, _) => {}
                    (true, false) => worker.lines.set_last(ply as usize, mv),
                    (true, true) => worker.lines.set(ply as usize, mv),
                }
                if value >= window.beta {
                    break;
                }
            }
        }
        worker.moves.truncate(start);
        Ok(best)
    }
}
