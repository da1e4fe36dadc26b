//! Reads a sweep file: TOML, with every complaint naming its line.

use std::path::Path;

use plywood::{MAX_DEPTH, MAX_THREADS, Table};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::spec::{PositionSpec, Set, Source, Spec, Value};
use crate::LabError;
use crate::record::{Workload, cores};

/// What a file may say once, for all sets.
const GENERAL_KEYS: [&str; 6] = [
    "name",
    "reproduces",
    "seed",
    "warmup",
    "fill_cores",
    "trace",
];

/// What a file may say for all sets, and each set for itself.
const SET_KEYS: [&str; 13] = [
    "games",
    "positions",
    "workload",
    "moves",
    "searches",
    "evaluation",
    "after_chance",
    "memory",
    "strategies",
    "budgets",
    "depths",
    "threads",
    "repeats",
];

/// The most repetitions of a setting.
pub(super) const MAX_REPEATS: u32 = 10_000;

/// Where complaints are to point.
#[derive(Clone, Copy)]
struct Reader<'a> {
    name: &'a str,
    text: &'a str,
}

/// Reads a sweep file from disk.
pub(super) fn read_file(path: &Path) -> Result<Spec, LabError> {
    let shown = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|error| {
        LabError::Input(format!(
            "{shown} cannot be read: {error}; use the path of a sweep file"
        ))
    })?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        LabError::Input(format!(
            "{shown}:{line}: this is no UTF-8 text; a sweep file is TOML"
        ))
    })?;
    let mut spec = read(&shown, &text)?;
    if spec.name.is_empty() {
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        spec.name = stem.unwrap_or("sweep").to_owned();
    }
    Ok(spec)
}

/// Reads the text of a sweep file; `name` is what complaints call it.
pub(super) fn read(name: &str, text: &str) -> Result<Spec, LabError> {
    let reader = Reader { name, text };
    let table = DeTable::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        reader.error(at, &format!("no TOML: {}", error.message().trim()))
    })?;
    let table = table.get_ref();
    let mut spec = Spec {
        file: name.to_owned(),
        ..Spec::default()
    };
    let mut common = Set::default();
    let mut sets = None;
    for (key, value) in table {
        match key.get_ref().as_ref() {
            "name" => spec.name = reader.text(key, value)?,
            "reproduces" => spec.reproduces = Some(reader.text(key, value)?),
            "seed" => spec.seed = reader.number(key, value, 0, i64::MAX as u64)?,
            "warmup" => spec.warmup = reader.number(key, value, 0, 100)? as u32,
            "fill_cores" => spec.fill_cores = reader.flag(key, value)?,
            "trace" => spec.trace = reader.flag(key, value)?,
            "set" => sets = Some(value),
            _ => reader.set_key(&mut common, key, value, true)?,
        }
    }
    let Some(sets) = sets else {
        spec.sets = vec![common];
        return Ok(spec);
    };
    let list = sets.get_ref().as_array().ok_or_else(|| {
        reader.error(
            sets.span().start,
            "set is not a list of tables: begin each set with a line [[set]]",
        )
    })?;
    for table in list {
        let keys = table.get_ref().as_table().ok_or_else(|| {
            reader.error(
                table.span().start,
                "a set is a table: begin it with a line [[set]]",
            )
        })?;
        let mut set = Set {
            line: reader.line(table.span().start),
            ..common.clone()
        };
        for (key, value) in keys {
            reader.set_key(&mut set, key, value, false)?;
        }
        spec.sets.push(set);
    }
    Ok(spec)
}

type Key<'a> = Spanned<std::borrow::Cow<'a, str>>;

