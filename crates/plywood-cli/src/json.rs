//! A search as JSON, for other programs.

use plywood::{Certainty, NodeCounts, WorkerCounts};
use plywood_games::registry::{AnyReport, Position};
use plywood_lab::record::Tasks;
use serde::Serialize;

use crate::engine::GameEngine;

/// Everything about a search.
#[derive(Serialize)]
pub struct SearchJson<'a> {
    game: &'a str,
    position: String,
    /// Whose turn it is: a name, `chance`, or nothing if the game is over.
    turn: Option<String>,
    /// How the game ended, if it is over.
    result: Option<String>,
    /// The game's own engine, if it is one; then search, strategy and evaluation are its own.
    engine: Option<&'a str>,
    search: Option<String>,
    strategy: Option<String>,
    threads: usize,
    evaluation: Option<&'a str>,
    after_chance: bool,
    best: Option<&'a str>,
    values: Vec<PlayerValue>,
    certainty: &'static str,
    line: &'a [String],
    root_moves: Vec<MoveValue<'a>>,
    depth: u32,
    stopped: bool,
    nodes: Nodes,
    time_s: f64,
    cpu_s: f64,
    nodes_per_second: f64,
    table_bytes: usize,
    peak_bytes: Option<usize>,
    tasks: Tasks,
    workers: Vec<Worker>,
}

#[derive(Serialize)]
struct PlayerValue {
    player: String,
    value: f64,
    /// The share of the win it is expected to have, if the search reckons with that.
    #[serde(skip_serializing_if = "Option::is_none")]
    win_share: Option<f64>,
}

#[derive(Serialize)]
struct MoveValue<'a> {
    #[serde(rename = "move")]
    mv: &'a str,
    value: f64,
    certainty: &'static str,
    /// How many playouts began with it, in a search by playouts.
    #[serde(skip_serializing_if = "Option::is_none")]
    visits: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    win_share: Option<f64>,
}

#[derive(Serialize)]
struct Nodes {
    total: u64,
    interior: u64,
    leaf: u64,
    table: u64,
}

#[derive(Serialize)]
struct Worker {
    nodes: Nodes,
    tasks: Tasks,
    busy_s: f64,
    stealing_s: f64,
    joining_s: f64,
    idle_s: f64,
    cpu_s: f64,
}

impl From<NodeCounts> for Nodes {
    fn from(counts: NodeCounts) -> Self {
        Nodes {
            total: counts.total(),
            interior: counts.interior,
            leaf: counts.leaf,
            table: counts.table_hits,
        }
    }
}

impl From<&WorkerCounts> for Worker {
    fn from(counts: &WorkerCounts) -> Self {
        Worker {
            nodes: counts.nodes.into(),
            tasks: counts.tasks.into(),
            busy_s: counts.busy.as_secs_f64(),
            stealing_s: counts.stealing.as_secs_f64(),
            joining_s: counts.joining.as_secs_f64(),
            idle_s: counts.idle.as_secs_f64(),
            cpu_s: counts.cpu.as_secs_f64(),
        }
    }
}

/// The value, with nothing before a zero.
fn unsigned_zero(value: f64) -> f64 {
    value + 0.0
}

/// One word for what a value says about the end of the game.
fn certainty(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Estimate => "estimate",
        Certainty::AtLeast => "at-least",
        Certainty::AtMost => "at-most",
        Certainty::Exact => "exact",
    }
}

impl<'a> SearchJson<'a> {
    pub fn new(engine: &'a GameEngine, position: &Position, report: &'a AnyReport) -> Self {
        let game = &engine.game;
        let settings = engine.settings();
        let names = engine.seat_names();
        SearchJson {
            game: game.spec(),
            position: game.write_position(position),
            turn: match game.turn(position) {
                plywood::Turn::Player(seat) => Some(game.seat_name(seat)),
                plywood::Turn::Chance => Some("chance".to_owned()),
                plywood::Turn::Over => None,
            },
            result: game.result(position),
            engine: engine.own.as_deref(),
            search: settings.map(|settings| settings.search.to_string()),
            strategy: settings.map(|settings| settings.strategy.to_string()),
            threads: engine.threads,
            evaluation: engine.evaluation.as_deref(),
            after_chance: settings.is_some_and(|settings| settings.after_chance),
            best: report.best.as_deref(),
            values: names
                .into_iter()
                .zip(&report.values)
                .enumerate()
                .map(|(seat, (player, &value))| PlayerValue {
                    player,
                    value: unsigned_zero(value),
                    win_share: report.win_shares.as_ref().map(|shares| shares[seat]),
                })
                .collect(),
            certainty: certainty(report.certainty),
            line: &report.line,
            root_moves: report
                .root
                .iter()
                .map(|root| MoveValue {
                    mv: &root.mv,
                    value: unsigned_zero(root.value),
                    certainty: certainty(root.certainty),
                    visits: root.visits,
                    win_share: root.win_share,
                })
                .collect(),
            depth: report.depth,
            stopped: report.stopped,
            nodes: report.nodes.into(),
            time_s: report.elapsed.as_secs_f64(),
            cpu_s: report.cpu.as_secs_f64(),
            nodes_per_second: report.nodes_per_second(),
            table_bytes: report.memory.table,
            peak_bytes: report.memory.peak,
            tasks: report.tasks.into(),
            workers: report.workers.iter().map(Worker::from).collect(),
        }
    }
}
