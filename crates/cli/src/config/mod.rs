//! The meaning of the command line and of `mcp-assay.toml`.
//!
//! Three places describe the policy: the file, its `[[path]]` tables, and the flags. Each is read
//! into the same `Choices`; combined they make a `Policy`. Nothing is checked here.

mod choices;
mod context;
mod file;
mod gateway;
mod outputs;
mod read;
mod schema;
mod settings;

pub(crate) use self::choices::{Choices, policy};
pub(crate) use self::context::repository;
pub(crate) use self::file::ConfigFile;
pub(crate) use self::gateway::GatewayTable;
pub(crate) use self::schema::schema;
pub(crate) use self::settings::{Detail, OnViolations, Sessions, Settings, ToolsLock, document};
