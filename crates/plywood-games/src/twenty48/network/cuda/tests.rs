//! What can be tested without a graphics processor.

use std::io::Write;
use std::process::{Command, Stdio};

use super::*;
use crate::text::Notation;
use crate::twenty48::network::Stages;
use crate::twenty48::network::tuples::{Shape, WithShape};
use crate::twenty48::{Board, Direction, RandomSpawner, Twenty48};
use plywood::Game as _;

const SETS: [&str; 4] = ["4x6", "8x6", "6x5", "0,05af,13579b,fedc"];

/// The places of a board and its images, tuple by tuple.
struct Places(u64);

impl WithShape for Places {
    type Output = Vec<usize>;

    fn with<const N: usize>(self, shape: impl Shape<N>) -> Vec<usize> {
        let images = symmetric(self.0).map(|board| shape.places(board));
        (0..N)
            .flat_map(|tuple| images.map(|places| places[tuple]))
            .collect()
    }
}

#[test]
fn lanes_look_up_what_tuples_do() {
    for set in SETS.map(|set| set.parse::<Tuples>().expect(set)) {
        let lookups = lookups(&set);
        let mut board = 1u64;
        for _ in 0..100 {
            board = board
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            // As learn.cu does it, with as many cells for every tuple.
            let place = |lookup: &Lookup| {
                let cells = (0..7).map(|place| (place, lookup.cells >> (4 * place) & 15));
                let nibbles = cells.map(|(place, cell)| (board >> (4 * cell) & 15) << (4 * place));
                let index: u64 = nibbles.sum();
                lookup.start as usize + (index as u32 & lookup.mask) as usize
            };
            let found: Vec<usize> = lookups.iter().map(place).collect();
            assert_eq!(found, set.with_shape(Places(board)), "{set}");
        }
    }
}

#[test]
fn rows_slide_by_the_rules_and_32768_stays() {
    let rows = rows_of_nibbles();
    let game = Twenty48::new();
    for row in 0..=u16::MAX {
        let board = Board {
            nibbles: u64::from(row),
            ..Board::EMPTY
        };
        let ways = [Direction::Left, Direction::Right];
        for (towards, direction) in ways.into_iter().enumerate() {
            let (slid, gained) = game.slide(board, direction);
            let becomes = rows[towards << 16 | usize::from(row)];
            assert_eq!(u64::from(becomes & 0xffff), slid.nibbles, "{row:x}");
            assert_eq!(4 * (becomes >> 16), gained, "{row:x}");
        }
    }
}

/// Needs libnvrtc, but no graphics processor.
#[test]
#[ignore = "needs the library libnvrtc"]
fn the_program_can_be_compiled() {
    // SAFETY: as in `context`.
    assert!(unsafe { has_compiler() }, "libnvrtc is not found");
    for (set, stages) in SETS
        .into_iter()
        .zip(["none", "24576,28672", "none", "2048"])
    {
        for learning in Learning::ALL {
            let tuples = set.parse().expect(set);
            let stages: Stages = stages.parse().expect(stages);
            let learner = Learner::starting_at(tuples, stages, learning, 0.0);
            for capability in [(8, 0), (9, 0), (12, 0)] {
                let program = compile(&learner, capability).expect("it was tried before");
                assert!(program.to_src().contains(".entry learn("), "{set}");
            }
        }
    }
}

/// Learning as `learn.cu` should do it, of one game.
struct Reference<'a> {
    tuples: &'a Tuples,
    start: u32,
    between_stations: u32,
    merged: u32,
    coherent: bool,
    weights: Vec<f32>,
    errors: Vec<[f32; 2]>,
    game: Game,
    spawner: RandomSpawner,
    late: Vec<u64>,
    kept: Vec<u32>,
    came: Vec<u32>,
    went: Vec<u32>,
    moved: Vec<u32>,
    /// The place from which on weights learn.
    learnt_from: usize,
    ends: Vec<[u32; 3]>,
}

fn board_of(nibbles: u64) -> Board {
    Board {
        nibbles,
        ..Board::EMPTY
    }
}

