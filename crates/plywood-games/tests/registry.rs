//! The games as front ends see them.

use plywood::search::Family;
use plywood::{Engine, Limits, NodeCounts, Settings, Turn};
use plywood_games::kalah::{Kalah, StoreDifference};
use plywood_games::registry::{AnyGame, Position, Random, fitting_strategy, games, open};
use plywood_games::twenty48::network::Network;
use plywood_games::twenty48::{self, BoardOnly, EmptyCells, Smooth, Twenty48, WithScore, Zero};
use plywood_games::{Notation, Style};

/// Every game, with its default options and with others.
const SPECS: &[&str] = &[
    "kalah",
    "kalah:pits=3,stones=6,capture=empty,end=mover,sweep=other",
    "gomoku",
    "gomoku:size=9,rule=exactly-five,distance=1,corner=7",
    "gomoku:size=6,rule=renju,distance=all",
    "blokus",
    "blokus-duo",
    "2048",
];

fn settings(search: &str) -> Settings {
    Settings {
        table_bytes: 1 << 16,
        ..Settings::new(search).expect("a search")
    }
}

/// The positions of a random game.
fn random_game(game: &dyn AnyGame, seed: u64) -> Vec<Position> {
    let mut random = Random::new(seed);
    let mut positions = vec![game.start()];
    loop {
        let now = positions.last().expect("there is a start");
        let mv = match game.turn(now) {
            Turn::Player(_) => game.random_move(now, &mut random),
            Turn::Chance => game.random_chance(now, &mut random),
            Turn::Over => return positions,
        };
        let mv = mv.expect("somebody acts");
        assert!(game.moves(now).contains(&mv), "{mv} is listed");
        positions.push(game.play(now, &mv).expect("listed moves are legal"));
    }
}

