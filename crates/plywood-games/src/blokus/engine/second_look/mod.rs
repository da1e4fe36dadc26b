//! A second look at the moves of a position that matters: a small network that sees the whole
//! board. It is turned so that the colour to move starts at the top left.

mod layer;
mod learn;
mod record;

use std::sync::LazyLock;

pub use self::learn::{LookCourse, LookLearner, Positions, Score};
pub(super) use self::record::record;
pub use self::record::title_of_records;

use self::layer::{CHANNELS, GROUP, Grid, Kernel, Layer, SIZE, TAPS};
use super::super::board::{Board, cell_at, cell_bit, shift, window_start};
use super::super::moves::Move;
use super::super::pieces::ORIENTATIONS;
use super::super::{PIECES, State};
use crate::text::TextError;

/// The colours of the game it was made for.
pub(super) const COLOURS: usize = 4;
/// For every colour: the cells it may take, its corner cells, its own, those of its last move.
const PLANES: usize = 4 * COLOURS;
/// Which pieces are in hand, and who is still in the game.
const TRAITS: usize = COLOURS * (PIECES + 1);
/// Layers after the first: two by two, with what went into them added.
const LAYERS: usize = 4;
/// How a file begins.
const TITLE: &[u8] = b"plywood blokus second look 1\n";

/// The network that takes a second look at the moves of the classic game.
#[derive(Clone, PartialEq, Debug)]
pub struct SecondLook {
    first: Layer,
    /// By trait: what is added where the first layer makes its numbers.
    of_traits: Vec<[f32; CHANNELS]>,
    others: Vec<Layer>,
    /// By orientation: the weights of the numbers of the cell at the top left of the box
    /// around a piece, what their sum is multiplied with, and what is added to that.
    heads: Vec<([i8; CHANNELS], f32, f32)>,
    /// By trait and orientation: what is added too.
    heads_of_traits: Vec<[f32; ORIENTATIONS]>,
}

/// What a worker needs to take a look.
#[derive(Clone, Default)]
pub(super) struct Grids {
    planes: Grid,
    now: Grid,
    between: Grid,
    next: Grid,
}

/// What comes with the program: docs/blokus.md says how it was made.
static BUILT_IN: LazyLock<SecondLook> = LazyLock::new(|| {
    let file = include_bytes!("built-in.look");
    SecondLook::read(file).expect("the built-in network is sound")
});

/// By turn and number: where a cell or a move is on the board as the colour to move sees it.
static TURNED: LazyLock<Turned> = LazyLock::new(Turned::new);

struct Turned {
    /// By turn, then by bit.
    cells: [Vec<u16>; COLOURS],
    /// By turn, then by number of a move: its orientation and where its top left cell is.
    moves: [Vec<(u8, u16)>; COLOURS],
}

/// Where a cell is after so many quarter turns, each of which brings the next colour to the
/// top left.
fn turned((mut x, mut y): (usize, usize), turns: usize) -> (usize, usize) {
    for _ in 0..turns {
        (x, y) = (y, SIZE - 1 - x);
    }
    (x, y)
}

impl Turned {
    fn new() -> Self {
        let cells = || (0..SIZE).flat_map(|y| (0..SIZE).map(move |x| (x, y)));
        let mut all = Turned {
            cells: std::array::from_fn(|_| vec![0; 512]),
            moves: std::array::from_fn(|_| vec![(0, 0); ORIENTATIONS << 9]),
        };
        for turns in 0..COLOURS {
            for cell in cells() {
                let (x, y) = turned(cell, turns);
                all.cells[turns][cell_bit(cell.0, cell.1)] = Grid::at(x, y) as u16;
            }
            for orientation in 0..ORIENTATIONS {
                for (x, y) in cells() {
                    let mv = Move::new(orientation, cell_bit(x, y));
                    if mv.cells().any(|(x, y)| x.max(y) >= SIZE) {
                        continue;
                    }
                    let seen: Vec<_> = mv.cells().map(|cell| turned(cell, turns)).collect();
                    let seen = Move::from_cells(&seen).expect("a turned piece is a piece");
                    let (x, y) = cell_at(seen.anchor());
                    all.moves[turns][usize::from(mv.number())] =
                        (seen.orientation() as u8, Grid::at(x, y) as u16);
                }
            }
        }
        all
    }
}

