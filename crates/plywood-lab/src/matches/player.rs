//! Who plays: a search of ours, moves at random, or another program.

mod fields;

use std::time::Duration;

use plywood::{Limits, Settings};
use plywood_games::registry::{AnyGame, AnySearcher, Resources};
use serde::{Deserialize, Serialize};

use fields::{Fields, is_key};

/// The longest name of a player.
const LONGEST_NAME: usize = 40;

/// A player of a match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PlayerSpec {
    /// What the tables call it: letters, digits and `. _ + -`.
    pub name: String,
    /// How it chooses its moves.
    #[serde(flatten)]
    pub kind: PlayerKind,
}

/// How a player chooses its moves.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum PlayerKind {
    /// It searches.
    Search(SearchPlayer),
    /// An engine made for the game.
    Engine(EnginePlayer),
    /// Any move, each as likely as the others; the seed of the match decides.
    Random,
    /// A program that speaks the protocol of the Gomocup tournaments.
    Gomocup(ProgramPlayer),
    /// A program that speaks GTP in Pentobi's dialect.
    Gtp(ProgramPlayer),
}

/// A search with everything that decides its moves.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SearchPlayer {
    /// The search with its options.
    pub search: String,
    /// The evaluation.
    pub evaluation: String,
    /// The parallel strategy.
    pub parallel: String,
    /// The threads.
    pub threads: usize,
    /// The size of the table in bytes.
    pub table_bytes: usize,
    /// Whether to evaluate after the chance that follows the last move.
    pub after_chance: bool,
    /// When a search ends.
    #[serde(flatten)]
    pub limits: SearchLimits,
}

/// An engine made for the game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EnginePlayer {
    /// Its name.
    pub engine: String,
    /// The threads.
    pub threads: usize,
    /// The memory for what it wants to keep, in bytes.
    pub memory: usize,
    /// When a search ends.
    #[serde(flatten)]
    pub limits: SearchLimits,
}

/// When a search for a move ends: at the first limit that is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SearchLimits {
    /// The depth to search to.
    pub depth: Option<u32>,
    /// About how many nodes to search.
    pub nodes: Option<u64>,
    /// How long to search, in milliseconds.
    pub time_ms: Option<u64>,
}

/// Another program.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ProgramPlayer {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// How long a move may take, in milliseconds.
    pub time_ms: u64,
    /// How long all its moves of a game may take, in milliseconds.
    pub match_time_ms: Option<u64>,
    /// How much memory it is told to use, in bytes.
    pub memory: Option<u64>,
}

impl SearchPlayer {
    /// The settings of its searches.
    fn settings(&self) -> Result<Settings, plywood::SettingsError> {
        Ok(Settings {
            search: self.search.parse()?,
            strategy: self.parallel.parse()?,
            threads: self.threads,
            table_bytes: self.table_bytes,
            after_chance: self.after_chance,
        })
    }

    /// What searches for it.
    pub fn searcher(&self, game: &dyn AnyGame) -> Result<Box<dyn AnySearcher>, String> {
        let settings = self.settings().map_err(|error| error.to_string())?;
        let searcher = game.searcher(&self.evaluation, settings);
        searcher.map_err(|error| error.to_string())
    }
}

impl EnginePlayer {
    /// What searches for it.
    pub fn searcher(&self, game: &dyn AnyGame) -> Result<Box<dyn AnySearcher>, String> {
        let resources = Resources {
            threads: self.threads,
            memory: self.memory,
        };
        let searcher = game.engine(&self.engine, resources);
        searcher.map_err(|error| error.to_string())
    }
}

impl SearchLimits {
    /// The same for a search.
    pub fn limits(&self) -> Limits {
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            time: self.time_ms.map(Duration::from_millis),
            ..Limits::default()
        }
    }

    fn describe(&self) -> String {
        let mut text = String::new();
        if let Some(depth) = self.depth {
            text += &format!(",depth={depth}");
        }
        if let Some(nodes) = self.nodes {
            text += &format!(",nodes={nodes}");
        }
        if let Some(time) = self.time_ms {
            let time = write_time(Duration::from_millis(time));
            text += &format!(",time={time}");
        }
        text
    }
}

