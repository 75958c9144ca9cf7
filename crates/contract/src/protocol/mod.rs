//! One question, one call: is this a message, does this method exist, may this code be sent?
//!
//! ```
//! use mcp_assay_contract::protocol::{format_validation_error, validate_request};
//!
//! let error = validate_request("bad", ()).unwrap_err();
//! assert_eq!(format_validation_error(&error), "unknown_method: method=bad");
//! ```
//!
//! Where neither the caller nor the message names a revision, the functions assume 2025-11-25, the
//! newest with a handshake ([`Revision::assumed`](mcp_assay::Revision::assumed)), and so does the
//! program `mcp-assay`. A message that can only belong to another revision is checked under that
//! one: a method that only 2026-07-28 has, a `_meta` that names it, or a batch, which only
//! 2025-03-26 has. [`Protocol`] has the functions as methods, for a revision or sender of one's own
//! choice:
//!
//! ```
//! use mcp_assay::Revision;
//! use mcp_assay_contract::protocol::Protocol;
//!
//! let mut protocol = Protocol::new().revision(Revision::V2025_06_18);
//! assert!(protocol.validate_request("ping", ()).is_ok());
//! ```
//!
//! The [`Validator`](mcp_assay::Validator) decides, with all its rules and without a session, and
//! its errors come back as [`Problem`]s, each with a stable [`Reason`]. Warnings and notes are no
//! problem. For those, for spans or a whole session use the validator itself.
//!
//! JSON goes in as text, in a `&str` or as bytes, or as `serde_json::Value` (feature `value`, on by
//! default), each also in an `Option`; see [`Json`]. A caller with rules of its own reports them in
//! the same form: see [`ValidationError::of_rule`].

mod explain;
mod fields;
mod functions;
mod input;
mod message;
mod problem;
#[expect(clippy::module_inception, reason = "the file of the type `Protocol`")]
mod protocol;
mod reason;
mod text;
#[cfg(feature = "json-schema")]
mod tool_call;

pub use self::fields::{FieldType, Fields};
#[cfg(feature = "json-schema")]
pub use self::functions::validate_tool_call;
pub(crate) use self::functions::with_default;
pub use self::functions::{
    format_validation_error, validate_batch, validate_error_code, validate_field_type,
    validate_jsonrpc, validate_message, validate_method_name, validate_notification,
    validate_notification_name, validate_request, validate_required_fields, validate_resource_uri,
    validate_response,
};
pub use self::input::{Answer, Id, Json};
pub(crate) use self::message::Parts;
pub use self::problem::{Problem, ValidationError};
pub use self::protocol::Protocol;
pub use self::reason::Reason;
pub(crate) use self::text::{write_object_member, write_string};
