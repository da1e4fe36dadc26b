//! What the API says of itself.

use axum::http::StatusCode;
use axum::response::Response;
use serde_json::{Value, json};

use crate::body::json_response;

/// The description in OpenAPI.
pub(crate) async fn describe() -> Response {
    json_response(StatusCode::OK, &document())
}

/// The whole document.
fn document() -> Value {
    json!({ "openapi": "3.1.0" })
}
