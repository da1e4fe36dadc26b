//! Runs of the lab.

use std::time::Duration;

use axum::extract::{Path, Query, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Route, Studio, aside, route};
use crate::body::Json;
use crate::failure::Failure;
use crate::thinking::{Events, outbox};

/// How often the progress of a sweep is looked at.
const LOOK: Duration = Duration::from_millis(300);

/// What a report may do: look good, and nothing else.
const REPORT_POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox";

pub(super) fn routes() -> Vec<Route> {
    vec![
        route(Method::GET, "/api/v1/lab/runs", runs),
        route(Method::GET, "/api/v1/lab/runs/{id}/report", report),
        route(Method::GET, "/api/v1/lab/compare", compare),
        route(Method::POST, "/api/v1/lab/sweeps", start),
        route(Method::GET, "/api/v1/lab/sweeps/{id}", watch),
        route(Method::DELETE, "/api/v1/lab/sweeps/{id}", stop),
    ]
}

async fn runs(State(studio): Studio) -> Result<Json<Value>, Failure> {
    aside(move || Ok(Json(Value::Array(studio.lab.runs())))).await
}

async fn report(State(studio): Studio, Path(id): Path<String>) -> Result<Response, Failure> {
    let page = aside(move || studio.lab.report(&id)).await?;
    let mut response = (StatusCode::OK, page).into_response();
    let headers = response.headers_mut();
    let html = HeaderValue::from_static("text/html; charset=utf-8");
    headers.insert(header::CONTENT_TYPE, html);
    let policy = HeaderValue::from_static(REPORT_POLICY);
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    Ok(response)
}

#[derive(Deserialize)]
struct Both {
    a: String,
    b: String,
}

async fn compare(State(studio): Studio, Query(runs): Query<Both>) -> Result<Json<Value>, Failure> {
    aside(move || studio.lab.compare(&runs.a, &runs.b).map(Json)).await
}

/// A sweep: the text of a sweep file, or the fields of one.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sweep {
    #[serde(default)]
    toml: Option<String>,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    games: Vec<String>,
    #[serde(default)]
    positions: Vec<String>,
    #[serde(default)]
    searches: Vec<String>,
    #[serde(default)]
    evaluation: Option<String>,
    #[serde(default)]
    strategies: Vec<String>,
    #[serde(default)]
    budgets: Vec<u32>,
    #[serde(default)]
    depths: Vec<u32>,
    #[serde(default)]
    threads: Vec<u32>,
    #[serde(default)]
    repeats: Option<u32>,
    #[serde(default)]
    warmup: Option<u32>,
    #[serde(default)]
    seed: Option<u32>,
}

impl Sweep {
    /// The text of a sweep file. Lists and texts in JSON are lists and texts in TOML.
    fn text(&self) -> String {
        if let Some(toml) = &self.toml {
            return toml.clone();
        }
        let mut text = String::new();
        let mut field = |name: &str, value: Value| {
            let empty = value.is_null() || value.as_array().is_some_and(Vec::is_empty);
            if !empty {
                text += &format!("{name} = {value}\n");
            }
        };
        field("name", json!(self.name));
        field("seed", json!(self.seed));
        field("warmup", json!(self.warmup));
        field("repeats", json!(self.repeats));
        field("games", json!(self.games));
        field("positions", json!(self.positions));
        field("searches", json!(self.searches));
        field("evaluation", json!(self.evaluation));
        field("strategies", json!(self.strategies));
        field("budgets", json!(self.budgets));
        field("depths", json!(self.depths));
        field("threads", json!(self.threads));
        text
    }
}

async fn start(State(studio): Studio, Json(sweep): Json<Sweep>) -> Result<Json<Value>, Failure> {
    aside(move || {
        let bounds = studio.thinking.bounds();
        studio.lab.start(&sweep.text(), bounds).map(Json)
    })
    .await
}

async fn watch(State(studio): Studio, Path(id): Path<String>) -> Result<Events, Failure> {
    let lab = studio.lab.clone();
    let (progress, running) = lab.progress(&id)?;
    let (outbox, events) = outbox();
    tokio::spawn(async move {
        let (mut progress, mut running) = (progress, running);
        while running && !outbox.is_closed() {
            outbox.show("progress", &progress);
            tokio::time::sleep(LOOK).await;
            let (lab, id) = (lab.clone(), id.clone());
            match aside(move || lab.progress(&id)).await {
                Ok(now) => (progress, running) = now,
                Err(_) => break,
            }
        }
        outbox.show("done", &progress);
        outbox.finish();
    });
    Ok(events)
}

async fn stop(State(studio): Studio, Path(id): Path<String>) -> Result<Json<Value>, Failure> {
    studio.lab.stop(&id)?;
    Ok(Json(json!({ "stopped": id })))
}
