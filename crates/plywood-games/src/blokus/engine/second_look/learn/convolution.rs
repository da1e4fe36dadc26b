//! Layers in floating point: what is found around every cell, and the slopes of the weights.
//! Nearly all time of learning is spent here.

use super::super::layer::{CHANNELS, Grid, SIDE, SIZE, TAPS, beside};

/// The numbers of all cells. Those of the margin are always 0.
#[derive(Clone)]
pub(super) struct Cells<const NUMBERS: usize>(Box<[[f32; NUMBERS]; SIDE * SIDE]>);

impl<const NUMBERS: usize> Default for Cells<NUMBERS> {
    fn default() -> Self {
        Cells(Box::new([[0.0; NUMBERS]; SIDE * SIDE]))
    }
}

impl<const NUMBERS: usize> Cells<NUMBERS> {
    pub fn cell(&self, at: usize) -> &[f32; NUMBERS] {
        &self.0[at]
    }

    pub fn cell_mut(&mut self, at: usize) -> &mut [f32; NUMBERS] {
        debug_assert!((1..=SIZE).contains(&(at % SIDE)) && (1..=SIZE).contains(&(at / SIDE)));
        &mut self.0[at]
    }

    /// The cells of the board, row by row.
    pub fn board(&self) -> impl Iterator<Item = &[f32; NUMBERS]> {
        (0..SIZE).flat_map(|y| &self.0[Grid::at(0, y)..][..SIZE])
    }

    /// All numbers, the margin's too.
    pub fn numbers(&self) -> &[f32] {
        self.0.as_flattened()
    }

    /// Forgets all numbers.
    pub fn clear(&mut self) {
        self.0.as_flattened_mut().fill(0.0);
    }

    /// The same numbers in every cell of the board.
    pub fn fill(&mut self, numbers: &[f32; NUMBERS]) {
        for y in 0..SIZE {
            self.0[Grid::at(0, y)..][..SIZE].fill(*numbers);
        }
    }

    /// Adds the same numbers in every cell.
    pub fn add(&mut self, other: &Self) {
        let parts = self.0.as_flattened_mut().iter_mut().zip(other.numbers());
        parts.for_each(|(number, more)| *number += more);
    }

    /// What is below 0 becomes 0.
    pub fn cut(&mut self) {
        for number in self.0.as_flattened_mut() {
            *number = number.max(0.0);
        }
    }

    /// Slopes of what was cut: those of what became 0 are 0.
    pub fn cut_where(&mut self, made: &Self) {
        let parts = self.0.as_flattened_mut().iter_mut().zip(made.numbers());
        parts.for_each(|(slope, made)| *slope = if *made > 0.0 { *slope } else { 0.0 });
    }

    /// The sums of the numbers of all cells.
    pub fn sums(&self) -> [f32; NUMBERS] {
        let mut sums = [0.0; NUMBERS];
        for cell in self.board() {
            sums.iter_mut()
                .zip(cell)
                .for_each(|(sum, more)| *sum += more);
        }
        sums
    }
}

/// By tap and by number of the cell looked at: the weights for every number that is made.
pub(super) type Taps<const IN: usize> = [[[f32; CHANNELS]; IN]; TAPS];

/// Weights that bring the slopes of what a layer has made back to what it was made of.
pub(super) fn turn(weights: &Taps<CHANNELS>, turned: &mut Taps<CHANNELS>) {
    for (tap, weights) in weights.iter().enumerate() {
        let turned = &mut turned[TAPS - 1 - tap];
        for (from, weights) in weights.iter().enumerate() {
            for (to, &weight) in weights.iter().enumerate() {
                turned[to][from] = weight;
            }
        }
    }
}

/// Some numbers side by side.
///
/// # Safety
/// What is called must only be called where the processor has the instructions.
trait Lanes: Copy {
    const COUNT: usize;
    /// The first of these numbers, of which there must be enough.
    unsafe fn load(numbers: &[f32]) -> Self;
    /// Writes them to the first of these numbers, of which there must be enough.
    unsafe fn store(self, numbers: &mut [f32]);
    unsafe fn all(number: f32) -> Self;
    /// The sum of these and of the products of the others.
    unsafe fn plus_product(self, one: Self, other: Self) -> Self;
}

impl Lanes for [f32; 4] {
    const COUNT: usize = 4;

    #[inline(always)]
    unsafe fn load(numbers: &[f32]) -> Self {
        numbers[..4].try_into().expect("four")
    }

