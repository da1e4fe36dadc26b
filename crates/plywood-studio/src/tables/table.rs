//! One game that is kept: where it began, its moves, who plays, and where it stands.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use plywood::{Limits, Search, Settings, Strategy, Turn};
use plywood_games::registry::{self, AnyGame, Position, Random};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::MOST_MOVES;
use crate::failure::Failure;
use crate::view::Scene;
use crate::way::{Bounds, Way};

/// The format of the files.
const FORMAT: u32 = 1;

/// The longest title in characters.
const LONGEST_TITLE: usize = 200;

/// Who sits in a seat.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum SeatSpec {
    /// Somebody at the board.
    Person,
    /// An engine or a search.
    Engine(Way),
}

/// Who decides what chance does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Spawner {
    /// Chance, with the game's probabilities.
    #[default]
    Random,
    /// Somebody at the board.
    Person,
    /// An adversary: the worst for the player.
    Worst,
}

/// What a file holds.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    format: u32,
    id: String,
    version: u64,
    game: String,
    title: String,
    seats: Vec<SeatSpec>,
    spawner: Spawner,
    seed: u64,
    start: String,
    moves: Vec<String>,
    at: usize,
    created: u64,
    changed: u64,
}

/// A game that is kept.
#[derive(Clone)]
pub(crate) struct Table {
    kept: Kept,
    game: Arc<dyn AnyGame>,
    start: Position,
    now: Position,
    /// The position before the last move, if there is one.
    before: Option<Position>,
    /// Who made each of the moves; nobody if it was chance.
    movers: Vec<Option<usize>>,
}

/// What a new game is made of.
#[derive(Default)]
pub(crate) struct NewTable {
    pub(crate) game: String,
    pub(crate) position: Option<String>,
    pub(crate) moves: Vec<String>,
    pub(crate) seats: Option<Vec<SeatSpec>>,
    pub(crate) spawner: Spawner,
    pub(crate) seed: Option<u64>,
    pub(crate) title: Option<String>,
}

/// A number that nobody can guess.
fn unguessable() -> u64 {
    RandomState::new().build_hasher().finish()
}

fn unix_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as u64)
}

impl Table {
    /// A new game. What chance does first is done.
    pub(crate) fn new(new: NewTable, bounds: Bounds) -> Result<Self, Failure> {
        let game: Arc<dyn AnyGame> = registry::open(&new.game)
            .map_err(|error| Failure::bad("bad-game", error.to_string()))?
            .into();
        let start = match &new.position {
            Some(text) => game
                .read_position(text)
                .map_err(|error| Failure::bad("bad-position", error.to_string()))?,
            None => game.start(),
        };
        let players = game.info().players;
        let seats = new.seats.unwrap_or_else(|| vec![SeatSpec::Person; players]);
        check_seats(&*game, &seats, bounds)?;
        let now = unix_ms();
        let mut table = Table {
            kept: Kept {
                format: FORMAT,
                id: format!("{:016x}", unguessable()),
                version: 1,
                game: game.spec().to_owned(),
                title: title(new.title.unwrap_or_default())?,
                seats,
                spawner: new.spawner,
                seed: new.seed.unwrap_or_else(unguessable),
                start: game.write_position(&start),
                moves: Vec::new(),
                at: 0,
                created: now,
                changed: now,
            },
            now: start.clone(),
            start,
            before: None,
            movers: Vec::new(),
            game,
        };
        for mv in &new.moves {
            table.add(mv)?;
        }
        table.settle()?;
        Ok(table)
    }

