//! The options of a game, as they are written behind its name.

use super::quoted;
use crate::text::TextError;

/// What a value of an option can be: a number of a range, or one of some words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Accepted {
    /// The least and the largest number, if it can be one.
    pub numbers: Option<(u8, u8)>,
    /// The words it can be.
    pub words: &'static [&'static str],
}

impl Accepted {
    /// A number from `least` to `most`.
    pub const fn numbers(least: u8, most: u8) -> Self {
        Accepted {
            numbers: Some((least, most)),
            words: &[],
        }
    }

    /// One of these words.
    pub const fn words(words: &'static [&'static str]) -> Self {
        Accepted {
            numbers: None,
            words,
        }
    }

    /// Also one of these words.
    pub const fn or(self, words: &'static [&'static str]) -> Self {
        Accepted { words, ..self }
    }

    /// Whether a text is such a value.
    pub fn contains(&self, text: &str) -> bool {
        let number = || {
            // A sign is refused, and zeros in front: a value is written in one way only.
            let plain = text == "0" || !text.starts_with('0');
            let digits = text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse::<u8>().ok().filter(|_| plain && digits)
        };
        self.words.contains(&text)
            || self.numbers.is_some_and(|(least, most)| {
                number().is_some_and(|number| (least..=most).contains(&number))
            })
    }

    /// What is accepted, for people: `1 to 8`, `full or empty`.
    pub fn describe(&self) -> String {
        let mut parts: Vec<String> = Vec::new();
        if let Some((least, most)) = self.numbers {
            parts.push(format!("{least} to {most}"));
        }
        parts.extend(self.words.iter().map(|word| (*word).to_owned()));
        match parts.as_slice() {
            [] => String::new(),
            [one] => one.clone(),
            [most @ .., last] => format!("{} or {last}", most.join(", ")),
        }
    }
}

/// An option of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OptionInfo {
    /// Its name.
    pub name: &'static str,
    /// What it means, in a few words.
    pub summary: &'static str,
    /// What it can be.
    pub accepted: Accepted,
    /// What it is if nothing is said.
    pub default: &'static str,
}

/// A value for every option of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choices {
    options: &'static [OptionInfo],
    values: Vec<String>,
}

impl Choices {
    /// Reads `size=19,rule=renju`; options that are not named have their defaults.
    pub(super) fn read(
        game: &str,
        options: &'static [OptionInfo],
        text: Option<&str>,
    ) -> Result<Self, TextError> {
        let mut values = vec![None; options.len()];
        for word in text.iter().flat_map(|text| text.split(',')) {
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            let Some(at) = options.iter().position(|option| option.name == name) else {
                return Err(TextError::new(unknown_option(game, options, name)));
            };
            let accepted = &options[at].accepted;
            if !accepted.contains(value) {
                return Err(TextError::new(format!(
                    "{} is not a value of {game}'s option {name}: use {name}= with {}",
                    quoted(value),
                    accepted.describe()
                )));
            }
            if values[at].replace(value.to_owned()).is_some() {
                return Err(TextError::new(format!(
                    "{game}'s option {name} is given twice: use each option once"
                )));
            }
        }
        let values = values
            .into_iter()
            .zip(options)
            .map(|(value, option)| value.unwrap_or_else(|| option.default.to_owned()))
            .collect();
        Ok(Choices { options, values })
    }

    /// The value of an option.
    ///
    /// # Panics
    /// If the game has no such option.
    pub fn word(&self, name: &str) -> &str {
        let at = self.options.iter().position(|option| option.name == name);
        &self.values[at.unwrap_or_else(|| panic!("an option {name} is declared"))]
    }

    /// The value of an option as a number, `None` if it is a word.
    ///
    /// # Panics
    /// If the game has no such option.
    pub fn number(&self, name: &str) -> Option<u8> {
        self.word(name).parse().ok()
    }

    /// The options that differ from their defaults, as they are read.
    pub(super) fn write(&self) -> String {
        let chosen: Vec<String> = self
            .options
            .iter()
            .zip(&self.values)
            .filter(|(option, value)| option.default != value.as_str())
            .map(|(option, value)| format!("{}={value}", option.name))
            .collect();
        chosen.join(",")
    }
}

fn unknown_option(game: &str, options: &[OptionInfo], name: &str) -> String {
    let accepted = if options.is_empty() {
        format!("{game} has no options")
    } else {
        let usages: Vec<String> = options
            .iter()
            .map(|option| format!("{}={}", option.name, option.default))
            .collect();
        format!("use {} (these are the defaults)", usages.join(", "))
    };
    format!("{game} has no option {}: {accepted}", quoted(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: &[OptionInfo] = &[
        OptionInfo {
            name: "size",
            summary: "rows",
            accepted: Accepted::numbers(5, 20).or(&["any"]),
            default: "15",
        },
        OptionInfo {
            name: "rule",
            summary: "what wins",
            accepted: Accepted::words(&["five", "six"]),
            default: "five",
        },
    ];

    fn read(text: &str) -> Result<Choices, String> {
        Choices::read("game", OPTIONS, Some(text)).map_err(|error| error.to_string())
    }

    #[test]
    fn options_are_read_and_written() {
        let choices = read("rule=six,size=20").expect("valid");
        assert_eq!(
            (choices.number("size"), choices.word("rule")),
            (Some(20), "six")
        );
        assert_eq!(choices.write(), "size=20,rule=six");
        assert_eq!(read("size=15").expect("valid").write(), "");
        assert_eq!(read("size=any").expect("valid").number("size"), None);
        let defaults = Choices::read("game", OPTIONS, None).expect("valid");
        assert_eq!(defaults.number("size"), Some(15));
    }

    #[test]
    fn errors_name_what_is_accepted() {
        for text in [
            "size=4", "size=21", "size=", "size", "size=+7", "size=07", "size=1e1",
        ] {
            let error = read(text).expect_err(text);
            assert!(error.ends_with("use size= with 5 to 20 or any"), "{error}");
        }
        assert_eq!(
            read("colour=red").expect_err("unknown"),
            "game has no option 'colour': use size=15, rule=five (these are the defaults)"
        );
        assert_eq!(
            read("rule=six,rule=six").expect_err("twice"),
            "game's option rule is given twice: use each option once"
        );
        assert!(read("").is_err(), "nothing behind the colon is no option");
    }
}
