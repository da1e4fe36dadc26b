//! What patterns are worth, in tables by the pair of patterns of one line: black's in the low
//! four bits, white's in the high ones.

use super::line::Pattern;

/// The patterns that make a threat have the highest of their four bits set.
const _: () = assert!(Pattern::OpenThree as u8 == 8);

/// In the patterns of four lines, the bits that are set if a five can still come of one of them:
/// all but the lowest, which alone is an overline.
pub(super) const DEAD: u32 = 0xEEEE_EEEE;
const _: () = assert!(Pattern::Nothing as u8 == 0 && Pattern::Overline as u8 == 1);

/// Which colours' classes may change if the patterns of a line change from or to these two: bit
/// 3 is set for black, bit 7 for white. Among the quiet patterns none does.
pub(super) static DECIDES: [u8; 256] = {
    const fn decides(pattern: usize) -> u8 {
        (pattern >= Pattern::OpenThree as usize || pattern == Pattern::Overline as usize) as u8
    }
    let mut table = [0; 256];
    let mut pair = 0;
    while pair < 256 {
        table[pair] = decides(pair & 15) << 3 | decides(pair >> 4) << 7;
        pair += 1;
    }
    table
};

/// What each [`Pattern`] of an empty point adds to the evaluation, by its number.
const VALUE: [i64; 16] = [0, 0, 0, 1, 2, 5, 6, 6, 14, 17, 14, 30, 20, 30, 0, 0];

/// What a pair of patterns adds to the evaluation: black's part in the low half of the number,
/// white's in the high one.
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
const ATTACK: [i16; 16] = [0, 0, 1, 3, 8, 18, 24, 22, 60, 70, 70, 300, 200, 1000, 0, 0];

/// What taking each [`Pattern`] from the opponent adds to the promise of a move.
const DEFENCE: [i16; 16] = [0, 0, 1, 2, 4, 12, 16, 10, 42, 48, 30, 200, 150, 600, 0, 0];

/// What a pair of patterns adds to the promise of a move, by the colour that makes it.
pub(super) static PROMISES: [[i16; 256]; 2] = {
    let mut table = [[0; 256]; 2];
    let mut pair = 0;
    while pair < 256 {
        table[0][pair] = ATTACK[pair & 15] + DEFENCE[pair >> 4];
        table[1][pair] = ATTACK[pair >> 4] + DEFENCE[pair & 15];
        pair += 1;
    }
    table
};
