//! `plywood train 2048`: a network learns from its own games.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use clap::Args;
use plywood_games::TextError;
use plywood_games::twenty48::network::{
    Course, Curve, Ended, Learner, Learning, Network, Point, Restarts, Stages, State, Tuples,
    replace_file, train,
};
use plywood_lab::report::chart::{self, LineChart, Series};

use super::{progress_bar, threads};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::output::{Output, grouped};
use crate::values;

/// How often the figures on a terminal change.
const SHOW_EVERY: Duration = Duration::from_millis(500);
/// What the weights of a small file are multiples of: with 32 or 64 of them in a value, rounding them
/// changes nothing that games show.
const SMALL_STEP: f32 = 16.0;
/// The most points that a chart of the learning curve shows.
const CHART_POINTS: usize = 50;

#[derive(Args, Debug)]
#[command(group = clap::ArgGroup::new("length").required(true).multiple(true).args(["games", "time"]))]
pub struct Twenty48Args {
    /// The file of the network; a chart and a table of the scores are put beside it
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// In the end write a small file too, to play with: it cannot learn on
    #[arg(long, value_name = "FILE")]
    small: Option<PathBuf>,
    /// Which cells it looks at: 4x5, 6x5, 8x5, 4x6, 8x6, or cells like 0123,4567,0145
    #[arg(
        long,
        value_name = "SET",
        default_value = "4x6",
        conflicts_with = "resume"
    )]
    tuples: String,
    /// Stop after this many games in all, like 5000, 100k or 1M
    #[arg(long, value_name = "N", value_parser = values::nodes, allow_hyphen_values = true)]
    games: Option<u64>,
    /// Stop after this time, like 30s, 10m or 1h
    #[arg(long, value_name = "T", value_parser = values::time, allow_hyphen_values = true)]
    time: Option<Duration>,
    /// Where to learn: cpu, or cuda for a graphics processor of NVIDIA, where a program built with
    /// it is a hundred times as fast as on a core
    #[arg(long, value_name = "WHERE", value_enum, default_value = "cpu")]
    device: Device,
    /// Threads; all cores if not given
    #[arg(long, value_name = "N", value_parser = values::threads, allow_hyphen_values = true)]
    threads: Option<usize>,
    /// What every board is worth in the beginning: more makes it try more
    #[arg(long, value_name = "V", value_parser = optimism, default_value = "0", allow_hyphen_values = true, conflicts_with = "resume")]
    optimistic: u32,
    /// How weights follow their errors: td or tc
    #[arg(long, value_name = "WAY", value_parser = learning, default_value = "tc", conflicts_with = "resume")]
    learning: Learning,
    /// Decides the new tiles; with one thread also the network
    #[arg(long, value_name = "N", value_parser = values::seed, default_value = "1", allow_hyphen_values = true, conflicts_with = "resume")]
    seed: u64,
    /// Where games are taken up again after a whole one: late, where most games end,
    /// half-way to its end and again half way from there, or none
    #[arg(long, value_name = "WHERE", value_parser = restarts, default_value = "late")]
    restarts: Restarts,
    /// How much of what really followed a board counts for its value, from 0 to 1; the rest is
    /// what the network thought of the next board; 0.5 if not given, with cuda 0
    #[arg(long, value_name = "L", value_parser = lambda, allow_hyphen_values = true)]
    lambda: Option<f32>,
    /// Other weights from each of these sums of all tiles on, like 16384,24576; with --resume
    /// others can be added. A new stage begins with nothing
    #[arg(long, value_name = "LIST", value_parser = stages)]
    stages: Option<Stages>,
    /// Learn only from this sum of all tiles on, and leave the weights for what comes before as
    /// they are. Where no stage begins, a new one begins with what the network knows there
    #[arg(long, value_name = "SUM", value_parser = sum_of_tiles, allow_hyphen_values = true)]
    learn_from: Option<u32>,
    /// Go on with the network in the file, as it was learning
    #[arg(long)]
    resume: bool,
    /// How often to write the file
    #[arg(long, value_name = "T", value_parser = values::time, default_value = "1m", allow_hyphen_values = true)]
    save_every: Duration,
}

