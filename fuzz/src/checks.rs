//! What must hold in any position of any game.

use std::fmt::Debug;
use std::ops::ControlFlow;

use plywood::evaluate::leaf_scores;
use plywood::{Chances, Evaluate, Game, MAX_SCORE, Moves, Scores, Turn};
use plywood_games::{Notation, Style, TextError};

use crate::subject::{EvaluationVisitor, Subject};

/// An error is one line, whatever it is about.
pub fn check_error(error: &TextError) {
    let text = error.to_string();
    assert!(!text.is_empty());
    assert!(!text.chars().any(char::is_control), "{text:?}");
}

/// The moves of a position, or what chance can do; none if the game is over.
pub fn list_moves<G: Game>(game: &G, state: &G::State) -> Vec<G::Move> {
    let mut moves = Vec::new();
    match game.turn(state) {
        Turn::Player(_) => game.moves(state, &mut Moves::new(&mut moves)),
        Turn::Chance => {
            let mut probabilities = Vec::new();
            game.chances(state, &mut Chances::new(&mut moves, &mut probabilities));
            assert_eq!(moves.len(), probabilities.len());
            assert!(probabilities.iter().all(|&probability| probability > 0.0));
            let sum: f64 = probabilities.iter().sum();
            assert!((sum - 1.0).abs() < 1e-9, "{sum}");
        }
        Turn::Over => return moves,
    }
    assert!(!moves.is_empty(), "who is to act can do something");
    moves
}

/// Checks a position, without playing; what [`list_moves`] gives.
pub fn check_position<G: Subject>(game: &G, state: &G::State) -> Vec<G::Move> {
    let moves = list_moves(game, state);
    match game.turn(state) {
        Turn::Player(seat) => {
            assert!(seat.index() < G::Scores::PLAYERS);
            let mut scratch = Vec::new();
            assert_eq!(game.count_moves(state, &mut scratch), moves.len());
            assert!(scratch.is_empty());
            assert!(!game.seat_name(seat).is_empty());
            game.check_more(state, &moves);
        }
        Turn::Chance => assert!(G::CHANCE),
        Turn::Over => {
            check_scores(game.outcome(state), None);
            assert!(!game.result_text(state).is_empty());
            game.check_more(state, &[]);
        }
    }
    for (index, &mv) in moves.iter().enumerate() {
        // The whole list would take as many comparisons as the square of its length.
        let near = &moves[index.saturating_sub(8)..index];
        assert!(!near.contains(&mv), "{mv:?} is listed twice");
        let _ = (game.priority(state, mv), game.move_id(mv));
    }
    game.each_evaluation(&mut Leaf { game, state });
    moves
}

/// Draws a position in both styles.
pub fn check_drawings<G: Notation>(game: &G, state: &G::State) {
    let plain = game.draw(state, Style::Plain);
    assert!(plain.ends_with('\n') && !plain.contains('\x1b'));
    assert!(game.draw(state, Style::Colour).ends_with('\n'));
}

struct Leaf<'a, G: Game> {
    game: &'a G,
    state: &'a G::State,
}

impl<G: Game> EvaluationVisitor<G> for Leaf<'_, G> {
    fn visit<E: Evaluate<G>>(&mut self, _: &str, eval: E) {
        let scores = leaf_scores(&eval, self.game, self.state);
        check_scores(scores, eval.bounded_sum(self.game));
        let _ = eval.key(self.game, self.state);
    }
}

fn check_scores<S: Scores>(scores: S, bounded_sum: Option<i32>) {
    for &score in scores.as_ref() {
        assert!((-MAX_SCORE..=MAX_SCORE).contains(&score), "{scores:?}");
    }
    if let Some(most) = bounded_sum {
        assert!(scores.as_ref().iter().all(|&score| score >= 0));
        assert!(scores.as_ref().iter().sum::<i32>() <= most, "{scores:?}");
    }
}

/// Writes the position and some of its moves and reads them again.
pub fn check_texts<G: Subject>(game: &G, state: &G::State, moves: &[G::Move]) {
    let text = game.write_state(state);
    assert!(!text.chars().any(char::is_control), "{text:?}");
    let read = game
        .read_state(&text)
        .unwrap_or_else(|e| panic!("{text}: {e}"));
    assert_eq!(read, *state, "{text}");
    assert_eq!(game.hash(&read), game.hash(state), "{text}");
    assert_eq!(game.turn(&read), game.turn(state), "{text}");
    for &mv in moves.iter().step_by(moves.len() / 16 + 1) {
        check_move_text(game, state, mv);
    }
}

fn check_move_text<G: Notation>(game: &G, state: &G::State, mv: G::Move) {
    let text = game.write_move(state, mv);
    let read = game.read_move(state, &text);
    assert_eq!(read.unwrap_or_else(|e| panic!("{text}: {e}")), mv, "{text}");
}

/// Whether every evaluation gives the children of a position, all at once, what it gives
/// them one by one. A player must be to move.
pub fn check_children<G: Subject>(game: &G, state: &mut G::State, moves: &[G::Move]) {
    game.each_evaluation(&mut Children { game, state, moves });
}

struct Children<'a, G: Game> {
    game: &'a G,
    state: &'a mut G::State,
    moves: &'a [G::Move],
}

impl<G: Game<State: PartialEq + Debug>> EvaluationVisitor<G> for Children<'_, G> {
    fn visit<E: Evaluate<G>>(&mut self, name: &str, eval: E) {
        let (game, state) = (self.game, &mut *self.state);
        let before = state.clone();
        let expected: Vec<_> = self
            .moves
            .iter()
            .map(|&mv| {
                let undo = game.play(state, mv);
                let scores = leaf_scores(&eval, game, state);
                game.undo(state, mv, undo);
                (mv, scores)
            })
            .collect();
        assert_eq!(*state, before, "{name}: played and undone");
        // Something of an outer node that must be left alone.
        let mut scratch = self.moves[..1].to_vec();
        let mut found = Vec::new();
        eval.children(game, state, &mut scratch, |mv, scores| {
            found.push((mv, scores));
            ControlFlow::Continue(())
        });
        assert!(found == expected, "{name}: {found:?} and not {expected:?}");
        let stop = expected.len() / 2;
        let mut visited = 0;
        eval.children(game, state, &mut scratch, |mv, scores| {
            assert_eq!((mv, scores), expected[visited], "{name}");
            visited += 1;
            if visited > stop {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        assert_eq!(visited, stop + 1, "{name} stops when told to");
        assert_eq!(*state, before, "{name}: the state is as it was");
        assert!(scratch == self.moves[..1], "{name}: and so is the scratch");
    }
}

/// A null move leaves a position that can be played on and taken back.
pub fn check_null_move<G: Subject>(game: &G, state: &mut G::State) {
    let before = state.clone();
    if let Some(undo) = game.play_null(state) {
        assert_ne!(game.hash(state), game.hash(&before));
        assert!(matches!(game.turn(state), Turn::Player(_)));
        let mut moves = Vec::new();
        game.moves(state, &mut Moves::new(&mut moves));
        assert!(!moves.is_empty());
        for &mv in moves.iter().step_by(moves.len() / 4 + 1) {
            let passed = state.clone();
            let undo = game.play(state, mv);
            game.undo(state, mv, undo);
            assert_eq!(*state, passed);
        }
        game.undo_null(state, undo);
    }
    assert_eq!(*state, before);
}
