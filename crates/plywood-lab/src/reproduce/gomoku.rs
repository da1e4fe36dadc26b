//! Ten moves of Gomoku, exactly five in a row.

use super::compare::{self, PrintedTasks, Row, cell, cell_near, group};
use super::{evaluation_strategies, threads};
use crate::report::document::{Block, Document};
use crate::report::summary::Group;

pub(super) fn sweep(cores: usize) -> String {
    format!(
        r#"repeats = 7
memory = "1M"
games = "gomoku:rule=exactly-five,distance=1,corner=9"
workload = "selfplay"
moves = 10
evaluation = "report"
threads = {}
[[set]]
searches = "alphabeta:plain"
depths = [5, 6]
strategies = ["seq", "top-then-prune:1", "top-then-prune:1,spawn=rest", "root", "ybwc:3"]
[[set]]
searches = "alphabeta"
depths = [5, 7]
strategies = ["seq", "root", "ybwc:3"]
[[set]]
games = "gomoku:rule=exactly-five,distance=1"
searches = "alphabeta:plain"
depths = 5
strategies = ["seq", "root"]
"#,
        threads(&[1, 2, 4, 6], cores)
    )
}

pub(super) fn page(document: &mut Document, groups: &[Group]) {
    let plain = group(groups, "alphabeta:plain", None);
    let full = group(groups, "alphabeta", None);
    let parallel = "top-then-prune:1";
    document.section("Printed and here");
    let row = |what, printed, rebuilt, here| Row {
        what,
        printed,
        rebuilt,
        here,
    };
    let mut times = compare::times(
        "Ten moves of self-play at depth 5.",
        &[
            row("serial", Some(5.644), Some(2.10), cell(plain, 5, "seq", 1)),
            row(
                "parallel, two cores",
                Some(3.272),
                Some(1.15),
                cell(plain, 5, parallel, 2),
            ),
            row(
                "parallel, four cores",
                Some(2.753),
                None,
                cell(plain, 5, parallel, 4),
            ),
            row(
                "parallel, six cores",
                Some(2.996),
                None,
                cell(plain, 5, parallel, 6),
            ),
            row("no-map", None, Some(3.45), None),
            row(
                "serial, with everything the search here knows",
                Some(5.644),
                Some(2.10),
                cell(full, 5, "seq", 1),
            ),
        ],
    );
    for row in times.rows.iter_mut().filter(|row| row[0] == "no-map") {
        row[3] = "no counterpart".into();
    }
    document.table(times);
    let here: Vec<_> = [parallel, "top-then-prune:1,spawn=rest", "root"]
        .iter()
        .filter_map(|strategy| cell_near(plain, 5, strategy, usize::MAX))
        .collect();
    document.table(compare::tasks(
        "Tasks of the ten moves. The report prints 182 tasks, 162 of them converted; the time beside them is that of its fastest run.",
        "–",
        &[PrintedTasks {
            strategy: "first level in parallel",
            total: 182,
            converted: 162,
            collected: None,
            fizzled: None,
            seconds: 2.753,
        }],
        &here,
    ));
    evaluation_strategies(document);
    document.subsection("What has a counterpart, and what has none");
    document.blocks.push(Block::List(vec![
        "`serial`: `seq`. `parallel` searches the first level in parallel and plain alpha-beta below, without a bound between the moves of the root: `top-then-prune:1`. `root` is the same with the best value so far shared.".into(),
        "`no-map` has no counterpart: that variant works the board out anew where the others keep it in a map. Here a position keeps its lines as bits and changes them with every move, and there is no slower way to choose.".into(),
        "The report's try at a parallel evaluation, which was slower, has none either: an evaluation here takes nanoseconds, far less than handing over a task.".into(),
        "The board is the report's: moves in the first nine rows and columns, next to a stone (`distance=1,corner=9`). The last group plays on the whole board instead, which is what the rules mean.".into(),
    ]));
    document.subsection("What differs");
    document.blocks.push(Block::List(vec![
        "The evaluation gives all values the report prints for its games, black's rows counting double as there. An overline at the edge is never taken for a five, and nobody plays on after a win.".into(),
        "The report's cut-off tests an old value, so it prunes less than alpha-beta can.".into(),
        "Depth 5 takes milliseconds here, too little for many cores to share; the deeper searches show what they do with more.".into(),
    ]));
}