impl Reader<'_> {
    fn line(&self, at: usize) -> usize {
        let before = self.text.get(..at).unwrap_or(self.text);
        1 + before.bytes().filter(|&byte| byte == b'\n').count()
    }

    fn error(&self, at: usize, message: &str) -> LabError {
        let line = self.line(at);
        let words: Vec<&str> = message.split_whitespace().collect();
        LabError::Input(format!("{}:{line}: {}", self.name, words.join(" ")))
    }

    fn wrong(&self, key: &Key<'_>, value: &Spanned<DeValue<'_>>, accepted: &str) -> LabError {
        let found: String = self.text[value.span()].chars().take(40).collect();
        self.error(
            value.span().start,
            &format!("{} cannot be {found}: use {accepted}", key.get_ref()),
        )
    }

    fn set_key(
        &self,
        set: &mut Set,
        key: &Key<'_>,
        value: &Spanned<DeValue<'_>>,
        top: bool,
    ) -> Result<(), LabError> {
        match key.get_ref().as_ref() {
            "games" => set.games = self.texts(key, value)?,
            "positions" => set.positions = self.positions(key, value)?,
            "workload" => {
                set.workload = match value.get_ref().as_str() {
                    Some("search") => Workload::Search,
                    Some("selfplay") => Workload::Selfplay { moves: None },
                    _ => return Err(self.wrong(key, value, "\"search\" or \"selfplay\"")),
                };
            }
            "moves" => {
                let moves = self.number(key, value, 1, 1_000_000)? as u32;
                set.moves = Some(self.at(value, moves));
            }
            "searches" => set.searches = self.texts(key, value)?,
            "evaluation" => {
                let name = self.text(key, value)?;
                set.evaluation = (name != "default").then(|| self.at(value, name));
            }
            "after_chance" => {
                set.after_chance = self.flag(key, value)?;
            }
            "memory" => {
                let size = value.get_ref().as_str().and_then(read_size);
                set.table_bytes = size.ok_or_else(|| self.wrong(key, value, MEMORY))?;
            }
            "strategies" => set.strategies = self.texts(key, value)?,
            "budgets" => set.budgets = self.numbers(key, value, 1, MAX_DEPTH.into(), None)?,
            "depths" => set.depths = self.numbers(key, value, 1, MAX_DEPTH.into(), None)?,
            "threads" => {
                set.threads = self.numbers(key, value, 1, MAX_THREADS as u64, Some("cores"))?;
            }
            "repeats" => set.repeats = self.number(key, value, 1, MAX_REPEATS.into())? as u32,
            _ => {
                let set_keys = SET_KEYS.iter().copied();
                let accepted: Vec<&str> = match top {
                    true => GENERAL_KEYS.into_iter().chain(set_keys).collect(),
                    false => set_keys.collect(),
                };
                let place = if top { "" } else { " in a set" };
                return Err(self.error(
                    key.span().start,
                    &format!(
                        "unknown key '{}'{place}: use one of {}{}",
                        key.get_ref(),
                        accepted.join(", "),
                        if top { ", [[set]]" } else { "" }
                    ),
                ));
            }
        }
        Ok(())
    }

    fn at<T>(&self, value: &Spanned<DeValue<'_>>, item: T) -> Value<T> {
        Value {
            value: item,
            source: Source::Line(self.line(value.span().start)),
        }
    }

    fn flag(&self, key: &Key<'_>, value: &Spanned<DeValue<'_>>) -> Result<bool, LabError> {
        let flag = value.get_ref().as_bool();
        flag.ok_or_else(|| self.wrong(key, value, "true or false"))
    }

    fn text(&self, key: &Key<'_>, value: &Spanned<DeValue<'_>>) -> Result<String, LabError> {
        let text = value.get_ref().as_str();
        text.map(str::to_owned)
            .ok_or_else(|| self.wrong(key, value, "a text in quotes"))
    }

    fn number(
        &self,
        key: &Key<'_>,
        value: &Spanned<DeValue<'_>>,
        least: u64,
        most: u64,
    ) -> Result<u64, LabError> {
        integer(value.get_ref())
            .filter(|number| (least..=most).contains(number))
            .ok_or_else(|| self.wrong(key, value, &format!("a number from {least} to {most}")))
    }

    /// The values of an axis: a list, or one value alone.
    fn items<'v, 'i>(
        &self,
        key: &Key<'_>,
        value: &'v Spanned<DeValue<'i>>,
    ) -> Result<Vec<&'v Spanned<DeValue<'i>>>, LabError> {
        let Some(list) = value.get_ref().as_array() else {
            return Ok(vec![value]);
        };
        if list.is_empty() {
            let message = format!(
                "{} is an empty list: give at least one value",
                key.get_ref()
            );
            return Err(self.error(value.span().start, &message));
        }
        Ok(list.iter().collect())
    }

    fn texts(
        &self,
        key: &Key<'_>,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<Vec<Value<String>>, LabError> {
        self.items(key, value)?
            .into_iter()
            .map(|item| Ok(self.at(item, self.text(key, item)?)))
            .collect()
    }

    fn numbers(
        &self,
        key: &Key<'_>,
        value: &Spanned<DeValue<'_>>,
        least: u64,
        most: u64,
        cores_word: Option<&str>,
    ) -> Result<Vec<Value<u32>>, LabError> {
        let accepted = match cores_word {
            Some(word) => format!("numbers from {least} to {most}, or \"{word}\""),
            None => format!("numbers from {least} to {most}"),
        };
        let mut list = Vec::new();
        for item in self.items(key, value)? {
            let word = item.get_ref().as_str();
            let number = match word {
                Some(_) if word == cores_word => Some(cores() as u64),
                _ => integer(item.get_ref()),
            };
            let number = number
                .filter(|number| (least..=most).contains(number))
                .ok_or_else(|| self.wrong(key, item, &accepted))?;
            list.push(self.at(item, number as u32));
        }
        Ok(list)
    }

    fn positions(
        &self,
        key: &Key<'_>,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<Vec<Value<PositionSpec>>, LabError> {
        const ACCEPTED: &str =
            "\"start\", \"example\", a position as text, or { name = \"…\", text = \"…\" }";
        let mut list = Vec::new();
        for item in self.items(key, value)? {
            let position = match item.get_ref() {
                DeValue::String(text) => PositionSpec::from_text(text),
                DeValue::Table(table) => {
                    let mut position = PositionSpec::default();
                    for (part, text) in table {
                        match part.get_ref().as_ref() {
                            "name" => position.name = self.text(part, text)?,
                            "text" => position.text = self.text(part, text)?,
                            other => {
                                let message = format!(
                                    "unknown key '{other}' of a position: use name and text"
                                );
                                return Err(self.error(part.span().start, &message));
                            }
                        }
                    }
                    if position.name.is_empty() || position.text.is_empty() {
                        return Err(self.wrong(key, item, ACCEPTED));
                    }
                    position
                }
                _ => return Err(self.wrong(key, item, ACCEPTED)),
            };
            list.push(self.at(item, position));
        }
        Ok(list)
    }
}

