//! Speed of the Blokus engine: games played out from the start, uniformly and by weight, and
//! playouts of the search on one and on two threads. A processor's share is counted, not the
//! clock, where that makes a difference.

use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use plywood::{Limits, Random};
use plywood_games::Notation;
use plywood_games::blokus::engine::{Engine, EngineSettings, Playouts, Scratch, Style};
use plywood_games::blokus::{Blokus, Classic, Duo, Path};

/// Playouts in a second of processor time: the most of several tries.
fn playouts<const COLOURS: usize>(game: &Blokus<COLOURS>, style: Style) -> f64
where
    Blokus<COLOURS>: Notation<State = plywood_games::blokus::State<COLOURS>>,
{
    const COUNT: u32 = 4000;
    let playouts = Playouts::new::<COLOURS>(style);
    let mut random = Random::new(1);
    let mut scratch = Scratch::default();
    let start = game.start();
    let runs = (0..8).map(|_| {
        let clock = ThreadTime::now();
        for _ in 0..COUNT {
            let mut state = start.clone();
            playouts.play(game, &mut state, &mut random, &mut scratch, |_, _| {});
        }
        f64::from(COUNT) / clock.elapsed().as_secs_f64()
    });
    runs.fold(0.0, f64::max)
}

/// Playouts of the search in a second of the clock and in a second of processor time.
fn searched(game: &Classic, style: Style, threads: usize) -> (f64, f64) {
    let settings = EngineSettings {
        threads,
        style,
        ..EngineSettings::default()
    };
    let mut engine = Engine::new(*game, settings).expect("an engine");
    let start = game.start();
    let began = Instant::now();
    let limits = Limits::time(Duration::from_secs(1));
    let thought = engine.think(&start, &limits, &mut |_| {});
    let count = thought.report.nodes.total() as f64;
    let cpu = thought.report.cpu.as_secs_f64();
    (count / began.elapsed().as_secs_f64(), count / cpu)
}

/// What two engines of one thread each make at the same time, compared with one alone: as much
/// as two threads could ever make of one tree on this machine.
fn apart(game: &Classic, style: Style) -> f64 {
    let alone = searched(game, style, 1).0;
    let both: f64 = std::thread::scope(|scope| {
        let other = scope.spawn(|| searched(game, style, 1).0);
        searched(game, style, 1).0 + other.join().expect("a search")
    });
    both / alone
}

fn main() {
    for path in Path::ALL.into_iter().filter(|path| path.is_available()) {
        let classic = Classic::with_path(path).expect("available");
        let duo = Duo::with_path(path).expect("available");
        for (name, style) in [("uniform", Style::Uniform), ("weighted", Style::Weighted)] {
            println!(
                "blokus {name} playouts from the start ({}): {:.1} k/s classic, {:.1} k/s duo",
                path.name(),
                playouts(&classic, style) / 1e3,
                playouts(&duo, style) / 1e3,
            );
        }
    }
    let game = Classic::new();
    for (name, style) in [("uniform", Style::Uniform), ("weighted", Style::Weighted)] {
        let mut control: Vec<f64> = (0..5).map(|_| apart(&game, style)).collect();
        control.sort_by(f64::total_cmp);
        println!(
            "blokus search, {name}: two engines at once {:.2} times one alone (median)",
            control[2]
        );
        let mut ratios: Vec<(f64, f64)> = (0..5)
            .map(|_| {
                let (one, two) = (searched(&game, style, 1), searched(&game, style, 2));
                println!(
                    "blokus search, {name}: {:.1} k/s on one thread, {:.1} k/s on two; of \
                     processor time {:.1} and {:.1} k/s",
                    one.0 / 1e3,
                    two.0 / 1e3,
                    one.1 / 1e3,
                    two.1 / 1e3,
                );
                (two.0 / one.0, 2.0 * two.1 / one.1)
            })
            .collect();
        ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
        let by_clock = ratios[2].0;
        ratios.sort_by(|a, b| a.1.total_cmp(&b.1));
        println!(
            "blokus search, {name}: two threads {by_clock:.2} times one, {:.2} times by processor \
             time (medians)",
            ratios[2].1
        );
    }
}
