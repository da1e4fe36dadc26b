//! How far the colours can get from their corner cells, which of them gets there first, and in
//! how many places each piece fits.

use super::State;
use super::board::Board;
use super::movegen::{Bits, Tally, View, Visitor, visit};
use super::pieces::{PIECES, SHAPES};

/// The most steps, from a cell to one beside it, that are looked at.
const STEPS: usize = 8;

/// What of the board is within reach of a colour, in cells. Nothing is within reach of a
/// colour that is out.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Survey {
    /// Its corner cells.
    pub(super) corners: u16,
    /// Within 1, 2, 3, 4, 6 and 8 steps from them.
    pub(super) within: [u16; 6],
    /// Nearer to it than to any rival.
    pub(super) first: u16,
    /// As near to a rival as to it.
    pub(super) shared: u16,
    /// Within 6 steps, and not within 8 of a rival.
    pub(super) safe: u16,
    /// Its corner cells that are not within 2, not within 4 steps of a rival.
    pub(super) free_corners: [u16; 2],
    /// Its corner cells that are within a step of a rival.
    pub(super) near_corners: u16,
    /// Within 3, 5 and 2 steps, and not within 3, 5 and 4 of a rival.
    pub(super) alone: [u16; 3],
    /// Within 4 steps, with all four cells beside them open.
    pub(super) roomy: u16,
}

impl Survey {
    /// Of every colour.
    #[inline(always)]
    pub(super) fn of<const COLOURS: usize>(state: &State<COLOURS>) -> [Self; COLOURS] {
        let mut reach = [[Board::EMPTY; STEPS + 1]; COLOURS];
        let mut roomy = [Board::EMPTY; COLOURS];
        for colour in (0..COLOURS).filter(|&colour| !state.is_out(colour)) {
            let open = state.open(colour);
            let reach = &mut reach[colour];
            reach[0] = state.corner(colour);
            for step in 0..STEPS {
                reach[step + 1] = reach[step].grown_within(&open);
            }
            roomy[colour] = open.inner();
        }
        let mut of_rivals = [[Board::EMPTY; STEPS + 1]; COLOURS];
        let mut first = [Board::EMPTY; COLOURS];
        let mut shared = [Board::EMPTY; COLOURS];
        let mut taken = Board::EMPTY;
        for step in 0..=STEPS {
            let mut all = Board::EMPTY;
            for colour in 0..COLOURS {
                let mut others = Board::EMPTY;
                for other in (0..COLOURS).filter(|&other| other != colour) {
                    others = others.or(&reach[other][step]);
                }
                let new = reach[colour][step].without(&taken);
                first[colour] = first[colour].or(&new.without(&others));
                shared[colour] = shared[colour].or(&new.and(&others));
                of_rivals[colour][step] = others;
                all = all.or(&reach[colour][step]);
            }
            taken = taken.or(&all);
        }
        std::array::from_fn(|colour| {
            let (reach, rivals) = (&reach[colour], &of_rivals[colour]);
            let count = |board: Board| board.count() as u16;
            let alone = |own: usize, other: usize| count(reach[own].without(&rivals[other]));
            Survey {
                corners: count(reach[0]),
                within: [1, 2, 3, 4, 6, 8].map(|steps: usize| count(reach[steps])),
                first: count(first[colour]),
                shared: count(shared[colour]),
                safe: alone(6, 8),
                free_corners: [alone(0, 2), alone(0, 4)],
                near_corners: count(reach[0].and(&rivals[1])),
                alone: [alone(3, 3), alone(5, 5), alone(2, 4)],
                roomy: count(reach[4].and(&roomy[colour])),
            }
        })
    }
}

/// The number of legal placements of each piece.
///
/// # Safety
/// As [`Bits::load`].
#[inline(always)]
pub(super) unsafe fn count_each<B: Bits>(view: &View<'_>) -> [u16; PIECES] {
    // SAFETY: the caller vouches for the processor.
    let (open, corner) = unsafe { view.open_and_corner::<B>() };
    let mut each = CountEach {
        tally: B::Tally::new(open),
        before: 0,
        piece: 0,
        counts: [0; PIECES],
    };
    visit(open, corner, view.hand, &mut each);
    each.counts
}

/// Counts piece by piece.
struct CountEach<T> {
    tally: T,
    /// The placements of the pieces before.
    before: usize,
    piece: usize,
    counts: [u16; PIECES],
}

impl<B: Bits, T: Tally<B>> Visitor<B> for CountEach<T> {
    #[inline(always)]
    fn places(&mut self, orientation: usize, places: B) {
        self.piece = SHAPES[orientation].piece as usize;
        self.tally.add(places);
    }

