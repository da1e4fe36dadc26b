//! Boards from late in games, from which games are taken up again.

use std::str::FromStr;
use std::sync::{Mutex, MutexGuard};

use super::stages::{MERGED, Stages};
use crate::text::TextError;
use crate::twenty48::Board;

/// Where games are taken up again, with other tiles, after a whole one: late positions are met
/// rarely otherwise, and most of the score is made there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Restarts {
    /// Nowhere.
    None,
    /// Half way to its end, then half way from there, and so on.
    HalfWay,
    /// Where most games end, each time until a game has come a little further, until three times
    /// as many moves are made.
    Late,
}

impl Restarts {
    /// All there are.
    pub const ALL: [Restarts; 3] = [Restarts::None, Restarts::HalfWay, Restarts::Late];

    /// The name in small letters.
    pub const fn name(self) -> &'static str {
        match self {
            Restarts::None => "none",
            Restarts::HalfWay => "half-way",
            Restarts::Late => "late",
        }
    }
}

impl FromStr for Restarts {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let found = Restarts::ALL.into_iter().find(|way| way.name() == text);
        found.ok_or_else(|| TextError::new("use none, half-way or late"))
    }
}

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
/// With fewer games nobody can say how many go on.
const FEWEST_GAMES: u32 = 16;
/// When a station has seen so many games, what all have seen counts half.
const LATELY: u32 = 1024;
/// If at least this share of the games at a station goes on, those after it count in full.
const ENOUGH: f32 = 0.25;
/// A station counts at least as if this share of its games ended there.
const LEAST_NEED: f32 = 0.02;
/// About as many moves are made from one station to the next.
#[cfg(feature = "cuda")]
const USUAL_MOVES: u64 = 900;
/// What a station counts in a stage that keeps what it knows: boards for the next come from there.
const KEPT: f32 = 0.1;

/// Boards after a slide, by the station that a game had come to.
///
/// Late positions are rare in whole games, and most of the score is made there. So games are
/// taken up from stations, and played to the next one. A station gets the more moves the more of
/// its games end there. Those after a station from which few go on get less: they matter once
/// more go on.
pub(super) struct LateBoards(Mutex<Vec<Station>>);

#[derive(Default)]
struct Station {
    traffic: Traffic,
    boards: Vec<Board>,
    /// The place of the next board.
    next: usize,
}

/// The games that were played on from a station lately.
#[derive(Clone, Copy, Default)]
struct Traffic {
    /// Whether the station is in the first stage.
    early: bool,
    /// Whether it is in one that keeps what it knows.
    kept: bool,
    /// How many games went on or were taken up here.
    games: u32,
    /// How many of them came to the next station.
    passed: u32,
    /// How many moves they made from here to there, or to their end.
    moves: u64,
}

impl Traffic {
    /// Nobody so far, at the station of this number of a network with these stages, the first of
    /// which, so many, keep what they know.
    fn new(stages: &Stages, kept: usize, number: usize) -> Self {
        let stage = stages.of_sum(number as u32 * BETWEEN_STATIONS + MERGED);
        Traffic {
            early: stage == 0,
            kept: stage < kept,
            ..Traffic::default()
        }
    }

    /// Whether games are taken up at the station, if it has so many boards.
    fn is_open(&self, boards: usize) -> bool {
        boards >= FEWEST_BOARDS && (!self.early || self.passed * ONE_IN >= self.games)
    }

    /// How many moves the station should get, compared with others from which as many go on
    /// before it.
    fn need(&self) -> f32 {
        let ends = (1.0 - self.goes_on()).max(LEAST_NEED);
        if self.kept { KEPT * ends } else { ends }
    }

    /// The share of games that come to the next station; a half where there are none yet.
    fn goes_on(&self) -> f32 {
        (self.passed as f32 + 1.0) / (self.games as f32 + 2.0)
    }

