//! What a position is worth where the search stops.

use std::ops::ControlFlow;

use crate::game::{Game, Moves, Scores, Turn};

/// Judges positions of a game. One game can have several evaluations.
///
/// In a two-player game the searches on scalars read only the component of one seat, so
/// `[v, -v]` costs no more than `v`.
pub trait Evaluate<G: Game>: Sync {
    /// What the position is worth to every player. Not called when the game is over.
    fn evaluate(&self, game: &G, state: &G::State) -> G::Scores;

    /// What a finished game is worth, on the scale of [`evaluate`](Evaluate::evaluate).
    #[inline]
    fn finished(&self, game: &G, state: &G::State) -> G::Scores {
        game.outcome(state)
    }

    /// A number S such that in every position, finished or not, all scores are at least 0
    /// and add up to at most S. With it MaxN prunes.
    fn bounded_sum(&self, game: &G) -> Option<i32> {
        let _ = game;
        None
    }

    /// The least and the largest score that any player can have, if there are such: where
    /// they are known, Monte-Carlo tree search knows that nothing is better than the largest.
    fn range(&self, game: &G) -> Option<(i32, i32)> {
        let _ = game;
        None
    }

    /// The key under which a value of this position may be kept in a table: the hash of the
    /// position, and of whatever else this evaluation looks at.
    #[inline]
    fn key(&self, game: &G, state: &G::State) -> u64 {
        game.hash(state)
    }

    /// Whether the scores of all children of a position take longer than a look into a table
    /// of some mebibytes. Expectimax then keeps the values of the last moves of its lines too.
    #[inline]
    fn is_slow(&self) -> bool {
        false
    }

    /// Visits every child of a position in which a player is to move, in the order of
    /// [`Game::moves`], with the scores that [`leaf_scores`] gives the child, until the
    /// visitor breaks. `scratch` is empty space to list moves into.
    ///
    /// State and scratch are left as they were found.
    #[inline]
    fn children(
        &self,
        game: &G,
        state: &mut G::State,
        scratch: &mut Vec<G::Move>,
        mut visit: impl FnMut(G::Move, G::Scores) -> ControlFlow<()>,
    ) where
        Self: Sized,
    {
        let start = scratch.len();
        game.moves(state, &mut Moves::new(scratch));
        for &mv in &scratch[start..] {
            let undo = game.play(state, mv);
            let scores = leaf_scores(self, game, state);
            game.undo(state, mv, undo);
            if visit(mv, scores).is_break() {
                break;
            }
        }
        scratch.truncate(start);
    }

    /// Visits every event of a position in which chance acts, in the order of
    /// [`Game::chances`], with its probability and the [`Reply`] of the player who then moves,
    /// until the visitor breaks: the last two plies of expectimax at once.
    ///
    /// Returns `false`, and has visited nothing, where the events have to be played one by one
    /// instead. That is always right, and what the default does. It is to be replaced where
    /// what one event leaves to be worth is soon told from what the others do; it may say
    /// `false` in any position, and has to where an event is followed by another one.
    #[inline]
    fn replies(
        &self,
        game: &G,
        state: &G::State,
        visit: impl FnMut(f64, Reply<G::Scores>) -> ControlFlow<()>,
    ) -> bool
    where
        Self: Sized,
    {
        let _ = (game, state, visit);
        false
    }
}

/// What a player makes of an event of chance with a single move; see [`Evaluate::replies`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reply<S> {
    /// The scores that [`leaf_scores`] gives the child that is best for the player to move;
    /// where the game is over after the event, those of the finished game.
    pub scores: S,
    /// How many moves the player can choose from: 0 where the game is over.
    pub moves: u32,
}

/// The scores of a position where the search stops: of the finished game if it is over, of
/// the evaluation if not.
#[inline]
pub fn leaf_scores<G: Game, E: Evaluate<G>>(eval: &E, game: &G, state: &G::State) -> G::Scores {
    match game.turn(state) {
        Turn::Over => eval.finished(game, state),
        Turn::Player(_) | Turn::Chance => eval.evaluate(game, state),
    }
}

/// The plainest evaluation: every unfinished position is worth 0 to everybody.
#[derive(Clone, Copy, Debug, Default)]
pub struct OutcomeOnly;

impl<G: Game> Evaluate<G> for OutcomeOnly {
    #[inline]
    fn evaluate(&self, _: &G, _: &G::State) -> G::Scores {
        G::Scores::from_fn(|_| 0)
    }
}
