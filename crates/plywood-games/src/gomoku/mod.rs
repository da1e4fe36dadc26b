//! gomoku.
