//! `plywood solve gomoku`: a win by threats, with an answer to every defence.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use clap::Args;
use plywood::{Game, Turn};
use plywood_games::Notation;
use plywood_games::gomoku::patterns::PatternBoard;
use plywood_games::gomoku::threat_search::{
    Answer, Attack, Limits, MAX_MOVES, Solution, prove_by_fours, prove_by_threats,
};
use plywood_games::gomoku::{Gomoku, MAX_SIZE, MIN_SIZE, Point, Position, Rule, Settings};
use serde::Serialize;

use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::output::{self, Output, grouped};
use crate::values;

const EXAMPLES: &str = "\
Examples:
  plywood solve gomoku --vcf --position 'H8 A1 H9 A3 H10 A5'
  plywood solve gomoku --vct --rule renju --time 30s --position \\
      '15/15/15/15/15/15/7x7/5xx1x6/7o7/15/15/15/15/15/o13o b'

The proof: a move of the attacker, then in parentheses each defence with what
is played against it. All other defences lose to the threat that is named.";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct GomokuArgs {
    /// The position as text; it says whose move it is
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    position: String,
    /// Win by fours alone: every move threatens five
    #[arg(long, conflicts_with = "vct", required_unless_present = "vct")]
    vcf: bool,
    /// Win by threats: fours, open threes and moves that threaten a win by fours
    #[arg(long)]
    vct: bool,
    /// What wins: freestyle, exactly-five or renju
    #[arg(long, value_name = "RULE", value_parser = rule, default_value = "freestyle", allow_hyphen_values = true)]
    rule: Rule,
    /// Rows and columns of the board
    #[arg(long, value_name = "N", value_parser = size, default_value = "15", allow_hyphen_values = true)]
    size: u8,
    /// Any win will do: do not look for the shortest
    #[arg(long)]
    any: bool,
    /// Time for the search, like 500ms, 2s or 1m
    #[arg(long, value_name = "T", value_parser = values::time, default_value = "10s", allow_hyphen_values = true)]
    time: Duration,
    /// How many positions to look at
    #[arg(long, value_name = "N", value_parser = values::nodes, allow_hyphen_values = true)]
    nodes: Option<u64>,
    /// The most moves of the winner
    #[arg(long, value_name = "N", value_parser = moves, allow_hyphen_values = true)]
    moves: Option<u32>,
    /// Everything as one JSON object
    #[arg(long)]
    json: bool,
}

fn rule(text: &str) -> Result<Rule, String> {
    match text {
        "freestyle" => Ok(Rule::Freestyle),
        "exactly-five" => Ok(Rule::ExactlyFive),
        "renju" => Ok(Rule::Renju),
        _ => Err("use freestyle, exactly-five or renju".into()),
    }
}

fn rule_name(rule: Rule) -> &'static str {
    match rule {
        Rule::Freestyle => "freestyle",
        Rule::ExactlyFive => "exactly-five",
        Rule::Renju => "renju",
    }
}

fn size(text: &str) -> Result<u8, String> {
    let size = text.parse().ok();
    size.filter(|size| (MIN_SIZE..=MAX_SIZE).contains(size) && !text.starts_with('+'))
        .ok_or_else(|| format!("use a number from {MIN_SIZE} to {MAX_SIZE}"))
}

fn moves(text: &str) -> Result<u32, String> {
    let moves = text.parse().ok();
    moves
        .filter(|moves| (1..=MAX_MOVES).contains(moves) && !text.starts_with('+'))
        .ok_or_else(|| format!("use a number from 1 to {MAX_MOVES}"))
}

pub fn run(args: &GomokuArgs, out: &mut Output) -> Result<(), Failure> {
    let game = Gomoku::new(Settings {
        size: args.size,
        rule: args.rule,
        ..Settings::default()
    })
    .map_err(|error| Failure::Input(error.to_string()))?;
    let position = game.read_state(&args.position)?;
    if game.turn(&position) == Turn::Over {
        let result = game.result_text(&position);
        return Err(Failure::Input(format!(
            "the game is over ({result}): there is nothing to prove"
        )));
    }
    let board = PatternBoard::of(&game, &position);
    let interrupt = Interrupt::install();
    let limits = Limits {
        moves: args.moves,
        any: args.any,
        nodes: args.nodes,
        time: Some(args.time),
        stop: Some(interrupt.flag()),
        ..Limits::default()
    };
    let start = Instant::now();
    let solution = interrupt.during(|| {
        if args.vcf {
            prove_by_fours(&board, &limits)
        } else {
            prove_by_threats(&board, &limits)
        }
    });
    let found = Solved {
        args,
        game: &game,
        position: &position,
        solution: &solution,
        time: start.elapsed(),
    };
    if args.json {
        serde_json::to_writer(&mut *out, &found.json()).map_err(io::Error::from)?;
        return Ok(writeln!(out)?);
    }
    found.show(out)
}

/// What was asked and what was found.
struct Solved<'a> {
    args: &'a GomokuArgs,
    game: &'a Gomoku,
    position: &'a Position,
    solution: &'a Solution,
    time: Duration,
}

