//! What a stone makes on the whole: the patterns of four lines together.

use std::sync::LazyLock;

use super::super::{Colour, Rule};
use super::line::Pattern;

/// What a stone of one colour on an empty point is good for, the four lines taken together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Class {
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
    pub(super) const COUNT: usize = 8;

    const ALL: [Class; Class::COUNT] = [
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
        } else {
            Class::Quiet
        }
    }

    /// What it adds to the promise of a move for the player that threats come together.
    #[inline]
    pub(super) const fn attack(self) -> i16 {
        match self {
            Class::DoubleThree => 80,
            Class::FourThree => 160,
            _ => 0,
        }
    }

    /// What it adds to the promise of a move to keep the opponent from such threats.
    #[inline]
    pub(super) const fn defence(self) -> i16 {
        self.attack() / 2
    }
}

/// The class of every combination of four patterns, for a colour.
pub(super) struct ClassTable {
    /// The number of the [`Class`], by the four patterns, four bits each.
    classes: Box<[u8; 1 << 16]>,
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
        for (packed, class) in classes.iter_mut().enumerate() {
            let numbers: [u8; 4] = std::array::from_fn(|line| (packed >> (4 * line) & 15) as u8);
            if numbers.iter().all(|&n| usize::from(n) < Pattern::ALL.len()) {
                *class = Class::of(numbers.map(Pattern::of), renju_black) as u8;
            }
        }
        ClassTable {
            classes: classes.try_into().expect("one for each combination"),
        }
    }

    /// The number of the class of four patterns.
    #[inline]
    pub(super) fn class(&self, patterns: u16) -> u8 {
        self.classes[usize::from(patterns)]
    }
}

#[cfg(test)]
mod tests {
    use super::super::weights::DECIDES;
    use super::*;

    #[test]
    fn classes_of_patterns_together() {
        use Pattern::*;
        for (patterns, class, renju_black) in [
            ([Nothing; 4], Class::Quiet, Class::Quiet),
            (
                [Overline, Nothing, Nothing, Nothing],
                Class::Quiet,
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
                        if (DECIDES[usize::from(old)] | DECIDES[usize::from(new)]) & 8 == 0 {
                            let with = |pattern: u8| packed << 4 | u16::from(pattern);
                            assert_eq!(table.class(with(old)), table.class(with(new)));
                        }
                    }
                }
            }
        }
    }
}
