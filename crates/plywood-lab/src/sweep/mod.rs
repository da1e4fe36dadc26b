//! Measurements over axes of settings, kept safe on disk.
