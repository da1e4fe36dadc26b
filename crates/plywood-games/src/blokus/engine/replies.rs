//! Replies that were good the last time: what a colour that won has answered to a move, it
//! tries again after the same move, until a playout is lost with it.

use super::super::moves::Move;
use super::super::{ORIENTATIONS, State};

/// By colour and move before: the last good reply. Made when it is first needed.
#[derive(Debug, Default)]
pub(super) struct Replies {
    known: Vec<Move>,
    /// The playout so far: the move before, who moved, and its move.
    line: Vec<(Move, usize, Move)>,
}

impl Replies {
    /// Numbers of moves.
    const MOVES: usize = ORIENTATIONS << 9;

    /// Begins a playout. Returns the move before it, if that is known.
    pub fn begin<const COLOURS: usize>(&mut self, state: &State<COLOURS>) -> Move {
        if self.known.is_empty() {
            self.known = vec![Move::NONE; COLOURS * Self::MOVES];
        }
        self.line.clear();
        let turn = state.turn();
        let mut before = (1..COLOURS).map(|step| (turn + COLOURS - step) % COLOURS);
        let recent = before.find_map(|colour| state.recent(colour));
        recent.unwrap_or(Move::NONE)
    }

    fn place(colour: usize, before: Move) -> usize {
        colour * Self::MOVES + usize::from(before.number())
    }

    /// The good reply of a colour to a move, if it is legal now.
    #[inline]
    pub fn find<const COLOURS: usize>(
        &self,
        state: &State<COLOURS>,
        colour: usize,
        before: Move,
    ) -> Option<Move> {
        let known = self.known[Self::place(colour, before)];
        (known != Move::NONE && state.allows(colour, known)).then_some(known)
    }

    /// Notes a move of the playout.
    #[inline]
    pub fn note(&mut self, before: Move, colour: usize, mv: Move) {
        self.line.push((before, colour, mv));
    }

    /// Ends the playout: what the winners have replied was good, what the others have was not.
    /// Nobody has won a draw of all: else all would do the same again, and the same playout
    /// would come for ever.
    pub fn end<const COLOURS: usize>(&mut self, state: &State<COLOURS>) {
        let points: [i32; COLOURS] = std::array::from_fn(|colour| state.score(colour));
        let most = points.iter().copied().max().unwrap_or(0);
        let won = points.iter().any(|&own| own < most);
        for &(before, colour, mv) in &self.line {
            let known = &mut self.known[Self::place(colour, before)];
            if won && points[colour] == most {
                *known = mv;
            } else if *known == mv {
                *known = Move::NONE;
            }
        }
    }
}
