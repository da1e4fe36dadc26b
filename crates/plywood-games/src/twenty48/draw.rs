//! The board as a grid of tiles.

use std::fmt::Write;

use crate::text::Style;

use super::Position;
use super::notation::tile_value;

const RULE: &str = "  +--------+--------+--------+--------+\n";

pub(super) fn draw(position: &Position, style: Style) -> String {
    let mut out = String::from("       a        b        c        d\n");
    out.push_str(RULE);
    for (row, tiles) in position.board().exponents().chunks(4).enumerate() {
        let _ = write!(out, "{} |", row + 1);
        for &exponent in tiles {
            let _ = write!(out, "{}|", tile(exponent, style));
        }
        out.push('\n');
        out.push_str(RULE);
    }
    let turn = if position.is_chance() {
        ", a new tile is to come"
    } else {
        ""
    };
    let _ = writeln!(out, "score {}{turn}", position.score());
    out
}

fn tile(exponent: u8, style: Style) -> String {
    let value = match exponent {
        0 => String::new(),
        _ => tile_value(exponent).to_string(),
    };
    // Centred, the odd space on the left.
    let text = format!("{:>width$}", value, width = (8 + value.len()).div_ceil(2));
    let text = format!("{text:<8}");
    match style {
        Style::Plain => text,
        Style::Colour if exponent == 0 => text,
        Style::Colour => {
            // From pale sand over orange to red for what comes often, then violet to blue.
            const BACKGROUNDS: [u8; 17] = [
                230, 223, 216, 209, 203, 196, 221, 220, 214, 208, 202, 141, 135, 99, 63, 33, 39,
            ];
            let background = BACKGROUNDS[usize::from(exponent - 1) % BACKGROUNDS.len()];
            format!("\x1b[1;38;5;16;48;5;{background}m{text}\x1b[0m")
        }
    }
}
