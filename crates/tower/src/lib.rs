//! A [tower](https://docs.rs/tower) layer that checks the Model Context Protocol traffic of any
//! HTTP service.
//!
//! Requests are checked before the handler sees them, responses before the client does: JSON bodies
//! as a whole, streams event by event as they come. In `shadow`, the default, everything passes as
//! it is and a [`Reporter`] is told; in `enforce` nothing passes that has an error.
//!
//! ```
//! use mcp_assay::Policy;
//! use mcp_assay_live::guard::{Judged, Mode};
//! use mcp_assay_tower::AssayLayer;
//!
//! let layer = AssayLayer::new(Policy::default(), Mode::Enforce).reporter(
//!     |session: Option<&str>, judged: &Judged<'_>| {
//!         for line in judged.in_words() {
//!             eprintln!("{}: {line}", session.unwrap_or("-"));
//!         }
//!     },
//! );
//! # let _ = layer;
//! // let app = axum::Router::new().route("/mcp", axum::routing::any(handler)).layer(layer);
//! ```
//!
//! In `enforce` a message with an error is replaced:
//!
//! | message | becomes |
//! |---|---|
//! | a request of the client | a JSON-RPC error; the handler is not called. The status is 200 up to 2025-11-25, because clients end their session at any other, and since 2026-07-28 400, or 404 for an unknown method; if HTTP is at fault or nothing can be read, 400, 406, 413 or 415 |
//! | a notification of the client, or a response that nobody waits for | the status 400 with a JSON-RPC error without an id; the handler is not called |
//! | a response of the client, or of the server | a JSON-RPC error with the same id |
//! | a request or notification in a stream of the server | nothing: the event is left out, its id is kept |
//!
//! With `policy.refusal_status` the status is that of the canonical error instead, also of a
//! response that is replaced. The feature `metrics` counts messages and violations through the
//! `metrics` facade, by the names of [`mcp_assay_live::metrics`].
//!
//! The body of a `POST` is read before the handler is called, in both modes, up to
//! `policy.limits.bytes`. Sessions are told apart by `Mcp-Session-Id`; where there is none, or it
//! is not known, nothing is concluded from what was not seen. Since 2026-07-28 there are no
//! sessions: an answer is judged by its request, which is in the same exchange, and by nothing that
//! another exchange has shown. No more is held for that than one message, or one event.

mod body;
mod exchange;
mod future;
mod layer;
mod service;
mod shared;

pub use mcp_assay_live::guard::Reporter;

pub use self::body::{RequestBody, ResponseBody};
pub use self::future::ResponseFuture;
pub use self::layer::AssayLayer;
pub use self::service::Assay;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
