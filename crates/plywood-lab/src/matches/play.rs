//! One game from the opening to its end.

use std::time::{Duration, Instant};

use plywood::{Seat, Turn};
use plywood_games::registry::{AnyGame, Random};

use super::finished::{Cost, End, Fault, FaultKind, Finished};
use super::plan::{GamePlan, Plan};
use super::seat::{Chairs, Choice, NoMove, Seated, Table};

/// What became of a game.
pub(super) enum Played {
    /// It ended, one way or another.
    Ended(Box<Finished>),
    /// The match was stopped first.
    Stopped,
    /// It could not even begin.
    Impossible(String),
}

/// Plays a game of a match.
pub(super) fn play(
    plan: &Plan,
    game: &dyn AnyGame,
    task: &GamePlan,
    chairs: &mut Chairs,
) -> Played {
    let mut random = task.opening_random();
    let opening = match plan.openings.of_block(task.block, game, &mut random) {
        Ok(opening) => opening,
        Err(error) => return Played::Impossible(error),
    };
    let start = match opening.replay(game) {
        Ok((_, start)) => start,
        Err(error) => return Played::Impossible(error),
    };
    let mut table = Table {
        game,
        set_up: (!opening.start.is_empty()).then(|| start.clone()),
        moves: Vec::new(),
        now: start,
    };
    for mv in &opening.moves {
        if let Err(error) = table.play(mv) {
            return Played::Impossible(error.to_string());
        }
    }
    let mut costs = vec![Cost::default(); task.seats.len()];
    let end = seated_game(plan, task, chairs, &mut table, &mut costs);
    let Some(end) = end else {
        return Played::Stopped;
    };
    Played::Ended(Box::new(Finished {
        game: task.number,
        block: task.block,
        seats: task.seats.clone(),
        start: opening.start,
        opening: opening.moves.len(),
        moves: table.moves.into_iter().map(|(_, mv)| mv).collect(),
        end,
        costs,
    }))
}

/// Seats everybody, plays, and lets everybody go; `None` if the match was stopped.
fn seated_game(
    plan: &Plan,
    task: &GamePlan,
    chairs: &mut Chairs,
    table: &mut Table<'_>,
    costs: &mut [Cost],
) -> Option<End> {
    let mut seated: Vec<Seated> = Vec::new();
    let mut end = None;
    for (index, &number) in task.seats.iter().enumerate() {
        let seat = Seat::new(index as u8);
        let spec = &plan.players[number];
        match chairs.take(number, spec, table.game, seat, task.player_seed(index)) {
            Ok(player) => seated.push(player),
            Err(NoMove::Fault(kind, note)) => {
                end = Some(fault(index, kind, note));
                break;
            }
            Err(NoMove::Stopped) => return None,
        }
    }
    let mut random = task.chance_random();
    let end = match end {
        Some(end) => Some(end),
        None => to_the_end(table, &mut seated, costs, &mut random),
    };
    for (mut player, cost) in seated.into_iter().zip(costs) {
        cost.notes = player.player().end();
        chairs.leave(player);
    }
    end
}

fn to_the_end(
    table: &mut Table<'_>,
    seated: &mut [Seated],
    costs: &mut [Cost],
    random: &mut Random,
) -> Option<End> {
    loop {
        match table.game.turn(&table.now) {
            Turn::Over => {
                let scores = table.game.final_scores(&table.now);
                return Some(End::Scores(scores.expect("the game is over")));
            }
            Turn::Chance => {
                let event = table.game.random_chance(&table.now, random);
                let event = event.expect("it is chance's turn");
                table.play(&event).expect("chance does what is possible");
            }
            Turn::Player(seat) => {
                let index = seat.index();
                let started = Instant::now();
                let choice = match seated[index].player().choose(table) {
                    Ok(choice) => choice,
                    Err(NoMove::Fault(kind, note)) => return Some(fault(index, kind, note)),
                    Err(NoMove::Stopped) => return None,
                };
                let wall = choice.wall.unwrap_or_else(|| started.elapsed());
                costs[index].add(wall, &choice);
                if let Err(error) = table.play(&choice.mv) {
                    let note = format!("{:?}: {error}", choice.mv);
                    return Some(fault(index, FaultKind::Illegal, note));
                }
            }
        }
    }
}

fn fault(seat: usize, kind: FaultKind, note: String) -> End {
    End::Fault(Fault { seat, kind, note })
}

impl Cost {
    fn add(&mut self, wall: Duration, choice: &Choice) {
        let wall = wall.as_micros() as u64;
        self.moves += 1;
        self.nodes += choice.nodes;
        self.depths.extend(choice.depth);
        self.wall_us += wall;
        self.slowest_us = self.slowest_us.max(wall);
        if let Some(cpu) = choice.cpu {
            *self.cpu_us.get_or_insert(0) += cpu.as_micros() as u64;
        }
    }
}
