//! Networks for 2048: how fast they learn and play, and how well.
//!
//!     cargo bench -p plywood-games --bench network                       speed
//!     … --bench network -- train --tuples 4x6 --minutes 6 --threads 16 --out FILE
//!     … --bench network -- play FILE --games 500 --depth 1 --threads 16
//!     … --bench network -- play FILE --games 100 --nodes 10000 --search expectimax:likely=0.2
//!     … --bench network -- steps FILE --games 200 --from 16384 --depth 2 --threads 2
//!     … --bench network -- shrink FILE --step 16 --out SMALL
//!
//! `steps` says how many games go on from each sum of all tiles to the next 2048, and begins with those
//! that did. `play built-in` takes the network of the library. Also: --ms T for a time a move.
//! `train` takes up what FILE holds already. Also: --games N, --optimistic V, --seed S, --restarts none,
//! --lambda L, --learning td|tc, --stages 16384,24576, --learn-from 16384, --save-minutes M.

use std::collections::HashMap;
use std::hint::black_box;
use std::path::Path;
use std::str::FromStr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use plywood::{Engine, Game, Limits, Settings, Strategy, Turn};
use plywood_games::twenty48::network::{
    Course, Curve, Learner, Learning, Network, Point, Restarts, Stages, State, Tuples,
    seed_of_game, train,
};
use plywood_games::twenty48::{Position, RandomSpawner, Twenty48};

fn main() {
    // Cargo adds its own word at the end.
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|w| w != "--bench")
        .collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] => speed(),
        ["train", options @ ..] => learn(&Options::read(options)),
        ["play", file, options @ ..] => play(file, &Options::read(options)),
        ["steps", file, options @ ..] => steps(file, &Options::read(options)),
        ["shrink", file, options @ ..] => shrink(file, &Options::read(options)),
        _ => {
            panic!("use train, play FILE, steps FILE or shrink FILE, as the top of this file says")
        }
    }
}

/// `--name value` pairs.
struct Options<'a>(HashMap<&'a str, &'a str>);

impl<'a> Options<'a> {
    fn read(words: &[&'a str]) -> Self {
        let pairs = words.chunks(2).map(|pair| match pair {
            [name, value] => (name.trim_start_matches("--"), *value),
            _ => panic!("{} needs a value", pair[0]),
        });
        Options(pairs.collect())
    }

    fn get<T: FromStr>(&self, name: &str) -> Option<T> {
        let text = self.0.get(name)?;
        Some(
            text.parse()
                .unwrap_or_else(|_| panic!("--{name} {text} makes no sense")),
        )
    }

    fn threads(&self) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
        self.get("threads").unwrap_or(cores)
    }

    fn out(&self) -> &Path {
        Path::new(self.0.get("out").expect("--out FILE is needed"))
    }
}

fn learn(options: &Options<'_>) {
    let path = options.out();
    let mut state = if path.exists() {
        State::load(path).unwrap_or_else(|error| panic!("{error}"))
    } else {
        let tuples: Tuples = options.get("tuples").expect("--tuples 4x6 or others");
        let learning = options.get("learning").unwrap_or(Learning::Tc);
        let optimistic = options.get("optimistic").unwrap_or(0.0);
        State {
            learner: Learner::new(tuples, learning, optimistic),
            curve: Curve::default(),
            seed: options.get("seed").unwrap_or(1),
        }
    };
    let listed: Option<Stages> = options.get("stages");
    let listed = listed.unwrap_or(state.learner.stages().clone());
    let divided = match options.get("learn-from") {
        Some(start) => state.learner.branched(listed, start),
        None => state.learner.divided(listed).map(|learner| (learner, 0)),
    };
    let kept_stages;
    (state.learner, kept_stages) = divided.unwrap_or_else(|error| panic!("{error}"));
    let minutes: Option<f64> = options.get("minutes");
    let course = Course {
        threads: options.threads(),
        games: options.get("games"),
        time: minutes.map(|minutes| Duration::from_secs_f64(60.0 * minutes)),
        seed: state.seed,
        tell_every: Duration::from_secs(10),
        restarts: options.get("restarts").unwrap_or(Restarts::Late),
        kept_stages,
        lambda: options.get("lambda").unwrap_or(0.5),
    };
    assert!(
        course.games.is_some() || course.time.is_some(),
        "--minutes M or --games N is needed"
    );
    let tuples = state.learner.tuples().to_string();
    let before = state.curve.total();
    let started = Instant::now();
    let save = |curve: &Curve| {
        State::save(&state.learner, curve, state.seed, path).expect("the file can be written");
        std::fs::write(path.with_extension("csv"), curve.to_csv()).expect("the curve too");
    };
    let save_every = Duration::from_secs_f64(60.0 * options.get("save-minutes").unwrap_or(1.0));
    let mut saved = started;
    train(&state.learner, &mut state.curve, &course, |curve| {
        tell(&tuples, curve, &before, started);
        if saved.elapsed() > save_every {
            save(curve);
            saved = Instant::now();
        }
        true
    });
    tell(&tuples, &state.curve, &before, started);
    save(&state.curve);
}

