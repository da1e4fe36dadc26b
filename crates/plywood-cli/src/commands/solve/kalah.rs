//! `plywood solve kalah`.

use clap::Args;

use crate::failure::Failure;
use crate::output::Output;

#[derive(Args, Debug)]
pub struct KalahArgs {}

pub fn run(_: &KalahArgs, _: &mut Output) -> Result<(), Failure> {
    Err(Failure::Failed("not yet".into()))
}
