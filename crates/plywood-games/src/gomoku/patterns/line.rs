//! What a stone makes in one line: the definition, and the tables made from it.
//!
//! A line is looked at through a window around an empty cell: four cells to either side
//! where overlines win, five where they do not. For one colour every cell of the window is
//! empty, its own or in the way, which makes at most 3^10 windows; each is judged once, by the
//! definition of [`Pattern`]. The tables the board uses are indexed by the two bits a cell of
//! the line itself and hold the patterns of both colours.

use std::sync::LazyLock;

use super::super::Rule;

/// What a stone on an empty cell makes in one line, by what can follow.
///
/// Every row of five that is meant here contains the cell. A *four* can become a five with
/// one more stone, an open one in two places; an open *three* can become an open four with
/// one more stone, a closed three a four only; and so on. `Wide` ones can do so in more places.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Pattern {
    /// No five can come of it.
    Nothing,
    /// Six or more in a row, where only exactly five wins.
    Overline,
    /// Can become a closed two.
    ClosedOne,
    /// Can become an open two.
    OpenOne,
    /// Can become a closed three.
    ClosedTwo,
    /// Can become an open three.
    OpenTwo,
    /// Can become an open three in four places or more.
    OpenTwoWide,
    /// Can become a four.
    ClosedThree,
    /// Can become an open four.
    OpenThree,
    /// Can become an open four in two places or more.
    OpenThreeWide,
    /// Can become five in one place.
    Four,
    /// Can become five in two places.
    OpenFour,
    /// Two fours at once in one line; told apart from an open four only for black in renju.
    DoubleFour,
    /// Five in a row.
    Five,
}

use Pattern::*;

impl Pattern {
    /// All patterns, from the weakest.
    pub const ALL: [Pattern; 14] = [
        Nothing,
        Overline,
        ClosedOne,
        OpenOne,
        ClosedTwo,
        OpenTwo,
        OpenTwoWide,
        ClosedThree,
        OpenThree,
        OpenThreeWide,
        Four,
        OpenFour,
        DoubleFour,
        Five,
    ];

    /// The pattern with this number.
    #[inline]
    pub(super) const fn of(number: u8) -> Pattern {
        Pattern::ALL[number as usize]
    }
}

/// What counts as a win for one colour, and what as an open four.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Five or more wins.
    AtLeastFive,
    /// Exactly five wins.
    ExactlyFive,
    /// Exactly five wins, and two fours at once are not allowed.
    RenjuBlack,
}

impl Kind {
    /// How far to either side a window reaches.
    const fn reach(self) -> usize {
        match self {
            Kind::AtLeastFive => 4,
            Kind::ExactlyFive | Kind::RenjuBlack => 5,
        }
    }

    /// The patterns of all windows, by their number: three states a cell, 0 empty, 1 own and
    /// 2 in the way, the farthest cell below the centre first.
    fn patterns(self) -> Vec<Pattern> {
        let cells = 2 * self.reach();
        let count = 3usize.pow(cells as u32);
        let mut patterns = vec![Nothing; count];
        // One stone more makes a larger number: what can follow is already known.
        for number in (0..count).rev() {
            patterns[number] = self.judge(number, &patterns);
        }
        patterns
    }

    /// The pattern of a window, given those of all windows with a larger number.
    fn judge(self, number: usize, known: &[Pattern]) -> Pattern {
        let reach = self.reach();
        let mut states = [0; 10];
        let mut rest = number;
        for state in &mut states[..2 * reach] {
            *state = rest % 3;
            rest /= 3;
        }
        let below = states[..reach]
            .iter()
            .rev()
            .take_while(|&&state| state == 1)
            .count();
        let above = states[reach..2 * reach]
            .iter()
            .take_while(|&&state| state == 1)
            .count();
        let run = below + 1 + above;
        match self {
            Kind::AtLeastFive if run >= 5 => return Five,
            Kind::ExactlyFive | Kind::RenjuBlack if run == 5 => return Five,
            Kind::ExactlyFive | Kind::RenjuBlack if run > 5 => return Overline,
            _ => {}
        }
        // How many further stones lead to which pattern.
        let mut ways = [0usize; Pattern::ALL.len()];
        let mut power = 1;
        for &state in &states[..2 * reach] {
            if state == 0 {
                ways[known[number + power] as usize] += 1;
            }
            power *= 3;
        }
        let of = |pattern: Pattern| ways[pattern as usize];
        let straight = || run == 4 && states[reach - 1 - below] == 0 && states[reach + above] == 0;
        match of(Five) {
            0 => {}
            1 => return Four,
            _ if self == Kind::RenjuBlack && !straight() => return DoubleFour,
            _ => return OpenFour,
        }
        match of(OpenFour) {
            0 => {}
            1 => return OpenThree,
            _ => return OpenThreeWide,
        }
        if of(Four) + of(DoubleFour) > 0 {
            return ClosedThree;
        }
        match of(OpenThree) + of(OpenThreeWide) {
            0 => {}
            1..=3 => return OpenTwo,
            _ => return OpenTwoWide,
        }
        if of(ClosedThree) > 0 {
            ClosedTwo
        } else if of(OpenTwo) + of(OpenTwoWide) > 0 {
            OpenOne
        } else if of(ClosedTwo) > 0 {
            ClosedOne
        } else {
            Nothing
        }
    }
}

