//! Who sits where: every opening is played in seatings that treat all players alike.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Which seatings an opening is played in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seatings {
    /// Every line-up moved around the table: each of its players sits once in every seat.
    Rotations,
    /// Every line-up in every order.
    All,
}

impl Seatings {
    /// What is taken if nothing is said. Rotations of a line-up in which players sit more
    /// than once would keep neighbours together.
    pub fn usual(players: usize, seats: usize) -> Self {
        if players < seats {
            Seatings::All
        } else {
            Seatings::Rotations
        }
    }

    /// Reads `rotations` or `all`.
    pub fn parse(text: &str) -> Result<Self, String> {
        match text {
            "rotations" => Ok(Seatings::Rotations),
            "all" => Ok(Seatings::All),
            _ => Err(format!("'{text}' are no seatings: use rotations or all")),
        }
    }

    /// The players in every seat, for every game of a block.
    ///
    /// With more players than seats every choice of players makes a line-up. With fewer,
    /// every player sits equally often, and if the seats do not divide evenly, every choice
    /// of players who sit once more makes a line-up.
    pub fn block(self, players: usize, seats: usize) -> Vec<Vec<usize>> {
        let mut seatings = Vec::new();
        for line_up in line_ups(players, seats) {
            let mut orders = match self {
                Seatings::Rotations => rotations(&line_up),
                Seatings::All => permutations(&line_up),
            };
            // Where a player sits more than once, orders repeat.
            let mut seen: Vec<Vec<usize>> = Vec::new();
            orders.retain(|order| {
                let new = !seen.contains(order);
                seen.push(order.clone());
                new
            });
            seatings.extend(orders);
        }
        seatings
    }
}

impl fmt::Display for Seatings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Seatings::Rotations => "rotations",
            Seatings::All => "all",
        })
    }
}

fn line_ups(players: usize, seats: usize) -> Vec<Vec<usize>> {
    if players >= seats {
        return choices(players, seats);
    }
    let (each, more) = (seats / players, seats % players);
    choices(players, more)
        .into_iter()
        .map(|extra| {
            let round = (0..each).flat_map(|_| 0..players);
            round.chain(extra).collect()
        })
        .collect()
}

/// Every choice of `size` of the numbers below `count`, each in order.
fn choices(count: usize, size: usize) -> Vec<Vec<usize>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for last in (size - 1)..count {
        for mut choice in choices(last, size - 1) {
            choice.push(last);
            all.push(choice);
        }
    }
    all.sort();
    all
}

fn rotations(line_up: &[usize]) -> Vec<Vec<usize>> {
    (0..line_up.len())
        .map(|by| {
            let mut order = line_up.to_vec();
            order.rotate_right(by);
            order
        })
        .collect()
}

fn permutations(line_up: &[usize]) -> Vec<Vec<usize>> {
    if line_up.len() <= 1 {
        return vec![line_up.to_vec()];
    }
    let mut all = Vec::new();
    for first in 0..line_up.len() {
        let mut rest = line_up.to_vec();
        let head = rest.remove(first);
        for mut order in permutations(&rest) {
            order.insert(0, head);
            all.push(order);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_players_play_from_both_sides() {
        let block = Seatings::Rotations.block(2, 2);
        assert_eq!(block, [[0, 1], [1, 0]]);
        assert_eq!(Seatings::All.block(2, 2), block);
    }

    #[test]
    fn every_block_treats_all_players_alike() {
        for (players, seats) in [
            (2, 2),
            (3, 2),
            (5, 2),
            (2, 4),
            (3, 4),
            (4, 4),
            (5, 4),
            (3, 1),
        ] {
            for seatings in [Seatings::Rotations, Seatings::All] {
                let block = seatings.block(players, seats);
                let mut count = vec![vec![0; seats]; players];
                for order in &block {
                    assert_eq!(order.len(), seats);
                    for (seat, &player) in order.iter().enumerate() {
                        count[player][seat] += 1;
                    }
                }
                let first = count[0][0];
                assert!(first > 0);
                assert!(
                    count.iter().flatten().all(|&times| times == first),
                    "{players} players, {seats} seats, {seatings}: {count:?}"
                );
            }
        }
    }

    #[test]
    fn the_number_of_seatings_is_known() {
        let count = |seatings: Seatings, players, seats| seatings.block(players, seats).len();
        assert_eq!(count(Seatings::Rotations, 4, 4), 4);
        assert_eq!(count(Seatings::All, 4, 4), 24);
        assert_eq!(count(Seatings::All, 2, 4), 6);
        assert_eq!(count(Seatings::Rotations, 2, 4), 2);
        assert_eq!(count(Seatings::Rotations, 3, 2), 6);
        assert_eq!(count(Seatings::Rotations, 5, 4), 20);
        assert_eq!(count(Seatings::All, 3, 1), 3);
    }
}
