//! 2048, whose spawns are taken for an adversary.

use super::compare::{self, PrintedTasks, Row, cell, cell_near, group};
use super::{evaluation_strategies, threads};
use crate::report::document::{Block, Document, Table};
use crate::report::numbers::{grouped, ratio, time};
use crate::report::summary::Group;

pub(super) fn sweep(cores: usize) -> String {
    format!(
        r#"repeats = 5
memory = "1M"
games = "2048"
workload = "selfplay"
evaluation = "report"
after_chance = true
threads = {}
[[set]]
searches = "minimax"
depths = 2
strategies = ["seq", "root", "root,spawn=rest", "budget:2"]
[[set]]
searches = "minimax"
depths = 3
strategies = ["seq", "root", "budget:2"]
[[set]]
searches = "worst-case:plain"
depths = [2, 3]
strategies = ["seq", "root", "root,spawn=rest", "ybwc:2"]
"#,
        threads(&[1, 2, 4], cores)
    )
}

pub(super) fn page(document: &mut Document, groups: &[Group]) {
    let minimax = group(groups, "minimax", None);
    let pruning = group(groups, "worst-case:plain", None);
    document.section("Printed and here");
    let row = |what, printed, rebuilt, here| Row {
        what,
        printed,
        rebuilt,
        here,
    };
    document.table(compare::times(
        "A whole game; the report's depth 6 is two moves with their spawns, depth 2 here. The games differ in length: see the next table.",
        &[
            row("one core", Some(46.7), Some(6.83), cell(minimax, 2, "seq", 1)),
            row("one core, with alpha-beta", None, None, cell(pruning, 2, "seq", 1)),
            row("two cores", None, Some(4.34), cell(minimax, 2, "root", 2)),
            row("four cores, rpar", Some(24.6), None, cell(minimax, 2, "root", 4)),
            row("four cores, rseq", Some(40.8), None, cell(minimax, 2, "root", 4)),
            row("four cores, rdeepseq", Some(53.0), None, cell(minimax, 2, "root", 4)),
        ],
    ));
    document.table(per_move(minimax, pruning));
    let here: Vec<_> = ["root", "root,spawn=rest", "budget:2"]
        .iter()
        .filter_map(|strategy| cell_near(minimax, 2, strategy, 4))
        .collect();
    document.table(compare::tasks(
        "Tasks of a game, on four cores in the report.",
        "4",
        &[PrintedTasks {
            strategy: "a task for each move of the root, rpar",
            total: 6_984,
            converted: 5_028,
            collected: None,
            fizzled: None,
            seconds: 24.6,
        }],
        &here,
    ));
    evaluation_strategies(document);
    document.subsection("What differs");
    document.blocks.push(Block::List(vec![
        "Without alpha-beta is `minimax`, where the spawn is the adversary; with it is `worst-case:plain`. Both find the same moves, and the node counts below show what is pruned. The report's own alpha-beta never prunes, and nodes are computed up to three times.".into(),
        "The report weighs both spawns with 0.9 and adds their minima; here the worst spawn counts. Its full board returns a number that overflows; here a stuck board has its value.".into(),
        "The evaluation is the report's: weights for places, empty cells, differences of neighbours in rows, and a bonus for 2048.".into(),
        "Printed as it stands, the report's parallel program makes one task of the whole list and is slower than one core (7.81 s rebuilt); 4.34 s is with a task for each move.".into(),
        "Iterative deepening is named in the report's text; here as in its figures every search goes to a fixed depth.".into(),
    ]));
}

fn per_move(minimax: Option<&Group>, pruning: Option<&Group>) -> Table {
    let mut table = Table::new(
        "Moves of the game and time a move, one thread.",
        &[
            "what",
            "#moves",
            "#time a move",
            "#nodes a move",
            "#nodes without / with alpha-beta",
        ],
    );
    table.rows.push(vec![
        "rebuilt, depth 6".into(),
        "1,145".into(),
        time(6.83 / 1145.0),
        "–".into(),
        "–".into(),
    ]);
    for depth in [2, 3] {
        for (group, name) in [(minimax, "without"), (pruning, "with")] {
            let Some(own) = cell(group, depth, "seq", 1) else {
                continue;
            };
            let other = cell(minimax, depth, "seq", 1).filter(|_| name == "with");
            let moves = f64::from(own.searches);
            table.rows.push(vec![
                format!("here, depth {depth}, {name} alpha-beta"),
                grouped(u64::from(own.searches)),
                time(own.seconds.value / moves),
                grouped((own.nodes as f64 / moves).round() as u64),
                other.map_or("–".into(), |other| {
                    ratio(other.nodes as f64 / own.nodes as f64)
                }),
            ]);
        }
    }
    table
}
