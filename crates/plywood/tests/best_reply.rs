//! Best-Reply Search, BRS+ and MP-Mix find what their plain definitions find.

mod common;

use common::{mix, plain_maxn, plain_minimax};
use plywood::{Engine, Evaluate, Game, Limits, Moves, Scores, Seat, Settings, Turn};
use proptest::prelude::*;

/// A random game of players in turn, who may pass while others can move. Now and then a
/// player moves twice, or the game is over early.
#[derive(Clone, Copy, Debug)]
struct Ring<const N: usize> {
    seed: u64,
    width: u64,
    plies: u64,
    spread: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Spot {
    ply: u64,
    id: u64,
    turn: u8,
}

impl<const N: usize> Ring<N> {
    const START: Spot = Spot {
        ply: 0,
        id: 1,
        turn: 0,
    };

    fn draw(&self, spot: &Spot, what: u64) -> u64 {
        mix(
            mix(self.seed, what),
            mix(spot.ply, spot.id ^ u64::from(spot.turn) << 40),
        )
    }
}

impl<const N: usize> Game for Ring<N> {
    type State = Spot;
    type Move = u8;
    type Undo = Spot;
    type Scores = [i32; N];

    fn turn(&self, spot: &Spot) -> Turn {
        if spot.ply >= self.plies || spot.ply > 0 && spot.id.is_multiple_of(17) {
            Turn::Over
        } else {
            Turn::Player(Seat::new(spot.turn))
        }
    }

    fn moves(&self, spot: &Spot, list: &mut Moves<'_, u8>) {
        list.extend(0..=(self.draw(spot, 1) % self.width) as u8);
    }

    fn play(&self, spot: &mut Spot, mv: u8) -> Spot {
        let before = *spot;
        let again = self.draw(&before, 2 + u64::from(mv)).is_multiple_of(7);
        spot.ply += 1;
        spot.id = mix(before.id, u64::from(mv) + 10 + u64::from(before.turn)) % 1000;
        if !again {
            spot.turn = (before.turn + 1) % N as u8;
        }
        before
    }

    fn undo(&self, spot: &mut Spot, _: u8, before: Spot) {
        *spot = before;
    }

    fn outcome(&self, spot: &Spot) -> [i32; N] {
        let board = Spot { turn: 0, ..*spot };
        std::array::from_fn(|seat| (self.draw(&board, 50 + seat as u64) % (self.spread + 1)) as i32)
    }

    fn priority(&self, spot: &Spot, mv: u8) -> i32 {
        (self.draw(spot, 90 + u64::from(mv)) % 3) as i32
    }

    fn play_null(&self, spot: &mut Spot) -> Option<Spot> {
        // Not everybody can do nothing.
        if self.draw(spot, 80).is_multiple_of(11) {
            return None;
        }
        let before = *spot;
        spot.turn = (before.turn + 1) % N as u8;
        Some(before)
    }

