//! Speed of blokus: see the functions below for what is measured.

fn main() {}
