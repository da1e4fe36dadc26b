//! Whether the evaluation by threats is worth having: it must beat the report's.

use std::ops::ControlFlow;

use plywood::{Evaluate, Game, Moves, Turn};
use plywood_games::Notation;
use plywood_games::gomoku::{Colour, Gomoku, Point, Position, Report, Rule, Settings, Threats};

/// A plain alpha-beta search: the value for the player to move, and the best move.
fn search<E: Evaluate<Gomoku>>(
    game: &Gomoku,
    eval: &E,
    state: &mut Position,
    depth: u32,
    mut alpha: i32,
    beta: i32,
) -> (i32, Option<Point>) {
    let seat = state.to_move() as usize;
    if game.turn(state) == Turn::Over {
        return (eval.finished(game, state)[seat], None);
    }
    let mut best = (-i32::MAX, None);
    if depth == 1 {
        eval.children(game, state, &mut Vec::new(), |point, scores| {
            if scores[seat] > best.0 {
                best = (scores[seat], Some(point));
            }
            if best.0 >= beta {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        return best;
    }
    let mut list = Vec::new();
    game.moves(state, &mut Moves::new(&mut list));
    list.sort_by_cached_key(|&point| -game.priority(state, point));
    for point in list {
        let undo = game.play(state, point);
        let value = -search(game, eval, state, depth - 1, -beta, -alpha).0;
        game.undo(state, point, undo);
        if value > best.0 {
            best = (value, Some(point));
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
    }
    best
}

/// The winner of a game from an opening, the threats on one side, the report on the other.
fn winner(game: &Gomoku, opening: &Position, threats: Colour, depth: u32) -> Option<Colour> {
    let mut state = opening.clone();
    for _ in 0..60 {
        if game.turn(&state) == Turn::Over {
            break;
        }
        let (_, best) = if state.to_move() == threats {
            search(game, &Threats, &mut state, depth, -i32::MAX, i32::MAX)
        } else {
            search(game, &Report, &mut state, depth, -i32::MAX, i32::MAX)
        };
        game.play(&mut state, best.expect("a move"));
    }
    state.winner()
}

#[test]
fn threats_beat_the_report() {
    let openings = [
        "H8 H9 J9",
        "H8 I9 F7",
        "H8 H9 G6",
        "H8 I9 J7",
        "H8 J8 G10",
        "H8 J9 F9",
    ];
    for rule in [Rule::Freestyle, Rule::ExactlyFive, Rule::Renju] {
        let game = Gomoku::new(Settings {
            rule,
            ..Settings::default()
        })
        .expect("valid settings");
        let (mut won, mut lost) = (0, 0);
        for opening in openings {
            let opening = game.read_state(opening).expect("an opening");
            for threats in [Colour::Black, Colour::White] {
                match winner(&game, &opening, threats, 3) {
                    Some(colour) if colour == threats => won += 1,
                    Some(_) => lost += 1,
                    None => {}
                }
            }
        }
        println!("{rule:?}: {won} won, {lost} lost of {}", 2 * openings.len());
        assert!(won >= 2 * lost + 4, "{rule:?}: {won} won, {lost} lost");
    }
}
