//! What the fuzz targets share: games chosen by bytes, and what must hold in any position.

mod bytes;
mod checks;
mod subject;

pub use bytes::Bytes;
pub use checks::{
    check_children, check_drawings, check_error, check_null_move, check_position, check_texts,
    list_moves,
};
pub use subject::{EvaluationVisitor, GameVisitor, HEADER, Subject, with_game};
