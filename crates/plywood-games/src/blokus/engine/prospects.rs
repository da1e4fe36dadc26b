//! What the colours have to expect: the points they are likely to end with and their share of
//! the win, by how far each can get, what still fits, and what is in hand. A small network
//! judges all colours at once, as the colour to move sees them.
//!
//! A position judged like this foretells the end of a game better than the average of hundreds
//! of playouts from it.

use plywood::Random;

use super::super::state::MOST_POINTS;
use super::super::{Blokus, PIECES, Piece, State};
use super::network::{MADE, Network};

/// How many numbers describe how far a colour can get.
pub(super) const NUMBERS: usize = 27;
/// Pieces in hand, and whether a colour is still in the game.
const TRAITS: usize = PIECES + 1;
/// Of all colours, and how far the game is.
const fn inputs(colours: usize) -> usize {
    colours * (NUMBERS + TRAITS) + 1
}
/// The most there are.
const MOST_INPUTS: usize = inputs(4);
/// Points as the network makes them: these are 0,
const POINTS_MIDDLE: f32 = 75.0;
/// and so many more are 1.
pub(super) const POINTS_SPREAD: f32 = 14.0;

/// The numbers of a colour: its points so far, what the survey of the board says (with the
/// square roots of three of its counts), and what it can place.
pub(super) type Numbers = [f32; NUMBERS];

/// What describes a position: the colour to move comes first.
#[derive(Clone, Copy)]
pub(super) struct Sight<const COLOURS: usize> {
    /// Nothing of a colour that is out.
    numbers: [Option<Numbers>; COLOURS],
    hands: [u32; COLOURS],
}

/// What makes prospects of that.
#[derive(Clone, PartialEq, Debug)]
pub struct Prospects {
    /// What the numbers are on average.
    pub(super) middle: Numbers,
    /// What they are multiplied with then, so that they are about 1.
    pub(super) scale: Numbers,
    pub(super) network: Network,
}

/// What a position promises to each colour.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Promise<const COLOURS: usize> {
    pub points: [f32; COLOURS],
    pub win_share: [f32; COLOURS],
}

/// How many pieces a colour has placed on average.
pub(super) fn placed<const COLOURS: usize>(state: &State<COLOURS>) -> usize {
    let placed = |colour| PIECES - state.view(colour).hand.count_ones() as usize;
    (0..COLOURS).map(placed).sum::<usize>() / COLOURS
}

impl<const COLOURS: usize> Sight<COLOURS> {
    pub fn new(game: &Blokus<COLOURS>, state: &State<COLOURS>) -> Self {
        let surveys = game.path.survey(state);
        let numbers = |seat| {
            let colour = (state.turn() + seat) % COLOURS;
            if state.is_out(colour) {
                return None;
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
            Some([
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
            ])
        };
        Sight {
            numbers: std::array::from_fn(numbers),
            hands: std::array::from_fn(|seat| state.view((state.turn() + seat) % COLOURS).hand),
        }
    }

    /// How many pieces all have in hand.
    pub fn in_hand(&self) -> u32 {
        self.hands.iter().map(|hand| hand.count_ones()).sum()
    }

    /// Whether the colour in this place is in the game.
    pub fn is_in(&self, seat: usize) -> bool {
        self.numbers[seat].is_some()
    }
}

/// What goes into the network.
pub(super) struct Inputs {
    all: [(u16, f32); MOST_INPUTS],
    count: usize,
}

impl std::ops::Deref for Inputs {
    type Target = [(u16, f32)];

    fn deref(&self) -> &[(u16, f32)] {
        &self.all[..self.count]
    }
}

impl Prospects {
    /// How many weights the network for so many colours has.
    pub(super) const fn size(colours: usize) -> usize {
        Network::size(inputs(colours))
    }

