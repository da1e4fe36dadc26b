//! A game that a network plays against chance, and what it learns from it.

use super::curve::GameEnd;
use super::late::{LateBoards, station};
use super::train::seed_of_game;
use super::tuples::{SYMMETRIES, Shape};
use super::weights::Learner;
use crate::twenty48::{Board, Direction, Position, RandomSpawner, Twenty48};
use plywood::Game;

/// One move of a game: the board after the slide, and what the slide scored.
type Step = (Board, f32);

/// How many steps ahead the memory for learning is asked for.
const AHEAD: usize = 2;

/// A game is not taken up again half way so few moves before its end: it has hardly a choice
/// there.
const LAST_MOVES: usize = 16;

/// Fewer slides than this are made at random before a game that was taken up late is played on.
/// Search looks at boards that the network by itself never comes to, and is lost where it knows
/// nothing of them.
pub(super) const RANDOM_SLIDES: u64 = 4;

/// How many moves are made from one look at how far a game has come to the next.
const MOVES_BETWEEN_LOOKS: usize = 64;

/// How many moves are made in games that are taken up for each of a whole game. Whole games are
/// needed to see how well it plays, and for new boards to take up; they end where most games end.
pub(super) const TAKEN_UP: u32 = 3;

/// How is learnt from games.
pub(super) struct Rules {
    /// Nothing is learnt in so many first stages.
    pub kept_stages: usize,
    /// How much of what really followed a board its target takes.
    pub lambda: f32,
}

/// A game that is being played.
pub(super) struct Playing<const T: usize> {
    spawner: RandomSpawner,
    position: Position,
    /// The moves so far; the board that a game was taken up from comes first.
    path: Vec<Step>,
    /// How far the game has come.
    pub station: usize,
    /// How many steps it had made when it came there.
    came: usize,
    /// How the whole game ended, with the moves made in those that were taken up since.
    first_end: Option<GameEnd>,
    /// After so many moves no game is taken up any more.
    enough: u32,
    /// The slides that can be made next.
    slides: [Slide<T>; 4],
}

/// A slide that can be made, looked up.
#[derive(Clone, Copy)]
struct Slide<const T: usize> {
    board: Board,
    gained: u32,
    /// Whether it changes anything.
    possible: bool,
    places: [[u32; T]; SYMMETRIES],
}

impl<const T: usize> Playing<T> {
    pub fn new(
        game: &Twenty48,
        learner: &Learner,
        shape: impl Shape<T>,
        seed: u64,
        number: u64,
    ) -> Self {
        let mut spawner = RandomSpawner::new(seed_of_game(seed, number));
        let position = game.new_game(&mut spawner);
        let mut playing = Playing {
            spawner,
            position,
            path: Vec::new(),
            station: 0,
            came: 0,
            first_end: None,
            enough: 0,
            slides: [Slide {
                board: position.board(),
                gained: 0,
                possible: false,
                places: [[0; T]; SYMMETRIES],
            }; 4],
        };
        playing.look(game, learner, shape);
        playing
    }

    /// Begins another game.
    pub fn begin(
        &mut self,
        game: &Twenty48,
        learner: &Learner,
        shape: impl Shape<T>,
        seed: u64,
        number: u64,
    ) {
        self.spawner = RandomSpawner::new(seed_of_game(seed, number));
        self.position = game.new_game(&mut self.spawner);
        self.path.clear();
        self.station = 0;
        self.came = 0;
        self.first_end = None;
        self.look(game, learner, shape);
    }

    /// How the game has ended. Games that are taken up after it are not whole: only their moves
    /// count.
    pub fn end(&mut self) -> GameEnd {
        let steps = self.path.len() as u32;
        let end = match self.first_end {
            // The first step is from another game.
            Some(first) => GameEnd {
                moves: first.moves + steps - 1,
                ..first
            },
            None => {
                self.enough = (1 + TAKEN_UP) * steps;
                let exponents = self.position.board().exponents();
                GameEnd {
                    score: self.position.score(),
                    moves: steps,
                    largest: exponents.into_iter().max().unwrap_or(0),
                }
            }
        };
        self.first_end = Some(end);
        end
    }

    /// Keeps the board if the game has come further. One that was taken up is not played on from
    /// there: that is when this says yes.
    #[inline(always)]
    pub fn comes_to_its_goal(&mut self, late: &LateBoards) -> bool {
        if !self.path.len().is_multiple_of(MOVES_BETWEEN_LOOKS) {
            return false;
        }
        let &(board, _) = self.path.last().expect("a move was made");
        let station = station(board);
        if station > self.station {
            late.leave(self.station, self.moves_here(), Some((station, board)));
            self.station = station;
            self.came = self.path.len();
            if self.first_end.is_some() {
                return true;
            }
            late.stay(station);
        }
        false
    }

