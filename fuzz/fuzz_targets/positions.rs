//! Any text as a position: what is read is written back the same and can be played.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plywood::Turn;
use plywood_fuzz::{
    Bytes, GameVisitor, Subject, check_children, check_drawings, check_error, check_null_move,
    check_position, check_texts, with_game,
};

struct Read {
    text: String,
}

impl GameVisitor for Read {
    fn visit<G: Subject>(self, game: G) {
        let mut state = match game.read_state(&self.text) {
            Ok(state) => state,
            Err(error) => return check_error(&error),
        };
        let moves = check_position(&game, &state);
        check_texts(&game, &state, &moves);
        check_drawings(&game, &state);
        if moves.is_empty() {
            return;
        }
        if let Turn::Player(_) = game.turn(&state) {
            check_null_move(&game, &mut state);
            check_children(&game, &mut state, &moves);
        }
        let mv = moves[self.text.len() % moves.len()];
        let before = state.clone();
        let undo = game.play(&mut state, mv);
        let moves = check_position(&game, &state);
        check_texts(&game, &state, &moves);
        game.undo(&mut state, mv, undo);
        assert_eq!(state, before);
    }
}

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes::new(data);
    let text = Bytes::new(data.get(plywood_fuzz::HEADER..).unwrap_or_default()).text();
    with_game(&mut bytes, Read { text });
});
