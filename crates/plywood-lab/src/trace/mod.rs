//! What every worker did when: recorded, exported, drawn.