    /// How many moves it made since it came to a station.
    pub fn moves_here(&self) -> usize {
        self.path.len() - self.came
    }

    /// The board half way from where the game was begun or taken up last, unless that is too
    /// near to its end.
    pub fn half_way(&self) -> Option<Board> {
        let half = self.path.len() / 2;
        (half >= LAST_MOVES).then(|| self.path[half - 1].0)
    }

    /// One of the late boards; none if there are none, or if enough moves were made from such
    /// boards.
    pub fn late(&mut self, late: &LateBoards) -> Option<Board> {
        let end = self.first_end?;
        if end.moves >= self.enough {
            return None;
        }
        let (station, board) = late.draw(self.spawner.next())?;
        self.station = station;
        Some(board)
    }

    /// Takes a game up from a board after a slide, and makes fewer than so many slides at random.
    pub fn restart(
        &mut self,
        game: &Twenty48,
        learner: &Learner,
        shape: impl Shape<T>,
        board: Board,
        random: u64,
    ) {
        self.path.clear();
        self.came = 0;
        self.go_to(game, learner, shape, board, 0);
        let mut begun = board;
        for _ in 0..self.spawner.next() % random {
            let slide = self.slides[(self.spawner.next() % 4) as usize];
            if slide.possible {
                begun = slide.board;
                self.go_to(game, learner, shape, slide.board, slide.gained);
            }
        }
        // What the board is worth is learnt once more.
        self.path.push((begun, 0.0));
    }

    /// Makes a slide to this board; a tile appears.
    #[inline(always)]
    fn go_to(
        &mut self,
        game: &Twenty48,
        learner: &Learner,
        shape: impl Shape<T>,
        board: Board,
        gained: u32,
    ) {
        self.position.slide_to(board, gained);
        self.appear(game);
        self.look(game, learner, shape);
    }

    /// A tile appears.
    #[inline(always)]
    fn appear(&mut self, game: &Twenty48) {
        let spawn = self.spawner.spawn(&self.position);
        game.play(&mut self.position, spawn.expect("a slide leaves room"));
    }

    /// Finds the slides, and asks for what they are worth.
    #[inline(always)]
    fn look(&mut self, game: &Twenty48, learner: &Learner, shape: impl Shape<T>) {
        let before = self.position.board();
        for (slide, direction) in self.slides.iter_mut().zip(Direction::ALL) {
            let (board, gained) = game.slide(before, direction);
            slide.possible = board != before;
            if slide.possible {
                slide.board = board;
                slide.gained = gained;
                slide.places = learner.places_in(shape, board.nibbles);
            }
        }
    }

    /// Makes the slide with the most of what it scores and what the network expects then,
    /// among equals the first; a tile appears. `false` if there is none.
    #[inline(always)]
    pub fn step(&mut self, game: &Twenty48, learner: &Learner, shape: impl Shape<T>) -> bool {
        // All are looked up before any is compared: lookups that do not wait for a
        // comparison wait together.
        let values = self.slides.each_ref().map(|slide| match slide.possible {
            true => slide.gained as f32 + learner.value_at(&slide.places),
            false => f32::NEG_INFINITY,
        });
        let mut best = 0;
        for index in 1..values.len() {
            if values[index] > values[best] {
                best = index;
            }
        }
        let Slide { board, gained, .. } = self.slides[best];
        if values[best] == f32::NEG_INFINITY {
            return false;
        }
        self.path.push((board, gained as f32));
        self.go_to(game, learner, shape, board, gained);
        true
    }

