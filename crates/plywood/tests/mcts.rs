//! Monte-Carlo tree search: what it proves is true, what it chooses becomes the best, and it
//! keeps to its limits.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use common::*;
use plywood::playout::{Lists, Played, UniformPlayouts};
use plywood::search::mcts::{Mcts, Select};
use plywood::search::{MctsOptions, Search};
use plywood::{
    Certainty, Engine, Evaluate, Game, Limits, Moves, OutcomeOnly, Playout, Random, Report, Seat,
    Settings, Turn,
};
use proptest::prelude::*;

/// Deeper than any of the small games below.
const TO_THE_END: u32 = 60;

/// A random game that is over after some plies, so that it can be searched to its end.
#[derive(Clone, Copy, Debug)]
struct Short<const N: usize, const CHANCE: bool> {
    inner: RandomGame<N, CHANCE>,
    plies: u64,
}

impl<const N: usize, const CHANCE: bool> Game for Short<N, CHANCE> {
    type State = Node;
    type Move = u8;
    type Undo = Node;
    type Scores = [i32; N];
    const CHANCE: bool = CHANCE;
    const HASHED: bool = true;

    fn turn(&self, node: &Node) -> Turn {
        if node.ply >= self.plies {
            Turn::Over
        } else {
            self.inner.turn(node)
        }
    }

    fn moves(&self, node: &Node, list: &mut Moves<'_, u8>) {
        self.inner.moves(node, list);
    }

    fn chances(&self, node: &Node, list: &mut plywood::Chances<'_, u8>) {
        self.inner.chances(node, list);
    }

    fn play(&self, node: &mut Node, mv: u8) -> Node {
        self.inner.play(node, mv)
    }

    fn undo(&self, node: &mut Node, mv: u8, undo: Node) {
        self.inner.undo(node, mv, undo);
    }

    fn outcome(&self, node: &Node) -> [i32; N] {
        self.inner.outcome(node)
    }

    fn hash(&self, node: &Node) -> u64 {
        self.inner.hash(node)
    }

    fn move_id(&self, mv: u8) -> u16 {
        self.inner.move_id(mv)
    }
}

/// The final score, with the least and the largest there can be.
#[derive(Clone, Copy)]
struct Ranged;

impl<const N: usize, const CHANCE: bool> Evaluate<Short<N, CHANCE>> for Ranged {
    fn evaluate(&self, game: &Short<N, CHANCE>, node: &Node) -> [i32; N] {
        game.outcome(node)
    }

    fn range(&self, game: &Short<N, CHANCE>) -> Option<(i32, i32)> {
        let most = game.inner.spread as i32;
        Some((if N <= 2 { -most } else { 0 }, most))
    }
}

fn short<const N: usize, const CHANCE: bool>(
    seed: u64,
    width: u64,
    plies: u64,
    spread: u64,
) -> Short<N, CHANCE> {
    Short {
        inner: RandomGame {
            seed,
            width,
            positions: 30,
            spread,
        },
        plies,
    }
}

fn engine<G: Game, E: Evaluate<G>>(
    game: G,
    eval: E,
    search: &str,
    strategy: &str,
    threads: usize,
) -> Engine<G, E> {
    let settings = Settings {
        table_bytes: 4 << 20,
        ..Settings::new(search)
            .unwrap()
            .parallel(strategy, threads)
            .unwrap()
    };
    Engine::new(game, eval, settings).unwrap()
}

const HOW: [(&str, usize); 4] = [
    ("seq", 1),
    ("shared-tree", 3),
    ("own-trees", 2),
    ("shared-tree", 1),
];

const OPTIONS: [&str; 7] = [
    "mcts",
    "mcts:select=puct,c=2",
    "mcts:widen=1",
    "mcts:rave=50",
    "mcts:history=0.5,select=puct",
    "mcts:expand=3,select=puct",
    "mcts:cut=2",
];

