//! The range in which a value matters.

/// Above every value; its negative is below every value.
pub(super) const INFINITY: i32 = i32::MAX;

/// A window from the side to move.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl Window {
    pub(super) const ALL: Window = Window {
        alpha: -INFINITY,
        beta: INFINITY,
    };

    /// Whether there is room for a value between the bounds.
    #[inline]
    pub(super) fn is_open(self) -> bool {
        self.alpha + 1 < self.beta
    }

    /// Whether no value is between the bounds or on them.
    #[inline]
    pub(super) fn is_crossed(self) -> bool {
        self.alpha >= self.beta
    }

    /// The same window from the view's side, and back.
    #[inline]
    pub(super) fn seen_from(self, sign: i32) -> Window {
        if sign > 0 {
            self
        } else {
            Window {
                alpha: -self.beta,
                beta: -self.alpha,
            }
        }
    }

    /// Closer by what split points above have published. Never closed altogether: a bound
    /// that is not as tight as it could be is still true.
    #[inline]
    pub(super) fn narrowed(self, noticed: Window, sign: i32) -> Window {
        let published = noticed.seen_from(sign);
        let alpha = self.alpha.max(published.alpha.min(self.beta - 1));
        let beta = self.beta.min(published.beta.max(alpha + 1));
        Window { alpha, beta }
    }
}