    /// Reads what [`write`](Table::write) has written; the error says why that is not
    /// possible.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, String> {
        let kept: Kept = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        if kept.format != FORMAT {
            return Err(format!("its format is {} and not {FORMAT}", kept.format));
        }
        if kept.at > kept.moves.len() || kept.moves.len() > MOST_MOVES {
            return Err("it has more moves, or fewer, than it can have".to_owned());
        }
        let text = |error: plywood_games::TextError| error.to_string();
        let game: Arc<dyn AnyGame> = registry::open(&kept.game).map_err(text)?.into();
        if kept.seats.len() != game.info().players {
            return Err("it has not as many seats as the game has players".to_owned());
        }
        let start = game.read_position(&kept.start).map_err(text)?;
        let mut table = Table {
            now: start.clone(),
            start,
            before: None,
            movers: Vec::new(),
            game,
            kept,
        };
        // All moves have to be legal, not only those up to now.
        let (at, moves) = (table.kept.at, std::mem::take(&mut table.kept.moves));
        table.kept.at = 0;
        for mv in moves {
            table
                .add(&mv)
                .map_err(|failure| failure.message().to_owned())?;
        }
        table.walk_to(at)?;
        Ok(table)
    }

    /// The bytes of its file.
    pub(super) fn write(&self) -> Vec<u8> {
        serde_json::to_vec(&self.kept).expect("texts and numbers can be written")
    }

    pub(crate) fn id(&self) -> &str {
        &self.kept.id
    }

    pub(crate) fn version(&self) -> u64 {
        self.kept.version
    }

    pub(crate) fn changed(&self) -> u64 {
        self.kept.changed
    }

    pub(crate) fn game(&self) -> &Arc<dyn AnyGame> {
        &self.game
    }

    pub(crate) fn position(&self) -> &Position {
        &self.now
    }

    /// Where it began, as text.
    pub(crate) fn start_text(&self) -> &str {
        &self.kept.start
    }

    /// The moves up to now.
    pub(crate) fn moves(&self) -> &[String] {
        &self.kept.moves[..self.kept.at]
    }

    pub(crate) fn seats(&self) -> &[SeatSpec] {
        &self.kept.seats
    }

    /// Says that it has changed.
    pub(super) fn touch(&mut self) {
        self.kept.version += 1;
        self.kept.changed = unix_ms().max(self.kept.changed);
    }

    /// A few words on it, for a list.
    pub(super) fn summary(&self) -> Value {
        let turn = match self.game.turn(&self.now) {
            Turn::Player(seat) => json!({ "kind": "player", "seat": seat.index() }),
            Turn::Chance => json!({ "kind": "chance" }),
            Turn::Over => json!({ "kind": "over" }),
        };
        json!({
            "id": self.kept.id,
            "version": self.kept.version,
            "game": self.kept.game,
            "title": self.kept.title,
            "seats": self.kept.seats,
            "moves": self.kept.moves.len(),
            "at": self.kept.at,
            "turn": turn,
            "result": self.game.result(&self.now),
            "created": self.kept.created,
            "changed": self.kept.changed,
        })
    }

    /// Everything.
    pub(crate) fn json(&self) -> Result<Value, Failure> {
        let last = self.kept.at.checked_sub(1);
        let last = last.map(|last| self.kept.moves[last].as_str());
        let scene = Scene {
            game: &*self.game,
            position: &self.now,
            last: last.zip(self.before.as_ref()),
        };
        let kept = &self.kept;
        Ok(json!({
            "id": kept.id,
            "version": kept.version,
            "game": kept.game,
            "title": kept.title,
            "seats": kept.seats,
            "spawner": kept.spawner,
            "start": kept.start,
            "moves": kept.moves,
            "movers": self.movers,
            "at": kept.at,
            "created": kept.created,
            "changed": kept.changed,
            "view": scene.view()?,
        }))
    }

    /// Plays a move; what was taken back before is forgotten. Then chance acts, if the
    /// server does that.
    pub(crate) fn play(&mut self, mv: &str) -> Result<(), Failure> {
        self.add(mv)?;
        self.settle()
    }

    fn add(&mut self, mv: &str) -> Result<(), Failure> {
        if self.kept.at >= MOST_MOVES {
            return Err(Failure::conflict(
                "too-long",
                format!("the game has {MOST_MOVES} moves, which is as many as are kept"),
            ));
        }
        let after = self.game.play(&self.now, mv).map_err(|error| {
            let number = self.kept.at + 1;
            Failure::bad("bad-move", format!("move {number}: {error}"))
        })?;
        // As the game writes it, not as it was typed.
        let text = self.written(mv, &after);
        self.kept.moves.truncate(self.kept.at);
        self.kept.moves.push(text);
        self.movers.truncate(self.kept.at);
        self.movers.push(match self.game.turn(&self.now) {
            Turn::Player(seat) => Some(seat.index()),
            Turn::Chance | Turn::Over => None,
        });
        self.kept.at += 1;
        self.before = Some(std::mem::replace(&mut self.now, after));
        Ok(())
    }

    /// A move as the game lists it; a legal move that it does not list stays as it was typed.
    fn written(&self, mv: &str, after: &Position) -> String {
        let moves = self.game.moves(&self.now);
        let typed = mv.trim();
        if let Some(same) = moves.iter().find(|listed| listed.as_str() == typed) {
            return same.clone();
        }
        let wanted = self.game.write_position(after);
        let leads_there = |listed: &&String| {
            let played = self.game.play(&self.now, listed);
            played.is_ok_and(|position| self.game.write_position(&position) == wanted)
        };
        let same = moves.iter().find(leads_there);
        same.cloned().unwrap_or_else(|| typed.to_uppercase())
    }

    /// Lets chance act as long as it is its turn and the server plays it.
    pub(crate) fn settle(&mut self) -> Result<(), Failure> {
        while self.game.turn(&self.now) == Turn::Chance {
            let event = match self.kept.spawner {
                Spawner::Person => return Ok(()),
                Spawner::Random => {
                    // From the seed and the place, so that a game that goes on after a
                    // restart goes on in the same way.
                    let place = (self.kept.at as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                    let mut random = Random::new(self.kept.seed ^ place);
                    self.game.random_chance(&self.now, &mut random)
                }
                Spawner::Worst => worst(&*self.game, &self.now),
            };
            let event = event.ok_or_else(|| Failure::failed("chance has nothing to do"))?;
            self.add(&event)?;
        }
        Ok(())
    }

    /// Goes to the position after so many moves.
    pub(crate) fn go_to(&mut self, at: usize) -> Result<(), Failure> {
        let moves = self.kept.moves.len();
        if at > moves {
            return Err(Failure::bad(
                "bad-place",
                format!("there is no place {at} in a game of {moves} moves: use 0 to {moves}"),
            ));
        }
        self.walk_to(at).map_err(Failure::failed)
    }

    fn walk_to(&mut self, at: usize) -> Result<(), String> {
        let mut now = self.start.clone();
        let mut before = None;
        for (index, mv) in self.kept.moves[..at].iter().enumerate() {
            let after = self
                .game
                .play(&now, mv)
                .map_err(|error| format!("move {}: {error}", index + 1))?;
            before = Some(std::mem::replace(&mut now, after));
        }
        (self.now, self.before, self.kept.at) = (now, before, at);
        Ok(())
    }

    /// Goes back to where somebody at the board last had something to decide.
    pub(crate) fn undo(&mut self) -> Result<(), Failure> {
        let places = self.places();
        let at = self.kept.at;
        let earlier = places.iter().rev().find(|&&place| place < at);
        match earlier {
            Some(&place) => self.go_to(place),
            None => Err(Failure::conflict(
                "nothing-to-undo",
                "there is no move to take back",
            )),
        }
    }

    /// Goes forward to where somebody at the board next had something to decide, or to the
    /// end.
    pub(crate) fn redo(&mut self) -> Result<(), Failure> {
        let at = self.kept.at;
        let last = self.kept.moves.len();
        if at == last {
            return Err(Failure::conflict(
                "nothing-to-redo",
                "there is no move that was taken back",
            ));
        }
        let places = self.places();
        let later = places.iter().find(|&&place| place > at);
        self.go_to(later.copied().unwrap_or(last))
    }

    /// The places in the game where somebody at the board decides; if nobody does, those
    /// where anybody but chance does.
    fn places(&self) -> Vec<usize> {
        let kept = &self.kept;
        let nobody = !kept.seats.contains(&SeatSpec::Person) && kept.spawner != Spawner::Person;
        let decides = |mover: &Option<usize>| match *mover {
            Some(seat) => nobody || kept.seats[seat] == SeatSpec::Person,
            None => kept.spawner == Spawner::Person,
        };
        let places = self.movers.iter().enumerate();
        places
            .filter(|(_, mover)| decides(mover))
            .map(|(place, _)| place)
            .collect()
    }

    pub(crate) fn set_title(&mut self, text: String) -> Result<(), Failure> {
        self.kept.title = title(text)?;
        Ok(())
    }

    pub(crate) fn set_seats(
        &mut self,
        seats: Vec<SeatSpec>,
        bounds: Bounds,
    ) -> Result<(), Failure> {
        check_seats(&*self.game, &seats, bounds)?;
        self.kept.seats = seats;
        Ok(())
    }

    pub(crate) fn set_spawner(&mut self, spawner: Spawner) {
        self.kept.spawner = spawner;
    }

    /// The way of the engine whose turn it is, if one plays that seat.
    pub(crate) fn engine_to_move(&self) -> Option<&Way> {
        let Turn::Player(seat) = self.game.turn(&self.now) else {
            return None;
        };
        match &self.kept.seats[seat.index()] {
            SeatSpec::Engine(way) => Some(way),
            SeatSpec::Person => None,
        }
    }

    /// Whether chance is to act, and the server plays it.
    pub(crate) fn waits_for_chance(&self) -> bool {
        self.game.turn(&self.now) == Turn::Chance && self.kept.spawner != Spawner::Person
    }

    /// Numbers at random for the move at this place: the same ones for the same game.
    pub(crate) fn random(&self) -> Random {
        let place = (self.kept.at as u64).wrapping_mul(0xd1b5_4a32_d192_ed03);
        Random::new(self.kept.seed.rotate_left(17) ^ place)
    }
}

