//! An evaluation by threats: fours, threes and twos of both colours, and who is to move.

use std::ops::ControlFlow;

use plywood::Evaluate;

use super::board::{Colour, EVEN, LINES, Lines, exchanged, shift};
use super::position::{Position, Status};
use super::{Gomoku, Point, Rule};

/// Judges a position by the strongest threat of each colour in each line, gaps included, and
/// by whose move it is; made for playing well under any of the three [rules](Rule).
///
/// A line holds for a colour the best of: five; an open four (two points that win); a four
/// (one); an open three (can become an open four); a closed three; an open two (can become
/// an open three); a closed two. The player to move wins with any four; if not, loses to an
/// open four or two fours; if neither has those, an open three wins unless the opponent can
/// answer with fours. The rest is a weighted sum in which the player to move counts more.
/// A win is worth 1,000,000 and a point more for each empty point, so that a win found sooner
/// is better; a draw is worth 0. What renju forbids black is not looked at, other than that
/// black's overlines are worth nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Threats;

const WIN: i32 = 1_000_000;

/// The strongest that one colour has in a line.
type Class = u8;
const CLOSED_TWO: Class = 1;
const OPEN_TWO: Class = 2;
const CLOSED_THREE: Class = 3;
const OPEN_THREE: Class = 4;
const FOUR: Class = 5;
const OPEN_FOUR: Class = 6;
const FIVE: Class = 7;

/// How many lines hold which class for one colour: eight bits each, more than there are
/// lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Counts(u64);

const _: () = assert!(LINES < 256);

impl Counts {
    #[inline]
    const fn one(class: Class) -> u64 {
        1 << (8 * class)
    }

    /// All lines hold nothing.
    const NOTHING: Counts = Counts(LINES as u64);

    #[inline]
    fn replace(&mut self, old: Class, new: Class) {
        self.0 = self.0 - Counts::one(old) + Counts::one(new);
    }

    #[inline]
    const fn of(self, class: Class) -> i32 {
        (self.0 >> (8 * class) & 255) as i32
    }
}

/// The bits of those colours that need exactly five.
const fn exact_bits(rule: Rule) -> u64 {
    match rule {
        Rule::Freestyle => 0,
        Rule::ExactlyFive => u64::MAX,
        Rule::Renju => EVEN,
    }
}

/// The lines that are classified together: four, as a point lies on.
const GROUP: usize = 4;

/// The rows of five in a group of lines that hold at least a class, for both colours.
///
/// All rows of a line are looked at in one go, those of black in the even bits and those of
/// white in the odd ones, each at its first cell. One loop does so for the whole group, as
/// the compiler makes vector instructions of it.
#[derive(Default)]
struct Rows {
    five: [u64; GROUP],
    four: [u64; GROUP],
    open_three: [u64; GROUP],
    three: [u64; GROUP],
    open_two: [u64; GROUP],
    two: [u64; GROUP],
}

impl Rows {
    #[inline]
    fn of(lines: &[u64; GROUP], exact: u64) -> Rows {
        let mut rows = Rows::default();
        for (index, &line) in lines.iter().enumerate() {
            let other = exchanged(line);
            // Off the board both bits are set: in the way, but nobody's stone.
            let own = line & !other;
            let pairs = other | other >> 2;
            let blocked = pairs | pairs >> 4 | other >> 8;
            let overlong = (own << 2 | own >> 10) & exact;
            let valid = !(blocked | overlong);
            // The number of stones in each row of five, as three binary digits.
            let (second, third, fourth, fifth) = (own >> 2, own >> 4, own >> 6, own >> 8);
            let half = own ^ second;
            let sum = half ^ third;
            let carry = (own & second) | (half & third);
            let half = sum ^ fourth;
            let ones = half ^ fifth;
            let other_carry = (sum & fourth) | (half & fifth);
            let twos = (carry ^ other_carry) & valid;
            let fours = carry & other_carry & valid;

            let three = twos & ones;
            let two = twos & !ones;
            // Two rows of five side by side with as many stones, the outer cells empty.
            let open = |rows: u64| rows & rows >> 2 & !own;
            rows.five[index] = fours & ones;
            rows.four[index] = fours;
            rows.open_three[index] = fours | open(three);
            rows.three[index] = fours | three;
            rows.open_two[index] = fours | three | open(two);
            rows.two[index] = fours | three | two;
        }
        rows
    }

