//! Puts `wrap` in front of the servers in a client's configuration, and takes it out again.
//!
//! A configuration is never written anew. It is parsed to learn where commands and arguments stand (`jsonc`, `toml`), single places
//! of its text are replaced (`edit`), and the result is parsed again and must say what was meant before a byte is written (`plan`). So
//! comments, order and layout stay as they are, and taking out gives the bytes back that were there.

mod client;
mod diff;
mod document;
mod edit;
mod file;
mod jsonc;
mod plan;
#[cfg(test)]
mod tests;
mod toml;
mod wrapping;

pub(crate) use self::client::{Client, Place, Surroundings, all_places, places};
pub(crate) use self::diff::unified;
pub(crate) use self::file::ConfigText;
pub(crate) use self::plan::{Plan, Wanted};
pub(crate) use self::wrapping::Wrapping;
