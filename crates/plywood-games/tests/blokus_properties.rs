//! Random games: everything fast equals something slow.

mod blokus_common;

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use blokus_common::{Cells, Reference, cells_of, games, list, random_game};
use plywood::evaluate::leaf_scores;
use plywood::{Evaluate, Game};
use plywood_games::blokus::{
    Blokus, Classic, Duo, Lead, LiveCorners, Move, ReportCorners, SquaresPlaced, State,
};
use plywood_games::{Notation, Style};
use proptest::prelude::*;

/// Plays a random game beside the reference and compares everything it knows.
fn follow_reference<const COLOURS: usize>(seed: u64, large_first: bool) {
    let game = Blokus::<COLOURS>::new();
    let mut slow = Reference::new(COLOURS);
    for (ply, (state, played)) in random_game(&game, seed, large_first).iter().enumerate() {
        assert_eq!(state.mover(), slow.turn, "ply {ply}");
        for colour in 0..COLOURS {
            assert_eq!(state.score(colour), slow.score(colour));
            assert_eq!(state.is_out(colour), slow.out[colour].is_some());
            assert_eq!(usize::from(state.squares(colour)), slow.owned[colour].len());
            assert_eq!(
                state.corner_cells(colour) as usize,
                slow.corner_cells(colour)
            );
            let cells: Cells = state.placements(colour).flat_map(cells_of).collect();
            assert_eq!(cells, slow.owned[colour]);
        }
        let Some(played) = *played else { return };
        let wanted = slow.moves(slow.turn.expect("somebody to move"));
        let wanted_cells: BTreeSet<_> = wanted.iter().map(|(_, cells)| cells.clone()).collect();
        assert_eq!(wanted.len(), wanted_cells.len());
        let first = list(&game, state);
        assert!(
            first.is_sorted(),
            "the documented order is that of the numbers"
        );
        assert_eq!(first.len(), wanted.len());
        let cells: BTreeSet<_> = first.iter().map(|&mv| cells_of(mv)).collect();
        assert_eq!(cells, wanted_cells);
        for game in games::<COLOURS>() {
            assert_eq!(list(&game, state), first, "{:?}", game.path());
            assert_eq!(game.count_moves(state, &mut Vec::new()), first.len());
            for (number, &mv) in first.iter().enumerate() {
                assert_eq!(game.nth_move(state, number), Some(mv));
            }
            assert_eq!(game.nth_move(state, first.len()), None);
        }
        let cells = cells_of(played);
        let (drawing, _) = wanted
            .iter()
            .find(|(_, known)| *known == cells)
            .expect("legal");
        slow.play(drawing, &cells);
    }
}

/// The children of a position as the bulk evaluation sees them, and as they are when every
/// move is made.
fn compare_children<const COLOURS: usize, E: Evaluate<Blokus<COLOURS>>>(
    eval: &E,
    game: &Blokus<COLOURS>,
    state: &State<COLOURS>,
) {
    let mut state = state.clone();
    let before = state.clone();
    let mut scratch = vec![list(game, &state)[0]];
    let mut seen = Vec::new();
    eval.children(game, &mut state, &mut scratch, |mv, scores| {
        seen.push((mv, scores));
        ControlFlow::Continue(())
    });
    assert_eq!(scratch.len(), 1, "scratch is left as it was");
    assert_eq!(state, before);
    let mut made = Vec::new();
    for mv in list(game, &state) {
        let undo = game.play(&mut state, mv);
        made.push((mv, leaf_scores(eval, game, &state)));
        game.undo(&mut state, mv, undo);
    }
    assert_eq!(state, before);
    assert_eq!(seen, made);
    let mut visited = 0;
    eval.children(game, &mut state, &mut scratch, |_, _| {
        visited += 1;
        ControlFlow::Break(())
    });
    assert_eq!(visited, 1);
}

fn compare_evaluations<const COLOURS: usize>(seed: u64, large_first: bool) {
    for game in games::<COLOURS>() {
        for (state, played) in random_game(&game, seed, large_first) {
            let scores = SquaresPlaced.evaluate(&game, &state);
            let sum = SquaresPlaced.bounded_sum(&game).expect("a bound");
            assert!(scores.iter().all(|&score| score >= 0));
            assert!(scores.iter().sum::<i32>() <= sum);
            if played.is_some() {
                compare_children(&LiveCorners, &game, &state);
                compare_children(&ReportCorners, &game, &state);
                compare_children(&SquaresPlaced, &game, &state);
            }
        }
    }
}

/// Texts and undoing along a random game.
fn write_and_take_back<const COLOURS: usize>(seed: u64, large_first: bool) {
    let line = random_game(&Blokus::<COLOURS>::new(), seed, large_first);
    for game in games::<COLOURS>() {
        follow_line(&game, &line);
    }
}

