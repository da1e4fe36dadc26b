//! blokus.