impl SecondLook {
    /// The one that comes with the program.
    pub fn built_in() -> &'static Self {
        &BUILT_IN
    }

    /// How likely each move is, compared with the others, as a logarithm.
    pub(super) fn weigh<const N: usize>(
        &self,
        state: &State<N>,
        moves: &[Move],
        grids: &mut Grids,
        weights: &mut Vec<f32>,
    ) {
        assert_eq!(N, COLOURS);
        see(state, &mut grids.planes);
        let of_hand = self.look(&traits(state), grids);
        let moves_of_turn = &TURNED.moves[state.turn()];
        weights.extend(moves.iter().map(|mv| {
            let (orientation, at) = moves_of_turn[usize::from(mv.number())];
            self.weigh_one(grids, &of_hand, usize::from(orientation), usize::from(at))
        }));
    }

    /// Makes the numbers of all cells of the planes, and what the traits add to every
    /// orientation.
    fn look(&self, traits: &[bool; TRAITS], grids: &mut Grids) -> [f32; ORIENTATIONS] {
        let kernel = Kernel::best();
        let mut bias = self.first.bias;
        for (_, of_trait) in traits.iter().zip(&self.of_traits).filter(|(has, _)| **has) {
            bias.iter_mut()
                .zip(of_trait)
                .for_each(|(bias, more)| *bias += more);
        }
        let first = &self.first;
        first.apply(kernel, &bias, &grids.planes, None, &mut grids.now);
        for pair in self.others.chunks_exact(2) {
            let (one, two) = (&pair[0], &pair[1]);
            one.apply(kernel, &one.bias, &grids.now, None, &mut grids.between);
            let over = Some(&grids.now);
            two.apply(kernel, &two.bias, &grids.between, over, &mut grids.next);
            std::mem::swap(&mut grids.now, &mut grids.next);
        }
        let mut of_hand = [0.0; ORIENTATIONS];
        for (_, more) in traits
            .iter()
            .zip(&self.heads_of_traits)
            .filter(|(has, _)| **has)
        {
            of_hand
                .iter_mut()
                .zip(more)
                .for_each(|(sum, more)| *sum += more);
        }
        of_hand
    }

    /// How likely a move is, by its orientation and its top left cell.
    #[inline]
    fn weigh_one(
        &self,
        grids: &Grids,
        of_hand: &[f32; ORIENTATIONS],
        orientation: usize,
        at: usize,
    ) -> f32 {
        let (head, factor, bias) = &self.heads[orientation];
        let parts = grids.now.cell(at).iter().zip(head);
        let sum: i32 = parts.map(|(&n, &w)| i32::from(n) * i32::from(w)).sum();
        sum as f32 * factor + bias + of_hand[orientation]
    }

    /// Reads a file: a title, layer by layer the weights, factors, biases and what is added,
    /// and a sum to check them by.
    pub fn read(file: &[u8]) -> Result<Self, TextError> {
        let damaged = || TextError::new("the network is damaged: its sum is not right");
        let body = file
            .strip_prefix(TITLE)
            .ok_or_else(|| TextError::new("this is no network for a second look"))?;
        let (body, sum) = body.split_last_chunk::<4>().ok_or_else(damaged)?;
        let checked = &file[..file.len() - sum.len()];
        if body.len() != Self::bytes() || crc32fast::hash(checked) != u32::from_le_bytes(*sum) {
            return Err(damaged());
        }
        let mut reader = Reader(body);
        Ok(SecondLook {
            first: reader.layer(PLANES / GROUP),
            of_traits: (0..TRAITS).map(|_| reader.numbers()).collect(),
            others: (0..LAYERS)
                .map(|_| reader.layer(CHANNELS / GROUP))
                .collect(),
            heads: (0..ORIENTATIONS)
                .map(|_| {
                    let weights = reader.take::<CHANNELS>().map(|byte| byte as i8);
                    let [factor, bias] = reader.numbers();
                    (weights, factor, bias)
                })
                .collect(),
            heads_of_traits: (0..TRAITS).map(|_| reader.numbers()).collect(),
        })
    }

    /// The bytes of all numbers in a file.
    const fn bytes() -> usize {
        let of_weights = TAPS * CHANNELS * (PLANES + LAYERS * CHANNELS);
        let of_layers = (LAYERS + 1) * (2 * CHANNELS + 1) * 4;
        let of_heads = ORIENTATIONS * (CHANNELS + 8);
        of_weights + of_layers + of_heads + TRAITS * 4 * (CHANNELS + ORIENTATIONS)
    }
}

