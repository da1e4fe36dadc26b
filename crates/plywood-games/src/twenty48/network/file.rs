//! Networks in files: to play with, small; or while they learn, with all there is to go on.
//!
//! Both begin with [`MAGIC`], the version, the kind, the tuples and, from version 3 on, the
//! stages; they end with a CRC-32 of all before it. Numbers are little-endian. A network of
//! one stage is written as version 1; version 2 had stages of another kind and is not read.
//!
//! * To play with: the step, then the weights as 16-bit multiples of it, compressed with
//!   Deflate: stage by stage, for every tuple all high bytes, then all low bytes. Few different high bytes
//!   there are, so they take next to nothing.
//! * To learn on: seed, way of learning, initial weight, learning curve. Then for every 64
//!   weights a word that says which were ever changed, and those as 32-bit floats, with
//!   their two sums of errors where the way of learning has them.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use crc32fast::Hasher;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use super::curve::{Curve, Point};
use super::weights::{Learner, Learning, NO_ERRORS};
use super::{Network, Stages, Tuples, kept};
use crate::text::TextError;

const MAGIC: &[u8; 8] = b"PLY2048N";
const VERSION: u8 = 1;
const VERSION_WITH_STAGES: u8 = 3;
const TO_PLAY: u8 = 1;
const TO_LEARN: u8 = 2;
/// The bytes of the checksum.
const CHECKSUM: usize = 4;

/// A learner with its history: what a file to go on with holds.
#[derive(Debug)]
pub struct State {
    /// The weights.
    pub learner: Learner,
    /// The games so far.
    pub curve: Curve,
    /// What decides the new tiles.
    pub seed: u64,
}

impl State {
    /// Writes everything to a file. See [`replace_file`]. The learner may go on meanwhile.
    pub fn save(learner: &Learner, curve: &Curve, seed: u64, path: &Path) -> io::Result<()> {
        replace_file(path, |file| write_state(learner, curve, seed, file))
    }

    /// Reads what [`save`](State::save) has written.
    pub fn load(path: &Path) -> Result<Self, TextError> {
        let told = |wrong: Wrong| wrong.of(path);
        let bytes = read_file(path)?;
        let mut content = open(&bytes).map_err(told)?;
        if content.kind != TO_LEARN {
            return Err(TextError::new(format!(
                "{} is a network to play with, which cannot learn on: use a file that \
                 'plywood train' has written",
                path.display()
            )));
        }
        read_state(&mut content).map_err(told)
    }
}

impl Network {
    /// Writes the network to a file. See [`replace_file`].
    pub fn save(&self, path: &Path) -> io::Result<()> {
        replace_file(path, |file| write_network(self, file))
    }

    /// The network in the bytes of a file.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        open(bytes)
            .and_then(|mut content| read_network(&mut content))
            .map_err(|wrong| wrong.0)
    }
}

pub(super) fn load_network(path: &Path) -> Result<Network, TextError> {
    let bytes = read_file(path)?;
    Network::from_bytes(&bytes).map_err(|wrong| Wrong(wrong).of(path))
}

/// Writes a file so that whoever reads it, even after a crash, finds either the old or the
/// new one, whole: what is written goes to a file beside it, which then takes its name.
pub fn replace_file(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(".partial");
    let partial = PathBuf::from(name);
    let attempt = (|| {
        let mut file = BufWriter::with_capacity(1 << 20, File::create(&partial)?);
        write(&mut file)?;
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        fs::rename(&partial, path)
    })();
    if attempt.is_err() {
        // What could not be completed is of no use.
        let _ = fs::remove_file(&partial);
        return attempt;
    }
    // The new name is on the disk when the folder is; not every system can say so.
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// A writer that sums up what goes through it.
struct Summed<'a> {
    inner: &'a mut dyn Write,
    sum: Hasher,
}

impl<'a> Summed<'a> {
    /// Begins a file of this kind.
    fn begin(
        inner: &'a mut dyn Write,
        kind: u8,
        tuples: &Tuples,
        stages: &Stages,
    ) -> io::Result<Self> {
        let sum = Hasher::new();
        let mut summed = Summed { inner, sum };
        summed.write_all(MAGIC)?;
        let starts = stages.starts();
        let version = match starts {
            [] => VERSION,
            _ => VERSION_WITH_STAGES,
        };
        summed.write_all(&[version, kind, tuples.cells().len() as u8])?;
        for cells in tuples.cells() {
            summed.write_all(&[cells.len() as u8])?;
            summed.write_all(cells)?;
        }
        if version == VERSION_WITH_STAGES {
            summed.write_all(&[starts.len() as u8])?;
            for start in starts {
                summed.write_all(&start.to_le_bytes())?;
            }
        }
        Ok(summed)
    }

    fn end(self) -> io::Result<()> {
        self.inner.write_all(&self.sum.finalize().to_le_bytes())
    }
}

impl Write for Summed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.sum.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

