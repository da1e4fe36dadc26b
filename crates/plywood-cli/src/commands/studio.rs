//! `plywood studio`: play, analyse and watch the search in the browser.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use clap::Args;
use plywood_studio::{Options, Studio, default_store};

use crate::failure::{Failure, printable};
use crate::output::Output;
use crate::values;

#[derive(Args, Debug)]
pub struct StudioArgs {
    /// The port; 0 takes any that is free
    #[arg(long, value_name = "N", default_value = "7070", value_parser = port, allow_hyphen_values = true)]
    port: u16,
    /// The name or number to listen on; others can connect unless it is this computer's own
    #[arg(long, value_name = "HOST", default_value = "127.0.0.1")]
    host: String,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// The folder that games and runs are kept in; the user's data folder if not given
    #[arg(long, value_name = "DIR")]
    store: Option<PathBuf>,
    /// Serve the page from this folder, not the one inside the program
    #[arg(long, value_name = "DIR")]
    page_dir: Option<PathBuf>,
    /// The most threads of a search, and searches at once; as many as cores if not given
    #[arg(long, value_name = "N", value_parser = values::threads, allow_hyphen_values = true)]
    threads: Option<usize>,
}

fn port(text: &str) -> Result<u16, String> {
    let port = plywood_lab::values::digits(text);
    port.ok_or_else(|| "use a number from 0 to 65535".to_owned())
}

pub fn run(args: &StudioArgs, out: &mut Output) -> Result<(), Failure> {
    let store = args.store.clone().or_else(default_store).ok_or_else(|| {
        Failure::Input("no folder to keep games in: use --store with one".to_owned())
    })?;
    let studio = Studio::open(&Options {
        host: args.host.clone(),
        port: args.port,
        store: store.clone(),
        page: args.page_dir.clone(),
        threads: args.threads,
    })
    .map_err(|error| Failure::Input(error.to_string()))?;
    for message in studio.messages() {
        let _ = writeln!(std::io::stderr(), "plywood: {}", printable(message));
    }
    let address = format!("http://{}/", studio.address());
    writeln!(out, "Plywood studio: {address}")?;
    writeln!(
        out,
        "Games are kept in {}. Ctrl-C ends it.",
        store.display()
    )?;
    out.flush()?;
    if args.open {
        open(&address);
    }
    studio
        .run()
        .map_err(|error| Failure::Failed(error.to_string()))
}

/// Asks the system to show an address. If it cannot, the address is on the screen.
fn open(address: &str) {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let started = Command::new(program)
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if started.is_err() {
        let line = format!("plywood: {program} cannot be started: open {address} in a browser");
        let _ = writeln!(std::io::stderr(), "{line}");
    }
}
