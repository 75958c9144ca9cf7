//! Profiles: the files they are written in, and those that are built in.
//!
//! A profile is read into `mcp_assay::profile::Profile`, which does the work. The format is
//! described in `crates/cli/profiles/README.md`.

mod builtin;
mod chosen;
mod json;
mod read;
mod rules;

pub(crate) use self::builtin::Builtin;
pub(crate) use self::chosen::ChosenProfile;