    #[inline(always)]
    fn piece_done(&mut self) -> bool {
        self.tally.settle();
        let total = self.tally.total();
        self.counts[self.piece] = (total - self.before) as u16;
        self.before = total;
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blokus::board::cell_bit;
    use crate::blokus::engine::{Playouts, Scratch, Style};
    use crate::blokus::{Blokus, Classic, Duo, Move, Path};
    use crate::text::Notation;
    use plywood::{Game, Moves, Random};

    /// How many steps each cell is from the corner cells of a colour.
    fn steps<const COLOURS: usize>(state: &State<COLOURS>, colour: usize) -> Vec<Option<usize>> {
        let size = Blokus::<COLOURS>::SIZE;
        let (open, corner) = (state.open(colour), state.corner(colour));
        let mut steps = vec![None; size * size];
        if state.is_out(colour) {
            return steps;
        }
        let cells = || (0..size).flat_map(|y| (0..size).map(move |x| (x, y)));
        let mut now: Vec<(usize, usize)> = cells()
            .filter(|&(x, y)| corner.contains(cell_bit(x, y)))
            .collect();
        for step in 0..=STEPS {
            for &(x, y) in &now {
                steps[y * size + x] = Some(step);
            }
            let next = cells().filter(|&(x, y)| {
                let beside = |&(a, b): &(usize, usize)| a.abs_diff(x) + b.abs_diff(y) == 1;
                steps[y * size + x].is_none()
                    && open.contains(cell_bit(x, y))
                    && now.iter().any(beside)
            });
            now = next.collect();
        }
        steps
    }

    fn check<const COLOURS: usize>(game: &Blokus<COLOURS>, state: &State<COLOURS>)
    where
        Blokus<COLOURS>: Notation<State = State<COLOURS>, Move = Move>,
    {
        let all: [Vec<Option<usize>>; COLOURS] = std::array::from_fn(|c| steps(state, c));
        let found = game.path.survey(state);
        for colour in 0..COLOURS {
            let cells = || {
                (0..all[colour].len()).map(|cell| {
                    let others = (0..COLOURS).filter(|&other| other != colour);
                    let nearest = others.filter_map(|other| all[other][cell]).min();
                    (all[colour][cell].unwrap_or(99), nearest.unwrap_or(99))
                })
            };
            let count = |wanted: &dyn Fn(usize, usize) -> bool| {
                cells().filter(|&(own, other)| wanted(own, other)).count() as u16
            };
            let survey = found[colour];
            assert_eq!(survey.corners, count(&|own, _| own == 0));
            let within = [1, 2, 3, 4, 6, 8].map(|most| count(&|own, _| own <= most));
            assert_eq!(survey.within, within);
            assert_eq!(survey.first, count(&|own, other| own < other));
            assert_eq!(survey.shared, count(&|own, other| own == other && own < 99));
            assert_eq!(survey.safe, count(&|own, other| own <= 6 && other > 8));
            let free = [2, 4].map(|away| count(&|own, other| own == 0 && other > away));
            assert_eq!(survey.free_corners, free);
            assert_eq!(
                survey.near_corners,
                count(&|own, other| own == 0 && other <= 1)
            );
            let alone = [(3, 3), (5, 5), (2, 4)];
            let alone = alone.map(|(near, far)| count(&|own, other| own <= near && other > far));
            assert_eq!(survey.alone, alone);
            let mut moves = Vec::new();
            let view = state.view(colour);
            game.path.list(&view, &mut Moves::new(&mut moves));
            let mut each = [0; PIECES];
            for mv in moves {
                each[mv.piece().index()] += 1;
            }
            assert_eq!(game.path.count_each(&view), each);
        }
    }

    fn check_games<const COLOURS: usize>()
    where
        Blokus<COLOURS>: Notation<State = State<COLOURS>, Move = Move>,
    {
        for (seed, path) in (1..).zip(Path::ALL) {
            let Some(game) = Blokus::<COLOURS>::with_path(path) else {
                continue;
            };
            let mut moves = Vec::new();
            let mut end = game.start();
            let playouts = Playouts::new::<COLOURS>(Style::Weighted);
            let (mut random, mut scratch) = (Random::new(seed), Scratch::default());
            playouts.play(&game, &mut end, &mut random, &mut scratch, |_, mv| {
                moves.push(mv);
            });
            let mut state = game.start();
            for mv in moves {
                check(&game, &state);
                game.play(&mut state, mv);
            }
        }
    }

    #[test]
    fn what_is_counted_at_once_is_what_is_found_cell_by_cell() {
        check_games::<4>();
        check_games::<2>();
        // Of an empty board the survey is known: a corner, and what is within reach of it.
        let game = Classic::new();
        let survey = game.path.survey(&game.start());
        assert!(
            survey
                .iter()
                .all(|one| one.corners == 1 && one.within == [3, 6, 10, 15, 28, 45])
        );
        assert_eq!(Duo::new().path.survey(&Duo::new().start())[0].corners, 1);
    }
}