    /// What was counts half.
    fn fade(&mut self) {
        self.games /= 2;
        self.passed /= 2;
        self.moves /= 2;
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
    /// None so far, for a network of these stages, the first of which, so many, keep what they
    /// know.
    pub fn new(stages: &Stages, kept: usize) -> Self {
        let station = |number| Station {
            traffic: Traffic::new(stages, kept, number),
            ..Station::default()
        };
        let stations = (0..=LAST_STATION).map(station);
        LateBoards(Mutex::new(stations.collect()))
    }

    /// A game is played on from a station that it has come to.
    pub fn stay(&self, station: usize) {
        count(&mut self.lock(), station);
    }

    /// A game has made so many moves at a station, and ends there or has come to another with
    /// this board, which is kept.
    pub fn leave(&self, station: usize, moves: usize, came: Option<(usize, Board)>) {
        let mut stations = self.lock();
        stations[station].traffic.moves += moves as u64;
        let Some((other, board)) = came else {
            return;
        };
        stations[station].traffic.passed += 1;
        let Station { boards, next, .. } = &mut stations[other];
        match boards.get_mut(*next) {
            Some(oldest) => *oldest = board,
            None => boards.push(board),
        }
        *next = (*next + 1) % MOST_BOARDS;
    }

    /// A board of the open station that is furthest behind with its moves, if there is one;
    /// `random` says which board.
    pub fn draw(&self, random: u64) -> Option<(usize, Board)> {
        let mut stations = self.lock();
        let known = stations.iter();
        let open = open(known.map(|station| (&station.traffic, station.boards.len())));
        let made = |(number, weight): (usize, f32)| {
            (number, stations[number].traffic.moves as f32 / weight)
        };
        let (number, _) = open
            .map(made)
            .min_by(|(_, one), (_, other)| one.total_cmp(other))?;
        let boards = &stations[number].boards;
        let board = boards[(random % boards.len() as u64) as usize];
        count(&mut stations, number);
        Some((number, board))
    }

    /// Of the games lately that were played on from a board of so much, the share that came to the
    /// next station.
    pub fn going_on(&self) -> Vec<(u32, f32)> {
        going_on(self.lock().iter().map(|station| &station.traffic))
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Station>> {
        self.0.lock().expect("no thread panics")
    }
}

/// A game is played on from a station.
fn count(stations: &mut [Station], number: usize) {
    stations[number].traffic.games += 1;
    if stations[number].traffic.games >= LATELY {
        for station in stations {
            station.traffic.fade();
        }
    }
}

/// The stations where games are taken up, of all with so many boards each, and how many moves each
/// should get compared with the others.
fn open<'a>(
    stations: impl Iterator<Item = (&'a Traffic, usize)>,
) -> impl Iterator<Item = (usize, f32)> {
    let mut weight = 1.0;
    let weighed = stations
        .enumerate()
        .map(move |(number, (traffic, boards))| {
            let before = weight;
            weight *= (traffic.goes_on() / ENOUGH).min(1.0);
            (number, traffic, boards, before)
        });
    weighed
        .filter(|(_, traffic, boards, _)| traffic.is_open(*boards))
        .map(|(number, traffic, _, before)| (number, before * traffic.need()))
}

/// Of the games at each station the share that went on, with what the tiles add up to there.
fn going_on<'a>(stations: impl Iterator<Item = &'a Traffic>) -> Vec<(u32, f32)> {
    let sums = (0..).map(|number| number * BETWEEN_STATIONS);
    let known = sums
        .zip(stations)
        .filter(|(_, traffic)| traffic.games >= FEWEST_GAMES);
    known
        .map(|(sum, traffic)| (sum, traffic.goes_on()))
        .collect()
}

/// The stations, where the boards themselves are kept elsewhere and many games go on at a time.
#[cfg(feature = "cuda")]
pub(super) struct DistantBoards(Vec<(Traffic, usize)>);

/// What games did at a station.
#[cfg(feature = "cuda")]
#[derive(Clone, Copy, Default)]
pub(super) struct Counted {
    /// How many boards there are by now.
    pub boards: u32,
    /// How many games went on or were taken up there since the last count.
    pub games: u32,
    /// How many came from there to the next.
    pub passed: u32,
    /// How many moves those made there that left it.
    pub moves: u32,
}

#[cfg(feature = "cuda")]
impl DistantBoards {
    /// None so far, for a network of these stages, the first of which, so many, keep what they
    /// know.
    pub fn new(stages: &Stages, kept: usize) -> Self {
        let station = |number| (Traffic::new(stages, kept, number), 0);
        DistantBoards((0..=LAST_STATION).map(station).collect())
    }

