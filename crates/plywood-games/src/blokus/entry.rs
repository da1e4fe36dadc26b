//! How Blokus is listed among the games, once for each number of colours.

use std::ops::ControlFlow;

use plywood::Evaluate;

use crate::registry::{Choices, Entry, Evaluation, OwnEngine};
use crate::text::TextError;

use super::engine::{Player, TREE_BYTES};
use super::moves::Move;
use super::state::State;
use super::{Blokus, Classic, Duo, Lead, LiveCorners, ReportCorners, SquaresPlaced};

/// All evaluations in one type: the searches are compiled once for all of them, and a branch
/// that always goes the same way costs next to nothing.
enum Chosen {
    Live,
    Report,
    Squares,
}

impl<const COLOURS: usize> Evaluate<Blokus<COLOURS>> for Chosen {
    #[inline]
    fn evaluate(&self, game: &Blokus<COLOURS>, state: &State<COLOURS>) -> [i32; COLOURS] {
        match self {
            Chosen::Live => LiveCorners.evaluate(game, state),
            Chosen::Report => ReportCorners.evaluate(game, state),
            Chosen::Squares => SquaresPlaced.evaluate(game, state),
        }
    }

    #[inline]
    fn finished(&self, game: &Blokus<COLOURS>, state: &State<COLOURS>) -> [i32; COLOURS] {
        match self {
            Chosen::Live => LiveCorners.finished(game, state),
            Chosen::Report => ReportCorners.finished(game, state),
            Chosen::Squares => SquaresPlaced.finished(game, state),
        }
    }

    fn bounded_sum(&self, game: &Blokus<COLOURS>) -> Option<i32> {
        match self {
            Chosen::Live => LiveCorners.bounded_sum(game),
            Chosen::Report => ReportCorners.bounded_sum(game),
            Chosen::Squares => SquaresPlaced.bounded_sum(game),
        }
    }

    #[inline]
    fn key(&self, game: &Blokus<COLOURS>, state: &State<COLOURS>) -> u64 {
        match self {
            Chosen::Live => LiveCorners.key(game, state),
            Chosen::Report => ReportCorners.key(game, state),
            Chosen::Squares => SquaresPlaced.key(game, state),
        }
    }

    #[inline]
    fn children(
        &self,
        game: &Blokus<COLOURS>,
        state: &mut State<COLOURS>,
        scratch: &mut Vec<Move>,
        visit: impl FnMut(Move, [i32; COLOURS]) -> ControlFlow<()>,
    ) {
        match self {
            Chosen::Live => LiveCorners.children(game, state, scratch, visit),
            Chosen::Report => ReportCorners.children(game, state, scratch, visit),
            Chosen::Squares => SquaresPlaced.children(game, state, scratch, visit),
        }
    }
}

/// The engines: tree search, what else there is for this many colours, and the levels.
macro_rules! engines {
    ($($other:expr),*) => {
        &[
            OwnEngine::made_by(
                "mcts",
                "Monte-Carlo tree search, as strong as it can",
                Player::make,
            )
            .growing_to(TREE_BYTES),
            $($other,)*
            OwnEngine::made_by(
                "level-1",
                "the same, for a beginner to beat",
                Player::make_level::<1>,
            ),
            OwnEngine::made_by("level-2", "a little stronger", Player::make_level::<2>),
            OwnEngine::made_by("level-3", "a little stronger", Player::make_level::<3>),
            OwnEngine::made_by("level-4", "a little stronger", Player::make_level::<4>),
            OwnEngine::made_by("level-5", "a little stronger", Player::make_level::<5>),
            OwnEngine::made_by(
                "level-6",
                "at most 3,000 playouts a move",
                Player::make_level::<6>,
            ),
            OwnEngine::made_by(
                "level-7",
                "at most 10,000 playouts a move",
                Player::make_level::<7>,
            ),
            OwnEngine::made_by(
                "level-8",
                "at most 40,000 playouts a move",
                Player::make_level::<8>,
            ),
            OwnEngine::made_by("level-9", "mcts by another name", Player::make)
                .growing_to(TREE_BYTES),
        ]
    };
}

impl Entry for Classic {
    const NAME: &'static str = "blokus";
    const SUMMARY: &'static str = "four colours place pieces corner to corner on 20 x 20 cells";
    const EVALUATIONS: &'static [Evaluation<Self>] = &[
        Evaluation::made_by(
            "live-corners",
            "squares placed and corner cells",
            |game, settings| game.searcher_with(Chosen::Live, settings),
        ),
        Evaluation::made_by(
            "report",
            "the same, corners as of the own last move",
            |game, settings| game.searcher_with(Chosen::Report, settings),
        ),
        Evaluation::made_by(
            "squares",
            "the points so far; MaxN prunes with it",
            |game, settings| game.searcher_with(Chosen::Squares, settings),
        ),
    ];
    const SEARCH: &'static str = "maxn";
    const ENGINES: &'static [OwnEngine<Self>] = engines!(
        OwnEngine::made_by(
            "mcts-paranoid",
            "the same, with all others against it",
            Player::make_paranoid
        )
        .growing_to(TREE_BYTES)
    );
    const EXAMPLE: &'static str = "turn=B B=a20,b20,b19,c19,b18 Y=t20,s20,s19,r19,s18 \
         R=t1,s1,s2,r2,s3 G=a1,b1,b2,c2,b3";

    fn choose(_: &Choices) -> Result<Self, TextError> {
        Ok(Classic::new())
    }
}

impl Entry for Duo {
    const NAME: &'static str = "blokus-duo";
    const SUMMARY: &'static str = "Blokus for two colours on 14 x 14 cells";
    // Searches for two players want what one wins to be what the other loses.
    const EVALUATIONS: &'static [Evaluation<Self>] = &[
        Evaluation::made_by(
            "live-corners",
            "the lead in squares placed and corner cells",
            |game, settings| game.searcher_with(Lead(Chosen::Live), settings),
        ),
        Evaluation::made_by(
            "report",
            "the same, corners as of the own last move",
            |game, settings| game.searcher_with(Lead(Chosen::Report), settings),
        ),
        Evaluation::made_by("squares", "the lead in points so far", |game, settings| {
            game.searcher_with(Lead(Chosen::Squares), settings)
        }),
    ];
    const SEARCH: &'static str = "alphabeta";
    const ENGINES: &'static [OwnEngine<Self>] = engines!();
    const EXAMPLE: &'static str = "turn=B B=e12,d11,e11,f11,e10/c9,d9,b8,c8,c7 \
         W=j7,i6,j6,k6,j5/f6,f5,g5,h5,g4";

    fn choose(_: &Choices) -> Result<Self, TextError> {
        Ok(Duo::new())
    }
}
