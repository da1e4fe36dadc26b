//! What the games of a match amount to, as tables for people.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;

use super::finished::{End, FaultKind, Finished};
use super::many;
use super::opening::Openings;
use super::plan::Plan;
use super::solo::{self, Solo};
use super::stats::{Interval, Verdict, bootstrap_ratio, elo_interval};
use crate::report::stats::median;

/// The tables of the games so far: results with their intervals, and, if `complete`, what is
/// only worth looking at in the end.
pub fn summary(plan: &Plan, games: &[Finished], complete: bool) -> String {
    let mut text = String::new();
    if complete {
        text += &heading(plan, games.len());
    }
    match plan.seats() {
        1 => solo(plan, games, complete, &mut text),
        2 => duel(plan, games, &mut text),
        _ => many::table(plan, games, complete, &mut text),
    }
    if complete {
        faults(plan, games, &mut text);
        costs(plan, games, &mut text);
        repeats(plan, games, &mut text);
    }
    text
}

fn heading(plan: &Plan, games: usize) -> String {
    let openings = match &plan.openings {
        Openings::Random { plies: 0 } => "no openings".to_owned(),
        Openings::Random { plies } => format!("openings of {plies} random plies"),
        Openings::List(list) => format!("{} openings", list.len()),
    };
    let size = plan.block_size();
    let each = match (plan.seats(), size) {
        (1, _) => "the same luck for every player".to_owned(),
        (2, 2) => "each from both sides".to_owned(),
        _ => format!("each in {size} seatings"),
    };
    let mut text = format!(
        "match     {}, {games} of {} games, {openings}, {each}, seed {}\n",
        plan.game, plan.games, plan.seed
    );
    for player in &plan.players {
        let _ = writeln!(text, "player    {}: {}", player.name, player.describe());
    }
    text.push('\n');
    text
}

/// Sums of one player over one block.
#[derive(Clone, Copy, Default)]
pub(super) struct Share {
    /// Points, or shares of wins.
    pub points: f64,
    pub games: f64,
    pub scores: f64,
    pub scored: f64,
}

/// The sums of every player, block by block; `block` says to which one a game belongs.
pub(super) fn shares(
    plan: &Plan,
    games: &[Finished],
    block: impl Fn(&Finished) -> u32,
) -> Vec<Vec<Share>> {
    let mut blocks: BTreeMap<u32, Vec<Share>> = BTreeMap::new();
    for game in games {
        let shares = blocks
            .entry(block(game))
            .or_insert_with(|| vec![Share::default(); plan.players.len()]);
        for (seat, (&player, points)) in game.seats.iter().zip(game.win_shares()).enumerate() {
            let share = &mut shares[player];
            share.points += points;
            share.games += 1.0;
            if let Some(scores) = game.scores() {
                share.scores += f64::from(scores[seat]);
                share.scored += 1.0;
            }
        }
    }
    let mut players = vec![Vec::new(); plan.players.len()];
    for block in blocks.into_values() {
        for (player, share) in players.iter_mut().zip(block) {
            player.push(share);
        }
    }
    players
}

/// The points of a player in every block it played in, as a share of those it could make.
fn units(shares: &[Share]) -> Vec<f64> {
    let played = shares.iter().filter(|share| share.games > 0.0);
    played.map(|share| share.points / share.games).collect()
}

fn elo_text(elo: f64) -> String {
    match elo {
        elo if elo == f64::INFINITY => "+inf".to_owned(),
        elo if elo == f64::NEG_INFINITY => "-inf".to_owned(),
        // No minus in front of nothing.
        elo if elo.abs() < 0.05 => "0.0".to_owned(),
        elo => format!("{elo:+.1}"),
    }
}