    #[inline(always)]
    unsafe fn store(self, numbers: &mut [f32]) {
        numbers[..4].copy_from_slice(&self);
    }

    #[inline(always)]
    unsafe fn all(number: f32) -> Self {
        [number; 4]
    }

    #[inline(always)]
    unsafe fn plus_product(self, one: Self, other: Self) -> Self {
        std::array::from_fn(|lane| self[lane] + one[lane] * other[lane])
    }
}

/// Lanes of a processor's registers.
///
/// SAFETY of every block in it: the caller vouches for the instructions, and slices are as long
/// as what is read or written.
#[cfg(target_arch = "x86_64")]
macro_rules! lanes {
    ($register:ident, $count:literal, $load:ident, $store:ident, $all:ident, $plus:ident) => {
        impl Lanes for std::arch::x86_64::$register {
            const COUNT: usize = $count;

            #[inline(always)]
            unsafe fn load(numbers: &[f32]) -> Self {
                unsafe { std::arch::x86_64::$load(numbers[..$count].as_ptr()) }
            }

            #[inline(always)]
            unsafe fn store(self, numbers: &mut [f32]) {
                unsafe { std::arch::x86_64::$store(numbers[..$count].as_mut_ptr(), self) }
            }

            #[inline(always)]
            unsafe fn all(number: f32) -> Self {
                unsafe { std::arch::x86_64::$all(number) }
            }

            #[inline(always)]
            unsafe fn plus_product(self, one: Self, other: Self) -> Self {
                unsafe { std::arch::x86_64::$plus(one, other, self) }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
lanes!(
    __m256,
    8,
    _mm256_loadu_ps,
    _mm256_storeu_ps,
    _mm256_set1_ps,
    _mm256_fmadd_ps
);
#[cfg(target_arch = "x86_64")]
lanes!(
    __m512,
    16,
    _mm512_loadu_ps,
    _mm512_storeu_ps,
    _mm512_set1_ps,
    _mm512_fmadd_ps
);

/// Adds to every cell what the weights make of those around it. The sums of two registers
/// for each of so many cells stay in registers.
///
/// # Safety
/// The processor must have the instructions of the lanes.
#[inline(always)]
unsafe fn convolve<L: Lanes, const IN: usize, const TOGETHER: usize>(
    from: &Cells<IN>,
    weights: &Taps<IN>,
    to: &mut Cells<CHANNELS>,
) {
    let starts =
        (0..SIZE).flat_map(|y| (0..SIZE / TOGETHER).map(move |part| Grid::at(part * TOGETHER, y)));
    for start in starts {
        for low in (0..CHANNELS).step_by(2 * L::COUNT) {
            let high = low + L::COUNT;
            let made: &mut [[f32; CHANNELS]; TOGETHER] = (&mut to.0[start..][..TOGETHER])
                .try_into()
                .expect("so many");
            // SAFETY of all blocks: the caller vouches for the instructions, and the cells and
            // weights have two registers from `low` on.
            let mut sums = std::array::from_fn::<_, TOGETHER, _>(|cell| unsafe {
                [L::load(&made[cell][low..]), L::load(&made[cell][high..])]
            });
            for (tap, weights) in weights.iter().enumerate() {
                let first = beside(start, tap);
                let cells: &[[f32; IN]; TOGETHER] =
                    from.0[first..][..TOGETHER].try_into().expect("so many");
                for (number, weights) in weights.iter().enumerate() {
                    let (one, two) =
                        unsafe { (L::load(&weights[low..]), L::load(&weights[high..])) };
                    for (sums, cell) in sums.iter_mut().zip(cells) {
                        unsafe {
                            let number = L::all(cell[number]);
                            sums[0] = sums[0].plus_product(number, one);
                            sums[1] = sums[1].plus_product(number, two);
                        }
                    }
                }
            }
            for (sums, made) in sums.iter().zip(made) {
                unsafe {
                    sums[0].store(&mut made[low..]);
                    sums[1].store(&mut made[high..]);
                }
            }
        }
    }
}

/// Adds the slopes of the weights, by those of what they make.
///
/// # Safety
/// The processor must have the instructions of the lanes.
#[inline(always)]
unsafe fn add_slopes<L: Lanes, const IN: usize, const TOGETHER: usize>(
    from: &Cells<IN>,
    of_made: &Cells<CHANNELS>,
    slopes: &mut Taps<IN>,
) {
    for (tap, slopes) in slopes.iter_mut().enumerate() {
        for first in (0..IN).step_by(TOGETHER) {
            for low in (0..CHANNELS).step_by(2 * L::COUNT) {
                let high = low + L::COUNT;
                let slopes: &mut [[f32; CHANNELS]; TOGETHER] = (&mut slopes[first..][..TOGETHER])
                    .try_into()
                    .expect("so many");
                // SAFETY of all blocks: the caller vouches for the instructions, and the cells
                // and slopes have two registers from `low` on.
                let mut sums = std::array::from_fn::<_, TOGETHER, _>(|number| unsafe {
                    [
                        L::load(&slopes[number][low..]),
                        L::load(&slopes[number][high..]),
                    ]
                });
                for y in 0..SIZE {
                    let start = Grid::at(0, y);
                    let row = &of_made.0[start..][..SIZE];
                    let cells = &from.0[beside(start, tap)..][..SIZE];
                    for (made, cell) in row.iter().zip(cells) {
                        let (one, two) = unsafe { (L::load(&made[low..]), L::load(&made[high..])) };
                        let numbers: &[f32; TOGETHER] =
                            cell[first..][..TOGETHER].try_into().expect("so many");
                        for (sums, &number) in sums.iter_mut().zip(numbers) {
                            unsafe {
                                let number = L::all(number);
                                sums[0] = sums[0].plus_product(number, one);
                                sums[1] = sums[1].plus_product(number, two);
                            }
                        }
                    }
                }
                for (sums, slopes) in sums.iter().zip(slopes) {
                    unsafe {
                        sums[0].store(&mut slopes[low..]);
                        sums[1].store(&mut slopes[high..]);
                    }
                }
            }
        }
    }
}

/// Both steps with one kind of lanes, each in a function of its own, so that everything it calls
/// is inlined into code for these instructions; and how many cells and numbers go together.
///
/// SAFETY of every block in it: the caller vouches for the instructions.
macro_rules! steps {
    ($module:ident, $lanes:ty, $cells:literal, $numbers:literal $(, $feature:literal)?) => {
        mod $module {
            use super::*;

            /// # Safety
            /// The processor must have the features named.
            $(#[target_feature(enable = $feature)])?
            pub(super) unsafe fn convolve<const IN: usize>(
                from: &Cells<IN>,
                weights: &Taps<IN>,
                to: &mut Cells<CHANNELS>,
            ) {
                unsafe { super::convolve::<$lanes, IN, $cells>(from, weights, to) }
            }

            /// # Safety
            /// The processor must have the features named.
            $(#[target_feature(enable = $feature)])?
            pub(super) unsafe fn add_slopes<const IN: usize>(
                from: &Cells<IN>,
                of_made: &Cells<CHANNELS>,
                slopes: &mut Taps<IN>,
            ) {
                unsafe { super::add_slopes::<$lanes, IN, $numbers>(from, of_made, slopes) }
            }
        }
    };
}

steps!(plain, [f32; 4], 4, 4);
#[cfg(target_arch = "x86_64")]
steps!(avx2, std::arch::x86_64::__m256, 5, 4, "avx2,fma");
#[cfg(target_arch = "x86_64")]
steps!(avx512, std::arch::x86_64::__m512, 10, 8, "avx512f");

/// Which instructions are used.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// Instructions that this processor has.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Instructions(Kind);

impl Instructions {
    /// All that this processor has, the slowest first.
    fn available() -> impl Iterator<Item = Self> {
        #[cfg(target_arch = "x86_64")]
        let special = [
            (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"))
                .then_some(Kind::Avx2),
            is_x86_feature_detected!("avx512f").then_some(Kind::Avx512),
        ];
        #[cfg(not(target_arch = "x86_64"))]
        let special = [None];
        let kinds = [Some(Kind::Plain)].into_iter().chain(special).flatten();
        kinds.map(Instructions)
    }

    /// The fastest that this processor has.
    pub fn best() -> Self {
        Self::available()
            .last()
            .unwrap_or(Instructions(Kind::Plain))
    }

    /// What they are called.
    pub fn name(self) -> &'static str {
        match self.0 {
            Kind::Plain => "portable",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => "avx512",
        }
    }

    /// Adds to every cell what the weights make of those around it.
    pub fn convolve<const IN: usize>(
        self,
        from: &Cells<IN>,
        weights: &Taps<IN>,
        to: &mut Cells<CHANNELS>,
    ) {
        // SAFETY: only instructions that the processor has are made.
        unsafe {
            match self.0 {
                Kind::Plain => plain::convolve(from, weights, to),
                #[cfg(target_arch = "x86_64")]
                Kind::Avx2 => avx2::convolve(from, weights, to),
                #[cfg(target_arch = "x86_64")]
                Kind::Avx512 => avx512::convolve(from, weights, to),
            }
        }
    }

    /// Adds the slopes of the weights, by those of what they make.
    pub fn add_slopes<const IN: usize>(
        self,
        from: &Cells<IN>,
        of_made: &Cells<CHANNELS>,
        slopes: &mut Taps<IN>,
    ) {
        // SAFETY: only instructions that the processor has are made.
        unsafe {
            match self.0 {
                Kind::Plain => plain::add_slopes(from, of_made, slopes),
                #[cfg(target_arch = "x86_64")]
                Kind::Avx2 => avx2::add_slopes(from, of_made, slopes),
                #[cfg(target_arch = "x86_64")]
                Kind::Avx512 => avx512::add_slopes(from, of_made, slopes),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plywood::Random;

    fn any_cells<const NUMBERS: usize>(random: &mut Random) -> Cells<NUMBERS> {
        let mut cells = Cells::default();
        for at in (0..SIZE).flat_map(|y| (0..SIZE).map(move |x| Grid::at(x, y))) {
            *cells.cell_mut(at) = [(); NUMBERS].map(|()| random.unit() as f32 - 0.5);
        }
        cells
    }

    fn close<'a>(one: impl Iterator<Item = &'a f32>, other: impl Iterator<Item = &'a f32>) -> bool {
        one.zip(other)
            .all(|(one, other)| (one - other).abs() < 1e-3)
    }

    fn all_find_what_the_definition_says<const IN: usize>() {
        let mut random = Random::new(5);
        let from: Cells<IN> = any_cells(&mut random);
        let before = any_cells::<CHANNELS>(&mut random);
        let mut weights = Box::new([[[0.0; CHANNELS]; IN]; TAPS]);
        for weight in weights.as_flattened_mut().as_flattened_mut() {
            *weight = random.unit() as f32 - 0.5;
        }
        let mut made = before.clone();
        let mut slopes = weights.clone();
        for at in (0..SIZE).flat_map(|y| (0..SIZE).map(move |x| Grid::at(x, y))) {
            for tap in 0..TAPS {
                for (number, &value) in from.cell(beside(at, tap)).iter().enumerate() {
                    for channel in 0..CHANNELS {
                        made.0[at][channel] += value * weights[tap][number][channel];
                        slopes[tap][number][channel] += value * before.cell(at)[channel];
                    }
                }
            }
        }
        for instructions in Instructions::available() {
            let (mut to, mut found) = (before.clone(), weights.clone());
            instructions.convolve(&from, &weights, &mut to);
            let same = close(made.numbers().iter(), to.numbers().iter());
            assert!(same, "{}", instructions.name());
            instructions.add_slopes(&from, &before, &mut found);
            let flat = |taps: &Taps<IN>| taps.as_flattened().as_flattened().to_vec();
            let same = close(flat(&slopes).iter(), flat(&found).iter());
            assert!(same, "{}", instructions.name());
        }
    }

    #[test]
    fn all_instructions_find_what_the_definition_says() {
        all_find_what_the_definition_says::<16>();
        all_find_what_the_definition_says::<CHANNELS>();
    }

    #[test]
    fn what_is_brought_back_is_what_went_there() {
        // The product with what weights make is that with what turned weights make of the
        // other.
        let mut random = Random::new(6);
        let (one, other) = (any_cells(&mut random), any_cells(&mut random));
        let mut weights = Box::new([[[0.0; CHANNELS]; CHANNELS]; TAPS]);
        for weight in weights.as_flattened_mut().as_flattened_mut() {
            *weight = random.unit() as f32 - 0.5;
        }
        let mut turned = weights.clone();
        turn(&weights, &mut turned);
        let product = |from: &Cells<CHANNELS>, weights: &Taps<CHANNELS>, with: &Cells<CHANNELS>| {
            let mut made = Cells::default();
            Instructions::best().convolve(from, weights, &mut made);
            let parts = made.board().zip(with.board());
            let parts = parts.flat_map(|(one, other)| one.iter().zip(other));
            parts
                .map(|(one, other)| f64::from(one * other))
                .sum::<f64>()
        };
        let (there, back) = (
            product(&one, &weights, &other),
            product(&other, &turned, &one),
        );
        assert!((there - back).abs() < 1e-3 * there.abs(), "{there} {back}");
    }
}
