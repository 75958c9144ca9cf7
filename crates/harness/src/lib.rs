//! Tests of Model Context Protocol servers, in strict mode: every call fails as soon as a message
//! of the server breaks a rule.
//!
//! ```no_run
//! use mcp_assay_harness::{Error, ExpectError, Harness};
//! use serde_json::json;
//!
//! # fn a_test() -> Result<(), Error> {
//! let mut server = Harness::spawn(["./weather-server"])?;
//! server.initialize()?;
//! server.expect_tool("forecast")?.expect_argument("city")?.expect_read_only()?;
//! let forecast = server.call_tool("forecast", json!({"city": "Bern"}))?;
//! assert_eq!(forecast.expect_success()?.text(), "Snow above 900 m");
//! server.call_tool("no-such-tool", json!({})).expect_error(-32602)?;
//! server.expect_schema_valid()?;
//! server.expect_no_violations()?;
//! server.close()?;
//! # Ok(())
//! # }
//! ```
//!
//! A failing test prints:
//!
//! ```text
//! strict mode: initialize result: `serverInfo.version` is missing
//!   rule: schema/missing-member (error, layer schema, 2025-11-25)
//!   at:   /result/serverInfo, bytes 95..112
//!   help: add `version`, which `Implementation` requires
//!   sent: {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"weather"}}}
//! ```
//!
//! Errors fail, warnings and notes are kept for [`Harness::violations`]; [`Builder::fail_at`] makes
//! warnings fail, too. [`Builder::ignore`] lets rules, families, layers or levels pass,
//! [`Builder::lenient`] lets everything pass until [`Harness::expect_no_violations`]. Only the
//! server is judged: tests may send what is wrong.
//!
//! Nothing here is asynchronous. In a test with a runtime call it as it is; where the server runs
//! in the runtime of the test itself, call it in `tokio::task::spawn_blocking`. A server is heard
//! during calls only: what it says between two of them, also what it asks, is seen to by the
//! second.

mod calls;
mod error;
mod expect;
mod handlers;
mod harness;
mod rounds;
mod timing;
mod values;
mod violation;

pub use mcp_assay_probe::{Content, Farewell, Record, Target};

pub use self::error::{Error, RpcError};
pub use self::expect::ExpectError;
pub use self::harness::{Builder, Harness};
pub use self::timing::{Outcome, Timing};
pub use self::values::{
    Annotations, Contents, Handshake, Prompt, PromptArgument, PromptMessage, PromptResult,
    Resource, ResourceTemplate, ServerInfo, Tool, ToolResult,
};
pub use self::violation::Violation;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
