//! What the tests of Blokus share: a slow generator that knows only cells and rules.
#![allow(dead_code, reason = "every test uses a part of it")]

use std::collections::BTreeSet;

use plywood::{Game, Moves, Turn};
use plywood_games::Notation;
use plywood_games::blokus::{Blokus, Move, Path, State};

pub type Cell = (i32, i32);
pub type Cells = BTreeSet<Cell>;

/// The pieces as drawings.
pub const DRAWINGS: [&str; 21] = [
    "#",
    "##",
    "###",
    "##/#.",
    "####",
    "###/#..",
    "###/.#.",
    "##./.##",
    "##/##",
    "#####",
    "####/#...",
    "##../.###",
    "###/##.",
    "###/#.#",
    ".##/##./.#.",
    "###/.#./.#.",
    "###/#../#..",
    "##./.##/..#",
    "##./.#./.##",
    "####/.#..",
    ".#./###/.#.",
];

/// The orientations of a piece, moved to the top left.
pub fn orientations(drawing: &str) -> BTreeSet<Cells> {
    let mut cells: Vec<Cell> = Vec::new();
    for (y, row) in drawing.split('/').enumerate() {
        for (x, mark) in row.chars().enumerate() {
            if mark == '#' {
                cells.push((x as i32, y as i32));
            }
        }
    }
    let mut all = BTreeSet::new();
    for _ in 0..2 {
        for _ in 0..4 {
            cells = cells.iter().map(|&(x, y)| (-y, x)).collect();
            let left = cells.iter().map(|cell| cell.0).min().unwrap();
            let top = cells.iter().map(|cell| cell.1).min().unwrap();
            all.insert(cells.iter().map(|&(x, y)| (x - left, y - top)).collect());
        }
        cells = cells.iter().map(|&(x, y)| (-x, y)).collect();
    }
    all
}

/// A position as cells by colour, with the pieces in hand as drawings.
#[derive(Clone)]
pub struct Reference {
    pub size: i32,
    pub starts: Vec<Cell>,
    pub owned: Vec<Cells>,
    pub hand: Vec<Vec<&'static str>>,
    pub last: Vec<&'static str>,
    pub out: Vec<Option<usize>>,
    pub turn: Option<usize>,
    pub ply: usize,
}

impl Reference {
    pub fn new(colours: usize) -> Self {
        let (size, starts) = match colours {
            4 => (20, vec![(0, 0), (19, 0), (19, 19), (0, 19)]),
            _ => (14, vec![(4, 4), (9, 9)]),
        };
        Reference {
            size,
            starts,
            owned: vec![Cells::new(); colours],
            hand: vec![DRAWINGS.to_vec(); colours],
            last: vec![""; colours],
            out: vec![None; colours],
            turn: Some(0),
            ply: 0,
        }
    }

    fn on_board(&self, (x, y): Cell) -> bool {
        (0..self.size).contains(&x) && (0..self.size).contains(&y)
    }

    fn is_taken(&self, cell: Cell) -> bool {
        self.owned.iter().any(|cells| cells.contains(&cell))
    }

    fn is_legal(&self, colour: usize, cells: &Cells) -> bool {
        let own = &self.owned[colour];
        let near = |&(x, y): &Cell, steps: [Cell; 4]| {
            steps
                .iter()
                .any(|step| own.contains(&(x + step.0, y + step.1)))
        };
        let beside = [(1, 0), (-1, 0), (0, 1), (0, -1)];
        let across = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
        cells
            .iter()
            .all(|cell| self.on_board(*cell) && !self.is_taken(*cell) && !near(cell, beside))
            && if own.is_empty() {
                cells.contains(&self.starts[colour])
            } else {
                cells.iter().any(|cell| near(cell, across))
            }
    }

    /// All placements of a colour, each with its piece.
    pub fn moves(&self, colour: usize) -> Vec<(&'static str, Cells)> {
        let mut all = Vec::new();
        for &drawing in &self.hand[colour] {
            for shape in orientations(drawing) {
                for y in 0..self.size {
                    for x in 0..self.size {
                        let cells = shape.iter().map(|cell| (cell.0 + x, cell.1 + y)).collect();
                        if self.is_legal(colour, &cells) {
                            all.push((drawing, cells));
                        }
                    }
                }
            }
        }
        all
    }

    pub fn play(&mut self, drawing: &'static str, cells: &Cells) {
        let colour = self.turn.expect("somebody to move");
        self.owned[colour].extend(cells);
        self.hand[colour].retain(|&piece| piece != drawing);
        self.last[colour] = drawing;
        self.ply += 1;
        let colours = self.owned.len();
        self.turn = None;
        for step in 1..=colours {
            let next = (colour + step) % colours;
            if self.out[next].is_some() {
                continue;
            }
            if self.moves(next).is_empty() {
                self.out[next] = Some(self.ply);
            } else {
                self.turn = Some(next);
                break;
            }
        }
    }

    pub fn score(&self, colour: usize) -> i32 {
        let bonus = match (self.hand[colour].is_empty(), self.last[colour]) {
            (true, "#") => 20,
            (true, _) => 15,
            _ => 0,
        };
        self.owned[colour].len() as i32 + bonus
    }

    /// Free cells, not beside the colour's own, that touch its own at a corner.
    pub fn corner_cells(&self, colour: usize) -> usize {
        let mut count = 0;
        for y in 0..self.size {
            for x in 0..self.size {
                let cells = Cells::from([(x, y)]);
                count += usize::from(self.is_legal(colour, &cells));
            }
        }
        count
    }
}

pub fn cells_of(mv: Move) -> Cells {
    mv.cells().map(|(x, y)| (x as i32, y as i32)).collect()
}

pub fn list<G: Game>(game: &G, state: &G::State) -> Vec<G::Move> {
    let mut moves = Vec::new();
    if matches!(game.turn(state), Turn::Player(_)) {
        game.moves(state, &mut Moves::new(&mut moves));
    }
    moves
}

/// The game on every path this processor can take.
pub fn games<const COLOURS: usize>() -> Vec<Blokus<COLOURS>> {
    let paths = Path::ALL.into_iter();
    paths.filter_map(Blokus::<COLOURS>::with_path).collect()
}

/// A generator of numbers for tests.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % limit
    }
}

/// The positions of a random game from the start to the end, large pieces first if told.
pub fn random_game<const COLOURS: usize>(
    game: &Blokus<COLOURS>,
    seed: u64,
    large_first: bool,
) -> Vec<(State<COLOURS>, Option<Move>)> {
    let mut numbers = Numbers(seed);
    let mut state = game.start();
    let mut all = Vec::new();
    loop {
        let mut moves = list(game, &state);
        if moves.is_empty() {
            all.push((state, None));
            return all;
        }
        if large_first {
            let largest = moves.iter().map(|mv| mv.piece().size()).max();
            moves.retain(|mv| Some(mv.piece().size()) == largest);
        }
        let mv = moves[numbers.below(moves.len())];
        all.push((state.clone(), Some(mv)));
        game.play(&mut state, mv);
    }
}
