//! How moves did in all playouts, wherever they were made.

use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};

use crate::game::Seat;

/// By seat and move: how often the move was made in any playout, and the rewards of these
/// playouts for whoever made it.
pub(super) struct History {
    made: Box<[Made]>,
}

#[derive(Default)]
struct Made {
    sum: AtomicI64,
    times: AtomicU32,
}

impl History {
    const MOVES: usize = 1 << 16;

    /// For so many players; for none where nobody asks.
    pub fn new(players: usize) -> Self {
        let made = (0..players * Self::MOVES).map(|_| Made::default());
        History {
            made: made.collect(),
        }
    }

    fn made(&self, seat: Seat, mv: u16) -> &Made {
        &self.made[seat.index() * Self::MOVES + usize::from(mv)]
    }

    /// Notes a move of a playout with this reward.
    pub fn add(&self, seat: Seat, mv: u16, reward: i64) {
        let made = self.made(seat, mv);
        made.sum.fetch_add(reward, Ordering::Relaxed);
        made.times.fetch_add(1, Ordering::Relaxed);
    }

    /// The average reward of a move, if it was ever made.
    pub fn average(&self, seat: Seat, mv: u16) -> Option<f64> {
        let made = self.made(seat, mv);
        let times = made.times.load(Ordering::Relaxed);
        (times > 0).then(|| made.sum.load(Ordering::Relaxed) as f64 / f64::from(times))
    }
}
