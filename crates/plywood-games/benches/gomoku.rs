//! Speed of gomoku: see the functions below for what is measured.

fn main() {}
