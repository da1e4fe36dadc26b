//! All the settings that a sweep is made of.
//!
//! A sweep is every combination of its axes, but for those that make no sense:
//!
//! * `seq` runs on one thread whatever `threads` says, and once.
//! * A search that a game cannot be searched with, a strategy that cannot run a search and a
//!   position that a game cannot read are left out, and the sweep says so, as long as another
//!   game or search of the same set goes with them. If none does, that is an error.

use std::collections::{BTreeSet, HashMap, HashSet};

use plywood::parallel::Plan as StrategyPlan;
use plywood::{Search, Settings, Strategy, Table, Turn};
use plywood_games::registry::{self, AnyGame};

use super::file::{self, write_size};
use super::spec::{PositionSpec, Set, Source, Spec, Value};
use crate::LabError;
use crate::record::{Setting, Workload};
use crate::reproduce;

/// A setting and how often it is to be measured.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Planned {
    /// The setting.
    pub setting: Setting,
    /// How often.
    pub repeats: u32,
}

/// A sweep with everything decided.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What it is called.
    pub name: String,
    /// Which report it reproduces, if any.
    pub reproduces: Option<String>,
    /// The seed of everything random: what chance does, and the order of measurements.
    pub seed: u64,
    /// How often each setting is run before it counts.
    pub warmup: u32,
    /// Whether spare cores are kept loaded.
    pub fill_cores: bool,
    /// Whether each setting is run once more with its events recorded.
    pub trace: bool,
    /// What is measured, in the order of the file.
    pub settings: Vec<Planned>,
    /// What was left out of the combinations, and why.
    pub skipped: Vec<String>,
    /// The sweep as a file that gives this plan again.
    pub text: String,
}

impl Plan {
    /// How many measurements there are to be made.
    pub fn measurements(&self) -> u64 {
        self.settings.iter().map(|p| u64::from(p.repeats)).sum()
    }

    /// Reads the text of a sweep; `name` is what complaints call it.
    pub fn read(name: &str, text: &str) -> Result<Plan, LabError> {
        file::read(name, text)?.plan()
    }
}

impl Spec {
    /// Decides everything, or says what makes no sense.
    pub fn plan(&self) -> Result<Plan, LabError> {
        if let Some(report) = &self.reproduces {
            reproduce::Report::named(report)?;
        }
        let mut settings: Vec<Planned> = Vec::new();
        let mut places: HashMap<Setting, usize> = HashMap::new();
        let mut skipped = BTreeSet::new();
        let mut text = self.head();
        for set in &self.sets {
            let resolved = Resolved::new(self, set)?;
            for setting in resolved.combine(&mut skipped)? {
                match places.get(&setting) {
                    // Two sets may share a setting: it is measured as often as either wants.
                    Some(&at) => settings[at].repeats = settings[at].repeats.max(set.repeats),
                    None => {
                        places.insert(setting.clone(), settings.len());
                        settings.push(Planned {
                            setting,
                            repeats: set.repeats,
                        });
                    }
                }
            }
            resolved.write(&mut text);
        }
        if settings.is_empty() {
            return Err(LabError::Input(format!(
                "{}: nothing is left to measure: {}",
                self.file,
                skipped.into_iter().collect::<Vec<_>>().join("; ")
            )));
        }
        Ok(Plan {
            name: self.name.clone(),
            reproduces: self.reproduces.clone(),
            seed: self.seed,
            warmup: self.warmup,
            fill_cores: self.fill_cores,
            trace: self.trace,
            settings,
            skipped: skipped.into_iter().collect(),
            text,
        })
    }

    /// The part of the file that goes for all sets.
    fn head(&self) -> String {
        let mut text =
            String::from("# Everything this run measures. `plywood lab sweep` reads it again.\n");
        text += &format!("name = {}\n", quoted(&self.name));
        if let Some(report) = &self.reproduces {
            text += &format!("reproduces = {}\n", quoted(report));
        }
        text += &format!(
            "seed = {}\nwarmup = {}\nfill_cores = {}\ntrace = {}\n",
            self.seed, self.warmup, self.fill_cores, self.trace
        );
        text
    }
}

