//! Searchers that are not needed now but may be needed again: what they remember makes the
//! next search faster, and some take long to make.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use plywood_games::registry::{AnyGame, AnySearcher};

use crate::failure::Failure;
use crate::way::Chosen;

/// How many searchers are kept.
const MOST_KEPT: usize = 8;

/// How much memory they may keep, in bytes.
const MOST_BYTES: usize = 512 << 20;

/// Searchers by game and by how they were made, the one used last at the end.
#[derive(Default)]
pub(crate) struct Pool {
    kept: Mutex<VecDeque<Kept>>,
}

struct Kept {
    game: String,
    key: String,
    bytes: usize,
    searcher: Box<dyn AnySearcher>,
}

impl Pool {
    fn lock(&self) -> MutexGuard<'_, VecDeque<Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something with a searcher, one that was kept or a new one. It is kept
    /// afterwards, unless something panics.
    pub(crate) fn with<T>(
        &self,
        game: &dyn AnyGame,
        chosen: &Chosen,
        work: impl FnOnce(&mut dyn AnySearcher) -> T,
    ) -> Result<T, Failure> {
        let key = chosen.key();
        let mut searcher = match self.take(game.spec(), &key) {
            Some(searcher) => searcher,
            None => chosen.searcher(game)?,
        };
        let answer = work(&mut *searcher);
        self.keep(Kept {
            game: game.spec().to_owned(),
            key,
            bytes: chosen.memory,
            searcher,
        });
        Ok(answer)
    }

    /// Whether there is one that nobody uses.
    pub(crate) fn has(&self, game: &dyn AnyGame, chosen: &Chosen) -> bool {
        let key = chosen.key();
        let kept = self.lock();
        kept.iter().any(|k| k.game == game.spec() && k.key == key)
    }

    fn take(&self, game: &str, key: &str) -> Option<Box<dyn AnySearcher>> {
        let mut kept = self.lock();
        let at = kept.iter().rposition(|k| k.game == game && k.key == key)?;
        kept.remove(at).map(|kept| kept.searcher)
    }

    fn keep(&self, searcher: Kept) {
        let mut kept = self.lock();
        kept.push_back(searcher);
        let mut dropped = Vec::new();
        while kept.len() > MOST_KEPT || kept.iter().map(|k| k.bytes).sum::<usize>() > MOST_BYTES {
            dropped.extend(kept.pop_front());
        }
        drop(kept);
        // Giving memory back takes time: not while others wait.
        drop(dropped);
    }
}
