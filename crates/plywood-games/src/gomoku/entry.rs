//! How Gomoku is listed among the games.

use crate::registry::{Accepted, Choices, Entry, Evaluation, OptionInfo, OwnEngine};
use crate::text::TextError;

use super::engine::Player;
use super::{Candidates, Gomoku, MAX_SIZE, MIN_SIZE, Report, Rule, Settings, Threats};

impl Entry for Gomoku {
    const NAME: &'static str = "gomoku";
    const SUMMARY: &'static str = "five in a row";
    const OPTIONS: &'static [OptionInfo] = &[
        OptionInfo {
            name: "size",
            summary: "rows and columns",
            accepted: Accepted::numbers(MIN_SIZE, MAX_SIZE),
            default: "15",
        },
        OptionInfo {
            name: "rule",
            summary: "what wins",
            accepted: Accepted::words(&["freestyle", "exactly-five", "renju"]),
            default: "freestyle",
        },
        OptionInfo {
            name: "distance",
            summary: "how far from stones searches look for moves",
            accepted: Accepted::numbers(1, MAX_SIZE).or(&["all"]),
            default: "2",
        },
        OptionInfo {
            name: "corner",
            summary: "play in the first rows and columns only",
            accepted: Accepted::numbers(1, MAX_SIZE).or(&["none"]),
            default: "none",
        },
    ];
    const EVALUATIONS: &'static [Evaluation<Self>] = &[
        Evaluation::of::<Threats>("threats", "fours, threes and twos, and who is to move"),
        Evaluation::of::<Report>("report", "runs of touching stones, black's count double"),
    ];
    const SEARCH: &'static str = "alphabeta";
    const ENGINES: &'static [OwnEngine<Self>] = &[OwnEngine::made_by(
        "threats",
        "wins by threats, then a search made for Gomoku",
        Player::make,
    )];
    const EXAMPLE: &'static str = "H8 I9 G7 I7 I8 G8 H7 H9";

    fn choose(choices: &Choices) -> Result<Self, TextError> {
        Gomoku::new(Settings {
            size: choices.number("size").expect("numbers alone are accepted"),
            rule: match choices.word("rule") {
                "exactly-five" => Rule::ExactlyFive,
                "renju" => Rule::Renju,
                _ => Rule::Freestyle,
            },
            candidates: match choices.number("distance") {
                Some(distance) => Candidates::Near(distance),
                None => Candidates::WholeBoard,
            },
            corner: choices.number("corner"),
        })
        .map_err(|error| TextError::new(error.to_string()))
    }
}
