//! twenty48.
