//! A layer of the network: what is found around every cell, in whole numbers, so that every
//! processor finds the same.

/// How many numbers there are of every cell.
pub(super) const CHANNELS: usize = 32;
/// Numbers of one cell that are multiplied at once.
pub(super) const GROUP: usize = 4;
/// The cells around and including one, row by row.
pub(super) const TAPS: usize = 9;
/// The cells of a row, without the margin.
pub(super) const SIZE: usize = 20;
/// The same with a cell of margin on each side.
pub(super) const SIDE: usize = SIZE + 2;
/// The largest number of a cell: sums of two products fit 16 bits.
pub(super) const MOST: f32 = 127.0;

/// The numbers of all cells. Those of the margin are always 0.
#[derive(Clone)]
#[repr(align(64))]
pub(super) struct Grid([[u8; CHANNELS]; SIDE * SIDE]);

impl Default for Grid {
    fn default() -> Self {
        Grid([[0; CHANNELS]; SIDE * SIDE])
    }
}

impl Grid {
    /// Where a cell is, by its column and row.
    pub const fn at(x: usize, y: usize) -> usize {
        (y + 1) * SIDE + x + 1
    }

    pub fn cell(&self, at: usize) -> &[u8; CHANNELS] {
        &self.0[at]
    }

    pub fn set(&mut self, at: usize, channel: usize) {
        self.0[at][channel] = 1;
    }
}

/// Where the cell is that a tap of a cell looks at.
pub(super) const fn beside(at: usize, tap: usize) -> usize {
    at + tap / 3 * SIDE + tap % 3 - SIDE - 1
}

/// The weights of four numbers of one of the cells around, for every number that is made.
pub(super) type Weights = [[i8; GROUP]; CHANNELS];

/// What makes the numbers of a cell of those around it.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Layer {
    /// How many groups of numbers of a cell it looks at.
    groups: usize,
    /// By tap, then by group.
    weights: Vec<Weights>,
    /// The same weights by tap, then by number: for processors without special instructions.
    columns: Vec<[i16; CHANNELS]>,
    /// What the sums are multiplied with.
    pub factor: [f32; CHANNELS],
    /// What is added to that.
    pub bias: [f32; CHANNELS],
    /// What the numbers that are left out of the sums are multiplied with before they are
    /// added.
    pub skip: f32,
}

/// Which instructions are used.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Kernel {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Vnni,
}

impl Kernel {
    /// Those that this processor has, the slowest first.
    fn available() -> impl Iterator<Item = Self> {
        #[cfg(target_arch = "x86_64")]
        let special = {
            let avx2 = is_x86_feature_detected!("avx2");
            let vnni = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vnni");
            [
                avx2.then_some(Kernel::Avx2),
                (avx2 && vnni).then_some(Kernel::Vnni),
            ]
        };
        #[cfg(not(target_arch = "x86_64"))]
        let special = [None];
        [Some(Kernel::Plain)].into_iter().chain(special).flatten()
    }

    /// The fastest that this processor has.
    pub fn best() -> Self {
        Self::available().last().unwrap_or(Kernel::Plain)
    }
}

impl Layer {
    /// With these weights, by tap and then by group; and what the sums are multiplied with,
    /// what is added, and what is made of the numbers that are added.
    pub fn new(
        weights: Vec<Weights>,
        factor: [f32; CHANNELS],
        bias: [f32; CHANNELS],
        skip: f32,
    ) -> Self {
        let groups = weights.len() / TAPS;
        assert_eq!(weights.len(), TAPS * groups);
        assert!(groups * GROUP <= CHANNELS);
        let column = |group: &Weights, place: usize| group.map(|weights| i16::from(weights[place]));
        Layer {
            groups,
            columns: weights
                .iter()
                .flat_map(|group| (0..GROUP).map(move |place| column(group, place)))
                .collect(),
            weights,
            factor,
            bias,
            skip,
        }
    }

