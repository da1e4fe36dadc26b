//! A whole game, move by move, and back again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plywood::Turn;
use plywood_fuzz::{
    Bytes, GameVisitor, HEADER, Subject, check_children, check_drawings, check_null_move,
    check_position, check_texts, with_game,
};

/// Every byte behind the game chooses a move, two where there are many; bytes that are
/// missing are drawn.
struct Play<'a> {
    bytes: Bytes<'a>,
}

impl GameVisitor for Play<'_> {
    fn visit<G: Subject>(mut self, game: G) {
        let mut state = game.start();
        let mut played = Vec::new();
        loop {
            let moves = check_position(&game, &state);
            check_texts(&game, &state, &moves);
            if moves.is_empty() {
                break;
            }
            // All children of all positions would be too many where there are many moves.
            let ply = played.len();
            if game.turn(&state) != Turn::Chance && ply.is_multiple_of(1 + moves.len() / 16) {
                check_children(&game, &mut state, &moves);
                check_null_move(&game, &mut state);
            }
            if ply.is_multiple_of(16) {
                check_drawings(&game, &state);
            }
            let mv = moves[self.bytes.below(moves.len())];
            let before = state.clone();
            let undo = game.play(&mut state, mv);
            played.push((before, mv, undo));
        }
        while let Some((before, mv, undo)) = played.pop() {
            game.undo(&mut state, mv, undo);
            assert_eq!(state, before);
            assert_eq!(game.hash(&state), game.hash(&before));
            assert_eq!(game.turn(&state), game.turn(&before));
        }
        assert_eq!(game.write_state(&state), game.write_state(&game.start()));
    }
}

fuzz_target!(|data: &[u8]| {
    let bytes = Bytes::new(data.get(HEADER..).unwrap_or_default());
    with_game(&mut Bytes::new(data), Play { bytes });
});
