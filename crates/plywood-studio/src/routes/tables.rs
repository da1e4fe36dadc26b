//! Games that are kept.

use axum::extract::{Path, Query, State};
use axum::http::{HeaderValue, Method, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Route, Shared, Studio, aside, route};
use crate::body::Json;
use crate::failure::Failure;
use crate::tables::{NewTable, SeatSpec, Spawner, Table};
use crate::thinking::{Events, Job};
use crate::way::Way;
use crate::{level, record};

pub(super) fn routes() -> Vec<Route> {
    vec![
        route(Method::GET, "/api/v1/tables", list),
        route(Method::POST, "/api/v1/tables", create),
        route(Method::GET, "/api/v1/tables/{id}", look),
        route(Method::DELETE, "/api/v1/tables/{id}", remove),
        route(Method::PATCH, "/api/v1/tables/{id}", change),
        route(Method::POST, "/api/v1/tables/{id}/move", play),
        route(Method::POST, "/api/v1/tables/{id}/undo", undo),
        route(Method::POST, "/api/v1/tables/{id}/redo", redo),
        route(Method::POST, "/api/v1/tables/{id}/goto", go_to),
        route(Method::POST, "/api/v1/tables/{id}/engine", engine),
        route(Method::GET, "/api/v1/tables/{id}/record", record),
        route(Method::POST, "/api/v1/tables/import", import),
    ]
}

type Answer = Result<Json<Value>, Failure>;

