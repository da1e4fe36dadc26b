//! Small positions searched by every search, with its options, by every strategy: all that
//! is exact finds what the plainest search finds on one thread.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plywood::parallel::STRATEGIES;
use plywood::search::Family;
use plywood::{Limits, Search, Settings, Turn};
use plywood_fuzz::Bytes;
use plywood_games::registry::{AnyGame, AnyReport, AnySearcher, Position, Random, open};

/// Games with small positions, or that have some near their end.
const GAMES: &[&str] = &[
    "kalah:pits=3,stones=3",
    "kalah:pits=2,stones=5,capture=empty",
    "kalah:pits=4,stones=2,end=mover,sweep=other",
    "kalah",
    "gomoku:size=5,distance=all",
    "gomoku:size=6,rule=renju,distance=1",
    "gomoku:size=7,rule=exactly-five,distance=1,corner=5",
    "gomoku:size=9",
    "blokus-duo",
    "blokus",
    "2048",
    "2048",
];

/// Lines of play that the plainest search may have to look at.
const MOST_LINES: u64 = 4000;

const BOUNDED_OPTIONS: &[&str] = &[
    "no-pvs",
    "no-deepening",
    "no-aspiration",
    "no-table",
    "no-killers",
    "no-history",
    "no-priority",
    "null-move",
    "deeper",
];

fn choose<'a, T>(bytes: &mut Bytes<'_>, all: &'a [T]) -> &'a T {
    &all[bytes.below(all.len())]
}

/// A position some moves after the start.
fn position(game: &dyn AnyGame, bytes: &mut Bytes<'_>) -> Position {
    let mut position = game.start();
    for _ in 0..bytes.byte() {
        let mut random = Random::new(bytes.byte().into());
        let mv = game
            .random_move(&position, &mut random)
            .or_else(|| game.random_chance(&position, &mut random));
        let Some(mv) = mv else {
            break;
        };
        let next = game.play(&position, &mv).expect("listed moves are legal");
        // The last but a few positions of a game are of more interest than its last one.
        if game.turn(&next) == Turn::Over && bytes.byte() < 200 {
            break;
        }
        position = next;
    }
    position
}

/// The search's name with options.
fn search(game: &dyn AnyGame, bytes: &mut Bytes<'_>) -> String {
    let infos = game.info().searches();
    let info = choose(bytes, &infos);
    let mut options: Vec<String> = Vec::new();
    match (info.family, info.name) {
        (Family::Bounded, _) if bytes.byte().is_multiple_of(8) => options.push("plain".into()),
        (Family::Bounded, _) => {
            let (low, high) = (bytes.byte(), bytes.byte());
            // Each of the two that are not exact in one input of eight.
            let inexact = u16::from(high % 8 == 1) << 7 | u16::from(high % 8 == 2) << 8;
            let chosen = u16::from(low & 0x7f) | inexact;
            let named = BOUNDED_OPTIONS.iter().enumerate();
            let named = named.filter(|(bit, _)| chosen >> bit & 1 != 0);
            options.extend(named.map(|(_, name)| (*name).to_owned()));
        }
        (_, "maxn") if bytes.byte().is_multiple_of(4) => options.push("no-prune".into()),
        (_, "expectimax") => {
            let choice = bytes.byte();
            if choice.is_multiple_of(4) {
                options.push("no-table".into());
            }
            if choice.is_multiple_of(3) {
                options.push(format!("cut=0.{:03}", 1 + bytes.below(999)));
            }
        }
        _ => {}
    }
    match options.as_slice() {
        [] => info.name.to_owned(),
        options => format!("{}:{}", info.name, options.join(",")),
    }
}

fn strategy(family: Family, bytes: &mut Bytes<'_>) -> String {
    let fitting: Vec<_> = STRATEGIES
        .iter()
        .filter(|info| (info.fits)(family))
        .collect();
    let info = choose(bytes, &fitting);
    let mut text = info.name.to_owned();
    if info.usage.contains(':') {
        text.push_str(&format!(":{}", 1 + bytes.below(4)));
    }
    if bytes.byte().is_multiple_of(2) {
        let spawned = format!("{text},spawn=rest");
        if spawned.parse::<plywood::Strategy>().is_ok() {
            return spawned;
        }
    }
    text
}

/// The search that defines what this one finds.
fn plainest(search: &str, players: usize) -> String {
    match search.parse().expect("a search") {
        Search::Minimax | Search::AlphaBeta(_) | Search::WorstCase(_) => "minimax".into(),
        Search::Paranoid(_) if players <= 2 => "minimax".into(),
        Search::Paranoid(_) => "paranoid:plain".into(),
        Search::MaxN(_) => "maxn:no-prune".into(),
        Search::Brs | Search::BrsPlus | Search::MpMix(_) => search.into(),
        Search::Mcts(_) => unreachable!("random playouts have no plainer search"),
        Search::Expectimax(options) => match options.cut {
            Some(cut) => format!("expectimax:no-table,cut={cut}"),
            None => "expectimax:no-table".into(),
        },
    }
}

