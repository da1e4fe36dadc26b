//! 2048 against independently computed slides, evaluations and search values.

use plywood::evaluate::leaf_scores;
use plywood::{Chances, Evaluate, Game, Moves, Turn};
use plywood_games::Notation;
use plywood_games::twenty48::{
    BoardOnly, Direction, EmptyCells, Heuristic, Move, Position, RandomSpawner, Report, Smooth,
    Twenty48, WithScore, Zero,
};

fn lines(data: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    data.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split(' ').collect())
}

fn position(text: &str) -> Position {
    Twenty48::new().read_state(text).expect("a board")
}

#[test]
fn slides() {
    let game = Twenty48::new();
    let mut checked = 0;
    for line in lines(include_str!("data/twenty48_slides.txt")) {
        let before = position(line[0]);
        let after = position(line[2]).board();
        let gained: u32 = line[3].parse().expect("a score");
        let direction = Direction::ALL
            .into_iter()
            .find(|direction| direction.name() == line[1])
            .expect("a direction");
        assert_eq!(
            game.slide(before.board(), direction),
            (after, gained),
            "{line:?}"
        );
        let legal = before.board() != after;
        assert_eq!(
            before.board().legal_slides().contains(direction),
            legal,
            "{line:?}"
        );
        let read = game.read_move(&before, line[1]);
        assert_eq!(read.is_ok(), legal, "{line:?}");
        checked += 1;
    }
    assert_eq!(checked, 250);
}

#[test]
fn the_reports_evaluation() {
    for line in lines(include_str!("data/twenty48_report.txt")) {
        let value: i32 = line[1].parse().expect("a value");
        assert_eq!(
            Report::new().value(position(line[0]).board()),
            value,
            "{line:?}"
        );
    }
}

/// What chance does between two slides.
#[derive(Clone, Copy)]
enum Spawns {
    Expected,
    Worst,
}

struct Reference<E> {
    game: Twenty48,
    eval: E,
    spawns: Spawns,
}

impl<E: Evaluate<Twenty48>> Reference<E> {
    /// The values of all legal slides, `slides` of them deep.
    fn slides(&self, position: &mut Position, slides: u32) -> Vec<(Direction, f64)> {
        let mut list = Vec::new();
        self.game.moves(position, &mut Moves::new(&mut list));
        list.into_iter()
            .map(|mv| {
                let Move::Slide(direction) = mv else {
                    panic!("the player slides");
                };
                let undo = self.game.play(position, mv);
                let value = if slides == 1 {
                    f64::from(leaf_scores(&self.eval, &self.game, position)[0])
                } else {
                    self.spawns(position, slides - 1)
                };
                self.game.undo(position, mv, undo);
                (direction, value)
            })
            .collect()
    }

    fn spawns(&self, position: &mut Position, slides: u32) -> f64 {
        let (mut events, mut probabilities) = (Vec::new(), Vec::new());
        let mut chances = Chances::new(&mut events, &mut probabilities);
        self.game.chances(position, &mut chances);
        let values = events.iter().map(|&event| {
            let undo = self.game.play(position, event);
            let value = match self.game.turn(position) {
                Turn::Over => f64::from(self.eval.finished(&self.game, position)[0]),
                _ => self
                    .slides(position, slides)
                    .into_iter()
                    .map(|(_, value)| value)
                    .fold(f64::NEG_INFINITY, f64::max),
            };
            self.game.undo(position, event, undo);
            value
        });
        match self.spawns {
            Spawns::Expected => values.zip(&probabilities).map(|(value, p)| value * p).sum(),
            Spawns::Worst => values.fold(f64::INFINITY, f64::min),
        }
    }
}

