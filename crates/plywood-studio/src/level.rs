//! Levels 1 to 9 for every game, made of the engines and searches there are.
//!
//! A low level looks one or two plies ahead and does not always play what it finds best: moves
//! are sorted by their values, and one that is further down the list is chosen with a
//! probability that falls the faster, the higher the level. A high level plays its best move,
//! and takes longer to find it.

use std::time::Duration;

use plywood_games::registry::{AnyGame, AnyReport, Random};

use crate::failure::Failure;
use crate::way::{Bounds, Chosen, Maker, Way};

/// The highest level.
pub(crate) const MOST: u8 = 9;

/// The level to offer first: it answers at once and punishes plain mistakes.
pub(crate) const DEFAULT: u8 = 5;

/// How a level plays, whatever the game.
struct Strength {
    summary: &'static str,
    depth: Option<u32>,
    time_ms: Option<u64>,
    /// See [`Chosen::preference`].
    preference: Option<f64>,
    /// Whether it is the game's own engine that plays, where there is one.
    own_engine: bool,
}

const fn casual(summary: &'static str, depth: u32, preference: f64) -> Strength {
    Strength {
        summary,
        depth: Some(depth),
        time_ms: None,
        preference: Some(preference),
        own_engine: false,
    }
}

const fn serious(summary: &'static str, time_ms: u64) -> Strength {
    Strength {
        summary,
        depth: None,
        time_ms: Some(time_ms),
        preference: None,
        own_engine: true,
    }
}

const STRENGTHS: [Strength; MOST as usize] = [
    casual(
        "plays almost anything: a first game is won against it",
        1,
        2.0,
    ),
    casual("sees one move ahead and often misses it", 1, 6.0),
    casual("sees one move ahead", 1, 16.0),
    casual("sees two moves ahead, with slips", 2, 32.0),
    serious("thinks for a moment", 60),
    serious("thinks for a quarter of a second", 250),
    serious("thinks for a second", 1000),
    serious("thinks for three seconds, on all cores", 3000),
    serious("thinks for ten seconds, on all cores", 10_000),
];

/// Fewer moves than this are not held further apart: where there are only four, the second
/// best is no worse than where there are sixteen.
const FEW: usize = 16;

/// The level from which on all cores are used.
const ALL_CORES: u8 = 8;

/// What a level that answers at once remembers, in mebibytes: more takes longer to prepare
/// than it thinks.
const QUICK_MB: usize = 16;

/// What a level remembers that takes its time, in mebibytes.
const SLOW_MB: usize = 64;

/// Games whose engine works out what it can remember before it begins. It gets as little as a
/// quick level, and so the one that plays can be the one that analyses.
const FILLS_MEMORY: [&str; 1] = ["kalah"];

/// All levels with a few words each.
pub(crate) fn levels() -> impl Iterator<Item = (u8, &'static str)> {
    (1..).zip(STRENGTHS.iter().map(|strength| strength.summary))
}

/// How a game is played on a level.
pub(crate) fn choose(game: &dyn AnyGame, level: u8, bounds: Bounds) -> Result<Chosen, Failure> {
    let strength = &STRENGTHS[usize::from(level.clamp(1, MOST)) - 1];
    let threads = if level >= ALL_CORES {
        bounds.threads
    } else {
        1
    };
    let quick = strength.time_ms.is_none_or(|time| time < 1000);
    let own = game.info().engines().first().copied();
    let prepares = !strength.own_engine || own.is_none_or(|engine| !engine.grows());
    let table_mb = bounds.memory_mb.min(if quick { QUICK_MB } else { SLOW_MB });
    let way = Way {
        threads: Some(threads),
        memory_mb: prepares.then_some(table_mb),
        ..Way::default()
    };
    let chosen = if strength.own_engine {
        best(game, &way, bounds)?
    } else {
        way.choose(game, bounds, true)?
    };
    Ok(Chosen {
        depth: strength.depth,
        time: strength.time_ms.map(Duration::from_millis),
        preference: strength.preference,
        ..chosen
    })
}

