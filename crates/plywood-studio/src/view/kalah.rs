//! A board of Kalah, and a move of it stone by stone.

use plywood::{Game, Seat, Turn};
use plywood_games::kalah::{Capture, End, Kalah, Position, Rules, Sweep};
use plywood_games::registry::AnyGame;
use plywood_games::{Notation, TextError};
use serde_json::{Value, json};

use super::option;

/// The game with the rules that its options name.
fn game_of(game: &dyn AnyGame) -> Result<Kalah, TextError> {
    let number = |name| option(game, name).parse().unwrap_or_default();
    let rules = Rules {
        pits: number("pits"),
        stones: number("stones"),
        capture: match option(game, "capture").as_str() {
            "empty" => Capture::Always,
            _ => Capture::IfOppositeFull,
        },
        end: match option(game, "end").as_str() {
            "mover" => End::MoverRowEmpty,
            _ => End::EitherRowEmpty,
        },
        sweep: match option(game, "sweep").as_str() {
            "other" => Sweep::ToOther,
            _ => Sweep::ToOwner,
        },
    };
    Kalah::new(rules).map_err(|error| TextError::new(error.to_string()))
}

/// The stones in a player's pits, in sowing order.
fn row(kalah: &Kalah, position: &Position, seat: usize) -> Vec<u8> {
    let row = position.row(Seat::new(seat as u8));
    row[..usize::from(kalah.rules().pits)].to_vec()
}

pub(super) fn board(game: &dyn AnyGame, position: &str) -> Result<Value, TextError> {
    let kalah = game_of(game)?;
    let position = kalah.read_state(position)?;
    let rows = [0, 1].map(|seat| row(&kalah, &position, seat));
    let stores = [0, 1].map(|seat| position.store(Seat::new(seat)));
    Ok(json!({
        "kind": "kalah",
        "pits": kalah.rules().pits,
        "rows": rows,
        "stores": stores,
    }))
}

/// What happens to the stones when a move is made, one after the other.
pub(super) fn steps(game: &dyn AnyGame, before: &str, mv: &str) -> Result<Value, TextError> {
    let kalah = game_of(game)?;
    let mut position = kalah.read_state(before)?;
    let pit = kalah.read_move(&position, mv)?;
    let mut hand = Hand::new(&kalah, &position);
    hand.sow(usize::from(pit.index()));
    kalah.play(&mut position, pit);
    if kalah.turn(&position) == Turn::Over {
        hand.sweep(kalah.rules().sweep);
    }
    Ok(Value::Array(hand.steps))
}

/// Does with single stones what the rules say.
struct Hand {
    capture: Capture,
    mover: usize,
    rows: [Vec<u8>; 2],
    stores: [u8; 2],
    steps: Vec<Value>,
}

impl Hand {
    fn new(kalah: &Kalah, position: &Position) -> Self {
        Hand {
            capture: kalah.rules().capture,
            mover: position.mover().index(),
            rows: [0, 1].map(|seat| row(kalah, position, seat)),
            stores: [0, 1].map(|seat| position.store(Seat::new(seat))),
            steps: Vec::new(),
        }
    }

    fn sow(&mut self, pit: usize) {
        let (mover, pits) = (self.mover, self.rows[0].len());
        let stones = std::mem::take(&mut self.rows[mover][pit]);
        self.steps
            .push(json!({ "kind": "lift", "seat": mover, "pit": pit, "stones": stones }));
        // Places in sowing order from the mover's first pit on; the other's store is none.
        let mut place = pit;
        for _ in 0..stones {
            place = (place + 1) % (2 * pits + 1);
            if place == pits {
                self.stores[mover] += 1;
                self.steps
                    .push(json!({ "kind": "drop", "seat": mover, "pit": "store" }));
            } else {
                let (seat, pit) = if place < pits {
                    (mover, place)
                } else {
                    (1 - mover, place - pits - 1)
                };
                self.rows[seat][pit] += 1;
                self.steps
                    .push(json!({ "kind": "drop", "seat": seat, "pit": pit }));
            }
        }
        if place < pits && self.rows[mover][place] == 1 {
            self.capture(place, pits - 1 - place);
        }
    }

    fn capture(&mut self, own: usize, opposite: usize) {
        let (mover, other) = (self.mover, 1 - self.mover);
        let taken = self.rows[other][opposite];
        if taken == 0 && self.capture == Capture::IfOppositeFull {
            return;
        }
        self.rows[mover][own] = 0;
        self.rows[other][opposite] = 0;
        self.stores[mover] += 1 + taken;
        self.steps.push(json!({
            "kind": "capture", "seat": mover, "pit": own,
            "from": { "seat": other, "pit": opposite }, "stones": 1 + taken,
        }));
    }

    /// What is left in the pits goes where the rules say. In the position it stays where it
    /// is, and is only counted.
    fn sweep(&mut self, sweep: Sweep) {
        for seat in 0..2 {
            let to = match sweep {
                Sweep::ToOwner => seat,
                Sweep::ToOther => 1 - seat,
            };
            for (pit, &stones) in self.rows[seat].iter().enumerate() {
                if stones > 0 {
                    self.steps.push(json!({
                        "kind": "sweep", "seat": seat, "pit": pit, "to": to, "stones": stones,
                    }));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use plywood_games::registry::{Random, open};

    use super::*;

    /// The stones that the hand leaves are those of the rules, whatever the game.
    #[test]
    fn stone_by_stone_is_the_same_move() {
        let mut random = Random::new(11);
        for spec in [
            "kalah",
            "kalah:pits=3,stones=9",
            "kalah:pits=1,stones=20",
            "kalah:capture=empty",
            "kalah:end=mover,sweep=other",
        ] {
            let game = open(spec).expect("a game");
            let kalah = game_of(&*game).expect("the same game");
            let mut position = kalah.start();
            while kalah.turn(&position) != Turn::Over {
                let text = kalah.write_state(&position);
                let any = game.read_position(&text).expect("a position");
                let mv = game.random_move(&any, &mut random).expect("a move");
                let pit = kalah.read_move(&position, &mv).expect("legal");
                let mut hand = Hand::new(&kalah, &position);
                hand.sow(usize::from(pit.index()));
                kalah.play(&mut position, pit);
                for seat in 0..2 {
                    let rows = row(&kalah, &position, seat);
                    assert_eq!(hand.rows[seat], rows, "{text} {mv}");
                    let store = position.store(Seat::new(seat as u8));
                    assert_eq!(hand.stores[seat], store, "{text} {mv}");
                }
                steps(&*game, &text, &mv).expect("steps");
            }
        }
    }
}