fn slide_values(
    spawns: Spawns,
    eval: &str,
    score: &str,
    board: &str,
    slides: u32,
) -> Vec<(Direction, f64)> {
    fn run(
        spawns: Spawns,
        eval: impl Evaluate<Twenty48>,
        board: &str,
        slides: u32,
    ) -> Vec<(Direction, f64)> {
        let game = Twenty48::new();
        let reference = Reference { game, eval, spawns };
        let mut start = position(board);
        match game.turn(&start) {
            Turn::Player(_) => reference.slides(&mut start, slides),
            _ => Vec::new(),
        }
    }
    match (eval, score) {
        ("report", "board") => run(spawns, BoardOnly(Report::new()), board, slides),
        ("empty", "board") => run(spawns, BoardOnly(EmptyCells), board, slides),
        ("zero", "score") => run(spawns, WithScore(Zero), board, slides),
        _ => panic!("unknown evaluation {eval} {score}"),
    }
}

fn check_values(data: &'static str, spawns: Spawns) -> usize {
    let mut board = "";
    let mut checked = 0;
    for line in lines(data) {
        let &[eval, score, slides, ref expected @ ..] = line.as_slice() else {
            board = line[0];
            continue;
        };
        let slides = slides.parse().expect("a depth");
        let values = slide_values(spawns, eval, score, board, slides);
        assert_eq!(expected.len(), 4, "{line:?}");
        for (direction, &expected) in Direction::ALL.into_iter().zip(expected) {
            let found = values.iter().find(|found| found.0 == direction);
            let Ok(expected) = expected.parse::<f64>() else {
                assert_eq!(found, None, "{board} {line:?}");
                continue;
            };
            let found = found.expect("a legal slide").1;
            let error = (found - expected).abs() / expected.abs().max(1.0);
            assert!(error < 1e-9, "{board} {line:?} {direction:?}: {found}");
        }
        checked += 1;
    }
    checked
}

#[test]
fn expected_values() {
    let data = include_str!("data/twenty48_expectimax.txt");
    assert_eq!(check_values(data, Spawns::Expected), 270);
}

#[test]
fn worst_case_values() {
    let data = include_str!("data/twenty48_minimax.txt");
    assert_eq!(check_values(data, Spawns::Worst), 180);
}

/// Scores of games played by the best value before the new tile.
fn greedy_scores(heuristic: impl Heuristic, games: u64) -> u64 {
    let game = Twenty48::new();
    (0..games)
        .map(|seed| {
            let mut spawner = RandomSpawner::new(seed);
            let mut position = game.new_game(&mut spawner);
            while game.turn(&position) != Turn::Over {
                let board = position.board();
                let best = Direction::ALL
                    .into_iter()
                    .filter(|&direction| board.legal_slides().contains(direction))
                    .max_by_key(|&direction| heuristic.value(game.slide(board, direction).0))
                    .expect("a legal slide");
                game.play(&mut position, Move::Slide(best));
                let spawn = spawner.spawn(&position).expect("room after a slide");
                game.play(&mut position, spawn);
            }
            u64::from(position.score())
        })
        .sum()
}

#[test]
fn our_evaluation_is_clearly_stronger_than_the_reports() {
    let report = greedy_scores(Report::new(), 100);
    let smooth = greedy_scores(Smooth::new(), 100);
    assert!(smooth > 2 * report, "{smooth} against {report}");
}

#[test]
fn being_stuck_costs() {
    let game = Twenty48::new();
    let stuck = position("2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,2 score=10");
    assert_eq!(game.turn(&stuck), Turn::Over);
    for (finished, value) in [
        (
            BoardOnly(Smooth::new()).finished(&game, &stuck)[0],
            Smooth::new().value(stuck.board()),
        ),
        (
            WithScore(Smooth::new()).finished(&game, &stuck)[0],
            Smooth::new().value(stuck.board()) + 10,
        ),
    ] {
        assert!(finished < value - 1000, "{finished} {value}");
    }
    // The report's evaluation has no word for it.
    let report = Report::new().value(stuck.board());
    assert_eq!(BoardOnly(Report::new()).finished(&game, &stuck), [report]);
    assert_eq!(
        WithScore(Report::new()).finished(&game, &stuck),
        [report + 10]
    );
}
