//! Any text as a search, a strategy and a game: what is read is written back the same.
#![no_main]

use std::fmt::{Debug, Display};
use std::str::FromStr;

use libfuzzer_sys::fuzz_target;
use plywood::{Search, Settings, SettingsError, Strategy};
use plywood_fuzz::check_error;
use plywood_games::blokus::{Classic, Duo};
use plywood_games::gomoku::Gomoku;
use plywood_games::kalah::Kalah;
use plywood_games::registry::open;
use plywood_games::twenty48::Twenty48;

fn check_round_trip<T>(text: &str)
where
    T: FromStr<Err = SettingsError> + Display + PartialEq + Debug,
{
    match text.parse::<T>() {
        Ok(value) => {
            let written = value.to_string();
            assert_eq!(written.parse::<T>(), Ok(value), "{text:?} as {written:?}");
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fn check_game(text: &str) {
    match open(text) {
        Ok(game) => {
            let spec = game.spec();
            let again = open(spec).unwrap_or_else(|error| panic!("{spec}: {error}"));
            assert_eq!(again.spec(), spec, "{text:?}");
            let start = game.write_position(&game.start());
            assert_eq!(again.write_position(&again.start()), start);
        }
        Err(error) => check_error(&error),
    }
}

/// The lines of the input are a search, a strategy, a number of threads, and the rest.
fn check_settings(text: &str) -> Result<(), SettingsError> {
    let mut lines = text.lines();
    let mut line = || lines.next().unwrap_or_default();
    let (search, strategy, threads) = (line(), line(), line());
    let threads = threads.parse().unwrap_or(1);
    let settings = Settings::new(search)?.parallel(strategy, threads)?;
    for checked in [
        settings.check::<Kalah>(),
        settings.check::<Gomoku>(),
        settings.check::<Classic>(),
        settings.check::<Duo>(),
        settings.check::<Twenty48>(),
    ] {
        match checked {
            Ok(()) => assert!((1..=plywood::MAX_THREADS).contains(&threads)),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    Ok(())
}

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    for part in text.lines().chain([&*text]) {
        check_round_trip::<Search>(part);
        check_round_trip::<Strategy>(part);
        check_game(part);
    }
    if let Err(error) = check_settings(&text) {
        assert!(!error.to_string().is_empty());
    }
});
