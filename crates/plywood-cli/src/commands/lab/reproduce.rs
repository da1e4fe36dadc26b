//! `plywood lab reproduce`.

use clap::Args;

use crate::failure::Failure;
use crate::output::Output;

#[derive(Args, Debug)]
pub struct ReproduceArgs {}

pub fn run(_: &ReproduceArgs, _: &mut Output) -> Result<(), Failure> {
    Err(Failure::Failed("not yet".into()))
}
