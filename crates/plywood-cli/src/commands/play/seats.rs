//! Who is a person and who is the engine.

use plywood::{Seat, Turn};
use plywood_games::registry::AnyGame;

/// The seats that persons have taken.
#[derive(Debug, PartialEq, Eq)]
pub struct Seats {
    players: Vec<bool>,
    /// Whether a person decides what chance does.
    chance: bool,
}

impl Seats {
    /// Reads `first`, `1,3`, `south`, `all`, `none`; `player` and `spawner` where one player
    /// faces chance.
    pub fn read(text: &str, game: &dyn AnyGame) -> Result<Self, String> {
        const ORDINALS: [&str; 4] = ["first", "second", "third", "fourth"];
        let info = game.info();
        let alone = info.players == 1 && info.chance;
        let mut seats = Seats {
            players: vec![false; info.players],
            chance: false,
        };
        for word in text.split(',') {
            let word = word.trim().to_lowercase();
            let seat = (0..info.players).find(|&seat| {
                ORDINALS.get(seat) == Some(&word.as_str())
                    || (seat + 1).to_string() == word
                    || game.seat_name(Seat::new(seat as u8)).to_lowercase() == word
            });
            match (word.as_str(), seat) {
                (_, Some(seat)) => seats.players[seat] = true,
                ("none", _) => {}
                ("all", _) => {
                    seats.players.fill(true);
                    seats.chance = info.chance;
                }
                ("spawner", _) if alone => seats.chance = true,
                _ => {
                    let mut accepted: Vec<String> = Vec::new();
                    for seat in 0..info.players {
                        accepted.push((seat + 1).to_string());
                        accepted.push(game.seat_name(Seat::new(seat as u8)).to_lowercase());
                    }
                    if alone {
                        accepted.push("spawner".to_owned());
                    }
                    return Err(format!(
                        "'{word}' is not a seat of {}: use {}, all or none, with commas between \
                         several",
                        info.name,
                        accepted.join(", ")
                    ));
                }
            }
        }
        Ok(seats)
    }

    /// Whether a person decides what happens next.
    pub fn person_acts(&self, turn: Turn) -> bool {
        match turn {
            Turn::Player(seat) => self.players[seat.index()],
            Turn::Chance => self.chance,
            Turn::Over => false,
        }
    }

    /// Whether a person decides what chance does.
    pub fn person_is_chance(&self) -> bool {
        self.chance
    }

    /// Whether anybody is there.
    pub fn any_person(&self) -> bool {
        self.chance || self.players.contains(&true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plywood_games::registry::open;

    fn read(game: &str, text: &str) -> Result<(Vec<bool>, bool), String> {
        let game = open(game).expect("a game");
        Seats::read(text, &*game).map(|seats| (seats.players, seats.chance))
    }

    #[test]
    fn seats_have_names_and_numbers() {
        assert_eq!(read("kalah", "first"), Ok((vec![true, false], false)));
        assert_eq!(read("kalah", "North"), Ok((vec![false, true], false)));
        assert_eq!(read("kalah", "all"), Ok((vec![true, true], false)));
        let mixed = Ok((vec![true, false, true, false], false));
        assert_eq!(read("blokus", "1,3"), mixed);
        assert_eq!(read("blokus", "blue, red"), mixed);
        assert_eq!(read("blokus", "none"), Ok((vec![false; 4], false)));
        assert_eq!(read("2048", "player"), Ok((vec![true], false)));
        assert_eq!(read("2048", "spawner"), Ok((vec![false], true)));
        assert_eq!(read("2048", "all"), Ok((vec![true], true)));
    }

    #[test]
    fn other_seats_are_refused() {
        for (game, text) in [
            ("kalah", "third"),
            ("kalah", "0"),
            ("kalah", "spawner"),
            ("kalah", ""),
            ("blokus", "5"),
            ("2048", "second"),
        ] {
            let error = read(game, text).expect_err(text);
            assert!(
                error.contains(&format!("is not a seat of {game}: use 1, ")),
                "{error}"
            );
        }
    }
}
