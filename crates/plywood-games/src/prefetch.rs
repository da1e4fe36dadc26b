//! Asking for memory before it is needed.

/// Asks the processor to fetch what lies at an index, so that it is there when it is read.
/// It never reads it: an index beyond the end does nothing.
#[inline(always)]
pub(crate) fn prefetch<T>(slice: &[T], index: usize) {
    #[cfg(all(target_arch = "x86_64", not(feature = "no-prefetch")))]
    if let Some(element) = slice.get(index) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: prefetching has no effect on what a program computes, and every
        // processor of this architecture can do it; the pointer is that of a reference.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(element).cast()) }
    }
    #[cfg(not(all(target_arch = "x86_64", not(feature = "no-prefetch"))))]
    let _ = (slice, index);
}
