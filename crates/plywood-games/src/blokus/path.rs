//! The choice between the instruction sets, once for each large step.

use std::ops::ControlFlow;

use plywood::Moves;

use super::board::Board;
use super::movegen::{self, Bits, View};
use super::moves::Move;
use super::outlook::{After, Outlook};
use super::pieces::PIECES;
use super::portable::Plain;
use super::state::{State, Undo};
use super::survey::{self, Survey};
use super::terrain::{Overlap, Terrain};
#[cfg(target_arch = "x86_64")]
use super::{avx2::Halves, avx512::Register};

/// The instructions that move generation and bulk evaluation use. All give the same results
/// in the same order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Path {
    /// Plain 64-bit words.
    Portable,
    /// x86-64 with AVX2, BMI and POPCNT.
    Avx2,
    /// x86-64 with AVX-512 F, BW, VL, VBMI2 and VPOPCNTDQ.
    Avx512,
}

impl Path {
    /// All paths, the slowest first.
    pub const ALL: [Path; 3] = [Path::Portable, Path::Avx2, Path::Avx512];

    /// Whether this processor can take the path.
    pub fn is_available(self) -> bool {
        match self {
            Path::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Path::Avx2 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("popcnt")
            }
            #[cfg(target_arch = "x86_64")]
            Path::Avx512 => {
                Path::Avx2.is_available()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512vbmi2")
                    && is_x86_feature_detected!("avx512vpopcntdq")
            }
            #[cfg(not(target_arch = "x86_64"))]
            Path::Avx2 | Path::Avx512 => false,
        }
    }

    /// The fastest path this processor can take.
    pub fn best() -> Self {
        let mut paths = Path::ALL.into_iter().rev();
        paths
            .find(|path| path.is_available())
            .unwrap_or(Path::Portable)
    }

    /// How the path is called in a listing of figures.
    pub fn name(self) -> &'static str {
        match self {
            Path::Portable => "portable",
            Path::Avx2 => "avx2",
            Path::Avx512 => "avx512",
        }
    }
}

/// A path that this processor can take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Available(Path);