/// Checks what a search has proven against the definition; whether it has proven anything.
fn hold_proof(report: &Report<u8>, exact: &[f64], what: &str) -> bool {
    if report.certainty != Certainty::Exact {
        return false;
    }
    assert_eq!(report.values.len(), exact.len(), "{what}");
    for (value, exact) in report.values.iter().zip(exact) {
        assert!((value - exact).abs() < 1e-9, "{what}: {report:?} {exact}");
    }
    true
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn proven_values_of_two_players_are_those_of_minimax(seed: u64, spread in 1u64..5) {
        let game = short::<2, false>(seed, 4, 5, spread);
        let start = game.inner.start();
        let view = Seat::FIRST;
        let plain = plain_minimax(&game, &OutcomeOnly, &start, TO_THE_END, false, view);
        let exact = [f64::from(plain.value), -f64::from(plain.value)];
        for (options, how) in OPTIONS.iter().zip(HOW.iter().cycle()) {
            for backup in ["", "backup=paranoid"] {
                let join = if options.contains(':') { "," } else { ":" };
                let search = match backup {
                    "" => (*options).to_owned(),
                    backup => format!("{options}{join}{backup}"),
                };
                let what = format!("{search} {how:?} seed {seed}");
                let limits = Limits::nodes(40_000).with_all_moves();
                let report = engine(game, OutcomeOnly, &search, how.0, how.1).search(&start, &limits);
                prop_assert!(hold_proof(&report, &exact, &what), "{what}: not proven {report:?}");
                for (root, plain) in report.root.iter().zip(&plain.root) {
                    if root.certainty == Certainty::Exact {
                        let own = if root_seat(&game, &start) == view { *plain } else { -*plain };
                        prop_assert_eq!(root.value, f64::from(own), "{}", what);
                    }
                }
                let report = engine(game, Ranged, &search, how.0, how.1).search(&start, &limits);
                prop_assert!(hold_proof(&report, &exact, &what), "{what}: not proven with range");
            }
        }
    }

    #[test]
    fn proven_values_of_three_players_are_those_of_maxn_and_paranoid(seed: u64, spread in 1u64..5) {
        let game = short::<3, false>(seed, 3, 5, spread);
        let start = game.inner.start();
        let plain = plain_maxn(&game, &OutcomeOnly, &start, TO_THE_END);
        let exact: Vec<f64> = plain.value.iter().map(|&value| f64::from(value)).collect();
        let view = root_seat(&game, &start);
        let paranoid = plain_minimax(&game, &OutcomeOnly, &start, TO_THE_END, false, view);
        for (options, how) in OPTIONS.iter().zip(HOW.iter().cycle()) {
            let what = format!("{options} {how:?} seed {seed}");
            for ranged in [false, true] {
                let limits = Limits::nodes(60_000);
                let report = if ranged {
                    engine(game, Ranged, options, how.0, how.1).search(&start, &limits)
                } else {
                    engine(game, OutcomeOnly, options, how.0, how.1).search(&start, &limits)
                };
                prop_assert!(hold_proof(&report, &exact, &what), "{what}: not proven");
                prop_assert_eq!(report.best, plain.line.first().copied(), "{}", what);
                prop_assert_eq!(&report.line, &plain.line, "{}", what);
            }
        }
        let mut against = engine(game, OutcomeOnly, "mcts:backup=paranoid", "seq", 1);
        let report = against.search(&start, &Limits::nodes(60_000));
        prop_assert_eq!(report.certainty, Certainty::Exact);
        prop_assert_eq!(report.values[view.index()], f64::from(paranoid.value));
        prop_assert_eq!(report.best, paranoid.line.first().copied());
    }

    #[test]
    fn proven_values_with_chance_are_expectations(seed: u64, spread in 1u64..20) {
        let game = short::<1, true>(seed, 3, 5, spread);
        let start = game.inner.start();
        let plain = plain_expectimax(&game, &OutcomeOnly, &start, TO_THE_END, false, Seat::FIRST);
        for (options, how) in OPTIONS.iter().zip(HOW.iter().cycle()) {
            let what = format!("{options} {how:?} seed {seed}");
            let report = engine(game, OutcomeOnly, options, how.0, how.1)
                .search(&start, &Limits::nodes(60_000));
            prop_assert!(hold_proof(&report, &[plain.value], &what), "{what}: not proven");
        }
    }

    #[test]
    fn without_proofs_the_best_move_gets_the_most_visits(seed: u64) {
        let game = short::<2, false>(seed, 3, 3, 1);
        let start = game.inner.start();
        let plain = plain_minimax(&game, &OutcomeOnly, &start, TO_THE_END, false, Seat::FIRST);
        let own = |value: i32| if root_seat(&game, &start) == Seat::FIRST { value } else { -value };
        // History with PUCT: tuned UCB1 comes back to a move so rarely where nothing varies that
        // one which history speaks against may take 300,000 playouts.
        for options in ["mcts:no-solver,c=2", "mcts:no-solver,select=puct,c=2", "mcts:no-solver,c=2,rave=2", "mcts:no-solver,select=puct,c=2,history=1"] {
            let mut engine = engine(game, OutcomeOnly, options, "seq", 1);
            let report = engine.search(&start, &Limits::nodes(30_000));
            prop_assert_eq!(report.certainty, Certainty::Estimate);
            let chosen = plain.root[usize::from(report.best.unwrap())];
            prop_assert_eq!(own(chosen), own(plain.value), "{} seed {}", options, seed);
            let value = report.values[0];
            prop_assert!((value - f64::from(plain.value)).abs() < 0.5, "{options} {value} {plain:?}");
        }
    }
}