    fn undo_null(&self, spot: &mut Spot, before: Spot) {
        *spot = before;
    }
}

#[derive(Clone, Copy)]
struct Worth;

impl<const N: usize> Evaluate<Ring<N>> for Worth {
    fn evaluate(&self, game: &Ring<N>, spot: &Spot) -> [i32; N] {
        game.outcome(spot)
    }
}

fn moves<const N: usize>(game: &Ring<N>, spot: &Spot) -> Vec<u8> {
    let mut list = Vec::new();
    game.moves(spot, &mut Moves::new(&mut list));
    list
}

fn after<const N: usize>(game: &Ring<N>, spot: &Spot, mv: u8) -> Spot {
    let mut next = *spot;
    game.play(&mut next, mv);
    next
}

fn is_reply<const N: usize>(game: &Ring<N>, spot: &Spot, view: Seat) -> bool {
    matches!(game.turn(spot), Turn::Player(seat) if seat != view)
}

/// Best-Reply Search by its definition: all replies of one opponent are gathered, then the
/// worst of them is taken.
fn plain_brs<const N: usize>(game: &Ring<N>, spot: &Spot, view: Seat, depth: u32) -> i32 {
    if depth == 0 || game.turn(spot) == Turn::Over {
        return game.outcome(spot)[view.index()];
    }
    if !is_reply(game, spot, view) {
        let values = moves(game, spot).into_iter();
        let values = values.map(|mv| plain_brs(game, &after(game, spot, mv), view, depth - 1));
        return values.max().unwrap();
    }
    let mut results = Vec::new();
    let mut here = *spot;
    for _ in 1..N {
        if !is_reply(game, &here, view) {
            break;
        }
        for mv in moves(game, &here) {
            let mut child = after(game, &here, mv);
            for _ in 1..N {
                if !is_reply(game, &child, view) || game.play_null(&mut child).is_none() {
                    break;
                }
            }
            results.push(child);
        }
        if game.play_null(&mut here).is_none() {
            break;
        }
    }
    let values = results
        .iter()
        .map(|child| plain_brs(game, child, view, depth - 1));
    values.min().unwrap()
}

/// Every position that a round of replies can lead to, if one of them is free.
fn rounds<const N: usize>(game: &Ring<N>, spot: &Spot, view: Seat, free: bool) -> Vec<Spot> {
    if !is_reply(game, spot, view) {
        return vec![*spot];
    }
    let list = moves(game, spot);
    let highest = list.iter().map(|&mv| game.priority(spot, mv)).max();
    let preferred = list
        .iter()
        .find(|&&mv| Some(game.priority(spot, mv)) == highest);
    let preferred = *preferred.unwrap();
    let mut ends = rounds(game, &after(game, spot, preferred), view, free);
    if free {
        for mv in list {
            ends.extend(rounds(game, &after(game, spot, mv), view, false));
        }
    }
    ends
}

fn plain_brs_plus<const N: usize>(game: &Ring<N>, spot: &Spot, view: Seat, depth: u32) -> i32 {
    if depth == 0 || game.turn(spot) == Turn::Over {
        return game.outcome(spot)[view.index()];
    }
    if is_reply(game, spot, view) {
        let ends = rounds(game, spot, view, true).into_iter();
        return ends
            .map(|end| plain_brs_plus(game, &end, view, depth - 1))
            .min()
            .unwrap();
    }
    let values = moves(game, spot).into_iter();
    let values = values.map(|mv| plain_brs_plus(game, &after(game, spot, mv), view, depth - 1));
    values.max().unwrap()
}

/// MaxN in which the player at the root takes what is worst for the target.
fn plain_attack<const N: usize>(
    game: &Ring<N>,
    spot: &Spot,
    root: Seat,
    target: usize,
    depth: u32,
) -> [i32; N] {
    let Turn::Player(seat) = game.turn(spot) else {
        return game.outcome(spot);
    };
    if depth == 0 {
        return game.outcome(spot);
    }
    let mut best: Option<[i32; N]> = None;
    for mv in moves(game, spot) {
        let value = plain_attack(game, &after(game, spot, mv), root, target, depth - 1);
        let better = best.is_none_or(|best| {
            if seat == root {
                value[target] < best[target]
            } else {
                value[seat.index()] > best[seat.index()]
            }
        });
        if better {
            best = Some(value);
        }
    }
    best.unwrap()
}

type Plain<const N: usize> = fn(&Ring<N>, &Spot, Seat, u32) -> i32;

fn hold<const N: usize>(game: &Ring<N>, spot: &Spot, name: &str, plain: Plain<N>) {
    let Turn::Player(view) = game.turn(spot) else {
        return;
    };
    for depth in 1..=4 {
        let settings = Settings::new(name).unwrap();
        let mut engine = Engine::new(*game, Worth, settings).unwrap();
        let what = format!("{name} to {depth} of {game:?} {spot:?}");
        let exact: Vec<i32> = moves(game, spot)
            .into_iter()
            .map(|mv| plain(game, &after(game, spot, mv), view, depth - 1))
            .collect();
        let most = *exact.iter().max().unwrap();
        let first = exact.iter().position(|&value| value == most).unwrap();
        for limits in [Limits::depth(depth), Limits::depth(depth).with_all_moves()] {
            let report = engine.search(spot, &limits);
            assert_eq!(report.values[view.index()], f64::from(most), "{what}");
            assert_eq!(report.best, Some(first as u8), "{what}");
            assert_eq!(report.depth, depth, "{what}");
            for (root, exact) in report.root.iter().zip(&exact) {
                assert_eq!(root.value, f64::from(*exact), "{what}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn one_reply_at_a_time(seed: u64, width in 1u64..5, spread in 1u64..30, turn in 0u8..2, id in 0u64..1000) {
        let spot = Spot { ply: 1, id, turn };
        let two = Ring::<2> { seed, width, plies: 9, spread };
        let three = Ring::<3> { seed, width, plies: 9, spread };
        let four = Ring::<4> { seed, width: width.min(3), plies: 12, spread };
        hold(&two, &spot, "brs", plain_brs);
        hold(&two, &spot, "brs-plus", plain_brs_plus);
        hold(&three, &spot, "brs", plain_brs);
        hold(&three, &spot, "brs-plus", plain_brs_plus);
        hold(&four, &spot, "brs", plain_brs);
        hold(&four, &spot, "brs-plus", plain_brs_plus);
    }

    #[test]
    fn the_leader_decides_what_mp_mix_is(seed: u64, spread in 1u64..30, defence in 0i32..12, offence in 0i32..12) {
        let game = Ring::<3> { seed, width: 3, plies: 9, spread };
        let spot = Ring::<3>::START;
        let root = Seat::FIRST;
        let scores = game.outcome(&spot);
        let mut sorted = scores;
        sorted.sort();
        let (most, ahead) = (sorted[2], sorted[2] - sorted[1]);
        let leader = scores.iter().position(|&score| score == most).unwrap();
        for depth in 1..=4 {
            for (strategy, threads) in [("seq", 1), ("budget:2", 2), ("ybwc", 2)] {
                let settings = Settings::new(&format!("mp-mix:defence={defence},offence={offence}"))
                    .unwrap()
                    .parallel(strategy, threads)
                    .unwrap();
                let report = Engine::new(game, Worth, settings).unwrap().search(&spot, &Limits::depth(depth));
                let values: Vec<i32> = report.values.iter().map(|&value| value as i32).collect();
                if leader == 0 && ahead >= defence {
                    let plain = plain_minimax(&game, &Worth, &spot, depth, false, root);
                    prop_assert_eq!(values[0], plain.value);
                    prop_assert_eq!(&report.line, &plain.line);
                } else if leader != 0 && ahead >= offence {
                    let plain = plain_attack(&game, &spot, root, leader, depth);
                    prop_assert_eq!(values, plain.as_ref());
                } else {
                    let plain = plain_maxn(&game, &Worth, &spot, depth);
                    prop_assert_eq!(values, plain.value.as_ref());
                    prop_assert_eq!(&report.line, &plain.line);
                }
            }
        }
    }
}

#[test]
fn options_are_read_and_written() {
    for text in ["brs", "brs-plus", "mp-mix", "mp-mix:defence=5,offence=0"] {
        let search: plywood::Search = text.parse().unwrap();
        assert_eq!(search.to_string(), text);
    }
    let error = "mp-mix:defence=-1".parse::<plywood::Search>().unwrap_err();
    assert!(
        error.to_string().contains("a whole number from 0"),
        "{error}"
    );
    assert!("brs:deep".parse::<plywood::Search>().is_err());
    let settings = Settings::new("brs").unwrap().parallel("ybwc", 2).unwrap();
    let error = settings.check::<Ring<3>>().unwrap_err().to_string();
    assert!(error.ends_with("use one of seq"), "{error}");
    assert_eq!(<[i32; 3] as Scores>::PLAYERS, 3);
}