fn tile_sum(board: u64) -> u32 {
    let exponents = (0..16).map(|cell| board >> (4 * cell) & 15);
    exponents.filter(|&e| e > 0).map(|e| 1 << e).sum()
}

/// The sum of what the lanes found, in the order in which they add it up.
fn lane_sum(found: &[f32]) -> f32 {
    let lanes = LANES as usize;
    let of_lane = |lane: usize| found.iter().skip(lane).step_by(lanes).sum();
    let mut sums: Vec<f32> = (0..lanes).map(of_lane).collect();
    for other in [16, 8, 4, 2, 1] {
        sums = (0..lanes)
            .map(|lane| sums[lane] + sums[lane ^ other])
            .collect();
    }
    sums[0]
}

impl Reference<'_> {
    fn places(&self, board: u64) -> Vec<usize> {
        let later = self.start + self.merged <= tile_sum(board);
        let part = if later { self.tuples.weights() } else { 0 };
        let places = self.tuples.with_shape(Places(board));
        places.into_iter().map(|place| part + place).collect()
    }

    fn value(&self, board: u64) -> f32 {
        let places = self.places(board);
        let found: Vec<f32> = places.iter().map(|&place| self.weights[place]).collect();
        lane_sum(&found)
    }

    fn appear(&mut self, board: u64) -> u64 {
        let rules = Twenty48::new();
        let mut position = rules.start();
        position.slide_to(board_of(board), 0);
        let spawn = self.spawner.spawn(&position).expect("a slide leaves room");
        rules.play(&mut position, spawn);
        position.board().nibbles
    }

    fn learn(&mut self, target: f32) {
        let places = self.places(self.game.before);
        let difference = target - self.value(self.game.before);
        let share = difference / places.len() as f32;
        let known: Vec<_> = places
            .iter()
            .map(|&p| (self.weights[p], self.errors.get(p).copied()))
            .collect();
        // Of equal places the last counts: lane by lane.
        let lanes = LANES as usize;
        let in_order = (0..lanes).flat_map(|lane| (lane..places.len()).step_by(lanes));
        for at in in_order {
            let (weight, errors) = known[at];
            let mut rate = 0.1;
            if self.coherent {
                let [sum, absolute] = errors.expect("as many as weights");
                rate = sum.abs() / absolute;
                self.errors[places[at]] = [sum + difference, absolute + difference.abs()];
            }
            self.weights[places[at]] = weight + rate * share;
        }
    }

    fn play(&mut self, moves: u32, drawn: &[u8]) {
        let rules = Twenty48::new();
        for _ in 0..moves {
            let board = self.game.board;
            let mut best: Option<(u64, u32, f32)> = None;
            for direction in Direction::ALL {
                let (slid, gained) = rules.slide(board_of(board), direction);
                if slid.nibbles == board {
                    continue;
                }
                let value = self.value(slid.nibbles) + gained as f32;
                if best.is_none_or(|(_, _, most)| value > most) {
                    best = Some((slid.nibbles, gained, value));
                }
            }
            if self.game.unguided > 0 {
                self.game.unguided -= 1;
                let direction = Direction::ALL[(self.spawner.next() >> 62) as usize];
                let (slid, gained) = rules.slide(board_of(board), direction);
                if slid.nibbles != board {
                    self.game.score += gained;
                    if self.slide(slid.nibbles) {
                        self.begin(drawn);
                    }
                }
                continue;
            }
            if self.game.before != 0 && self.places(self.game.before)[0] >= self.learnt_from {
                self.learn(best.map_or(0.0, |(_, _, value)| value));
            }
            let Some((slid, gained, _)) = best else {
                let at = self.game.station as usize;
                self.moved[at] += self.game.moves - self.game.arrived;
                self.begin(drawn);
                continue;
            };
            self.game.moves += 1;
            self.game.score += gained;
            if self.slide(slid) {
                self.begin(drawn);
            }
        }
    }

    /// Whether a game that was taken up has come to the next station.
    fn slide(&mut self, slid: u64) -> bool {
        self.game.board = slid;
        self.game.before = slid;
        let station = tile_sum(slid).saturating_sub(self.merged) / self.between_stations;
        let station = station.min(LAST_STATION as u32);
        if station > self.game.station {
            let at = station as usize;
            self.late[at * BOARDS + self.kept[at] as usize % BOARDS] = slid;
            self.kept[at] += 1;
            self.went[at - 1] += 1;
            self.moved[at - 1] += self.game.moves - self.game.arrived;
            self.game.station = station;
            self.game.arrived = self.game.moves;
            if self.game.whole == 0 {
                return true;
            }
            self.came[at] += 1;
        }
        self.game.board = self.appear(slid);
        false
    }

    /// After the end of a game.
    fn begin(&mut self, drawn: &[u8]) {
        let played = (self.game.moves - self.game.begun) as i32;
        if self.game.whole == 1 {
            self.game.due += TAKEN_UP as i32 * played;
            let exponents = board_of(self.game.board).exponents();
            let largest = exponents.into_iter().max().expect("cells");
            self.ends
                .push([self.game.score, self.game.moves, largest.into()]);
            self.game.moves = 0;
        } else {
            self.game.due -= played;
        }
        self.game.begun = self.game.moves;
        self.game.arrived = self.game.moves;
        self.game.unguided = 0;
        if !drawn.is_empty() && self.game.due > 0 {
            let random = self.spawner.next();
            let station = drawn[(((random >> 32) * drawn.len() as u64) >> 32) as usize];
            let at = usize::from(station);
            let boards = self.kept[at].min(BOARDS as u32);
            self.game.before = self.late[at * BOARDS + (random as u32 % boards) as usize];
            self.game.station = station.into();
            self.game.whole = 0;
            self.came[at] += 1;
            self.game.board = self.appear(self.game.before);
            self.game.unguided = (self.spawner.next() % RANDOM_SLIDES) as u32;
        } else {
            self.game.whole = 1;
            self.game.station = 0;
            self.game.score = 0;
            self.game.before = 0;
            let begun = Twenty48::new().new_game(&mut self.spawner);
            self.game.board = begun.board().nibbles;
        }
    }
}

