//! What the colours have to expect: the points they are likely to end with, by how far they can
//! get and what still fits, and the share of the win that follows.
//!
//! A position judged like this foretells the end of a game better than the average of hundreds
//! of playouts from it.

use super::super::{Blokus, PIECES, Piece, State};

/// How many numbers describe what a colour has to expect.
pub const NUMBERS: usize = 29;
/// Every two pieces that a colour has placed there are other weights.
pub const STAGES: usize = 8;

/// The numbers of a colour: a constant, its points so far, what the survey of the board says
/// (with the square roots of three of its counts), what it can place, and how many turns there
/// are before its own.
pub(super) type Numbers = [f32; NUMBERS];

/// Weights that make points of numbers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Prospects {
    /// By stage, of the numbers: their sum is the points that the colour will end with.
    pub points: [[f32; NUMBERS]; STAGES],
    /// By stage, how much more likely to win a colour is for every point that it is ahead, as
    /// a logarithm.
    pub sharpness: [f32; STAGES],
}

/// What a position promises to each colour.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Promise<const COLOURS: usize> {
    pub points: [f32; COLOURS],
    pub win_share: [f32; COLOURS],
}

/// The stage of a colour that has placed so many pieces.
const fn stage(placed: usize) -> usize {
    let stage = placed / 2;
    if stage < STAGES { stage } else { STAGES - 1 }
}

/// The stage of a colour.
pub(super) fn stage_of<const COLOURS: usize>(state: &State<COLOURS>, colour: usize) -> usize {
    stage(placed(state, colour))
}

/// The stage of the game.
pub(super) fn stage_of_all<const COLOURS: usize>(state: &State<COLOURS>) -> usize {
    let all: usize = (0..COLOURS).map(|colour| placed(state, colour)).sum();
    stage(all / COLOURS)
}

fn placed<const COLOURS: usize>(state: &State<COLOURS>, colour: usize) -> usize {
    PIECES - state.view(colour).hand.count_ones() as usize
}

/// What describes the prospects of each colour. Those of a colour that is out are known: its
/// numbers are of no use.
pub(super) fn describe<const COLOURS: usize>(
    game: &Blokus<COLOURS>,
    state: &State<COLOURS>,
) -> [Numbers; COLOURS] {
    let surveys = game.path.survey(state);
    std::array::from_fn(|colour| {
        if state.is_out(colour) {
            return [0.0; NUMBERS];
        }
        let survey = &surveys[colour];
        let moves = game.path.count_each(&state.view(colour));
        let (mut fitting, mut squares, mut of_five) = (0.0, 0.0, 0.0);
        // Moves with five, four, and fewer squares.
        let mut by_size = [1.0; 3];
        for (piece, &count) in moves.iter().enumerate().filter(|(_, count)| **count > 0) {
            let size = Piece::new(piece).size();
            fitting += 1.0;
            squares += f32::from(size);
            of_five += f32::from(u8::from(size == 5));
            by_size[usize::from(5 - size).min(2)] += f32::from(count);
        }
        let turns = (colour + COLOURS - state.turn()) % COLOURS;
        let cells = |count: u16| f32::from(count);
        let [one, two, three, four, six, eight] = survey.within.map(cells);
        let [free_of_two, free_of_four] = survey.free_corners.map(cells);
        let [alone_3, alone_5, alone_2] = survey.alone.map(cells);
        let [fives, fours, fewer] = by_size.map(f32::ln);
        let (corners, first, safe) = (
            cells(survey.corners),
            cells(survey.first),
            cells(survey.safe),
        );
        [
            1.0,
            state.score(colour) as f32,
            corners,
            corners.sqrt(),
            one,
            two,
            three,
            four,
            six,
            eight,
            first,
            first.sqrt(),
            cells(survey.shared),
            safe,
            safe.sqrt(),
            free_of_two,
            free_of_four,
            cells(survey.near_corners),
            alone_3,
            alone_5,
            alone_2,
            cells(survey.roomy),
            fitting,
            squares,
            of_five,
            fives,
            fours,
            fewer,
            turns as f32,
        ]
    })
}

impl Prospects {
    /// What a position promises; the game must not be over.
    pub(super) fn of<const COLOURS: usize>(
        &self,
        game: &Blokus<COLOURS>,
        state: &State<COLOURS>,
    ) -> Promise<COLOURS> {
        let numbers = describe(game, state);
        let points = std::array::from_fn(|colour| {
            let so_far = state.score(colour) as f32;
            if state.is_out(colour) {
                return so_far;
            }
            let points = self.points(stage_of(state, colour), &numbers[colour]);
            points.clamp(so_far, MOST_POINTS)
        });
        Promise {
            points,
            win_share: win_share(&points, self.sharpness[stage_of_all(state)]),
        }
    }

    /// The points that these numbers promise.
    pub(super) fn points(&self, stage: usize, numbers: &Numbers) -> f32 {
        let parts = numbers.iter().zip(&self.points[stage]);
        parts.map(|(number, weight)| number * weight).sum()
    }
}

/// The most points there are.
const MOST_POINTS: f32 = super::super::state::MOST_POINTS as f32;

/// The share of the win that each colour has if these points are expected.
pub(super) fn win_share<const COLOURS: usize>(
    points: &[f32; COLOURS],
    sharpness: f32,
) -> [f32; COLOURS] {
    let most = points.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let likely = points.map(|points| ((points - most) * sharpness).exp());
    let sum: f32 = likely.iter().sum();
    likely.map(|likely| likely / sum)
}
