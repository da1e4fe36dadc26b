//! The speed-up that other numbers of cores would give.
