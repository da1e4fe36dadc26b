//! Choices made by the bytes of an input.

/// Takes choices from an input; what it does not decide is drawn from its last bytes.
#[derive(Clone, Debug)]
pub struct Bytes<'a> {
    rest: &'a [u8],
    state: u64,
}

impl<'a> Bytes<'a> {
    pub fn new(data: &'a [u8]) -> Self {
        Bytes {
            rest: data,
            state: data.len() as u64,
        }
    }

    /// The next byte, or one drawn from all bytes so far when none is left: a short input
    /// plays a whole game too.
    pub fn byte(&mut self) -> u8 {
        if let Some((&first, rest)) = self.rest.split_first() {
            self.rest = rest;
            self.state = mix(self.state ^ u64::from(first));
            first
        } else {
            self.state = mix(self.state);
            self.state as u8
        }
    }

    /// A digit as its number, other bytes as something else: seeds are readable texts.
    pub fn digit(&mut self) -> usize {
        usize::from(self.byte().wrapping_sub(b'0'))
    }

    /// A number below `count`, which is not 0.
    pub fn below(&mut self, count: usize) -> usize {
        let low = usize::from(self.byte());
        let high = if count > 256 { self.byte().into() } else { 0 };
        (high << 8 | low) % count
    }

    /// All bytes that are left, as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(self.rest).into_owned()
    }
}

fn mix(value: u64) -> u64 {
    let z = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}
