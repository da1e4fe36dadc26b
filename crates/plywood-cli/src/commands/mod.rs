//! The commands, one file each.

pub mod bench;
pub mod games;
pub mod lab;
pub mod perft;
pub mod play;
pub mod search;
pub mod selfplay;
pub mod solve;
pub mod studio;
pub mod train;