#[test]
fn every_game_can_be_played_to_its_end_from_outside() {
    for spec in SPECS {
        let game = open(spec).expect("a game");
        for seed in 0..5 {
            let positions = random_game(&*game, seed);
            for position in &positions {
                let text = game.write_position(position);
                let read = game.read_position(&text).expect("what was written is read");
                assert_eq!(game.write_position(&read), text);
                assert_eq!(game.turn(&read), game.turn(position));
                assert_eq!(game.moves(&read), game.moves(position));
                let over = game.turn(position) == Turn::Over;
                assert_eq!(game.moves(position).is_empty(), over);
                assert_eq!(game.result(position).is_some(), over);
                assert_eq!(game.final_scores(position).is_some(), over);
                assert!(!game.draw(position, Style::Plain).contains('\x1b'));
            }
            let end = positions.last().expect("there is an end");
            let scores = game.final_scores(end).expect("the game is over");
            assert_eq!(scores.len(), game.info().players);
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_game() {
    for spec in SPECS {
        let game = open(spec).expect("a game");
        let texts = |seed| -> Vec<String> {
            random_game(&*game, seed)
                .iter()
                .map(|position| game.write_position(position))
                .collect()
        };
        assert_eq!(texts(3), texts(3), "{spec}");
        assert_ne!(texts(3), texts(4), "{spec}");
    }
}

#[test]
fn what_is_said_of_a_game_is_true() {
    for info in games() {
        let game = open(info.name).expect("a game");
        assert_eq!(game.spec(), info.name);
        let example = game.read_position(info.example).expect(info.example);
        assert!(matches!(game.turn(&example), Turn::Player(_)));
        let names: Vec<&str> = info.searches().iter().map(|search| search.name).collect();
        assert!(names.contains(&info.search), "{}", info.name);
        for option in info.options {
            assert!(option.accepted.contains(option.default), "{}", option.name);
            // An option at its default is no other game.
            let spec = format!("{}:{}={}", info.name, option.name, option.default);
            assert_eq!(open(&spec).expect("a game").spec(), info.name);
            for word in option.accepted.words {
                let spec = format!("{}:{}={word}", info.name, option.name);
                open(&spec).expect("an accepted value makes a game");
            }
        }
        let mut random = Random::new(1);
        let start = game.new_game(&mut random);
        assert!(matches!(game.turn(&start), Turn::Player(_)));
    }
}

#[test]
fn a_spec_is_written_in_one_way() {
    let spec = |text: &str| open(text).expect("a game").spec().to_owned();
    assert_eq!(spec("kalah:stones=6,pits=6"), "kalah:stones=6");
    assert_eq!(
        spec("gomoku:corner=9,distance=1,rule=exactly-five,size=15"),
        "gomoku:rule=exactly-five,distance=1,corner=9"
    );
    for text in SPECS {
        assert_eq!(spec(text), *text);
    }
}

#[test]
fn errors_are_one_line_that_names_what_is_accepted() {
    for (spec, accepted) in [
        ("", "use one of kalah, gomoku, blokus, blokus-duo, 2048"),
        ("chess", "use one of kalah"),
        ("Kalah", "use one of kalah"),
        ("chess\nkalah", "use one of kalah"),
        ("kalah:", "use pits=6"),
        ("kalah:pits", "1 to 8"),
        ("kalah:pits=9", "1 to 8"),
        ("kalah:pits=6,pits=6", "each option once"),
        ("kalah:pits=8,stones=24", "at most 255"),
        ("kalah:capture=maybe", "full or empty"),
        ("gomoku:size=300", "5 to 20"),
        ("gomoku:size=7,corner=8", "1 to 7"),
        ("blokus:duo", "has no options"),
        ("2048:size=5", "has no options"),
    ] {
        let error = match open(spec) {
            Ok(_) => panic!("{spec} is no game"),
            Err(error) => error.to_string(),
        };
        assert!(error.contains(accepted), "{spec}: {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    let kalah = open("kalah").expect("a game");
    let error = |evaluation: &str, settings: Settings| match kalah.searcher(evaluation, settings) {
        Ok(_) => panic!("{evaluation} makes no searcher"),
        Err(error) => error.to_string(),
    };
    assert!(error("best", settings("minimax")).contains("use one of stores"));
    assert!(error("stores", settings("expectimax")).contains("use one of minimax"));
    let strategy = settings("minimax").parallel("ybwc", 2).expect("a strategy");
    assert!(error("stores", strategy).contains("use one of seq"));
}

#[test]
fn every_evaluation_works_with_every_search_of_the_game() {
    for info in games() {
        let game = open(info.name).expect("a game");
        let start = game.new_game(&mut Random::new(5));
        let example = game.read_position(info.example).expect("a position");
        for evaluation in info.evaluations() {
            for search in info.searches() {
                for threads in [1, 2] {
                    let mut settings = settings(search.name);
                    if threads > 1 {
                        let strategy = fitting_strategy(&settings.search);
                        settings = settings.parallel(strategy, threads).expect("it fits");
                    }
                    let mut searcher = game
                        .searcher(evaluation.name, settings)
                        .expect("searches of a game fit it");
                    for position in [&start, &example] {
                        let mut depths = Vec::new();
                        let limits = Limits::depth(2).with_all_moves();
                        let report = searcher.search(position, &limits, &mut |progress| {
                            depths.push(progress.depth);
                        });
                        let moves = game.moves(position);
                        let best = report.best.expect("there is a move");
                        assert!(moves.contains(&best), "{best}");
                        assert_eq!(report.line.first(), Some(&best));
                        assert_eq!(report.values.len(), info.players);
                        assert_eq!(depths.last(), Some(&report.depth));
                        // The depth of a tree of playouts is that of its longest line, which
                        // ends where the root is proven or the tree is full.
                        let playouts = search.family == Family::Playouts;
                        assert!(report.depth == 2 || playouts, "{}", search.name);
                        let root: Vec<&String> = report.root.iter().map(|root| &root.mv).collect();
                        assert_eq!(root, moves.iter().collect::<Vec<_>>());
                        let mut along = position.clone();
                        for mv in &report.line {
                            along = game.play(&along, mv).expect("a line can be played");
                        }
                    }
                }
            }
        }
    }
}

/// The searches for two players take the second's score for the negative of the first's.
#[test]
fn evaluations_for_two_players_add_up_to_nothing() {
    for spec in SPECS {
        let game = open(spec).expect("a game");
        if game.info().players != 2 {
            continue;
        }
        let positions = random_game(&*game, 11);
        for evaluation in game.info().evaluations() {
            // MaxN reports the scores of the leaf as they are.
            let mut searcher = game
                .searcher(evaluation.name, settings("maxn"))
                .expect("maxn is for any number of players");
            for position in &positions {
                let report = searcher.search(position, &Limits::depth(1), &mut |_| {});
                assert_eq!(
                    report.values[0],
                    -report.values[1],
                    "{spec} {} {}",
                    evaluation.name,
                    game.write_position(position)
                );
            }
        }
    }
}

#[test]
fn a_search_from_outside_is_the_search_from_inside() {
    let game = open("kalah").expect("a game");
    let mut searcher = game
        .searcher("stores", settings("alphabeta"))
        .expect("a searcher");
    let mut engine = Engine::new(Kalah::default(), StoreDifference, settings("alphabeta"))
        .expect("valid settings");
    let limits = Limits::depth(8).with_all_moves();
    let outside = searcher.search(&game.start(), &limits, &mut |_| {});
    let start = plywood_games::Notation::start(engine.game());
    let inside = engine.search(&start, &limits);
    assert_eq!(outside.values, inside.values);
    assert_eq!(outside.nodes, inside.nodes);
    assert_eq!(outside.line.len(), inside.line.len());
    // The published values of six pits of four stones, and a line whose letters follow the
    // mover: South's pits are A to F, North's G to L.
    assert_eq!(outside.values, [4.0, -4.0]);
    let mut position = game.start();
    for mv in &outside.line {
        let south = game.turn(&position) == Turn::Player(plywood::Seat::FIRST);
        assert_eq!(("A"..="F").contains(&mv.as_str()), south, "{mv}");
        position = game.play(&position, mv).expect("legal");
    }
}

#[test]
fn the_evaluations_of_2048_by_name_are_those_of_the_library() {
    // Equal nodes too: the table spares a slow evaluation more than a quick one.
    fn found(
        eval: impl plywood::Evaluate<Twenty48>,
        position: &twenty48::Position,
    ) -> (f64, NodeCounts) {
        let mut engine = Engine::new(Twenty48::new(), eval, settings("expectimax")).expect("fits");
        let report = engine.search(position, &Limits::depth(3));
        (report.values[0], report.nodes)
    }
    let game = open("2048").expect("a game");
    // The first ends at once if the new tile does not fit, which costs; the second does not end.
    for text in [
        "2,4,8,16/32,64,128,256/2,4,8,16/.,64,128,256 score=100",
        "128,32,8,8/2,8,.,2/4,2,.,./.,.,4,. score=780",
    ] {
        let inside = Twenty48::new().read_state(text).expect("a board");
        for (name, expected) in [
            ("smooth", found(BoardOnly(Smooth::new()), &inside)),
            ("smooth+score", found(WithScore(Smooth::new()), &inside)),
            ("report", found(BoardOnly(twenty48::Report::new()), &inside)),
            (
                "report+score",
                found(WithScore(twenty48::Report::new()), &inside),
            ),
            ("empty", found(BoardOnly(EmptyCells), &inside)),
            ("zero+score", found(WithScore(Zero), &inside)),
            ("network", found(Network::built_in(), &inside)),
        ] {
            let mut searcher = game.searcher(name, settings("expectimax")).expect("fits");
            let outside = game.read_position(text).expect("a board");
            let report = searcher.search(&outside, &Limits::depth(3), &mut |_| {});
            assert_eq!((report.values[0], report.nodes), expected, "{name} {text}");
        }
    }
}

#[test]
fn chance_is_as_likely_as_it_says() {
    let game = open("2048").expect("a game");
    let position = game
        .read_position("2,4,2,4/4,2,4,2/2,4,2,4/4,2,.,. chance")
        .expect("a position");
    let mut random = Random::new(9);
    let mut counts = std::collections::BTreeMap::new();
    for _ in 0..20_000 {
        let event = game.random_chance(&position, &mut random);
        *counts.entry(event.expect("chance acts")).or_insert(0) += 1;
    }
    let names: Vec<&str> = counts.keys().map(String::as_str).collect();
    assert_eq!(names, ["c4=2", "c4=4", "d4=2", "d4=4"]);
    for (event, count) in counts {
        let expected = if event.ends_with("=2") {
            8_700..9_300
        } else {
            880..1_120
        };
        assert!(expected.contains(&count), "{event} {count}");
    }
    assert_eq!(game.random_move(&position, &mut random), None);
}

#[test]
#[should_panic(expected = "a position of kalah was given to kalah:pits=4")]
fn a_position_of_another_game_is_noticed() {
    let six = open("kalah").expect("a game");
    let four = open("kalah:pits=4").expect("a game");
    four.moves(&six.start());
}