impl PlayerSpec {
    /// Reads a player: `name=a,search=alphabeta,depth=6`. `number` is its place in the list
    /// of players, from 1, and gives its name if there is none.
    ///
    /// Keys and values are those of the command line's options, with commas between them.
    /// The options of a search have commas too: what follows `search=NAME:` and is no key of
    /// a player belongs to the search.
    pub fn parse(text: &str, number: usize, game: &dyn AnyGame) -> Result<Self, String> {
        let mut fields: Vec<(String, String)> = Vec::new();
        for word in text.split(',') {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            match fields.last_mut() {
                Some((last, options))
                    if last == "search" && options.contains(':') && !is_key(key.trim()) =>
                {
                    options.push(',');
                    options.push_str(word);
                }
                _ => fields.push((key.trim().to_owned(), value.trim().to_owned())),
            }
        }
        PlayerSpec::from_fields(&fields, number, game)
    }

    /// A player from its keys and values, each as text.
    pub fn from_fields(
        fields: &[(String, String)],
        number: usize,
        game: &dyn AnyGame,
    ) -> Result<Self, String> {
        let mut left = Fields::new(fields)?;
        let name = left.take("name").unwrap_or(format!("player{number}"));
        let fits = |c: char| c.is_ascii_alphanumeric() || "._+-".contains(c);
        if name.is_empty() || name.len() > LONGEST_NAME || !name.chars().all(fits) {
            return Err(format!(
                "{name:?} is no name of a player: use up to {LONGEST_NAME} letters, digits and . _ + -"
            ));
        }
        let in_player = |error: String| format!("player '{name}': {error}");
        let kind = left.kind(game).map_err(in_player)?;
        left.finish(&kind).map_err(in_player)?;
        Ok(PlayerSpec { name, kind })
    }

    /// The player in a few words, as it is read.
    pub fn describe(&self) -> String {
        match &self.kind {
            PlayerKind::Random => "random".to_owned(),
            PlayerKind::Search(player) => {
                let mut text = format!("search={},eval={}", player.search, player.evaluation);
                if player.parallel != "seq" {
                    text += &format!(",parallel={},threads={}", player.parallel, player.threads);
                }
                text += &player.limits.describe();
                if player.after_chance {
                    text += ",after-chance";
                }
                text
            }
            PlayerKind::Engine(player) => {
                let mut text = format!("engine={}", player.engine);
                if player.threads > 1 {
                    text += &format!(",threads={}", player.threads);
                }
                text + &player.limits.describe()
            }
            PlayerKind::Gomocup(program) => format!("gomocup={}", program.describe()),
            PlayerKind::Gtp(program) => format!("gtp={}", program.describe()),
        }
    }

    /// Whether its moves depend on nothing but the position and the seed.
    pub fn is_deterministic(&self) -> bool {
        match &self.kind {
            PlayerKind::Random => true,
            PlayerKind::Search(player) => {
                let one_thread = player.threads == 1;
                let exact = !player.parallel.starts_with("lazy-smp");
                let limits = &player.limits;
                limits.time_ms.is_none() && (one_thread || (limits.nodes.is_none() && exact))
            }
            PlayerKind::Engine(player) => player.limits.time_ms.is_none() && player.threads == 1,
            PlayerKind::Gomocup(_) | PlayerKind::Gtp(_) => false,
        }
    }
}

impl ProgramPlayer {
    fn describe(&self) -> String {
        let time = write_time(Duration::from_millis(self.time_ms));
        let mut text = format!("{},time={time}", self.command.join(" "));
        if let Some(time) = self.match_time_ms {
            let time = write_time(Duration::from_millis(time));
            text += &format!(",match-time={time}");
        }
        text
    }
}

