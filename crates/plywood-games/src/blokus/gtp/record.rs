//! Games in Pentobi's `.blksgf`: SGF whose moves are the cells of a piece.

use crate::sgf::{self, Node};

use super::Variant;

/// A game as it was played.
#[derive(Debug)]
pub(super) struct Record {
    pub variant: Variant,
    /// Colours and moves; the moves of a position that was set up come first.
    pub moves: Vec<(usize, String)>,
}

/// The properties of each colour: placements before the game, and moves.
fn properties(variant: Variant) -> &'static [(&'static str, &'static str)] {
    match variant {
        Variant::Classic => &[("A1", "1"), ("A2", "2"), ("A3", "3"), ("A4", "4")],
        Variant::Duo => &[("AB", "B"), ("AW", "W")],
    }
}

impl Record {
    pub fn read(text: &str) -> Result<Self, String> {
        let nodes = sgf::parse(text)?;
        let root = nodes.first().ok_or("there is no game in it")?;
        let game = root.value("GM").unwrap_or_default();
        let variant = Variant::named(game).ok_or_else(|| {
            format!(
                "line {}: GM[{}] is not played here: Blokus and Blokus Duo are",
                root.line,
                game.escape_debug()
            )
        })?;
        let mut moves = Vec::new();
        for node in &nodes {
            let placed = properties(variant).iter().map(|names| names.0).enumerate();
            let played = properties(variant).iter().map(|names| names.1).enumerate();
            for (colour, property) in placed.chain(played) {
                // A pass may be written down, but nothing happens.
                let values = node.values(property).iter();
                let values = values.filter(|mv| !mv.is_empty() && *mv != "pass");
                moves.extend(values.map(|mv| (colour, mv.clone())));
            }
        }
        Ok(Record { variant, moves })
    }

    pub fn write(&self) -> String {
        let mut root = Node::default();
        root.add(
            "GM",
            match self.variant {
                Variant::Classic => "Blokus",
                Variant::Duo => "Blokus Duo",
            },
        );
        root.add("CA", "UTF-8");
        root.add("AP", concat!("plywood:", env!("CARGO_PKG_VERSION")));
        let mut nodes = vec![root];
        for (colour, mv) in &self.moves {
            let mut node = Node::default();
            node.add(properties(self.variant)[*colour].1, mv);
            nodes.push(node);
        }
        sgf::write(&nodes)
    }
}
