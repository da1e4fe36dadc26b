//! `plywood lab sweep`.

use clap::Args;

use crate::failure::Failure;
use crate::output::Output;

#[derive(Args, Debug)]
pub struct SweepArgs {}

pub fn run(_: &SweepArgs, _: &mut Output) -> Result<(), Failure> {
    Err(Failure::Failed("not yet".into()))
}