async fn list(State(studio): Studio) -> Answer {
    aside(move || Ok(Json(Value::Array(studio.tables.list())))).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Create {
    game: String,
    #[serde(default)]
    position: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    #[serde(default)]
    seats: Option<Vec<SeatSpec>>,
    #[serde(default)]
    spawner: Spawner,
    #[serde(default)]
    seed: Option<u64>,
    #[serde(default)]
    title: Option<String>,
}

async fn create(State(studio): Studio, Json(new): Json<Create>) -> Answer {
    aside(move || {
        let new = NewTable {
            game: new.game,
            position: new.position,
            moves: new.moves,
            seats: new.seats,
            spawner: new.spawner,
            seed: new.seed,
            title: new.title,
        };
        let table = Table::new(new, studio.thinking.bounds())?;
        warm(&studio, &table);
        studio.tables.add(table).map(Json)
    })
    .await
}

/// Makes the engines of a game before they are needed.
fn warm(studio: &Shared, table: &Table) {
    let bounds = studio.thinking.bounds();
    for seat in table.seats() {
        if let SeatSpec::Engine(way) = seat
            && let Ok(chosen) = way.choose(&**table.game(), bounds, false)
        {
            studio.thinking.warm(table.game().clone(), chosen);
        }
    }
}

async fn look(State(studio): Studio, Path(id): Path<String>) -> Answer {
    aside(move || studio.tables.look(&id, Table::json).map(Json)).await
}

async fn remove(State(studio): Studio, Path(id): Path<String>) -> Answer {
    aside(move || {
        studio.tables.delete(&id)?;
        Ok(Json(json!({ "deleted": id })))
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Patch {
    #[serde(default)]
    seats: Option<Vec<SeatSpec>>,
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    spawner: Option<Spawner>,
    #[serde(default)]
    version: Option<u64>,
}

async fn change(State(studio): Studio, Path(id): Path<String>, Json(patch): Json<Patch>) -> Answer {
    aside(move || {
        let bounds = studio.thinking.bounds();
        let change = |table: &mut Table| {
            if let Some(seats) = patch.seats {
                table.set_seats(seats, bounds)?;
                warm(&studio, table);
            }
            if let Some(title) = patch.title {
                table.set_title(title)?;
            }
            if let Some(spawner) = patch.spawner {
                table.set_spawner(spawner);
            }
            Ok(())
        };
        studio.tables.change(&id, patch.version, change).map(Json)
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Play {
    #[serde(rename = "move")]
    mv: String,
    /// The version that the move is meant for.
    version: u64,
}

async fn play(State(studio): Studio, Path(id): Path<String>, Json(play): Json<Play>) -> Answer {
    aside(move || {
        let made = studio
            .tables
            .change(&id, Some(play.version), |table| table.play(&play.mv));
        made.map(Json)
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Version {
    #[serde(default)]
    version: Option<u64>,
}

async fn undo(State(studio): Studio, Path(id): Path<String>, Json(ask): Json<Version>) -> Answer {
    aside(move || {
        let undone = studio.tables.change(&id, ask.version, Table::undo);
        undone.map(Json)
    })
    .await
}

async fn redo(State(studio): Studio, Path(id): Path<String>, Json(ask): Json<Version>) -> Answer {
    aside(move || {
        let redone = studio.tables.change(&id, ask.version, Table::redo);
        redone.map(Json)
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GoTo {
    at: usize,
    #[serde(default)]
    version: Option<u64>,
}

async fn go_to(State(studio): Studio, Path(id): Path<String>, Json(ask): Json<GoTo>) -> Answer {
    aside(move || {
        let gone = studio
            .tables
            .change(&id, ask.version, |table| table.go_to(ask.at));
        gone.map(Json)
    })
    .await
}

#[derive(Deserialize)]
struct Format {
    #[serde(default)]
    format: Option<String>,
}

async fn record(
    State(studio): Studio,
    Path(id): Path<String>,
    Query(ask): Query<Format>,
) -> Result<Response, Failure> {
    let format = ask.format.unwrap_or_else(|| "text".to_owned());
    let write = move || {
        studio
            .tables
            .look(&id, |table| record::write(table, &format))
    };
    let (text, kind) = aside(write).await?;
    let mut response = text.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Import {
    text: String,
    #[serde(default)]
    seats: Option<Vec<SeatSpec>>,
    #[serde(default)]
    title: Option<String>,
}

async fn import(State(studio): Studio, Json(ask): Json<Import>) -> Answer {
    aside(move || {
        let read = record::read(&ask.text)?;
        let new = NewTable {
            seats: ask.seats,
            title: ask.title.or(read.title),
            ..read
        };
        let table = Table::new(new, studio.thinking.bounds())?;
        studio.tables.add(table).map(Json)
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Engine {
    #[serde(default)]
    version: Option<u64>,
    /// Moves for the player whose turn it is, whoever that is.
    #[serde(default)]
    level: Option<u8>,
}

/// The engine whose turn it is thinks, and moves; or chance acts, where the server plays it.
async fn engine(
    State(studio): Studio,
    Path(id): Path<String>,
    Json(ask): Json<Engine>,
) -> Result<Events, Failure> {
    aside(move || {
        let bounds = studio.thinking.bounds();
        let (version, job, mut random) = studio.tables.look(&id, |table| {
            if let Some(version) = ask.version
                && version != table.version()
            {
                return Err(Failure::conflict(
                    "old-version",
                    format!(
                        "the game is at version {} and not {version}: look at it again",
                        table.version()
                    ),
                ));
            }
            let asked = ask.level.map(|level| Way {
                level: Some(level),
                ..Way::default()
            });
            let turn = table.game().turn(table.position());
            let asked = asked
                .as_ref()
                .filter(|_| matches!(turn, plywood::Turn::Player(_)));
            let job = match asked.or(table.engine_to_move()) {
                Some(way) => Some(Job {
                    game: table.game().clone(),
                    position: table.position().clone(),
                    chosen: way.choose(&**table.game(), bounds, false)?,
                    all_moves: false,
                    trace: false,
                }),
                None if table.waits_for_chance() => None,
                None => {
                    return Err(Failure::conflict(
                        "no-engine",
                        "it is not the turn of an engine: give its seat to one, or name a level",
                    ));
                }
            };
            Ok((table.version(), job, table.random()))
        })?;
        let tables = studio.tables.clone();
        let long = job.as_ref().is_some_and(|job| job.chosen.is_long());
        studio.thinking.start(long, move |desk| {
            let Some(job) = job else {
                let moved = tables.change(&id, Some(version), Table::settle)?;
                desk.outbox.send("moved", &moved);
                return Ok(());
            };
            let thought = job.run(desk)?;
            if desk.outbox.is_closed() {
                // Nobody waits for the move any more: it is not made.
                return Ok(());
            }
            let best = level::pick(&thought.report, job.chosen.preference, &mut random);
            let best = best.ok_or_else(|| Failure::failed("the engine has found no move"))?;
            let moved = tables.change(&id, Some(version), |table| table.play(&best))?;
            desk.outbox.send("moved", &moved);
            Ok(())
        })
    })
    .await
}
