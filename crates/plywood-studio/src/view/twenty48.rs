//! A board of 2048.

use plywood_games::twenty48::Twenty48;
use plywood_games::{Notation, TextError};
use serde_json::{Value, json};

pub(super) fn board(position: &str) -> Result<Value, TextError> {
    let position = Twenty48::new().read_state(position)?;
    Ok(json!({
        "kind": "2048",
        "cells": position.board().exponents(),
        "score": position.score(),
    }))
}
