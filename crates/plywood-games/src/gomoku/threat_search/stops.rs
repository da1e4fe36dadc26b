//! What stops a threat.

use super::super::patterns::{Class, PatternBoard, Points};
use super::super::{Colour, Point};

/// The one point where the defender, who is to move and has no five, stops a four; `None` if
/// there is no such point.
pub(crate) fn stopping(board: &PatternBoard, attacker: Colour) -> Option<Point> {
    if board.count(attacker, Class::Five) > 1 {
        return None;
    }
    let point = board.fives(attacker).first()?;
    board.is_allowed(attacker.other(), point).then_some(point)
}

/// Where the defender, who is to move and faces no four, stops all open fours that are
/// threatened, other than by a four of his own; `None` if none is threatened.
///
/// Against one open four the point itself and the two points that would make five are all
/// there is. A point that renju may forbid black is not counted among the threats, as white may
/// make it so: of the others white's stones only take patterns away.
pub(crate) fn stopping_open_fours(board: &PatternBoard, attacker: Colour) -> Option<Points> {
    let threats = *board.points(attacker, Class::OpenFour);
    let mut stops: Option<Points> = None;
    for point in threats.iter() {
        let fives = board.fives_after(attacker, point);
        // Of three or more fives no stone stops all.
        let mut these = if fives.len() == 2 {
            fives
        } else {
            Points::EMPTY
        };
        these.insert(point);
        stops = Some(match stops {
            Some(stops) => stops.and(&these),
            None => these,
        });
    }
    stops
}
