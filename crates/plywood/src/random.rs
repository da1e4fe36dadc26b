//! Random numbers for playouts.

/// Random numbers from a seed (splitmix64): the same seed gives the same numbers in every
/// version, so that a search on one thread can be repeated.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// A generator that gives the same numbers for the same seed.
    pub fn new(seed: u64) -> Self {
        Random { state: seed }
    }

    /// One of many generators that belong to the same seed and have nothing else in common.
    pub(crate) fn stream(seed: u64, number: u64) -> Self {
        let mut first = Random::new(seed ^ number.wrapping_mul(0xD6E8_FEB8_6659_FD93));
        Random::new(first.next_u64())
    }

    /// The next number.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// A number below `count`, each as likely as the others, up to a share of `count` in
    /// 2^64.
    #[inline]
    pub fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.next_u64()) * count as u128) >> 64) as usize
    }

    /// A number from 0 (included) to 1 (excluded).
    #[inline]
    pub fn unit(&mut self) -> f64 {
        // As many bits as an f64 holds exactly.
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }
}
