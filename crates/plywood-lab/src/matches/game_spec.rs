//! What the protocols and records of other programs need to know about a game.

use plywood_games::registry::AnyGame;

/// The value of an option of a game.
///
/// # Panics
/// If the game has no such option.
pub(super) fn option(game: &dyn AnyGame, name: &str) -> String {
    let chosen = game
        .spec()
        .split_once(':')
        .map_or("", |(_, options)| options);
    let mut pairs = chosen.split(',').filter_map(|pair| pair.split_once('='));
    match pairs.find(|(key, _)| *key == name) {
        Some((_, value)) => value.to_owned(),
        None => {
            let info = game.info().options.iter().find(|info| info.name == name);
            let info = info.unwrap_or_else(|| panic!("an option {name} is declared"));
            info.default.to_owned()
        }
    }
}

/// The rows and columns of a Gomoku board.
pub(super) fn gomoku_size(game: &dyn AnyGame) -> u8 {
    let size = option(game, "size");
    size.parse().expect("the size is a number")
}

/// The stones of a Gomoku position by seat, as (column from the left, row from the top).
pub(super) fn gomoku_stones(position: &str) -> Vec<(usize, (u8, u8))> {
    let rows = position.split_whitespace().next().unwrap_or("");
    let mut stones = Vec::new();
    for (row, text) in rows.split('/').enumerate() {
        let mut column = 0;
        let mut number = 0;
        for character in text.chars() {
            if let Some(digit) = character.to_digit(10) {
                number = 10 * number + digit as u8;
                continue;
            }
            column += std::mem::take(&mut number);
            let seat = usize::from(character == 'o');
            stones.push((seat, (column, row as u8)));
            column += 1;
        }
    }
    stones
}

/// The placements of a Blokus position, by seat in the order of the colours.
pub(super) fn blokus_placements(position: &str) -> Vec<(usize, String)> {
    let mut placements = Vec::new();
    let mut seat = 0;
    for field in position.split_whitespace() {
        let Some((sign, list)) = field.split_once('=') else {
            continue;
        };
        // The colours have one capital each, and come in the order of their seats.
        if sign.len() != 1 {
            continue;
        }
        let list = list.split('/').filter(|cells| *cells != "-");
        placements.extend(list.map(|cells| (seat, cells.to_owned())));
        seat += 1;
    }
    placements
}

#[cfg(test)]
mod tests {
    use super::*;
    use plywood_games::registry;

    #[test]
    fn options_have_their_chosen_or_default_values() {
        let game = registry::open("gomoku:rule=renju").expect("a game");
        assert_eq!(option(&*game, "rule"), "renju");
        assert_eq!(gomoku_size(&*game), 15);
    }

    #[test]
    fn stones_and_placements_are_found() {
        let game = registry::open("gomoku").expect("a game");
        let position = game.read_position("A15 O1 B14").expect("a position");
        let mut stones = gomoku_stones(&game.write_position(&position));
        stones.sort();
        assert_eq!(stones, [(0, (0, 0)), (0, (1, 1)), (1, (14, 14))]);
        let game = registry::open("blokus").expect("a game");
        let position = game.read_position(game.info().example).expect("a position");
        let placements = blokus_placements(&game.write_position(&position));
        let seats: Vec<usize> = placements.iter().map(|(seat, _)| *seat).collect();
        assert_eq!(seats, [0, 1, 2, 3]);
        assert!(placements[3].1.contains("a1"));
    }
}