fn follow_line<const COLOURS: usize>(
    game: &Blokus<COLOURS>,
    line: &[(State<COLOURS>, Option<Move>)],
) {
    let mut state = game.start();
    let mut undos = Vec::new();
    for (before, played) in line {
        assert_eq!(state, *before);
        let text = game.write_state(&state);
        assert!(!text.contains('\n'));
        let mut read = game
            .read_state(&text)
            .expect("what was written can be read");
        assert_eq!(read, state, "{text}");
        assert_eq!(game.write_state(&read), text);
        assert_eq!(list(game, &read), list(game, &state));
        let plain = game.draw(&state, Style::Plain);
        assert!(plain.ends_with('\n') && !plain.contains('\x1b'));
        assert!(game.draw(&state, Style::Colour).contains('\x1b'));
        let Some(mv) = *played else { break };
        for mv in list(game, &state) {
            assert_eq!(game.read_move(&state, &game.write_move(&state, mv)), Ok(mv));
        }
        game.play(&mut read, mv);
        undos.push((mv, game.play(&mut state, mv)));
        assert_eq!(game.hash(&read), game.hash(&state));
    }
    for ((mv, undo), (before, _)) in undos.into_iter().zip(line).rev() {
        game.undo(&mut state, mv, undo);
        assert_eq!(state, *before);
    }
    assert_eq!(state, game.start());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn classic_equals_the_reference(seed: u64, large_first: bool) {
        follow_reference::<4>(seed, large_first);
    }

    #[test]
    fn duo_equals_the_reference(seed: u64, large_first: bool) {
        follow_reference::<2>(seed, large_first);
    }

    #[test]
    fn children_are_worth_what_they_are_worth_when_made(seed: u64, large_first: bool) {
        compare_evaluations::<4>(seed, large_first);
        compare_evaluations::<2>(seed, large_first);
    }

    #[test]
    fn games_can_be_written_read_and_taken_back(seed: u64, large_first: bool) {
        write_and_take_back::<4>(seed, large_first);
        write_and_take_back::<2>(seed, large_first);
    }

    #[test]
    fn lead_is_the_difference(seed: u64) {
        let game = Duo::new();
        for (mut state, played) in random_game(&game, seed, false) {
            let [first, second] = LiveCorners.evaluate(&game, &state);
            let lead = Lead(LiveCorners).evaluate(&game, &state);
            prop_assert_eq!(lead, [first - second, second - first]);
            if played.is_some() {
                compare_children(&Lead(LiveCorners), &game, &state);
                state = game.start();
                compare_children(&Lead(SquaresPlaced), &game, &state);
            }
        }
    }
}

proptest! {
    #[test]
    fn reading_never_panics(text in "\\PC*") {
        let (classic, duo) = (Classic::new(), Duo::new());
        let _ = classic.read_state(&text);
        let _ = duo.read_move(&duo.start(), &text);
        if let Err(error) = classic.read_move(&classic.start(), &text) {
            prop_assert_eq!(error.to_string().lines().count(), 1);
        }
    }

    #[test]
    fn reading_nearly_right_texts_never_panics(text in "(turn|out|single|[BYRGW])=?[a-tBYRG0-9,/ =é-]{0,30}") {
        for error in [Classic::new().read_state(&text).err(), Duo::new().read_state(&text).err()]
            .into_iter()
            .flatten()
        {
            prop_assert_eq!(error.to_string().lines().count(), 1);
        }
    }
}

/// The same placements in another order are the same position.
#[test]
fn the_hash_does_not_depend_on_the_order() {
    let game = Classic::new();
    let read = |moves: &str| {
        let mut state = game.start();
        for text in moves.split_whitespace() {
            let mv = game.read_move(&state, text).expect(text);
            game.play(&mut state, mv);
        }
        state
    };
    let opening = "a20,b20,c20,a19,a18 t20 t1 a1";
    let first = read(&format!(
        "{opening} d19,e19 s19,r19 s2,r2 b2,c2 b17,b16,b15"
    ));
    let second = read(&format!(
        "{opening} b17,b16,b15 s19,r19 s2,r2 b2,c2 d19,e19"
    ));
    assert_eq!(first, second);
    let third = read(&format!("{opening} d19,e19 s19,r19 s2,r2 b2,c2 b17"));
    assert_ne!(game.hash(&first), game.hash(&third));
}

#[test]
fn different_positions_have_different_hashes() {
    let game = Classic::new();
    let mut hashes = BTreeSet::new();
    let mut texts = BTreeSet::new();
    for seed in 0..40 {
        for (state, _) in random_game(&game, seed, seed % 2 == 0) {
            hashes.insert(game.hash(&state));
            texts.insert(game.write_state(&state));
        }
    }
    assert!(texts.len() > 2000);
    assert_eq!(hashes.len(), texts.len());
}

/// The report's evaluation looks at more than the board, so its key must differ where the
/// board does not.
#[test]
fn the_key_of_the_report_tells_apart_what_it_sees() {
    let game = Duo::new();
    let mut seen = 0;
    for (state, _) in random_game(&game, 5, true) {
        let text = game.write_state(&state);
        if let Some((board, _)) = text.split_once(" corners=") {
            let other = game.read_state(board).expect("a position");
            assert_eq!(game.hash(&other), game.hash(&state));
            assert_ne!(
                ReportCorners.key(&game, &other),
                ReportCorners.key(&game, &state)
            );
            assert_ne!(
                ReportCorners.evaluate(&game, &other),
                ReportCorners.evaluate(&game, &state)
            );
            seen += 1;
        }
    }
    assert!(seen > 0);
}
