//! Puts `wrap` in front of the servers in a client's configuration, and removes it again.
//!
//! A configuration is never written anew. It is parsed to find commands and arguments (`jsonc`,
//! `toml`), single places of its text are replaced (`edit`), and the result is parsed again and
//! must have the intended meaning before a byte is written (`plan`). So comments, order and layout
//! stay as they are, and `uninstall` restores the original bytes. Runs at the same time wait for
//! each other (`lock`), and an edit of another program is read again (`file`).

mod client;
mod diff;
mod document;
mod edit;
mod file;
mod jsonc;
mod lock;
mod plan;
#[cfg(test)]
mod tests;
mod toml;
mod wrapping;

pub(crate) use self::client::{Client, Place, Surroundings, UNKNOWN_LOG, all_places, places};
pub(crate) use self::diff::unified;
#[cfg(test)]
pub(crate) use self::document::Notation;
pub(crate) use self::document::{Launch, Server, Start};
pub(crate) use self::file::{ConfigText, Replaced};
pub(crate) use self::lock::FolderLocks;
pub(crate) use self::plan::{Outcome, Plan, Wanted};
pub(crate) use self::wrapping::{Wrapping, inner_command};
