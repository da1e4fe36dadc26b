//! Speed of kalah: see the functions below for what is measured.

fn main() {}
