//! Recorded searches: the tree of tasks, files, and moves as text.

mod traced;

use plywood::trace::{Activity, What};
use plywood_games::registry;
use plywood_lab::LabError;
use plywood_lab::trace::Recording;
use plywood_lab::trace::graph::{Graph, Origin, Step};
use traced::*;

#[test]
fn the_tree_is_rebuilt_from_events() {
    let graph = Graph::new(&by_hand()).expect("it fits together");
    assert_eq!(graph.splits.len(), 1);
    let split = &graph.splits[0];
    assert_eq!((split.offered, split.cancelled, split.depth), (4, 1, 4));
    assert_eq!((split.opens, split.closes), (50, 280));
    let times: Vec<u64> = split
        .tasks
        .iter()
        .map(|&t| graph.tasks[t].own_ns())
        .collect();
    let nodes: Vec<u64> = split
        .tasks
        .iter()
        .map(|&t| graph.tasks[t].own_nodes())
        .collect();
    let workers: Vec<usize> = split.tasks.iter().map(|&t| graph.tasks[t].worker).collect();
    assert_eq!(times, [100, 200, 120]);
    assert_eq!(nodes, [10, 20, 30]);
    assert_eq!(workers, [0, 1, 0]);
    let cut = split.cut.expect("it was cut off");
    assert_eq!((cut.at, cut.task), (250, split.tasks[1]));
    assert!(graph.tasks[split.tasks[2]].aborted);
    let root = &graph.tasks[graph.iterations[0][0]];
    assert_eq!(root.origin, Origin::Iteration { depth: 5 });
    let work = |ns, nodes| Step::Work { ns, nodes };
    assert_eq!(root.steps, [work(50, 5), Step::Split(0), work(20, 1)]);
    // 70 ns of its own, and the longest of its tasks.
    assert_eq!(graph.span(), 270);
    assert_eq!(graph.work(), 490);
    assert_eq!(graph.subtree_nodes()[graph.iterations[0][0]], 66);
    assert_eq!(graph.time(Activity::Joining), 10);
    assert_eq!(graph.time(Activity::Stealing), 40 + 30);
    assert_eq!(graph.duration(), 300);
}

#[test]
fn events_that_do_not_fit_are_refused() {
    type Spoil = fn(&mut plywood::Trace);
    let spoils: [(Spoil, &str); 7] = [
        (|t| t.lanes[0].events.truncate(11), "end too early"),
        (|t| t.lanes[0].events.rotate_left(1), "has not begun"),
        (|t| t.lanes[0].events[2].what = What::Again, "not known"),
        (|t| t.lanes[0].events[4].at = 1, "clock goes back"),
        (|t| t.lanes[0].events[4].nodes = 1, "fewer nodes"),
        (
            |t| t.lanes[0].events[4].what = What::EldestEnds,
            "no eldest",
        ),
        (
            |t| t.lanes[1].events[3].what = What::EldestBegins { child: 0 },
            "cut-off outside",
        ),
    ];
    for (spoil, why) in spoils {
        let mut trace = by_hand();
        spoil(&mut trace);
        let error = Graph::new(&trace).expect_err(why);
        assert!(error.contains(why), "{error}: {why}");
    }
}

#[test]
fn real_searches_add_up() {
    for threads in [1, 2, 3] {
        for recording in all_recorded(threads) {
            let m = &recording.measurement;
            let what = format!("{:?}", m.setting);
            let graph = recording.graph().expect("it fits together");
            assert_eq!(graph.dropped, 0, "{what}");
            let own: u64 = graph.tasks.iter().map(|task| task.own_nodes()).sum();
            assert_eq!(own + graph.other_nodes, m.nodes.total(), "{what}");
            let count = |select: &dyn Fn(usize, usize) -> bool| {
                let taken = graph.taken().filter(|task| {
                    let Origin::Split { split, .. } = task.origin else {
                        return false;
                    };
                    select(graph.splits[split].id.owner(), task.worker)
                });
                taken.count() as u64
            };
            assert_eq!(count(&|owner, ran| owner == ran), m.tasks.fizzled, "{what}");
            assert_eq!(
                count(&|owner, ran| owner != ran),
                m.tasks.converted,
                "{what}"
            );
            let aborted = graph.taken().filter(|task| task.aborted).count() as u64;
            assert_eq!(aborted, m.tasks.aborted, "{what}");
            let sum = |part: fn(&plywood_lab::trace::graph::Split) -> u32| {
                graph.splits.iter().map(|s| u64::from(part(s))).sum::<u64>()
            };
            assert_eq!(sum(|split| split.offered), m.tasks.offered, "{what}");
            assert_eq!(sum(|split| split.cancelled), m.tasks.cancelled, "{what}");
            // Everything hangs on an iteration, and the longest chain is no longer than all.
            assert_eq!(graph.top_down().len(), graph.tasks.len(), "{what}");
            assert!(graph.span() <= graph.work(), "{what}");
            for lane in &graph.lanes {
                for pair in lane.windows(2) {
                    assert_eq!(pair[0].end, pair[1].begin, "{what}: no gap, no overlap");
                }
            }
            let busy: u64 = m.workers.iter().map(|lane| lane.busy_ns).sum();
            assert_eq!(graph.time(Activity::Searching), busy, "{what}");
        }
    }
}