/// Uniform playouts that like the first moves at first sight, and at a second the last.
struct Twice<E> {
    eval: E,
    second_look: u32,
}

impl<G: Game, E: Evaluate<G>> Playout<G> for Twice<E> {
    type Scratch = Lists<G::Move>;

    fn play_out(
        &self,
        game: &G,
        state: &mut G::State,
        random: &mut Random,
        lists: &mut Lists<G::Move>,
        played: &mut Played<G::Move>,
        reward: &mut [i32],
    ) {
        let uniform = UniformPlayouts::new(&self.eval, Some(2));
        uniform.play_out(game, state, random, lists, played, reward);
    }

    fn finished(&self, game: &G, state: &G::State, reward: &mut [i32]) {
        UniformPlayouts::new(&self.eval, None).finished(game, state, reward);
    }

    fn range(&self, game: &G) -> Option<(i32, i32)> {
        self.eval.range(game)
    }

    fn weigh(&self, _: &G, _: &G::State, moves: &[G::Move], weights: &mut Vec<f32>) {
        weights.extend((0..moves.len()).map(|place| 1.0 / (1.0 + place as f32)));
    }

    fn second_look(&self) -> Option<u32> {
        Some(self.second_look)
    }

    fn weigh_again(
        &self,
        _: &G,
        _: &G::State,
        moves: &[G::Move],
        _: &mut Lists<G::Move>,
        weights: &mut Vec<f32>,
    ) {
        weights.extend((0..moves.len()).map(|place| 1.0 + place as f32));
    }
}

fn twice<G: Game, E: Evaluate<G>>(
    (game, eval): (G, E),
    second_look: u32,
    widen: u32,
    threads: usize,
) -> Mcts<G, Twice<E>> {
    let options = MctsOptions {
        select: Select::Puct,
        exploration: 2.0,
        widen,
        ..MctsOptions::default()
    };
    let playout = Twice { eval, second_look };
    Mcts::new(game, playout, options, threads, 4 << 20).unwrap()
}

proptest! {
    #[test]
    fn a_second_look_changes_nothing_that_is_proven(
        seed: u64,
        second_look in 1u32..40,
        widen in 0u32..4,
        threads in 1usize..4,
    ) {
        let game = short::<2, false>(seed, 4, 4, 3);
        let start = game.inner.start();
        let plain = plain_minimax(&game, &OutcomeOnly, &start, TO_THE_END, false, Seat::FIRST);
        let mut search = twice((game, Ranged), second_look, widen, threads);
        let report = search.search(&start, &Limits::nodes(60_000), |_| {});
        let exact = f64::from(plain.value);
        let what = format!("seed {seed}, second look after {second_look}, widen {widen}");
        prop_assert!(hold_proof(&report, &[exact, -exact], &what), "{what}: not proven");
        let mut moves: Vec<u8> = search.root().iter().map(|root| root.mv).collect();
        moves.dedup();
        prop_assert_eq!(moves.len(), search.root().len(), "{}: a move is there twice", what);
    }
}