/// Reads what there is enough of.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const BYTES: usize>(&mut self) -> [u8; BYTES] {
        let (taken, rest) = self.0.split_first_chunk().expect("the length was checked");
        self.0 = rest;
        *taken
    }

    fn numbers<const COUNT: usize>(&mut self) -> [f32; COUNT] {
        std::array::from_fn(|_| f32::from_le_bytes(self.take()))
    }

    fn layer(&mut self, groups: usize) -> Layer {
        let weights = || [(); CHANNELS].map(|()| self.take::<GROUP>().map(|byte| byte as i8));
        let weights = std::iter::repeat_with(weights).take(TAPS * groups);
        let weights = weights.collect();
        let (factor, bias) = (self.numbers(), self.numbers());
        let [skip] = self.numbers();
        Layer::new(weights, factor, bias, skip)
    }
}

/// Writes down what there is to see.
fn see<const N: usize>(state: &State<N>, planes: &mut Grid) {
    *planes = Grid::default();
    let turn = state.turn();
    let cells = &TURNED.cells[turn];
    let mut show = |board: &Board, plane: usize| {
        for (word, &bits) in board.0.iter().enumerate() {
            let mut left = bits;
            while left != 0 {
                let bit = word * 64 + left.trailing_zeros() as usize;
                planes.set(usize::from(cells[bit]), plane);
                left &= left - 1;
            }
        }
    };
    for seat in 0..N {
        let colour = (turn + seat) % N;
        show(&state.open(colour), seat);
        if !state.is_out(colour) {
            show(&state.corner(colour), COLOURS + seat);
        }
        let mut own = Board::EMPTY;
        state.placements(colour).for_each(|mv| add(&mut own, mv));
        show(&own, 2 * COLOURS + seat);
        if let Some(mv) = state.recent(colour) {
            let mut recent = Board::EMPTY;
            add(&mut recent, mv);
            show(&recent, 3 * COLOURS + seat);
        }
    }
}

/// Adds the cells of a move to a set.
fn add(board: &mut Board, mv: Move) {
    let (word, by) = window_start(mv.anchor());
    board.add(word, shift(mv.shape().cells(), by));
}

