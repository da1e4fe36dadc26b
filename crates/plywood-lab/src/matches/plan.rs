//! What a match is to be: everything that decides its games.

use std::path::{Path, PathBuf};
use std::time::Duration;

use plywood_games::registry::{self, AnyGame, Random};
use serde::{Deserialize, Serialize};

use super::opening::{Opening, Openings};
use super::player::{PlayerKind, PlayerSpec};
use super::seating::Seatings;
use super::stats::Sprt;
use crate::LabError;

/// The number of the format of `match.json` and `games.jsonl`.
const FORMAT: u32 = 1;

/// The games of a match if nothing is said.
const GAMES: u32 = 100;

/// The most games of a match that a test ends, if nothing is said.
const SPRT_GAMES: u32 = 20_000;

/// The most games of a match.
const MOST_GAMES: u32 = 1_000_000;

/// The random moves an opening has if nothing is said.
const RANDOM_PLIES: u32 = 4;

/// The most players.
const MOST_PLAYERS: usize = 64;

/// What was asked for, before it is checked. What is `None` has a default.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Request {
    /// The game with its options.
    pub game: String,
    /// The players.
    pub players: Vec<PlayerRequest>,
    /// How many games; rounded up to whole blocks.
    pub games: Option<u32>,
    /// A file of openings.
    pub openings: Option<PathBuf>,
    /// How many moves at random an opening has.
    pub random_plies: Option<u32>,
    /// Decides everything random.
    pub seed: Option<u64>,
    /// In which seatings an opening is played.
    pub seatings: Option<Seatings>,
    /// A test that ends the match.
    pub sprt: Option<Sprt>,
    /// How long a program may take more than its time.
    pub grace: Option<Duration>,
    /// How long a program may take to start.
    pub start_time: Option<Duration>,
}

/// A player that was asked for.
#[derive(Clone, PartialEq, Debug)]
pub enum PlayerRequest {
    /// As on the command line: `name=a,depth=6`.
    Text(String),
    /// As in a file: keys and values, and what to put before an error.
    Fields {
        /// The file and the line.
        place: String,
        /// The keys with their values as text.
        fields: Vec<(String, String)>,
    },
}

/// What a match is to be: everything that decides its games. Kept in `match.json`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// The format of the folder.
    pub format: u32,
    /// The version of the program that plays it.
    pub version: String,
    /// The game with its options.
    pub game: String,
    /// The players.
    pub players: Vec<PlayerSpec>,
    /// The number of games: whole blocks.
    pub games: u32,
    /// In which seatings an opening is played.
    pub seatings: Seatings,
    /// The openings.
    pub openings: Openings,
    /// Decides everything random.
    pub seed: u64,
    /// A test that ends the match.
    pub sprt: Option<Sprt>,
    /// How long a program may take more than its time, in milliseconds.
    pub grace_ms: u64,
    /// How long a program may take to start, in milliseconds.
    pub start_time_ms: u64,
}

/// One game of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GamePlan {
    /// Its number, from 0.
    pub number: u32,
    /// Its block: the number of its opening.
    pub block: u32,
    /// The player in every seat.
    pub seats: Vec<usize>,
    seed: u64,
}

impl Plan {
    /// Checks what was asked for.
    pub fn new(request: &Request) -> Result<Self, LabError> {
        let game = registry::open(&request.game)?;
        let players = read_players(&request.players, &*game)?;
        let seats = game.info().players;
        if players.len() < seats.min(2) {
            return Err(LabError::Input(format!(
                "{} in the match: use at least {} (--player \"name=a,depth=4\")",
                match players.len() {
                    0 => "there is no player".to_owned(),
                    _ => "there is one player".to_owned(),
                },
                seats.min(2)
            )));
        }
        if let Some(sprt) = &request.sprt {
            sprt.check().map_err(LabError::Input)?;
            if players.len() != 2 || seats != 2 {
                return Err(LabError::Input(format!(
                    "--sprt is for two players of a game for two, not for {} of {}",
                    players.len(),
                    game.info().name
                )));
            }
        }
        let seatings = request
            .seatings
            .unwrap_or_else(|| Seatings::usual(players.len(), seats));
        let openings = match (&request.openings, request.random_plies) {
            (Some(_), Some(_)) => {
                return Err(LabError::Input(
                    "openings and random plies exclude each other: use one of them".to_owned(),
                ));
            }
            (Some(path), None) => Openings::read(path, &*game)?,
            (None, Some(plies)) => Openings::Random { plies },
            // Where chance takes part, games differ without.
            (None, None) if game.info().chance => Openings::Random { plies: 0 },
            (None, None) => Openings::Random {
                plies: RANDOM_PLIES,
            },
        };
        let block = seatings.block(players.len(), seats).len() as u32;
        let games = number_of_games(request, &openings, block)?;
        let mut plan = Plan {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            game: game.spec().to_owned(),
            players,
            games,
            seatings,
            openings,
            seed: request.seed.unwrap_or(1),
            sprt: request.sprt,
            grace_ms: request
                .grace
                .unwrap_or(Duration::from_millis(100))
                .as_millis() as u64,
            start_time_ms: request
                .start_time
                .unwrap_or(Duration::from_secs(10))
                .as_millis() as u64,
        };
        if let Openings::Random { plies } = plan.openings {
            // Whether there are such openings does not depend on the block.
            let mut random = plan.task(0).opening_random();
            Opening::random(&*game, plies, &mut random).map_err(LabError::Input)?;
            if plies == 0 && !game.info().chance && plan.repeats_itself() {
                plan.games = block;
            }
        }
        Ok(plan)
    }

