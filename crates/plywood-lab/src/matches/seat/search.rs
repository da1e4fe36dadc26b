//! A player who searches.

use plywood::Limits;
use plywood_games::registry::AnySearcher;

use super::{Choice, House, NoMove, Player, Table};
use crate::matches::player::SearchLimits;

pub(in crate::matches) struct SearchPlayer {
    searcher: Box<dyn AnySearcher>,
    limits: Limits,
    house: House,
}

impl SearchPlayer {
    pub fn new(searcher: Box<dyn AnySearcher>, limits: &SearchLimits, house: &House) -> Self {
        SearchPlayer {
            searcher,
            limits: limits.limits().with_stop(house.stop.clone()),
            house: house.clone(),
        }
    }

    pub fn forget(&mut self) {
        self.searcher.forget();
    }
}

impl Player for SearchPlayer {
    fn choose(&mut self, table: &Table<'_>) -> Result<Choice, NoMove> {
        let report = self.searcher.search(&table.now, &self.limits, &mut |_| {});
        // A search that was cut short answers too, but not what it would have answered.
        if self.house.is_stopped() {
            return Err(NoMove::Stopped);
        }
        Ok(Choice {
            mv: report.best.expect("whoever is to move has a move"),
            nodes: report.nodes.total(),
            depth: Some(report.depth),
            cpu: Some(report.cpu),
            wall: Some(report.elapsed),
        })
    }
}