/// A set with its names looked up.
struct Resolved<'a> {
    spec: &'a Spec,
    set: &'a Set,
    games: Vec<Box<dyn AnyGame>>,
    strategies: Vec<Value<Strategy>>,
}

impl<'a> Resolved<'a> {
    fn new(spec: &'a Spec, set: &'a Set) -> Result<Self, LabError> {
        let mut resolved = Resolved {
            spec,
            set,
            games: Vec::new(),
            strategies: Vec::new(),
        };
        for (axis, empty) in [
            ("games", set.games.is_empty()),
            ("depths", set.depths.is_empty()),
        ] {
            if empty {
                let example = if axis == "games" {
                    "[\"kalah\"]"
                } else {
                    "[4, 6]"
                };
                let message = format!("no {axis} are given: add a line like {axis} = {example}");
                return Err(resolved.error(Source::Default, message));
            }
        }
        for game in &set.games {
            let opened = registry::open(&game.value);
            resolved
                .games
                .push(opened.map_err(|error| resolved.error(game.source, error))?);
        }
        resolved.strategies = resolved.strategies()?;
        Ok(resolved)
    }

    fn error(&self, source: Source, message: impl std::fmt::Display) -> LabError {
        let place = source.place(&self.spec.file, self.set.line);
        LabError::Input(format!("{place}: {message}"))
    }

    /// The strategies, with every budget in the place of `B`.
    fn strategies(&self) -> Result<Vec<Value<Strategy>>, LabError> {
        let mut list = Vec::new();
        let mut budgets_used = false;
        for strategy in &self.set.strategies {
            let mut texts = vec![strategy.value.clone()];
            if let Some((name, rest)) = strategy.value.split_once(":B")
                && (rest.is_empty() || rest.starts_with(','))
            {
                budgets_used = true;
                if self.set.budgets.is_empty() {
                    let message = format!(
                        "{} stands for every value of budgets, and there are none: add a line like budgets = [1, 2], or write a number for B",
                        strategy.value
                    );
                    return Err(self.error(strategy.source, message));
                }
                let budgets = self.set.budgets.iter();
                texts = budgets
                    .map(|b| format!("{name}:{}{rest}", b.value))
                    .collect();
            }
            for text in texts {
                let parsed = text.parse::<Strategy>();
                list.push(Value {
                    value: parsed.map_err(|error| self.error(strategy.source, error))?,
                    source: strategy.source,
                });
            }
        }
        match self.set.budgets.first() {
            Some(budget) if !budgets_used && !self.is_excused(budget.source) => Err(self.error(
                budget.source,
                "budgets are given, but no strategy uses them: write one like budget:B, ybwc:B or top-then-prune:B",
            )),
            _ => Ok(list),
        }
    }

    /// Whether something may be of no use: because flags have replaced what it was for.
    fn is_excused(&self, source: Source) -> bool {
        self.set.overridden && !matches!(source, Source::Flag(_))
    }

    fn evaluation<'s>(&'s self, game: &'s dyn AnyGame) -> &'s str {
        match &self.set.evaluation {
            Some(name) => &name.value,
            None => game.info().evaluation(),
        }
    }

    /// Whether a game can be searched so.
    fn check(
        &self,
        game: &dyn AnyGame,
        search: &Search,
        strategy: &Strategy,
    ) -> Result<(), LabError> {
        let settings = Settings {
            search: *search,
            strategy: strategy.clone(),
            threads: 1,
            table_bytes: Table::MIN_BYTES,
            after_chance: self.set.after_chance,
        };
        game.searcher(self.evaluation(game), settings)?;
        Ok(())
    }

