//! kalah.
