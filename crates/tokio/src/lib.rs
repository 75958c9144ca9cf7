//! Checks Model Context Protocol traffic on byte streams, line by line, in both directions.
//!
//! [`assay_io`] stands between a program and its streams. A server built with rmcp, the official
//! SDK, checks its own traffic with one changed line:
//!
//! ```no_run
//! # async fn serve<T>(transport: T) {}
//! # async fn run() {
//! use mcp_assay_tokio::{Options, stdio};
//!
//! // before: service.serve(rmcp::transport::stdio()).await
//! serve(stdio(Options::server())).await
//! # }
//! ```
//!
//! The wrapper is below the SDK, where the bytes are: what a typed message hides (repeated keys,
//! lines that are no JSON, messages that the SDK drops) is still seen. A client that starts its
//! server itself uses `AssayChildProcess`, with the feature `rmcp`.
//!
//! In `shadow`, the default, every byte passes as it is and a [`Reporter`] is told; in `enforce`
//! nothing passes that has an error, and whoever waits for an answer gets one.
//!
//! The feature `metrics` counts messages and violations through the `metrics` facade, by the names
//! of [`mcp_assay_live::metrics`].
//!
//! Without any SDK, [`serve`] runs a [`Router`]: the transport frames, the guard judges, and
//! handlers see only what is valid.

#[cfg(feature = "rmcp")]
mod child;
mod io;
mod options;
mod router;
mod serve;
mod wakers;
mod wire;

pub use mcp_assay_live::guard::Reporter;

#[cfg(feature = "rmcp")]
pub use self::child::AssayChildProcess;
pub use self::io::{AssayRead, AssayWrite, assay_io, stdio};
pub use self::options::Options;
pub use self::router::{Call, Notification, Notifier, Router, RpcError};
pub use self::serve::serve;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
