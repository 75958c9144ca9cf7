//! Builds messages that are valid when they leave: every message is checked first.
//!
//! ```
//! use mcp_assay::Revision;
//! use mcp_assay_contract::build::{Object, request, request_meta};
//!
//! let params = Object::new()
//!     .json("_meta", request_meta(Revision::latest(), "{}"))
//!     .text("name", "add")
//!     .json("arguments", Object::new().integer("a", 1).integer("b", 2));
//! let message = request(1, "tools/call", params).build()?;
//! assert!(message.starts_with(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"#));
//! # Ok::<(), mcp_assay_contract::protocol::ValidationError>(())
//! ```
//!
//! A message is one line without its end. It is checked as [`crate::protocol`] checks messages, and
//! built only if it has no error there. Order and correlation are the task of the sender.

mod draft;
mod object;

pub use self::draft::{Batch, Draft, batch, error, notification, request, response};
pub use self::object::{Object, request_meta};