    /// Adds what happened since the last time, station by station. When one has seen
    /// so many games, what all have seen counts half.
    pub fn count(&mut self, counted: impl IntoIterator<Item = Counted>, lately: u32) {
        for ((traffic, boards), counted) in self.0.iter_mut().zip(counted) {
            *boards = counted.boards as usize;
            traffic.games += counted.games;
            traffic.passed += counted.passed;
            traffic.moves += u64::from(counted.moves);
        }
        while self.0.iter().any(|(traffic, _)| traffic.games >= lately) {
            self.0.iter_mut().for_each(|(traffic, _)| traffic.fade());
        }
    }

    /// The numbers of the stations where so many games should be taken up one after the other, if
    /// there are any.
    pub fn draw(&self, games: usize) -> Vec<u8> {
        let known = self.0.iter().map(|(traffic, boards)| (traffic, *boards));
        let mut behind: Vec<(u8, f32, f32)> = open(known)
            .map(|(number, weight)| {
                let Traffic { games, moves, .. } = self.0[number].0;
                let each = (moves + USUAL_MOVES) as f32 / (games + 1) as f32;
                (number as u8, moves as f32 / weight, each / weight)
            })
            .collect();
        let mut drawn = Vec::new();
        while drawn.len() < games
            && let Some((number, made, each)) = behind
                .iter_mut()
                .min_by(|(_, one, _), (_, other, _)| one.total_cmp(other))
        {
            *made += *each;
            drawn.push(*number);
        }
        drawn
    }