/// A C++ compiler runs `learn.cu` lane by lane: it does to weights, errors and games what the
/// reference does, to the last bit.
#[test]
#[ignore = "needs g++"]
fn lanes_learn_what_the_reference_learns() {
    let folder = std::env::temp_dir().join(format!("plywood-lanes-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let source = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/src/twenty48/network/cuda/emulated.cpp"
    );
    let (merged, between_stations, start) = (16, 64, 256);
    // Lanes with nothing to look up, and lanes with two.
    for (set, learning) in [
        ("0123,4567,0145", Learning::Tc),
        ("012,4567,0145,1256,048", Learning::Tc),
        ("0123,4567,0145", Learning::Td),
    ] {
        let stages: Stages = "2048".parse().expect("a start");
        let tuples: Tuples = set.parse().expect(set);
        let learner = Learner::starting_at(tuples.clone(), stages, learning, 0.5);
        let program = folder.join("lanes");
        let defined = definitions(&learner).map(|(name, number)| match name {
            "MERGED" => format!("-DMERGED={merged}"),
            "BETWEEN_STATIONS" => format!("-DBETWEEN_STATIONS={between_stations}"),
            _ => format!("-D{name}={number}"),
        });
        let compiled = Command::new("g++")
            .args(["-std=c++17", "-O1", "-ffp-contract=off", "-o"])
            .args([program.as_os_str(), source.as_ref()])
            .args(defined)
            .status();
        assert!(compiled.expect("g++ is there").success());
        let mut drawn: &[u8] = &[];
        let (seed, moves, most_ends) = (77, 800, 200);
        let mut reference = Reference {
            tuples: &tuples,
            start,
            between_stations,
            merged,
            coherent: learning == Learning::Tc,
            weights: learner.all_weights(),
            errors: learner.all_errors(),
            game: Game {
                board: 0x11,
                whole: 1,
                random: seed,
                ..Game::default()
            },
            spawner: RandomSpawner::new(seed),
            late: vec![0; STATIONS * BOARDS],
            kept: vec![0; STATIONS],
            came: vec![0; STATIONS],
            went: vec![0; STATIONS],
            moved: vec![0; STATIONS],
            learnt_from: 0,
            ends: Vec::new(),
        };
        let (mut taken_up, mut late_stage) = (0, 0);
        for round in 0..4 {
            let arrays = [
                bytes(&reference.weights),
                bytes(&reference.errors),
                bytes(&rows_of_nibbles()),
                bytes(&lookups(&tuples)),
                bytes(&[start, u32::MAX]),
                bytes(&[reference.game]),
                drawn.to_vec(),
                bytes(&reference.late),
                bytes(&reference.kept),
                bytes(&reference.came),
                bytes(&reference.went),
                bytes(&reference.moved),
                bytes(&vec![End::default(); most_ends]),
                bytes(&[0u32]),
                bytes(&[
                    tuples.weights() as u32,
                    reference.learnt_from as u32,
                    moves,
                    drawn.len() as u32,
                    most_ends as u32,
                ]),
            ];
            let changed = emulate(&program, &arrays);
            reference.ends.clear();
            reference.play(moves, drawn);
            // The state of the spawner is its own.
            let game: Game = numbers::<Game>(&changed[2])[0];
            reference.game.random = game.random;
            reference.spawner = RandomSpawner::new(game.random);
            assert_eq!(
                bytes(&[game]),
                bytes(&[reference.game]),
                "{set}, round {round}"
            );
            assert!(
                changed[0] == bytes(&reference.weights),
                "{set}: weights, round {round}"
            );
            assert!(
                changed[1] == bytes(&reference.errors),
                "{set}: errors, round {round}"
            );
            assert!(
                changed[3] == bytes(&reference.late),
                "{set}: boards, round {round}"
            );
            for (found, expected) in changed[4..8].iter().zip([
                &reference.kept,
                &reference.came,
                &reference.went,
                &reference.moved,
            ]) {
                assert_eq!(found, &bytes(expected), "{set}: stations, round {round}");
            }
            let ended = numbers::<u32>(&changed[9])[0] as usize;
            assert_eq!(
                numbers::<[u32; 3]>(&changed[8])[..ended],
                reference.ends,
                "{set}"
            );
            taken_up += u32::from(game.whole == 0);
            late_stage += u32::from(tile_sum(game.before) >= start + merged);
            drawn = &[1, 2];
            // In the end only the second stage learns.
            if round == 2 {
                reference.learnt_from = tuples.weights();
            }
        }
        assert!(reference.kept[1] > 0 && reference.kept[2] > 0 && taken_up + late_stage > 0);
    }
    std::fs::remove_dir_all(&folder).expect("it was made above");
}

/// Numbers as they lie in memory.
fn bytes<T: DeviceRepr + Copy>(numbers: &[T]) -> Vec<u8> {
    let (start, length) = (numbers.as_ptr().cast(), size_of_val(numbers));
    // SAFETY: numbers for a processor are plain and have no padding here, and any byte is valid.
    unsafe { std::slice::from_raw_parts(start, length) }.to_vec()
}

/// The numbers in such bytes.
fn numbers<T: DeviceRepr + Copy>(bytes: &[u8]) -> Vec<T> {
    let chunks = bytes.chunks_exact(size_of::<T>());
    // SAFETY: as many bytes as one takes, and any are a valid number.
    chunks
        .map(|chunk| unsafe { chunk.as_ptr().cast::<T>().read_unaligned() })
        .collect()
}

/// Runs the program with these arguments, and takes what it changed.
fn emulate(program: &std::path::Path, arrays: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it was compiled");
    let mut input = child.stdin.take().expect("a pipe");
    for array in arrays {
        input
            .write_all(&(array.len() as u64).to_le_bytes())
            .expect("it reads");
        input.write_all(array).expect("it reads");
    }
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    let mut rest = &output.stdout[..];
    let mut changed = Vec::new();
    while let Some((length, behind)) = rest.split_first_chunk::<8>() {
        let (array, behind) = behind.split_at(u64::from_le_bytes(*length) as usize);
        changed.push(array.to_vec());
        rest = behind;
    }
    changed
}
