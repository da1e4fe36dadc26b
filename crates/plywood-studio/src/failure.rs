//! How a request ends that cannot be answered: a status, a word for programs and one clear
//! line for people.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use plywood_games::TextError;
use plywood_lab::LabError;
use serde_json::{Value, json};

/// The longest line that is sent: what was typed may be quoted in it.
const LONGEST: usize = 400;

/// Why a request cannot be answered.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    status: StatusCode,
    code: &'static str,
    message: String,
}

impl Failure {
    fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Failure {
            status,
            code,
            message: one_line(&message.into()),
        }
    }

    /// The request makes no sense.
    pub(crate) fn bad(code: &'static str, message: impl Into<String>) -> Self {
        Failure::new(StatusCode::BAD_REQUEST, code, message)
    }

    /// There is no such thing.
    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Failure::new(StatusCode::NOT_FOUND, "not-found", message)
    }

    /// It made sense, but things have changed, or it cannot be done as they are.
    pub(crate) fn conflict(code: &'static str, message: impl Into<String>) -> Self {
        Failure::new(StatusCode::CONFLICT, code, message)
    }

    /// Somebody who may not.
    pub(crate) fn forbidden(code: &'static str, message: impl Into<String>) -> Self {
        Failure::new(StatusCode::FORBIDDEN, code, message)
    }

    /// Too much of something.
    pub(crate) fn too_large(message: impl Into<String>) -> Self {
        Failure::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", message)
    }

    /// The client is too slow.
    pub(crate) fn too_slow() -> Self {
        let message = "the request did not arrive in time: send it at once";
        Failure::new(StatusCode::REQUEST_TIMEOUT, "too-slow", message)
    }

    /// The request is not JSON.
    pub(crate) fn not_json() -> Self {
        Failure::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "not-json",
            "the body is not declared as JSON: send the header Content-Type: application/json",
        )
    }

    /// There is too much to do already.
    pub(crate) fn busy(message: impl Into<String>) -> Self {
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message)
    }

    /// Something that makes sense could not be done.
    pub(crate) fn failed(message: impl Into<String>) -> Self {
        Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "failed", message)
    }

    /// A mistake in the program: the request is lost, the server goes on.
    pub(crate) fn panicked() -> Self {
        Failure::failed("the server has made a mistake with this request; everything else goes on")
    }

    /// What an answer without words means.
    pub(crate) fn of_status(status: StatusCode) -> Self {
        let (code, message) = match status {
            StatusCode::NOT_FOUND => (
                "not-found",
                "there is nothing here: /api lists what there is",
            ),
            StatusCode::METHOD_NOT_ALLOWED => (
                "method",
                "this address does not take this method: /api lists what there is",
            ),
            status if status.is_client_error() => {
                ("bad-request", "the address is not one that /api lists")
            }
            _ => ("failed", "the request could not be answered"),
        };
        Failure::new(status, code, message)
    }

    /// The word for programs.
    pub(crate) fn code(&self) -> &'static str {
        self.code
    }

    /// The line for people.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// As JSON.
    pub(crate) fn json(&self) -> Value {
        json!({ "error": { "code": self.code, "message": self.message } })
    }
}

/// A text on one line that is not too long.
fn one_line(text: &str) -> String {
    let mut line: String = text
        .chars()
        .take(LONGEST)
        .map(|character| {
            if character.is_control() {
                ' '
            } else {
                character
            }
        })
        .collect();
    if line.len() < text.len() {
        line.push('…');
    }
    line
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        crate::body::json_response(self.status, &self.json())
    }
}

impl From<TextError> for Failure {
    fn from(error: TextError) -> Self {
        Failure::bad("bad-text", error.to_string())
    }
}

impl From<LabError> for Failure {
    fn from(error: LabError) -> Self {
        match error {
            LabError::Input(line) => Failure::bad("bad-sweep", line),
            LabError::Failed(line) => Failure::failed(line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_one_line_of_bounded_length() {
        let failure = Failure::bad("x", format!("a\nb\u{7}{}", "ü".repeat(1000)));
        assert!(failure.message().starts_with("a b üü"));
        assert!(failure.message().chars().count() <= LONGEST + 1);
    }
}
