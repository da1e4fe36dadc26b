//! The last two plies of expectimax at once: an evaluation that offers them finds what the same
//! evaluation finds event by event, and as many nodes are counted.

mod common;

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use common::*;
use plywood::evaluate::leaf_scores;
use plywood::{Chances, Engine, Evaluate, Game, Limits, Moves, Reply, Settings, Turn};
use proptest::prelude::*;

/// [`Drawn`], which tells the replies to all events of a position at once.
#[derive(Default)]
struct AtOnce {
    /// In how many positions it did.
    told: AtomicU64,
}

const DRAWN: Drawn = Drawn { bounded: false };

impl<const N: usize> Evaluate<RandomGame<N, true>> for AtOnce {
    fn evaluate(&self, game: &RandomGame<N, true>, node: &Node) -> [i32; N] {
        DRAWN.evaluate(game, node)
    }

    fn replies(
        &self,
        game: &RandomGame<N, true>,
        node: &Node,
        mut visit: impl FnMut(f64, Reply<[i32; N]>) -> ControlFlow<()>,
    ) -> bool {
        let (mut events, mut probabilities) = (Vec::new(), Vec::new());
        game.chances(node, &mut Chances::new(&mut events, &mut probabilities));
        let after = events.iter().map(|&event| {
            let mut after = *node;
            game.play(&mut after, event);
            after
        });
        if after.clone().any(|after| game.turn(&after) == Turn::Chance) {
            return false;
        }
        self.told.fetch_add(1, Ordering::Relaxed);
        for (after, probability) in after.zip(probabilities) {
            let reply = match game.turn(&after) {
                Turn::Player(seat) => {
                    let mut moves = Vec::new();
                    game.moves(&after, &mut Moves::new(&mut moves));
                    let scores = moves.iter().map(|&mv| {
                        let mut child = after;
                        game.play(&mut child, mv);
                        leaf_scores(self, game, &child)
                    });
                    Reply {
                        scores: scores
                            .max_by_key(|scores| scores[seat.index()])
                            .expect("a move"),
                        moves: moves.len() as u32,
                    }
                }
                _ => Reply {
                    scores: game.outcome(&after),
                    moves: 0,
                },
            };
            if visit(probability, reply).is_break() {
                break;
            }
        }
        true
    }
}

/// How a search is run: its name, its strategy and threads, and where it ends.
struct How<'a> {
    search: &'a str,
    strategy: (&'a str, usize),
    after_chance: bool,
    limits: Limits,
}

/// Searches with and without replies at once; in how many positions they were told.
fn compare<const N: usize>(game: RandomGame<N, true>, how: &How<'_>) -> u64 {
    let (strategy, threads) = how.strategy;
    let settings = Settings {
        table_bytes: 1 << 14,
        after_chance: how.after_chance,
        ..Settings::new(how.search)
            .unwrap()
            .parallel(strategy, threads)
            .unwrap()
    };
    let mut at_once = Engine::new(game, AtOnce::default(), settings.clone()).unwrap();
    let mut one_by_one = Engine::new(game, DRAWN, settings).unwrap();
    let found = at_once.search(&game.start(), &how.limits);
    let expected = one_by_one.search(&game.start(), &how.limits);
    let what = format!("{} {strategy} x{threads} of {game:?}", how.search);
    assert_eq!(found.values, expected.values, "{what}");
    assert_eq!(found.best, expected.best, "{what}");
    assert_eq!(found.root, expected.root, "{what}");
    assert_eq!(found.depth, expected.depth, "{what}");
    assert_eq!(found.stopped, expected.stopped, "{what}");
    // What a table knows in time depends on who was first.
    if threads == 1 || how.search.contains("no-table") {
        assert_eq!(found.line, expected.line, "{what}");
        assert_eq!(found.nodes, expected.nodes, "{what}");
    }
    at_once.evaluation().told.load(Ordering::Relaxed)
}

const STRATEGIES: [(&str, usize); 5] = [
    ("seq", 1),
    ("every-node", 3),
    ("budget:2", 2),
    ("budget:3,spawn=rest", 2),
    ("root", 2),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn at_once_is_one_by_one(
        seed: u64, width in 1u64..6, positions in 3u64..400, spread in 1u64..40,
        depth in 1u32..5, after_chance: bool, all_moves: bool,
    ) {
        // A unit of depth that counts probability is up to three moves, and without chance none is
        // unlikely.
        let searches = [
            ("expectimax", depth), ("expectimax:no-table", depth), ("expectimax:cut=0.05", depth),
            ("expectimax:likely=0.2", depth.div_ceil(2)), ("minimax", depth),
        ];
        for (search, depth) in searches {
            for strategy in STRATEGIES {
                let limits = Limits::depth(depth);
                let limits = if all_moves { limits.with_all_moves() } else { limits };
                let how = How { search, strategy, after_chance, limits };
                compare::<1>(RandomGame { seed, width, positions, spread }, &how);
                compare::<2>(RandomGame { seed, width, positions, spread }, &how);
            }
        }
    }

    #[test]
    fn a_number_of_nodes_ends_both_at_the_same_node(
        seed: u64, positions in 100u64..400, nodes in 1u64..20_000,
    ) {
        let game: RandomGame<1, true> = RandomGame { seed, width: 6, positions, spread: 30 };
        let limits = Limits { nodes: Some(nodes), ..Limits::depth(6) };
        let how = How {
            search: "expectimax:no-table",
            strategy: ("seq", 1),
            after_chance: false,
            limits,
        };
        compare(game, &how);
    }
}

#[test]
fn replies_are_asked_for_only_where_they_are_all_that_counts() {
    let told = |search, after_chance| -> u64 {
        (0..20)
            .map(|seed| {
                let game: RandomGame<1, true> = RandomGame {
                    seed,
                    width: 4,
                    positions: 100,
                    spread: 30,
                };
                let how = How {
                    search,
                    strategy: ("seq", 1),
                    after_chance,
                    limits: Limits::depth(3),
                };
                compare(game, &how)
            })
            .sum()
    };
    assert!(told("expectimax", false) > 0);
    assert!(told("expectimax:no-table", false) > 0);
    assert_eq!(told("expectimax:no-table", true), 0);
    assert!(told("expectimax:cut=0.01,no-table", false) > 0);
    // With depth left, where every event is too unlikely to be followed.
    assert!(told("expectimax:cut=0.9,no-table", false) > 0);
    assert_eq!(told("minimax", false), 0);
}
