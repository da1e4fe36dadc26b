//! A set of points of the board.

use super::super::Point;

const WORDS: usize = Point::SLOTS / 64;

/// A set of points: a bit for each, two rows in a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Points([u64; WORDS]);

impl Points {
    /// No point.
    pub const EMPTY: Points = Points([0; WORDS]);

    /// Adds a point.
    #[inline]
    pub fn insert(&mut self, point: Point) {
        self.0[point.slot() >> 6] |= 1 << (point.slot() & 63);
    }

    /// Takes a point out.
    #[inline]
    pub fn remove(&mut self, point: Point) {
        self.0[point.slot() >> 6] &= !(1 << (point.slot() & 63));
    }

    /// Takes out the points for which this is not so.
    #[inline]
    pub fn retain(&mut self, mut stays: impl FnMut(Point) -> bool) {
        for (index, word) in self.0.iter_mut().enumerate() {
            let mut rest = *word;
            while rest != 0 {
                let bit = rest & rest.wrapping_neg();
                rest ^= bit;
                let slot = 64 * index + bit.trailing_zeros() as usize;
                *word ^= bit * u64::from(!stays(Point::from_slot(slot)));
            }
        }
    }

    /// Whether the point is in the set.
    #[inline]
    pub fn contains(&self, point: Point) -> bool {
        self.0[point.slot() >> 6] >> (point.slot() & 63) & 1 != 0
    }

    /// Whether there is no point in the set.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// How many points there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The points of both sets.
    #[inline]
    pub fn and(&self, other: &Points) -> Points {
        Points(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    /// The points of either set.
    #[inline]
    pub fn or(&self, other: &Points) -> Points {
        Points(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    /// The points of this set that are not in the other.
    #[inline]
    pub fn without(&self, other: &Points) -> Points {
        Points(std::array::from_fn(|word| self.0[word] & !other.0[word]))
    }

    /// The first point, counted by rows from the bottom, each from the left.
    #[inline]
    pub fn first(&self) -> Option<Point> {
        self.iter().next()
    }

    /// The points by rows from the bottom, each from the left.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Point> + use<> {
        let mut words = self.0;
        let mut word = 0;
        std::iter::from_fn(move || {
            while word < WORDS {
                let bits = words[word];
                if bits != 0 {
                    words[word] &= bits - 1;
                    return Some(Point::from_slot(64 * word + bits.trailing_zeros() as usize));
                }
                word += 1;
            }
            None
        })
    }

    /// The points of the set and all that lie on a line with one of them, at most five steps
    /// away.
    pub(in super::super) fn with_lines(&self, size: u8) -> Points {
        let mut all = *self;
        for point in self.iter() {
            let (x, y) = (i32::from(point.column()), i32::from(point.row()));
            for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                for step in -5..=5 {
                    let (x, y) = (x + step * dx, y + step * dy);
                    let on_board = 0..i32::from(size);
                    if on_board.contains(&x) && on_board.contains(&y) {
                        all.insert(Point::at(x as u32, y as u32));
                    }
                }
            }
        }
        all
    }

    /// All points of a board of this size.
    #[inline]
    pub(super) fn board(size: u8) -> Points {
        let row = (1u64 << size) - 1;
        let rows = usize::from(size);
        Points(std::array::from_fn(|word| {
            let (low, high) = (2 * word < rows, 2 * word + 1 < rows);
            (row * u64::from(low)) | ((row << 32) * u64::from(high))
        }))
    }

    /// The points at most two columns and at most two rows from one of the set, and others
    /// that are on no board.
    #[inline]
    pub(super) fn widened(&self) -> Points {
        // A row has 32 bits and at most 20 columns: what leaves it at one end is on no board.
        let wide = |word: usize| match self.0.get(word) {
            Some(&row) => row | row << 1 | row << 2 | row >> 1 | row >> 2,
            None => 0,
        };
        let mut below = 0;
        let mut here = wide(0);
        Points(std::array::from_fn(|word| {
            let above = wide(word + 1);
            let rows = below | here | above | here << 32 | here >> 32 | below >> 32 | above << 32;
            (below, here) = (here, above);
            rows
        }))
    }
}

impl FromIterator<Point> for Points {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Self {
        let mut set = Points::EMPTY;
        for point in points {
            set.insert(point);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wider_by_two_steps_in_every_direction() {
        for size in [5, 15, 16, 20] {
            let board = Points::board(size);
            assert_eq!(board.len(), usize::from(size) * usize::from(size));
            for centre in board.iter() {
                let near = |&point: &Point| {
                    point.column().abs_diff(centre.column()) <= 2
                        && point.row().abs_diff(centre.row()) <= 2
                };
                let expected: Points = board.iter().filter(near).collect();
                let wide = Points::from_iter([centre]).widened().and(&board);
                assert_eq!(wide, expected, "{centre} on {size}");
            }
        }
    }

    #[test]
    fn a_set_holds_what_was_put_in() {
        let mut set = Points::EMPTY;
        assert!(set.is_empty());
        let points = [Point::new(19, 19), Point::new(0, 0), Point::new(7, 1)];
        for point in points {
            set.insert(point);
        }
        assert_eq!(set.len(), 3);
        let order: Vec<Point> = set.iter().collect();
        assert_eq!(order, [points[1], points[2], points[0]]);
        set.remove(points[1]);
        assert!(!set.contains(points[1]) && set.contains(points[0]));
        assert_eq!(set.first(), Some(points[2]));
        let other = Points::from_iter([points[0]]);
        assert_eq!(set.and(&other), other);
        assert_eq!(set.or(&other), set);
        assert_eq!(
            Points::from_iter([Point::new(0, 0)]).with_lines(15).len(),
            16
        );
        assert_eq!(set.without(&other).len(), set.len() - 1);
    }
}
