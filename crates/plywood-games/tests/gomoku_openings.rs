//! Wins from the classic openings, as far as the search for threats reaches: black's third stone
//! makes the opening, both sides play on, and from there on black wins by threats alone.

mod gomoku_problems;

use gomoku_problems::points;
use plywood_games::gomoku::patterns::PatternBoard;
use plywood_games::gomoku::threat_search::{Answer, Limits, prove_by_threats};
use plywood_games::gomoku::{Colour, Rule};

/// The name of the opening, the moves of both sides, and how many moves the win that the
/// search finds first takes at most.
const LINES: [(&str, &str, u32); 8] = [
    // White's first stone beside black's: direct openings.
    ("Shogetsu", "H8 H9 H7 J6 G7 J7", 10),
    ("Ugetsu", "H8 H9 I8 J8 I11 H11 F8 E8", 10),
    ("Sangetsu", "H8 H9 I6 G10 J7 G8 G7 I7", 10),
    ("Kansei", "H8 H9 H10 I11 G8 F10 I8 J8 F9 F8", 16),
    (
        "Keigetsu",
        "H8 H9 I10 I11 F8 E8 G7 E9 G9 E7 E6 G6 I7 J6",
        12,
    ),
    (
        "Kinsei",
        "H8 H9 J8 K8 G10 K7 G7 K9 K10 J7 I8 G8 J9 L11 F7 H7 F6 I9",
        14,
    ),
    // And diagonally next to it: indirect openings.
    ("Rangetsu", "H8 I9 I6 I11 H7 K9", 10),
    ("Meigetsu", "H8 I9 G6 J6 F7 I8 G7 I7 I6 I10 I11 J7", 6),
];

fn after(moves: &str) -> PatternBoard {
    let mut board = PatternBoard::new(Rule::Freestyle, 15);
    for point in points(moves) {
        board.play(point);
    }
    board.position()
}

#[test]
fn black_wins_from_classic_openings() {
    for (name, moves, most) in LINES {
        let board = after(moves);
        assert_eq!(board.to_move(), Colour::Black);
        let limits = Limits {
            any: true,
            nodes: Some(100_000),
            ..Limits::default()
        };
        let solution = prove_by_threats(&board, &limits);
        let Answer::Wins { proof, .. } = solution.answer else {
            panic!("{name}: {:?}", solution.answer);
        };
        // Against every legal move of white, not only those that the search has looked at.
        proof
            .check(&board)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let length = proof.length();
        println!("{name}: in {length} moves, {} nodes", solution.nodes);
        assert!(length <= most, "{name}: {length}");
    }
}

/// With two stones each no threats win: the openings are not decided by the search for threats
/// alone.
#[test]
fn two_stones_are_not_enough() {
    for (name, moves, _) in LINES {
        let opening: Vec<&str> = moves.split(' ').take(4).collect();
        let board = after(&opening.join(" "));
        let limits = Limits {
            nodes: Some(100_000),
            ..Limits::default()
        };
        let answer = prove_by_threats(&board, &limits).answer;
        assert_eq!(answer, Answer::None, "{name}");
    }
}
