//! JSON in and out, never more of it than agreed.

use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::failure::Failure;

/// The largest body of a request in bytes: a record of the longest game fits.
pub(crate) const MOST_BYTES: usize = 1 << 20;

/// How long a body may take to arrive.
const PATIENCE: Duration = Duration::from_secs(10);

/// The body of a request, read as JSON. Nothing at all is read as an object without fields.
pub(crate) struct Json<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, _: &S) -> Result<Self, Failure> {
        let (head, body) = request.into_parts();
        let length = head.headers.get(header::CONTENT_LENGTH);
        let length = length.and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
        if length.is_some_and(|length| length > MOST_BYTES as u64) {
            return Err(too_large());
        }
        let bytes = tokio::time::timeout(PATIENCE, to_bytes(body, MOST_BYTES))
            .await
            .map_err(|_| Failure::too_slow())?
            .map_err(|_| too_large())?;
        if bytes.is_empty() {
            return read(b"{}");
        }
        // A page of another site cannot declare this without asking first, and is refused.
        let kind = head.headers.get(header::CONTENT_TYPE);
        let kind = kind.and_then(|value| value.to_str().ok()).unwrap_or("");
        let kind = kind.split(';').next().unwrap_or("").trim();
        if !kind.eq_ignore_ascii_case("application/json") {
            return Err(Failure::not_json());
        }
        read(&bytes)
    }
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<Json<T>, Failure> {
    serde_json::from_slice(bytes)
        .map(Json)
        .map_err(|error| Failure::bad("bad-json", format!("the body is not understood: {error}")))
}

fn too_large() -> Failure {
    Failure::too_large(format!(
        "the body is larger than {MOST_BYTES} bytes, which is the most that is read"
    ))
}

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        json_response(StatusCode::OK, &self.0)
    }
}

/// An answer in JSON.
pub(crate) fn json_response(status: StatusCode, value: &impl Serialize) -> Response {
    let mut response = match serde_json::to_vec(value) {
        Ok(bytes) => Response::new(Body::from(bytes)),
        // Only maps with odd keys cannot be written, and there are none.
        Err(_) => return StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    };
    *response.status_mut() = status;
    let headers = response.headers_mut();
    let json = header::HeaderValue::from_static("application/json");
    headers.insert(header::CONTENT_TYPE, json);
    headers.insert(
        header::CACHE_CONTROL,
        header::HeaderValue::from_static("no-store"),
    );
    response
}
