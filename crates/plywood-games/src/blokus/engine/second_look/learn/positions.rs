//! Recorded positions: what there is to see, which placements the rules allow, and where the
//! search went.

use super::super::layer::{Grid, SIZE};
use super::super::record::{MOVES, title_of_records};
use super::super::{COLOURS, PLANES, TRAITS};
use crate::blokus::PIECES;
use crate::blokus::pieces::{ORIENTATIONS, SHAPES, Shape};
use crate::text::TextError;

/// The cells of the board.
pub(super) const CELLS: usize = SIZE * SIZE;
/// The bytes of a plane.
const OF_A_PLANE: usize = CELLS / 8;
/// Where the traits of a record begin.
const AT_TRAITS: usize = PLANES * OF_A_PLANE;
/// Where its moves begin.
const AT_MOVES: usize = AT_TRAITS + TRAITS / 8;
/// The bytes of a record.
const RECORD: usize = AT_MOVES + MOVES * 4;
/// The rows of the board and those that a piece at its bottom would need.
const ROWS: usize = SIZE + 5;
/// One game in so many is left out, to test with.
const LEFT_OUT: usize = 12;

/// A placement: 400 times its orientation plus its top left cell.
pub(super) type Placement = u16;

/// The orientation of a placement, and where its top left cell is in a grid.
pub(super) fn place_of(placement: Placement) -> (usize, usize) {
    let (orientation, cell) = (
        usize::from(placement) / CELLS,
        usize::from(placement) % CELLS,
    );
    (orientation, Grid::at(cell % SIZE, cell / SIZE))
}

/// Recorded positions to learn a second look from.
#[derive(Clone, Debug, Default)]
pub struct Positions {
    records: Vec<[u8; RECORD]>,
    /// Where positions are that are learnt from.
    learnt: Vec<u32>,
    /// Where the others are: those of one game in twelve.
    test: Vec<u32>,
    games: usize,
}

impl Positions {
    /// Adds the positions of a file that `plywood train blokus --record` has written; none of them
    /// if something is wrong with it. What a course that was killed has left of its last position
    /// does not count.
    pub fn add(&mut self, file: &[u8]) -> Result<(), TextError> {
        let title = title_of_records();
        let records = file.strip_prefix(title.as_bytes()).ok_or_else(|| {
            TextError::new(
                "this is no file of positions, which plywood train blokus --record writes",
            )
        })?;
        let records = records.as_chunks::<RECORD>().0;
        if let Some(place) = records
            .iter()
            .position(|record| !Position(record).is_sound())
        {
            return Err(TextError::new(format!(
                "the file is damaged: the search cannot have gone where position {} says",
                place + 1
            )));
        }
        let mut taken = usize::MAX;
        for (place, record) in records.iter().enumerate() {
            // Within a game there are ever more pieces on the board.
            let before = std::mem::replace(&mut taken, Position(record).taken());
            self.games += usize::from(taken <= before);
            let left_out = (self.games - 1).is_multiple_of(LEFT_OUT);
            let list = if left_out {
                &mut self.test
            } else {
                &mut self.learnt
            };
            list.push((self.records.len() + place) as u32);
        }
        self.records.extend(records);
        Ok(())
    }

    /// How many games they are from.
    pub fn games(&self) -> usize {
        self.games
    }

    /// Where those are that are learnt from.
    pub(super) fn learnt(&self) -> &[u32] {
        &self.learnt
    }

    /// Where those are that tell how good a network is.
    pub(super) fn test(&self) -> &[u32] {
        &self.test
    }

    pub(super) fn get(&self, at: u32) -> Position<'_> {
        Position(&self.records[at as usize])
    }
}

/// A position.
#[derive(Clone, Copy)]
pub(super) struct Position<'a>(&'a [u8; RECORD]);