fn title(text: String) -> Result<String, Failure> {
    if text.chars().count() > LONGEST_TITLE || text.chars().any(char::is_control) {
        return Err(Failure::bad(
            "bad-title",
            format!("a title is one line of at most {LONGEST_TITLE} characters"),
        ));
    }
    Ok(text)
}

fn check_seats(game: &dyn AnyGame, seats: &[SeatSpec], bounds: Bounds) -> Result<(), Failure> {
    let players = game.info().players;
    if seats.len() != players {
        return Err(Failure::bad(
            "bad-seats",
            format!(
                "there are {} seats: {} has {players}",
                seats.len(),
                game.spec()
            ),
        ));
    }
    for seat in seats {
        if let SeatSpec::Engine(way) = seat {
            way.choose(game, bounds, false)?.check(game)?;
        }
    }
    Ok(())
}

/// What the worst is that chance can do, as a search two plies deep sees it.
fn worst(game: &dyn AnyGame, position: &Position) -> Option<String> {
    let search: Search = "worst-case".parse().ok()?;
    let settings = Settings {
        search,
        strategy: Strategy::sequential(),
        threads: 1,
        table_bytes: 1 << 20,
        after_chance: false,
    };
    // An evaluation that needs nothing to be loaded.
    let names: Vec<&str> = game.info().evaluations().iter().map(|e| e.name).collect();
    let evaluation = names
        .iter()
        .find(|name| **name == "smooth")
        .or(names.first())?;
    let mut searcher = game.searcher(evaluation, settings).ok()?;
    let limits = Limits::depth(2).with_all_moves();
    let report = searcher.search(position, &limits, &mut |_| {});
    let worst = report.root.iter().reduce(|worst, next| {
        if next.value < worst.value {
            next
        } else {
            worst
        }
    });
    worst.map(|root| root.mv.clone())
}