    /// Whether every block would be the same games again.
    fn repeats_itself(&self) -> bool {
        let fixed =
            |player: &PlayerSpec| player.is_deterministic() && player.kind != PlayerKind::Random;
        self.players.iter().all(fixed)
    }

    /// The game that is played.
    pub fn open_game(&self) -> Result<Box<dyn AnyGame>, LabError> {
        Ok(registry::open(&self.game)?)
    }

    /// The number of games in a block.
    pub fn block_size(&self) -> u32 {
        self.seatings_of_block().len() as u32
    }

    /// The number of seats.
    pub fn seats(&self) -> usize {
        self.seatings_of_block()[0].len()
    }

    fn seatings_of_block(&self) -> Vec<Vec<usize>> {
        let name = self.game.split(':').next().unwrap_or_default();
        let info = registry::games().iter().find(|info| info.name == name);
        let seats = info.map_or(2, |info| info.players);
        self.seatings.block(self.players.len(), seats)
    }

    /// A game of the match.
    pub fn task(&self, number: u32) -> GamePlan {
        let mut seatings = self.seatings_of_block();
        let size = seatings.len() as u32;
        GamePlan {
            number,
            block: number / size,
            seats: seatings.swap_remove((number % size) as usize),
            seed: self.seed,
        }
    }

    /// What differs between two plans, by name; empty if nothing does.
    pub fn differences(&self, other: &Plan) -> Vec<&'static str> {
        let same = [
            ("game", self.game == other.game),
            ("players", self.players == other.players),
            ("games", self.games == other.games),
            ("seatings", self.seatings == other.seatings),
            ("openings", self.openings == other.openings),
            ("seed", self.seed == other.seed),
            ("sprt", self.sprt == other.sprt),
            ("grace", self.grace_ms == other.grace_ms),
            ("start-time", self.start_time_ms == other.start_time_ms),
            ("version of plywood", self.version == other.version),
            ("format", self.format == other.format),
        ];
        let differing = same.into_iter().filter(|(_, same)| !same);
        differing.map(|(name, _)| name).collect()
    }

    /// Whether a folder of this format can be read.
    pub(super) fn check_format(&self, path: &Path) -> Result<(), LabError> {
        if self.format == FORMAT {
            return Ok(());
        }
        Err(LabError::Input(format!(
            "{}: format {} is not known: this version reads format {FORMAT}",
            path.display(),
            self.format
        )))
    }
}

impl GamePlan {
    /// What decides the opening: the same for all games of a block.
    pub(super) fn opening_random(&self) -> Random {
        self.random(0)
    }

    /// What decides chance: the same for all games of a block, so that players are compared
    /// with the same luck.
    pub(super) fn chance_random(&self) -> Random {
        self.random(1)
    }

    /// The seed of the player in a seat.
    pub(super) fn player_seed(&self, seat: usize) -> u64 {
        let mut random = self.random(2 + u64::from(self.number));
        (0..seat).for_each(|_| {
            random.next_u64();
        });
        random.next_u64()
    }

    fn random(&self, purpose: u64) -> Random {
        let mut seed = Random::new(self.seed);
        let mut block = Random::new(seed.next_u64() ^ u64::from(self.block));
        Random::new(block.next_u64() ^ purpose.rotate_left(32))
    }
}

fn read_players(
    requests: &[PlayerRequest],
    game: &dyn AnyGame,
) -> Result<Vec<PlayerSpec>, LabError> {
    if requests.len() > MOST_PLAYERS {
        return Err(LabError::Input(format!(
            "there are {} players: use at most {MOST_PLAYERS}",
            requests.len()
        )));
    }
    let mut players: Vec<PlayerSpec> = Vec::new();
    for (index, request) in requests.iter().enumerate() {
        let number = index + 1;
        let (place, player) = match request {
            PlayerRequest::Text(text) => (
                format!("--player {text:?}"),
                PlayerSpec::parse(text, number, game),
            ),
            PlayerRequest::Fields { place, fields } => {
                (place.clone(), PlayerSpec::from_fields(fields, number, game))
            }
        };
        let player = player.map_err(|error| LabError::Input(format!("{place}: {error}")))?;
        if players.iter().any(|other| other.name == player.name) {
            return Err(LabError::Input(format!(
                "{place}: two players are called '{}': give each a name= of its own",
                player.name
            )));
        }
        players.push(player);
    }
    Ok(players)
}