fn write_network(network: &Network, file: &mut dyn Write) -> io::Result<()> {
    let mut file = Summed::begin(file, TO_PLAY, &network.tuples, &network.stages)?;
    file.write_all(&network.step.to_le_bytes())?;
    let mut packer = DeflateEncoder::new(&mut file, Compression::best());
    for table in tables(&network.tuples, &network.stages) {
        let weights = &network.weights[table];
        let plane =
            |byte: usize| -> Vec<u8> { weights.iter().map(|w| w.to_le_bytes()[byte]).collect() };
        packer.write_all(&plane(1))?;
        packer.write_all(&plane(0))?;
    }
    packer.finish()?;
    file.end()
}

/// Where the weights of each tuple are, stage by stage.
fn tables(tuples: &Tuples, stages: &Stages) -> impl Iterator<Item = std::ops::Range<usize>> {
    let mut start = 0;
    let of_all = std::iter::repeat_n(tuples.cells(), stages.count()).flatten();
    of_all.map(move |cells| {
        let table = start..start + (1 << (4 * cells.len()));
        start = table.end;
        table
    })
}

fn write_state(
    learner: &Learner,
    curve: &Curve,
    seed: u64,
    file: &mut dyn Write,
) -> io::Result<()> {
    let mut file = Summed::begin(file, TO_LEARN, learner.tuples(), learner.stages())?;
    file.write_all(&seed.to_le_bytes())?;
    let coherent = learner.learning() == Learning::Tc;
    file.write_all(&[u8::from(coherent)])?;
    let initial = learner.initial();
    file.write_all(&initial.to_le_bytes())?;
    let points: Vec<&Point> = curve.points().collect();
    file.write_all(&(points.len() as u32).to_le_bytes())?;
    for point in points {
        write_point(point, &mut file)?;
    }
    let mut values: Vec<u8> = Vec::with_capacity(64 * 12);
    let count = learner.weights();
    for start in (0..count).step_by(64) {
        let mut changed = 0u64;
        values.clear();
        for index in start..count.min(start + 64) {
            // Read once: other threads may be learning.
            let (weight, errors) = (learner.weight(index), learner.errors(index));
            if weight.to_bits() == initial.to_bits() && errors == NO_ERRORS {
                continue;
            }
            changed |= 1 << (index - start);
            values.extend(weight.to_le_bytes());
            if coherent {
                values.extend(errors.0.to_le_bytes());
                values.extend(errors.1.to_le_bytes());
            }
        }
        file.write_all(&changed.to_le_bytes())?;
        file.write_all(&values)?;
    }
    file.end()
}

fn write_point(point: &Point, file: &mut impl Write) -> io::Result<()> {
    file.write_all(&point.games.to_le_bytes())?;
    file.write_all(&point.moves.to_le_bytes())?;
    file.write_all(&point.score.to_le_bytes())?;
    file.write_all(&point.best.to_le_bytes())?;
    for reached in point.reached {
        file.write_all(&reached.to_le_bytes())?;
    }
    file.write_all(&point.seconds.to_le_bytes())
}

/// What is wrong with a file, without its name.
struct Wrong(String);

impl Wrong {
    fn damaged(how: &str) -> Self {
        Wrong(format!("is damaged: {how}"))
    }

    fn of(self, path: &Path) -> TextError {
        TextError::new(format!("{} {}", path.display(), self.0))
    }
}

fn read_file(path: &Path) -> Result<Vec<u8>, TextError> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|mut file| {
        let beginning = MAGIC.len() as u64;
        (&mut file).take(beginning).read_to_end(&mut bytes)?;
        // What is no network may be of any size, or never end.
        if bytes == MAGIC {
            file.read_to_end(&mut bytes)?;
        }
        Ok(bytes)
    });
    read.map_err(|error| TextError::new(format!("{} cannot be read: {error}", path.display())))
}

/// A file behind its tuples, without its checksum.
struct Content<'a> {
    kind: u8,
    tuples: Tuples,
    stages: Stages,
    rest: &'a [u8],
}

/// Checks the beginning and the end of a file.
fn open(bytes: &[u8]) -> Result<Content<'_>, Wrong> {
    let Some(mut rest) = bytes.strip_prefix(MAGIC) else {
        return Err(Wrong(
            "is no network for 2048: use a file that 'plywood train 2048' has written".to_owned(),
        ));
    };
    let [version] = take(&mut rest)?;
    if ![VERSION, VERSION_WITH_STAGES].contains(&version) {
        return Err(Wrong(format!(
            "has version {version} of the format: this program reads versions {VERSION} and \
             {VERSION_WITH_STAGES}"
        )));
    }
    let Some((content, sum)) = bytes.split_last_chunk::<CHECKSUM>() else {
        return Err(Wrong::damaged("it ends too early"));
    };
    if crc32fast::hash(content) != u32::from_le_bytes(*sum) {
        return Err(Wrong::damaged("its checksum is not that of its content"));
    }
    rest = &rest[..rest.len() - CHECKSUM];
    let [kind, count] = take(&mut rest)?;
    let mut cells = Vec::new();
    for _ in 0..count {
        let [length] = take(&mut rest)?;
        let Some((tuple, behind)) = rest.split_at_checked(usize::from(length)) else {
            return Err(Wrong::damaged("it ends too early"));
        };
        cells.push(tuple.to_vec());
        rest = behind;
    }
    let tuples = Tuples::new(cells).map_err(|error| Wrong::damaged(&error.to_string()))?;
    let mut starts = Vec::new();
    if version == VERSION_WITH_STAGES {
        let [count] = take(&mut rest)?;
        for _ in 0..count {
            starts.push(u32::from_le_bytes(take(&mut rest)?));
        }
    }
    let told = |error: TextError| Wrong::damaged(&error.to_string());
    let stages = Stages::new(starts).map_err(told)?;
    stages.check(&tuples).map_err(told)?;
    Ok(Content {
        kind,
        tuples,
        stages,
        rest,
    })
}

