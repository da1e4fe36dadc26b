//! The studio: play, analyse and watch the search, in the browser.
//!
//! [`Studio::open`] takes an address and a folder, [`Studio::run`] serves the page and the API
//! behind it until it is told to end. Everything the page does goes through the API, which is
//! described in OpenAPI at `/api` and with examples in `docs/api.md`.
//!
//! | module | what |
//! |---|---|
//! | `server` | listens, accepts, ends |
//! | `guard` | who may ask: Host, Origin, headers of every answer |
//! | `routes` | one file for each part of the API |
//! | `tables` | games that are kept, and their files |
//! | `thinking` | searches: their queue, their events, their end |
//! | `way`, `level` | how a move is chosen |
//! | `view` | positions as the page draws them |
//! | `telling`, `tree` | what searches find, as JSON |
//! | `record` | games as texts |
//! | `lab` | runs and sweeps |
//! | `page` | the page, inside the program or from a folder |
//! | `openapi` | what the API says of itself |

mod body;
mod failure;
mod guard;
mod lab;
mod level;
mod openapi;
mod page;
mod race;
mod record;
mod routes;
mod server;
mod tables;
mod telling;
mod thinking;
mod tree;
mod view;
mod way;

pub use server::{Options, Studio, StudioError, default_store};
