//! Which moves lead to a task, as text.

use plywood_games::registry::{AnyGame, Position};

use super::graph::{Graph, Origin, Step};

/// The moves to every task of a graph, in the order of [`Graph::tasks`]; empty for a search
/// from the root. The error says that the graph is not of this position.
pub fn move_paths(
    graph: &Graph,
    game: &dyn AnyGame,
    root: &Position,
) -> Result<Vec<String>, String> {
    let mut walk = Walk {
        graph,
        game,
        paths: vec![String::new(); graph.tasks.len()],
    };
    // The positions of tasks that are split, from the top down.
    let tops = graph.iterations.iter().flatten();
    let mut open: Vec<(usize, Position)> = tops.map(|&task| (task, root.clone())).collect();
    while let Some((task, position)) = open.pop() {
        for step in &graph.tasks[task].steps {
            if let Step::Split(split) = *step {
                walk.split(split, &walk.paths[task].clone(), &position, &mut open)?;
            }
        }
    }
    Ok(walk.paths)
}

struct Walk<'a> {
    graph: &'a Graph,
    game: &'a dyn AnyGame,
    paths: Vec<String>,
}

impl Walk<'_> {
    fn split(
        &mut self,
        split: usize,
        path: &str,
        position: &Position,
        open: &mut Vec<(usize, Position)>,
    ) -> Result<(), String> {
        let split = &self.graph.splits[split];
        let mut position = position.clone();
        let mut path = path.to_owned();
        let mut moves = self.game.moves(&position);
        for &child in &split.path {
            let mv = nth(&moves, child)?;
            path = joined(&path, mv);
            position = self.play(&position, mv)?;
            moves = self.game.moves(&position);
        }
        for &place in &split.tasks {
            let task = &self.graph.tasks[place];
            let Origin::Split { child, .. } = task.origin else {
                continue;
            };
            let mv = nth(&moves, child)?;
            self.paths[place] = joined(&path, mv);
            if !task.is_leaf() {
                open.push((place, self.play(&position, mv)?));
            }
        }
        Ok(())
    }

    fn play(&self, position: &Position, mv: &str) -> Result<Position, String> {
        let played = self.game.play(position, mv);
        played.map_err(|_| "the trace is not of this position".to_owned())
    }
}

fn nth(moves: &[String], child: u32) -> Result<&str, String> {
    let mv = moves.get(child as usize).map(String::as_str);
    mv.ok_or_else(|| "the trace is not of this position".to_owned())
}

fn joined(path: &str, mv: &str) -> String {
    if path.is_empty() {
        mv.to_owned()
    } else {
        format!("{path} {mv}")
    }
}

/// The position in which a task began. The error says that the graph is not of this position.
pub fn position_of(
    graph: &Graph,
    task: usize,
    game: &dyn AnyGame,
    root: &Position,
) -> Result<Position, String> {
    let mut children = Vec::new();
    let mut task = &graph.tasks[task];
    while let Origin::Split { split, child, .. } = task.origin {
        let split = &graph.splits[split];
        children.push(child);
        children.extend(split.path.iter().rev());
        task = &graph.tasks[split.parent];
    }
    let mut position = root.clone();
    for &child in children.iter().rev() {
        let moves = game.moves(&position);
        let played = game.play(&position, nth(&moves, child)?);
        position = played.map_err(|_| "the trace is not of this position".to_owned())?;
    }
    Ok(position)
}
