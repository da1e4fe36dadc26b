//! Kalah's fast paths against a slow referee written without looking at them, along random
//! games under all rules.

use std::ops::ControlFlow;

use plywood::{Evaluate, Game, Moves, Seat, Turn};
use plywood_games::kalah::{Capture, End, Kalah, Pit, Position, Rules, StoreDifference, Sweep};
use plywood_games::{Notation, Style};
use proptest::prelude::*;

/// The board as a circle of houses: South's pits, South's store, North's pits, North's store.
#[derive(Clone, PartialEq, Debug)]
struct Referee {
    houses: Vec<u32>,
    pits: usize,
    rules: Rules,
    mover: usize,
}

impl Referee {
    fn new(game: &Kalah, position: &Position) -> Self {
        let rules = game.rules();
        let pits = usize::from(rules.pits);
        let houses = [Seat::FIRST, Seat::SECOND]
            .into_iter()
            .flat_map(|seat| {
                let mut side = position.row(seat)[..pits].to_vec();
                side.push(position.store(seat));
                side
            })
            .map(u32::from)
            .collect();
        Referee {
            houses,
            pits,
            rules,
            mover: position.mover().index(),
        }
    }

    fn house(&self, player: usize, pit: usize) -> usize {
        player * (self.pits + 1) + pit
    }

    fn row_sum(&self, player: usize) -> u32 {
        (0..self.pits)
            .map(|pit| self.houses[self.house(player, pit)])
            .sum()
    }

    fn over(&self) -> bool {
        match self.rules.end {
            End::EitherRowEmpty => self.row_sum(0) == 0 || self.row_sum(1) == 0,
            End::MoverRowEmpty => self.row_sum(self.mover) == 0,
        }
    }

    fn legal(&self) -> Vec<u8> {
        (0..self.pits)
            .filter(|&pit| self.houses[self.house(self.mover, pit)] > 0)
            .map(|pit| pit as u8)
            .collect()
    }

    fn play(&mut self, pit: u8) {
        let own_store = self.house(self.mover, self.pits);
        let other_store = self.house(1 - self.mover, self.pits);
        let mut house = self.house(self.mover, usize::from(pit));
        let hand = std::mem::take(&mut self.houses[house]);
        for _ in 0..hand {
            house = (house + 1) % self.houses.len();
            if house == other_store {
                house = (house + 1) % self.houses.len();
            }
            self.houses[house] += 1;
        }
        if house == own_store {
            return;
        }
        let first = self.house(self.mover, 0);
        if (first..own_store).contains(&house) && self.houses[house] == 1 {
            let opposite = 2 * self.pits - house;
            let taken = self.houses[opposite];
            if taken > 0 || self.rules.capture == Capture::Always {
                self.houses[own_store] += taken + 1;
                self.houses[house] = 0;
                self.houses[opposite] = 0;
            }
        }
        self.mover = 1 - self.mover;
    }

    /// Stores, and what is swept into them if the game is over.
    fn south_margin(&self) -> i32 {
        let mut totals = [0, 1].map(|player| self.houses[self.house(player, self.pits)]);
        if self.over() {
            for player in [0, 1] {
                let heir = match self.rules.sweep {
                    Sweep::ToOwner => player,
                    Sweep::ToOther => 1 - player,
                };
                totals[heir] += self.row_sum(player);
            }
        }
        totals[0] as i32 - totals[1] as i32
    }
}

fn rules() -> impl Strategy<Value = Rules> {
    (1u8..=8, any::<[bool; 3]>()).prop_flat_map(|(pits, [a, b, c])| {
        let most = (255 / (2 * u32::from(pits))).min(24) as u8;
        (0..=most).prop_map(move |stones| Rules {
            pits,
            stones,
            capture: if a {
                Capture::Always
            } else {
                Capture::IfOppositeFull
            },
            end: if b {
                End::MoverRowEmpty
            } else {
                End::EitherRowEmpty
            },
            sweep: if c { Sweep::ToOther } else { Sweep::ToOwner },
        })
    })
}

/// A game with a start that is either its own or any board, crowded pits included.
fn games() -> impl Strategy<Value = (Kalah, Position)> {
    (rules(), any::<bool>(), any::<bool>()).prop_flat_map(|(rules, own_start, north)| {
        let game = Kalah::new(rules).expect("valid rules");
        let houses = 2 * usize::from(rules.pits) + 2;
        prop::collection::vec(prop_oneof![Just(0u8), 0u8..=3, 0u8..=255], houses).prop_map(
            move |mut houses| {
                if own_start {
                    return (game, game.start());
                }
                let mut left = 255;
                for stones in &mut houses {
                    *stones = (*stones).min(left);
                    left -= *stones;
                }
                let (stores, rows) = houses.split_at(2);
                let (south, north_row) = rows.split_at(usize::from(rules.pits));
                let position = game
                    .position(
                        [south, north_row],
                        [stores[0], stores[1]],
                        if north { Seat::SECOND } else { Seat::FIRST },
                    )
                    .expect("at most 255 stones");
                (game, position)
            },
        )
    })
}

