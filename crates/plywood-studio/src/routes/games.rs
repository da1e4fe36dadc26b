//! What there is to play, positions, and how the server is.

use axum::extract::State;
use axum::http::Method;
use plywood::parallel::STRATEGIES;
use plywood_games::registry::{self, GameInfo};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Route, Studio, aside, route, uptime};
use crate::body::{Json, MOST_BYTES};
use crate::failure::Failure;
use crate::tables::{MOST_MOVES, MOST_TABLES};
use crate::view::{Scene, pieces, players};
use crate::{level, way};

pub(super) fn routes() -> Vec<Route> {
    vec![
        route(Method::GET, "/api/v1/status", status),
        route(Method::GET, "/api/v1/games", games),
        route(Method::GET, "/api/v1/blokus/pieces", all_pieces),
        route(Method::POST, "/api/v1/position", position),
    ]
}

async fn status(State(studio): Studio) -> Json<Value> {
    let (places, running, queued) = studio.thinking.figures();
    let bounds = studio.thinking.bounds();
    Json(json!({
        "version": env!("CARGO_PKG_VERSION"),
        "uptime_s": uptime(&studio),
        "cores": plywood_lab::record::cores(),
        "running": running,
        "queued": queued,
        "tables": studio.tables.count(),
        "store": studio.tables.folder(),
        "limits": {
            "searches": places,
            "threads": bounds.threads,
            "memory_mb": bounds.memory_mb,
            "depth": plywood::MAX_DEPTH,
            "time_ms": way::MOST_MS,
            "analysis_ms": way::LONGEST_ANALYSIS.as_millis() as u64,
            "nodes": way::MOST_NODES,
            "body_bytes": MOST_BYTES,
            "tables": MOST_TABLES,
            "moves": MOST_MOVES,
        },
    }))
}

async fn games() -> Result<Json<Value>, Failure> {
    let all: Result<Vec<Value>, Failure> = registry::games().iter().map(game_json).collect();
    Ok(Json(Value::Array(all?)))
}

fn game_json(info: &'static GameInfo) -> Result<Value, Failure> {
    let game = info.open(None)?;
    let options = info.options.iter().map(|option| {
        json!({
            "name": option.name,
            "summary": option.summary,
            "default": option.default,
            "accepts": option.accepted.describe(),
            "values": values(&option.accepted),
        })
    });
    let named = |name: &str, summary: &str| json!({ "name": name, "summary": summary });
    let evaluations = info.evaluations();
    let evaluations = evaluations.iter().map(|e| named(e.name, e.summary));
    let engines = info.engines();
    let engines = engines.iter().map(|e| named(e.name, e.summary));
    let searches = info.searches();
    let searches = searches.iter().map(|search| {
        let fits = STRATEGIES.iter().filter(|info| (info.fits)(search.family));
        let strategies =
            fits.map(|s| json!({ "name": s.name, "usage": s.usage, "summary": s.summary }));
        json!({
            "name": search.name,
            "summary": search.summary,
            "strategies": strategies.collect::<Vec<_>>(),
        })
    });
    let levels =
        level::levels().map(|(level, summary)| json!({ "level": level, "summary": summary }));
    let (title, value) = words(info.name);
    Ok(json!({
        "name": info.name,
        "title": title,
        "summary": info.summary,
        "value": value,
        "players": players(&*game),
        "chance": info.chance,
        "options": options.collect::<Vec<_>>(),
        "evaluations": evaluations.collect::<Vec<_>>(),
        "engines": engines.collect::<Vec<_>>(),
        "searches": searches.collect::<Vec<_>>(),
        "search": info.search,
        "levels": levels.collect::<Vec<_>>(),
        "level": level::DEFAULT,
        "example": info.example,
    }))
}

/// A title, and what values are counted in.
fn words(name: &str) -> (&str, &'static str) {
    match name {
        "kalah" => ("Kalah", "stones ahead"),
        "gomoku" => ("Gomoku", "points ahead"),
        "blokus" => ("Blokus", "points"),
        "blokus-duo" => ("Blokus Duo", "points ahead"),
        "2048" => ("2048", "score to expect"),
        other => (other, "points"),
    }
}

/// All values of an option: an option has a few dozen at most.
fn values(accepted: &registry::Accepted) -> Vec<String> {
    let numbers = (0..=u8::MAX).map(|number| number.to_string());
    let numbers = numbers.filter(|number| accepted.contains(number));
    let mut all: Vec<String> = numbers.collect();
    // Words stand between the numbers and the end in the description.
    let described = accepted.describe();
    let words = described.split([',', ' ']).filter(|word| {
        let number = word.bytes().all(|byte| byte.is_ascii_digit());
        !number && accepted.contains(word)
    });
    all.extend(words.map(str::to_owned));
    all
}

async fn all_pieces() -> Json<Value> {
    Json(pieces())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PositionRequest {
    game: String,
    #[serde(default)]
    position: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
}

async fn position(Json(request): Json<PositionRequest>) -> Result<Json<Value>, Failure> {
    aside(move || {
        let place =
            super::search::Place::read(&request.game, request.position.as_deref(), &request.moves)?;
        let last = request.moves.last().map(String::as_str);
        let scene = Scene {
            game: &*place.game,
            position: &place.position,
            last: last.zip(place.before.as_ref()),
        };
        scene.view().map(Json)
    })
    .await
}
