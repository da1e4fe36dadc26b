//! The table while games are played, for somebody who looks on.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::finished::Finished;
use super::plan::Plan;
use super::summary::summary;

/// How often the table is made anew.
const PERIOD: Duration = Duration::from_millis(300);

/// A bar and a table on standard error if that is a terminal, and nothing if not.
pub struct Live<'p> {
    plan: &'p Plan,
    bar: ProgressBar,
    drawn: Option<Instant>,
}

impl<'p> Live<'p> {
    /// Nothing is shown yet.
    pub fn new(plan: &'p Plan) -> Self {
        let target = ProgressDrawTarget::stderr();
        let bar = ProgressBar::with_draw_target(Some(u64::from(plan.games)), target);
        let style = "{bar:30} {pos}/{len} games, {elapsed} gone, {eta} to go\n{msg}";
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_secs(1));
        Live {
            plan,
            bar,
            drawn: None,
        }
    }

    /// Shows the games so far.
    pub fn show(&mut self, games: &[Finished]) {
        self.bar.set_position(games.len() as u64);
        if self.drawn.is_none() {
            // Games of an earlier run say nothing about how fast this one is.
            self.bar.reset_eta();
        }
        let due = self.drawn.is_none_or(|drawn| drawn.elapsed() >= PERIOD);
        if due && !self.bar.is_hidden() {
            self.bar.set_message(summary(self.plan, games, false));
            self.drawn = Some(Instant::now());
        }
    }

    /// Clears the screen for the final table.
    pub fn end(self) {
        self.bar.finish_and_clear();
    }
}