/// The patterns of both colours in every window under one rule.
#[derive(Debug)]
pub(super) struct LineTable {
    /// Black's pattern in the low four bits, white's in the high ones.
    patterns: Box<[u8]>,
    /// Where a window begins, in bits before the cell in its middle.
    before: u32,
}

impl LineTable {
    /// The table of a rule.
    pub(super) fn of(rule: Rule) -> &'static LineTable {
        static FREESTYLE: LazyLock<LineTable> =
            LazyLock::new(|| LineTable::build([Kind::AtLeastFive; 2]));
        static EXACTLY_FIVE: LazyLock<LineTable> =
            LazyLock::new(|| LineTable::build([Kind::ExactlyFive; 2]));
        static RENJU: LazyLock<LineTable> =
            LazyLock::new(|| LineTable::build([Kind::RenjuBlack, Kind::AtLeastFive]));
        match rule {
            Rule::Freestyle => &FREESTYLE,
            Rule::ExactlyFive => &EXACTLY_FIVE,
            Rule::Renju => &RENJU,
        }
    }

    fn build(kinds: [Kind; 2]) -> LineTable {
        let reach = kinds[0].reach().max(kinds[1].reach());
        let half = 1usize << (2 * reach);
        // For each colour the number of the half window below and of that above.
        let numbers = [0, 1].map(|colour| {
            let own = colour + 1;
            let skipped = reach - kinds[colour].reach();
            let below = (0..half).map(|bits| half_number(bits, own, skipped..reach));
            let above = (0..half).map(|bits| half_number(bits, own, 0..reach - skipped));
            let shift = 3usize.pow(kinds[colour].reach() as u32);
            let above = above.map(move |number| number * shift);
            (below.collect::<Vec<_>>(), above.collect::<Vec<_>>())
        });
        let patterns = kinds.map(Kind::patterns);
        let mut table = vec![0; half * half];
        for (key, entry) in table.iter_mut().enumerate() {
            let of = |colour: usize| {
                let (below, above) = &numbers[colour];
                patterns[colour][below[key % half] + above[key / half]] as u8
            };
            *entry = of(0) | of(1) << 4;
        }
        LineTable {
            patterns: table.into(),
            before: 2 * reach as u32,
        }
    }

    /// The patterns of both colours by [`window_key`], as many as the rule has windows.
    #[inline]
    pub(super) fn windows<const WINDOWS: usize>(&self) -> &[u8; WINDOWS] {
        self.patterns
            .first_chunk()
            .expect("the windows of this rule")
    }

    /// The patterns of both colours at the empty cell whose bits begin at `shift`: black's in
    /// the low four bits, white's in the high ones.
    pub(super) fn at(&self, line: u64, shift: u32) -> u8 {
        let key = match self.before {
            8 => window_key::<8>(line, shift),
            _ => window_key::<10>(line, shift),
        };
        self.patterns[key]
    }
}

/// The number of the window around the cell whose bits begin at `shift`, which reaches so many
/// bits to either side: those bits, without the cell's own.
#[inline]
pub(super) fn window_key<const REACH: u32>(line: u64, shift: u32) -> usize {
    let window = line >> (shift - REACH);
    let low = (1 << REACH) - 1;
    ((window & low) | (window >> 2 & low << REACH)) as usize
}

