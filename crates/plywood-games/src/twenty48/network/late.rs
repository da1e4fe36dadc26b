//! Boards from late in games, from which games are taken up again.

use std::sync::Mutex;

use super::stages::{MERGED, Stages};
use crate::twenty48::Board;

/// How much more the tiles of a board add up to from one station of a game to the next.
pub(super) const BETWEEN_STATIONS: u32 = 2048;
/// No game comes past this station: its tiles would be 131072 and more.
pub(super) const LAST_STATION: usize = 63;
/// How many boards are kept of each station, the newest.
pub(super) const MOST_BOARDS: usize = 1024;
/// With fewer boards no game is taken up from a station: what is learnt from one and the same
/// board is of little use to others.
const FEWEST_BOARDS: usize = 64;
/// Nor is one in the first stage if fewer than one in so many games has come to the next station
/// lately: where nearly every game ends, what is learnt takes away from what the same weights
/// knew about earlier boards. A later stage has weights of its own, and learns only that way.
const ONE_IN: u32 = 8;
/// When a station has seen so many games, what all have seen counts half.
const LATELY: u32 = 1024;

/// Boards after a slide, by the station that a game had come to.
///
/// Late positions are rare in whole games, and most of the score is made there. So games are
/// taken up from where the fewest have come by, in the first stage of a network as far as some of
/// them go on from there.
pub(super) struct LateBoards(Mutex<Vec<Station>>);

#[derive(Default)]
struct Station {
    traffic: Traffic,
    boards: Vec<Board>,
    /// The place of the next board.
    next: usize,
}

/// The games that came by a station lately.
#[derive(Clone, Copy, Default)]
struct Traffic {
    /// Whether the station is in the first stage.
    early: bool,
    /// How many games came by or were taken up here lately.
    games: u32,
    /// How many of them came to the next station.
    passed: u32,
}

impl Traffic {
    /// Nobody so far, at the station of this number of a network with these stages.
    fn new(stages: &Stages, number: usize) -> Self {
        let sum = number as u32 * BETWEEN_STATIONS + MERGED;
        Traffic {
            early: stages.of_sum(sum) == 0,
            ..Traffic::default()
        }
    }

    /// Whether games are taken up at the station, if it has so many boards.
    fn is_open(&self, boards: usize) -> bool {
        boards >= FEWEST_BOARDS && (!self.early || self.passed * ONE_IN >= self.games)
    }

    /// What was counts half.
    fn fade(&mut self) {
        self.games /= 2;
        self.passed /= 2;
    }
}

/// The station that a game has come to with this board. They begin where stages do.
pub(super) fn station(board: Board) -> usize {
    let exponents = board.exponents().into_iter();
    let tiles = exponents.filter(|&exponent| exponent > 0);
    let sum: u32 = tiles.map(|exponent| 1 << exponent).sum();
    ((sum.saturating_sub(MERGED) / BETWEEN_STATIONS) as usize).min(LAST_STATION)
}

impl LateBoards {
    /// None so far, for a network of these stages.
    pub fn new(stages: &Stages) -> Self {
        let station = |number| Station {
            traffic: Traffic::new(stages, number),
            ..Station::default()
        };
        let stations = (0..=LAST_STATION).map(station);
        LateBoards(Mutex::new(stations.collect()))
    }

    /// Keeps the board with which a game has come to a station.
    pub fn add(&self, station: usize, board: Board) {
        let mut stations = self.0.lock().expect("no thread panics");
        if let Some(before) = station.checked_sub(1) {
            stations[before].traffic.passed += 1;
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
        let open = all.filter(|(_, station)| station.traffic.is_open(station.boards.len()));
        let (number, Station { boards, .. }) =
            open.min_by_key(|(_, station)| station.traffic.games)?;
        let board = boards[(random % boards.len() as u64) as usize];
        count(&mut stations, number);
        Some((number, board))
    }
}

/// A game is at a station.
fn count(stations: &mut [Station], number: usize) {
    stations[number].traffic.games += 1;
    if stations[number].traffic.games >= LATELY {
        for station in stations {
            station.traffic.fade();
        }
    }
}

/// The stations that are open, where the boards themselves are kept elsewhere.
#[cfg(feature = "cuda")]
pub(super) struct OpenStations(Vec<(Traffic, usize)>);

#[cfg(feature = "cuda")]
impl OpenStations {
    /// None so far, for a network of these stages.
    pub fn new(stages: &Stages) -> Self {
        let station = |number| (Traffic::new(stages, number), 0);
        OpenStations((0..=LAST_STATION).map(station).collect())
    }

    /// Adds the games that came by each station and those that went on to the next; each has so
    /// many boards by now.
    pub fn count(&mut self, boards: &[u32], came: &[u32], went: &[u32]) {
        let counted = boards.iter().zip(came).zip(went);
        for ((traffic, kept), ((&boards, &came), &went)) in self.0.iter_mut().zip(counted) {
            *kept = boards as usize;
            traffic.games += came;
            traffic.passed += went;
            while traffic.games >= LATELY {
                traffic.fade();
            }
        }
    }

    /// The numbers of the stations where games are taken up.
    pub fn list(&self) -> Vec<u8> {
        let open = (0..).zip(&self.0);
        open.filter(|(_, (traffic, boards))| traffic.is_open(*boards))
            .map(|(number, _)| number)
            .collect()
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
        assert_eq!(station(board(&[10, 10])), 0, "it is still to merge");
        assert_eq!(station(board(&[11, 8])), 1);
        assert_eq!(station(board(&[14, 13, 12, 11, 8, 1])), 15);
        assert_eq!(station(board(&[15, 8])), 16);
        assert_eq!(station(board(&[17, 17])), LAST_STATION);
    }

    #[test]
    fn games_begin_where_the_fewest_came_by() {
        let late = LateBoards::new(&Stages::default());
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
        let late = LateBoards::new(&Stages::default());
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
    fn in_a_stage_of_their_own_games_begin_where_nobody_goes_on() {
        let stages: Stages = "4096".parse().expect("a start");
        let late = LateBoards::new(&stages);
        let boards = [board(&[11, 8]), board(&[12, 8])];
        for _ in 0..FEWEST_BOARDS {
            late.add(2, boards[1]);
        }
        assert_eq!(late.draw(0), Some((2, boards[1])));
        for _ in 0..FEWEST_BOARDS / 2 {
            late.add(1, boards[0]);
        }
        assert_eq!(
            late.draw(0),
            Some((2, boards[1])),
            "too few boards before it"
        );
    }

    #[cfg(feature = "cuda")]
    #[test]
    fn stations_open_by_the_same_rule_where_boards_are_elsewhere() {
        let stages: Stages = "8192".parse().expect("a start");
        let mut open = OpenStations::new(&stages);
        assert_eq!(open.list(), []);
        let mut boards = [0; LAST_STATION + 1];
        let (mut came, mut went) = (boards, boards);
        boards[..6].copy_from_slice(&[0, 63, 64, 5000, 64, 64]);
        came[..6].copy_from_slice(&[0, 8, 8000, 9000, 100, 100]);
        went[..6].copy_from_slice(&[0, 8, 7000, 1000, 0, 0]);
        open.count(&boards, &came, &went);
        assert_eq!(
            open.list(),
            [2, 4, 5],
            "few boards; few go on; others in a later stage"
        );
        // What was long ago does not count.
        for _ in 0..20 {
            went[3] = 4000;
            open.count(&boards, &came, &went);
        }
        assert_eq!(open.list(), [2, 3, 4, 5]);
    }

    #[test]
    fn the_newest_boards_are_kept() {
        let late = LateBoards::new(&Stages::default());
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
