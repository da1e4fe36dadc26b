//! A quick search for a win by fours, at the end of every line of the search.

use super::super::patterns::Class;
use super::super::threat_search::stopping;
use super::super::{Colour, Point};
use super::control::Stopped;
use super::worker::Worker;

/// The longest win by fours that is looked for within the search.
const FOURS_DEEP: i32 = 16;

impl Worker<'_> {
    /// A win by fours, if one is found at once: its moves and the first of them.
    pub(super) fn win_by_fours(&mut self, depth: i32) -> Result<Option<(i32, Point)>, Stopped> {
        let player = self.board.to_move();
        let any = self.board.count(player, Class::Four)
            + self.board.count(player, Class::FourThree)
            + self.board.count(player, Class::PerhapsForbidden);
        if any == 0 {
            return Ok(None);
        }
        let mut budget = 40 + 40 * depth.clamp(0, 20);
        self.fours(player, FOURS_DEEP, &mut budget)
    }

    fn fours(
        &mut self,
        player: Colour,
        moves: i32,
        budget: &mut i32,
    ) -> Result<Option<(i32, Point)>, Stopped> {
        let opponent = player.other();
        if let Some(point) = self.board.fives(player).first() {
            return Ok(Some((1, point)));
        }
        let forced = match self.board.count(opponent, Class::Five) {
            0 => None,
            1 => self.board.fives(opponent).first(),
            _ => return Ok(None),
        };
        if forced.is_none()
            && let Some(point) = self.board.points(player, Class::OpenFour).first()
        {
            return Ok(Some((2, point)));
        }
        if moves < 3 {
            return Ok(None);
        }
        let fours = self.board.fours(player);
        if let Some(forced) = forced {
            return if fours.contains(forced) {
                self.four(player, forced, moves, budget)
            } else {
                Ok(None)
            };
        }
        let strong = fours.and(self.board.points(player, Class::FourThree));
        let mut weak = fours.without(&strong);
        let alone = fours.len() == 1;
        weak.retain(|point| self.board.four_goes_on(player, point, alone));
        for points in [strong, weak] {
            for point in points.iter() {
                let found = self.four(player, point, moves, budget)?;
                if found.is_some() || *budget <= 0 {
                    return Ok(found);
                }
            }
        }
        Ok(None)
    }

    /// Whether this four, and what follows, wins.
    fn four(
        &mut self,
        player: Colour,
        point: Point,
        moves: i32,
        budget: &mut i32,
    ) -> Result<Option<(i32, Point)>, Stopped> {
        *budget -= 1;
        self.counts.leaf += 1;
        self.count_node()?;
        self.board.play(point);
        let length = match stopping(&self.board, player) {
            None => Ok(Some(2)),
            Some(stop) => {
                self.board.play(stop);
                let found = self.fours(player, moves - 1, budget);
                self.board.undo();
                found.map(|found| found.map(|(moves, _)| moves + 1))
            }
        };
        self.board.undo();
        Ok(length?.map(|length| (length, point)))
    }
}
