//! How a game is played out: what Monte-Carlo tree search asks of a game.

use crate::evaluate::{Evaluate, leaf_scores};
use crate::game::{Chances, Game, Moves, Scores, Seat, Turn};
use crate::random::Random;

/// Plays games to their end, quickly, and says what the ends are worth.
///
/// A reward is a slice of whole numbers. The first are one for each player: what that player
/// wants to be large, on any scale. Then come [`tracked`](Playout::tracked) more, of which
/// the search keeps averages and nothing else.
pub trait Playout<G: Game>: Sync {
    /// What a worker needs from one playout to the next.
    type Scratch: Default + Send;

    /// How many numbers of a reward stand behind those of the players.
    fn tracked(&self) -> usize {
        0
    }

    /// Plays on from a position in which the game is not over, to its end or for as long as
    /// it tells something, and writes down the reward. Every move of a player is reported to
    /// `played`.
    fn play_out(
        &self,
        game: &G,
        state: &mut G::State,
        random: &mut Random,
        scratch: &mut Self::Scratch,
        played: &mut Played<G::Move>,
        reward: &mut [i32],
    );

    /// Writes down the reward of a finished game.
    fn finished(&self, game: &G, state: &G::State, reward: &mut [i32]);

    /// The least and the largest reward of a player, if they are known. Without them the
    /// search goes by what it has seen, and does not know when nothing better can come.
    fn range(&self, game: &G) -> Option<(i32, i32)> {
        let _ = game;
        None
    }

    /// A weight above 0 for every move: how likely it is to be the best, compared with the
    /// others.
    fn weigh(&self, game: &G, state: &G::State, moves: &[G::Move], weights: &mut Vec<f32>) {
        let _ = (game, state);
        weights.resize(moves.len(), 1.0);
    }

    /// After how many visits the moves of a position are weighed once more, with more care,
    /// if that is ever worth it.
    fn second_look(&self) -> Option<u32> {
        None
    }

    /// Weighs moves as [`weigh`](Playout::weigh) does, but may take its time: it is asked
    /// only where a position turns out to matter.
    fn weigh_again(
        &self,
        game: &G,
        state: &G::State,
        moves: &[G::Move],
        scratch: &mut Self::Scratch,
        weights: &mut Vec<f32>,
    ) {
        let _ = scratch;
        self.weigh(game, state, moves, weights);
    }
}

/// The moves of a playout, kept where the search wants to know them.
#[derive(Debug)]
pub struct Played<M> {
    wanted: bool,
    moves: Vec<(Seat, M)>,
}

impl<M> Played<M> {
    pub(crate) fn new(wanted: bool) -> Self {
        Played {
            wanted,
            moves: Vec::new(),
        }
    }

    /// Whether anybody wants to know.
    #[inline]
    pub fn is_wanted(&self) -> bool {
        self.wanted
    }

    /// Notes a move of a player.
    #[inline]
    pub fn push(&mut self, seat: Seat, mv: M) {
        if self.wanted {
            self.moves.push((seat, mv));
        }
    }

    pub(crate) fn clear(&mut self) {
        self.moves.clear();
    }

    pub(crate) fn moves(&self) -> &[(Seat, M)] {
        &self.moves
    }
}

/// Playouts for every game: all moves are equally likely, chance is as likely as it is, and
/// the reward is the score of the finished game. A playout that is cut off gets the score of
/// the evaluation where it stands.
#[derive(Clone, Copy, Debug)]
pub struct UniformPlayouts<'e, E> {
    eval: &'e E,
    /// The most moves of a playout.
    cut: Option<u32>,
}

impl<'e, E> UniformPlayouts<'e, E> {
    /// With this evaluation, to the end of the game or for so many moves.
    pub fn new(eval: &'e E, cut: Option<u32>) -> Self {
        UniformPlayouts { eval, cut }
    }
}

/// Space for listing what can happen.
#[derive(Debug)]
pub struct Lists<M> {
    pub(crate) moves: Vec<M>,
    pub(crate) probabilities: Vec<f64>,
}

impl<M> Default for Lists<M> {
    fn default() -> Self {
        Lists {
            moves: Vec::new(),
            probabilities: Vec::new(),
        }
    }
}

impl<M: Copy> Lists<M> {
    /// Lists the moves of a player, or the events of chance with their probabilities.
    pub(crate) fn fill<G: Game<Move = M>>(&mut self, game: &G, state: &G::State, turn: Turn) {
        self.moves.clear();
        self.probabilities.clear();
        match turn {
            Turn::Player(_) => game.moves(state, &mut Moves::new(&mut self.moves)),
            Turn::Chance => game.chances(
                state,
                &mut Chances::new(&mut self.moves, &mut self.probabilities),
            ),
            Turn::Over => {}
        }
    }

    /// One of what was listed: a move, each as likely as the others, or an event.
    fn draw(&self, random: &mut Random) -> M {
        if self.probabilities.is_empty() {
            return self.moves[random.below(self.moves.len())];
        }
        let mut left = random.unit();
        for (&event, probability) in self.moves.iter().zip(&self.probabilities) {
            left -= probability;
            if left < 0.0 {
                return event;
            }
        }
        // The sum of the probabilities may be a rounding error below 1.
        self.moves[self.moves.len() - 1]
    }
}

fn write<S: Scores>(scores: S, reward: &mut [i32]) {
    reward.copy_from_slice(scores.as_ref());
}

impl<G: Game, E: Evaluate<G>> Playout<G> for UniformPlayouts<'_, E> {
    type Scratch = Lists<G::Move>;

    fn play_out(
        &self,
        game: &G,
        state: &mut G::State,
        random: &mut Random,
        lists: &mut Lists<G::Move>,
        played: &mut Played<G::Move>,
        reward: &mut [i32],
    ) {
        let mut left = self.cut.unwrap_or(u32::MAX);
        loop {
            let turn = game.turn(state);
            match turn {
                Turn::Over => break,
                Turn::Player(_) if left == 0 => break,
                Turn::Player(_) => left -= 1,
                Turn::Chance => {}
            }
            lists.fill(game, state, turn);
            let mv = lists.draw(random);
            if let Turn::Player(seat) = turn {
                played.push(seat, mv);
            }
            game.play(state, mv);
        }
        write(leaf_scores(self.eval, game, state), reward);
    }

    fn finished(&self, game: &G, state: &G::State, reward: &mut [i32]) {
        write(self.eval.finished(game, state), reward);
    }

    fn range(&self, game: &G) -> Option<(i32, i32)> {
        self.eval.range(game)
    }
}