    /// The class of a line of the group for black and for white.
    #[inline]
    fn classes(&self, lines: &[u64; GROUP], index: usize) -> [Class; 2] {
        let mut classes = [EVEN, !EVEN].map(|colour| {
            let any = |rows: &[u64; GROUP]| Class::from(rows[index] & colour != 0);
            let five = any(&self.five);
            // From a four to a five it is two classes.
            any(&self.two)
                + any(&self.open_two)
                + any(&self.three)
                + any(&self.open_three)
                + any(&self.four)
                + 2 * five
        });
        let four = self.four[index] & !self.five[index];
        if four != 0 {
            // The empty points of these rows win.
            let cells = four | four << 2 | four << 4 | four << 6 | four << 8;
            let points = cells & !lines[index];
            for (class, colour) in classes.iter_mut().zip([EVEN, !EVEN]) {
                let points = points & colour;
                if *class == FOUR && points & points.wrapping_sub(1) != 0 {
                    *class = OPEN_FOUR;
                }
            }
        }
        classes
    }
}

/// The classes of all lines and how often each occurs.
struct Survey {
    classes: [[Class; 2]; LINES],
    counts: [Counts; 2],
}

impl Survey {
    #[inline]
    fn of(lines: &Lines, exact: u64) -> Survey {
        let mut survey = Survey {
            classes: [[0; 2]; LINES],
            counts: [Counts::NOTHING; 2],
        };
        // A line with fewer than two stones holds nothing.
        let mut filled = [0u8; LINES + GROUP];
        let mut count = 0;
        for (index, &line) in lines.all().iter().enumerate() {
            let stones = (line ^ line >> 1) & EVEN;
            filled[count] = index as u8;
            count += usize::from(stones & stones.wrapping_sub(1) != 0);
        }
        for start in (0..count).step_by(GROUP) {
            let group = &filled[start..start + GROUP];
            let words = std::array::from_fn(|index| lines.all()[usize::from(group[index])]);
            let rows = Rows::of(&words, exact);
            // The last group may be filled up with lines that do not count.
            for (index, &line) in group.iter().enumerate().take(count - start) {
                let classes = rows.classes(&words, index);
                survey.classes[usize::from(line)] = classes;
                survey.counts[0].replace(0, classes[0]);
                survey.counts[1].replace(0, classes[1]);
            }
        }
        survey
    }
}

/// What unfinished counts are worth to the player to move.
#[inline]
fn value(own: Counts, opponent: Counts) -> i32 {
    let has = |counts: Counts, class| counts.of(class) > 0;
    if has(own, FOUR) || has(own, OPEN_FOUR) {
        return WIN / 2;
    }
    let fours = opponent.of(FOUR);
    if has(opponent, OPEN_FOUR) || fours > 1 {
        return -WIN / 2;
    }
    let weighed = |counts: Counts, weights: [i32; 4]| {
        counts.of(CLOSED_TWO) * weights[0]
            + counts.of(OPEN_TWO) * weights[1]
            + counts.of(CLOSED_THREE) * weights[2]
            + counts.of(OPEN_THREE) * weights[3]
    };
    if fours == 1 {
        // The move is spent on the four: the opponent moves next.
        let lost = if has(opponent, OPEN_THREE) {
            WIN / 8
        } else {
            0
        };
        return weighed(own, WAITING) - weighed(opponent, MOVING) - lost;
    }
    let rest = weighed(own, MOVING) - weighed(opponent, WAITING);
    if has(own, OPEN_THREE) {
        // Only fours can stop an open three: a closed three gives the opponent one.
        return rest
            + if has(opponent, CLOSED_THREE) {
                WIN / 16
            } else {
                WIN / 4
            };
    }
    // Without a four to answer with, two open threes are not to be stopped.
    if opponent.of(OPEN_THREE) > 1 && !has(own, CLOSED_THREE) {
        return rest - WIN / 8;
    }
    rest
}