/// The strongest way to play a game that there is: its own engine, or its default search,
/// which also stands in where an engine does not take the game's options. Limits, threads and
/// memory are those of `way`.
pub(crate) fn best(game: &dyn AnyGame, way: &Way, bounds: Bounds) -> Result<Chosen, Failure> {
    let own = game.info().engines().first().copied();
    let own_mb = match own {
        _ if FILLS_MEMORY.contains(&game.info().name) => Some(QUICK_MB),
        own => own.map(|engine| engine.memory >> 20),
    };
    let way = Way {
        memory_mb: way
            .memory_mb
            .or(own_mb.map(|own_mb| own_mb.min(bounds.memory_mb))),
        ..way.clone()
    };
    let general = way.choose(game, bounds, true)?;
    let Some(engine) = own else {
        return Ok(general);
    };
    Ok(Chosen {
        maker: Maker::Engine(engine.name.to_owned()),
        stand_in: Some(general.maker),
        ..general
    })
}

/// The move that is played: the best, or one drawn at random that is the likelier the better
/// it is.
pub(crate) fn pick(
    report: &AnyReport,
    preference: Option<f64>,
    random: &mut Random,
) -> Option<String> {
    let Some(preference) = preference.filter(|_| report.root.len() > 1) else {
        return report.best.clone();
    };
    let mut moves: Vec<_> = report.root.iter().collect();
    moves.sort_by(|a, b| b.value.total_cmp(&a.value));
    // Moves of one value are equally likely: each counts as the first of them.
    let mut ranks = Vec::with_capacity(moves.len());
    for (index, root) in moves.iter().enumerate() {
        let same = index > 0 && moves[index - 1].value == root.value;
        ranks.push(if same { ranks[index - 1] } else { index });
    }
    let count = moves.len().max(FEW) as f64;
    let weight = |rank: usize| (-preference * rank as f64 / count).exp();
    let total: f64 = ranks.iter().map(|&rank| weight(rank)).sum();
    let mut left = random.unit() * total;
    for (root, &rank) in moves.iter().zip(&ranks) {
        left -= weight(rank);
        if left < 0.0 {
            return Some(root.mv.clone());
        }
    }
    report.best.clone()
}

#[cfg(test)]
mod tests {
    use plywood::{Certainty, RootMove};

    use super::*;

    fn report(values: &[f64]) -> AnyReport {
        let root = values.iter().enumerate().map(|(index, &value)| RootMove {
            mv: index.to_string(),
            value,
            certainty: Certainty::Estimate,
            visits: None,
            win_share: None,
        });
        AnyReport {
            best: Some("0".to_owned()),
            values: Vec::new(),
            win_shares: None,
            certainty: Certainty::Estimate,
            line: Vec::new(),
            root: root.collect(),
            depth: 1,
            stopped: false,
            nodes: Default::default(),
            tasks: Default::default(),
            workers: Vec::new(),
            elapsed: Duration::ZERO,
            cpu: Duration::ZERO,
            memory: Default::default(),
        }
    }

    fn shares(values: &[f64], preference: f64) -> Vec<f64> {
        let mut random = Random::new(1);
        let mut counts = vec![0.0; values.len()];
        let report = report(values);
        for _ in 0..20_000 {
            let mv = pick(&report, Some(preference), &mut random).expect("a move");
            counts[mv.parse::<usize>().expect("a number")] += 1.0 / 20_000.0;
        }
        counts
    }

    #[test]
    fn better_moves_are_likelier_and_the_more_so_the_higher_the_level() {
        let values = [5.0, 4.0, 3.0, -100.0];
        let low = shares(&values, 2.0);
        let high = shares(&values, 32.0);
        assert!(low.is_sorted_by(|a, b| a > b), "{low:?}");
        assert!(low[0] < 0.5 && low[3] > 0.05, "{low:?}");
        assert!(high[0] > 0.8 && high[3] < 0.01, "{high:?}");
    }

    #[test]
    fn moves_of_one_value_are_equally_likely() {
        let shares = shares(&[1.0, 7.0, 7.0, 7.0], 64.0);
        assert!(shares[0] < 0.01, "{shares:?}");
        for share in &shares[1..] {
            assert!((share - 1.0 / 3.0).abs() < 0.02, "{shares:?}");
        }
    }

    #[test]
    fn without_a_preference_the_best_is_played() {
        let mut random = Random::new(1);
        let report = report(&[1.0, 2.0]);
        assert_eq!(pick(&report, None, &mut random), Some("0".to_owned()));
    }
}
