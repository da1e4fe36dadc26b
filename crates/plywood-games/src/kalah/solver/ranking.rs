//! Every position has a number: without gaps, by stones in the pits, and back to no other.
//!
//! A row of m pits with t stones is told by the sums s₀ ≤ s₁ ≤ … of its first pits; its rank
//! among the rows of t stones is the sum of C(sᵢ+i, i+1) over the first m-1 pits (the last
//! sum is t). A multiplication gives all the sums at once, and a table the binomials.
//! Moving stones towards the store lowers some sums and raises none, so it lowers the rank.
//!
//! Positions with n stones in the pits form a layer. In a layer, positions with the same
//! stones on either side form a block: the row with fewer stones chooses a line of the
//! block, the row with more stones a place in it. Stores are left out: what they hold is
//! added to whatever the rest of the game is worth.

use crate::kalah::rules::MAX_PITS;

const PITS: usize = MAX_PITS as usize;

/// Every byte 1: multiplying by it adds up bytes.
pub(super) const ONES: u64 = 0x0101_0101_0101_0101;

/// The numbers of all positions of some number of pits, up to some number of stones.
#[derive(Clone, Debug)]
pub(super) struct Ranking {
    pits: u8,
    stones: usize,
    /// C(s+i, i+1) for the sum `s` of the pits up to the `i`-th; 0 from the last pit on.
    terms: Box<[[u64; 256]; PITS]>,
    /// The number of rows by their stones.
    rows: Vec<u64>,
    /// The number of the first position by stones of the mover and of the other.
    blocks: Vec<u64>,
    /// The number of the first position of every layer, and one past the last.
    layers: Vec<u64>,
}

impl Ranking {
    /// The numbers of positions with at most this many stones in the pits, at most 255;
    /// `None` if they do not fit into 63 bits.
    pub(super) fn new(pits: u8, stones: usize) -> Option<Self> {
        assert!((1..=MAX_PITS).contains(&pits) && stones <= 255);
        let m = usize::from(pits);
        let mut terms = Box::new([[0; 256]; PITS]);
        for (pit, row) in terms.iter_mut().enumerate().take(m - 1) {
            for (sum, term) in row.iter_mut().enumerate().take(stones + 1) {
                *term = u64::try_from(binomial(sum + pit, pit + 1)).ok()?;
            }
        }
        let rows: Vec<u64> = (0..=stones)
            .map(|stones| u64::try_from(binomial(stones + m - 1, m - 1)).ok())
            .collect::<Option<_>>()?;
        let mut layers = vec![0u64];
        let mut blocks = vec![0; (stones + 1) * (stones + 1)];
        let mut next: u128 = 0;
        for layer in 0..=stones {
            for fewer in 0..=layer / 2 {
                let more = layer - fewer;
                let size = u128::from(rows[fewer]) * u128::from(rows[more]);
                blocks[fewer * (stones + 1) + more] = next as u64;
                next += size;
                if fewer < more {
                    blocks[more * (stones + 1) + fewer] = next as u64;
                    next += size;
                }
            }
            if next >= 1 << 63 {
                return None;
            }
            layers.push(next as u64);
        }
        Some(Ranking {
            pits,
            stones,
            terms,
            rows,
            blocks,
            layers,
        })
    }

    /// Pits a side.
    pub(super) fn pits(&self) -> u8 {
        self.pits
    }

    /// The most stones in the pits.
    pub(super) fn stones(&self) -> usize {
        self.stones
    }

    /// The number of rows with this many stones.
    #[inline(always)]
    pub(super) fn rows(&self, stones: usize) -> u64 {
        self.rows[stones]
    }

    /// The number of positions with at most this many stones.
    pub(super) fn positions(&self, stones: usize) -> u64 {
        self.layers[stones + 1]
    }

    /// The number of the first position with this many stones.
    pub(super) fn layer(&self, stones: usize) -> u64 {
        self.layers[stones]
    }

    /// The number of the first position with these stones of the mover and of the other.
    #[inline(always)]
    pub(super) fn block(&self, mover: usize, other: usize) -> u64 {
        self.blocks[mover * (self.stones + 1) + other]
    }

