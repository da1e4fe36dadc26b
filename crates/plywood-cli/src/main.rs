//! The `plywood` command.

fn main() {}
