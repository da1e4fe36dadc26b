//! How the scores grow while a network learns.

use std::fmt::Write;
use std::time::Duration;

/// The tiles whose share of games is kept, by exponent: 1024 to 65536.
pub const TILES: std::ops::RangeInclusive<u8> = 10..=16;
const TILE_COUNT: usize = 7;
/// Games in a point of the curve, before points are put together.
const GAMES_A_POINT: u64 = 500;
/// When there are more points than this, each two become one.
const MOST_POINTS: usize = 400;

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameEnd {
    /// The score.
    pub score: u32,
    /// The slides.
    pub moves: u32,
    /// The exponent of the largest tile.
    pub largest: u8,
}

/// Some games one after the other.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Point {
    /// How many.
    pub games: u64,
    /// Their slides.
    pub moves: u64,
    /// The sum of their scores.
    pub score: u64,
    /// The best score.
    pub best: u32,
    /// How many reached 1024, 2048 and so on up to 65536, or more.
    pub reached: [u64; TILE_COUNT],
    /// How long they took, in seconds.
    pub seconds: f64,
}

impl Point {
    /// The average score.
    pub fn mean(&self) -> f64 {
        self.score as f64 / self.games.max(1) as f64
    }

    /// The tiles that any game reached, with the share of games that did.
    pub fn rates(&self) -> impl Iterator<Item = (u32, f64)> {
        let games = self.games.max(1) as f64;
        TILES
            .zip(self.reached)
            .filter(|&(_, reached)| reached > 0)
            .map(move |(exponent, reached)| (1 << exponent, reached as f64 / games))
    }

    /// The games of several points together.
    pub fn of_all<'p>(points: impl IntoIterator<Item = &'p Point>) -> Self {
        let mut all = Point::default();
        points.into_iter().for_each(|point| all.join(point));
        all
    }

    fn count(&mut self, end: &GameEnd) {
        self.games += 1;
        self.moves += u64::from(end.moves);
        self.score += u64::from(end.score);
        self.best = self.best.max(end.score);
        for (exponent, reached) in TILES.zip(&mut self.reached) {
            *reached += u64::from(end.largest >= exponent);
        }
    }

    fn join(&mut self, other: &Point) {
        self.games += other.games;
        self.moves += other.moves;
        self.score += other.score;
        self.best = self.best.max(other.best);
        for (mine, theirs) in self.reached.iter_mut().zip(other.reached) {
            *mine += theirs;
        }
        self.seconds += other.seconds;
    }
}

/// All games that a network has learnt from, in points of some hundred games each.
#[derive(Clone, PartialEq, Debug)]
pub struct Curve {
    points: Vec<Point>,
    /// The point that is not complete.
    open: Point,
    /// How many games a complete point has.
    stride: u64,
    /// Time that is not in a point yet is since here.
    seconds: f64,
    /// See [`Curve::going_on`].
    going_on: Vec<(u32, f32)>,
}

impl Default for Curve {
    fn default() -> Self {
        Curve {
            points: Vec::new(),
            open: Point::default(),
            stride: GAMES_A_POINT,
            seconds: 0.0,
            going_on: Vec::new(),
        }
    }
}

impl Curve {
    /// A curve of these points.
    pub(super) fn from_points(points: Vec<Point>) -> Self {
        let stride = points.iter().map(|point| point.games).max().unwrap_or(0);
        Curve {
            seconds: points.iter().map(|point| point.seconds).sum(),
            stride: stride.max(GAMES_A_POINT),
            open: Point::default(),
            points,
            going_on: Vec::new(),
        }
    }

    /// Complete points, and the one that is not if it has games.
    pub fn points(&self) -> impl Iterator<Item = &Point> {
        let open = (self.open.games > 0).then_some(&self.open);
        self.points.iter().chain(open)
    }

    /// All games together.
    pub fn total(&self) -> Point {
        Point::of_all(self.points())
    }

