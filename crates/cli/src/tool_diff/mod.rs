//! The changes of the tools that a server publishes: compares two snapshots.
//!
//! A snapshot comes from traffic (`listing`: the latest complete list) or from a lock file
//! (`lock`). A tool whose schemas changed is compatible if a client that keeps to the old schemas
//! is still served (`mcp_assay_schemas::containment`), and nothing is claimed if that cannot be
//! decided.

mod changes;
mod listing;
pub(crate) mod lock;
mod show;
mod tools;

pub(crate) use self::changes::compare;
pub(crate) use self::listing::Listing;
pub(crate) use self::lock::{read, write};
pub(crate) use self::show::{human, json, ndjson};
pub(crate) use self::tools::Tools;
