//! What became of the tools that a server publishes: those of two snapshots, compared.
//!
//! A snapshot comes from traffic (`listing`) or from a lock file (`lock`). A tool whose schemas changed is compatible if whoever kept to
//! the old schemas is still served (`contain`), and nothing is claimed where that cannot be decided.

mod changes;
mod listing;
mod lock;
mod show;
mod snapshot;
mod tools;

pub(crate) use self::changes::compare;
pub(crate) use self::listing::Listing;
pub(crate) use self::lock::{read, write};
pub(crate) use self::show::{human, json, ndjson};
pub(crate) use self::snapshot::snapshot;
pub(crate) use self::tools::Tools;
