//! `plywood solve gomoku`.

use clap::Args;

use crate::failure::Failure;
use crate::output::Output;

#[derive(Args, Debug)]
pub struct GomokuArgs {}

pub fn run(_: &GomokuArgs, _: &mut Output) -> Result<(), Failure> {
    Err(Failure::Failed("not yet".into()))
}
