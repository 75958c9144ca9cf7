//! Profiles as files: their format, and those that are built in.
//!
//! The text of a file is read into a [`Profile`](crate::profile::Profile), which does the work. The
//! format is described in `crates/core/profiles/README.md`. Files are the caller's: nothing here
//! reads one.

mod builtin;
mod example;
mod json;
mod read;
mod rules;

pub use self::builtin::Builtin;
pub use self::read::ProfileText;
