//! A whole game looked at again, and one position looked at in several ways.

use std::time::Duration;

use axum::extract::State;
use axum::http::Method;
use plywood::Turn;
use plywood_games::registry::AnyGame;
use serde::Deserialize;
use serde_json::{Value, json};

use super::search::Place;
use super::{Route, Studio, aside, route};
use crate::body::Json;
use crate::failure::Failure;
use crate::level;
use crate::telling::{certainty, value};
use crate::thinking::{Desk, Events, Job, Thought};
use crate::way::{LONGEST_ANALYSIS, SHORT, Way};

/// The time for a position if nothing is said, in milliseconds.
const REVIEW_MS: u64 = 200;

/// The time for a way if nothing is said, in milliseconds.
const COMPARE_MS: u64 = 1000;

/// How many ways are compared at most.
const MOST_WAYS: usize = 12;

pub(super) fn routes() -> Vec<Route> {
    vec![
        route(Method::POST, "/api/v1/review", review),
        route(Method::POST, "/api/v1/compare", compare),
    ]
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Review {
    game: String,
    /// Where the game began.
    #[serde(default)]
    start: Option<String>,
    moves: Vec<String>,
    /// For each position.
    #[serde(default)]
    time_ms: Option<u64>,
    #[serde(default)]
    threads: Option<usize>,
}

async fn review(State(studio): Studio, Json(ask): Json<Review>) -> Result<Events, Failure> {
    aside(move || {
        let bounds = studio.thinking.bounds();
        // All moves are looked at before anything is searched.
        let end = Place::read(&ask.game, ask.start.as_deref(), &ask.moves)?;
        let time_ms = ask.time_ms.unwrap_or(REVIEW_MS);
        let total = within(ask.moves.len() as u64 + 1, time_ms, "positions")?;
        let way = Way {
            time_ms: Some(time_ms),
            threads: ask.threads,
            ..Way::default()
        };
        let game = end.game;
        let start = Place::read(&ask.game, ask.start.as_deref(), &[])?;
        let job = Job {
            chosen: level::best(&*game, &way, bounds)?,
            game,
            position: start.position,
            // What chance does next is not known: there a move is worth what the same
            // search says of it.
            all_moves: start.game.info().chance,
            trace: false,
        };
        studio.thinking.start(total > SHORT, move |desk| {
            review_game(job, &ask.moves, desk)
        })
    })
    .await
}

/// A position that was looked at, until it is known how the game went on.
struct Looked {
    at: usize,
    seat: usize,
    mv: String,
    thought: Thought,
}

impl Looked {
    /// What there is to say, when the position after the move is worth `after`.
    fn json(&self, after: Option<&Thought>) -> Value {
        let report = &self.thought.report;
        let of_seat = |thought: &Thought| thought.report.values.get(self.seat).copied();
        let same = report.best.as_deref() == Some(self.mv.as_str());
        let best_value = of_seat(&self.thought);
        let listed = report.root.iter().find(|root| root.mv == self.mv);
        let played_value = match listed {
            Some(root) => Some(root.value),
            None if same => best_value,
            None => after.and_then(of_seat),
        };
        let swing = match (best_value, played_value) {
            (Some(best), Some(played)) if !same => (best - played).max(0.0),
            _ => 0.0,
        };
        let mut json = position_json(self.at, &self.thought);
        json["seat"] = json!(self.seat);
        json["move"] = json!(self.mv);
        json["best_value"] = json!(best_value.map(value));
        json["played_value"] = json!(played_value.map(value));
        json["swing"] = json!(swing);
        json
    }
}

fn position_json(at: usize, thought: &Thought) -> Value {
    let report = &thought.report;
    let values: Vec<f64> = report.values.iter().copied().map(value).collect();
    json!({
        "at": at,
        "values": values,
        "certainty": certainty(report.certainty),
        "words": thought.words,
        "best": report.best,
        "line": report.line,
        "depth": report.depth,
    })
}

fn review_game(mut job: Job, moves: &[String], desk: &Desk<'_>) -> Result<(), Failure> {
    let mut waiting: Option<Looked> = None;
    for at in 0..=moves.len() {
        if desk.outbox.is_closed() {
            return Ok(());
        }
        let turn = job.game.turn(&job.position);
        if turn != Turn::Chance {
            let thought = job.run_silently(desk)?;
            if let Some(looked) = waiting.take() {
                desk.outbox.send("ply", &looked.json(Some(&thought)));
            }
            match (turn, moves.get(at)) {
                (Turn::Player(seat), Some(mv)) => {
                    waiting = Some(Looked {
                        at,
                        seat: seat.index(),
                        mv: mv.clone(),
                        thought,
                    });
                }
                _ => desk.outbox.send("ply", &position_json(at, &thought)),
            }
        }
        if let Some(mv) = moves.get(at) {
            job.position = job.game.play(&job.position, mv)?;
        }
    }
    if let Some(looked) = waiting {
        desk.outbox.send("ply", &looked.json(None));
    }
    desk.outbox
        .send("done", &json!({ "positions": moves.len() + 1 }));
    Ok(())
}

/// How long so many searches of this length take, if that is not too long.
fn within(count: u64, time_ms: u64, what: &str) -> Result<Duration, Failure> {
    let most = LONGEST_ANALYSIS.as_millis() as u64;
    if time_ms == 0 || count.saturating_mul(time_ms) > most {
        return Err(Failure::bad(
            "too-long",
            format!("{count} {what} with {time_ms} ms each: together they may take 1 to {most} ms"),
        ));
    }
    Ok(Duration::from_millis(count * time_ms))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Compare {
    game: String,
    #[serde(default)]
    position: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    /// All opponent models that the game has if none are named.
    #[serde(default)]
    ways: Vec<Way>,
    /// For each way that says nothing else.
    #[serde(default)]
    time_ms: Option<u64>,
}

async fn compare(State(studio): Studio, Json(ask): Json<Compare>) -> Result<Events, Failure> {
    aside(move || {
        let bounds = studio.thinking.bounds();
        let place = Place::read(&ask.game, ask.position.as_deref(), &ask.moves)?;
        let game = &*place.game;
        let ways = match ask.ways.is_empty() {
            true => models(game),
            false => ask.ways,
        };
        if ways.len() > MOST_WAYS {
            return Err(Failure::bad(
                "too-many",
                format!("{} ways are more than {MOST_WAYS}", ways.len()),
            ));
        }
        let time_ms = ask.time_ms.unwrap_or(COMPARE_MS);
        let total = within(ways.len() as u64, time_ms, "ways")?;
        let mut jobs = Vec::new();
        for mut way in ways {
            let limited = way.depth.is_some() || way.time_ms.is_some() || way.nodes.is_some();
            if !limited && way.level.is_none() {
                way.time_ms = Some(time_ms);
            }
            let chosen = way.choose(game, bounds, false)?;
            chosen.check(game)?;
            jobs.push(Job {
                game: place.game.clone(),
                position: place.position.clone(),
                chosen,
                all_moves: true,
                trace: false,
            });
        }
        let long = total > SHORT || jobs.iter().any(|job| job.chosen.is_long());
        studio.thinking.start(long, move |desk| {
            for (index, job) in jobs.iter().enumerate() {
                let thought = job.run_silently(desk)?;
                if desk.outbox.is_closed() {
                    return Ok(());
                }
                let mut json = thought.json(&job.chosen);
                json["way"] = json!(index);
                desk.outbox.send("way", &json);
            }
            desk.outbox.send("done", &json!({ "ways": jobs.len() }));
            Ok(())
        })
    })
    .await
}

/// The opponent models of a game: its searches, but not two that mean the same.
fn models(game: &dyn AnyGame) -> Vec<Way> {
    let searches = game.info().searches();
    let has = |name: &str| searches.iter().any(|search| search.name == name);
    let same_as_another = |name: &str| match name {
        "minimax" => has("alphabeta"),
        // Minimax that prunes.
        "worst-case" => has("minimax"),
        // With two players whose interests are opposed these are alpha-beta.
        "maxn" | "paranoid" | "brs" | "brs-plus" | "mp-mix" => {
            game.info().players == 2 && has("alphabeta")
        }
        _ => false,
    };
    let searches = searches
        .iter()
        .filter(|search| !same_as_another(search.name));
    let mut ways: Vec<Way> = searches
        .map(|search| Way {
            search: Some(search.name.to_owned()),
            ..Way::default()
        })
        .collect();
    // Levels are an engine that is held back, not another idea.
    let engines = game.info().engines().into_iter();
    let engines = engines.filter(|engine| !engine.name.starts_with("level-"));
    ways.extend(engines.map(|engine| Way {
        engine: Some(engine.name.to_owned()),
        ..Way::default()
    }));
    ways
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_times_of_all_searches_together_are_bounded() {
        assert_eq!(within(10, 1000, "x").ok(), Some(Duration::from_secs(10)));
        assert!(within(0, 0, "x").is_err());
        assert!(within(u64::MAX, u64::MAX, "x").is_err());
        assert!(within(3601, 1000, "x").is_err());
    }
}
