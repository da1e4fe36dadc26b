//! 2048: the best slide after every new tile, told at once, is what making the boards tells.

use std::ops::ControlFlow;

use plywood::evaluate::leaf_scores;
use plywood::{Chances, Engine, Evaluate, Game, Limits, Moves, Reply, Settings, Turn};
use plywood_games::twenty48::{
    Board, BoardOnly, EmptyCells, Position, Report, Smooth, Twenty48, WithScore,
};
use proptest::prelude::*;

/// An evaluation that never tells replies at once.
#[derive(Clone, Copy)]
struct OneByOne<E>(E);

impl<E: Evaluate<Twenty48>> Evaluate<Twenty48> for OneByOne<E> {
    fn evaluate(&self, game: &Twenty48, position: &Position) -> [i32; 1] {
        self.0.evaluate(game, position)
    }

    fn finished(&self, game: &Twenty48, position: &Position) -> [i32; 1] {
        self.0.finished(game, position)
    }

    fn key(&self, game: &Twenty48, position: &Position) -> u64 {
        self.0.key(game, position)
    }
}

/// The replies by their definition.
fn replies_by_hand<E: Evaluate<Twenty48>>(
    eval: &E,
    position: &Position,
) -> Vec<(f64, Reply<[i32; 1]>)> {
    let game = Twenty48::new();
    let (mut events, mut probabilities) = (Vec::new(), Vec::new());
    game.chances(position, &mut Chances::new(&mut events, &mut probabilities));
    let reply = |event| {
        let mut after = *position;
        game.play(&mut after, event);
        let mut slides = Vec::new();
        if game.turn(&after) == Turn::Over {
            let scores = eval.finished(&game, &after);
            return Reply { scores, moves: 0 };
        }
        game.moves(&after, &mut Moves::new(&mut slides));
        let values = slides.iter().map(|&slide| {
            let mut child = after;
            game.play(&mut child, slide);
            leaf_scores(eval, &game, &child)
        });
        Reply {
            scores: values.max().expect("a slide"),
            moves: slides.len() as u32,
        }
    };
    probabilities
        .into_iter()
        .zip(events.into_iter().map(reply))
        .collect()
}

/// Whether the replies are told at once; if so, they are right.
fn check_replies<E: Evaluate<Twenty48>>(eval: &E, position: &Position) -> bool {
    let game = Twenty48::new();
    let mut found = Vec::new();
    let told = eval.replies(&game, position, |probability, reply| {
        found.push((probability, reply));
        ControlFlow::Continue(())
    });
    if !told {
        assert_eq!(found, []);
        return false;
    }
    assert_eq!(found, replies_by_hand(eval, position), "{position:?}");
    let mut visited = 0;
    eval.replies(&game, position, |_, _| {
        visited += 1;
        if visited == 2 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    assert_eq!(visited, 2);
    true
}

/// Holds a search that is told replies at once to one that is not.
fn check_search<E: Evaluate<Twenty48> + Copy>(eval: E, position: &Position, depth: u32) {
    for (search, strategy, threads) in [
        ("expectimax:no-table", "seq", 1),
        ("expectimax", "seq", 1),
        ("expectimax:no-table", "budget:2", 2),
        ("expectimax:no-table", "every-node", 3),
    ] {
        let settings = Settings {
            table_bytes: 1 << 16,
            ..Settings::new(search)
                .unwrap()
                .parallel(strategy, threads)
                .unwrap()
        };
        let limits = Limits::depth(depth).with_all_moves();
        let game = Twenty48::new();
        let found = Engine::new(game, eval, settings.clone())
            .unwrap()
            .search(position, &limits);
        let expected = Engine::new(game, OneByOne(eval), settings)
            .unwrap()
            .search(position, &limits);
        let what = format!("{search} {strategy} to {depth} of {position:?}");
        let bits = |values: &[f64]| -> Vec<u64> { values.iter().map(|v| v.to_bits()).collect() };
        assert_eq!(bits(&found.values), bits(&expected.values), "{what}");
        assert_eq!(found.root, expected.root, "{what}");
        assert_eq!(found.line, expected.line, "{what}");
        assert_eq!(found.nodes, expected.nodes, "{what}");
    }
}

/// Boards with tiles up to this exponent, this many cells in sixteen empty on average.
fn boards(largest: u8, empty: u32) -> impl Strategy<Value = Board> {
    let cell = prop_oneof![
        empty => Just(0u8),
        16 - empty => 1..=largest,
    ];
    prop::array::uniform16(cell)
        .prop_map(|exponents| Board::from_exponents(exponents).expect("small exponents"))
}

/// Boards of all kinds: roomy and crowded, with pairs and without, with tiles that reach the
/// report's goal, that do not fit into a nibble, or are about to make one.
fn all_boards() -> impl Strategy<Value = Board> {
    prop_oneof![
        boards(2, 8),
        boards(4, 12),
        boards(6, 2),
        boards(6, 1),
        boards(12, 4),
        boards(15, 4),
        boards(17, 4),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn replies_are_those_of_the_boards(board in all_boards(), score in 0u32..1_000_000) {
        let Some(position) = Position::tile_to_come(board, score) else {
            return Ok(());
        };
        let small = board.exponents().iter().all(|&exponent| exponent < 15);
        for told in [
            check_replies(&BoardOnly(Report::new()), &position),
            check_replies(&WithScore(Report::new()), &position),
            check_replies(&BoardOnly(Smooth::new()), &position),
            check_replies(&WithScore(Smooth::new()), &position),
        ] {
            // Where there is no tile, one more follows; where all are small, nothing is in the way.
            if small {
                prop_assert_eq!(told, !board.is_empty());
            }
        }
        prop_assert!(!check_replies(&BoardOnly(EmptyCells), &position));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn a_search_finds_the_same(board in all_boards(), depth in 1u32..=3, chance: bool) {
        let position = match Position::tile_to_come(board, 100) {
            Some(position) if chance => position,
            _ => Position::player_to_slide(board, 100).expect("a small score"),
        };
        // A roomy board has too many positions three slides on.
        let depth = if board.count_empty() > 8 { depth.min(2) } else { depth };
        check_search(BoardOnly(Report::new()), &position, depth);
        check_search(WithScore(Smooth::new()), &position, depth);
    }

    #[test]
    fn a_deep_search_of_a_crowded_board_finds_the_same(board in boards(5, 1)) {
        let position = Position::player_to_slide(board, 100).expect("a small score");
        if board.count_empty() <= 2 {
            check_search(WithScore(Report::new()), &position, 4);
            check_search(BoardOnly(Smooth::new()), &position, 4);
        }
    }
}