/// What is done on each path, in one function each, so that everything it calls is inlined
/// into code for that instruction set.
///
/// SAFETY of every block in it: the caller vouches for the features that the type needs.
macro_rules! steps {
    ($module:ident, $bits:ty $(, $feature:literal)?) => {
        mod $module {
            use super::*;

            /// # Safety
            /// The processor must have the features named.
            $(#[target_feature(enable = $feature)])?
            pub(super) unsafe fn any(view: &View<'_>) -> bool {
                unsafe { movegen::any::<$bits>(view) }
            }

            /// # Safety
            /// The processor must have the features named.
            $(#[target_feature(enable = $feature)])?
            pub(super) unsafe fn count(view: &View<'_>) -> usize {
                unsafe { movegen::count::<$bits>(view) }
            }

            /// # Safety
            /// The processor must have the features named.
            $(#[target_feature(enable = $feature)])?
            pub(super) unsafe fn count_each(view: &View<'_>) -> [u16; PIECES] {
                unsafe { survey::count_each::<$bits>(view) }
            }

            /// # Safety
            /// The processor must have the features named.
            $(#[target_feature(enable = $feature)])?
            pub(super) unsafe fn survey<const COLOURS: usize>(
                state: &State<COLOURS>,
            ) -> [Survey; COLOURS] {
                Survey::of(state)
            }

            /// # Safety
            /// The processor must have the features named.
            $(#[target_feature(enable = $feature)])?
            pub(super) unsafe fn nth(view: &View<'_>, number: usize) -> Option<Move> {
                unsafe { movegen::nth::<$bits>(view, number) }
            }

            /// # Safety
            /// The processor must have the features named.
            $(#[target_feature(enable = $feature)])?
            pub(super) unsafe fn list(view: &View<'_>, moves: &mut Moves<'_, Move>) {
                unsafe { <$bits>::list(view, moves) }
            }

            /// # Safety
            /// The processor must have the features named.
            $(#[target_feature(enable = $feature)])?
            pub(super) unsafe fn play<const COLOURS: usize>(
                state: &mut State<COLOURS>,
                mv: Move,
            ) -> Undo {
                unsafe { state.play::<$bits>(mv) }
            }

            /// # Safety
            /// The processor must have the features named.
            $(#[target_feature(enable = $feature)])?
            pub(super) unsafe fn undo<const COLOURS: usize>(
                state: &mut State<COLOURS>,
                mv: Move,
                undo: &Undo,
            ) {
                unsafe { state.undo::<$bits>(mv, undo) }
            }

            /// # Safety
            /// The processor must have the features named.
            $(#[target_feature(enable = $feature)])?
            pub(super) unsafe fn outlook(view: &View<'_>, rivals: &[Board]) -> Outlook {
                unsafe { Outlook::new::<$bits>(view, rivals) }
            }

            /// # Safety
            /// The processor must have the features named.
            $(#[target_feature(enable = $feature)])?
            pub(super) unsafe fn corners_after<const RIVALS: bool>(
                outlook: &Outlook,
                moves: &[Move],
                corners: &mut [i32],
                lost: &mut [[i32; 4]],
            ) {
                for (index, (&mv, corners)) in moves.iter().zip(corners).enumerate() {
                    let after = unsafe { <$bits>::corners_after::<RIVALS>(outlook, mv) };
                    *corners = after.corners;
                    if RIVALS {
                        lost[index] = after.lost;
                    }
                }
            }

            /// # Safety
            /// The processor must have the features named.
            $(#[target_feature(enable = $feature)])?
            pub(super) unsafe fn terrain<const COLOURS: usize>(
                state: &State<COLOURS>,
                sets: &[Board; 4],
            ) -> Terrain {
                Terrain::of(state, sets)
            }

            /// # Safety
            /// The processor must have the features named.
            $(#[target_feature(enable = $feature)])?
            pub(super) unsafe fn overlaps(
                terrain: &Terrain,
                moves: &[Move],
                overlaps: &mut Vec<Overlap>,
            ) {
                overlaps.extend(moves.iter().map(|&mv| unsafe { <$bits>::overlap(terrain, mv) }));
            }
        }
    };
}

steps!(plain, Plain);
#[cfg(target_arch = "x86_64")]
steps!(avx2, Halves, "avx2,bmi1,bmi2,popcnt");
#[cfg(target_arch = "x86_64")]
steps!(
    avx512,
    Register,
    "avx2,bmi1,bmi2,popcnt,avx512f,avx512bw,avx512vl,avx512vbmi2,avx512vpopcntdq"
);

/// Calls a step on the path that was found to be available.
macro_rules! take {
    ($path:expr, $step:ident $(::<$parameter:ident>)? ($($argument:expr),*)) => {
        // SAFETY: an `Available` is made only of a path that this processor can take.
        match $path.0 {
            Path::Portable => unsafe { plain::$step$(::<$parameter>)?($($argument),*) },
            #[cfg(target_arch = "x86_64")]
            Path::Avx2 => unsafe { avx2::$step$(::<$parameter>)?($($argument),*) },
            #[cfg(target_arch = "x86_64")]
            Path::Avx512 => unsafe { avx512::$step$(::<$parameter>)?($($argument),*) },
            #[cfg(not(target_arch = "x86_64"))]
            Path::Avx2 | Path::Avx512 => unreachable!("not available here"),
        }
    };
}

impl Available {
    pub(super) fn new(path: Path) -> Option<Self> {
        path.is_available().then_some(Available(path))
    }

    pub(super) fn path(self) -> Path {
        self.0
    }

    /// Whether the colour has a legal placement.
    #[inline]
    pub(super) fn any(self, view: &View<'_>) -> bool {
        take!(self, any(view))
    }

    /// How many legal placements the colour has.
    #[inline]
    pub(super) fn count(self, view: &View<'_>) -> usize {
        take!(self, count(view))
    }

    /// How many legal placements of each piece the colour has.
    #[inline]
    pub(super) fn count_each(self, view: &View<'_>) -> [u16; PIECES] {
        take!(self, count_each(view))
    }

    /// How far every colour can get.
    #[inline]
    pub(super) fn survey<const COLOURS: usize>(self, state: &State<COLOURS>) -> [Survey; COLOURS] {
        take!(self, survey::<COLOURS>(state))
    }

    /// The legal placement with this number in the list.
    #[inline]
    pub(super) fn nth(self, view: &View<'_>, number: usize) -> Option<Move> {
        take!(self, nth(view, number))
    }

    /// Lists the legal placements of the colour.
    #[inline]
    pub(super) fn list(self, view: &View<'_>, moves: &mut Moves<'_, Move>) {
        take!(self, list(view, moves));
    }

    /// Plays a move of the colour to move.
    #[inline]
    pub(super) fn play<const COLOURS: usize>(self, state: &mut State<COLOURS>, mv: Move) -> Undo {
        take!(self, play::<COLOURS>(state, mv))
    }

    /// Takes the last move back.
    #[inline]
    pub(super) fn undo<const COLOURS: usize>(
        self,
        state: &mut State<COLOURS>,
        mv: Move,
        undo: &Undo,
    ) {
        take!(self, undo::<COLOURS>(state, mv, undo));
    }

    /// The sets that the moves of the colour to move are compared with.
    #[inline]
    pub(super) fn terrain<const COLOURS: usize>(
        self,
        state: &State<COLOURS>,
        sets: &[Board; 4],
    ) -> Terrain {
        take!(self, terrain::<COLOURS>(state, sets))
    }

    /// Compares each of these moves with certain sets.
    #[inline]
    pub(super) fn overlaps(self, terrain: &Terrain, moves: &[Move], overlaps: &mut Vec<Overlap>) {
        take!(self, overlaps(terrain, moves, overlaps));
    }

    /// The corner cells after each move of the colour with this view. What the others lose
    /// counts only if `RIVALS`; then `rivals` holds the corner cells of every colour, none
    /// for the mover.
    #[inline]
    pub(super) fn children<const RIVALS: bool>(
        self,
        view: &View<'_>,
        rivals: &[Board],
        moves: &[Move],
        mut visit: impl FnMut(Move, After) -> ControlFlow<()>,
    ) {
        /// In batches, so that the visitor is called from one place and can be inlined there,
        /// which it is not into the counting for each instruction set.
        const BATCH: usize = 64;
        let outlook = take!(self, outlook(view, rivals));
        let mut corners = [0; BATCH];
        let mut lost = [[0; 4]; BATCH];
        let lost: &mut [[i32; 4]] = if RIVALS { &mut lost } else { &mut [] };
        for moves in moves.chunks(BATCH) {
            take!(
                self,
                corners_after::<RIVALS>(&outlook, moves, &mut corners, lost)
            );
            for (index, (&mv, &corners)) in moves.iter().zip(&corners).enumerate() {
                let lost = if RIVALS { lost[index] } else { [0; 4] };
                if visit(mv, After { corners, lost }).is_break() {
                    return;
                }
            }
        }
    }
}
