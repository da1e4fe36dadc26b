//! `plywood lab explain`: says where the speed-up went.

use std::fs::File;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use plywood_lab::explain::{self, Explanation};
use plywood_lab::sweep::Run;

use super::trace::stopped;
use super::work::WorkArgs;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::output::Output;
use crate::values;

/// The page in the folder of a run.
const PAGE: &str = "explain.html";

#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// The folder of a run, which gets explain.html; or a game, to explain one search of it
    #[arg(value_name = "RUN|GAME")]
    subject: String,
    /// For a game: how often each search is measured
    #[arg(long, value_name = "N", value_parser = values::count, default_value = "3", allow_hyphen_values = true)]
    repeat: u32,
    /// For a game: a page to write
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    work: WorkArgs,
}

pub fn run(args: &ExplainArgs, out: &mut Output) -> Result<(), Failure> {
    let folder = Path::new(&args.subject);
    if folder.is_dir() {
        return explain_run(folder, args, out);
    }
    // What looks like a path was meant to be one.
    if args.subject.contains(std::path::MAIN_SEPARATOR) {
        return Err(Failure::Input(format!(
            "there is no run {}: use a folder that plywood lab sweep made, or a game",
            args.subject
        )));
    }
    let setting = args.work.setting(&args.subject)?;
    if setting.is_sequential() {
        return Err(Failure::Input(
            "one thread has no speed-up to explain: use --threads, or --parallel with a strategy"
                .to_owned(),
        ));
    }
    if let Some(page) = &args.html {
        may_write(page)?;
    }
    let interrupt = Interrupt::install();
    let stop = interrupt.flag();
    let explanation = interrupt
        .during(|| explain::one_search(&setting, args.work.seed, args.repeat, None, &stop))?;
    let Some(explanation) = explanation else {
        return Err(stopped());
    };
    if let Some(page) = &args.html {
        write_page(page, std::slice::from_ref(&explanation))?;
    }
    write!(out, "{}", explanation.text())?;
    if let Some(page) = &args.html {
        writeln!(out, "written   {}", page.display())?;
    }
    Ok(())
}

fn explain_run(folder: &Path, args: &ExplainArgs, out: &mut Output) -> Result<(), Failure> {
    if args.html.is_some() || args.work.is_given() {
        return Err(Failure::Input(format!(
            "a run has its settings and its page: leave out the other arguments, or use a game \
             instead of {}",
            folder.display()
        )));
    }
    let run = Run::open(folder)?;
    super::tell(run.remainder.as_ref());
    let account = explain::run(&run.measurements, &folder.join("traces"))?;
    if account.explanations.is_empty() {
        return Err(Failure::Input(format!(
            "{} has no speed-up to explain: measure seq and a parallel strategy in one run",
            folder.display()
        )));
    }
    let page = folder.join(PAGE);
    may_write(&page)?;
    write_page(&page, &account.explanations)?;
    for explanation in &account.explanations {
        writeln!(out, "{}", explanation.text())?;
    }
    for setting in &account.without_baseline {
        writeln!(
            out,
            "not explained: {} ({}), {} with {} on {}: one thread was not measured",
            setting.game, setting.position_name, setting.search, setting.strategy, setting.threads
        )?;
    }
    Ok(writeln!(out, "written   {}", page.display())?)
}

/// Checks that there is no file, or a page of the same kind.
fn may_write(path: &Path) -> Result<(), Failure> {
    let Ok(file) = File::open(path) else {
        return Ok(());
    };
    let lines: Vec<String> = io::BufReader::new(file)
        .lines()
        .take(3)
        .map_while(Result::ok)
        .collect();
    if lines.is_empty() && path.is_file() || lines.join("\n") == explain::SIGNATURE {
        return Ok(());
    }
    Err(Failure::Input(format!(
        "{} exists and is no explanation: use another name",
        path.display()
    )))
}

fn write_page(path: &Path, explanations: &[Explanation]) -> Result<(), Failure> {
    let page = explain::page(explanations);
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".partial");
    let partial = path.with_file_name(name);
    let written = std::fs::write(&partial, page).and_then(|()| std::fs::rename(&partial, path));
    written.map_err(|error| {
        let _ = std::fs::remove_file(&partial);
        Failure::Failed(format!("{}: {error}", path.display()))
    })
}
