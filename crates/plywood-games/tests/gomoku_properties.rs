//! Gomoku along random games and on random boards, compared with a naive second version.

mod gomoku_reference;

use std::ops::ControlFlow;

use gomoku_reference::Grid;
use plywood::evaluate::leaf_scores;
use plywood::{Evaluate, Game, MAX_SCORE, Moves, Turn, perft};
use plywood_games::gomoku::{
    Candidates, Colour, Gomoku, Point, Position, Report, Rule, Settings, Threats,
};
use plywood_games::{Notation, Style};
use proptest::prelude::*;

fn rules() -> impl Strategy<Value = Rule> {
    prop_oneof![
        Just(Rule::Freestyle),
        Just(Rule::ExactlyFive),
        Just(Rule::Renju)
    ]
}

fn games() -> impl Strategy<Value = Gomoku> {
    let candidates = prop_oneof![
        (1..4u8).prop_map(Candidates::Near),
        (1..=255u8).prop_map(Candidates::Near),
        Just(Candidates::WholeBoard)
    ];
    (
        5..=20u8,
        rules(),
        candidates,
        prop::option::weighted(0.2, 1..=20u8),
    )
        .prop_map(|(size, rule, candidates, corner)| {
            Gomoku::new(Settings {
                size,
                rule,
                candidates,
                corner: corner.map(|corner| corner.min(size)),
            })
            .expect("valid settings")
        })
}

/// Choices of moves: small numbers take the most promising, so that threats and fives come up.
fn choices(longest: usize) -> impl Strategy<Value = Vec<u16>> {
    prop::collection::vec(prop_oneof![0..3u16, any::<u16>()], 0..longest)
}

fn moves_of(game: &Gomoku, state: &Position) -> Vec<Point> {
    let mut list = Vec::new();
    game.moves(state, &mut Moves::new(&mut list));
    list
}

fn chosen(game: &Gomoku, state: &Position, choice: u16) -> Point {
    let mut list = moves_of(game, state);
    if choice < 3 {
        list.sort_by_key(|&point| -game.priority(state, point));
    }
    list[usize::from(choice) % list.len()]
}

/// Everything that can be said about a position, compared with the naive version.
fn check(game: &Gomoku, state: &mut Position) {
    let grid = Grid::of(game, state);
    let to_move = state.to_move();
    let winner = [Colour::Black, Colour::White]
        .into_iter()
        .find(|&colour| grid.has_won(colour));
    assert_eq!(state.winner(), winner);
    assert_eq!(game.turn(state) == Turn::Over, grid.is_over(to_move));
    let score = if game.turn(state) == Turn::Over {
        let outcome = match winner {
            Some(Colour::Black) => [1, -1],
            Some(Colour::White) => [-1, 1],
            None => [0, 0],
        };
        assert_eq!(game.outcome(state), outcome);
        Report.finished(game, state)
    } else {
        let found: Vec<_> = moves_of(game, state)
            .iter()
            .map(|point| (i32::from(point.column()), i32::from(point.row())))
            .collect();
        assert_eq!(found, grid.moves(to_move));
        assert_eq!(game.count_moves(state, &mut Vec::new()), found.len());
        assert_eq!(Report.evaluate(game, state)[0], grid.report());
        check_children(game, state, &Report);
        check_children(game, state, &Threats);
        Report.evaluate(game, state)
    };
    assert_eq!(score[0], -score[1]);
    assert!(score[0].abs() <= MAX_SCORE);
    // The text gives back everything, also what was kept up to date move by move.
    let text = game.write_state(state);
    assert_eq!(&game.read_state(&text).expect("what was written"), state);
    assert!(!text.contains('\n'));
    assert!(!game.draw(state, Style::Plain).contains('\x1b'));
}