    /// Makes the numbers of all cells; `over` are added to what is made.
    pub fn apply(
        &self,
        kernel: Kernel,
        bias: &[f32; CHANNELS],
        from: &Grid,
        over: Option<&Grid>,
        to: &mut Grid,
    ) {
        match kernel {
            Kernel::Plain => self.apply_plainly(bias, from, over, to),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the kernel was chosen because the processor has the instructions.
            Kernel::Avx2 => unsafe { self.apply_with_avx2(bias, from, over, to) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the kernel was chosen because the processor has the instructions.
            Kernel::Vnni => unsafe { self.apply_with_vnni(bias, from, over, to) },
        }
    }

    /// Makes the numbers of all cells of sums that are found cell by cell.
    #[inline(always)]
    fn finish(
        &self,
        bias: &[f32; CHANNELS],
        over: Option<&Grid>,
        to: &mut Grid,
        sums_at: impl Fn(usize) -> [i32; CHANNELS],
    ) {
        for at in (0..SIZE).flat_map(|y| (0..SIZE).map(move |x| Grid::at(x, y))) {
            let sums = sums_at(at);
            for channel in 0..CHANNELS {
                let mut value = sums[channel] as f32 * self.factor[channel] + bias[channel];
                if let Some(over) = over {
                    value += f32::from(over.0[at][channel]) * self.skip;
                }
                to.0[at][channel] = (value.clamp(0.0, MOST) + 0.5) as u8;
            }
        }
    }

    fn apply_plainly(
        &self,
        bias: &[f32; CHANNELS],
        from: &Grid,
        over: Option<&Grid>,
        to: &mut Grid,
    ) {
        self.finish(bias, over, to, |at| {
            let mut sums = [0i32; CHANNELS];
            for (tap, columns) in self.columns.chunks_exact(self.groups * GROUP).enumerate() {
                let cell = &from.0[beside(at, tap)];
                for (pair, columns) in cell.chunks_exact(2).zip(columns.chunks_exact(2)) {
                    let [one, other] = [i16::from(pair[0]), i16::from(pair[1])];
                    for (channel, sum) in sums.iter_mut().enumerate() {
                        *sum += i32::from(one * columns[0][channel] + other * columns[1][channel]);
                    }
                }
            }
            sums
        });
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn apply_with_avx2(
        &self,
        bias: &[f32; CHANNELS],
        from: &Grid,
        over: Option<&Grid>,
        to: &mut Grid,
    ) {
        use std::arch::x86_64::*;
        const PARTS: usize = CHANNELS / 8;
        self.finish(bias, over, to, |at| {
            let mut sums = [_mm256_setzero_si256(); PARTS];
            for (tap, weights) in self.weights.chunks_exact(self.groups).enumerate() {
                let cell = &from.0[beside(at, tap)];
                for (numbers, weights) in cell.chunks_exact(GROUP).zip(weights) {
                    let numbers = i32::from_le_bytes(numbers.try_into().expect("four"));
                    let weights = weights.as_ptr().cast::<__m256i>();
                    for (part, sum) in sums.iter_mut().enumerate() {
                        // SAFETY: the weights of a group are four times 32 bytes.
                        let weights = unsafe { _mm256_loadu_si256(weights.add(part)) };
                        let pairs = _mm256_maddubs_epi16(_mm256_set1_epi32(numbers), weights);
                        let fours = _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
                        *sum = _mm256_add_epi32(*sum, fours);
                    }
                }
            }
            let mut made = [0; CHANNELS];
            for (part, sum) in sums.iter().enumerate() {
                let made = made[part * 8..][..8].as_mut_ptr();
                // SAFETY: eight numbers are 32 bytes.
                unsafe { _mm256_storeu_si256(made.cast(), *sum) };
            }
            made
        });
    }

    /// The same, ten cells of a row at a time: their sums stay in registers.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    fn apply_with_vnni(
        &self,
        bias: &[f32; CHANNELS],
        from: &Grid,
        over: Option<&Grid>,
        to: &mut Grid,
    ) {
        use std::arch::x86_64::*;
        const CELLS: usize = SIZE / 2;
        const HALF: usize = CHANNELS / 2;
        // SAFETY of all loads and stores: they are of slices that are as long as that.
        let load = |numbers: &[f32]| unsafe { _mm512_loadu_ps(numbers[..HALF].as_ptr()) };
        let bytes = |cell: &[u8]| unsafe { _mm_loadu_si128(cell[..HALF].as_ptr().cast()) };
        for start in (0..SIZE).flat_map(|y| [Grid::at(0, y), Grid::at(CELLS, y)]) {
            let mut sums = [[_mm512_setzero_si512(); 2]; CELLS];
            for (tap, weights) in self.weights.chunks_exact(self.groups).enumerate() {
                let first = beside(start, tap);
                let cells: &[[u8; CHANNELS]; CELLS] =
                    from.0[first..][..CELLS].try_into().expect("so many");
                for (group, weights) in weights.iter().enumerate() {
                    let weights = weights.as_ptr().cast::<__m512i>();
                    // SAFETY: the weights of a group are two times 64 bytes.
                    let halves = unsafe {
                        [
                            _mm512_loadu_si512(weights),
                            _mm512_loadu_si512(weights.add(1)),
                        ]
                    };
                    for (sums, cell) in sums.iter_mut().zip(cells) {
                        let numbers = &cell[group * GROUP..][..GROUP];
                        let numbers = i32::from_le_bytes(numbers.try_into().expect("four"));
                        let numbers = _mm512_set1_epi32(numbers);
                        sums[0] = _mm512_dpbusd_epi32(sums[0], numbers, halves[0]);
                        sums[1] = _mm512_dpbusd_epi32(sums[1], numbers, halves[1]);
                    }
                }
            }
            for (cell, sums) in sums.iter().enumerate() {
                let at = start + cell;
                for (half, &sum) in sums.iter().enumerate() {
                    let channel = half * HALF;
                    let sum = _mm512_cvtepi32_ps(sum);
                    let mut value = _mm512_add_ps(
                        _mm512_mul_ps(sum, load(&self.factor[channel..])),
                        load(&bias[channel..]),
                    );
                    if let Some(over) = over {
                        let over = _mm512_cvtepu8_epi32(bytes(&over.0[at][channel..]));
                        let over = _mm512_cvtepi32_ps(over);
                        value =
                            _mm512_add_ps(value, _mm512_mul_ps(over, _mm512_set1_ps(self.skip)));
                    }
                    let value = _mm512_max_ps(value, _mm512_setzero_ps());
                    let value = _mm512_min_ps(value, _mm512_set1_ps(MOST));
                    let value = _mm512_add_ps(value, _mm512_set1_ps(0.5));
                    let value = _mm512_cvtepi32_epi8(_mm512_cvttps_epi32(value));
                    let to = to.0[at][channel..][..HALF].as_mut_ptr();
                    // SAFETY: as above.
                    unsafe { _mm_storeu_si128(to.cast(), value) };
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plywood::Random;

    #[test]
    fn all_instructions_find_the_same() {
        let mut random = Random::new(3);
        for groups in [4, 8] {
            let mut number = |below: usize| random.below(below) as i32;
            let weights = (0..TAPS * groups)
                .map(|_| [(); CHANNELS].map(|()| [(); GROUP].map(|()| (number(255) - 127) as i8)));
            let weights = weights.collect();
            let factor = [(); CHANNELS].map(|()| number(100) as f32 / 10_000.0);
            let bias = [(); CHANNELS].map(|()| number(100) as f32 - 30.0);
            let layer = Layer::new(weights, factor, bias, 0.7);
            let mut from = Grid::default();
            for at in (0..SIZE).flat_map(|y| (0..SIZE).map(move |x| Grid::at(x, y))) {
                from.0[at] = [(); CHANNELS].map(|()| number(128) as u8);
            }
            for over in [None, Some(&from)] {
                let mut one = Grid::default();
                layer.apply(Kernel::Plain, &layer.bias, &from, over, &mut one);
                for kernel in Kernel::available() {
                    let mut other = Grid::default();
                    layer.apply(kernel, &layer.bias, &from, over, &mut other);
                    assert!(one.0 == other.0, "{kernel:?}");
                }
                let middle =
                    (0..CHANNELS).filter(|&c| (1..127).contains(&one.0[Grid::at(5, 5)][c]));
                assert!(middle.count() > 0, "all numbers are at an end");
            }
        }
    }
}