    /// The searches of a game that can be searched with them.
    fn searches(
        &self,
        game: &dyn AnyGame,
        fitting: &mut HashSet<usize>,
        skipped: &mut BTreeSet<String>,
        complaints: &mut HashMap<usize, LabError>,
    ) -> Result<Vec<Search>, LabError> {
        if self.set.searches.is_empty() {
            return Ok(vec![game.info().search.parse()?]);
        }
        let mut list = Vec::new();
        for (index, search) in self.set.searches.iter().enumerate() {
            let parsed = search.value.parse::<Search>();
            let parsed = parsed.map_err(|error| self.error(search.source, error))?;
            match self.check(game, &parsed, &Strategy::sequential()) {
                Ok(()) => {
                    fitting.insert(index);
                    list.push(parsed);
                }
                Err(error) => {
                    skipped.insert(format!("{parsed} is not a search for {}", game.spec()));
                    complaints.insert(index, self.error(search.source, error));
                }
            }
        }
        Ok(list)
    }

    /// The positions that a game can read, with their texts; the start has none.
    fn positions(
        &self,
        game: &dyn AnyGame,
        fitting: &mut HashSet<usize>,
        skipped: &mut BTreeSet<String>,
        complaints: &mut HashMap<usize, LabError>,
    ) -> Result<Vec<(String, String)>, LabError> {
        let mut list: Vec<(String, String)> = Vec::new();
        for (index, position) in self.set.positions.iter().enumerate() {
            let PositionSpec { name, text } = &position.value;
            let text = match text.as_str() {
                "start" => "",
                "example" => game.info().example,
                text => text,
            };
            if !text.is_empty() {
                let over = match game.read_position(text) {
                    Ok(position) => game.turn(&position) == Turn::Over,
                    Err(error) => {
                        skipped
                            .insert(format!("{} does not read the position {name}", game.spec()));
                        let message =
                            format!("'{name}' is no position of {}: {error}", game.spec());
                        complaints.insert(index, self.error(position.source, message));
                        continue;
                    }
                };
                if over {
                    let message = format!(
                        "the game is over in the position '{name}': use one in which somebody can move"
                    );
                    return Err(self.error(position.source, message));
                }
            }
            if list.iter().any(|(other, old)| other == name && old != text) {
                let message =
                    format!("two positions are called '{name}': give each a name of its own");
                return Err(self.error(position.source, message));
            }
            fitting.insert(index);
            list.push((name.clone(), text.to_owned()));
        }
        Ok(list)
    }

    fn workload(&self) -> Result<Workload, LabError> {
        match (self.set.workload, &self.set.moves) {
            (Workload::Search, Some(moves)) => Err(self.error(
                moves.source,
                "moves goes with workload = \"selfplay\"; one search has no moves to count",
            )),
            (Workload::Search, None) => Ok(Workload::Search),
            (Workload::Selfplay { .. }, moves) => Ok(Workload::Selfplay {
                moves: moves.as_ref().map(|moves| moves.value),
            }),
        }
    }

    /// All combinations that make sense.
    fn combine(&self, skipped: &mut BTreeSet<String>) -> Result<Vec<Setting>, LabError> {
        let workload = self.workload()?;
        let mut settings = Vec::new();
        let (mut fit_searches, mut fit_positions, mut fit_strategies) =
            (HashSet::new(), HashSet::new(), HashSet::new());
        let (mut bad_searches, mut bad_positions, mut bad_strategies) =
            (HashMap::new(), HashMap::new(), HashMap::new());
        for game in &self.games {
            let game = game.as_ref();
            self.check_game(game)?;
            let searches = self.searches(game, &mut fit_searches, skipped, &mut bad_searches)?;
            let positions =
                self.positions(game, &mut fit_positions, skipped, &mut bad_positions)?;
            for search in &searches {
                for (index, strategy) in self.strategies.iter().enumerate() {
                    if let Err(error) = self.check(game, search, &strategy.value) {
                        skipped.insert(format!("{} cannot run {search}", strategy.value));
                        bad_strategies.insert(index, self.error(strategy.source, error));
                        continue;
                    }
                    fit_strategies.insert(index);
                    let sequential = strategy.value.plan() == StrategyPlan::Sequential;
                    for (name, text) in &positions {
                        for depth in &self.set.depths {
                            for threads in &self.set.threads {
                                settings.push(Setting {
                                    game: game.spec().to_owned(),
                                    position_name: name.clone(),
                                    position: text.clone(),
                                    workload,
                                    search: search.to_string(),
                                    evaluation: self.evaluation(game).to_owned(),
                                    after_chance: self.set.after_chance,
                                    depth: depth.value,
                                    table_bytes: self.set.table_bytes,
                                    strategy: strategy.value.to_string(),
                                    threads: if sequential {
                                        1
                                    } else {
                                        threads.value as usize
                                    },
                                });
                            }
                        }
                    }
                }
            }
        }
        let (searches, positions) = (&self.set.searches, &self.set.positions);
        bad_searches.retain(|&index, _| !self.is_excused(searches[index].source));
        bad_positions.retain(|&index, _| !self.is_excused(positions[index].source));
        bad_strategies.retain(|&index, _| !self.is_excused(self.strategies[index].source));
        refuse_unused(searches.len(), &fit_searches, bad_searches)?;
        refuse_unused(positions.len(), &fit_positions, bad_positions)?;
        refuse_unused(self.strategies.len(), &fit_strategies, bad_strategies)?;
        Ok(settings)
    }