/// What plays the games and changes the weights.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Device {
    Cpu,
    Cuda,
}

fn optimism(text: &str) -> Result<u32, String> {
    const MOST: u32 = 1_000_000;
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|number| plain && *number <= MOST);
    number.ok_or_else(|| format!("use a score from 0 to {MOST}"))
}

fn sum_of_tiles(text: &str) -> Result<u32, String> {
    let number = text.parse().ok();
    let number = number.filter(|&number| Stages::default().with(number).is_ok());
    number.ok_or_else(|| "use a multiple of 2048 below 131072, like 24576".to_owned())
}

fn learning(text: &str) -> Result<Learning, String> {
    text.parse::<Learning>().map_err(|error| error.to_string())
}

fn restarts(text: &str) -> Result<Restarts, String> {
    text.parse::<Restarts>().map_err(|error| error.to_string())
}

fn lambda(text: &str) -> Result<f32, String> {
    let number = text.parse().ok();
    let number = number.filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "use a number from 0 to 1".to_owned())
}

fn stages(text: &str) -> Result<Stages, String> {
    text.parse::<Stages>().map_err(|error| error.to_string())
}

pub fn run(args: &Twenty48Args, out: &mut Output) -> Result<(), Failure> {
    let threads = threads(args.threads);
    let mut course = Course {
        threads,
        games: args.games,
        time: args.time,
        seed: args.seed,
        tell_every: SHOW_EVERY.min(args.save_every),
        restarts: args.restarts,
        kept_stages: 0,
        lambda: args.lambda.unwrap_or(match args.device {
            Device::Cpu => 0.5,
            Device::Cuda => 0.0,
        }),
    };
    // Whether there is a graphics processor is known before a file is there.
    let device = match args.device {
        Device::Cpu => None,
        Device::Cuda if args.threads.is_some() => {
            return Err(Failure::Input(
                "--threads is for --device cpu: with cuda leave it out".to_owned(),
            ));
        }
        Device::Cuda => Some(cuda::check(&course)?),
    };
    let mut state = open(args)?;
    course.seed = state.seed;
    (state.learner, course.kept_stages) = divided(args, state.learner, &state.curve)?;
    // Whether the file can be written is known before hours are spent on it.
    save(args, &state.learner, &state.curve, state.seed)?;
    let bar = progress_bar();
    let interrupt = Interrupt::install();
    let stop = interrupt.flag();
    let started = Instant::now();
    let before = state.curve.total();
    let mut saved = started;
    let mut failed = None;
    let ended = interrupt.during(|| {
        let listen = |curve: &Curve, fetch: &mut Fetch<'_>| {
            bar.set_message(figures(curve, &before, started.elapsed()));
            if saved.elapsed() >= args.save_every {
                let fetched = fetch().map_err(Failure::from);
                let kept = fetched.and_then(|()| save(args, &state.learner, curve, state.seed));
                if let Err(failure) = kept {
                    failed = Some(failure);
                    return false;
                }
                saved = Instant::now();
            }
            !stop.load(Ordering::Relaxed)
        };
        let ended = learn(
            &state.learner,
            &mut state.curve,
            &course,
            args.device,
            listen,
        )?;
        // A disk that was full may have room now, and the network is worth a try.
        save(args, &state.learner, &state.curve, state.seed).map(|()| ended)
    });
    bar.finish_and_clear();
    let ended = ended?;
    if let Some(failure) = failed {
        return Err(failure);
    }
    writeln!(out, "{}", figures(&state.curve, &before, started.elapsed()))?;
    if let Some(line) = going_on(&state.curve) {
        writeln!(out, "{line}")?;
    }
    if let Some(name) = device {
        writeln!(out, "learnt on {name}")?;
    }
    if ended == Ended::Stopped {
        writeln!(out, "interrupted: --resume goes on")?;
    }
    writeln!(
        out,
        "{} written, its scores in {} and {}",
        args.out.display(),
        beside(&args.out, "csv").display(),
        beside(&args.out, "svg").display()
    )?;
    if let Some(small) = &args.small {
        let network = Network::of(&state.learner, Some(SMALL_STEP));
        network
            .save(small)
            .map_err(|error| unwritten(small, error))?;
        writeln!(out, "{} written, to play with", small.display())?;
    }
    Ok(())
}