/// The children that an evaluation scores in one go are those that playing gives.
fn check_children<E: Evaluate<Gomoku>>(game: &Gomoku, state: &mut Position, eval: &E) {
    let before = state.clone();
    let mut found = Vec::new();
    eval.children(game, state, &mut Vec::new(), |point, scores| {
        found.push((point, scores));
        ControlFlow::Continue(())
    });
    assert_eq!(state, &before);
    let mut expected = Vec::new();
    for point in moves_of(game, state) {
        let undo = game.play(state, point);
        expected.push((point, leaf_scores(eval, game, state)));
        game.undo(state, point, undo);
    }
    assert_eq!(found, expected);
    let mut visited = 0;
    eval.children(game, state, &mut Vec::new(), |_, _| {
        visited += 1;
        if visited == 2 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    assert_eq!(visited, expected.len().min(2));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_game_agrees_with_the_reference_and_can_be_taken_back(
        game in games(),
        choices in choices(60),
    ) {
        let mut state = game.start();
        let mut history = Vec::new();
        check(&game, &mut state);
        for choice in choices {
            if game.turn(&state) == Turn::Over {
                break;
            }
            let point = chosen(&game, &state, choice);
            let text = game.write_move(&state, point);
            prop_assert_eq!(game.read_move(&state, &text), Ok(point));
            let before = state.clone();
            let undo = game.play(&mut state, point);
            prop_assert_ne!(game.hash(&state), game.hash(&before));
            history.push((before, point, undo));
            check(&game, &mut state);
        }
        let list: Vec<_> = history.iter().map(|(_, point, _)| point.to_string()).collect();
        if !list.is_empty() {
            prop_assert_eq!(&game.read_state(&list.join(" ")).expect("legal moves"), &state);
        }
        while let Some((before, point, undo)) = history.pop() {
            game.undo(&mut state, point, undo);
            prop_assert_eq!(&state, &before);
        }
    }

    #[test]
    fn any_board_agrees_with_the_reference(
        game in games(),
        stones in (4..30u8).prop_flat_map(|scarce| prop::collection::vec(0..scarce, 400)),
        black_to_move: bool,
    ) {
        let size = game.settings().size;
        let (mut black, mut white) = (Vec::new(), Vec::new());
        for (index, stone) in stones.iter().enumerate() {
            let point = Point::new((index % 20) as u8, (index / 20) as u8);
            if point.column() < size && point.row() < size {
                match stone {
                    0 | 1 => black.push(point),
                    2 => white.push(point),
                    _ => {}
                }
            }
        }
        let to_move = if black_to_move { Colour::Black } else { Colour::White };
        if let Ok(mut state) = game.set_up(&black, &white, to_move) {
            check(&game, &mut state);
        }
    }

    /// Renju on boards with many black stones, where forbidden points abound.
    #[test]
    fn forbidden_points_agree_with_the_reference(
        stones in prop::collection::vec(0..9u8, 225),
        size in 7..=15u8,
    ) {
        let game = Gomoku::new(Settings { size, rule: Rule::Renju, ..Settings::default() })
            .expect("valid settings");
        let mut grid = Grid::empty(game.settings());
        let (mut black, mut white) = (Vec::new(), Vec::new());
        for (index, stone) in stones.iter().enumerate() {
            let point = Point::new((index % 15) as u8, (index / 15) as u8);
            let (x, y) = (i32::from(point.column()), i32::from(point.row()));
            if x < i32::from(size) && y < i32::from(size) {
                match stone {
                    0 | 1 => { black.push(point); grid.put(x, y, Some(Colour::Black)); }
                    2 => { white.push(point); grid.put(x, y, Some(Colour::White)); }
                    _ => {}
                }
            }
        }
        if let Ok(state) = game.set_up(&black, &white, Colour::Black) {
            for (x, y) in (0..i32::from(size)).flat_map(|y| (0..i32::from(size)).map(move |x| (x, y))) {
                let point = Point::new(x as u8, y as u8);
                if state.stone(point).is_none() {
                    let forbidden = game.forbidden(&state, point).is_some();
                    prop_assert_eq!(forbidden, grid.forbidden(x, y), "{}", point);
                }
            }
        }
    }

    #[test]
    fn positions_reached_in_another_order_hash_alike(game in games(), choices in choices(12)) {
        let mut state = game.start();
        let mut played = [Vec::new(), Vec::new()];
        for (ply, choice) in choices.into_iter().enumerate() {
            if game.turn(&state) == Turn::Over {
                break;
            }
            let point = chosen(&game, &state, choice);
            played[ply % 2].push(point);
            game.play(&mut state, point);
        }
        played[0].reverse();
        let [black, white] = &played;
        let other = game.set_up(black, white, state.to_move()).expect("stones of a game");
        prop_assert_eq!(game.hash(&other), game.hash(&state));
        let turned = game.set_up(black, white, state.to_move().other()).expect("stones of a game");
        prop_assert_ne!(game.hash(&turned), game.hash(&state));
    }

    #[test]
    fn a_null_move_passes_the_turn_and_can_be_taken_back(game in games(), choices in choices(30)) {
        let mut state = game.start();
        for choice in choices {
            if game.turn(&state) == Turn::Over {
                return Ok(());
            }
            let before = state.clone();
            if let Some(undo) = game.play_null(&mut state) {
                prop_assert_eq!(state.to_move(), before.to_move().other());
                check(&game, &mut state);
                game.undo_null(&mut state, undo);
            }
            prop_assert_eq!(&state, &before);
            let point = chosen(&game, &state, choice);
            game.play(&mut state, point);
        }
    }

    #[test]
    fn perft_agrees_with_the_reference(
        size in 5..=7u8,
        rule in rules(),
        distance in 1..=2u8,
        choices in choices(30),
    ) {
        let candidates = Candidates::Near(distance);
        let game = Gomoku::new(Settings { size, rule, candidates, corner: None })
            .expect("valid settings");
        let mut state = game.start();
        for choice in choices {
            if game.turn(&state) == Turn::Over {
                break;
            }
            let point = chosen(&game, &state, choice);
            game.play(&mut state, point);
        }
        let mut grid = Grid::of(&game, &state);
        for depth in 1..=2 {
            prop_assert_eq!(perft(&game, &state, depth), grid.perft(state.to_move(), depth));
        }
    }

    #[test]
    fn reading_never_panics(game in games(), text in ".*", words in "[xoXO0-9/bwA-Ta-t ]{0,60}") {
        for text in [text, words] {
            for error in [
                game.read_state(&text).err(),
                game.read_move(&game.start(), &text).err(),
            ].into_iter().flatten() {
                let message = error.to_string();
                prop_assert!(!message.is_empty() && !message.contains('\n'), "{:?}", message);
            }
        }
    }
}
