//! Results of games for more than two players.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;

use super::finished::Finished;
use super::plan::Plan;
use super::stats::FEWEST_BLOCKS;
use super::summary::{name_width, ratio, shares, with_interval};

/// Win shares and scores; if `complete`, with intervals, and who ends ahead of whom.
pub(super) fn table(plan: &Plan, games: &[Finished], complete: bool, text: &mut String) {
    let width = name_width(plan);
    let fair = 1.0 / plan.seats() as f64;
    let openings: HashSet<u32> = games.iter().map(|game| game.block).collect();
    // Games from one opening depend on each other, but of a few openings nobody can tell how
    // much they differ.
    let few = openings.len() < FEWEST_BLOCKS;
    let block = |game: &Finished| if few { game.game } else { game.block };
    let shares = shares(plan, games, block);
    let _ = writeln!(
        text,
        "{:width$} {:>6}  {:24} mean score [95 %]",
        "player", "seats", "win share [95 %]"
    );
    for (player, shares) in plan.players.iter().zip(&shares) {
        let played = shares.iter().filter(|share| share.games > 0.0);
        let wins: Vec<(f64, f64)> = played.clone().map(|s| (s.points, s.games)).collect();
        let scores: Vec<(f64, f64)> = played.map(|s| (s.scores, s.scored)).collect();
        let seats: f64 = shares.iter().map(|s| s.games).sum();
        let (wins, scores) = (ratio(&wins, complete), ratio(&scores, complete));
        let win_text = with_interval(wins, 100.0, " %", complete);
        let score_text = with_interval(scores, 1.0, "", complete);
        let shown = match wins {
            Some(wins) if complete && wins.contains(fair) => "no difference shown",
            _ => "",
        };
        let line = format!(
            "{:width$} {seats:>6}  {win_text:24} {score_text:24} {shown}",
            player.name
        );
        let _ = writeln!(text, "{}", line.trim_end());
    }
    if !complete {
        return;
    }
    let drawn = match few {
        true => "single games anew: there are too few openings to draw those",
        false => "whole openings anew",
    };
    let _ = writeln!(
        text,
        "          a fair share is {:.1} %; intervals from drawing {drawn}",
        100.0 * fair
    );
    ahead(plan, games, block, text);
}

/// How often one ends ahead of another in the games that both play, a draw counting half.
fn ahead(plan: &Plan, games: &[Finished], block: impl Fn(&Finished) -> u32, text: &mut String) {
    let width = name_width(plan);
    let mut pairs: BTreeMap<(usize, usize), BTreeMap<u32, (f64, f64)>> = BTreeMap::new();
    for game in games {
        let Some(scores) = game.scores() else {
            continue;
        };
        let seats = || game.seats.iter().zip(scores);
        for (&first, a) in seats() {
            for (&second, b) in seats().filter(|&(&second, _)| first < second) {
                let blocks = pairs.entry((first, second)).or_default();
                let (points, count) = blocks.entry(block(game)).or_default();
                *points += match a.cmp(b) {
                    std::cmp::Ordering::Greater => 1.0,
                    std::cmp::Ordering::Equal => 0.5,
                    std::cmp::Ordering::Less => 0.0,
                };
                *count += 1.0;
            }
        }
    }
    let _ = writeln!(text, "\n{:width$} {:width$} ahead [95 %]", "player", "of");
    for ((first, second), blocks) in pairs {
        let blocks: Vec<(f64, f64)> = blocks.into_values().collect();
        let compared: f64 = blocks.iter().map(|(_, count)| count).sum();
        let share = ratio(&blocks, true);
        let shown = match share {
            Some(share) if share.contains(0.5) => "  no difference shown",
            _ => "",
        };
        let _ = writeln!(
            text,
            "{:width$} {:width$} {} of {compared}{shown}",
            plan.players[first].name,
            plan.players[second].name,
            with_interval(share, 100.0, " %", true),
        );
    }
}
