//! What a stone makes on the whole: the patterns of four lines together.

use std::sync::LazyLock;

use super::super::{Colour, Rule};
use super::line::Pattern;

/// What a stone of one colour on an empty point is good for, the four lines taken together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Class {
    /// No five can come of it in any line.
    Nothing,
    /// It makes no threat.
    Quiet,
    /// An open three: it threatens an open four.
    Three,
    /// Two open threes or more.
    DoubleThree,
    /// A four: it threatens five.
    Four,
    /// A four and an open three.
    FourThree,
    /// An open four, or two fours: five can no longer be stopped.
    OpenFour,
    /// Five: it wins.
    Five,
    /// Only for black in renju: no five, but an overline, two fours or what looks like two
    /// threes. Whether it is forbidden takes a closer look.
    PerhapsForbidden,
}

impl Class {
    /// How many there are.
    pub(super) const COUNT: usize = 9;

    const ALL: [Class; Class::COUNT] = [
        Class::Nothing,
        Class::Quiet,
        Class::Three,
        Class::DoubleThree,
        Class::Four,
        Class::FourThree,
        Class::OpenFour,
        Class::Five,
        Class::PerhapsForbidden,
    ];

    /// The class with this number.
    #[inline]
    pub(super) const fn from_number(number: u8) -> Class {
        Class::ALL[number as usize]
    }

    /// The class of four patterns.
    pub(super) fn of(patterns: [Pattern; 4], renju_black: bool) -> Class {
        let count = |wanted: &[Pattern]| patterns.iter().filter(|p| wanted.contains(p)).count();
        let threes = count(&[Pattern::OpenThree, Pattern::OpenThreeWide]);
        let fours = count(&[Pattern::Four]);
        let open_fours = count(&[Pattern::OpenFour]);
        let double_fours = count(&[Pattern::DoubleFour]);
        if count(&[Pattern::Five]) > 0 {
            return Class::Five;
        }
        if renju_black
            && (count(&[Pattern::Overline]) > 0
                || fours + open_fours + 2 * double_fours > 1
                || threes > 1)
        {
            return Class::PerhapsForbidden;
        }
        if open_fours + double_fours > 0 || fours > 1 {
            Class::OpenFour
        } else if fours > 0 && threes > 0 {
            Class::FourThree
        } else if fours > 0 {
            Class::Four
        } else if threes > 1 {
            Class::DoubleThree
        } else if threes > 0 {
            Class::Three
        } else if count(&[Pattern::Nothing, Pattern::Overline]) < 4 {
            Class::Quiet
        } else {
            Class::Nothing
        }
    }
}

/// What four patterns are worth: by class, for the evaluation and for the order of moves.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Worth {
    /// The number of the [`Class`].
    pub class: u8,
    /// What the evaluation counts for the empty point.
    pub value: i16,
    /// How promising the move is to the player.
    pub attack: i16,
    /// How promising it is to keep the opponent from it.
    pub defence: i16,
}

/// The worth of every combination of four patterns, four bits each.
pub(super) struct WorthTable(Box<[Worth]>);

impl WorthTable {
    /// The table of a colour under a rule.
    pub(super) fn of(rule: Rule, colour: Colour) -> &'static WorthTable {
        static FREE: LazyLock<WorthTable> = LazyLock::new(|| WorthTable::build(false));
        static RENJU_BLACK: LazyLock<WorthTable> = LazyLock::new(|| WorthTable::build(true));
        match (rule, colour) {
            (Rule::Renju, Colour::Black) => &RENJU_BLACK,
            _ => &FREE,
        }
    }

    fn build(renju_black: bool) -> WorthTable {
        let number = |packed: usize, line: usize| (packed >> (4 * line) & 15) as u8;
        let worth = |packed: usize| {
            let numbers: [u8; 4] = std::array::from_fn(|line| number(packed, line));
            if numbers
                .iter()
                .any(|&n| usize::from(n) >= Pattern::ALL.len())
            {
                return Worth::default();
            }
            let patterns = numbers.map(Pattern::of);
            let class = Class::of(patterns, renju_black);
            weigh(patterns, class)
        };
        WorthTable((0..1 << 16).map(worth).collect())
    }

    #[inline]
    pub(super) fn at(&self, patterns: u16) -> Worth {
        self.0[usize::from(patterns)]
    }
}

/// What each [`Pattern`] adds to the evaluation, by its number.
const VALUES: [i16; Pattern::ALL.len()] = [0, 0, 0, 1, 2, 5, 6, 6, 14, 17, 14, 30, 20, 30];

/// What each [`Pattern`] adds to the promise of a move for the player, by its number.
const ATTACK: [i16; Pattern::ALL.len()] = [0, 0, 1, 3, 8, 18, 24, 22, 60, 70, 70, 300, 200, 1000];

/// What taking each [`Pattern`] from the opponent adds to the promise of a move.
const DEFENCE: [i16; Pattern::ALL.len()] = [0, 0, 1, 2, 4, 12, 16, 10, 42, 48, 30, 200, 150, 600];

fn weigh(patterns: [Pattern; 4], class: Class) -> Worth {
    let sum = |weights: &[i16; Pattern::ALL.len()]| -> i16 {
        patterns.iter().map(|&p| weights[p as usize]).sum()
    };
    let together = match class {
        Class::DoubleThree => 20,
        Class::FourThree => 40,
        _ => 0,
    };
    Worth {
        class: class as u8,
        value: sum(&VALUES) + together,
        attack: sum(&ATTACK) + 4 * together,
        defence: sum(&DEFENCE) + 2 * together,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_patterns_together() {
        use Pattern::*;
        for (patterns, class, renju_black) in [
            ([Nothing; 4], Class::Nothing, Class::Nothing),
            (
                [Overline, Nothing, Nothing, Nothing],
                Class::Nothing,
                Class::PerhapsForbidden,
            ),
            ([Overline, Five, Four, Four], Class::Five, Class::Five),
            (
                [Four, Four, Nothing, ClosedOne],
                Class::OpenFour,
                Class::PerhapsForbidden,
            ),
            (
                [DoubleFour, Nothing, Nothing, Nothing],
                Class::OpenFour,
                Class::PerhapsForbidden,
            ),
            (
                [OpenFour, Nothing, Nothing, OpenThree],
                Class::OpenFour,
                Class::OpenFour,
            ),
            (
                [OpenFour, Nothing, Four, Nothing],
                Class::OpenFour,
                Class::PerhapsForbidden,
            ),
            (
                [Four, Nothing, OpenThreeWide, Nothing],
                Class::FourThree,
                Class::FourThree,
            ),
            (
                [Four, OpenThree, OpenThreeWide, Nothing],
                Class::FourThree,
                Class::PerhapsForbidden,
            ),
            (
                [Nothing, OpenThree, OpenThreeWide, Nothing],
                Class::DoubleThree,
                Class::PerhapsForbidden,
            ),
            (
                [Nothing, OpenThree, ClosedThree, OpenTwo],
                Class::Three,
                Class::Three,
            ),
            (
                [Four, Nothing, ClosedThree, OpenTwo],
                Class::Four,
                Class::Four,
            ),
            (
                [ClosedOne, Nothing, Nothing, Nothing],
                Class::Quiet,
                Class::Quiet,
            ),
        ] {
            assert_eq!(Class::of(patterns, false), class, "{patterns:?}");
            assert_eq!(Class::of(patterns, true), renju_black, "{patterns:?}");
        }
    }
}