fn check_against(game: &Kalah, position: &Position, referee: &Referee) {
    assert_eq!(&Referee::new(game, position), referee);
    let turn = if referee.over() {
        Turn::Over
    } else {
        Turn::Player(Seat::new(referee.mover as u8))
    };
    assert_eq!(game.turn(position), turn);
    if turn == Turn::Over {
        let margin = referee.south_margin();
        assert_eq!(game.outcome(position), [margin, -margin]);
        assert_eq!(StoreDifference.finished(game, position), [margin, -margin]);
        return;
    }
    let mut list = Vec::new();
    game.moves(position, &mut Moves::new(&mut list));
    let pits: Vec<u8> = list.iter().map(|pit| pit.index()).collect();
    assert_eq!(pits, referee.legal());
    assert_eq!(game.count_moves(position, &mut Vec::new()), pits.len());

    let mut children = Vec::new();
    let mut state = *position;
    StoreDifference.children(game, &mut state, &mut Vec::new(), |pit, scores| {
        children.push((pit.index(), scores));
        ControlFlow::Continue(())
    });
    assert_eq!(&state, position);
    let expected: Vec<_> = pits
        .iter()
        .map(|&pit| {
            let mut child = referee.clone();
            child.play(pit);
            let margin = child.south_margin();
            (pit, [margin, -margin])
        })
        .collect();
    assert_eq!(children, expected);

    let mut visited = 0;
    StoreDifference.children(game, &mut state, &mut Vec::new(), |_, _| {
        visited += 1;
        ControlFlow::Break(())
    });
    assert_eq!(visited, 1);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_games((game, start) in games(), choices in prop::collection::vec(any::<u8>(), 0..80)) {
        let mut position = start;
        let mut referee = Referee::new(&game, &position);
        let mut played = Vec::new();
        for choice in choices {
            check_against(&game, &position, &referee);
            let text = game.write_state(&position);
            prop_assert_eq!(game.read_state(&text), Ok(position));
            if referee.over() {
                break;
            }
            let legal = referee.legal();
            let pit = Pit::new(legal[usize::from(choice) % legal.len()]);
            let text = game.write_move(&position, pit);
            prop_assert_eq!(game.read_move(&position, &text), Ok(pit));
            prop_assert_eq!(game.read_move(&position, &text.to_lowercase()), Ok(pit));
            let by_number = (pit.index() + 1).to_string();
            prop_assert_eq!(game.read_move(&position, &by_number), Ok(pit));
            let before = position;
            let undo = game.play(&mut position, pit);
            referee.play(pit.index());
            prop_assert_ne!(game.hash(&before), game.hash(&position));
            played.push((pit, undo, before));
        }
        check_against(&game, &position, &referee);
        while let Some((pit, undo, before)) = played.pop() {
            game.undo(&mut position, pit, undo);
            prop_assert_eq!(position, before);
            prop_assert_eq!(game.hash(&position), game.hash(&before));
        }
        prop_assert_eq!(position, start);
    }

    #[test]
    fn any_text_is_read_without_panic(text in any::<String>(), junk in "[<>,0-9 snA-F+-]{0,40}") {
        let game = Kalah::default();
        for text in [text, junk.clone(), format!("<6,0,0,{junk}> s")] {
            for error in [
                game.read_state(&text).err(),
                game.read_move(&game.start(), &text).err(),
            ].into_iter().flatten() {
                prop_assert_eq!(error.to_string().lines().count(), 1);
            }
        }
    }

    #[test]
    fn drawings_have_no_escapes_unless_asked((game, position) in games()) {
        let plain = game.draw(&position, Style::Plain);
        prop_assert!(!plain.contains('\x1b'));
        prop_assert!(plain.ends_with('\n'));
        let colour = game.draw(&position, Style::Colour);
        prop_assert!(colour.contains('\x1b'));
        // Apart from the escapes the two are the same picture.
        let mut bare = String::new();
        let mut pieces = colour.split('\x1b');
        bare.push_str(pieces.next().unwrap_or(""));
        for piece in pieces {
            bare.push_str(piece.split_once('m').expect("a complete escape").1);
        }
        prop_assert_eq!(bare, plain);
    }
}

#[test]
fn hashes_of_near_positions_differ() {
    // Every distribution of a few stones over all houses, either to move.
    let game = Kalah::standard(3, 1).expect("valid rules");
    let mut hashes = Vec::new();
    let mut houses = [0u8; 8];
    fn fill(houses: &mut [u8; 8], at: usize, left: u8, visit: &mut dyn FnMut(&[u8; 8])) {
        if at == 7 {
            houses[7] = left;
            visit(houses);
            return;
        }
        for stones in 0..=left {
            houses[at] = stones;
            fill(houses, at + 1, left - stones, visit);
        }
    }
    fill(&mut houses, 0, 9, &mut |houses| {
        for seat in [Seat::FIRST, Seat::SECOND] {
            let position = game
                .position([&houses[..3], &houses[3..6]], [houses[6], houses[7]], seat)
                .expect("nine stones");
            hashes.push(game.hash(&position));
        }
    });
    let all = hashes.len();
    for shift in [0, 32] {
        // Tables use a part of the hash only: each half must spread by itself. Among n
        // values of 32 bits about n*n/2^33 pairs agree by chance.
        let mut half: Vec<u32> = hashes.iter().map(|hash| (hash >> shift) as u32).collect();
        half.sort_unstable();
        half.dedup();
        assert!(all - half.len() <= 3, "{} of {all} agree", all - half.len());
    }
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), all);
}
