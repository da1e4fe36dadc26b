//! Large arrays for reading at random.

/// An array of values that a function makes, in large pages where the system has them.
///
/// A network while it learns has hundreds of megabytes of which every move reads a hundred
/// places: with pages of 4 KiB most of these reads wait for the page's address first.
pub(super) fn in_large_pages<T>(count: usize, make: impl FnMut() -> T) -> Box<[T]> {
    let mut values: Vec<T> = Vec::with_capacity(count);
    // Before the first write: that is when a page gets its size.
    ask_for_large_pages(values.spare_capacity_mut());
    values.extend(std::iter::repeat_with(make).take(count));
    values.into_boxed_slice()
}

#[cfg(target_os = "linux")]
fn ask_for_large_pages<T>(memory: &mut [T]) {
    const PAGE: usize = 4096;
    let start = memory.as_mut_ptr().addr();
    let end = start + size_of_val(memory);
    let (first, last) = (start.next_multiple_of(PAGE), end / PAGE * PAGE);
    if first >= last {
        return;
    }
    let pages = memory.as_mut_ptr().with_addr(first);
    // SAFETY: `start..end` is the slice that we borrow mutably, and rounding its ends inwards
    // to whole pages keeps `first..last` within it, so no page of anybody else is touched.
    // MADV_HUGEPAGE changes how pages are kept, never what is in them. It may be declined:
    // then all is as without it.
    unsafe {
        libc::madvise(pages.cast(), last - first, libc::MADV_HUGEPAGE);
    }
}

#[cfg(not(target_os = "linux"))]
fn ask_for_large_pages<T>(_: &mut [T]) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_of_any_size_hold_what_was_made() {
        for count in [0, 1, 1000, 5000, 3_000_000] {
            let mut next = 0;
            let values = in_large_pages(count, || {
                next += 1;
                next
            });
            assert_eq!(values.len(), count);
            assert!(values.iter().copied().eq(1..=count));
        }
    }
}
