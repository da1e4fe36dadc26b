//! Plays Gomoku by the protocol of Gomocup: commands on standard input, answers on standard
//! output.

use std::io::{self, BufReader};
use std::process::ExitCode;

use clap::Parser;
use plywood_games::gomoku::protocol::{Options, serve};

/// Plays Gomoku by the Gomocup protocol
#[derive(Parser, Debug)]
#[command(name = "pbrain-plywood", version, max_term_width = 80)]
struct Arguments {
    /// Threads, unless the manager says how many
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=plywood::MAX_THREADS as i64))]
    threads: u16,
    /// Size of the engine's table in MiB; the manager may allow less
    #[arg(long, value_name = "MIB", default_value = "128", value_parser = clap::value_parser!(u32).range(1..=65536))]
    memory: u32,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let options = Options {
        threads: arguments.threads.into(),
        memory: (arguments.memory as usize) << 20,
    };
    match serve(
        BufReader::new(io::stdin()),
        &mut io::stdout().lock(),
        options,
    ) {
        Ok(()) => ExitCode::SUCCESS,
        // Nobody is listening any more.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("pbrain-plywood: the answer cannot be written: {error}");
            ExitCode::FAILURE
        }
    }
}
