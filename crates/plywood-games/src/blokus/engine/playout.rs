//! Games played out: with moves of any kind, or with those that are likely to be good; to
//! their end, or for a few moves after which the position is judged. Late in a game both.

use std::sync::{Arc, LazyLock};

use plywood::playout::Played;
use plywood::{Game, Playout, Random, Seat};

use super::super::moves::Move;
use super::super::state::MOST_POINTS;
use super::super::{Blokus, PIECES, Piece, State};
use super::Policy;
use super::policy::{Centre, Judge, list_of_size};
use super::prospects::{Promise, Prospects, placed};
use super::second_look::{self, Grids, SecondLook};

/// A win alone in a reward; a shared one is a part of it.
const WIN: i32 = 12_000;
/// A point in a reward.
const POINT: i32 = 120;
/// So many moves are made before a position is judged: enough to answer threats that the tree
/// does not know yet.
const LOOK_ON: usize = 4;
/// When a colour has placed so many pieces on average, positions are judged and played to their
/// end too, and each counts half: what still fits beside what is found out best by trying, and
/// few moves are left.
const TRIED_FROM: usize = 12;

/// After so many visits the moves of a position get a second look, which takes as long as
/// some playouts.
const SECOND_LOOK: u32 = 32;

/// How games are played out.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Style {
    /// Every move is as likely as every other.
    Uniform,
    /// Moves that look good are more likely.
    Weighted,
}

/// Plays games of Blokus out. The reward of a colour is its share of the win and its points;
/// what the points make of it is tracked too, so that both can be told apart.
pub struct Playouts {
    style: Style,
    policy: Arc<Policy>,
    centre: Centre,
    look: Option<Arc<SecondLook>>,
}

impl Playouts {
    /// Playouts for a game of so many colours.
    pub fn new<const COLOURS: usize>(style: Style) -> Self {
        Playouts {
            style,
            policy: Policy::built_in(COLOURS),
            centre: Centre::new(Blokus::<COLOURS>::SIZE),
            look: None,
        }
    }

    /// The same with other weights than the built-in ones, which fit the game.
    pub(super) fn with_policy(self, policy: Arc<Policy>) -> Self {
        Playouts { policy, ..self }
    }

    /// The same with another second look than the built-in one.
    pub(super) fn with_look(self, look: Arc<SecondLook>) -> Self {
        let look = Some(look);
        Playouts { look, ..self }
    }

    /// What judges positions, if they are judged.
    pub(super) fn prospects(&self) -> Option<&Prospects> {
        match self.style {
            Style::Uniform => None,
            Style::Weighted => self.policy.prospects.as_ref(),
        }
    }

    /// The share of the win in a reward, of which so much is for points.
    pub(super) fn win_share(reward: f64, for_points: f64) -> f64 {
        (reward - for_points) / f64::from(WIN)
    }

    /// The points that bring so much of a reward.
    pub(super) fn points(for_points: f64) -> f64 {
        for_points / f64::from(POINT)
    }

    /// How likely each move is, compared with the others, as a logarithm.
    pub(super) fn log_weights<const COLOURS: usize>(
        &self,
        game: &Blokus<COLOURS>,
        state: &State<COLOURS>,
        moves: &[Move],
        weights: &mut Vec<f32>,
    ) {
        let judge = Judge::new(game, &self.centre, state);
        judge.weigh(&self.policy.prior, moves, |_, weight| weights.push(weight));
    }

    /// Plays one game out in the style of these playouts, and tells every move.
    pub fn play<const COLOURS: usize>(
        &self,
        game: &Blokus<COLOURS>,
        state: &mut State<COLOURS>,
        random: &mut Random,
        scratch: &mut Scratch,
        mut tell: impl FnMut(usize, Move),
    ) {
        while let Some(colour) = state.mover() {
            let mv = match self.style {
                Style::Uniform => uniform_move(game, state, random),
                Style::Weighted => self.likely_move(game, state, random, &mut scratch.moves),
            };
            tell(colour, mv);
            game.play(state, mv);
        }
    }

    /// A move that looks good: the best of a few of the largest pieces, with some luck.
    #[inline]
    fn likely_move<const COLOURS: usize>(
        &self,
        game: &Blokus<COLOURS>,
        state: &State<COLOURS>,
        random: &mut Random,
        moves: &mut Vec<Move>,
    ) -> Move {
        // Now and then a smaller piece than possible.
        let dice = random.next_u64();
        let skip = usize::from(dice.is_multiple_of(SMALLER));
        moves.clear();
        for sizes in SIZES.iter().skip(skip).chain(&SIZES[..skip]) {
            list_of_size(game, state, *sizes, moves);
            if !moves.is_empty() {
                break;
            }
        }
        let count = moves.len();
        if count == 1 {
            return moves[0];
        }
        let mut chosen = [moves[0]; CANDIDATES];
        let candidates = if count <= CANDIDATES {
            &moves[..]
        } else {
            for place in &mut chosen {
                *place = moves[random.below(count)];
            }
            &chosen[..]
        };
        let mut luck = dice >> 8;
        let (mut best, mut most) = (candidates[0], f32::NEG_INFINITY);
        let judge = Judge::new(game, &self.centre, state);
        judge.weigh_quickly(&self.policy.playout, candidates, |mv, weight| {
            luck = luck.rotate_right(11).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let weight = weight + GUMBEL[(luck >> 54) as usize];
            if weight > most {
                (best, most) = (mv, weight);
            }
        });
        best
    }
}

/// So many moves are looked at in a playout.
const CANDIDATES: usize = 6;

/// One move in so many is with a smaller piece than possible.
const SMALLER: u64 = 64;