fn number_of_games(request: &Request, openings: &Openings, block: u32) -> Result<u32, LabError> {
    let usual = if request.sprt.is_some() {
        SPRT_GAMES
    } else {
        GAMES
    };
    let whole_blocks = |games: u32| games.div_ceil(block) * block;
    let games = match (openings, request.games) {
        (Openings::List(list), None) => {
            let openings = u32::try_from(list.len()).unwrap_or(MOST_GAMES);
            openings.min(MOST_GAMES / block) * block
        }
        (Openings::List(list), Some(games)) if list.len() < games.div_ceil(block) as usize => {
            return Err(LabError::Input(format!(
                "{games} games need {} openings, and there are {}: use at most {} games, or more \
                 openings",
                games.div_ceil(block),
                list.len(),
                list.len() * block as usize
            )));
        }
        (_, games) => whole_blocks(games.unwrap_or(usual)),
    };
    if !(1..=MOST_GAMES).contains(&games) {
        return Err(LabError::Input(format!(
            "{games} games: use 1 to {MOST_GAMES}"
        )));
    }
    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(game: &str, players: &[&str]) -> Request {
        Request {
            game: game.to_owned(),
            players: players
                .iter()
                .map(|text| PlayerRequest::Text((*text).to_owned()))
                .collect(),
            ..Request::default()
        }
    }

    #[test]
    fn games_are_whole_blocks() {
        let two = ["name=a,depth=1", "name=b,depth=2"];
        let plan = |games| {
            let mut request = request("kalah", &two);
            request.games = Some(games);
            Plan::new(&request).expect("a plan")
        };
        assert_eq!(plan(7).games, 8);
        assert_eq!(plan(8).games, 8);
        let plan = plan(8);
        assert_eq!(plan.task(5).seats, [1, 0]);
        assert_eq!((plan.task(4).block, plan.task(5).block), (2, 2));
    }

    #[test]
    fn games_of_a_block_share_opening_and_luck() {
        let plan = Plan::new(&request("kalah", &["name=a,depth=1", "name=b,random"]));
        let plan = plan.expect("a plan");
        let first = |random: Random| random.clone().next_u64();
        let of = |number| {
            let task = plan.task(number);
            (first(task.opening_random()), first(task.chance_random()))
        };
        assert_eq!(of(0), of(1));
        assert_ne!(of(0), of(2));
        assert_ne!(of(0).0, of(0).1);
        let seed = |number, seat| plan.task(number).player_seed(seat);
        assert!(seed(0, 0) != seed(1, 0) && seed(0, 0) != seed(0, 1));
    }

    #[test]
    fn requests_that_make_no_sense() {
        let two = ["name=a,depth=1", "name=b,depth=2"];
        let error = |request: &Request| match Plan::new(request) {
            Err(LabError::Input(line)) => line,
            other => panic!("{other:?}"),
        };
        assert!(error(&request("chess", &two)).contains("unknown game 'chess'"));
        assert!(error(&request("kalah", &[])).contains("use at least 2"));
        assert!(error(&request("kalah", &two[..1])).contains("use at least 2"));
        assert!(error(&request("2048", &[])).contains("use at least 1"));
        assert!(
            error(&request("kalah", &["depth=1", "name=player1,depth=2"])).contains("two players")
        );
        let sprt = Sprt::parse("").ok();
        let four = Request {
            sprt,
            ..request("blokus", &two)
        };
        assert!(error(&four).contains("--sprt is for two players"));
        let plies = Request {
            random_plies: Some(3),
            openings: Some("x".into()),
            ..request("kalah", &two)
        };
        assert!(error(&plies).contains("exclude each other"));
    }

    #[test]
    fn the_same_game_is_not_played_again_and_again() {
        let two = ["name=a,depth=1", "name=b,depth=2"];
        let plies = Request {
            random_plies: Some(0),
            ..request("kalah", &two)
        };
        assert_eq!(Plan::new(&plies).expect("a plan").games, 2);
        let random = Request {
            random_plies: Some(0),
            ..request("kalah", &["name=a,random", "name=b,depth=1"])
        };
        assert_eq!(Plan::new(&random).expect("a plan").games, 100);
    }
}
