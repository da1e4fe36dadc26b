//! Young brothers wait, in games of Kalah with four stones a pit.

use super::compare::{self, Row, best_speed_up, cell, group, matrix, speed_up_text};
use super::{evaluation_strategies, threads};
use crate::report::document::{Block, Document, Table};
use crate::report::numbers::{percent, ratio};
use crate::report::summary::{Cell, Group};

const DEPTHS: [u32; 4] = [8, 10, 12, 15];
/// The deepest at which everything the search knows is switched off.
const PLAIN_DEPTHS: [u32; 3] = [8, 10, 12];

/// What the report calls parallelDepth 10 at depth 12: the top two levels are shared.
fn strategy(depth: u32) -> String {
    format!("ybwc:{}", depth.saturating_sub(2).max(1))
}

pub(super) fn sweep(cores: usize) -> String {
    let threads = threads(&[1, 2, 4, 6, 8, 12], cores);
    let mut text = format!(
        "repeats = 5\nmemory = \"16M\"\ngames = \"kalah\"\nworkload = \"selfplay\"\nthreads = {threads}\n"
    );
    for (search, depths) in [
        ("alphabeta", &DEPTHS[..]),
        ("alphabeta:plain", &PLAIN_DEPTHS[..]),
    ] {
        for &depth in depths {
            text += &format!(
                "[[set]]\nsearches = \"{search}\"\ndepths = {depth}\nstrategies = [\"seq\", \"{}\"]\n",
                strategy(depth)
            );
        }
    }
    // The report's three earlier schemes, at its main depth.
    text += "[[set]]\nsearches = \"alphabeta:plain\"\ndepths = 12\nstrategies = [\"root\", \"root,spawn=rest\", \"top-then-prune:2\", \"ybwc:4\"]\n";
    text
}

pub(super) fn page(document: &mut Document, groups: &[Group]) {
    let plain = group(groups, "alphabeta:plain", None);
    let full = group(groups, "alphabeta", None);
    document.section("Printed and here");
    document.table(compare::times(
        "A whole game of Kalah(6,4) at depth 12, both sides played by the program.",
        &[
            Row {
                what: "sequential",
                printed: None,
                rebuilt: Some(26.95),
                here: cell(plain, 12, "seq", 1),
            },
            Row {
                what: "young brothers wait, parallelDepth 10, one core",
                printed: None,
                rebuilt: Some(20.3),
                here: cell(plain, 12, "ybwc:10", 1),
            },
            Row {
                what: "young brothers wait, parallelDepth 10, two cores",
                printed: None,
                rebuilt: Some(10.9),
                here: cell(plain, 12, "ybwc:10", 2),
            },
            Row {
                what: "the same game with everything the search here knows",
                printed: None,
                rebuilt: Some(26.95),
                here: cell(full, 12, "seq", 1),
            },
        ],
    ));
    document.table(speed_ups(&[plain, full]));
    for (group, what) in [
        (plain, "plain alpha-beta"),
        (full, "alpha-beta with everything on"),
    ] {
        let Some(group) = group else { continue };
        document.table(matrix(
            &format!(
                "Converted tasks in % by depth and threads, {what}; the top two levels are shared."
            ),
            group,
            strategy,
            |cell| cell.converted.map_or("–".into(), |c| percent(c.value)),
        ));
        document.table(matrix(
            &format!("Speed-up by depth and threads, {what}; no difference is shown where the interval holds 1."),
            group,
            strategy,
            |cell| {
                cell.speed_up
                    .map_or("–".into(), |s| speed_up_text(&s))
            },
        ));
    }
    evaluation_strategies(document);
    document.subsection("What differs");
    document.blocks.push(Block::List(vec![
        "The report's parallelDepth P at depth D shares nodes with at least P left: `ybwc:P` here. Its earlier schemes are all moves of the root in parallel (`root`), parallel above and sequential below (`top-then-prune:2`), and parallel below and sequential above, which has no counterpart.".into(),
        "The games are not the same ones, move for move: the report's root always maximises although its values are those of the side to move, maximum and minimum change places after an extra turn, and stones left at the end are not swept inside the search. Here an extra turn changes nothing, and the end of a game has its final score.".into(),
        "One level below parallelDepth the report searches with an open window, so its sequential program is slower than its own parallel one on one core (26.95 s against 20.3 s). Part of its speed-up of 5.70 is that. Here speed-up is compared with the best sequential search of the same kind.".into(),
        "With the table on, later moves of a game find much of their work done: such games are short, and two shared levels of them leave little to share.".into(),
    ]));
}

fn speed_ups(groups: &[Option<&Group>]) -> Table {
    let mut table = Table::new(
        "Speed-up and conversion over all depths and threads.",
        &[
            "figure",
            "#printed",
            "#here, plain",
            "here at",
            "#here, everything on",
            "here at",
        ],
    );
    let cells = |group: Option<&Group>| -> Vec<Cell> {
        let cells = group.into_iter().flat_map(|group| group.cells.iter());
        let ybwc = cells.filter(|cell| {
            let s = &cell.setting;
            s.strategy == strategy(s.depth) && s.threads > 1
        });
        ybwc.cloned().collect()
    };
    let mean = |values: Vec<f64>| match values.len() {
        0 => "–".to_owned(),
        n => ratio(values.iter().sum::<f64>() / n as f64),
    };
    let place = |cell: &Cell| {
        format!(
            "depth {}, {} threads",
            cell.setting.depth, cell.setting.threads
        )
    };
    let mut rows: [Vec<String>; 4] = [
        vec![
            "best speed-up (printed at depth 12, 6 threads)".into(),
            "5.70".into(),
        ],
        vec!["mean speed-up".into(), "3.85".into()],
        vec![
            "best conversion in % (printed at depth 15, 12 threads)".into(),
            "44.4".into(),
        ],
        vec!["mean conversion in %".into(), "20.3".into()],
    ];
    for group in groups {
        let cells = cells(*group);
        match best_speed_up(cells.iter()) {
            Some((speed_up, cell)) => rows[0].extend([speed_up_text(&speed_up), place(cell)]),
            None => rows[0].extend(["none shown".into(), String::new()]),
        }
        let speed_ups = cells
            .iter()
            .filter_map(|c| Some(c.speed_up?.estimate.value));
        rows[1].extend([mean(speed_ups.collect()), String::new()]);
        let converted = || cells.iter().filter_map(|c| Some((c.converted?.value, c)));
        match converted().max_by(|(a, _), (b, _)| a.total_cmp(b)) {
            Some((value, cell)) => rows[2].extend([percent(value), place(cell)]),
            None => rows[2].extend(["–".into(), String::new()]),
        }
        rows[3].extend([mean(converted().map(|(v, _)| v).collect()), String::new()]);
    }
    table.rows.extend(rows);
    table
}
