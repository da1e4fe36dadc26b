//! `plywood lab explain`.

use clap::Args;

use crate::failure::Failure;
use crate::output::Output;

#[derive(Args, Debug)]
pub struct ExplainArgs {}

pub fn run(_: &ExplainArgs, _: &mut Output) -> Result<(), Failure> {
    Err(Failure::Failed("not yet".into()))
}
