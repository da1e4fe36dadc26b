//! Speed of the Blokus engine: games played out from the start, uniformly and by weight, and
//! playouts of the search on one and on two threads. A processor's share is counted, not the
//! clock, where that makes a difference.

use std::time::Instant;

use cpu_time::ThreadTime;
use plywood::{Game, Limits, Moves, Playout, Random};
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

/// Microseconds of processor time that a first and a second look at the moves take, on
/// average over a game.
fn looks(game: &Classic) -> (f64, f64) {
    let playouts = Playouts::new::<4>(Style::Weighted);
    let (mut random, mut scratch) = (Random::new(1), Scratch::default());
    let mut line = Vec::new();
    let tell = |_, mv| line.push(mv);
    playouts.play(game, &mut game.start(), &mut random, &mut scratch, tell);
    let (mut first, mut second) = (0.0, 0.0);
    const ROUNDS: usize = 50;
    for _ in 0..ROUNDS {
        let mut state = game.start();
        for &mv in &line {
            let (mut moves, mut weights) = (Vec::new(), Vec::new());
            game.moves(&state, &mut Moves::new(&mut moves));
            let clock = ThreadTime::now();
            playouts.weigh(game, &state, &moves, &mut weights);
            first += clock.elapsed().as_secs_f64();
            weights.clear();
            let clock = ThreadTime::now();
            playouts.weigh_again(game, &state, &moves, &mut scratch, &mut weights);
            second += clock.elapsed().as_secs_f64();
            game.play(&mut state, mv);
        }
    }
    let count = (ROUNDS * line.len()) as f64 / 1e6;
    (first / count, second / count)
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
    // The same number for any number of threads: the larger the tree, the longer a playout.
    let limits = Limits::nodes(20_000);
    let thought = engine.think(&start, &limits, &mut |_| {});
    let count = thought.report.nodes.total() as f64;
    let cpu = thought.report.cpu.as_secs_f64();
    (count / began.elapsed().as_secs_f64(), count / cpu)
}

/// What two engines of one thread each make at the same time: as much as two threads could
/// ever make of one tree on this machine.
fn apart(game: &Classic, style: Style) -> (f64, f64) {
    let (one, other) = std::thread::scope(|scope| {
        let other = scope.spawn(|| searched(game, style, 1));
        (searched(game, style, 1), other.join().expect("a search"))
    });
    (one.0 + other.0, (one.1 + other.1) / 2.0)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
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
    let (first, second) = looks(&game);
    println!("blokus looks at the moves: the first {first:.1} us, the second {second:.1} us");
    for (name, style) in [("uniform", Style::Uniform), ("weighted", Style::Weighted)] {
        let rounds: Vec<[(f64, f64); 3]> = (0..15)
            .map(|_| {
                let one = searched(&game, style, 1);
                let (apart, two) = (apart(&game, style), searched(&game, style, 2));
                println!(
                    "blokus search, {name}: {:.1} k/s on one thread, {:.1} k/s of two engines, \
                     {:.1} k/s on two threads; of processor time {:.1}, {:.1} and {:.1} k/s",
                    one.0 / 1e3,
                    apart.0 / 1e3,
                    two.0 / 1e3,
                    one.1 / 1e3,
                    apart.1 / 1e3,
                    two.1 / 1e3,
                );
                [one, apart, two]
            })
            .collect();
        for (what, at) in [("engines at once", 1), ("threads on one tree", 2)] {
            let clock = rounds.iter().map(|round| round[at].0 / round[0].0);
            let cpu = rounds.iter().map(|round| 2.0 * round[at].1 / round[0].1);
            println!(
                "blokus search, {name}: two {what} {:.2} times one, {:.2} times by processor time \
                 (medians)",
                median(clock.collect()),
                median(cpu.collect()),
            );
        }
    }
}