fn tell(tuples: &str, curve: &Curve, before: &Point, started: Instant) {
    let (total, latest) = (curve.total(), curve.latest());
    let seconds = started.elapsed().as_secs_f64();
    println!(
        "{tuples} {seconds:.0} s: {} games, {:.3} M moves/s, latest {} games: average {:.0}, best {}, {}",
        total.games,
        (total.moves - before.moves) as f64 / seconds / 1e6,
        latest.games,
        latest.mean(),
        latest.best,
        rates(&latest)
    );
    let going_on = curve.going_on().iter();
    let going_on: Vec<_> = going_on
        .map(|(sum, share)| format!("{sum} {:.0} %", 100.0 * share))
        .collect();
    println!("  went on from {}", going_on.join(", "));
}

fn rates(point: &Point) -> String {
    let each: Vec<String> = point
        .rates()
        .map(|(tile, share)| format!("{tile} {:.1} %", 100.0 * share))
        .collect();
    each.join(", ")
}

/// A network and how it searches.
struct Player {
    network: Network,
    search: String,
    limits: Limits,
    threads: usize,
    seed: u64,
}

impl Player {
    fn read(file: &str, options: &Options<'_>) -> Self {
        let network = match file {
            "built-in" => Network::built_in(),
            _ => Network::load(Path::new(file)).unwrap_or_else(|error| panic!("{error}")),
        };
        let nodes = options.get("nodes");
        let time = options.get("ms").map(Duration::from_millis);
        let depth = options.get("depth");
        let depth = depth.or((nodes.is_none() && time.is_none()).then_some(1));
        Player {
            network,
            search: options.get("search").unwrap_or("expectimax".to_owned()),
            limits: Limits {
                depth,
                nodes,
                time,
                ..Limits::default()
            },
            threads: options.threads(),
            seed: options.get("seed").unwrap_or(2048),
        }
    }

    /// The same with no look ahead.
    fn hasty(&self) -> Self {
        Player {
            network: self.network.clone(),
            search: "expectimax".to_owned(),
            limits: Limits {
                depth: Some(1),
                ..Limits::default()
            },
            ..*self
        }
    }

    /// The search and its limit, as words.
    fn words(&self) -> String {
        let limits = &self.limits;
        let words = [
            limits.depth.map(|depth| format!(", depth {depth}")),
            limits.nodes.map(|nodes| format!(", {nodes} nodes")),
            limits.time.map(|time| format!(", {} ms", time.as_millis())),
        ];
        let limit: String = words.into_iter().flatten().collect();
        format!("{}{limit}", self.search)
    }

    /// Plays so many games on all threads, each from where `begin` says and until `enough`, and
    /// tells each when it ends. They come back in the order of their numbers.
    fn play(
        &self,
        games: u64,
        begin: impl Fn(u64, &mut RandomSpawner) -> Position + Sync,
        enough: impl Fn(&Position) -> bool + Sync,
        tell: impl Fn(u64, &PlayedGame) + Sync,
    ) -> Vec<PlayedGame> {
        let next = AtomicU64::new(0);
        let ends = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..self.threads {
                scope.spawn(|| {
                    let settings = Settings {
                        search: self.search.parse().expect("--search names a search"),
                        strategy: Strategy::sequential(),
                        threads: 1,
                        table_bytes: 1 << 20,
                        after_chance: false,
                    };
                    let engine = Engine::new(Twenty48::new(), self.network.clone(), settings);
                    let mut engine = engine.expect("these settings fit");
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= games {
                            break;
                        }
                        let mut spawner = RandomSpawner::new(seed_of_game(self.seed, number));
                        let position = begin(number, &mut spawner);
                        let end = play_game(&mut engine, &self.limits, spawner, position, &enough);
                        tell(number, &end);
                        ends.lock().expect("no thread panics").push((number, end));
                    }
                });
            }
        });
        let mut ends = ends.into_inner().expect("no thread panics");
        ends.sort_by_key(|&(number, _)| number);
        ends.into_iter().map(|(_, end)| end).collect()
    }
}

