//! MaxN for four players of Blokus.

use super::compare::{self, PrintedTasks, Row, cell, cell_near, group, speed_up_text};
use super::{evaluation_strategies, threads};
use crate::report::document::{Block, Document, Table};
use crate::report::sections::threads_text;
use crate::report::summary::Group;

pub(super) fn sweep(cores: usize) -> String {
    format!(
        r#"repeats = 5
[[set]]
games = "blokus"
searches = "maxn"
evaluation = "report"
depths = [2, 3, 4]
strategies = ["seq", "every-node", "every-node,spawn=rest", "budget:B", "budget:B,spawn=rest"]
budgets = [1, 2, 3]
threads = {}
"#,
        threads(&[1, 2, 4, 8, 10], cores)
    )
}

/// Printed: depth 4 on 4 cores.
const TASKS: [PrintedTasks; 6] = [
    printed(
        "every node, rpar",
        25_489_516,
        5_529,
        24_856_744,
        627_243,
        19.83,
    ),
    printed(
        "every node, rseq",
        12_740_460,
        754,
        12_547_283,
        192_423,
        19.74,
    ),
    printed(
        "every node, rdeepseq",
        12_740_460,
        1_360,
        12_455_236,
        283_864,
        33.34,
    ),
    printed("budget 2, rpar", 7_320, 132, 87, 7_101, 19.30),
    printed("budget 2, rseq", 3_660, 64, 0, 3_596, 19.27),
    printed("budget 2, rdeepseq", 3_660, 63, 0, 3_597, 19.27),
];

const fn printed(
    strategy: &'static str,
    total: u64,
    converted: u64,
    collected: u64,
    fizzled: u64,
    seconds: f64,
) -> PrintedTasks {
    PrintedTasks {
        strategy,
        total,
        converted,
        collected: Some(collected),
        fizzled: Some(fizzled),
        seconds,
    }
}

pub(super) fn page(document: &mut Document, groups: &[Group]) {
    let own = group(groups, "maxn", None);
    document.section("Printed and here");
    document.table(compare::times(
        "MaxN to depth 4 from the start.",
        &[
            Row {
                what: "one core",
                printed: None,
                rebuilt: Some(135.5),
                here: cell(own, 4, "seq", 1),
            },
            Row {
                what: "two cores, budget 2",
                printed: None,
                rebuilt: Some(69.3),
                here: cell(own, 4, "budget:2", 2),
            },
            Row {
                what: "two cores, every node",
                printed: None,
                rebuilt: Some(74.7),
                here: cell(own, 4, "every-node", 2),
            },
            Row {
                what: "four cores, budget 2",
                printed: Some(19.27),
                rebuilt: None,
                here: cell(own, 4, "budget:2", 4),
            },
            Row {
                what: "four cores, every node",
                printed: Some(19.74),
                rebuilt: None,
                here: cell(own, 4, "every-node", 4),
            },
        ],
    ));
    let strategies = [
        "every-node",
        "every-node,spawn=rest",
        "budget:2",
        "budget:2,spawn=rest",
    ];
    let here: Vec<_> = strategies
        .iter()
        .filter_map(|strategy| cell_near(own, 4, strategy, 4))
        .collect();
    document.table(compare::tasks(
        "Tasks at depth 4, on four cores in the report. \"Never run\" were collected as garbage there and are cancelled ones here.",
        "4",
        &TASKS,
        &here,
    ));
    evaluation_strategies(document);
    document.table(speed_ups(own));
    document.subsection("What differs");
    document.blocks.push(Block::List(vec![
        "The report counts 12,740,461 nodes to depth 4, Plywood fewer: the report's program keeps a second copy of two orientations and generates a placement once for every corner it touches, so it searches some moves several times.".into(),
        "A pass costs no depth in either. Ties go to the last of the best moves there and to the first here.".into(),
        "The evaluation is the report's: ten points a square, three a corner cell, less the squares in hand; it leaves the bonuses of the rules out.".into(),
        "The report's search with a budget, which makes tasks in the top levels only, is `budget:B` here, for B from 1 to 3.".into(),
    ]));
}

/// Speed-ups at the most threads, next to what the report's figures show.
fn speed_ups(own: Option<&Group>) -> Table {
    let mut table = Table::new(
        "Speed-up at the most cores: what the report's figures show on 8 to 10, and here.",
        &[
            "#depth",
            "printed",
            "here",
            "#threads",
            "#speed-up [95 %]",
            "shown",
        ],
    );
    let printed = [
        (2, "1, flat", ["every-node", "budget:2"]),
        (3, "2 – 2.7", ["every-node", "budget:2"]),
        (
            4,
            "5.5 – 6 every node, 4.5 – 6 budgets 1 to 3",
            ["every-node", "budget:2"],
        ),
    ];
    for (depth, text, strategies) in printed {
        for strategy in strategies {
            let Some(cell) = cell_near(own, depth, strategy, usize::MAX) else {
                continue;
            };
            let Some(speed_up) = cell.speed_up else {
                continue;
            };
            table.rows.push(vec![
                depth.to_string(),
                text.into(),
                format!("`{strategy}`"),
                threads_text(cell),
                speed_up_text(&speed_up),
                speed_up.verdict().text().into(),
            ]);
        }
    }
    table
}