    /// The latest games: enough for an average that means something, if there are.
    pub fn latest(&self) -> Point {
        let mut latest = self.open;
        for point in self.points.iter().rev() {
            if latest.games >= self.stride {
                break;
            }
            latest.join(point);
        }
        latest
    }

    /// Of the games that lately had tiles that add up to so much, the share that came 2048
    /// further. Only while games are taken up late ([`Restarts::Late`](super::Restarts::Late)) on
    /// an ordinary processor; files do not keep it.
    pub fn going_on(&self) -> &[(u32, f32)] {
        &self.going_on
    }

    /// Takes what [`Curve::going_on`] says from now on.
    pub(super) fn set_going_on(&mut self, going_on: Vec<(u32, f32)>) {
        self.going_on = going_on;
    }

    /// How many games there were.
    pub fn games(&self) -> u64 {
        self.total().games
    }

    /// How long they took.
    pub fn time(&self) -> Duration {
        Duration::from_secs_f64(self.seconds)
    }

    /// Adds games that ended, with the time from the start of all until now.
    pub(super) fn add(&mut self, ends: &[GameEnd], until: Duration) {
        let until = until.as_secs_f64();
        let each = (until - self.seconds) / ends.len().max(1) as f64;
        for end in ends {
            self.open.count(end);
            self.open.seconds += each;
            self.seconds += each;
            if self.open.games >= self.stride {
                self.finish_point();
            }
        }
    }

    /// Completes the point that is not.
    pub(super) fn finish_point(&mut self) {
        if self.open.games > 0 {
            self.points.push(std::mem::take(&mut self.open));
        }
        if self.points.len() > MOST_POINTS {
            self.stride *= 2;
            let pairs = self.points.chunks(2).map(|pair| {
                let mut joined = pair[0];
                pair[1..].iter().for_each(|point| joined.join(point));
                joined
            });
            self.points = pairs.collect();
        }
    }

    /// The points as comma separated values, a header first.
    pub fn to_csv(&self) -> String {
        let mut text = "games,moves,seconds,mean,best".to_owned();
        for exponent in TILES {
            write!(text, ",reached_{}", 1u32 << exponent).expect("a string takes everything");
        }
        text.push('\n');
        let (mut games, mut moves, mut seconds) = (0, 0, 0.0);
        for point in self.points() {
            games += point.games;
            moves += point.moves;
            seconds += point.seconds;
            let mean = point.mean();
            write!(
                text,
                "{games},{moves},{seconds:.1},{mean:.0},{}",
                point.best
            )
            .expect("a string takes everything");
            for reached in point.reached {
                let share = reached as f64 / point.games as f64;
                write!(text, ",{share:.4}").expect("a string takes everything");
            }
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(score: u32) -> GameEnd {
        GameEnd {
            score,
            moves: 10,
            largest: if score > 500 { 11 } else { 5 },
        }
    }

    #[test]
    fn nothing_is_lost_when_points_are_put_together() {
        let mut curve = Curve::default();
        let games = GAMES_A_POINT as u32 * MOST_POINTS as u32 * 2 + 77;
        for number in 0..games {
            let until = Duration::from_secs_f64(f64::from(number + 1));
            curve.add(&[end(number % 1000)], until);
        }
        assert!(curve.points().count() <= MOST_POINTS + 1);
        let total = curve.total();
        assert_eq!(total.games, u64::from(games));
        assert_eq!(total.moves, 10 * u64::from(games));
        assert_eq!(total.best, 999);
        assert_eq!((total.reached[0], total.reached[1]), {
            let above = (0..games).filter(|number| number % 1000 > 500).count() as u64;
            (above, above)
        });
        assert!((total.seconds - f64::from(games)).abs() < 0.01);
        let points: Vec<Point> = curve.points().copied().collect();
        assert_eq!(Curve::from_points(points).total(), total);
        assert_eq!(curve.to_csv().lines().count(), 1 + curve.points().count());
    }
}
