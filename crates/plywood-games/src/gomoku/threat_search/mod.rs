//! Wins by threats.
