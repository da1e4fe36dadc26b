//! A game for three players, searched with MaxN and with Paranoid: the same position, and
//! why the two see it differently.
//!
//! Coins lie in a row. In turn each thief takes one or two coins from either end and keeps
//! their worth. The second thief gets caught when the loot on the table is down to a third,
//! and plays no more: players can drop out.
//!
//! ```text
//! cargo run --release --example three_thieves
//! ```

use plywood::{Engine, Evaluate, Game, Limits, Moves, Seat, Settings, SettingsError, Turn};

/// The coins in the row.
struct Thieves {
    coins: Vec<i32>,
}

/// What is left of the row, and what everybody has.
#[derive(Clone)]
struct Table {
    left: usize,
    right: usize,
    loot: [i32; 3],
    next: u8,
}

/// Coins to take, from the left or from the right.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Take {
    Left(usize),
    Right(usize),
}

impl Thieves {
    /// Whether the second thief is caught.
    fn caught(&self, table: &Table) -> bool {
        3 * (table.right - table.left) <= self.coins.len()
    }
}

impl Game for Thieves {
    type State = Table;
    type Move = Take;
    type Undo = Table;
    type Scores = [i32; 3];

    fn turn(&self, table: &Table) -> Turn {
        if table.left == table.right {
            return Turn::Over;
        }
        // A player who is out is skipped: there is no pass to list.
        match table.next {
            1 if self.caught(table) => Turn::Player(Seat::new(2)),
            next => Turn::Player(Seat::new(next)),
        }
    }

    fn moves(&self, table: &Table, list: &mut Moves<'_, Take>) {
        let most = (table.right - table.left).min(2);
        list.extend((1..=most).map(Take::Left));
        list.extend((1..=most).map(Take::Right));
    }

    fn play(&self, table: &mut Table, take: Take) -> Table {
        let before = table.clone();
        let Turn::Player(seat) = self.turn(table) else {
            return before;
        };
        let taken = match take {
            Take::Left(count) => {
                table.left += count;
                &self.coins[before.left..table.left]
            }
            Take::Right(count) => {
                table.right -= count;
                &self.coins[table.right..before.right]
            }
        };
        table.loot[seat.index()] += taken.iter().sum::<i32>();
        table.next = (seat.index() as u8 + 1) % 3;
        before
    }

    fn undo(&self, table: &mut Table, _: Take, before: Table) {
        *table = before;
    }

    fn outcome(&self, table: &Table) -> [i32; 3] {
        table.loot
    }
}

/// What everybody has so far. It never adds up to more than all the coins, so MaxN prunes.
struct Loot;

impl Evaluate<Thieves> for Loot {
    fn evaluate(&self, _: &Thieves, table: &Table) -> [i32; 3] {
        table.loot
    }

    fn bounded_sum(&self, game: &Thieves) -> Option<i32> {
        Some(game.coins.iter().sum())
    }
}

fn main() -> Result<(), SettingsError> {
    let coins = vec![3, 9, 1, 2, 8, 5, 1, 7, 2, 6, 4, 9, 1, 8, 3];
    println!("Coins: {coins:?}");
    for search in ["maxn", "maxn:no-prune", "paranoid"] {
        let game = Thieves {
            coins: coins.clone(),
        };
        let start = Table {
            left: 0,
            right: coins.len(),
            loot: [0; 3],
            next: 0,
        };
        let strategy = "budget:2";
        let settings = Settings::new(search)?.on_all_cores(strategy)?;
        let report = Engine::new(game, Loot, settings)?.search(&start, &Limits::depth(8));
        println!(
            "{search:13} takes {:?}, expects {:?}, looked at {} nodes",
            report.best.expect("the game is not over"),
            report.values,
            report.nodes.total()
        );
    }
    Ok(())
}
