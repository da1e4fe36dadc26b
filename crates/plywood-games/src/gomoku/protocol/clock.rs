//! How long to think.

use std::time::Duration;

/// What the manager has said about time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Clock {
    /// For a move; zero means as fast as possible.
    pub turn: Duration,
    /// For the whole game; `None` if there is no limit.
    pub game: Option<Duration>,
    /// What is left of the game; `None` if that was not said.
    pub left: Option<Duration>,
    /// What was used so far, by our own count.
    pub used: Duration,
    /// How late answers were of late.
    pub late: Duration,
}

impl Default for Clock {
    fn default() -> Self {
        Clock {
            turn: Duration::from_secs(30),
            game: None,
            left: None,
            used: Duration::ZERO,
            late: Duration::ZERO,
        }
    }
}

/// How long to think about one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Allowance {
    /// When the answer has to be there.
    pub most: Duration,
    /// When it is time to come to an end.
    pub enough: Duration,
    /// When to answer even if the search has not ended.
    pub latest: Duration,
}

/// What a move takes at least.
const LEAST: Duration = Duration::from_millis(5);

impl Clock {
    /// How long to think about a move with so many stones on the board.
    ///
    /// A fifth of the time for a move stays unused, at least 50 ms and at most 600 ms, for a
    /// machine with other things to do. With time for the whole game, a move gets its share of
    /// what is left. Where answers have been late, as much more stays unused.
    pub(super) fn allowance(&self, stones: u16) -> Allowance {
        if self.turn.is_zero() {
            let least = Duration::from_millis(20);
            return Allowance {
                most: least,
                enough: least,
                latest: least + least / 2,
            };
        }
        let margin = (self.turn / 5).clamp(Duration::from_millis(50), Duration::from_millis(600));
        let margin = (margin + self.late).min((self.turn / 2).max(margin));
        let mut most = self.turn.saturating_sub(margin);
        let mut enough = most;
        let mut least = LEAST;
        let counted = self.game.map(|game| game.saturating_sub(self.used));
        let left = match (self.left, counted) {
            (Some(left), Some(counted)) => Some(left.min(counted)),
            (left, counted) => left.or(counted),
        };
        if let Some(left) = left {
            // A twentieth of the game's time is kept for a long end game.
            let reserve = margin.max(self.game.unwrap_or_default() / 20);
            let safe = left.saturating_sub(reserve);
            least = least.min(left / 300);
            // A game has about so many more moves of ours: fewer the longer it has lasted.
            let moves = 24u32.saturating_sub(u32::from(stones) / 4).max(8);
            enough = enough.min(safe / moves * 3 / 2);
            most = most.min(safe / 5);
        }
        let most = most.max(least);
        // Two thirds of the margin for a search that is late, the rest for the answer itself.
        let patience = margin.min(self.turn.saturating_sub(most)) * 2 / 3;
        Allowance {
            most,
            enough: enough.min(most).max(least),
            latest: most + patience,
        }
    }

    /// Takes note of an answer that was out after so long, when it should have been after this.
    pub(super) fn answered(&mut self, after: Duration, expected: Duration) {
        self.used += after;
        // What was long ago counts less and less.
        self.late = (self.late * 3 / 4).max(after.saturating_sub(expected));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    #[test]
    fn a_move_leaves_a_margin() {
        for turn in [0.1, 0.5, 1.0, 5.0, 30.0, 300.0] {
            let clock = Clock {
                turn: seconds(turn),
                ..Clock::default()
            };
            let allowance = clock.allowance(10);
            assert!(allowance.most + seconds(0.049) <= seconds(turn), "{turn}");
            assert!(allowance.most >= seconds(turn * 0.49), "{turn}");
        }
    }

    /// However many moves there are and however long each takes, the game's time is not used up.
    #[test]
    fn a_whole_game_stays_within_its_time() {
        for (turn, game) in [(5.0, 120.0), (30.0, 180.0), (300.0, 1000.0), (1.0, 10.0)] {
            let mut clock = Clock {
                turn: seconds(turn),
                game: Some(seconds(game)),
                ..Clock::default()
            };
            for stones in (0..400).step_by(2) {
                let allowance = clock.allowance(stones);
                clock.used += allowance.most + seconds(0.001);
                assert!(clock.used < seconds(game), "{turn} {game} {stones}");
            }
        }
    }

    #[test]
    fn late_answers_make_the_next_ones_earlier() {
        let mut clock = Clock {
            turn: seconds(1.0),
            ..Clock::default()
        };
        let before = clock.allowance(10);
        assert!(before.most < before.latest && before.latest < seconds(1.0));
        clock.answered(before.most + seconds(0.1), before.most);
        let after = clock.allowance(10);
        assert_eq!(after.most, before.most - seconds(0.1));
        // However late they are half of the time is used.
        clock.answered(seconds(100.0), before.most);
        assert_eq!(clock.allowance(10).most, seconds(0.5));
        // And it is forgotten.
        for _ in 0..100 {
            clock.answered(seconds(0.1), seconds(0.1));
        }
        assert_eq!(clock.allowance(10).most, before.most);
    }

    #[test]
    fn what_the_manager_says_is_left_counts() {
        let clock = Clock {
            left: Some(seconds(2.0)),
            ..Clock::default()
        };
        assert!(clock.allowance(20).most <= seconds(0.4));
        let none = Clock {
            left: Some(Duration::ZERO),
            ..Clock::default()
        };
        assert!(none.allowance(20).most <= LEAST);
        let fast = Clock {
            turn: Duration::ZERO,
            ..Clock::default()
        };
        assert!(fast.allowance(20).most <= seconds(0.05));
    }
}
