//! One search, as the commands take it that record, explain or simulate one.

use clap::Args;
use plywood_games::registry::Random;
use plywood_lab::record::{Setting, Workload};

use crate::args::EngineArgs;
use crate::engine::GameEngine;
use crate::failure::Failure;
use crate::values;

#[derive(Args, Debug)]
pub struct WorkArgs {
    /// The position as text; the start of a game if not given
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Decides what chance does before the first move
    #[arg(long, value_name = "N", value_parser = values::seed, default_value = "1", allow_hyphen_values = true)]
    pub seed: u64,
    /// The search, with options behind a colon; the game has a default
    #[arg(long, value_name = "NAME", help_heading = "Engine")]
    search: Option<String>,
    /// How to run it in parallel, on all cores unless --threads says otherwise
    #[arg(long, value_name = "STRATEGY", help_heading = "Engine")]
    parallel: Option<String>,
    /// Threads; without --parallel a strategy that fits the search is taken
    #[arg(long, value_name = "N", value_parser = values::threads, allow_hyphen_values = true, help_heading = "Engine")]
    threads: Option<usize>,
    /// Depth to search to
    #[arg(long, value_name = "D", value_parser = values::depth, allow_hyphen_values = true, help_heading = "Engine")]
    pub depth: Option<u32>,
    /// The evaluation; the game has a default
    #[arg(long, value_name = "NAME", help_heading = "Engine")]
    eval: Option<String>,
    /// Size of the transposition table
    #[arg(long, value_name = "SIZE", value_parser = values::memory, default_value = "64M", allow_hyphen_values = true, help_heading = "Engine")]
    memory: usize,
    /// Evaluate after the chance that follows the last move, not before
    #[arg(long, help_heading = "Engine")]
    after_chance: bool,
}

impl WorkArgs {
    /// Whether anything is asked for that a recorded search has decided already.
    pub fn is_given(&self) -> bool {
        let texts = [&self.position, &self.search, &self.parallel, &self.eval];
        texts.iter().any(|text| text.is_some())
            || self.threads.is_some()
            || self.depth.is_some()
            || self.after_chance
    }

    /// What is to be searched, and how. Everything is checked.
    pub fn setting(&self, game: &str) -> Result<Setting, Failure> {
        let Some(depth) = self.depth else {
            return Err(Failure::Input(format!(
                "no depth for {game}: use --depth with a number from 1 to {}",
                plywood::MAX_DEPTH
            )));
        };
        let engine = GameEngine::new(
            game,
            &EngineArgs {
                engine: None,
                search: self.search.clone(),
                parallel: self.parallel.clone(),
                threads: self.threads,
                depth: self.depth,
                time: None,
                nodes: None,
                eval: self.eval.clone(),
                memory: Some(self.memory),
                after_chance: self.after_chance,
            },
        )?;
        let position = engine.position(self.position.as_deref(), &mut Random::new(self.seed))?;
        if engine.game.turn(&position) == plywood::Turn::Over {
            return Err(Failure::Input(
                "the game is over in this position: use one in which somebody can move".to_owned(),
            ));
        }
        let (Some(settings), Some(evaluation)) = (engine.settings(), &engine.evaluation) else {
            unreachable!("a general search was asked for");
        };
        let name = if self.position.is_some() {
            "given"
        } else {
            "start"
        };
        Ok(Setting {
            game: engine.game.spec().to_owned(),
            position_name: name.to_owned(),
            position: self.position.clone().unwrap_or_default(),
            workload: Workload::Search,
            search: settings.search.to_string(),
            evaluation: evaluation.clone(),
            after_chance: settings.after_chance,
            depth,
            table_bytes: settings.table_bytes,
            strategy: settings.strategy.to_string(),
            threads: settings.threads,
        })
    }
}