#[test]
fn a_second_look_brings_in_moves_and_gives_all_other_priors() {
    let eval = Drawn { bounded: false };
    let (few, many) = (Limits::nodes(20), Limits::nodes(21));
    for threads in [1, 3] {
        let mut search = twice((ENDLESS, eval), 21, 3, threads);
        let start = ENDLESS.start();
        search.search(&start, &few, |_| {});
        let places = |search: &Mcts<_, _>| -> Vec<u8> {
            let root: Vec<plywood::search::mcts::RootStatistics<u8>> = search.root();
            root.iter().map(|root| root.mv).collect()
        };
        assert_eq!(places(&search), [0, 1, 2], "the heaviest at first sight");
        search.search(&start, &many, |_| {});
        let mut moves = Vec::new();
        ENDLESS.moves(&start, &mut Moves::new(&mut moves));
        let count = moves.len() as u8;
        assert!(count > 6);
        let last = [count - 3, count - 2, count - 1];
        assert_eq!(
            places(&search),
            [&[0, 1, 2], &last[..]].concat(),
            "and those of the second look"
        );
        let sum: f64 = (1..=count).map(f64::from).sum();
        for root in search.root() {
            assert!(
                (root.prior - f64::from(root.mv + 1) / sum).abs() < 1e-6,
                "{root:?}"
            );
        }
    }
}

/// A tree that no search gets through.
const ENDLESS: RandomGame<3, false> = RandomGame {
    seed: 7,
    width: 12,
    positions: u64::MAX,
    spread: 1000,
};

fn endless(search: &str, strategy: &str, threads: usize) -> Engine<RandomGame<3, false>, Drawn> {
    engine(ENDLESS, Drawn { bounded: false }, search, strategy, threads)
}

#[test]
fn node_limits_are_numbers_of_playouts() {
    for threads in 1..=7 {
        for strategy in ["shared-tree", "own-trees"] {
            for limit in [1, 2, 5, 97, 1000] {
                let mut engine = endless("mcts", strategy, threads);
                let report = engine.search(&ENDLESS.start(), &Limits::nodes(limit));
                let what = format!("{limit} playouts, {strategy} on {threads} threads");
                assert_eq!(report.nodes.total(), limit, "{what}");
                assert_eq!(report.workers.len(), threads, "{what}");
                assert!(report.best.is_some() && report.stopped, "{what}");
                assert_eq!(report.line.first(), report.best.as_ref(), "{what}");
            }
        }
    }
}

#[test]
fn one_thread_and_a_seed_repeat() {
    for options in OPTIONS {
        let run = |search: &str| {
            let mut engine = endless(search, "seq", 1);
            let limits = Limits::nodes(3000).with_all_moves();
            let report = engine.search(&ENDLESS.start(), &limits);
            (report.best, report.values, report.line, report.root)
        };
        assert_eq!(run(options), run(options), "{options}");
        let join = if options.contains(':') { "," } else { ":" };
        let other = run(&format!("{options}{join}seed=2"));
        assert_ne!(run(options).1, other.1, "{options}");
    }
}

#[test]
fn a_stop_is_noticed_soon_and_a_set_flag_at_once() {
    for (strategy, threads) in HOW {
        let stop = Arc::new(AtomicBool::new(false));
        let mut engine = endless("mcts", strategy, threads);
        let limits = Limits::default().with_stop(stop.clone());
        let setter = std::thread::spawn({
            let stop = stop.clone();
            move || {
                std::thread::sleep(Duration::from_millis(20));
                stop.store(true, Ordering::Relaxed);
                Instant::now()
            }
        });
        let report = engine.search(&ENDLESS.start(), &limits);
        setter.join().unwrap();
        assert!(report.best.is_some());
        // The flag is still set: one playout is all there is.
        let report = endless("mcts", strategy, threads).search(&ENDLESS.start(), &limits);
        assert!(report.stopped && report.best.is_some());
        assert!(report.nodes.total() <= 1, "{}", report.nodes.total());
    }
}

