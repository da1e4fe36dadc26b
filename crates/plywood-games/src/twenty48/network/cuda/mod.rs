//! Learning on a graphics processor with CUDA: a thousand games at a time.
//!
//! A lookup in memory takes as long as on any other processor, but thousands of them are under
//! way at once. What is learnt goes by [`Course::lambda`] 0: as soon as the next slide is chosen, the
//! board before it moves towards what the network thinks of it. The order in which games change
//! the weights is that of the processor, so no two courses are the same.
//!
//! The program for the processor, `learn.cu`, is compiled when a course begins, for its tuples.

use std::sync::Arc;
use std::time::Instant;

use cudarc::driver::{
    CudaContext, CudaFunction, CudaSlice, CudaStream, DeviceRepr, DriverError, LaunchConfig,
    PushKernelArg, sys::CUdevice_attribute, sys::is_culib_present as has_driver,
};
use cudarc::nvrtc::{
    CompileOptions, Ptx, compile_ptx_with_opts, sys::is_culib_present as has_compiler,
};

use super::curve::{Curve, GameEnd};
use super::late::{BETWEEN_STATIONS, Counted, DistantBoards, LAST_STATION, Restarts};
use super::playing::{RANDOM_SLIDES, TAKEN_UP};
use super::stages::MERGED;
use super::train::{Course, Ended, seed_of_game};
use super::tuples::{SYMMETRIES, Tuples, symmetric};
use super::weights::{Learner, Learning};
use crate::text::TextError;
use crate::twenty48::slide::rows_of_nibbles;

/// Games that a multiprocessor plays at a time. More are no faster, since the memory is busy.
const GAMES_EACH: usize = 8;
/// Moves of every game from one look at the clock to the next.
const MOVES_AT_A_TIME: u32 = 2000;
/// No game is over after fewer moves.
const FEWEST_MOVES: u32 = 8;
/// Lanes of a warp, which play one game.
const LANES: u32 = 32;
/// The stations of games.
const STATIONS: usize = LAST_STATION + 1;
/// How many boards are kept of each station, the newest: more than usual, since so many more games
/// begin with them.
const BOARDS: usize = 8192;
/// Stations of that many games are drawn at a time, about as many as are taken up until the next.
const DRAWS: usize = 2048;
/// When a station has seen so many games, what all have seen counts half: about once a second.
const LATELY: u32 = 1 << 15;

/// A game. The same in `learn.cu`, which says what everything is.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Game {
    board: u64,
    before: u64,
    random: u64,
    score: u32,
    moves: u32,
    station: u32,
    due: i32,
    whole: u32,
    begun: u32,
    arrived: u32,
    unguided: u32,
    largest: u32,
    /// To a multiple of eight bytes.
    unused: u32,
}

/// How a whole game ended. The same in `learn.cu`.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct End {
    score: u32,
    moves: u32,
    largest: u32,
}

/// What a lane looks up. The same in `learn.cu`.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Lookup {
    cells: u64,
    start: u32,
    mask: u32,
}

// SAFETY: plain numbers without padding, in the order of C.
unsafe impl DeviceRepr for Game {}
// SAFETY: as above.
unsafe impl DeviceRepr for End {}
// SAFETY: as above.
unsafe impl DeviceRepr for Lookup {}

/// [`train`](super::train) on the first graphics processor; [`Course::threads`] does not count
/// there.
///
/// The learner gets what was learnt in the end, and whenever the listener calls what it is given
/// besides the curve.
pub fn train_on_cuda(
    learner: &Learner,
    curve: &mut Curve,
    course: &Course,
    mut listen: impl FnMut(&Curve, &mut dyn FnMut() -> Result<(), TextError>) -> bool,
) -> Result<Ended, TextError> {
    check_cuda(course)?;
    let mut table = Table::new(learner, course)?;
    let started = Instant::now();
    let before = curve.time();
    let mut tell_at = started + course.tell_every;
    let ended = loop {
        let ends = table.play().map_err(failed)?;
        let now = Instant::now();
        curve.add(&ends, before + now.duration_since(started));
        if let Some(boards) = &table.boards {
            curve.set_going_on(boards.going_on());
        }
        let enough_games = course.games.is_some_and(|games| curve.games() >= games);
        if enough_games || course.time.is_some_and(|time| now >= started + time) {
            break Ended::Done;
        }
        if now >= tell_at {
            let mut fetch = || table.fetch(learner).map_err(failed);
            if !listen(curve, &mut fetch) {
                break Ended::Stopped;
            }
            tell_at = Instant::now() + course.tell_every;
        }
    };
    table.fetch(learner).map_err(failed)?;
    curve.finish_point();
    Ok(ended)
}

/// The name of the processor that [`train_on_cuda`] uses for this course, or why it cannot.
pub fn check_cuda(course: &Course) -> Result<String, TextError> {
    if course.restarts == Restarts::HalfWay || course.lambda != 0.0 {
        return Err(TextError::new(
            "a graphics processor learns with lambda 0, from games that are taken up late or not at \
             all: use --lambda 0 and --restarts late or none",
        ));
    }
    context()?.name().map_err(failed)
}

