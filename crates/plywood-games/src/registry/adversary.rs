//! Chance as somebody who wants the worst.

use plywood::{Limits, Settings, Strategy};

use super::any_game::{AnyGame, Position};

/// What the worst is that chance can do for the player who moves next, as a search two moves
/// deep sees it; among equals the first. `None` if it is not chance's turn.
pub fn worst_event(game: &dyn AnyGame, position: &Position) -> Option<String> {
    let settings = Settings {
        strategy: Strategy::sequential(),
        table_bytes: 1 << 20,
        ..Settings::new("worst-case").ok()?
    };
    // One that was written down, not learnt: its answer is quick.
    let evaluations = game.info().evaluations();
    let plain = evaluations
        .iter()
        .find(|e| e.name != game.info().evaluation());
    let evaluation = plain.or(evaluations.first())?.name;
    let mut searcher = game.searcher(evaluation, settings).ok()?;
    let limits = Limits::depth(2).with_all_moves();
    let report = searcher.search(position, &limits, &mut |_| {});
    let worst = report.root.iter().reduce(|worst, next| {
        if next.value < worst.value {
            next
        } else {
            worst
        }
    });
    let chance = game.turn(position) == plywood::Turn::Chance;
    worst.filter(|_| chance).map(|root| root.mv.clone())
}
