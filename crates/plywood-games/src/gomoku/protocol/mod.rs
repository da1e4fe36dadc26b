//! The protocol of Gomocup, by which programs play each other: lines of text in and out.
//!
//! [`serve`] reads commands and answers them until `END` or the end of the input. A thread of
//! its own reads, so that `STOP` and `END` are heard while the engine thinks. A line that
//! makes no sense is answered with `UNKNOWN`, one that cannot be done with `ERROR`; play goes on.

mod brain;
mod clock;
mod in_time;
mod inbox;
mod swap2;

use std::io::{self, BufRead, Write};

use brain::{Brain, Ended};
use inbox::Inbox;

/// What the program may use unless the manager says otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Threads, at least one.
    pub threads: usize,
    /// Bytes of memory for the engine's table.
    pub memory: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            threads: 1,
            memory: 64 << 20,
        }
    }
}

/// Plays by the protocol until `END` or the end of the input.
pub fn serve(
    input: impl BufRead + Send + 'static,
    output: &mut impl Write,
    options: Options,
) -> io::Result<()> {
    let inbox = Inbox::fill_from(input);
    let mut brain = Brain::new(options);
    while let Some(line) = inbox.next() {
        match brain.obey(&line, &inbox, output) {
            Ok(()) => output.flush()?,
            Err(Ended::Asked) => break,
            Err(Ended::Failed(error)) => return Err(error),
        }
    }
    Ok(())
}