/// Brings what was learnt so far to the learner, where it is elsewhere.
type Fetch<'a> = dyn FnMut() -> Result<(), TextError> + 'a;

/// Plays and learns where it was asked for.
fn learn(
    learner: &Learner,
    curve: &mut Curve,
    course: &Course,
    device: Device,
    mut listen: impl FnMut(&Curve, &mut Fetch<'_>) -> bool,
) -> Result<Ended, Failure> {
    match device {
        Device::Cpu => Ok(train(learner, curve, course, |curve| {
            listen(curve, &mut || Ok(()))
        })),
        Device::Cuda => cuda::train(learner, curve, course, listen),
    }
}

#[cfg(feature = "cuda")]
mod cuda {
    use super::*;
    use plywood_games::twenty48::network::{check_cuda, train_on_cuda};

    pub fn check(course: &Course) -> Result<String, Failure> {
        Ok(check_cuda(course)?)
    }

    pub fn train(
        learner: &Learner,
        curve: &mut Curve,
        course: &Course,
        listen: impl FnMut(&Curve, &mut Fetch<'_>) -> bool,
    ) -> Result<Ended, Failure> {
        Ok(train_on_cuda(learner, curve, course, listen)?)
    }
}

#[cfg(not(feature = "cuda"))]
mod cuda {
    use super::*;

    fn missing() -> Failure {
        Failure::Input(
            "--device cuda: this program was built without it: build it with --features cuda, or use \
             --device cpu"
                .to_owned(),
        )
    }

    pub fn check(_: &Course) -> Result<String, Failure> {
        Err(missing())
    }

    pub fn train(
        _: &Learner,
        _: &mut Curve,
        _: &Course,
        _: impl FnMut(&Curve, &mut Fetch<'_>) -> bool,
    ) -> Result<Ended, Failure> {
        Err(missing())
    }
}

/// The network in the file, or a new one.
fn open(args: &Twenty48Args) -> Result<State, Failure> {
    let path = args.out.display();
    let scores = ["csv", "svg"].map(|extension| beside(&args.out, extension));
    if scores.contains(&args.out) {
        return Err(Failure::Input(format!(
            "--out {path} is where its scores would go: use another extension, like .net"
        )));
    }
    if let Some(small) = &args.small {
        let refused = |why: &str| Err(Failure::Input(format!("--small {}{why}", small.display())));
        if *small == args.out || scores.contains(small) || small.exists() {
            return refused(" would replace another file: use a new name");
        }
        // An empty folder is the one we are in.
        let folder = small.parent().filter(|folder| *folder != Path::new(""));
        if folder.is_some_and(|folder| !folder.is_dir()) {
            return refused(": there is no such folder");
        }
    }
    if args.resume {
        return Ok(State::load(&args.out)?);
    }
    if args.out.exists() {
        return Err(Failure::Input(format!(
            "{path} exists: use --resume to go on with it, or another --out"
        )));
    }
    let tuples: Tuples = args.tuples.parse()?;
    Ok(State {
        learner: Learner::new(tuples, args.learning, args.optimistic as f32),
        curve: Curve::default(),
        seed: args.seed,
    })
}

/// The network with the stages that were asked for, and how many of them stay as they are.
fn divided(
    args: &Twenty48Args,
    learner: Learner,
    curve: &Curve,
) -> Result<(Learner, usize), Failure> {
    let old = learner.stages().clone();
    let listed = args.stages.clone().unwrap_or_else(|| old.clone());
    let Some(start) = args.learn_from else {
        return Ok((learner.divided(listed)?, 0));
    };
    let never = |what: &str| {
        Failure::Input(format!(
            "--learn-from {start}: what comes before would never learn, since {what} is new: leave it \
             out, or use it with --resume once that has learnt"
        ))
    };
    if curve.games() == 0 {
        return Err(never("the network"));
    }
    let mut before = listed.starts().iter().take_while(|&&other| other < start);
    if let Some(new) = before.find(|&&other| old.before(other).is_none()) {
        return Err(never(&format!("the stage from {new} on")));
    }
    Ok(learner.branched(listed, start)?)
}

/// The same file with another extension.
fn beside(path: &Path, extension: &str) -> PathBuf {
    path.with_extension(extension)
}

/// Writes the network, then its learning curve as a table and as a chart.
fn save(args: &Twenty48Args, learner: &Learner, curve: &Curve, seed: u64) -> Result<(), Failure> {
    State::save(learner, curve, seed, &args.out).map_err(|error| unwritten(&args.out, error))?;
    let texts = [("csv", curve.to_csv()), ("svg", draw(learner, curve))];
    for (extension, text) in texts {
        let path = beside(&args.out, extension);
        replace_file(&path, |file| file.write_all(text.as_bytes()))
            .map_err(|error| unwritten(&path, error))?;
    }
    Ok(())
}

fn unwritten(path: &Path, error: io::Error) -> Failure {
    Failure::Failed(format!("{} cannot be written: {error}", path.display()))
}

/// The learning curve as an SVG file.
fn draw(learner: &Learner, curve: &Curve) -> String {
    let mut games = 0;
    let points: Vec<chart::Point> = thinned(curve)
        .iter()
        .map(|point| {
            games += point.games;
            chart::Point {
                x: games as f64 / 1000.0,
                y: point.mean() / 1000.0,
                interval: None,
            }
        })
        .collect();
    let chart = LineChart {
        title: format!("2048: learning of a {} network", learner.tuples()),
        x_label: "games in thousands".to_owned(),
        y_label: "average score in thousands".to_owned(),
        log_y: false,
        ideal: false,
        series: vec![Series {
            name: format!("{} learning, depth 1", learner.learning()),
            points,
        }],
    };
    chart.draw().file()
}

/// Neighbouring points put together until a chart can show them.
fn thinned(curve: &Curve) -> Vec<Point> {
    let points: Vec<&Point> = curve.points().collect();
    let together = points.len().div_ceil(CHART_POINTS).max(1);
    points
        .chunks(together)
        .map(|chunk| Point::of_all(chunk.iter().copied()))
        .collect()
}

/// From how many games more came, by what their tiles added up to, on one line.
fn going_on(curve: &Curve) -> Option<String> {
    let shares: Vec<String> = curve
        .going_on()
        .iter()
        .map(|(sum, share)| format!("{sum} {:.0} %", 100.0 * share))
        .collect();
    (!shares.is_empty()).then(|| {
        format!(
            "of the games whose tiles added up to so much, these came 2048 further: {}",
            shares.join(", ")
        )
    })
}

/// How it goes, on one line.
fn figures(curve: &Curve, before: &Point, elapsed: Duration) -> String {
    let (total, latest) = (curve.total(), curve.latest());
    let speed = (total.moves - before.moves) as f64 / elapsed.as_secs_f64().max(1e-9);
    // The three largest tiles say enough.
    let rates: Vec<(u32, f64)> = latest.rates().collect();
    let rates: String = rates[rates.len().saturating_sub(3)..]
        .iter()
        .map(|(tile, share)| format!(", {tile} {:.1} %", 100.0 * share))
        .collect();
    format!(
        "{} games, {:.2} M moves/s; the latest {}: average {}, best {}{rates}",
        grouped(total.games),
        speed / 1e6,
        grouped(latest.games),
        grouped(latest.mean() as u64),
        grouped(u64::from(latest.best)),
    )
}
