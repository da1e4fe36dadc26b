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

/// Boards after a slide, by the station that a game had come to.
///
/// Late positions are rare in whole games, and most of the score is made there. So games are
/// taken up from where the fewest have come by: on the way to a tile that no game has made yet
/// they begin again and again just before it, until some have made it.
pub(super) struct LateBoards(Mutex<Vec<Station>>);

#[derive(Clone, Default)]
struct Station {
    boards: Vec<Board>,
    /// How many boards there were.
    seen: usize,
    /// How many games came by or were taken up here. When the first one is taken up here, as
    /// many as at the station with the fewest: the others are not left alone until it has
    /// caught up.
    games: u64,
}

impl Station {
    /// Whether games are taken up here.
    fn is_open(&self) -> bool {
        self.boards.len() >= FEWEST_BOARDS
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
        let open = stations.iter().filter(|station| station.is_open());
        let fewest = open.map(|station| station.games).min();
        let station = &mut stations[station];
        let was_open = station.is_open();
        match station.boards.get_mut(station.seen % MOST_BOARDS) {
            Some(oldest) => *oldest = board,
            None => station.boards.push(board),
        }
        station.seen += 1;
        station.games += 1;
        if !was_open && station.is_open() {
            station.games = fewest.unwrap_or(0);
        }
    }

    /// A board of the station that the fewest games came by, among those with boards enough;
    /// `random` says which board.
    pub fn draw(&self, random: u64) -> Option<(usize, Board)> {
        let mut stations = self.0.lock().expect("no thread panics");
        let all = stations.iter_mut().enumerate();
        let open = all.filter(|(_, station)| station.is_open());
        let (number, station) = open.min_by_key(|(_, station)| station.games)?;
        station.games += 1;
        let place = random % station.boards.len() as u64;
        Some((number, station.boards[place as usize]))
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
        let (early, later) = (board(&[11]), board(&[12, 11]));
        for _ in 0..100 {
            late.add(1, early);
        }
        for _ in 1..FEWEST_BOARDS {
            late.add(3, later);
        }
        assert_eq!(late.draw(7), Some((1, early)), "too few know the other");
        // From now on as many as at the first, where more come by.
        late.add(3, later);
        for _ in 0..10 {
            late.add(1, early);
        }
        let drawn: Vec<_> = (0..30).map(|random| late.draw(random)).collect();
        assert!(drawn[..10].iter().all(|&drawn| drawn == Some((3, later))));
        let begun = |at| drawn.iter().filter(|&&drawn| drawn == Some(at)).count();
        assert_eq!(begun((3, later)), 20);
        assert_eq!(begun((1, early)), 10);
    }

    #[test]
    fn the_newest_boards_are_kept() {
        let late = LateBoards::new();
        for exponent in [2, 3] {
            for _ in 0..MOST_BOARDS {
                late.add(1, board(&[11, exponent]));
            }
        }
        for random in 0..MOST_BOARDS as u64 {
            assert_eq!(late.draw(random), Some((1, board(&[11, 3]))));
        }
    }
}