#[test]
fn a_small_memory_is_kept_to_and_a_depth_ends_the_search() {
    let mut engine = {
        let settings = Settings {
            table_bytes: 1 << 16,
            ..Settings::new("mcts").unwrap()
        };
        Engine::new(ENDLESS, Drawn { bounded: false }, settings).unwrap()
    };
    let report = engine.search(&ENDLESS.start(), &Limits::nodes(20_000));
    assert!(report.memory.table <= 1 << 16, "{:?}", report.memory);
    assert_eq!(report.nodes.total(), 20_000);
    let report = endless("mcts", "seq", 1).search(&ENDLESS.start(), &Limits::depth(4));
    assert_eq!(report.depth, 4);
    assert!(!report.stopped);
    // No line gets that long, and nothing can be added.
    engine.forget();
    let report = engine.search(&ENDLESS.start(), &Limits::depth(200));
    assert!(report.depth < 200);
}

#[test]
fn the_tree_of_a_move_stays_for_the_position_after_it() {
    let mut checked = 0;
    for seed in 0..20 {
        let game = RandomGame { seed, ..ENDLESS };
        for (strategy, threads) in [("seq", 1), ("own-trees", 2)] {
            let make = |search| {
                let eval = Drawn { bounded: false };
                engine(game, eval, search, strategy, threads)
            };
            let mut engine = make("mcts");
            let first = engine.search(&game.start(), &Limits::nodes(10_000));
            if first.line.len() < 4 || first.certainty == Certainty::Exact {
                continue;
            }
            let mut state = game.start();
            for &mv in &first.line[..2] {
                game.play(&mut state, mv);
            }
            let limits = Limits::nodes(threads as u64).with_all_moves();
            let kept = engine.search(&state, &limits);
            let new = make("mcts:no-reuse").search(&state, &limits);
            // What is kept is the tree of this very position: the same moves, and more.
            let moves = |report: &Report<u8>| report.root.iter().map(|r| r.mv).collect::<Vec<_>>();
            assert_eq!(moves(&kept), moves(&new));
            assert!(kept.memory.table > new.memory.table, "{:?}", kept.memory);
            checked += 1;
            if threads > 1 {
                // Which of them plays out more is left to the system.
                continue;
            }
            let goes_on = first.line[2..].starts_with(&kept.line[..1]);
            assert!(goes_on, "{:?} {:?}", first.line, kept.line);
            // Of a position that it has never seen it knows nothing.
            let unknown = Node { ply: 40, id: 12345 };
            if game.turn(&unknown) != Turn::Over {
                let other = engine.search(&unknown, &limits);
                let fresh = make("mcts").search(&unknown, &limits);
                assert_eq!(other.memory.table, fresh.memory.table);
            }
            engine.forget();
            let again = engine.search(&state, &limits);
            assert_eq!(again.memory.table, new.memory.table);
        }
    }
    assert!(checked > 10, "{checked}");
}

#[test]
fn options_are_read_and_written() {
    for text in [
        "mcts",
        "mcts:select=puct,backup=paranoid,c=0.5,rave=1000,history=0.4,widen=16,expand=2,cut=0,seed=9",
        "mcts:no-reuse,no-solver",
    ] {
        let search: Search = text.parse().unwrap();
        assert_eq!(search.to_string(), text);
    }
    for (text, part) in [
        ("mcts:select=best", "use ucb or puct"),
        ("mcts:c=-1", "a number from 0 to 100"),
        ("mcts:c=NaN", "a number from 0 to 100"),
        ("mcts:history=-0.1", "a number from 0 to 100"),
        ("mcts:rave=x", "a whole number from 0"),
        ("mcts:wide=3", "unknown option 'wide=3' of mcts"),
    ] {
        let error = text.parse::<Search>().unwrap_err().to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
    let settings = Settings::new("mcts").unwrap().parallel("ybwc", 2).unwrap();
    let error = settings
        .check::<RandomGame<3, false>>()
        .unwrap_err()
        .to_string();
    assert!(error.contains("shared-tree, own-trees"), "{error}");
}
