//! Small programs to play against: they speak the protocols, well or badly.
//!
//! `match_programs stand-in PROTOCOL MANNER [NUMBER]`: with a number the manner shows from
//! that move on, before it the program plays well. `PLYWOOD_STAND_IN_LOG` names a file that
//! every line the program hears is added to.

use std::collections::HashSet;
use std::io::{BufRead, Write};
use std::time::Duration;

use plywood_games::registry::{self, AnyGame, Position};

pub fn main(arguments: &[String]) {
    let manner = arguments.get(1).map_or("well", String::as_str);
    let from = arguments.get(2).and_then(|text| text.parse().ok());
    let behaviour = Behaviour {
        manner: manner.to_owned(),
        from: from.unwrap_or(1),
        moves: 0,
    };
    match arguments.first().map(String::as_str) {
        Some("gomocup") => gomocup(behaviour),
        Some("gtp") => gtp(behaviour),
        _ => panic!("gomocup or gtp"),
    }
}

struct Behaviour {
    manner: String,
    from: u32,
    moves: u32,
}

impl Behaviour {
    /// Does what it does instead of a move; whether it did.
    fn misbehaves(&mut self, protocol: &str) -> bool {
        self.moves += 1;
        if self.moves < self.from {
            return false;
        }
        match self.manner.as_str() {
            "crash" => {
                eprintln!("out of ideas");
                std::process::exit(3);
            }
            "silent" => {}
            "garbage" => say("what a lovely day"),
            "flood" => loop {
                if writeln!(std::io::stdout(), "blah").is_err() {
                    std::process::exit(0);
                }
            },
            "illegal" if protocol == "gomocup" => say("0,0"),
            "off-board" => say("40,40"),
            "illegal" => say("= a1,b1,c1,d1,e1\n"),
            "pass" => say("= pass\n"),
            "fail" => say("? cannot\n"),
            _ => return false,
        }
        true
    }
}

fn say(line: &str) {
    println!("{line}");
    std::io::stdout().flush().expect("somebody listens");
}

/// Every line it hears.
fn lines() -> impl Iterator<Item = String> {
    let log = std::env::var_os("PLYWOOD_STAND_IN_LOG");
    std::io::stdin()
        .lock()
        .lines()
        .map_while(Result::ok)
        .inspect(move |line| {
            if let Some(path) = &log {
                let mut file = std::fs::File::options()
                    .create(true)
                    .append(true)
                    .open(path)
                    .expect("a log");
                writeln!(file, "{line}").expect("a log");
            }
        })
}

fn gomocup(mut behaviour: Behaviour) {
    let mut size = 15;
    let mut taken: HashSet<(i32, i32)> = HashSet::new();
    let read = |text: &str| -> (i32, i32) {
        let mut numbers = text
            .split(',')
            .map(|number| number.parse().expect("a number"));
        (numbers.next().expect("x"), numbers.next().expect("y"))
    };
    let mut in_board = false;
    for line in lines() {
        let (command, rest) = line.split_once(' ').unwrap_or((line.trim(), ""));
        let to_move = match command {
            "START" if behaviour.manner == "refuse" => {
                say("ERROR size is not supported");
                false
            }
            "START" if behaviour.manner == "no-start" => false,
            "START" => {
                size = rest.trim().parse().expect("a size");
                taken.clear();
                say("MESSAGE hello");
                say("OK");
                false
            }
            "INFO" => false,
            "BOARD" => {
                in_board = true;
                false
            }
            "DONE" => {
                in_board = false;
                true
            }
            "BEGIN" => true,
            "TURN" => {
                taken.insert(read(rest.trim()));
                true
            }
            "PLAY" => {
                say(rest.trim());
                false
            }
            "END" if behaviour.manner == "stays" => {
                std::thread::sleep(Duration::from_secs(60));
                false
            }
            "END" => return,
            _ if in_board => {
                taken.insert(read(line.trim()));
                false
            }
            _ => {
                say("UNKNOWN command");
                false
            }
        };
        if !to_move || behaviour.misbehaves("gomocup") {
            continue;
        }
        let all = (0..size).flat_map(|y| (0..size).map(move |x| (x, y)));
        // Beginning at the bottom: the illegal move of the others is at the top.
        let all: Vec<(i32, i32)> = all.collect();
        let (x, y) = *all
            .iter()
            .rev()
            .find(|point| !taken.contains(point))
            .expect("room");
        taken.insert((x, y));
        match behaviour.manner.as_str() {
            "talks" => {
                say("DEBUG thinking");
                say("MESSAGE depth 1 3,3");
                say("ERROR just a little one");
                say("UNKNOWN what was that");
                say("");
                println!("{x},{y}\r");
            }
            "suggests" => say(&format!("SUGGEST {x},{y}")),
            _ => say(&format!("{x},{y}")),
        }
    }
    if behaviour.manner == "stays" {
        std::thread::sleep(Duration::from_secs(60));
    }
}

fn gtp(mut behaviour: Behaviour) {
    let mut game: Option<Box<dyn AnyGame>> = None;
    let mut position: Option<Position> = None;
    for line in lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let done = |text: &str| say(&format!("= {text}\n"));
        match words.as_slice() {
            ["set_game", ..] if behaviour.manner == "refuse" => say("? unknown game\n"),
            ["set_game", rest @ ..] => {
                let name = match rest {
                    ["Blokus", "Duo"] => "blokus-duo",
                    _ => "blokus",
                };
                game = registry::open(name).ok();
                done("");
            }
            ["known_command", "set_random_seed"] => done("true"),
            ["known_command", _] => done("false"),
            ["set_random_seed", seed] => {
                seed.parse::<u32>().expect("a seed");
                done("");
            }
            ["clear_board"] => {
                position = game.as_ref().map(|game| game.start());
                done("");
            }
            ["play", _, mv] => {
                let after = match (&game, &position) {
                    (Some(game), Some(now)) => game.play(now, mv).ok(),
                    _ => None,
                };
                match after {
                    Some(after) => {
                        position = Some(after);
                        done("");
                    }
                    None => say("? illegal move\n"),
                }
            }
            ["genmove", _] => {
                if behaviour.misbehaves("gtp") {
                    continue;
                }
                let (Some(game), Some(now)) = (&game, &position) else {
                    say("? no game\n");
                    continue;
                };
                let mv = game.moves(now).remove(0);
                position = game.play(now, &mv).ok();
                done(&mv);
            }
            ["quit"] => {
                done("");
                return;
            }
            _ => say("? unknown command\n"),
        }
    }
}
