//! Gomoku as SGF: `GM[4]`, points as two letters, column from the left and row from the top.

use plywood_games::gomoku::{MAX_SIZE, MIN_SIZE, Point};
use plywood_games::registry::{self, AnyGame};

use super::sgf::{self, Node};
use super::{Record, RecordEnd};
use crate::matches::finished::{End, FaultKind, Finished};
use crate::matches::game_spec;

const COLOURS: [&str; 2] = ["B", "W"];

/// The record of a game; without a result if it has not ended.
pub(super) fn write(
    game: &dyn AnyGame,
    names: &[&str],
    finished: &Finished,
    ended: bool,
) -> String {
    let size = game_spec::gomoku_size(game);
    let mut root = Node::default();
    for (name, value) in [
        ("FF", "4"),
        ("GM", "4"),
        ("CA", "UTF-8"),
        ("AP", concat!("plywood:", env!("CARGO_PKG_VERSION"))),
    ] {
        root.add(name, value);
    }
    root.add("SZ", &size.to_string());
    root.add("RU", &game_spec::option(game, "rule"));
    root.add("GC", game.spec());
    root.add("PB", names[0]);
    root.add("PW", names[1]);
    if ended {
        root.add("RE", &result(&finished.end));
    }
    if let Some(comment) = super::comment(finished) {
        root.add("C", &comment);
    }
    if !finished.start.is_empty() {
        for (seat, (column, row)) in game_spec::gomoku_stones(&finished.start) {
            root.add(["AB", "AW"][seat], &letters(column, row));
        }
        let words: Vec<&str> = finished.start.split_whitespace().collect();
        root.add("PL", if words.get(1) == Some(&"w") { "W" } else { "B" });
    }
    let mut nodes = vec![root];
    let seats = super::seats_of_moves(game, finished);
    for (index, (mv, seat)) in finished.moves.iter().zip(seats).enumerate() {
        let point = Point::parse(mv).expect("a move of Gomoku is a point");
        let mut node = Node::default();
        let colour = COLOURS[seat.map_or(0, |seat| seat.index())];
        node.add(colour, &letters(point.column(), size - 1 - point.row()));
        if index + 1 == finished.opening {
            node.add("C", "opening");
        }
        nodes.push(node);
    }
    sgf::write(&nodes)
}

fn result(end: &End) -> String {
    match end {
        End::Scores(scores) if scores[0] > scores[1] => "B+".to_owned(),
        End::Scores(scores) if scores[0] < scores[1] => "W+".to_owned(),
        End::Scores(_) => "0".to_owned(),
        End::Fault(fault) => {
            let winner = COLOURS[1 - fault.seat];
            let how = if fault.kind == FaultKind::Time {
                "T"
            } else {
                "F"
            };
            format!("{winner}+{how}")
        }
    }
}

fn letters(column: u8, row: u8) -> String {
    let letter = |number| char::from(b'a' + number);
    [letter(column), letter(row)].iter().collect()
}

pub(super) fn read(nodes: &[Node]) -> Result<Record, String> {
    let root = &nodes[0];
    let size: u8 = root.value("SZ").unwrap_or("15").parse().unwrap_or(0);
    if !(MIN_SIZE..=MAX_SIZE).contains(&size) {
        return Err(format!(
            "line {}: SZ is not {MIN_SIZE} to {MAX_SIZE}",
            root.line
        ));
    }
    let game = match root.value("GC") {
        // Records of ours say which game exactly.
        Some(spec) if registry::open(spec).is_ok() => spec.to_owned(),
        _ => {
            let rule = match root.value("RU").unwrap_or("").to_ascii_lowercase().as_str() {
                "renju" => "renju",
                "exactly-five" | "standard" => "exactly-five",
                _ => "freestyle",
            };
            format!("gomoku:size={size},rule={rule}")
        }
    };
    let mut start = String::new();
    let (black, white) = (root.values("AB"), root.values("AW"));
    if !black.is_empty() || !white.is_empty() {
        start = set_up(size, black, white, root)?;
    }
    let mut moves = Vec::new();
    for node in nodes {
        for value in COLOURS.iter().filter_map(|colour| node.value(colour)) {
            let (column, row) = point(value, size, node)?;
            moves.push(Point::new(column, size - 1 - row).to_string());
        }
    }
    Ok(Record {
        game,
        players: ["PB", "PW"]
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

fn point(text: &str, size: u8, node: &Node) -> Result<(u8, u8), String> {
    let on_board = |letter: u8| letter.checked_sub(b'a').filter(|&number| number < size);
    let read = || match *text.as_bytes() {
        [column, row] => Some((on_board(column)?, on_board(row)?)),
        _ => None,
    };
    read().ok_or_else(|| {
        format!(
            "line {}: [{}] is not a point of the board: two letters from a to {} are",
            node.line,
            text.escape_debug(),
            char::from(b'a' + size - 1)
        )
    })
}

/// The position with these stones, as text.
fn set_up(size: u8, black: &[String], white: &[String], root: &Node) -> Result<String, String> {
    let mut board = vec![vec!['1'; usize::from(size)]; usize::from(size)];
    for (stones, sign) in [(black, 'x'), (white, 'o')] {
        for stone in stones {
            let (column, row) = point(stone, size, root)?;
            board[usize::from(row)][usize::from(column)] = sign;
        }
    }
    // Numbers of empty points in a row add up.
    let row_text = |row: &Vec<char>| {
        let mut text = String::new();
        let mut empty = 0;
        for &cell in row {
            if cell == '1' {
                empty += 1;
                continue;
            }
            if empty > 0 {
                text += &empty.to_string();
                empty = 0;
            }
            text.push(cell);
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        text
    };
    let rows: Vec<String> = board.iter().map(row_text).collect();
    let turn = if root.value("PL") == Some("W") {
        "w"
    } else {
        "b"
    };
    Ok(format!("{} {turn}", rows.join("/")))
}

fn read_result(text: &str, root: &Node) -> Result<RecordEnd, String> {
    let winner = |letter: &str| COLOURS.iter().position(|colour| *colour == letter);
    match text.split_once('+') {
        None if matches!(text, "0" | "Draw") => Ok(RecordEnd::Winner(None)),
        Some((colour, how)) if winner(colour).is_some() => {
            let seat = winner(colour).expect("just looked");
            Ok(match how {
                "T" | "Time" => RecordEnd::Fault(1 - seat, FaultKind::Time),
                // Of the other faults the record has the name in its comment alone.
                "F" | "Forfeit" | "R" | "Resign" => {
                    let kind = root.value("C").and_then(|text| text.split(':').next());
                    let kind = kind.and_then(FaultKind::named);
                    RecordEnd::Fault(1 - seat, kind.unwrap_or(FaultKind::Refused))
                }
                _ => RecordEnd::Winner(Some(seat)),
            })
        }
        _ => Err(format!(
            "line {}: RE[{}] is no result: B+, W+, 0, B+T and B+F are",
            root.line,
            text.escape_debug()
        )),
    }
}
