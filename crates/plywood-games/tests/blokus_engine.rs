//! The Blokus engine: legal moves, sound values, proofs, levels.

use plywood::search::MctsOptions;
use plywood::search::mcts::{Backup, Select};
use plywood::{Game, Limits, Moves, Random};
use plywood_games::Notation;
use plywood_games::blokus::engine::{Engine, EngineSettings, Level, Playouts, Scratch, Style};
use plywood_games::blokus::{Blokus, Classic, Duo, Move, Path, State};

fn settings() -> EngineSettings {
    EngineSettings {
        memory: 16 << 20,
        ..EngineSettings::default()
    }
}

/// Plays a game out with weighted moves and keeps all positions.
fn game_of<const COLOURS: usize>(game: &Blokus<COLOURS>, seed: u64) -> Vec<State<COLOURS>>
where
    Blokus<COLOURS>: Notation<State = State<COLOURS>, Move = Move>,
{
    let mut moves = Vec::new();
    let mut state = game.start();
    let playouts = Playouts::new::<COLOURS>(Style::Weighted);
    let mut random = Random::new(seed);
    let tell = |_, mv| moves.push(mv);
    playouts.play(game, &mut state, &mut random, &mut Scratch::default(), tell);
    let mut positions = vec![game.start()];
    for mv in moves {
        let mut next = positions.last().expect("a start").clone();
        let mut list = Vec::new();
        game.moves(&next, &mut Moves::new(&mut list));
        assert!(list.contains(&mv), "{mv:?}");
        game.play(&mut next, mv);
        positions.push(next);
    }
    assert_eq!(positions.last(), Some(&state));
    positions
}

#[test]
fn playouts_are_the_same_on_every_path_and_follow_the_rules() {
    let end = |path: Path, style: Style, seed: u64| {
        let game = Classic::with_path(path).expect("available");
        let mut state = game.start();
        let mut random = Random::new(seed);
        let playouts = Playouts::new::<4>(style);
        playouts.play(
            &game,
            &mut state,
            &mut random,
            &mut Scratch::default(),
            |_, _| {},
        );
        state
    };
    for seed in 0..20 {
        game_of(&Classic::new(), seed);
        game_of(&Duo::new(), seed);
        for style in [Style::Uniform, Style::Weighted] {
            let plain = end(Path::Portable, style, seed);
            assert_eq!(plain.mover(), None);
            for path in Path::ALL.into_iter().filter(|path| path.is_available()) {
                assert_eq!(end(path, style, seed), plain, "{path:?} {style:?} {seed}");
            }
        }
    }
}

#[test]
fn thoughts_are_the_same_on_every_path() {
    fn thoughts<const COLOURS: usize>(path: Path) -> Vec<(Move, u64, f64)>
    where
        Blokus<COLOURS>: Notation<State = State<COLOURS>, Move = Move>,
    {
        let game = Blokus::<COLOURS>::with_path(path).expect("available");
        let mut engine = Engine::new(game, settings()).expect("an engine");
        let mut all = Vec::new();
        for state in game_of(&game, 11).iter().step_by(7) {
            let thought = engine.think(state, &Limits::nodes(40), &mut |_| {});
            all.extend(thought.moves.iter().map(|mv| (mv.mv, mv.visits, mv.prior)));
        }
        all
    }
    let (classic, duo) = (thoughts::<4>(Path::Portable), thoughts::<2>(Path::Portable));
    for path in Path::ALL.into_iter().filter(|path| path.is_available()) {
        assert_eq!(thoughts::<4>(path), classic, "{path:?}");
        assert_eq!(thoughts::<2>(path), duo, "{path:?}");
    }
}

#[test]
fn playouts_do_not_repeat_themselves() {
    fn ends<const COLOURS: usize>(game: &Blokus<COLOURS>) -> usize
    where
        Blokus<COLOURS>: Notation<State = State<COLOURS>, Move = Move>,
    {
        let playouts = Playouts::new::<COLOURS>(Style::Weighted);
        let (mut random, mut scratch) = (Random::new(8), Scratch::default());
        let mut ends = std::collections::HashSet::new();
        for _ in 0..1500 {
            let mut state = game.start();
            playouts.play(game, &mut state, &mut random, &mut scratch, |_, _| {});
            ends.insert(state.hash());
        }
        ends.len()
    }
    let (classic, duo) = (ends(&Classic::new()), ends(&Duo::new()));
    assert!(classic > 1000 && duo > 1000, "{classic} {duo}");
}

#[test]
fn weighted_playouts_place_more_than_uniform_ones() {
    let game = Classic::new();
    let squares = |style| -> u32 {
        let playouts = Playouts::new::<4>(style);
        let mut random = Random::new(3);
        (0..40)
            .map(|_| {
                let mut state = game.start();
                playouts.play(
                    &game,
                    &mut state,
                    &mut random,
                    &mut Scratch::default(),
                    |_, _| {},
                );
                (0..4)
                    .map(|colour| u32::from(state.squares(colour)))
                    .sum::<u32>()
            })
            .sum()
    };
    let (uniform, weighted) = (squares(Style::Uniform), squares(Style::Weighted));
    assert!(weighted > uniform + uniform / 20, "{weighted} {uniform}");
}

