//! How a command ends that cannot do what it was asked for.

use std::io::{self, Write};
use std::process::ExitCode;

use plywood::SettingsError;
use plywood_games::TextError;
use plywood_lab::LabError;

/// Why a command ends early.
#[derive(Debug)]
pub enum Failure {
    /// What was asked for makes no sense: one line that says why and what is accepted.
    Input(String),
    /// The answer could not be written.
    Output(io::Error),
    /// Something that makes sense could not be done.
    Failed(String),
}

impl Failure {
    /// Tells the user, and gives the exit status.
    pub fn report(&self) -> ExitCode {
        let (line, status) = match self {
            Failure::Input(message) => (message.clone(), 2),
            // Whoever read our output has seen enough: nothing went wrong.
            Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                return ExitCode::SUCCESS;
            }
            Failure::Failed(message) => (message.clone(), 1),
            Failure::Output(error) => (format!("the output cannot be written: {error}"), 1),
        };
        // If even this cannot be written there is nobody to tell.
        let _ = writeln!(io::stderr(), "plywood: {}", printable(&line));
        ExitCode::from(status)
    }
}

/// The text on one line, whatever was typed and quoted in it.
pub fn printable(text: &str) -> String {
    text.chars()
        .flat_map(|character| {
            let escaped = character.is_control().then(|| character.escape_default());
            let kept = escaped.is_none().then_some(character);
            escaped.into_iter().flatten().chain(kept)
        })
        .collect()
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Failure::Input(message)
    }
}

impl From<TextError> for Failure {
    fn from(error: TextError) -> Self {
        Failure::Input(error.to_string())
    }
}

impl From<SettingsError> for Failure {
    fn from(error: SettingsError) -> Self {
        Failure::Input(error.to_string())
    }
}

impl From<LabError> for Failure {
    fn from(error: LabError) -> Self {
        match error {
            LabError::Input(line) => Failure::Input(line),
            LabError::Failed(line) => Failure::Failed(line),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Output(error)
    }
}