/// What the colours have, the one to move first: their pieces, then who can still move.
fn traits<const N: usize>(state: &State<N>) -> [bool; TRAITS] {
    let mut traits = [false; TRAITS];
    let (of_hands, in_game) = traits.split_at_mut(COLOURS * PIECES);
    for (seat, hand) in of_hands.chunks_exact_mut(PIECES).enumerate() {
        let colour = (state.turn() + seat) % N;
        let bits = state.view(colour).hand;
        for (piece, has) in hand.iter_mut().enumerate() {
            *has = bits >> piece & 1 != 0;
        }
        in_game[seat] = !state.is_out(colour);
    }
    traits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blokus::Classic;
    use crate::blokus::engine::{Engine, EngineSettings, Playouts, Scratch, Style};
    use crate::text::Notation;
    use plywood::{Game, Limits, Moves, Random};

    /// The cell that a quarter turn brings to this one.
    fn before_turn((x, y): (usize, usize)) -> (usize, usize) {
        (SIZE - 1 - y, x)
    }

    /// The placements of a game that is played at random for some moves, with their colours.
    fn placements(game: &Classic, seed: u64, count: usize) -> Vec<(usize, Move)> {
        let mut made = Vec::new();
        let playouts = Playouts::new::<4>(Style::Weighted);
        let (mut random, mut scratch) = (Random::new(seed), Scratch::default());
        let tell = |colour, mv| made.push((colour, mv));
        playouts.play(game, &mut game.start(), &mut random, &mut scratch, tell);
        made.truncate(count);
        made
    }

    fn set_up(game: &Classic, made: &[(usize, Move)], turn: usize) -> State<4> {
        let mut state = game.start();
        for &(colour, mv) in made {
            state.set_up(colour, mv);
        }
        state.set_turn(turn);
        state
    }

    fn weigh(state: &State<4>, moves: &[Move]) -> Vec<f32> {
        let mut weights = Vec::new();
        SecondLook::built_in().weigh(state, moves, &mut Grids::default(), &mut weights);
        weights
    }

    #[test]
    fn a_turned_board_with_other_colours_looks_the_same() {
        let game = Classic::new();
        for (seed, count) in [(1, 0), (2, 8), (3, 24), (4, 43)] {
            let made = placements(&game, seed, count);
            let turn = count % COLOURS;
            let turn_back = |mv: Move| {
                let cells: Vec<_> = mv.cells().map(before_turn).collect();
                Move::from_cells(&cells).expect("a piece")
            };
            let next = |colour: usize| (colour + 1) % COLOURS;
            let turned: Vec<_> = made
                .iter()
                .map(|&(colour, mv)| (next(colour), turn_back(mv)))
                .collect();
            let one = set_up(&game, &made, turn);
            let other = set_up(&game, &turned, next(turn));
            let mut moves = Vec::new();
            game.moves(&one, &mut Moves::new(&mut moves));
            let moved: Vec<_> = moves.iter().map(|&mv| turn_back(mv)).collect();
            let weights = weigh(&one, &moves);
            assert_eq!(weights, weigh(&other, &moved), "seed {seed}");
            let spread = weights.iter().any(|weight| *weight != weights[0]);
            assert!(spread, "all moves look the same");
        }
    }

    #[test]
    fn large_pieces_look_best_at_the_start() {
        let game = Classic::new();
        let mut moves = Vec::new();
        game.moves(&game.start(), &mut Moves::new(&mut moves));
        let weights = weigh(&game.start(), &moves);
        let best = weights.iter().zip(&moves).max_by(|a, b| a.0.total_cmp(b.0));
        assert_eq!(best.expect("there are moves").1.piece().size(), 5);
    }

    #[test]
    fn files_that_are_no_networks_are_refused() {
        let sound = include_bytes!("built-in.look");
        assert_eq!(SecondLook::read(sound).as_ref(), Ok(SecondLook::built_in()));
        let mut damaged = sound.to_vec();
        damaged[1000] ^= 1;
        let long = [&sound[..], &[0]].concat();
        for (wrong, part) in [
            (&damaged[..], "damaged"),
            (&long, "damaged"),
            (&sound[..sound.len() - 1], "damaged"),
            (TITLE, "damaged"),
            (b"", "no network"),
            (&sound[1..], "no network"),
        ] {
            let error = SecondLook::read(wrong).expect_err(part).to_string();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn records_tell_what_there_is_to_see_and_where_the_search_went() {
        const LENGTH: usize = PLANES * SIZE * SIZE / 8 + TRAITS / 8 + 16 * 4;
        let game = Classic::new();
        let mut engine = Engine::new(game, EngineSettings::default()).expect("an engine");
        let mut state = game.start();
        let mut records = Vec::new();
        for ply in 0..6 {
            let thought = engine.think(&state, &Limits::nodes(100), &mut |_| {});
            let before = records.len();
            record(&state, &thought, &mut records);
            let new = &records[before..];
            assert_eq!(new.len(), LENGTH);
            // The colour to move has nothing on the board in its first four turns.
            let own = &new[2 * COLOURS * SIZE * SIZE / 8..][..SIZE * SIZE / 8];
            let cells: u32 = own.iter().map(|byte| byte.count_ones()).sum();
            assert_eq!(cells, u32::from(state.squares(ply % COLOURS)));
            let most = thought.moves.iter().map(|mv| mv.visits).max();
            let moves = &new[LENGTH - 64..];
            let number = usize::from(u16::from_le_bytes([moves[0], moves[1]]));
            let (orientation, cell) = (number / (SIZE * SIZE), number % (SIZE * SIZE));
            let seen = Move::new(orientation, cell_bit(cell % SIZE, cell / SIZE));
            let mut cells: Vec<_> = seen.cells().collect();
            for _ in 0..ply % COLOURS {
                cells = cells.into_iter().map(before_turn).collect();
            }
            let mv = Move::from_cells(&cells).expect("a piece");
            let visits = thought.moves.iter().find(|known| known.mv == mv);
            assert_eq!(visits.map(|known| known.visits), most);
            game.play(&mut state, thought.best.expect("a move"));
        }
        assert!(title_of_records().starts_with("plywood blokus positions 1\n0 "));
    }
}