fn failed(error: DriverError) -> TextError {
    TextError::new(format!("the graphics processor failed: {error}"))
}

/// The first processor, if there is one and what it needs.
fn context() -> Result<Arc<CudaContext>, TextError> {
    let missing = |what: &str| {
        Err(TextError::new(format!(
            "there is no {what}: learning with CUDA needs an NVIDIA driver, and the library libnvrtc where \
             the system looks for libraries (LD_LIBRARY_PATH)"
        )))
    };
    // SAFETY: loading these libraries runs their initialisers, which any program that uses CUDA
    // does.
    if unsafe { !has_driver() } {
        return missing("libcuda");
    }
    // SAFETY: as above.
    if unsafe { !has_compiler() } {
        return missing("libnvrtc");
    }
    let context = CudaContext::new(0).map_err(failed)?;
    let (major, minor) = context.compute_capability().map_err(failed)?;
    if major < 8 {
        return Err(TextError::new(format!(
            "the graphics processor has compute capability {major}.{minor}: 8.0 or more is needed"
        )));
    }
    Ok(context)
}

/// All that lies in the memory of the processor.
struct Table {
    stream: Arc<CudaStream>,
    learn: CudaFunction,
    weights: CudaSlice<f32>,
    errors: CudaSlice<[f32; 2]>,
    each_stage: u32,
    /// Where the weights begin of the first stage that learns.
    learnt_from: u32,
    rows: CudaSlice<u32>,
    lookups: CudaSlice<Lookup>,
    starts: CudaSlice<u32>,
    games: CudaSlice<Game>,
    late: CudaSlice<u64>,
    /// How many boards of every station were kept.
    kept: CudaSlice<u32>,
    came: CudaSlice<u32>,
    went: CudaSlice<u32>,
    moved: CudaSlice<u32>,
    ends: CudaSlice<End>,
    ended: CudaSlice<u32>,
    /// Where games are taken up; not at all without it.
    boards: Option<DistantBoards>,
}

impl Table {
    fn new(learner: &Learner, course: &Course) -> Result<Self, TextError> {
        let context = context()?;
        let program = compile(learner, context.compute_capability().map_err(failed)?)?;
        let module = context.load_module(program).map_err(failed)?;
        let learn = module.load_function("learn").map_err(failed)?;
        let processors = context
            .attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)
            .map_err(failed)?;
        let count = processors as usize * GAMES_EACH;
        let games: Vec<Game> = (0..count as u64)
            .map(|number| Game {
                random: seed_of_game(course.seed, number),
                whole: 1,
                // Two tiles in a corner: the first games are as good as any.
                board: 0x11,
                ..Game::default()
            })
            .collect();
        let most_ends = count * (MOVES_AT_A_TIME / FEWEST_MOVES) as usize;
        let tuples = learner.tuples();
        // Without a start there is nothing to read, but memory of no size is refused.
        let starts = [learner.stages().starts(), &[u32::MAX]].concat();
        let place = || -> Result<Table, DriverError> {
            let stream = context.default_stream();
            Ok(Table {
                weights: stream.clone_htod(&learner.all_weights())?,
                errors: match learner.learning() {
                    Learning::Tc => stream.clone_htod(&learner.all_errors())?,
                    Learning::Td => stream.clone_htod(&[[0.0; 2]])?,
                },
                each_stage: tuples.weights() as u32,
                learnt_from: (course.kept_stages * tuples.weights()) as u32,
                rows: stream.clone_htod(&rows_of_nibbles())?,
                lookups: stream.clone_htod(&lookups(tuples))?,
                starts: stream.clone_htod(&starts)?,
                games: stream.clone_htod(&games)?,
                late: stream.alloc_zeros(STATIONS * BOARDS)?,
                kept: stream.alloc_zeros(STATIONS)?,
                came: stream.alloc_zeros(STATIONS)?,
                went: stream.alloc_zeros(STATIONS)?,
                moved: stream.alloc_zeros(STATIONS)?,
                ends: stream.clone_htod(&vec![End::default(); most_ends])?,
                ended: stream.alloc_zeros(1)?,
                boards: (course.restarts == Restarts::Late)
                    .then(|| DistantBoards::new(learner.stages(), course.kept_stages)),
                stream,
                learn,
            })
        };
        place().map_err(failed)
    }

    /// Some moves of every game; how the whole games ended that did.
    fn play(&mut self) -> Result<Vec<GameEnd>, DriverError> {
        let boards = self.boards.as_ref();
        let mut drawn = boards.map_or(Vec::new(), |boards| boards.draw(DRAWS));
        let draws = drawn.len() as u32;
        drawn.push(0);
        let drawn = self.stream.clone_htod(&drawn)?;
        self.stream.memset_zeros(&mut self.ended)?;
        let (count, most_ends) = (self.games.len() as u32, self.ends.len() as u32);
        let mut call = self.stream.launch_builder(&self.learn);
        call.arg(&mut self.weights)
            .arg(&mut self.errors)
            .arg(&self.rows)
            .arg(&self.lookups)
            .arg(&self.each_stage)
            .arg(&self.learnt_from)
            .arg(&self.starts)
            .arg(&mut self.games)
            .arg(&MOVES_AT_A_TIME)
            .arg(&drawn)
            .arg(&draws)
            .arg(&mut self.late)
            .arg(&mut self.kept)
            .arg(&mut self.came)
            .arg(&mut self.went)
            .arg(&mut self.moved)
            .arg(&mut self.ends)
            .arg(&mut self.ended)
            .arg(&most_ends);
        let warps = LaunchConfig {
            grid_dim: (count, 1, 1),
            block_dim: (LANES, 1, 1),
            shared_mem_bytes: 0,
        };
        // SAFETY: the arguments are those of `learn` in learn.cu, in its order, and live until the
        // stream has been waited for below. It indexes weights and errors with places of `tuples`,
        // which are below their number in every stage; games with the number of the warp, of which
        // there are as many; stations below STATIONS and boards below BOARDS; rows with 17
        // bits; ends only below `most_ends`.
        unsafe { call.launch(warps)? };
        let ended = self.stream.clone_dtoh(&self.ended)?[0].min(most_ends);
        let ends = match ended {
            0 => Vec::new(),
            _ => self.stream.clone_dtoh(&self.ends.slice(..ended as usize))?,
        };
        if let Some(distant) = &mut self.boards {
            let seen = |counts: &mut CudaSlice<u32>| {
                let counted = self.stream.clone_dtoh(counts)?;
                self.stream.memset_zeros(counts)?;
                Ok(counted)
            };
            let came = seen(&mut self.came)?;
            let went = seen(&mut self.went)?;
            let moved = seen(&mut self.moved)?;
            let boards = self.stream.clone_dtoh(&self.kept)?;
            let counted = (0..STATIONS).map(|station| Counted {
                boards: boards[station],
                games: came[station],
                passed: went[station],
                moves: moved[station],
            });
            distant.count(counted, LATELY);
        }
        Ok(ends.into_iter().map(End::told).collect())
    }

    /// Brings what was learnt to the learner.
    fn fetch(&self, learner: &Learner) -> Result<(), DriverError> {
        let weights = self.stream.clone_dtoh(&self.weights)?;
        let errors = match learner.learning() {
            Learning::Tc => self.stream.clone_dtoh(&self.errors)?,
            Learning::Td => Vec::new(),
        };
        learner.restore_all(&weights, &errors);
        Ok(())
    }
}