#[test]
fn thoughts_are_sound_all_game_long() {
    let game = Classic::new();
    for threads in [1, 2] {
        let mut engine = Engine::new(
            game,
            EngineSettings {
                threads,
                ..settings()
            },
        )
        .expect("one");
        let positions = game_of(&game, 5);
        // Every third, and the end of the game.
        let looked_at = positions.iter().enumerate();
        for (ply, state) in looked_at.filter(|(ply, _)| ply % 3 == 0 || ply + 1 == positions.len())
        {
            let thought = engine.think(state, &Limits::nodes(60), &mut |progress| {
                assert_eq!(progress.values.len(), 4);
            });
            let Some(best) = thought.best else {
                assert_eq!(state.mover(), None);
                continue;
            };
            let mut list = Vec::new();
            game.moves(state, &mut Moves::new(&mut list));
            assert!(list.contains(&best), "{ply}");
            assert_eq!(thought.moves[0].mv, best);
            assert!(thought.report.nodes.total() <= 60);
            let all: f64 = thought.win_share.iter().sum();
            assert!((all - 1.0).abs() < 1e-6, "{ply} {:?}", thought.win_share);
            for (colour, points) in thought.points.iter().enumerate() {
                assert!(
                    *points >= f64::from(state.score(colour)) - 1e-9,
                    "{ply} {points}"
                );
                assert!(*points <= 109.0);
            }
        }
    }
}

#[test]
fn what_is_proven_at_the_end_of_a_game_is_what_maxn_finds() {
    let game = Duo::new();
    let mut proven = 0;
    for seed in 0..12 {
        let positions = game_of(&game, seed);
        let mut engine = Engine::new(game, settings()).expect("an engine");
        let before_end = positions.len().saturating_sub(5);
        let state = &positions[before_end];
        let thought = engine.think(state, &Limits::nodes(20_000), &mut |_| {});
        if !thought.proven {
            continue;
        }
        proven += 1;
        // Points decide who wins: with two players the one who has more has won, and the
        // engine wants to win first and then as many points as it can get.
        let worth = |[own, other]: [i32; 2]| {
            let share = |a: i32, b: i32| 6 * (1 + (a > b) as i32 - (a < b) as i32);
            [
                1000 * share(own, other) + 120 * own,
                1000 * share(other, own) + 120 * other,
            ]
        };
        let exact = maxn(&game, state, &worth);
        let points = thought.points.map(|points| points.round() as i32);
        assert_eq!(worth(points), exact, "seed {seed}");
    }
    assert!(proven > 6, "{proven}");
}

/// What the game ends with if everybody goes for what its points are worth to it.
fn maxn(game: &Duo, state: &State<2>, worth: &dyn Fn([i32; 2]) -> [i32; 2]) -> [i32; 2] {
    let Some(mover) = state.mover() else {
        return worth(game.outcome(state));
    };
    let mut list = Vec::new();
    game.moves(state, &mut Moves::new(&mut list));
    let mut best: Option<[i32; 2]> = None;
    for mv in list {
        let mut child = state.clone();
        game.play(&mut child, mv);
        let value = maxn(game, &child, worth);
        if best.is_none_or(|best| value[mover] > best[mover]) {
            best = Some(value);
        }
    }
    best.expect("whoever is to move has a move")
}

#[test]
fn a_tree_in_which_others_chose_otherwise_is_forgotten() {
    let game = Duo::new();
    let bytes_after = |earlier: u64, change: fn(&mut MctsOptions)| {
        let mut engine = Engine::new(game, settings()).unwrap();
        if earlier > 0 {
            engine.think(&game.start(), &Limits::nodes(earlier), &mut |_| {});
        }
        change(engine.options_mut());
        let thought = engine.think(&game.start(), &Limits::nodes(1), &mut |_| {});
        thought.report.memory.table
    };
    let wider: fn(&mut MctsOptions) = |options| options.exploration = 0.3;
    assert!(bytes_after(300, wider) > bytes_after(0, wider));
    let others: [fn(&mut MctsOptions); 4] = [
        |options| options.backup = Backup::Paranoid,
        |options| options.select = Select::Ucb,
        |options| options.rave = 100,
        |options| options.history = 0.5,
    ];
    for change in others {
        assert_eq!(bytes_after(300, change), bytes_after(0, change));
    }
}

#[test]
fn low_levels_are_weak_and_repeatable() {
    let game = Duo::new();
    let play = |levels: [u8; 2], seed: u64| -> i32 {
        let mut engines = levels.map(|level| {
            let level = Level::new(level).expect("a level");
            Engine::new(
                game,
                EngineSettings {
                    level,
                    seed,
                    ..settings()
                },
            )
            .expect("an engine")
        });
        let mut state = game.start();
        while let Some(mover) = state.mover() {
            let thought = engines[mover].think(&state, &Limits::nodes(100), &mut |_| {});
            game.play(&mut state, thought.best.expect("a move"));
        }
        state.score(0) - state.score(1)
    };
    assert_eq!(play([1, 6], 9), play([1, 6], 9));
    let lead: i32 = (0..6)
        .map(|seed| play([6, 1], seed) - play([1, 6], seed))
        .sum();
    assert!(lead > 60, "{lead}");
    assert!(Level::new(0).is_none() && Level::new(10).is_none());
}