fn integer(value: &DeValue<'_>) -> Option<u64> {
    let number = value.as_integer()?;
    u64::from_str_radix(number.as_str(), number.radix()).ok()
}

const MEMORY: &str = "a size of at least 1K and at most what the machine has, in quotes, like \"512K\", \"64M\" or \"1G\"";

/// A size of the table: `64M`.
fn read_size(text: &str) -> Option<usize> {
    let (number, factor) = match text.char_indices().last()? {
        (at, 'K') => (&text[..at], 1 << 10),
        (at, 'M') => (&text[..at], 1 << 20),
        (at, 'G') => (&text[..at], 1 << 30),
        _ => (text, 1),
    };
    let digits = number.bytes().all(|byte| byte.is_ascii_digit());
    let size = number.parse::<usize>().ok().filter(|_| digits)?;
    let size = size.checked_mul(factor)?;
    (Table::MIN_BYTES..=crate::values::machine_memory())
        .contains(&size)
        .then_some(size)
}

/// A size as it is read.
pub(super) fn write_size(bytes: usize) -> String {
    match bytes {
        _ if bytes.is_multiple_of(1 << 30) => format!("{}G", bytes >> 30),
        _ if bytes.is_multiple_of(1 << 20) => format!("{}M", bytes >> 20),
        _ if bytes.is_multiple_of(1 << 10) => format!("{}K", bytes >> 10),
        _ => bytes.to_string(),
    }
}
