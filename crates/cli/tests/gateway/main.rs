//! `gateway` as a user runs it: between a client and a server that speak HTTP over real sockets.

mod access;
mod crowds;
#[cfg(unix)]
mod definitions;
mod enforce;
mod faults;
#[cfg(target_os = "linux")]
mod memory;
mod once;
#[cfg(unix)]
mod outputs;
mod passing;
mod process;
mod records;
mod routes;
#[cfg(feature = "otel")]
mod spans;
mod statuses;
mod upstream;

use mcp_assay_testkit::http::{client, server, sound};
use mcp_assay_testkit::wait;