    /// From the end to the beginning: a board after a slide is worth what the next slide
    /// scored and the rest from there, which is what the board after that is worth by now,
    /// mixed with the rest that the game really had. Where a game goes on but is not played on,
    /// the rest is what the network thinks.
    pub fn learn(&self, learner: &Learner, shape: impl Shape<T>, rules: &Rules, goes_on: bool) {
        let &Rules {
            kept_stages,
            lambda,
        } = rules;
        let path = &self.path;
        let mut target = match path.last() {
            Some(&(board, _)) if goes_on => learner.value_in(shape, board.nibbles),
            _ => 0.0,
        };
        for (index, &(board, gained)) in path.iter().enumerate().rev() {
            // All boards before it are in these stages as well.
            if kept_stages > 0 && learner.stages().of(board.nibbles) < kept_stages {
                break;
            }
            // Each step waits for the one after it, but not the memory it needs.
            if let Some(&(soon, _)) = index.checked_sub(AHEAD).and_then(|i| path.get(i)) {
                learner.fetch_in(shape, soon.nibbles);
            }
            let value = learner.learn_in(shape, board.nibbles, target);
            target = gained + value + lambda * (target - value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::twenty48::network::tuples::WithShape;
    use crate::twenty48::network::{Learning, Tuples};

    fn learner() -> Learner {
        let tuples: Tuples = "0123,4567,0145".parse().expect("cells");
        Learner::new(tuples, Learning::Td, 100.0)
    }

    /// What a game teaches, and what the same boards teach with these targets, from the last to
    /// the first: `target` makes that of a board of the rest that the game had after it, of what
    /// the next slide scored and of what the board after that is worth by now.
    fn taught(lambda: f32, target: impl Fn(f32, f32, f32) -> f32) -> (Vec<f32>, Vec<f32>) {
        struct Lesson<'a>(&'a Learner, f32);
        impl WithShape for Lesson<'_> {
            type Output = Vec<Step>;
            fn with<const T: usize>(self, shape: impl Shape<T>) -> Vec<Step> {
                let game = Twenty48::new();
                let mut playing = Playing::new(&game, self.0, shape, 3, 4);
                while playing.step(&game, self.0, shape) {}
                playing.learn(
                    self.0,
                    shape,
                    &Rules {
                        kept_stages: 0,
                        lambda: self.1,
                    },
                    false,
                );
                playing.path
            }
        }
        let (one, other) = (learner(), learner());
        let path = one.tuples().with_shape(Lesson(&one, lambda));
        let (mut rest, mut gained, mut value) = (0.0, 0.0, 0.0);
        for &(board, gains) in path.iter().rev() {
            value = other.learn(board.nibbles, target(rest, gained, value));
            gained = gains;
            rest += gains;
        }
        let values = |learner: &Learner| {
            let boards = path.iter().map(|(board, _)| learner.value(board.nibbles));
            boards.collect()
        };
        (values(&one), values(&other))
    }

    #[test]
    fn games_are_taken_up_with_some_slides_at_random() {
        struct Restarted<'a>(&'a Learner, u64);
        impl WithShape for Restarted<'_> {
            type Output = Vec<Board>;
            fn with<const T: usize>(self, shape: impl Shape<T>) -> Vec<Board> {
                let game = Twenty48::new();
                let mut playing = Playing::new(&game, self.0, shape, 3, 4);
                let board = playing.slides.iter().find(|slide| slide.possible);
                let board = board.expect("a slide").board;
                let mut begin = || {
                    playing.restart(&game, self.0, shape, board, self.1);
                    assert_eq!(playing.path.len(), 1);
                    playing.path[0].0
                };
                let mut begun: Vec<Board> = (0..60).map(|_| begin()).collect();
                begun.retain(|&begun| begun != board);
                begun
            }
        }
        let learner = learner();
        let others = |random| learner.tuples().with_shape(Restarted(&learner, random));
        assert_eq!(others(1), []);
        assert!(
            (20..58).contains(&others(RANDOM_SLIDES).len()),
            "three in four, if possible"
        );
    }

    #[test]
    fn a_game_that_is_left_is_worth_what_the_network_thinks() {
        struct Lesson<'a>(&'a Learner, bool);
        impl WithShape for Lesson<'_> {
            type Output = (f32, f32);
            fn with<const T: usize>(self, shape: impl Shape<T>) -> (f32, f32) {
                let Lesson(learner, at_goal) = self;
                let game = Twenty48::new();
                let mut playing = Playing::new(&game, learner, shape, 3, 4);
                while playing.step(&game, learner, shape) {}
                let (last, _) = *playing.path.last().expect("a move");
                let before = learner.value(last.nibbles);
                // Only the last board is learnt.
                playing.path = vec![(last, 8.0)];
                playing.learn(
                    learner,
                    shape,
                    &Rules {
                        kept_stages: 0,
                        lambda: 0.5,
                    },
                    at_goal,
                );
                (before, learner.value(last.nibbles))
            }
        }
        let lesson = |at_goal| {
            let one = learner();
            one.tuples().with_shape(Lesson(&one, at_goal))
        };
        let (before, after) = lesson(true);
        assert_eq!(before, after);
        let (before, after) = lesson(false);
        assert!((0.0..before).contains(&after), "nothing follows");
    }

    #[test]
    fn a_board_is_worth_what_followed_or_what_was_thought_of_the_next() {
        let (thought, by_hand) = taught(0.0, |_, gained, value| gained + value);
        assert!(thought.len() > 50);
        assert_eq!(thought, by_hand);
        let (followed, by_hand) = taught(1.0, |rest, _, _| rest);
        assert_ne!(followed, thought);
        for (followed, by_hand) in followed.iter().zip(&by_hand) {
            assert!((followed - by_hand).abs() < 0.5, "{followed} {by_hand}");
        }
    }
}