fn run(searcher: &mut dyn AnySearcher, position: &Position, limits: &Limits) -> AnyReport {
    let mut depths = Vec::new();
    let report = searcher.search(position, limits, &mut |progress| {
        depths.push(progress.depth)
    });
    assert!(depths.is_sorted(), "{depths:?}");
    assert_eq!(depths.last().copied().unwrap_or(0), report.depth);
    report
}

/// Whether the report's moves can be played.
fn check_line(game: &dyn AnyGame, position: &Position, report: &AnyReport, what: &str) {
    let mut now = position.clone();
    for mv in &report.line {
        let next = game.play(&now, mv);
        now = next.unwrap_or_else(|error| panic!("{what}: {mv}: {error}"));
    }
    let moves = game.moves(position);
    match (&report.best, game.turn(position)) {
        (Some(best), Turn::Player(_)) => {
            assert!(moves.contains(best), "{what}: {best}");
            assert_eq!(report.line.first(), Some(best), "{what}");
        }
        (None, Turn::Chance | Turn::Over) => {}
        (best, turn) => panic!("{what}: {best:?} where the turn is {turn:?}"),
    }
}

fn check(bytes: &mut Bytes<'_>) {
    let spec: &&str = choose(bytes, GAMES);
    let game = open(spec).expect("a game");
    let game = &*game;
    let players = game.info().players;
    let search = search(game, bytes);
    let family = search.parse::<Search>().expect(&search).info().family;
    let strategy = strategy(family, bytes);
    let threads = 1 + bytes.below(3);
    let wanted = 1 + bytes.below(3) as u32;
    let flags = bytes.byte();
    let (after_chance, all_moves, limited) = (flags & 1 != 0, flags & 2 != 0, flags & 12 == 12);
    let evaluations = game.info().evaluations();
    let evaluation = choose(bytes, &evaluations).name;
    let position = position(game, bytes);
    // Chance uses no depth, but its events are plies.
    let plies = |depth| if game.info().chance { 2 * depth } else { depth };
    let small = |&depth: &u32| game.perft(&position, plies(depth)) <= MOST_LINES;
    let Some(depth) = (1..=wanted).take_while(small).last() else {
        return;
    };
    let searcher = |search: &str, strategy: &str, threads| {
        let settings = Settings::new(search).and_then(|s| s.parallel(strategy, threads));
        let settings = Settings {
            // Small enough that entries drive each other out.
            table_bytes: 1 << 14,
            after_chance,
            ..settings.expect("valid settings")
        };
        game.searcher(evaluation, settings)
            .unwrap_or_else(|error| panic!("{search} by {strategy}: {error}"))
    };
    let text = game.write_position(&position);
    let what = format!(
        "{} {evaluation} {search} by {strategy} x{threads} to depth {depth}, after chance \
         {after_chance}, of {text}",
        game.spec()
    );
    let mut limits = Limits::depth(depth);
    limits.all_moves = all_moves;
    let mut tried = searcher(&search, &strategy, threads);
    if limited {
        let limits = Limits {
            nodes: Some(u64::from(flags)),
            ..limits.clone()
        };
        let report = run(&mut *tried, &position, &limits);
        check_line(game, &position, &report, &what);
    }
    if family == Family::Playouts {
        limits.nodes = Some(1 + u64::from(flags) * 8);
        let report = run(&mut *tried, &position, &limits);
        check_line(game, &position, &report, &what);
        assert_eq!(report.values.len(), players, "{what}");
        assert!(report.nodes.total() <= 1 + u64::from(flags) * 8, "{what}");
        return;
    }
    let exact = !search.contains("null-move") && !search.contains("deeper");
    let expected = run(
        &mut *searcher(&plainest(&search, players), "seq", 1),
        &position,
        &limits,
    );
    check_line(game, &position, &expected, &what);
    // The second time with all that the table has kept.
    for round in 0..2 {
        let report = run(&mut *tried, &position, &limits);
        check_line(game, &position, &report, &what);
        assert_eq!(report.depth, expected.depth, "{what}");
        assert_eq!(report.values.len(), players, "{what}");
        let tasks = report.tasks;
        assert_eq!(
            tasks.offered,
            tasks.converted + tasks.fizzled + tasks.cancelled,
            "{what}"
        );
        if !exact {
            continue;
        }
        let what = format!("{what}, round {round}");
        assert_eq!(report.best, expected.best, "{what}");
        assert_eq!(report.root, expected.root, "{what}");
        // Paranoid searches for the value of one player only.
        match game.turn(&position) {
            Turn::Player(seat) if search.starts_with("paranoid") => {
                let seat = seat.index();
                assert_eq!(report.values[seat], expected.values[seat], "{what}");
            }
            _ => assert_eq!(report.values, expected.values, "{what}"),
        }
    }
}

fuzz_target!(|data: &[u8]| check(&mut Bytes::new(data)));
