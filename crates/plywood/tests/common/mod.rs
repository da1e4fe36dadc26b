//! A game whose tree is drawn at random, and plain searches of it to compare with.

#![allow(dead_code, reason = "every test file uses its own part")]

use plywood::{Chances, Evaluate, Game, Moves, Seat, Turn};

/// A random game graph of `N` players. Positions recur on different ways (transpositions),
/// players move several times in a row, and equal scores are frequent.
#[derive(Clone, Copy, Debug)]
pub struct RandomGame<const N: usize, const CHANCE: bool> {
    pub seed: u64,
    /// The most moves of a position.
    pub width: u64,
    /// How many different positions there are at each ply.
    pub positions: u64,
    /// Scores lie between 0 and this (with two players: between its negative and it).
    pub spread: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node {
    pub ply: u64,
    pub id: u64,
}

pub fn mix(a: u64, b: u64) -> u64 {
    let mut x = (a ^ b.rotate_left(32)).wrapping_add(0x9E37_79B9_7F4A_7C15);
    x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ x >> 31
}

impl<const N: usize, const CHANCE: bool> RandomGame<N, CHANCE> {
    pub fn start(&self) -> Node {
        Node { ply: 0, id: 0 }
    }

    fn draw(&self, node: &Node, what: u64) -> u64 {
        mix(mix(self.seed, what), mix(node.ply, node.id))
    }

    fn width_at(&self, node: &Node) -> u64 {
        1 + self.draw(node, 2) % self.width
    }

    fn scores(&self, node: &Node) -> [i32; N] {
        if N <= 2 {
            let value = (self.draw(node, 3) % (2 * self.spread + 1)) as i32 - self.spread as i32;
            std::array::from_fn(|seat| if seat == 0 { value } else { -value })
        } else {
            std::array::from_fn(|seat| {
                (self.draw(node, 10 + seat as u64) % (self.spread + 1)) as i32
            })
        }
    }
}

impl<const N: usize, const CHANCE: bool> Game for RandomGame<N, CHANCE> {
    type State = Node;
    type Move = u8;
    type Undo = Node;
    type Scores = [i32; N];
    const CHANCE: bool = CHANCE;
    const HASHED: bool = true;

    fn turn(&self, node: &Node) -> Turn {
        let draw = self.draw(node, 1);
        if node.ply > 0 && draw.is_multiple_of(13) {
            Turn::Over
        } else if CHANCE && (draw / 13).is_multiple_of(3) {
            Turn::Chance
        } else {
            Turn::Player(Seat::new((draw / 64 % N as u64) as u8))
        }
    }

    fn moves(&self, node: &Node, list: &mut Moves<'_, u8>) {
        list.extend(0..self.width_at(node) as u8);
    }

    fn chances(&self, node: &Node, list: &mut Chances<'_, u8>) {
        let width = self.width_at(node);
        for event in 0..width {
            list.push(event as u8, 1.0 / width as f64);
        }
    }

    fn play(&self, node: &mut Node, mv: u8) -> Node {
        let before = *node;
        *node = Node {
            ply: before.ply + 1,
            id: mix(before.id, u64::from(mv) + 100) % self.positions,
        };
        before
    }

    fn undo(&self, node: &mut Node, _: u8, undo: Node) {
        *node = undo;
    }

    fn outcome(&self, node: &Node) -> [i32; N] {
        self.scores(node)
    }

    fn hash(&self, node: &Node) -> u64 {
        mix(self.seed, mix(node.ply, node.id))
    }

    fn priority(&self, node: &Node, mv: u8) -> i32 {
        (self.draw(node, 200 + u64::from(mv)) % 3) as i32
    }

    fn move_id(&self, mv: u8) -> u16 {
        u16::from(mv)
    }
}

/// The scores drawn for a position; `bounded` declares their sum.
#[derive(Clone, Copy, Debug)]
pub struct Drawn {
    pub bounded: bool,
}

impl<const N: usize, const CHANCE: bool> Evaluate<RandomGame<N, CHANCE>> for Drawn {
    fn evaluate(&self, game: &RandomGame<N, CHANCE>, node: &Node) -> [i32; N] {
        game.scores(node)
    }

