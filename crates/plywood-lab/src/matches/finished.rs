//! A game that has ended, as it is kept.

use serde::{Deserialize, Serialize};

/// A game that has ended: one line of `games.jsonl`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Finished {
    /// Its number in the match, from 0.
    pub game: u32,
    /// Which opening it was played from, from 0: games of a block belong together.
    pub block: u32,
    /// Who sat in every seat, by the number in the list of players.
    pub seats: Vec<usize>,
    /// The position at the start as text; empty for the start of the game.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub start: String,
    /// How many of the moves were the opening, which nobody chose.
    pub opening: usize,
    /// All moves, and what chance did, from the start on.
    pub moves: Vec<String>,
    /// How it ended.
    pub end: End,
    /// What it cost in every seat.
    pub costs: Vec<Cost>,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// By the rules, with these scores by seat.
    Scores(Vec<i32>),
    /// A player could not go on.
    Fault(Fault),
}

/// Why a player could not go on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fault {
    /// Its seat.
    pub seat: usize,
    /// What it did.
    pub kind: FaultKind,
    /// What is known of it, on one line.
    pub note: String,
}

/// What a player did that ended a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// The program ended, or could not be started.
    Crash,
    /// It answered a move that the rules do not allow.
    Illegal,
    /// It answered something, but no move.
    Garbage,
    /// It took longer than it may.
    Time,
    /// It said that it cannot play this game.
    Refused,
}

impl FaultKind {
    /// All of them.
    pub const ALL: [FaultKind; 5] = [
        FaultKind::Crash,
        FaultKind::Illegal,
        FaultKind::Garbage,
        FaultKind::Time,
        FaultKind::Refused,
    ];

    /// Its name, as it is written in records.
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::Crash => "crash",
            FaultKind::Illegal => "illegal",
            FaultKind::Garbage => "garbage",
            FaultKind::Time => "time",
            FaultKind::Refused => "refused",
        }
    }

    /// Whether it can happen only in the player's own turn.
    pub(super) fn needs_turn(self) -> bool {
        self == FaultKind::Illegal
    }

    /// The one of this name.
    pub fn named(name: &str) -> Option<Self> {
        FaultKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// What the moves in a seat cost; times in microseconds.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Cost {
    /// Moves it chose.
    pub moves: u32,
    /// Nodes it searched, where known.
    pub nodes: u64,
    /// The depth that each of its moves was searched to, where known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depths: Vec<u32>,
    /// Wall time of all moves.
    pub wall_us: u64,
    /// Wall time of the slowest move.
    pub slowest_us: u64,
    /// Processor time of all moves, where known.
    pub cpu_us: Option<u64>,
    /// What a program said besides its moves: errors and oddities, the first few.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl Finished {
    /// The share of the win in every seat: 1 for the winner, shared where several have the
    /// best score, so that a draw of two is a half each. Whoever could not go on gets nothing,
    /// and the others share.
    pub fn win_shares(&self) -> Vec<f64> {
        let seats = self.seats.len();
        let wins: Vec<bool> = match &self.end {
            End::Scores(scores) => {
                let best = scores.iter().max();
                scores.iter().map(|score| Some(score) == best).collect()
            }
            End::Fault(fault) => (0..seats).map(|seat| seat != fault.seat).collect(),
        };
        let winners = wins.iter().filter(|&&win| win).count().max(1);
        wins.iter()
            .map(|&win| if win { 1.0 / winners as f64 } else { 0.0 })
            .collect()
    }

    /// The scores by seat, unless somebody could not go on.
    pub fn scores(&self) -> Option<&[i32]> {
        match &self.end {
            End::Scores(scores) => Some(scores),
            End::Fault(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_share_the_win() {
        let game = |end| Finished {
            game: 0,
            block: 0,
            seats: vec![0, 1, 2, 3],
            start: String::new(),
            opening: 0,
            moves: Vec::new(),
            end,
            costs: Vec::new(),
        };
        let shares = |scores: [i32; 4]| game(End::Scores(scores.to_vec())).win_shares();
        assert_eq!(shares([1, 5, 3, 2]), [0.0, 1.0, 0.0, 0.0]);
        assert_eq!(shares([5, 5, 3, 2]), [0.5, 0.5, 0.0, 0.0]);
        let fault = Fault {
            seat: 2,
            kind: FaultKind::Crash,
            note: String::new(),
        };
        let third = 1.0 / 3.0;
        let shares = game(End::Fault(fault)).win_shares();
        assert_eq!(shares, [third, third, 0.0, third]);
    }
}
