//! Blokus in Pentobi's `.blksgf`: SGF whose moves are the cells of a piece. In the classic
//! game the colours are the properties 1 to 4, in Duo B and W.

use plywood_games::registry::AnyGame;

use super::sgf::{self, Node};
use super::{Record, RecordEnd};
use crate::matches::finished::{End, FaultKind, Finished};
use crate::matches::game_spec;

/// What differs between the two games.
struct Names {
    /// `GM`.
    game: &'static str,
    /// The game's name here.
    spec: &'static str,
    moves: &'static [&'static str],
    set_up: &'static [&'static str],
    players: &'static [&'static str],
    /// The colours in a position's text.
    signs: &'static [&'static str],
}

const CLASSIC: Names = Names {
    game: "Blokus",
    spec: "blokus",
    moves: &["1", "2", "3", "4"],
    set_up: &["A1", "A2", "A3", "A4"],
    players: &["P1", "P2", "P3", "P4"],
    signs: &["B", "Y", "R", "G"],
};

const DUO: Names = Names {
    game: "Blokus Duo",
    spec: "blokus-duo",
    moves: &["B", "W"],
    set_up: &["AB", "AW"],
    players: &["PB", "PW"],
    signs: &["B", "W"],
};

/// The record of a game; without a result if it has not ended.
pub(super) fn write(
    game: &dyn AnyGame,
    names: &[&str],
    finished: &Finished,
    ended: bool,
) -> String {
    let words = if names.len() == 2 { &DUO } else { &CLASSIC };
    let mut root = Node::default();
    root.add("GM", words.game);
    root.add("CA", "UTF-8");
    root.add("AP", concat!("plywood:", env!("CARGO_PKG_VERSION")));
    for (property, name) in words.players.iter().zip(names) {
        root.add(property, name);
    }
    if ended {
        root.add("RE", &result(&finished.end));
    }
    if let Some(comment) = super::comment(finished) {
        root.add("C", &comment);
    }
    if !finished.start.is_empty() {
        for (seat, cells) in game_spec::blokus_placements(&finished.start) {
            root.add(words.set_up[seat], &cells);
        }
        // A position can be more than its pieces: who is out, who placed the single square.
        root.add("GC", &finished.start);
    }
    let mut nodes = vec![root];
    let seats = super::seats_of_moves(game, finished);
    for (index, (mv, seat)) in finished.moves.iter().zip(seats).enumerate() {
        let mut node = Node::default();
        node.add(words.moves[seat.map_or(0, |seat| seat.index())], mv);
        if index + 1 == finished.opening {
            node.add("C", "opening");
        }
        nodes.push(node);
    }
    sgf::write(&nodes)
}

/// As Pentobi's `final_score` says it: `B+7`, or the points of all colours.
fn result(end: &End) -> String {
    match end {
        End::Scores(scores) => match scores.as_slice() {
            [black, white] if black == white => "0".to_owned(),
            [black, white] if black > white => format!("B+{}", black - white),
            [black, white] => format!("W+{}", white - black),
            _ => {
                let points: Vec<String> = scores.iter().map(i32::to_string).collect();
                points.join(" ")
            }
        },
        End::Fault(fault) => format!("Void {} {}", fault.seat + 1, fault.kind.name()),
    }
}

pub(super) fn read(nodes: &[Node]) -> Result<Record, String> {
    let root = &nodes[0];
    let words = match root.value("GM") {
        Some("Blokus Duo") => &DUO,
        _ => &CLASSIC,
    };
    let placed: Vec<&[String]> = words.set_up.iter().map(|name| root.values(name)).collect();
    let mut start = String::new();
    if let Some(text) = root.value("GC") {
        start = text.to_owned();
    } else if placed.iter().any(|cells| !cells.is_empty()) {
        start = set_up(words, &placed, root.value("PL"));
    }
    let mut moves = Vec::new();
    for node in nodes {
        for colour in words.moves {
            let passed = |mv: &&String| mv.is_empty() || mv.as_str() == "pass";
            let placements = node.values(colour).iter().filter(|mv| !passed(mv));
            moves.extend(placements.cloned());
        }
    }
    Ok(Record {
        game: words.spec.to_owned(),
        players: words
            .players
            .iter()
            .filter_map(|name| root.value(name).map(str::to_owned))
            .collect(),
        start,
        moves,
        end: root
            .value("RE")
            .map(|text| read_result(text, root))
            .transpose()?,
    })
}

/// The position with these pieces, as text; the first colour is to move if nothing is said.
fn set_up(words: &Names, placed: &[&[String]], to_move: Option<&str>) -> String {
    let seat = words.moves.iter().position(|name| Some(*name) == to_move);
    let mut text = format!("turn={}", words.signs[seat.unwrap_or(0)]);
    for (sign, cells) in words.signs.iter().zip(placed) {
        let cells = match cells {
            [] => "-".to_owned(),
            cells => cells.join("/"),
        };
        text += &format!(" {sign}={cells}");
    }
    text
}

fn read_result(text: &str, root: &Node) -> Result<RecordEnd, String> {
    let numbers = || -> Option<Vec<i32>> {
        text.split_whitespace()
            .map(|word| word.parse().ok())
            .collect()
    };
    let fault = || {
        let words: Vec<&str> = text.split_whitespace().collect();
        let ["Void", seat, kind] = words.as_slice() else {
            return None;
        };
        let seat = seat.parse::<usize>().ok()?.checked_sub(1)?;
        Some(RecordEnd::Fault(seat, FaultKind::named(kind)?))
    };
    let margin = || {
        let (colour, points) = text.split_once('+')?;
        let seat = DUO.moves.iter().position(|name| *name == colour)?;
        Some(RecordEnd::Margin(seat, points.parse().ok()?))
    };
    if text == "0" {
        return Ok(RecordEnd::Winner(None));
    }
    fault()
        .or_else(margin)
        .or_else(|| numbers().filter(|n| n.len() == 4).map(RecordEnd::Scores))
        .ok_or_else(|| {
            format!(
                "line {}: RE[{}] is no result: B+7, 0 or the points of all colours are",
                root.line,
                text.escape_debug()
            )
        })
}