/// The next bytes.
fn take<const N: usize>(rest: &mut &[u8]) -> Result<[u8; N], Wrong> {
    let Some((bytes, behind)) = rest.split_first_chunk::<N>() else {
        return Err(Wrong::damaged("it ends too early"));
    };
    *rest = behind;
    Ok(*bytes)
}

fn take_float(rest: &mut &[u8]) -> Result<f32, Wrong> {
    let number = f32::from_le_bytes(take(rest)?);
    if number.is_finite() {
        Ok(number)
    } else {
        Err(Wrong::damaged("it has a weight that is no number"))
    }
}

fn read_network(content: &mut Content<'_>) -> Result<Network, Wrong> {
    match content.kind {
        TO_PLAY => {}
        TO_LEARN => return Ok(Network::of(&read_state(content)?.learner, None)),
        kind => return Err(Wrong(format!("holds something of the unknown kind {kind}"))),
    }
    let step = take_float(&mut content.rest)?;
    let mut unpacker = DeflateDecoder::new(content.rest);
    let mut weights = Vec::with_capacity(content.tuples.weights() * content.stages.count());
    for table in tables(&content.tuples, &content.stages) {
        let mut planes = vec![0; 2 * table.len()];
        unpacker
            .read_exact(&mut planes)
            .map_err(|_| Wrong::damaged("its weights cannot be unpacked"))?;
        let (high, low) = planes.split_at(table.len());
        let pairs = low.iter().zip(high);
        weights.extend(pairs.map(|(&low, &high)| i16::from_le_bytes([low, high])));
    }
    if unpacker.read(&mut [0]).is_ok_and(|more| more == 0) {
        Ok(Network {
            tuples: content.tuples.clone(),
            stages: content.stages.clone(),
            step,
            weights: kept(weights.into_iter()),
        })
    } else {
        Err(Wrong::damaged("it has more weights than tuples"))
    }
}

fn read_state(content: &mut Content<'_>) -> Result<State, Wrong> {
    let rest = &mut content.rest;
    let seed = u64::from_le_bytes(take(rest)?);
    let [coherent] = take(rest)?;
    let learning = match coherent {
        0 => Learning::Td,
        _ => Learning::Tc,
    };
    let initial = take_float(rest)?;
    let mut points = Vec::new();
    for _ in 0..u32::from_le_bytes(take(rest)?) {
        points.push(read_point(rest)?);
    }
    let (tuples, stages) = (content.tuples.clone(), content.stages.clone());
    let learner = Learner::starting_at(tuples, stages, learning, initial);
    let count = learner.weights();
    for start in (0..count).step_by(64) {
        let mut changed = u64::from_le_bytes(take(rest)?);
        while changed != 0 {
            let index = start + changed.trailing_zeros() as usize;
            changed &= changed - 1;
            if index >= count {
                return Err(Wrong::damaged("it has more weights than tuples"));
            }
            let weight = take_float(rest)?;
            let errors = match learning {
                Learning::Td => NO_ERRORS,
                Learning::Tc => (take_float(rest)?, take_float(rest)?),
            };
            learner.restore(index, weight, errors);
        }
    }
    if !rest.is_empty() {
        return Err(Wrong::damaged("it has more weights than tuples"));
    }
    Ok(State {
        learner,
        curve: Curve::from_points(points),
        seed,
    })
}

fn read_point(rest: &mut &[u8]) -> Result<Point, Wrong> {
    let mut point = Point {
        games: u64::from_le_bytes(take(rest)?),
        moves: u64::from_le_bytes(take(rest)?),
        score: u64::from_le_bytes(take(rest)?),
        best: u32::from_le_bytes(take(rest)?),
        ..Point::default()
    };
    for reached in &mut point.reached {
        *reached = u64::from_le_bytes(take(rest)?);
    }
    point.seconds = f64::from_le_bytes(take(rest)?);
    if point.seconds.is_finite() && point.seconds >= 0.0 && point.games > 0 {
        Ok(point)
    } else {
        Err(Wrong::damaged("its learning curve makes no sense"))
    }
}
