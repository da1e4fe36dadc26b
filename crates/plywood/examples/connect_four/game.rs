//! Connect Four on 7 columns of 6 cells, on bitboards.

use plywood::{Evaluate, Game, Moves, Seat, Turn};

const COLUMNS: u32 = 7;
const ROWS: u32 = 6;
/// A column has one bit more than cells, so that lines do not run from one into the next.
const STRIDE: u32 = ROWS + 1;
const BOTTOM: u64 = area(0, COLUMNS, 0, 1);
const BOARD: u64 = area(0, COLUMNS, 0, ROWS);

/// The cells from one column and row to another, which are not included.
const fn area(left: u32, right: u32, bottom: u32, top: u32) -> u64 {
    let mut cells = 0;
    let mut column = left;
    while column < right {
        cells |= ((1 << (top - bottom)) - 1) << (column * STRIDE + bottom);
        column += 1;
    }
    cells
}

/// The rules; there is nothing to choose.
#[derive(Clone, Copy, Debug, Default)]
pub struct ConnectFour;

/// A position: the stones of the player to move, and all stones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    own: u64,
    all: u64,
    stones: u32,
    /// Whether the last stone made four in a row.
    won: bool,
}

/// A column, from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Column(pub u8);

/// Columns from the middle outwards: good moves first.
const ORDER: [u8; COLUMNS as usize] = [3, 2, 4, 1, 5, 0, 6];

impl Position {
    /// The empty board.
    pub const EMPTY: Position = Position {
        own: 0,
        all: 0,
        stones: 0,
        won: false,
    };

    /// The position after these columns, or `None` if one of them is full or comes after
    /// the end of the game.
    #[allow(dead_code, reason = "the benchmark starts from the empty board")]
    pub fn after(columns: &[u8]) -> Option<Self> {
        let mut position = Position::EMPTY;
        for &column in columns {
            let open = !position.won
                && u32::from(column) < COLUMNS
                && position.landings() & cells_of(column) != 0;
            if !open {
                return None;
            }
            ConnectFour.play(&mut position, Column(column));
        }
        Some(position)
    }

    /// The lowest empty cell of every column that is not full.
    fn landings(&self) -> u64 {
        (self.all + BOTTOM) & BOARD
    }
}

fn cells_of(column: u8) -> u64 {
    ((1 << ROWS) - 1) << (u32::from(column) * STRIDE)
}

/// Whether there are four in a row among these stones.
#[inline]
fn has_four(stones: u64) -> bool {
    [1, STRIDE, STRIDE - 1, STRIDE + 1].iter().any(|step| {
        let pairs = stones & stones >> step;
        pairs & pairs >> (2 * step) != 0
    })
}

impl Game for ConnectFour {
    type State = Position;
    type Move = Column;
    type Undo = Position;
    type Scores = [i32; 2];
    const HASHED: bool = true;

    #[inline]
    fn turn(&self, position: &Position) -> Turn {
        if position.won || position.all == BOARD {
            Turn::Over
        } else {
            Turn::Player(Seat::new((position.stones & 1) as u8))
        }
    }

    #[inline]
    fn moves(&self, position: &Position, list: &mut Moves<'_, Column>) {
        let landings = position.landings();
        list.reserve(COLUMNS as usize);
        for column in ORDER {
            if landings & cells_of(column) != 0 {
                list.push(Column(column));
            }
        }
    }

    #[inline]
    fn play(&self, position: &mut Position, column: Column) -> Position {
        let before = *position;
        let stone = before.landings() & cells_of(column.0);
        *position = Position {
            own: before.own ^ before.all,
            all: before.all | stone,
            stones: before.stones + 1,
            won: has_four(before.own | stone),
        };
        before
    }

    #[inline]
    fn undo(&self, position: &mut Position, _: Column, before: Position) {
        *position = before;
    }

    /// A win is worth more the fewer stones it took.
    #[inline]
    fn outcome(&self, position: &Position) -> [i32; 2] {
        if !position.won {
            return [0, 0];
        }
        let value = 1000 - position.stones as i32;
        // The player who made the last stone won: the second after an even number.
        if position.stones.is_multiple_of(2) {
            [-value, value]
        } else {
            [value, -value]
        }
    }

    #[inline]
    fn hash(&self, position: &Position) -> u64 {
        // The sum is different for every position of the same player to move, and all
        // stones tell whose move it is. Multiplying spreads it over all bits.
        let key = (position.own + position.all + BOTTOM).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (key ^ key >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93)
    }

    #[inline]
    fn move_id(&self, column: Column) -> u16 {
        u16::from(column.0)
    }

    #[inline]
    fn count_moves(&self, position: &Position, _: &mut Vec<Column>) -> usize {
        position.landings().count_ones() as usize
    }
}

/// Stones near the middle take part in more lines.
#[derive(Clone, Copy, Debug, Default)]
pub struct Central;

impl Evaluate<ConnectFour> for Central {
    #[inline]
    fn evaluate(&self, _: &ConnectFour, position: &Position) -> [i32; 2] {
        const INNER: u64 = area(1, COLUMNS - 1, 1, ROWS - 1);
        const MIDDLE: u64 = area(2, COLUMNS - 2, 0, ROWS);
        let count = |stones: u64| {
            (stones & INNER).count_ones() as i32 + (stones & MIDDLE).count_ones() as i32
        };
        let value = count(position.own) - count(position.own ^ position.all);
        if position.stones.is_multiple_of(2) {
            [value, -value]
        } else {
            [-value, value]
        }
    }
}