    fn bounded_sum(&self, game: &RandomGame<N, CHANCE>) -> Option<i32> {
        (self.bounded && N > 2).then_some((game.spread * N as u64) as i32)
    }
}

/// What a plain search finds: the value, the line, and the value of every root move.
#[derive(Clone, PartialEq, Debug)]
pub struct Plain<V, M> {
    pub value: V,
    pub line: Vec<M>,
    pub root: Vec<V>,
}

/// Whether the search ends here, and with which scores.
fn ends<G: Game, E: Evaluate<G>>(
    game: &G,
    eval: &E,
    state: &G::State,
    depth: u32,
    after_chance: bool,
) -> Option<G::Scores> {
    match game.turn(state) {
        Turn::Over => Some(eval.finished(game, state)),
        Turn::Chance if depth == 0 && after_chance => None,
        _ if depth == 0 => Some(eval.evaluate(game, state)),
        _ => None,
    }
}

fn options<G: Game>(game: &G, state: &G::State) -> Vec<(G::Move, f64)> {
    let mut moves = Vec::new();
    let mut probabilities = Vec::new();
    if game.turn(state) == Turn::Chance {
        game.chances(state, &mut Chances::new(&mut moves, &mut probabilities));
    } else {
        game.moves(state, &mut Moves::new(&mut moves));
        probabilities.resize(moves.len(), 1.0);
    }
    moves.into_iter().zip(probabilities).collect()
}

/// From the children with their probabilities: the index of the best, or their average.
type Choose<'a, V> = &'a dyn Fn(Turn, &[(f64, V)]) -> Result<usize, V>;

/// Folds over the whole tree with no other idea than the definition.
fn plain<G: Game, E: Evaluate<G>, V: Copy + PartialEq>(
    game: &G,
    eval: &E,
    state: &G::State,
    depth: u32,
    after_chance: bool,
    leaf: &dyn Fn(G::Scores) -> V,
    choose: Choose<'_, V>,
) -> Plain<V, G::Move> {
    if let Some(scores) = ends(game, eval, state, depth, after_chance) {
        return Plain {
            value: leaf(scores),
            line: Vec::new(),
            root: Vec::new(),
        };
    }
    let turn = game.turn(state);
    let child_depth = if turn == Turn::Chance {
        depth
    } else {
        depth - 1
    };
    let options = options(game, state);
    let mut children = Vec::new();
    let mut lines = Vec::new();
    for (mv, probability) in &options {
        let mut child = state.clone();
        game.play(&mut child, *mv);
        let below = plain(game, eval, &child, child_depth, after_chance, leaf, choose);
        children.push((*probability, below.value));
        lines.push(below.line);
    }
    let root = children.iter().map(|child| child.1).collect();
    match choose(turn, &children) {
        Ok(best) => {
            let mut line = vec![options[best].0];
            line.append(&mut lines[best]);
            Plain {
                value: children[best].1,
                line,
                root,
            }
        }
        Err(value) => Plain {
            value,
            line: Vec::new(),
            root,
        },
    }
}

fn first_best<V: PartialOrd + Copy>(children: &[(f64, V)], largest: bool) -> usize {
    let mut best = 0;
    for (index, child) in children.iter().enumerate() {
        let ahead = if largest {
            child.1 > children[best].1
        } else {
            child.1 < children[best].1
        };
        if ahead {
            best = index;
        }
    }
    best
}

/// The value for `view`, who maximises while everybody else minimises.
pub fn plain_minimax<G: Game, E: Evaluate<G>>(
    game: &G,
    eval: &E,
    state: &G::State,
    depth: u32,
    after_chance: bool,
    view: Seat,
) -> Plain<i32, G::Move> {
    plain(
        game,
        eval,
        state,
        depth,
        after_chance,
        &|scores| scores[view.index()],
        &|turn, children| Ok(first_best(children, turn == Turn::Player(view))),
    )
}

/// The vector in which every player goes for its own.
pub fn plain_maxn<G: Game, E: Evaluate<G>>(
    game: &G,
    eval: &E,
    state: &G::State,
    depth: u32,
) -> Plain<G::Scores, G::Move> {
    plain(
        game,
        eval,
        state,
        depth,
        false,
        &|scores| scores,
        &|turn, children| {
            let Turn::Player(seat) = turn else {
                panic!("no chance in MaxN")
            };
            let own: Vec<_> = children.iter().map(|c| (c.0, c.1[seat.index()])).collect();
            Ok(first_best(&own, true))
        },
    )
}

/// The expected value for `view`.
pub fn plain_expectimax<G: Game, E: Evaluate<G>>(
    game: &G,
    eval: &E,
    state: &G::State,
    depth: u32,
    after_chance: bool,
    view: Seat,
) -> Plain<f64, G::Move> {
    plain(
        game,
        eval,
        state,
        depth,
        after_chance,
        &|scores| f64::from(scores[view.index()]),
        &|turn, children| match turn {
            Turn::Chance => Err(children.iter().fold(0.0, |sum, c| sum + c.0 * c.1)),
            _ => Ok(first_best(children, turn == Turn::Player(view))),
        },
    )
}

/// Who is asked for at the root.
pub fn root_seat<G: Game>(game: &G, state: &G::State) -> Seat {
    match game.turn(state) {
        Turn::Player(seat) => seat,
        _ => Seat::FIRST,
    }
}