#[test]
fn tasks_have_their_moves_as_text() {
    let recording = recorded(&setting("kalah", "minimax", "budget:2", 2, 4));
    let graph = recording.graph().expect("it fits together");
    let paths = recording.paths(&graph).expect("it is of this position");
    let game = registry::open("kalah").expect("it exists");
    // Every way of one or two moves, each once: they are the tasks of the top two levels.
    let mut expected = vec![String::new()];
    for first in game.moves(&game.start()) {
        let after = game.play(&game.start(), &first).expect("a move");
        expected.extend(
            game.moves(&after)
                .iter()
                .map(|second| format!("{first} {second}")),
        );
        expected.push(first);
    }
    let mut found = paths;
    expected.sort();
    found.sort();
    assert_eq!(found, expected);

    // With young brothers waiting, eldest children stand between splits and tasks.
    let recording = recorded(&setting("kalah", "alphabeta", "ybwc:2", 2, 6));
    let graph = recording.graph().expect("it fits together");
    for path in recording.paths(&graph).expect("it is of this position") {
        let mut position = game.start();
        for mv in path.split_whitespace() {
            position = game.play(&position, mv).expect("a move that can be played");
        }
    }
}

#[test]
fn a_file_reads_back() {
    let folder = tempfile::tempdir().expect("a folder");
    for strategy in ["ybwc:2", "lazy-smp"] {
        let recording = recorded(&setting("kalah", "alphabeta", strategy, 2, 7));
        let path = folder.path().join("a.jsonl");
        recording.save(&path).expect("it can be written");
        assert_eq!(Recording::read(&path).expect("it is one"), recording);
    }
}

#[test]
fn a_broken_file_is_named_with_its_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.jsonl");
    let recording = recorded(&setting("kalah", "minimax", "root", 2, 3));
    recording.save(&path).expect("it can be written");
    let text = std::fs::read_to_string(&path).expect("text");
    let lines: Vec<&str> = text.lines().collect();
    let broken = |replace: usize, with: &str| {
        let mut lines = lines.clone();
        lines[replace] = with;
        std::fs::write(&path, lines.join("\n")).expect("it can be written");
        match Recording::read(&path) {
            Err(LabError::Input(line)) => line,
            other => panic!("{other:?}"),
        }
    };
    for (line, with, why) in [
        (0, "{}", "is no trace"),
        (0, "{\"plywood_trace\":1}", "a.jsonl:1: missing field"),
        (3, "{\"w\":0", "a.jsonl:4: EOF"),
        (3, "", "a.jsonl:4: EOF"),
        (
            3,
            "{\"w\":9,\"t\":1,\"n\":1,\"e\":\"again\"}",
            "a.jsonl:4: there is no worker 9",
        ),
        (
            3,
            "{\"w\":0,\"t\":1,\"n\":1,\"e\":\"sings\"}",
            "a.jsonl:4: unknown variant",
        ),
        (
            3,
            "{\"w\":0,\"t\":1,\"n\":1,\"e\":\"cut\",\"split\":3}",
            "a.jsonl:4: 3 is no name",
        ),
        (
            3,
            "{\"w\":-1,\"t\":1,\"n\":1,\"e\":\"again\"}",
            "a.jsonl:4: invalid value",
        ),
    ] {
        let error = broken(line, with);
        assert!(error.contains(why), "{error}: {why}");
        assert!(!error.contains('\n'), "one line: {error}");
    }
    std::fs::write(&path, [0xff, 0xfe, 0x00]).expect("it can be written");
    assert!(Recording::read(&path).is_err(), "no text at all");
    assert!(Recording::read(folder.path()).is_err(), "a folder");
}

#[test]
fn only_traces_are_written_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let recording = recorded(&setting("kalah", "minimax", "root", 1, 3));
    for name in ["a.json", "a.html", "a.jsonl"] {
        let path = folder.path().join(name);
        recording.save(&path).expect("a new file");
        let first = std::fs::read(&path).expect("it is there");
        recording.save(&path).expect("one of the same kind");
        assert_eq!(std::fs::read(&path).expect("it is there"), first);
        std::fs::write(&path, "my notes").expect("it can be written");
        assert!(recording.save(&path).is_err(), "{name}");
        assert_eq!(std::fs::read(&path).expect("it is there"), b"my notes");
    }
    assert!(recording.save(&folder.path().join("a.txt")).is_err());
    assert!(recording.save(&folder.path().join("none/a.html")).is_err());
    let left = std::fs::read_dir(folder.path())
        .expect("it is there")
        .count();
    assert_eq!(left, 3, "nothing partial is left");
}
