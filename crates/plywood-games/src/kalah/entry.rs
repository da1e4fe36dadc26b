//! How Kalah is listed among the games.

use crate::registry::{Accepted, Choices, Entry, Evaluation, OptionInfo, OwnEngine};
use crate::text::TextError;

use super::rules::{MAX_PITS, MAX_STONES_PER_PIT};
use super::{Capture, End, Kalah, Rules, StoreDifference, Sweep, perfect};

impl Entry for Kalah {
    const NAME: &'static str = "kalah";
    const SUMMARY: &'static str = "sowing stones into pits and banking them";
    const OPTIONS: &'static [OptionInfo] = &[
        OptionInfo {
            name: "pits",
            summary: "pits a side",
            accepted: Accepted::numbers(1, MAX_PITS),
            default: "6",
        },
        OptionInfo {
            name: "stones",
            summary: "stones a pit at the start",
            accepted: Accepted::numbers(0, MAX_STONES_PER_PIT),
            default: "4",
        },
        OptionInfo {
            name: "capture",
            summary: "capture if the pit opposite is full, or even if empty",
            accepted: Accepted::words(&["full", "empty"]),
            default: "full",
        },
        OptionInfo {
            name: "end",
            summary: "which row has to be empty",
            accepted: Accepted::words(&["either", "mover"]),
            default: "either",
        },
        OptionInfo {
            name: "sweep",
            summary: "who gets what is left in a row",
            accepted: Accepted::words(&["owner", "other"]),
            default: "owner",
        },
    ];
    const EVALUATIONS: &'static [Evaluation<Self>] = &[Evaluation::of::<StoreDifference>(
        "stores",
        "the own store minus the other",
    )];
    const SEARCH: &'static str = "alphabeta";
    const ENGINES: &'static [OwnEngine<Self>] = &[OwnEngine::made_by(
        "perfect",
        "proves values with an end-game database, estimates the rest",
        perfect::make,
    )];
    const EXAMPLE: &'static str = "<6,10,8,1,0,6,2,7,1,0,5,2,1,0,5> s";

    fn choose(choices: &Choices) -> Result<Self, TextError> {
        let number = |name| choices.number(name).expect("numbers alone are accepted");
        Kalah::new(Rules {
            pits: number("pits"),
            stones: number("stones"),
            capture: match choices.word("capture") {
                "empty" => Capture::Always,
                _ => Capture::IfOppositeFull,
            },
            end: match choices.word("end") {
                "mover" => End::MoverRowEmpty,
                _ => End::EitherRowEmpty,
            },
            sweep: match choices.word("sweep") {
                "other" => Sweep::ToOther,
                _ => Sweep::ToOwner,
            },
        })
        .map_err(|error| TextError::new(error.to_string()))
    }
}