/// The pieces by size, the largest first.
const SIZES: [u32; 5] = [
    pieces_of(5),
    pieces_of(4),
    pieces_of(3),
    pieces_of(2),
    pieces_of(1),
];

const fn pieces_of(size: u8) -> u32 {
    let mut bits = 0;
    let mut piece = 0;
    while piece < PIECES {
        if Piece::new(piece).size() == size {
            bits |= 1 << piece;
        }
        piece += 1;
    }
    bits
}

/// Numbers that make the largest of sums of logarithms a draw by likelihood: the quantiles of
/// Gumbel's distribution.
static GUMBEL: LazyLock<[f32; 1024]> = LazyLock::new(|| {
    std::array::from_fn(|i| {
        let quantile = (i as f64 + 0.5) / 1024.0;
        (-(-quantile.ln()).ln()) as f32
    })
});

/// Any move there is, each as likely as the others.
#[inline]
pub(super) fn uniform_move<const COLOURS: usize>(
    game: &Blokus<COLOURS>,
    state: &State<COLOURS>,
    random: &mut Random,
) -> Move {
    let count = game.count_moves(state, &mut Vec::new());
    let mv = game.nth_move(state, random.below(count));
    mv.expect("there are so many moves")
}

/// What a worker needs from one playout to the next.
#[derive(Default)]
pub struct Scratch {
    moves: Vec<Move>,
    /// For second looks, once there is one.
    grids: Option<Box<Grids>>,
    /// The reward at the end of a game that was judged before.
    end: Vec<i32>,
}

/// The reward of every colour, and behind these what of it is for points.
fn write_reward<const COLOURS: usize>(state: &State<COLOURS>, reward: &mut [i32]) {
    let points: [i32; COLOURS] = std::array::from_fn(|colour| state.score(colour));
    let most = points.iter().copied().max().unwrap_or(0);
    let winners = points.iter().filter(|&&own| own == most).count() as i32;
    for (colour, &own) in points.iter().enumerate() {
        let win = if own == most { WIN / winners } else { 0 };
        reward[colour] = win + POINT * own;
        reward[COLOURS + colour] = POINT * own;
    }
}

/// The same for a game that is not over, by what it promises: even numbers, as those of a game
/// that is over are, so that halves of both make whole wins and points.
fn write_promise<const COLOURS: usize>(promise: &Promise<COLOURS>, reward: &mut [i32]) {
    let mut left = WIN;
    let mut favourite = 0;
    for colour in 0..COLOURS {
        let even = |number: f32| 2 * (number / 2.0) as i32;
        let win = even(WIN as f32 * promise.win_share[colour]);
        let for_points = even(POINT as f32 * promise.points[colour]);
        reward[colour] = win + for_points;
        reward[COLOURS + colour] = for_points;
        left -= win;
        if promise.points[colour] > promise.points[favourite] {
            favourite = colour;
        }
    }
    // All shares are one win together.
    reward[favourite] += left;
}

impl<const COLOURS: usize> Playout<Blokus<COLOURS>> for Playouts {
    type Scratch = Scratch;

    fn tracked(&self) -> usize {
        COLOURS
    }

    fn play_out(
        &self,
        game: &Blokus<COLOURS>,
        state: &mut State<COLOURS>,
        random: &mut Random,
        scratch: &mut Scratch,
        played: &mut Played<Move>,
        reward: &mut [i32],
    ) {
        let mut tell = |colour: usize, mv| played.push(Seat::new(colour as u8), mv);
        if let Some(prospects) = self.prospects() {
            for _ in 0..LOOK_ON {
                let Some(colour) = state.mover() else { break };
                let mv = self.likely_move(game, state, random, &mut scratch.moves);
                tell(colour, mv);
                game.play(state, mv);
            }
            if state.mover().is_some() {
                write_promise(&prospects.of(game, state), reward);
                if placed(state) >= TRIED_FROM {
                    self.play(game, state, random, scratch, tell);
                    let end = &mut scratch.end;
                    end.resize(reward.len(), 0);
                    write_reward(state, end);
                    for (reward, end) in reward.iter_mut().zip(end) {
                        *reward = (*reward + *end) / 2;
                    }
                }
                return;
            }
        } else {
            self.play(game, state, random, scratch, tell);
        }
        write_reward(state, reward);
    }

    fn finished(&self, _: &Blokus<COLOURS>, state: &State<COLOURS>, reward: &mut [i32]) {
        write_reward(state, reward);
    }

    fn range(&self, _: &Blokus<COLOURS>) -> Option<(i32, i32)> {
        Some((0, WIN + POINT * MOST_POINTS))
    }

    fn weigh(
        &self,
        game: &Blokus<COLOURS>,
        state: &State<COLOURS>,
        moves: &[Move],
        weights: &mut Vec<f32>,
    ) {
        self.log_weights(game, state, moves, weights);
        from_logarithms(weights);
    }

    fn second_look(&self) -> Option<u32> {
        let judges = self.prospects().is_some();
        (judges && COLOURS == second_look::COLOURS).then_some(SECOND_LOOK)
    }

    fn weigh_again(
        &self,
        _: &Blokus<COLOURS>,
        state: &State<COLOURS>,
        moves: &[Move],
        scratch: &mut Scratch,
        weights: &mut Vec<f32>,
    ) {
        let grids = scratch.grids.get_or_insert_default();
        let look = self.look.as_deref();
        let look = look.unwrap_or_else(|| SecondLook::built_in());
        look.weigh(state, moves, grids, weights);
        from_logarithms(weights);
    }
}

/// Makes weights of their logarithms, the largest 1.
fn from_logarithms(weights: &mut [f32]) {
    let most = weights.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    weights
        .iter_mut()
        .for_each(|weight| *weight = (*weight - most).exp().max(1e-6));
}
