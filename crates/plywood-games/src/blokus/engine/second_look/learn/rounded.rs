//! A network in whole numbers of 8 bits, as a file: each number that is made is divided by the
//! scale of its layer, so that few are larger than the largest that there is.

use super::super::layer::{CHANNELS, GROUP, MOST};
use super::super::{LAYERS, TITLE};
use super::network::{Convolution, Network};

/// What numbers are divided by, layer by layer.
pub(super) type Scales = [f32; LAYERS + 1];

/// Of what a layer makes, leaving out zeros, so much is not larger than the largest number.
const QUANTILE: f64 = 0.9995;

/// The scale of some numbers that a layer has made.
pub(super) fn scale_of(numbers: &mut [f32]) -> f32 {
    if numbers.is_empty() {
        return 1.0;
    }
    let place = ((numbers.len() - 1) as f64 * QUANTILE).round() as usize;
    *numbers.select_nth_unstable_by(place, f32::total_cmp).1 / MOST
}

/// The largest of some weights in whole numbers is 127: what they are divided by.
fn scale_of_weights<'a>(weights: impl Iterator<Item = &'a f32>) -> f32 {
    let largest = weights.fold(0.0, |most: f32, weight| most.max(weight.abs()));
    largest.max(f32::MIN_POSITIVE * MOST) / MOST
}

fn whole(weight: f32, scale: f32) -> u8 {
    (weight / scale).round_ties_even() as i8 as u8
}

/// The bytes of a file that [`SecondLook::read`](super::super::SecondLook::read) reads.
pub(super) fn write(network: &Network, scales: &Scales) -> Vec<u8> {
    let mut file = File(TITLE.to_vec());
    file.layer(&network.first, 1.0, scales[0], 0.0);
    for of_trait in &network.of_traits {
        file.numbers(of_trait.map(|number| number / scales[0]));
    }
    for (place, layer) in network.others.iter().enumerate() {
        let (before, after) = (scales[place], scales[place + 1]);
        // What went into a pair of layers is added to what the second makes.
        let skip = if place % 2 == 1 {
            scales[place - 1] / after
        } else {
            0.0
        };
        file.layer(layer, before, after, skip);
    }
    for (head, &bias) in network.heads.iter().zip(&network.biases) {
        let scale = scale_of_weights(head.iter());
        file.0.extend(head.map(|weight| whole(weight, scale)));
        file.numbers([scale * scales[LAYERS], bias]);
    }
    for of_trait in &network.heads_of_traits {
        file.numbers(*of_trait);
    }
    let sum = crc32fast::hash(&file.0);
    file.0.extend(sum.to_le_bytes());
    file.0
}

struct File(Vec<u8>);

impl File {
    fn numbers(&mut self, numbers: impl IntoIterator<Item = f32>) {
        self.0
            .extend(numbers.into_iter().flat_map(f32::to_le_bytes));
    }

    fn layer<const IN: usize>(
        &mut self,
        layer: &Convolution<IN>,
        before: f32,
        after: f32,
        skip: f32,
    ) {
        let all = layer.weights.as_flattened();
        let scales: [f32; CHANNELS] = std::array::from_fn(|channel| {
            scale_of_weights(all.iter().map(|weights| &weights[channel]))
        });
        for group in all.chunks_exact(GROUP) {
            for (channel, &scale) in scales.iter().enumerate() {
                let weights = group.iter().map(|weights| weights[channel]);
                self.0.extend(weights.map(|weight| whole(weight, scale)));
            }
        }
        self.numbers(scales.map(|scale| scale * before / after));
        self.numbers(layer.bias.map(|bias| bias / after));
        self.numbers([skip]);
    }
}
