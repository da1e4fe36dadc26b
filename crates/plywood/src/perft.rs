//! Counting the lines of play of a given length: the test that move generation is right.

use crate::game::{Chances, Game, Moves, Turn};

/// The number of sequences of exactly `depth` moves (chance events count as moves) from
/// this position; a finished game is not extended. The last ply is counted, not played.
pub fn perft<G: Game>(game: &G, state: &G::State, depth: u32) -> u64 {
    let mut buffers = Buffers {
        moves: Vec::with_capacity(1024),
        probabilities: Vec::new(),
    };
    count(game, &mut state.clone(), depth, &mut buffers)
}

struct Buffers<M> {
    moves: Vec<M>,
    probabilities: Vec<f64>,
}

fn count<G: Game>(
    game: &G,
    state: &mut G::State,
    depth: u32,
    buffers: &mut Buffers<G::Move>,
) -> u64 {
    if depth == 0 {
        return 1;
    }
    let start = buffers.moves.len();
    match game.turn(state) {
        Turn::Over => return 0,
        Turn::Player(_) if depth == 1 => {
            return game.count_moves(state, &mut buffers.moves) as u64;
        }
        Turn::Player(_) => game.moves(state, &mut Moves::new(&mut buffers.moves)),
        Turn::Chance => {
            game.chances(
                state,
                &mut Chances::new(&mut buffers.moves, &mut buffers.probabilities),
            );
            buffers.probabilities.clear();
        }
    }
    let end = buffers.moves.len();
    let mut lines = 0;
    if depth == 1 {
        lines = (end - start) as u64;
    } else {
        for index in start..end {
            let mv = buffers.moves[index];
            let undo = game.play(state, mv);
            lines += count(game, state, depth - 1, buffers);
            game.undo(state, mv, undo);
        }
    }
    buffers.moves.truncate(start);
    lines
}
