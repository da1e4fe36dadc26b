//! Speed of twenty48: see the functions below for what is measured.

fn main() {}