    /// One that has learnt nothing, for numbers like these.
    pub(super) fn random<const COLOURS: usize>(
        sights: impl Iterator<Item = Sight<COLOURS>>,
        random: &mut Random,
    ) -> Self {
        let (mut count, mut sums, mut squares) = (0.0, [0.0; NUMBERS], [0.0; NUMBERS]);
        for sight in sights {
            for numbers in sight.numbers.iter().flatten() {
                count += 1.0;
                for (place, &number) in numbers.iter().enumerate() {
                    sums[place] += f64::from(number);
                    squares[place] += f64::from(number).powi(2);
                }
            }
        }
        let middle = sums.map(|sum| sum / f64::max(count, 1.0));
        let spread = |place: usize| (squares[place] / count - middle[place].powi(2)).sqrt();
        Prospects {
            middle: middle.map(|middle| middle as f32),
            scale: std::array::from_fn(|place| (1.0 / spread(place).max(0.1)) as f32),
            network: Network::random(inputs(COLOURS), random),
        }
    }

    /// The same with four decimals, which say all that matters in a short file.
    pub(super) fn rounded(&self) -> Self {
        let round = |number: f32| ((f64::from(number) * 1e4).round() / 1e4) as f32;
        let weights = self.network.weights().iter().copied();
        Prospects {
            middle: self.middle.map(round),
            scale: self.scale.map(round),
            network: Network::new(weights.map(round).collect()),
        }
    }

    /// What goes into the network.
    pub(super) fn inputs<const COLOURS: usize>(&self, sight: &Sight<COLOURS>) -> Inputs {
        let mut inputs = Inputs {
            all: [(0, 0.0); MOST_INPUTS],
            count: 0,
        };
        let mut push = |place: usize, number: f32| {
            inputs.all[inputs.count] = (place as u16, number);
            inputs.count += 1;
        };
        for (seat, (numbers, mut hand)) in sight.numbers.iter().zip(sight.hands).enumerate() {
            let start = seat * (NUMBERS + TRAITS);
            while hand != 0 {
                push(start + hand.trailing_zeros() as usize, 1.0);
                hand &= hand - 1;
            }
            if let Some(numbers) = numbers {
                push(start + PIECES, 1.0);
                let scaled = numbers.iter().zip(&self.middle).zip(&self.scale);
                for (place, ((number, middle), scale)) in scaled.enumerate() {
                    push(start + TRAITS + place, (number - middle) * scale);
                }
            }
        }
        // From about -1 to 1.
        let half = (COLOURS * PIECES) as f32 / 2.0;
        push(
            COLOURS * (NUMBERS + TRAITS),
            sight.in_hand() as f32 / half - 1.0,
        );
        inputs
    }

    /// What a position promises; the game must not be over.
    pub(super) fn of<const COLOURS: usize>(
        &self,
        game: &Blokus<COLOURS>,
        state: &State<COLOURS>,
    ) -> Promise<COLOURS> {
        let inputs = self.inputs(&Sight::new(game, state));
        let made = self.network.apply(&inputs).made;
        let shares: [f32; COLOURS] = win_share(&made);
        let seat = |colour: usize| (colour + COLOURS - state.turn()) % COLOURS;
        Promise {
            points: std::array::from_fn(|colour| {
                let so_far = state.score(colour) as f32;
                if state.is_out(colour) {
                    return so_far;
                }
                let points = POINTS_MIDDLE + POINTS_SPREAD * made[seat(colour)];
                points.clamp(so_far, MOST_POINTS as f32)
            }),
            win_share: std::array::from_fn(|colour| shares[seat(colour)]),
        }
    }
}

/// Points as the network makes them.
pub(super) fn scaled_points(points: f32) -> f32 {
    (points - POINTS_MIDDLE) / POINTS_SPREAD
}

/// The shares of the win in what the network makes: behind the points, as logarithms.
pub(super) fn win_share<const COLOURS: usize>(made: &[f32; MADE]) -> [f32; COLOURS] {
    let logs: [f32; COLOURS] = std::array::from_fn(|seat| made[COLOURS + seat]);
    let most = logs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let likely = logs.map(|log| (log - most).exp());
    let sum: f32 = likely.iter().sum();
    likely.map(|likely| likely / sum)
}
