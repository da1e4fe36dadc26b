//! Any text as a move in a position of a random game: what is read is legal.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plywood_fuzz::{
    Bytes, GameVisitor, HEADER, Subject, check_error, check_position, list_moves, with_game,
};

/// Behind the game: how many moves to play, and the byte that each of them is drawn from.
struct Type<'a> {
    rest: &'a [u8],
}

impl GameVisitor for Type<'_> {
    fn visit<G: Subject>(self, game: G) {
        let Some((&count, rest)) = self.rest.split_first() else {
            return;
        };
        let count = usize::from(count.wrapping_sub(b'0')).min(rest.len());
        let (choices, text) = rest.split_at(count);
        let mut state = game.start();
        let mut bytes = Bytes::new(choices);
        let mut moves = list_moves(&game, &state);
        for _ in 0..count {
            if moves.is_empty() {
                break;
            }
            let mv = moves[bytes.below(moves.len())];
            game.play(&mut state, mv);
            moves = list_moves(&game, &state);
        }
        let text = Bytes::new(text).text();
        let mv = match game.read_move(&state, &text) {
            Ok(mv) => mv,
            Err(error) => return check_error(&error),
        };
        let listed = moves.contains(&mv);
        assert!(!moves.is_empty(), "{text:?} is read, but nobody is to move");
        assert!(
            listed || G::MORE_THAN_LISTED,
            "{text:?} is not a legal move"
        );
        let written = game.write_move(&state, mv);
        assert!(!written.chars().any(char::is_control), "{written:?}");
        assert_eq!(game.read_move(&state, &written), Ok(mv), "{written:?}");
        let before = state.clone();
        let undo = game.play(&mut state, mv);
        check_position(&game, &state);
        game.undo(&mut state, mv, undo);
        assert_eq!(state, before);
    }
}

fuzz_target!(|data: &[u8]| {
    let rest = data.get(HEADER..).unwrap_or_default();
    with_game(&mut Bytes::new(data), Type { rest });
});
