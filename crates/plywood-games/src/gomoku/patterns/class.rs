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

/// What every combination of four patterns is good for to a colour.
pub(super) struct ClassTable {
    /// The number of the [`Class`], by the four patterns, four bits each.
    classes: Box<[u8; 1 << 16]>,
    /// How promising the move is to the player, and how promising it is to the opponent to
    /// keep the player from it.
    promises: Box<[[i16; 2]; 1 << 16]>,
}

impl ClassTable {
    /// The table of a colour under a rule.
    pub(super) fn of(rule: Rule, colour: Colour) -> &'static ClassTable {
        static FREE: LazyLock<ClassTable> = LazyLock::new(|| ClassTable::build(false));
        static RENJU_BLACK: LazyLock<ClassTable> = LazyLock::new(|| ClassTable::build(true));
        match (rule, colour) {
            (Rule::Renju, Colour::Black) => &RENJU_BLACK,
            _ => &FREE,
        }
    }

    fn build(renju_black: bool) -> ClassTable {
        let mut classes = vec![0; 1 << 16];
        let mut promises = vec![[0; 2]; 1 << 16];
        for packed in 0..1usize << 16 {
            let numbers: [u8; 4] = std::array::from_fn(|line| (packed >> (4 * line) & 15) as u8);
            if numbers
                .iter()
                .any(|&n| usize::from(n) >= Pattern::ALL.len())
            {
                continue;
            }
            let patterns = numbers.map(Pattern::of);
            let class = Class::of(patterns, renju_black);
            classes[packed] = class as u8;
            promises[packed] = promise(patterns, class);
        }
        let whole = "as many as there are combinations";
        ClassTable {
            classes: classes.try_into().expect(whole),
            promises: promises.try_into().expect(whole),
        }
    }

    /// The number of the class of four patterns.
    #[inline]
    pub(super) fn class(&self, patterns: u16) -> u8 {
        self.classes[usize::from(patterns)]
    }

    /// How promising a move is to the player.
    #[inline]
    pub(super) fn attack(&self, patterns: u16) -> i16 {
        self.promises[usize::from(patterns)][0]
    }

    /// How promising it is to keep the player from a move.
    #[inline]
    pub(super) fn defence(&self, patterns: u16) -> i16 {
        self.promises[usize::from(patterns)][1]
    }
}

/// Which colours' classes may change if the patterns of a line change from or to these two, one
/// of black's in the low four bits and one of white's in the high ones: bit 0 for black, bit 1
/// for white. Among the quiet patterns none does, unless there is nothing before or after.
pub(super) static DECIDES: [u8; 256] = {
    const fn decides(pattern: usize) -> u8 {
        (pattern >= Pattern::OpenThree as usize || pattern <= Pattern::Overline as usize) as u8
    }
    let mut table = [0; 256];
    let mut pair = 0;
    while pair < 256 {
        table[pair] = decides(pair & 15) | decides(pair >> 4) << 1;
        pair += 1;
    }
    table
};

/// What each [`Pattern`] of an empty point adds to the evaluation, by its number.
const VALUE: [i64; 16] = [0, 0, 0, 1, 2, 5, 6, 6, 14, 17, 14, 30, 20, 30, 0, 0];

/// What two patterns of one line, black's in the low four bits and white's in the high ones,
/// add to the evaluation: black's in the low half of the number, white's in the high one.
pub(super) static VALUES: [i64; 256] = {
    let mut table = [0; 256];
    let mut pair = 0;
    while pair < 256 {
        table[pair] = VALUE[pair & 15] + (VALUE[pair >> 4] << 32);
        pair += 1;
    }
    table
};

/// What each [`Pattern`] adds to the promise of a move for the player, by its number.
const ATTACK: [i16; Pattern::ALL.len()] = [0, 0, 1, 3, 8, 18, 24, 22, 60, 70, 70, 300, 200, 1000];

/// What taking each [`Pattern`] from the opponent adds to the promise of a move.
const DEFENCE: [i16; Pattern::ALL.len()] = [0, 0, 1, 2, 4, 12, 16, 10, 42, 48, 30, 200, 150, 600];

fn promise(patterns: [Pattern; 4], class: Class) -> [i16; 2] {
    let sum = |weights: &[i16; Pattern::ALL.len()]| -> i16 {
        patterns.iter().map(|&p| weights[p as usize]).sum()
    };
    let together = match class {
        Class::DoubleThree => 20,
        Class::FourThree => 40,
        _ => 0,
    };
    [sum(&ATTACK) + 4 * together, sum(&DEFENCE) + 2 * together]
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

    #[test]
    fn quiet_changes_leave_the_class() {
        for rule_black in [false, true] {
            let table = ClassTable::build(rule_black);
            for packed in 0..1u16 << 12 {
                for old in 0..14u8 {
                    for new in 0..14u8 {
                        if (DECIDES[usize::from(old)] | DECIDES[usize::from(new)]) & 1 == 0 {
                            let with = |pattern: u8| packed << 4 | u16::from(pattern);
                            assert_eq!(table.class(with(old)), table.class(with(new)));
                        }
                    }
                }
            }
        }
    }
}
