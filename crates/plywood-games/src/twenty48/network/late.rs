//! Boards from late in games, from which games are taken up again.

use std::sync::Mutex;

use crate::twenty48::Board;

/// How much more the tiles of a board add up to from one station of a game to the next.
const BETWEEN_STATIONS: u32 = 2048;
/// No game comes past this station: its tiles would be 131072 and more.
const LAST_STATION: usize = 63;
/// How many boards are kept of each station, the newest.
const MOST_BOARDS: usize = 1024;
/// With fewer boards no game is taken up from a station: what is learnt from one and the same
/// board is of little use to others.
const FEWEST_BOARDS: usize = 64;
/// Nor is one if fewer than one in so many games has come to the next station lately: where
/// nearly every game ends, all boards become worth the same, and the little that was known about
/// them is lost.
const ONE_IN: u32 = 8;
/// When a station has seen so many games, what all have seen counts half.
const LATELY: u32 = 1024;

/// Boards after a slide, by the station that a game had come to.
///
/// Late positions are rare in whole games, and most of the score is made there. So games are
/// taken up from where the fewest have come by, as far as some of them go on from there.
pub(super) struct LateBoards(Mutex<Vec<Station>>);

#[derive(Clone, Default)]
struct Station {
    boards: Vec<Board>,
    /// The place of the next board.
    next: usize,
    /// How many games came by or were taken up here lately.
    games: u32,
    /// How many of them came to the next station.
    passed: u32,
}

impl Station {
    /// Whether games are taken up here.
    fn is_open(&self) -> bool {
        self.boards.len() >= FEWEST_BOARDS && self.passed * ONE_IN >= self.games
    }
}

/// The station that a game has come to with this board.
pub(super) fn station(board: Board) -> usize {
    let exponents = board.exponents().into_iter();
    let tiles = exponents.filter(|&exponent| exponent > 0);
    let sum: u32 = tiles.map(|exponent| 1 << exponent).sum();
    ((sum / BETWEEN_STATIONS) as usize).min(LAST_STATION)
}

impl LateBoards {
    /// None so far.
    pub fn new() -> Self {
        LateBoards(Mutex::new(vec![Station::default(); LAST_STATION + 1]))
    }

    /// Keeps the board with which a game has come to a station.
    pub fn add(&self, station: usize, board: Board) {
        let mut stations = self.0.lock().expect("no thread panics");
        if let Some(before) = station.checked_sub(1) {
            stations[before].passed += 1;
        }
        let Station { boards, next, .. } = &mut stations[station];
        match boards.get_mut(*next) {
            Some(oldest) => *oldest = board,
            None => boards.push(board),
        }
        *next = (*next + 1) % MOST_BOARDS;
        count(&mut stations, station);
    }

    /// A board of the open station that the fewest games came by, if there is one; `random` says
    /// which board.
    pub fn draw(&self, random: u64) -> Option<(usize, Board)> {
        let mut stations = self.0.lock().expect("no thread panics");
        let all = stations.iter().enumerate();
        let open = all.filter(|(_, station)| station.is_open());
        let (number, Station { boards, .. }) = open.min_by_key(|(_, station)| station.games)?;
        let board = boards[(random % boards.len() as u64) as usize];
        count(&mut stations, number);
        Some((number, board))
    }
}

/// A game is at a station.
fn count(stations: &mut [Station], number: usize) {
    stations[number].games += 1;
    if stations[number].games >= LATELY {
        for station in stations {
            station.games /= 2;
            station.passed /= 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(exponents: &[u8]) -> Board {
        let mut all = [0; 16];
        all[..exponents.len()].copy_from_slice(exponents);
        Board::from_exponents(all).expect("exponents")
    }

    #[test]
    fn a_station_is_what_the_tiles_add_up_to() {
        assert_eq!(station(board(&[])), 0);
        assert_eq!(station(board(&[10, 9, 8])), 0);
        assert_eq!(station(board(&[10, 10])), 1);
        assert_eq!(station(board(&[14, 13, 12, 11, 1])), 15);
        assert_eq!(station(board(&[15, 5])), 16);
        assert_eq!(station(board(&[17, 17])), LAST_STATION);
    }

    #[test]
    fn games_begin_where_the_fewest_came_by() {
        let late = LateBoards::new();
        assert_eq!(late.draw(7), None);
        let boards = [board(&[11]), board(&[12]), board(&[12, 11])];
        for (station, board) in (1..).zip(boards) {
            for _ in 0..200 - 30 * station {
                late.add(station, board);
            }
        }
        let drawn: Vec<_> = (0..90).map(|random| late.draw(random)).collect();
        let begun = |at| drawn.iter().filter(|&&drawn| drawn == Some(at)).count();
        // 170 and 140 came by before, then 30 games are ahead; from the last nobody came on.
        assert_eq!(begun((2, boards[1])), 60);
        assert_eq!(begun((1, boards[0])), 30);
    }

    #[test]
    fn games_begin_where_some_go_on() {
        let late = LateBoards::new();
        let (here, next) = (board(&[11]), board(&[12]));
        for _ in 0..FEWEST_BOARDS {
            late.add(1, here);
        }
        assert_eq!(late.draw(0), None, "nobody went on");
        for _ in 0..FEWEST_BOARDS / ONE_IN as usize {
            late.add(2, next);
        }
        assert_eq!(late.draw(0), Some((1, here)));
        assert_eq!(late.draw(0), None, "too few went on");
        // What was long ago does not count.
        for _ in 0..4 * LATELY {
            late.add(1, here);
            late.add(2, next);
        }
        assert_eq!(late.draw(0), Some((1, here)));
    }

    #[test]
    fn the_newest_boards_are_kept() {
        let late = LateBoards::new();
        for exponent in [2, 3] {
            for _ in 0..MOST_BOARDS {
                late.add(1, board(&[11, exponent]));
                late.add(2, board(&[12]));
            }
        }
        for random in 0..100 {
            assert_eq!(late.draw(random), Some((1, board(&[11, 3]))));
        }
    }
}