/// What closed two, open two, closed three and open three are worth to the player to move.
const MOVING: [i32; 4] = [20, 90, 120, 600];

/// What they are worth to the other player.
const WAITING: [i32; 4] = [14, 65, 70, 300];

/// The scores of both players, from the value for one.
#[inline]
fn scores(player: Colour, value: i32) -> [i32; 2] {
    match player {
        Colour::Black => [value, -value],
        Colour::White => [-value, value],
    }
}

impl Evaluate<Gomoku> for Threats {
    #[inline]
    fn evaluate(&self, game: &Gomoku, state: &Position) -> [i32; 2] {
        let counts = Survey::of(&state.lines, exact_bits(game.settings.rule)).counts;
        let player = state.to_move;
        let (own, opponent) = (counts[player as usize], counts[player.other() as usize]);
        scores(player, value(own, opponent))
    }

    #[inline]
    fn finished(&self, _: &Gomoku, state: &Position) -> [i32; 2] {
        match state.status {
            Status::Won(winner) => scores(winner, WIN + i32::from(state.empty)),
            Status::Drawn | Status::Playing => [0, 0],
        }
    }

    #[inline]
    fn children(
        &self,
        game: &Gomoku,
        state: &mut Position,
        _scratch: &mut Vec<Point>,
        mut visit: impl FnMut(Point, [i32; 2]) -> ControlFlow<()>,
    ) {
        let exact = exact_bits(game.settings.rule);
        let survey = Survey::of(&state.lines, exact);
        let player = state.to_move;
        let won = scores(player, WIN + i32::from(state.empty) - 1);
        game.each_candidate(state, |point| {
            let mut counts = survey.counts;
            let places = Lines::indices(point);
            let words =
                places.map(|(line, cell)| state.lines.all()[line] | player.bits() << shift(cell));
            let rows = Rows::of(&words, exact);
            for (index, (line, _)) in places.into_iter().enumerate() {
                let (old, new) = (survey.classes[line], rows.classes(&words, index));
                counts[0].replace(old[0], new[0]);
                counts[1].replace(old[1], new[1]);
            }
            let (own, opponent) = (counts[player as usize], counts[player.other() as usize]);
            let result = if own.of(FIVE) > 0 {
                won
            } else if game.leaves_no_move(state, point) {
                [0, 0]
            } else {
                scores(player.other(), value(opponent, own))
            };
            visit(point, result)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The class of one colour, row by row.
    fn plain_class(line: &[char], own: char, exact: bool) -> Class {
        let at = |cell: usize| line.get(cell).copied().unwrap_or('|');
        let stones = |start: usize| {
            let cells: Vec<char> = (start..start + 5).map(at).collect();
            let overlong = (start > 0 && at(start - 1) == own) || at(start + 5) == own;
            (!(exact && overlong) && cells.iter().all(|&cell| cell == own || cell == '.'))
                .then(|| cells.iter().filter(|&&cell| cell == own).count())
        };
        let any = |count: usize| (0..line.len()).any(|start| stones(start) == Some(count));
        let open = |count: usize| {
            (0..line.len()).any(|start| {
                stones(start) == Some(count) && stones(start + 1) == Some(count) && at(start) == '.'
            })
        };
        let winning: std::collections::BTreeSet<usize> = (0..line.len())
            .filter(|&start| stones(start) == Some(4))
            .flat_map(|start| (start..start + 5).filter(|&cell| at(cell) == '.'))
            .collect();
        match winning.len() {
            _ if any(5) => FIVE,
            2.. => OPEN_FOUR,
            1 => FOUR,
            _ if open(3) => OPEN_THREE,
            _ if any(3) => CLOSED_THREE,
            _ if open(2) => OPEN_TWO,
            _ if any(2) => CLOSED_TWO,
            _ => 0,
        }
    }

    proptest::proptest! {
        #[test]
        fn classes_are_those_found_row_by_row(text in "[x.][.xo]{0,18}[.o]|[x.]{1,20}|[.o]{1,20}") {
            let line: Vec<char> = text.chars().collect();
            let expected = [(false, false), (true, true), (true, false)].map(|(black, white)| {
                [plain_class(&line, 'x', black), plain_class(&line, 'o', white)]
            });
            proptest::prop_assert_eq!(classes(&text), expected);
        }
    }

    /// The classes of a line of x, o and dots, under each rule.
    fn classes(text: &str) -> [[Class; 2]; 3] {
        let mut line = u64::MAX;
        for (cell, character) in text.chars().enumerate() {
            let bits = match character {
                'x' => 1,
                'o' => 2,
                _ => 0,
            };
            line &= !(3 << shift(cell as u32));
            line |= bits << shift(cell as u32);
        }
        [Rule::Freestyle, Rule::ExactlyFive, Rule::Renju].map(|rule| {
            let lines = [u64::MAX, line, u64::MAX, line];
            let rows = Rows::of(&lines, exact_bits(rule));
            assert_eq!(rows.classes(&lines, 0), [0, 0]);
            assert_eq!(rows.classes(&lines, 1), rows.classes(&lines, 3));
            rows.classes(&lines, 1)
        })
    }

    #[test]
    fn the_best_of_a_line_counts() {
        for (text, black, white) in [
            ("...............", 0, 0),
            (".......x.......", 0, 0),
            (".xxxxx.........", FIVE, 0),
            ("xxxxx", FIVE, 0),
            (".xxxx..........", OPEN_FOUR, 0),
            ("xxxx..........o", FOUR, 0),
            ("oxxxx.ooo.x....", FOUR, CLOSED_THREE),
            ("x.xxx.x...oo...", OPEN_FOUR, OPEN_TWO),
            ("..xxx..........", OPEN_THREE, 0),
            (".xxx.o.oo......", CLOSED_THREE, OPEN_THREE),
            ("oxxx..ox......", CLOSED_THREE, 0),
            (".x.xx.........o", OPEN_THREE, 0),
            ("x.x.x.........o", CLOSED_THREE, 0),
            (".x..x..........", OPEN_TWO, 0),
            ("xx...o.........", CLOSED_TWO, 0),
            ("oxx.o...o......", 0, CLOSED_TWO),
            ("xoxoxoxoxoxoxox", 0, 0),
        ] {
            for (classes, rule) in classes(text).iter().zip(["freestyle", "exact", "renju"]) {
                assert_eq!(classes, &[black, white], "{text} {rule}");
            }
            let mirrored: String = text.chars().rev().collect();
            assert_eq!(classes(&mirrored), classes(text));
        }
    }

    #[test]
    fn overlines_are_worth_what_the_rule_says() {
        assert_eq!(classes(".xxxxxx..."), [[FIVE, 0], [0, 0], [0, 0]]);
        assert_eq!(classes(".oooooo..."), [[0, FIVE], [0, 0], [0, FIVE]]);
        // Filling the gap makes six.
        assert_eq!(classes("oxxx.xxo"), [[FOUR, 0], [0, 0], [0, 0]]);
        assert_eq!(classes("xooo.oox"), [[0, FOUR], [0, 0], [0, FOUR]]);
        // The same gap twice is one four.
        assert_eq!(classes("oxxx.xxxo")[0], [FOUR, 0]);
    }
}
