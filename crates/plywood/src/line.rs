//! The best lines found on the way down a tree.

/// For every ply the best line from there on, as far as it is known.
///
/// Rows are kept between nodes, so that recording a line does not allocate once the search
/// has been that deep.
pub(crate) struct Lines<M> {
    rows: Vec<Vec<M>>,
}

impl<M: Copy> Lines<M> {
    pub(crate) fn new() -> Self {
        Lines { rows: Vec::new() }
    }

    #[inline]
    fn reach(&mut self, ply: usize) {
        if self.rows.len() <= ply {
            self.rows.resize_with(ply + 1, Vec::new);
        }
    }

    /// Nothing is known from this ply on.
    #[inline]
    pub(crate) fn clear(&mut self, ply: usize) {
        self.reach(ply);
        self.rows[ply].clear();
    }

    /// The best line from this ply on is this one move.
    #[inline]
    pub(crate) fn set_last(&mut self, ply: usize, mv: M) {
        self.clear(ply);
        self.rows[ply].push(mv);
    }

    /// The best line from this ply on is this move, followed by the best line after it.
    #[inline]
    pub(crate) fn set(&mut self, ply: usize, mv: M) {
        self.reach(ply + 1);
        let (above, below) = self.rows.split_at_mut(ply + 1);
        let row = &mut above[ply];
        row.clear();
        row.push(mv);
        row.extend_from_slice(&below[0]);
    }

    /// The best line from this ply on.
    #[inline]
    pub(crate) fn get(&self, ply: usize) -> &[M] {
        self.rows.get(ply).map_or(&[], Vec::as_slice)
    }

    /// Replaces the line from this ply on.
    #[inline]
    pub(crate) fn replace(&mut self, ply: usize, line: &[M]) {
        self.clear(ply);
        self.rows[ply].extend_from_slice(line);
    }
}