/// A number with its interval, as far as there is one.
pub(super) fn with_interval(
    interval: Option<Interval>,
    factor: f64,
    unit: &str,
    complete: bool,
) -> String {
    match interval {
        None => "-".to_owned(),
        Some(i) if !complete => format!("{:.1}{unit}", factor * i.estimate),
        Some(i) if i.low.is_infinite() => format!("{:.1}{unit} [too few]", factor * i.estimate),
        Some(i) => format!(
            "{:.1}{unit} [{:.1}, {:.1}]",
            factor * i.estimate,
            factor * i.low,
            factor * i.high
        ),
    }
}

fn elo_with_interval(interval: Option<Interval>) -> String {
    let Some(elo) = interval else {
        return "no games".to_owned();
    };
    let text = format!(
        "{} [{}, {}]",
        elo_text(elo.estimate),
        elo_text(elo.low),
        elo_text(elo.high)
    );
    match elo.contains(0.0) {
        true => format!("{text}  no difference shown"),
        false => text,
    }
}

pub(super) fn name_width(plan: &Plan) -> usize {
    let widths = plan.players.iter().map(|player| player.name.len());
    widths.max().unwrap_or(0).max(9)
}

/// How many pairs of games brought the first player nothing, half a point, and so on.
pub(super) fn pair_counts(games: &[Finished]) -> [u64; 5] {
    let mut blocks: BTreeMap<u32, (f64, u32)> = BTreeMap::new();
    for game in games {
        let points = game.win_shares();
        let (sum, count) = blocks.entry(game.block).or_default();
        let seat = game.seats.iter().position(|&player| player == 0);
        *sum += seat.map_or(0.0, |seat| points[seat]);
        *count += 1;
    }
    let mut counts = [0; 5];
    for (points, games) in blocks.into_values() {
        if games == 2 {
            counts[(2.0 * points).round() as usize] += 1;
        }
    }
    counts
}

/// Results of a game for two.
fn duel(plan: &Plan, games: &[Finished], text: &mut String) {
    let width = name_width(plan);
    let shares = shares(plan, games, |game| game.block);
    let _ = writeln!(
        text,
        "{:width$} {:>6} {:>6} {:>6} {:>6} {:>8}  Elo [95 %]",
        "player", "games", "wins", "draws", "losses", "score"
    );
    for (number, player) in plan.players.iter().enumerate() {
        let (mut wins, mut draws, mut losses) = (0, 0, 0);
        for game in games {
            let Some(seat) = game.seats.iter().position(|&p| p == number) else {
                continue;
            };
            match game.win_shares()[seat] {
                1.0 => wins += 1,
                0.0 => losses += 1,
                _ => draws += 1,
            }
        }
        let count = wins + draws + losses;
        let score = match count {
            0 => "-".to_owned(),
            _ => {
                let points = f64::from(wins) + f64::from(draws) / 2.0;
                format!("{:.1} %", 100.0 * points / f64::from(count))
            }
        };
        let elo = elo_with_interval(elo_interval(&units(&shares[number])));
        let _ = writeln!(
            text,
            "{:width$} {count:>6} {wins:>6} {draws:>6} {losses:>6} {score:>8}  {elo}",
            player.name
        );
    }
    if plan.players.len() == 2 {
        let pairs = pair_counts(games);
        let _ = writeln!(
            text,
            "pairs     of {}: 0 points {}, 0.5 {}, 1 {}, 1.5 {}, 2 {}",
            plan.players[0].name, pairs[0], pairs[1], pairs[2], pairs[3], pairs[4]
        );
        sprt(plan, &pairs, text);
    } else {
        pairings(plan, games, text);
    }
}

fn sprt(plan: &Plan, pairs: &[u64; 5], text: &mut String) {
    let Some(sprt) = &plan.sprt else {
        return;
    };
    let (low, high) = sprt.bounds();
    let verdict = match sprt.verdict(pairs) {
        Verdict::Undecided => "undecided".to_owned(),
        Verdict::AcceptNull => format!("decided: not stronger by {} Elo (H0)", sprt.elo1),
        Verdict::AcceptAlternative => {
            format!("decided: stronger than by {} Elo (H1)", sprt.elo0)
        }
    };
    let _ = writeln!(
        text,
        "SPRT      LLR {:.2} ({low:.2}, {high:.2}) [{}, {}], {} {verdict}",
        sprt.llr(pairs),
        sprt.elo0,
        sprt.elo1,
        plan.players[0].name
    );
}