    /// The rank of a row among those with as many stones, given the sums of its first pits.
    #[inline(always)]
    fn rank_of_sums(&self, sums: u64) -> u64 {
        let term = |pit: usize| self.terms[pit][usize::from((sums >> (8 * pit)) as u8)];
        if self.pits == 6 {
            return (term(0) + term(1)) + (term(2) + term(3)) + term(4);
        }
        (0..usize::from(self.pits) - 1).map(term).sum()
    }

    /// The rank of a row among those with as many stones.
    #[inline(always)]
    pub(super) fn row(&self, row: u64) -> u64 {
        self.rank_of_sums(row.wrapping_mul(ONES))
    }

    /// The number of a position, given the mover's row and the other.
    #[inline(always)]
    pub(super) fn position(&self, own: u64, other: u64) -> u64 {
        let (own, other) = (own.wrapping_mul(ONES), other.wrapping_mul(ONES));
        let (mine, theirs) = ((own >> 56) as usize, (other >> 56) as usize);
        let (own, other) = (self.rank_of_sums(own), self.rank_of_sums(other));
        let (line, place, more) = if mine <= theirs {
            (own, other, theirs)
        } else {
            (other, own, mine)
        };
        self.block(mine, theirs) + line * self.rows[more] + place
    }

    /// All rows with this many stones, in the order of their ranks.
    pub(super) fn all_rows(&self, stones: usize) -> Vec<u64> {
        let mut rows = Vec::with_capacity(self.rows[stones] as usize);
        let mut row = [0; PITS];
        self.list_rows(
            usize::from(self.pits) - 1,
            stones as u8,
            &mut row,
            &mut rows,
        );
        rows
    }

    /// Lists the rows whose pits up to `pit` hold `stones`, the others being as they are.
    fn list_rows(&self, pit: usize, stones: u8, row: &mut [u8; PITS], rows: &mut Vec<u64>) {
        if pit == 0 {
            row[0] = stones;
            rows.push(u64::from_le_bytes(*row));
            return;
        }
        for before in 0..=stones {
            row[pit] = stones - before;
            self.list_rows(pit - 1, before, row, rows);
        }
    }
}

/// C(n, k), as large as it gets.
fn binomial(n: usize, k: usize) -> u128 {
    if k > n {
        return 0;
    }
    // The products stay whole at every step; 255 stones in 16 pits stay below 2^90.
    (0..k.min(n - k) as u128).fold(1, |product, i| product * (n as u128 - i) / (i + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_numbered_without_gaps_in_their_order() {
        for pits in 1..=8 {
            let ranking = Ranking::new(pits, 9).expect("small");
            for stones in 0..=9 {
                let rows = ranking.all_rows(stones);
                assert_eq!(rows.len() as u64, ranking.rows(stones));
                for (rank, &row) in rows.iter().enumerate() {
                    assert_eq!(ranking.row(row), rank as u64, "{row:x}");
                    let sum: u32 = row.to_le_bytes().iter().map(|&byte| u32::from(byte)).sum();
                    assert_eq!(sum as usize, stones);
                }
            }
        }
    }

    #[test]
    fn positions_are_numbered_without_gaps_layer_by_layer() {
        for pits in 1..=4 {
            let ranking = Ranking::new(pits, 6).expect("small");
            for stones in 0..=6 {
                let mut numbers = Vec::new();
                for mine in 0..=stones {
                    for own in ranking.all_rows(mine) {
                        for other in ranking.all_rows(stones - mine) {
                            numbers.push(ranking.position(own, other));
                        }
                    }
                }
                numbers.sort_unstable();
                let layer = ranking.layer(stones)..ranking.positions(stones);
                assert!(
                    numbers.into_iter().eq(layer),
                    "{pits} pits, {stones} stones"
                );
            }
        }
    }

    #[test]
    fn numbers_of_positions_are_those_of_the_binomials() {
        let ranking = Ranking::new(6, 72).expect("fits");
        // All ways to lay up to n stones into 12 pits: C(n+12, 12).
        assert_eq!(ranking.positions(20), 225_792_840);
        assert_eq!(u128::from(ranking.positions(72)), binomial(84, 12));
        assert!(ranking.positions(72) < 1 << 47);
        assert!(Ranking::new(8, 72).is_some());
        assert!(Ranking::new(8, 255).is_none());
    }
}