/// The number of a half window for a colour, of those cells of it that count.
fn half_number(bits: usize, own: usize, cells: std::ops::Range<usize>) -> usize {
    cells.rev().fold(0, |number, cell| {
        let state = match bits >> (2 * cell) & 3 {
            0 => 0,
            stone if stone == own => 1,
            _ => 2,
        };
        3 * number + state
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pattern of an `x` on the `*` of a line of x, o and dots, found by playing on, with
    /// the whole line in view.
    fn plain(line: &[u8], at: usize, kind: Kind) -> Pattern {
        let mut line = line.to_vec();
        line[at] = b'x';
        follow(&mut line, at, kind)
    }

    fn follow(line: &mut Vec<u8>, at: usize, kind: Kind) -> Pattern {
        let below = line[..at].iter().rev().take_while(|&&c| c == b'x').count();
        let above = line[at + 1..].iter().take_while(|&&c| c == b'x').count();
        let run = below + 1 + above;
        if run == 5 || (run > 5 && kind == Kind::AtLeastFive) {
            return Five;
        }
        if run > 5 {
            return Overline;
        }
        let mut next = Vec::new();
        let mut winning = Vec::new();
        for cell in at.saturating_sub(4)..(at + 5).min(line.len()) {
            if line[cell] == b'.' {
                line[cell] = b'x';
                let pattern = follow(line, at, kind);
                line[cell] = b'.';
                next.push(pattern);
                if pattern == Five {
                    winning.push(cell);
                }
            }
        }
        let ways = |wanted: &[Pattern]| next.iter().filter(|p| wanted.contains(p)).count();
        match winning.len() {
            0 => {}
            1 => return Four,
            _ => {
                // Straight: the two points are the ends of one row of four.
                let straight = run == 4 && winning[1] - winning[0] == 5;
                return if kind == Kind::RenjuBlack && !straight {
                    DoubleFour
                } else {
                    OpenFour
                };
            }
        }
        match (ways(&[OpenFour]), ways(&[OpenThree, OpenThreeWide])) {
            (1, _) => OpenThree,
            (2.., _) => OpenThreeWide,
            _ if ways(&[Four, DoubleFour]) > 0 => ClosedThree,
            (_, 4..) => OpenTwoWide,
            (_, 1..) => OpenTwo,
            _ if ways(&[ClosedThree]) > 0 => ClosedTwo,
            _ if ways(&[OpenTwo, OpenTwoWide]) > 0 => OpenOne,
            _ if ways(&[ClosedTwo]) > 0 => ClosedOne,
            _ => Nothing,
        }
    }

    fn word(line: &[u8]) -> u64 {
        use super::super::super::board::shift;
        line.iter().enumerate().fold(u64::MAX, |word, (cell, c)| {
            let bits = match c {
                b'x' => 1,
                b'o' => 2,
                _ => 0,
            };
            word & !(3 << shift(cell as u32)) | bits << shift(cell as u32)
        })
    }

    fn exchanged(line: &[u8]) -> Vec<u8> {
        let other = |c: &u8| match c {
            b'x' => b'o',
            b'o' => b'x',
            &c => c,
        };
        line.iter().map(other).collect()
    }

    /// Holds the tables of all rules to the definition at every empty cell of a line.
    #[track_caller]
    fn check(line: &[u8]) {
        use super::super::super::board::shift;
        let word = word(line);
        for at in (0..line.len()).filter(|&at| line[at] == b'.') {
            for (rule, kinds) in [
                (Rule::Freestyle, [Kind::AtLeastFive; 2]),
                (Rule::ExactlyFive, [Kind::ExactlyFive; 2]),
                (Rule::Renju, [Kind::RenjuBlack, Kind::AtLeastFive]),
            ] {
                let found = LineTable::of(rule).at(word, shift(at as u32));
                let expected = [
                    plain(line, at, kinds[0]),
                    plain(&exchanged(line), at, kinds[1]),
                ];
                let found = [Pattern::of(found & 15), Pattern::of(found >> 4)];
                let text = String::from_utf8_lossy(line);
                assert_eq!(found, expected, "{rule:?}, cell {at} of {text}");
            }
        }
    }

    #[test]
    fn known_patterns() {
        let at = |text: &str, kind| {
            let cell = text.find('*').expect("a star");
            plain(text.replace('*', ".").as_bytes(), cell, kind)
        };
        for (text, free, exact, renju) in [
            ("xxxx*", Five, Five, Five),
            ("xxxxx*", Five, Overline, Overline),
            ("..xxx*..", OpenFour, OpenFour, OpenFour),
            ("oxxx*..", Four, Four, Four),
            ("x.xx*.x", OpenFour, OpenFour, DoubleFour),
            ("x.xxx*..", OpenFour, Four, Four),
            ("...xx*...", OpenThreeWide, OpenThreeWide, OpenThreeWide),
            ("..x.x*...", OpenThree, OpenThree, OpenThree),
            ("oxx*...", ClosedThree, ClosedThree, ClosedThree),
            ("o.xx*.o", ClosedThree, ClosedThree, ClosedThree),
            ("oxx*.o", Nothing, Nothing, Nothing),
        ] {
            assert_eq!(at(text, Kind::AtLeastFive), free, "{text}");
            assert_eq!(at(text, Kind::ExactlyFive), exact, "{text}");
            assert_eq!(at(text, Kind::RenjuBlack), renju, "{text}");
        }
    }

    #[test]
    fn tables_hold_the_definition_on_all_short_lines() {
        for length in 1..=8u32 {
            for number in 0..3usize.pow(length) {
                let line: Vec<u8> = (0..length)
                    .map(|cell| b".xo"[number / 3usize.pow(cell) % 3])
                    .collect();
                check(&line);
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn tables_hold_the_definition_on_any_line(text in "[.x]{5,20}|[.xo]{5,20}|[.xxo]{20}") {
            check(text.as_bytes());
        }
    }
}