/// A time as it is read back.
fn write_time(time: Duration) -> String {
    let ms = time.as_millis();
    if ms.is_multiple_of(1000) {
        format!("{}s", ms / 1000)
    } else {
        format!("{ms}ms")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plywood_games::registry;

    fn parse(game: &str, text: &str) -> Result<PlayerSpec, String> {
        PlayerSpec::parse(text, 1, &*registry::open(game).expect("a game"))
    }

    #[test]
    fn players_are_read() {
        let player = parse("gomoku", "name=a,search=alphabeta,depth=6").expect("a player");
        assert_eq!(player.name, "a");
        assert_eq!(player.describe(), "search=alphabeta,eval=threats,depth=6");
        let player = parse("kalah", "nodes=5k,memory=1M").expect("a player");
        assert_eq!(player.name, "player1");
        let options = "name=b,search=alphabeta:no-table,no-pvs,depth=3";
        let player = parse("kalah", options).expect("a player");
        let PlayerKind::Search(search) = player.kind else {
            panic!("a search");
        };
        assert_eq!(search.search, "alphabeta:no-pvs,no-table");
        assert_eq!(
            parse("2048", "random").expect("a player").kind,
            PlayerKind::Random
        );
        let program = parse("gomoku", "gomocup=sh -c 'a b',time=1.5s").expect("a player");
        let PlayerKind::Gomocup(program) = program.kind else {
            panic!("a program");
        };
        assert_eq!(program.command, ["sh", "-c", "a b"]);
        assert_eq!(program.time_ms, 1500);
    }

    #[test]
    fn an_engine_has_the_memory_it_needs() {
        let memory = |game: &str, text: &str| match parse(game, text).expect("a player").kind {
            PlayerKind::Engine(player) => player.memory,
            other => panic!("{other:?} is no engine"),
        };
        // A tree grows while it is searched; a table is there before.
        assert_eq!(memory("blokus", "engine=mcts,time=1s"), 512 << 20);
        assert_eq!(memory("blokus", "engine=mcts,time=1s,memory=3M"), 3 << 20);
        assert_eq!(memory("gomoku", "engine=threats,time=1s"), 64 << 20);
    }

    #[test]
    fn errors_say_what_is_accepted() {
        for (game, text, expected) in [
            ("kalah", "name=a", "no limit: use depth=, nodes= or time="),
            ("kalah", "", "no key \"\""),
            ("kalah", "dept=3", "no key \"dept\": use name, search"),
            ("kalah", "depth=0", "depth=0: use a number from 1 to 250"),
            ("kalah", "depth=3,depth=4", "depth is given twice"),
            ("kalah", "name=a b,depth=1", "use up to 40 letters"),
            ("kalah", "search=chess,depth=1", "chess"),
            ("kalah", "search=maxn:foo,bar,depth=1", "'foo'"),
            (
                "kalah",
                "eval=threats,depth=1",
                "no evaluation 'threats': use one of",
            ),
            (
                "kalah",
                "depth=1,threads=2,parallel=seq",
                "runs on one thread",
            ),
            ("kalah", "depth=1,parallel=ybwc", "use threads="),
            ("kalah", "depth=1,after-chance", "games with chance"),
            ("kalah", "search=expectimax,depth=1", "chance"),
            ("kalah", "gomocup=sh,time=1s", "plays gomoku, not kalah"),
            (
                "gomoku",
                "gtp=sh,time=1s",
                "plays blokus or blokus-duo, not gomoku",
            ),
            ("gomoku", "gomocup=sh", "no limit: use time="),
            ("gomoku", "gomocup=,time=1s", "names no program"),
            (
                "gomoku",
                "gomocup=./nowhere/x,time=1s",
                "there is no such program",
            ),
            ("gomoku", "gomocup=sh 'x,time=1s", "is not closed"),
            (
                "gomoku",
                "gomocup=sh,depth=2,time=1s",
                "a program has no depth",
            ),
            (
                "gomoku",
                "random,depth=2",
                "a player at random has no depth",
            ),
            ("gomoku", "random,search=alphabeta", "exclude each other"),
            ("kalah", "engine=nobody,depth=2", "'nobody'"),
            ("gomoku:corner=7", "gomocup=sh,time=1s", "corner"),
        ] {
            let error = parse(game, text).expect_err(text);
            assert!(error.contains(expected), "{text}: {error}");
            assert!(!error.contains('\n'), "{error}");
        }
    }
}
