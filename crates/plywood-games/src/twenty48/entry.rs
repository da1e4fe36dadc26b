//! How 2048 is listed among the games.

use std::ops::ControlFlow;
use std::path::Path;

use plywood::{Evaluate, Reply, Settings};

use crate::registry::{AnySearcher, Choices, Entry, Erased, Evaluation};
use crate::text::TextError;

use super::network::Network;
use super::{
    Board, BoardOnly, EmptyCells, Heuristic, Move, Position, Report, Smooth, Twenty48, WithScore,
    Zero,
};

/// All heuristics in one type.
enum Plain {
    Smooth(Smooth),
    Report(Report),
    Empty,
    Zero,
}

impl Heuristic for Plain {
    #[inline]
    fn value(&self, board: Board) -> i32 {
        match self {
            Plain::Smooth(smooth) => smooth.value(board),
            Plain::Report(report) => report.value(board),
            Plain::Empty => EmptyCells.value(board),
            Plain::Zero => Zero.value(board),
        }
    }

    #[inline]
    fn stuck(&self, board: Board) -> i32 {
        match self {
            Plain::Smooth(smooth) => smooth.stuck(board),
            Plain::Report(report) => report.stuck(board),
            Plain::Empty => EmptyCells.stuck(board),
            Plain::Zero => Zero.stuck(board),
        }
    }

    #[inline]
    fn replies(
        &self,
        game: &Twenty48,
        board: Board,
        score: Option<u32>,
        visit: impl FnMut(f64, Reply<[i32; 1]>) -> ControlFlow<()>,
    ) -> bool {
        match self {
            Plain::Smooth(smooth) => smooth.replies(game, board, score, visit),
            Plain::Report(report) => report.replies(game, board, score, visit),
            Plain::Empty => EmptyCells.replies(game, board, score, visit),
            Plain::Zero => Zero.replies(game, board, score, visit),
        }
    }
}

/// All evaluations in one type: the searches are compiled once for all of them, and a branch
/// that always goes the same way costs next to nothing.
enum Mixed {
    Board(BoardOnly<Plain>),
    Score(WithScore<Plain>),
    Network(Network),
}

impl Evaluate<Twenty48> for Mixed {
    #[inline]
    fn evaluate(&self, game: &Twenty48, position: &Position) -> [i32; 1] {
        match self {
            Mixed::Board(plain) => plain.evaluate(game, position),
            Mixed::Score(plain) => plain.evaluate(game, position),
            Mixed::Network(network) => network.evaluate(game, position),
        }
    }

    #[inline]
    fn finished(&self, game: &Twenty48, position: &Position) -> [i32; 1] {
        match self {
            Mixed::Board(plain) => plain.finished(game, position),
            Mixed::Score(plain) => plain.finished(game, position),
            Mixed::Network(network) => network.finished(game, position),
        }
    }

    #[inline]
    fn key(&self, game: &Twenty48, position: &Position) -> u64 {
        match self {
            Mixed::Board(plain) => plain.key(game, position),
            Mixed::Score(plain) => plain.key(game, position),
            Mixed::Network(network) => network.key(game, position),
        }
    }

    #[inline]
    fn is_slow(&self) -> bool {
        match self {
            Mixed::Board(_) | Mixed::Score(_) => false,
            Mixed::Network(network) => Evaluate::<Twenty48>::is_slow(network),
        }
    }

    #[inline]
    fn children(
        &self,
        game: &Twenty48,
        position: &mut Position,
        scratch: &mut Vec<Move>,
        visit: impl FnMut(Move, [i32; 1]) -> ControlFlow<()>,
    ) {
        match self {
            Mixed::Board(plain) => plain.children(game, position, scratch, visit),
            Mixed::Score(plain) => plain.children(game, position, scratch, visit),
            Mixed::Network(network) => network.children(game, position, scratch, visit),
        }
    }

    #[inline]
    fn replies(
        &self,
        game: &Twenty48,
        position: &Position,
        visit: impl FnMut(f64, Reply<[i32; 1]>) -> ControlFlow<()>,
    ) -> bool {
        match self {
            Mixed::Board(plain) => plain.replies(game, position, visit),
            Mixed::Score(plain) => plain.replies(game, position, visit),
            Mixed::Network(network) => network.replies(game, position, visit),
        }
    }
}

type Made = Result<Box<dyn AnySearcher>, TextError>;

fn board(game: &Erased<Twenty48>, plain: Plain, settings: Settings) -> Made {
    game.searcher_with(Mixed::Board(BoardOnly(plain)), settings)
}

fn score(game: &Erased<Twenty48>, plain: Plain, settings: Settings) -> Made {
    game.searcher_with(Mixed::Score(WithScore(plain)), settings)
}

impl Entry for Twenty48 {
    const NAME: &'static str = "2048";
    const SUMMARY: &'static str = "sliding tiles that merge, against chance";
    const EVALUATIONS: &'static [Evaluation<Self>] = &[
        Evaluation::made_by(
            "network",
            "the score to expect, learnt; network:FILE takes yours",
            |game, settings| game.searcher_with(Mixed::Network(Network::built_in()), settings),
        )
        .or_from(|game, file, settings| {
            let network = Network::load(Path::new(file))?;
            game.searcher_with(Mixed::Network(network), settings)
        }),
        Evaluation::made_by(
            "smooth",
            "lines that run one way, room and merges",
            |game, settings| board(game, Plain::Smooth(Smooth::default()), settings),
        ),
        Evaluation::made_by(
            "smooth+score",
            "smooth and the score so far",
            |game, settings| score(game, Plain::Smooth(Smooth::default()), settings),
        ),
        Evaluation::made_by(
            "report",
            "weighted tiles, room, differences in rows",
            |game, settings| board(game, Plain::Report(Report::default()), settings),
        ),
        Evaluation::made_by(
            "report+score",
            "report and the score so far",
            |game, settings| score(game, Plain::Report(Report::default()), settings),
        ),
        Evaluation::made_by("empty", "the number of empty cells", |game, settings| {
            board(game, Plain::Empty, settings)
        }),
        Evaluation::made_by(
            "empty+score",
            "empty and the score so far",
            |game, settings| score(game, Plain::Empty, settings),
        ),
        Evaluation::made_by("zero", "nothing", |game, settings| {
            board(game, Plain::Zero, settings)
        }),
        Evaluation::made_by("zero+score", "the score so far", |game, settings| {
            score(game, Plain::Zero, settings)
        }),
    ];
    const SEARCH: &'static str = "expectimax";
    const EXAMPLE: &'static str = "128,32,8,8/2,8,.,2/4,2,.,./.,.,4,. score=780";

    fn choose(_: &Choices) -> Result<Self, TextError> {
        Ok(Twenty48::new())
    }
}
