//! What a task strategy decides: which nodes are split, and who takes the first child.

/// Who searches the first child of a split node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Spawn {
    /// Every child is offered, the first one too.
    #[default]
    All,
    /// The owner of the node takes the first child itself and offers the rest.
    Rest,
}

/// Which nodes are split, and how. A node that is not split has no split node below it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SplitPolicy {
    /// Only nodes above this ply are split (the root is at ply 0).
    pub plies: u32,
    /// Only nodes with at least this depth left are split.
    pub min_depth: u32,
    /// Whether the first child is searched before any other is offered.
    pub eldest_first: bool,
    /// Who takes the first child, where it is not searched before the others anyway.
    pub spawn: Spawn,
    /// Whether the children of split nodes are searched without bounds.
    pub open_windows: bool,
}

impl SplitPolicy {
    /// Splits nothing.
    pub const NEVER: SplitPolicy = SplitPolicy {
        plies: 0,
        min_depth: 1,
        eldest_first: false,
        spawn: Spawn::All,
        open_windows: false,
    };

    /// Splits every node.
    pub const ALWAYS: SplitPolicy = SplitPolicy {
        plies: u32::MAX,
        ..SplitPolicy::NEVER
    };

    /// Whether the node at this ply with this depth left is split.
    #[inline]
    pub fn splits(&self, ply: u32, depth: u32) -> bool {
        ply < self.plies && depth >= self.min_depth
    }
}

/// How a strategy runs a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Plan {
    /// One worker does it all.
    Sequential,
    /// A team shares the children of the nodes that the policy chooses.
    Split(SplitPolicy),
    /// Every worker searches the whole tree; they meet in the table.
    Replicate,
    /// All workers play out from one tree.
    OneTree,
    /// Every worker plays out from a tree of its own; in the end they add up.
    OwnTrees,
}
