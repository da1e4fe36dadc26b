//! Searches that are watched while they run.

use std::sync::Arc;

use axum::extract::State;
use axum::http::Method;
use plywood_games::registry::{self, AnyGame, Position};
use serde::Deserialize;
use serde_json::json;

use super::{Route, Studio, aside, route};
use crate::body::Json;
use crate::failure::Failure;
use crate::level;
use crate::tables::MOST_MOVES;
use crate::thinking::{Events, Job};
use crate::way::Way;

pub(super) fn routes() -> Vec<Route> {
    vec![route(Method::POST, "/api/v1/search", search)]
}

/// A position of a game, as a request names it.
pub(super) struct Place {
    pub(super) game: Arc<dyn AnyGame>,
    pub(super) position: Position,
    /// The position before the last move, if there was one.
    pub(super) before: Option<Position>,
}

impl Place {
    /// Reads a game, a position and moves from there.
    pub(super) fn read(
        game: &str,
        position: Option<&str>,
        moves: &[String],
    ) -> Result<Self, Failure> {
        if moves.len() > MOST_MOVES {
            return Err(Failure::too_large(format!(
                "{} moves are more than the {MOST_MOVES} that are read",
                moves.len()
            )));
        }
        let game: Arc<dyn AnyGame> = registry::open(game)
            .map_err(|error| Failure::bad("bad-game", error.to_string()))?
            .into();
        let mut now = match position {
            Some(text) => game
                .read_position(text)
                .map_err(|error| Failure::bad("bad-position", error.to_string()))?,
            None => game.start(),
        };
        let mut before = None;
        for (index, mv) in moves.iter().enumerate() {
            let after = game.play(&now, mv).map_err(|error| {
                Failure::bad("bad-move", format!("move {}: {error}", index + 1))
            })?;
            before = Some(std::mem::replace(&mut now, after));
        }
        Ok(Place {
            game,
            position: now,
            before,
        })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Search {
    game: String,
    #[serde(default)]
    position: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    /// The strongest way there is, with no end unless one is given.
    #[serde(default)]
    analysis: bool,
    #[serde(default)]
    all_moves: Option<bool>,
    #[serde(default)]
    trace: bool,
    #[serde(default)]
    level: Option<u8>,
    #[serde(default)]
    engine: Option<String>,
    #[serde(default)]
    search: Option<String>,
    #[serde(default)]
    strategy: Option<String>,
    #[serde(default)]
    evaluation: Option<String>,
    #[serde(default)]
    after_chance: Option<bool>,
    #[serde(default)]
    depth: Option<u32>,
    #[serde(default)]
    time_ms: Option<u64>,
    #[serde(default)]
    nodes: Option<u64>,
    #[serde(default)]
    threads: Option<usize>,
    #[serde(default)]
    memory_mb: Option<usize>,
}

async fn search(State(studio): Studio, Json(ask): Json<Search>) -> Result<Events, Failure> {
    aside(move || {
        let bounds = studio.thinking.bounds();
        let place = Place::read(&ask.game, ask.position.as_deref(), &ask.moves)?;
        let way = Way {
            level: ask.level,
            engine: ask.engine,
            search: ask.search,
            strategy: ask.strategy,
            evaluation: ask.evaluation,
            after_chance: ask.after_chance,
            depth: ask.depth,
            time_ms: ask.time_ms,
            nodes: ask.nodes,
            threads: ask.threads,
            memory_mb: ask.memory_mb,
        };
        let game = &*place.game;
        let named = way.level.is_some() || way.engine.is_some() || way.search.is_some();
        let chosen = if ask.analysis && !named {
            level::best(game, &way, bounds)?
        } else {
            way.choose(game, bounds, ask.analysis)?
        };
        chosen.check(game)?;
        let long = chosen.is_long();
        let job = Job {
            game: place.game,
            position: place.position,
            all_moves: ask.all_moves.unwrap_or(true),
            trace: ask.trace,
            chosen,
        };
        studio.thinking.start(long, move |desk| {
            let thought = job.run(desk)?;
            let report = thought.json(&job.chosen);
            desk.outbox.send("done", &json!({ "report": report }));
            Ok(())
        })
    })
    .await
}