fn play(file: &str, options: &Options<'_>) {
    let player = Player::read(file, options);
    let games: u64 = options.get("games").unwrap_or(100);
    let started = Instant::now();
    let ends = player.play(
        games,
        |_, spawner| Twenty48::new().new_game(spawner),
        |_| false,
        |number, end| {
            println!(
                "game {number}: {}, {} moves, {:.0} moves/s",
                end.position.score(),
                end.moves,
                end.moves as f64 / end.seconds
            );
        },
    );
    let seconds = started.elapsed().as_secs_f64();
    let count = ends.len() as f64;
    let scores = || ends.iter().map(|end| f64::from(end.position.score()));
    let mean = scores().sum::<f64>() / count;
    let squares = scores().map(|score| (score - mean).powi(2));
    let half = 1.96 * (squares.sum::<f64>() / (count - 1.0).max(1.0) / count).sqrt();
    let best = scores().fold(0.0, f64::max);
    let moves: u64 = ends.iter().map(|end| end.moves).sum();
    println!(
        "{file} ({}), {}, {games} games: average {mean:.0} ± {half:.0}, best {best}, {:.0} moves/s on {} threads",
        player.network.tuples(),
        player.words(),
        moves as f64 / seconds,
        player.threads
    );
    for exponent in 10..=16 {
        let has = |end: &&PlayedGame| {
            end.position
                .board()
                .exponents()
                .iter()
                .any(|&e| e >= exponent)
        };
        let reached = ends.iter().filter(has).count();
        if reached > 0 {
            println!("  {:>5}: {}", 1u32 << exponent, share(reached, ends.len()));
        }
    }
}

/// Plays games to every next multiple of 2048 that their tiles add up to, and from there as many
/// again, begun with those that came there.
fn steps(file: &str, options: &Options<'_>) {
    let player = Player::read(file, options);
    let games: u64 = options.get("games").unwrap_or(200);
    let from: u32 = options.get("from").unwrap_or(16384);
    let to: u32 = options.get("to").unwrap_or(40960);
    // The station is passed when the tiles have merged.
    let past = |sum: u32| move |position: &Position| tile_sum(position) >= sum + 256;
    let came = |ends: Vec<PlayedGame>, sum| {
        let positions = ends.into_iter().map(|end| end.position);
        positions.filter(past(sum)).collect::<Vec<Position>>()
    };
    let mut sum = from;
    let whole = player.hasty().play(
        10 * games,
        |_, spawner| Twenty48::new().new_game(spawner),
        past(from),
        |_, _| (),
    );
    let mut begun = came(whole, from);
    println!("{file}, {}, {games} games from each", player.words());
    println!(
        "  {from}: {} without search",
        share(begun.len(), 10 * games as usize)
    );
    let mut all = 1.0;
    while !begun.is_empty() && sum < to {
        let started = Instant::now();
        let ends = player.play(
            games,
            |number, _| begun[number as usize % begun.len()],
            past(sum + 2048),
            |_, _| (),
        );
        let moves: u64 = ends.iter().map(|end| end.moves).sum();
        begun = came(ends, sum + 2048);
        all *= begun.len() as f64 / games as f64;
        println!(
            "  {sum} to {}: {}, all the way {:.1} %, {:.0} moves/s",
            sum + 2048,
            share(begun.len(), games as usize),
            100.0 * all,
            moves as f64 / started.elapsed().as_secs_f64()
        );
        sum += 2048;
    }
}

/// What all tiles add up to.
fn tile_sum(position: &Position) -> u32 {
    let exponents = position.board().exponents().into_iter();
    exponents
        .filter(|&exponent| exponent > 0)
        .map(|exponent| 1 << exponent)
        .sum()
}