/// Everybody against everybody.
fn pairings(plan: &Plan, games: &[Finished], text: &mut String) {
    let width = name_width(plan);
    let _ = writeln!(text, "\n{:width$} against", "player");
    for first in 0..plan.players.len() {
        for second in first + 1..plan.players.len() {
            let mut blocks: BTreeMap<u32, (f64, f64)> = BTreeMap::new();
            for game in games {
                let seat = |player| game.seats.iter().position(|&p| p == player);
                if let (Some(seat), Some(_)) = (seat(first), seat(second)) {
                    let (points, count) = blocks.entry(game.block).or_default();
                    *points += game.win_shares()[seat];
                    *count += 1.0;
                }
            }
            let units: Vec<f64> = blocks.values().map(|(p, c)| p / c).collect();
            let _ = writeln!(
                text,
                "{:width$} {:width$} {}",
                plan.players[first].name,
                plan.players[second].name,
                elo_with_interval(elo_interval(&units))
            );
        }
    }
}

/// A ratio with its interval; while games are played only the ratio, which costs nothing.
pub(super) fn ratio(blocks: &[(f64, f64)], complete: bool) -> Option<Interval> {
    if complete {
        return bootstrap_ratio(blocks);
    }
    let (sum, weight) = blocks
        .iter()
        .fold((0.0, 0.0), |(a, b), (c, d)| (a + c, b + d));
    (weight > 0.0).then(|| Interval {
        estimate: sum / weight,
        low: f64::NAN,
        high: f64::NAN,
    })
}

/// Results of a game for one: scores, how often which tile was reached, and differences.
fn solo(plan: &Plan, games: &[Finished], complete: bool, text: &mut String) {
    let mut players: Vec<Solo> = plan.players.iter().map(|p| Solo::new(&p.name)).collect();
    let mut by_player: Vec<BTreeMap<u32, f64>> = vec![BTreeMap::new(); plan.players.len()];
    for game in games {
        if let Some(scores) = game.scores() {
            let player = game.seats[0];
            let largest = if complete { largest_tile(game) } else { None };
            players[player].add(scores[0], largest);
            by_player[player].insert(game.block, f64::from(scores[0]));
        }
    }
    *text += &solo::table(&players, complete);
    if !complete {
        return;
    }
    for first in 0..by_player.len() {
        for second in first + 1..by_player.len() {
            let (a, b) = (&by_player[first], &by_player[second]);
            let differences: Vec<(f64, f64)> = a
                .iter()
                .filter_map(|(block, score)| Some((score - b.get(block)?, 1.0)))
                .collect();
            let Some(difference) = bootstrap_ratio(&differences) else {
                continue;
            };
            let shown = match difference.contains(0.0) {
                true => "  no difference shown",
                false => "",
            };
            let _ = writeln!(
                text,
                "{} - {}: {} points a game{shown}",
                plan.players[first].name,
                plan.players[second].name,
                with_interval(Some(difference), 1.0, "", true)
            );
        }
    }
}

/// The largest tile of a game of 2048. Merged tiles are not in the record, so the game is
/// played again.
fn largest_tile(game: &Finished) -> Option<u32> {
    let rules = plywood_games::registry::open("2048").ok()?;
    let start = match game.start.as_str() {
        "" => rules.start(),
        text => rules.read_position(text).ok()?,
    };
    let mut moves = game.moves.iter();
    let end = moves.try_fold(start, |position, mv| rules.play(&position, mv));
    solo::largest_tile(&rules.write_position(&end.ok()?))
}

