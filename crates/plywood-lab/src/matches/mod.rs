//! Players against each other, with error bars.