impl Solved<'_> {
    fn kind(&self) -> &'static str {
        if self.args.vcf { "fours" } else { "threats" }
    }

    fn player(&self) -> String {
        match self.game.turn(self.position) {
            Turn::Player(seat) => self.game.seat_name(seat),
            Turn::Chance | Turn::Over => unreachable!("a player is to move"),
        }
    }

    fn show(&self, out: &mut Output) -> Result<(), Failure> {
        let (player, kind) = (self.player(), self.kind());
        let rule = rule_name(self.args.rule);
        let size = self.args.size;
        writeln!(out, "gomoku, {rule}, {size}x{size}: {player} to move")?;
        let board = self.game.draw(self.position, out.style);
        writeln!(out, "{board}")?;
        match &self.solution.answer {
            Answer::Wins { proof, shortest } => {
                let moves = proof.length();
                let plural = if moves == 1 { "" } else { "s" };
                let how = match (shortest, self.args.any) {
                    (true, _) => ", and not in fewer",
                    (false, true) => "",
                    (false, false) => "; the limits were too small to look for fewer",
                };
                let first = out.bold(&proof.first.point.to_string());
                writeln!(
                    out,
                    "result    {player} wins by {kind} in {moves} move{plural}{how}"
                )?;
                writeln!(out, "first     {first}")?;
                writeln!(out, "line      {}", joined(&proof.first.line(), " "))?;
            }
            Answer::None => writeln!(out, "result    {player} has no win by {kind}")?,
            Answer::Unknown => writeln!(
                out,
                "result    none within the limits: whether {player} has a win by {kind} is not known"
            )?,
        }
        writeln!(
            out,
            "nodes     {}, {}",
            grouped(self.solution.nodes),
            output::time(self.time)
        )?;
        if let Answer::Wins { proof, .. } = &self.solution.answer {
            writeln!(out, "\nproof")?;
            write_attack(out, &proof.first, 1)?;
        }
        Ok(())
    }

    fn json(&self) -> SolvedJson {
        let (answer, proof) = match &self.solution.answer {
            Answer::Wins { proof, shortest } => ("wins", Some((proof, *shortest))),
            Answer::None => ("none", None),
            Answer::Unknown => ("unknown", None),
        };
        SolvedJson {
            rule: rule_name(self.args.rule),
            size: self.args.size,
            position: self.game.write_state(self.position),
            turn: self.player(),
            by: self.kind(),
            answer,
            moves: proof.map(|(proof, _)| proof.length()),
            shortest: proof.map(|(_, shortest)| shortest),
            line: proof.map(|(proof, _)| texts(&proof.first.line())),
            nodes: self.solution.nodes,
            time_s: self.time.as_secs_f64(),
            proof: proof.map(|(proof, _)| AttackJson::of(&proof.first)),
        }
    }
}

fn texts(points: &[Point]) -> Vec<String> {
    points.iter().map(Point::to_string).collect()
}

fn joined(points: &[Point], between: &str) -> String {
    texts(points).join(between)
}

/// Writes a move and all that follows. As long as there is one defence it stays on the line.
fn write_attack(out: &mut Output, attack: &Attack, depth: usize) -> io::Result<()> {
    write!(out, "{:width$}", "", width = 2 * depth)?;
    let mut attack = attack;
    loop {
        write!(out, "{}", attack.point)?;
        match attack.defences.as_slice() {
            [] => return writeln!(out, "{}", threat(attack)),
            [only] if attack.threat_moves == 1 => {
                write!(out, " ({}) ", only.point)?;
                attack = &only.answer;
            }
            defences => {
                writeln!(out, "{}", threat(attack))?;
                for defence in defences {
                    writeln!(
                        out,
                        "{:width$}({})",
                        "",
                        defence.point,
                        width = 2 * depth + 1
                    )?;
                    write_attack(out, &defence.answer, depth + 1)?;
                }
                return Ok(());
            }
        }
    }
}

/// What a move threatens.
fn threat(attack: &Attack) -> String {
    let points = joined(&attack.threats, " or ");
    match attack.threat_moves {
        0 => " makes five".into(),
        1 => format!(", then five at {points}"),
        2 => format!(", which threatens an open four at {points}"),
        moves => format!(", which threatens to win by fours in {moves} moves from {points}"),
    }
}

#[derive(Serialize)]
struct SolvedJson {
    rule: &'static str,
    size: u8,
    position: String,
    turn: String,
    /// What was searched for: a win by `fours` or by `threats`.
    by: &'static str,
    /// `wins`, `none`, or `unknown` if a limit was reached first.
    answer: &'static str,
    /// The moves of the winner up to five.
    moves: Option<u32>,
    /// Whether no win of this kind takes fewer.
    shortest: Option<bool>,
    line: Option<Vec<String>>,
    nodes: u64,
    time_s: f64,
    proof: Option<AttackJson>,
}

#[derive(Serialize)]
struct AttackJson {
    #[serde(rename = "move")]
    mv: String,
    /// Where the attacker plays against any defence that is not listed.
    threats: Vec<String>,
    /// In how many moves that wins.
    threat_moves: u32,
    defences: Vec<DefenceJson>,
}

#[derive(Serialize)]
struct DefenceJson {
    #[serde(rename = "move")]
    mv: String,
    answer: AttackJson,
}

impl AttackJson {
    fn of(attack: &Attack) -> Self {
        AttackJson {
            mv: attack.point.to_string(),
            threats: texts(&attack.threats),
            threat_moves: attack.threat_moves,
            defences: attack
                .defences
                .iter()
                .map(|defence| DefenceJson {
                    mv: defence.point.to_string(),
                    answer: AttackJson::of(&defence.answer),
                })
                .collect(),
        }
    }
}