/// A share in percent, with where it lies in 95 of 100 cases.
fn share(hits: usize, count: usize) -> String {
    let (low, high) = wilson(hits as f64, count as f64);
    format!(
        "{:5.1} % ({:.1} to {:.1})",
        100.0 * hits as f64 / count as f64,
        100.0 * low,
        100.0 * high
    )
}

/// Where a share lies in 95 of 100 cases.
fn wilson(hits: f64, count: f64) -> (f64, f64) {
    let (share, z) = (hits / count, 1.96f64);
    let scale = 1.0 + z * z / count;
    let middle = (share + z * z / (2.0 * count)) / scale;
    let half = z * (share * (1.0 - share) / count + z * z / (4.0 * count * count)).sqrt() / scale;
    (middle - half, middle + half)
}

struct PlayedGame {
    position: Position,
    moves: u64,
    seconds: f64,
}

/// Plays until the game is over or the position is enough.
fn play_game(
    engine: &mut Engine<Twenty48, Network>,
    limits: &Limits,
    mut spawner: RandomSpawner,
    mut position: Position,
    enough: impl Fn(&Position) -> bool,
) -> PlayedGame {
    let game = Twenty48::new();
    let mut moves = 0;
    let started = Instant::now();
    while !enough(&position) && game.turn(&position) != Turn::Over {
        let best = engine.search(&position, limits).best;
        game.play(&mut position, best.expect("a legal slide"));
        let spawn = spawner.spawn(&position).expect("room after a slide");
        game.play(&mut position, spawn);
        moves += 1;
    }
    PlayedGame {
        position,
        moves,
        seconds: started.elapsed().as_secs_f64(),
    }
}

fn shrink(file: &str, options: &Options<'_>) {
    let state = State::load(Path::new(file)).unwrap_or_else(|error| panic!("{error}"));
    let network = Network::of(&state.learner, options.get("step"));
    network
        .save(options.out())
        .expect("the file can be written");
    let length = std::fs::metadata(options.out())
        .expect("it was written")
        .len();
    println!(
        "{} in steps of {}: {:.3} MB",
        network.tuples(),
        network.step(),
        length as f64 / 1e6
    );
}

/// The training speed of a fresh 4x6 network, and what limits it.
fn speed() {
    let tuples: Tuples = "4x6".parse().expect("a name");
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    for threads in [1, 2, 4, 8, 16].into_iter().filter(|&n| n <= cores) {
        let learner = Learner::new(tuples.clone(), Learning::Tc, 0.0);
        let mut curve = Curve::default();
        let course = |games, seconds| Course {
            threads,
            games,
            time: Some(Duration::from_secs(seconds)),
            seed: 1,
            tell_every: Duration::from_secs(1000),
            restarts: Restarts::Late,
            kept_stages: 0,
            lambda: 0.5,
        };
        // The first games are short and their weights in the cache: they do not count.
        train(&learner, &mut curve, &course(Some(3000), 30), |_| true);
        let before = curve.total();
        train(&learner, &mut curve, &course(None, 8), |_| true);
        let total = curve.total();
        let (moves, seconds) = (total.moves - before.moves, total.seconds - before.seconds);
        println!(
            "2048 learn (4x6, tc) on {threads} threads: {:.3} M moves/s, {:.0} ns a move and thread",
            moves as f64 / seconds / 1e6,
            seconds * 1e9 * threads as f64 / moves as f64
        );
    }
    latency();
}

/// What a read costs that misses the caches: one that waits for the one before, and one of
/// many together.
fn latency() {
    let size = 1usize << 26;
    let table: Vec<u32> = (0..size as u32)
        .map(|at| at.wrapping_mul(2_654_435_761))
        .collect();
    let count = 4_000_000u32;
    let started = Instant::now();
    let mut at = 0usize;
    for number in 0..count {
        at = (table[at] ^ number) as usize % size;
    }
    black_box(at);
    let chained = started.elapsed();
    let started = Instant::now();
    let mut sum = 0u32;
    for number in 0..count {
        sum = sum.wrapping_add(table[number.wrapping_mul(2_246_822_519) as usize % size]);
    }
    black_box(sum);
    let together = started.elapsed();
    println!(
        "a read from 256 MiB at random: {:.1} ns one after the other, {:.1} ns together",
        chained.as_secs_f64() * 1e9 / f64::from(count),
        together.as_secs_f64() * 1e9 / f64::from(count)
    );
}