/// Games that ended because a player could not go on.
fn faults(plan: &Plan, games: &[Finished], text: &mut String) {
    let mut counts: BTreeMap<(usize, FaultKind), (u32, u32, &str)> = BTreeMap::new();
    for game in games {
        if let End::Fault(fault) = &game.end {
            let key = (game.seats[fault.seat], fault.kind);
            let entry = counts.entry(key).or_insert((0, game.game, &fault.note));
            entry.0 += 1;
        }
    }
    for ((player, kind), (count, game, note)) in counts {
        let _ = writeln!(
            text,
            "lost by {}: {} in {count} games, first in game {}: {note}",
            kind.name(),
            plan.players[player].name,
            game + 1
        );
    }
    let mut notes: Vec<Option<(u32, &str)>> = vec![None; plan.players.len()];
    for game in games {
        for (&player, cost) in game.seats.iter().zip(&game.costs) {
            if let (None, Some(note)) = (notes[player], cost.notes.first()) {
                notes[player] = Some((game.game, note));
            }
        }
    }
    for (player, note) in plan.players.iter().zip(notes) {
        if let Some((game, note)) = note {
            let _ = writeln!(text, "note on {}, game {}: {note}", player.name, game + 1);
        }
    }
}

/// What a move cost.
fn costs(plan: &Plan, games: &[Finished], text: &mut String) {
    let width = name_width(plan);
    let _ = writeln!(
        text,
        "\n{:width$} {:>8} {:>12} {:>7} {:>12} {:>12} {:>12}",
        "a move", "moves", "nodes", "depth", "wall ms", "slowest ms", "CPU ms"
    );
    for (number, player) in plan.players.iter().enumerate() {
        let (mut moves, mut nodes, mut wall, mut slowest, mut cpu) = (0u64, 0u64, 0u64, 0u64, None);
        let mut depths = Vec::new();
        for game in games {
            for (&seat, cost) in game.seats.iter().zip(&game.costs) {
                if seat != number {
                    continue;
                }
                moves += u64::from(cost.moves);
                nodes += cost.nodes;
                depths.extend(cost.depths.iter().map(|&depth| f64::from(depth)));
                wall += cost.wall_us;
                slowest = slowest.max(cost.slowest_us);
                if let Some(time) = cost.cpu_us {
                    *cpu.get_or_insert(0) += time;
                }
            }
        }
        let mean = |sum: u64| sum as f64 / moves.max(1) as f64;
        let nodes = match nodes {
            0 => "-".to_owned(),
            _ => format!("{:.0}", mean(nodes)),
        };
        // The last moves of a game are often searched to its end: an average would say little.
        let depth = match depths.as_slice() {
            [] => "-".to_owned(),
            depths => median(depths).to_string(),
        };
        let cpu = cpu.map_or("-".to_owned(), |cpu| format!("{:.2}", mean(cpu) / 1000.0));
        let _ = writeln!(
            text,
            "{:width$} {moves:>8} {nodes:>12} {depth:>7} {:>12.2} {:>12.2} {cpu:>12}",
            player.name,
            mean(wall) / 1000.0,
            slowest as f64 / 1000.0
        );
    }
}

/// Equal games are no evidence: says so where there are any.
fn repeats(plan: &Plan, games: &[Finished], text: &mut String) {
    let different: HashSet<_> = games
        .iter()
        .map(|game| (&game.seats, &game.start, &game.moves))
        .collect();
    if different.len() < games.len() {
        let _ = writeln!(
            text,
            "\nof {} games {} differ: with more {} there would be more to learn",
            games.len(),
            different.len(),
            match plan.openings {
                Openings::Random { .. } => "random plies",
                Openings::List(_) => "openings",
            }
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_is_written_with_its_sign() {
        assert_eq!(elo_text(12.34), "+12.3");
        assert_eq!(elo_text(-0.04), "0.0");
        assert_eq!(elo_text(f64::NEG_INFINITY), "-inf");
    }
}