impl Position<'_> {
    /// The cells of a plane, a bit each, by row.
    fn plane(&self, plane: usize) -> [u32; ROWS] {
        let mut bytes = [0; OF_A_PLANE + 4];
        bytes[..OF_A_PLANE].copy_from_slice(&self.0[plane * OF_A_PLANE..][..OF_A_PLANE]);
        let mut rows = [0; ROWS];
        for (y, row) in rows[..SIZE].iter_mut().enumerate() {
            let first = y * SIZE;
            let four = bytes[first / 8..].first_chunk().expect("enough bytes");
            *row = u32::from_le_bytes(*four) >> (first % 8) & ((1 << SIZE) - 1);
        }
        rows
    }

    /// Tells the places in a grid and the planes of all cells that are set.
    pub fn see(&self, mut set: impl FnMut(usize, usize)) {
        for plane in 0..PLANES {
            for (y, row) in self.plane(plane)[..SIZE].iter().enumerate() {
                let mut left = *row;
                while left != 0 {
                    set(Grid::at(left.trailing_zeros() as usize, y), plane);
                    left &= left - 1;
                }
            }
        }
    }

    /// What the colours have.
    pub fn traits(&self) -> [bool; TRAITS] {
        std::array::from_fn(|place| self.0[AT_TRAITS + place / 8] >> (place % 8) & 1 != 0)
    }

    /// How many cells are taken.
    fn taken(&self) -> usize {
        let planes = &self.0[2 * COLOURS * OF_A_PLANE..][..COLOURS * OF_A_PLANE];
        planes.iter().map(|byte| byte.count_ones() as usize).sum()
    }

    /// The orientations whose pieces are in the hand of the colour to move.
    fn in_hand(&self) -> impl Iterator<Item = (usize, &'static Shape)> {
        let traits = self.traits();
        let hand: [bool; PIECES] = *traits.first_chunk().expect("the first are of the hand");
        let shapes = SHAPES.iter().enumerate();
        shapes.filter(move |(_, shape)| hand[usize::from(shape.piece)])
    }

    /// All placements that the rules allow, in order.
    pub fn placements(&self, placements: &mut Vec<Placement>) {
        placements.clear();
        let (open, corners) = (self.plane(0), self.plane(COLOURS));
        for (orientation, shape) in self.in_hand() {
            for y in 0..SIZE {
                let (mut fits, mut touches) = (u32::MAX, 0);
                for cell in shape.offsets() {
                    let row = y + usize::from(cell.y);
                    fits &= open[row] >> cell.x;
                    touches |= corners[row] >> cell.x;
                }
                let mut left = fits & touches;
                while left != 0 {
                    let x = left.trailing_zeros() as usize;
                    placements.push((orientation * CELLS + y * SIZE + x) as Placement);
                    left &= left - 1;
                }
            }
        }
    }

    /// Where the search went, the most often first, and how often.
    pub fn moves(&self) -> impl Iterator<Item = (Placement, u16)> {
        let moves = self.0[AT_MOVES..].as_chunks::<4>().0;
        let moves = moves.iter().map(|&[a, b, c, d]| {
            let two = |bytes| u16::from_le_bytes(bytes);
            (two([a, b]), two([c, d]))
        });
        moves.filter(|(_, share)| *share > 0)
    }

    /// Whether the search went somewhere, and only where it may.
    fn is_sound(&self) -> bool {
        let (open, corners, traits) = (self.plane(0), self.plane(COLOURS), self.traits());
        let allowed = |placement: Placement| {
            let (orientation, cell) = (
                usize::from(placement) / CELLS,
                usize::from(placement) % CELLS,
            );
            let is_set = |rows: &[u32; ROWS], x: u8, y: u8| {
                let (x, y) = (cell % SIZE + usize::from(x), cell / SIZE + usize::from(y));
                rows[y] >> x & 1 != 0
            };
            orientation < ORIENTATIONS && {
                let shape = &SHAPES[orientation];
                let mut cells = shape.offsets().iter();
                traits[usize::from(shape.piece)]
                    && cells.clone().all(|cell| is_set(&open, cell.x, cell.y))
                    && cells.any(|cell| is_set(&corners, cell.x, cell.y))
            }
        };
        self.moves().next().is_some() && self.moves().all(|(placement, _)| allowed(placement))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::blokus::Classic;
    use crate::blokus::engine::second_look::{TURNED, record};
    use crate::blokus::engine::{Engine, EngineSettings};
    use crate::text::Notation;
    use plywood::{Game, Limits, Moves};

    /// Records of games, so many positions of each, one in three plies; and what the rules say
    /// about placements.
    pub fn recorded(games: u64, positions: usize) -> (Vec<u8>, Vec<Vec<Placement>>) {
        let game = Classic::new();
        let (mut records, mut allowed) = (Vec::new(), Vec::new());
        for seed in 0..games {
            let settings = EngineSettings {
                seed,
                memory: 1 << 22,
                ..EngineSettings::default()
            };
            let mut engine = Engine::new(game, settings).expect("an engine");
            let mut state = game.start();
            for ply in 0..3 * positions {
                let thought = engine.think(&state, &Limits::nodes(40), &mut |_| {});
                if ply % 3 == 0 {
                    record(&state, &thought, &mut records);
                    let mut moves = Vec::new();
                    game.moves(&state, &mut Moves::new(&mut moves));
                    let placement = |mv: &crate::blokus::Move| {
                        let (orientation, at) =
                            TURNED.moves[state.turn()][usize::from(mv.number())];
                        let cells = (0..SIZE).flat_map(|y| (0..SIZE).map(move |x| Grid::at(x, y)));
                        let cell = cells.into_iter().position(|cell| cell == usize::from(at));
                        (usize::from(orientation) * CELLS + cell.expect("a cell")) as Placement
                    };
                    let mut placements: Vec<_> = moves.iter().map(placement).collect();
                    placements.sort_unstable();
                    allowed.push(placements);
                }
                game.play(&mut state, thought.best.expect("a move"));
            }
        }
        ([title_of_records().into_bytes(), records].concat(), allowed)
    }

    #[test]
    fn placements_are_those_of_the_rules_and_games_are_told_apart() {
        let (file, allowed) = recorded(3, 9);
        let mut positions = Positions::default();
        positions.add(&file).expect("positions");
        let mut placements = Vec::new();
        for (at, allowed) in allowed.iter().enumerate() {
            positions.get(at as u32).placements(&mut placements);
            assert_eq!(placements, *allowed, "position {at}");
        }
        assert_eq!(positions.games(), 3);
        assert_eq!(positions.test(), (0..9).collect::<Vec<_>>());
        assert_eq!(positions.learnt(), (9..27).collect::<Vec<_>>());
    }

    #[test]
    fn files_that_are_no_positions_are_refused() {
        let (file, _) = recorded(1, 2);
        let mut nowhere = file.clone();
        let last = file.len() - MOVES * 4;
        nowhere[last..].fill(0);
        let mut forbidden = file.clone();
        // The monomino in the bottom right corner, far from the colour's start.
        forbidden[last..][..2].copy_from_slice(&(CELLS as u16 - 1).to_le_bytes());
        let mut outside = file.clone();
        outside[last..][..2].fill(u8::MAX);
        for (wrong, part) in [
            (&file[1..], "no file of positions"),
            (b"", "no file of positions"),
            (&nowhere, "position 2"),
            (&forbidden, "position 2"),
            (&outside, "position 2"),
        ] {
            let error = Positions::default().add(wrong).expect_err(part);
            assert!(error.to_string().contains(part), "{error}");
        }
        for (part, count) in [(&file[..], 2), (&file[..file.len() - 1], 1)] {
            let mut positions = Positions::default();
            positions.add(part).expect("sound positions");
            assert_eq!(positions.test().len(), count);
        }
    }
}
