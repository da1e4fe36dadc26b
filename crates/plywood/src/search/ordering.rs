//! The order in which a search that prunes tries the moves of a node.

use crate::game::Game;

use super::alphabeta::AlphaBetaOptions;

/// What one worker has learned about good moves, and space to sort the moves of a node.
pub(crate) struct Ordering<M> {
    /// Moves that cut off at the same ply, by ply and side.
    killers: Vec<[Option<M>; 2]>,
    /// How much each move has cut off, by side.
    history: Vec<u32>,
    /// The moves of all nodes on the way, one node after the other, best first.
    ranked: Vec<Ranked>,
}

#[derive(Clone, Copy)]
struct Ranked {
    rank: i64,
    index: u32,
}

impl<M> Default for Ordering<M> {
    fn default() -> Self {
        Ordering {
            killers: Vec::new(),
            history: Vec::new(),
            ranked: Vec::new(),
        }
    }
}

/// Where a node's ranked moves lie.
#[derive(Clone, Copy)]
pub(crate) struct Ranking {
    start: usize,
    count: usize,
    /// The moves are in the order in which they will be tried.
    sorted: bool,
}

impl<M: Copy + PartialEq> Ordering<M> {
    /// Ranks the moves of a node: the one the table remembers first, then by the game's
    /// priority, then killers, then history, then the game's own order.
    #[inline]
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn rank<G: Game<Move = M>>(
        &mut self,
        game: &G,
        state: &G::State,
        options: &AlphaBetaOptions,
        ply: u32,
        side: bool,
        moves: &[M],
        first: Option<usize>,
    ) -> Ranking {
        let start = self.ranked.len();
        let killers = if options.killers {
            self.killers
                .get(killer_slot(ply, side))
                .copied()
                .unwrap_or([None; 2])
        } else {
            [None; 2]
        };
        let mut sorted = true;
        let mut before = i64::MAX;
        for (index, &mv) in moves.iter().enumerate() {
            let mut rank = if options.priority {
                i64::from(game.priority(state, mv)) << 32
            } else {
                0
            };
            if killers[0] == Some(mv) {
                rank += 1 << 31;
            } else if killers[1] == Some(mv) {
                rank += (1 << 31) - 1;
            } else if options.history {
                let slot = history_slot(game.move_id(mv), side);
                rank += i64::from(self.history.get(slot).copied().unwrap_or(0));
            }
            if Some(index) == first {
                rank = i64::MAX;
            }
            sorted &= rank <= before;
            before = rank;
            self.ranked.push(Ranked {
                rank,
                index: index as u32,
            });
        }
        Ranking {
            start,
            count: moves.len(),
            sorted,
        }
    }

    /// The place, in the game's order, of the move to try at this turn.
    #[inline]
    pub(crate) fn pick(&mut self, ranking: &mut Ranking, turn: usize) -> usize {
        let left = &mut self.ranked[ranking.start + turn..ranking.start + ranking.count];
        if !ranking.sorted {
            // Most nodes are cut off by their first move: only those that are not pay for
            // sorting.
            if turn == 0 {
                let mut best = 0;
                for index in 1..left.len() {
                    if left[index].rank > left[best].rank {
                        best = index;
                    }
                }
                left.swap(0, best);
            } else {
                left.sort_unstable_by_key(|m| (std::cmp::Reverse(m.rank), m.index));
                ranking.sorted = true;
            }
        }
        left[0].index as usize
    }

    /// Forgets the ranking of a node that is done, and of all below it.
    #[inline]
    pub(crate) fn drop_ranking(&mut self, ranking: Ranking) {
        self.ranked.truncate(ranking.start);
    }

    /// A move has cut off.
    #[inline]
    pub(crate) fn reward(
        &mut self,
        options: &AlphaBetaOptions,
        ply: u32,
        side: bool,
        mv: M,
        move_id: u16,
        depth: u32,
    ) {
        if options.killers {
            let slot = killer_slot(ply, side);
            if self.killers.len() <= slot {
                self.killers.resize(slot + 1, [None; 2]);
            }
            let killers = &mut self.killers[slot];
            if killers[0] != Some(mv) {
                killers[1] = killers[0];
                killers[0] = Some(mv);
            }
        }
        if options.history {
            let slot = history_slot(move_id, side);
            if self.history.len() <= slot {
                self.history.resize((slot + 1).next_power_of_two(), 0);
            }
            let entry = &mut self.history[slot];
            *entry += depth * depth;
            if *entry >= 1 << 30 {
                for entry in &mut self.history {
                    *entry /= 2;
                }
            }
        }
    }
}

#[inline]
fn killer_slot(ply: u32, side: bool) -> usize {
    2 * ply as usize + usize::from(side)
}

#[inline]
fn history_slot(move_id: u16, side: bool) -> usize {
    usize::from(move_id) * 2 + usize::from(side)
}
