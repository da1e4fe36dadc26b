//! Before the search, or beside it: is there a win by threats?

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use plywood::{Limits, MAX_DEPTH};

use super::super::patterns::PatternBoard;
use super::super::threat_search::{self, Answer, Proof, prove_by_fours, prove_by_threats};
use super::control::Control;

/// Looks for a win by threats with a part of what a search may use.
pub(super) struct Prover<'a> {
    pub board: &'a PatternBoard,
    pub control: &'a Control,
    /// The positions it may look at, before they are divided.
    most: u64,
    time: Option<Duration>,
    memory: usize,
}

/// What a [`Prover`] has found, and how many positions it has looked at.
#[derive(Debug, Default)]
pub(super) struct Proved {
    pub proof: Option<Proof>,
    pub nodes: u64,
    /// Whether it is known that there is no win by fours, and by threats.
    none: [bool; 2],
}

/// How a win is looked for.
#[derive(Clone, Copy)]
enum By {
    Fours,
    Threats,
}

impl<'a> Prover<'a> {
    /// One that may use a part of these limits and so much memory.
    pub(super) fn new(
        board: &'a PatternBoard,
        control: &'a Control,
        limits: &Limits,
        enough: Option<Duration>,
        memory: usize,
    ) -> Self {
        let time = match (enough, control.left()) {
            (Some(enough), Some(left)) => Some(enough.min(left)),
            (enough, left) => enough.or(left),
        };
        let mut most = control.nodes_left();
        if time.is_none() && limits.nodes.is_none() {
            // By depth alone: an effort that grows with it.
            let depth = limits.depth.unwrap_or(MAX_DEPTH).min(20);
            most = 1000 << depth.min(14);
        }
        Prover {
            board,
            control,
            most,
            time,
            memory,
        }
    }

    /// Looks for a win before the search begins.
    pub(super) fn before(&self) -> Proved {
        let mut proved = Proved::default();
        self.look(u64::MAX, self.control.outside(), &mut proved);
        proved
    }

    /// Looks for a win while other threads search: for a little while whatever they find, then
    /// as long as they search. To wait for more would be to have one thread work and the rest
    /// not.
    pub(super) fn beside(&self) -> Proved {
        /// So many positions take some milliseconds.
        const A_LITTLE: u64 = 2000;
        let mut proved = Proved::default();
        self.look(A_LITTLE, self.control.outside(), &mut proved);
        self.look(u64::MAX, Some(self.control.stop_flag()), &mut proved);
        proved
    }

    /// Looks for what is not known yet, at no more than so many positions of each kind.
    fn look(&self, most: u64, stop: Option<Arc<AtomicBool>>, so_far: &mut Proved) {
        for (by, share) in [(By::Fours, 8), (By::Threats, 10)] {
            if so_far.proof.is_some() || so_far.none[by as usize] {
                continue;
            }
            let limits = threat_search::Limits {
                any: true,
                nodes: Some((self.most / share).min(most)),
                time: self.time.map(|time| time / share as u32),
                until: self.control.deadline(),
                stop: stop.clone(),
                moves: None,
                memory: Some(self.memory),
            };
            let solution = match by {
                By::Fours => prove_by_fours(self.board, &limits),
                By::Threats => prove_by_threats(self.board, &limits),
            };
            so_far.nodes += solution.nodes;
            match solution.answer {
                Answer::Wins { proof, .. } => so_far.proof = Some(proof),
                Answer::None => so_far.none[by as usize] = true,
                Answer::Unknown => {}
            }
        }
    }
}