    /// The same as [`LateBoards::going_on`].
    pub fn going_on(&self) -> Vec<(u32, f32)> {
        going_on(self.0.iter().map(|(traffic, _)| traffic))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::twenty48::RandomSpawner;

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

    /// A game comes to a station with this board and goes on.
    fn go_on(late: &LateBoards, station: usize, board: Board) {
        late.leave(station - 1, 900, Some((station, board)));
        late.stay(station);
    }

    /// The share of the moves that games make at each station if one taken up makes 900 and goes on with this
    /// chance in a hundred, from the first station on.
    fn shares(chances: &[u64], stages: &str, kept: usize) -> Vec<f64> {
        let stages: Stages = stages.parse().expect("starts");
        let late = LateBoards::new(&stages, kept);
        let board_at = |station: usize| board(&[11, station as u8]);
        for station in 1..=chances.len() {
            for _ in 0..FEWEST_BOARDS {
                late.leave(station - 1, 0, Some((station, board_at(station))));
            }
        }
        let mut moves = vec![0.0; chances.len()];
        // At first nothing is known of the chances.
        let (known, end) = (10_000, 30_000);
        let mut spawner = RandomSpawner::new(1);
        for number in 0..end {
            let (station, drawn) = late.draw(spawner.next()).expect("all are open");
            assert_eq!(drawn, board_at(station));
            let goes_on = spawner.next() % 100 < chances[station - 1];
            let came =
                (goes_on && station < chances.len()).then(|| (station + 1, board_at(station + 1)));
            late.leave(station, 900, came);
            if number >= known {
                moves[station - 1] += 1.0 / (end - known) as f64;
            }
        }
        moves
    }

    #[test]
    fn most_moves_are_made_where_most_games_end() {
        let shares = shares(&[80, 40, 60, 0], "2048", 0);
        // As 20 to 60 to 40 to 100.
        for (share, expected) in shares.iter().zip([0.09, 0.27, 0.18, 0.45]) {
            assert!((share - expected).abs() < 0.03, "{shares:?}");
        }
    }

    #[test]
    fn few_moves_are_made_after_a_station_where_most_end() {
        let shares = shares(&[50, 5, 50, 0], "2048", 0);
        // As 50 to 95 to a fifth of 50 to a fifth of 100.
        for (share, expected) in shares.iter().zip([0.29, 0.54, 0.057, 0.114]) {
            assert!((share - expected).abs() < 0.03, "{shares:?}");
        }
    }

    #[test]
    fn few_moves_are_made_where_nothing_is_learnt() {
        let shares = shares(&[60, 50, 0], "2048,4096", 2);
        // As a tenth of 40 to 50 to 100.
        for (share, expected) in shares.iter().zip([0.026, 0.325, 0.649]) {
            assert!((share - expected).abs() < 0.03, "{shares:?}");
        }
    }

    #[test]
    fn in_the_first_stage_games_begin_where_some_go_on() {
        let late = LateBoards::new(&Stages::default(), 0);
        let (here, next) = (board(&[11]), board(&[12]));
        assert_eq!(late.draw(0), None, "no boards");
        for _ in 0..FEWEST_BOARDS {
            go_on(&late, 1, here);
        }
        assert_eq!(late.draw(0), None, "nobody went on");
        for _ in 0..FEWEST_BOARDS / ONE_IN as usize {
            go_on(&late, 2, next);
        }
        assert_eq!(late.draw(0), Some((1, here)));
        assert_eq!(late.draw(0), None, "too few went on");
        assert_eq!(late.going_on(), [(2048, 9.0 / 67.0)], "of 65 games 8");
        // What was long ago does not count.
        for _ in 0..4 * LATELY {
            late.stay(1);
            go_on(&late, 2, next);
        }
        assert_eq!(late.draw(0), Some((1, here)));
    }

    #[test]
    fn in_a_stage_of_their_own_games_begin_where_nobody_goes_on() {
        let stages: Stages = "4096".parse().expect("a start");
        let late = LateBoards::new(&stages, 0);
        let boards = [board(&[11, 8]), board(&[12, 8])];
        for _ in 0..FEWEST_BOARDS {
            go_on(&late, 2, boards[1]);
        }
        assert_eq!(late.draw(0), Some((2, boards[1])));
        for _ in 0..FEWEST_BOARDS / 2 {
            go_on(&late, 1, boards[0]);
        }
        assert_eq!(
            late.draw(0),
            Some((2, boards[1])),
            "too few boards before it"
        );
    }

    #[cfg(feature = "cuda")]
    #[test]
    fn stations_are_drawn_by_the_same_rule_where_boards_are_elsewhere() {
        let stages: Stages = "8192".parse().expect("a start");
        let mut distant = DistantBoards::new(&stages, 0);
        assert_eq!(distant.draw(9), []);
        let mut counted = [Counted::default(); LAST_STATION + 1];
        let seen = [
            (0, 0, 0),
            (63, 8, 8),
            (64, 8000, 4000),
            (5000, 9000, 1000),
            (64, 100, 0),
            (64, 100, 25),
        ];
        for (station, (boards, games, passed)) in counted.iter_mut().zip(seen) {
            *station = Counted {
                boards,
                games,
                passed,
                moves: 900 * games,
            };
        }
        distant.count(counted, 16 * LATELY);
        // The fourth has few that go on, the second few boards.
        let moves_at = |distant: &DistantBoards, number: u8| {
            let made = distant.0[usize::from(number)].0.moves;
            let drawn = distant.draw(100_000);
            let games = drawn.iter().filter(|&&station| station == number).count();
            made as f32 + 900.0 * games as f32
        };
        assert!(
            distant
                .draw(100_000)
                .iter()
                .all(|number| [2, 4, 5].contains(number))
        );
        let [two, four, five] = [2, 4, 5].map(|number| moves_at(&distant, number));
        // As 50 to 100 after one in nine and to 75 after one in a hundred, with a quarter enough.
        let passed = |share: f32| share / ENOUGH;
        let after = passed(1001.0 / 9002.0);
        let fourth = after * 101.0 / 102.0;
        assert!(
            (four / two / (fourth / 0.5) - 1.0).abs() < 0.05,
            "{four} {two}"
        );
        let fifth = after * passed(1.0 / 102.0) * 76.0 / 102.0;
        assert!(
            five < 1.1 * two * (fifth / 0.5).max(90_000.0 / two),
            "{five} {two}"
        );
        assert_eq!(distant.going_on().len(), 4);
        // What was long ago does not count.
        for _ in 0..20 {
            counted[3].passed = 4000;
            distant.count(counted, 16 * LATELY);
        }
        assert!(distant.draw(100_000).contains(&3));
        assert!(
            distant
                .0
                .iter()
                .all(|(traffic, _)| traffic.games < 16 * LATELY)
        );
    }

    #[test]
    fn the_newest_boards_are_kept() {
        let late = LateBoards::new(&Stages::default(), 0);
        for exponent in [2, 3] {
            for _ in 0..MOST_BOARDS {
                go_on(&late, 1, board(&[11, exponent]));
                go_on(&late, 2, board(&[12]));
            }
        }
        for random in 0..100 {
            assert_eq!(late.draw(random), Some((1, board(&[11, 3]))));
        }
    }
}