    fn check_game(&self, game: &dyn AnyGame) -> Result<(), LabError> {
        let info = game.info();
        if self.set.after_chance && !info.chance {
            let message = format!(
                "after_chance is for games with chance, and {} has none",
                info.name
            );
            return Err(self.error(Source::Default, message));
        }
        if let Some(evaluation) = &self.set.evaluation {
            let names: Vec<&str> = info.evaluations().iter().map(|e| e.name).collect();
            // What may stand behind a colon is known where the evaluation is made.
            let name = evaluation.value.split(':').next().unwrap_or_default();
            if !names.contains(&name) {
                let message = format!(
                    "{} has no evaluation '{}': use one of {}",
                    info.name,
                    evaluation.value,
                    names.join(", ")
                );
                return Err(self.error(evaluation.source, message));
            }
        }
        Ok(())
    }

    /// The set as it is read again.
    fn write(&self, text: &mut String) {
        let set = self.set;
        let list = |items: Vec<String>| format!("[{}]", items.join(", "));
        let numbers =
            |axis: &[Value<u32>]| list(axis.iter().map(|n| n.value.to_string()).collect());
        let games = self.games.iter().map(|game| quoted(game.spec())).collect();
        *text += &format!("\n[[set]]\ngames = {}\n", list(games));
        let positions = set.positions.iter().map(|position| {
            let PositionSpec { name, text } = &position.value;
            if name == text {
                quoted(text)
            } else {
                format!("{{ name = {}, text = {} }}", quoted(name), quoted(text))
            }
        });
        *text += &format!("positions = {}\n", list(positions.collect()));
        *text += match set.workload {
            Workload::Search => "workload = \"search\"\n",
            Workload::Selfplay { .. } => "workload = \"selfplay\"\n",
        };
        if let Some(moves) = &set.moves {
            *text += &format!("moves = {}\n", moves.value);
        }
        if !set.searches.is_empty() {
            let searches = set.searches.iter().map(|search| quoted(&search.value));
            *text += &format!("searches = {}\n", list(searches.collect()));
        }
        if let Some(evaluation) = &set.evaluation {
            *text += &format!("evaluation = {}\n", quoted(&evaluation.value));
        }
        let strategies = self.strategies.iter().map(|s| quoted(&s.value.to_string()));
        *text += &format!(
            "after_chance = {}\nmemory = \"{}\"\nstrategies = {}\ndepths = {}\nthreads = {}\nrepeats = {}\n",
            set.after_chance,
            write_size(set.table_bytes),
            list(strategies.collect()),
            numbers(&set.depths),
            numbers(&set.threads),
            set.repeats
        );
    }
}

/// Complains about the first value of an axis that went with nothing.
fn refuse_unused(
    count: usize,
    fitting: &HashSet<usize>,
    mut complaints: HashMap<usize, LabError>,
) -> Result<(), LabError> {
    let mut unused = (0..count).filter(|index| !fitting.contains(index));
    match unused.find_map(|index| complaints.remove(&index)) {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// A text as TOML has it.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