impl End {
    fn told(self) -> GameEnd {
        GameEnd {
            score: self.score,
            moves: self.moves,
            largest: self.largest as u8,
        }
    }
}

/// The numbers that `learn.cu` asks for.
fn definitions(learner: &Learner) -> [(&'static str, usize); 10] {
    let most_cells = learner.tuples().cells().iter().map(Vec::len).max();
    [
        ("LOOKUPS", learner.tuples().lookups()),
        ("CELLS", most_cells.unwrap_or(1)),
        ("COHERENT", usize::from(learner.learning() == Learning::Tc)),
        ("STAGES", learner.stages().count()),
        ("STATIONS", STATIONS),
        ("BOARDS", BOARDS),
        ("BETWEEN_STATIONS", BETWEEN_STATIONS as usize),
        ("MERGED", MERGED as usize),
        ("TAKEN_UP", TAKEN_UP as usize),
        ("RANDOM_SLIDES", RANDOM_SLIDES as usize),
    ]
}

/// The program for a processor of this compute capability.
fn compile(learner: &Learner, (major, minor): (i32, i32)) -> Result<Ptx, TextError> {
    let mut options: Vec<String> = definitions(learner)
        .iter()
        .map(|(name, number)| format!("-D{name}={number}"))
        .collect();
    options.push(format!("--gpu-architecture=compute_{major}{minor}"));
    let options = CompileOptions {
        options,
        ..CompileOptions::default()
    };
    compile_ptx_with_opts(include_str!("learn.cu"), options).map_err(|error| {
        TextError::new(format!(
            "the program for the graphics processor cannot be compiled: {error:?}"
        ))
    })
}

/// What every lane looks up: the cells of the board itself instead of those of its images.
fn lookups(tuples: &Tuples) -> Vec<Lookup> {
    // On this board every tile is the number of its cell.
    let images = symmetric(0xfedc_ba98_7654_3210);
    let mut all = Vec::new();
    let mut start = 0;
    for cells in tuples.cells() {
        let mask = ((1u64 << (4 * cells.len())) - 1) as u32;
        for image in images {
            let numbers = cells.iter().enumerate().map(|(place, &cell)| {
                let number = image >> (4 * u32::from(cell)) & 0xf;
                number << (4 * place)
            });
            all.push(Lookup {
                cells: numbers.sum(),
                start,
                mask,
            });
        }
        start += mask + 1;
    }
    debug_assert_eq!(all.len(), tuples.cells().len() * SYMMETRIES);
    all
}

#[cfg(test)]
mod tests;
